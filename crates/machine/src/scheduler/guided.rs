//! Follows a list of choices as far as it can be followed, then leaves the rest to another scheduler.
//!
//! Where and why it left the list is kept: an engine that computed the list learns from that which of its beliefs was
//! wrong, or that the list was merely partial and came to its end.

use heddle_ir::objects::Site;
use heddle_task::{Choice, CodeSite, ScheduleError};

use crate::event::Event;
use crate::run_outcome::Outcome;
use crate::scheduler::{Scheduler, View};

/// One turn of a guide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// Who is to move.
    pub choice: Choice,
    /// The step that the thread is to stand before; none if that does not matter.
    pub site: Option<CodeSite>,
}

/// Where a guide was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The position in the guide of the turn that could not be made, or its length.
    pub step: usize,
    /// Why.
    pub reason: DepartureReason,
}

/// Why a guide was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DepartureReason {
    /// It came to its end.
    End,
    /// The thread does not exist (yet), or has ended.
    NoThread,
    /// The thread waits, at this step.
    Waits(CodeSite),
    /// The thread stands before another step than expected: it took another path.
    OtherSite(CodeSite),
    /// The thread can move, but not by a spurious wake-up as the guide wants, or only so.
    OtherWake,
}

/// The scheduler.
pub struct Guided<'s> {
    guide: Vec<GuideStep>,
    at: usize,
    departure: Option<Departure>,
    then: &'s mut dyn Scheduler,
}

impl<'s> Guided<'s> {
    /// Follows `guide`, and leaves what comes then to another scheduler.
    pub fn new(guide: Vec<GuideStep>, then: &'s mut dyn Scheduler) -> Self {
        Guided { guide, at: 0, departure: None, then }
    }

    /// Where the guide was left; none if the execution ended on it.
    pub fn departure(&self) -> Option<&Departure> {
        self.departure.as_ref()
    }

    fn wanted(&mut self, view: &View<'_, '_>) -> Result<Choice, DepartureReason> {
        let Some(wanted) = self.guide.get(self.at) else { return Err(DepartureReason::End) };
        let thread = wanted.choice.thread;
        let Some(next) = view.next(thread) else { return Err(DepartureReason::NoThread) };
        if wanted.site.is_some_and(|site| site != code_site(next.site)) {
            return Err(DepartureReason::OtherSite(code_site(next.site)));
        }
        match view.choice(thread) {
            Some(choice) if choice.spurious == wanted.choice.spurious => Ok(choice),
            Some(_) => Err(DepartureReason::OtherWake),
            None => Err(DepartureReason::Waits(code_site(next.site))),
        }
    }
}

fn code_site(site: Site) -> CodeSite {
    CodeSite { func: site.func, step: site.step }
}

impl Scheduler for Guided<'_> {
    fn begin(&mut self) {
        (self.at, self.departure) = (0, None);
        self.then.begin();
    }

    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        if self.departure.is_none() {
            match self.wanted(view) {
                Ok(choice) => {
                    self.at += 1;
                    return Ok(Some(choice));
                }
                Err(reason) => self.departure = Some(Departure { step: self.at, reason }),
            }
        }
        // The guide needs spurious wake-ups among the choices; who goes on may not want them.
        if self.then.wants_spurious() {
            return self.then.choose(view);
        }
        let real: Vec<Choice> = view.choices().iter().copied().filter(|choice| !choice.spurious).collect();
        if real.is_empty() { Ok(None) } else { self.then.choose(&view.among(&real)) }
    }

    fn moved(&mut self, choice: Choice, event: &Event) {
        self.then.moved(choice, event);
    }

    fn ended(&mut self, outcome: &Outcome) {
        self.then.ended(outcome);
    }

    fn wants_spurious(&self) -> bool {
        true
    }
}
