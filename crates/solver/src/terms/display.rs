//! Printing terms for people: nested for a short term, `…` where it gets long.
//!
//! The text for solvers is in `smtlib`, which names every shared part.

use std::fmt;

use super::{Op, TermId, Terms};

/// How deep and how long a printed term may get.
const MAX_DEPTH: usize = 12;
const MAX_TERMS: usize = 200;

/// Prints a term; made by [`Terms::display`].
pub struct DisplayTerm<'a> {
    terms: &'a Terms,
    term: TermId,
}

impl Terms {
    /// A term as text.
    pub fn display(&self, term: TermId) -> DisplayTerm<'_> {
        DisplayTerm { terms: self, term }
    }

    /// An operator's name.
    fn op_name(&self, op: Op) -> String {
        match op {
            Op::Bool(b) => b.to_string(),
            Op::Const(id) => self.consts[id].to_string(),
            Op::Var(var) => self.var_name(var).to_owned(),
            Op::Extract { hi, lo } => format!("extract {hi} {lo}"),
            Op::SignExt(by) => format!("sext {by}"),
            op => format!("{op:?}").to_lowercase().trim_start_matches("bv").to_owned(),
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, term: TermId, depth: usize, left: &mut usize) -> fmt::Result {
        *left = left.saturating_sub(1);
        let name = self.op_name(self.op(term));
        if self.args(term).is_empty() {
            return write!(f, "{name}");
        }
        if depth == 0 || *left == 0 {
            return write!(f, "…");
        }
        write!(f, "({name}")?;
        for &arg in self.args(term) {
            write!(f, " ")?;
            self.print(f, arg, depth - 1, left)?;
        }
        write!(f, ")")
    }
}

impl fmt::Display for DisplayTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.print(f, self.term, MAX_DEPTH, &mut MAX_TERMS.clone())
    }
}
