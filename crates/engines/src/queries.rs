//! Queries as SMT-LIB text: written to files, and put to another solver.
//!
//! A text is complete, whichever engine asks: the order of events, which `order` and `refine` keep outside of their
//! formulas, is written as clocks, so that every solver gives the answer that the engine gets.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heddle_base::{Budget, Stop};
use heddle_encode::{ClockTerms, Formula};
use heddle_solver::smtlib::{Dump, ExternalSolver, script};
use heddle_solver::{Answer, TermId, Terms};
use heddle_symbolic::unwind::Unwinding;
use heddle_task::Run;

use crate::bounded::{FormulaSize, Found, Instance};

/// Where queries are written to, and what went wrong with them outside of the question itself.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    dump: Option<Arc<Mutex<Dump>>>,
    failure: Arc<Mutex<Option<String>>>,
}

impl Queries {
    /// Every query is written to this directory, which must exist.
    pub fn dumped_to(directory: &Path) -> Self {
        Queries { dump: Some(Arc::new(Mutex::new(Dump::new(directory)))), failure: Arc::default() }
    }

    /// Why no answer was found, if it is not the engine's fault.
    pub(crate) fn failure(&self) -> Option<String> {
        lock(&self.failure).clone()
    }

    fn fail(&self, why: String) -> Stop {
        *lock(&self.failure) = Some(why);
        Stop::Cancelled
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
        let guards =
            |suspects: &[heddle_symbolic::unwind::Suspect]| suspects.iter().map(|s| s.guard).collect::<Vec<_>>();
        let unsupported: Vec<TermId> = unwinding.unsupported.iter().map(|(guard, _)| *guard).collect();
        let questions = [
            ([guards(&unwinding.violations), guards(&formula.unwritten)].concat(), "is a violation possible?"),
            (unwinding.cuts.clone(), "is something cut off by the bound?"),
            (unsupported, "is something unsupported executed?"),
            (guards(&unwinding.undefined), "is something undefined executed?"),
            (formula.uninitialised.clone(), "is something read that was never written?"),
        ];
        // As they are asked: not together with races and leaks.
        let calm = crate::questions::calm(formula, terms);
        let mut questions: Vec<(TermId, &'static str)> = questions
            .map(|(any, what)| {
                let any = terms.or_all(&any);
                (terms.and_all(&[any, calm]), what)
            })
            .into();
        questions.extend(formula.races.goal.map(|goal| (goal, "is a race possible?")));
        let leak = formula.leaks.goal(terms, |_| true);
        questions.extend(leak.map(|goal| (goal, "is a leak possible?")));
        // And with zeros where nothing was ever written.
        let arbitrary = heddle_symbolic::unwind::arbitrary(terms);
        let zeros = terms.not(arbitrary);
        let with_zeros: Vec<_> = questions.iter().map(|&(goal, what)| (terms.and_all(&[goal, zeros]), what)).collect();
        questions.extend(with_zeros);
        Box::new(Dumping { engine, bound, instance, asserted, questions, dump, queries: self.clone() })
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
    questions: Vec<(TermId, &'static str)>,
    dump: Arc<Mutex<Dump>>,
    queries: Queries,
}

impl Instance for Dumping {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Stop> {
        let question = self.questions.iter().find(|(term, _)| *term == goal);
        let question = question.map_or("is a deadlock possible?", |(_, what)| what);
        let order = match self.engine {
            "clock" => "; The order of events is in it as clocks, as the engine has it.",
            _ => "; The order of events is in it as clocks; the engine keeps it outside of its formula.",
        };
        let text = script(terms, &self.asserted, &[goal]);
        let text = format!("; heddle, engine {}, unwind {}: {question}\n{order}\n{text}", self.engine, self.bound);
        if let Err(error) = lock(&self.dump).write(&text) {
            return Err(self.queries.fail(format!("cannot write the query: {error}")));
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
    queries: Queries,
    asked: u64,
}

impl External {
    pub(crate) fn new(
        solver: &ExternalSolver,
        queries: &Queries,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
    ) -> Self {
        let query = Query::new(unwinding, formula, terms);
        External { solver: solver.clone(), query, queries: queries.clone(), asked: 0 }
    }
}

impl Instance for External {
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Stop> {
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
                Ok(()) => self.queries.fail("the solver does not know the answer".to_owned()),
                Err(_) => stop,
            }),
            Err(error) => Err(self.queries.fail(error.to_string())),
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
