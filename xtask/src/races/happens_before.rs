//! Happens-before and data races of one execution, from the text of C11 (5.1.2.4, 7.17.3, 7.17.4, 7.26), relation by relation.
//!
//! An execution is the list of its events in the order in which they happened. Memory is sequentially consistent: a read takes
//! its value from the last write before it, and the modification order of a location is the order of the list. Nothing here
//! is fast or clever; each relation is written down as the standard defines it.
//!
//! Two decisions: a store of the thread that released continues its release sequence (C11 and C17, not C++20), and consume
//! is acquire.

use super::litmus::{Loc, Mode, Mutex, Order};

/// A thread: 0 is `main`.
pub type Thread = usize;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Read {
        at: Loc,
        mode: Mode,
    },
    Write {
        at: Loc,
        mode: Mode,
    },
    /// An atomic read-modify-write.
    ReadWrite {
        at: Loc,
        order: Order,
    },
    Fence(Order),
    /// Also a lock that was tried and taken.
    Lock(Mutex),
    Unlock(Mutex),
    Create(Thread),
    Start,
    End,
    Join(Thread),
}

/// An event of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub thread: Thread,
    pub action: Action,
}

impl Event {
    /// The location and how it is accessed.
    fn access(&self) -> Option<(Loc, Mode)> {
        match self.action {
            Action::Read { at, mode } | Action::Write { at, mode } => Some((at, mode)),
            Action::ReadWrite { at, order } => Some((at, Mode::Atomic(order))),
            Action::Fence(_)
            | Action::Lock(_)
            | Action::Unlock(_)
            | Action::Create(_)
            | Action::Start
            | Action::End
            | Action::Join(_) => None,
        }
    }

    /// The location and order, if it is an atomic operation.
    fn atomic(&self) -> Option<(Loc, Order)> {
        match self.access()? {
            (at, Mode::Atomic(order)) => Some((at, order)),
            (_, Mode::Plain) => None,
        }
    }

    fn writes(&self) -> bool {
        matches!(self.action, Action::Write { .. } | Action::ReadWrite { .. })
    }

    fn reads(&self) -> bool {
        matches!(self.action, Action::Read { .. } | Action::ReadWrite { .. })
    }

    /// 7.17.3: an atomic store or read-modify-write of a releasing order.
    fn is_release_operation(&self) -> bool {
        self.writes() && self.atomic().is_some_and(|(_, order)| order.releases())
    }

    /// 7.17.3: an atomic load or read-modify-write of an acquiring order.
    fn is_acquire_operation(&self) -> bool {
        self.reads() && self.atomic().is_some_and(|(_, order)| order.acquires())
    }

    fn is_release_fence(&self) -> bool {
        matches!(self.action, Action::Fence(order) if order.releases())
    }

    fn is_acquire_fence(&self) -> bool {
        matches!(self.action, Action::Fence(order) if order.acquires())
    }
}

/// An execution. At most 64 events.
pub struct Execution<'e> {
    pub events: &'e [Event],
}

impl Execution<'_> {
    /// Two accesses of different threads to one location that happens-before does not order, of which one writes and one is
    /// not atomic (5.1.2.4 p25).
    pub fn race(&self) -> Option<(usize, usize)> {
        for (b, before) in self.happens_before().into_iter().enumerate() {
            if let Some(a) = (0..b).find(|&a| self.conflict(a, b) && before & (1 << a) == 0) {
                return Some((a, b));
            }
        }
        None
    }

    fn conflict(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        let (Some((at, mode)), Some((other, other_mode))) = (first.access(), second.access()) else { return false };
        at == other
            && first.thread != second.thread
            && (first.writes() || second.writes())
            && (mode == Mode::Plain || other_mode == Mode::Plain)
    }

    /// For each event the set of those that happen before it: the transitive closure of sequenced-before and
    /// synchronizes-with (5.1.2.4 p18, without consume). Both only lead forward in the list.
    fn happens_before(&self) -> Vec<u64> {
        assert!(self.events.len() <= 64, "sets of events are numbers of 64 bits");
        let mut before: Vec<u64> = Vec::with_capacity(self.events.len());
        for b in 0..self.events.len() {
            let direct = (0..b).filter(|&a| self.sequenced_before(a, b) || self.synchronizes_with(a, b));
            let set = direct.fold(0, |set, a| set | before[a] | (1 << a));
            before.push(set);
        }
        before
    }

    fn sequenced_before(&self, a: usize, b: usize) -> bool {
        a < b && self.events[a].thread == self.events[b].thread
    }

    fn synchronizes_with(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        match (first.action, second.action) {
            // 7.26.4.4 p2: prior unlocks synchronize with a lock.
            (Action::Unlock(m), Action::Lock(n)) => m == n,
            // 7.26.5.1 p3, 7.26.5.6 p2.
            (Action::Create(thread), Action::Start) => thread == second.thread,
            (Action::End, Action::Join(thread)) => thread == first.thread,
            _ => self.atomics_synchronize(a, b) || self.fences_synchronize(a, b),
        }
    }

    /// 5.1.2.4 p11: a release operation synchronizes with an acquire operation that reads from its release sequence.
    fn atomics_synchronize(&self, a: usize, b: usize) -> bool {
        self.events[a].is_release_operation() && self.events[b].is_acquire_operation() && self.reads_sequence_of(b, a)
    }

    /// 7.17.4 p2 to p4.
    fn fences_synchronize(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        // X: an atomic operation that writes, sequenced after fence A. Y: one that reads, sequenced before fence B.
        let released = || {
            let all = 0..self.events.len();
            all.filter(|&x| self.sequenced_before(a, x) && self.events[x].writes() && self.events[x].atomic().is_some())
        };
        let acquired = || {
            let all = 0..self.events.len();
            all.filter(|&y| self.sequenced_before(y, b) && self.events[y].reads() && self.events[y].atomic().is_some())
        };
        if first.is_release_fence() && second.is_acquire_fence() {
            return released().any(|x| acquired().any(|y| self.reads_sequence_of(y, x)));
        }
        if first.is_release_fence() && second.is_acquire_operation() {
            return released().any(|x| self.reads_sequence_of(b, x));
        }
        if first.is_release_operation() && second.is_acquire_fence() {
            return acquired().any(|y| self.reads_sequence_of(y, a));
        }
        false
    }

    /// Whether a read takes its value from the release sequence that a write heads, or would head.
    fn reads_sequence_of(&self, read: usize, head: usize) -> bool {
        self.source(read).is_some_and(|write| self.release_sequence(head).contains(&write))
    }

    /// The write that a read takes its value from: the last one before it. None for the initial value.
    fn source(&self, read: usize) -> Option<usize> {
        let (at, _) = self.events[read].access()?;
        (0..read).rev().find(|&w| self.events[w].writes() && self.events[w].access().is_some_and(|(of, _)| of == at))
    }

    /// 5.1.2.4 p10: the longest run in modification order that begins with the head and goes on with writes of its thread and
    /// read-modify-writes.
    fn release_sequence(&self, head: usize) -> Vec<usize> {
        let at = self.events[head].access().map(|(at, _)| at);
        let later = head + 1..self.events.len();
        let writes = later.filter(|&w| self.events[w].writes() && self.events[w].access().map(|(of, _)| of) == at);
        let continues = |&w: &usize| {
            self.events[w].thread == self.events[head].thread
                || matches!(self.events[w].action, Action::ReadWrite { .. })
        };
        std::iter::once(head).chain(writes.take_while(continues)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::litmus::{Loc, Mode, Order};
    use super::{Action, Event, Execution};

    const X: Loc = Loc(0);
    const FLAG: Loc = Loc(1);

    fn event(thread: usize, action: Action) -> Event {
        Event { thread, action }
    }

    fn store(thread: usize, order: Order) -> Event {
        event(thread, Action::Write { at: FLAG, mode: Mode::Atomic(order) })
    }

    fn load(thread: usize, order: Order) -> Event {
        event(thread, Action::Read { at: FLAG, mode: Mode::Atomic(order) })
    }

    fn update(thread: usize, order: Order) -> Event {
        event(thread, Action::ReadWrite { at: FLAG, order })
    }

    fn fence(thread: usize, order: Order) -> Event {
        event(thread, Action::Fence(order))
    }

    /// Thread 1 writes plainly, then what is in between happens, then thread 2 reads plainly.
    fn races(between: &[Event]) -> bool {
        let mut events = vec![event(1, Action::Write { at: X, mode: Mode::Plain })];
        events.extend(between);
        events.push(event(2, Action::Read { at: X, mode: Mode::Plain }));
        Execution { events: &events }.race().is_some()
    }

    #[test]
    fn release_and_acquire() {
        assert!(races(&[]));
        assert!(!races(&[store(1, Order::Release), load(2, Order::Acquire)]));
        assert!(races(&[store(1, Order::Relaxed), load(2, Order::Acquire)]));
        assert!(races(&[store(1, Order::Release), load(2, Order::Relaxed)]));
        assert!(races(&[load(2, Order::Acquire), store(1, Order::Release)]));
    }

    #[test]
    fn release_sequences() {
        let (release, acquire) = (store(1, Order::Release), load(2, Order::Acquire));
        assert!(!races(&[release, store(1, Order::Relaxed), acquire]));
        assert!(!races(&[release, update(3, Order::Relaxed), acquire]));
        assert!(races(&[release, store(3, Order::Relaxed), acquire]));
        assert!(!races(&[release, update(3, Order::Relaxed), store(1, Order::Relaxed), acquire]));
        assert!(races(&[release, store(3, Order::Relaxed), store(1, Order::Relaxed), acquire]));
    }

    #[test]
    fn fences() {
        let (release, acquire) = (fence(1, Order::Release), fence(2, Order::Acquire));
        let (write, read) = (store(1, Order::Relaxed), load(2, Order::Relaxed));
        assert!(!races(&[release, write, read, acquire]));
        assert!(!races(&[release, write, load(2, Order::Acquire)]));
        assert!(!races(&[store(1, Order::Release), read, acquire]));
        assert!(races(&[write, release, read, acquire]));
        assert!(races(&[release, write, acquire, read]));
        assert!(!races(&[fence(1, Order::SeqCst), write, update(3, Order::Relaxed), read, fence(2, Order::SeqCst)]));
        assert!(races(&[fence(1, Order::Acquire), write, read, fence(2, Order::Release)]));
    }
}
