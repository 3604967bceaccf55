//! Turns of a recording: who made which, and which number it has in its thread.

use heddle_base::Id;
use heddle_task::{Choice, RecordedAction, RecordedStep, Recording, ThreadId};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// The choice of each turn.
    pub choices: Vec<Choice>,
    /// The turns of each thread, in order.
    of: Vec<Vec<u64>>,
    /// For each thread the turn that starts it.
    started: Vec<Option<u64>>,
}

impl Turns {
    /// The turns of a recording.
    pub fn of(recording: &Recording) -> Self {
        let count = recording.threads.len();
        let mut turns = Turns { choices: Vec::new(), of: vec![Vec::new(); count], started: vec![None; count] };
        for step in &recording.steps {
            if let RecordedAction::Spawn { thread: child } = &step.action
                && let Some(started) = turns.started.get_mut(child.index())
            {
                *started = Some(step.turn);
            }
        }
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

    /// The turns that lead two threads as far as they are to come, with all that starts them, in recorded order: for each thread
    /// and number all its turns before that one.
    pub fn leading_to(&self, ends: &[(ThreadId, usize)]) -> Vec<Choice> {
        let mut last: Vec<u64> = vec![0; self.of.len()];
        let mut todo: Vec<(usize, u64)> = Vec::new();
        for &(thread, number) in ends {
            // One behind the last turn of the thread.
            let turns = &self.of[thread.index()];
            let end = number.checked_sub(1).and_then(|i| turns.get(i)).map_or(0, |turn| turn + 1);
            todo.push((thread.index(), end));
        }
        while let Some((thread, end)) = todo.pop() {
            last[thread] = last[thread].max(end);
            if let Some(turn) = self.started[thread] {
                let creator = self.choices[turn as usize].thread.index();
                if last[creator] <= turn {
                    todo.push((creator, turn + 1));
                }
            }
        }
        let made = self.choices.iter().enumerate();
        made.filter(|(turn, choice)| (*turn as u64) < last[choice.thread.index()]).map(|(_, choice)| *choice).collect()
    }
}
