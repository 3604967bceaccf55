//! Single executions.

use expect_test::{Expect, expect};

use heddle_base::Random;
use heddle_ir::Program;
use heddle_task::ScheduleError;

use super::*;

fn check(text: &str, properties: &str, expect: Expect) {
    let (outcome, trace) = run_text(text, properties, &mut First);
    expect.assert_eq(&format!("{}{}", trace.output, outcome));
}

#[test]
fn a_counting_loop() {
    check(
        "fn main() {
          i = 0
          s = 0
        loop:
          if i >= 10 goto done
          s = s + i
          i = i + 1
          goto loop
        done:
          exit s
        }",
        "default",
        expect!["exit 45"],
    );
}

#[test]
fn calls_recursion_and_memory() {
    check(
        r#"global fmt: [8 x i8] const = "%d %s\n\0"
        global name: [4 x i8] const = "abc\0"
        fn fact(n: i32) -> i32 {
          slot tmp: i32
          if n > 1 goto more
          return 1
        more:
          live tmp
          r = call fact(n - 1)
          store.i32 &tmp, r * n
          x = load.i32 &tmp
          dead tmp
          return x
        }
        fn main() {
          r = call fact(10)
          output printf(&fmt, r, &name)
          exit 0
        }"#,
        "default",
        expect![[r#"
            3628800 abc
            exit 0"#]],
    );
}

#[test]
fn memory_faults() {
    let wrong = |body: &str| {
        let text = format!(
            "global g: [4 x i32] = {{}}
            global k: i32 const = 1
            fn main() {{
              slot s: i32
              {body}
              exit 0
            }}"
        );
        let (outcome, _) = run_text(&text, "default", &mut First);
        outcome.to_string()
    };
    expect!["memory: null pointer dereference: read of 4 bytes at address 0"].assert_eq(&wrong("x = load.i32 null"));
    expect!["memory: write of 4 bytes out of bounds: offset 16 of `g`, which has 16 bytes"]
        .assert_eq(&wrong("store.i32 &g+16, 1"));
    expect!["memory: write to constant `k`"].assert_eq(&wrong("store.i32 &k, 1"));
    expect!["memory: read of freed memory: `heap#2@0[+4]`"]
        .assert_eq(&wrong("p = alloc.heap 8\n free.heap p\n x = load.i32 p + 4"));
    expect!["memory: double free of block `heap#2@0`"]
        .assert_eq(&wrong("p = alloc.heap 8\n free.heap p\n free.heap p"));
    expect!["memory: free of `g`, which was not allocated on the heap"].assert_eq(&wrong("free.heap &g"));
    expect!["memory: free of a pointer into the middle of block `heap#2@0` (offset 4)"]
        .assert_eq(&wrong("p = alloc.heap 8\n free.heap p + 4"));
    expect!["memory: read of `s`, whose lifetime has ended"]
        .assert_eq(&wrong("live s\n p = &s + 0\n dead s\n x = load.i32 p"));
    expect!["exit 0"].assert_eq(&wrong("free.heap null"));
}

#[test]
fn limits_end_an_execution() {
    check(
        "fn f() { call f()\n return }\n fn main() { call f()\n exit 0 }",
        "default",
        expect!["stack overflow: calls are nested too deep"],
    );
    check(
        "fn main() {\nloop: p = alloc.heap 100000000\n goto loop }",
        "default",
        expect!["the program allocates more memory than allowed"],
    );
    check("fn main() {\nloop: goto loop }", "default", expect!["the limit on steps is reached"]);
    let text = "global s: [9 x i8] const = \"12345678\\0\"\nfn main() {\nloop: output puts(&s)\n goto loop }";
    let (outcome, _) = run_text(text, "default", &mut First);
    expect!["the program prints more than allowed"].assert_eq(&outcome.to_string());
}

#[test]
fn threads_wait_for_each_other() {
    let text = format!(
        "{LOCKS}
        global m: i32 = 0
        global n: i32 = 0
        global x: i32 = 0
        fn worker(arg: ptr) {{
          call lock(&m)
          v = load.i32 &x
          store.i32 &x, v + 1
          call unlock(&m)
          call done(&n)
          return
        }}
        fn main() {{
          spawn worker(null)
          spawn worker(null)
          call wait_for(&n, 2)
          v = load.i32 &x
          assert v == 2, assert \"x == 2\"
          exit v
        }}"
    );
    for seed in 0..200 {
        let (outcome, _) = run_text(&text, "all", &mut RandomScheduler::new(seed));
        assert_eq!(outcome.to_string(), "exit 2", "seed {seed}");
    }
}

#[test]
fn deadlocks() {
    let text = format!(
        "{LOCKS}
        global a: i32 = 0
        global b: i32 = 0
        global n: i32 = 0
        fn worker(arg: ptr) {{
          call lock(&b)
          call lock(&a)
          call unlock(&a)
          call unlock(&b)
          call done(&n)
          return
        }}
        fn main() {{
          spawn worker(null)
          call lock(&a)
          call lock(&b)
          call unlock(&b)
          call unlock(&a)
          call wait_for(&n, 1)
          exit 0
        }}"
    );
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..100 {
        let (outcome, trace) = run_text(&text, "default", &mut RandomScheduler::new(seed));
        if let Some(violation) = outcome.violation() {
            assert_eq!(trace.blocked.len(), 2);
            assert_eq!(violation.details.len(), 4);
        }
        seen.insert(outcome.to_string());
    }
    let seen: Vec<String> = seen.into_iter().collect();
    expect!["deadlock: deadlock: threads 0, 0.1 wait for each other; exit 0"].assert_eq(&seen.join("; "));
    check(
        &format!("{LOCKS} global a: i32 = 0\n fn main() {{ call lock(&a)\n call lock(&a)\n exit 0 }}"),
        "default",
        expect!["deadlock: deadlock: thread 0 waits for itself"],
    );
    check(
        &format!("{LOCKS} global a: i32 = 0\n fn main() {{ call wait_for(&a, 1)\n exit 0 }}"),
        "default",
        expect!["deadlock: deadlock: no thread can move"],
    );
}

#[test]
fn races_are_seen_in_any_order() {
    let text = |first: &str, second: &str| {
        format!(
            "{LOCKS}
            global m: i32 = 0
            global n: i32 = 0
            global x: i32 = 0
            fn worker(arg: ptr) {{
              {first}
              call done(&n)
              return
            }}
            fn main() {{
              spawn worker(null)
              {second}
              call wait_for(&n, 1)
              v = load.i32 &x
              exit 0
            }}"
        )
    };
    let race = |first: &str, second: &str| {
        let outcomes: std::collections::BTreeSet<String> = (0..40)
            .map(|seed| run_text(&text(first, second), "race", &mut RandomScheduler::new(seed)).0.to_string())
            .collect();
        outcomes.into_iter().collect::<Vec<_>>().join("; ")
    };
    expect!["race: data race on `x`: write by thread 0 and write by thread 0.1 are not ordered; race: data race on `x`: write by thread 0.1 and write by thread 0 are not ordered"]
        .assert_eq(&race("store.i32 &x, 1", "store.i32 &x, 2"));
    expect!["exit 0"].assert_eq(&race("store.i32.relaxed &x, 1", "store.i32.relaxed &x, 2"));
    expect!["exit 0"].assert_eq(&race(
        "call lock(&m)\n store.i32 &x, 1\n call unlock(&m)",
        "call lock(&m)\n store.i32 &x, 1\n call unlock(&m)",
    ));
    expect!["exit 0"]
        .assert_eq(&race("atomic_begin\n store.i32 &x, 1\n atomic_end", "atomic_begin\n store.i32 &x, 1\n atomic_end"));
}

#[test]
fn uninitialised_values() {
    let run = |body: &str| {
        let text = format!("fn main() {{ \n slot s: [4 x i32]\n slot t: [4 x i32]\n {body}\n exit 0 }}");
        run_text(&text, "uninit", &mut First).0.to_string()
    };
    expect!["uninit: read of `s[1]`, which was never initialised"]
        .assert_eq(&run("store.i32 &s, 1\n x = load.i32 &s+4"));
    expect!["exit 0"].assert_eq(&run("copy &t, &s, 16\n store.i32 &t, 1\n x = load.i32 &t"));
    expect!["exit 0"].assert_eq(&run("fill &s, 0, 16\n x = load.i32 &s+12"));
}

#[test]
fn assumptions_and_leaks() {
    check("fn main() { assume false\n exit 0 }", "default", expect!["discarded"]);
    check(
        "fn main() { p = alloc.heap 4\n exit 0 }",
        "leak",
        expect!["leak: memory leak: block `heap#1@0` is never freed"],
    );
    check("fn main() { p = alloc.heap 4\n free.heap p\n exit 0 }", "leak", expect!["exit 0"]);
}

#[test]
fn flat_addresses() {
    check(
        "program ilp32
        entry main
        global p: ptr = 0
        global x: [3 x i32] = { 8: 7:i32 }
        fn main() {
          store.ptr &p, &x+8
          q = load.ptr &p
          v = load.i32 q
          n = ptrtoint.i32(q)
          r = inttoptr.ptr(n - 4)
          store.i32 r, 5
          w = load.i32 &x+4
          e = inttoptr.ptr(n + 4)
          assert e == &x+12, assert \"one past the end\"
          h = alloc.heap 10
          store.ptr &p, h + 10
          g = load.ptr &p
          assert g == h + 10, assert \"one past the end of a block\"
          exit v * 10 + w
        }",
        "default",
        expect!["exit 75"],
    );
}

#[test]
fn a_trace_names_what_happened() {
    let text = "layout t0 = struct \"struct node\" size 8 align 4 {
          0: i32 val
          4: i32 cnt
        }
        global x: i32 = 0 @ a.c:1:5
        global s: struct node = {} @ a.c:2:5
        fn worker(arg: ptr) {
          store.i32 &x, 3 @ a.c:5:3
          return
        }
        fn main() {
          spawn worker(null) @ a.c:9:3
          v = load.i32 &x @ a.c:10:3
          store.i32 &s+4, v @ a.c:11:3
          assert v == 0, assert \"v == 0\" @ a.c:12:3
          exit 0
        }";
    let mut out = String::new();
    for seed in 0..20 {
        let (outcome, trace) = run_text(text, "default", &mut RandomScheduler::new(seed));
        if outcome.violation().is_some() {
            for (i, step) in trace.steps.iter().enumerate() {
                let switch = if step.switch { "*" } else { " " };
                out += &format!("{i}{switch} t{} {}: {:?}\n", step.thread, step.place.line, step.action);
            }
            out += &format!("{:?}", trace.end);
            break;
        }
    }
    expect![[r#"
        0  t0 9: Spawn { thread: 1 }
        1* t1 5: Write { place: "`x`", value: "3", shared: true }
        2  t1 0: ThreadEnd
        3* t0 10: Read { place: "`x`", value: "3", from: Some(1), shared: true }
        4  t0 11: Write { place: "`s.cnt`", value: "3", shared: true }
        5  t0 12: Assert { message: "v == 0", holds: false }
        Violation { property: "assert", message: "v == 0", thread: 0, function: "main", place: Place { file: 0, line: 12, col: 3 }, details: [] }"#]]
    .assert_eq(&out);
}

#[test]
fn a_replay_gives_the_same_trace() {
    let text = format!(
        "{LOCKS}
        global m: i32 = 0
        global n: i32 = 0
        global x: i32 = 0
        fn worker(arg: ptr) {{
          k = havoc.i32 k
          p = alloc.heap 8
          store.i32 p, k
          call lock(&m)
          v = load.i32 &x
          store.i32 &x, v + k
          call unlock(&m)
          free.heap p
          call done(&n)
          return
        }}
        fn main() {{
          spawn worker(null)
          spawn worker(null)
          call wait_for(&n, 2)
          exit 0
        }}"
    );
    let program = program(&text);
    let code = compile(&program, &Visibility::conservative(&program));
    let config = Config { output: true, ..Config::default() };
    for seed in 0..20 {
        let mut machine = Machine::new(&program, &code, config.clone());
        machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
        let mut made = Vec::new();
        run(&mut machine, &mut RandomScheduler::new(seed), &mut made).unwrap();
        let schedule = schedule_of(&program, &code, machine.names(), &made, &machine.inputs);
        let again = || replay(&program, &code, &schedule, config.clone(), &Budget::unlimited()).unwrap().1;
        let (first, second) = (serde_json::to_string(&again()).unwrap(), serde_json::to_string(&again()).unwrap());
        assert_eq!(first, second, "seed {seed}");
        assert_eq!(serde_json::from_str::<Trace>(&first).unwrap().schedule, schedule);
    }
}

#[test]
fn unused_and_used_uninitialised_registers() {
    let run = |body: &str| {
        let text = format!("input u: i32 uninit\nfn main() {{ \n x = havoc u\n {body}\n exit 0 }}");
        run_text(&text, "uninit", &mut First).0.to_string()
    };
    expect!["exit 0"].assert_eq(&run("x = 1\n y = x + 1"));
    expect!["uninit: use of `x`, which was never initialised"].assert_eq(&run("y = x + 1"));
    expect!["exit 0"]
        .assert_eq(&run("c = 1\n if c == 0 goto skip\n x = 2\nskip: if c == 0 goto end\n y = x\nend: skip"));
}

#[test]
fn deep_expressions() {
    use heddle_base::Id;
    use heddle_ir::{BinOp, Expr, FuncId, RegId, StepId, StepKind};
    let mut program = program("fn main() {\n x = 1\n exit x\n}");
    let main = &mut program.functions[FuncId::new(0)];
    let x = main.exprs.push(Expr::Reg(RegId::new(0)));
    let sum = (0..100_000).fold(x, |sum, _| main.exprs.push(Expr::Binary(BinOp::Add, sum, x)));
    main.steps[StepId::new(1)].kind = StepKind::ProcessExit { status: sum, abort: false };
    let code = compile(&program, &Visibility::conservative(&program));
    let mut machine = Machine::new(&program, &code, Config::default());
    let outcome = run(&mut machine, &mut First, &mut Vec::new()).unwrap();
    assert_eq!(outcome.to_string(), "exit 100001");
}

#[test]
fn schedules_that_do_not_fit() {
    let one = program("global x: i32 = 0\n fn main() { store.i32 &x, 1\n store.i32 &x, 2\n exit 0 }");
    let two = program("global x: i32 = 0\n fn main() { store.i32 &x, 1\n exit 0 }");
    let code = |p: &Program| compile(p, &Visibility::conservative(p));
    let (code_one, code_two) = (code(&one), code(&two));
    let mut machine = Machine::new(&one, &code_one, Config::default());
    let mut made = Vec::new();
    run(&mut machine, &mut First, &mut made).unwrap();
    let schedule = schedule_of(&one, &code_one, machine.names(), &made, &machine.inputs);
    let go = |schedule: &Schedule| {
        replay(&one, &code_one, schedule, Config::default(), &Budget::unlimited()).map(|(o, _)| o.to_string())
    };
    assert_eq!(go(&schedule), Ok("exit 0".to_owned()));
    let other = replay(&two, &code_two, &schedule, Config::default(), &Budget::unlimited());
    assert_eq!(other.map(|_| ()).unwrap_err(), ScheduleError::OtherProgram);
    let edit = |f: &dyn Fn(&mut Schedule)| {
        let mut edited = schedule.clone();
        f(&mut edited);
        go(&edited)
    };
    assert_eq!(edit(&|s| s.turns[0].steps = 2), Ok("finished".to_owned()));
    assert_eq!(edit(&|s| s.turns[0].steps = 9), Err(ScheduleError::TooLong { left: 6 }));
    assert_eq!(edit(&|s| s.turns[0].steps = u64::MAX), Err(ScheduleError::TooManySteps));
    assert_eq!(edit(&|s| s.turns[0].thread = "0.7".into()), Err(ScheduleError::Thread("0.7".into())));
    assert_eq!(edit(&|s| s.threads.push("0.x".into())), Err(ScheduleError::Thread("0.x".into())));
    assert!(matches!(edit(&|s| s.turns[0].spurious = true), Err(ScheduleError::NotEnabled { step: 0, .. })));
    assert!(matches!(Schedule::parse("{\"version\": 1"), Err(ScheduleError::Malformed(_))));
}
