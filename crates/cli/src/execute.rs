//! `heddle run` and `heddle replay`: one execution.

use std::path::Path;

use heddle_base::Random;
use heddle_ir::Program;
use heddle_machine::{
    Code, Config, ExitMode, Fallback, First, Halt, Machine, Outcome as ExecOutcome, Pct, RandomScheduler, Scheduler,
    Stream, replay as replay_schedule, run as execute, schedule_of,
};
use heddle_report::{TextOptions, json, text};
use heddle_task::{Schedule, Trace};

use crate::args::{InputArgs, ReplayArgs, RunArgs, Strategy};
use crate::{Outcome, input, limits, native, output};

/// `heddle run`.
pub fn run(args: &RunArgs) -> Outcome {
    let given = match args.schedule.as_deref().map(load_schedule) {
        Some(None) => return Outcome::BadInput,
        given => given.flatten(),
    };
    let loaded = match &given {
        Some(schedule) => matching_program(&args.input, schedule, &args.args),
        None => input::load(&args.input, Some(args.args.clone())).map(with_code),
    };
    let Some((program, code)) = loaded else { return Outcome::BadInput };
    let budget = limits::budget(&args.limits);
    let config = Config {
        properties: crate::boolean::properties_of(&args.input),
        limits: limits::machine(&args.limits),
        exit: ExitMode::Immediate,
        events: false,
        output: true,
    };
    let schedule = match given {
        Some(schedule) => schedule,
        None => {
            let mut machine = Machine::new(&program, &code, config.clone());
            machine.set_budget(budget.clone());
            for (name, values) in &args.inputs {
                if let Err(error) = machine.inputs.give_list(&program, name, values) {
                    eprintln!("error: {error}");
                    return Outcome::BadInput;
                }
            }
            if let Some(seed) = args.seed {
                machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
            }
            let mut scheduler = scheduler(args.strategy, args.seed);
            let mut made = Vec::new();
            let outcome = match execute(&mut machine, scheduler.as_mut(), &mut made) {
                Ok(outcome) => outcome,
                Err(error) => {
                    eprintln!("error: {error}");
                    return Outcome::BadInput;
                }
            };
            let schedule = schedule_of(&program, &code, machine.names(), &made, &machine.inputs);
            // The common case needs no trace.
            if outcome.violation().is_none() && !args.trace && !args.json {
                if !save(args.save_schedule.as_deref(), &schedule) {
                    return Outcome::BadInput;
                }
                output::bytes(&machine.printed(Stream::Out), &machine.printed(Stream::Error));
                return conclude(&outcome, args.exit_status);
            }
            schedule
        }
    };
    if !save(args.save_schedule.as_deref(), &schedule) {
        return Outcome::BadInput;
    }
    let (outcome, trace) = match replay_schedule(&program, &code, &schedule, config, &budget) {
        Ok(done) => done,
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
    };
    if args.json {
        output::answer(&json::execution(&trace));
    } else {
        output::bytes(trace.output.as_bytes(), trace.errors.as_bytes());
        if args.trace {
            eprint!("{}", text::steps(&trace, &TextOptions { all: true, ..TextOptions::default() }));
        }
        if outcome.violation().is_some() {
            eprint!("{}", text::violation(&trace, &TextOptions::default()));
        }
    }
    conclude(&outcome, args.exit_status)
}

/// The scheduler of a strategy; without one, a seed asks for random choices.
fn scheduler(strategy: Option<Strategy>, seed: Option<u64>) -> Box<dyn Scheduler> {
    match (strategy, seed) {
        (Some(Strategy::First), _) | (None, None) => Box::new(First),
        (Some(Strategy::Random) | None, seed) => Box::new(RandomScheduler::new(seed.unwrap_or(0))),
        (Some(Strategy::Pct(depth)), seed) => Box::new(Pct::new(depth, seed.unwrap_or(0))),
    }
}

/// `heddle replay`.
pub fn replay(args: &ReplayArgs) -> Outcome {
    let schedule = match (&args.schedule, args.pair, &args.db) {
        (Some(file), _, _) => load_schedule(file),
        (None, Some(pair), Some(db)) => crate::defuse::schedule_of_pair(db, pair),
        (None, _, _) => None,
    };
    let Some(schedule) = schedule else { return Outcome::BadInput };
    let Some((program, code)) = matching_program(&args.input, &schedule, &args.args) else { return Outcome::BadInput };
    let budget = limits::budget(&args.limits);
    let config = Config {
        properties: crate::boolean::properties_of(&args.input),
        limits: limits::machine(&args.limits),
        exit: ExitMode::Immediate,
        events: false,
        output: true,
    };
    let (outcome, trace) = match replay_schedule(&program, &code, &schedule, config, &budget) {
        Ok(done) => done,
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
    };
    if args.native.native {
        return native::replay(&args.native, &args.input, &trace);
    }
    if args.json {
        output::answer(&json::execution(&trace));
    } else {
        output::answer(&replayed(&trace, args.trace));
    }
    conclude(&outcome, false)
}

fn replayed(trace: &Trace, all: bool) -> String {
    let options = TextOptions { all, ..TextOptions::default() };
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
    let code = input::code(&program);
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
