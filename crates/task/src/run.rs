//! The circumstances of a check: limits, progress, statistics.

use std::collections::BTreeMap;

use heddle_base::Budget;

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
