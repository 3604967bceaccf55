//! Exploration: verdicts, numbers of executions, and the reductions against each other on random programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use heddle_base::{Budget, Random};
use heddle_ir::Program;
use heddle_machine::testing::{LOCKS, program, random_text};
use heddle_task::{Bounds, Statistics};

use super::*;

/// What an exploration found: the verdict, how often it executed, and the set of final states.
struct Found {
    verdict: String,
    executions: u64,
    redundant: u64,
    ends: BTreeSet<String>,
}

fn prepared(task: &Task<'_>) -> Prepared {
    Prepared::new(task, &Budget::unlimited()).expect("there are no limits")
}

fn explore(program: &Program, properties: &str, reduction: Reduction, bounds: Bounds) -> Found {
    explore_with(program, properties, ExploreConfig { reduction, ..ExploreConfig::default() }, bounds)
}

fn explore_with(program: &Program, properties: &str, config: ExploreConfig, bounds: Bounds) -> Found {
    let task = Task::new(program, properties.parse().unwrap()).with_bounds(bounds);
    explore_prepared(&task, &prepared(&task), config)
}

fn explore_prepared(task: &Task<'_>, prepared: &Prepared, config: ExploreConfig) -> Found {
    let program = task.program;
    let statistics = Statistics::default();
    let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
    let mut ends = BTreeSet::new();
    let verdict = Explore { config }
        .visit(task, prepared, &run, &mut |machine, outcome| {
            let mut end = outcome.to_string();
            for id in program.globals.ids() {
                write!(end, " {:?}", machine.global_bytes(id)).unwrap();
            }
            ends.insert(end);
        })
        .unwrap();
    let verdict = match verdict {
        Verdict::Unsafe(found) => format!("UNSAFE {}: {}", found.violation.property, found.violation.message),
        Verdict::Safe(_) => "SAFE".to_owned(),
        Verdict::SafeWithin(bounds) => format!("SAFE WITHIN {bounds}"),
        Verdict::Unknown(reason) => format!("UNKNOWN {reason}"),
    };
    let count = |name| statistics.get(name) as u64;
    Found { verdict, executions: count("executions"), redundant: count("redundant"), ends }
}

fn check(text: &str, properties: &str, expect: Expect) {
    let program = program(text);
    let found = explore(&program, properties, Reduction::Source, Bounds::default());
    expect.assert_eq(&format!("{}, {} executions, {} redundant", found.verdict, found.executions, found.redundant));
}

fn counter(threads: usize, locked: bool) -> String {
    let (lock, unlock) = if locked { ("call lock(&m)", "call unlock(&m)") } else { ("skip", "skip") };
    let spawns = "spawn worker(null)\n".repeat(threads);
    format!(
        "{LOCKS}
        global m: i32 = 0
        global n: i32 = 0
        global x: i32 = 0
        fn worker(arg: ptr) {{
          {lock}
          v = load.i32 &x
          store.i32 &x, v + 1
          {unlock}
          call done(&n)
          return
        }}
        fn main() {{
          {spawns}
          call wait_for(&n, {threads})
          v = load.i32 &x
          assert v == {threads}, assert \"no update is lost\"
          exit 0
        }}"
    )
}

#[test]
fn counters() {
    check(&counter(2, true), "default", expect!["SAFE, 4 executions, 0 redundant"]);
    check(&counter(3, true), "all", expect!["SAFE, 36 executions, 0 redundant"]);
    check(&counter(2, false), "default", expect!["UNSAFE assert: no update is lost, 3 executions, 0 redundant"]);
    let raced = explore(&program(&counter(2, false)), "race", Reduction::Source, Bounds::default());
    assert!(raced.verdict.starts_with("UNSAFE race: data race on `x`: "), "{}", raced.verdict);
}

#[test]
fn bounds_are_named() {
    let text = "global x: i32 = 0
        fn worker(arg: ptr) { store.i32 &x, 1\n return }
        fn main() {
          spawn worker(null)
          n = 0
        loop:
          n = n + 1
          v = load.i32 &x
          if v == 0 goto loop
          exit 0
        }";
    let program = program(text);
    let bounds = Bounds { steps: Some(30), ..Bounds::default() };
    let found = explore(&program, "default", Reduction::Source, bounds.clone());
    assert_eq!(found.verdict, "SAFE WITHIN steps=30");
    assert_eq!(explore(&program, "default", Reduction::None, bounds).ends, found.ends);
}

#[test]
fn spinning_ends() {
    let waits = |round: &str| {
        format!(
            "global x: i32 = 0
            fn worker(arg: ptr) {{
              n = 0
            loop:
              {round}
              v = load.i32 &x
              if v == 0 goto loop
              return
            }}
            fn main() {{
              spawn worker(null)
              store.i32 &x, 1
              exit 0
            }}"
        )
    };
    check(&waits("skip"), "default", expect!["SAFE, 3 executions, 0 redundant"]);
    check(&waits("store.i32 &x, 0"), "default", expect!["SAFE, 4 executions, 0 redundant"]);
    check(&waits("n = n ^ 1"), "default", expect!["SAFE, 4 executions, 0 redundant"]);
}

#[test]
fn rounds_that_are_counted_do_not_end() {
    let text = "global x: i32 = 0
        fn worker(arg: ptr) {
          n = 0
        loop:
          n = n + 1
          v = load.i32 &x
          if v == 0 goto loop
          return
        }
        fn main() {
          spawn worker(null)
          v = load.i32 &x
          store.i32 &x, v
          exit 0
        }";
    let program = program(text);
    let limits = Limits { thread_turns: Some(20), ..Limits::default() };
    let config = ExploreConfig { limits, ..ExploreConfig::default() };
    let found = explore_with(&program, "default", config, Bounds::default());
    assert_eq!(found.verdict, "SAFE WITHIN steps=20");
    let task = Task::new(&program, PropertySet::default());
    let statistics = Statistics::default();
    let budget = Budget::unlimited().with_time(std::time::Duration::from_millis(50));
    let run = Run { budget, progress: &|_| {}, statistics: &statistics };
    assert!(matches!(Explore::default().check(&task, &prepared(&task), &run), Verdict::Unknown(Reason::Time)));
}

#[test]
fn inputs_need_domains() {
    let text = "global x: i32 = 0
        fn main() {
          v = havoc.i32 n
          b = havoc.bool b
          assert v != 3 | b, assert \"v\"
          exit 0
        }";
    let program = program(text);
    check(text, "default", expect!["UNKNOWN inputs: only one value of `n` was tried, 2 executions, 0 redundant"]);
    let with = |domain: Vec<i128>| {
        let domains = vec![("n".to_owned(), domain)];
        let task = Task { domains, ..Task::new(&program, PropertySet::default()) };
        let statistics = Statistics::default();
        let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
        let verdict = Explore::default().check(&task, &prepared(&task), &run);
        match verdict {
            Verdict::Unsafe(found) => format!("unsafe {:?}", found.schedule.inputs),
            Verdict::Safe(_) => format!("safe {}", statistics.get("executions")),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(with(vec![0, 1, 2]), "safe 6");
    expect![[r#"unsafe [InputValue { name: "n", thread: "0", occurrence: 0, bits: "0x3" }]"#]]
        .assert_eq(&with(vec![2, 3]));
}

#[test]
fn deadlocks_are_found() {
    let text = format!(
        "{LOCKS}
        global a: i32 = 0
        global b: i32 = 0
        fn worker(arg: ptr) {{
          call lock(&b)
          call lock(&a)
          call unlock(&a)
          call unlock(&b)
          return
        }}
        fn main() {{
          spawn worker(null)
          call lock(&a)
          call lock(&b)
          call unlock(&b)
          call unlock(&a)
          exit 0
        }}"
    );
    check(
        &text,
        "default",
        expect!["UNSAFE deadlock: deadlock: threads 0, 0.1 wait for each other, 2 executions, 0 redundant"],
    );
}

/// Reductions must find the same final states, and the same kinds of violations.
#[test]
fn reductions_agree_on_random_programs() {
    let count = std::env::var("HEDDLE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(150u64);
    let first = std::env::var("HEDDLE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0u64);
    for seed in first..first + count {
        let text = random_text(&mut Random::new(seed));
        let program = program(&text);
        // Without the property a deadlock is just a final state, so that the search goes on.
        let task = Task::new(&program, PropertySet::EMPTY.with(Property::Assert));
        let plain = ExploreConfig { reduction: Reduction::None, ..ExploreConfig::default() };
        let unanalysed = Prepared::conservative(&task, &Budget::unlimited()).expect("there are no limits");
        let all = explore_prepared(&task, &unanalysed, plain);
        for reduction in [Reduction::Sleep, Reduction::Source] {
            let found = explore(&program, "assert", reduction, Bounds::default());
            let missing: Vec<&String> = all.ends.difference(&found.ends).collect();
            assert!(missing.is_empty(), "seed {seed}: {reduction:?} misses {missing:#?} of\n{text}");
            let surplus: Vec<&String> = found.ends.difference(&all.ends).collect();
            assert!(surplus.is_empty(), "seed {seed}: {reduction:?} has {surplus:#?} of\n{text}");
            assert!(found.executions <= all.executions, "seed {seed}");
            let verdicts: Vec<String> = ["deadlock", "race"]
                .iter()
                .map(|p| explore(&program, p, reduction, Bounds::default()).verdict)
                .map(|v| v.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
                .collect();
            let expected: Vec<String> = ["deadlock", "race"]
                .iter()
                .map(|p| explore(&program, p, Reduction::None, Bounds::default()).verdict)
                .map(|v| v.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(verdicts, expected, "seed {seed}, {reduction:?}:\n{text}");
        }
    }
}
