//! From candidates to verdicts: the machine executes what an engine believes; and what several engines say of what they met.

use heddle_base::Budget;
use heddle_exec::{Code, Config, Counterexample, Halt, Outcome, Reason, Schedule, ScheduleError, Task, replay};
use heddle_ir::PropertySet;

/// Lets the machine execute a schedule. The violation that shows, or why there is none.
pub(crate) fn confirm(
    task: &Task<'_>,
    code: &Code,
    mut schedule: Schedule,
    properties: PropertySet,
    budget: &Budget,
) -> Result<Counterexample, String> {
    let config = Config { properties, ..Config::default() };
    let mut replayed = replay(task.program, code, &schedule, config.clone(), budget);
    // Another violation may come first: an engine knows them all, but not in which turn each shows.
    if let Err(ScheduleError::TooLong { left }) = replayed {
        schedule.shorten(left);
        replayed = replay(task.program, code, &schedule, config, budget);
    }
    match replayed {
        Ok((Outcome::Halted(Halt::Violation(violation)), trace)) => {
            Ok(Counterexample { violation: *violation, schedule, trace, others: Vec::new() })
        }
        Ok((outcome, _)) => Err(format!("the machine ended otherwise: {outcome:?}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Calls are nested deeper than can be followed.
pub(crate) fn too_deep() -> Reason {
    Reason::Limit("calls are nested too deep".to_owned())
}

/// Something undefined is possible that nobody asked about.
pub(crate) fn undefined() -> Reason {
    Reason::Undefined("an access through a bad pointer is possible, and `memory` is not checked".to_owned())
}

/// What was never written decides.
pub(crate) fn unwritten() -> Reason {
    Reason::Inputs("memory that was never written may be read".to_owned())
}

/// Two threads need not stand before two accesses at one time for these to race.
pub(crate) fn unordered() -> Reason {
    let what = "races where a thread learns of others without being ordered behind them \
                (a lock that is not had, a relaxed access)";
    Reason::Unsupported(what.to_owned())
}

/// A bound that grows (1, 2, 3, 5, 8, … from 1 on), up to one that is given.
pub(crate) struct Deepening {
    pub(crate) bound: u64,
    last: u64,
    most: u64,
}

impl Deepening {
    pub(crate) fn new(first: u64, most: Option<u64>) -> Self {
        let most = most.unwrap_or(u64::MAX);
        Deepening { bound: first.min(most), last: 1, most }
    }

    /// A bound that is given and stays, or one that grows from 1 on.
    pub(crate) fn given_or_growing(given: Option<u64>) -> Self {
        Deepening::new(given.unwrap_or(1), given)
    }

    /// The next bound; false if there is none.
    pub(crate) fn deepen(&mut self) -> bool {
        if self.bound == self.most {
            return false;
        }
        (self.bound, self.last) = (self.bound.saturating_add(self.last).min(self.most), self.bound);
        true
    }
}
