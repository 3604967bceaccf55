//! The circumstances of a check: limits, progress, statistics.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// What was done: named numbers, and which engine gave the answer. Can be added to from several threads.
#[derive(Debug, Default)]
pub struct Statistics {
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    numbers: BTreeMap<String, f64>,
    decided_by: Option<&'static str>,
    story: Vec<String>,
}

impl Statistics {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        // A number is whole whatever happened to the thread that wrote another one.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a number.
    pub fn set(&self, name: &str, value: f64) {
        self.notes().numbers.insert(name.to_owned(), value);
    }

    /// Adds to a number.
    pub fn add(&self, name: &str, value: f64) {
        let mut notes = self.notes();
        match notes.numbers.get_mut(name) {
            Some(number) => *number += value,
            None => {
                notes.numbers.insert(name.to_owned(), value);
            }
        }
    }

    /// Adds a line to the story of the run, for `--verbose` and JSON.
    pub fn tell(&self, line: String) {
        self.notes().story.push(line);
    }

    /// The story of the run.
    pub fn story(&self) -> Vec<String> {
        self.notes().story.clone()
    }

    /// All numbers by name.
    pub fn all(&self) -> BTreeMap<String, f64> {
        self.notes().numbers.clone()
    }

    /// A number; 0 if it was never set.
    pub fn get(&self, name: &str) -> f64 {
        self.notes().numbers.get(name).copied().unwrap_or(0.0)
    }

    /// Adds all numbers of another run, with `prefix` before their names.
    pub fn absorb(&self, other: &Statistics, prefix: &str) {
        for (name, value) in other.all() {
            self.add(&format!("{prefix}{name}"), value);
        }
    }

    /// Notes which engine gave the answer, where one asks others.
    pub fn set_decided_by(&self, engine: &'static str) {
        self.notes().decided_by = Some(engine);
    }

    /// Which engine gave the answer, where one asked others.
    pub fn decided_by(&self) -> Option<&'static str> {
        self.notes().decided_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_another_run_are_added_under_a_prefix() {
        let (all, lazy) = (Statistics::default(), Statistics::default());
        lazy.set("contexts", 2.0);
        all.set("contexts", 5.0);
        all.absorb(&lazy, "beside.lazy.");
        all.absorb(&lazy, "");
        assert_eq!((all.get("contexts"), all.get("beside.lazy.contexts"), all.get("steps")), (7.0, 2.0, 0.0));
    }
}
