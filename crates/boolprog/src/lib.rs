//! Boolean programs with unbounded thread creation, [BOOLPROG]: the language `.bp` and its checker.
//!
//! ```text
//!  text ──parse──▶ ast::Program ──flatten──▶ Flat (one instruction a location)
//! ```
//!
//! Invariants: nothing here knows C. A verdict `Safe` comes from a set of thread states (or pairs) that is closed under
//! every step; a verdict `Unsafe` comes with an execution of the program itself.

pub mod ast;
pub mod diagnostic;
pub mod flat;
pub mod flatten;
mod lex;
pub mod parse;
mod print;

pub use diagnostic::Diagnostic;
pub use flat::{Flat, LocId, VarId};
pub use flatten::{Recursion, flatten};
pub use parse::parse;
