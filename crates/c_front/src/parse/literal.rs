//! The values of numbers, character constants and string literals.

use heddle_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Basic, Encoding, ExprKind, StrLit};
use crate::intern::Symbol;
use crate::lex::{raw_byte, universal_name};
use crate::token::{Tok, Token};

impl Parser<'_> {
    // Numbers.

    pub(super) fn number(&mut self, token: Token) -> ExprKind {
        let lexed = self.lexed;
        let text = lexed.spelling(token);
        // Most are a few decimal digits.
        if text.len() <= 18 && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
            let value = text.bytes().fold(0, |v, b| v * 10 + u64::from(b - b'0'));
            return ExprKind::Int { value, unsigned: false, longs: 0, decimal: true };
        }
        let lower = text.to_ascii_lowercase();
        let hex = lower.starts_with("0x");
        let float =
            if hex { lower.contains(['.', 'p']) } else { lower.contains(['.', 'e']) && !lower.starts_with("0b") };
        if float { self.float(&lower, hex, token.span()) } else { self.integer(&lower, token.span()) }
    }

    fn integer(&mut self, lower: &str, span: Span) -> ExprKind {
        let (radix, digits) = match lower.as_bytes() {
            [b'0', b'x', ..] => (16, &lower[2..]),
            [b'0', b'b', ..] => (2, &lower[2..]),
            [b'0', _, ..] => (8, &lower[1..]),
            _ => (10, lower),
        };
        let end = digits.find(|c: char| !c.is_digit(if radix == 8 { 10 } else { radix })).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        if digits.is_empty() && radix != 8 {
            self.error(span, format!("invalid integer constant `{lower}`"));
            return ExprKind::Error;
        }
        let digits = if digits.is_empty() { "0" } else { digits };
        if let Some(bad) = digits.chars().find(|c| !c.is_digit(radix)) {
            self.error(span, format!("invalid digit `{bad}` in octal constant"));
            return ExprKind::Error;
        }
        let Some((unsigned, longs)) = integer_suffix(suffix) else {
            let message = match suffix {
                "i" | "j" => "imaginary integer constants are not supported".to_owned(),
                _ => format!("invalid suffix `{suffix}` on integer constant"),
            };
            self.error(span, message);
            return ExprKind::Error;
        };
        match u64::from_str_radix(digits, radix) {
            Ok(value) => ExprKind::Int { value, unsigned, longs, decimal: radix == 10 },
            Err(_) => {
                self.error(span, "integer constant is too large for its type");
                ExprKind::Error
            }
        }
    }

    fn float(&mut self, lower: &str, hex: bool, span: Span) -> ExprKind {
        let Some(end) = float_digits(lower, hex) else {
            let what = match lower.matches('.').count() {
                2.. => "too many decimal points in number",
                _ if hex && !lower.contains('p') => "hexadecimal floating constants require an exponent",
                _ => "exponent has no digits",
            };
            self.error(span, what);
            return ExprKind::Error;
        };
        let (digits, suffix) = lower.split_at(end);
        match float_suffix(suffix) {
            Some((ty, imaginary)) => ExprKind::Float { text: self.interner.intern(digits), ty, imaginary },
            None => {
                let message = match suffix {
                    "df" | "dd" | "dl" => "decimal floating constants are not supported".to_owned(),
                    _ => format!("invalid suffix `{suffix}` on floating constant"),
                };
                self.error(span, message);
                ExprKind::Error
            }
        }
    }

    // Character constants.

    pub(super) fn character(&mut self, token: Token) -> ExprKind {
        let lexed = self.lexed;
        let (encoding, body) = split_literal(lexed.spelling(token));
        let mut units = Vec::new();
        self.decode(body, encoding, token.span(), &mut units);
        if units.is_empty() {
            // What the lexer could not close is empty, too, and has been reported.
            if token.lo != token.hi {
                self.error(token.span(), "empty character constant");
            }
            return ExprKind::Error;
        }
        let value = match encoding {
            Encoding::Plain => self.plain_character(&units, token.span()),
            Encoding::Utf8 | Encoding::Char16 | Encoding::Wide | Encoding::Char32 => {
                if units.len() > 1 {
                    self.diags.warning(token.span(), "character constant too long for its type");
                }
                let unit = units[units.len() - 1];
                if encoding == Encoding::Wide { i64::from(unit as i32) } else { i64::from(unit) }
            }
        };
        ExprKind::Char { value, encoding }
    }

    /// The value that gcc gives a character constant without prefix: an `int`, one character sign-extended.
    fn plain_character(&mut self, units: &[u32], span: Span) -> i64 {
        if let &[unit] = units {
            return i64::from(unit as u8 as i8);
        }
        let message = if units.len() > 4 {
            "character constant too long for its type"
        } else {
            "multi-character character constant"
        };
        self.diags.warning(span, message);
        i64::from(units.iter().fold(0u32, |value, unit| value << 8 | (unit & 0xFF)) as i32)
    }

    // String literals.

    /// Adjacent string literals joined.
    pub(super) fn string(&mut self) -> Parsed<StrLit> {
        if self.kind() != Tok::Str {
            return Err(self.expected("string literal"));
        }
        let lexed = self.lexed;
        let first = self.at;
        let mut encoding = Encoding::Plain;
        while self.kind() == Tok::Str {
            let token = self.bump();
            let (piece, _) = split_literal(lexed.spelling(token));
            if encoding == Encoding::Plain {
                encoding = piece;
            } else if piece != Encoding::Plain && piece != encoding {
                self.error(token.span(), "unsupported non-standard concatenation of string literals");
            }
        }
        let mut bytes = Vec::new();
        let mut units = Vec::new();
        for index in first..self.at {
            let token = lexed.tokens[index];
            let (_, body) = split_literal(lexed.spelling(token));
            if encoding.char_size() == 1 && body.is_ascii() && !body.contains('\\') {
                bytes.extend_from_slice(body.as_bytes());
                continue;
            }
            units.clear();
            self.decode(body, encoding, token.span(), &mut units);
            for unit in &units {
                bytes.extend_from_slice(&unit.to_le_bytes()[..encoding.char_size()]);
            }
        }
        Ok(StrLit { encoding, bytes })
    }

    /// The bytes of a string literal without prefix.
    pub(super) fn string_bytes(&mut self) -> Parsed<Vec<u8>> {
        let span = self.token().span();
        let literal = self.string()?;
        if literal.encoding.char_size() != 1 {
            return Err(self.fail(span, "a wide string literal cannot stand here"));
        }
        Ok(literal.bytes)
    }

    /// A string literal as text.
    pub(super) fn string_text(&mut self) -> Parsed<String> {
        let bytes = self.string_bytes()?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A string literal as a name.
    pub(super) fn string_symbol(&mut self) -> Parsed<Symbol> {
        let text = self.string_text()?;
        Ok(self.interner.intern(&text))
    }

    /// Appends the code units of what stands between the quotes.
    fn decode(&mut self, body: &str, encoding: Encoding, span: Span, units: &mut Vec<u32>) {
        let mut rest = body;
        while let Some(c) = rest.chars().next() {
            if c == '\\' {
                rest = self.escape(rest, encoding, span, units);
                continue;
            }
            match raw_byte(c) {
                Some(byte) => units.push(u32::from(byte)),
                None => push_char(c, encoding, units),
            }
            rest = &rest[c.len_utf8()..];
        }
    }

    /// One escape sequence at the start of `text`; returns what follows it.
    fn escape<'t>(&mut self, text: &'t str, encoding: Encoding, span: Span, units: &mut Vec<u32>) -> &'t str {
        let Some(letter) = text[1..].chars().next() else { return "" };
        let rest = &text[1 + letter.len_utf8()..];
        let simple = match letter {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => letter as u32,
            '0'..='7' => return self.numeric_escape(&text[1..], 8, encoding, span, units),
            'x' => return self.numeric_escape(rest, 16, encoding, span, units),
            'u' | 'U' => {
                let Some((c, len)) = universal_name(text) else {
                    self.error(span, "incomplete or invalid universal character name");
                    return rest;
                };
                push_char(c, encoding, units);
                return &text[len..];
            }
            _ => {
                self.diags.warning(span, format!("unknown escape sequence: `\\{letter}`"));
                push_char(letter, encoding, units);
                return rest;
            }
        };
        units.push(simple);
        rest
    }

    fn numeric_escape<'t>(
        &mut self,
        digits: &'t str,
        radix: u32,
        encoding: Encoding,
        span: Span,
        units: &mut Vec<u32>,
    ) -> &'t str {
        let max = if radix == 8 { 3 } else { digits.len() };
        let len = digits.bytes().take(max).take_while(|&b| (b as char).is_digit(radix)).count();
        if len == 0 {
            self.error(span, "\\x used with no following hex digits");
            return digits;
        }
        let value = digits[..len].bytes().fold(0u64, |value, b| {
            (value * u64::from(radix) + u64::from((b as char).to_digit(radix).unwrap_or(0)))
                .min(u64::from(u32::MAX) + 1)
        });
        if value >> (8 * encoding.char_size()) != 0 {
            let what = if radix == 8 { "octal" } else { "hex" };
            self.diags.warning(span, format!("{what} escape sequence out of range"));
        }
        let mask = (1u64 << (8 * encoding.char_size())) - 1;
        units.push((value & mask) as u32);
        &digits[len..]
    }
}

/// The prefix of a literal, and what stands between its quotes.
fn split_literal(text: &str) -> (Encoding, &str) {
    let (encoding, quoted) = match text.as_bytes() {
        [b'L', ..] => (Encoding::Wide, &text[1..]),
        [b'u', b'8', ..] => (Encoding::Utf8, &text[2..]),
        [b'u', ..] => (Encoding::Char16, &text[1..]),
        [b'U', ..] => (Encoding::Char32, &text[1..]),
        _ => (Encoding::Plain, text),
    };
    (encoding, quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or(""))
}

fn push_char(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Char16 => {
            let mut buffer = [0; 2];
            units.extend(c.encode_utf16(&mut buffer).iter().copied().map(u32::from));
        }
        Encoding::Wide | Encoding::Char32 => units.push(c as u32),
    }
}

/// Whether there is a `u`, and the number of `l`, in lower case.
fn integer_suffix(suffix: &str) -> Option<(bool, u8)> {
    Some(match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    })
}

fn float_suffix(suffix: &str) -> Option<(Basic, bool)> {
    // `i` and `j` may stand before or behind the rest.
    let (rest, imaginary) = match suffix.strip_suffix(['i', 'j']).or_else(|| suffix.strip_prefix(['i', 'j'])) {
        Some(rest) => (rest, true),
        None => (suffix, false),
    };
    let ty = match rest {
        "" | "f64" | "f32x" => Basic::Double,
        "f" | "f32" => Basic::Float,
        "l" | "w" | "f64x" => Basic::LongDouble,
        "q" | "f128" => Basic::Float128,
        "f16" => Basic::Float16,
        _ => return None,
    };
    Some((ty, imaginary))
}

/// The length of the digits, point and exponent; none if it is malformed.
fn float_digits(lower: &str, hex: bool) -> Option<usize> {
    let bytes = lower.as_bytes();
    let mut at = if hex { 2 } else { 0 };
    if lower.matches('.').count() > 1 {
        return None;
    }
    while at < bytes.len() && (bytes[at] == b'.' || (bytes[at] as char).is_digit(if hex { 16 } else { 10 })) {
        at += 1;
    }
    if bytes.get(at) != Some(if hex { &b'p' } else { &b'e' }) {
        return (!hex).then_some(at);
    }
    at += 1;
    if matches!(bytes.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0).then_some(at + digits)
}
