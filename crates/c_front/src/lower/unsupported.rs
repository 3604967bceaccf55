//! What can be parsed but not executed: vectors, complex numbers, some builtins and library functions.
//!
//! Inside a function it is no error: it becomes a step that ends the path ([`StepKind::Unsupported`]), and all that is not
//! reached may do what it likes. A statement that holds something unsupported is given up as a whole, because a part of an
//! expression cannot be left out; where that is not possible (a condition, a parameter), the whole function is.
//! A call of a function that is not supported is a step of its own, so that conditions may hold it.

use heddle_base::{Id, Span};
use heddle_ir::{StepId, StepKind};

use super::{Lower, Value};
use crate::types::QTy;

/// The state of lowering before a statement.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    steps: StepId,
    noted: usize,
}

impl Lower<'_> {
    /// Notes something that is not supported. At file scope, and in models, it is an error.
    pub(super) fn unsupported(&mut self, span: Span, what: &str) {
        if self.model || self.f.ret.is_none() {
            return self.error(span, format!("unsupported: {what}"));
        }
        self.f.unsupported.push((span, what.to_owned()));
    }

    /// Ends the path here. The value stands for what will never be computed.
    pub(super) fn unsupported_value(&mut self, span: Span, what: &str, ty: QTy) -> Value {
        if self.model || self.f.ret.is_none() {
            self.error(span, format!("unsupported: {what}"));
            return self.error_value();
        }
        if self.unevaluated == 0 {
            self.emit_unsupported(span, what.to_owned());
        }
        match self.types.scalar(ty) {
            Some(scalar) => {
                let zero = self.b.constant(scalar, 0);
                Value::scalar(zero, ty)
            }
            None => self.nothing(),
        }
    }

    fn emit_unsupported(&mut self, span: Span, what: String) {
        self.at(span);
        self.b.emit(StepKind::Unsupported { what });
    }

    /// Before a statement.
    pub(super) fn mark(&self) -> Mark {
        Mark { steps: self.b.steps.next_id(), noted: self.f.unsupported.len() }
    }

    /// Behind a statement: gives it up if it holds something that is not supported.
    pub(super) fn give_up_since(&mut self, mark: Mark) {
        if self.f.unsupported.len() == mark.noted {
            return;
        }
        let labels: Vec<_> = self.f.labels.values().map(|info| info.label).collect();
        if labels.into_iter().any(|label| self.b.is_placed_behind(label, mark.steps)) {
            // Control may come to the middle of it: the whole function is given up.
            return;
        }
        self.b.truncate(mark.steps);
        self.f.gotos.retain(|goto| goto.step.index() < mark.steps.index());
        let (span, what) = self.f.unsupported.swap_remove(mark.noted);
        self.f.unsupported.truncate(mark.noted);
        self.emit_unsupported(span, what);
    }
}
