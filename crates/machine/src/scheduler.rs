//! Schedulers: who moves next.

use heddle_base::Random;
use heddle_task::{Choice, ScheduleError, ThreadId};

/// Chooses the thread of the next scheduled step.
pub trait Scheduler {
    /// One of `choices` (not empty, in the order of thread ids), given who moved last. None ends the execution.
    fn choose(&mut self, choices: &[Choice], last: Option<ThreadId>) -> Result<Option<Choice>, ScheduleError>;

    /// Whether spurious wake-ups are among the choices.
    fn wants_spurious(&self) -> bool {
        false
    }
}

/// Lets a thread run until it blocks or ends, then the next one by id: no thread is preempted.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Scheduler for First {
    fn choose(&mut self, choices: &[Choice], last: Option<ThreadId>) -> Result<Option<Choice>, ScheduleError> {
        let same = choices.iter().find(|choice| Some(choice.thread) == last);
        Ok(Some(*same.unwrap_or(&choices[0])))
    }
}

/// Chooses at random. Half of the time the running thread goes on, so that executions get somewhere between switches.
#[derive(Clone, Debug)]
pub struct RandomScheduler {
    random: Random,
    spurious: bool,
}

impl RandomScheduler {
    /// The scheduler of this seed.
    pub fn new(seed: u64) -> Self {
        RandomScheduler { random: Random::new(seed), spurious: true }
    }
}

impl Scheduler for RandomScheduler {
    fn choose(&mut self, choices: &[Choice], last: Option<ThreadId>) -> Result<Option<Choice>, ScheduleError> {
        let same = choices.iter().find(|choice| Some(choice.thread) == last && !choice.spurious);
        if let Some(same) = same
            && self.random.below(2) == 0
        {
            return Ok(Some(*same));
        }
        let chosen = choices[self.random.below(choices.len() as u64) as usize];
        // A wake-up without reason is rare, and while others can move not the way out.
        let others = choices.iter().any(|choice| !choice.spurious);
        if chosen.spurious && others && self.random.below(4) != 0 {
            let real: Vec<&Choice> = choices.iter().filter(|choice| !choice.spurious).collect();
            return Ok(Some(*real[self.random.below(real.len() as u64) as usize]));
        }
        Ok(Some(chosen))
    }

    fn wants_spurious(&self) -> bool {
        self.spurious
    }
}

/// Follows a list of choices to its end, and says where it does not fit.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Choices, and how many times in a row each is made: a schedule by hand may ask for more than memory can hold.
    runs: Vec<(Choice, u64)>,
    /// The run at hand, and how much of it is done.
    at: usize,
    done: u64,
    step: usize,
    names: Vec<String>,
}

impl Replay {
    /// Follows runs of choices; `names` are the paths of threads for messages.
    pub fn new(runs: Vec<(Choice, u64)>, names: Vec<String>) -> Self {
        Replay { runs, at: 0, done: 0, step: 0, names }
    }

    /// Choices not made yet.
    pub fn left(&self) -> u64 {
        self.runs[self.at..].iter().map(|run| run.1).sum::<u64>() - self.done
    }

    fn next(&mut self) -> Option<Choice> {
        while let Some(&(choice, steps)) = self.runs.get(self.at) {
            if self.done < steps {
                self.done += 1;
                return Some(choice);
            }
            self.at += 1;
            self.done = 0;
        }
        None
    }
}

impl Scheduler for Replay {
    fn choose(&mut self, choices: &[Choice], _last: Option<ThreadId>) -> Result<Option<Choice>, ScheduleError> {
        let Some(wanted) = self.next() else { return Ok(None) };
        let step = self.step;
        self.step += 1;
        match choices.iter().find(|choice| choice.thread == wanted.thread) {
            Some(choice) if choice.spurious == wanted.spurious => Ok(Some(*choice)),
            Some(_) | None => {
                let index = heddle_base::Id::index(wanted.thread);
                let thread = self.names.get(index).cloned().unwrap_or_else(|| wanted.thread.to_string());
                Err(ScheduleError::NotEnabled { step, thread })
            }
        }
    }

    fn wants_spurious(&self) -> bool {
        true
    }
}
