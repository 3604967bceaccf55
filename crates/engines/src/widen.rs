//! `widen`: under-approximation and widening (paper 001, section 3.4, Figure 5).
//!
//! The formula of `record`, with a control literal cl_ij for each schedule guard ts_i = j: the guard holds only if the
//! literal does. All are assumed to be false but those of the first interleaving. Where that has no model, the
//! literals that the failed assumptions name are set free; where they name none, no interleaving violates anything.

use heddle_base::Stop;
use heddle_machine::Prepared;
use heddle_solver::{Answer, Config, NoTheory, Solver, TermId, Terms};
use heddle_symbolic::interleave::Interleaver;
use heddle_task::{Run, Task, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contexts::{self, Asking, ContextsConfig, Found, Recorded, Recording};
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "widen",
    summary: "The same formula, from one interleaving on to those that the proof needs (paper 001)",
    flags: &[Flag::Unwind, Flag::Contexts, Flag::Choices, Flag::NoReduction],
    proves: Proves::AllInterleavings,
    corpus: CorpusRole::Consistent { contexts: 2 },
    make: |options| Box::new(Widen { config: options.into() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Widen {
    /// What it does on the way.
    pub config: ContextsConfig,
}

impl Engine for Widen {
    fn name(&self) -> &'static str {
        "widen"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        contexts::check(&self.config, &|| Box::new(Recording::new(Widening::default())), task, prepared, run)
    }
}

#[derive(Default)]
struct Widening {
    iterations: u64,
    literals: u64,
}

/// Step 1: control literals, with what they control.
fn control(recorded: &Recorded, terms: &mut Terms) -> FxHashMap<(usize, usize), TermId> {
    let selections = recorded.selections().into_iter();
    selections.map(|(turn, thread)| ((turn, thread), terms.bool_var(&format!("cl{turn}.{thread}")))).collect()
}

impl Asking for Widening {
    fn ask(&mut self, recorded: &Recorded, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        let budget = at.budget().clone();
        let terms = at.terms();
        let goal = terms.or_all(&recorded.guards());
        if goal == Terms::FALSE {
            // Nothing can go wrong in any interleaving: the first question answers itself.
            self.iterations += 1;
            return Ok(None);
        }
        let mut solver: Solver<NoTheory> = Solver::with_theory(NoTheory, Config::default());
        solver.assert(terms, goal).expect("guards are Boolean");
        let literals = control(recorded, terms);
        self.literals = literals.len() as u64;
        for (&(turn, thread), &literal) in &literals {
            let selected = contexts::selects(terms, turn, thread);
            let controlled = terms.implies(selected, literal);
            solver.assert(terms, controlled).expect("guards are Boolean");
        }
        // Step 2: all are assumed to be false, except those that enable the first interleaving.
        let first: FxHashSet<(usize, usize)> = recorded.first().collect();
        let mut assumed: Vec<TermId> = Vec::new();
        for (at, &literal) in &literals {
            if !first.contains(at) {
                assumed.push(terms.not(literal));
            }
        }
        assumed.sort_unstable();
        loop {
            self.iterations += 1;
            // Step 3.
            match solver.solve(terms, &assumed, &budget).expect("literals are Boolean") {
                Answer::Sat(model) => return Ok(recorded.found(terms, model)),
                Answer::Unknown(stop) => return Err(stop),
                // Steps 4 and 5.
                Answer::Unsat(core) => {
                    if core.assumptions.is_empty() {
                        return Ok(None);
                    }
                    assumed.retain(|literal| !core.assumptions.contains(literal));
                }
            }
        }
    }

    fn report(&self, run: &Run<'_>) {
        run.statistics.add("iterations", self.iterations as f64);
        run.statistics.add("control_literals", self.literals as f64);
    }
}
