//! Queries as SMT-LIB text: written to files, and put to another solver.
//!
//! A text is complete, whichever engine asks: the order of events, which `order` and `refine` keep outside of their
//! formulas, is written as clocks, so that every solver gives the answer that the engine gets.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heddle_base::Budget;
use heddle_encode::{ClockTerms, Formula};
use heddle_solver::smtlib::{Dump, ExternalSolver, script};
use heddle_solver::{Answer, TermId, Terms};
use heddle_symbolic::unwind::Unwinding;
use heddle_task::Run;

use crate::bounded::{FormulaSize, Found, Instance};
use crate::questions::Question;
use crate::unanswered::Unanswered;

/// Where queries are written to.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    dump: Option<Arc<Mutex<Dump>>>,
}

impl Queries {
    /// Every query is written to this directory, which must exist.
    pub fn dumped_to(directory: &Path) -> Self {
        Queries { dump: Some(Arc::new(Mutex::new(Dump::new(directory)))) }
    }

    /// The instance, with its queries written to files if that was asked for.
    pub(crate) fn around(
        &self,
        (engine, bound): (&'static str, u64),
        instance: Box<dyn Instance>,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
    ) -> Box<dyn Instance> {
        let Some(dump) = self.dump.clone() else { return instance };
        let asserted = Query::new(unwinding, formula, terms).asserted;
        Box::new(Dumping { engine, bound, instance, asserted, question: Question::Violation, dump })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is in there is whole whatever happened to others.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// ρ ∧ ζ ∧ ξ as terms.
struct Query {
    asserted: Vec<TermId>,
    clocks: ClockTerms,
}

impl Query {
    fn new(unwinding: &Unwinding, formula: &Formula, terms: &mut Terms) -> Self {
        let clocks = ClockTerms::new(formula, unwinding, terms);
        let asserted = formula.constraints.iter().chain(&clocks.constraints).copied().collect();
        Query { asserted, clocks }
    }
}

struct Dumping {
    engine: &'static str,
    bound: u64,
    instance: Box<dyn Instance>,
    asserted: Vec<TermId>,
    question: Question,
    dump: Arc<Mutex<Dump>>,
}

impl Instance for Dumping {
    fn about(&mut self, question: Question) {
        self.question = question;
    }

    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        let question = self.question;
        let order = match self.engine {
            "clock" => "; The order of events is in it as clocks, as the engine has it.",
            _ => "; The order of events is in it as clocks; the engine keeps it outside of its formula.",
        };
        let text = script(terms, &self.asserted, &[goal]);
        let text = format!("; heddle, engine {}, unwind {}: {question}\n{order}\n{text}", self.engine, self.bound);
        if let Err(error) = lock(&self.dump).write(&text) {
            return Err(Unanswered::Solver(format!("cannot write the query: {error}")));
        }
        self.instance.solve(terms, goal, budget)
    }

    fn initial(&self) -> FormulaSize {
        self.instance.initial()
    }

    fn report(&self, run: &Run<'_>) {
        self.instance.report(run);
    }
}

/// A formula whose queries another solver answers.
pub(crate) struct External {
    solver: ExternalSolver,
    query: Query,
    asked: u64,
}

impl External {
    pub(crate) fn new(solver: &ExternalSolver, unwinding: &Unwinding, formula: &Formula, terms: &mut Terms) -> Self {
        let query = Query::new(unwinding, formula, terms);
        External { solver: solver.clone(), query, asked: 0 }
    }
}

impl Instance for External {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        self.asked += 1;
        let mut asserted = self.query.asserted.clone();
        asserted.push(goal);
        match self.solver.solve(terms, &asserted, &[], budget) {
            Ok(Answer::Sat(model)) => {
                let order = self.query.clocks.linearisation(terms, &model);
                Ok(Some(Found { model, order }))
            }
            Ok(Answer::Unsat(_)) => Ok(None),
            // A solver that gives up by itself has not used up our time.
            Ok(Answer::Unknown(stop)) => Err(match budget.check() {
                Ok(()) => Unanswered::Solver("the solver does not know the answer".to_owned()),
                Err(_) => stop.into(),
            }),
            Err(error) => Err(Unanswered::Solver(error.to_string())),
        }
    }

    fn initial(&self) -> FormulaSize {
        // Nothing is translated here; the other solver does not say.
        FormulaSize { variables: 0, clauses: 0 }
    }

    fn report(&self, run: &Run<'_>) {
        run.statistics.add("solver.queries", self.asked as f64);
    }
}
