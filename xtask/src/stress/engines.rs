//! The engines that must agree, and what their answers are.

use std::sync::LazyLock;
use std::time::Duration;

use heddle_base::Budget;
use heddle_base::Random;
use heddle_engines::{
    ENGINES, Engine, EngineOptions, EngineRow, Explore, ExploreConfig, Flag, Proves, Reduction, find,
};
use heddle_ir::{Property, Visibility};
use heddle_machine::{
    Config, ExitMode, Fallback, Limits, Machine, Outcome, PrepareError, Prepared, RandomScheduler, replay, schedule_of,
};
use heddle_task::{Choice, Progress, Reason, Run, Schedule, Statistics, Task, ThreadId, Verdict};

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
    /// The flags that bound it, as for `heddle check`.
    pub flags: &'static [Flag],
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    /// As the registry makes it.
    Registered(&'static EngineRow),
    /// A variant for testing.
    Own(fn(&Task<'_>) -> Verdict),
}

impl Row {
    /// Asks the engine.
    pub fn check(&self, task: &Task<'_>) -> Verdict {
        match self.how {
            How::Registered(row) if row.proves == Proves::AllExecutions => explore(task, Reduction::Source),
            How::Registered(row) => {
                registered(row, task, &EngineOptions { all: in_tree(row), ..EngineOptions::default() })
            }
            How::Own(check) => check(task),
        }
    }
}

/// Variants for testing. The first is the judge: it executes every schedule, step by step, and looks at nothing else.
const VARIANTS: [Row; 5] = [
    variant("dfs", Strength::Complete, &[Flag::Contexts], |task| explore(task, Reduction::None)),
    variant("sleep", Strength::Complete, &[], |task| explore(task, Reduction::Sleep)),
    // What the analysis of sharing hides from the others is visible here.
    variant("unanalysed", Strength::Complete, &[], unanalysed),
    variant("unreduced", Strength::Symbolic, &[Flag::Contexts, Flag::Choices], unreduced),
    variant("random", Strength::Finds, &[], random),
];

const fn variant(
    name: &'static str,
    strength: Strength,
    flags: &'static [Flag],
    check: fn(&Task<'_>) -> Verdict,
) -> Row {
    Row { name, strength, flags, how: How::Own(check) }
}

/// All engines: the variants and those of the registry that do not ask others.
pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    // One that only proves has its own oracles: `corpus/` and the benchmark set. One that only finds is the variant `random`.
    let alone = |row: &&EngineRow| !matches!(row.proves, Proves::AsOthers | Proves::Invariant | Proves::Nothing);
    let registered = ENGINES.iter().filter(alone).map(|row| {
        let strength = match row.proves {
            Proves::AllExecutions => Strength::Complete,
            Proves::CompleteUnrolling | Proves::AllInterleavings | Proves::Invariant | Proves::AsOthers => {
                Strength::Symbolic
            }
            Proves::Nothing => Strength::Finds,
        };
        // The judge executes every schedule where switches are bounded, and so would this one.
        let flags = if strength == Strength::Complete { &[] } else { row.flags };
        Row { name: row.name, strength, flags, how: How::Registered(row) }
    });
    VARIANTS.into_iter().chain(registered).collect()
});

/// Whether an engine searches the tree of interleavings.
fn in_tree(row: &EngineRow) -> bool {
    row.proves == Proves::AllInterleavings
}

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
    explore_with(task, reduction, Prepared::new)
}

fn unanalysed(task: &Task<'_>) -> Verdict {
    explore_with(task, Reduction::Source, Prepared::conservative)
}

type Prepare = fn(&Task<'_>, &Budget) -> Result<Prepared, PrepareError>;

fn explore_with(task: &Task<'_>, reduction: Reduction, prepare: Prepare) -> Verdict {
    let limits = Limits { steps: Some(MAX_STEPS), ..Limits::default() };
    // The judge answers sooner without.
    let all = reduction == Reduction::Source;
    let config = ExploreConfig { reduction, limits, all, ..ExploreConfig::default() };
    let budget = Budget::unlimited();
    let stop = |progress: &Progress| {
        if progress.done >= MAX_EXECUTIONS {
            budget.cancel();
        }
    };
    let statistics = Statistics::default();
    let run = Run { budget: budget.clone(), progress: &stop, statistics: &statistics };
    let task = few_wakeups(task);
    match prepare(&task, &budget) {
        Ok(prepared) => Explore { config }.check(&task, &prepared, &run),
        Err(error) => Verdict::Unknown(error.into()),
    }
}

fn few_wakeups<'p>(task: &Task<'p>) -> Task<'p> {
    let mut task = task.clone();
    task.bounds.spurious = Some(u64::from(MAX_SPURIOUS));
    task
}

/// How long an engine that solves formulas may take: small programs are answered in far less, or never, if they loop for ever.
const SYMBOLIC_TIME: Duration = Duration::from_millis(400);

fn registered(row: &EngineRow, task: &Task<'_>, options: &EngineOptions) -> Verdict {
    let statistics = Statistics::default();
    let budget = Budget::unlimited().with_time(SYMBOLIC_TIME);
    let task = few_wakeups(task);
    match Prepared::new(&task, &budget) {
        Ok(prepared) => {
            let run = Run { budget, progress: &|_| {}, statistics: &statistics };
            (row.make)(options).check(&task, &prepared, &run)
        }
        Err(error) => Verdict::Unknown(error.into()),
    }
}

/// `lazy` without reduction.
fn unreduced(task: &Task<'_>) -> Verdict {
    let lazy = find("lazy").expect("it is in the registry");
    registered(lazy, task, &EngineOptions { all: true, reduction: false, ..EngineOptions::default() })
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
        standard_input: None,
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
