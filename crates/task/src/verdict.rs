//! The answer: verdicts, what they rest on, and why there is none.

use heddle_base::Stop;
use heddle_ir::Property;
use serde::{Deserialize, Serialize};

use crate::coverage::{Cut, Reached};
use crate::schedule::Schedule;
use crate::task::Bounds;
use crate::trace::Trace;
use crate::violation::{Detail, Violation};

/// The answer of an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A property is violated, and the machine has shown it.
    Unsafe(Box<Counterexample>),
    /// All executions are covered.
    Safe(Proof),
    /// No violation up to the bounds that cut something off.
    SafeWithin(Box<Within>),
    /// Not decided.
    Unknown(Reason),
}

/// How far an answer within bounds goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Within {
    /// The bounds that cut something off.
    pub bounds: Bounds,
    /// What they cut off.
    pub cuts: Vec<Cut>,
    /// What executions reach within them.
    pub reached: Reached,
}

/// The bounds, as in the verdict's line.
impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.bounds.fmt(f)
    }
}

/// A violation and the execution that shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What was asked for, as on the command line.
    pub name: String,
    /// What it is, in one line.
    pub message: String,
    /// More, each with its place.
    pub details: Vec<Detail>,
}

/// What a proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// All executions are covered up to the places where an assumption fails ([`crate::Task::assumed`]). Never plain `SAFE`.
    Assuming {
        /// What was assumed, and where it mattered; at least one.
        assumptions: Vec<Assumption>,
        /// What the proof rests on besides.
        proof: Box<Proof>,
    },
}

/// A property that was assumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// The property.
    pub property: Property,
    /// Where executions end if it does not hold, as `file:line:column`.
    pub places: Vec<String>,
}

impl Proof {
    /// The names of what was assumed, in the order of properties; none if the proof holds without assumptions.
    pub fn assumed(&self) -> Vec<&'static str> {
        match self {
            Proof::Exhaustive { .. } | Proof::CompleteUnwinding | Proof::Inductive { .. } => Vec::new(),
            Proof::Assuming { assumptions, .. } => assumptions.iter().map(|one| one.property.name()).collect(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// A violation was found that depends on a value that nothing is known of.
    Depends(String),
    /// A limit of the machine was reached.
    Limit(String),
    /// An abstraction reaches what no execution is known to reach.
    Abstraction(String),
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
            Reason::Depends(what) => write!(f, "depends: {what}"),
            Reason::Limit(what) => write!(f, "limit: {what}"),
            Reason::Abstraction(what) => write!(f, "abstraction: {what}"),
            Reason::Solver(what) => write!(f, "solver: {what}"),
        }
    }
}
