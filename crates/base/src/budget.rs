//! Budgets: a deadline, a memory limit and a cancel flag that long computations poll.
//!
//! A [`Budget`] is cheap to clone and to ask. [`Budget::check`] reads the clock, so tight loops ask
//! every few thousand rounds; [`Ticker`] does that counting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::turns::Turn;

/// Why a computation had to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Time,
    /// The process holds more memory than allowed.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
}

/// Limits of one run.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    cancel: Arc<AtomicBool>,
    /// Flags of the budgets that this one is a part of.
    above: Vec<Arc<AtomicBool>>,
    /// How often memory was to be looked at.
    polls: Arc<AtomicU32>,
    /// When to pause for others.
    turn: Option<Turn>,
}

/// Memory is looked at every so many times: to ask the system takes much longer than to ask the clock.
const POLLS_A_LOOK: u32 = 64;

impl Budget {
    /// No limit but [`cancel`](Self::cancel).
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// With a deadline `limit` from now.
    pub fn with_time(mut self, limit: Duration) -> Self {
        // A limit beyond what the clock can express is no limit.
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// With a limit on the memory that the whole process holds.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory_bytes = Some(bytes);
        self
    }

    /// For a computation that takes turns with others: it sleeps in [`check`](Self::check) while it is not its turn.
    pub fn with_turn(mut self, turn: Turn) -> Self {
        self.turn = Some(turn);
        self
    }

    /// No pauses for others from here: for a computation that is about to answer.
    pub fn keep_turn(&self) {
        if let Some(turn) = &self.turn {
            turn.keep();
        }
    }

    /// The same limits for a part of the work, which can be cancelled alone and is cancelled with the whole.
    pub fn part(&self) -> Self {
        let mut above = self.above.clone();
        above.push(Arc::clone(&self.cancel));
        Budget { above, cancel: Arc::default(), polls: Arc::default(), ..self.clone() }
    }

    /// Time left, if there is a deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// The memory limit in bytes, if there is one.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// Asks every holder of a clone to stop.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// The flag behind [`cancel`](Self::cancel), for signal handlers.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    fn is_cancelled(&self) -> bool {
        let cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        cancelled(&self.cancel) || self.above.iter().any(cancelled)
    }

    /// `Err` once a limit is reached.
    pub fn check(&self) -> Result<(), Stop> {
        if self.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.turn.is_some() || self.deadline.is_some() {
            let mut now = Instant::now();
            let is_late = |now: Instant| self.deadline.is_some_and(|deadline| now >= deadline);
            if let Some(turn) = &self.turn
                && !is_late(now)
                && turn.ask(now, &|| self.is_cancelled() || is_late(Instant::now()))
            {
                now = Instant::now();
                if self.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
            }
            if is_late(now) {
                return Err(Stop::Time);
            }
        }
        if let Some(limit) = self.memory_bytes
            && self.polls.fetch_add(1, Ordering::Relaxed).is_multiple_of(POLLS_A_LOOK)
            && resident_bytes().is_some_and(|now| now > limit)
        {
            return Err(Stop::Memory);
        }
        Ok(())
    }
}

/// Asks the budget only every `interval` ticks.
#[derive(Debug)]
pub struct Ticker {
    budget: Budget,
    interval: u32,
    left: u32,
}

impl Ticker {
    /// A ticker that checks `budget` every `interval` ticks.
    pub fn new(budget: Budget, interval: u32) -> Self {
        Ticker { budget, interval, left: interval }
    }

    /// One tick.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.left -= 1;
        if self.left == 0 {
            self.left = self.interval;
            self.budget.check()
        } else {
            Ok(())
        }
    }
}

/// Memory that this process holds in RAM, where the system tells (Linux).
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The most memory that this process ever held in RAM, where the system tells (Linux).
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noticed() {
        assert_eq!(Budget::unlimited().check(), Ok(()));
        assert_eq!(Budget::unlimited().with_time(Duration::ZERO).check(), Err(Stop::Time));
        assert_eq!(Budget::unlimited().with_memory(1).check(), Err(Stop::Memory));
        let budget = Budget::unlimited();
        budget.clone().cancel();
        assert_eq!(budget.check(), Err(Stop::Cancelled));
        assert_eq!(Budget::unlimited().with_time(Duration::MAX).check(), Ok(()));
    }

    #[test]
    fn a_part_stops_with_the_whole_and_alone() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.part(), whole.part());
        one.cancel();
        assert_eq!((one.check(), other.check(), whole.check()), (Err(Stop::Cancelled), Ok(()), Ok(())));
        whole.cancel();
        assert_eq!(other.part().check(), Err(Stop::Cancelled));
    }

    #[test]
    fn ticker_checks_every_interval() {
        let mut ticker = Ticker::new(Budget::unlimited().with_time(Duration::ZERO), 3);
        assert_eq!((ticker.tick(), ticker.tick(), ticker.tick()), (Ok(()), Ok(()), Err(Stop::Time)));
    }
}
