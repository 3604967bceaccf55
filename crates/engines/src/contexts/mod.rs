//! What the context-bounded engines share (paper 001): the reachability tree, bounds, deepening, confirmation.
//!
//! An engine is an [`Approach`]: what it does with a suspicion and with a leaf of the tree. Bounds on context switches are
//! tried one after the other (2, 3, 5, 8, … up to `--contexts`), likewise for loops without `--unwind`, until a violation
//! is confirmed or nothing was cut off.

mod path;
mod recorded;
mod tree;
mod visits;

use std::rc::Rc;
use std::time::Instant;

use heddle_base::Stop;
use heddle_ir::assertions::Assertions;
use heddle_ir::{InputId, Property};
use heddle_machine::{Config, Prepared};
use heddle_solver::{Model, TermId, Terms};
use heddle_symbolic::interleave::{
    InputNode, Interleaver, Milestone, Parts, Place, Plan, Suspicion, World, input_bits, inputs_of,
};
use heddle_symbolic::unwind::{Knowledge, UnwindConfig};
use heddle_task::{Bound, Coverage, InputValue, Progress, Proof, Run, Schedule, Task, TurnRun, Verdict, Violations};

use crate::deepening::Deepening;
use crate::judge::{self, Answered, Judge, Judged};
use crate::reach::{self, Places};
use crate::registry::EngineOptions;

pub(crate) use self::path::{Path, selects};
pub(crate) use self::recorded::{Asking, Recorded, Recording};

use self::tree::Tree;

/// What a context-bounded engine does beside answering its task.
#[derive(Clone, Debug)]
pub struct ContextsConfig {
    /// Whether interleavings that come to a state that was seen are left there.
    pub reduction: bool,
    /// Whether to look for more than one violation.
    pub all: bool,
}

impl Default for ContextsConfig {
    fn default() -> Self {
        ContextsConfig { reduction: true, all: false }
    }
}

impl From<&EngineOptions> for ContextsConfig {
    fn from(options: &EngineOptions) -> Self {
        ContextsConfig { reduction: options.reduction, all: options.all }
    }
}

/// Something that may go wrong on a path of the tree.
#[derive(Clone)]
pub(crate) struct Suspect {
    /// Whether it does.
    pub(crate) guard: TermId,
    /// The turns up to there, the last one included.
    pub(crate) path: Option<Rc<Path>>,
    pub(crate) inputs: Option<Rc<InputNode>>,
    /// A world in which all threads of the path exist.
    pub(crate) world: World,
    /// What it is, and where.
    pub(crate) place: Place,
}

impl Suspect {
    fn new(suspicion: Suspicion, path: Option<Rc<Path>>, world: World) -> Self {
        let Suspicion { guard, inputs, place, .. } = suspicion;
        Suspect { guard, path, inputs, world, place }
    }

    /// Whether it is the same one, on the same path.
    fn is(&self, other: &Suspect) -> bool {
        let paths = (self.path.as_ref().map(Rc::as_ptr), other.path.as_ref().map(Rc::as_ptr));
        paths.0 == paths.1 && self.guard == other.guard && self.place == other.place
    }
}

/// A suspect with a model.
pub(crate) struct Found {
    pub(crate) suspect: Suspect,
    /// None if the guard is true in all models.
    pub(crate) model: Option<Model>,
}

/// What an engine does with the tree.
pub(crate) trait Approach {
    /// Whether every turn needs its schedule guard.
    fn records(&self) -> bool;

    /// Something may be wrong. What is found is one of those that were suspected, this one or another.
    fn suspect(&mut self, at: &mut Interleaver<'_>, suspect: Suspect) -> Result<Option<Found>, Stop>;

    /// An interleaving has come to its end.
    fn leaf(&mut self, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop>;

    /// The tree is complete.
    fn end(&mut self, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop>;

    /// Forgets some of the suspects.
    fn leave_out(&mut self, which: &dyn Fn(&Suspect) -> bool);

    /// Adds what it did to the statistics.
    fn report(&self, run: &Run<'_>);
}

/// Checks a task.
pub(crate) fn check(
    config: &ContextsConfig,
    make: &dyn Fn() -> Box<dyn Approach>,
    task: &Task<'_>,
    prepared: &Prepared,
    run: &Run<'_>,
) -> Verdict {
    let begin = Instant::now();
    let plan = Plan::new(task.program, &prepared.visibility, task.properties);
    let search = Search { config, task, prepared, run, plan, begin };
    let mut reached: Option<Verdict> = None;
    // Most violations need few switches, so they are found with few first, whatever the bound.
    let first = if task.bounds.choices.is_some() { u64::MAX } else { 2 };
    let mut contexts = Deepening::new(first, task.bounds.contexts);
    let mut unwind = Deepening::given_or_growing(task.bounds.unwind);
    let mut wakes = Wakes::Bounded;
    loop {
        let mut approach = make();
        let result = search.at_bound(approach.as_mut(), wakes, &mut contexts, &mut unwind, &mut reached);
        approach.report(run);
        match result {
            Ok(Round::Decided(verdict)) => return verdict,
            Ok(Round::Deeper) => {}
            Ok(Round::Woken { verdict, nodes }) => {
                if wakes != Wakes::Bounded {
                    return reached.unwrap_or(verdict);
                }
                if task.bounds.spurious.is_some() || !config.reduction {
                    return verdict;
                }
                wakes = Wakes::Any { nodes: nodes.saturating_mul(CLOSING_FACTOR).max(CLOSING_LEAST) };
                reached = Some(verdict);
            }
            Err(stop) => {
                return match (stop, reached) {
                    (Stop::Time, Some(verdict)) => verdict,
                    (Stop::Memory, Some(verdict)) if wakes != Wakes::Bounded => verdict,
                    (stop, _) => Verdict::Unknown(stop.into()),
                };
            }
        }
    }
}

/// What came of one tree.
enum Round {
    Decided(Verdict),
    /// Nothing wrong, but something was cut off. The bounds have grown.
    Deeper,
    /// Nothing wrong, and nothing was cut off but spurious wake-ups, in a tree of so many nodes; or the bound on nodes was
    /// reached.
    Woken {
        verdict: Verdict,
        nodes: u64,
    },
}

/// How many spurious wake-ups each thread may take. A thread that wakes up by itself and waits again comes to a world that was seen, so
/// without a bound the tree is often finite. It need not be: a thread may count how often it woke up. So a tree without this bound
/// has one on its nodes instead, by the size of the tree with a few wake-ups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wakes {
    /// As many as the task says.
    Bounded,
    /// Any number, in a tree of at most so many nodes.
    Any { nodes: u64 },
}

/// How much larger than the tree with a few wake-ups the one with any number may be, and how large it may be in any case.
const CLOSING_FACTOR: u64 = 8;
const CLOSING_LEAST: u64 = 20_000;

struct Search<'s, 'p> {
    config: &'s ContextsConfig,
    task: &'s Task<'p>,
    prepared: &'s Prepared,
    run: &'s Run<'s>,
    plan: Plan,
    /// When the engine began.
    begin: Instant,
}

impl Search<'_, '_> {
    /// Builds one tree, up to larger and larger bounds on context switches as long as that is the only bound to grow.
    fn at_bound(
        &self,
        approach: &mut dyn Approach,
        wakes: Wakes,
        contexts: &mut Deepening,
        unwind: &mut Deepening,
        reached: &mut Option<Verdict>,
    ) -> Result<Round, Stop> {
        let (run, program, properties) = (self.run, self.task.program, self.task.properties);
        let config = UnwindConfig {
            unwind: unwind.bound,
            unwindset: self.task.unwindset.clone(),
            domains: self.prepared.domains.clone(),
            properties,
            deadlocks: properties.contains(Property::Deadlock),
            // The time bounds the search; a thread is bounded by its own steps.
            max_steps: u64::MAX,
            thread_steps: self.task.bounds.steps,
        };
        let mut terms = Terms::new();
        let mut knowledge = Knowledge::new(program);
        let parts = Parts {
            program,
            visibility: &self.prepared.visibility,
            config: &config,
            knowledge: &mut knowledge,
            terms: &mut terms,
            budget: &run.budget,
        };
        let mut interleaver = Interleaver::new(parts, &self.plan);
        let mut tree = Tree::new(self.config, approach.records(), self.task, run, &mut interleaver)?;
        if let Wakes::Any { nodes } = wakes {
            tree.bound_nodes(nodes);
        }
        let mut violations = Violations::new(self.config.all, self.begin);
        let round = loop {
            (run.progress)(&Progress { phase: "contexts", done: contexts.bound });
            run.statistics.set("contexts", contexts.bound as f64);
            run.statistics.set("unwind", unwind.bound as f64);
            match self.violations(approach, &mut tree, &mut interleaver, contexts.bound, &mut violations) {
                Ok(Answered::Exhausted) if violations.is_empty() => {}
                // More context switches may show others.
                Ok(Answered::Exhausted)
                    if tree.is_cut() && tree.can_go_on() && !tree.is_too_large() && contexts.deepen() =>
                {
                    continue;
                }
                Ok(Answered::Exhausted | Answered::Enough) => break Ok(Round::Decided(violations.into_verdict())),
                Ok(Answered::Unconfirmed(reason)) => break Ok(Round::Decided(Verdict::Unknown(reason))),
                Err(stop) => break Err(stop),
            }
            let verdict = self.verdict(&interleaver, &tree, contexts.bound, unwind.bound);
            let is_closing = wakes != Wakes::Bounded;
            if tree.is_too_large() || is_closing && (interleaver.obstacles.cut || !tree.can_go_on()) {
                break Ok(Round::Woken { verdict, nodes: tree.nodes() });
            }
            let (by_contexts, by_unwind) = (tree.is_cut(), interleaver.obstacles.cut);
            let deeper = [by_contexts && contexts.deepen(), by_unwind && unwind.deepen()];
            if deeper == [false, false] {
                let only_wakes = tree.spurious_cut && {
                    tree.spurious_cut = false;
                    let without = self.verdict(&interleaver, &tree, contexts.bound, unwind.bound);
                    matches!(without, Verdict::Safe(_))
                };
                break Ok(if only_wakes {
                    Round::Woken { verdict, nodes: tree.nodes() }
                } else {
                    Round::Decided(verdict)
                });
            }
            if !is_closing {
                *reached = Some(verdict);
            }
            if deeper[1] || !tree.can_go_on() {
                break Ok(Round::Deeper);
            }
        };
        run.statistics.add("steps", interleaver.steps() as f64);
        run.statistics.add("pruned", interleaver.pruned as f64);
        tree.report(matches!(round, Ok(Round::Decided(Verdict::Unsafe(_)))));
        round
    }

    /// Lets the machine judge what is found in the tree up to a bound on context switches. After the first violation
    /// others are looked for (ADR 8).
    fn violations(
        &self,
        approach: &mut dyn Approach,
        tree: &mut Tree<'_>,
        at: &mut Interleaver<'_>,
        contexts: u64,
        violations: &mut Violations,
    ) -> Result<Answered, Stop> {
        let (task, code) = (self.task, &self.prepared.code);
        let judge = Judge { task, code, config: Config::default(), behind_races: true };
        loop {
            let found = match self.ask(approach, tree, at, contexts) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(Answered::Exhausted),
                Err(stop) if violations.is_empty() => return Err(stop),
                // The time for others is over; what was found counts.
                Err(_) => return Ok(Answered::Enough),
            };
            let steps = (at.obstacles.cut || at.obstacles.steps_cut || at.obstacles.endless).then(|| at.steps() + 1000);
            let schedule = self.schedule(&found, at, steps);
            let suspect = found.suspect;
            let shown = match judge.judge(schedule, violations, &self.run.budget) {
                Judged::New(violation) => {
                    tree.settle(Place::Step(violation.property, violation.loc), approach);
                    violation.property
                }
                Judged::Known(property) => property,
                Judged::Unconfirmed(reason) => {
                    self.run.statistics.add("unconfirmed", 1.0);
                    // It decides nothing, unless there is nothing else.
                    if violations.is_empty() {
                        return Ok(Answered::Unconfirmed(reason));
                    }
                    suspect.place.property()
                }
            };
            if violations.is_enough() {
                return Ok(Answered::Enough);
            }
            if shown == suspect.place.property() {
                tree.settle(suspect.place, approach);
            } else {
                // Something else came before it; that need not be so in other interleavings.
                approach.leave_out(&|other| other.is(&suspect));
            }
            if let Some(more) = violations.more() {
                at.set_budget(more);
            }
        }
    }

    /// Completes the tree up to a bound on context switches; what the approach finds in it.
    fn ask(
        &self,
        approach: &mut dyn Approach,
        tree: &mut Tree<'_>,
        at: &mut Interleaver<'_>,
        contexts: u64,
    ) -> Result<Option<Found>, Stop> {
        let statistics = self.run.statistics;
        let begin = Instant::now();
        let found = tree.search(contexts, at, approach);
        statistics.add("seconds.tree", begin.elapsed().as_secs_f64());
        if let Some(found) = found? {
            return Ok(Some(found));
        }
        let begin = Instant::now();
        let found = approach.end(at);
        statistics.add("seconds.solve", begin.elapsed().as_secs_f64());
        found
    }

    /// The answer where nothing is wrong, if nobody looks further.
    fn verdict(&self, interleaver: &Interleaver<'_>, tree: &Tree<'_>, contexts: u64, unwind: u64) -> Verdict {
        let (obstacles, asked) = (&interleaver.obstacles, &self.task.bounds);
        let known =
            |milestone| interleaver.reached.get(&milestone).map_or(Some(false), |&surely| surely.then_some(true));
        let (program, assertions) = (self.task.program, Assertions::new(self.task.program));
        let mut coverage = Coverage {
            limit: obstacles.too_deep.then(judge::too_deep),
            unsupported: obstacles.unsupported.clone(),
            undefined: obstacles.undefined.then(judge::undefined),
            unordered: obstacles.unordered,
            uninitialised: obstacles.uninitialised.then(judge::unwritten),
            reached: reach::reached(program, &assertions, known(Milestone::EndOfMain), |id| {
                known(Milestone::Assertion(id))
            }),
            ..Coverage::of(self.task)
        };
        let places = Places { task: self.task, unwind, steps: asked.steps.unwrap_or_default() };
        if obstacles.cut {
            coverage.cut_at(Bound::Unwind, unwind, places.by_unwind(obstacles.cuts.iter().copied()));
        }
        if let Some(steps) = asked.steps.filter(|_| obstacles.steps_cut) {
            coverage.cut_at(Bound::Steps, steps, places.by_steps(obstacles.cuts.iter().copied()));
        }
        for (bound, value) in [
            (Bound::Contexts, tree.is_cut().then_some(contexts)),
            (Bound::Choices, asked.choices.filter(|_| tree.choices_cut)),
            (Bound::Spurious, tree.spurious_cut.then_some(asked.spurious_or_default())),
        ] {
            if let Some(value) = value {
                coverage.cut(bound, value);
            }
        }
        coverage.verdict(Proof::Exhaustive { executions: tree.interleavings })
    }

    /// The execution that a path of the tree and a model describe.
    fn schedule(&self, found: &Found, at: &mut Interleaver<'_>, steps: Option<u64>) -> Schedule {
        let suspect = &found.suspect;
        let mut turns: Vec<TurnRun> = Vec::new();
        for (thread, spurious) in path::turns(suspect.path.as_ref()) {
            let name = suspect.world.name(thread);
            match turns.last_mut() {
                Some(last) if last.thread == name && last.spurious == spurious => last.steps += 1,
                Some(_) | None => turns.push(TurnRun { thread: name.to_owned(), steps: 1, spurious }),
            }
        }
        let mut inputs = Vec::new();
        let mut names = suspect.world.names();
        if let Some(model) = &found.model {
            let mut evaluator = model.evaluator(at.terms());
            let mut counts: Vec<(Rc<str>, InputId, u32)> = Vec::new();
            for (thread, input, value) in inputs_of(suspect.inputs.as_ref()) {
                let known = counts.iter_mut().find(|(by, of, _)| *by == thread && *of == input);
                let occurrence = match known {
                    Some((_, _, count)) => {
                        *count += 1;
                        *count
                    }
                    None => {
                        counts.push((Rc::clone(&thread), input, 0));
                        0
                    }
                };
                let bits = input_bits(&mut evaluator, value);
                if bits != 0 {
                    let name = self.task.program.inputs[input].name.clone();
                    // A thread that was started in the last turn.
                    if !names.iter().any(|name| **name == *thread) {
                        names.push(thread.to_string());
                    }
                    let thread = thread.to_string();
                    inputs.push(InputValue { name, thread, occurrence, bits: format!("{bits:#x}") });
                }
            }
        }
        let mut schedule = Schedule::of_parts(self.prepared.code.fingerprint(), names, turns, inputs);
        // A thread that was cut off may loop on without ever reaching a step at which the machine can switch.
        schedule.thread_steps = steps;
        schedule
    }
}
