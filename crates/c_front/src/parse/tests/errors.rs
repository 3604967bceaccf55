//! Messages and recovery.

use expect_test::expect;

use super::check;

#[test]
fn missing_semicolon_before_brace() {
    check(
        "void f(void) { int x; x = 1 }",
        expect![[r#"
            (fn void f:(void) (block (decl int x) (= x 1)))
            t.c:1:28: error: expected `;` before `}`
        "#]],
    );
}

#[test]
fn missing_semicolon_at_line_end() {
    check(
        "void f(void) {\n  a = 1\n  b = 2;\n}",
        expect![[r#"
            (fn void f:(void) (block (= a 1) (= b 2)))
            t.c:2:8: error: expected `;` before `b`
        "#]],
    );
}

#[test]
fn missing_semicolon_on_a_line() {
    check(
        "void f(void) { a = 1 b = 2; c = 3; }",
        expect![[r#"
            (fn void f:(void) (block <error> (= c 3)))
            t.c:1:21: error: expected `;` before `b`
        "#]],
    );
}

#[test]
fn several_errors() {
    check(
        "void f(void) { a = ; b = 1; c = * ; d = 2; }\nint g(void) { return + ; }\nint ok;",
        expect![[r#"
            (fn void f:(void) (block <error> (= b 1) <error> (= d 2)))
            (fn int g:(void) (block <error>))
            (decl int ok)
            t.c:1:20: error: expected expression before `;`
            t.c:1:35: error: expected expression before `;`
            t.c:2:24: error: expected expression before `;`
        "#]],
    );
}

#[test]
fn errors_in_heads_do_not_hide_the_body() {
    check(
        "void f(void) { if (a b) { c = ; } for (i = 0 j; k; l) { m = ; } while ) { } n; }",
        expect![[r#"
            (fn void f:(void) (block (if <error> (block <error>)) (for ;; (block <error>)) <error> n))
            t.c:1:21: error: expected `)` before `b`
            t.c:1:31: error: expected expression before `;`
            t.c:1:45: error: expected `;` before `j`
            t.c:1:61: error: expected expression before `;`
            t.c:1:70: error: expected `(` before `)`
        "#]],
    );
}

#[test]
fn missing_parenthesis() {
    check(
        "void f(void) { g(a, b; h(c); }",
        expect![[r#"
            (fn void f:(void) (block <error> (call h c)))
            t.c:1:22: error: expected `)` before `;`
        "#]],
    );
}

#[test]
fn missing_bracket() {
    check(
        "int a[3; int b;",
        expect![[r#"
            (decl int b)
            t.c:1:8: error: expected `]` before `;`
        "#]],
    );
}

#[test]
fn unclosed_block() {
    check(
        "void f(void) {\n  if (a) {\n    b;\n",
        expect![[r#"
            t.c:3:7: error: expected `}` at end of input
            t.c:2:10: note: to match this `{`
        "#]],
    );
}

#[test]
fn unclosed_struct() {
    check(
        "struct s {\n  int a;",
        expect![[r#"
            t.c:2:9: error: expected `}` at end of input
            t.c:1:10: note: to match this `{`
        "#]],
    );
}

#[test]
fn unclosed_initializer() {
    check(
        "int a[] = { 1, 2",
        expect![[r#"
            t.c:1:17: error: expected `}` at end of input
            t.c:1:11: note: to match this `{`
        "#]],
    );
}

#[test]
fn extra_closing_brace() {
    check(
        "void f(void) { } }\nint x; int y = ;",
        expect![[r#"
            (fn void f:(void) (block))
            (decl int x)
            t.c:1:18: error: expected identifier or `(` before `}`
            t.c:2:16: error: expected expression before `;`
        "#]],
    );
}

#[test]
fn unknown_type_names() {
    check(
        "foo x; foo *y; int f(foo z, bar *w); void g(void) { foo a; foo b = 1; } struct s { foo m; };",
        expect![[r#"
            (decl int x)
            (decl int y:*)
            (decl int f:(int z, int w:*))
            (fn void g:(void) (block (decl int a) (decl int b = 1)))
            (decl (struct s { (int m) }))
            t.c:1:1: error: unknown type name `foo`
            t.c:1:8: error: unknown type name `foo`
            t.c:1:22: error: unknown type name `foo`
            t.c:1:29: error: unknown type name `bar`
            t.c:1:53: error: unknown type name `foo`
            t.c:1:60: error: unknown type name `foo`
            t.c:1:84: error: unknown type name `foo`
        "#]],
    );
}

#[test]
fn two_types() {
    check(
        "int struct s { int a; } x; typedef int T; struct s T y; int double z; long char c; short long d; signed unsigned e; long long long g;",
        expect![[r#"
            (decl (struct s { (int a) }) x)
            (decl typedef int T)
            (decl int z)
            (decl int c)
            (decl int d)
            (decl int e)
            (decl int g)
            t.c:1:1: error: two or more data types in declaration specifiers
            t.c:1:53: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before `y`
            t.c:1:57: error: these type specifiers do not go together
            t.c:1:71: error: these type specifiers do not go together
            t.c:1:84: error: these type specifiers do not go together
            t.c:1:98: error: these type specifiers do not go together
            t.c:1:117: error: these type specifiers do not go together
        "#]],
    );
}

#[test]
fn storage_class_errors() {
    check(
        "static extern int a; static static int b;",
        expect![[r#"
            (decl extern int a)
            (decl static int b)
            t.c:1:8: error: multiple storage classes in declaration specifiers
            t.c:1:29: error: duplicate `static`
        "#]],
    );
}

#[test]
fn expected_a_declarator() {
    check(
        "int 3; int *; int (; int x, ;",
        expect![[r#"
            t.c:1:5: error: expected identifier or `(` before numeric constant
            t.c:1:13: error: expected identifier or `(` before `;`
            t.c:1:20: error: expected identifier or `(` before `;`
            t.c:1:29: error: expected identifier or `(` before `;`
        "#]],
    );
}

#[test]
fn expected_an_expression() {
    check(
        "int x = ; int y = 1 + ; int z = (); int w = f(1, );",
        expect![[r#"
            t.c:1:9: error: expected expression before `;`
            t.c:1:23: error: expected expression before `;`
            t.c:1:34: error: expected expression before `)`
            t.c:1:50: error: expected expression before `)`
        "#]],
    );
}

#[test]
fn missing_operand_of_brackets() {
    check(
        "void f(void) { a[]; a.; a->3; b; }",
        expect![[r#"
            (fn void f:(void) (block <error> <error> <error> b))
            t.c:1:18: error: expected expression before `]`
            t.c:1:23: error: expected identifier before `;`
            t.c:1:28: error: expected identifier before numeric constant
        "#]],
    );
}

#[test]
fn bad_member() {
    check(
        "struct s { int; 3; int a b; int c; };",
        expect![[r#"
            (decl (struct s { (int) (int c) }))
            t.c:1:17: error: expected specifier-qualifier-list before numeric constant
            t.c:1:25: error: expected `,`, `;` or `}` before `b`
        "#]],
    );
}

#[test]
fn member_without_semicolon() {
    check(
        "struct s { int a };",
        expect![[r#"
            (decl (struct s { (int a) }))
            t.c:1:17: warning: no semicolon at end of struct or union
        "#]],
    );
}

#[test]
fn struct_without_semicolon() {
    check(
        "struct s { int a; }\nint x;",
        expect![[r#"
            (decl (struct s { (int a) }))
            (decl int x)
            t.c:1:20: error: expected `;`, identifier or `(` before `int`
        "#]],
    );
}

#[test]
fn bad_enum() {
    check(
        "enum e { 3 }; enum { A B }; enum; enum f { C, , };",
        expect![[r#"
            t.c:1:10: error: expected identifier before numeric constant
            t.c:1:23: error: expected `,` or `}` before `B`
            t.c:1:33: error: expected identifier or `{` before `;`
            t.c:1:47: error: expected identifier before `,`
        "#]],
    );
}

#[test]
fn bad_designator() {
    check(
        "struct s a = { .3 = 1 }; struct s b = { .x 1 };",
        expect![[r#"
            (decl (struct s) a = {(= .3:double 1)})
            t.c:1:43: error: expected `=` before numeric constant
        "#]],
    );
}

#[test]
fn bad_labels() {
    check(
        "void f(void) { goto 3; goto ; case : ; case 1 a; default a; }",
        expect![[r#"
            (fn void f:(void) (block <error> <error> <error> <error> <error>))
            t.c:1:21: error: expected identifier or `*` before numeric constant
            t.c:1:29: error: expected identifier or `*` before `;`
            t.c:1:36: error: expected expression before `:`
            t.c:1:46: error: expected `:` before `a`
            t.c:1:57: error: expected `:` before `a`
        "#]],
    );
}

#[test]
fn else_without_if() {
    check(
        "void f(void) { else a; b; }",
        expect![[r#"
            (fn void f:(void) (block <error> b))
            t.c:1:16: error: `else` without a previous `if`
        "#]],
    );
}

#[test]
fn do_without_while() {
    check(
        "void f(void) { do a; b; }",
        expect![[r#"
            (fn void f:(void) (block <error>))
            t.c:1:21: error: expected `while` before `b`
        "#]],
    );
}

#[test]
fn bad_asm() {
    check(
        r#"void f(void) { asm(3); asm("x" : "r" a); asm; } asm(x);"#,
        expect![[r#"
            (fn void f:(void) (block <error> <error> <error>))
            t.c:1:20: error: expected string literal before numeric constant
            t.c:1:37: error: expected `(` before `a`
            t.c:1:45: error: expected `(` before `;`
            t.c:1:53: error: expected string literal before `x`
        "#]],
    );
}

#[test]
fn bad_builtins() {
    check(
        "int a = __builtin_offsetof(int); int b = _Generic(x, y: 1); int c = __builtin_va_arg(x); int d = __builtin_convertvector(v, int);",
        expect![[r#"
            t.c:1:31: error: expected `,` before `)`
            t.c:1:54: error: expected type name before `y`
            t.c:1:87: error: expected `,` before `)`
            t.c:1:98: error: `__builtin_convertvector` is not supported
        "#]],
    );
}

#[test]
fn bad_static_assert() {
    check(
        "_Static_assert(1, 2); _Static_assert(); int x;",
        expect![[r#"
            (decl int x)
            t.c:1:19: error: expected string literal before numeric constant
            t.c:1:38: error: expected expression before `)`
        "#]],
    );
}

#[test]
fn bad_attributes() {
    check(
        "int a __attribute__(x); int b __attribute__((aligned(1)); int c; int d __attribute__((mode(3))); int e __attribute__((3));",
        expect![[r#"
            (decl int c)
            t.c:1:21: error: expected `(` before `x`
            t.c:1:57: error: expected `)` before `;`
            t.c:1:92: error: expected identifier before numeric constant
            t.c:1:119: error: expected attribute name before numeric constant
        "#]],
    );
}

#[test]
fn bad_parameters() {
    check(
        "int f(int a b); int g(3); int h(int, ); int k(a, int b); int m(int, ...  int);",
        expect![[r#"
            t.c:1:12: error: expected `;`, `,` or `)` before `b`
            t.c:1:23: error: expected declaration specifiers or `...` before numeric constant
            t.c:1:38: error: expected declaration specifiers or `...` before `)`
            t.c:1:50: error: expected identifier before `int`
            t.c:1:72: error: expected `)` before `int`
        "#]],
    );
}

#[test]
fn bad_old_style() {
    check(
        "int f(a) int a; int b = ; x",
        expect![[r#"
            t.c:1:25: error: expected expression before `;`
            t.c:1:28: error: expected `=`, `,`, `;`, `asm` or `__attribute__` at end of input
        "#]],
    );
}

#[test]
fn statement_at_file_scope() {
    check(
        "if (x) y; int z; return 1;",
        expect![[r#"
            (decl int z)
            t.c:1:1: error: expected identifier or `(` before `if`
            t.c:1:18: error: expected identifier or `(` before `return`
        "#]],
    );
}

#[test]
fn expression_at_file_scope() {
    check(
        r#"x = 1; x + 1; 3; "abc"; f();"#,
        expect![[r#"
            (decl ? x = 1)
            (decl ? f:())
            t.c:1:9: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before `+`
            t.c:1:15: error: expected identifier or `(` before numeric constant
            t.c:1:18: error: expected identifier or `(` before string constant
        "#]],
    );
}

#[test]
fn bad_integers() {
    check(
        "int a = 09, b = 0x, c = 1abc, d = 18446744073709551616, e = 0b2, f = 1uu, g = 1lul, h = 0xe+1, i = 1i;",
        expect![[r#"
            (decl int a = <error> b = <error> c = <error> d = <error> e = <error> f = <error> g = <error> h = <error> i = <error>)
            t.c:1:9: error: invalid digit `9` in octal constant
            t.c:1:17: error: invalid integer constant `0x`
            t.c:1:25: error: invalid suffix `abc` on integer constant
            t.c:1:35: error: integer constant is too large for its type
            t.c:1:61: error: invalid integer constant `0b2`
            t.c:1:70: error: invalid suffix `uu` on integer constant
            t.c:1:79: error: invalid suffix `lul` on integer constant
            t.c:1:89: error: invalid suffix `+1` on integer constant
            t.c:1:100: error: imaginary integer constants are not supported
        "#]],
    );
}

#[test]
fn bad_floats() {
    check(
        "double a = 1e, b = 1.2.3, c = 0x1.8, d = 1.0x, e = 1.0df, f = 0x1p, g = 1e+;",
        expect![[r#"
            (decl double a = <error> b = <error> c = <error> d = <error> e = <error> f = <error> g = <error>)
            t.c:1:12: error: exponent has no digits
            t.c:1:20: error: too many decimal points in number
            t.c:1:31: error: hexadecimal floating constants require an exponent
            t.c:1:42: error: invalid suffix `x` on floating constant
            t.c:1:52: error: decimal floating constants are not supported
            t.c:1:63: error: exponent has no digits
            t.c:1:73: error: exponent has no digits
        "#]],
    );
}

#[test]
fn decimal_floats() {
    check(
        "_Decimal32 x; _Decimal64 y = 1.0dd;",
        expect![[r#"
            (decl double x)
            (decl double y = <error>)
            t.c:1:1: error: decimal floating types are not supported
            t.c:1:15: error: decimal floating types are not supported
            t.c:1:30: error: decimal floating constants are not supported
        "#]],
    );
}

#[test]
fn bad_characters() {
    check(
        r#"int a = '', b = '\x', c = '\q', d = '\777', e = 'abcde', f = L'ab', g = '\u12';"#,
        expect![[r#"
            (decl int a = <error> b = <error> c = '113' d = '-1' e = '1650680933' f = L'98' g = '12594')
            t.c:1:9: error: empty character constant
            t.c:1:17: error: \x used with no following hex digits
            t.c:1:17: error: empty character constant
            t.c:1:27: warning: unknown escape sequence: `\q`
            t.c:1:37: warning: octal escape sequence out of range
            t.c:1:49: warning: character constant too long for its type
            t.c:1:62: warning: character constant too long for its type
            t.c:1:73: error: incomplete or invalid universal character name
            t.c:1:73: warning: multi-character character constant
        "#]],
    );
}

#[test]
fn bad_strings() {
    check(
        r#"char *a = "\xfff", *b = "\9", *c = L"a" u"b", *d = "\u12";"#,
        expect![[r#"
            (decl char a:* = "\xff" b:* = "9" c:* = L"a\x00\x00\x00b\x00\x00\x00" d:* = "12")
            t.c:1:11: warning: hex escape sequence out of range
            t.c:1:25: warning: unknown escape sequence: `\9`
            t.c:1:41: error: unsupported non-standard concatenation of string literals
            t.c:1:52: error: incomplete or invalid universal character name
        "#]],
    );
}

#[test]
fn unterminated_literals() {
    check(
        "char *s = \"abc;\nint c = 'a;\nint d;",
        expect![[r#"
            (decl char s:* = "")
            (decl int c = <error>)
            (decl int d)
            t.c:1:11: error: missing terminating `"` character
            t.c:2:9: error: missing terminating `'` character
        "#]],
    );
}

#[test]
fn unterminated_comment() {
    check(
        "int a; /* no end",
        expect![[r#"
            (decl int a)
            t.c:1:8: error: unterminated comment
        "#]],
    );
}

#[test]
fn stray_characters() {
    check(
        r#"int @ a; int b = `c`; int \ d; int e # f;"#,
        expect![[r#"
            (decl int a)
            (decl int b = c)
            (decl int d)
            t.c:1:5: error: stray `@` in program
            t.c:1:18: error: stray ``` in program
            t.c:1:20: error: stray ``` in program
            t.c:1:27: error: stray `\` in program
            t.c:1:38: error: stray `#` in program
            t.c:1:37: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before `f`
        "#]],
    );
}

#[test]
fn other_directives() {
    check(
        "#include <stdio.h>\n#define X 1\nint a;\n#line x\n",
        expect![[r#"
            (decl int a)
            t.c:1:1: error: directive `#include` in preprocessed input
            t.c:2:1: error: directive `#define` in preprocessed input
            t.c:4:1: error: line marker without a line number
        "#]],
    );
}

#[test]
fn bad_pragma_operator() {
    check(
        "_Pragma(x) int a;",
        expect![[r#"
            t.c:1:1: error: `_Pragma` takes a parenthesized string literal
            t.c:1:11: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before `int`
        "#]],
    );
}

#[test]
fn conditional_without_colon() {
    check(
        "int x = a ? b; int y = a ? : ; int z;",
        expect![[r#"
            (decl int z)
            t.c:1:14: error: expected `:` before `;`
            t.c:1:30: error: expected expression before `;`
        "#]],
    );
}
