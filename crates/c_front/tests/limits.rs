//! Types that typedefs and members nest without end: one error each, no stack overflow, no exponential time.

use std::fmt::Write;

use heddle_c_front::{Options, compile};

const MANY: usize = 20_000;

/// Compiles `first`, then `next` with `@` and `#` replaced by the numbers of a declaration and of the one before it.
fn first_error(first: &str, next: &str, last: &str) -> String {
    let mut text = format!("{first}\n");
    for i in 1..=MANY {
        let _ = writeln!(text, "{}", next.replace('@', &i.to_string()).replace('#', &(i - 1).to_string()));
    }
    text.push_str(last);
    let compiled = compile(vec![("deep.c".to_owned(), text)], Options::default());
    assert!(compiled.program.is_none());
    compiled.diagnostics.iter().next().expect("an error").message.clone()
}

const TOO_DEEP: &str = "a type of more than 1000 types inside one another";
const MAIN: &str = "int main(void) { return 0; }";

#[test]
fn deep_types() {
    assert_eq!(first_error("typedef int t0;", "typedef t# *t@;", MAIN), TOO_DEEP);
    assert_eq!(first_error("typedef int t0;", "typedef t# t@[1];", MAIN), TOO_DEEP);
    assert_eq!(first_error("struct s0 { int x; };", "struct s@ { struct s# m; };", MAIN), TOO_DEEP);
    assert_eq!(first_error("int main(void) { int x0 = 0;", "typeof(&x#) x@ = &x#;", "}"), TOO_DEEP);
}

#[test]
fn wide_function_types() {
    let again = "t999 *x, *x; int main(void) { return x != 0; }";
    assert_eq!(first_error("typedef int t0(void);", "typedef t# *t@(t# *, t# *); t@ f@, f@;", again), TOO_DEEP);
}
