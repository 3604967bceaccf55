//! Errors and warnings about the user's input, each at a place.

use heddle_base::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is still checked.
    Warning,
    /// The program is not checked.
    Error,
}

/// One error or warning.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What, in a few words, no capital, no full stop.
    pub message: String,
    /// Other places that matter: "previous definition is here".
    pub notes: Vec<(Span, String)>,
}

/// Collects diagnostics; after [`Diagnostics::MAX_ERRORS`] errors further ones are only counted.
#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Errors that are kept.
    pub const MAX_ERRORS: usize = 100;

    /// Reports an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.error_with_note(span, message, None);
    }

    /// Reports an error with a note about another place.
    pub fn error_with_note(&mut self, span: Span, message: impl Into<String>, note: Option<(Span, String)>) {
        let message = message.into();
        // What is lowered twice (an initialiser that gives an array its length) is told once.
        if self.list.iter().any(|d| d.severity == Severity::Error && d.span == span && d.message == message) {
            return;
        }
        self.errors += 1;
        if self.errors <= Self::MAX_ERRORS {
            self.push(Severity::Error, span, message, note);
        }
    }

    /// Reports a warning.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(Severity::Warning, span, message.into(), None);
    }

    /// Reports a warning with a note about another place.
    pub fn warning_with_note(&mut self, span: Span, message: impl Into<String>, note: (Span, String)) {
        self.push(Severity::Warning, span, message.into(), Some(note));
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors, those not kept included.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// All that were kept, in the order they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    fn push(&mut self, severity: Severity, span: Span, message: String, note: Option<(Span, String)>) {
        self.list.push(Diagnostic { severity, span, message, notes: note.into_iter().collect() });
    }
}
