//! Between CaDiCaL's callbacks and a [`Theory`].
//!
//! The callbacks come from C++, which a Rust panic must not cross: each is caught here, the search is told to stop,
//! and `solve` raises the panic again once CaDiCaL has returned. What is answered in between keeps CaDiCaL's own
//! contracts, because it would abort the process otherwise.
//!
//! CaDiCaL repeats assignments at level 0 and after chronological backtracking; a theory sees each only once.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use cadical_sys::{ExternalPropagator, Terminator};
use heddle_base::{Budget, Stop};

use super::lit::Lit;
use super::theory::{Actions, Theory};

pub(super) type Panic = Box<dyn Any + Send>;

/// Calls of a theory, for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Calls {
    pub(super) implied: u64,
    pub(super) explained: u64,
    pub(super) clauses: u64,
    pub(super) final_checks: u64,
}

/// A theory as CaDiCaL sees it.
pub(super) struct Bridge<T> {
    pub(super) theory: T,
    pub(super) actions: Actions,
    pub(super) panic: Option<Panic>,
    /// The model was accepted only so that deferred clauses can be added.
    pub(super) provisional: bool,
    pub(super) calls: Calls,
    stop: Rc<Cell<bool>>,
    changed: bool,
    reason: Streamed,
    clause: Streamed,
    fresh: Vec<Lit>,
    /// All clauses that the theory added, to check models with.
    #[cfg(debug_assertions)]
    pub(super) log: Vec<Vec<Lit>>,
}

/// A clause that CaDiCaL reads literal by literal.
#[derive(Default)]
struct Streamed {
    lits: Vec<Lit>,
    next: usize,
    active: bool,
}

impl Streamed {
    fn start(&mut self, lits: Vec<Lit>) {
        *self = Streamed { lits, next: 0, active: true };
    }

    /// The next literal, and 0 at the end.
    fn next(&mut self) -> i32 {
        let lit = self.lits.get(self.next).map_or(0, |l| l.dimacs());
        self.next += 1;
        self.active = lit != 0;
        lit
    }
}

impl<T: Theory> Bridge<T> {
    pub(super) fn new(theory: T, next_var: Rc<Cell<i32>>, stop: Rc<Cell<bool>>) -> Self {
        Bridge {
            theory,
            actions: Actions::new(next_var),
            panic: None,
            provisional: false,
            calls: Calls::default(),
            stop,
            changed: true,
            reason: Streamed::default(),
            clause: Streamed::default(),
            fresh: Vec::new(),
            #[cfg(debug_assertions)]
            log: Vec::new(),
        }
    }

    /// Runs a callback of the theory; after a panic, none runs any more.
    fn guarded<R>(&mut self, fallback: R, call: impl FnOnce(&mut Self) -> R) -> R {
        if self.panic.is_some() {
            return fallback;
        }
        match catch_unwind(AssertUnwindSafe(|| call(self))) {
            Ok(result) => result,
            Err(panic) => {
                self.panic = Some(panic);
                self.stop.set(true);
                fallback
            }
        }
    }

    fn next_implied(&mut self) -> Option<Lit> {
        if self.actions.has_clauses() {
            return None;
        }
        if self.actions.implied.is_empty() && std::mem::take(&mut self.changed) {
            self.theory.propagate(&mut self.actions);
        }
        while let Some(lit) = self.actions.implied.pop_front() {
            if self.actions.value(lit) != Some(true) {
                self.calls.implied += 1;
                return Some(lit);
            }
        }
        None
    }

    /// The theory's clause for an implied literal, checked: CaDiCaL aborts on a wrong one.
    fn explain(&mut self, lit: Lit) -> Vec<Lit> {
        let mut clause = Vec::new();
        self.theory.explain(lit, &mut clause);
        assert!(clause.contains(&lit), "reason of {lit} does not contain it: {clause:?}");
        for &other in &clause {
            assert!(self.actions.is_observed(other), "reason of {lit} has {other}, which is not observed");
            debug_assert!(other == lit || self.actions.value(other) == Some(false), "reason of {lit}: {other} holds");
        }
        self.calls.explained += 1;
        clause
    }

    fn check_model(&mut self) -> bool {
        self.calls.final_checks += 1;
        if !self.actions.has_deferred() && !self.actions.has_clauses() {
            self.theory.final_check(&mut self.actions);
        }
        if self.actions.has_clauses() {
            return false;
        }
        self.provisional = self.actions.has_deferred();
        true
    }
}

impl<T: Theory> ExternalPropagator for Bridge<T> {
    /// Reasons can be asked for again.
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.guarded((), |bridge| {
            bridge.fresh.clear();
            for &number in lits {
                let lit = Lit::from_dimacs(number);
                if bridge.actions.record(lit) {
                    bridge.fresh.push(lit);
                }
            }
            if !bridge.fresh.is_empty() {
                bridge.changed = true;
                bridge.theory.assign(&bridge.fresh, &mut bridge.actions);
            }
        });
    }

    fn notify_new_decision_level(&mut self) {
        self.guarded((), |bridge| {
            bridge.actions.open_level();
            bridge.theory.new_level();
        });
    }

    fn notify_backtrack(&mut self, level: usize) {
        self.guarded((), |bridge| {
            bridge.changed = true;
            bridge.actions.close_levels(level);
            bridge.theory.backtrack(level);
        });
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        self.guarded(true, Self::check_model)
    }

    fn cb_decide(&mut self) -> i32 {
        self.guarded(0, |bridge| {
            let lit = bridge.theory.decide(&bridge.actions);
            let free = lit.filter(|&l| bridge.actions.is_observed(l) && bridge.actions.value(l).is_none());
            free.map_or(0, Lit::dimacs)
        })
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guarded(0, |bridge| bridge.next_implied().map_or(0, Lit::dimacs))
    }

    fn cb_add_reason_clause_lit(&mut self, number: i32) -> i32 {
        if !self.reason.active {
            let lit = Lit::from_dimacs(number);
            // After a panic the search has no further meaning, but CaDiCaL still wants a clause with the literal.
            let clause = self.guarded(None, |bridge| Some(bridge.explain(lit))).unwrap_or_else(|| vec![lit]);
            self.reason.start(clause);
        }
        self.reason.next()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        if self.panic.is_some() {
            return false;
        }
        let Some(clause) = self.actions.clauses.pop_front() else { return false };
        *is_forgettable = clause.forgettable;
        self.calls.clauses += 1;
        #[cfg(debug_assertions)]
        self.log.push(clause.lits.clone());
        self.clause.start(clause.lits);
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.next()
    }
}

/// Asks the budget when CaDiCaL asks whether to go on.
pub(super) struct Watchdog {
    pub(super) budget: Rc<RefCell<Budget>>,
    pub(super) stop: Rc<Cell<bool>>,
    pub(super) reached: Rc<Cell<Option<Stop>>>,
    /// Questions until the budget is asked again: its memory check reads a file.
    pub(super) countdown: u32,
}

/// CaDiCaL asks every few conflicts and now and then in between, so this stays far below a second.
const ASK_BUDGET_EVERY: u32 = 16;

impl Terminator for Watchdog {
    fn terminated(&mut self) -> bool {
        if self.stop.get() || self.reached.get().is_some() {
            return true;
        }
        self.countdown = self.countdown.saturating_sub(1);
        if self.countdown > 0 {
            return false;
        }
        self.countdown = ASK_BUDGET_EVERY;
        let checked = self.budget.borrow().check();
        self.reached.set(checked.err());
        checked.is_err()
    }
}
