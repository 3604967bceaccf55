//! The commands on a program that is compiled already. They use the caller's stack.

use std::time::Instant;

use heddle_base::Random;
use heddle_encode::Formula;
use heddle_encode::describe::View;
use heddle_engines::{Order, check_without_guesses, shorten};
use heddle_ir::show::{
    ShowOptions as ListOptions, cfg_dot, cfg_text, loops_text, shared_text, threads_dot, threads_text,
};
use heddle_ir::text::{PrintOptions, print_with};
use heddle_ir::{Analysis, Program, Property, Visibility};
use heddle_machine::{
    Code, Config, ExitMode, Fallback, First, Machine, Outcome, Pct, PrepareError, Prepared, RandomScheduler, Scheduler,
    Stream, schedule_of,
};
use heddle_solver::Terms;
use heddle_symbolic::unwind::{Addressing, Knowledge, UnwindConfig, unwind};
use heddle_task::{
    Answer, Counterexample, Progress, Reason, Run, Schedule, Statistics, Task, Trace, Verdict, Violation, Warning,
};

use crate::{Error, Options};

/// What the options ask about a program.
pub fn task<'p>(program: &'p Program, options: &Options) -> Task<'p> {
    // What is assumed is not checked.
    let properties = options.properties.iter().filter(|&property| !options.assumed.contains(property)).collect();
    Task {
        assumed: options.assumed,
        unwindset: options.unwindset.clone(),
        domains: options.domains.clone(),
        ..Task::new(program, properties).with_bounds(options.bounds.clone())
    }
}

/// Checks all interleavings.
pub fn check(program: &Program, options: &Options, progress: &dyn Fn(&Progress)) -> Result<Answer, Error> {
    let (begin, statistics) = (Instant::now(), Statistics::default());
    let task = task(program, options);
    let engine = (options.engine.make)(&options.engine_options);
    let prepared = Prepared::new(&task, &options.budget);
    statistics.set("seconds.analyse", begin.elapsed().as_secs_f64());
    let (verdict, warnings) = match &prepared {
        Ok(prepared) => {
            let run = Run { budget: options.budget.clone(), progress, statistics: &statistics };
            let mut verdict = if options.allow_guesses {
                engine.check(&task, prepared, &run)
            } else {
                check_without_guesses(&*engine, &task, prepared, &run)
            };
            if let (Verdict::Unsafe(found), true) = (&mut verdict, options.shorten) {
                shorten_all(&task, prepared, found, &run);
            }
            let warnings = warnings(options, &task, prepared, &verdict, progress);
            (verdict, warnings)
        }
        Err(PrepareError::Input(error)) => return Err(Error::Option(error.to_string())),
        Err(PrepareError::Stopped(stop)) => (Verdict::Unknown((*stop).into()), Vec::new()),
    };
    statistics.set("seconds.check", begin.elapsed().as_secs_f64());
    let mut answer = Answer::new(options.engine.name, verdict);
    answer.engine = statistics.decided_by().unwrap_or(options.engine.name).to_owned();
    answer.warnings = warnings;
    answer.statistics = statistics.all();
    answer.story = statistics.story();
    Ok(answer)
}

/// Makes the executions of a violation, and of others that were found with it, as short as they can be made soon.
fn shorten_all(task: &Task<'_>, prepared: &Prepared, found: &mut Counterexample, run: &Run<'_>) {
    let begin = Instant::now();
    let before = found.schedule.turns.len();
    shorten(task, &prepared.code, found, &run.budget);
    run.statistics.set("shortened", before.saturating_sub(found.schedule.turns.len()) as f64);
    for other in &mut found.others {
        shorten(task, &prepared.code, other, &run.budget);
    }
    run.statistics.set("seconds.shorten", begin.elapsed().as_secs_f64());
}

/// What was asked for beside violations. Lock orders that deadlock are violations, and were reported.
fn warnings(
    options: &Options,
    task: &Task<'_>,
    prepared: &Prepared,
    verdict: &Verdict,
    progress: &dyn Fn(&Progress),
) -> Vec<Warning> {
    if !options.warn_lock_order {
        return Vec::new();
    }
    let run = Run { budget: options.budget.clone(), progress, statistics: &Statistics::default() };
    let order = Order { config: (&options.engine_options).into() };
    let mut found = match order.lock_order(task, prepared, &run) {
        Ok(found) => found,
        Err(reason) => {
            let message = format!("lock orders were not looked at: {reason}");
            return vec![Warning { name: "lock-order".to_owned(), message, details: Vec::new() }];
        }
    };
    let all = match verdict {
        Verdict::Unsafe(first) => std::iter::once(&**first).chain(&first.others).collect(),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Vec::new(),
    };
    let deadlocks: Vec<&Violation> =
        all.into_iter().map(|one| &one.violation).filter(|one| one.property == Property::Deadlock).collect();
    found.retain(|warning| {
        // Every second detail tells where a thread would wait.
        let waits = || warning.details.iter().skip(1).step_by(2);
        let there = |deadlock: &Violation, loc| deadlock.details.iter().any(|detail| detail.loc == loc);
        !deadlocks.iter().any(|deadlock| waits().all(|wait| there(deadlock, wait.loc)))
    });
    found
}

/// How one execution chooses threads and inputs.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The strategy.
    pub strategy: Strategy,
    /// The seed of random choices; with one, inputs without a value are random, too.
    pub seed: Option<u64>,
    /// Values of inputs, by name, in the order in which they are read.
    pub inputs: Vec<(String, Vec<i128>)>,
    /// Whether a trace is wanted of an execution without a violation.
    pub trace: bool,
}

/// How threads are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// A thread runs until it blocks or ends.
    #[default]
    First,
    /// At random.
    Random,
    /// Probabilistic concurrency testing of this depth.
    Pct(u32),
}

/// One execution.
#[derive(Debug)]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// How to repeat it.
    pub schedule: Schedule,
    /// All of it; always there if a property is violated, else if it was asked for.
    pub trace: Option<Trace>,
    /// What the program printed to standard output.
    pub output: Vec<u8>,
    /// What it printed to standard error.
    pub errors: Vec<u8>,
    /// What a thread came to that cannot be executed, and where; that thread went no further.
    pub unsupported: Option<String>,
}

/// The bytecode of a program, as all commands compile it.
pub fn code(program: &Program) -> Code {
    heddle_machine::compile(program, &Visibility::analysed(program, &Analysis::new(program).sharing))
}

/// How the machine executes programs for `run` and `replay`.
pub fn machine_config(options: &Options) -> Config {
    Config {
        properties: options.properties,
        limits: options.engine_options.limits.clone(),
        exit: ExitMode::Immediate,
        events: false,
        output: true,
        standard_input: options.standard_input.clone(),
    }
}

/// Executes a program once. `code` is that of [`code`].
pub fn run(program: &Program, code: &Code, options: &Options, run: &RunOptions) -> Result<Execution, Error> {
    let mut machine = Machine::new(program, code, machine_config(options));
    machine.set_budget(options.budget.clone());
    for (name, values) in &run.inputs {
        machine.inputs.give_list(program, name, values).map_err(|error| Error::Option(error.to_string()))?;
    }
    if let Some(seed) = run.seed {
        machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
    }
    let seed = run.seed.unwrap_or(0);
    let mut scheduler: Box<dyn Scheduler> = match run.strategy {
        Strategy::First => Box::new(First),
        Strategy::Random => Box::new(RandomScheduler::new(seed)),
        Strategy::Pct(depth) => Box::new(Pct::new(depth, seed)),
    };
    let mut made = Vec::new();
    let outcome = heddle_machine::run(&mut machine, scheduler.as_mut(), &mut made)
        .map_err(|error| Error::Schedule(error.to_string()))?;
    let schedule = schedule_of(program, code, machine.names(), &made, &machine.inputs);
    let unsupported = machine
        .notes()
        .unsupported
        .as_deref()
        .map(|what| format!("{} ({})", what.message, program.sources.display(what.loc)));
    if outcome.violation().is_some() || run.trace {
        return Ok(Execution { unsupported, ..replay(program, code, options, &schedule)? });
    }
    let (output, errors) = (machine.printed(Stream::Out), machine.printed(Stream::Error));
    Ok(Execution { outcome, schedule, trace: None, output: output.to_vec(), errors: errors.to_vec(), unsupported })
}

/// Executes a stored schedule again and records it.
pub fn replay(program: &Program, code: &Code, options: &Options, schedule: &Schedule) -> Result<Execution, Error> {
    let replayed = heddle_machine::replay(program, code, schedule, machine_config(options), &options.budget);
    let (outcome, trace) = replayed.map_err(|error| Error::Schedule(error.to_string()))?;
    let (output, errors) = (trace.output.clone().into_bytes(), trace.errors.clone().into_bytes());
    Ok(Execution { outcome, schedule: schedule.clone(), trace: Some(trace), output, errors, unsupported: None })
}

/// What to show of a program.
#[derive(Clone, Debug)]
pub struct ShowOptions {
    /// What.
    pub what: What,
    /// For Graphviz instead of as text: control flow, threads and events.
    pub dot: bool,
    /// Iterations of each loop, for events.
    pub unwind: u64,
    /// Also what comes from library models, and functions that are never called.
    pub all: bool,
    /// With source places.
    pub locations: bool,
}

impl ShowOptions {
    /// As text, in short.
    pub fn new(what: What) -> Self {
        ShowOptions { what, dot: false, unwind: 1, all: false, locations: true }
    }
}

/// Views of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The goto program.
    Goto,
    /// Control flow graphs.
    Cfg,
    /// Loops with their names.
    Loops,
    /// Threads, who starts them, and which run at once.
    Threads,
    /// Objects and accesses that threads share.
    Shared,
    /// The event graph.
    Events,
}

/// What the verifier sees of a program, as text.
pub fn show(program: &Program, options: &Options, show: &ShowOptions) -> Result<String, Error> {
    let list = ListOptions { models: show.all, unreachable: show.all };
    Ok(match show.what {
        What::Goto => {
            let base = if show.all { PrintOptions::FULL } else { PrintOptions::SHOW };
            print_with(program, PrintOptions { locations: show.locations, ..base })
        }
        What::Cfg if show.dot => cfg_dot(program, list),
        What::Cfg => cfg_text(program, list),
        What::Loops => loops_text(program, list),
        What::Threads if show.dot => threads_dot(program, &Analysis::new(program)),
        What::Threads => threads_text(program, &Analysis::new(program)),
        What::Shared => shared_text(program, &Analysis::new(program), list),
        What::Events => events(program, options, show)?,
    })
}

/// Steps after which unwinding for [`What::Events`] gives up: nobody reads more.
const MAX_STEPS: u64 = 200_000;

/// The event graph, as text or for Graphviz.
fn events(program: &Program, options: &Options, show: &ShowOptions) -> Result<String, Error> {
    let stopped = |stop| Error::Stopped(Reason::from(stop).to_string());
    let visibility = Visibility::analysed(program, &Analysis::new(program).sharing);
    let config = UnwindConfig {
        unwind: show.unwind,
        unwindset: Vec::new(),
        properties: options.properties,
        max_steps: MAX_STEPS,
        thread_steps: None,
        deadlocks: options.properties.contains(Property::Deadlock),
        domains: Vec::new(),
    };
    let (mut terms, mut knowledge, budget) = (Terms::new(), Knowledge::new(program), &options.budget);
    let mut unwinding = unwind(program, &visibility, &config, &mut knowledge, &mut terms, budget).map_err(stopped)?;
    let mut targets = std::mem::take(&mut unwinding.targets);
    let mut at = Addressing { terms: &mut terms, knowledge: &knowledge, targets: &mut targets, model: program.model };
    let formula = Formula::new(&mut unwinding, &mut at, false, budget).map_err(stopped)?;
    let mut view = View::new(program, &unwinding, &formula, at);
    Ok(if show.dot { view.dot() } else { view.text() })
}
