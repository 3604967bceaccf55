//! `clock`: the scheduling constraint ξ in full (paper 003, section 2.2: α = φ_init ∧ ρ ∧ ζ ∧ ξ).

use heddle_base::Budget;
use heddle_encode::Formula;
use heddle_event_graph::{Clocks, NodeId, clock};
use heddle_machine::Prepared;
use heddle_solver::smtlib::ExternalSolver;
use heddle_solver::{Answer, NoTheory, Solver, TermId, Terms};
use heddle_symbolic::unwind::{NodeIx, Unwinding};
use heddle_task::{Run, Task, Verdict};
use rustc_hash::FxHashMap;

use crate::bounded::{self, BoundedConfig, FormulaSize, Found, Instance, Scheduling};
use crate::engine::Engine;
use crate::queries::External;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};
use crate::unanswered::Unanswered;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "clock",
    summary: "All interleavings in one formula, their order by clocks (the baseline)",
    flags: &[Flag::Unwind, Flag::DumpSmt2, Flag::Solver],
    proves: Proves::CompleteUnrolling,
    corpus: CorpusRole::BoundedOnly,
    make: |options| Box::new(Clock { config: options.into(), solver: options.solver.clone() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// What it does on the way.
    pub config: BoundedConfig,
    /// Who answers the queries, if not the embedded solver.
    pub solver: Option<ExternalSolver>,
}

impl Engine for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        match &self.solver {
            None => bounded::check(&self.config, &ByClocks, task, prepared, run),
            Some(solver) => {
                let scheduling = ByOtherSolver { solver };
                bounded::check(&self.config, &scheduling, task, prepared, run)
            }
        }
    }
}

struct ByClocks;

impl Scheduling for ByClocks {
    fn engine(&self) -> &'static str {
        "clock"
    }

    fn start(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Box<dyn Instance>, Unanswered> {
        let (mut solver, graph, nodes) = bounded::prepare(NoTheory, unwinding, formula, terms, budget)?;
        let clocks = clock::encode(&graph, terms, &mut solver);
        Ok(Box::new(Searching { solver, clocks, nodes: bounded::positions(&nodes) }))
    }
}

struct ByOtherSolver<'a> {
    solver: &'a ExternalSolver,
}

impl Scheduling for ByOtherSolver<'_> {
    fn engine(&self) -> &'static str {
        "clock"
    }

    fn start(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Box<dyn Instance>, Unanswered> {
        budget.check()?;
        Ok(Box::new(External::new(self.solver, unwinding, formula, terms)))
    }
}

struct Searching {
    solver: Solver,
    clocks: Clocks,
    nodes: FxHashMap<NodeId, NodeIx>,
}

impl Instance for Searching {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        match self.solver.solve(terms, &[goal], budget).expect("goals are Boolean") {
            Answer::Sat(model) => {
                let line = self.clocks.linearisation(terms, &model);
                Ok(Some(Found { model, order: line.iter().map(|node| self.nodes[node]).collect() }))
            }
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(stop) => Err(stop.into()),
        }
    }

    fn initial(&self) -> FormulaSize {
        let sat = self.solver.statistics().sat;
        FormulaSize { variables: sat.variables, clauses: sat.clauses }
    }

    fn report(&self, run: &Run<'_>) {
        bounded::report_sat(run, &self.solver.statistics().sat);
        let clock = self.clocks.statistics();
        run.statistics.add("clock.variables", clock.variables as f64);
        run.statistics.add("clock.clauses", clock.clauses as f64);
    }
}
