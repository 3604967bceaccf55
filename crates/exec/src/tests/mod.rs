//! Tests that need more than one module: programs in text form, executed.

mod explore;
mod machine;
mod operators;
mod unwind;

use heddle_base::Budget;
use heddle_ir::text::parse;
use heddle_ir::{Program, PropertySet};

use crate::*;

/// A program from its text form.
pub(crate) fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

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
    let schedule = Schedule::new(&program, &code, machine.names(), &made, &machine.inputs);
    let schedule = Schedule::parse(&schedule.to_json()).unwrap();
    let (again, trace) = replay(&program, &code, &schedule, config, &Budget::unlimited()).unwrap();
    assert_eq!(format!("{outcome:?}"), format!("{again:?}"), "a replay ends as the execution did");
    (outcome, trace)
}

/// The outcome in one line.
pub(crate) fn show_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Halted(Halt::Violation(violation)) => format!("{}: {}", violation.property, violation.message),
        Outcome::Halted(Halt::Exit { status, abort: false }) => format!("exit {status}"),
        Outcome::Halted(Halt::Exit { abort: true, .. }) => "abort".to_owned(),
        Outcome::Halted(Halt::Limit(limit)) => limit.to_string(),
        Outcome::Halted(Halt::Discarded) | Outcome::Discarded => "discarded".to_owned(),
        Outcome::Finished => "finished".to_owned(),
    }
}

/// Locks as the models write them: the owner's number in the first integer.
pub(crate) const LOCKS: &str = "
    fn lock(m: ptr) {
      atomic_begin model
      o = load.i32.plain.internal m
      await o == 0, mutex m
      store.i32.plain.internal m, self
      sync hold mutex m
      atomic_end
      return
    }
    fn unlock(m: ptr) {
      atomic_begin model
      sync unhold mutex m
      store.i32.plain.internal m, 0
      atomic_end
      return
    }
    fn wait_for(flag: ptr, n: i32) {
      atomic_begin model
      o = load.i32.plain.internal flag
      await o == n, join flag
      sync acquire join flag
      atomic_end
      return
    }
    fn done(flag: ptr) {
      atomic_begin model
      sync release join flag
      o = load.i32.plain.internal flag
      store.i32.plain.internal flag, o + 1
      atomic_end
      return
    }
";
