//! Schedulers: who moves next.
//!
//! A [`Scheduler`] sees a [`View`] of the machine: who can move, what each thread would do next, who waits for what. It
//! lives across executions, is told when one begins and ends and what every turn did, and may learn from that.
//!
//! Strategies: [`First`] (no preemption), [`RandomScheduler`], [`Replay`] (a list of choices, exactly), [`Pct`]
//! (priorities with few change points), [`Guided`] (a list of choices as far as it can be followed).

mod guided;
mod pct;

pub use guided::{Departure, DepartureReason, GuideStep, Guided};
pub use pct::Pct;

use heddle_base::Random;
use heddle_ir::objects::Site;
use heddle_task::{Choice, ScheduleError, ThreadId};

use crate::event::{Event, Range};
use crate::machine::Machine;
use crate::run_outcome::Outcome;
use crate::thread::{Readiness, Wait};

/// What a scheduler sees before a turn.
pub struct View<'a, 'p> {
    machine: &'a Machine<'p>,
    choices: &'a [Choice],
    last: Option<ThreadId>,
}

/// What a thread does if it gets the turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NextStep {
    /// The step.
    pub site: Site,
    /// Whether it begins an atomic section, which may make any number of accesses.
    pub section: bool,
    /// The bytes that it accesses first, if it is an access.
    pub access: Option<Range>,
}

impl<'a, 'p> View<'a, 'p> {
    /// A machine between two turns: `choices` are all moves that it allows, `last` moved last.
    pub fn new(machine: &'a Machine<'p>, choices: &'a [Choice], last: Option<ThreadId>) -> Self {
        View { machine, choices, last }
    }

    /// The same machine with fewer choices.
    pub fn among<'b>(&'b self, choices: &'b [Choice]) -> View<'b, 'p> {
        View { machine: self.machine, choices, last: self.last }
    }

    /// Who can move: not empty, in the order of thread ids.
    pub fn choices(&self) -> &[Choice] {
        self.choices
    }

    /// Who moved last.
    pub fn last(&self) -> Option<ThreadId> {
        self.last
    }

    /// Turns so far.
    pub fn turn(&self) -> u64 {
        self.machine.turns()
    }

    /// What a thread would do next; none if it has not been started or has ended.
    pub fn next(&self, thread: ThreadId) -> Option<NextStep> {
        self.machine.next_step(thread)
    }

    /// Where a thread stands in the user's own code.
    pub fn user_site(&self, thread: ThreadId) -> Option<Site> {
        self.machine.next_user_site(thread)
    }

    /// All threads that were started, in the order of their numbers.
    pub fn started(&self) -> impl Iterator<Item = ThreadId> + use<'a, 'p> {
        self.machine.thread_ids()
    }

    /// What a thread waits for that cannot move, or only by a spurious wake-up.
    pub fn wait(&self, thread: ThreadId) -> Option<&Wait> {
        match self.machine.known_readiness(thread)? {
            Readiness::Blocked(wait) | Readiness::Spurious(wait) => Some(wait),
            Readiness::Ready | Readiness::Done => None,
        }
    }

    /// The move of a thread, if it has one.
    pub fn choice(&self, thread: ThreadId) -> Option<Choice> {
        self.choices.iter().copied().find(|choice| choice.thread == thread)
    }
}

/// Chooses the thread of the next scheduled step.
pub trait Scheduler {
    /// An execution begins.
    fn begin(&mut self) {}

    /// One of the view's choices. None ends the execution.
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError>;

    /// The turn was made; the event is filled if the machine records events.
    fn moved(&mut self, _choice: Choice, _event: &Event) {}

    /// The execution has ended.
    fn ended(&mut self, _outcome: &Outcome) {}

    /// Whether spurious wake-ups are among the choices.
    fn wants_spurious(&self) -> bool {
        false
    }
}

/// Lets a thread run until it blocks or ends, then the next one by id: no thread is preempted.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Scheduler for First {
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        let same = view.last().and_then(|last| view.choice(last));
        Ok(Some(same.unwrap_or(view.choices()[0])))
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
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        let choices = view.choices();
        let same = choices.iter().find(|choice| Some(choice.thread) == view.last() && !choice.spurious);
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
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        let Some(wanted) = self.next() else { return Ok(None) };
        let step = self.step;
        self.step += 1;
        match view.choice(wanted.thread) {
            Some(choice) if choice.spurious == wanted.spurious => Ok(Some(choice)),
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
