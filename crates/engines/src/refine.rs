//! `refine`: scheduling-constraint abstraction refinement (paper 003).
//!
//! φ₀ = φ_init ∧ ρ ∧ ζ leaves the order out. Each model of it is an event order graph; where that has no order, the
//! core kernel reasons become clauses, and the search goes on with all that it has learnt.

use heddle_base::Budget;
use heddle_encode::Formula;
use heddle_event_graph::{NodeId, Outcome, Refinement};
use heddle_machine::Prepared;
use heddle_solver::{Answer, Lit, NoTheory, Solver, TermId, Terms};
use heddle_symbolic::unwind::{NodeIx, Unwinding};
use heddle_task::{Run, Task, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounded::{self, BoundedConfig, FormulaSize, Found, Instance, Scheduling};
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};
use crate::unanswered::Unanswered;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "refine",
    summary: "All interleavings in one formula, their order refined iteratively (paper 003)",
    flags: &[Flag::Unwind, Flag::DumpSmt2],
    proves: Proves::CompleteUnrolling,
    corpus: CorpusRole::BoundedOnly,
    make: |options| Box::new(Refine { config: options.into() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Refine {
    /// What it does on the way.
    pub config: BoundedConfig,
}

impl Engine for Refine {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        bounded::check(&self.config, &ByRefinement, task, prepared, run)
    }
}

struct ByRefinement;

impl Scheduling for ByRefinement {
    fn engine(&self) -> &'static str {
        "refine"
    }

    fn start(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Box<dyn Instance>, Unanswered> {
        let (mut solver, graph, nodes) = bounded::prepare(NoTheory, unwinding, formula, terms, budget)?;
        let mut refinement = Refinement::new(&graph);
        refinement.fix(solver.lit_of(terms, Terms::TRUE).expect("true is Boolean"));
        Ok(Box::new(Searching { solver, refinement, literals: graph.literals(), nodes: bounded::positions(&nodes) }))
    }
}

struct Searching {
    solver: Solver,
    refinement: Refinement,
    literals: Vec<Lit>,
    nodes: FxHashMap<NodeId, NodeIx>,
}

impl Instance for Searching {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        loop {
            let model = match self.solver.solve(terms, &[goal], budget).expect("goals are Boolean") {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return Ok(None),
                Answer::Unknown(stop) => return Err(stop.into()),
            };
            let sat = self.solver.sat();
            let truths: FxHashSet<Lit> =
                self.literals.iter().copied().filter(|&lit| sat.value(lit) == Some(true)).collect();
            match self.refinement.check(&|lit| truths.contains(&lit)) {
                Outcome::Feasible(line) => {
                    return Ok(Some(Found { model, order: line.iter().map(|node| self.nodes[node]).collect() }));
                }
                Outcome::Refute(clauses) => clauses.iter().for_each(|clause| self.solver.sat().add_clause(clause)),
            }
            budget.check()?;
        }
    }

    fn initial(&self) -> FormulaSize {
        let sat = self.solver.statistics().sat;
        let learnt = self.refinement.statistics().clauses;
        FormulaSize { variables: sat.variables, clauses: sat.clauses.saturating_sub(learnt) }
    }

    fn report(&self, run: &Run<'_>) {
        bounded::report_sat(run, &self.solver.statistics().sat);
        let refine = self.refinement.statistics();
        run.statistics.add("refine.iterations", refine.iterations as f64);
        run.statistics.add("refine.reasons", refine.kernel_reasons as f64);
        run.statistics.add("refine.clauses", refine.clauses as f64);
    }
}
