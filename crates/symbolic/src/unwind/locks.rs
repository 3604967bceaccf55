//! Which locks a thread holds: for who waits for whom, and for the order in which locks are taken.
//!
//! The state of a mutex names its holder, that of a read-write lock does not name its readers. So each thread keeps a list
//! of what it took and did not give back. A lock that another thread gives back is an obstacle
//! ([`Unwinding::given_back`](super::Unwinding::given_back)).

use std::rc::Rc;

use heddle_ir::{SyncKind, SyncOp};
use heddle_solver::{TermId, Terms};

use super::state::State;
use super::steps::Unwinder;
use super::{Ended, HeldLock, LockEdge};

/// Whether locks of this kind exclude others.
fn is_kept(kind: SyncKind) -> bool {
    match kind {
        SyncKind::Mutex | SyncKind::Spinlock | SyncKind::ReadLock | SyncKind::WriteLock => true,
        SyncKind::Join
        | SyncKind::Condition
        | SyncKind::Barrier
        | SyncKind::Semaphore
        | SyncKind::Once
        | SyncKind::Other => false,
    }
}

fn is_rwlock(kind: SyncKind) -> bool {
    matches!(kind, SyncKind::ReadLock | SyncKind::WriteLock)
}

/// The read-write locks that a thread holds: address, and whether it does.
pub(super) fn held_rwlocks(state: &State) -> Rc<[(TermId, TermId)]> {
    state.own.held.iter().filter(|lock| is_rwlock(lock.kind)).map(|lock| (lock.address, lock.when)).collect()
}

/// Both lists as one: what stands first in both stays, the rest is held on its own side.
pub(super) fn merge_held(
    terms: &mut Terms,
    first: TermId,
    a: &Rc<Vec<HeldLock>>,
    b: &Rc<Vec<HeldLock>>,
) -> Rc<Vec<HeldLock>> {
    if Rc::ptr_eq(a, b) || a == b {
        return Rc::clone(a);
    }
    let same = |x: &HeldLock, y: &HeldLock| x.address == y.address && x.kind == y.kind && x.node == y.node;
    let common = a.iter().zip(b.iter()).take_while(|(x, y)| same(x, y)).count();
    let second = terms.not(first);
    let mut merged: Vec<HeldLock> = Vec::with_capacity(a.len().max(b.len()));
    for (x, y) in a.iter().zip(b.iter()).take(common) {
        merged.push(HeldLock { when: terms.ite(first, x.when, y.when), ..*x });
    }
    for (side, rest) in [(first, &a[common..]), (second, &b[common..])] {
        for lock in rest {
            merged.push(HeldLock { when: terms.and_all(&[side, lock.when]), ..*lock });
        }
    }
    Rc::new(merged)
}

impl Unwinder<'_, '_> {
    /// A thread ends.
    pub(super) fn note_end(&mut self, state: &State) {
        if self.driver.out.end.is_some() && !state.own.probe {
            let ended = Ended { guard: state.guard(), thread: self.number, held: held_rwlocks(state) };
            self.driver.out.ended.push(ended);
        }
    }

    /// A lock is taken or given back.
    pub(super) fn note_lock(&mut self, state: &mut State, op: SyncOp, kind: SyncKind, address: TermId) {
        if !is_kept(kind) {
            return;
        }
        if op == SyncOp::Hold {
            self.take_lock(state, kind, address);
        } else {
            self.give_back(state, kind, address);
        }
    }

    fn take_lock(&mut self, state: &mut State, kind: SyncKind, address: TermId) {
        let node = self.node(state);
        let taken = HeldLock { address, kind, when: Terms::TRUE, node, site: self.driver.user_site };
        // Who only tries never waits.
        if state.own.section.as_ref().is_some_and(|section| section.may_stop) {
            for (i, &held) in state.own.held.iter().enumerate() {
                let guard = self.terms.and_all(&[state.guard(), held.when]);
                if guard == Terms::FALSE || held.address == address {
                    continue;
                }
                let others = state.own.held.iter().enumerate().filter(|&(j, lock)| j != i && lock.when == Terms::TRUE);
                let gates = others.map(|(_, lock)| lock.address).collect();
                self.driver.out.lock_edges.push(LockEdge { thread: self.driver.thread, guard, held, taken, gates });
            }
        }
        Rc::make_mut(&mut state.own.held).push(taken);
    }

    /// The last of those that are the one given back is held no more.
    fn give_back(&mut self, state: &mut State, kind: SyncKind, address: TermId) {
        let mut left = Terms::TRUE;
        let locks = Rc::make_mut(&mut state.own.held);
        for lock in locks.iter_mut().rev() {
            let same = self.terms.eq(lock.address, address);
            let given = self.terms.and_all(&[left, same, lock.when]);
            let kept = self.terms.not(given);
            lock.when = self.terms.and_all(&[lock.when, kept]);
            left = self.terms.and_all(&[left, kept]);
            if left == Terms::FALSE {
                break;
            }
        }
        locks.retain(|lock| lock.when != Terms::FALSE);
        if is_rwlock(kind) && left != Terms::FALSE {
            let guard = self.terms.and_all(&[state.guard(), left]);
            self.driver.out.given_back.push(guard);
        }
    }
}
