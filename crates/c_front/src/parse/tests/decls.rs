//! Declarations, types, attributes.

use expect_test::expect;

use super::check;

#[test]
fn basic_types() {
    check(
        "char a; signed char b; unsigned char c; short d; unsigned short int e; int f; unsigned g; long h; unsigned long i; long long j; long unsigned int long k; float l; double m; long double n; _Bool o; void *p;",
        expect![[r#"
            (decl char a)
            (decl schar b)
            (decl uchar c)
            (decl short d)
            (decl ushort e)
            (decl int f)
            (decl uint g)
            (decl long h)
            (decl ulong i)
            (decl llong j)
            (decl ullong k)
            (decl float l)
            (decl double m)
            (decl ldouble n)
            (decl bool o)
            (decl void p:*)
        "#]],
    );
}

#[test]
fn words_in_any_order() {
    check(
        "int unsigned long typedef volatile long T; T const static x;",
        expect![[r#"
            (decl typedef volatile ullong T)
            (decl static const @T x)
        "#]],
    );
}

#[test]
fn wide_integers_and_floats() {
    check(
        "__int128 a; unsigned __int128 b; __int128_t c; __uint128_t d; _Float128 e; __float128 f; _Float32 g; _Float64x h; _Float16 i;",
        expect![[r#"
            (decl int128 a)
            (decl uint128 b)
            (decl int128 c)
            (decl uint128 d)
            (decl float128 e)
            (decl float128 f)
            (decl float g)
            (decl ldouble h)
            (decl float16 i)
        "#]],
    );
}

#[test]
fn complex_types() {
    check(
        "_Complex double a; double __complex__ b; _Complex c; float _Complex d; _Float32 _Complex e; _Complex _Float64 f;",
        expect![[r#"
            (decl complex double a)
            (decl complex double b)
            (decl complex double c)
            (decl complex float d)
            (decl complex float e)
            (decl complex double f)
        "#]],
    );
}

#[test]
fn builtin_types_can_be_declared_anew() {
    check(
        "typedef float _Float32; _Float32 x; typedef __builtin_va_list va_list;",
        expect![[r#"
            (decl typedef float _Float32)
            (decl @_Float32 x)
            (decl typedef va-list va_list)
        "#]],
    );
}

#[test]
fn declarators_read_outwards() {
    check(
        "int *(*f[3])(int); int (*g)(void), *h(void), (*(*k)(int))[2]; char *const *volatile q;",
        expect![[r#"
            (decl int f:[3]*(int)*)
            (decl int g:*(void) h:(void)* k:*(int)*[2])
            (decl char q:*volatile*const)
        "#]],
    );
}

#[test]
fn several_declarators() {
    check(
        "int a, *b = 0, c[2] = {1, 2}, d(void);",
        expect![[r#"
            (decl int a b:* = 0 c:[2] = {1, 2} d:(void))
        "#]],
    );
}

#[test]
fn storage_classes() {
    check(
        "typedef int T; extern int a; static int b; static inline int f(void); void g(void) { auto int x; register int y; }",
        expect![[r#"
            (decl typedef int T)
            (decl extern int a)
            (decl static int b)
            (decl static inline int f:(void))
            (fn void g:(void) (block (decl auto int x) (decl register int y)))
        "#]],
    );
}

#[test]
fn thread_locals_in_any_order() {
    check(
        "__thread int a; static __thread int b; extern _Thread_local int c; _Thread_local static int d; int __thread e;",
        expect![[r#"
            (decl thread int a)
            (decl static thread int b)
            (decl extern thread int c)
            (decl static thread int d)
            (decl thread int e)
        "#]],
    );
}

#[test]
fn noreturn_functions() {
    check(
        "_Noreturn void f(void); void g(void) __attribute__((noreturn)); __attribute__((__noreturn__)) void h(void);",
        expect![[r#"
            (decl noreturn void f:(void))
            (decl void g:(void) #noreturn)
            (decl noreturn void #noreturn h:(void))
        "#]],
    );
}

#[test]
fn qualifiers() {
    check(
        "const int a; int const volatile *restrict b; int *__restrict c; _Atomic int d; int *_Atomic e; _Atomic(int) f; _Atomic(int *) g;",
        expect![[r#"
            (decl const int a)
            (decl const volatile int b:*restrict)
            (decl int c:*restrict)
            (decl atomic int d)
            (decl int e:*atomic)
            (decl (atomic int) f)
            (decl (atomic int :*) g)
        "#]],
    );
}

#[test]
fn alignment() {
    check(
        "_Alignas(16) int a; _Alignas(double) char b; int c __attribute__((aligned(8))), d __attribute__((aligned));",
        expect![[r#"
            (decl (alignas 16) int a)
            (decl (alignas-type double) char b)
            (decl int c #(aligned 8) d #aligned)
        "#]],
    );
}

#[test]
fn alternate_keywords() {
    check(
        "__const__ int a; __volatile__ int b; __signed__ char c; __inline__ int f(void); __typeof__(a) d; __extension__ typedef int T; __extension__ union { int u; } e;",
        expect![[r#"
            (decl const int a)
            (decl volatile int b)
            (decl schar c)
            (decl inline int f:(void))
            (decl (typeof a) d)
            (decl typedef int T)
            (decl (union { (int u) }) e)
        "#]],
    );
}

#[test]
fn typeof_types() {
    check(
        "int x; typeof(x) a; typeof(int *) b; typeof(x + 1) *c; void f(void) { __auto_type y = x; }",
        expect![[r#"
            (decl int x)
            (decl (typeof x) a)
            (decl (typeof-type int :*) b)
            (decl (typeof (+ x 1)) c:*)
            (fn void f:(void) (block (decl auto-type y = x)))
        "#]],
    );
}

#[test]
fn structs() {
    check(
        "struct s { int a, *b; char c[4]; }; struct s x; struct { int d; } y; struct fwd; struct fwd *p;",
        expect![[r#"
            (decl (struct s { (int a b:*) (char c:[4]) }))
            (decl (struct s) x)
            (decl (struct { (int d) }) y)
            (decl (struct fwd))
            (decl (struct fwd) p:*)
        "#]],
    );
}

#[test]
fn empty_and_flexible_records() {
    check(
        "struct e {}; union u {}; struct f { int n; char data[]; }; struct z { int n; char data[0]; };",
        expect![[r#"
            (decl (struct e { }))
            (decl (union u { }))
            (decl (struct f { (int n) (char data:[]) }))
            (decl (struct z { (int n) (char data:[0]) }))
        "#]],
    );
}

#[test]
fn anonymous_members() {
    check(
        "struct s { int a; union { int b; float c; }; struct { int d; } e; };",
        expect![[r#"
            (decl (struct s { (int a) ((union { (int b) (float c) })) ((struct { (int d) }) e) }))
        "#]],
    );
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned a : 3, b : 5, : 0; int : 4; int c : 2 __attribute__((packed)); };",
        expect![[r#"
            (decl (struct s { (uint a bits 3 b bits 5  bits 0) (int  bits 4) (int c #packed bits 2) }))
        "#]],
    );
}

#[test]
fn stray_semicolons_in_records() {
    check(
        "struct s { int a;; ; int b; };",
        expect![[r#"
            (decl (struct s { (int a) (int b) }))
        "#]],
    );
}

#[test]
fn enums() {
    check(
        "enum e { A, B = 3, C, } x; enum { D = B + 1 }; enum e f(void); enum attr { E __attribute__((deprecated)) = 1, F [[gnu::unused]] };",
        expect![[r#"
            (decl (enum e { A B=3 C }) x)
            (decl (enum { D=(+ B 1) }))
            (decl (enum e) f:(void))
            (decl (enum attr { E=1 F }))
        "#]],
    );
}

#[test]
fn record_attributes() {
    check(
        "struct __attribute__((packed)) a { int x; }; struct b { int x; } __attribute__((aligned(4), packed)); typedef union { int i; } u __attribute__((__transparent_union__)); struct [[gnu::packed]] c { char y; };",
        expect![[r#"
            (decl (struct a #packed { (int x) }))
            (decl (struct b #(aligned 4) #packed { (int x) }))
            (decl typedef (union { (int i) }) u #transparent-union)
            (decl (struct c #packed { (char y) }))
        "#]],
    );
}

#[test]
fn member_attributes() {
    check(
        "struct s { char a; int b __attribute__((packed)); __attribute__((aligned(8))) char c, d; };",
        expect![[r#"
            (decl (struct s { (char a) (int b #packed) (char #(aligned 8) c d) }))
        "#]],
    );
}

#[test]
fn attributes_between_declarators() {
    check(
        "int a, __attribute__((aligned(4))) b, c __attribute__((weak)) = 1;",
        expect![[r#"
            (decl int a b #(aligned 4) c #weak = 1)
        "#]],
    );
}

#[test]
fn attributes_anywhere() {
    check(
        r#"__attribute__((unused)) static int *__attribute__((may_alias)) x __attribute__((section(".data"))); int f(int a __attribute__((unused)), __attribute__((x(1, (2)))) int b) __attribute__((nonnull(1), const, format(printf, 1, 2)));"#,
        expect![[r#"
            (decl static int x:*)
            (decl int f:(int a, int b))
        "#]],
    );
}

#[test]
fn attributes_that_matter() {
    check(
        r#"typedef int di __attribute__((__mode__(__DI__))); typedef float v4 __attribute__((vector_size(16))); void f(void) __attribute__((constructor)); void g(void) __attribute__((destructor(101), weak, alias("h"))); extern inline __attribute__((gnu_inline)) int k(void); struct m { int a; } __attribute__((ms_struct)); void l(void) { int x __attribute__((cleanup(f))); }"#,
        expect![[r#"
            (decl typedef int di #(mode DI))
            (decl typedef float v4 #(vector-size 16))
            (decl void f:(void) #constructor)
            (decl void g:(void) #(destructor 101) #weak #(alias h))
            (decl extern inline int #gnu-inline k:(void))
            (decl (struct m #foreign-layout { (int a) }))
            (fn void l:(void) (block (decl int x #(cleanup f))))
        "#]],
    );
}

#[test]
fn standard_attributes() {
    check(
        "[[noreturn]] void f(void); [[gnu::aligned(8)]] int x; int y [[maybe_unused]]; int z [[gnu::aligned(16)]] = 1;",
        expect![[r#"
            (decl noreturn void #noreturn f:(void))
            (decl int #(aligned 8) x)
            (decl int y)
            (decl int z #(aligned 16) = 1)
        "#]],
    );
}

#[test]
fn empty_attributes() {
    check(
        "int x __attribute__(()); int y __attribute__((, unused, ,));",
        expect![[r#"
            (decl int x)
            (decl int y)
        "#]],
    );
}

#[test]
fn asm_labels() {
    check(
        r#"int f(void) __asm__("g") __attribute__((nothrow)); extern int x asm("_" "x");"#,
        expect![[r#"
            (decl int f:(void) asm:g)
            (decl extern int x asm:_x)
        "#]],
    );
}

#[test]
fn static_asserts() {
    check(
        r#"_Static_assert(1, "fine"); _Static_assert(sizeof(int) == 4); struct s { int a; _Static_assert(1, "in a struct"); };"#,
        expect![[r#"
            (static-assert 1 "fine")
            (static-assert (== (sizeof-type [int]) 4))
            (decl (struct s { (int a) (static-assert 1 "in a struct") }))
        "#]],
    );
}

#[test]
fn prototypes() {
    check(
        "int a(); int b(void); int c(int, char *x, ...); int d(int (*)(int), int f(void)); int e(int [const 3], int [static 2], int [restrict static 4], int n, int v[n][*], int w[]); int g(...);",
        expect![[r#"
            (decl int a:())
            (decl int b:(void))
            (decl int c:(int, char x:*, ...))
            (decl int d:(int :*(int), int f:(void)))
            (decl int e:(int :[const 3], int :[2], int :[restrict 4], int n, int v:[n][*], int w:[]))
            (decl int g:(, ...))
        "#]],
    );
}

#[test]
fn a_typedef_in_a_parameter_is_a_type() {
    check(
        "typedef int T; int f(T); int g(int (T)); int h(T T); int i(int T, T x);",
        expect![[r#"
            (decl typedef int T)
            (decl int f:(@T))
            (decl int g:(int :(@T)))
            (decl int h:(@T T))
            (decl int i:(int T, int x))
            t.c:1:67: error: unknown type name `T`
        "#]],
    );
}

#[test]
fn forward_declared_parameters() {
    check(
        "int f(int n; int a[n], int n);",
        expect![[r#"
            (decl int f:(int a:[n], int n))
        "#]],
    );
}

#[test]
fn typedef_names_as_members_and_tags() {
    check(
        "typedef int T; struct T { T T; int T2; }; struct { unsigned T : 3; T : 2; } x; int f(struct T *p) { return p->T; }",
        expect![[r#"
            (decl typedef int T)
            (decl (struct T { (@T T) (int T2) }))
            (decl (struct { (uint T bits 3) (@T  bits 2) }) x)
            (fn int f:((struct T) p:*) (block (return (-> p T))))
        "#]],
    );
}

#[test]
fn typedef_names_redeclared() {
    check(
        "typedef int T, U; void f(void) { int T = 1; T * T; { enum { U }; U + 1; } U *p; } T x;",
        expect![[r#"
            (decl typedef int T U)
            (fn void f:(void) (block (decl int T = 1) (* T T) (block (decl (enum { U })) (+ U 1)) (decl @U p:*)))
            (decl @T x)
        "#]],
    );
}

#[test]
fn typedef_names_as_parameters() {
    check(
        "typedef int T; int f(int T) { return T * T; } T y;",
        expect![[r#"
            (decl typedef int T)
            (fn int f:(int T) (block (return (* T T))))
            (decl @T y)
        "#]],
    );
}

#[test]
fn implicit_int() {
    check(
        "main() { return 0; } static x; const y = 1; f(a, b) { }",
        expect![[r#"
            (fn ? main:() (block (return 0)))
            (decl static ? x)
            (decl const ? y = 1)
            (fn ? f:(names a b) (block))
        "#]],
    );
}

#[test]
fn old_style_definitions() {
    check(
        "int f(a, b, c) int a; char *b, c; { return a; } int g(x) register int x; { return x; }",
        expect![[r#"
            (fn int f:(names a b c) (decl int a) (decl char b:* c) (block (return a)))
            (fn int g:(names x) (decl register int x) (block (return x)))
        "#]],
    );
}

#[test]
fn function_definition_returning_pointer() {
    check(
        "int (*f(int a))(int) { return 0; } int *g(void) { return 0; }",
        expect![[r#"
            (fn int f:(int a)*(int) (block (return 0)))
            (fn int g:(void)* (block (return 0)))
        "#]],
    );
}

#[test]
fn stray_semicolons() {
    check(
        "; int x;; ; int f(void) {};",
        expect![[r#"
            (decl int x)
            (fn int f:(void) (block))
        "#]],
    );
}

#[test]
fn file_asm() {
    check(
        r#"asm("nop"); __asm__ volatile ("a" "b");"#,
        expect![[r#"
            (file-asm)
            (file-asm)
        "#]],
    );
}

#[test]
fn a_struct_declared_in_a_parameter() {
    check(
        "int f(struct s { int a; } *p); int g(enum { K } k);",
        expect![[r#"
            (decl int f:((struct s { (int a) }) p:*))
            (decl int g:((enum { K }) k))
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    check(
        "void f(int n) { int a[n], b[n + 1][2]; int (*p)[n] = 0; sizeof(int[n]); }",
        expect![[r#"
            (fn void f:(int n) (block (decl int a:[n] b:[(+ n 1)][2]) (decl int p:*[n] = 0) (sizeof-type [int :[n]])))
        "#]],
    );
}
