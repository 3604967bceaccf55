//! Generated sequential programs: what is declared, and how expressions and lvalues are drawn from it.
//!
//! Expressions have a class (integer or floating), not a type: what type C gives them is what is tested, and printing
//! converts. In a *careful* program no operation can overflow or leave its array, because operands are reduced first; a
//! *careless* program leaves the reductions out here and there, so that sanitizers and Heddle have something to report.

use std::fmt::Write as _;

use crate::random::Rng;

/// Integer types, with the letters that print them.
pub const INTEGERS: &[(&str, &str)] = &[
    ("_Bool", "d"),
    ("char", "d"),
    ("signed char", "hhd"),
    ("unsigned char", "hhu"),
    ("short", "hd"),
    ("unsigned short", "hu"),
    ("int", "d"),
    ("int", "d"),
    ("unsigned", "u"),
    ("long", "ld"),
    ("unsigned long", "lu"),
    ("long long", "lld"),
    ("unsigned long long", "llu"),
    ("enum tone", "d"),
];

/// Elements of every array.
pub const LENGTH: usize = 6;

/// A scalar variable or member that is in scope.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    /// `const`, a loop counter or the like.
    pub fixed: bool,
}

/// An array of scalars.
#[derive(Clone, Debug)]
pub struct Array {
    pub text: String,
    pub floating: bool,
}

/// What is in scope.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub integers: Vec<Place>,
    pub floats: Vec<Place>,
    pub arrays: Vec<Array>,
    /// `char` arrays of 40 bytes that end with a null byte.
    pub strings: Vec<String>,
    /// Variables of the record types, by the number of the type.
    pub records: Vec<(usize, String)>,
    /// Whether `break` and `continue` have a loop.
    pub in_loop: bool,
}

/// A struct or union type.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub name: String,
    pub text: String,
    /// Members: path, whether floating, whether it has an address (no bit-field).
    pub members: Vec<(String, bool, bool)>,
    pub is_union: bool,
}

/// A function that the program defines.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Classes of its parameters.
    pub params: Vec<Param>,
    pub result: Param,
    /// Whether it has no effect that its caller can notice. C leaves open in which order operands are evaluated, so only such
    /// functions are called inside of expressions.
    pub pure: bool,
}

/// What is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Param {
    Integer,
    Float,
    /// A pointer to the first of [`LENGTH`] `int`s.
    Ints,
    Record(usize),
}

/// The generator's state.
pub struct Generator {
    pub rng: Rng,
    pub careless: bool,
    pub records: Vec<Record>,
    pub functions: Vec<Function>,
    /// For names that are used once.
    pub names: usize,
    pub lines: Vec<String>,
    pub depth: usize,
}

impl Generator {
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Adds a line at the present depth.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let indent = "    ".repeat(self.depth);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    /// An integer constant of any type.
    pub fn constant(&mut self) -> String {
        match self.rng.below(12) {
            0..=4 => self.rng.below(10).to_string(),
            5 => format!("-{}", 1 + self.rng.below(100)),
            6 => format!("{}u", self.rng.bits() as u32),
            7 => format!("{}L", self.rng.below(1 << 30)),
            8 => format!("0x{:x}ULL", self.rng.bits()),
            9 => {
                let characters = ["'a'", "'Z'", "'\\n'", "'\\0'", "'\\x7f'", "'\\377'", "'0'", "'\\''"];
                self.rng.pick(&characters).to_owned()
            }
            10 => self.rng.pick(&["INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "CHAR_MIN", "SHRT_MAX"]).to_owned(),
            _ => self.rng.pick(&["LOW", "MIDDLE", "HIGH", "sizeof(int)", "1ull << 40", "0777", "1000000"]).to_owned(),
        }
    }

    /// An integer between 0 and `below - 1`, whatever the expression gives.
    pub fn index(&mut self, scope: &Scope, below: usize, depth: usize) -> String {
        if self.rng.chance(3) {
            return self.rng.below(below).to_string();
        }
        let inner = self.integer(scope, depth.saturating_sub(1));
        if self.careless && self.rng.chance(6) {
            return format!("(({inner}) & 7)");
        }
        format!("(unsigned)({inner}) % {below}u")
    }

    /// An integer lvalue.
    pub fn integer_place(&mut self, scope: &Scope, depth: usize, written: bool) -> String {
        let arrays: Vec<&Array> = scope.arrays.iter().filter(|array| !array.floating).collect();
        if !arrays.is_empty() && self.rng.chance(3) {
            let array = arrays[self.rng.below(arrays.len())].text.clone();
            let index = self.index(scope, LENGTH, depth);
            return match self.rng.below(3) {
                0 => format!("(*({array} + {index}))"),
                1 => format!("({index})[{array}]"),
                _ => format!("{array}[{index}]"),
            };
        }
        if !scope.records.is_empty() && self.rng.chance(3) {
            let at = self.rng.below(scope.records.len());
            let (record, text) = scope.records[at].clone();
            if let Some(member) = self.member(record, false) {
                return format!("{text}{member}");
            }
        }
        let usable: Vec<&Place> = scope.integers.iter().filter(|place| !(written && place.fixed)).collect();
        usable[self.rng.below(usable.len())].text.clone()
    }

    /// A path to a member of a class, such as `.inner.low`.
    fn member(&mut self, record: usize, floating: bool) -> Option<String> {
        let members: Vec<String> =
            self.records[record].members.iter().filter(|m| m.1 == floating).map(|m| m.0.clone()).collect();
        if members.is_empty() { None } else { Some(members[self.rng.below(members.len())].clone()) }
    }

    /// A floating lvalue.
    pub fn float_place(&mut self, scope: &Scope, depth: usize, written: bool) -> String {
        let arrays: Vec<&Array> = scope.arrays.iter().filter(|array| array.floating).collect();
        if !arrays.is_empty() && self.rng.chance(3) {
            let array = arrays[self.rng.below(arrays.len())].text.clone();
            let index = self.index(scope, LENGTH, depth);
            return format!("{array}[{index}]");
        }
        if !scope.records.is_empty() && self.rng.chance(4) {
            let at = self.rng.below(scope.records.len());
            let (record, text) = scope.records[at].clone();
            // The bytes of a union may be any number, also one that is none.
            if !self.records[record].is_union
                && let Some(member) = self.member(record, true)
            {
                return format!("{text}{member}");
            }
        }
        let usable: Vec<&Place> = scope.floats.iter().filter(|place| !(written && place.fixed)).collect();
        usable[self.rng.below(usable.len())].text.clone()
    }

    /// An integer expression.
    pub fn integer(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return if self.rng.chance(3) { self.constant() } else { self.integer_place(scope, 0, false) };
        }
        let a = self.integer(scope, depth - 1);
        let b = self.integer(scope, depth - 1);
        let careless = self.careless && self.rng.chance(2);
        match self.rng.below(34) {
            0..=3 if careless => format!("({a}) {} ({b})", self.rng.pick(&["+", "-", "*", "/", "%", "<<", ">>"])),
            0..=2 => format!("({a}) % 1000 {} ({b}) % 1000", self.rng.pick(&["+", "-"])),
            3 => format!("(({a}) % 300) * (({b}) % 200)"),
            4 => format!("({a}) / ((({b}) & 15) + 1)"),
            5 => format!("({a}) % ((({b}) & 15) + 2)"),
            6..=8 => format!("({a}) {} ({b})", self.rng.pick(&["&", "|", "^"])),
            9 => format!("({a}) >> (({b}) & {})", self.rng.pick(&[1, 3, 7])),
            10 => format!("(unsigned)({a}) << (({b}) & 15)"),
            11 => format!("({}long long)({a}) {} ({b})", "unsigned ", self.rng.pick(&["+", "-", "*"])),
            12 => format!("~({a})"),
            13 => format!("-(({a}) % 5000)"),
            14 => format!("!({a})"),
            15..=17 => format!("({a}) {} ({b})", self.rng.pick(&["<", ">", "<=", ">=", "==", "!="])),
            18 => format!("({a}) && ({b})"),
            19 => format!("({a}) || ({b})"),
            20 => {
                let c = self.integer(scope, depth - 1);
                format!("(({a}) ? ({b}) : ({c}))")
            }
            21 => format!("(({a}) ?: ({b}))"),
            22..=24 => format!("({})({a})", self.rng.pick(INTEGERS).0),
            25 => {
                let (f, g) = (self.floating(scope, depth - 1), self.floating(scope, depth - 1));
                format!("({f}) {} ({g})", self.rng.pick(&["<", ">", "<=", ">=", "==", "!="]))
            }
            26 => {
                let f = self.floating(scope, depth - 1);
                format!("truncated({f})")
            }
            27 => self.call(scope, Param::Integer, depth - 1, true).unwrap_or(a),
            28 => format!("({a}, {b})"),
            29 => self.builtin(&a, &b),
            30 => self.size(scope),
            31 => {
                let place = self.integer_place(scope, 0, false);
                format!(
                    "({{ __typeof__({place} + 0) t = ({a}) % 100; t {} 3; }})",
                    self.rng.pick(&["+", "*", "|", "-"])
                )
            }
            32 => {
                let places: Vec<String> = scope.strings.clone();
                if places.is_empty() {
                    return a;
                }
                let string = self.rng.below(places.len());
                let string = &places[string];
                match self.rng.below(3) {
                    0 => format!("strlen({string})"),
                    1 => format!("{string}[(unsigned)({a}) % 8u]"),
                    _ => format!("(strcmp({string}, {}) > 0)", self.literal()),
                }
            }
            _ => format!("(int){{ ({a}) & 0xffff }} + (struct pair){{ .two = ({b}) & 255 }}.two"),
        }
    }

    fn builtin(&mut self, a: &str, b: &str) -> String {
        match self.rng.below(12) {
            0 => format!("__builtin_popcount({a})"),
            1 => format!("__builtin_clz((unsigned)({a}) | 1u)"),
            2 => format!("__builtin_ctzll((unsigned long long)({a}) | 256)"),
            3 => format!("__builtin_bswap32({a})"),
            4 => format!("__builtin_expect(({a}) & 255, 1)"),
            5 => format!("added({a}, {b})"),
            6 => format!("multiplied({a}, {b})"),
            7 => format!("abs((int)(({a}) % 1000))"),
            8 => format!("__builtin_parityll({a})"),
            9 => format!("toupper((unsigned char)({a}))"),
            10 => format!("!!isalnum((unsigned char)({a})) + !!ispunct((unsigned char)({b}))"),
            _ => format!("__builtin_ffs({a})"),
        }
    }

    fn size(&mut self, scope: &Scope) -> String {
        if !scope.records.is_empty() && self.rng.chance(2) {
            let record = self.rng.below(self.records.len());
            let Record { name, members, .. } = &self.records[record];
            let named: Vec<&String> = members.iter().filter(|m| m.2).map(|m| &m.0).collect();
            if named.is_empty() || self.rng.chance(3) {
                return format!("(sizeof({name}) * 100 + _Alignof({name}))");
            }
            let path = &named[self.rng.below(named.len())][1..];
            return format!("offsetof({name}, {path})");
        }
        let place = self.integer_place(scope, 0, false);
        // The operand of `sizeof` is not evaluated.
        format!("sizeof(1 ? ({}) 1 : 2l) + sizeof((char)1 + {place} * 0)", self.rng.pick(INTEGERS).0)
    }

    /// A floating expression.
    pub fn floating(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            if self.rng.chance(3) {
                let constants = ["0.5", "-1.25f", "3e2", "0x1.8p3", "1e-3", "2.0f", "100.0", "0.1", "0.1f", "-0.0"];
                return self.rng.pick(&constants).to_owned();
            }
            return self.float_place(scope, 0, false);
        }
        let a = self.floating(scope, depth - 1);
        let b = self.floating(scope, depth - 1);
        match self.rng.below(16) {
            0..=3 => format!("({a}) {} ({b})", self.rng.pick(&["+", "-", "*"])),
            4 => format!("({a}) / (({b}) * ({b}) + 1)"),
            5..=7 => self.integer(scope, depth - 1),
            8 => format!("(float)({a})"),
            9 => format!("-({a})"),
            10 => {
                let functions =
                    ["fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt", "floorf", "cbrt", "nearbyint"];
                let function = self.rng.pick(&functions[..8]);
                let argument = if function == "sqrt" { format!("fabs({a})") } else { a };
                format!("{function}({argument})")
            }
            11 => {
                let function = self.rng.pick(&["fmax", "fmin", "copysign", "fmod_one", "fdim"]);
                format!("{function}({a}, {b})")
            }
            12 => {
                let n = self.integer(scope, 0);
                format!("ldexp({a}, (int)(({n}) & 7) - 3)")
            }
            13 => {
                let n = self.integer(scope, depth - 1);
                format!("(({n}) ? ({a}) : ({b}))")
            }
            14 => self.call(scope, Param::Float, depth - 1, true).unwrap_or(a),
            _ => format!("(double)(long)truncated({a}) * 0.5"),
        }
    }

    /// A call of a function with such a result, inside of an expression or as a statement of its own.
    pub fn call(&mut self, scope: &Scope, result: Param, depth: usize, nested: bool) -> Option<String> {
        let fits = |f: &&Function| f.result == result && (f.pure || !nested);
        let candidates: Vec<Function> = self.functions.iter().filter(fits).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let function = &candidates[self.rng.below(candidates.len())];
        let mut out = format!("{}(", function.name);
        for (index, &param) in function.params.iter().enumerate() {
            let argument = match param {
                Param::Integer => self.integer(scope, depth.min(1)),
                Param::Float => self.floating(scope, depth.min(1)),
                Param::Ints => self.ints(),
                Param::Record(of) => {
                    let known: Vec<&(usize, String)> = scope.records.iter().filter(|(r, _)| *r == of).collect();
                    if known.is_empty() {
                        return None;
                    }
                    known[self.rng.below(known.len())].1.clone()
                }
            };
            let _ = write!(out, "{}{argument}", if index == 0 { "" } else { ", " });
        }
        Some(out + ")")
    }

    /// An address of the first of [`LENGTH`] `int`s.
    pub fn ints(&mut self) -> String {
        match self.rng.below(3) {
            0 => "(int[6]){ 4, [2] = 7, 9 }".to_owned(),
            1 => "&numbers[0]".to_owned(),
            _ => "numbers".to_owned(),
        }
    }

    /// A string literal of at most 12 bytes.
    pub fn literal(&mut self) -> String {
        let texts = [
            "\"\"",
            "\"a\"",
            "\"heddle\"",
            "\"Weft \" \"12\"",
            "\"x,y;z\"",
            "\" 42abc\"",
            "\"-17\"",
            "\"0x1f\"",
            "\"A\\tB\"",
            "\"\\x41\\102c\"",
            "\"zzz%d\"",
        ];
        self.rng.pick(&texts).to_owned()
    }
}
