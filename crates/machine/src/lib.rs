//! The concrete machine: one semantics of steps, and what is built on it.
//!
//! - [`Machine`] executes a program by bytecode ([`compile()`]), one scheduled step at a time.
//! - A [`Scheduler`] chooses who moves; [`run()`] drives one execution and says how it ended.
//! - [`schedule_of()`] keeps what was chosen as a value that can be stored; [`replay()`] executes it again and records a
//!   trace, from which every report is made.
//!
//! **Architecture invariant:** the machine is the judge. Whatever an engine believes, a bug is reported only if
//! executing its schedule here shows it, and the report is made from the trace of that execution.

mod clock;
mod code;
mod compile;
mod endless;
mod event;
mod files;
mod inputs;
mod library;
mod machine;
mod memory;
mod names;
mod output;
mod prepared;
mod race;
mod recorder;
mod render;
mod replay;
mod run;
mod run_outcome;
mod scheduler;
mod state;
#[doc(hidden)]
pub mod testing;
mod thread;
mod undo;
mod violation;

pub use clock::Clock;
pub use code::Code;
pub use compile::compile;
pub use event::{Event, Range};
pub use inputs::{Fallback, InputError, Inputs, Reading};
pub use library::reads_input;
pub use machine::{Config, ExitMode, Halt, Hold, Limit, Limits, Machine, Notes};
pub use output::Stream;
pub use prepared::{PrepareError, Prepared};
pub use render::{render, variable_name};
pub use replay::{give_inputs, record, replay, schedule_of};
pub use run_outcome::{Outcome, run};
pub use scheduler::{
    Departure, DepartureReason, First, GuideStep, Guided, NextStep, Pct, RandomScheduler, Replay, Scheduler, View,
};
pub use thread::{Readiness, Status, Stuck, Wait};
pub use undo::Undo;

#[cfg(test)]
mod tests;
