//! Conditions: `&&`, `||`, `?:`, and jumps that depend on them.

use heddle_base::{Id, Span};
use heddle_ir::{BinOp, Expr, ExprId, RegId, StepId, StepKind, Ty, UnOp};

use super::builder::Label;
use super::{Kind, Lower, Value};
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::types::QTy;

impl Lower<'_> {
    /// Whether an expression is not zero.
    pub(super) fn condition(&mut self, id: ast::ExprId) -> ExprId {
        let value = self.rvalue(id);
        if !self.types.is_scalar(value.ty) && !self.types.is_error(value.ty) {
            let span = self.ast.exprs[id].span;
            self.error(span, format!("a scalar is needed as a condition, not `{}`", self.show(value.ty)));
        }
        self.truth(value)
    }

    /// Jumps to `label` if the expression's truth is `when`, else falls through.
    pub(super) fn jump_if(&mut self, id: ast::ExprId, when: bool, label: Label) {
        if self.enter(self.ast.exprs[id].span) {
            self.jump_if_inside(id, when, label);
            self.nesting -= 1;
        }
    }

    fn jump_if_inside(&mut self, id: ast::ExprId, when: bool, label: Label) {
        let ast = self.ast;
        match ast.exprs[id].kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.jump_if(operand, !when, label),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let operands = self.chain(op, left, right);
                // `a && b` is false as soon as `a` is; `a || b` is true as soon as `a` is.
                if (op == BinaryOp::Or) == when {
                    operands.into_iter().for_each(|operand| self.jump_if(operand, when, label));
                } else {
                    let past = self.b.label();
                    let (last, before) = operands.split_last().expect("a chain has operands");
                    before.iter().for_each(|operand| self.jump_if(*operand, !when, past));
                    self.jump_if(*last, when, label);
                    self.b.place(past);
                }
            }
            _ => {
                let cond = self.condition(id);
                self.at(ast.exprs[id].span);
                let cond = if when { cond } else { self.b.unary(UnOp::BoolNot, cond) };
                self.b.branch(cond, label);
            }
        }
    }

    /// The operands of `a && b && …` or `a || b || …`, which leans to the left and may be long.
    fn chain(&self, op: BinaryOp, left: ast::ExprId, right: ast::ExprId) -> Vec<ast::ExprId> {
        let mut operands = vec![right];
        let mut leftmost = left;
        while let ExprKind::Binary(inner, l, r) = self.ast.exprs[leftmost].kind {
            if inner != op {
                break;
            }
            operands.push(r);
            leftmost = l;
        }
        operands.push(leftmost);
        operands.reverse();
        operands
    }

    /// `&&` and `||` as values. Without steps on the right side no branch is needed.
    pub(super) fn logical(&mut self, op: BinaryOp, left: ast::ExprId, right: ast::ExprId) -> Value {
        let is_or = op == BinaryOp::Or;
        let operands = self.chain(op, left, right);
        let mut truth = self.condition(operands[0]);
        let mut result: Option<(RegId, Label)> = None;
        for &operand in &operands[1..] {
            if let Some(known) = self.b.const_bits(truth)
                && (known == 1) == is_or
                && result.is_none()
            {
                // Decided; the rest is not evaluated, but must make sense.
                self.unevaluated(|this| this.condition(operand));
                continue;
            }
            let mark = self.b.mark();
            let (keep, decide) = (self.b.emit(StepKind::Skip), self.b.emit(StepKind::Skip));
            let next = self.condition(operand);
            if self.b.steps.len() == mark.steps() + 2 {
                self.b.rewind_steps(mark);
                truth = self.b.binary(if is_or { BinOp::Or } else { BinOp::And }, truth, next);
                continue;
            }
            let (dst, end) = match result {
                Some(pair) => pair,
                None => (self.b.reg(Ty::Bool, None), self.b.label()),
            };
            result = Some((dst, end));
            // dst = truth so far; if that decides, skip the operand.
            let cond = if is_or { truth } else { self.b.unary(UnOp::BoolNot, truth) };
            self.b.steps[keep].kind = StepKind::Assign { dst, value: truth };
            self.b.steps[decide].kind = StepKind::Branch { cond, target: StepId::new(end.index()) };
            truth = next;
        }
        if let Some((dst, end)) = result {
            self.b.emit(StepKind::Assign { dst, value: truth });
            self.b.place(end);
            truth = self.b.read(dst);
        }
        self.truth_to_int(truth)
    }

    pub(super) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Value {
        let (truth, first) = match then {
            Some(_) => (self.condition(cond), None),
            None => {
                let value = self.rvalue(cond);
                let value = self.snapshot_if_needed(value);
                (self.truth(value), Some(value))
            }
        };
        if let Some(known) = self.b.const_bits(truth) {
            return self.decided_conditional(known != 0, first, then, otherwise, span);
        }
        self.at(span);
        let mark = self.b.mark();
        let (to_else, end) = (self.b.label(), self.b.label());
        let not = self.b.unary(UnOp::BoolNot, truth);
        self.b.branch(not, to_else);
        let a = match (then, first) {
            (Some(then), _) => self.rvalue(then),
            (None, Some(value)) => value,
            (None, None) => unreachable!("a conditional has a condition"),
        };
        let then_result = self.b.emit(StepKind::Skip);
        let jump = self.b.goto(end);
        self.b.place(to_else);
        let b = self.rvalue(otherwise);
        let Some(ty) = self.conditional_type(a, b, span) else {
            self.b.place(end);
            return self.error_value();
        };
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        let (x, y) = match (a.kind, b.kind) {
            (Kind::Scalar(x), Kind::Scalar(y)) | (Kind::Record(x), Kind::Record(y)) => (x, y),
            _ => {
                self.b.place(end);
                return Value::nothing(ty);
            }
        };
        // One branch, the placeholder and the jump are all that was emitted: both sides are pure.
        if self.b.steps.len() == jump.index() + 1 && then_result.index() == mark.steps() + 1 {
            self.b.rewind_steps(mark);
            self.b.place(end);
            let expr = self.b.ite(truth, x, y);
            return self.like(a, expr, ty);
        }
        let scalar = self.b.type_of(x);
        let dst = self.b.reg(scalar, None);
        self.b.steps[then_result].kind = StepKind::Assign { dst, value: x };
        self.b.emit(StepKind::Assign { dst, value: y });
        self.b.place(end);
        let expr = self.b.read(dst);
        self.like(a, expr, ty)
    }

    fn like(&self, model: Value, expr: ExprId, ty: QTy) -> Value {
        match model.kind {
            Kind::Record(_) => Value { kind: Kind::Record(expr), ty },
            _ => Value::scalar(expr, ty),
        }
    }

    /// Registers may change before the value is used; other values are what they are.
    pub(super) fn snapshot_if_needed(&mut self, value: Value) -> Value {
        match value.kind {
            Kind::Scalar(expr) if !matches!(self.b.exprs[expr], Expr::Const { .. } | Expr::Reg(_)) => {
                self.snapshot(value)
            }
            _ => value,
        }
    }

    fn decided_conditional(
        &mut self,
        truth: bool,
        first: Option<Value>,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Value {
        let (value, other) = match (truth, then, first) {
            (true, Some(then), _) => {
                let other = self.unevaluated(|this| this.rvalue(otherwise));
                (self.rvalue(then), other)
            }
            (true, None, Some(first)) => {
                let other = self.unevaluated(|this| this.rvalue(otherwise));
                (first, other)
            }
            (false, Some(then), _) => {
                let other = self.unevaluated(|this| this.rvalue(then));
                (self.rvalue(otherwise), other)
            }
            (_, None, first) => {
                let value = self.rvalue(otherwise);
                (value, first.unwrap_or(value))
            }
        };
        match self.conditional_type(value, other, span) {
            Some(ty) => self.convert(value, ty),
            None => self.error_value(),
        }
    }

    /// The type of `c ? a : b`.
    fn conditional_type(&mut self, a: Value, b: Value, span: Span) -> Option<QTy> {
        if self.types.is_error(a.ty) || self.types.is_error(b.ty) {
            return None;
        }
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Some(self.common_type(a.ty, b.ty));
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            return Some(self.types.common.void);
        }
        let (pa, pb) = (self.types.pointee(a.ty), self.types.pointee(b.ty));
        match (pa, pb) {
            (Some(_), Some(_)) if self.is_null_constant(a) => Some(b.ty),
            (Some(_), Some(_)) if self.is_null_constant(b) => Some(a.ty),
            (Some(x), Some(y)) => {
                let quals = crate::types::union(x.quals, y.quals);
                let target = if self.types.is_void(x) || self.types.is_void(y) {
                    self.types.common.void
                } else if self.types.compatible_ignoring_quals(x, y) {
                    self.types.composite(x, y)
                } else {
                    self.warning(span, "pointer type mismatch in conditional expression");
                    self.types.common.void
                };
                Some(self.types.pointer(target.with(quals)))
            }
            (Some(_), None) if self.types.is_integer(b.ty) => {
                if !self.is_null_constant(b) {
                    self.warning(span, "pointer/integer type mismatch in conditional expression");
                }
                Some(a.ty)
            }
            (None, Some(_)) if self.types.is_integer(a.ty) => {
                if !self.is_null_constant(a) {
                    self.warning(span, "pointer/integer type mismatch in conditional expression");
                }
                Some(b.ty)
            }
            _ if self.types.compatible_ignoring_quals(a.ty, b.ty) => Some(a.ty),
            _ => {
                self.wrong_operands(a.ty, b.ty, span);
                None
            }
        }
    }
}
