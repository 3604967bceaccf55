//! From candidates to verdicts: the machine executes what an engine believes; and what several engines say of what they met.

use heddle_base::Budget;
use heddle_ir::{Property, PropertySet};
use heddle_machine::{Code, Config, Halt, Outcome, replay};
use heddle_task::{Counterexample, Reason, Schedule, ScheduleError, Task, Violation, Violations};

/// Lets the machine execute a schedule. The violation that shows, or why there is none.
fn confirm(
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

/// What the machine said of a candidate.
pub(crate) enum Judged {
    /// A violation that was not known; it is added to the others.
    New(Box<Violation>),
    /// One that was, of this property.
    Known(Property),
    Unconfirmed(Reason),
}

/// Lets the machine execute a schedule. Races stop no thread of a formula or a tree, so one may come before what the
/// schedule is about; what lies behind it is seen by a machine that does not look for races.
pub(crate) fn judge(
    task: &Task<'_>,
    code: &Code,
    schedule: Schedule,
    violations: &mut Violations,
    budget: &Budget,
) -> Judged {
    let judged = execute(task, code, schedule.clone(), task.properties, violations, budget);
    let property = match &judged {
        Judged::New(violation) => Some(violation.property),
        Judged::Known(property) => Some(*property),
        Judged::Unconfirmed(_) => None,
    };
    if property != Some(Property::Race) || !violations.wants_all() {
        return judged;
    }
    let others = task.properties.iter().filter(|&property| property != Property::Race).collect();
    match execute(task, code, schedule, others, violations, budget) {
        Judged::New(violation) => Judged::New(violation),
        Judged::Known(_) | Judged::Unconfirmed(_) => judged,
    }
}

fn execute(
    task: &Task<'_>,
    code: &Code,
    schedule: Schedule,
    properties: PropertySet,
    violations: &mut Violations,
    budget: &Budget,
) -> Judged {
    match confirm(task, code, schedule, properties, budget) {
        Ok(found) if violations.knows(&found.violation) => Judged::Known(found.violation.property),
        Ok(found) => {
            let violation = found.violation.clone();
            violations.add(found, budget);
            Judged::New(Box::new(violation))
        }
        Err(why) => Judged::Unconfirmed(Reason::Unconfirmed(why)),
    }
}

/// Whether to go on asking.
pub(crate) enum Answered {
    /// Nothing more is possible here.
    Exhausted,
    /// One violation is enough, or the time for others is over.
    Enough,
    /// A candidate was not confirmed, and nothing else was found.
    Unconfirmed(Reason),
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
