//! What a state has beside path, frame and store where threads are executed alone, and how two states become one.

use std::collections::BTreeSet;
use std::rc::Rc;

use heddle_ir::Section;
use heddle_solver::{TermId, Terms};

use super::{HeldLock, NodeIx};
use crate::evaluate;
use crate::evaluate::contents::Path;

/// A state of a thread that is executed alone. Its store has the contents of objects as this thread knows them: its own
/// ones, and others that it alone writes.
pub(super) type State = evaluate::State<Own>;

/// A write inside an atomic section that others see when the section ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SectionWrite {
    pub(super) address: TermId,
    pub(super) objects: Rc<[u32]>,
    pub(super) len: u32,
    pub(super) pointer: bool,
    pub(super) value: TermId,
    /// Whether it was made, given that the state is reached.
    pub(super) made: TermId,
}

/// An open atomic section.
#[derive(Clone, Debug)]
pub(super) struct OpenSection {
    pub(super) depth: u32,
    pub(super) node: NodeIx,
    /// Its tick, by position in the thread.
    pub(super) tick: usize,
    /// The path when it was opened.
    pub(super) begin: Rc<Path>,
    pub(super) writes: Rc<Vec<SectionWrite>>,
    pub(super) kind: Section,
    /// Whether a library model read what others write, or wrote what others may read; or an atomic operation read without
    /// acquiring.
    pub(super) asked: bool,
    /// Whether it told how it is ordered with others.
    pub(super) told: TermId,
    /// Whether it may have to wait.
    pub(super) may_stop: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Own {
    /// Objects of this thread that others may know.
    pub(super) published: Rc<BTreeSet<u32>>,
    /// Whether globals are among them.
    pub(super) concurrent: bool,
    pub(super) section: Option<OpenSection>,
    /// Steps that the thread has made at least, on whichever way it came here.
    pub(super) steps: u64,
    /// Locks that the thread holds, in the order in which it took them; known where deadlocks are asked for.
    pub(super) held: Rc<Vec<HeldLock>>,
    /// Whether this only asks if the section that is open would block once all threads have stopped.
    pub(super) probe: bool,
}

impl Own {
    /// Whether two states at one point can be merged: they agree on the section that is open.
    pub(super) fn agrees_with(&self, other: &Own) -> bool {
        match (&self.section, &other.section) {
            (None, None) => true,
            (Some(a), Some(b)) => a.depth == b.depth && a.node == b.node,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// Both lists of writes as one. What stands first in both stays; the rest is made on its own side.
pub(super) fn merge_writes(
    terms: &mut Terms,
    first: TermId,
    a: &Rc<Vec<SectionWrite>>,
    b: &Rc<Vec<SectionWrite>>,
) -> Rc<Vec<SectionWrite>> {
    if Rc::ptr_eq(a, b) || a == b {
        return Rc::clone(a);
    }
    let same = a.iter().zip(b.iter()).take_while(|(x, y)| x == y).count();
    let mut merged: Vec<SectionWrite> = a[..same].to_vec();
    let second = terms.not(first);
    let mut rest_b: Vec<SectionWrite> = b[same..].to_vec();
    for write in &a[same..] {
        let twin = rest_b.iter().position(|other| {
            other.address == write.address && other.len == write.len && other.pointer == write.pointer
        });
        // In place of two writes of one cell, one that chooses; only if nothing between them could matter.
        let constant = |write: &SectionWrite| terms.as_const(write.address).is_some();
        let simple = |position: &usize| constant(write) && rest_b[..*position].iter().all(constant);
        match twin.filter(simple) {
            Some(position) => {
                let other = rest_b.remove(position);
                let value = terms.ite(first, write.value, other.value);
                let made = terms.ite(first, write.made, other.made);
                merged.push(SectionWrite { value, made, ..write.clone() });
            }
            None => {
                let made = terms.and_all(&[first, write.made]);
                merged.push(SectionWrite { made, ..write.clone() });
            }
        }
    }
    for write in rest_b {
        let made = terms.and_all(&[second, write.made]);
        merged.push(SectionWrite { made, ..write });
    }
    Rc::new(merged)
}
