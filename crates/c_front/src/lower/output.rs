//! Output functions: one step that prints, behind what they read of the program's memory.
//!
//! The machine prints by itself and reads memory unnoticed. So the reads that others can notice (the string may be freed, may not end, may
//! be written by another thread) are calls of models before the step. They are left out for string literals, of which there is nothing to
//! notice, and for formats that are no literals.

use heddle_base::Span;
use heddle_ir::{Base, Expr, ExprId, StepKind, Ty};

use super::{Kind, Lower, Value};
use crate::ast;
use crate::types::{IntKind, QTy};

/// A conversion of a format that takes arguments.
struct Conversion {
    /// Its letter.
    letter: char,
    /// Whether it is one of wide characters.
    wide: bool,
    /// Whether the width is an argument.
    width_argument: bool,
    /// The precision.
    precision: Precision,
}

#[derive(Clone, Copy)]
enum Precision {
    None,
    Number(i128),
    Argument,
}

impl Lower<'_> {
    pub(super) fn output(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Value {
        let int = self.types.common.int;
        let conversions = self.format(name, args).map_or_else(Vec::new, |(_, format)| conversions(&format));
        if conversions.iter().any(|conversion| conversion.letter == 'n') {
            self.unsupported(span, "`%n` in a format");
            return self.error_value();
        }
        let (mut exprs, mut values) = (Vec::new(), Vec::new());
        for &arg in args {
            let value = self.rvalue(arg);
            let value = self.promoted_argument(value);
            match value.kind {
                Kind::Scalar(expr) => {
                    exprs.push(expr);
                    values.push(value);
                }
                _ if self.types.is_error(value.ty) => return self.error_value(),
                _ => {
                    self.error(self.ast.exprs[arg].span, "an output function takes scalars only");
                    return self.error_value();
                }
            }
        }
        self.at(span);
        self.output_reads(name, args, &values, span);
        self.at(span);
        let dst = self.b.reg(Ty::I32, None);
        self.b.emit(StepKind::Output { dst: Some(dst), function: name.to_owned(), args: exprs });
        let result = self.b.read(dst);
        Value::scalar(result, int)
    }

    /// The format among the arguments, if it is a literal, and where it stands.
    fn format(&self, name: &str, args: &[ast::ExprId]) -> Option<(usize, String)> {
        let at = match name {
            "printf" | "printk" => 0,
            "fprintf" | "dprintf" | "__printf_chk" => 1,
            "__fprintf_chk" => 2,
            _ => return None,
        };
        Some((at, self.literal(*args.get(at)?)?))
    }

    fn output_reads(&mut self, name: &str, args: &[ast::ExprId], values: &[Value], span: Span) {
        match (name, values) {
            ("puts" | "fputs", &[text, ..]) => self.read_text(text, None, span),
            ("perror", &[text, ..]) => {
                let all = self.int_value(-1);
                self.read_text(text, Some(all), span);
            }
            ("write", &[_, from, size]) => self.read_bytes(from, size, span),
            ("fwrite", &[from, size, count, _]) => {
                let size_t = self.types.size_t();
                let (size, count) = (self.convert(size, size_t), self.convert(count, size_t));
                if let (Kind::Scalar(size), Kind::Scalar(count)) = (size.kind, count.kind) {
                    let bytes = self.b.binary(heddle_ir::BinOp::Mul, size, count);
                    self.read_bytes(from, Value::scalar(bytes, size_t), span);
                }
            }
            _ => {
                let Some((at, format)) = self.format(name, args) else { return };
                let mut rest = values[at + 1..].iter().copied();
                for conversion in conversions(&format) {
                    if conversion.width_argument {
                        rest.next();
                    }
                    let most = match conversion.precision {
                        Precision::None => Some(self.int_value(-1)),
                        Precision::Number(most) => Some(self.int_value(most)),
                        Precision::Argument => rest.next(),
                    };
                    let (Some(value), Some(most)) = (rest.next(), most) else { return };
                    if conversion.letter == 's' && !conversion.wide && self.types.is_pointer(value.ty) {
                        self.read_text(value, Some(most), span);
                    }
                }
            }
        }
    }

    /// Reads a string, or as much of it as `%s` with a precision reads.
    fn read_text(&mut self, text: Value, most: Option<Value>, span: Span) {
        let Kind::Scalar(pointer) = text.kind else { return };
        if self.is_literal_text(pointer) || !self.types.is_pointer(text.ty) {
            return;
        }
        let (chars, int) = (self.const_chars(), self.types.common.int);
        let text = self.convert(text, chars);
        match most {
            None => self.call_model("__heddle_read_text", vec![text], span),
            Some(most) => {
                let most = self.convert(most, int);
                self.call_model("__heddle_read_printed_text", vec![text, most], span);
            }
        }
    }

    fn read_bytes(&mut self, from: Value, size: Value, span: Span) {
        if !matches!(from.kind, Kind::Scalar(_)) || !self.types.is_pointer(from.ty) {
            return;
        }
        let (chars, size_t) = (self.const_chars(), self.types.size_t());
        let (from, size) = (self.convert(from, chars), self.convert(size, size_t));
        self.call_model("__heddle_read_bytes", vec![from, size], span);
    }

    /// `const char *`
    fn const_chars(&mut self) -> QTy {
        let char = self.types.int(IntKind::Char).with(ast::Quals { is_const: true, ..ast::Quals::default() });
        self.types.pointer(char)
    }

    /// Whether a pointer is the address of a string literal, or of one of several.
    fn is_literal_text(&self, pointer: ExprId) -> bool {
        match self.b.exprs[pointer] {
            Expr::Addr { base: Base::Global(id), offset } => {
                let global = &self.globals[id].global;
                global.name.starts_with("str.") && (offset as u64) < global.size
            }
            Expr::Ite { then, otherwise, .. } => self.is_literal_text(then) && self.is_literal_text(otherwise),
            _ => false,
        }
    }
}

/// The conversions of a format that take arguments. None of a format with numbered arguments.
fn conversions(format: &str) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(['-', '+', ' ', '#', '0', '\'']);
        let mut conversion =
            Conversion { letter: '%', wide: false, width_argument: rest.starts_with('*'), precision: Precision::None };
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '*');
        if rest.starts_with('$') {
            return Vec::new();
        }
        if let Some(behind) = rest.strip_prefix('.') {
            rest = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '*');
            let number = &behind[..behind.len() - rest.len()];
            conversion.precision = match number {
                "*" => Precision::Argument,
                number => Precision::Number(number.parse().unwrap_or(0)),
            };
        }
        let sizes = rest;
        rest = rest.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L']);
        conversion.wide = sizes.starts_with('l');
        let Some(letter) = rest.chars().next() else { break };
        conversion.letter = letter;
        rest = &rest[letter.len_utf8()..];
        if letter != '%' {
            found.push(conversion);
        }
    }
    found
}

/// Functions whose only effect is output.
pub(super) fn is_output(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "dprintf"
            | "puts"
            | "putchar"
            | "putc"
            | "fputc"
            | "fputs"
            | "putchar_unlocked"
            | "perror"
            | "fflush"
            | "printk"
            | "__printf_chk"
            | "__fprintf_chk"
    )
}
