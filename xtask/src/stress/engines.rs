//! The engines that must agree, and what their answers are.

use std::time::Duration;

use heddle_base::Budget;
use heddle_base::Random;
use heddle_engines::{Clock, ContextsConfig, Lazy, Order, Record, Refine, Widen};
use heddle_engines::{Explore, ExploreConfig, Reduction};
use heddle_ir::Property;
use heddle_ir::Visibility;
use heddle_ir::analysis::Analysis;
use heddle_machine::{Config, ExitMode, Fallback, Limits, Machine, Outcome, RandomScheduler, replay, schedule_of};
use heddle_task::{Bounds, Choice, Engine, Progress, Reason, Run, Schedule, Statistics, Task, ThreadId, Verdict};

/// Executions after which a search gives up.
const MAX_EXECUTIONS: u64 = 20_000;
/// Steps of one execution.
const MAX_STEPS: u64 = 20_000;
/// Random schedules for each task.
const RANDOM_SCHEDULES: u64 = 200;
/// Spurious wake-ups of each thread that `explore` considers.
const MAX_SPURIOUS: u32 = 1;

/// What an engine's answers are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// It decides: the answer must be that of the first engine.
    Complete,
    /// It decides what it supports, with all spurious wake-ups and all inputs; where it gives up it says so.
    Symbolic,
    /// What it finds is there; it says nothing of what it does not find.
    Finds,
}

/// An engine: its name, what its answers are worth, and how it is asked.
pub struct Row {
    /// The name for `--engines`.
    pub name: &'static str,
    /// What its answers are worth.
    pub strength: Strength,
    /// Asks it.
    pub check: fn(&Task<'_>) -> Verdict,
}

/// All engines. The first is the judge: it executes every schedule, step by step, and looks at nothing else.
pub const ENGINES: &[Row] = &[
    Row { name: "dfs", strength: Strength::Complete, check: |task| explore(task, Reduction::None) },
    Row { name: "sleep", strength: Strength::Complete, check: |task| explore(task, Reduction::Sleep) },
    Row { name: "explore", strength: Strength::Complete, check: |task| explore(task, Reduction::Source) },
    // What the analysis of sharing hides from the others is visible here.
    Row { name: "unanalysed", strength: Strength::Complete, check: unanalysed },
    Row { name: "order", strength: Strength::Symbolic, check: |task| symbolic(task, &Order::default()) },
    Row { name: "refine", strength: Strength::Symbolic, check: |task| symbolic(task, &Refine::default()) },
    Row { name: "clock", strength: Strength::Symbolic, check: |task| symbolic(task, &Clock::default()) },
    Row { name: "lazy", strength: Strength::Symbolic, check: |task| symbolic(task, &Lazy { config: contexts(task) }) },
    Row { name: "unreduced", strength: Strength::Symbolic, check: unreduced },
    Row {
        name: "record",
        strength: Strength::Symbolic,
        check: |task| symbolic(task, &Record { config: contexts(task) }),
    },
    Row {
        name: "widen",
        strength: Strength::Symbolic,
        check: |task| symbolic(task, &Widen { config: contexts(task) }),
    },
    Row { name: "random", strength: Strength::Finds, check: random },
];

/// What an engine says, as far as engines can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Proved.
    Safe,
    /// Nothing within these bounds.
    Within(String),
    /// A violation of this property, confirmed.
    Unsafe(Property),
    /// Undecided, and the word for it.
    Unknown(String),
    /// Too many executions or steps: no answer to compare.
    TooLarge,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Safe(_) => Answer::Safe,
            Verdict::SafeWithin(bounds) => Answer::Within(bounds.to_string()),
            Verdict::Unsafe(found) => Answer::Unsafe(found.violation.property),
            Verdict::Unknown(Reason::Cancelled | Reason::Time | Reason::Limit(_)) => Answer::TooLarge,
            Verdict::Unknown(Reason::Unconfirmed(why)) => Answer::Unknown(format!("unconfirmed: {why}")),
            Verdict::Unknown(reason) => {
                let text = reason.to_string();
                Answer::Unknown(text.split(':').next().unwrap_or(&text).to_owned())
            }
        }
    }
}

fn explore(task: &Task<'_>, reduction: Reduction) -> Verdict {
    explore_with(task, reduction, &Visibility::analysed(task.program, &Analysis::new(task.program).sharing))
}

fn unanalysed(task: &Task<'_>) -> Verdict {
    explore_with(task, Reduction::Source, &Visibility::conservative(task.program))
}

fn explore_with(task: &Task<'_>, reduction: Reduction, visibility: &Visibility) -> Verdict {
    let limits = Limits { steps: Some(MAX_STEPS), ..Limits::default() };
    // The judge answers sooner without.
    let all = reduction == Reduction::Source;
    let config = ExploreConfig { reduction, limits, max_spurious: MAX_SPURIOUS, all, ..ExploreConfig::default() };
    let budget = Budget::unlimited();
    let stop = |progress: &Progress| {
        if progress.done >= MAX_EXECUTIONS {
            budget.cancel();
        }
    };
    let statistics = Statistics::default();
    let run = Run { budget: budget.clone(), progress: &stop, statistics: &statistics };
    Explore { config }.check_with(task, &run, visibility)
}

/// How long an engine that solves formulas may take: small programs are answered in far less, or never, if they loop for ever.
const SYMBOLIC_TIME: Duration = Duration::from_millis(400);

fn symbolic(task: &Task<'_>, engine: &dyn Engine) -> Verdict {
    let statistics = Statistics::default();
    let budget = Budget::unlimited().with_time(SYMBOLIC_TIME);
    engine.check(task, &Run { budget, progress: &|_| {}, statistics: &statistics })
}

/// The context-bounded engines have the task's bound, if it has one.
fn contexts(task: &Task<'_>) -> ContextsConfig {
    let Bounds { contexts, choices, .. } = task.bounds;
    ContextsConfig { contexts, choices, max_spurious: MAX_SPURIOUS, all: true, ..ContextsConfig::default() }
}

/// `lazy` without reduction.
fn unreduced(task: &Task<'_>) -> Verdict {
    symbolic(task, &Lazy { config: ContextsConfig { reduction: false, ..contexts(task) } })
}

/// Executes random schedules. Each violation is executed again from its schedule as it would be stored in a file.
fn random(task: &Task<'_>) -> Verdict {
    let code = heddle_machine::compile(task.program, &Visibility::conservative(task.program));
    let config = Config {
        properties: task.properties,
        limits: Limits { steps: Some(MAX_STEPS), ..Limits::default() },
        exit: ExitMode::Immediate,
        events: false,
        output: false,
    };
    for seed in 0..RANDOM_SCHEDULES {
        let mut machine = Machine::new(task.program, &code, config.clone());
        machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
        let mut made = Vec::new();
        let outcome = match heddle_machine::run(&mut machine, &mut RandomScheduler::new(seed), &mut made) {
            Ok(outcome) => outcome,
            Err(error) => return Verdict::Unknown(Reason::Unconfirmed(format!("random scheduler: {error}"))),
        };
        let Some(violation) = outcome.violation() else { continue };
        if exceeds_spurious(&made) {
            continue;
        }
        let stored = schedule_of(task.program, &code, machine.names(), &made, &machine.inputs).to_json();
        let unconfirmed = |why: String| Verdict::Unknown(Reason::Unconfirmed(format!("seed {seed}: {why}")));
        let schedule = match Schedule::parse(&stored) {
            Ok(schedule) => schedule,
            Err(error) => return unconfirmed(error.to_string()),
        };
        return match replay(task.program, &code, &schedule, config, &Budget::unlimited()) {
            Ok((again, trace)) if again.violation() == Some(violation) => {
                let violation = violation.clone();
                let others = Vec::new();
                Verdict::Unsafe(Box::new(heddle_task::Counterexample { violation, schedule, trace, others }))
            }
            Ok((again, _)) => unconfirmed(format!("{}, but replay: {}", violation.message, ending(&again))),
            Err(error) => unconfirmed(error.to_string()),
        };
    }
    Verdict::Unknown(Reason::Limit(format!("{RANDOM_SCHEDULES} schedules")))
}

fn exceeds_spurious(made: &[Choice]) -> bool {
    let mut wakes: std::collections::BTreeMap<ThreadId, u32> = std::collections::BTreeMap::new();
    for choice in made.iter().filter(|choice| choice.spurious) {
        *wakes.entry(choice.thread).or_default() += 1;
    }
    wakes.values().any(|&count| count > MAX_SPURIOUS)
}

fn ending(outcome: &Outcome) -> String {
    outcome.violation().map_or_else(|| format!("{outcome:?}"), |violation| violation.message.clone())
}
