//! Lvalues to values, conversions between types, constants.

use heddle_base::Span;
use heddle_ir::{BinOp, CastOp, ExprId, MemOrder, StepKind, Ty, UnOp, eval};

use super::atomic_records::Side;
use super::{Kind, Lower, Place, Value};
use crate::ast;
use crate::types::{BitField, CType, FloatKind, IntKind, QTy};

impl Lower<'_> {
    // ---- lvalues -----------------------------------------------------------------------------------------------------

    /// The value of an expression: lvalues are loaded, arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, id: ast::ExprId) -> Value {
        let value = self.expr(id);
        self.decay(value, self.ast.exprs[id].span)
    }

    /// Lvalue, array and function conversion.
    pub(super) fn decay(&mut self, value: Value, span: Span) -> Value {
        match value.kind {
            Kind::Nothing | Kind::Scalar(_) => value,
            Kind::Function(addr) => {
                let ty = self.types.pointer(value.ty);
                Value::scalar(addr, ty)
            }
            Kind::Record(addr) => match self.types.array(value.ty) {
                Some((elem, _)) => {
                    let ty = self.types.pointer(elem);
                    Value::scalar(addr, ty)
                }
                None => value,
            },
            Kind::Place(place) => self.load_place(place, value.ty, span),
        }
    }

    fn load_place(&mut self, place: Place, ty: QTy, span: Span) -> Value {
        match (self.types.get(ty).clone(), place) {
            (CType::Array(elem, _), Place::Mem(addr)) => {
                let ty = self.types.pointer(elem);
                Value::scalar(addr, ty)
            }
            (CType::Record(_), Place::Mem(addr)) => {
                let addr = if ty.quals.is_atomic { self.load_atomic_record(addr, ty, span) } else { addr };
                Value { kind: Kind::Record(addr), ty: ty.unqualified() }
            }
            (CType::VaList, Place::Mem(addr)) => {
                // Like the array of one element that it is on LP64: it is passed by address.
                let ty = self.types.pointer(ty);
                Value::scalar(addr, ty)
            }
            (CType::Error, _) => self.error_value(),
            _ => {
                if self.types.scalar(ty).is_none() {
                    let name = self.show(ty);
                    self.unsupported(span, &format!("a value of type `{name}`"));
                    return self.error_value();
                }
                self.at(span);
                self.load(place, ty)
            }
        }
    }

    /// Loads a scalar.
    pub(super) fn load(&mut self, place: Place, ty: QTy) -> Value {
        match place {
            Place::Reg(reg) => {
                let value = self.b.read(reg);
                Value::scalar(value, ty)
            }
            Place::Mem(addr) => {
                let scalar = self.types.scalar(ty).expect("a scalar is loaded");
                let value = self.emit_load(addr, scalar, ty);
                Value::scalar(value, ty)
            }
            Place::Bits(addr, bits) => self.load_bits(addr, bits, ty),
        }
    }

    pub(super) fn emit_load(&mut self, addr: ExprId, scalar: Ty, ty: QTy) -> ExprId {
        if self.reads_constants
            && !ty.quals.is_volatile
            && let Some(bits) = self.constant_contents(addr, scalar)
        {
            return self.b.constant(scalar, bits);
        }
        let dst = self.b.reg(scalar, None);
        let access = self.access(ty);
        self.b.emit(StepKind::Load { dst, addr, ty: scalar, access });
        self.b.read(dst)
    }

    /// A bit-field's value, already promoted: narrow ones are `int`.
    fn load_bits(&mut self, addr: ExprId, bits: BitField, ty: QTy) -> Value {
        let unit = self.load_unit(addr, bits.unit, ty);
        let unit_ty = self.b.type_of(unit);
        let unit_bits = unit_ty.int_bits().expect("units are integers");
        let signed = self.types.is_signed(ty) && !matches!(self.types.get(ty), CType::Bool);
        // Up to the top of the unit, and down again with the sign or zeros.
        let up = self.b.constant(unit_ty, (unit_bits - bits.pos - bits.width) as u128);
        let down = self.b.constant(unit_ty, (unit_bits - bits.width) as u128);
        let raised = self.b.binary(BinOp::Shl, unit, up);
        let value = self.b.binary(if signed { BinOp::AShr } else { BinOp::LShr }, raised, down);
        let result = self.bit_field_type(ty, bits.width);
        let scalar = self.types.scalar(result).expect("integer");
        let value = self.resize(value, scalar, signed);
        Value::scalar(value, result)
    }

    /// The type of a bit-field in an expression: `int` if all its values fit, else its own. (gcc computes with bit-fields
    /// wider than `int` in exactly their width, which C leaves to the compiler; this is what clang does.)
    fn bit_field_type(&self, ty: QTy, width: u32) -> QTy {
        let kind = self.types.int_kind(ty).expect("bit-fields are integers");
        let is_long = matches!(kind, IntKind::Long | IntKind::ULong);
        // A `long` of 32 bits, all of them, is no narrower than it would be without a width.
        if is_long && self.types.size_of(ty) == Some(u64::from(width) / 8) {
            ty.unqualified()
        } else if width < 32 || (width == 32 && kind.signed()) {
            self.types.common.int
        } else if width == 32 {
            self.types.common.uint
        } else {
            ty.unqualified()
        }
    }

    /// The bytes of an access unit as one integer: one load if the unit has the size of an integer.
    fn load_unit(&mut self, addr: ExprId, bytes: u64, ty: QTy) -> ExprId {
        if let Some(scalar) = Ty::int(bytes as u32 * 8).filter(|t| *t != Ty::I128) {
            return self.emit_load(addr, scalar, ty);
        }
        let wide = if bytes <= 8 { Ty::I64 } else { Ty::I128 };
        let mut sum = self.b.constant(wide, 0);
        for i in 0..bytes {
            let byte_addr = self.b.offset(addr, i);
            let byte = self.emit_load(byte_addr, Ty::I8, ty);
            let byte = self.b.cast(CastOp::ZExt, wide, byte);
            let shift = self.b.constant(wide, 8 * i as u128);
            let byte = self.b.binary(BinOp::Shl, byte, shift);
            sum = self.b.binary(BinOp::Or, sum, byte);
        }
        self.in_register(sum)
    }

    /// Stores a scalar that has the lvalue's type already. Returns what a later read would give.
    pub(super) fn store(&mut self, place: Place, ty: QTy, value: Value) -> Value {
        let Kind::Scalar(expr) = value.kind else { return value };
        match place {
            Place::Reg(dst) => {
                self.b.emit(StepKind::Assign { dst, value: expr });
                let read = self.b.read(dst);
                Value::scalar(read, ty)
            }
            Place::Mem(addr) => {
                let scalar = self.b.type_of(expr);
                let access = self.access(ty);
                self.b.emit(StepKind::Store { addr, value: expr, ty: scalar, access });
                value
            }
            Place::Bits(addr, bits) => self.store_bits(addr, bits, ty, expr),
        }
    }

    fn store_bits(&mut self, addr: ExprId, bits: BitField, ty: QTy, value: ExprId) -> Value {
        let old = self.load_unit(addr, bits.unit, ty);
        let unit_ty = self.b.type_of(old);
        let signed = self.types.is_signed(ty) && !matches!(self.types.get(ty), CType::Bool);
        let wide = self.resize(value, unit_ty, signed);
        let field_mask = eval::mask(bits.width);
        let mask = self.b.constant(unit_ty, field_mask);
        let clear = self.b.constant(unit_ty, !(field_mask << bits.pos));
        let pos = self.b.constant(unit_ty, bits.pos as u128);
        let field = self.b.binary(BinOp::And, wide, mask);
        let shifted = self.b.binary(BinOp::Shl, field, pos);
        let kept = self.b.binary(BinOp::And, old, clear);
        let new = self.b.binary(BinOp::Or, kept, shifted);
        self.store_unit(addr, bits.unit, ty, new);
        // The value of the assignment is what the field holds now.
        let unit_bits = unit_ty.int_bits().expect("integer");
        let by = self.b.constant(unit_ty, (unit_bits - bits.width) as u128);
        let raised = self.b.binary(BinOp::Shl, wide, by);
        let result = self.b.binary(if signed { BinOp::AShr } else { BinOp::LShr }, raised, by);
        let result_ty = self.bit_field_type(ty, bits.width);
        let scalar = self.types.scalar(result_ty).expect("integer");
        let result = self.resize(result, scalar, signed);
        Value::scalar(result, result_ty)
    }

    /// The value in a new register: later changes of the registers it is made from do not change it.
    pub(super) fn in_register(&mut self, value: ExprId) -> ExprId {
        let ty = self.b.type_of(value);
        let dst = self.b.reg(ty, None);
        self.b.emit(StepKind::Assign { dst, value });
        self.b.read(dst)
    }

    fn store_unit(&mut self, addr: ExprId, bytes: u64, ty: QTy, value: ExprId) {
        let access = self.access(ty);
        if let Some(scalar) = Ty::int(bytes as u32 * 8).filter(|t| *t != Ty::I128) {
            self.b.emit(StepKind::Store { addr, value, ty: scalar, access });
            return;
        }
        let wide = self.b.type_of(value);
        let value = self.in_register(value);
        for i in 0..bytes {
            let byte_addr = self.b.offset(addr, i);
            let shift = self.b.constant(wide, 8 * i as u128);
            let byte = self.b.binary(BinOp::LShr, value, shift);
            let byte = self.b.cast(CastOp::Trunc, Ty::I8, byte);
            self.b.emit(StepKind::Store { addr: byte_addr, value: byte, ty: Ty::I8, access });
        }
    }

    /// Copies a record into an lvalue.
    pub(super) fn copy_record(&mut self, target: Value, source: Value) {
        let (Kind::Place(Place::Mem(dst)), Kind::Record(src)) = (target.kind, source.kind) else { return };
        let size = self.types.size_of(target.ty).unwrap_or(0);
        if size == 0 {
            return;
        }
        if target.ty.quals.is_atomic {
            let object = Side { addr: dst, order: MemOrder::SeqCst };
            return self.copy_atomically(object, Side::plain(src), target.ty);
        }
        let len = self.b.constant(Ty::I64, size as u128);
        let layout = Some(self.layout(target.ty.unqualified()));
        self.b.emit(StepKind::Copy { dst, src, len, layout });
    }

    pub(super) fn check_record_assign(&mut self, to: QTy, from: QTy, span: Span) {
        if !self.types.compatible_ignoring_quals(to, from) {
            let (to, from) = (self.show(to), self.show(from));
            self.error(span, format!("incompatible types: `{to}` from `{from}`"));
        }
    }

    // ---- conversions -------------------------------------------------------------------------------------------------

    /// An integer or `Bool` as another integer type.
    pub(super) fn resize(&mut self, value: ExprId, to: Ty, signed: bool) -> ExprId {
        let from = self.b.type_of(value);
        match (from.int_bits(), to.int_bits()) {
            (Some(a), Some(b)) if a > b => self.b.cast(CastOp::Trunc, to, value),
            (Some(a), Some(b)) if a < b => {
                let op = if signed && from != Ty::Bool { CastOp::SExt } else { CastOp::ZExt };
                self.b.cast(op, to, value)
            }
            _ => value,
        }
    }

    /// Whether a scalar is not zero.
    pub(super) fn truth(&mut self, value: Value) -> ExprId {
        let Kind::Scalar(expr) = value.kind else { return self.b.truth(true) };
        let ty = self.b.type_of(expr);
        let zero = self.b.constant(ty, 0);
        match ty {
            Ty::Bool => expr,
            _ if ty.is_float() => self.b.binary(BinOp::FNe, expr, zero),
            _ => self.b.binary(BinOp::Ne, expr, zero),
        }
    }

    /// A truth value as C's `int`.
    pub(super) fn truth_to_int(&mut self, truth: ExprId) -> Value {
        let expr = self.b.cast(CastOp::ZExt, Ty::I32, truth);
        let int = self.types.common.int;
        Value::scalar(expr, int)
    }

    /// Converts a scalar to another scalar type, as a cast does. Records and errors pass unchanged.
    pub(super) fn convert(&mut self, value: Value, to: QTy) -> Value {
        let Kind::Scalar(expr) = value.kind else {
            return if self.types.is_error(value.ty) { value } else { Value { ty: to.unqualified(), ..value } };
        };
        let Some(target) = self.types.scalar(to) else { return Value { ty: to, ..value } };
        let from = self.b.type_of(expr);
        let signed = self.types.is_signed(value.ty);
        let pointer_int = self.types.model.pointer_int();
        let result = if matches!(self.types.get(to), CType::Bool) {
            let truth = self.truth(value);
            self.b.cast(CastOp::ZExt, Ty::I8, truth)
        } else if from == target && !from.is_float() {
            expr
        } else {
            match (from, target) {
                (a, b) if a.is_float() && b.is_float() => {
                    if a == b {
                        expr
                    } else {
                        self.b.cast(CastOp::FToF, b, expr)
                    }
                }
                (a, b) if a.is_float() => {
                    // As gcc does it, a narrow integer is made by way of `int`.
                    let narrow = matches!(b, Ty::I8 | Ty::I16);
                    let op = if narrow || self.types.is_signed(to) { CastOp::FToS } else { CastOp::FToU };
                    let wide = self.b.cast(op, if narrow { Ty::I32 } else { b }, expr);
                    self.resize(wide, b, true)
                }
                (_, b) if b.is_float() => {
                    let expr = if from == Ty::Bool { self.b.cast(CastOp::ZExt, Ty::I32, expr) } else { expr };
                    self.b.cast(if signed { CastOp::SToF } else { CastOp::UToF }, b, expr)
                }
                (Ty::Ptr, b) => {
                    let int = self.b.cast(CastOp::PtrToInt, pointer_int, expr);
                    self.resize(int, b, true)
                }
                (_, Ty::Ptr) => {
                    let int = self.resize(expr, pointer_int, signed);
                    self.b.cast(CastOp::IntToPtr, Ty::Ptr, int)
                }
                (_, b) => self.resize(expr, b, signed),
            }
        };
        Value::scalar(result, to)
    }

    /// Converts as by assignment: what gcc rejects is an error, what it warns about a warning.
    pub(super) fn convert_assign(&mut self, value: Value, to: QTy, span: Span, what: &str) -> Value {
        if self.types.is_error(value.ty) || self.types.is_error(to) {
            return self.convert(value, to);
        }
        let (from_ptr, to_ptr) = (self.types.is_pointer(value.ty), self.types.is_pointer(to));
        let to_bool = matches!(self.types.get(to), CType::Bool);
        let problem = if !self.types.is_scalar(value.ty) || !self.types.is_scalar(to) {
            if self.types.record(to).is_some() && self.types.compatible_ignoring_quals(to, value.ty) {
                return value;
            }
            if let Some(ty) = [to, value.ty].into_iter().find(|t| self.types.is_unsupported(*t)) {
                let name = self.show(ty);
                self.unsupported(span, &format!("a value of type `{name}`"));
                return self.error_value();
            }
            let (to, from) = (self.show(to), self.show(value.ty));
            self.error(span, format!("incompatible types in {what}: `{to}` from `{from}`"));
            return self.error_value();
        } else if from_ptr && to_ptr {
            !self.pointers_agree(value.ty, to)
        } else if to_ptr {
            if self.types.is_float(value.ty) {
                self.error(span, format!("incompatible types in {what}: a pointer from a float"));
                return self.error_value();
            }
            !self.is_null_constant(value)
        } else if from_ptr && !to_bool {
            if self.types.is_float(to) {
                self.error(span, format!("incompatible types in {what}: a float from a pointer"));
                return self.error_value();
            }
            true
        } else {
            false
        };
        if problem {
            let (to, from) = (self.show(to), self.show(value.ty));
            self.warning(span, format!("{what} makes `{to}` from `{from}` without a cast"));
        }
        self.convert(value, to)
    }

    /// Whether gcc takes one pointer for the other without a warning. Signedness of the target is let pass.
    fn pointers_agree(&self, a: QTy, b: QTy) -> bool {
        let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) else { return true };
        let same_int = match (self.types.int_kind(x), self.types.int_kind(y)) {
            (Some(k), Some(l)) => k.size(self.types.model) == l.size(self.types.model),
            _ => false,
        };
        same_int || self.types.is_void(x) || self.types.is_void(y) || self.types.compatible_ignoring_quals(x, y)
    }

    /// Whether the value is a null pointer constant.
    pub(super) fn is_null_constant(&self, value: Value) -> bool {
        match value.kind {
            Kind::Scalar(expr) => {
                let void_pointer = self.types.pointee(value.ty).is_some_and(|t| self.types.is_void(t));
                self.b.const_bits(expr) == Some(0) && (self.types.is_integer(value.ty) || void_pointer)
            }
            _ => false,
        }
    }

    /// The type of an integer after promotion.
    pub(super) fn promoted_type(&mut self, ty: QTy) -> QTy {
        match self.types.int_kind(ty) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => self.types.common.int,
            Some(kind) => self.types.int(kind),
            None => ty.unqualified(),
        }
    }

    pub(super) fn promote(&mut self, value: Value) -> Value {
        let ty = self.promoted_type(value.ty);
        self.convert(value, ty)
    }

    /// The common type of two arithmetic operands.
    pub(super) fn common_type(&mut self, a: QTy, b: QTy) -> QTy {
        let float = |ty: QTy, types: &crate::types::Types| match types.get(ty) {
            CType::Float(kind) => Some(*kind),
            _ => None,
        };
        let (fa, fb) = (float(a, &self.types), float(b, &self.types));
        if let Some(kind) = fa.max(fb) {
            return self.types.plain(CType::Float(kind));
        }
        let (a, b) = (self.promoted_type(a), self.promoted_type(b));
        let (Some(x), Some(y)) = (self.types.int_kind(a), self.types.int_kind(b)) else {
            return self.types.common.error;
        };
        let kind = common_int(x, y, self.types.model);
        self.types.int(kind)
    }

    /// Converts two arithmetic operands to their common type.
    pub(super) fn usual_conversions(&mut self, a: Value, b: Value) -> (Value, Value, QTy) {
        let ty = self.common_type(a.ty, b.ty);
        (self.convert(a, ty), self.convert(b, ty), ty)
    }

    /// `-x` of a scalar.
    pub(super) fn negate(&mut self, value: Value) -> Value {
        let Kind::Scalar(expr) = value.kind else { return value };
        let op = if self.b.type_of(expr).is_float() { UnOp::FNeg } else { UnOp::Neg };
        let expr = self.b.unary(op, expr);
        Value::scalar(expr, value.ty)
    }

    // ---- constants ---------------------------------------------------------------------------------------------------

    /// The value of an integer constant, signed as its type says.
    pub(super) fn const_integer(&self, value: Value) -> Option<i128> {
        let Kind::Scalar(expr) = value.kind else { return None };
        let kind = self.types.int_kind(value.ty)?;
        let bits = self.b.const_bits(expr)?;
        let width = kind.size(self.types.model) as u32 * 8;
        Some(if kind.signed() { eval::sign_extend(bits, width) } else { bits as i128 })
    }

    /// Evaluates an integer constant expression; reports an error if it is none.
    pub(super) fn integer_constant(&mut self, expr: ast::ExprId, what: &str) -> Option<i128> {
        let mark = self.b.mark();
        let value = self.rvalue(expr);
        let constant = if self.b.nothing_since(mark) { self.const_integer(value) } else { None };
        self.b.rewind(mark);
        if constant.is_none() && !self.types.is_error(value.ty) {
            let span = self.ast.exprs[expr].span;
            self.error(span, format!("{what} is not an integer constant"));
        }
        constant
    }

    /// Types an expression without evaluating it.
    pub(super) fn unevaluated<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.b.mark();
        let label_values = self.f.label_values.len();
        let (gotos, computed) = (self.f.gotos.len(), self.f.computed_gotos.len());
        self.unevaluated += 1;
        let result = body(self);
        self.unevaluated -= 1;
        self.f.label_values.truncate(label_values);
        self.f.gotos.truncate(gotos);
        self.f.computed_gotos.truncate(computed);
        self.b.rewind(mark);
        result
    }

    /// The type of an expression as `typeof` sees it.
    pub(super) fn type_of_expr(&mut self, expr: ast::ExprId) -> QTy {
        self.unevaluated(|this| this.expr(expr).ty)
    }

    /// The type of an operand of `sizeof` or `typeof`, which is evaluated only if that type has a variable length.
    pub(super) fn operand_type(&mut self, expr: ast::ExprId) -> QTy {
        let lengths = self.f.vla_lengths.len();
        let ty = self.type_of_expr(expr);
        let new_length = self.f.vla_lengths.len() > lengths && self.types.is_variably_modified(ty);
        if new_length || self.types.is_variable(ty) { self.expr(expr).ty } else { ty }
    }

    /// The type of an expression's value.
    pub(super) fn type_of_rvalue(&mut self, expr: ast::ExprId) -> QTy {
        self.unevaluated(|this| this.rvalue(expr).ty)
    }

    /// The bits of a float literal.
    pub(super) fn float_constant(&mut self, text: &str, kind: FloatKind, span: Span) -> Value {
        let ty = self.types.plain(CType::Float(kind));
        let bits = eval::parse_float(kind.ty(), text).unwrap_or_else(|| {
            self.error(span, format!("malformed floating constant `{text}`"));
            0
        });
        let expr = self.b.constant(kind.ty(), bits);
        Value::scalar(expr, ty)
    }
}

/// The common type of two promoted integer types.
fn common_int(a: IntKind, b: IntKind, model: heddle_ir::DataModel) -> IntKind {
    if a == b {
        return a;
    }
    if a.signed() == b.signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.size(model) > unsigned.size(model) {
        signed
    } else {
        signed.to_unsigned()
    }
}
