//! Paths of the tree: which thread had which turn, and the schedule guards that say so in a formula.

use std::rc::Rc;

use heddle_solver::{Sort, TermId, Terms};
use heddle_symbolic::interleave::Interleaver;

/// Bits of a thread selection variable.
const SELECTION_BITS: u32 = 16;

/// Turns of one thread in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Turns {
    /// How many: one, unless it could not have been otherwise.
    pub(super) count: u32,
    /// Whether the last one takes a spurious wake-up.
    pub(super) spurious: bool,
}

/// Turns of one thread in a row and those before them.
pub(crate) struct Path {
    before: Option<Rc<Path>>,
    thread: usize,
    turns: Turns,
    /// The index of the first one among all turns of the path, from 0.
    number: usize,
    /// The schedule guards of all turns up to here (ts_i = j); true if they are not recorded.
    pub(crate) selected: TermId,
}

/// Not turn by turn, each in the call of the next: paths may be long.
impl Drop for Path {
    fn drop(&mut self) {
        let mut rest = self.before.take();
        while let Some(mut path) = rest.and_then(Rc::into_inner) {
            rest = path.before.take();
        }
    }
}

impl Path {
    /// A path with one more turn.
    pub(super) fn after(
        before: Option<&Rc<Path>>,
        thread: usize,
        spurious: bool,
        records: bool,
        at: &mut Interleaver<'_>,
    ) -> Rc<Path> {
        Path::after_turns(before, thread, Turns { count: 1, spurious }, records, at)
    }

    /// A path with more turns of one thread.
    pub(super) fn after_turns(
        before: Option<&Rc<Path>>,
        thread: usize,
        turns: Turns,
        records: bool,
        at: &mut Interleaver<'_>,
    ) -> Rc<Path> {
        let number = before.map_or(0, |path| path.number + path.turns.count as usize);
        let mut selected = Terms::TRUE;
        if records {
            let here = selects(at.terms(), number, thread);
            let others = before.map_or(Terms::TRUE, |path| path.selected);
            selected = at.terms().and_all(&[others, here]);
        }
        Rc::new(Path { before: before.cloned(), thread, turns, number, selected })
    }
}

/// The paths that a path goes on from and itself, from the first turn on.
fn parts(path: Option<&Rc<Path>>) -> Vec<&Path> {
    let mut parts: Vec<&Path> = Vec::new();
    let mut at = path;
    while let Some(path) = at {
        parts.push(path);
        at = path.before.as_ref();
    }
    parts.reverse();
    parts
}

/// The turns of a path, from the first: the thread, and whether it takes a spurious wake-up.
pub(super) fn turns(path: Option<&Rc<Path>>) -> Vec<(usize, bool)> {
    let mut turns = Vec::new();
    for part in parts(path) {
        turns.extend((1..part.turns.count).map(|_| (part.thread, false)));
        turns.push((part.thread, part.turns.spurious));
    }
    turns
}

/// The thread selection variable of a turn.
fn selection(terms: &mut Terms, turn: usize) -> TermId {
    terms.variable(&format!("ts{turn}"), Sort::BitVec(SELECTION_BITS)).expect("always of one sort")
}

/// Whether a thread is selected in a turn: ts_i = j.
pub(crate) fn selects(terms: &mut Terms, turn: usize, thread: usize) -> TermId {
    let selection = selection(terms, turn);
    let number = terms.bv(SELECTION_BITS, thread as u64);
    terms.eq(selection, number)
}

/// A path's selections, from the first: turn and thread.
pub(crate) fn selections(path: Option<&Rc<Path>>) -> Vec<(usize, usize)> {
    parts(path).into_iter().map(|part| (part.number, part.thread)).collect()
}
