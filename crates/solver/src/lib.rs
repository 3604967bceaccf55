//! Terms, bit-blasting and SAT with theories: where every symbolic engine asks its questions.

mod bits;
mod eval;
mod float;
mod sort;
mod terms;
mod value;

pub use bits::Bits;
pub use eval::{Assignment, Evaluator};
pub use sort::{FloatFormat, MAX_WIDTH, Rounding, Sort, SortError};
pub use terms::{ConstId, FloatClass, KnownBits, Op, TermId, Terms, VarId};
pub use value::{ArrayValue, Value};
