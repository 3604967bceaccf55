//! The contents of an object that one thread alone knows: cells of terms.
//!
//! A cell is what was written by one access. Accesses of other sizes cut cells apart or put them together, so
//! contents are exact for every mixture of sizes, and cost nothing where there is none.

use std::cell::Cell as Slot;
use std::collections::BTreeMap;

use heddle_base::Id;
use heddle_solver::{TermId, Terms};

use super::fingerprint::Fingerprint;
use super::knowledge::mix;

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// Bytes.
    pub(crate) len: u32,
    /// Their value: a bit vector of as many bits, or a pointer.
    pub(crate) value: TermId,
    /// Whether `value` is a pointer in 64 bits although the cell has four bytes (ILP32).
    pub(crate) pointer: bool,
    /// Whether it was ever written, a Boolean term.
    pub(crate) written: TermId,
}

/// All bytes of an object. What no cell covers is zero; written if `zeroed`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Contents {
    /// Bytes.
    pub(crate) size: u32,
    /// Cells by offset; they do not overlap.
    pub(crate) cells: BTreeMap<u32, Cell>,
    /// Whether what no cell covers was written (with zeros).
    pub(crate) zeroed: bool,
    /// Whether the object is alive, a Boolean term.
    pub(crate) alive: TermId,
    /// The fingerprint, where somebody has asked for it and nothing was changed since.
    pub(crate) known: Known,
}

/// A fingerprint that was computed before. A copy forgets it: copies are made to be changed.
#[derive(Debug, Default)]
pub(crate) struct Known(Slot<Option<Fingerprint>>);

impl Clone for Known {
    fn clone(&self) -> Self {
        Known::default()
    }
}

impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Known {}

impl Contents {
    /// An object that was just made.
    pub(crate) fn new(size: u32, zeroed: bool) -> Self {
        Contents { size, cells: BTreeMap::new(), zeroed, alive: Terms::TRUE, known: Known::default() }
    }

    /// The cells that share a byte with a range, by offset.
    pub(crate) fn overlapping(&self, at: u32, len: u32) -> Vec<(u32, Cell)> {
        // Cells do not overlap, so at most one begins before the range and reaches into it.
        let before = self.cells.range(..at).next_back().filter(|(start, cell)| *start + cell.len > at);
        let inside = self.cells.range(at..at.saturating_add(len));
        before.into_iter().chain(inside).map(|(&start, &cell)| (start, cell)).collect()
    }

    /// The cell of exactly these bytes.
    pub(crate) fn exact(&self, at: u32, len: u32) -> Option<Cell> {
        self.cells.get(&at).filter(|cell| cell.len == len).copied()
    }

    /// Puts a cell in place of what is there. Cells that it cuts must have been cut before.
    pub(crate) fn put(&mut self, at: u32, cell: Cell) {
        debug_assert!(at + cell.len <= self.size);
        self.known = Known::default();
        if let Some(old) = self.cells.get_mut(&at)
            && old.len == cell.len
        {
            *old = cell;
            return;
        }
        let old: Vec<u32> = self.overlapping(at, cell.len).iter().map(|&(start, _)| start).collect();
        for start in old {
            self.cells.remove(&start);
        }
        self.cells.insert(at, cell);
    }

    /// Identifies the contents.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        if let Some(known) = self.known.0.get() {
            return known;
        }
        let mut fp = Fingerprint::new();
        fp.add(u64::from(self.size) << 1 | u64::from(self.zeroed));
        fp.add(self.alive.index() as u64);
        for (&at, cell) in &self.cells {
            fp.add(u64::from(at) << 32 | u64::from(cell.len) << 1 | u64::from(cell.pointer));
            fp.add((cell.value.index() as u64) << 32 | cell.written.index() as u64);
        }
        self.known.0.set(Some(fp));
        fp
    }
}

/// The path of a thread up to some point: what was decided, as a list that shares its beginning with other paths.
#[derive(Debug)]
pub(crate) struct Path {
    parent: Option<std::rc::Rc<Path>>,
    /// What was decided last.
    lit: TermId,
    /// The conjunction of everything decided.
    pub(crate) guard: TermId,
    depth: u32,
    /// Of all decisions, whatever their order.
    sum: (u64, u64),
}

/// Not decision by decision, each in the call of the next: there may be many.
impl Drop for Path {
    fn drop(&mut self) {
        let mut rest = self.parent.take();
        while let Some(mut path) = rest.and_then(std::rc::Rc::into_inner) {
            rest = path.parent.take();
        }
    }
}

impl Path {
    /// The path on which nothing was decided but `guard`.
    pub(crate) fn root(guard: TermId) -> std::rc::Rc<Path> {
        std::rc::Rc::new(Path { parent: None, lit: guard, guard, depth: 0, sum: (0, 0) })
    }

    /// The path with one more decision.
    pub(crate) fn then(self: &std::rc::Rc<Path>, terms: &mut Terms, lit: TermId) -> std::rc::Rc<Path> {
        if lit == Terms::TRUE {
            return std::rc::Rc::clone(self);
        }
        let guard = terms.and_all(&[self.guard, lit]);
        let number = lit.index() as u64;
        let sum = (self.sum.0.wrapping_add(mix(1, number)), self.sum.1.wrapping_add(mix(2, number)));
        std::rc::Rc::new(Path { parent: Some(std::rc::Rc::clone(self)), lit, guard, depth: self.depth + 1, sum })
    }

    /// Identifies what was decided, whatever the order.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.sum.0, self.sum.1)
    }

    /// Whether this path is how the other one begins.
    pub(crate) fn is_prefix_of(self: &std::rc::Rc<Path>, other: &std::rc::Rc<Path>) -> bool {
        let mut at = other;
        while at.depth > self.depth {
            at = at.parent.as_ref().expect("deeper than another path");
        }
        std::rc::Rc::ptr_eq(self, at)
    }

    /// The longest common beginning of two paths, and how deep it is.
    pub(crate) fn common(a: &std::rc::Rc<Path>, b: &std::rc::Rc<Path>) -> std::rc::Rc<Path> {
        let (mut a, mut b) = (a, b);
        while !std::rc::Rc::ptr_eq(a, b) {
            if a.depth >= b.depth {
                a = a.parent.as_ref().expect("paths of one thread have one root");
            } else {
                b = b.parent.as_ref().expect("paths of one thread have one root");
            }
        }
        std::rc::Rc::clone(a)
    }

    /// Decisions made so far.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// What this path decided after `ancestor`.
    fn since(self: &std::rc::Rc<Path>, ancestor: &std::rc::Rc<Path>) -> Vec<TermId> {
        let mut lits = Vec::new();
        let mut at = self;
        while !std::rc::Rc::ptr_eq(at, ancestor) {
            lits.push(at.lit);
            at = at.parent.as_ref().expect("the ancestor is one");
        }
        lits.reverse();
        lits
    }

    /// Both paths as one, and what tells that the first was taken once it is known that one of them was.
    pub(crate) fn merge(
        terms: &mut Terms,
        a: &std::rc::Rc<Path>,
        b: &std::rc::Rc<Path>,
    ) -> (std::rc::Rc<Path>, TermId) {
        let ancestor = Path::common(a, b);
        let (since_a, since_b) = (a.since(&ancestor), b.since(&ancestor));
        // Paths part at a decision: `c` here, `not c` there. That alone tells them apart.
        let choice = since_a.first().copied().unwrap_or(Terms::TRUE);
        let parted = since_b.first().is_some_and(|&other| terms.not(choice) == other);
        let whole_a = terms.and_all(&since_a);
        let whole_b = terms.and_all(&since_b);
        let chosen = if parted { choice } else { whole_a };
        let either = terms.or(whole_a, whole_b);
        (ancestor.then(terms, either), chosen)
    }
}
