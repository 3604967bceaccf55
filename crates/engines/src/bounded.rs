//! What the engines on event graphs share: unwind, encode, ask, confirm, deepen.
//!
//! An engine gives a [`Scheduling`]: how the scheduling constraint ξ gets into the search. The rest is the same for
//! all of them. Without `--unwind` bounds are tried one after the other (1, 2, 3, 5, 8, …) until a violation is
//! confirmed, or the solver shows that nothing was cut off, or the time is over.

use std::time::Instant;

use heddle_base::{Budget, Stop};
use heddle_encode::{Formula, schedule};
use heddle_exec::unwind::{Addressing, Knowledge, UnwindConfig, Unwinding, unwind};
use heddle_exec::{
    Bounds, Code, Config, Counterexample, Halt, Outcome, Progress, Proof, Reason, Run, ScheduleError, Task, Verdict, Visibility,
    compile, replay,
};
use heddle_ir::{Analysis, Property};
use heddle_event_graph::NodeId;
use heddle_solver::{Model, SatStatistics, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

/// How far to look.
#[derive(Clone, Debug, Default)]
pub struct BoundedConfig {
    /// Rounds of loops; without it the engine deepens by itself.
    pub unwind: Option<u64>,
    /// Rounds of single loops, by name.
    pub unwindset: Vec<(String, u64)>,
}

/// A model of a formula, and an order of the unwinding's nodes that shows it consistent.
pub(crate) struct Found {
    pub(crate) model: Model,
    pub(crate) order: Vec<usize>,
}

/// A formula and its event graph, ready to be asked.
pub(crate) trait Instance {
    /// An execution in which `goal` holds.
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Stop>;

    /// The formula as it was asked, without what the search added to it.
    fn initial(&self) -> FormulaSize;

    /// Adds what it did to the statistics.
    fn report(&self, run: &Run<'_>);
}

/// How large a formula is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormulaSize {
    pub(crate) variables: u64,
    pub(crate) clauses: u64,
}

/// How the scheduling constraint gets into the search.
pub(crate) trait Scheduling {
    /// A formula, ready to be asked.
    fn start(&self, unwinding: &Unwinding, formula: &Formula, terms: &mut Terms) -> Box<dyn Instance>;
}

/// A solver that has the constraints of a formula.
pub(crate) fn solver(formula: &Formula, terms: &Terms) -> Solver {
    let mut solver = Solver::new();
    for &constraint in &formula.constraints {
        solver.assert(terms, constraint).expect("constraints are Boolean");
    }
    solver
}

/// The positions of an unwinding's nodes, by their ids in the graph.
pub(crate) fn positions(nodes: &[NodeId]) -> FxHashMap<NodeId, usize> {
    nodes.iter().enumerate().map(|(index, &node)| (node, index)).collect()
}

/// What the SAT solver did.
pub(crate) fn report_sat(run: &Run<'_>, sat: &SatStatistics) {
    for (name, value) in [
        ("sat.variables", sat.variables),
        ("sat.clauses", sat.clauses),
        ("sat.conflicts", sat.conflicts),
        ("sat.decisions", sat.decisions),
        ("sat.propagations", sat.propagations),
    ] {
        run.statistics.add(name, value as f64);
    }
}

/// Steps of all threads after which unwinding gives up.
const MAX_STEPS: u64 = 20_000_000;

/// Properties that event graphs are asked about.
const SUPPORTED: [Property; 5] =
    [Property::Assert, Property::Lock, Property::Memory, Property::Division, Property::Overflow];

/// Checks a task.
pub(crate) fn check(
    config: &BoundedConfig,
    scheduling: &dyn Scheduling,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Verdict {
    let begin = Instant::now();
    let visibility = Visibility::analysed(task.program, &Analysis::new(task.program).sharing);
    let code = compile(task.program, &visibility);
    run.statistics.add("seconds.analyse", begin.elapsed().as_secs_f64());
    let mut search = Search { config, scheduling, task, run, visibility, code, knowledge: Knowledge::new(task.program) };
    let mut reached: Option<Bounds> = None;
    let mut bound = config.unwind.unwrap_or(1);
    let mut last = 1;
    loop {
        (run.progress)(&Progress { phase: "unwinding", done: bound });
        match search.at_bound(bound) {
            Ok(Round::Decided(verdict)) => return verdict,
            Ok(Round::Cut(bounds)) if config.unwind.is_some() => return Verdict::SafeWithin(bounds),
            Ok(Round::Cut(bounds)) => reached = Some(bounds),
            Err(stop) => {
                return match (stop, reached) {
                    (Stop::Time, Some(bounds)) => Verdict::SafeWithin(bounds),
                    (stop, _) => Verdict::Unknown(stop.into()),
                };
            }
        }
        (bound, last) = (bound + last, bound);
    }
}

/// What came of one bound.
enum Round {
    Decided(Verdict),
    /// Nothing wrong, but something was cut off.
    Cut(Bounds),
}

struct Search<'s, 'p> {
    config: &'s BoundedConfig,
    scheduling: &'s dyn Scheduling,
    task: &'s Task<'p>,
    run: &'s Run<'s>,
    visibility: Visibility,
    code: Code,
    knowledge: Knowledge,
}

impl Search<'_, '_> {
    fn at_bound(&mut self, bound: u64) -> Result<Round, Stop> {
        let (run, budget, program) = (self.run, &self.run.budget, self.task.program);
        let statistics = run.statistics;
        let unwind_config = UnwindConfig {
            unwind: bound,
            unwindset: self.config.unwindset.clone(),
            properties: self.task.properties,
            max_steps: MAX_STEPS,
        };
        let mut terms = Terms::new();
        let begin = Instant::now();
        let mut unwinding =
            unwind(program, &self.visibility, &unwind_config, &mut self.knowledge, &mut terms, budget)?;
        statistics.add("seconds.unwind", begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let mut targets = std::mem::take(&mut unwinding.targets);
        let mut at = Addressing {
            terms: &mut terms,
            knowledge: &self.knowledge,
            targets: &mut targets,
            model: program.model,
        };
        let formula = Formula::new(&mut unwinding, &mut at, budget)?;
        statistics.add("seconds.encode", begin.elapsed().as_secs_f64());
        for (name, value) in [
            ("unwind", bound as f64),
            ("threads", unwinding.threads.len() as f64),
            ("nodes", formula.statistics.nodes as f64),
            ("reads", formula.statistics.reads as f64),
            ("writes", formula.statistics.writes as f64),
            ("sources", formula.statistics.sources as f64),
            ("sections", formula.statistics.sections as f64),
            ("rivals", formula.statistics.rivals as f64),
            ("terms", terms.len() as f64),
        ] {
            statistics.set(name, value);
        }
        statistics.add("steps", unwinding.steps as f64);
        let begin = Instant::now();
        let mut instance = self.scheduling.start(&unwinding, &formula, &mut terms);
        let result = self.ask(&unwinding, &formula, &mut terms, instance.as_mut(), bound);
        statistics.add("seconds.solve", begin.elapsed().as_secs_f64());
        instance.report(run);
        // Only now: a solver translates what it is told when it is asked.
        let initial = instance.initial();
        statistics.set("formula.variables", initial.variables as f64);
        statistics.set("formula.clauses", initial.clauses as f64);
        result
    }

    fn ask(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        instance: &mut dyn Instance,
        bound: u64,
    ) -> Result<Round, Stop> {
        let budget = &self.run.budget;
        let wrong: Vec<TermId> = unwinding.violations.iter().map(|suspect| suspect.guard).collect();
        if let Some(found) = possible(terms, instance, &wrong, budget)? {
            return Ok(Round::Decided(self.confirm(unwinding, terms, &found)));
        }
        if possible(terms, instance, &unwinding.cuts, budget)?.is_some() {
            let steps = unwinding.out_of_steps.then_some(unwinding.steps);
            return Ok(Round::Cut(Bounds { unwind: Some(bound), steps, ..Bounds::default() }));
        }
        let unsupported: Vec<TermId> = unwinding.unsupported.iter().map(|(guard, _)| *guard).collect();
        if possible(terms, instance, &unsupported, budget)?.is_some() {
            let what = unwinding.unsupported[0].1.clone();
            return Ok(Round::Decided(Verdict::Unknown(Reason::Unsupported(what))));
        }
        let undefined: Vec<TermId> = unwinding.undefined.iter().map(|suspect| suspect.guard).collect();
        if possible(terms, instance, &undefined, budget)?.is_some() {
            let what = "an access through a bad pointer is possible, and `memory` is not checked";
            return Ok(Round::Decided(Verdict::Unknown(Reason::Undefined(what.to_owned()))));
        }
        if possible(terms, instance, &formula.uninitialised, budget)?.is_some() {
            let what = "memory that was never written may be read";
            return Ok(Round::Decided(Verdict::Unknown(Reason::Inputs(what.to_owned()))));
        }
        if let Some(property) = self.task.properties.iter().find(|property| !SUPPORTED.contains(property)) {
            let what = format!("the property `{property}`, by this engine; all others hold");
            return Ok(Round::Decided(Verdict::Unknown(Reason::Unsupported(what))));
        }
        Ok(Round::Decided(Verdict::Safe(Proof::CompleteUnwinding)))
    }

    /// Lets the machine execute what a model says.
    fn confirm(&self, unwinding: &Unwinding, terms: &Terms, found: &Found) -> Verdict {
        let mut evaluator = found.model.evaluator(terms);
        let unconfirmed = |why: String| {
            self.run.statistics.add("unconfirmed", 1.0);
            Verdict::Unknown(Reason::Unconfirmed(why))
        };
        let Some(candidate) = schedule(self.task.program, &self.code, unwinding, &found.order, &mut evaluator) else {
            return unconfirmed("the model violates nothing".to_owned());
        };
        let config = Config { properties: self.task.properties, ..Config::default() };
        let mut schedule = candidate.schedule;
        let mut replayed = replay(self.task.program, &self.code, &schedule, config.clone(), &self.run.budget);
        // Another violation may come first: the model knows them all, but not in which turn each shows.
        if let Err(ScheduleError::TooLong { left }) = replayed {
            schedule.shorten(left);
            replayed = replay(self.task.program, &self.code, &schedule, config, &self.run.budget);
        }
        match replayed {
            Ok((Outcome::Halted(Halt::Violation(violation)), trace)) => {
                Verdict::Unsafe(Box::new(Counterexample { violation: *violation, schedule, trace }))
            }
            Ok((outcome, _)) => unconfirmed(format!("the machine ended otherwise: {outcome:?}")),
            Err(error) => unconfirmed(error.to_string()),
        }
    }
}

/// An execution in which one of the terms holds.
fn possible(
    terms: &mut Terms,
    instance: &mut dyn Instance,
    any: &[TermId],
    budget: &Budget,
) -> Result<Option<Found>, Stop> {
    let goal = terms.or_all(any);
    if goal == Terms::FALSE {
        return Ok(None);
    }
    instance.solve(terms, goal, budget)
}
