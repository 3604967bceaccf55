//! The concrete machine: one semantics of steps, and what is built on it.
//!
//! - [`Machine`] executes a program by bytecode ([`compile()`]), one scheduled step at a time.
//! - A [`Scheduler`] chooses who moves; [`run()`] drives one execution and says how it ended.
//! - A [`Schedule`] is what was chosen, as a value that can be stored; [`replay()`] executes it again and records a
//!   [`Trace`], from which every report is made.
//! - [`Explore`] executes all schedules that differ.
//! - [`Verdict`], [`Task`], [`Run`] and [`Engine`] are what all engines share.
//!
//! **Architecture invariant:** the machine is the judge. Whatever an engine believes, a bug is reported only if
//! executing its schedule here shows it, and the report is made from the trace of that execution.

mod code;
mod compile;
mod engine;
mod event;
mod explore;
mod float;
mod inputs;
mod liveness;
mod machine;
mod memory;
mod names;
mod output;
mod race;
mod random;
mod run;
mod run_outcome;
mod schedule;
mod scheduler;
mod sections;
mod thread;
mod trace;
mod tracer;
pub mod unwind;
pub mod value;
mod violation;
mod violations;
mod visibility;

pub use code::Code;
pub use compile::compile;
pub use engine::{Bounds, Counterexample, Engine, Progress, Proof, Reason, Run, Statistics, Task, Verdict, Warning};
pub use event::{Event, Range};
pub use explore::{Explore, ExploreConfig, Reduction};
pub use inputs::{Fallback, InputError, Inputs, Reading};
pub use machine::{Config, ExitMode, Halt, Hold, Limit, Limits, Machine, Notes};
pub use memory::Site;
pub use output::Stream;
pub use random::Random;
pub use run_outcome::{Outcome, run};
pub use schedule::{InputValue, Schedule, ScheduleError, TurnRun, replay};
pub use scheduler::{Choice, First, RandomScheduler, Replay, Scheduler};
pub use thread::{Readiness, Status, Stuck, ThreadId, ThreadNames, Wait};
pub use trace::{Action, Blocked, Place, SourceLine, Trace, TraceDetail, TraceEnd, TraceStep, TraceThread};
pub use unwind::interleave;
pub use violation::{Detail, Violation};
pub use violations::Violations;
pub use visibility::Visibility;

#[cfg(test)]
mod tests;
