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
    /// What the state was at the beginning of an earlier round, where there were many.
    pub(crate) seen: Option<Rc<Seen>>,
}

impl Round {
    pub(crate) fn first(of: LoopId, guard: TermId) -> Self {
        Round { of, number: 0, counted: 0, guard, tested: false, seen: None }
    }

    /// Another turn begins: others may have changed everything since earlier rounds.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }
}

/// All that decides how a thread goes on from a loop's header while nobody else moves.
#[derive(Debug)]
pub(crate) struct Seen {
    moment: u64,
    guard: TermId,
    regs: Vec<Option<TermId>>,
    slots: Vec<Option<TermId>>,
    marks: Vec<TermId>,
    allocas: usize,
    store: Rc<BTreeMap<u32, Rc<Contents>>>,
}

/// Rounds of a loop before it is asked whether they lead anywhere.
const MANY_ROUNDS: u32 = 64;

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

    /// Whether the loop in progress with this position goes round for ever: the state is what it was some rounds ago, and
    /// the moment, which changes with everything that others can notice, is the same. One earlier round is remembered, the last
    /// at a power of two (Brent's algorithm).
    pub(crate) fn goes_round(&mut self, at: usize, moment: u64) -> bool {
        let (number, guard) = (self.frame.rounds[at].number, self.guard());
        if number < MANY_ROUNDS {
            return false;
        }
        if let Some(seen) = &self.frame.rounds[at].seen
            && (seen.moment, seen.guard, seen.allocas) == (moment, guard, self.frame.allocas.len())
            && (&seen.regs, &seen.slots, &seen.marks) == (&self.frame.regs, &self.frame.slots, &self.frame.marks)
            && (Rc::ptr_eq(&seen.store, &self.store) || seen.store == self.store)
        {
            return true;
        }
        if number.is_power_of_two() {
            let Frame { regs, slots, marks, allocas, .. } = self.frame.clone();
            let seen =
                Seen { moment, guard, regs, slots, marks, allocas: allocas.len(), store: Rc::clone(&self.store) };
            self.frame.rounds[at].seen = Some(Rc::new(seen));
        }
        false
    }

    /// Goes on only if `lit` holds.
    pub(crate) fn decide(&mut self, terms: &mut Terms, lit: TermId) {
        self.path = self.path.then(terms, lit);
    }
}
