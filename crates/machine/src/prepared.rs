//! What is computed once for a task and shared by all engines that are asked about it.
//!
//! It lives here and not in `task` because bytecode is the machine's (ADR 11). Nothing in it depends on the properties
//! or the bounds, so one [`Prepared`] also serves tasks that differ in those alone.

use heddle_base::{Budget, Stop};
use heddle_ir::{Analysis, InputId, Program, Visibility};
use heddle_task::{Reason, Task};

use crate::code::Code;
use crate::compile::compile;
use crate::inputs::{InputError, Inputs};

/// Analyses, bytecode and input domains of a task.
#[derive(Debug)]
pub struct Prepared {
    /// Points-to sets, call graph, thread classes and sharing.
    pub analysis: Analysis,
    /// Before which steps the scheduler may switch.
    pub visibility: Visibility,
    /// The program as bytecode, compiled for that visibility.
    pub code: Code,
    /// All values of those inputs that have a domain.
    pub domains: Vec<(InputId, Vec<u128>)>,
}

impl Prepared {
    /// Prepares a task: the sharing analysis decides which steps are visible.
    pub fn new(task: &Task<'_>, budget: &Budget) -> Result<Self, PrepareError> {
        let analysis = Analysis::within(task.program, budget)?;
        let visibility = Visibility::analysed(task.program, &analysis.sharing);
        Self::with(task, analysis, visibility)
    }

    /// Prepares a task such that every step is visible that may be visible by the program's text alone.
    /// A cross-check of the sharing analysis.
    pub fn conservative(task: &Task<'_>, budget: &Budget) -> Result<Self, PrepareError> {
        let analysis = Analysis::within(task.program, budget)?;
        Self::with(task, analysis, Visibility::conservative(task.program))
    }

    fn with(task: &Task<'_>, analysis: Analysis, visibility: Visibility) -> Result<Self, PrepareError> {
        let domains = resolve(task.program, &task.domains)?;
        let code = compile(task.program, &visibility);
        Ok(Prepared { analysis, visibility, code, domains })
    }
}

/// Input domains by id, with values in the bits of the input's type.
fn resolve(program: &Program, domains: &[(String, Vec<i128>)]) -> Result<Vec<(InputId, Vec<u128>)>, InputError> {
    domains.iter().map(|(name, values)| Inputs::domain_of(program, name, values)).collect()
}

/// Why a task could not be prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrepareError {
    /// A limit was reached during the analyses.
    Stopped(Stop),
    /// A domain names an input that does not exist, or a value that its type does not have.
    Input(InputError),
}

impl From<Stop> for PrepareError {
    fn from(stop: Stop) -> Self {
        PrepareError::Stopped(stop)
    }
}

impl From<InputError> for PrepareError {
    fn from(error: InputError) -> Self {
        PrepareError::Input(error)
    }
}

/// For callers to whom a task that cannot be prepared is a task that cannot be decided.
impl From<PrepareError> for Reason {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Stopped(stop) => stop.into(),
            PrepareError::Input(error) => Reason::Inputs(error.to_string()),
        }
    }
}
