use expect_test::{Expect, expect};
use heddle_base::Id;

use super::*;
use crate::expr::{BinOp, Expr, ExprId};
use crate::step::StepKind;
use crate::testing::random_program;
use crate::text::parse;

fn check(text: &str, expect: Expect) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    check_program(&program, expect);
}

fn check_program(program: &Program, expect: Expect) {
    let lines: Vec<String> = verify(program).iter().map(|e| format!("{e}\n")).collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn a_mutex_is_well_formed() {
    check(
        r#"global m: i32
        fn lock(m: ptr) {
          atomic_begin model
          owner = load.i32 m
          await owner == 0, mutex m
          store.i32 m, self
          atomic_end
          return
        }
        fn main() {
          atomic_begin
          call lock(&m)
          atomic_end
          exit 0
        }"#,
        expect![""],
    );
}

#[test]
fn types_of_operands() {
    check(
        r#"global g: i32
        fn f(a: i32, p: ptr) -> i8 {
          regs b: bool, c: i8
          b = add(a, p)
          c = zext.i8(a)
          a = shl(a, 1:i8)
          c = fneg(c)
          store.i8 a, a
          if a goto end
        end:
          return
        }
        fn main(x: i32) {
          x = call f(1:i8)
          call main()
          spawn f(null)
          fill &g, 0, 5 as i32
          return 1
        }"#,
        expect![[r#"
            function f: right operand of add e2: expected i32, found ptr
            function f: operand of e3: expected what zext makes i8, found i32
            function f: right operand of shl e5: expected i32, found i8
            function f: operand of fneg e7: expected a float, found i8
            function f, step s0: value: expected bool, found i32
            function f, step s4: address: expected ptr, found i32
            function f, step s4: value: expected i8, found i32
            function f, step s5: condition: expected bool, found i32
            function f, step s6: return without a value from a function with a result
            function main: the entry has parameters
            function main, step s0: callee takes 2 arguments, call has 1
            function main, step s0: argument 1: expected i32, found i8
            function main, step s0: result: expected i8, found i32
            function main, step s1: callee takes 1 arguments, call has 0
            function main, step s2: a spawned function takes one pointer or nothing
            function main, step s3: length 5 but a layout of 4 bytes
            function main, step s4: return with a value from a function without result
        "#]],
    );
}

#[test]
fn sections_are_balanced_on_every_path() {
    check(
        r#"global g: i32
        fn main() {
          x = load.i32 &g
          if x == 0 goto inside
          atomic_begin
        inside:
          skip
          atomic_end
          return
        }
        fn open() {
          atomic_begin
          return
        }"#,
        expect![[r#"
            function main, step s3: 0 or 1 atomic sections are open, depending on the path
            function main, step s4: no atomic section is open
            function open, step s1: return inside an atomic section
        "#]],
    );
}

#[test]
fn nothing_is_written_before_an_await() {
    check(
        r#"global g: i32
        fn set() { 
          store.i32 &g, 1
          return
        }
        fn outer() {
          call set()
          return
        }
        fn main() {
          await true
          store.i32 &g, 2
          atomic_begin
          x = load.i32 &g
          await x == 2
          atomic_begin
          if x == 3 goto wait
          call outer()
        wait:
          await x == 1
          atomic_end
          atomic_end
          return
        }"#,
        expect![[r#"
            function main, step s0: await outside an atomic section
            function main, step s8: await after a write in the same atomic section
        "#]],
    );
}

#[test]
fn locals_are_used_while_they_live() {
    check(
        r#"fn main() {
          slot a: i32
          slot b: i32
          store.i32 &a, 1
          live a
          if self == 1 goto join
          live b
        join:
          x = load.i32 &b
          dead a
          p = &a + 4
          return
        }"#,
        expect![[r#"
            function main, step s0: local `a` is not live
            function main, step s6: local `a` is not live
        "#]],
    );
}

#[test]
fn data_makes_sense() {
    check(
        r#"
        layout t0 = struct "struct a" size 4 align 4 { 
          0: t1 b 
        }
        layout t1 = struct "struct b" size 4 align 3 { 
          0: t0 a
          2: i32 c
          0: i32 d bits 30 3
        }
        layout t2 = [3 x i32] size 8 align 4
        global g: i64 size 4 = { 0: 1:i32, 2: &g }
        global h: bool
        fn main() { return }"#,
        expect![[r#"
            layout t1: alignment is no power of two
            layout t1: field outside its record
            layout t1: bit-field outside its unit
            layout t2: array of another size than its elements
            layout t5: `bool` in memory
            global g: smaller than its layout
            global g: initial contents outside the object
        "#]],
    );
    let cyclic = r#"
        layout t0 = struct "struct a" size 4 align 4 {
          0: t1 b
        }
        layout t1 = struct "struct b" size 4 align 4 {
          0: t0 a
        }
        fn main() { return }"#;
    check(cyclic, expect!["layout t0: layout contains itself\n"]);
}

#[test]
fn ids_and_ends() {
    let mut program = parse("global g: i32\nfn main() {\n x = load.i32 &g\n goto 9\n 9: return\n}").unwrap();
    let function = &mut program.functions[program.entry];
    function.steps.raw_mut()[1].kind = StepKind::Goto { target: Id::new(7) };
    function.steps.raw_mut()[2].kind = StepKind::Assert { cond: ExprId::new(5), check: Id::new(0) };
    program.globals.push(program.globals.iter().next().unwrap().clone());
    check_program(
        &program,
        expect![[r#"
            program: two globals called `g`
            function main: control falls off the end
            function main, step s1: no step s7
            function main, step s2: no expression e5
            function main, step s2: no check c0
        "#]],
    );
    let function = &mut program.functions[program.entry];
    let next = function.exprs.next_id();
    function.exprs.push(Expr::Binary(BinOp::Add, next, next));
    function.exprs.push(Expr::Const { ty: Ty::I8, bits: 256 });
    let errors: Vec<String> = verify(&program).iter().map(ToString::to_string).collect();
    assert!(errors.contains(&"function main: an operand of e1 comes after it".to_owned()), "{errors:?}");
    assert!(errors.contains(&"function main: constant e2 is too wide for its type".to_owned()), "{errors:?}");
}

#[test]
fn random_programs_are_well_formed() {
    for seed in 0..200 {
        let errors = verify(&random_program(seed));
        assert!(errors.is_empty(), "seed {seed}: {}", errors[0]);
    }
}
