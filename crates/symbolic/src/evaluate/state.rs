//! The state of a thread at a point of its code.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::loops::LoopId;
use heddle_solver::{TermId, Terms};
use smallvec::SmallVec;

use super::contents::{Contents, Path};

/// What belongs to one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Values of registers; none before the first write.
    pub(crate) regs: Vec<Option<TermId>>,
    /// Whether registers hold what was never initialised, by position in the function's list of those that may.
    pub(crate) marks: Vec<TermId>,
    /// Addresses of locals in memory; none before the first use.
    pub(crate) slots: Vec<Option<TermId>>,
    /// Objects that die with the call.
    pub(crate) allocas: Vec<u32>,
    /// The loops around, from the outermost.
    pub(crate) rounds: SmallVec<[Round; 4]>,
}

/// A loop in progress.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) of: LoopId,
    /// Times that control went back.
    pub(crate) number: u32,
    /// Those of them that count towards the bound.
    pub(crate) counted: u64,
    /// The guard when the round began.
    pub(crate) guard: TermId,
    /// Whether a test for leaving the loop was decided by constants in this round.
    pub(crate) tested: bool,
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct State<Own> {
    pub(crate) path: Rc<Path>,
    pub(crate) frame: Frame,
    /// Contents of objects, as far as the state knows them.
    pub(crate) store: Rc<BTreeMap<u32, Rc<Contents>>>,
    /// What the driver keeps.
    pub(crate) own: Own,
}

impl<Own> State<Own> {
    pub(crate) fn guard(&self) -> TermId {
        self.path.guard
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.path.guard == Terms::FALSE
    }

    /// Goes on only if `lit` holds.
    pub(crate) fn decide(&mut self, terms: &mut Terms, lit: TermId) {
        self.path = self.path.then(terms, lit);
    }
}
