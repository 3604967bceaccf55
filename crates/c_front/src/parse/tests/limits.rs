//! Inputs that are long or deep. Test threads have a stack of 2 MiB, so these also show that none overflows.

use super::{messages, parse};

/// The messages for `text`, and the numbers of expressions and statements in its tree.
fn outcome(text: &str) -> (String, usize, usize) {
    let (ast, _, sources, diags) = parse(text);
    (messages(&sources, &diags), ast.exprs.len(), ast.stmts.len())
}

fn parses(text: &str) -> (usize, usize) {
    let (errors, exprs, stmts) = outcome(text);
    assert_eq!(errors, "");
    (exprs, stmts)
}

/// One error, that the nesting is too deep.
fn too_deep(text: &str) {
    let (errors, ..) = outcome(text);
    assert!(errors.ends_with("nested too deeply (more than 256 levels)\n"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

const MANY: usize = 100_000;

#[test]
fn long_operator_chains() {
    assert_eq!(parses(&format!("int x = 1{};", " + 1".repeat(MANY))).0, 2 * MANY + 1);
    assert_eq!(parses(&format!("int x = a{};", " - b * c".repeat(MANY))).0, 4 * MANY + 1);
    assert_eq!(parses(&format!("int x = ({});", "1, ".repeat(MANY) + "1")).0, 2 * MANY + 1);
}

#[test]
fn long_prefix_and_postfix_chains() {
    assert_eq!(parses(&format!("int x = {}y;", "- ".repeat(MANY))).0, MANY + 1);
    assert_eq!(parses(&format!("int x = {}y;", "(int)".repeat(MANY))).0, MANY + 1);
    assert_eq!(parses(&format!("int x = {}y;", "sizeof ".repeat(MANY))).0, MANY + 1);
    assert_eq!(parses(&format!("int x = y{};", ".m".repeat(MANY))).0, MANY + 1);
    assert_eq!(parses(&format!("int x = y{};", "()".repeat(MANY))).0, MANY + 1);
}

#[test]
fn long_conditional_chains() {
    assert_eq!(parses(&format!("int x = {}z;", "a ? b : ".repeat(MANY))).0, 3 * MANY + 1);
}

#[test]
fn long_else_if_chains() {
    let text = format!("void f(void) {{ {} ; }}", "if (a) ; else ".repeat(MANY));
    assert_eq!(parses(&text).1, 2 * MANY + 2);
}

#[test]
fn long_label_chains() {
    let text = format!("void f(void) {{ switch (x) {{ {} ; }} }}", "case 1: l: default: ".repeat(MANY));
    assert_eq!(parses(&text).1, 3 * MANY + 4);
}

#[test]
fn long_lists() {
    parses(&format!("int a[] = {{ {} }};", "1, ".repeat(MANY)));
    parses(&format!("int {}b;", "a, ".repeat(MANY)));
    parses(&format!("enum {{ {} }};", (0..MANY).map(|i| format!("e{i},")).collect::<String>()));
    parses(&format!("char *s = {};", "\"x\" ".repeat(MANY)));
    parses(&format!("int f({}int b);", "int, ".repeat(MANY)));
    parses(&format!("int x __attribute__(({}));", "unused, ".repeat(MANY)));
}

#[test]
fn deep_pointers_and_arrays() {
    parses(&format!("int {}p;", "*".repeat(MANY)));
    parses(&format!("int {}p;", "* const ".repeat(MANY)));
    parses(&format!("int a{};", "[2]".repeat(MANY)));
}

#[test]
fn nesting_below_the_limit() {
    const N: usize = 200;
    parses(&format!("int x = {}1{};", "(".repeat(N), ")".repeat(N)));
    parses(&format!("void f(void) {{ {}{} }}", "{".repeat(N), "}".repeat(N)));
    parses(&format!("int {}p{};", "(*".repeat(N), ")".repeat(N)));
}

#[test]
fn nested_parentheses() {
    too_deep(&format!("int x = {}1{};", "(".repeat(MANY), ")".repeat(MANY)));
    too_deep(&format!("int x = {}", "(".repeat(MANY)));
    too_deep(&format!("int x = {}1;", "f(".repeat(MANY)));
    too_deep(&format!("int x = {}1;", "a[".repeat(MANY)));
    too_deep(&format!("int x = {}1;", "a ? ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}1; }}", "a = ".repeat(MANY)));
}

#[test]
fn nested_statements() {
    too_deep(&format!("void f(void) {{ {}", "{".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "if (a) ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "while (a) ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "for (;;) ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "do ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "switch (a) ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "if (a) ; else { ".repeat(MANY)));
    too_deep(&format!("void f(void) {{ {}", "int f(void) { ".repeat(MANY)));
    too_deep(&format!("int x = {}", "({ ".repeat(MANY)));
    too_deep(&format!("int x = {}", "({ if (".repeat(MANY)));
    too_deep(&format!("int x = {}", "({ int y = ".repeat(MANY)));
    too_deep(&format!("int x = {}", "({ for (int y = ".repeat(MANY)));
}

#[test]
fn nested_declarations() {
    too_deep(&format!("int {}p{};", "(".repeat(MANY), ")".repeat(MANY)));
    too_deep(&format!("int f{};", "(int (*)".repeat(MANY)));
    too_deep(&format!("int f{};", "(int g".repeat(MANY)));
    too_deep(&"struct {".repeat(MANY));
    too_deep(&"struct { int a[sizeof(".repeat(MANY));
    too_deep(&"typeof(".repeat(MANY));
    too_deep(&"_Atomic(".repeat(MANY));
    too_deep(&"enum { A = sizeof(".repeat(MANY));
    too_deep(&format!("int a[{}", "sizeof(int [".repeat(MANY)));
    too_deep(&"int __attribute__((aligned(sizeof(".repeat(MANY));
    too_deep(&"_Alignas(".repeat(MANY));
    too_deep(&format!("_Static_assert({}", "_Generic((".repeat(MANY)));
}

#[test]
fn nested_initializers_and_types() {
    too_deep(&format!("int a = {}", "{".repeat(MANY)));
    too_deep(&format!("int a = {}", "(int){ [".repeat(MANY)));
    too_deep(&format!("int a = {}", "(int){".repeat(MANY)));
    too_deep(&format!("int a = {}", "(typeof(".repeat(MANY)));
    too_deep(&format!("int a = {}", "sizeof(int[".repeat(MANY)));
    too_deep(&format!("int a = {}", "_Generic(1, int: ".repeat(MANY)));
    too_deep(&format!("int a = {}", "_Generic(1, struct {int x[".repeat(MANY)));
    too_deep(&format!("int a = {}", "__builtin_offsetof(struct { int a[".repeat(MANY)));
    too_deep(&format!("int a = {}", "__builtin_choose_expr(".repeat(MANY)));
}

#[test]
fn many_errors_take_linear_time() {
    let (errors, ..) = outcome(&"int = ; } ) ".repeat(MANY));
    assert_eq!(errors.lines().count(), crate::diag::Diagnostics::MAX_ERRORS);
    outcome(&"{ ".repeat(MANY));
    outcome(&"void f(void) { x( ".repeat(200));
    outcome(&"@".repeat(MANY));
    outcome(&"\\".repeat(MANY));
    outcome(&"/* ".repeat(MANY));
    outcome(&"'".repeat(MANY));
    outcome(&"\"\n".repeat(MANY));
    outcome(&"_Pragma(".repeat(MANY));
    outcome(&"#x\n".repeat(MANY));
    outcome(&"# ".repeat(MANY));
}
