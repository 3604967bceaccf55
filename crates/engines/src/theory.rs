//! The scheduling constraint as a theory in the SAT search, for all engines that ask event graphs this way.

use heddle_base::Budget;
use heddle_encode::Formula;
use heddle_event_graph::{NodeId, OrderTheory};
use heddle_solver::{Answer, Solver, TermId, Terms};
use heddle_symbolic::unwind::{NodeIx, Unwinding};
use heddle_task::Run;
use rustc_hash::FxHashMap;

use crate::bounded::{self, FormulaSize, Found, Instance, Scheduling};
use crate::unanswered::Unanswered;

/// A theory keeps the order graph while the SAT solver decides guards and sources.
pub(crate) struct ByTheory;

impl Scheduling for ByTheory {
    fn engine(&self) -> &'static str {
        "order"
    }

    fn start(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Box<dyn Instance>, Unanswered> {
        let (mut solver, graph, nodes) = bounded::prepare(OrderTheory::default(), unwinding, formula, terms, budget)?;
        let theory = OrderTheory::new(graph);
        let literals = theory.literals();
        *solver.theory_mut() = theory;
        for literal in literals {
            solver.sat().observe(literal);
        }
        Ok(Box::new(Searching { solver, nodes: bounded::positions(&nodes) }))
    }
}

struct Searching {
    solver: Solver<OrderTheory>,
    nodes: FxHashMap<NodeId, NodeIx>,
}

impl Instance for Searching {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        match self.solver.solve(terms, &[goal], budget).expect("goals are Boolean") {
            Answer::Sat(model) => {
                let line = self.solver.theory().linearisation();
                Ok(Some(Found { model, order: line.iter().map(|node| self.nodes[node]).collect() }))
            }
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(stop) => Err(stop.into()),
        }
    }

    fn initial(&self) -> FormulaSize {
        let sat = self.solver.statistics().sat;
        let lazy = self.solver.theory().statistics().order_literals;
        FormulaSize { variables: sat.variables.saturating_sub(lazy), clauses: sat.clauses }
    }

    fn report(&self, run: &Run<'_>) {
        bounded::report_sat(run, &self.solver.statistics().sat);
        let order = self.solver.theory().statistics();
        for (name, value) in [
            ("order.conflicts", order.conflicts),
            ("order.propagations", order.propagations),
            ("order.edges", order.edges),
            ("order.literals", order.order_literals),
            ("order.final_checks", order.final_checks),
        ] {
            run.statistics.add(name, value as f64);
        }
    }
}
