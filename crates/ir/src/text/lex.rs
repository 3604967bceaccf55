//! Tokens of the text form.

use super::error::{ParseError, ParseErrorKind};
use super::names::{is_ident_char, is_ident_start};

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    /// Byte range in the text.
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub col: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    Word(&'a str),
    /// A decimal integer.
    Int(u128),
    /// A hexadecimal integer: the bits of a value.
    Hex(u128),
    /// A decimal fraction, still as text: its value depends on its type.
    Float(&'a str),
    Str(Vec<u8>),
    Sym(&'static str),
    /// What follows `@` on the line: a place.
    At(&'a str),
    Newline,
    Eof,
}

/// Longest first; the ones that end in `u` only where no word goes on.
const SYMBOLS: [&str; 36] = [
    ">>u", "<=u", ">=u", "...", "<u", ">u", "/u", "%u", "->", "::", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*",
    "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?", ":", ",", "(", ")", "[", "]",
];
const BRACES: [&str; 3] = ["{", "}", ";"];

pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut lexer = Lexer { text, pos: 0, line: 1, line_start: 0, tokens: Vec::new() };
    while lexer.step()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    line: u32,
    line_start: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    /// Reads one token; `false` at the end.
    fn step(&mut self) -> Result<bool, ParseError> {
        let rest = &self.text[self.pos..];
        let Some(first) = rest.chars().next() else {
            self.push(TokenKind::Newline, 0);
            self.push(TokenKind::Eof, 0);
            return Ok(false);
        };
        if first == '\n' {
            self.push(TokenKind::Newline, 1);
            self.line += 1;
            self.line_start = self.pos;
        } else if first.is_whitespace() {
            self.pos += first.len_utf8();
        } else if rest.starts_with("//") {
            self.pos += line_len(rest);
        } else if first == '@' {
            let len = line_len(rest);
            self.push(TokenKind::At(rest[1..len].trim()), len);
        } else if is_ident_start(first) {
            let len = word_len(rest);
            self.push(TokenKind::Word(&rest[..len]), len);
        } else if first.is_ascii_digit() {
            self.number(rest)?;
        } else if first == '"' {
            self.string(rest)?;
        } else {
            self.symbol(rest)?;
        }
        Ok(true)
    }

    fn push(&mut self, kind: TokenKind<'a>, len: usize) {
        let col = (self.pos - self.line_start) as u32 + 1;
        self.tokens.push(Token { kind, start: self.pos, end: self.pos + len, line: self.line, col });
        self.pos += len;
    }

    fn error(&self, kind: ParseErrorKind) -> ParseError {
        ParseError { line: self.line, col: (self.pos - self.line_start) as u32 + 1, kind }
    }

    fn number(&mut self, rest: &'a str) -> Result<(), ParseError> {
        let bad = |lit: &str| ParseErrorKind::BadLiteral(lit.to_owned());
        if let Some(hex) = rest.strip_prefix("0x") {
            let digits = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
            let bits = u128::from_str_radix(&hex[..digits], 16).map_err(|_| self.error(bad(&rest[..digits + 2])))?;
            self.push(TokenKind::Hex(bits), digits + 2);
            return Ok(());
        }
        let len = float_len(rest);
        let literal = &rest[..len];
        if literal.bytes().all(|b| b.is_ascii_digit()) {
            let value = literal.parse().map_err(|_| self.error(bad(literal)))?;
            self.push(TokenKind::Int(value), len);
        } else {
            self.push(TokenKind::Float(literal), len);
        }
        Ok(())
    }

    fn string(&mut self, rest: &'a str) -> Result<(), ParseError> {
        let bytes = rest.as_bytes();
        let mut value = Vec::new();
        let mut i = 1;
        loop {
            match bytes.get(i) {
                None | Some(b'\n') => return Err(self.error(ParseErrorKind::OpenString)),
                Some(b'"') => break,
                Some(b'\\') => {
                    let (byte, len) = escape(&bytes[i..]).ok_or_else(|| self.error(ParseErrorKind::BadEscape))?;
                    value.push(byte);
                    i += len;
                }
                Some(&b) => {
                    value.push(b);
                    i += 1;
                }
            }
        }
        self.push(TokenKind::Str(value), i + 1);
        Ok(())
    }

    fn symbol(&mut self, rest: &'a str) -> Result<(), ParseError> {
        let fits =
            |s: &&&str| rest.starts_with(**s) && !(s.ends_with('u') && rest[s.len()..].starts_with(is_ident_char));
        match SYMBOLS.iter().chain(&BRACES).find(fits) {
            Some(symbol) => {
                self.push(TokenKind::Sym(symbol), symbol.len());
                Ok(())
            }
            None => {
                let found = rest.chars().next().map(String::from).unwrap_or_default();
                Err(self.error(ParseErrorKind::Unexpected { found, expected: "a token" }))
            }
        }
    }
}

fn line_len(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// A word with an optional `#7` behind it.
fn word_len(rest: &str) -> usize {
    let len = rest.find(|c| !is_ident_char(c)).unwrap_or(rest.len());
    match rest[len..].strip_prefix('#') {
        Some(tail) => match tail.bytes().take_while(u8::is_ascii_digit).count() {
            0 => len,
            digits => len + 1 + digits,
        },
        None => len,
    }
}

/// `12`, `1.5`, `1e30`, `1.5e-7`.
fn float_len(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut len = digits(0);
    if bytes.get(len) == Some(&b'.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if bytes.get(len) == Some(&b'e') {
        let sign = usize::from(bytes.get(len + 1) == Some(&b'-'));
        if bytes.len() > len + 1 + sign && digits(len + 1 + sign) > 0 {
            len += 1 + sign + digits(len + 1 + sign);
        }
    }
    len
}

/// The byte that an escape stands for, and the escape's length.
fn escape(bytes: &[u8]) -> Option<(u8, usize)> {
    Some(match bytes.get(1)? {
        b'n' => (b'\n', 2),
        b't' => (b'\t', 2),
        b'r' => (b'\r', 2),
        b'0' => (0, 2),
        b @ (b'"' | b'\\') => (*b, 2),
        b'x' => {
            let digits = std::str::from_utf8(bytes.get(2..4)?).ok()?;
            (u8::from_str_radix(digits, 16).ok()?, 4)
        }
        _ => return None,
    })
}

/// A string literal of the text form with these bytes; what is not ASCII text is escaped.
pub(super) fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            0 => out.push_str("\\0"),
            0x20..0x7f => out.push(b as char),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('"');
    out
}

/// A string literal of the text form with this text.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c.is_ascii() {
            let quoted = quote_bytes(&[c as u8]);
            out.push_str(&quoted[1..quoted.len() - 1]);
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}
