//! Data races by happens-before, with vector clocks.
//!
//! Two accesses race if they touch a common byte, one writes, not both are atomic, and neither happens before the
//! other. Order comes from starting threads, from what the models tell with `sync` steps, from atomic accesses and fences,
//! and between `__VERIFIER_atomic` sections. Accesses of library models never race.
//!
//! **Atomic accesses** synchronise as C11 and C17 say (5.1.2.4, 7.17.4). Each location has *heads*: for each thread whose
//! stores there belong to release sequences that the last value is part of, what those stores released. A store that is no
//! read-modify-write ends the sequences of other threads; its own thread's go on (C++20 differs). A store that does not
//! release publishes what its thread's last release fence saw: it heads the hypothetical release sequence of that fence. A
//! load that does not acquire leaves what it found for the next acquire fence of its thread.
//!
//! Sound for the execution at hand: what is reported is a race. Another execution may show races that this one orders
//! by accident; exploration sees them all.

use std::collections::BTreeMap;

use heddle_base::Id;
use heddle_ir::{MemOrder, Section, SyncOp};
use rustc_hash::FxHashMap;

use crate::clock::Clock;
use crate::code::AccessFlags;
use crate::event::Range;
use heddle_ir::objects::Site;
use heddle_task::ThreadId;

/// An access that something later may race with.
#[derive(Clone, Copy, Debug)]
struct Past {
    time: u32,
    site: Site,
    write: bool,
    atomic: bool,
}

/// The earlier of two accesses that race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier {
    pub(crate) site: Site,
    pub(crate) write: bool,
}

#[derive(Clone, Debug, Default)]
struct Shadow {
    /// Accesses by range; the last of each thread, kind and atomicity.
    ranges: BTreeMap<(i32, i32), Vec<Past>>,
    longest: i32,
}

/// What the fences of a thread are about.
#[derive(Clone, Debug, Default)]
struct FenceClocks {
    /// The thread's clock at its last release fence.
    released: Clock,
    /// What its atomic loads found, whether they acquired it or not.
    found: Clock,
}

/// The monitor.
#[derive(Clone, Debug, Default)]
pub(crate) struct RaceMonitor {
    clocks: Vec<Clock>,
    objects: FxHashMap<u32, Shadow>,
    /// What was released through synchronisation objects, by address.
    released: FxHashMap<u64, Clock>,
    /// Heads of release sequences, by object and offset.
    heads: FxHashMap<(u32, i32), Vec<(ThreadId, Clock)>>,
    fences: Vec<FenceClocks>,
    /// Within one read-modify-write operation: the locations that it has read.
    operation: Option<Vec<(u32, i32)>>,
    /// What `__VERIFIER_atomic` sections left.
    user: Clock,
    section: Option<Section>,
}

impl RaceMonitor {
    pub(crate) fn reset(&mut self) {
        *self = RaceMonitor::default();
    }

    pub(crate) fn spawn(&mut self, parent: ThreadId, child: ThreadId) {
        let inherited = self.clock(parent).clone();
        self.clock(child).join(&inherited);
        self.clock(parent).tick(parent);
    }

    pub(crate) fn sync(&mut self, thread: ThreadId, op: SyncOp, object: u64) {
        match op {
            SyncOp::Hold | SyncOp::Acquire => {
                if let Some(released) = self.released.get(&object).cloned() {
                    self.clock(thread).join(&released);
                }
            }
            SyncOp::Unhold | SyncOp::Release => {
                let now = self.clock(thread).clone();
                self.released.entry(object).or_default().join(&now);
                self.clock(thread).tick(thread);
            }
            SyncOp::Refuse | SyncOp::Detach | SyncOp::Destroy => {}
        }
    }

    pub(crate) fn begin_section(&mut self, thread: ThreadId, section: Section) {
        self.section = Some(section);
        if section == Section::User {
            let user = self.user.clone();
            self.clock(thread).join(&user);
        }
    }

    pub(crate) fn end_section(&mut self, thread: ThreadId) {
        if self.section.take() == Some(Section::User) {
            let now = self.clock(thread).clone();
            self.user.join(&now);
            self.clock(thread).tick(thread);
        }
    }

    /// A read-modify-write operation begins; it may stand in another section.
    pub(crate) fn begin_operation(&mut self) {
        self.operation = Some(Vec::new());
    }

    /// The innermost section ends: if an operation has begun, it is that.
    pub(crate) fn end_operation(&mut self) {
        self.operation = None;
    }

    /// A fence between atomic accesses of its thread.
    pub(crate) fn fence(&mut self, thread: ThreadId, order: MemOrder) {
        if acquires(order) {
            let found = self.fences(thread).found.clone();
            self.clock(thread).join(&found);
        }
        if releases(order) {
            let now = self.clock(thread).clone();
            self.fences(thread).released = now;
            self.clock(thread).tick(thread);
        }
    }

    /// The object's life has ended; its number may be used again.
    pub(crate) fn forget(&mut self, object: u32) {
        self.objects.remove(&object);
        self.heads.retain(|key, _| key.0 != object);
    }

    /// Takes note of an access; what it races with, if it does.
    pub(crate) fn access(&mut self, range: Range, site: Site, flags: AccessFlags) -> Option<Earlier> {
        let thread = ThreadId::of_number(site.thread);
        let order = flags.order();
        self.acquire(thread, range, order);
        let raced = if flags.internal() { None } else { self.check(thread, range, site, order != MemOrder::Plain) };
        self.release(thread, range, order);
        raced
    }

    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        while self.clocks.len() <= thread.index() {
            let mut clock = Clock::default();
            clock.set(ThreadId::new(self.clocks.len()), 1);
            self.clocks.push(clock);
        }
        &mut self.clocks[thread.index()]
    }

    fn fences(&mut self, thread: ThreadId) -> &mut FenceClocks {
        if self.fences.len() <= thread.index() {
            self.fences.resize_with(thread.index() + 1, FenceClocks::default);
        }
        &mut self.fences[thread.index()]
    }

    fn acquire(&mut self, thread: ThreadId, range: Range, order: MemOrder) {
        if range.write || order == MemOrder::Plain {
            return;
        }
        let key = (range.object, range.lo);
        if let Some(operation) = &mut self.operation {
            operation.push(key);
        }
        let mut found = Clock::default();
        self.heads.get(&key).into_iter().flatten().for_each(|(_, released)| found.join(released));
        if acquires(order) {
            self.clock(thread).join(&found);
        }
        self.fences(thread).found.join(&found);
    }

    fn release(&mut self, thread: ThreadId, range: Range, order: MemOrder) {
        if !range.write {
            return;
        }
        let key = (range.object, range.lo);
        if order == MemOrder::Plain {
            self.heads.remove(&key);
            return;
        }
        let released = if releases(order) { self.clock(thread).clone() } else { self.fences(thread).released.clone() };
        let reads_too = self.operation.as_ref().is_some_and(|operation| operation.contains(&key));
        let heads = self.heads.entry(key).or_default();
        if !reads_too {
            heads.retain(|(head, _)| *head == thread);
        }
        match heads.iter_mut().find(|(head, _)| *head == thread) {
            Some((_, earlier)) => earlier.join(&released),
            None => heads.push((thread, released)),
        }
        if releases(order) {
            self.clock(thread).tick(thread);
        }
    }

    fn check(&mut self, thread: ThreadId, range: Range, site: Site, atomic: bool) -> Option<Earlier> {
        let clock = self.clock(thread).clone();
        let shadow = self.objects.entry(range.object).or_default();
        shadow.longest = shadow.longest.max(range.hi.saturating_sub(range.lo));
        let from = range.lo.saturating_sub(shadow.longest);
        let overlapping = shadow.ranges.range((from, i32::MIN)..(range.hi, i32::MIN));
        for (&(_, hi), pasts) in overlapping {
            if hi <= range.lo {
                continue;
            }
            for past in pasts {
                let other = ThreadId::of_number(past.site.thread);
                let conflict = other != thread && (past.write || range.write) && !(past.atomic && atomic);
                if conflict && past.time > clock.get(other) {
                    return Some(Earlier { site: past.site, write: past.write });
                }
            }
        }
        let now = Past { time: clock.get(thread), site, write: range.write, atomic };
        let pasts = shadow.ranges.entry((range.lo, range.hi)).or_default();
        let same = |p: &&mut Past| p.site.thread == site.thread && p.write == range.write && p.atomic == atomic;
        match pasts.iter_mut().find(same) {
            Some(past) => *past = now,
            None => pasts.push(now),
        }
        None
    }
}

fn acquires(order: MemOrder) -> bool {
    match order {
        MemOrder::Acquire | MemOrder::AcqRel | MemOrder::SeqCst => true,
        MemOrder::Plain | MemOrder::Relaxed | MemOrder::Release => false,
    }
}

fn releases(order: MemOrder) -> bool {
    match order {
        MemOrder::Release | MemOrder::AcqRel | MemOrder::SeqCst => true,
        MemOrder::Plain | MemOrder::Relaxed | MemOrder::Acquire => false,
    }
}
