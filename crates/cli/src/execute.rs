//! `heddle run` and `heddle replay`: one execution.

use std::path::Path;

use heddle_exec::{
    Code, Config, ExitMode, Fallback, First, Halt, Machine, Outcome as ExecOutcome, Random, RandomScheduler, Schedule,
    Scheduler, Trace, replay as replay_schedule, run as execute,
};
use heddle_ir::Program;
use heddle_report::{TextOptions, json, text};

use crate::args::{ReplayArgs, RunArgs};
use crate::{Outcome, input, limits, output};

/// `heddle run`.
pub fn run(args: &RunArgs) -> Outcome {
    let Some(program) = input::load(&args.input, Some(args.args.clone())) else { return Outcome::BadInput };
    let code = input::code(&program);
    let budget = limits::budget(&args.limits);
    let config = Config {
        properties: args.input.properties,
        limits: limits::machine(&args.limits),
        exit: ExitMode::Immediate,
        events: false,
        output: true,
    };
    let schedule = match &args.schedule {
        Some(path) => match load_schedule(path) {
            Some(schedule) => schedule,
            None => return Outcome::BadInput,
        },
        None => {
            let mut machine = Machine::new(&program, &code, config.clone());
            machine.set_budget(budget.clone());
            for (name, values) in &args.inputs {
                if let Err(error) = machine.inputs.give_list(&program, name, values) {
                    eprintln!("error: {error}");
                    return Outcome::BadInput;
                }
            }
            let mut scheduler: Box<dyn Scheduler> = match args.seed {
                Some(seed) => {
                    machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
                    Box::new(RandomScheduler::new(seed))
                }
                None => Box::new(First),
            };
            let mut made = Vec::new();
            let outcome = match execute(&mut machine, scheduler.as_mut(), &mut made) {
                Ok(outcome) => outcome,
                Err(error) => {
                    eprintln!("error: {error}");
                    return Outcome::BadInput;
                }
            };
            let schedule = Schedule::new(&program, &code, machine.names(), &made, &machine.inputs);
            // The common case needs no trace.
            if outcome.violation().is_none() && !args.trace && !args.json {
                if !save(args.save_schedule.as_deref(), &schedule) {
                    return Outcome::BadInput;
                }
                output::answer(&String::from_utf8_lossy(machine.output()));
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
        output::answer(&trace.output);
        if args.trace {
            eprint!("{}", text::steps(&trace, &TextOptions { all: true, ..TextOptions::default() }));
        }
        if outcome.violation().is_some() {
            eprint!("{}", text::violation(&trace, &TextOptions::default()));
        }
    }
    conclude(&outcome, args.exit_status)
}

/// `heddle replay`.
pub fn replay(args: &ReplayArgs) -> Outcome {
    let Some(schedule) = load_schedule(&args.schedule) else { return Outcome::BadInput };
    let main_args = (!args.args.is_empty()).then(|| args.args.clone());
    let Some((program, code)) = matching_program(args, &schedule, main_args) else { return Outcome::BadInput };
    let budget = limits::budget(&args.limits);
    let config = Config {
        properties: args.input.properties,
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
fn matching_program(args: &ReplayArgs, schedule: &Schedule, main_args: Option<Vec<String>>) -> Option<(Program, Code)> {
    let fits = |code: &Code| schedule.program == format!("{:016x}", code.fingerprint());
    let program = input::load(&args.input, main_args.clone())?;
    let code = input::code(&program);
    if fits(&code) || main_args.is_some() {
        return Some((program, code));
    }
    let silent = crate::args::InputArgs { no_warnings: true, ..args.input.clone() };
    let with_none = input::load(&silent, Some(Vec::new()))?;
    let other = input::code(&with_none);
    if fits(&other) { Some((with_none, other)) } else { Some((program, code)) }
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
