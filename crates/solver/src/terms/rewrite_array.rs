//! Rules for arrays: reads over writes whose indices are certainly equal or certainly different.

use super::{Op, TermId, Terms};
use crate::sort::Sort;

/// How many writes a new read is moved past: as many as the writes of a large initialiser.
const MAX_WRITES: usize = 4096;

impl Terms {
    pub(super) fn rule_select(&mut self, sort: Sort, array: TermId, index: TermId) -> Option<TermId> {
        let mut at = array;
        for _ in 0..MAX_WRITES {
            match self.op(at) {
                Op::ConstArray(_) => return Some(self.arg(at, 0)),
                Op::Store => {
                    let [below, written, value] = *self.args(at) else { return None };
                    match self.eq(index, written) {
                        Self::TRUE => return Some(value),
                        Self::FALSE => at = below,
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        (at != array).then(|| self.intern(Op::Select, sort, &[at, index]))
    }

    pub(super) fn rule_store(&mut self, array: TermId, index: TermId, value: TermId) -> Option<TermId> {
        // Writing what is there.
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return Some(array);
        }
        match self.op(array) {
            Op::Store if self.arg(array, 1) == index => {
                let below = self.arg(array, 0);
                Some(self.store(below, index, value))
            }
            Op::ConstArray(_) if self.arg(array, 0) == value => Some(array),
            _ => None,
        }
    }
}
