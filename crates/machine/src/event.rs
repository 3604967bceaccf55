//! What one scheduled step did, as far as other threads can tell.

use heddle_task::ThreadId;

/// A range of bytes of an object. Byte -1 stands for the object's life: ending it writes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The object.
    pub object: u32,
    /// First byte.
    pub lo: i32,
    /// One behind the last byte.
    pub hi: i32,
    /// Whether it is written.
    pub write: bool,
}

impl Range {
    /// Whether the two touch a common byte and one of them writes.
    #[inline]
    pub fn conflicts(&self, other: &Range) -> bool {
        self.object == other.object && (self.write || other.write) && self.lo < other.hi && other.lo < self.hi
    }
}

/// A scheduled step: one visible step or atomic section, and the local steps behind it.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Bytes read and written, in order, neighbours merged.
    pub ranges: Vec<Range>,
    /// Threads started.
    pub spawned: Vec<ThreadId>,
    /// Whether the order with every other step matters: the process ended.
    pub everything: bool,
    /// Whether the step could have been blocked by an `await`.
    pub awaits: bool,
    /// What was overwritten, in order; none where it is too much to keep, or nothing was written there before.
    pub overwritten: Vec<(Range, Option<u128>)>,
}

impl Event {
    /// Whether the order of the two matters.
    pub fn conflicts(&self, other: &Event) -> bool {
        self.everything || other.everything || self.ranges.iter().any(|a| other.ranges.iter().any(|b| a.conflicts(b)))
    }

    pub(crate) fn add(&mut self, range: Range) {
        let same = |r: &&mut Range| r.object == range.object && r.lo == range.lo && r.hi == range.hi;
        match self.ranges.iter_mut().find(same) {
            Some(seen) => seen.write |= range.write,
            None => self.ranges.push(range),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
        self.spawned.clear();
        self.everything = false;
        self.awaits = false;
        self.overwritten.clear();
    }
}
