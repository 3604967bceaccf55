//! Computations that take turns: each has a thread of its own, and runs only while it has been given time.
//!
//! A computation gets a [`Budget`](crate::Budget) that carries its [`Turn`]. Whenever it asks that budget and its slice of CPU time is
//! used up, it sleeps inside the question until it is given another slice, or a limit is reached, or it is cancelled. So it
//! goes on where it was, and needs to know nothing of turns. The [`Turns`] belong to whoever gives out slices.
//!
//! Slices are CPU time of the computation's own thread where the system tells (Linux), so that a busy machine does not
//! shorten them; wall time elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Asleep, a computation looks at its limits at least this often.
const LOOK: Duration = Duration::from_millis(50);

/// Who may run. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Turns {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    begin: Instant,
    slots: Mutex<Vec<Slot>>,
    /// Somebody sleeps, has ended, or may run again.
    changed: Condvar,
}

/// One computation.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    state: State,
    /// CPU time that it may use, all slices together.
    granted: Duration,
    /// CPU time that it has used, when it slept last.
    used: Duration,
    /// Whether it keeps its turn to the end.
    kept: bool,
}

/// What a computation is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// It has time left, or looks whether it has.
    #[default]
    Running,
    /// It waits for its next slice.
    Asleep,
    /// It is over.
    Ended,
}

impl Default for Turns {
    fn default() -> Self {
        let shared = Shared { begin: Instant::now(), slots: Mutex::default(), changed: Condvar::new() };
        Turns { shared: Arc::new(shared) }
    }
}

impl Turns {
    /// A further computation, with a first slice.
    pub fn add(&self, slice: Duration) -> Turn {
        let mut slots = self.slots();
        slots.push(Slot { granted: slice, ..Slot::default() });
        Turn { turns: self.clone(), index: slots.len() - 1, look_at: Arc::default(), begun: Arc::default() }
    }

    /// Gives a computation a further slice.
    pub fn give(&self, turn: &Turn, slice: Duration) {
        let mut slots = self.slots();
        let slot = &mut slots[turn.index];
        // What was used beyond the last slice is not taken off the next: it could be all of it.
        slot.granted = slot.granted.max(slot.used).saturating_add(slice);
        if slot.state == State::Asleep {
            slot.state = State::Running;
        }
        self.shared.changed.notify_all();
    }

    /// What a computation is doing.
    pub fn state(&self, turn: &Turn) -> State {
        self.slots()[turn.index].state
    }

    /// CPU time that a computation had used when it slept last or ended.
    pub fn used(&self, turn: &Turn) -> Duration {
        self.slots()[turn.index].used
    }

    /// Waits until one of these computations is not running, at most so long.
    pub fn wait(&self, running: &[&Turn], at_most: Duration) {
        let slots = self.slots();
        let all_run = |slots: &mut Vec<Slot>| running.iter().all(|turn| slots[turn.index].state == State::Running);
        drop(self.shared.changed.wait_timeout_while(slots, at_most, all_run));
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        // A slot is whole whatever happened to the thread that changed another one.
        self.shared.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of one computation.
#[derive(Clone, Debug)]
pub struct Turn {
    turns: Turns,
    index: usize,
    /// When to look next how much time was used, in microseconds since `begin` of the turns.
    look_at: Arc<AtomicU64>,
    /// The CPU time of the thread when it began, in microseconds; zero before that.
    begun: Arc<AtomicU64>,
}

impl Turn {
    /// Called by the computation, at `now`: sleeps while it has no time left and `is_over` is false. Whether it slept.
    pub(crate) fn ask(&self, now: Instant, is_over: &dyn Fn() -> bool) -> bool {
        let shared = &self.turns.shared;
        let micros = now.saturating_duration_since(shared.begin).as_micros() as u64;
        if micros < self.look_at.load(Ordering::Relaxed) {
            return false;
        }
        let used = self.used();
        let mut slots = self.turns.slots();
        let slot = &mut slots[self.index];
        slot.used = used;
        if slot.kept || used < slot.granted {
            let left = if slot.kept { Duration::from_secs(3600) } else { slot.granted - used };
            self.look_at.store(micros + left.as_micros() as u64, Ordering::Relaxed);
            return false;
        }
        slot.state = State::Asleep;
        shared.changed.notify_all();
        while slots[self.index].state == State::Asleep && !is_over() {
            slots = match shared.changed.wait_timeout(slots, LOOK) {
                Ok((slots, _)) => slots,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        slots[self.index].state = State::Running;
        self.look_at.store(0, Ordering::Relaxed);
        true
    }

    /// Called by the computation: it runs on without pauses from here. For one that is about to answer.
    pub fn keep(&self) {
        self.turns.slots()[self.index].kept = true;
    }

    /// Called by the computation when it is over.
    pub fn end(&self) {
        let used = self.used();
        let mut slots = self.turns.slots();
        slots[self.index].used = used;
        slots[self.index].state = State::Ended;
        self.turns.shared.changed.notify_all();
    }

    /// CPU time of the computation's thread since it first asked.
    fn used(&self) -> Duration {
        let now = thread_time().unwrap_or_else(|| self.turns.shared.begin.elapsed()).as_micros() as u64 + 1;
        let begun = match self.begun.load(Ordering::Relaxed) {
            0 => {
                self.begun.store(now, Ordering::Relaxed);
                now
            }
            begun => begun,
        };
        Duration::from_micros(now.saturating_sub(begun))
    }
}

/// CPU time of this thread, where the system tells (Linux).
pub fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Stop};

    /// Works until the budget says stop; how often it asked.
    fn work(budget: &Budget) -> (u64, Stop) {
        let mut asked = 0;
        loop {
            match budget.check() {
                Ok(()) => asked += 1,
                Err(stop) => return (asked, stop),
            }
        }
    }

    #[test]
    fn who_has_no_time_left_sleeps_and_goes_on_where_it_was() {
        let (turns, whole) = (Turns::default(), Budget::unlimited());
        let turn = turns.add(Duration::from_millis(1));
        let budget = whole.part().with_turn(turn.clone());
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let done = work(&budget);
                turn.end();
                done
            });
            for _ in 0..3 {
                while turns.state(&turn) != State::Asleep {
                    turns.wait(&[&turn], Duration::from_secs(1));
                }
                turns.give(&turn, Duration::from_millis(1));
            }
            while turns.state(&turn) != State::Asleep {
                turns.wait(&[&turn], Duration::from_secs(1));
            }
            assert!(turns.used(&turn) >= Duration::from_millis(3));
            whole.cancel();
            let (asked, stop) = worker.join().expect("no panic");
            assert!(asked > 0);
            assert_eq!((stop, turns.state(&turn)), (Stop::Cancelled, State::Ended));
        });
    }

    #[test]
    fn a_deadline_wakes_whoever_sleeps() {
        let turns = Turns::default();
        let turn = turns.add(Duration::ZERO);
        let budget = Budget::unlimited().with_turn(turn).with_time(Duration::from_millis(5));
        assert_eq!(work(&budget).1, Stop::Time);
    }

    #[test]
    fn a_turn_that_is_kept_has_no_pause() {
        let turns = Turns::default();
        let turn = turns.add(Duration::ZERO);
        turn.keep();
        let budget = Budget::unlimited().with_turn(turn.clone());
        assert_eq!((budget.check(), budget.check()), (Ok(()), Ok(())));
        assert_eq!(turns.state(&turn), State::Running);
    }
}
