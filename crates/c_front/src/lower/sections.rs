//! Atomic sections must nest: on every way through a function, each that is opened is closed again.
//!
//! The program's own `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end` may stand anywhere. What the goto program cannot
//! say (a section that one function opens and another closes, or that is open on some paths only) is an error at its place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heddle_base::{Id, IndexVec, Span};
use heddle_ir::{StepId, StepKind};

use super::Lower;

impl Lower<'_> {
    /// Checks the function just built, its jumps resolved.
    pub(super) fn check_sections(&mut self) {
        let is_section = |kind: &StepKind| matches!(kind, StepKind::AtomicBegin { .. } | StepKind::AtomicEnd);
        if self.diags.error_count() > self.f.errors_before || !self.b.steps.iter().any(|s| is_section(&s.kind)) {
            return;
        }
        let mut depths: IndexVec<StepId, Option<u32>> = IndexVec::from_elem(None, self.b.steps.len());
        depths[StepId::new(0)] = Some(0);
        // In the order of the text, so that the first thing wrong is told.
        let mut todo = BinaryHeap::from([Reverse(StepId::new(0))]);
        while let Some(Reverse(at)) = todo.pop() {
            let Some(depth) = depths[at] else { continue };
            let step = &self.b.steps[at];
            let after = match step.kind {
                StepKind::AtomicBegin { .. } => depth + 1,
                StepKind::AtomicEnd if depth == 0 => {
                    return self.section_error(at, "the end of an atomic section that this function did not begin");
                }
                StepKind::AtomicEnd => depth - 1,
                StepKind::Return { .. } if depth > 0 => {
                    return self.section_error(at, "an atomic section that is still open where the function returns");
                }
                _ => depth,
            };
            let next = step.kind.falls_through().then(|| StepId::new(at.index() + 1));
            for next in next.into_iter().chain(step.kind.target()) {
                match depths[next] {
                    None => {
                        depths[next] = Some(after);
                        todo.push(Reverse(next));
                    }
                    Some(known) if known == after => {}
                    Some(_) => {
                        return self.section_error(next, "an atomic section that is open on some paths to here only");
                    }
                }
            }
        }
    }

    fn section_error(&mut self, step: StepId, what: &str) {
        let pos = self.b.positions[step];
        self.unsupported(Span::new(pos, pos + 1), what);
    }
}
