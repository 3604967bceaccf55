//! Vector clocks over threads.

use heddle_base::Id;
use heddle_task::ThreadId;

/// Per thread, how much of it has happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// The component of a thread.
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    /// Sets the component of a thread.
    pub fn set(&mut self, thread: ThreadId, time: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = time;
    }

    /// The component-wise maximum of the two.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Adds one to the component of a thread.
    pub fn tick(&mut self, thread: ThreadId) {
        self.set(thread, self.get(thread) + 1);
    }
}
