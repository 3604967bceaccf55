//! What a theory is to the SAT search.
//!
//! A theory observes some literals. The search tells it of every assignment to them, level by level, and takes it
//! back on backtracking; the theory answers with implied literals, whose reasons are asked for only if the search
//! needs them, and with clauses. A clause may be any clause that the theory entails: a conflict (all literals false),
//! a lemma, one over new variables.
//!
//! Contract:
//! - Literals given to [`Theory::assign`] are observed, new, and hold until a [`Theory::backtrack`] below the level
//!   at which they came. Assignments at level 0 are for ever, also across solves.
//! - [`Theory::explain`] is asked about a literal that was implied and not yet taken back. Its clause contains that
//!   literal; all others are false, and were so when the literal was implied. Later assignments must not occur.
//! - Implied literals that the search has not yet taken are dropped on backtracking; clauses never are.
//! - [`Theory::final_check`] sees a complete assignment. The answer is `Sat` only if it adds nothing.
//! - A panic inside a theory ends the solve and continues in the caller of `solve`; the solver is then poisoned.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use heddle_base::Id;

use super::lit::Lit;

/// A theory beside the SAT search. See the module for the contract.
pub trait Theory: 'static {
    /// Whether the search must call the theory at all.
    const ACTIVE: bool = true;

    /// Observed literals became true.
    fn assign(&mut self, lits: &[Lit], actions: &mut Actions);

    /// A decision level was opened.
    fn new_level(&mut self);

    /// All levels above `level` were taken back.
    fn backtrack(&mut self, level: usize);

    /// Asked when the search has nothing left to propagate, if anything changed since the last time.
    fn propagate(&mut self, _actions: &mut Actions) {}

    /// The clause by which `lit` was implied.
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>);

    /// All observed literals are assigned: accept by adding nothing.
    fn final_check(&mut self, _actions: &mut Actions) {}

    /// The next decision, if the theory cares; a literal that has a value is ignored.
    fn decide(&mut self, _actions: &Actions) -> Option<Lit> {
        None
    }
}

/// No theory: plain SAT, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    const ACTIVE: bool = false;

    fn assign(&mut self, _: &[Lit], _: &mut Actions) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
}

/// What a theory can see and do during a callback.
pub struct Actions {
    /// 1 true, -1 false, 0 unassigned, by variable; only observed variables are ever assigned.
    values: Vec<i8>,
    observed: Vec<bool>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    pub(super) implied: VecDeque<Lit>,
    pub(super) clauses: VecDeque<Clause>,
    /// Clauses that can only be added between two searches, because they have variables that are not observed yet.
    pub(super) deferred: Vec<Clause>,
    pub(super) to_observe: Vec<Lit>,
    next_var: Rc<Cell<i32>>,
}

/// A clause on its way into the search.
pub(super) struct Clause {
    pub(super) lits: Vec<Lit>,
    pub(super) forgettable: bool,
}

impl Actions {
    pub(super) fn new(next_var: Rc<Cell<i32>>) -> Self {
        Actions {
            values: Vec::new(),
            observed: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            implied: VecDeque::new(),
            clauses: VecDeque::new(),
            deferred: Vec::new(),
            to_observe: Vec::new(),
            next_var,
        }
    }

    /// The value of an observed literal.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values.get(index(lit)).copied().unwrap_or(0) {
            0 => None,
            value => Some((value > 0) == lit.is_positive()),
        }
    }

    /// The number of open decision levels.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Whether a literal's variable is observed.
    pub fn is_observed(&self, lit: Lit) -> bool {
        self.observed.get(index(lit)).copied().unwrap_or(false)
    }

    /// An observed literal that follows from what is assigned; its reason is asked for later, if at all.
    ///
    /// # Panics
    ///
    /// If the literal is not observed.
    pub fn imply(&mut self, lit: Lit) {
        assert!(self.is_observed(lit), "implied literal {lit} is not observed");
        if self.value(lit) != Some(true) {
            self.implied.push_back(lit);
        }
    }

    /// A clause that all current assignments violate. The search may forget it once it has learnt from it.
    pub fn conflict(&mut self, clause: &[Lit]) {
        self.enqueue(Clause { lits: clause.to_vec(), forgettable: true });
    }

    /// A clause that stays. Over variables that are not observed, or new, it takes effect when the search has found
    /// a complete assignment: the search then goes on with it.
    pub fn clause(&mut self, clause: &[Lit]) {
        self.enqueue(Clause { lits: clause.to_vec(), forgettable: false });
    }

    fn enqueue(&mut self, clause: Clause) {
        if clause.lits.iter().all(|&l| self.is_observed(l)) {
            self.clauses.push_back(clause);
        } else {
            self.deferred.push(clause);
        }
    }

    /// A new variable, observed from the next complete assignment on. Ask for it together with a clause over it.
    pub fn new_observed(&mut self) -> Lit {
        let number = self.next_var.get();
        self.next_var.set(number + 1);
        let lit = Lit::from_dimacs(number);
        self.to_observe.push(lit);
        lit
    }

    pub(super) fn has_clauses(&self) -> bool {
        !self.clauses.is_empty()
    }

    /// Whether the theory added something that needs the search to be interrupted.
    pub(super) fn has_deferred(&self) -> bool {
        !self.deferred.is_empty() || !self.to_observe.is_empty()
    }

    pub(super) fn mark_observed(&mut self, lit: Lit) {
        let i = index(lit);
        if i >= self.observed.len() {
            self.observed.resize(i + 1, false);
            self.values.resize(i + 1, 0);
        }
        self.observed[i] = true;
    }

    /// Records an assignment; false if it was known.
    pub(super) fn record(&mut self, lit: Lit) -> bool {
        if !self.is_observed(lit) || self.values[index(lit)] != 0 {
            return false;
        }
        self.values[index(lit)] = if lit.is_positive() { 1 } else { -1 };
        self.trail.push(lit);
        true
    }

    pub(super) fn open_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    pub(super) fn close_levels(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.values[index(lit)] = 0;
        }
        self.levels.truncate(level);
        self.implied.clear();
    }
}

fn index(lit: Lit) -> usize {
    lit.var().index()
}
