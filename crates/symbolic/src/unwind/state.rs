//! The state of a thread at a point of its unwinding, and how two of them become one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heddle_ir::Section;
use heddle_ir::loops::LoopId;
use heddle_solver::{TermId, Terms};
use smallvec::SmallVec;

use super::contents::{Contents, Path};
use super::{HeldLock, NodeIx};

/// What belongs to one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Values of registers; none before the first write.
    pub(super) regs: Vec<Option<TermId>>,
    /// Whether registers hold what was never initialised, by position in the function's list of those that may.
    pub(super) marks: Vec<TermId>,
    /// Addresses of locals in memory; none before the first use.
    pub(super) slots: Vec<Option<TermId>>,
    /// Objects that die with the call.
    pub(super) allocas: Vec<u32>,
    /// The loops around, from the outermost.
    pub(super) rounds: SmallVec<[Round; 4]>,
}

/// A loop in progress.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) of: LoopId,
    /// Times that control went back.
    pub(super) number: u32,
    /// Those of them that count towards the bound.
    pub(super) counted: u64,
    /// The guard when the round began.
    pub(super) guard: TermId,
    /// Whether a test for leaving the loop was decided by constants in this round.
    pub(super) tested: bool,
}

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
    /// Whether a library model read what others write, or wrote what others may read.
    pub(super) asked: bool,
    /// Whether it told how it is ordered with others.
    pub(super) told: TermId,
    /// Whether it may have to wait.
    pub(super) may_stop: bool,
}

/// A state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) path: Rc<Path>,
    pub(super) frame: Frame,
    /// Contents of objects as this thread knows them: its own ones, and others that it alone writes.
    pub(super) store: Rc<BTreeMap<u32, Rc<Contents>>>,
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

impl State {
    pub(super) fn guard(&self) -> TermId {
        self.path.guard
    }

    pub(super) fn is_dead(&self) -> bool {
        self.path.guard == Terms::FALSE
    }

    /// Goes on only if `lit` holds.
    pub(super) fn decide(&mut self, terms: &mut Terms, lit: TermId) {
        self.path = self.path.then(terms, lit);
    }

    /// Whether two states at one point can be merged: they agree on the section that is open.
    pub(super) fn agrees_with(&self, other: &State) -> bool {
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
