use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::{Recursion, diagnostic, flatten, parse};

fn check(text: &str, expected: Expect) {
    let program = parse(text).unwrap_or_else(|e| panic!("{}", e.render("t.bp", text)));
    let mut out = String::new();
    match flatten(&program, Recursion::Threads) {
        Ok(flat) => {
            for (at, location) in flat.locations.iter_enumerated() {
                let closed = if location.closed { " closed" } else { "" };
                writeln!(out, "{at} {}{closed}: {}", flat.describe(at, text), flat.show(&location.instr)).unwrap();
            }
        }
        Err(errors) => out = diagnostic::render_all(&errors, "t.bp", text),
    }
    expected.assert_eq(&out);
}

#[test]
fn sugar_becomes_branches() {
    check(
        "decl a; main() begin if (a) then a := 0; fi while (*) do L: assert(!a); od end",
        expect![[r#"
            l0 main:1: if a → l1, if !a → l2
            l1 main:1: a := 0 → l2
            l2 main:1: if *0 → l3, if !*0 → l5
            l3 main:L: if !a → l2, if !!a → l4
            l4 main:1: error
            l5 main:1: end_thread
        "#]],
    );
}

#[test]
fn calls_are_inlined() {
    check(
        "decl g; bool f(x) begin decl y; y := !x; return y; end main() begin g := f(g); g := f(1); end",
        expect![[r#"
            l0 main:1: f.x, f.y := g, 0 → l1
            l1 f:1: f.y := !f.x → l2
            l2 f:1: g := f.y → l3
            l3 main:1: f.x, f.y := 1, 0 → l4
            l4 f:1: f.y := !f.x → l5
            l5 f:1: g := f.y → l6
            l6 main:1: end_thread
        "#]],
    );
}

#[test]
fn threads_sections_and_locks() {
    check(
        "decl g, l; f(x) begin lock l; atomic begin g := x; start_thread f(*); end unlock l; end
         main() begin L: start_thread f(1); start_thread L; goto L; end",
        expect![[r#"
            l0 main:L: start_thread l3 f.x := 1 → l1
            l1 main:2: start_thread l0 as a copy → l2
            l2 main:2: goto l0
            l3 f:1: lock l → l4
            l4 f:1: skip → l5
            l5 f:1 closed: g := f.x → l6
            l6 f:1 closed: start_thread l3 f.x := *0 → l7
            l7 f:1 closed: skip → l8
            l8 f:1: unlock l → l9
            l9 f:1: end_thread
        "#]],
    );
}

#[test]
fn recursion_becomes_threads() {
    cov_mark::check!(recursive_call);
    check(
        "bool f(x) begin decl r; if (x) then r := f(!x); fi return r; end main() begin decl v; v := f(1); end",
        expect![[r#"
            l0 main:1: f.returned1 := 0 → l1
            l1 main:1: start_thread l4 f.x := 1 f.r := 0 → l2
            l2 main:1: main.v, f.returned1 := f.value1_0, 0 constrain f.returned1 → l3
            l3 main:1: end_thread
            l4 f:1: if f.x → l5, if !f.x → l8
            l5 f:1: f.returned0 := 0 → l6
            l6 f:1: start_thread l10 f.x := !f.x f.r := 0 → l7
            l7 f:1: f.r, f.returned0 := f.value0_0, 0 constrain f.returned0 → l8
            l8 f:1: f.value1_0, f.returned1 := f.r, 1 → l9
            l9 f:1: end_thread
            l10 f:1: if f.x → l11, if !f.x → l14
            l11 f:1: f.returned0 := 0 → l12
            l12 f:1: start_thread l10 f.x := !f.x f.r := 0 → l13
            l13 f:1: f.r, f.returned0 := f.value0_0, 0 constrain f.returned0 → l14
            l14 f:1: f.value0_0, f.returned0 := f.r, 1 → l15
            l15 f:1: end_thread
        "#]],
    );
}

#[test]
fn passive_parts_are_split_off() {
    check(
        "decl g; main() begin decl x; g, x$ := *1, *1 & * constrain g' & (x$ => x$') & !x; end",
        expect![[r#"
            l0 main:1: g, main.x$ := *0, (*0 & *1) constrain (g' & !main.x) & (!main.x$ | main.x$') → l1
            l1 main:1: end_thread
        "#]],
    );
}

#[test]
fn names_are_checked() {
    check(
        "decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
         f() begin end",
        expect![[r#"
            t.bp:2:10: error: the procedure `f` is declared twice
              2 |          f() begin end
                |          ^
            t.bp:1:15: note: the first declaration is here
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |               ^
            t.bp:1:15: error: there is no procedure `main`
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |               ^
            t.bp:1:9: error: the variable `a` is declared twice
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |         ^
            t.bp:1:6: note: the first declaration is here
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |      ^
            t.bp:1:20: error: the variable `x` is declared twice
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |                    ^
            t.bp:1:17: note: the first declaration is here
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |                 ^
            t.bp:1:62: error: the label `L` is declared twice
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |                                                              ^
            t.bp:1:53: note: the first declaration is here
              1 | decl a, a, l; f(x, x) begin lock l; l := 1; a := l; L: skip; L: goto M; g := 1; start_thread h; f(1); end
                |                                                     ^
            5 errors
        "#]],
    );
    check(
        "decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
         bool v() begin if (*) then return 1; fi end
         main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
           atomic begin N: skip; end start_thread N; start_thread f; end",
        expect![[r#"
            t.bp:1:31: error: `l` is a lock and cannot be assigned to
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                               ^
            t.bp:1:44: error: `l` is a lock and has no value
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                            ^
            t.bp:1:52: error: `f` has no label `M`
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                                    ^
            t.bp:1:55: error: `g` is not declared
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                                       ^
            t.bp:1:76: error: there is no procedure `h`
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                                                            ^
            t.bp:1:85: error: there is no procedure `k`
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                                                                     ^
            t.bp:1:90: error: `f` returns 0 values for 1 variables
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |                                                                                          ^~~~~~~~~~
            t.bp:3:40: error: `l2` is a local variable; a lock must be global
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                        ^~
            t.bp:3:47: error: `a` is assigned to twice
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                               ^
            t.bp:3:58: error: 2 values for 1 variables
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                                          ^~~~~~~~~~
            t.bp:3:74: error: `a'` is the next state, which only `constrain` can speak of
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                                                          ^
            t.bp:3:78: error: `a` is not local, so there is no `a$`
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                                                              ^
            t.bp:3:92: error: `y$` may only stand in `constrain` and in values for `$` variables
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                                                                            ^
            t.bp:3:96: error: `f` takes 1 arguments, here 0
              3 |          main() begin decl l2, y; lock l2; a, a := 1, 1; a := 1, 0; a := a'; a$ := 1; a := y$; f(); a := v();
                |                                                                                                ^
            t.bp:1:12: note: it is declared here
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |            ^
            t.bp:4:67: error: `f` takes 1 arguments, here 0
              4 |            atomic begin N: skip; end start_thread N; start_thread f; end
                |                                                                   ^
            t.bp:1:12: note: it is declared here
              1 | decl a, l; f(x) begin lock l; l := 1; a := l; goto M; g := 1; start_thread h; f(1); k(); a := f(0); end
                |            ^
            15 errors
        "#]],
    );
    check(
        "f() begin end",
        expect![[r#"
        t.bp:1:1: error: there is no procedure `main`
          1 | f() begin end
            | ^
        1 error
    "#]],
    );
    check(
        "main(x) begin end",
        expect![[r#"
        t.bp:1:1: error: `main` takes no parameters
          1 | main(x) begin end
            | ^~~~
        1 error
    "#]],
    );
    check(
        "bool<2> main() begin return 1; end",
        expect![[r#"
        t.bp:1:22: error: `main` returns 2 values, here 1
          1 | bool<2> main() begin return 1; end
            |                      ^~~~~~~~~
        1 error
    "#]],
    );
}

#[test]
fn recursion_that_would_lose_behaviour_is_refused() {
    check(
        "decl l; f() begin if (*) then f(); fi unlock l; end main() begin lock l; f(); end",
        expect![[r#"
        t.bp:1:39: error: a recursive procedure releases a lock that it has not taken: not supported
          1 | decl l; f() begin if (*) then f(); fi unlock l; end main() begin lock l; f(); end
            |                                       ^~~~~~~~~
        1 error
    "#]],
    );
    check(
        "decl l; f() begin if (*) then f(); fi lock l; end main() begin f(); end",
        expect![[r#"
        t.bp:1:9: error: a recursive procedure returns with a lock that it has taken: not supported
          1 | decl l; f() begin if (*) then f(); fi lock l; end main() begin f(); end
            |         ^
        1 error
    "#]],
    );
    check(
        "f() begin atomic begin f(); end end main() begin f(); end",
        expect![[r#"
        t.bp:1:24: error: a recursive procedure is called inside an atomic section
          1 | f() begin atomic begin f(); end end main() begin f(); end
            |                        ^~~~
        1 error
    "#]],
    );
    check(
        "f() begin L: f(); start_thread L; end main() begin f(); end",
        expect![[r#"
        t.bp:1:19: error: a thread that is started at a label of a recursive procedure cannot return
          1 | f() begin L: f(); start_thread L; end main() begin f(); end
            |                   ^~~~~~~~~~~~~~~
        1 error
    "#]],
    );
    check(
        "f() begin decl x; x$ := 0; f(); end main() begin f(); end",
        expect![[r#"
        t.bp:1:19: error: `$` together with recursion is not supported
          1 | f() begin decl x; x$ := 0; f(); end main() begin f(); end
            |                   ^~~~~~~~
        1 error
    "#]],
    );
}

#[test]
fn inlining_without_end_is_refused() {
    let mut text = "p0() begin skip; end\n".to_owned();
    for i in 1..40 {
        text += &format!("p{i}() begin p{}(); p{}(); end\n", i - 1, i - 1);
    }
    text += "main() begin p39(); end";
    let errors = flatten(&parse(&text).unwrap(), Recursion::Threads).expect_err("it is refused");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "inlining calls makes more than 1048576 locations");
}

#[test]
fn recursion_can_be_refused() {
    let program = parse("f() begin f(); end main() begin f(); end").unwrap();
    assert_eq!(flatten(&program, Recursion::Refuse).expect_err("it is refused").len(), 2);
}
