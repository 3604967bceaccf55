//! The interface of all engines.

use heddle_machine::Prepared;
use heddle_task::{Run, Task, Verdict};

/// An approach to checking programs.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Checks a task within the budget of a run. `prepared` was made from this task, or from one that differs in properties
    /// or bounds alone.
    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict;
}
