//! Tests that need more than one module: programs in text form, executed.

mod bytecode;
mod machine;
mod recording;
mod schedulers;

use heddle_base::Budget;
use heddle_ir::{PropertySet, Visibility};
use heddle_task::{Schedule, Trace};

use crate::testing::{LOCKS, program};
use crate::*;

/// Runs one execution; its outcome, the choices, and the replayed trace.
pub(crate) fn run_text(text: &str, properties: &str, scheduler: &mut dyn Scheduler) -> (Outcome, Trace) {
    let program = program(text);
    let code = compile(&program, &Visibility::conservative(&program));
    let properties: PropertySet = properties.parse().unwrap();
    let limits = Limits { steps: Some(1_000_000), ..Limits::default() };
    let config = Config { properties, limits, output: true, ..Config::default() };
    let mut machine = Machine::new(&program, &code, config.clone());
    let mut made = Vec::new();
    let outcome = run(&mut machine, scheduler, &mut made).unwrap();
    let schedule = schedule_of(&program, &code, machine.names(), &made, &machine.inputs);
    let schedule = Schedule::parse(&schedule.to_json()).unwrap();
    let (again, trace) = replay(&program, &code, &schedule, config, &Budget::unlimited()).unwrap();
    assert_eq!(format!("{outcome:?}"), format!("{again:?}"), "a replay ends as the execution did");
    (outcome, trace)
}
