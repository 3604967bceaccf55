//! Definition-use testing of multithreaded programs (paper 002): which write feeds which read across threads, under which
//! inputs and schedule each pair happens.
//!
//! - [`statics`]: shared variables, potential pairs, escort branch pairs.
//! - [`mod@execute`]: guided executions. [`pairs`]: the pairs that a recording shows.
//! - [`path`], [`predict`], [`guide`]: what else the same instructions could show, and how to make the machine do it.
//! - [`campaign`]: the main loop.
//!
//! **Architecture invariant:** a pair counts only if the machine has executed it; what the solver says decides what is
//! executed next.

pub mod campaign;
pub mod database;
pub mod execute;
pub mod guide;
pub mod invariants;
pub mod pairs;
pub mod path;
pub mod predict;
pub mod query;
pub mod report;
pub mod statics;
mod suggest;
mod turns;

pub use campaign::{Campaign, Covered, Cut, DefuseConfig, Execution, Purpose, Report, Round, Status};
pub use pairs::{Occurrence, Pair, Point};
pub use statics::{Escort, EscortPair, Statics, Variable};
