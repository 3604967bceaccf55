//! Expressions, initialisers.

use expect_test::expect;

use super::check;

#[test]
fn precedence() {
    check(
        "int x = a + b * c - d / e % f << 1 >> 2 < 3 > 4 <= 5 >= 6 == 7 != 8 & 9 ^ 10 | 11 && 12 || 13;",
        expect![[r#"
            (decl int x = (|| (&& (| (^ (& (!= (== (>= (<= (> (< (>> (<< (- (+ a (* b c)) (% (/ d e) f)) 1) 2) 3) 4) 5) 6) 7) 8) 9) 10) 11) 12) 13))
        "#]],
    );
}

#[test]
fn left_associativity() {
    check(
        "int x = a - b - c, y = a / b * c, z = a == b == c;",
        expect![[r#"
            (decl int x = (- (- a b) c) y = (* (/ a b) c) z = (== (== a b) c))
        "#]],
    );
}

#[test]
fn assignments() {
    check(
        "void f(void) { a = b = c; a += b -= c; a *= 1; a /= 1; a %= 1; a <<= 1; a >>= 1; a &= 1; a ^= 1; a |= 1; }",
        expect![[r#"
            (fn void f:(void) (block (= a (= b c)) (+= a (-= b c)) (*= a 1) (/= a 1) (%= a 1) (<<= a 1) (>>= a 1) (&= a 1) (^= a 1) (|= a 1)))
        "#]],
    );
}

#[test]
fn conditionals() {
    check(
        "int x = a ? b : c ? d : e, y = a ? b ? 1 : 2 : 3, z = a ?: b, w = a ? b, c : d;",
        expect![[r#"
            (decl int x = (? a b (? c d e)) y = (? a (? b 1 2) 3) z = (?: a b) w = (? a (, b c) d))
        "#]],
    );
}

#[test]
fn comma() {
    check(
        "void f(void) { a, b, c; g(a, (b, c)); }",
        expect![[r#"
            (fn void f:(void) (block (, (, a b) c) (call g a (, b c))))
        "#]],
    );
}

#[test]
fn unary_operators() {
    check(
        "int x = -+~!a, y = *&b, z = - -c, w = !*p++;",
        expect![[r#"
            (decl int x = (- (+ (~ (! a)))) y = (* (& b)) z = (- (- c)) w = (! (* (_++ p))))
        "#]],
    );
}

#[test]
fn increments() {
    check(
        "void f(void) { ++a; --a; a++; a--; ++*p; (*p)++; *p++; a++ + ++b; }",
        expect![[r#"
            (fn void f:(void) (block (++_ a) (--_ a) (_++ a) (_-- a) (++_ (* p)) (_++ (* p)) (* (_++ p)) (+ (_++ a) (++_ b))))
        "#]],
    );
}

#[test]
fn casts() {
    check(
        "int x = (int)a, y = (int *)(char)b, z = (int)-c, w = (unsigned long)&d, v = (int (*)(int))e;",
        expect![[r#"
            (decl int x = (cast [int] a) y = (cast [int :*] (cast [char] b)) z = (cast [int] (- c)) w = (cast [ulong] (& d)) v = (cast [int :*(int)] e))
        "#]],
    );
}

#[test]
fn cast_or_call() {
    check(
        "typedef int T; int x = (T)(y), z = (f)(y), w = (T)-1, v = (f)-1;",
        expect![[r#"
            (decl typedef int T)
            (decl int x = (cast [@T] y) z = (call f y) w = (cast [@T] (- 1)) v = (- f 1))
        "#]],
    );
}

#[test]
fn sizeof_forms() {
    check(
        "typedef int T; int a = sizeof x, b = sizeof(x), c = sizeof(T), d = sizeof(int[3]), e = sizeof(int) - 1, f = sizeof(x)[0], g = sizeof -x, h = sizeof(T *) * 2;",
        expect![[r#"
            (decl typedef int T)
            (decl int a = (sizeof x) b = (sizeof x) c = (sizeof-type [@T]) d = (sizeof-type [int :[3]]) e = (- (sizeof-type [int]) 1) f = (sizeof (index x 0)) g = (sizeof (- x)) h = (* (sizeof-type [@T :*]) 2))
        "#]],
    );
}

#[test]
fn sizeof_a_compound_literal() {
    check(
        "int a = sizeof (int){1}, b = sizeof (int[]){1, 2}[0], c = sizeof (struct s){0}.m;",
        expect![[r#"
            (decl int a = (sizeof (literal int {1})) b = (sizeof (index (literal int :[] {1, 2}) 0)) c = (sizeof (. (literal (struct s) {0}) m)))
        "#]],
    );
}

#[test]
fn alignof_forms() {
    check(
        "int a = _Alignof(int), b = __alignof__(x), c = __alignof__ x, d = __alignof(int), e = _Alignof x;",
        expect![[r#"
            (decl int a = (alignof-type [int]) b = (alignof x) c = (alignof x) d = (gnu-alignof-type [int]) e = (alignof x))
        "#]],
    );
}

#[test]
fn calls_and_members() {
    check(
        "int x = f(), y = f(1, 2)(3), z = a.b->c[1].d, w = (*p).q, v = p->f(p);",
        expect![[r#"
            (decl int x = (call f) y = (call (call f 1 2) 3) z = (. (index (-> (. a b) c) 1) d) w = (. (* p) q) v = (call (-> p f) p))
        "#]],
    );
}

#[test]
fn compound_literals() {
    check(
        "int *p = (int[]){1, 2}; struct s *q = &(struct s){.a = 1}; int x = (int){3} + 1;",
        expect![[r#"
            (decl int p:* = (literal int :[] {1, 2}))
            (decl (struct s) q:* = (& (literal (struct s) {.a=1})))
            (decl int x = (+ (literal int {3}) 1))
        "#]],
    );
}

#[test]
fn statement_expressions() {
    check(
        "int f(void) { return ({ int y = g(); y > 0 ? y : -y; }) + ({ ; }); }",
        expect![[r#"
            (fn int f:(void) (block (return (+ (stmt-expr (block (decl int y = (call g)) (? (> y 0) y (- y)))) (stmt-expr (block (empty)))))))
        "#]],
    );
}

#[test]
fn generic_selection() {
    check(
        "int x = _Generic(y, int: 1, char *: 2, const struct s: 3, default: 4);",
        expect![[r#"
            (decl int x = (generic y [int] 1 [char :*] 2 [const (struct s)] 3 [default] 4))
        "#]],
    );
}

#[test]
fn label_addresses() {
    check(
        "void f(void) { void *t[] = { &&a, &&b }; goto *t[i]; a: b: ; }",
        expect![[r#"
            (fn void f:(void) (block (decl void t:[]* = {(label-addr a), (label-addr b)}) (goto* (index t i)) (label a (label b (empty)))))
        "#]],
    );
}

#[test]
fn builtins_that_take_types() {
    check(
        "int a = __builtin_va_arg(l, int *), b = __builtin_offsetof(struct s, m.n[2].o), c = __builtin_types_compatible_p(int, const char *), d = __builtin_choose_expr(1, x, y);",
        expect![[r#"
            (decl int a = (va-arg [int :*] l) b = (offsetof (struct s) .m.n[2].o) c = (types-compatible int, const char :*) d = (choose 1 x y))
        "#]],
    );
}

#[test]
fn real_and_imaginary() {
    check(
        "double x = __real__ z, y = __imag__ z * 2;",
        expect![[r#"
            (decl double x = (real z) y = (* (imag z) 2))
        "#]],
    );
}

#[test]
fn initializer_lists() {
    check(
        r#"int a[] = {1, 2, 3,}, b[2][2] = {{1, 2}, {3}}, c = {4}, d[] = {}; struct s e = {0, {1}, "x"};"#,
        expect![[r#"
            (decl int a:[] = {1, 2, 3} b:[2][2] = {{1, 2}, {3}} c = {4} d:[] = {})
            (decl (struct s) e = {0, {1}, "x"})
        "#]],
    );
}

#[test]
fn designators() {
    check(
        "struct s a = {.x = 1, .y.z = 2, .w[3] = 4, [1].v = 5}; int b[] = {[2] = 1, [4 ... 6] = 2, 3}; struct s c = {x: 1, y: {2}}; int d[] = {[0] 5, [1 ... 2] 6}; int e[] = {[1][2] = 3};",
        expect![[r#"
            (decl (struct s) a = {.x=1, .y.z=2, .w[3]=4, [1].v=5})
            (decl int b:[] = {[2]=1, [4...6]=2, 3})
            (decl (struct s) c = {.x=1, .y={2}})
            (decl int d:[] = {[0]=5, [1...2]=6})
            (decl int e:[] = {[1][2]=3})
        "#]],
    );
}

#[test]
fn typedef_name_as_designator() {
    check(
        "typedef int T; struct s a = { .T = 1 }; struct s b = { T: 1 };",
        expect![[r#"
            (decl typedef int T)
            (decl (struct s) a = {.T=1})
            (decl (struct s) b = {.T=1})
        "#]],
    );
}

#[test]
fn statement_expression_with_declarations() {
    check(
        "int x = ({ typedef int T; T y = 1; y; }); int T;",
        expect![[r#"
            (decl int x = (stmt-expr (block (decl typedef int T) (decl @T y = 1) y)))
            (decl int T)
        "#]],
    );
}

#[test]
fn lvalue_chains() {
    check(
        "void f(void) { a.b.c = *d[1] = (e, f)->g; }",
        expect![[r#"
            (fn void f:(void) (block (= (. (. a b) c) (= (* (index d 1)) (-> (, e f) g)))))
        "#]],
    );
}

#[test]
fn extension_is_transparent() {
    check(
        "int x = __extension__ 1 + __extension__ (__extension__ 2);",
        expect![[r#"
            (decl int x = (+ 1 2))
        "#]],
    );
}
