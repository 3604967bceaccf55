//! Errors about the text of a Boolean program, each at a place.

use heddle_base::Span;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What, in a few words, no capital, no full stop.
    pub message: String,
    /// Another place that matters, and why.
    pub note: Option<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span, message: message.into(), note: None }
    }

    /// The same with a note about another place.
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.note = Some((span, message.into()));
        self
    }

    /// The error as a person reads it: file, line, column, the line and a caret.
    pub fn render(&self, file: &str, text: &str) -> String {
        let mut out = quote(file, text, self.span, "error", &self.message);
        if let Some((span, message)) = &self.note {
            out.push_str(&quote(file, text, *span, "note", message));
        }
        out
    }
}

/// All errors, and how many they are.
pub fn render_all(diagnostics: &[Diagnostic], file: &str, text: &str) -> String {
    let mut out: String = diagnostics.iter().map(|d| d.render(file, text)).collect();
    let plural = if diagnostics.len() == 1 { "" } else { "s" };
    out.push_str(&format!("{} error{plural}\n", diagnostics.len()));
    out
}

/// Line and column of a byte position, both from 1.
pub fn line_column(text: &str, position: u32) -> (u32, u32) {
    let before = &text.as_bytes()[..(position as usize).min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    (line as u32, column as u32)
}

/// More of a line than this is not shown.
const LINE_SHOWN: usize = 200;

fn quote(file: &str, text: &str, span: Span, severity: &str, message: &str) -> String {
    let (line, column) = line_column(text, span.lo);
    let source = text.lines().nth(line as usize - 1).unwrap_or("");
    let mut out = format!("{file}:{line}:{column}: {severity}: {message}\n");
    if source.len() > LINE_SHOWN {
        return out;
    }
    let number = format!("{line:>3}");
    // A tab stays a tab, so that the caret stands below its character.
    let pad: String = source.chars().take(column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let length = (span.hi.saturating_sub(span.lo) as usize).min((source.len() + 1).saturating_sub(column as usize));
    let marks = "~".repeat(length.saturating_sub(1));
    out.push_str(&format!("{number} | {source}\n{} | {pad}^{marks}\n", " ".repeat(number.len())));
    out
}
