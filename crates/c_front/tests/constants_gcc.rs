//! Constant expressions against gcc: random ones must have the value, size and signedness that gcc gives them.
//!
//! All of them initialise the elements of two arrays, whose bytes are read from gcc's object file. What C leaves undefined is
//! not generated, but for signed overflow, which wraps.

mod support;

use std::fmt::Write;
use std::process::Command;

use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Options, compile};
use heddle_ir::{ConstValue, DataModel, Program};
use support::{Random, Scratch, gcc, gcc_takes};

/// Elements that each integer expression fills: low and high half of its value, its size, whether it is unsigned.
const PER_INT: usize = 4;

#[test]
fn constants_are_gcc_s_on_lp64() {
    check(DataModel::Lp64, "-m64", 11);
}

#[test]
fn constants_are_gcc_s_on_ilp32() {
    check(DataModel::Ilp32, "-m32", 12);
}

struct Generator {
    random: Random,
    model: DataModel,
}

impl Generator {
    fn int_type(&mut self) -> &'static str {
        const TYPES: &[&str] = &[
            "char",
            "signed char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned",
            "long",
            "unsigned long",
            "long long",
            "unsigned long long",
            "_Bool",
            "enum e",
            "enum big",
        ];
        match self.model {
            DataModel::Lp64 if self.random.one_in(12) => self.random.pick(&["__int128", "unsigned __int128"]),
            _ => self.random.pick(TYPES),
        }
    }

    fn int_literal(&mut self) -> String {
        let value = match self.random.below(5) {
            0 => self.random.below(4) as u64,
            1 => 1u64 << self.random.below(64),
            2 => (1u64 << self.random.below(64)).wrapping_sub(1),
            3 => self.random.bits() >> self.random.below(64),
            _ => {
                return self
                    .random
                    .pick(&["'a'", "'\\xff'", "L'b'", "E0", "E1", "BIG", "'\\0'", "u'\\xffff'"])
                    .to_string();
            }
        };
        let suffix = self.random.pick(&["", "", "u", "l", "ul", "ll", "ull"]);
        match self.random.below(4) {
            0 => format!("0x{value:x}{suffix}"),
            1 => format!("0{value:o}{suffix}"),
            // A decimal constant that only fits an unsigned type has no type in C.
            _ if value > i64::MAX as u64 => format!("{value}ull"),
            _ => format!("{value}{suffix}"),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(8) {
            return self.int_literal();
        }
        match self.random.below(15) {
            0..=2 => format!("(({})({}))", self.int_type(), self.int(depth - 1)),
            3 => format!("({}({}))", self.random.pick(&["-", "~", "!", "+"]), self.int(depth - 1)),
            4..=7 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.int(depth - 1), self.int(depth - 1))
            }
            8 => {
                // The divisor is neither 0 nor -1.
                let (op, sign) = (self.random.pick(&["/", "%"]), self.random.pick(&["+", "-"]));
                format!("({} {op} {sign}((({}) & 7) | 2))", self.int(depth - 1), self.int(depth - 1))
            }
            9 => {
                let (op, count) = (self.random.pick(&["<<", ">>"]), self.random.below(32));
                let suffix = self.random.pick(&["", "u", "ll"]);
                format!("({} {op} {count}{suffix})", self.int(depth - 1))
            }
            10 | 11 => {
                let op = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                match self.random.one_in(4) {
                    true => format!("({} {op} {})", self.float(depth - 1), self.float(depth - 1)),
                    false => format!("({} {op} {})", self.int(depth - 1), self.int(depth - 1)),
                }
            }
            12 => {
                let op = self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.int(depth - 1), self.int(depth - 1))
            }
            13 => format!("({} ? {} : {})", self.int(depth - 1), self.int(depth - 1), self.int(depth - 1)),
            _ => {
                // A float is made an integer only where it fits.
                let (float, ty) = (self.float(depth - 1), self.int_type());
                format!("({float} > 0 && {float} < 100 ? ({ty})({float}) : ({ty})1)")
            }
        }
    }

    fn float(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(5) {
            let suffix = self.random.pick(&["", "f", "l"]);
            let value = self.random.below(4000) as f64 / self.random.pick(&[1.0, 7.0, 16.0, 1000.0]);
            return format!("{value:.6}{suffix}");
        }
        match self.random.below(7) {
            0 => format!("((float)({}))", self.int(depth - 1)),
            1 => format!("((double)({}))", self.int(depth - 1)),
            2 => format!("(({})({}))", self.random.pick(&["float", "double", "long double"]), self.float(depth - 1)),
            3 => format!("(-{})", self.float(depth - 1)),
            4 => format!("({} / {})", self.float(depth - 1), self.random.pick(&["3.0", "7.5f", "1.1l"])),
            5 => format!("({} ? {} : {})", self.int(depth - 1), self.float(depth - 1), self.float(depth - 1)),
            _ => {
                let op = self.random.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.float(depth - 1), self.float(depth - 1))
            }
        }
    }
}

fn check(model: DataModel, flag: &str, seed: u64) {
    let scratch = Scratch::new(&format!("constants{flag}"));
    if !gcc_takes(flag, &scratch) {
        return;
    }
    let mut generator = Generator { random: Random::new(seed), model };
    let ints: Vec<String> = (0..2000).map(|i| generator.int(1 + i % 4)).collect();
    let floats: Vec<String> = (0..800).map(|i| generator.float(1 + i % 4)).collect();
    let text = program_text(&ints, &floats, model);
    let program = compile_text(&text, model);
    let Some(theirs) = gcc_data(&text, flag, &scratch) else { return };
    let mut wrong = Vec::new();
    let ours = elements(&program, "g", ints.len() * PER_INT);
    for (i, expr) in ints.iter().enumerate() {
        let range = i * PER_INT..(i + 1) * PER_INT;
        if ours[range.clone()] != theirs[range.clone()] {
            wrong.push(format!("{expr}\n  ours {:x?}\n  gcc  {:x?}", &ours[range.clone()], &theirs[range]));
        }
    }
    let ours = elements(&program, "d", floats.len());
    for (i, expr) in floats.iter().enumerate() {
        let (a, b) = (f64::from_bits(ours[i]), f64::from_bits(theirs[ints.len() * PER_INT + i]));
        if a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()) {
            wrong.push(format!("{expr}\n  ours {a:e}\n  gcc  {b:e}"));
        }
    }
    assert!(wrong.is_empty(), "gcc {flag} disagrees on {} constants:\n{}", wrong.len(), wrong.join("\n"));
}

fn program_text(ints: &[String], floats: &[String], model: DataModel) -> String {
    let mut text = "enum e { E0, E1 = 77 };\nenum big { BIG = 0x123456789ll };\nlong long g[] = {\n".to_owned();
    for expr in ints {
        let high = match model {
            DataModel::Lp64 => format!("(long long)((__int128)({expr}) >> 64)"),
            DataModel::Ilp32 => "0".to_owned(),
        };
        let _ = writeln!(text, "(long long)({expr}), {high}, (long long)sizeof({expr}), (__typeof__({expr}))-1 > 0,");
    }
    text.push_str("};\ndouble d[] = {\n");
    for expr in floats {
        let _ = writeln!(text, "(double)({expr}),");
    }
    text.push_str("};\nint main(void) { return 0; }\n");
    text
}

fn compile_text(text: &str, model: DataModel) -> Program {
    let options = Options { data_model: model, ..Options::default() };
    let compiled = compile(vec![("constants.c".to_owned(), text.to_owned())], options);
    let messages: String =
        compiled.diagnostics.iter().map(|d| render(d, &compiled.sources, RenderConfig::default())).collect();
    compiled.program.unwrap_or_else(|| panic!("the generated program does not compile:\n{messages}"))
}

/// The 8-byte elements of an array.
fn elements(program: &Program, name: &str, count: usize) -> Vec<u64> {
    let global = program.globals.iter().find(|g| g.name == name).unwrap_or_else(|| panic!("no global {name}"));
    let mut elements = vec![0; count];
    for item in &global.init {
        match item.value {
            ConstValue::Scalar { bits, .. } => elements[item.offset as usize / 8] = bits as u64,
            ref other => panic!("an element is {other:?}"),
        }
    }
    elements
}

/// gcc's elements of both arrays, one behind the other.
fn gcc_data(text: &str, flag: &str, scratch: &Scratch) -> Option<Vec<u64>> {
    let file = scratch.write("constants.c", text);
    let (object, data) = (scratch.path("constants.o"), scratch.path("constants.bin"));
    let flags = [flag, "-w", "-c", "-fno-toplevel-reorder", "-o", object.to_str().expect("UTF-8")];
    let output = gcc(&flags, &file)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let copied = Command::new("objcopy").args(["-O", "binary", "-j", ".data"]).arg(&object).arg(&data).status();
    copied.ok().filter(|status| status.success())?;
    let bytes = std::fs::read(&data).expect("objcopy wrote it");
    Some(bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("8 bytes"))).collect())
}
