//! Reports: what people and programs read of an execution.
//!
//! Everything here is made from a [`Trace`](heddle_task::Trace) and a [`Verdict`](heddle_task::Verdict), which carry all names,
//! places and source lines.
//!
//! **Architecture invariant:** a report cannot tell which engine found what it shows, and never looks at a program.

mod describe;
mod explain;
pub mod html;
pub mod json;
pub mod junit;
pub mod sarif;
mod summary;
pub mod text;
pub mod witness;

pub use summary::{headline, summary};
pub use text::TextOptions;
