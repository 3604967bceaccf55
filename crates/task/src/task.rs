//! The question: a program, the properties to check, and how far to look.

use heddle_ir::{Program, PropertySet};
use serde::{Deserialize, Serialize};

/// What is to be checked. Engines are given nothing else that can change an answer.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    /// The program.
    pub program: &'p Program,
    /// The properties.
    pub properties: PropertySet,
    /// How far to look. A bound that is not given is the engine's own choice.
    pub bounds: Bounds,
    /// Iterations of single loops, by the loop's name; they override [`Bounds::unwind`].
    pub unwindset: Vec<(String, u64)>,
    /// All values that an input can have, by the input's name.
    pub domains: Vec<(String, Vec<i128>)>,
    /// The memory model under which the program is executed.
    pub memory: MemoryModel,
    /// Properties that are assumed and not checked: an execution ends where one is violated.
    pub assumed: PropertySet,
}

impl<'p> Task<'p> {
    /// A task without bounds and without input domains.
    pub fn new(program: &'p Program, properties: PropertySet) -> Self {
        Task {
            program,
            properties,
            bounds: Bounds::default(),
            unwindset: Vec::new(),
            domains: Vec::new(),
            memory: MemoryModel::default(),
            assumed: PropertySet::EMPTY,
        }
    }

    /// The same task with these bounds.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The same task for other properties.
    #[must_use]
    pub fn with_properties(&self, properties: PropertySet) -> Self {
        Task { properties, ..self.clone() }
    }
}

/// Which executions a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryModel {
    /// Every execution is an interleaving of the threads' steps, and every read sees the last write.
    #[default]
    SequentiallyConsistent,
}

/// Bounds: those asked for in a [`Task`], those that cut something off in a [`crate::Verdict`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Iterations of each loop, and depth of recursion.
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

    /// The bound on spurious wake-ups, which is never without one: a thread could wake up for ever.
    pub fn spurious_or_default(&self) -> u64 {
        self.spurious.unwrap_or(2)
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
