//! All violations that an engine has confirmed, and for how long it may look for others (ADR 8).

use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_ir::Property;

use crate::verdict::{Counterexample, Verdict};
use crate::violation::Violation;

/// The least time for looking for more violations once there is one.
const MORE_TIME: Duration = Duration::from_secs(1);

/// Violations in the order in which they were found, one for each property and place.
pub struct Violations {
    found: Vec<Counterexample>,
    /// Whether more than one is wanted.
    all: bool,
    /// When the engine began.
    begin: Instant,
    /// How long others may be looked for, once there is one.
    more: Option<Budget>,
}

impl Violations {
    /// None yet. After the first, others are wanted if `all`, for as long as the first one took since `begin`, and a second.
    pub fn new(all: bool, begin: Instant) -> Self {
        Violations { found: Vec::new(), all, begin, more: None }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether there is one of this property.
    pub fn has(&self, property: Property) -> bool {
        self.found.iter().any(|known| known.violation.property == property)
    }

    /// Whether more than one is wanted.
    pub fn wants_all(&self) -> bool {
        self.all
    }

    /// Whether one of the same property and place is there.
    pub fn knows(&self, violation: &Violation) -> bool {
        let same = |known: &Violation| known.property == violation.property && known.loc == violation.loc;
        self.found.iter().any(|known| same(&known.violation))
    }

    /// Adds one that is not known. `budget` is that of the whole search.
    pub fn add(&mut self, found: Counterexample, budget: &Budget) {
        if self.found.is_empty() {
            // Others are looked for in time that is counted by the clock on the wall.
            budget.keep_turn();
            let more = self.begin.elapsed() + MORE_TIME;
            let left = budget.time_left().unwrap_or(more);
            self.more = Some(budget.clone().with_time(more.min(left)));
        }
        self.found.push(found);
    }

    /// Whether what was found is all that is wanted, or the time for others is over.
    pub fn is_enough(&self) -> bool {
        !self.found.is_empty() && (!self.all || self.more.as_ref().is_some_and(|more| more.check().is_err()))
    }

    /// How long others may be looked for, once there is one.
    pub fn more(&self) -> Option<&Budget> {
        self.more.as_ref()
    }

    /// The verdict that they are, all in one.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn into_verdict(self) -> Verdict {
        let mut found = self.found.into_iter();
        let mut first = found.next().expect("there is a violation");
        first.others = found.collect();
        Verdict::Unsafe(Box::new(first))
    }
}
