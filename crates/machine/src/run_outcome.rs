//! One execution from start to end.

use heddle_ir::Property;

use crate::machine::{Halt, Limit, Machine};
use crate::scheduler::{Scheduler, View};
use crate::thread::{Readiness, Status, Stuck};
use heddle_task::Choice;
use heddle_task::ScheduleError;
use heddle_task::ThreadId;

/// How an execution ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Something ended it for all threads.
    Halted(Halt),
    /// All threads have finished; or those that have not wait for ever, and deadlocks are not checked; or the
    /// schedule was followed to its end.
    Finished,
    /// A thread is stopped behind an assumption, and nobody else can move: this execution does not count.
    Discarded,
}

impl Outcome {
    /// The violation, if there is one.
    pub fn violation(&self) -> Option<&heddle_task::Violation> {
        match self {
            Outcome::Halted(Halt::Violation(violation)) => Some(violation),
            Outcome::Halted(Halt::Exit { .. } | Halt::Limit(_) | Halt::Discarded)
            | Outcome::Finished
            | Outcome::Discarded => None,
        }
    }
}

/// The outcome in one line.
impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Halted(Halt::Violation(violation)) => write!(f, "{}: {}", violation.property, violation.message),
            Outcome::Halted(Halt::Exit { status, abort: false }) => write!(f, "exit {status}"),
            Outcome::Halted(Halt::Exit { abort: true, .. }) => f.write_str("abort"),
            Outcome::Halted(Halt::Limit(limit)) => write!(f, "{limit}"),
            Outcome::Halted(Halt::Discarded) | Outcome::Discarded => f.write_str("discarded"),
            Outcome::Finished => f.write_str("finished"),
        }
    }
}

/// Runs a machine from its start; the choices made are appended to `made`.
pub fn run(
    machine: &mut Machine<'_>,
    scheduler: &mut dyn Scheduler,
    made: &mut Vec<Choice>,
) -> Result<Outcome, ScheduleError> {
    scheduler.begin();
    let outcome = run_turns(machine, scheduler, made)?;
    scheduler.ended(&outcome);
    Ok(outcome)
}

fn run_turns(
    machine: &mut Machine<'_>,
    scheduler: &mut dyn Scheduler,
    made: &mut Vec<Choice>,
) -> Result<Outcome, ScheduleError> {
    if let Err(halt) = machine.start() {
        return Ok(machine.conclude(halt));
    }
    let mut choices = Vec::new();
    loop {
        if let Some(outcome) = machine.ended(&mut choices, scheduler.wants_spurious()) {
            return Ok(outcome);
        }
        let last = made.last().map(|choice: &Choice| choice.thread);
        let chosen = scheduler.choose(&View::new(machine, &choices, last))?;
        let Some(choice) = chosen else { return Ok(Outcome::Finished) };
        made.push(choice);
        let moved = machine.step(choice);
        scheduler.moved(choice, machine.event());
        if let Err(halt) = moved {
            return Ok(machine.conclude(halt));
        }
    }
}

impl Machine<'_> {
    /// Fills `choices` with the threads that can move; the outcome if the execution has ended.
    pub fn ended(&mut self, choices: &mut Vec<Choice>, spurious: bool) -> Option<Outcome> {
        choices.clear();
        let mut waiting = false;
        for index in 0..self.threads.len() {
            let thread: ThreadId = heddle_base::Id::new(index);
            if self.threads[thread].status != Status::Running {
                continue;
            }
            match self.readiness(thread) {
                Readiness::Ready => choices.push(Choice { thread, spurious: false }),
                Readiness::Spurious(_) => {
                    waiting = true;
                    choices.push(Choice { thread, spurious: true });
                }
                Readiness::Blocked(_) => waiting = true,
                Readiness::Done => {}
            }
        }
        if waiting && self.config.properties.contains(Property::Deadlock) {
            let progress = choices.iter().any(|choice| !choice.spurious);
            // A cycle is closed by the thread of it that blocks last: what it holds, it held before. Or a holder has ended.
            let newly_blocked = std::mem::take(&mut self.newly_blocked);
            if (!progress || newly_blocked && !self.holds.is_empty())
                && let Some(violation) = self.find_deadlock()
            {
                return Some(Outcome::Halted(Halt::Violation(Box::new(violation))));
            }
        }
        if !spurious {
            choices.retain(|choice| !choice.spurious);
        }
        if choices.is_empty() { Some(self.at_end()) } else { None }
    }

    /// Nobody can move.
    fn at_end(&mut self) -> Outcome {
        if let Some((status, abort)) = self.exit {
            return self.conclude(Halt::Exit { status, abort });
        }
        let assumed = self.threads.iter().any(|thread| thread.status == Status::Stuck(Stuck::Assume));
        let waits = self.waits();
        if assumed || waits.iter().any(|(_, wait)| wait.kind.is_none()) {
            return Outcome::Discarded;
        }
        if self.threads.iter().any(|thread| matches!(thread.status, Status::Stuck(Stuck::Steps | Stuck::LongTurn))) {
            return Outcome::Halted(Halt::Limit(Limit::Steps));
        }
        if self.threads.iter().any(|thread| thread.status == Status::Stuck(Stuck::Undefined)) {
            return Outcome::Halted(Halt::Limit(Limit::Undefined));
        }
        if self.threads.iter().any(|thread| thread.status == Status::Stuck(Stuck::Unsupported)) {
            return Outcome::Halted(Halt::Limit(Limit::Unsupported));
        }
        if self.threads.iter().any(|thread| thread.status == Status::Stuck(Stuck::Endless)) {
            return Outcome::Halted(Halt::Limit(Limit::Endless));
        }
        if waits.is_empty()
            && let Some(leak) = self.leak()
        {
            return leak;
        }
        Outcome::Finished
    }

    /// Checks what is checked at the end of the process.
    pub fn conclude(&mut self, halt: Halt) -> Outcome {
        match halt {
            Halt::Exit { abort: false, .. } => self.leak().unwrap_or(Outcome::Halted(halt)),
            Halt::Discarded => Outcome::Discarded,
            Halt::Exit { abort: true, .. } | Halt::Violation(_) | Halt::Limit(_) => Outcome::Halted(halt),
        }
    }

    fn leak(&self) -> Option<Outcome> {
        let checked = self.config.properties.contains(Property::Leak);
        let violation = checked.then(|| self.find_leak()).flatten()?;
        Some(Outcome::Halted(Halt::Violation(Box::new(violation))))
    }
}
