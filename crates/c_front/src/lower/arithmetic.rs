//! Operators with two operands: arithmetic on numbers and pointers, shifts, comparisons, and the checks that go with them.

use heddle_base::Span;
use heddle_ir::{BinOp, ExprId, Property, Ty, UnOp};

use super::{Kind, Lower, Value};
use crate::ast::{self, BinaryOp, ExprKind};
use crate::types::{IntKind, QTy};

impl Lower<'_> {
    /// `a + b + c + …` leans to the left and may be long: walk down iteratively.
    pub(super) fn binary_chain(&mut self, op: BinaryOp, left: ast::ExprId, right: ast::ExprId, span: Span) -> Value {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logical(op, left, right);
        }
        let ast = self.ast;
        let mut pending = vec![(op, right, span)];
        let mut leftmost = left;
        while let ExprKind::Binary(op, left, right) = ast.exprs[leftmost].kind {
            if matches!(op, BinaryOp::And | BinaryOp::Or) {
                break;
            }
            pending.push((op, right, ast.exprs[leftmost].span));
            leftmost = left;
        }
        let mut value = self.rvalue(leftmost);
        while let Some((op, right, span)) = pending.pop() {
            let right = self.rvalue(right);
            value = self.binary_values(op, value, right, span);
        }
        value
    }

    pub(super) fn binary_values(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        if self.types.is_error(a.ty) || self.types.is_error(b.ty) {
            return self.error_value();
        }
        self.at(span);
        let (pa, pb) = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        match op {
            BinaryOp::Add if pa || pb => {
                let (pointer, index) = if pa { (a, b) } else { (b, a) };
                self.pointer_add(pointer, index, false, span)
            }
            BinaryOp::Sub if pa && pb => self.pointer_difference(a, b, span),
            BinaryOp::Sub if pa => self.pointer_add(a, b, true, span),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => {
                self.comparison(op, a, b, span)
            }
            _ => self.arithmetic(op, a, b, span),
        }
    }

    pub(super) fn wrong_operands(&mut self, a: QTy, b: QTy, span: Span) -> Value {
        let (a, b) = (self.show(a), self.show(b));
        self.error(span, format!("wrong operand types of binary operator: `{a}` and `{b}`"));
        self.error_value()
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        let integers = self.types.is_integer(a.ty) && self.types.is_integer(b.ty);
        let arithmetic = self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty);
        let float_ok = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
        if !arithmetic || (!integers && !float_ok) {
            if self.types.is_error(a.ty) || self.types.is_error(b.ty) {
                return self.error_value();
            }
            return self.wrong_operands(a.ty, b.ty, span);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, a, b);
        }
        let (a, b, ty) = self.usual_conversions(a, b);
        let (Kind::Scalar(x), Kind::Scalar(y)) = (a.kind, b.kind) else { return self.error_value() };
        if self.types.is_float(ty) {
            let op = match op {
                BinaryOp::Add => BinOp::FAdd,
                BinaryOp::Sub => BinOp::FSub,
                BinaryOp::Mul => BinOp::FMul,
                _ => BinOp::FDiv,
            };
            let expr = self.b.binary(op, x, y);
            return Value::scalar(expr, ty);
        }
        let signed = self.types.is_signed(ty);
        let ir_op = match (op, signed) {
            (BinaryOp::Add, _) => BinOp::Add,
            (BinaryOp::Sub, _) => BinOp::Sub,
            (BinaryOp::Mul, _) => BinOp::Mul,
            (BinaryOp::Div, true) => BinOp::SDiv,
            (BinaryOp::Div, false) => BinOp::UDiv,
            (BinaryOp::Rem, true) => BinOp::SRem,
            (BinaryOp::Rem, false) => BinOp::URem,
            (BinaryOp::BitAnd, _) => BinOp::And,
            (BinaryOp::BitXor, _) => BinOp::Xor,
            _ => BinOp::Or,
        };
        self.check_arithmetic(ir_op, x, y, ty);
        let expr = self.b.binary(ir_op, x, y);
        Value::scalar(expr, ty)
    }

    /// Emits the checks that go with an integer operation.
    fn check_arithmetic(&mut self, op: BinOp, x: ExprId, y: ExprId, ty: QTy) {
        if matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) {
            let scalar = self.b.type_of(y);
            let zero = self.b.constant(scalar, 0);
            let nonzero = self.b.binary(BinOp::Ne, y, zero);
            self.emit_assert(nonzero, Property::Division, "division by zero");
        }
        if !self.checks_overflow(ty) || (self.b.const_bits(x).is_some() && self.b.const_bits(y).is_some()) {
            return;
        }
        match op {
            BinOp::Add => self.check_overflow(BinOp::SAddO, x, y),
            BinOp::Sub => self.check_overflow(BinOp::SSubO, x, y),
            BinOp::Mul => self.check_overflow(BinOp::SMulO, x, y),
            BinOp::SDiv | BinOp::SRem => {
                // Only MIN / -1 overflows: x is MIN exactly if 0 - x overflows.
                let scalar = self.b.type_of(x);
                let (zero, minus_one) = (self.b.constant(scalar, 0), self.b.constant(scalar, u128::MAX));
                let is_min = self.b.binary(BinOp::SSubO, zero, x);
                let is_minus_one = self.b.binary(BinOp::Eq, y, minus_one);
                let overflow = self.b.binary(BinOp::And, is_min, is_minus_one);
                let fine = self.b.unary(UnOp::BoolNot, overflow);
                self.emit_assert(fine, Property::Overflow, "signed overflow in division");
            }
            _ => {}
        }
    }

    /// Whether signed overflow is checked for operations of this type. Types narrower than `int` are never operated on.
    pub(super) fn checks_overflow(&self, ty: QTy) -> bool {
        self.options.properties.contains(Property::Overflow) && self.types.is_signed(ty) && !self.model
    }

    fn check_overflow(&mut self, op: BinOp, x: ExprId, y: ExprId) {
        let overflow = self.b.binary(op, x, y);
        let fine = self.b.unary(UnOp::BoolNot, overflow);
        let message = match op {
            BinOp::SAddO => "signed overflow in addition",
            BinOp::SSubO => "signed overflow in subtraction",
            _ => "signed overflow in multiplication",
        };
        self.emit_assert(fine, Property::Overflow, message);
    }

    pub(super) fn shift(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let (a, b) = (self.promote(a), self.promote(b));
        let (Kind::Scalar(x), Kind::Scalar(y)) = (a.kind, b.kind) else { return self.error_value() };
        let ty = self.b.type_of(x);
        if self.options.properties.contains(Property::Overflow) && !self.model {
            let amount_ty = self.b.type_of(y);
            let width = self.b.constant(amount_ty, ty.int_bits().unwrap_or(32) as u128);
            let fine = self.b.binary(BinOp::ULt, y, width);
            self.emit_assert(fine, Property::Overflow, "shift by a negative amount or by the width or more");
        }
        // A wider amount is cut to the operand's type; a negative one stays larger than the width.
        let signed = self.types.is_signed(b.ty);
        let amount = self.resize(y, ty, signed);
        let op = match (op, self.types.is_signed(a.ty)) {
            (BinaryOp::Shl, _) => BinOp::Shl,
            (_, true) => BinOp::AShr,
            (_, false) => BinOp::LShr,
        };
        let expr = self.b.binary(op, x, amount);
        Value::scalar(expr, a.ty)
    }

    pub(super) fn comparison(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        let (pa, pb) = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        if !self.types.is_scalar(a.ty) || !self.types.is_scalar(b.ty) {
            return self.wrong_operands(a.ty, b.ty, span);
        }
        let (x, y, signed, float) = if pa || pb {
            let void_ptr = self.types.common.void_ptr;
            if pa != pb {
                let integer = if pa { b } else { a };
                if self.types.is_float(integer.ty) {
                    return self.wrong_operands(a.ty, b.ty, span);
                }
                if !self.is_null_constant(integer) {
                    self.warning(span, "comparison between pointer and integer");
                }
            }
            let (a, b) = (self.convert(a, void_ptr), self.convert(b, void_ptr));
            (a, b, false, false)
        } else {
            let (a, b, ty) = self.usual_conversions(a, b);
            (a, b, self.types.is_signed(ty), self.types.is_float(ty))
        };
        let (Kind::Scalar(x), Kind::Scalar(y)) = (x.kind, y.kind) else { return self.error_value() };
        let (x, y) = if matches!(op, BinaryOp::Gt | BinaryOp::Ge) { (y, x) } else { (x, y) };
        let ir_op = match (op, signed, float) {
            (BinaryOp::Eq, _, false) => BinOp::Eq,
            (BinaryOp::Eq, _, true) => BinOp::FEq,
            (BinaryOp::Ne, _, false) => BinOp::Ne,
            (BinaryOp::Ne, _, true) => BinOp::FNe,
            (BinaryOp::Lt | BinaryOp::Gt, _, true) => BinOp::FLt,
            (BinaryOp::Lt | BinaryOp::Gt, true, _) => BinOp::SLt,
            (BinaryOp::Lt | BinaryOp::Gt, false, _) => BinOp::ULt,
            (_, _, true) => BinOp::FLe,
            (_, true, _) => BinOp::SLe,
            (_, false, _) => BinOp::ULe,
        };
        let truth = self.b.binary(ir_op, x, y);
        self.truth_to_int(truth)
    }

    /// `pointer + index`, or `pointer - index`.
    pub(super) fn pointer_add(&mut self, a: Value, b: Value, minus: bool, span: Span) -> Value {
        let (pointer, index) = if self.types.is_pointer(a.ty) { (a, b) } else { (b, a) };
        if self.types.is_error(a.ty) || self.types.is_error(b.ty) {
            return self.error_value();
        }
        let (Some(target), true) = (self.types.pointee(pointer.ty), self.types.is_integer(index.ty)) else {
            return self.wrong_operands(a.ty, b.ty, span);
        };
        let Some(size) = self.dynamic_size(target) else {
            self.error(span, format!("arithmetic on a pointer to the incomplete type `{}`", self.show(target)));
            return self.error_value();
        };
        // Computed as wide as a pointer, as the hardware does; then it is a signed number of bytes.
        let int = match self.types.model.pointer_int() {
            Ty::I32 => self.types.common.int,
            _ => self.types.int(IntKind::LongLong),
        };
        let index = self.convert(index, int);
        let (Kind::Scalar(p), Kind::Scalar(i)) = (pointer.kind, index.kind) else { return self.error_value() };
        let size = self.resize(size, self.types.model.pointer_int(), true);
        let bytes = self.b.binary(BinOp::Mul, i, size);
        let bytes = if minus { self.b.unary(UnOp::Neg, bytes) } else { bytes };
        let bytes = self.resize(bytes, Ty::I64, true);
        let expr = self.b.binary(BinOp::PtrAdd, p, bytes);
        Value::scalar(expr, pointer.ty)
    }

    fn pointer_difference(&mut self, a: Value, b: Value, span: Span) -> Value {
        let target = self.types.pointee(a.ty).unwrap_or(a.ty);
        let size = self.dynamic_size(target);
        let (Kind::Scalar(x), Kind::Scalar(y), Some(size)) = (a.kind, b.kind, size) else {
            return self.wrong_operands(a.ty, b.ty, span);
        };
        let bytes = self.b.binary(BinOp::PtrDiff, x, y);
        let one = self.b.constant(Ty::I64, 1);
        // A pointer to an empty struct steps by nothing.
        let size = if self.b.const_bits(size) == Some(0) { one } else { size };
        let elements = self.b.binary(BinOp::SDiv, bytes, size);
        let long_long = self.types.int(IntKind::LongLong);
        let ptrdiff = self.types.ptrdiff_t();
        self.convert(Value::scalar(elements, long_long), ptrdiff)
    }
}
