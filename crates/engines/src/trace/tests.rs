//! Trace-driven verification of small programs in text form: verdicts, executions, the story.

use heddle_base::Budget;
use heddle_ir::Program;
use heddle_machine::Prepared;
use heddle_machine::testing::program;
use heddle_task::{Run, Statistics, Task, Verdict};

use super::{TraceConfig, TraceDriven};
use crate::engine::Engine;
use crate::registry::EngineOptions;

/// What came of a check: the verdict, executions, analyses, and the story.
fn check(program: &Program, inputs: &[(&str, i128)]) -> (String, f64, f64, Vec<String>) {
    let mut task = Task::new(program, "assert,deadlock".parse().unwrap());
    task.domains = inputs.iter().map(|(name, value)| ((*name).to_owned(), vec![*value])).collect();
    let prepared = Prepared::new(&task, &Budget::unlimited()).expect("there are no limits");
    let statistics = Statistics::default();
    let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
    let engine = TraceDriven { config: TraceConfig::from(&EngineOptions::default()) };
    let verdict = match engine.check(&task, &prepared, &run) {
        Verdict::Safe(_) => "safe".to_owned(),
        Verdict::SafeWithin(bounds) => format!("safe within {bounds}"),
        Verdict::Unsafe(found) => format!("unsafe {}", found.violation.property),
        Verdict::Unknown(reason) => format!("unknown {reason}"),
    };
    (verdict, statistics.get("executions"), statistics.get("analyses"), statistics.story())
}

/// Counts to an input: symbolically a loop without end, under one input a few rounds.
const COUNTS: &str = "
    program lp64
    entry main
    input n: i32 nondet
    fn main() {
      regs k: i32, i: i32
      k = havoc n
      i = 0
      head:
      if i == k goto end
      i = i + 1
      goto head
      end:
      assert i == k, assert \"there\"
      return
    }";

#[test]
fn a_loop_that_the_input_decides_needs_no_bound() {
    let program = program(COUNTS);
    let (verdict, executions, analyses, story) = check(&program, &[("n", 1000)]);
    assert_eq!((verdict.as_str(), executions, analyses), ("safe", 1.0, 1.0));
    assert_eq!(story[0], "inputs: n = 1000");
}

/// A thread sees another one's write or not; one of the two ways is wrong, behind a branch that the first execution does
/// not take.
const HIDDEN: &str = "
    program lp64
    entry main
    global x: i32
    fn sets(arg: ptr) {
      store.i32 &x, 1
      return
    }
    fn main() {
      regs seen: i32
      spawn sets(null)
      seen = load.i32 &x
      if seen == 0 goto end
      assert seen == 2, assert \"never\"
      end:
      return
    }";

#[test]
fn a_frontier_guides_the_execution_that_shows_a_violation() {
    let program = program(HIDDEN);
    let (verdict, executions, _, story) = check(&program, &[]);
    assert_eq!((verdict.as_str(), executions), ("unsafe assert", 2.0), "{story:?}");
    assert!(story.iter().any(|line| line.starts_with("execution 2: followed its guide")), "{story:?}");
}

/// A thread waits in a loop for another one's write.
const WAITS: &str = "
    program lp64
    entry main
    global x: i32
    fn sets(arg: ptr) {
      store.i32 &x, 1
      return
    }
    fn main() {
      regs seen: i32
      spawn sets(null)
      again:
      seen = load.i32 &x
      if seen == 0 goto again
      assert seen == 1, assert \"set\"
      return
    }";

#[test]
fn waiting_in_a_loop_comes_to_an_end() {
    let program = program(WAITS);
    let (verdict, .., story) = check(&program, &[]);
    assert_eq!(verdict, "safe within unwind=4", "{story:?}");
    assert!(story.iter().any(|line| line == "loops are followed for 4 rounds from here on"), "{story:?}");
}

/// A loop in which nothing that matters happens does not end, beside a violation.
const ENDLESS: &str = "
    program lp64
    entry main
    global x: i32
    fn counts(arg: ptr) {
      regs i: i32
      again:
      i = i + 1
      goto again
    }
    fn sets(arg: ptr) {
      store.i32 &x, 1
      return
    }
    fn main() {
      regs seen: i32
      spawn counts(null)
      spawn sets(null)
      seen = load.i32 &x
      assert seen == 0, assert \"still\"
      return
    }";

#[test]
fn a_thread_that_never_ends_hides_no_violation() {
    let (verdict, .., story) = check(&program(ENDLESS), &[]);
    assert_eq!(verdict, "unsafe assert", "{story:?}");
}
