//! SMT-LIB 2: queries as text, and solvers that read it.
//!
//! [`script`] prints any query, one definition a shared part, so that the text is as small as the query and no line
//! is deep. [`ExternalSolver`] sends such a text to another solver and reads the answer, the model and the core back
//! into the same [`Answer`](crate::Answer) that [`Solver`](crate::Solver) gives.

mod external;
mod parse;
mod print;

pub use self::external::{ExternalError, ExternalSolver};
pub use self::parse::ParseError;
pub use self::print::script;
