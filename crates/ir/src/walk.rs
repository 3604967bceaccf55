//! Walks over the expressions that a step evaluates.

use heddle_base::Id;

use crate::expr::{Expr, ExprId};
use crate::program::{Function, RegId};
use crate::step::StepKind;

/// Visits expressions with their operands, each once a walk, without recursion.
#[derive(Debug, Default)]
pub struct Walker {
    stamp: u32,
    seen: Vec<u32>,
    todo: Vec<ExprId>,
}

impl Walker {
    /// A walker, to be used for any number of walks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Visits all expressions below `roots`.
    pub fn visit(&mut self, function: &Function, roots: &[ExprId], mut visit: impl FnMut(ExprId, &Expr)) {
        self.seen.resize(self.seen.len().max(function.exprs.len()), 0);
        self.stamp += 1;
        self.todo.extend(roots);
        while let Some(id) = self.todo.pop() {
            if std::mem::replace(&mut self.seen[id.index()], self.stamp) != self.stamp {
                visit(id, &function.exprs[id]);
                self.todo.extend(function.exprs[id].operands());
            }
        }
    }

    /// Calls `read` for every register that a step reads.
    pub fn registers(&mut self, function: &Function, step: &StepKind, mut read: impl FnMut(RegId)) {
        self.visit(function, &step.operands(), |_, expr| {
            if let Expr::Reg(reg) = *expr {
                read(reg);
            }
        });
    }
}
