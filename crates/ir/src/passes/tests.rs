use expect_test::{Expect, expect};

use super::*;
use crate::testing::random_program;
use crate::text::{PrintOptions, parse, print, print_with};
use crate::threads::tests::MODELS;

fn check(text: &str, pass: fn(&mut Program), expect: Expect) {
    let mut program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    pass(&mut program);
    let printed = print_with(&program, PrintOptions { tables: false, models: false, ..PrintOptions::FULL });
    let (_, functions) = printed.split_once("\nfn ").unwrap();
    expect.assert_eq(&format!("fn {functions}"));
}

#[test]
fn simplify_control_flow() {
    check(
        r#"fn main() {
          skip                        @ a.c:1:1
          if true goto a              @ a.c:2:1
          x = 1
        a:
          goto b
        c:
          if x == 0 goto d            @ a.c:3:1
          if false goto a
          x = 2                       @ a.c:4:1
          goto e
        d:
          skip
          goto e
        b:
          skip
          x = 3                       @ a.c:5:1
          goto c
        e:
          return                      @ a.c:6:1
          skip
          return
        }"#,
        simplify,
        expect![[r#"
            fn main() {
              regs x: i32
              0: goto 4                                                 @ a.c:2:1
              1: if x == 0 goto 6                                       @ a.c:3:1
              2: x = 2                                                  @ a.c:4:1
              3: goto 6
              4: x = 3                                                  @ a.c:5:1
              5: goto 1
              6: return                                                 @ a.c:6:1
            }
        "#]],
    );
}

#[test]
fn endless_loops_stay() {
    check(
        r#"fn main() {
        a:
          skip
          goto b
        b:
          goto a
        }"#,
        simplify,
        expect![[r#"
            fn main() {
              0: goto 0
            }
        "#]],
    );
}

#[test]
fn locals_that_need_no_memory() {
    check(
        r#"fn main() {
          slot wide: i64
          slot plain: i32
          slot early: i32
          slot lent: i32
          slot once: i32
          live wide
          live early
          live lent
          live once
          live plain
          store.i32 &plain, 1
          r = load.i32 &plain
          dead plain
          store.i64 &wide, 1
          s = load.i32 &wide
          t = load.i32 &early
          store.i32 &early, t
          store.i32 &lent, 2
          p = &lent
          if r == 0 goto a
          store.i32 &once, 3
        a:
          live once
          store.i32 &once, r
          goto b
        b:
          u = load.i32 &once
          return
        }"#,
        promote,
        expect![[r#"
            fn main() {
              regs r: i32, s: i32, t: i32, p: ptr, u: i32, plain: i32, once: i32
              slot wide: i64
              slot early: i32
              slot lent: i32
               0: live wide
               1: live early
               2: live lent
               3: skip
               4: skip
               5: plain = 1
               6: r = plain
               7: skip
               8: store.i64 &wide, 1
               9: s = load.i32 &wide
              10: t = load.i32 &early
              11: store.i32 &early, t
              12: store.i32 &lent, 2
              13: p = &lent
              14: if r == 0 goto 16
              15: once = 3
              16: skip
              17: once = r
              18: goto 19
              19: u = once
              20: return
            }
        "#]],
    );
}

#[test]
fn havoc_of_what_is_never_read() {
    check(
        r#"input u: i32 uninit
        input n: i32 nondet
        fn main() {
          x = havoc u
          y = havoc u
          z = havoc n
          x = 1
          if y == x goto end
        end:
          return
        }"#,
        dead_havoc,
        expect![[r#"
            fn main() {
              regs x: i32, y: i32, z: i32
              0: skip
              1: y = havoc u
              2: z = havoc n
              3: x = 1
              4: if y == x goto 5
              5: return
            }
        "#]],
    );
}

#[test]
fn copies_of_shared_memory_are_split() {
    let text = r#"
        layout t0 = struct "struct pair" size 16 align 8 {
          0: ptr next
          8: i32 flags bits 0 3
          8: i32 more bits 3 5
          12: [2 x i16] small
        }
        global shared: struct pair
        global other: struct pair
        fn worker(arg: ptr) {
          slot mine: struct pair
          live mine
          copy &mine, &shared, 16 as struct pair
          n = havoc.i64 n
          copy &mine, &shared, n
          atomic_begin
          copy &mine, &shared, 16 as struct pair
          atomic_end
          copy &other, &mine, 16 as struct pair
          if n == 0 goto end
          fill &shared, 1, 16 as struct pair
          fill &shared, trunc.i8(n), n
        end:
          return
        }
        fn main() {
          slot t: i64
          live t
          call create(&t, &worker, null)
          store.i16 &shared+12, 7
          exit 0
        }"#;
    check(
        &format!("{text}{MODELS}"),
        standard,
        expect![[r#"
        fn worker(arg: ptr) {
          regs n: i64, r2: ptr, r3: i32, r4: i16, r5: i16, r6: i64, r7: i8, r8: i8, r9: i64
          slot mine: struct pair
           0: live mine
           1: r2 = load.ptr &shared
           2: store.ptr &mine, r2
           3: r3 = load.i32 &shared+8
           4: store.i32 &mine+8, r3
           5: r4 = load.i16 &shared+12
           6: store.i16 &mine+12, r4
           7: r5 = load.i16 &shared+14
           8: store.i16 &mine+14, r5
           9: n = havoc n
          10: if &mine <= &shared goto 17
          11: r6 = n
          12: if r6 == 0 goto 23
          13: r6 = r6 - 1
          14: r7 = load.i8 &shared + r6
          15: store.i8 &mine + r6, r7
          16: goto 12
          17: r6 = 0
          18: if n <=u r6 goto 23
          19: r8 = load.i8 &shared + r6
          20: store.i8 &mine + r6, r8
          21: r6 = r6 + 1
          22: goto 18
          23: atomic_begin user
          24:   copy &mine, &shared, 16 as struct pair
          25: atomic_end
          26: copy &other, &mine, 16 as struct pair
          27: if n == 0 goto 37
          28: store.ptr &shared, 0x101010101010101
          29: store.i32 &shared+8, 16843009
          30: store.i16 &shared+12, 257
          31: store.i16 &shared+14, 257
          32: r9 = 0
          33: if n <=u r9 goto 37
          34: store.i8 &shared + r9, trunc.i8(n)
          35: r9 = r9 + 1
          36: goto 33
          37: return
        }

        fn main() {
          slot t: i64
          0: live t
          1: call create(&t, &worker, null)
          2: store.i16 &shared+12, 7
          3: exit 0
        }
    "#]],
    );
}

#[test]
fn random_programs_stay_well_formed_and_settle() {
    for seed in 0..150 {
        let mut program = random_program(seed);
        standard(&mut program);
        let once = print(&program);
        simplify(&mut program);
        let twice = print(&program);
        // Splitting may leave what a second round of simplification removes, but a third finds nothing.
        simplify(&mut program);
        assert_eq!(print(&program).len(), twice.len(), "seed {seed}");
        assert!(twice.len() <= once.len(), "seed {seed}");
    }
}
