//! What is asked and what is answered, as plain data.
//!
//! - [`Task`]: a program, properties and bounds. [`Run`]: limits, progress and statistics of one check.
//! - [`Verdict`]: the answer, with a [`Counterexample`] or a [`Proof`]. [`Engine`] turns a task into a verdict.
//! - [`Schedule`]: an execution as a value. [`Recording`]: what it did, by ids. [`Trace`]: the rendering of a recording,
//!   all that a report needs.
//! - [`Violation`]: a violated property at its place. [`Violations`]: those that an engine has confirmed.
//!
//! **Architecture invariant:** nothing here executes or solves anything, so reports link neither machine nor solver.

mod engine;
mod recording;
mod schedule;
mod threads;
mod trace;
mod violation;
mod violations;

pub use engine::{Bounds, Counterexample, Engine, Progress, Proof, Reason, Run, Statistics, Task, Verdict, Warning};
pub use recording::{
    Bits, ByteSource, CodeSite, RECORDING_VERSION, RecordedAccess, RecordedAction, RecordedObject, RecordedObjectKind,
    RecordedStep, RecordedThread, RecordedValue, Recording,
};
pub use schedule::{Choice, InputValue, Schedule, ScheduleError, TurnRun};
pub use threads::{ThreadId, ThreadNames};
pub use trace::{Action, Blocked, Place, SourceLine, Trace, TraceDetail, TraceEnd, TraceStep, TraceThread};
pub use violation::{Detail, Violation};
pub use violations::Violations;
