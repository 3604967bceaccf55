//! Turns of a recording: who made which, and which number it has in its thread.

use heddle_base::Id;
use heddle_task::{Choice, RecordedStep, Recording, ThreadId};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// The choice of each turn.
    pub choices: Vec<Choice>,
    /// The turns of each thread, in order.
    of: Vec<Vec<u64>>,
}

impl Turns {
    /// The turns of a recording.
    pub fn of(recording: &Recording) -> Self {
        let mut turns = Turns { choices: Vec::new(), of: vec![Vec::new(); recording.threads.len()] };
        let Ok(names) = recording.schedule.names() else { return turns };
        for (choice, times) in recording.schedule.runs(&names).unwrap_or_default() {
            for _ in 0..times {
                let list = choice.thread.index();
                if turns.of.len() <= list {
                    turns.of.resize(list + 1, Vec::new());
                }
                turns.of[list].push(turns.choices.len() as u64);
                turns.choices.push(choice);
            }
        }
        turns
    }

    /// How many turns a thread has begun when it makes a step, that one included; 0 before its first.
    pub fn begun(&self, step: &RecordedStep) -> usize {
        self.of.get(step.thread.index()).map_or(0, |turns| turns.partition_point(|&turn| turn <= step.turn))
    }

    /// The turn of a thread with this number in the thread, from 0.
    pub fn turn(&self, thread: ThreadId, number: usize) -> Option<u64> {
        self.of.get(thread.index())?.get(number).copied()
    }
}
