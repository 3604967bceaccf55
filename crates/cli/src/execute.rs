//! `heddle run` and `heddle replay`: one execution.

use std::path::Path;

use heddle::{Budget, EngineOptions, Options, RunOptions, Strategy, program};
use heddle_ir::{Program, PropertySet};
use heddle_machine::{Code, Halt, Outcome as ExecOutcome};
use heddle_report::{TextOptions, json, text};
use heddle_task::{Schedule, Trace};

use crate::args::{InputArgs, LimitArgs, ReplayArgs, RunArgs, Strategy as StrategyArg};
use crate::{Outcome, input, limits, native, output, terminal, watchdog};

/// `heddle run`.
pub fn run(args: &RunArgs) -> Outcome {
    let budget = watched_budget(&args.limits);
    let given = match args.schedule.as_deref().map(load_schedule) {
        Some(None) => return Outcome::BadInput,
        given => given.flatten(),
    };
    let loaded = match &given {
        Some(schedule) => matching_program(&args.input, schedule, &args.args),
        None => input::load(&args.input, Some(args.args.clone())).map(with_code),
    };
    let Some((program, code)) = loaded else { return Outcome::BadInput };
    let options = Options {
        standard_input: standard_input(&program),
        ..options(crate::boolean::properties_of(&args.input), &args.limits, budget)
    };
    let run = RunOptions {
        strategy: strategy(args),
        seed: args.seed,
        inputs: args.inputs.clone(),
        trace: args.trace || args.json,
    };
    let executed = match &given {
        Some(schedule) => program::replay(&program, &code, &options, schedule),
        None => program::run(&program, &code, &options, &run),
    };
    let executed = match executed {
        Ok(executed) => executed,
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
    };
    if !save(args.save_schedule.as_deref(), &executed.schedule) {
        return Outcome::BadInput;
    }
    match &executed.trace {
        Some(trace) if args.json => output::answer(&json::execution(trace)),
        Some(_) | None => output::bytes(&executed.output, &executed.errors),
    }
    if let Some(trace) = executed.trace.as_ref().filter(|_| !args.json) {
        if args.trace {
            eprint!("{}", text::steps(trace, &TextOptions { all: true, ..TextOptions::default() }));
        }
        if executed.outcome.violation().is_some() {
            eprint!("{}", text::violation(trace, &terminal::text_options(false)));
        }
    }
    if let Some(what) = &executed.unsupported {
        eprintln!("error: not supported: {what}");
        return Outcome::Undecided;
    }
    conclude(&executed.outcome, args.exit_status)
}

/// Standard input, of a program that may read it.
fn standard_input(program: &Program) -> Option<std::sync::Arc<[u8]>> {
    if !heddle_machine::reads_input(program) {
        return None;
    }
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).ok()?;
    Some(bytes.into())
}

/// What both commands ask of the library.
fn options(properties: PropertySet, limits: &LimitArgs, budget: Budget) -> Options {
    let engine_options = EngineOptions { limits: limits::machine(limits), ..EngineOptions::default() };
    Options { properties, engine_options, budget, ..Options::default() }
}

/// The limits of the whole command, from its start: reading the program is part of it. What does not stop by itself is stopped.
fn watched_budget(limits: &LimitArgs) -> Budget {
    let budget = limits::budget(limits);
    watchdog::start(&budget, |reason| eprintln!("note: stopped: {reason}"));
    budget
}

/// The strategy that the flags ask for; without one, a seed asks for random choices.
fn strategy(args: &RunArgs) -> Strategy {
    match (args.strategy, args.seed) {
        (Some(StrategyArg::First), _) | (None, None) => Strategy::First,
        (Some(StrategyArg::Random), _) | (None, Some(_)) => Strategy::Random,
        (Some(StrategyArg::Pct(depth)), _) => Strategy::Pct(depth),
    }
}

/// `heddle replay`.
pub fn replay(args: &ReplayArgs) -> Outcome {
    let budget = watched_budget(&args.limits);
    let schedule = match (&args.schedule, args.pair, &args.db) {
        (Some(file), _, _) => load_schedule(file),
        (None, Some(pair), Some(db)) => crate::defuse::schedule_of_pair(db, pair),
        (None, _, _) => None,
    };
    let Some(schedule) = schedule else { return Outcome::BadInput };
    let Some((program, code)) = matching_program(&args.input, &schedule, &args.args) else { return Outcome::BadInput };
    let options = Options {
        standard_input: standard_input(&program),
        ..options(crate::boolean::properties_of(&args.input), &args.limits, budget)
    };
    let executed = match program::replay(&program, &code, &options, &schedule) {
        Ok(executed) => executed,
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
    };
    let trace = executed.trace.as_ref().expect("a replay is recorded");
    if let Some(path) = &args.native.emit_test
        && !native::write_test(path, &args.input, trace)
    {
        return Outcome::BadInput;
    }
    if args.native.native {
        return native::replay(&args.native, &args.input, trace);
    }
    if args.json {
        output::answer(&json::execution(trace));
    } else {
        output::answer(&replayed(trace, args.trace));
    }
    conclude(&executed.outcome, false)
}

fn replayed(trace: &Trace, all: bool) -> String {
    let options = terminal::text_options(all);
    let mut out = text::violation(trace, &options);
    if out.is_empty() {
        out = text::steps(trace, &options);
    }
    out
}

/// A schedule belongs to the program with the arguments it was made with: those of `run` or those of `check`.
fn matching_program(args: &InputArgs, schedule: &Schedule, main_args: &[String]) -> Option<(Program, Code)> {
    let fits = |code: &Code| schedule.program == format!("{:016x}", code.fingerprint());
    let of_run = Some(main_args.to_vec());
    let first = if main_args.is_empty() { None } else { of_run.clone() };
    let (program, code) = with_code(input::load(args, first)?);
    if fits(&code) || !main_args.is_empty() {
        return Some((program, code));
    }
    let silent = InputArgs { no_warnings: true, ..args.clone() };
    let other = with_code(input::load(&silent, of_run)?);
    if fits(&other.1) { Some(other) } else { Some((program, code)) }
}

fn with_code(program: Program) -> (Program, Code) {
    let code = program::code(&program);
    (program, code)
}

fn load_schedule(path: &Path) -> Option<Schedule> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: {}: {error}", path.display());
            return None;
        }
    };
    match Schedule::parse(&text) {
        Ok(schedule) => Some(schedule),
        Err(error) => {
            eprintln!("error: {}: {error}", path.display());
            None
        }
    }
}

/// Saves a schedule where asked; false if that failed.
pub fn save(path: Option<&Path>, schedule: &Schedule) -> bool {
    let Some(path) = path else { return true };
    match output::save(path, &schedule.to_json()) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("error: {}: {error}", path.display());
            false
        }
    }
}

fn conclude(outcome: &ExecOutcome, pass_status: bool) -> Outcome {
    match outcome {
        ExecOutcome::Halted(Halt::Violation(_)) => Outcome::Violation,
        ExecOutcome::Halted(Halt::Exit { status, abort }) => {
            if *abort {
                eprintln!("note: the program aborted");
            } else if *status != 0 {
                eprintln!("note: the program ended with status {status}");
            }
            if pass_status { Outcome::Status(*status as u8) } else { Outcome::Done }
        }
        ExecOutcome::Halted(Halt::Limit(limit)) => {
            eprintln!("note: {limit}");
            Outcome::Undecided
        }
        ExecOutcome::Halted(Halt::Discarded) | ExecOutcome::Discarded => {
            eprintln!("note: an assumption does not hold: this execution does not count");
            Outcome::Done
        }
        ExecOutcome::Finished => Outcome::Done,
    }
}
