//! Boolean programs with unbounded thread creation, [BOOLPROG]: the language `.bp` and its checker.
//!
//! ```text
//!  text ──parse──▶ ast::Program ──flatten──▶ Flat (one instruction a location)
//!                                              ├─ explicit: the reference
//!                                              └─ symbolic: decision diagrams
//! ```
//!
//! Invariants: nothing here knows C. A verdict `Safe` comes from a set of thread states (or pairs) that is closed under
//! every step; a verdict `Unsafe` comes with an execution of the program itself.

pub mod ast;
pub mod diagnostic;
pub mod explicit;
pub mod flat;
pub mod flatten;
mod lex;
pub mod options;
pub mod parse;
mod print;
#[cfg(any(test, feature = "stress"))]
pub mod stress;
pub mod symbolic;
pub mod trace;

pub use diagnostic::Diagnostic;
pub use flat::{Flat, LocId, VarId};
pub use flatten::{Recursion, flatten};
pub use options::Options;
pub use parse::parse;
