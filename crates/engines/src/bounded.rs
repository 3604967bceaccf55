//! What the engines on event graphs share: unwind, encode, ask, confirm, deepen.
//!
//! An engine gives a [`Scheduling`]: how the scheduling constraint ξ gets into the search. The rest is the same for
//! all of them. Without `--unwind` bounds are tried one after the other (1, 2, 3, 5, 8, …) until a violation is
//! confirmed, or the solver shows that nothing was cut off, or the time is over.

use std::time::Instant;

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Stop};
use heddle_encode::{Formula, GraphNodes};
use heddle_event_graph::{EventGraph, NodeId};
use heddle_ir::points_to::ObjectKind;
use heddle_ir::{Property, PropertySet};
use heddle_machine::{Config, Prepared};
use heddle_solver::{Model, SatStatistics, Solver, TermId, Terms, Theory, Value};
use heddle_symbolic::unwind::{Addressing, Knowledge, NodeIx, UnwindConfig, Unwinding, unwind};
use heddle_task::{Bound, Coverage, Progress, Proof, Reason, Run, Task, Verdict, Violations, Warning};
use rustc_hash::FxHashMap;

use crate::deepening::Deepening;
use crate::judge::{self, Answered, Judge};
use crate::lock_order;
use crate::queries::Queries;
use crate::questions::{Question, Questions};
use crate::reach::{self, Places};
use crate::registry::EngineOptions;
use crate::unanswered::Unanswered;

/// What an engine on event graphs does beside answering its task.
#[derive(Clone, Debug)]
pub struct BoundedConfig {
    /// Where queries are written to.
    pub queries: Queries,
    /// Whether to look for more than one violation.
    pub all: bool,
    /// Whether to leave out reads whose values nothing depends on.
    pub slice: bool,
}

impl Default for BoundedConfig {
    fn default() -> Self {
        BoundedConfig { queries: Queries::default(), all: false, slice: true }
    }
}

impl From<&EngineOptions> for BoundedConfig {
    fn from(options: &EngineOptions) -> Self {
        BoundedConfig { queries: options.queries.clone(), all: options.all, slice: options.slice }
    }
}

/// A model of a formula, and an order of the unwinding's nodes that shows it consistent.
pub(crate) struct Found {
    pub(crate) model: Model,
    pub(crate) order: Vec<NodeIx>,
}

/// A formula and its event graph, ready to be asked.
pub(crate) trait Instance {
    /// Tells what the next goals are about, for those who write queries down.
    fn about(&mut self, _question: Question) {}

    /// An execution in which `goal` holds.
    fn solve(&mut self, terms: &mut Terms, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered>;

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
    /// The engine's name.
    fn engine(&self) -> &'static str;

    /// A formula, ready to be asked.
    fn start(
        &self,
        unwinding: &Unwinding,
        formula: &Formula,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Box<dyn Instance>, Unanswered>;
}

/// A solver that has the constraints of a formula, and the formula's graph over its literals.
pub(crate) fn prepare<T: Theory>(
    theory: T,
    unwinding: &Unwinding,
    formula: &Formula,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<(Solver<T>, EventGraph, GraphNodes), Stop> {
    let mut solver = Solver::with_theory(theory, heddle_solver::Config::default());
    for &(value, range) in &formula.ranges {
        solver.fix_bits(terms, value, range.known).expect("values of reads are variables");
    }
    for &constraint in &formula.constraints {
        solver.assert(terms, constraint).expect("constraints are Boolean");
    }
    let mut ticker = Ticker::new(budget.clone(), 64);
    let (graph, nodes) = formula.graph(unwinding, |term| {
        ticker.tick()?;
        Ok(solver.lit_of(terms, term).expect("literals are Boolean"))
    })?;
    Ok((solver, graph, nodes))
}

/// The positions of an unwinding's nodes, by their ids in the graph.
pub(crate) fn positions(nodes: &GraphNodes) -> FxHashMap<NodeId, NodeIx> {
    nodes.iter_enumerated().map(|(index, &node)| (node, index)).collect()
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

/// Steps of a thread after which it is cut off at first, and how many times more are allowed where that found nothing.
const FIRST_STEPS: u64 = 1_280_000;
const MORE_STEPS: u64 = 16;
/// Steps of a thread after which unwinding gives up.
pub(crate) const MAX_STEPS: u64 = 20_480_000;

/// Checks a task.
pub(crate) fn check(
    config: &BoundedConfig,
    scheduling: &dyn Scheduling,
    task: &Task<'_>,
    prepared: &Prepared,
    run: &Run<'_>,
) -> Verdict {
    let mut search = Search::new(config, scheduling, task, prepared, run);
    let mut reached: Option<Verdict> = None;
    let mut deepening = Deepening::given_or_growing(task.bounds.unwind);
    loop {
        let bound = deepening.bound;
        (run.progress)(&Progress { phase: "unwinding", done: bound });
        let round = search.at_bound(bound, |across, questions, _| across.ask(task, questions, bound));
        match round {
            Ok(Round::Decided(verdict)) => return verdict,
            Ok(Round::Cut(verdict)) => {
                let more = search.across.allow_more_steps();
                if !deepening.deepen() && !more {
                    return verdict;
                }
                reached = Some(verdict);
            }
            Err(why) => {
                return match (why, reached) {
                    (Unanswered::Stopped(Stop::Time), Some(verdict)) => verdict,
                    (why, _) => Verdict::Unknown(why.into()),
                };
            }
        }
    }
}

/// Rounds of loops where lock orders are looked for and no bound is given.
const FEW_ROUNDS: u64 = 2;

/// Locks that threads take in orders that contradict each other, at one bound.
pub(crate) fn lock_order(
    config: &BoundedConfig,
    scheduling: &dyn Scheduling,
    task: &Task<'_>,
    prepared: &Prepared,
    run: &Run<'_>,
) -> Result<Vec<Warning>, Reason> {
    // Who holds what is noted for deadlocks.
    let properties = PropertySet::EMPTY.with(Property::Deadlock);
    let task = task.with_properties(properties);
    let mut search = Search::new(config, scheduling, &task, prepared, run);
    let program = task.program;
    let warnings = search.at_bound(task.bounds.unwind.unwrap_or(FEW_ROUNDS), |_, mut questions, knowledge| {
        let cycles = lock_order::cycles(&mut questions)?;
        Ok(cycles.iter().map(|cycle| lock_order::warning(program, &questions, knowledge, cycle)).collect())
    });
    Ok(warnings?)
}

/// What came of one bound.
enum Round {
    Decided(Verdict),
    /// Nothing wrong, but something was cut off: the answer if nobody looks further.
    Cut(Verdict),
}

struct Search<'s, 'p> {
    config: &'s BoundedConfig,
    scheduling: &'s dyn Scheduling,
    task: &'s Task<'p>,
    prepared: &'s Prepared,
    run: &'s Run<'s>,
    across: Across,
    knowledge: Knowledge,
    begin: Instant,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        config: &'s BoundedConfig,
        scheduling: &'s dyn Scheduling,
        task: &'s Task<'p>,
        prepared: &'s Prepared,
        run: &'s Run<'s>,
    ) -> Self {
        let analysis = &prepared.analysis;
        let mut knowledge = Knowledge::new(task.program);
        for shared in &analysis.sharing.objects {
            if let ObjectKind::Global(global) = analysis.points_to.objects[shared.object].kind {
                knowledge.expect_shared(global);
            }
        }
        let begin = Instant::now();
        let coverage = Coverage::of(task);
        let across = Across { steps: 0, max_steps: FIRST_STEPS, out_of_steps: false, coverage, begin };
        Search { config, scheduling, task, prepared, run, across, knowledge, begin }
    }

    /// Unwinds and encodes, and asks what is to be asked.
    fn at_bound<T>(
        &mut self,
        bound: u64,
        ask: impl FnOnce(&mut Across, Questions<'_>, &Knowledge) -> Result<T, Unanswered>,
    ) -> Result<T, Unanswered> {
        let (run, budget, program) = (self.run, &self.run.budget, self.task.program);
        let statistics = run.statistics;
        let unwind_config = UnwindConfig {
            unwind: bound,
            unwindset: self.task.unwindset.clone(),
            domains: self.prepared.domains.clone(),
            properties: self.task.properties,
            deadlocks: self.task.properties.contains(Property::Deadlock),
            max_steps: self.across.max_steps,
            thread_steps: self.task.bounds.steps,
        };
        let mut terms = Terms::new();
        let begin = Instant::now();
        let visibility = &self.prepared.visibility;
        let mut unwinding = unwind(program, visibility, &unwind_config, &mut self.knowledge, &mut terms, budget)?;
        statistics.add("seconds.unwind", begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let mut targets = std::mem::take(&mut unwinding.targets);
        let mut at =
            Addressing { terms: &mut terms, knowledge: &self.knowledge, targets: &mut targets, model: program.model };
        let formula = Formula::new(&mut unwinding, &mut at, self.config.slice, budget)?;
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
            ("sliced", formula.statistics.sliced as f64),
            ("terms", terms.len() as f64),
        ] {
            statistics.set(name, value);
        }
        statistics.add("attempts", unwinding.attempts as f64);
        statistics.add("steps", unwinding.steps as f64);
        let begin = Instant::now();
        let instance = self.scheduling.start(&unwinding, &formula, &mut terms, budget)?;
        let (queries, engine) = (&self.config.queries, self.scheduling.engine());
        let mut instance = queries.around((engine, bound), instance, &unwinding, &formula, &mut terms);
        let questions = Questions {
            task: self.task,
            run,
            judge: Judge { task: self.task, code: &self.prepared.code, config: Config::default(), behind_races: true },
            unwinding: &unwinding,
            formula: &formula,
            terms: &mut terms,
            instance: instance.as_mut(),
            violations: Violations::new(self.config.all, self.begin),
            arbitrary: false,
        };
        let result = ask(&mut self.across, questions, &self.knowledge);
        statistics.add("seconds.solve", begin.elapsed().as_secs_f64());
        instance.report(run);
        // Only now: a solver translates what it is told when it is asked.
        let initial = instance.initial();
        statistics.set("formula.variables", initial.variables as f64);
        statistics.set("formula.clauses", initial.clauses as f64);
        result
    }
}

/// What is remembered from one bound to the next.
struct Across {
    /// Steps of the last bound.
    steps: u64,
    /// Steps that each thread may take, and whether that was too few.
    max_steps: u64,
    out_of_steps: bool,
    /// Obstacles that were met so far: a larger bound does not take them away. What is cut off is that of the last bound.
    coverage: Coverage,
    /// When the search began.
    begin: Instant,
}

impl Across {
    /// Whether threads may take more steps at the next bound, because they were too few.
    fn allow_more_steps(&mut self) -> bool {
        let more = self.out_of_steps && self.max_steps < MAX_STEPS;
        if more {
            self.max_steps = self.max_steps.saturating_mul(MORE_STEPS).min(MAX_STEPS);
        }
        more
    }

    fn ask(&mut self, task: &Task<'_>, mut questions: Questions<'_>, bound: u64) -> Result<Round, Unanswered> {
        self.out_of_steps = questions.unwinding.out_of_steps;
        let answered = questions.violations()?;
        if !questions.violations.is_empty() {
            return Ok(Round::Decided(questions.violations.into_verdict()));
        }
        if let Answered::Unconfirmed(reason) = answered {
            return Ok(Round::Decided(Verdict::Unknown(reason)));
        }
        self.coverage.cuts.clear();
        if self.coverage.obstacle().is_none() {
            self.find_obstacle(&mut questions)?;
        }
        // Memory that was never written is read: nothing must go wrong whatever it holds.
        if self.coverage.obstacle().is_none()
            && questions.possible(Question::Uninitialised, &questions.formula.uninitialised)?.is_some()
        {
            questions.arbitrary = true;
            let answered = questions.violations()?;
            if !questions.violations.is_empty() {
                return Ok(Round::Decided(questions.violations.into_verdict()));
            }
            if let Answered::Unconfirmed(_) = answered {
                self.coverage.uninitialised = Some(judge::unwritten());
            } else {
                self.find_obstacle(&mut questions)?;
            }
        }
        let unwinding = questions.unwinding;
        let cuts: Vec<TermId> = unwinding.cut_guards().collect();
        let Some(found) = questions.possible(Question::CutOff, &cuts)? else {
            return Ok(Round::Decided(self.coverage.verdict(Proof::CompleteUnwinding)));
        };
        let given = task.bounds.steps.filter(|_| unwinding.steps_cut);
        let steps = given.or(unwinding.out_of_steps.then_some(self.max_steps));
        // An obstacle hides everything else.
        let mut cuts = Vec::new();
        if self.coverage.obstacle().is_none() {
            let survey = reach::survey(&mut questions, &found, self.begin.elapsed());
            (self.coverage.reached, cuts) = (survey.reached, survey.cuts);
        }
        let places = Places { task, unwind: bound, steps: steps.unwrap_or(self.max_steps) };
        if let Some(steps) = steps {
            self.coverage.cut_at(Bound::Steps, steps, places.by_steps(cuts.iter().copied()));
        }
        // A larger bound would change nothing. It is named all the same if it is a loop's own that cuts off.
        let last = task.bounds.unwind.is_none() && unwinding.steps == self.steps && !self.out_of_steps;
        if !last || steps.is_none() {
            self.coverage.cut_at(Bound::Unwind, bound, places.by_unwind(cuts));
        }
        self.steps = unwinding.steps;
        let verdict = self.coverage.verdict(Proof::CompleteUnwinding);
        Ok(if last { Round::Decided(verdict) } else { Round::Cut(verdict) })
    }
}

impl Across {
    /// Notes the first thing that keeps an answer from covering all executions, whatever was cut off.
    fn find_obstacle(&mut self, questions: &mut Questions<'_>) -> Result<(), Unanswered> {
        if questions.unwinding.out_of_steps && self.max_steps >= MAX_STEPS {
            self.coverage.limit = Some(format!("unwinding a thread takes more than {MAX_STEPS} steps"));
            return Ok(());
        }
        find_obstacle(questions, &mut self.coverage)
    }
}

/// Notes the first thing that keeps an answer from covering all executions, whatever was cut off and however many steps were
/// allowed.
pub(crate) fn find_obstacle(questions: &mut Questions<'_>, coverage: &mut Coverage) -> Result<(), Unanswered> {
    let (unwinding, formula) = (questions.unwinding, questions.formula);
    if unwinding.too_deep {
        coverage.limit = Some(judge::too_deep());
        return Ok(());
    }
    let unsupported: Vec<TermId> = unwinding.unsupported.iter().map(|(guard, _)| *guard).collect();
    if let Some(found) = questions.possible(Question::Unsupported, &unsupported)? {
        let mut evaluator = found.model.evaluator(questions.terms);
        let met = unwinding.unsupported.iter().find(|(guard, _)| evaluator.eval(*guard) == Value::Bool(true));
        coverage.unsupported = Some(met.map_or_else(String::new, |(_, what)| what.clone()));
        return Ok(());
    }
    let undefined: Vec<TermId> = unwinding.undefined.iter().map(|suspect| suspect.guard).collect();
    if questions.possible(Question::Undefined, &undefined)?.is_some() {
        coverage.undefined = Some(judge::undefined());
        return Ok(());
    }
    let waits = unwinding.blocked.iter().any(|blocked| blocked.lock && blocked.holder.is_none());
    if waits && questions.possible(Question::GivenBack, &unwinding.given_back)?.is_some() {
        let what = "who waits for whom where a read lock is given back by a thread that did not take it";
        coverage.unsupported = Some(what.to_owned());
        return Ok(());
    }
    let unordered: Vec<TermId> = unwinding.unordered.iter().chain(&formula.races.unordered).copied().collect();
    coverage.unordered = formula.races.goal.is_some() && questions.possible(Question::Unordered, &unordered)?.is_some();
    Ok(())
}
