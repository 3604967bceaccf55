use expect_test::{Expect, expect};

use super::*;
use crate::testing::{Rng, random_program};

/// Parses, prints in full, and checks that the printed text is a fixpoint.
fn check(text: &str, expect: Expect) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let printed = print(&program);
    expect.assert_eq(&printed);
    let again = parse(&printed).unwrap_or_else(|e| panic!("{e} in\n{printed}"));
    assert_eq!(print(&again), printed);
}

fn check_error(text: &str, expect: Expect) {
    let error = parse(text).map(|_| ()).expect_err("an error");
    expect.assert_eq(&error.to_string());
}

#[test]
fn by_hand() {
    check(
        r#"
        global counter: i32 = 5
        global table: [4 x ptr] = { 0: &counter+2, 8: &worker, 16: "ab\0" }
        global tls: i64 thread_local
        fn worker(arg: ptr) -> ptr {
          slot buf: [10 x i8]
          live buf
        again:
          x = load.i32.acquire arg
          if x > 3 goto done
          store.i8 &buf+1, 255
          p = &buf + zext.i64(x)     // not an address constant
          fill p, 0, 10 as [10 x i8]
          goto again
        done:
          assert x != 0 | false, memory "bad \"x\""
          dead buf
          return null
        }
        fn main() -> i32 {
          atomic_begin
          c = load.i32 &counter
          await c == 0, mutex &counter
          store.i32 &counter, self
          atomic_end
          spawn worker(&counter)
          r = call worker(&tls)
          r2 = havoc.i16 choice
          call *r(r2, 7:i64)
          d = 1.5 + -2
          output printf(d, 1.5:f32, 0x7f800000:f32)
          return -1
        }"#,
        expect![[r#"
            program lp64
            entry main

            layout t0 = i32
            layout t1 = ptr
            layout t2 = [4 x ptr]
            layout t3 = i64
            layout t4 = i8
            layout t5 = [10 x i8]

            global counter: i32 = 5
            global table: [4 x ptr] = { 0: &counter+2, 8: &fn::worker, 16: "ab\0" }
            global tls: i64 thread_local

            input choice: i16 nondet

            fn worker(arg: ptr) -> ptr {
              regs x: i32, p: ptr
              slot buf: [10 x i8]
              0: live buf
              1: x = load.i32.acquire arg
              2: if 3 < x goto 7
              3: store.i8 &buf+1, -1
              4: p = &buf + zext.i64(x)
              5: fill p, 0, 10 as [10 x i8]
              6: goto 1
              7: assert (x != 0) | false, c0 memory "bad \"x\""
              8: dead buf
              9: return null
            }

            fn main() -> i32 {
              regs c: i32, r: ptr, r2: i16, d: f64
               0: atomic_begin user
               1:   c = load.i32 &counter
               2:   await c == 0, mutex &counter
               3:   store.i32 &counter, self
               4: atomic_end
               5: spawn worker(&counter)
               6: r = call worker(&tls)
               7: r2 = havoc choice
               8: call *r(r2, 7:i64)
               9: d = 1.5 + -2.0
              10: output printf(d, 1.5:f32, 0x7f800000:f32)
              11: return -1
            }
        "#]],
    );
}

#[test]
fn places_and_layouts() {
    check(
        r#"program ilp32
        entry start
        layout t0 = struct "struct node" size 12 align 4 {
          0: ptr next
          4: i32 flags bits 0 3
          4: i32 "" bits 3 5
          8: [2 x i16] pair
        }
        global q: struct node size 20 = { 4: 7:i32 }  @ q.c:1:13
        fn start(r1, ...r0) {   @ q.c:2:1
          regs r0: ptr, r1: i8, x#2: i32, x#3: i32
          slot m0: t0 "struct local"
          x#2 = sext.i32(r1)  @ dir/with space.h:7:9
          x#3 = x#2 *  2 + 1
          copy &q, &m0+4, 12 as struct node
          exit x#3 @ q.c:3:1
        }"#,
        expect![[r#"
            program ilp32
            entry start

            file "q.c"
            file "dir/with space.h"

            layout t0 = struct "struct node" size 12 align 4 {
              0: ptr next
              4: i32 flags bits 0 3
              4: i32 "" bits 3 5
              8: [2 x i16] pair
            }
            layout t1 = ptr
            layout t2 = i32
            layout t3 = i16
            layout t4 = [2 x i16]

            global q: struct node size 20 = { 4: 7 }                    @ q.c:1:13

            fn start(r1, ...r0) {                                       @ q.c:2:1
              regs r0: ptr, r1: i8, x#2: i32, x#3: i32
              slot m0: struct node "struct local"
              0: x#2 = sext.i32(r1)                                     @ dir/with space.h:7:9
              1: x#3 = (x#2 * 2) + 1
              2: copy &q, &m0+4, 12 as struct node
              3: exit x#3                                               @ q.c:3:1
            }
        "#]],
    );
}

#[test]
fn shown_without_models_and_what_is_not_reached() {
    let program = parse(
        r#"layout t0 = struct "struct unused" size 4 align 4 {
          0: i32 a
        }
        layout t1 = struct "struct inner" size 4 align 4 {
          0: i32 b
        }
        layout t2 = struct "struct used" size 8 align 4 {
          0: [2 x struct inner] c
        }
        input never_read: i32 nondet
        global used: struct used  @ a.c:1:1
        global unused: struct unused
        fn main() { @ a.c:2:1
          call lock(&used)
          assert self == 1, c0 assert "one"   @ a.c:3:1
          return
        }
        fn lock(m: ptr) model { return }
        fn never() { return }"#,
    )
    .unwrap();
    let options = PrintOptions { locations: false, ..PrintOptions::SHOW };
    expect![[r#"
        program lp64
        entry main

        layout t1 = struct "struct inner" size 4 align 4 {
          0: i32 b
        }
        layout t2 = struct "struct used" size 8 align 4 {
          0: [2 x struct inner] c
        }

        global used: struct used

        fn main() {
          0: call lock(&used)
          1: assert self == 1, assert "one"
          2: return
        }
    "#]]
    .assert_eq(&print_with(&program, options));
}

#[test]
fn errors_have_places() {
    check_error("", expect!["1:1: a program needs a function"]);
    check_error("global x: i33", expect!["1:11: unknown layout `i33`"]);
    check_error("fn f() {\n  x = y + 1\n}", expect!["2:7: unknown register `y`"]);
    check_error("fn f() {\n  goto there\n}", expect!["2:8: unknown label `there`"]);
    check_error("fn f() {\n  return", expect!["2:9: expected `}`, found end of text"]);
    check_error("fn f() {\n  x = 300:i8\n}", expect!["2:7: literal `300` does not fit its type"]);
    check_error("fn f() {\n  x = call *(&f)()\n}", expect!["2:18: declare the type of register `x`"]);
    check_error("fn f() {\n  output puts(\"a)\n}", expect!["2:15: string without an end"]);
    check_error("fn f() {\n}\nfn f() {\n}", expect!["4:1: function `f` is declared twice"]);
    check_error("fn f() {\n  assert true, c1 assert \"\"\n return\n}", expect!["4:1: unknown check `c0`"]);
    check_error("fn f() {\n  return @ here\n}", expect!["2:10: expected `@ file:line:column`, found a place"]);
    let deep = format!("fn f() {{\n  x = {}1\n}}", "(".repeat(100_000));
    check_error(&deep, expect!["2:207: expression nested too deeply"]);
    let long = format!("fn f() {{\n  x = 1{}\n}}", " + 1".repeat(100_000));
    check_error(&long, expect!["2:7: expression nested too deeply"]);
}

#[test]
fn long_chains_print_without_recursion() {
    let mut program = parse("fn main() {\n x = 1\n return\n}").unwrap();
    let function = &mut program.functions[program.entry];
    let one = function.exprs.ids().next().unwrap();
    let mut sum = one;
    for _ in 0..200_000 {
        sum = function.exprs.push(crate::Expr::Binary(crate::BinOp::Add, sum, one));
    }
    assert_eq!(function.type_of(sum), crate::Ty::I32);
    assert_eq!(expr_to_string(&program, program.entry, sum).matches('+').count(), 200_000);
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..300 {
        let program = random_program(seed);
        let printed = print(&program);
        let again = parse(&printed)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}: {:?}", printed.lines().nth(e.line as usize - 1)));
        let reprinted = print(&again);
        if let Some((a, b)) = reprinted.lines().zip(printed.lines()).find(|(a, b)| a != b) {
            panic!("seed {seed}:\n{b}\nbecame\n{a}");
        }
        assert_eq!(reprinted.len(), printed.len(), "seed {seed}");
        assert_eq!(again.layouts, program.layouts, "seed {seed}");
        assert_eq!(again.globals, program.globals, "seed {seed}");
        assert_eq!(again.inputs, program.inputs, "seed {seed}");
        assert_eq!(again.checks, program.checks, "seed {seed}");
        for (a, b) in again.functions.iter().zip(program.functions.iter()) {
            assert_eq!((&a.name, &a.params, &a.regs, &a.slots), (&b.name, &b.params, &b.regs, &b.slots), "seed {seed}");
            assert_eq!(
                (a.variadic, a.ret, a.loc, a.model, a.external),
                (b.variadic, b.ret, b.loc, b.model, b.external)
            );
            let places = |f: &crate::Function| f.steps.iter().map(|s| s.loc).collect::<Vec<_>>();
            assert_eq!(places(a), places(b), "seed {seed}");
        }
    }
}

#[test]
fn garbage_is_an_error_and_no_panic() {
    for seed in 0..40 {
        let text = print(&random_program(seed));
        let mut rng = Rng::new(seed + 1000);
        for _ in 0..40 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes[at] = rng.pick(b"(){}[]=:,@\"#&*+-<>0x9 \nrtc"),
                    _ => drop(bytes.remove(at)),
                }
            }
            let _ = parse(&String::from_utf8_lossy(&bytes));
        }
    }
}
