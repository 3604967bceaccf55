use expect_test::{Expect, expect};

use super::*;
use crate::callgraph::CallGraph;
use crate::step::StepKind;
use crate::testing::random_program;
use crate::text::{parse, print};

/// Prints, for every register of every instance, what it can point to.
fn check(text: &str, expect: Expect) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let result = PointsTo::new(&program);
    let mut out = String::new();
    for (id, instance) in result.instances.iter_enumerated() {
        let function = &program.functions[instance.func];
        out += &format!("{}{}\n", function.name, result.context(&program, id));
        for (reg, declared) in function.regs.iter_enumerated() {
            let set = &result.sets[result.first_reg[id].offset(reg)];
            let mut names: Vec<String> =
                set.iter().map(|l| format!("{}{}", result.object_name(&program, l.object), l.offset)).collect();
            names.sort();
            if !names.is_empty() {
                out += &format!("  {}: {}\n", declared.name.clone().unwrap_or(reg.to_string()), names.join(" "));
            }
        }
    }
    expect.assert_eq(&out);
}

#[test]
fn fields_and_arrays() {
    check(
        r#"
        layout t0 = struct "struct s" size 16 align 8 {
          0: ptr a
          8: ptr b
        }
        global x: i32
        global y: i32
        global s: struct s = { 8: &y+2 }
        global table: [4 x ptr]
        fn main() {
          store.ptr &s, &x
          a = load.ptr &s
          b = load.ptr &s+8
          i = havoc.i64 index
          store.ptr &table + i * 8, a
          c = load.ptr &table+16
          d = b + i
          half = load.i32 &s+4
          return
        }"#,
        expect![[r#"
            main
              a: x
              b: y+2
              c: x
              d: y+*
              half: x+*
        "#]],
    );
}

#[test]
fn integers_bytes_and_copies_carry_addresses() {
    check(
        r#"global x: [4 x i32]
        global from: ptr = &x+4
        global to: ptr
        global third: [2 x ptr]
        fn main() {
          n = ptrtoint.i64(&x) + 4
          p = inttoptr.ptr(n)
          q = inttoptr.ptr(n & -8)
          i = 0:i64
        loop:
          byte = load.i8 &from + i
          store.i8 &to + i, byte
          i = i + 1
          if i < 8 goto loop
          t = load.ptr &to
          copy &third+8, &from, 8
          u = load.ptr &third+8
          none = load.ptr &third
          return
        }"#,
        expect![[r#"
            main
              n: x+4
              p: x+4
              q: x+*
              byte: x+*
              t: x+*
              u: x+4
        "#]],
    );
}

#[test]
fn a_pointer_that_walks_ends_at_any_offset() {
    let program = parse(
        r#"fn main() {
          p = alloc.heap 1000000
        loop:
          p = p + 4
          if self == 1 goto loop
          store.ptr p, p
          return
        }"#,
    )
    .unwrap();
    let result = PointsTo::new(&program);
    let StepKind::Store { addr, .. } = program.functions[program.entry].steps.as_slice()[3].kind else { panic!() };
    let locations = result.locations(heddle_base::Id::new(0), addr);
    assert_eq!(locations.len(), 49);
    assert_eq!(locations.last().map(|l| l.offset), Some(Offset::Any));
}

#[test]
fn models_are_analysed_a_call() {
    check(
        r#"global x: i32
        global y: i32
        fn malloc(n: i64) -> ptr model {
          p = alloc.heap n
          return p
        }
        fn trampoline(h: ptr) model {
          start = load.ptr h
          arg = load.ptr h + 8
          call *start(arg)
          thread_exit
        }
        fn create(start: ptr, arg: ptr) model {
          h = alloc.model 16
          store.ptr h, start
          store.ptr h + 8, arg
          spawn trampoline(h)
          return
        }
        fn one(arg: ptr) { return }
        fn two(arg: ptr) { return }
        fn never() { return }
        fn main() {
          a = call malloc(4)
          b = call malloc(8)
          call create(&one, &x)
          call create(&two, a)
          exit 0
        }"#,
        expect![[r#"
            main
              a: malloc:s0@main:s0
              b: malloc:s0@main:s1
            malloc@main:s0
              p: malloc:s0@main:s0
            malloc@main:s1
              p: malloc:s0@main:s1
            create@main:s2
              start: one
              arg: x
              h: create:s0@main:s2
            create@main:s3
              start: two
              arg: malloc:s0@main:s0
              h: create:s0@main:s3
            trampoline@create:s3@main:s3
              h: create:s0@main:s3
              start: two
              arg: malloc:s0@main:s0
            trampoline@create:s3@main:s2
              h: create:s0@main:s2
              start: one
              arg: x
            two
              arg: malloc:s0@main:s0
            one
              arg: x
        "#]],
    );
}

#[test]
fn the_call_graph_follows_pointers() {
    let program = parse(
        r#"global table: [2 x ptr] = { 0: &f, 8: &g }
        fn f() { return }
        fn g() { return }
        fn h() { return }
        fn main() {
          i = havoc.i64 i
          p = load.ptr &table + i * 8
          call *p()
          q = load.ptr &table+8
          spawn *q(null)
          return
        }"#,
    )
    .unwrap();
    let graph = CallGraph::new(&program, &PointsTo::new(&program));
    let main = program.entry;
    let names = |list: &[FuncId]| list.iter().map(|&f| program.functions[f].name.as_str()).collect::<Vec<_>>();
    assert_eq!(names(&graph.calls[main]), ["f", "g"]);
    assert_eq!(names(&graph.spawns[main]), ["g"]);
    assert_eq!(names(graph.targets(main, heddle_base::Id::new(2))), ["f", "g"]);
    assert_eq!(graph.reachable.iter().copied().collect::<Vec<_>>(), [true, true, false, true]);
}

/// What is true of every solution: stores reach loads of the same address expression, whatever the program does.
#[test]
fn stored_values_are_found_again() {
    for seed in 0..150 {
        let program = random_program(seed);
        let result = PointsTo::new(&program);
        for (id, instance) in result.instances.iter_enumerated() {
            for step in program.functions[instance.func].steps.iter() {
                let StepKind::Store { addr, value, .. } = step.kind else { continue };
                for place in result.locations(id, addr) {
                    let contents = result.contents(place.object);
                    let stored = result.locations(id, value);
                    assert!(stored.iter().all(|l| contents.contains(l)), "seed {seed}:\n{}", print(&program));
                }
            }
        }
    }
}
