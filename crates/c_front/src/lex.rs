//! The lexer: the text of one preprocessed input to a vector of tokens.
//!
//! A table classifies bytes; names are interned as they are met, so that a keyword is known by its symbol. Numbers and
//! literals stay text until the parser needs their value. Line markers are collected for the source map; pragmas
//! (only `pack` says something to us) and `__extension__` leave no token.
//!
//! Lines that end in a backslash are rare behind a preprocessor: if there are any, the lexer works on a copy of the text
//! without them, and [`Splices`] maps positions back.

use std::borrow::Cow;
use std::rc::Rc;

use heddle_base::{Id, Pos, Span};

use crate::diag::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::pack::Packs;
use crate::token::{KEYWORDS, Tok, Token};

/// The tokens of an input and what is needed to read them.
pub(crate) struct Lexed<'a> {
    /// The tokens, [`Tok::Eof`] last.
    pub tokens: Vec<Token>,
    /// Line markers in order of position.
    pub markers: Vec<Marker>,
    /// What `#pragma pack` says.
    pub packs: Packs,
    text: Cow<'a, str>,
    splices: Splices,
    start: Pos,
}

/// From `pos` on, lines are those of `file`.
pub(crate) struct Marker {
    pub pos: Pos,
    pub file: Rc<str>,
    pub line: u32,
    /// Whether the preprocessor calls it a system header.
    pub system: bool,
}

impl Lexed<'_> {
    /// The spelling of a token, line splices removed.
    pub fn spelling(&self, token: Token) -> &str {
        let lo = self.splices.without(token.lo - self.start);
        let hi = self.splices.without(token.hi - self.start);
        self.text.get(lo as usize..hi as usize).unwrap_or("")
    }
}

/// Lexes `text`, whose first byte is at `start`; `file` is its name.
pub(crate) fn lex<'a>(
    text: &'a str,
    start: Pos,
    file: &str,
    interner: &mut Interner,
    diags: &mut Diagnostics,
) -> Lexed<'a> {
    let (text, splices) = Splices::remove(text);
    let mut lexer = Lexer {
        text: &text,
        at: 0,
        start,
        splices: &splices,
        tokens: Vec::with_capacity(text.len() / 5 + 16),
        markers: Vec::new(),
        packs: Packs::default(),
        file: file.into(),
        interner,
        diags,
    };
    lexer.run();
    let Lexer { tokens, markers, packs, .. } = lexer;
    Lexed { tokens, markers, packs, text, splices, start }
}

/// A byte that was not UTF-8 in the user's file stands in the text as the character with this code plus the byte.
pub(crate) const RAW_BYTE: u32 = 0x10_FE00;

/// The raw byte that `c` stands for, if it does.
pub(crate) fn raw_byte(c: char) -> Option<u8> {
    let offset = (c as u32).checked_sub(RAW_BYTE)?;
    (0x80..=0xFF).contains(&offset).then_some(offset as u8)
}

/// Where backslash-newlines were taken out.
#[derive(Default)]
struct Splices {
    /// For each splice, the position behind it in the original text, and the bytes removed up to there.
    removed: Vec<(u32, u32)>,
}

impl Splices {
    fn remove(text: &str) -> (Cow<'_, str>, Splices) {
        let bytes = text.as_bytes();
        let mut splices = Splices::default();
        let mut clean = String::new();
        let mut copied = 0;
        for at in memchr::memchr_iter(b'\\', bytes) {
            let len = match (bytes.get(at + 1), bytes.get(at + 2)) {
                (Some(b'\n'), _) => 2,
                (Some(b'\r'), Some(b'\n')) => 3,
                _ => continue,
            };
            clean.push_str(&text[copied..at]);
            copied = at + len;
            let before = splices.removed.last().map_or(0, |r| r.1);
            splices.removed.push((copied as u32, before + len as u32));
        }
        if splices.removed.is_empty() {
            return (Cow::Borrowed(text), splices);
        }
        clean.push_str(&text[copied..]);
        (Cow::Owned(clean), splices)
    }

    /// The position in the text without splices.
    fn without(&self, pos: u32) -> u32 {
        match self.removed.partition_point(|r| r.0 <= pos) {
            0 => pos,
            n => pos - self.removed[n - 1].1,
        }
    }

    /// The position in the original text of a position in the text without splices.
    fn original(&self, pos: u32) -> u32 {
        match self.removed.partition_point(|&(behind, removed)| behind - removed <= pos) {
            0 => pos,
            n => pos + self.removed[n - 1].1,
        }
    }
}

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bad,
    Space,
    Word,
    Digit,
    Single,
    Operator,
    Dot,
    Slash,
    Hash,
    Quote,
}

const CLASS: [Class; 256] = classes();
/// Whether a byte continues a word.
const IN_WORD: [bool; 256] = word_bytes();
/// Tokens of one byte that begin no longer token.
const SINGLE: [Tok; 128] = singles();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Bad; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'\\' | 0x80..=0xFF => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'~' | b'?' => Class::Single,
            b'!' | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=' | b':' => Class::Operator,
            b'.' => Class::Dot,
            b'/' => Class::Slash,
            b'#' => Class::Hash,
            b'"' | b'\'' => Class::Quote,
            _ => Class::Bad,
        };
        b += 1;
    }
    table
}

const fn word_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = matches!(b as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$');
        b += 1;
    }
    table
}

const fn singles() -> [Tok; 128] {
    let mut table = [Tok::Eof; 128];
    table[b'(' as usize] = Tok::LParen;
    table[b')' as usize] = Tok::RParen;
    table[b'[' as usize] = Tok::LBracket;
    table[b']' as usize] = Tok::RBracket;
    table[b'{' as usize] = Tok::LBrace;
    table[b'}' as usize] = Tok::RBrace;
    table[b';' as usize] = Tok::Semi;
    table[b',' as usize] = Tok::Comma;
    table[b'~' as usize] = Tok::Tilde;
    table[b'?' as usize] = Tok::Question;
    table
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    start: Pos,
    splices: &'a Splices,
    tokens: Vec<Token>,
    markers: Vec<Marker>,
    packs: Packs,
    /// The file that the last marker named.
    file: Rc<str>,
    interner: &'a mut Interner,
    diags: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match CLASS[byte as usize] {
                Class::Space => self.at += 1,
                Class::Word => self.word(),
                Class::Single => self.push(SINGLE[byte as usize & 127], 1),
                Class::Operator => self.operator(byte),
                Class::Digit => self.number(),
                Class::Dot => self.dot(),
                Class::Slash => self.slash(),
                Class::Quote => self.literal(self.at),
                Class::Hash => self.directive(),
                Class::Bad => self.stray(),
            }
        }
        self.push(Tok::Eof, 0);
    }

    #[inline]
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// A position of the lexed text as a place in the input.
    #[inline]
    fn pos(&self, at: usize) -> Pos {
        if self.splices.removed.is_empty() {
            self.start + at as u32
        } else {
            self.start + self.splices.original(at as u32)
        }
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        // A splice behind the last byte is not part of the token.
        let end = if hi > lo { self.pos(hi - 1) + 1 } else { self.pos(hi) };
        Span::new(self.pos(lo), end)
    }

    #[inline]
    fn push(&mut self, kind: Tok, len: usize) {
        self.push_from(kind, Symbol::new(0), self.at, self.at + len);
    }

    /// Appends the token `lo..hi` and goes on behind it.
    #[inline]
    fn push_from(&mut self, kind: Tok, name: Symbol, lo: usize, hi: usize) {
        let span = self.span(lo, hi);
        self.tokens.push(Token { kind, name, lo: span.lo, hi: span.hi });
        self.at = hi;
    }

    #[inline]
    fn word(&mut self) {
        let bytes = self.text.as_bytes();
        let lo = self.at;
        let mut hi = lo;
        while hi < bytes.len() && IN_WORD[bytes[hi] as usize] {
            hi += 1;
        }
        match bytes.get(hi) {
            Some(b'"' | b'\'') if matches!(&bytes[lo..hi], b"L" | b"u" | b"U" | b"u8") => {
                self.at = hi;
                return self.literal(lo);
            }
            Some(b'\\' | 0x80..) => return self.exotic_word(lo),
            _ => {}
        }
        let symbol = self.interner.intern(&self.text[lo..hi]);
        self.push_word(symbol, lo, hi);
    }

    #[inline]
    fn push_word(&mut self, symbol: Symbol, lo: usize, hi: usize) {
        match KEYWORDS.get(symbol.index()) {
            None => self.push_from(Tok::Ident, symbol, lo, hi),
            Some((_, Tok::Extension)) => self.at = hi,
            Some((_, Tok::Pragma)) => self.pragma_operator(hi),
            Some(&(_, kind)) => self.push_from(kind, symbol, lo, hi),
        }
    }

    /// A word with characters beyond ASCII or with universal character names.
    #[cold]
    fn exotic_word(&mut self, lo: usize) {
        let mut word = String::new();
        let mut hi = lo;
        while let Some(c) = self.text[hi..].chars().next() {
            if c == '\\' {
                let Some((named, len)) = universal_name(&self.text[hi..]) else { break };
                word.push(named);
                hi += len;
            } else if (c.is_ascii() && IN_WORD[c as usize]) || (!c.is_ascii() && c.is_alphanumeric()) {
                word.push(c);
                hi += c.len_utf8();
            } else {
                break;
            }
        }
        if hi == lo {
            return self.stray();
        }
        let symbol = self.interner.intern(&word);
        self.push_word(symbol, lo, hi);
    }

    #[cold]
    fn stray(&mut self) {
        let c = self.text[self.at..].chars().next().unwrap_or(' ');
        let hi = self.at + c.len_utf8();
        let shown = match raw_byte(c) {
            Some(byte) => format!("\\x{byte:02x}"),
            None if c.is_control() || c.is_whitespace() => format!("\\u{{{:x}}}", c as u32),
            None => c.to_string(),
        };
        self.diags.error(self.span(self.at, hi), format!("stray `{shown}` in program"));
        self.at = hi;
    }

    fn operator(&mut self, byte: u8) {
        let (b1, b2) = (self.byte(1), self.byte(2));
        let (kind, len) = match (byte, b1, b2) {
            (b'!', b'=', _) => (Tok::BangEq, 2),
            (b'!', ..) => (Tok::Bang, 1),
            (b'+', b'+', _) => (Tok::PlusPlus, 2),
            (b'+', b'=', _) => (Tok::PlusEq, 2),
            (b'+', ..) => (Tok::Plus, 1),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'-', b'-', _) => (Tok::MinusMinus, 2),
            (b'-', b'=', _) => (Tok::MinusEq, 2),
            (b'-', ..) => (Tok::Minus, 1),
            (b'*', b'=', _) => (Tok::StarEq, 2),
            (b'*', ..) => (Tok::Star, 1),
            (b'%', b'=', _) => (Tok::PercentEq, 2),
            (b'%', b'>', _) => (Tok::RBrace, 2),
            (b'%', b':', _) => return self.directive(),
            (b'%', ..) => (Tok::Percent, 1),
            (b'&', b'&', _) => (Tok::AmpAmp, 2),
            (b'&', b'=', _) => (Tok::AmpEq, 2),
            (b'&', ..) => (Tok::Amp, 1),
            (b'|', b'|', _) => (Tok::PipePipe, 2),
            (b'|', b'=', _) => (Tok::PipeEq, 2),
            (b'|', ..) => (Tok::Pipe, 1),
            (b'^', b'=', _) => (Tok::CaretEq, 2),
            (b'^', ..) => (Tok::Caret, 1),
            (b'<', b'<', b'=') => (Tok::ShlEq, 3),
            (b'<', b'<', _) => (Tok::Shl, 2),
            (b'<', b'=', _) => (Tok::LtEq, 2),
            (b'<', b':', _) => (Tok::LBracket, 2),
            (b'<', b'%', _) => (Tok::LBrace, 2),
            (b'<', ..) => (Tok::Lt, 1),
            (b'>', b'>', b'=') => (Tok::ShrEq, 3),
            (b'>', b'>', _) => (Tok::Shr, 2),
            (b'>', b'=', _) => (Tok::GtEq, 2),
            (b'>', ..) => (Tok::Gt, 1),
            (b'=', b'=', _) => (Tok::EqEq, 2),
            (b'=', ..) => (Tok::Eq, 1),
            (b':', b'>', _) => (Tok::RBracket, 2),
            _ => (Tok::Colon, 1),
        };
        self.push(kind, len);
    }

    fn dot(&mut self) {
        match (self.byte(1), self.byte(2)) {
            (b'0'..=b'9', _) => self.number(),
            (b'.', b'.') => self.push(Tok::Ellipsis, 3),
            _ => self.push(Tok::Dot, 1),
        }
    }

    /// A preprocessing number: more than what is a constant, the parser sorts it out.
    fn number(&mut self) {
        let bytes = self.text.as_bytes();
        let mut hi = self.at + 1;
        while let Some(&byte) = bytes.get(hi) {
            let exponent_sign = matches!(byte, b'+' | b'-') && matches!(bytes[hi - 1] | 0x20, b'e' | b'p');
            if !(IN_WORD[byte as usize] || byte == b'.' || exponent_sign) {
                break;
            }
            hi += 1;
        }
        self.push_from(Tok::Number, Symbol::new(0), self.at, hi);
    }

    fn slash(&mut self) {
        match self.byte(1) {
            b'/' => self.skip_line(),
            b'*' => self.comment(),
            b'=' => self.push(Tok::SlashEq, 2),
            _ => self.push(Tok::Slash, 1),
        }
    }

    fn comment(&mut self) {
        let body = &self.text.as_bytes()[self.at + 2..];
        let end = memchr::memchr_iter(b'/', body).find(|&i| i > 0 && body[i - 1] == b'*');
        match end {
            Some(end) => self.at += 2 + end + 1,
            None => {
                self.diags.error(self.span(self.at, self.at + 2), "unterminated comment");
                self.at = self.text.len();
            }
        }
    }

    /// A character constant or string literal whose prefix begins at `lo` and whose quote is at `self.at`.
    fn literal(&mut self, lo: usize) {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.at];
        let mut hi = self.at + 1;
        loop {
            match bytes.get(hi) {
                Some(b'\\') if hi + 1 < bytes.len() && bytes[hi + 1] != b'\n' => hi += 2,
                Some(&byte) if byte == quote => break,
                None | Some(b'\n') => return self.open_literal(lo, hi, quote),
                Some(_) => hi += 1,
            }
        }
        // An escaped character of several bytes may have been stepped into, but no further: a quote is one byte.
        let kind = if quote == b'"' { Tok::Str } else { Tok::Char };
        self.push_from(kind, Symbol::new(0), lo, hi + 1);
    }

    /// A literal that its line does not end: an error, and an empty literal so that parsing can go on.
    #[cold]
    fn open_literal(&mut self, lo: usize, hi: usize, quote: u8) {
        let span = self.span(lo, self.at + 1);
        self.diags.error(span, format!("missing terminating `{}` character", quote as char));
        let kind = if quote == b'"' { Tok::Str } else { Tok::Char };
        self.tokens.push(Token { kind, name: Symbol::new(0), lo: span.lo, hi: span.lo });
        self.at = hi;
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// `_Pragma("…")`, which ends at `hi`.
    #[cold]
    fn pragma_operator(&mut self, hi: usize) {
        let span = self.span(self.at, hi);
        let rest = &self.text[hi..];
        let inner = rest.trim_start().strip_prefix('(').map(str::trim_start);
        let len = inner.and_then(|inner| {
            let body = inner.strip_prefix('L').unwrap_or(inner).strip_prefix('"')?;
            let mut escaped = false;
            let end = body.find(|c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            })?;
            let tail = body[end + 1..].trim_start().strip_prefix(')')?;
            self.packs.pragma(&body[..end], self.tokens.len());
            Some(rest.len() - tail.len())
        });
        if len.is_none() {
            self.diags.error(span, "`_Pragma` takes a parenthesized string literal");
        }
        self.at = hi + len.unwrap_or(0);
    }

    /// A line that begins with `#`.
    #[cold]
    fn directive(&mut self) {
        let lo = self.at;
        let before = self.text[..lo].trim_end_matches([' ', '\t']);
        if !(before.is_empty() || before.ends_with('\n') || before.ends_with("*/")) {
            return self.stray();
        }
        self.skip_line();
        let line = self.text[lo..self.at].trim_end();
        let body = line.trim_start_matches(['#', '%', ':']).trim_start();
        let word_len = body.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(body.len());
        match &body[..word_len] {
            "pragma" => self.packs.pragma(&body[word_len..], self.tokens.len()),
            "" | "ident" | "sccs" => {}
            "line" => self.marker(lo, body[word_len..].trim_start()),
            word if word.starts_with(|c: char| c.is_ascii_digit()) => self.marker(lo, body),
            word => {
                let message = format!("directive `#{word}` in preprocessed input");
                self.diags.error(self.span(lo, lo + line.len()), message);
            }
        }
    }

    /// `12 "file.c" flags`; the line itself is over.
    fn marker(&mut self, lo: usize, body: &str) {
        let digits = body.find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len());
        let rest = body[digits..].trim_start();
        let Ok(line) = body[..digits].parse::<u32>() else {
            return self.diags.error(self.span(lo, self.at), "line marker without a line number");
        };
        let mut system = false;
        if let Some(name) = rest.strip_prefix('"').and_then(marker_file) {
            self.file = name.into();
            // `1` enters a file. Without it, `3` is about a macro of a system header that the user's own file expands.
            let flags = rest.rsplit('"').next().unwrap_or_default();
            let has = |wanted| flags.split_ascii_whitespace().any(|flag| flag == wanted);
            system = has("1") && has("3");
        }
        if self.at < self.text.len() {
            // Clamped so that counting on from here cannot overflow.
            let line = line.min(i32::MAX as u32);
            self.markers.push(Marker { pos: self.pos(self.at + 1), file: self.file.clone(), line, system });
        }
    }
}

/// The file name of a line marker, whose opening quote is already off.
fn marker_file(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(name),
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
}

/// `\u1234` or `\U00012345` at the start of `text`: the character and the length of its name.
pub(crate) fn universal_name(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().get(1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let hex = text.get(2..2 + digits)?;
    if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
    Some((c, 2 + digits))
}
