//! Why a text is no program.

use std::fmt;

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// Something else should stand here.
    Unexpected {
        /// What stands here.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A name that nothing declares.
    Unknown {
        /// What kind of thing it should name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that is declared twice.
    Duplicate {
        /// What kind of thing it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A literal that does not fit its type.
    BadLiteral(String),
    /// A string without an end.
    OpenString,
    /// An unknown escape in a string.
    BadEscape,
    /// A string that must be UTF-8 and is not.
    NotText,
    /// A register whose type cannot be told.
    NeedsType(String),
    /// An expression with too many levels.
    TooDeep,
    /// A layout whose size overflows.
    TooLarge,
    /// No function at all.
    NoFunction,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.col)?;
        match &self.kind {
            ParseErrorKind::Unexpected { found, expected } => write!(f, "expected {expected}, found {found}"),
            ParseErrorKind::Unknown { what, name } => write!(f, "unknown {what} `{name}`"),
            ParseErrorKind::Duplicate { what, name } => write!(f, "{what} `{name}` is declared twice"),
            ParseErrorKind::BadLiteral(text) => write!(f, "literal `{text}` does not fit its type"),
            ParseErrorKind::OpenString => f.write_str("string without an end"),
            ParseErrorKind::BadEscape => f.write_str("unknown escape in a string"),
            ParseErrorKind::NotText => f.write_str("string is not UTF-8"),
            ParseErrorKind::NeedsType(name) => write!(f, "declare the type of register `{name}`"),
            ParseErrorKind::TooDeep => f.write_str("expression nested too deeply"),
            ParseErrorKind::TooLarge => f.write_str("layout too large"),
            ParseErrorKind::NoFunction => f.write_str("a program needs a function"),
        }
    }
}

impl std::error::Error for ParseError {}
