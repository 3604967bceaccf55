//! The program's own output: the `printf` family, `puts`, `putchar`, and bytes written to the standard streams.

use heddle_ir::Ty;

use crate::code::OutputInfo;
use crate::library::PREFIX;
use crate::machine::{Halt, Limit, Machine};
use heddle_ir::float;
use heddle_ir::value::{Pointer, bits_of, is_wide, sign_extend, truncate};

/// Bytes of one text argument that are printed: more than the output limit allows, so that a longer one is noticed.
const MAX_TEXT: usize = 1 << 24;

/// Where output goes. The numbers are file descriptors, and the values of `stdout` and `stderr` (see the models).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out = 1,
    /// Standard error.
    Error = 2,
}

/// An argument: its type and bits.
pub(crate) type Arg = (Ty, u128);

/// Why an output step, or a function that the machine computes, has no result.
#[derive(Clone, Debug)]
pub(crate) enum Refused {
    /// The execution ends.
    Halt(Halt),
    /// It cannot be executed: what.
    Unsupported(String),
}

/// Where a call prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Standard(Stream),
    /// A file, by the number of its stream.
    File(u64),
}

impl Machine<'_> {
    /// Prints, or computes a library function; the bits of the result.
    pub(crate) fn print(&mut self, info: &OutputInfo, words: &[u64]) -> Result<u64, Refused> {
        if !self.config.output && info.dst.is_none() {
            return Ok(0);
        }
        let value = |&(word, ty): &(u32, Ty)| -> Arg {
            let high = if is_wide(ty) { u128::from(words[word as usize + 1]) << 64 } else { 0 };
            (ty, u128::from(words[word as usize]) | high)
        };
        let args: Vec<Arg> = info.args.iter().map(value).collect();
        let function = info.function.as_str();
        if let Some(function) = function.strip_prefix(PREFIX) {
            return self.compute(function, &args);
        }
        let target = target(function, &args);
        let text = self.render(function, &args);
        match target {
            Target::Standard(stream) if self.config.output => {
                if self.output.len() + text.len() > self.config.limits.output {
                    return Err(Refused::Halt(Halt::Limit(Limit::Output)));
                }
                if stream == Stream::Error {
                    self.errors.push(self.output.len()..self.output.len() + text.len());
                }
                self.output.extend_from_slice(&text);
            }
            Target::Standard(_) => {}
            Target::File(stream) => {
                if self.files.is_open(stream) && !self.write_file(stream, &text)? {
                    // An error is minus one, but no objects were written.
                    return Ok(if function == "fwrite" { 0 } else { u64::from(u32::MAX) });
                }
            }
        }
        Ok(match function {
            // These return the character.
            "putchar" | "putc" | "fputc" | "putchar_unlocked" => args.first().map_or(0, |a| u64::from(a.1 as u8)),
            // Nothing fails; these return how much they were given.
            "write" | "fwrite" => args.get(2).map_or(0, |a| a.1 as u64 & u64::from(u32::MAX)),
            _ => text.len() as u64,
        })
    }

    /// What was printed on a stream so far.
    pub fn printed(&self, stream: Stream) -> Vec<u8> {
        let (mut printed, mut at) = (Vec::new(), 0);
        for part in &self.errors {
            let wanted = if stream == Stream::Error { part.clone() } else { at..part.start };
            printed.extend_from_slice(&self.output[wanted]);
            at = part.end;
        }
        if stream == Stream::Out {
            printed.extend_from_slice(&self.output[at..]);
        }
        printed
    }

    fn render(&self, function: &str, args: &[Arg]) -> Vec<u8> {
        let text = |arg: Option<&Arg>| arg.map_or(Vec::new(), |a| self.text_of(a.1 as u64, None));
        let number = |arg: Option<&Arg>| arg.map_or(0, |a| a.1 as u64);
        match function {
            "puts" => [text(args.first()), b"\n".to_vec()].concat(),
            "fputs" | "fputs_unlocked" => text(args.first()),
            "perror" => [text(args.first()), b": error\n".to_vec()].concat(),
            "putchar" | "putc" | "fputc" | "putchar_unlocked" => args.first().map_or(Vec::new(), |a| vec![a.1 as u8]),
            "fprintf" | "dprintf" | "__printf_chk" => self.format(args.get(1..).unwrap_or(&[])),
            "__fprintf_chk" => self.format(args.get(2..).unwrap_or(&[])),
            "fflush" => Vec::new(),
            "write" if self.takes(function, args) => self.bytes_of(number(args.get(1)), number(args.get(2))),
            "fwrite" if self.takes(function, args) => {
                self.bytes_of(number(args.first()), number(args.get(1)).saturating_mul(number(args.get(2))))
            }
            "write" | "fwrite" => Vec::new(),
            _ => self.format(args),
        }
    }

    /// Whether what a call prints goes anywhere.
    fn takes(&self, function: &str, args: &[Arg]) -> bool {
        match target(function, args) {
            Target::Standard(_) => true,
            Target::File(stream) => self.files.is_open(stream),
        }
    }

    fn bytes_of(&self, pointer: u64, len: u64) -> Vec<u8> {
        let at = Pointer::from_bits(pointer);
        let len = len.min(MAX_TEXT as u64);
        match self.memory.check(at, len, false) {
            Ok(()) => self.memory.bytes(at.object)[at.offset as usize..][..len as usize].to_vec(),
            Err(_) => b"(invalid)".to_vec(),
        }
    }

    fn text_of(&self, pointer: u64, precision: Option<usize>) -> Vec<u8> {
        let limit = precision.unwrap_or(MAX_TEXT).min(MAX_TEXT);
        match self.memory.text(Pointer::from_bits(pointer), limit) {
            Some(text) => text,
            None if pointer == 0 => b"(null)".to_vec(),
            None => b"(invalid)".to_vec(),
        }
    }

    fn format(&self, args: &[Arg]) -> Vec<u8> {
        let Some(&(_, pointer)) = args.first() else { return Vec::new() };
        let format = self.text_of(pointer as u64, None);
        let mut args = args[1..].iter().copied();
        let mut out = Vec::new();
        let mut rest = format.as_slice();
        while let Some(at) = rest.iter().position(|&b| b == b'%') {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            let (spec, len) = Spec::parse(rest, &mut args);
            rest = &rest[len..];
            self.convert(&spec, &mut args, &mut out);
        }
        out.extend_from_slice(rest);
        out
    }

    fn convert(&self, spec: &Spec, args: &mut impl Iterator<Item = Arg>, out: &mut Vec<u8>) {
        if spec.conversion == b'%' {
            out.push(b'%');
            return;
        }
        let Some((ty, bits)) = args.next() else { return };
        let (sign, body) = match spec.conversion {
            b'd' | b'i' => {
                let value = sign_extend(bits, spec.int_bits(ty));
                let digits = spec.min_digits(value.unsigned_abs().to_string());
                (if value < 0 { "-" } else { spec.plus() }.to_owned(), digits)
            }
            b'u' => (String::new(), spec.min_digits(truncate(bits, spec.int_bits(ty)).to_string())),
            b'x' | b'X' | b'o' => {
                let value = truncate(bits, spec.int_bits(ty));
                let (text, prefix) = match spec.conversion {
                    b'x' => (format!("{value:x}"), "0x"),
                    b'X' => (format!("{value:X}"), "0X"),
                    _ => (format!("{value:o}"), ""),
                };
                let mut digits = spec.min_digits(text);
                if spec.alternate && spec.conversion == b'o' && !digits.starts_with('0') {
                    digits.insert(0, '0');
                }
                let prefix = if spec.alternate && value != 0 { prefix } else { "" };
                (prefix.to_owned(), digits)
            }
            b'c' => (String::new(), char::from(bits as u8).to_string()),
            b's' => {
                let text = self.text_of(bits as u64, spec.precision);
                spec.pad_bytes(&text, out);
                return;
            }
            b'p' => {
                let address = self.memory.to_address(bits as u64);
                (String::new(), if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") })
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if ty.is_float() => {
                let value = float::to_f64(ty, bits);
                let sign = if value.is_sign_negative() { "-" } else { spec.plus() };
                let text = float_text(spec, value.abs());
                // Zeros that pad stand behind the prefix of a hexadecimal number.
                match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                    Some(digits) => (format!("{sign}{}", &text[..2]), digits.to_owned()),
                    None => (sign.to_owned(), text),
                }
            }
            _ => (String::new(), String::new()),
        };
        spec.pad(&sign, &body, out);
    }
}

/// What a call prints on.
fn target(function: &str, args: &[Arg]) -> Target {
    let stream = |index: usize| match args.get(index).map(|arg| arg.1 as u64) {
        Some(1) => Target::Standard(Stream::Out),
        Some(2) => Target::Standard(Stream::Error),
        Some(number) => Target::File(number),
        None => Target::File(0),
    };
    match function {
        "fprintf" | "__fprintf_chk" => stream(0),
        // Descriptors from 3 on are one less than the number of the stream.
        "dprintf" | "write" => match stream(0) {
            Target::File(number) => Target::File((number & u64::from(u32::MAX)) + 1),
            standard => standard,
        },
        "fputs" | "fputs_unlocked" | "fputc" | "putc" => stream(1),
        "fwrite" => stream(3),
        "perror" => Target::Standard(Stream::Error),
        _ => Target::Standard(Stream::Out),
    }
}

/// The digits of a number that is not negative, as `%` with a letter prints it.
pub(crate) fn number_text(letter: u8, precision: Option<usize>, alternate: bool, value: f64) -> String {
    let (spec, _) = Spec::parse(&[letter], &mut std::iter::empty());
    float_text(&Spec { precision, alternate, ..spec }, value)
}

/// A conversion specification.
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    length: String,
    conversion: u8,
}

impl Spec {
    /// Parses what follows a `%`; the number of bytes it takes.
    fn parse(text: &[u8], args: &mut impl Iterator<Item = Arg>) -> (Spec, usize) {
        let mut spec = Spec {
            minus: false,
            plus: false,
            space: false,
            zero: false,
            alternate: false,
            width: 0,
            precision: None,
            length: String::new(),
            conversion: b'%',
        };
        let mut i = 0;
        let mut star = |default: i64| args.next().map_or(default, |a| sign_extend(a.1, bits_of(a.0)) as i64);
        while let Some(&b) = text.get(i) {
            match b {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'0' => spec.zero = true,
                b'#' => spec.alternate = true,
                _ => break,
            }
            i += 1;
        }
        let number = |i: &mut usize| {
            let mut n = 0usize;
            while let Some(d) = text.get(*i).filter(|b| b.is_ascii_digit()) {
                n = (n * 10 + usize::from(d - b'0')).min(1 << 16);
                *i += 1;
            }
            n
        };
        if text.get(i) == Some(&b'*') {
            let width = star(0);
            spec.minus |= width < 0;
            spec.width = width.unsigned_abs().min(1 << 16) as usize;
            i += 1;
        } else {
            spec.width = number(&mut i);
        }
        if text.get(i) == Some(&b'.') {
            i += 1;
            if text.get(i) == Some(&b'*') {
                spec.precision = usize::try_from(star(0)).ok().map(|p| p.min(1 << 16));
                i += 1;
            } else {
                spec.precision = Some(number(&mut i));
            }
        }
        while let Some(&b) = text.get(i).filter(|b| b"hlLqjzt".contains(b)) {
            spec.length.push(char::from(b));
            i += 1;
        }
        if let Some(&b) = text.get(i) {
            spec.conversion = b;
            i += 1;
        }
        (spec, i)
    }

    /// Bits of an integer argument that count.
    fn int_bits(&self, ty: Ty) -> u32 {
        let own = bits_of(ty).max(1);
        match self.length.as_str() {
            "hh" => own.min(8),
            "h" => own.min(16),
            _ => own,
        }
    }

    fn plus(&self) -> &'static str {
        match (self.plus, self.space) {
            (true, _) => "+",
            (false, true) => " ",
            (false, false) => "",
        }
    }

    fn min_digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(n) if n > digits.len() => "0".repeat(n - digits.len()) + &digits,
            _ => digits,
        }
    }

    fn pad(&self, sign: &str, body: &str, out: &mut Vec<u8>) {
        let len = sign.len() + body.chars().count();
        let missing = self.width.saturating_sub(len);
        let is_int = b"diuxXo".contains(&self.conversion);
        let no_zeros = self.minus || b"cp".contains(&self.conversion) || (is_int && self.precision.is_some());
        let is_digit = body.starts_with(|c: char| c.is_ascii_digit());
        // "inf" and "nan" are padded with spaces.
        let zeros = self.zero && !no_zeros && (is_int || is_digit);
        let body: Vec<u8> =
            if self.conversion == b'c' { body.chars().map(|c| c as u8).collect() } else { body.as_bytes().to_vec() };
        if !self.minus && !zeros {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
        out.extend_from_slice(sign.as_bytes());
        if zeros {
            out.extend(std::iter::repeat_n(b'0', missing));
        }
        out.extend_from_slice(&body);
        if self.minus {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
    }

    fn pad_bytes(&self, text: &[u8], out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(text.len());
        if !self.minus {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
        out.extend_from_slice(text);
        if self.minus {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
    }
}

/// A number that is not negative, without its sign.
fn float_text(spec: &Spec, value: f64) -> String {
    let upper = spec.conversion.is_ascii_uppercase();
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match spec.conversion.to_ascii_lowercase() {
            b'f' => with_point(format!("{value:.precision$}"), spec.alternate),
            b'e' => with_point(exponent_text(value, precision), spec.alternate),
            b'g' => general_text(value, precision.max(1), spec.alternate),
            _ => hex_text(value, spec.precision, spec.alternate),
        }
    };
    if upper { text.to_uppercase() } else { text }
}

/// The `#` flag demands a point even if no digit follows it.
fn with_point(text: String, alternate: bool) -> String {
    if !alternate || text.contains('.') {
        return text;
    }
    let at = text.find('e').unwrap_or(text.len());
    format!("{}.{}", &text[..at], &text[at..])
}

/// `d.ddde+dd`.
fn exponent_text(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general_text(value: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponent_text(value, precision - 1);
    let exponent: i32 = scientific.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let text = if exponent < -4 || exponent >= precision as i32 {
        scientific
    } else {
        format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize)
    };
    if keep_zeros {
        return with_point(text, true);
    }
    let (mantissa, rest) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), format!("e{exponent}")),
        None => (text, String::new()),
    };
    let trimmed = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { &mantissa };
    format!("{trimmed}{rest}")
}

/// `0xh.hhhp±d`; without a precision as many digits as are needed. A tie is rounded to the even digit.
fn hex_text(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> FRACTION, bits & ((1 << FRACTION) - 1));
    let (lead, exponent) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        e => (1, e as i64 - 1023),
    };
    let mut mantissa = (lead << FRACTION) | fraction;
    if let Some(kept) = precision.filter(|&digits| digits < 13) {
        let dropped = FRACTION - 4 * kept as u32;
        let (half, rest) = (1u64 << (dropped - 1), mantissa & ((1 << dropped) - 1));
        mantissa -= rest;
        let is_odd = mantissa & (1 << dropped) != 0;
        if rest > half || (rest == half && is_odd) {
            mantissa += 1 << dropped;
        }
    }
    let (lead, fraction) = (mantissa >> FRACTION, mantissa & ((1 << FRACTION) - 1));
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(count) => {
            let missing = count.saturating_sub(digits.len());
            digits.truncate(count);
            digits += &"0".repeat(missing);
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{lead}{dot}{digits}p{exponent:+}")
}
