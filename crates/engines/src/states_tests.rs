//! States: verdicts, numbers of states, whole states against hashed ones, and the ends of random programs against [`Explore`].

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use heddle_base::{Budget, Random};
use heddle_ir::{Program, PropertySet};
use heddle_machine::testing::{LOCKS, program, random_text};
use heddle_task::Statistics;

use super::*;
use crate::{Explore, ExploreConfig, Reduction};

fn answer(program: &Program, properties: &str, exact: bool) -> String {
    let task = Task::new(program, properties.parse().unwrap());
    let prepared = Prepared::new(&task, &Budget::unlimited()).expect("there are no limits");
    let statistics = Statistics::default();
    let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
    let config = StatesConfig { exact, ..StatesConfig::default() };
    let verdict = match (States { config }).check(&task, &prepared, &run) {
        Verdict::Unsafe(found) => format!("UNSAFE {}", found.violation.property),
        Verdict::Safe(_) => "SAFE".to_owned(),
        Verdict::SafeWithin(bounds) => format!("SAFE WITHIN {bounds}"),
        Verdict::Unknown(reason) => format!("UNKNOWN {reason}"),
    };
    format!("{verdict}, {} states", statistics.get("states.states"))
}

fn check(text: &str, properties: &str, expect: Expect) {
    let program = program(text);
    let hashed = answer(&program, properties, false);
    assert_eq!(hashed, answer(&program, properties, true), "whole states");
    expect.assert_eq(&hashed);
}

/// A thread that spins until another one lets it, any number of rounds.
fn spinning(round: &str, wait: &str) -> String {
    format!(
        "global x: i32 = 0
        global y: i32 = 0
        fn worker(arg: ptr) {{
        again:
          {round}
          v = load.i32 &x
          if v == 0 goto again
          store.i32 &y, 1
          return
        }}
        fn main() {{
          spawn worker(null)
          store.i32 &x, 1
        wait:
          {wait}
          v = load.i32 &y
          if v == 0 goto wait
          w = load.i32 &x
          assert w == 1, assert \"x\"
          exit 0
        }}"
    )
}

#[test]
fn loops_that_wait_need_no_bound() {
    check(&spinning("skip", "skip"), "default", expect!["SAFE, 7 states"]);
    check(&spinning("store.i32 &y, 0", "skip"), "default", expect!["SAFE, 9 states"]);
    check(&spinning("store.i32 &x, 0", "skip"), "default", expect!["SAFE, 12 states"]);
}

#[test]
fn inputs_that_are_compared_are_split() {
    let with = |rest: &str| {
        format!(
            "global x: i32 = 0
            fn main() {{
              v = havoc.i32 n
              w = v
              if w < 7 goto small
              store.i32 &x, 1
            small:
              u = load.i32 &x
              {rest}
              exit 0
            }}"
        )
    };
    check(&with("assert u == 0 | v != 6, assert \"x\""), "default", expect!["SAFE, 4 states"]);
    check(&with("assert u == 0 | v != 7, assert \"x\""), "default", expect!["UNSAFE assert, 2 states"]);
    check(
        &with("assert u == 0 | v + 1 != 7, assert \"x\""),
        "default",
        expect!["UNKNOWN inputs: only one value of `n` was tried, 2 states"],
    );
}

#[test]
fn deadlocks_are_found_in_states() {
    let text = format!(
        "{LOCKS}
        global a: i32 = 0
        global b: i32 = 0
        fn worker(arg: ptr) {{
        again:
          call lock(&b)
          call lock(&a)
          call unlock(&a)
          call unlock(&b)
          goto again
        }}
        fn main() {{
          spawn worker(null)
        again:
          call lock(&a)
          call lock(&b)
          call unlock(&b)
          call unlock(&a)
          goto again
        }}"
    );
    check(&text, "default", expect!["UNSAFE deadlock, 8 states"]);
    check(&text, "assert", expect!["SAFE, 11 states"]);
}

fn ends_with(program: &Program, machine: &Machine<'_>, outcome: &Outcome) -> String {
    let mut end = outcome.to_string();
    for id in program.globals.ids() {
        write!(end, " {:?}", machine.global_bytes(id)).unwrap();
    }
    end
}

/// The ends of all executions are those that exploration without reduction finds.
#[test]
fn ends_agree_on_random_programs() {
    let count = std::env::var("HEDDLE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(150u64);
    let first = std::env::var("HEDDLE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0u64);
    for seed in first..first + count {
        let text = random_text(&mut Random::new(seed));
        let program = program(&text);
        let statistics = Statistics::default();
        let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
        for properties in [PropertySet::EMPTY.with(Property::Assert), PropertySet::EMPTY.with(Property::Deadlock)] {
            let task = Task::new(&program, properties);
            let prepared = Prepared::new(&task, &Budget::unlimited()).expect("there are no limits");
            let (mut all, mut mine) = (BTreeSet::new(), BTreeSet::new());
            let plain = ExploreConfig { reduction: Reduction::None, all: true, ..ExploreConfig::default() };
            let explored = Explore { config: plain }.visit(&task, &prepared, &run, &mut |machine, outcome| {
                all.insert(ends_with(&program, machine, outcome));
            });
            States::default().visit(&task, &prepared, &run, &mut |machine, outcome| {
                mine.insert(ends_with(&program, machine, outcome));
            });
            assert!(explored.is_ok());
            let (more, less): (Vec<_>, Vec<_>) = (mine.difference(&all).collect(), all.difference(&mine).collect());
            assert!(less.is_empty(), "seed {seed}: {properties:?} misses {less:#?} of\n{text}");
            assert!(more.is_empty(), "seed {seed}: {properties:?} has {more:#?} of\n{text}");
        }
    }
}
