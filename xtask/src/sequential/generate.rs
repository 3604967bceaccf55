//! The program of a seed: types, globals, functions and `main`, which prints everything at its end.

use std::fmt::Write as _;

use super::program::{Array, Function, Generator, INTEGERS, LENGTH, Param, Place, Record, Scope};
use crate::random::Rng;

/// Statements of `main`.
const STATEMENTS: usize = 14;

/// The lines of the program of a seed. Every third program is careless.
pub fn generate(seed: u64) -> Vec<String> {
    let rng = Rng::new(seed);
    let mut generator = Generator {
        rng,
        careless: is_careless(seed),
        records: Vec::new(),
        functions: Vec::new(),
        names: 0,
        lines: Vec::new(),
        depth: 0,
    };
    generator.program();
    generator.lines
}

/// Whether the program of a seed may have undefined behaviour.
pub fn is_careless(seed: u64) -> bool {
    seed.is_multiple_of(3)
}

impl Generator {
    fn program(&mut self) {
        for line in PRELUDE.lines() {
            self.line(line);
        }
        for _ in 0..=self.rng.below(3) {
            self.record();
        }
        let mut scope = Scope::default();
        self.globals(&mut scope);
        for _ in 0..self.rng.below(4) {
            self.function(&scope);
        }
        self.line("int main(void)");
        self.line("{");
        self.depth = 1;
        let mut local = scope.clone();
        self.locals(&mut local);
        for _ in 0..STATEMENTS {
            self.statement(&mut local, 2);
        }
        self.show_all(&local);
        self.line("return 32 + (int)(total & 31);");
        self.depth = 0;
        self.line("}");
    }

    /// A struct or union type with members of all kinds.
    fn record(&mut self) {
        let index = self.records.len();
        let is_union = self.rng.chance(4);
        let word = if is_union { "union" } else { "struct" };
        let mut record = Record { name: format!("{word} record{index}"), is_union, ..Record::default() };
        let packed = self.rng.pick(&["", "", "", "__attribute__((packed)) ", "__attribute__((aligned(16))) "]);
        let is_packed = packed.contains("packed");
        let _ = write!(record.text, "{word} {packed}record{index} {{");
        for at in 0..1 + self.rng.below(6) {
            let (ty, _) = self.rng.pick(INTEGERS);
            let member = format!("m{at}");
            let text = match self.rng.below(9) {
                0..=2 => {
                    let base = self.rng.pick(&["int", "unsigned", "signed char", "unsigned short", "long", "_Bool"]);
                    let most = match base {
                        "_Bool" => 1,
                        "signed char" => 8,
                        "unsigned short" => 16,
                        "long" => 32,
                        _ => 32,
                    };
                    let width = 1 + self.rng.below(most);
                    record.members.push((format!(".{member}"), false, false));
                    if self.rng.chance(6) {
                        format!("{base} {member} : {width}; int : 0;")
                    } else {
                        format!("{base} {member} : {width};")
                    }
                }
                3 | 4 => {
                    record.members.push((format!(".{member}"), false, true));
                    format!("{ty} {member};")
                }
                5 => {
                    record.members.push((format!(".{member}"), true, true));
                    format!("{} {member};", self.rng.pick(&["float", "double"]))
                }
                6 => {
                    for element in 0..2 {
                        record.members.push((format!(".{member}[{element}]"), false, true));
                    }
                    format!("{ty} {member}[2];")
                }
                7 if index > 0 => {
                    let inner = self.records[self.rng.below(index)].clone();
                    if !(inner.is_union && is_union) {
                        let floats_matter = inner.is_union || is_union;
                        let members = inner.members.iter().filter(|m| !(floats_matter && m.1));
                        record.members.extend(members.map(|m| (format!(".{member}{}", m.0), m.1, m.2 && !is_packed)));
                    }
                    format!("{} {member};", inner.name)
                }
                _ => {
                    let (first, second) = (format!("a{at}"), format!("b{at}"));
                    record.members.push((format!(".{first}"), false, true));
                    record.members.push((format!(".{second}"), false, true));
                    format!("struct {{ {ty} {first}; unsigned char {second}; }};")
                }
            };
            let _ = write!(record.text, " {text}");
        }
        if record.members.iter().all(|m| m.1) {
            record.members.push((".last".to_owned(), false, true));
            record.text.push_str(" int last;");
        }
        record.text.push_str(" };");
        let text = record.text.clone();
        self.line(text);
        self.records.push(record);
    }

    fn globals(&mut self, scope: &mut Scope) {
        for _ in 0..4 + self.rng.below(4) {
            let (ty, _) = self.rng.pick(INTEGERS);
            let name = self.name("g");
            let value = self.constant();
            let how = self.rng.pick(&["", "static ", "volatile ", "static const ", ""]);
            self.line(format!("{how}{ty} {name} = {value};"));
            scope.integers.push(Place { text: name, fixed: how.contains("const") });
        }
        for _ in 0..2 {
            let name = self.name("f");
            let ty = self.rng.pick(&["float", "double", "double"]);
            let value = self.rng.pick(&["1.5", "-2.25f", "1e2", "0.1", "7"]);
            self.line(format!("{ty} {name} = {value};"));
            scope.floats.push(Place { text: name, fixed: false });
        }
        for _ in 0..1 + self.rng.below(2) {
            let (ty, _) = self.rng.pick(INTEGERS);
            let name = self.name("array");
            let (a, b) = (self.constant(), self.constant());
            self.line(format!("{ty} {name}[6] = {{ {a}, [3] = {b}, 5 }};"));
            scope.arrays.push(Array { text: name, floating: false });
        }
        scope.arrays.push(Array { text: "numbers".to_owned(), floating: false });
        let name = self.name("reals");
        let ty = self.rng.pick(&["float", "double"]);
        self.line(format!("static {ty} {name}[6] = {{ 1, 2.5, [4] = -3 }};"));
        scope.arrays.push(Array { text: name, floating: true });
        for index in 0..self.records.len() {
            let name = self.name("r");
            let line = format!("{} {name};", self.records[index].name);
            self.line(line);
            scope.records.push((index, name.clone()));
            let held = self.name("q");
            let line = format!("{} *{held} = &{name};", self.records[index].name);
            self.line(line);
            scope.records.push((index, format!("(*{held})")));
        }
        self.line("static char text1[40] = \"warp\", text2[40] = { 'w', 'e', 'f', 't' };");
        scope.strings.extend(["text1".to_owned(), "text2".to_owned()]);
    }

    fn locals(&mut self, scope: &mut Scope) {
        for _ in 0..3 {
            let (ty, _) = self.rng.pick(INTEGERS);
            let name = self.name("v");
            let value = self.integer(scope, 1);
            self.line(format!("{ty} {name} = {value};"));
            scope.integers.push(Place { text: name, fixed: false });
        }
        let name = self.name("d");
        let value = self.floating(scope, 1);
        self.line(format!("double {name} = {value};"));
        scope.floats.push(Place { text: name, fixed: false });
        if self.rng.chance(2) {
            let name = self.name("p");
            let target = self.rng.pick(&["&numbers[0]", "numbers"]);
            self.line(format!("int *{name} = {target};"));
            scope.arrays.push(Array { text: name, floating: false });
        }
        if self.rng.chance(2) {
            let name = self.name("vla");
            let length = self.integer(scope, 0);
            self.line(format!("int {name}[6 + ((unsigned)({length}) & 3)];"));
            self.line(format!("for (unsigned i = 0; i < sizeof {name} / sizeof *{name}; i++) {name}[i] = (int)i * 3;"));
            self.line(format!("total += sizeof {name};"));
            scope.arrays.push(Array { text: name, floating: false });
        }
        if self.rng.chance(2) {
            let name = self.name("grid");
            self.line(format!("short {name}[2][6] = {{ {{ 1, 2 }}, [1][4] = 9 }};"));
            scope.arrays.push(Array { text: format!("{name}[1]"), floating: false });
            scope.arrays.push(Array { text: format!("{name}[0]"), floating: false });
        }
    }

    /// A function of a few statements. It calls only those before it, or itself with a smaller depth.
    fn function(&mut self, globals: &Scope) {
        let name = self.name("function");
        let mut params = vec![Param::Integer];
        for _ in 0..self.rng.below(3) {
            let record = self.rng.below(self.records.len());
            params.push(self.rng.pick(&[Param::Integer, Param::Float, Param::Ints, Param::Record(record)]));
        }
        let record = self.rng.below(self.records.len());
        let result = self.rng.pick(&[Param::Integer, Param::Integer, Param::Float, Param::Record(record)]);
        let pure = self.rng.chance(2);
        let mut scope = globals.clone();
        if pure {
            scope.integers.iter_mut().chain(&mut scope.floats).for_each(|place| place.fixed = true);
        }
        let mut declared = Vec::new();
        for (index, &param) in params.iter().enumerate() {
            let local = format!("x{index}");
            declared.push(match param {
                Param::Integer => {
                    scope.integers.push(Place { text: local.clone(), fixed: false });
                    format!("{} {local}", self.rng.pick(INTEGERS).0)
                }
                Param::Float => {
                    scope.floats.push(Place { text: local.clone(), fixed: false });
                    format!("{} {local}", self.rng.pick(&["float", "double"]))
                }
                Param::Ints => {
                    scope.arrays.push(Array { text: local.clone(), floating: false });
                    self.rng.pick(&["int *LOCAL", "int LOCAL[]", "int LOCAL[static 6]"]).replace("LOCAL", &local)
                }
                Param::Record(of) => {
                    scope.records.push((of, local.clone()));
                    format!("{} {local}", self.records[of].name)
                }
            });
        }
        let result_text = match result {
            Param::Integer => self.rng.pick(INTEGERS).0.to_owned(),
            Param::Float => "double".to_owned(),
            Param::Record(of) => self.records[of].name.clone(),
            Param::Ints => unreachable!("functions return no pointers"),
        };
        let how = self.rng.pick(&["static ", "static inline ", ""]);
        self.line(format!("{how}{result_text} {name}({})", declared.join(", ")));
        self.line("{");
        self.depth = 1;
        if pure {
            self.pure_body(&scope);
        } else {
            self.line("calls++;");
            if self.rng.chance(2) {
                let (ty, _) = self.rng.pick(INTEGERS);
                self.line(format!("static {ty} kept = 1;"));
                scope.integers.push(Place { text: "kept".to_owned(), fixed: false });
            }
            for _ in 0..1 + self.rng.below(3) {
                self.statement(&mut scope.clone(), 1);
            }
        }
        let value = match result {
            Param::Integer => self.integer(&scope, 2),
            Param::Float => self.floating(&scope, 1),
            Param::Record(of) => {
                let known: Vec<&(usize, String)> = scope.records.iter().filter(|(r, _)| *r == of).collect();
                known[self.rng.below(known.len())].1.clone()
            }
            Param::Ints => unreachable!("functions return no pointers"),
        };
        self.line(format!("return {value};"));
        self.depth = 0;
        self.line("}");
        self.functions.push(Function { name, params, result, pure });
    }

    /// Statements that write parameters and locals alone.
    fn pure_body(&mut self, scope: &Scope) {
        let (ty, start) = (self.rng.pick(INTEGERS).0, self.integer(scope, 1));
        self.line(format!("{ty} own = {start};"));
        let value = self.integer(scope, 2);
        match self.rng.below(3) {
            0 => self.line(format!("if (own) x0 = {value}; else own = x0;")),
            1 => self.line(format!("for (int i = 0; i < 3; i++) own ^= (i + ({value})) & 63;")),
            _ => self.line(format!(
                "switch (x0 & 3) {{ case 0: own = 2; case 1: x0 = {value}; break; default: x0 = own; }}"
            )),
        }
    }

    /// Prints all that is in scope.
    fn show_all(&mut self, scope: &Scope) {
        for place in &scope.integers {
            self.line(format!("SHOW({});", place.text));
        }
        for place in &scope.floats {
            self.line(format!("show_double(\"{0}\", {0});", place.text));
        }
        for array in &scope.arrays {
            let show = if array.floating { "show_double(\"element\", " } else { "show(\"element\", " };
            self.line(format!("for (int i = 0; i < {LENGTH}; i++) {show}{}[i]);", array.text));
        }
        for (record, text) in &scope.records {
            let members = self.records[*record].members.clone();
            let is_union = self.records[*record].is_union;
            for (path, floating, _) in members {
                if !floating {
                    self.line(format!("show(\"{path}\", {text}{path});"));
                } else if !is_union {
                    self.line(format!("show_double(\"{path}\", {text}{path});"));
                }
            }
        }
        for text in &scope.strings {
            self.line(format!("printf(\"[%s] %zu\\n\", {text}, strlen({text}));"));
        }
        self.line("printf(\"%lu %d\\n\", total, calls);");
    }
}

/// Includes, types and helpers of every program. `TYPE` names the type that C gives to an expression.
const PRELUDE: &str = r#"#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum tone { LOW = -3, MIDDLE, HIGH = 40 };
struct pair { int one, two; };
static unsigned long total;
static int calls;
static int numbers[6] = { 3, 1, 4, 1, 5, 9 };
#define TYPE(e) _Generic((e), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", float: "float", double: "double", default: "other")
#define SHOW(e) printf("%s %lld\n", #e, (long long)(e))
static void show(const char *name, long long value) { printf("%s %lld\n", name, value); }
static void show_double(const char *name, double value) { if (value != value) printf("%s none\n", name); else printf("%s %.9g\n", name, value); }
static long long truncated(double value) { return value > -1e15 && value < 1e15 ? (long long)value : 7; }
static int added(int a, int b) { int sum; return __builtin_add_overflow(a, b, &sum) ? sum ^ 5 : sum; }
static int multiplied(long a, int b) { int product; return __builtin_mul_overflow(a, b, &product) ? product & 0xff : product; }
static double fmod_one(double a, double b) { return b != 0 && b == b && a - a == 0 ? fmod(a, b) : 1; }
static int by_value(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static long gather(const char *kinds, ...)
{
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    long sum = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': sum += va_arg(list, int) % 1000; break;
        case 'l': sum ^= va_arg(list, long) & 0xffff; break;
        case 'L': sum += va_arg(list, long long) & 0xff; break;
        case 'd': sum += truncated(va_arg(list, double)) % 100; break;
        case 's': sum += (long)strlen(va_arg(list, const char *)); break;
        case 'p': sum += *va_arg(list, int *) % 10; break;
        case 'r': sum += va_arg(list, struct pair).two % 10; break;
        default: sum = -1;
        }
    va_end(list);
    va_end(again);
    return sum;
}
static void format(char *to, size_t size, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    total += (unsigned long)vsnprintf(to, size, how, list);
    va_end(list);
}"#;
