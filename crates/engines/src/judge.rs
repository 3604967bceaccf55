//! The judge: a candidate becomes a violation only if the machine shows it.
//!
//! All engines come here with what they believe, as a schedule, and nothing else adds to their [`Violations`].

use heddle_base::Budget;
use heddle_ir::{Property, PropertySet};
use heddle_machine::{Code, Config, Halt, Outcome, replay};
use heddle_task::{Counterexample, Reason, Schedule, ScheduleError, Task, Violation, Violations};

/// The machine, set up to execute candidates of a task.
pub(crate) struct Judge<'a> {
    /// The task.
    pub(crate) task: &'a Task<'a>,
    /// The program as the machine executes it.
    pub(crate) code: &'a Code,
    /// How the machine executes it; the properties are the task's.
    pub(crate) config: Config,
    /// Whether to look behind races. They stop no thread of a formula or a tree, so one may come before what a schedule is
    /// about; what lies behind it is seen by a machine that does not look for races.
    pub(crate) behind_races: bool,
}

/// What the machine said of a candidate.
pub(crate) enum Judged {
    /// A violation that was not known; it is added to the others.
    New(Box<Violation>),
    /// One that was, of this property.
    Known(Property),
    /// None.
    Unconfirmed(Reason),
}

impl Judge<'_> {
    /// Lets the machine execute a schedule. A violation that is not known is added to the others.
    pub(crate) fn judge(&self, schedule: Schedule, violations: &mut Violations, budget: &Budget) -> Judged {
        let again = (self.behind_races && violations.wants_all()).then(|| schedule.clone());
        let judged = self.execute(schedule, self.task.properties, violations, budget);
        let property = match &judged {
            Judged::New(violation) => Some(violation.property),
            Judged::Known(property) => Some(*property),
            Judged::Unconfirmed(_) => None,
        };
        let Some(schedule) = again.filter(|_| property == Some(Property::Race)) else { return judged };
        let others = self.task.properties.iter().filter(|&property| property != Property::Race).collect();
        match self.execute(schedule, others, violations, budget) {
            Judged::New(violation) => Judged::New(violation),
            Judged::Known(_) | Judged::Unconfirmed(_) => judged,
        }
    }

    fn execute(
        &self,
        schedule: Schedule,
        properties: PropertySet,
        violations: &mut Violations,
        budget: &Budget,
    ) -> Judged {
        match self.confirm(schedule, properties, budget) {
            Ok(found) if violations.knows(&found.violation) => Judged::Known(found.violation.property),
            Ok(found) => {
                let violation = found.violation.clone();
                violations.add(found, budget);
                Judged::New(Box::new(violation))
            }
            Err(why) => Judged::Unconfirmed(Reason::Unconfirmed(why)),
        }
    }

    /// The violation that a schedule shows, or why there is none.
    pub(crate) fn confirm(
        &self,
        mut schedule: Schedule,
        properties: PropertySet,
        budget: &Budget,
    ) -> Result<Counterexample, String> {
        let config = Config { properties, ..self.config.clone() };
        let mut replayed = replay(self.task.program, self.code, &schedule, config.clone(), budget);
        // Another violation may come first: an engine knows them all, but not in which turn each shows.
        if let Err(ScheduleError::TooLong { left }) = replayed {
            schedule.shorten(left);
            replayed = replay(self.task.program, self.code, &schedule, config, budget);
        }
        match replayed {
            Ok((Outcome::Halted(Halt::Violation(violation)), trace)) => {
                Ok(Counterexample { violation: *violation, schedule, trace, others: Vec::new() })
            }
            Ok((outcome, _)) => Err(format!("the machine ended otherwise: {outcome:?}")),
            Err(error) => Err(error.to_string()),
        }
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

/// Calls are nested deeper than can be followed: for [`heddle_task::Coverage::limit`].
pub(crate) fn too_deep() -> String {
    "calls are nested too deep".to_owned()
}

/// A bad access is possible that nobody asked about: for [`heddle_task::Coverage::undefined`].
pub(crate) fn undefined() -> String {
    "an access through a bad pointer is possible, and `memory` is not checked".to_owned()
}

/// Memory that was never written decides: for [`heddle_task::Coverage::uninitialised`].
pub(crate) fn unwritten() -> String {
    "memory that was never written may be read".to_owned()
}
