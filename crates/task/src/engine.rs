//! What all engines share: tasks, runs, verdicts (DESIGN sections 5 and 6).

use std::collections::BTreeMap;

use heddle_base::{Budget, Stop};
use heddle_ir::{Program, PropertySet};

use crate::schedule::Schedule;
use crate::trace::Trace;
use crate::violation::{Detail, Violation};

/// What is to be checked.
pub struct Task<'p> {
    /// The program.
    pub program: &'p Program,
    /// The properties.
    pub properties: PropertySet,
    /// How far to look.
    pub bounds: Bounds,
}

/// Bounds: those asked for in a [`Task`], those that cut something off in a [`Verdict`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Rounds of each loop.
    pub unwind: Option<u64>,
    /// Context switches.
    pub contexts: Option<u64>,
    /// Points at which threads are chosen between.
    pub choices: Option<u64>,
    /// Steps of each thread.
    pub steps: Option<u64>,
    /// Spurious wake-ups of each thread.
    pub spurious: Option<u64>,
}

impl Bounds {
    /// Whether nothing is bounded.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }

    /// All of them, with the names that users know them by.
    pub fn named(&self) -> [(&'static str, Option<u64>); 5] {
        [
            ("unwind", self.unwind),
            ("contexts", self.contexts),
            ("choices", self.choices),
            ("steps", self.steps),
            ("spurious", self.spurious),
        ]
    }
}

/// `unwind=3 contexts=4`; what is not bounded is not named.
impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> =
            self.named().iter().filter_map(|(name, bound)| bound.map(|bound| format!("{name}={bound}"))).collect();
        f.write_str(&parts.join(" "))
    }
}

/// How a run may go about its task.
pub struct Run<'a> {
    /// Deadline, memory and the cancel flag.
    pub budget: Budget,
    /// Told now and then how far things are.
    pub progress: &'a dyn Fn(&Progress),
    /// What was done, for `--stats`; engines add to it.
    pub statistics: &'a Statistics,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub phase: &'static str,
    /// How much of it was done, in units of the phase.
    pub done: u64,
}

/// Named numbers of a run.
#[derive(Debug, Default)]
pub struct Statistics {
    numbers: std::cell::RefCell<BTreeMap<&'static str, f64>>,
}

impl Statistics {
    /// Sets a number.
    pub fn set(&self, name: &'static str, value: f64) {
        self.numbers.borrow_mut().insert(name, value);
    }

    /// Adds to a number.
    pub fn add(&self, name: &'static str, value: f64) {
        *self.numbers.borrow_mut().entry(name).or_default() += value;
    }

    /// All numbers by name.
    pub fn all(&self) -> BTreeMap<&'static str, f64> {
        self.numbers.borrow().clone()
    }

    /// A number; 0 if it was never set.
    pub fn get(&self, name: &str) -> f64 {
        self.numbers.borrow().get(name).copied().unwrap_or(0.0)
    }
}

/// The answer of an engine.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// A property is violated, and the machine has shown it.
    Unsafe(Box<Counterexample>),
    /// All executions are covered.
    Safe(Proof),
    /// No violation up to the bounds that cut something off.
    SafeWithin(Bounds),
    /// Not decided.
    Unknown(Reason),
}

/// A violation and the execution that shows it.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What is violated.
    pub violation: Violation,
    /// How to see it.
    pub schedule: Schedule,
    /// All of it.
    pub trace: Trace,
    /// More violations that were found on the way: other properties, other places, each confirmed like the first. They have
    /// no others themselves.
    pub others: Vec<Counterexample>,
}

/// Something worth a look that is no violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What was asked for, as on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub message: String,
    /// More, each with its place.
    pub details: Vec<Detail>,
}

/// What a proof rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All executions were executed, up to the order of independent steps.
    Exhaustive {
        /// How many.
        executions: u64,
    },
    /// All loops were unwound completely, and the formula of all interleavings has no model.
    CompleteUnwinding,
    /// A set of states that holds the first, is closed under steps, and holds no violation.
    Inductive {
        /// What the set is.
        description: String,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time is over.
    Time,
    /// The memory limit is reached.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
    /// The program does what the engine cannot handle.
    Unsupported(String),
    /// An engine's candidate does not show a violation in the machine.
    Unconfirmed(String),
    /// Not all values of inputs, or of what was never initialised, were tried.
    Inputs(String),
    /// The program does what has no defined meaning, and the property that covers it is not checked.
    Undefined(String),
    /// A limit of the machine was reached.
    Limit(String),
    /// A query could not be written, or another solver did not answer it.
    Solver(String),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Time => Reason::Time,
            Stop::Memory => Reason::Memory,
            Stop::Cancelled => Reason::Cancelled,
        }
    }
}

/// The word for the last line of the output, and more where there is more to say.
impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Time => f.write_str("time"),
            Reason::Memory => f.write_str("memory"),
            Reason::Cancelled => f.write_str("cancelled"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Unconfirmed(what) => write!(f, "unconfirmed: {what}"),
            Reason::Inputs(what) => write!(f, "inputs: {what}"),
            Reason::Undefined(what) => write!(f, "undefined: {what}"),
            Reason::Limit(what) => write!(f, "limit: {what}"),
            Reason::Solver(what) => write!(f, "solver: {what}"),
        }
    }
}

/// An approach to checking programs.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Checks a task within the budget of a run.
    fn check(&self, task: &Task<'_>, run: &Run<'_>) -> Verdict;
}
