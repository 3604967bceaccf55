//! What engines tell of answers within bounds.

use expect_test::{Expect, expect};
use heddle_base::Budget;
use heddle_machine::Prepared;
use heddle_machine::testing::program;
use heddle_task::{Bounds, Run, Statistics, Task, Verdict};

use crate::{EngineOptions, find};

/// What an engine tells: bounds, cuts, the end of `main` and each assertion (`?` where it does not know).
fn told(engine: &str, bounds: &Bounds, text: &str) -> String {
    let program = program(text);
    let task = Task::new(&program, "assert".parse().unwrap()).with_bounds(bounds.clone());
    let prepared = Prepared::new(&task, &Budget::unlimited()).expect("there are no limits");
    let statistics = Statistics::default();
    let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
    let engine = (find(engine).expect("it is registered").make)(&EngineOptions::default());
    let within = match engine.check(&task, &prepared, &run) {
        Verdict::SafeWithin(within) => within,
        other => return format!("{other:?}"),
    };
    let word = |known: Option<bool>| known.map_or("?", |known| if known { "yes" } else { "no" });
    let mut out = format!("{within}; end {}", word(within.reached.end_of_main));
    for assertion in &within.reached.assertions {
        out += &format!("; assertion {}", word(assertion.reached));
    }
    for place in within.cuts.iter().filter_map(|cut| cut.place.as_ref()) {
        out += &format!("; {} {} {}", place.kind.name(), place.name, place.limit);
    }
    out + if within.reached.is_vacuous() { "; vacuous" } else { "" }
}

#[track_caller]
fn check(engines: &[&str], bounds: Bounds, text: &str, expect: Expect) {
    for engine in engines {
        expect.assert_eq(&told(engine, &bounds, text));
    }
}

const SYMBOLIC: [&str; 6] = ["order", "refine", "clock", "lazy", "record", "widen"];

fn unwind(bound: u64) -> Bounds {
    Bounds { unwind: Some(bound), ..Bounds::default() }
}

/// A loop of at least ten rounds, and an assertion behind it.
const TEN_ROUNDS: &str = "
    program lp64
    entry main
    fn main() {
      regs i: i32, n: i32
      n = havoc.i32 n
      if n < 10 goto out
      i = 0
      head:
      if i == n goto end
      i = i + 1
      goto head
      end:
      if 10 <= i goto out
      assert false, assert \"ten\"
      out:
      return
    }";

#[test]
fn an_assertion_behind_the_bound_is_not_reached() {
    check(&SYMBOLIC, unwind(3), TEN_ROUNDS, expect!["unwind=3; end yes; assertion no; loop main.0 3"]);
    check(&SYMBOLIC, unwind(12), TEN_ROUNDS, expect!["unwind=12; end yes; assertion yes; loop main.0 12"]);
}

#[test]
fn a_bound_that_no_execution_survives_is_vacuous() {
    let assumed = TEN_ROUNDS.replace("if n < 10 goto out", "assume 10 <= n");
    check(&SYMBOLIC, unwind(3), &assumed, expect!["unwind=3; end no; assertion no; loop main.0 3; vacuous"]);
    check(&SYMBOLIC, unwind(12), &assumed, expect!["unwind=12; end yes; assertion yes; loop main.0 12"]);
}

#[test]
fn a_loop_that_creates_threads_is_named_so() {
    let text = "
        program lp64
        entry main
        global x: i32 = 0
        fn worker(arg: ptr) {
          store.i32 &x, 1
          return
        }
        fn main() {
          regs i: i32, n: i32
          n = havoc.i32 n
          i = 0
          head:
          if i == n goto end
          spawn worker(null)
          i = i + 1
          goto head
          end:
          return
        }";
    check(&["order", "lazy"], unwind(1), text, expect!["unwind=1; end yes; thread_creation main.0 1"]);
}

#[test]
fn recursion_is_named_by_its_function() {
    let text = "
        program lp64
        entry main
        fn down(k: i32) {
          if k == 0 goto end
          call down(k - 1)
          end:
          return
        }
        fn main() {
          regs n: i32
          n = havoc.i32 n
          call down(n)
          return
        }";
    check(&["order", "lazy"], unwind(2), text, expect!["unwind=2; end yes; recursion down 2"]);
}

#[test]
fn explore_tells_the_same_of_a_bound_on_steps() {
    let text = "
        program lp64
        entry main
        global x: i32 = 0
        fn worker(arg: ptr) {
          store.i32 &x, 1
          return
        }
        fn main() {
          regs i: i32, v: i32
          spawn worker(null)
          i = 0
          first:
          i = i + 1
          if i < 5 goto first
          head:
          v = load.i32 &x
          i = i + 1
          if v <= 1 goto head
          assert false, assert \"one\"
          return
        }";
    let steps = |steps| Bounds { steps: Some(steps), ..Bounds::default() };
    check(&["explore", "lazy"], steps(3), text, expect!["steps=3; end no; assertion no; thread main 3; vacuous"]);
    check(&["explore", "lazy"], steps(30), text, expect!["steps=30; end no; assertion yes; thread main 30"]);
}
