//! What every crate of Heddle stands on: typed ids and the vectors they index, source positions, budgets and turns, a random generator.

pub mod budget;
pub mod ids;
pub mod random;
pub mod source;
pub mod turns;

pub use budget::{Budget, Stop};
pub use ids::{Id, IndexVec};
pub use random::Random;
pub use source::{FileId, Loc, Pos, SourceMap, Span};

/// For [`define_id!`](crate::define_id): ids are stored as their numbers.
#[doc(hidden)]
pub use serde;
