//! PCT, probabilistic concurrency testing [Burckhardt, Kothari, Musuvathi, Nagarakatte 2010].
//!
//! Every thread gets a random priority when it is first seen; of those that can move, the one with the highest moves. At
//! `depth - 1` turns that are chosen at random in advance, the thread that is about to move falls below all others. A bug that
//! needs `d` ordering constraints shows with probability at least 1/(n·k^(d-1)) in an execution of n threads and k turns.
//!
//! k is not known: it is the length of the longest execution so far, and a guess before the first. Deviation from the
//! paper: a thread that has moved very often in a row while others could is taken to be spinning and falls as well,
//! because otherwise an execution with a spin lock would not end.

use heddle_base::{Id, Random};
use heddle_task::{Choice, ScheduleError, ThreadId};

use crate::event::Event;
use crate::run_outcome::Outcome;
use crate::scheduler::{Scheduler, View};

/// Turns of the first execution, before any length is known.
const FIRST_LENGTH: u64 = 200;
/// Turns in a row after which a thread is taken to be spinning.
const SPINNING: u64 = 10_000;

/// The scheduler; use one for all executions of a campaign.
#[derive(Clone, Debug)]
pub struct Pct {
    random: Random,
    depth: u32,
    /// Turns of the longest execution so far.
    longest: Option<u64>,
    /// Priorities by thread; higher moves first.
    priorities: Vec<i64>,
    /// Turns before which the running thread falls, in order.
    changes: Vec<u64>,
    turn: u64,
    /// How far the last one fell.
    lowest: i64,
    /// Who moved last, and how often in a row.
    row: (Option<ThreadId>, u64),
}

impl Pct {
    /// The scheduler of this seed that looks for bugs of this depth, from 1.
    pub fn new(depth: u32, seed: u64) -> Self {
        Pct {
            random: Random::new(seed),
            depth: depth.max(1),
            longest: None,
            priorities: Vec::new(),
            changes: Vec::new(),
            turn: 0,
            lowest: 0,
            row: (None, 0),
        }
    }

    fn priority(&mut self, thread: ThreadId) -> i64 {
        while self.priorities.len() <= thread.index() {
            // Equal ones do not matter: the smaller id wins.
            let priority = 1 + (self.random.next() >> 2) as i64;
            self.priorities.push(priority);
        }
        self.priorities[thread.index()]
    }

    fn best(&mut self, view: &View<'_, '_>) -> Choice {
        let mut best: Option<(i64, Choice)> = None;
        for &choice in view.choices() {
            let priority = self.priority(choice.thread);
            if best.is_none_or(|(found, _)| priority > found) {
                best = Some((priority, choice));
            }
        }
        best.expect("somebody can move").1
    }

    fn lower(&mut self, thread: ThreadId) {
        self.lowest -= 1;
        self.priorities[thread.index()] = self.lowest;
    }
}

impl Scheduler for Pct {
    fn begin(&mut self) {
        self.priorities.clear();
        (self.turn, self.lowest, self.row) = (0, 0, (None, 0));
        let (count, longest) = (self.depth - 1, self.longest.unwrap_or(FIRST_LENGTH));
        self.changes = (0..count).map(|_| self.random.below(longest.max(1))).collect();
        self.changes.sort_unstable();
    }

    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        let mut chosen = self.best(view);
        while self.changes.first().is_some_and(|&at| at <= self.turn) {
            self.changes.remove(0);
            self.lower(chosen.thread);
            chosen = self.best(view);
        }
        if self.row.0 == Some(chosen.thread) && self.row.1 >= SPINNING && view.choices().len() > 1 {
            self.lower(chosen.thread);
            chosen = self.best(view);
        }
        Ok(Some(chosen))
    }

    fn moved(&mut self, choice: Choice, _event: &Event) {
        self.turn += 1;
        let again = self.row.0 == Some(choice.thread);
        self.row = (Some(choice.thread), if again { self.row.1 + 1 } else { 1 });
    }

    fn ended(&mut self, _outcome: &Outcome) {
        self.longest = self.longest.max(Some(self.turn));
    }
}
