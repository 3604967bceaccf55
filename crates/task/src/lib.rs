//! What is asked and what is answered, as plain data.
//!
//! - [`Task`]: a program, properties, bounds and a memory model. [`Run`]: limits, progress and statistics of one check.
//! - [`Verdict`]: the answer, with a [`Counterexample`] or a [`Proof`]. [`Answer`]: all that came of a check.
//! - [`Coverage`]: what a search looked at and what it did not; the one place where `SAFE` is decided.
//! - [`Schedule`]: an execution as a value. [`Recording`]: what it did, by ids. [`Trace`]: the rendering of a recording,
//!   all that a report needs.
//! - [`Violation`]: a violated property at its place. [`Violations`]: those that an engine has confirmed.
//!
//! **Architecture invariant:** nothing here executes or solves anything, so reports link neither machine nor solver.

mod answer;
mod coverage;
mod recording;
mod run;
mod schedule;
mod task;
mod threads;
mod trace;
mod verdict;
mod violation;
mod violations;
pub mod witness;

pub use answer::{ANSWER_VERSION, Answer};
pub use coverage::{Bound, Coverage, Cut, CutKind, CutPlace, InputCoverage, InputValues, Reached, ReachedAssertion};
pub use recording::{
    Bits, ByteSource, CodeSite, RECORDING_VERSION, RecordedAccess, RecordedAction, RecordedObject, RecordedObjectKind,
    RecordedStep, RecordedThread, RecordedValue, Recording,
};
pub use run::{Progress, Run, Statistics};
pub use schedule::{Choice, InputValue, Schedule, ScheduleError, TurnRun};
pub use task::{Bounds, MemoryModel, Task};
pub use threads::{ThreadId, ThreadNames};
pub use trace::{Action, Blocked, Place, SourceLine, Trace, TraceDetail, TraceEnd, TraceStep, TraceThread};
pub use verdict::{Assumption, Counterexample, Proof, Reason, Verdict, Warning, Within};
pub use violation::{Detail, Violation};
pub use violations::Violations;
