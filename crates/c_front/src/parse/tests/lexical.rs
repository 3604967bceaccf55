//! Tokens, literals, line markers.

use expect_test::expect;

use super::check;

#[test]
fn integers() {
    check(
        "int x = 0 + 1 + 017 + 0x1F + 0b101 + 1u + 1L + 1ul + 1LU + 1ll + 1ULL + 1llu + 0xFFFFFFFFFFFFFFFFuLL + 18446744073709551615u + 9223372036854775807;",
        expect![[r#"
            (decl int x = (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ 0 1) 0xf) 0x1f) 5) 1u) 1l) 1ul) 1ul) 1ll) 1ull) 1ull) 0xffffffffffffffffull) 18446744073709551615u) 9223372036854775807))
        "#]],
    );
}

#[test]
fn floats() {
    check(
        "double x = 1.0 + 1. + .5 + 1e10 + 1.5E-3 + 0x1p3 + 0x1.8P-1f + 1.0f + 1.0L + 1.0F32 + 1.0f64 + 1.0q + 1.0f128 + 1.0f32x + 1.0F64X + 1.0w + 1.0f16;",
        expect![[r#"
            (decl double x = (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ 1.0:double 1.:double) .5:double) 1e10:double) 1.5e-3:double) 0x1p3:double) 0x1.8p-1:float) 1.0:float) 1.0:ldouble) 1.0:float) 1.0:double) 1.0:float128) 1.0:float128) 1.0:double) 1.0:ldouble) 1.0:ldouble) 1.0:float16))
        "#]],
    );
}

#[test]
fn imaginary_floats() {
    check(
        "_Complex double x = 1.0i + 2.0if + 3.0fj + 4.0Li;",
        expect![[r#"
            (decl complex double x = (+ (+ (+ 1.0:double:i 2.0:float:i) 3.0:float:i) 4.0:ldouble:i))
        "#]],
    );
}

#[test]
fn characters() {
    check(
        r#"int x = 'a' + '\n' + '\0' + '\377' + '\xff' + '\\' + '\'' + '"' + '\e' + '\?';"#,
        expect![[r#"
            (decl int x = (+ (+ (+ (+ (+ (+ (+ (+ (+ '97' '10') '0') '-1') '-1') '92') '39') '34') '27') '63'))
        "#]],
    );
}

#[test]
fn wide_characters() {
    check(
        r#"int x = L'a' + u'b' + U'c' + u8'd' + L'\xffffffff' + L'ä' + u'\u20ac' + U'\U0001F600';"#,
        expect![[r#"
            (decl int x = (+ (+ (+ (+ (+ (+ (+ L'97' u'98') U'99') u8'100') L'-1') L'228') u'8364') U'128512'))
        "#]],
    );
}

#[test]
fn multi_characters() {
    check(
        "int x = 'ab', y = 'abcd', z = 'ä';",
        expect![[r#"
            (decl int x = '24930' y = '1633837924' z = '50084')
            t.c:1:9: warning: multi-character character constant
            t.c:1:19: warning: multi-character character constant
            t.c:1:31: warning: multi-character character constant
        "#]],
    );
}

#[test]
fn strings() {
    check(
        r#"char *s = "plain" " joined\n" "\x41\101\0" "\"q\""; char *e = ""; char *u = "ä€"; char *v = "\u00e4\U0001F600";"#,
        expect![[r#"
            (decl char s:* = "plain joined\nAA\x00\"q\"")
            (decl char e:* = "")
            (decl char u:* = "\xc3\xa4\xe2\x82\xac")
            (decl char v:* = "\xc3\xa4\xf0\x9f\x98\x80")
        "#]],
    );
}

#[test]
fn string_prefixes() {
    check(
        r#"void *a = L"ab", *b = u"c", *c = U"d", *d = u8"e", *e = L"f" "g", *f = "h" L"i", *g = u"\U0001F600", *h = L"\xff";"#,
        expect![[r#"
            (decl void a:* = L"a\x00\x00\x00b\x00\x00\x00" b:* = u"c\x00" c:* = U"d\x00\x00\x00" d:* = u8"e" e:* = L"f\x00\x00\x00g\x00\x00\x00" f:* = L"h\x00\x00\x00i\x00\x00\x00" g:* = u"=\xd8\x00\xde" h:* = L"\xff\x00\x00\x00")
        "#]],
    );
}

#[test]
fn hex_escapes_end_with_their_literal() {
    check(
        r#"char *s = "\x4" "1";"#,
        expect![[r#"
            (decl char s:* = "\x041")
        "#]],
    );
}

#[test]
fn identifiers() {
    check(
        r#"int $a, b$c, _d, été, \u00e9t\u00e9;"#,
        expect![[r#"
            (decl int $a b$c _d été été)
        "#]],
    );
}

#[test]
fn digraphs() {
    check(
        "int a<:2:> = <% 1, 2 %>;",
        expect![[r#"
            (decl int a:[2] = {1, 2})
        "#]],
    );
}

#[test]
fn comments() {
    check(
        "int /* one */ a; // two\nint b; /* three\n * lines **/ int c = 4/**/2;",
        expect![[r#"
            (decl int a)
            (decl int b)
            t.c:3:23: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before numeric constant
        "#]],
    );
}

#[test]
fn line_splices() {
    check(
        "int a\\\nb = 1\\\n2; char *s = \"x\\\ny\"; // a comment \\\n that goes on\nint c +\\\n= 1;",
        expect![[r#"
            (decl int ab = 12)
            (decl char s:* = "xy")
            t.c:6:6: error: expected `=`, `,`, `;`, `asm` or `__attribute__` before `+=`
        "#]],
    );
}

#[test]
fn line_markers() {
    check(
        "# 10 \"a.h\" 1 3\nint x\n# 20 \"b.c\" 2\n= ;\n#line 30\nint = 1;\n#line 40 \"c.c\"\nint ) ;",
        expect![[r#"
            b.c:20:3: error: expected expression before `;`
            b.c:30:5: error: expected identifier or `(` before `=`
            c.c:40:5: error: expected identifier or `(` before `)`
        "#]],
    );
}

#[test]
fn ignored_directives() {
    check(
        "#pragma once\n  # pragma x\n#ident \"x\"\n#\nint x;",
        expect![[r#"
            (decl int x)
        "#]],
    );
}

#[test]
fn maximal_munch() {
    check(
        "int x = a+++b - --c + d---e, y = a<b>c, z = a<<b>>c; void f(void) { a>>=b; a<<=c; a->b; a-->b; }",
        expect![[r#"
            (decl int x = (- (+ (- (+ (_++ a) b) (--_ c)) (_-- d)) e) y = (> (< a b) c) z = (>> (<< a b) c))
            (fn void f:(void) (block (>>= a b) (<<= a c) (-> a b) (> (_-- a) b)))
        "#]],
    );
}

#[test]
fn raw_bytes() {
    check(
        &"char *s = \"RAW\", c = 'RAW';".replace("RAW", "\u{10fee4}"),
        expect![[r#"
            (decl char s:* = "\xe4" c = '-28')
        "#]],
    );
}

#[test]
fn carriage_returns() {
    check(
        "int a;\r\nint b; // x\r\nint c;\r\n",
        expect![[r#"
            (decl int a)
            (decl int b)
            (decl int c)
        "#]],
    );
}
