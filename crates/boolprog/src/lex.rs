//! Words of a Boolean program.

use heddle_base::Span;

use crate::diagnostic::Diagnostic;

/// A word with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    pub kind: TokenKind<'t>,
    pub span: Span,
}

/// Kinds of words. Keywords are identifiers here; the parser knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind<'t> {
    Identifier(&'t str),
    /// `0` or `1`.
    Bit(bool),
    /// A number in `bool<2>`.
    Number(u32),
    /// `*` or `*2`.
    Choice(Option<u32>),
    /// An operator or a bracket.
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: [(&str, &str); 36] = [
    ("<=>", "="),
    (":=", ":="),
    ("=>", "=>"),
    ("->", "=>"),
    ("==", "="),
    ("!=", "!="),
    ("&&", "&"),
    ("||", "|"),
    ("/\\", "&"),
    ("\\/", "|"),
    ("¬", "!"),
    ("∧", "&"),
    ("∨", "|"),
    ("⇒", "=>"),
    ("⇔", "="),
    ("≠", "!="),
    ("^", "!="),
    ("=", "="),
    ("!", "!"),
    ("~", "!"),
    ("&", "&"),
    ("|", "|"),
    (";", ";"),
    (":", ":"),
    (",", ","),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("[", "["),
    ("]", "]"),
    ("<", "<"),
    (">", ">"),
    ("'", "'"),
    ("$", "$"),
    ("?", "?"),
];

/// All words of a text; the last one is [`TokenKind::End`].
pub fn lex(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::new(Span::default(), "the file is longer than 4 GiB"));
    }
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.blanks()?;
        let begin = lexer.at;
        let kind = lexer.word()?;
        tokens.push(Token { kind, span: Span::new(begin as u32, lexer.at as u32) });
        if kind == TokenKind::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    let span = Span::new(self.at as u32, self.at as u32 + 2);
                    return Err(Diagnostic::new(span, "this comment has no end"));
                };
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn take(&mut self, while_true: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !while_true(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn word(&mut self) -> Result<TokenKind<'t>, Diagnostic> {
        let Some(first) = self.rest().chars().next() else { return Ok(TokenKind::End) };
        if first.is_ascii_alphabetic() || first == '_' {
            return Ok(TokenKind::Identifier(self.take(|c| c.is_ascii_alphanumeric() || c == '_')));
        }
        if first.is_ascii_digit() {
            let begin = self.at;
            let digits = self.take(|c| c.is_ascii_digit());
            return match digits {
                "0" => Ok(TokenKind::Bit(false)),
                "1" => Ok(TokenKind::Bit(true)),
                _ => digits
                    .parse()
                    .map(TokenKind::Number)
                    .map_err(|_| Diagnostic::new(Span::new(begin as u32, self.at as u32), "this number is too large")),
            };
        }
        if first == '*' || first == '⋆' {
            self.at += first.len_utf8();
            let digits = self.take(|c| c.is_ascii_digit());
            return Ok(TokenKind::Choice(digits.parse().ok()));
        }
        for (spelling, symbol) in SYMBOLS {
            if self.rest().starts_with(spelling) {
                self.at += spelling.len();
                return Ok(TokenKind::Symbol(symbol));
            }
        }
        let span = Span::new(self.at as u32, (self.at + first.len_utf8()) as u32);
        Err(Diagnostic::new(span, format!("`{}` is no part of a Boolean program", first.escape_debug())))
    }
}
