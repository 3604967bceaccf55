//! Boolean programs among the engines: lowered to goto programs, their counterexamples judged by the machine.
//!
//! The verdict comes from [`heddle_boolprog::check()`]. What is violated is shown by the machine on the lowered program; where that
//! cannot be lowered (too many locals) the exact search of Boolean programs has the last word.

mod judge;
mod lower;

pub use judge::judge;
pub use lower::{Lowered, SLOTS, lower};
