//! Worlds that were expanded, and which of their threads' turns that covers.
//!
//! A turn in a world is covered if it was made in the same world with at least as much left of every bound, or is going to
//! be. Who moved last goes on without a switch, and all others need one; so of a world that two threads come to with as many
//! switches, the second visit needs only the turn of the second thread.

use heddle_symbolic::interleave::{Bounded, Fingerprint, World};
use rustc_hash::FxHashMap;

/// By what a world is known again.
#[derive(Clone)]
pub(super) struct Mark {
    fingerprint: Fingerprint,
    /// What of the bounds on loops and the like was used up; empty if nothing was.
    counts: Box<[u64]>,
}

impl Mark {
    /// Of a world.
    pub(super) fn of(world: &World, bounded: Bounded) -> Self {
        Mark { fingerprint: world.fingerprint(), counts: world.counts(bounded).into() }
    }
}

/// How a world was come to: the key of the thread that moved last, and the context switches so far.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) active: Option<u64>,
    pub(super) switches: u64,
    /// Choices between threads so far, if those are bounded.
    pub(super) choices: u64,
    /// Whether none are left, so that it depends on the active thread who moves.
    pub(super) forced: bool,
}

impl Arrival {
    /// Context switches once the thread with this key has had the next turn.
    pub(super) fn cost(self, thread: u64) -> u64 {
        self.switches + u64::from(self.active.is_some_and(|active| active != thread))
    }

    /// Whether threads that moved here, moved with as many choices left as in the other one.
    fn leaves_choices_of(self, other: Arrival) -> bool {
        self.choices <= other.choices && (!self.forced || self.active == other.active)
    }
}

struct Visit {
    arrival: Arrival,
    counts: Box<[u64]>,
}

impl Visit {
    fn counts_at_most(&self, counts: &[u64]) -> bool {
        // Worlds with one fingerprint have as many of them, if any.
        self.counts.is_empty()
            || !counts.is_empty() && self.counts.iter().zip(counts).all(|(ours, theirs)| ours <= theirs)
    }
}

/// Visits of one world.
pub(super) struct VisitsOf<'a> {
    visits: &'a [Visit],
    /// What of the bounds is used up now.
    counts: &'a [u64],
}

impl VisitsOf<'_> {
    /// Whether a turn of the thread with this key is covered, in a world that was come to like this, with so many switches
    /// up to it.
    pub(super) fn cover(&self, thread: u64, arrival: Arrival, cost: u64) -> bool {
        self.visits.iter().any(|visit| {
            visit.arrival.cost(thread) <= cost
                && visit.arrival.leaves_choices_of(arrival)
                && visit.counts_at_most(self.counts)
        })
    }
}

/// See the module.
#[derive(Default)]
pub(super) struct Visits {
    of: FxHashMap<Fingerprint, Vec<Visit>>,
}

impl Visits {
    /// Those of a world; none if it was never expanded.
    pub(super) fn of<'a>(&'a self, mark: &'a Mark) -> Option<VisitsOf<'a>> {
        self.of.get(&mark.fingerprint).map(|visits| VisitsOf { visits, counts: &mark.counts })
    }

    /// The world is being expanded: all turns of threads that can move are covered from now on.
    pub(super) fn add(&mut self, mark: &Mark, arrival: Arrival) {
        let visits = self.of.entry(mark.fingerprint).or_default();
        let new = Visit { arrival, counts: mark.counts.clone() };
        visits.retain(|visit| {
            let (ours, theirs) = (new.arrival, visit.arrival);
            let fewer = ours.switches < theirs.switches || ours == theirs;
            !(fewer && ours.leaves_choices_of(theirs) && new.counts_at_most(&visit.counts))
        });
        visits.push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(counts: &[u64]) -> Mark {
        Mark { fingerprint: Fingerprint(1, 2), counts: counts.into() }
    }

    fn visited(counts: &[u64], active: u64, switches: u64) -> Visits {
        let mut visits = Visits::default();
        visits.add(&mark(counts), arrival(active, switches, 0, false));
        visits
    }

    fn arrival(active: u64, switches: u64, choices: u64, forced: bool) -> Arrival {
        Arrival { active: Some(active), switches, choices, forced }
    }

    fn covers(visits: &Visits, counts: &[u64], thread: u64, cost: u64) -> bool {
        let now = arrival(9, cost, 0, false);
        visits.of(&mark(counts)).is_some_and(|visits| visits.cover(thread, now, cost))
    }

    #[test]
    fn who_moved_last_needs_no_switch() {
        let visits = visited(&[], 7, 3);
        let covered = |thread, cost| covers(&visits, &[], thread, cost);
        assert!(covered(7, 3) && !covered(7, 2));
        assert!(covered(8, 4) && !covered(8, 3));
    }

    #[test]
    fn who_had_no_choice_covers_only_itself() {
        let mut visits = Visits::default();
        visits.add(&mark(&[]), arrival(7, 3, 5, true));
        let covered = |thread, by, choices| {
            visits.of(&mark(&[])).is_some_and(|visits| visits.cover(thread, arrival(by, 9, choices, true), 9))
        };
        assert!(covered(7, 7, 5) && !covered(8, 8, 5) && !covered(7, 7, 4));
        visits.add(&mark(&[]), arrival(7, 3, 4, false));
        let covered = |thread, by, choices| {
            visits.of(&mark(&[])).is_some_and(|visits| visits.cover(thread, arrival(by, 9, choices, true), 9))
        };
        assert!(covered(8, 8, 5) && covered(7, 7, 4) && !covered(7, 7, 3));
    }

    #[test]
    fn bounds_that_were_used_up_do_not_cover_those_that_were_not() {
        let fresh = visited(&[], 7, 3);
        assert!(covers(&fresh, &[0, 1], 7, 3));
        let used = visited(&[0, 1], 7, 3);
        assert!(!covers(&used, &[], 7, 3));
        assert!(!covers(&used, &[1, 0], 7, 3));
        assert!(covers(&used, &[0, 1], 7, 3) && covers(&used, &[2, 1], 7, 3));
    }
}
