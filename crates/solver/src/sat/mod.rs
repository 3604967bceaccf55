//! SAT with theories: CaDiCaL behind a safe, incremental interface.
//!
//! A [`Sat`] owns one CaDiCaL instance and one [`Theory`]. Clauses are only ever added; a query is a set of
//! assumptions. Without a theory ([`NoTheory`]) nothing is connected, and nothing is paid.
//!
//! New variables of a theory's final check are added *between* two searches: the model is accepted for the moment,
//! the variables and clauses are added, and the search goes on, with all it has learnt and with its saved phases.
//! CaDiCaL would allow it in the middle, but only by calling it while it is on the stack.
//!
//! In debug builds every clause is kept, those of the theory too, and every model is checked against all of them.

mod bridge;
mod lit;
mod theory;

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::panic::resume_unwind;
use std::rc::Rc;

use cadical_sys::{CaDiCal, State, Status};
use heddle_base::{Budget, Stop};

pub use self::lit::{BoolVar, Lit};
pub use self::theory::{Actions, NoTheory, Theory};

use self::bridge::{Bridge, Watchdog};

/// The answer to one query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is a model; ask [`Sat::value`].
    Sat,
    /// There is none: these assumptions cannot hold together. Empty if the clauses alone have no model.
    Unsat(Vec<Lit>),
    /// The budget was used up.
    Unknown(Stop),
}

/// Counts since the solver was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatStatistics {
    /// Variables.
    pub variables: u64,
    /// Clauses added from outside.
    pub clauses: u64,
    /// Conflicts of the search.
    pub conflicts: u64,
    /// Decisions of the search.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// Queries.
    pub solves: u64,
    /// Literals that the theory implied.
    pub theory_implied: u64,
    /// Implied literals whose reason was asked for.
    pub theory_explained: u64,
    /// Clauses that the theory added.
    pub theory_clauses: u64,
    /// Complete assignments that the theory looked at.
    pub final_checks: u64,
}

/// How a SAT solver is set up.
#[derive(Clone, Debug, Default)]
pub struct SatConfig {
    /// Where to write a proof of unsatisfiable answers.
    #[cfg(feature = "proof")]
    pub proof: Option<ProofConfig>,
}

/// A proof file.
#[cfg(feature = "proof")]
#[derive(Clone, Debug)]
pub struct ProofConfig {
    /// Where.
    pub path: std::path::PathBuf,
    /// In which format.
    pub format: ProofFormat,
}

/// Formats of proofs.
#[cfg(feature = "proof")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// DRAT, as text.
    Drat,
    /// LRAT, as text.
    Lrat,
}

/// An incremental SAT solver with a theory.
pub struct Sat<T: Theory = NoTheory> {
    cadical: CaDiCal,
    bridge: Rc<RefCell<Bridge<T>>>,
    next_var: Rc<Cell<i32>>,
    budget: Rc<RefCell<Budget>>,
    stop: Rc<Cell<bool>>,
    reached: Rc<Cell<Option<Stop>>>,
    /// Variables up to here were there at the last solve, and may have been eliminated unless frozen.
    solved_vars: i32,
    poisoned: bool,
    numbers: Vec<i32>,
    clauses: u64,
    solves: u64,
    #[cfg(feature = "proof")]
    writes_proof: bool,
    #[cfg(debug_assertions)]
    log: Vec<Vec<Lit>>,
}

impl<T: Theory> Sat<T> {
    /// A solver without clauses.
    pub fn new(theory: T) -> Self {
        Self::with_config(theory, &SatConfig::default())
    }

    /// A solver without clauses, set up as told.
    ///
    /// # Panics
    ///
    /// If a proof is asked for and its file cannot be written.
    pub fn with_config(theory: T, config: &SatConfig) -> Self {
        let (next_var, stop, reached) = (Rc::new(Cell::new(1)), Rc::default(), Rc::default());
        let budget: Rc<RefCell<Budget>> = Rc::default();
        let bridge = Rc::new(RefCell::new(Bridge::new(theory, Rc::clone(&next_var), Rc::clone(&stop))));
        let mut cadical = CaDiCal::new();
        configure(&mut cadical, config);
        cadical.connect_terminator(Watchdog {
            budget: Rc::clone(&budget),
            stop: Rc::clone(&stop),
            reached: Rc::clone(&reached),
            countdown: 1,
        });
        if T::ACTIVE {
            cadical.connect_external_propagator(Rc::clone(&bridge));
        }
        Sat {
            cadical,
            bridge,
            next_var,
            budget,
            stop,
            reached,
            solved_vars: 0,
            poisoned: false,
            numbers: Vec::new(),
            clauses: 0,
            solves: 0,
            #[cfg(feature = "proof")]
            writes_proof: config.proof.is_some(),
            #[cfg(debug_assertions)]
            log: Vec::new(),
        }
    }

    /// The theory.
    pub fn theory(&self) -> Ref<'_, T> {
        Ref::map(self.bridge.borrow(), |b| &b.theory)
    }

    /// The theory, between two solves.
    pub fn theory_mut(&mut self) -> RefMut<'_, T> {
        RefMut::map(self.bridge.borrow_mut(), |b| &mut b.theory)
    }

    /// The positive literal of a new variable.
    pub fn new_var(&mut self) -> Lit {
        let number = self.next_var.get();
        self.next_var.set(number + 1);
        Lit::from_dimacs(number)
    }

    /// Adds a clause for ever.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        #[cfg(debug_assertions)]
        self.log.push(clause.to_vec());
        self.clauses += 1;
        match *clause {
            [] => self.cadical.add(0),
            [a] => self.cadical.clause1(a.dimacs()),
            [a, b] => self.cadical.clause2(a.dimacs(), b.dimacs()),
            [a, b, c] => self.cadical.clause3(a.dimacs(), b.dimacs(), c.dimacs()),
            [..] => {
                self.numbers.clear();
                self.numbers.extend(clause.iter().map(|l| l.dimacs()));
                self.cadical.clause6(&self.numbers);
            }
        }
    }

    /// Lets the theory observe a literal's variable, and returns the literal to watch: the same one, or an equal new
    /// one if the search may have eliminated the variable since it was made.
    ///
    /// Observing does nothing if there is no theory.
    pub fn observe(&mut self, lit: Lit) -> Lit {
        if !T::ACTIVE || self.bridge.borrow().actions.is_observed(lit) {
            return lit;
        }
        let number = lit.dimacs();
        let watched =
            if number.abs() < self.solved_vars && !self.cadical.frozen(number) { self.alias(lit) } else { lit };
        self.bridge.borrow_mut().actions.mark_observed(watched);
        // This may already report a fixed value, so nothing of the bridge may be borrowed.
        self.cadical.add_observed_var(watched.dimacs().abs());
        watched
    }

    fn alias(&mut self, lit: Lit) -> Lit {
        let alias = self.new_var();
        self.add_clause(&[!alias, lit]);
        self.add_clause(&[alias, !lit]);
        alias
    }

    /// Keeps a literal's variable from being eliminated, so that later clauses, assumptions and observers find it.
    pub fn freeze(&mut self, lit: Lit) {
        self.cadical.freeze(lit.dimacs());
    }

    /// Prefers a literal to be true when the search decides its variable.
    pub fn set_phase(&mut self, lit: Lit) {
        self.cadical.phase(lit.dimacs());
    }

    /// Solves under assumptions.
    ///
    /// # Panics
    ///
    /// With the theory's panic, if it panicked, now or in an earlier solve.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        assert!(!self.poisoned, "the theory of this solver has panicked");
        if let Err(stop) = budget.check() {
            return SatAnswer::Unknown(stop);
        }
        *self.budget.borrow_mut() = budget.clone();
        self.reached.set(None);
        loop {
            self.apply_deferred();
            for lit in assumptions {
                self.cadical.assume(lit.dimacs());
            }
            self.solves += 1;
            self.solved_vars = self.next_var.get();
            let status = self.cadical.solve();
            self.raise_panic();
            match status {
                Status::SATISFIABLE if self.bridge.borrow().provisional => continue,
                Status::SATISFIABLE => {
                    #[cfg(debug_assertions)]
                    self.check_model();
                    return SatAnswer::Sat;
                }
                Status::UNSATISFIABLE => return SatAnswer::Unsat(self.failed(assumptions)),
                Status::UNKNOWN => return SatAnswer::Unknown(self.reached.get().unwrap_or(Stop::Cancelled)),
            }
        }
    }

    /// Solves as [`solve`](Sat::solve) does; nothing if that takes more than so many conflicts.
    pub(crate) fn solve_limited(&mut self, assumptions: &[Lit], conflicts: u32, budget: &Budget) -> Option<SatAnswer> {
        let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
        self.cadical.limit("conflicts", conflicts);
        let answer = self.solve(assumptions, budget);
        // For the case that nothing was searched.
        self.cadical.limit("conflicts", -1);
        let at_limit =
            matches!(answer, SatAnswer::Unknown(_)) && self.reached.get().is_none() && budget.check().is_ok();
        (!at_limit).then_some(answer)
    }

    /// Observes the variables and adds the clauses that a theory asked for in a final check.
    fn apply_deferred(&mut self) {
        let (to_observe, deferred) = {
            let mut bridge = self.bridge.borrow_mut();
            bridge.provisional = false;
            (std::mem::take(&mut bridge.actions.to_observe), std::mem::take(&mut bridge.actions.deferred))
        };
        for lit in to_observe {
            self.observe(lit);
        }
        for clause in deferred {
            self.add_clause(&clause.lits);
        }
    }

    fn raise_panic(&mut self) {
        let panic = self.bridge.borrow_mut().panic.take();
        if let Some(panic) = panic {
            self.poisoned = true;
            self.stop.set(false);
            resume_unwind(panic);
        }
    }

    fn failed(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        let mut core: Vec<Lit> = assumptions.to_vec();
        core.sort_unstable();
        core.dedup();
        core.retain(|l| self.cadical.failed(l.dimacs()));
        core
    }

    /// A core of which no assumption can be left out, as far as the budget allows to tell.
    pub fn minimise_core(&mut self, core: Vec<Lit>, budget: &Budget) -> Vec<Lit> {
        let mut core = core;
        let mut needed = 0;
        while needed < core.len() {
            let mut without = core.clone();
            // From the back: the order of the rest does not change.
            without.remove(core.len() - 1 - needed);
            match self.solve(&without, budget) {
                SatAnswer::Unsat(mut smaller) => {
                    // Those known to be needed stay at the end, where they were.
                    let kept = &core[core.len() - needed..];
                    smaller.retain(|l| !kept.contains(l));
                    smaller.extend_from_slice(kept);
                    core = smaller;
                }
                SatAnswer::Sat => needed += 1,
                SatAnswer::Unknown(_) => break,
            }
        }
        core.sort_unstable();
        core
    }

    /// A literal's value in the model: after [`SatAnswer::Sat`], and until anything is added.
    pub fn value(&mut self, lit: Lit) -> Option<bool> {
        (self.cadical.state() == State::SATISFIED).then(|| self.cadical.val(lit.dimacs()) == lit.dimacs())
    }

    /// Counts.
    pub fn statistics(&self) -> SatStatistics {
        let count = |name: &str| u64::try_from(self.cadical.get_statistic_value(name)).unwrap_or(0);
        let calls = self.bridge.borrow().calls;
        SatStatistics {
            variables: u64::from(self.next_var.get().unsigned_abs()) - 1,
            clauses: self.clauses,
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
            solves: self.solves,
            theory_implied: calls.implied,
            theory_explained: calls.explained,
            theory_clauses: calls.clauses,
            final_checks: calls.final_checks,
        }
    }

    /// Ends the proof file, if one is written; nothing that is asked later is in it.
    #[cfg(feature = "proof")]
    pub fn finish_proof(&mut self) {
        if std::mem::take(&mut self.writes_proof) {
            self.cadical.flush_proof_trace(false);
            self.cadical.close_proof_trace(false);
        }
    }

    #[cfg(debug_assertions)]
    fn check_model(&mut self) {
        let Sat { cadical, bridge, log, .. } = self;
        for clause in log.iter().chain(&bridge.borrow().log) {
            let satisfied = clause.iter().any(|l| cadical.val(l.dimacs()) == l.dimacs());
            assert!(satisfied, "the model violates {clause:?}");
        }
    }
}

impl<T: Theory> crate::blast::Sink for Sat<T> {
    fn new_var(&mut self) -> Lit {
        Sat::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Sat::add_clause(self, clause);
    }
}

#[cfg(not(feature = "proof"))]
fn configure(_cadical: &mut CaDiCal, _config: &SatConfig) {}

#[cfg(feature = "proof")]
fn configure(cadical: &mut CaDiCal, config: &SatConfig) {
    let Some(proof) = &config.proof else { return };
    cadical.set("binary", 0);
    if proof.format == ProofFormat::Lrat {
        cadical.set("lrat", 1);
    }
    let opened = cadical.trace_proof2(&proof.path.to_string_lossy());
    assert!(opened, "cannot write the proof to {}", proof.path.display());
}

#[cfg(test)]
mod tests;
