//! Schedules and the machine: what was executed as a [`Schedule`], and a [`Schedule`] executed again.

use heddle_base::Budget;
use heddle_ir::Program;
use heddle_ir::value::{bits_of, truncate};
use heddle_task::{Choice, InputValue, Recording, Schedule, ScheduleError, ThreadId, ThreadNames, Trace};

use crate::code::Code;
use crate::inputs::{Inputs, Reading};
use crate::machine::{Config, ExitMode, Machine};
use crate::render::render;
use crate::run_outcome::{Outcome, run};
use crate::scheduler::Replay;

/// The schedule of choices that were made, with the inputs that were read on the way.
pub fn schedule_of(
    program: &Program,
    code: &Code,
    names: &ThreadNames,
    choices: &[Choice],
    inputs: &Inputs,
) -> Schedule {
    let read = inputs.log().iter().filter(|(_, bits)| *bits != 0);
    let values = read.map(|(reading, bits)| InputValue {
        name: program.inputs[reading.input].name.clone(),
        thread: names.path(reading.thread),
        occurrence: reading.occurrence,
        bits: format!("{bits:#x}"),
    });
    Schedule::new(code.fingerprint(), names, choices, values.collect())
}

/// Gives the inputs the values that a schedule has for them.
pub fn give_inputs(
    schedule: &Schedule,
    program: &Program,
    names: &ThreadNames,
    inputs: &mut Inputs,
) -> Result<(), ScheduleError> {
    for value in &schedule.inputs {
        let wrong = || ScheduleError::Input(format!("`{}` = {}", value.name, value.bits));
        let found = program.inputs.iter_enumerated().find(|(_, input)| input.name == value.name);
        let (input, declared) = found.ok_or_else(wrong)?;
        let digits = value.bits.strip_prefix("0x").ok_or_else(wrong)?;
        let bits = u128::from_str_radix(digits, 16).map_err(|_| wrong())?;
        if truncate(bits, bits_of(declared.ty)) != bits {
            return Err(wrong());
        }
        let thread: ThreadId = names.known(&value.thread).ok_or_else(wrong)?;
        inputs.give(Reading { input, thread, occurrence: value.occurrence }, bits);
    }
    Ok(())
}

/// Executes a schedule with the recorder on, and renders what it did. The execution stops where the schedule does.
pub fn replay(
    program: &Program,
    code: &Code,
    schedule: &Schedule,
    config: Config,
    budget: &Budget,
) -> Result<(Outcome, Trace), ScheduleError> {
    let (outcome, recording) = record(program, code, schedule, config, budget)?;
    Ok((outcome, render(program, &recording)))
}

/// Steps of one turn before it is taken for endless, at first: see [`record`].
const FIRST_TURN_STEPS: u64 = 1 << 22;

/// What the limit is multiplied by.
const MORE_TURN_STEPS: u64 = 64;

/// Executes a schedule with the recorder on.
///
/// A schedule may leave a thread behind in a turn that does not end, while the others go on to the violation. So turns are
/// limited, unless the caller says otherwise: the thread stops there, as if it were never scheduled again. Where that does not
/// lead to a violation the turn may only have been long, and more steps are allowed.
pub fn record(
    program: &Program,
    code: &Code,
    schedule: &Schedule,
    mut config: Config,
    budget: &Budget,
) -> Result<(Outcome, Recording), ScheduleError> {
    if !schedule.fits(code.fingerprint()) {
        return Err(ScheduleError::OtherProgram);
    }
    config.output = true;
    config.limits.thread_steps = config.limits.thread_steps.or(schedule.thread_steps);
    config.exit = ExitMode::Immediate;
    let mut limit = config.limits.turn_steps.is_none().then_some(FIRST_TURN_STEPS);
    loop {
        config.limits.turn_steps = limit.or(config.limits.turn_steps);
        let (result, turn_cut) = record_once(program, code, schedule, config.clone(), budget)?;
        let shown = matches!(&result, Ok((outcome, _)) if outcome.violation().is_some());
        match limit {
            Some(steps) if turn_cut && !shown && budget.check().is_ok() => {
                limit = Some(steps.saturating_mul(MORE_TURN_STEPS));
            }
            Some(_) | None => return result,
        }
    }
}

/// Also whether a turn was cut off.
type Once = (Result<(Outcome, Recording), ScheduleError>, bool);

fn record_once(
    program: &Program,
    code: &Code,
    schedule: &Schedule,
    config: Config,
    budget: &Budget,
) -> Result<Once, ScheduleError> {
    let names = schedule.names()?;
    let runs = schedule.runs(&names)?;
    let mut machine = Machine::new(program, code, config);
    give_inputs(schedule, program, &names, &mut machine.inputs)?;
    machine.set_names(names);
    machine.set_budget(budget.clone());
    machine.start_recording();
    let mut scheduler = Replay::new(runs, schedule.threads.clone());
    let mut made = Vec::new();
    let outcome = match run(&mut machine, &mut scheduler, &mut made) {
        Ok(outcome) => outcome,
        Err(error) => return Ok((Err(error), machine.notes.turn_cut)),
    };
    if scheduler.left() > 0 {
        return Ok((Err(ScheduleError::TooLong { left: scheduler.left() }), machine.notes.turn_cut));
    }
    let recording = machine.finish_recording(&outcome, schedule.clone());
    Ok((Ok((outcome, recording)), machine.notes.turn_cut))
}
