//! Terms, bit-blasting and SAT with theories: where every symbolic engine asks its questions.

mod arrays;
mod bits;
mod blast;
mod eval;
mod float;
mod sat;
pub mod smtlib;
mod solver;
mod sort;
#[cfg(any(test, feature = "stress"))]
pub mod stress;
mod terms;
mod value;

pub use bits::Bits;
pub use eval::{Assignment, Evaluator};
pub use sat::{Actions, BoolVar, Lit, NoTheory, Sat, SatAnswer, SatConfig, SatStatistics, Theory};
#[cfg(feature = "proof")]
pub use sat::{ProofConfig, ProofFormat};
pub use solver::{Answer, Config, Core, Model, Solver, Statistics};
pub use sort::{FloatFormat, MAX_WIDTH, Rounding, Sort, SortError};
pub use terms::{ConstId, FloatClass, KnownBits, Op, TermId, Terms, VarId};
pub use value::{ArrayValue, Value};
