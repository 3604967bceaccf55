//! Statements, functions.

use expect_test::expect;

use super::check;

#[test]
fn loops() {
    check(
        "void f(void) { while (a) b; do c; while (d); for (;;) ; for (i = 0; i < 3; i++) { } for (int i = 0, j = 1; ; ) continue; while (1) { break; } }",
        expect![[r#"
            (fn void f:(void) (block (while a b) (do c d) (for ;; (empty)) (for (= i 0); (< i 3); (_++ i) (block)) (for (decl int i = 0 j = 1);; (continue)) (while 1 (block (break)))))
        "#]],
    );
}

#[test]
fn if_and_else() {
    check(
        "void f(void) { if (a) b; if (a) b; else c; if (a) if (b) c; else d; if (a) b; else if (c) d; else e; }",
        expect![[r#"
            (fn void f:(void) (block (if a b) (if a b c) (if a (if b c d)) (if a b (if c d e))))
        "#]],
    );
}

#[test]
fn switches() {
    check(
        "void f(void) { switch (x) { case 1: case 2: a; break; case 3 ... 5: { } default: b; } switch (x) case 1: c; }",
        expect![[r#"
            (fn void f:(void) (block (switch x (block (case 1 (case 2 a)) (break) (case 3 ... 5 (block)) (default b))) (switch x (case 1 c))))
        "#]],
    );
}

#[test]
fn labels() {
    check(
        "void f(void) { a: b; c: d: e; goto a; { end: } f: __attribute__((unused)) g; h: __attribute__((unused)); last: }",
        expect![[r#"
            (fn void f:(void) (block (label a b) (label c (label d e)) (goto a) (block (label end (empty))) (label f g) (label h (empty)) (label last (empty))))
        "#]],
    );
}

#[test]
fn labels_before_declarations() {
    check(
        "void f(void) { a: int x = 1; switch (x) { case 1: int y; default: typedef int T; } }",
        expect![[r#"
            (fn void f:(void) (block (label a (decl int x = 1)) (switch x (block (case 1 (decl int y)) (default (decl typedef int T))))))
        "#]],
    );
}

#[test]
fn typedef_names_as_labels() {
    check(
        "typedef int T; void f(void) { goto T; T: T x; { T: ; } }",
        expect![[r#"
            (decl typedef int T)
            (fn void f:(void) (block (goto T) (label T (decl @T x)) (block (label T (empty)))))
        "#]],
    );
}

#[test]
fn local_labels() {
    check(
        "void f(void) { __label__ a, b; a: goto b; b: ; }",
        expect![[r#"
            (fn void f:(void) (block (local-labels a b) (label a (goto b)) (label b (empty))))
        "#]],
    );
}

#[test]
fn returns() {
    check(
        "int f(void) { return; return 1; return (a, b); }",
        expect![[r#"
            (fn int f:(void) (block (return) (return 1) (return (, a b))))
        "#]],
    );
}

#[test]
fn empty_statements() {
    check(
        "void f(void) { ; ;; { } }",
        expect![[r#"
            (fn void f:(void) (block (empty) (empty) (empty) (block)))
        "#]],
    );
}

#[test]
fn declarations_and_statements_mixed() {
    check(
        "typedef int T; void f(void) { int a; a = 1; T b; b * a; T *c; struct s { int x; } d; extern int e; }",
        expect![[r#"
            (decl typedef int T)
            (fn void f:(void) (block (decl int a) (= a 1) (decl @T b) (* b a) (decl @T c:*) (decl (struct s { (int x) }) d) (decl extern int e)))
        "#]],
    );
}

#[test]
fn asm_statements() {
    check(
        r#"void f(void) { asm("nop"); __asm__ __volatile__ ("mov %1, %0" : "=r" (a), [out] "=m" (b) : "r" (c) : "memory", "cc"); asm("" : : "r" (x)); asm volatile ("" ::: "memory"); asm goto ("jmp %l0" : : : : done); done: ; }"#,
        expect![[r#"
            (fn void f:(void) (block (asm "nop") (asm "mov %1, %0" out "=r" a out "=m" b in "r" c clobbers "memory" clobbers "cc") (asm "" in "r" x) (asm "" clobbers "memory") (asm "jmp %l0" label done) (label done (empty))))
        "#]],
    );
}

#[test]
fn attribute_statements() {
    check(
        "void f(void) { switch (x) { case 1: a; __attribute__((fallthrough)); case 2: b; [[fallthrough]]; default: ; } __attribute__((unused)) int c; [[maybe_unused]] int d; }",
        expect![[r#"
            (fn void f:(void) (block (switch x (block (case 1 a) (empty) (case 2 b) (empty) (default (empty)))) (decl int c) (decl int d)))
        "#]],
    );
}

#[test]
fn nested_functions() {
    check(
        "int f(int a) { auto int g(int); int g(int b) { return a + b; } return g(1); }",
        expect![[r#"
            (fn int f:(int a) (block (decl auto int g:(int)) (fn int g:(int b) (block (return (+ a b)))) (return (call g 1))))
        "#]],
    );
}

#[test]
fn scopes_of_for_loops() {
    check(
        "typedef int T; void f(void) { for (int T = 0; T < 1; T++) T * 2; T *p; for (T i = 0; ; ) ; }",
        expect![[r#"
            (decl typedef int T)
            (fn void f:(void) (block (for (decl int T = 0); (< T 1); (_++ T) (* T 2)) (decl @T p:*) (for (decl @T i = 0);; (empty))))
        "#]],
    );
}

#[test]
fn block_scope_typedefs() {
    check(
        "void f(void) { typedef int T; T x; { int T; T * x; } T *y; } int T;",
        expect![[r#"
            (fn void f:(void) (block (decl typedef int T) (decl @T x) (block (decl int T) (* T x)) (decl @T y:*)))
            (decl int T)
        "#]],
    );
}

#[test]
fn static_asserts_in_blocks() {
    check(
        r#"void f(void) { _Static_assert(1); _Static_assert(1, "x"); }"#,
        expect![[r#"
            (fn void f:(void) (block (static-assert 1) (static-assert 1 "x")))
        "#]],
    );
}

#[test]
fn pragmas_in_functions() {
    check(
        "void f(void) {\n#pragma omp parallel\n a;\n _Pragma(\"omp x\") b; _Pragma ( \"y \\\"z\\\"\" )\n}",
        expect![[r#"
            (fn void f:(void) (block a b))
        "#]],
    );
}

#[test]
fn a_struct_specifier_alone() {
    check(
        "void f(void) { struct s; struct s *p; enum { A }; A; }",
        expect![[r#"
            (fn void f:(void) (block (decl (struct s)) (decl (struct s) p:*) (decl (enum { A })) A))
        "#]],
    );
}
