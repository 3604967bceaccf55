//! Boolean programs with unbounded thread creation, paper 004 (`[BOOLPROG]`): the language `.bp` and its checker.
//!
//! ```text
//!  text ──parse──▶ ast::Program ──flatten──▶ Flat (one instruction a location)
//!                                              ├─ explicit: the reference
//!                                              └─ symbolic: decision diagrams
//! ```
//!
//! Invariants: nothing here knows C. A verdict `Safe` comes from a set of thread states (or pairs) that is closed under
//! every step; a verdict `Unsafe` comes with an execution of the program itself.

// Diagrams are compared and hashed by the node they stand for, which never changes.
#![allow(clippy::mutable_key_type)]

pub mod ast;
pub mod check;
pub mod derivation;
pub mod diagnostic;
pub mod explicit;
pub mod flat;
pub mod flatten;
pub mod ghosts;
mod lex;
pub mod options;
pub mod parametric;
pub mod parse;
mod print;
pub mod proof;
#[cfg(any(test, feature = "stress"))]
pub mod stress;
pub mod symbolic;
pub mod trace;

pub use check::{Basis, Reason, Report, Sets, Settings, Statistics, Tuples, Verdict, check, executable};
pub use derivation::Derivation;
pub use diagnostic::Diagnostic;
pub use flat::{Flat, LocId, VarId};
pub use flatten::{Recursion, flatten};
pub use options::Options;
pub use parse::parse;
pub use proof::Proof;
pub use trace::Run;
