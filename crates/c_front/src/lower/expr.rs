//! Expressions.

use heddle_base::Span;
use heddle_ir::{Base, BinOp, Expr, Property, Section, StepKind, Ty, UnOp};

use super::{Binding, Kind, Lower, Place, Value};
use crate::ast::{self, Basic, BinaryOp, Designator, ExprKind, StmtKind, UnaryOp};
use crate::intern::Symbol;
use crate::types::{CType, FloatKind, IntKind, QTy};

/// Levels that expressions may nest, prefix and postfix operators included: each costs stack.
const MAX_NESTING: u32 = 500;

impl Lower<'_> {
    /// Lowers an expression; an lvalue stays one.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> Value {
        if !self.enter(self.ast.exprs[id].span) {
            return self.error_value();
        }
        let value = self.expr_inside(id);
        self.nesting -= 1;
        value
    }

    /// Goes one level deeper; reports an error where that is too deep. Chains of operators have no other limit.
    pub(super) fn enter(&mut self, span: Span) -> bool {
        if self.nesting == MAX_NESTING {
            self.error(span, format!("nested too deeply (more than {MAX_NESTING} levels)"));
            return false;
        }
        self.nesting += 1;
        true
    }

    fn expr_inside(&mut self, id: ast::ExprId) -> Value {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Ident(name) => self.identifier(*name, span),
            ExprKind::Int { value, unsigned, longs, decimal } => {
                self.integer_literal(*value, *unsigned, *longs, *decimal, span)
            }
            ExprKind::Float { text, ty, imaginary } => self.float_literal(*text, *ty, *imaginary, span),
            ExprKind::Char { value, encoding } => self.char_literal(*value, *encoding),
            ExprKind::Str(lit) => self.string_literal(lit, span),
            ExprKind::Unary(op, operand) => self.unary_expr(*op, *operand, span),
            ExprKind::Binary(op, left, right) => self.binary_chain(*op, *left, *right, span),
            ExprKind::Assign(None, left, right) => self.assignment(*left, *right, span),
            ExprKind::Assign(Some(op), left, right) => self.compound_assignment(*op, *left, *right, span),
            ExprKind::Cond(cond, then, otherwise) => self.conditional(*cond, *then, *otherwise, span),
            ExprKind::Comma(left, right) => {
                self.discard_left(*left);
                self.rvalue(*right)
            }
            ExprKind::Cast(name, operand) => self.cast_expr(*name, *operand, span),
            ExprKind::Call(callee, args) => self.call(*callee, args, span),
            ExprKind::Index(array, index) => {
                let (a, b) = (self.rvalue(*array), self.rvalue(*index));
                if self.types.is_integer(a.ty) && self.types.is_integer(b.ty) {
                    self.error(span, format!("`{}` is indexed, which is no array or pointer", self.show(a.ty)));
                    return self.error_value();
                }
                self.at(span);
                let sum = self.pointer_add(a, b, false, span);
                self.deref(sum, span)
            }
            ExprKind::Member { base, member, arrow, member_pos } => {
                self.member_expr(*base, *member, *arrow, Span::new(*member_pos, span.hi))
            }
            ExprKind::SizeofExpr(operand) => {
                if let ExprKind::Str(lit) = &ast.exprs[*operand].kind {
                    let size = lit.bytes.len() + lit.encoding.char_size();
                    return self.size_value(size as u64);
                }
                self.reject_bit_field(*operand, "size");
                let ty = self.operand_type(*operand);
                self.sizeof_value(ty, span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(*name);
                self.sizeof_value(ty, span)
            }
            ExprKind::AlignofExpr(operand) => {
                self.reject_bit_field(*operand, "alignment");
                let align = self.align_of_operand(*operand);
                self.size_value(align)
            }
            ExprKind::AlignofType(name) => {
                let ty = self.type_name(*name);
                let align = self.types.min_align_of(ty);
                self.size_value(align)
            }
            ExprKind::GnuAlignofType(name) => {
                let ty = self.type_name(*name);
                let align = self.types.align_of(ty);
                self.size_value(align)
            }
            ExprKind::CompoundLiteral(name, init) => self.compound_literal(*name, *init, span),
            ExprKind::StmtExpr(stmt) => self.statement_expr(*stmt, span),
            ExprKind::Generic(control, arms) => self.generic(*control, arms, span),
            ExprKind::LabelAddr(name) => self.label_address(*name, span),
            ExprKind::VaArg(list, name) => self.va_arg(*list, *name, span),
            ExprKind::Offsetof(name, path) => self.offsetof(*name, path, span),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(*a), self.type_name(*b));
                let same = self.types.compatible_ignoring_quals(a, b);
                let truth = self.b.truth(same);
                self.truth_to_int(truth)
            }
            ExprKind::ChooseExpr(cond, then, otherwise) => {
                match self.integer_constant(*cond, "the condition of `__builtin_choose_expr`") {
                    Some(0) => self.expr(*otherwise),
                    Some(_) => self.expr(*then),
                    None => self.error_value(),
                }
            }
            ExprKind::Error => self.error_value(),
        }
    }

    /// Lowers an expression whose value nobody uses.
    pub(super) fn discard(&mut self, id: ast::ExprId) {
        let ast = self.ast;
        match &ast.exprs[id].kind {
            // No temporary for the old value, no access to a variable that is only named.
            ExprKind::Unary(UnaryOp::PostInc, operand) => {
                self.increment(*operand, BinOp::Add, false, ast.exprs[id].span);
            }
            ExprKind::Unary(UnaryOp::PostDec, operand) => {
                self.increment(*operand, BinOp::Sub, false, ast.exprs[id].span);
            }
            ExprKind::Cast(name, operand) => {
                let ty = self.type_name(*name);
                if self.types.is_void(ty) {
                    self.discard(*operand);
                } else {
                    self.expr(id);
                }
            }
            ExprKind::Comma(left, right) => {
                self.discard_left(*left);
                self.discard(*right);
            }
            _ => {
                let value = self.expr(id);
                // A volatile or atomic object that is named is read.
                if let Kind::Place(Place::Mem(_)) = value.kind
                    && (value.ty.quals.is_volatile || value.ty.quals.is_atomic)
                    && self.types.scalar(value.ty).is_some()
                {
                    self.decay(value, ast.exprs[id].span);
                }
            }
        }
    }

    /// `a, b, c, …` leans to the left and may be long: walk down iteratively.
    fn discard_left(&mut self, left: ast::ExprId) {
        let mut operands = Vec::new();
        let mut leftmost = left;
        while let ExprKind::Comma(left, right) = self.ast.exprs[leftmost].kind {
            operands.push(right);
            leftmost = left;
        }
        self.discard(leftmost);
        while let Some(operand) = operands.pop() {
            self.discard(operand);
        }
    }

    // ---- names and literals ------------------------------------------------------------------------------------------

    pub(super) fn identifier(&mut self, name: Symbol, span: Span) -> Value {
        match self.scopes.lookup(name) {
            Some(Binding::EnumConst(value, ty)) => {
                let scalar = self.types.scalar(ty).unwrap_or(Ty::I32);
                let expr = self.b.constant(scalar, value as u128);
                Value::scalar(expr, ty)
            }
            Some(Binding::Reg(reg, ty)) => Value::place(Place::Reg(reg), ty),
            Some(Binding::Slot(slot, ty)) => {
                let addr = self.b.addr(Base::Slot(slot), 0);
                Value::place(Place::Mem(addr), ty)
            }
            Some(Binding::Vla(reg, ty)) => {
                let addr = self.b.read(reg);
                Value::place(Place::Mem(addr), ty)
            }
            Some(Binding::Global(id, ty)) => {
                let addr = self.b.addr(Base::Global(id), 0);
                Value::place(Place::Mem(addr), ty)
            }
            Some(Binding::Func(id, ty)) => {
                if self.unevaluated == 0 {
                    self.functions[id].used.get_or_insert(span);
                }
                let addr = self.b.addr(Base::Func(id), 0);
                Value { kind: Kind::Function(addr), ty }
            }
            Some(Binding::Extern(ty)) => self.extern_value(name, ty, span),
            Some(Binding::Typedef(ty)) => {
                if !self.types.is_error(ty) {
                    let text = self.name(name).to_owned();
                    self.error(span, format!("unexpected type name `{text}`"));
                }
                self.error_value()
            }
            None => self.unknown_name(name, span),
        }
    }

    fn extern_value(&mut self, name: Symbol, ty: QTy, span: Span) -> Value {
        if matches!(self.types.get(ty), CType::Function(_)) {
            return match self.function_id(name, span) {
                Some((id, ty)) => {
                    let addr = self.b.addr(Base::Func(id), 0);
                    Value { kind: Kind::Function(addr), ty }
                }
                None => self.error_value(),
            };
        }
        match self.extern_global_id(name) {
            Some(id) => {
                let addr = self.b.addr(Base::Global(id), 0);
                Value::place(Place::Mem(addr), ty)
            }
            None => self.error_value(),
        }
    }

    fn unknown_name(&mut self, name: Symbol, span: Span) -> Value {
        if self.names.func.contains(&name) && !self.f.name.is_empty() {
            let bytes = self.f.name.clone().into_bytes();
            let char = self.types.common.char;
            let elem = char.with(ast::Quals { is_const: true, ..Default::default() });
            let loc = self.loc(span);
            let (id, ty) = self.session.string_global(elem, bytes, loc, span);
            let addr = self.b.addr(Base::Global(id), 0);
            return Value::place(Place::Mem(addr), ty);
        }
        let text = self.name(name).to_owned();
        // gcc's builtins may be used as functions without a declaration; only their address is not to be had.
        self.error(span, format!("`{text}` undeclared"));
        let error = self.types.common.error;
        self.scopes.bind(name, Binding::Typedef(error), span);
        self.error_value()
    }

    fn integer_literal(&mut self, value: u64, unsigned: bool, longs: u8, decimal: bool, span: Span) -> Value {
        use IntKind::{Int, LongLong, UInt, ULongLong};
        let (long, ulong) = (IntKind::Long, IntKind::ULong);
        let candidates: &[IntKind] = match (longs, unsigned, decimal) {
            (0, false, true) => &[Int, long, LongLong, ULongLong],
            (0, false, false) => &[Int, UInt, long, ulong, LongLong, ULongLong],
            (0, true, _) => &[UInt, ulong, ULongLong],
            (1, false, true) => &[long, LongLong, ULongLong],
            (1, false, false) => &[long, ulong, LongLong, ULongLong],
            (1, true, _) => &[ulong, ULongLong],
            (_, false, true) => &[LongLong, ULongLong],
            (_, false, false) => &[LongLong, ULongLong],
            (_, true, _) => &[ULongLong],
        };
        let model = self.types.model;
        let kind = candidates.iter().copied().find(|&k| super::tags::holds(k, value as i128, value as i128, model));
        let kind = kind.unwrap_or(ULongLong);
        if decimal && !unsigned && kind == ULongLong {
            self.warning(span, "integer constant is so large that it is unsigned");
        }
        let ty = self.types.int(kind);
        let scalar = self.types.scalar(ty).unwrap_or(Ty::I64);
        let expr = self.b.constant(scalar, value as u128);
        Value::scalar(expr, ty)
    }

    fn float_literal(&mut self, text: Symbol, ty: Basic, imaginary: bool, span: Span) -> Value {
        if imaginary {
            self.unsupported(span, "complex numbers");
            return self.error_value();
        }
        let kind = match ty {
            Basic::Float => FloatKind::Float,
            Basic::LongDouble => FloatKind::LongDouble,
            Basic::Float16 => FloatKind::Float16,
            Basic::Float128 => FloatKind::Float128,
            _ => FloatKind::Double,
        };
        let text = self.name(text).to_owned();
        self.float_constant(&text, kind, span)
    }

    fn char_literal(&mut self, value: i64, encoding: ast::Encoding) -> Value {
        let kind = match encoding {
            ast::Encoding::Plain | ast::Encoding::Wide => IntKind::Int,
            ast::Encoding::Utf8 => IntKind::UChar,
            ast::Encoding::Char16 => IntKind::UShort,
            ast::Encoding::Char32 => IntKind::UInt,
        };
        let ty = self.types.int(kind);
        let scalar = self.types.scalar(ty).unwrap_or(Ty::I32);
        let expr = self.b.constant(scalar, value as u128);
        Value::scalar(expr, ty)
    }

    pub(super) fn string_literal(&mut self, lit: &ast::StrLit, span: Span) -> Value {
        let elem = self.string_elem(lit.encoding);
        let loc = self.loc(span);
        let (id, ty) = self.session.string_global(elem, lit.bytes.clone(), loc, span);
        let addr = self.b.addr(Base::Global(id), 0);
        Value::place(Place::Mem(addr), ty)
    }

    pub(super) fn size_value(&mut self, size: u64) -> Value {
        let ty = self.types.size_t();
        let scalar = self.types.scalar(ty).unwrap_or(Ty::I64);
        let expr = self.b.constant(scalar, size as u128);
        Value::scalar(expr, ty)
    }

    fn reject_bit_field(&mut self, operand: ast::ExprId, what: &str) {
        // Only a member can be one.
        if !matches!(self.ast.exprs[operand].kind, ExprKind::Member { .. }) {
            return;
        }
        let value = self.unevaluated(|this| this.expr(operand));
        if let Kind::Place(Place::Bits(..)) = value.kind {
            let span = self.ast.exprs[operand].span;
            self.error(span, format!("the {what} of a bit-field is taken"));
        }
    }

    /// What a declaration says of its alignment counts for the object or member that is named.
    fn align_of_operand(&mut self, operand: ast::ExprId) -> u64 {
        let ty = self.type_of_expr(operand);
        let declared = match self.ast.exprs[operand].kind {
            ExprKind::Ident(name) => match self.unevaluated(|this| this.identifier(name, Span::default())).kind {
                Kind::Place(Place::Mem(addr)) => match self.b.exprs[addr] {
                    Expr::Addr { base: Base::Global(id), offset: 0 } => self.globals[id].global.align,
                    _ => 0,
                },
                _ => 0,
            },
            ExprKind::Member { base, member, arrow, .. } => {
                let record = self.type_of_rvalue(base);
                let record = if arrow { self.types.pointee(record).unwrap_or(record) } else { record };
                let field = self.types.record(record).and_then(|id| self.types.find_field(id, member));
                field.map_or(0, |(_, field)| field.align)
            }
            _ => 0,
        };
        if declared == 0 { self.types.align_of(ty) } else { declared }
    }

    fn sizeof_value(&mut self, ty: QTy, span: Span) -> Value {
        if self.types.is_error(ty) {
            return self.error_value();
        }
        if let Some(size) = self.types.step_size(ty) {
            return self.size_value(size);
        }
        match self.dynamic_size(ty) {
            Some(size) => {
                let size_t = self.types.size_t();
                let long_long = self.types.int(IntKind::ULongLong);
                self.convert(Value::scalar(size, long_long), size_t)
            }
            None => {
                self.error(span, format!("size of the incomplete type `{}`", self.show(ty)));
                self.error_value()
            }
        }
    }

    // ---- unary -------------------------------------------------------------------------------------------------------

    fn unary_expr(&mut self, op: UnaryOp, operand: ast::ExprId, span: Span) -> Value {
        match op {
            UnaryOp::AddrOf => self.address_of(operand, span),
            UnaryOp::Deref => {
                let pointer = self.rvalue(operand);
                self.deref(pointer, span)
            }
            UnaryOp::PreInc => self.increment(operand, BinOp::Add, false, span),
            UnaryOp::PreDec => self.increment(operand, BinOp::Sub, false, span),
            UnaryOp::PostInc => self.increment(operand, BinOp::Add, true, span),
            UnaryOp::PostDec => self.increment(operand, BinOp::Sub, true, span),
            UnaryOp::Not => {
                let truth = self.condition(operand);
                let not = self.b.unary(UnOp::BoolNot, truth);
                self.truth_to_int(not)
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(operand);
                self.arithmetic_unary(op, value, span)
            }
            UnaryOp::Real => {
                let value = self.expr(operand);
                if matches!(self.types.get(value.ty), CType::Complex(_)) {
                    self.unsupported(span, "complex numbers");
                    return self.error_value();
                }
                value
            }
            UnaryOp::Imag => {
                self.unsupported(span, "complex numbers");
                self.error_value()
            }
        }
    }

    fn arithmetic_unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Value {
        if self.types.is_error(value.ty) {
            return value;
        }
        let integer_only = op == UnaryOp::BitNot;
        if !self.types.is_arithmetic(value.ty) || (integer_only && !self.types.is_integer(value.ty)) {
            let name = self.show(value.ty);
            self.error(span, format!("wrong operand type `{name}` of unary operator"));
            return self.error_value();
        }
        let value = self.promote(value);
        let Kind::Scalar(expr) = value.kind else { return value };
        match op {
            UnaryOp::Minus => {
                if self.checks_overflow(value.ty) && self.b.const_bits(expr).is_none() {
                    self.at(span);
                    let ty = self.b.type_of(expr);
                    let zero = self.b.constant(ty, 0);
                    let overflow = self.b.binary(BinOp::SSubO, zero, expr);
                    let fine = self.b.unary(UnOp::BoolNot, overflow);
                    self.emit_assert(fine, Property::Overflow, "signed overflow in negation");
                }
                self.negate(value)
            }
            UnaryOp::BitNot => {
                let expr = self.b.unary(UnOp::Not, expr);
                Value::scalar(expr, value.ty)
            }
            _ => value,
        }
    }

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> Value {
        let value = self.expr(operand);
        match value.kind {
            Kind::Function(addr) | Kind::Place(Place::Mem(addr)) => {
                let ty = self.types.pointer(value.ty);
                Value::scalar(addr, ty)
            }
            Kind::Record(addr) if self.types.array(value.ty).is_some() => {
                let ty = self.types.pointer(value.ty);
                Value::scalar(addr, ty)
            }
            Kind::Place(Place::Bits(..)) => {
                self.error(span, "the address of a bit-field is taken");
                self.error_value()
            }
            Kind::Place(Place::Reg(_)) | Kind::Nothing | Kind::Scalar(_) | Kind::Record(_) => {
                if !self.types.is_error(value.ty) {
                    self.error(span, "the address of something that is no lvalue is taken");
                }
                self.error_value()
            }
        }
    }

    pub(super) fn deref(&mut self, pointer: Value, span: Span) -> Value {
        let (Kind::Scalar(addr), Some(target)) = (pointer.kind, self.types.pointee(pointer.ty)) else {
            if !self.types.is_error(pointer.ty) {
                let name = self.show(pointer.ty);
                self.error(span, format!("`{name}` is dereferenced, which is no pointer"));
            }
            return self.error_value();
        };
        match self.types.get(target) {
            CType::Function(_) => Value { kind: Kind::Function(addr), ty: target },
            CType::Void => Value::nothing(target),
            _ => Value::place(Place::Mem(addr), target),
        }
    }

    /// `++` and `--`, before (`old` false) or behind the operand.
    fn increment(&mut self, operand: ast::ExprId, op: BinOp, old: bool, span: Span) -> Value {
        let target = self.expr(operand);
        let Some(place) = self.modifiable(target, span) else { return self.error_value() };
        if !self.types.is_scalar(target.ty) {
            if !self.types.is_error(target.ty) {
                self.error(span, "wrong operand type of increment or decrement");
            }
            return self.error_value();
        }
        self.at(span);
        self.atomically(target.ty, place, |this| {
            let before = this.load(place, target.ty);
            // The old value outlives the assignment to a register.
            let before = match (place, old) {
                (Place::Reg(_), true) => this.snapshot(before),
                _ => before,
            };
            let one = this.integer_literal(1, false, 0, true, span);
            let after = match this.types.is_pointer(target.ty) {
                true => this.pointer_add(before, one, op == BinOp::Sub, span),
                false => {
                    this.arithmetic(if op == BinOp::Add { BinaryOp::Add } else { BinaryOp::Sub }, before, one, span)
                }
            };
            let after = this.convert(after, target.ty);
            this.at(span);
            let stored = this.store(place, target.ty, after);
            if old { before } else { stored }
        })
    }

    /// Keeps a value in a register of its own.
    pub(super) fn snapshot(&mut self, value: Value) -> Value {
        let Kind::Scalar(expr) = value.kind else { return value };
        let kept = self.in_register(expr);
        Value::scalar(kept, value.ty)
    }

    /// Runs `body` as one read-modify-write operation if the object is `_Atomic` and in memory.
    fn atomically(&mut self, ty: QTy, place: Place, body: impl FnOnce(&mut Self) -> Value) -> Value {
        if !ty.quals.is_atomic || matches!(place, Place::Reg(_)) {
            return body(self);
        }
        self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
        let value = body(self);
        self.b.emit(StepKind::AtomicEnd);
        value
    }

    /// The place of an lvalue that may be assigned to.
    pub(super) fn modifiable(&mut self, target: Value, span: Span) -> Option<Place> {
        let Kind::Place(place) = target.kind else {
            if !self.types.is_error(target.ty) {
                self.error(span, "assignment to something that is no lvalue");
            }
            return None;
        };
        if target.ty.quals.is_const && !self.types.is_error(target.ty) {
            self.error(span, "assignment to a constant object");
            return None;
        }
        if self.types.array(target.ty).is_some() {
            self.error(span, "assignment to an array");
            return None;
        }
        Some(place)
    }

    // ---- assignment --------------------------------------------------------------------------------------------------

    fn assignment(&mut self, left: ast::ExprId, right: ast::ExprId, span: Span) -> Value {
        let value = self.rvalue(right);
        let target = self.expr(left);
        let Some(place) = self.modifiable(target, span) else { return self.error_value() };
        self.at(span);
        if self.types.record(target.ty).is_some() {
            self.check_record_assign(target.ty, value.ty, span);
            self.copy_record(target, value);
            return match place {
                Place::Mem(addr) => Value { kind: Kind::Record(addr), ty: target.ty.unqualified() },
                _ => self.error_value(),
            };
        }
        if matches!(self.types.get(target.ty), CType::VaList) {
            return self.copy_va_list(place, value, span);
        }
        let value = self.convert_assign(value, target.ty, span, "assignment");
        self.store(place, target.ty, value)
    }

    fn compound_assignment(&mut self, op: BinaryOp, left: ast::ExprId, right: ast::ExprId, span: Span) -> Value {
        let value = self.rvalue(right);
        let target = self.expr(left);
        let Some(place) = self.modifiable(target, span) else { return self.error_value() };
        if !self.types.is_scalar(target.ty) {
            if !self.types.is_error(target.ty) {
                return self.wrong_operands(target.ty, value.ty, span);
            }
            return self.error_value();
        }
        self.at(span);
        self.atomically(target.ty, place, |this| {
            let before = this.load(place, target.ty);
            let after = this.binary_values(op, before, value, span);
            let after = this.convert(after, target.ty);
            this.at(span);
            this.store(place, target.ty, after)
        })
    }

    // ---- the rest ----------------------------------------------------------------------------------------------------

    fn cast_expr(&mut self, name: ast::TypeNameId, operand: ast::ExprId, span: Span) -> Value {
        let ty = self.type_name(name);
        if self.types.is_void(ty) {
            self.discard(operand);
            return Value::nothing(ty);
        }
        let value = self.rvalue(operand);
        if self.types.is_error(value.ty) || self.types.is_error(ty) {
            return self.error_value();
        }
        if let Some(record) = self.types.record(ty) {
            if self.types.compatible_ignoring_quals(ty, value.ty) {
                return value;
            }
            if self.types.records[record].is_union {
                return self.cast_to_union(record, ty, value, span);
            }
        }
        if !self.types.is_scalar(ty) || !self.types.is_scalar(value.ty) {
            let (to, from) = (self.show(ty), self.show(value.ty));
            self.error(span, format!("cannot convert `{from}` to `{to}`"));
            return self.error_value();
        }
        let float_pointer = (self.types.is_pointer(ty) && self.types.is_float(value.ty))
            || (self.types.is_pointer(value.ty) && self.types.is_float(ty));
        if float_pointer {
            self.error(span, "cannot convert between pointer and float");
            return self.error_value();
        }
        self.convert(value, ty)
    }

    /// GNU C: the union gets the value in the member of its type.
    fn cast_to_union(&mut self, record: crate::types::RecordId, ty: QTy, value: Value, span: Span) -> Value {
        let fields = self.types.records[record].body.as_ref().map_or_else(Vec::new, |b| b.fields.clone());
        let Some(field) = fields.iter().find(|f| self.types.compatible_ignoring_quals(f.ty, value.ty)) else {
            self.error(span, "cast to a union type that has no member of the operand's type");
            return self.error_value();
        };
        let addr = self.temporary("union", ty);
        let member = self.b.offset(addr, field.offset);
        if self.types.scalar(field.ty).is_some() {
            self.store(Place::Mem(member), field.ty, value);
        } else {
            self.copy_record(Value::place(Place::Mem(member), field.ty), value);
        }
        Value { kind: Kind::Record(addr), ty }
    }

    fn member_expr(&mut self, base: ast::ExprId, member: Symbol, arrow: bool, span: Span) -> Value {
        let value = if arrow {
            let pointer = self.rvalue(base);
            self.deref(pointer, span)
        } else {
            self.expr(base)
        };
        if self.types.is_error(value.ty) {
            return value;
        }
        let Some(record) = self.types.record(value.ty) else {
            let (name, ty) = (self.name(member).to_owned(), self.show(value.ty));
            self.error(span, format!("member `{name}` of `{ty}`, which is no struct or union"));
            return self.error_value();
        };
        let Some((offset, field)) = self.types.find_field(record, member) else {
            let (name, ty) = (self.name(member).to_owned(), self.show(value.ty));
            let why =
                if self.types.records[record].body.is_some() { "has no member" } else { "is incomplete: no member" };
            self.error(span, format!("`{ty}` {why} `{name}`"));
            return self.error_value();
        };
        let ty = self.member_type(field.ty, value.ty);
        match value.kind {
            Kind::Place(Place::Mem(addr)) | Kind::Record(addr) => {
                let addr = self.b.offset(addr, offset);
                match field.bits {
                    Some(bits) => Value::place(Place::Bits(addr, bits), ty),
                    None => Value::place(Place::Mem(addr), ty),
                }
            }
            _ => self.error_value(),
        }
    }

    /// A member of a constant or volatile record is constant or volatile.
    fn member_type(&mut self, field: QTy, record: QTy) -> QTy {
        let quals = ast::Quals { is_atomic: false, is_restrict: false, ..record.quals };
        self.qualify(field, quals)
    }

    fn compound_literal(&mut self, name: ast::TypeNameId, init: ast::InitId, span: Span) -> Value {
        let ty = self.type_name(name);
        let ty = self.complete_by_initialiser(ty, Some(init));
        if !self.types.is_complete(ty) || self.types.is_variable(ty) {
            if !self.types.is_error(ty) {
                self.error(span, format!("compound literal of type `{}`", self.show(ty)));
            }
            return self.error_value();
        }
        self.at(span);
        if self.f.name.is_empty() {
            let id = self.new_global("literal", ty, span);
            let init = self.static_initialiser(ty, init);
            let size = self.types.size_of(ty).unwrap_or(0).max(init.end);
            let entry = &mut self.session.globals[id];
            entry.defined = super::Definition::Defined;
            entry.global.init = init.items;
            entry.global.size = size;
            let addr = self.b.addr(Base::Global(id), 0);
            return Value::place(Place::Mem(addr), ty);
        }
        let layout = self.layout(ty);
        let slot = self.b.slot("literal", layout);
        self.b.emit(StepKind::Live { slot });
        if self.unevaluated == 0 {
            self.slot_scopes.declare(super::scope::Local::Slot(slot));
        }
        let addr = self.b.addr(Base::Slot(slot), 0);
        self.initialise(Place::Mem(addr), ty, init, span);
        Value::place(Place::Mem(addr), ty)
    }

    fn statement_expr(&mut self, stmt: ast::StmtId, span: Span) -> Value {
        let ast = self.ast;
        if self.f.name.is_empty() {
            self.error(span, "a statement expression outside of a function");
            return self.error_value();
        }
        let StmtKind::Compound { items, end } = &ast.stmts[stmt].kind else { return self.error_value() };
        self.enter_block();
        let outer_regs = self.b.regs.next_id();
        let (last, before) = match items.split_last() {
            Some((last, before)) => (Some(*last), before),
            None => (None, &items[..]),
        };
        self.statements(before);
        let mut value = Value::nothing(self.types.common.void);
        if let Some(last) = last {
            value = self.last_statement(last);
        }
        // The value must outlive the block's variables.
        value = match value.kind {
            // What follows in the same expression may change a variable of an outer block.
            Kind::Scalar(expr) if matches!(self.b.exprs[expr], Expr::Reg(reg) if reg < outer_regs) => {
                self.snapshot(value)
            }
            Kind::Scalar(_) => self.snapshot_if_needed(value),
            Kind::Record(addr) => {
                let copy = self.temporary("value", value.ty);
                let target = Value::place(Place::Mem(copy), value.ty);
                self.copy_record(target, Value { kind: Kind::Record(addr), ty: value.ty });
                Value { kind: Kind::Record(copy), ty: value.ty }
            }
            _ => value,
        };
        self.at(Span::new(*end, *end + 1));
        self.leave_block();
        value
    }

    /// The last statement of a statement expression gives it its value, behind any labels.
    fn last_statement(&mut self, stmt: ast::StmtId) -> Value {
        let ast = self.ast;
        match ast.stmts[stmt].kind {
            StmtKind::Expr(Some(expr)) => {
                self.at(ast.stmts[stmt].span);
                self.rvalue(expr)
            }
            StmtKind::Label(name, inner) => {
                self.place_label(name, ast.stmts[stmt].span);
                self.last_statement(inner)
            }
            _ => {
                self.statement(stmt);
                Value::nothing(self.types.common.void)
            }
        }
    }

    fn generic(&mut self, control: ast::ExprId, arms: &[(Option<ast::TypeNameId>, ast::ExprId)], span: Span) -> Value {
        let ty = self.type_of_rvalue(control).unqualified();
        let (mut exact, mut default) = (None, None);
        let mut seen: Vec<QTy> = Vec::new();
        for &(name, expr) in arms {
            let Some(name) = name else {
                if default.replace(expr).is_some() {
                    self.error(span, "`_Generic` has two defaults");
                }
                continue;
            };
            let arm = self.type_name(name);
            if seen.iter().any(|&other| !self.types.is_error(arm) && self.types.compatible(other, arm)) {
                self.error(span, format!("`_Generic` has two associations for `{}`", self.show(arm)));
            }
            seen.push(arm);
            if self.types.compatible(ty, arm) {
                exact = exact.or(Some(expr));
            }
        }
        match exact.or(default) {
            Some(expr) => self.expr(expr),
            None => {
                if !self.types.is_error(ty) {
                    self.error(span, format!("`_Generic` has no association for `{}`", self.show(ty)));
                }
                self.error_value()
            }
        }
    }

    fn label_address(&mut self, name: Symbol, span: Span) -> Value {
        let ty = self.types.common.void_ptr;
        let key = self.label_key(name);
        self.label_info(key, span);
        let index = match self.f.label_values.iter().position(|k| *k == key) {
            Some(index) => index,
            None => {
                self.f.label_values.push(key);
                self.f.label_values.len() - 1
            }
        };
        let expr = self.b.constant(Ty::Ptr, index as u128 + 1);
        Value::scalar(expr, ty)
    }

    fn offsetof(&mut self, name: ast::TypeNameId, path: &[Designator], span: Span) -> Value {
        let mut ty = self.type_name(name);
        let size_t = self.types.size_t();
        let mut sum = self.size_value(0);
        for step in path {
            match *step {
                Designator::Field(member, place) => {
                    let found = self.types.record(ty).and_then(|r| self.types.find_field(r, member));
                    let Some((offset, field)) = found else {
                        if !self.types.is_error(ty) {
                            let (text, ty) = (self.name(member).to_owned(), self.show(ty));
                            self.error(place, format!("`{ty}` has no member `{text}`"));
                        }
                        return self.error_value();
                    };
                    if field.bits.is_some() {
                        self.error(place, "`offsetof` a bit-field");
                    }
                    ty = field.ty;
                    let offset = self.size_value(offset);
                    sum = self.binary_values(BinaryOp::Add, sum, offset, span);
                }
                Designator::Index(index) => {
                    let Some((elem, _)) = self.types.array(ty) else {
                        self.error(span, "`offsetof` indexes something that is no array");
                        return self.error_value();
                    };
                    let index = self.rvalue(index);
                    let index = self.convert(index, size_t);
                    let size = self.types.size_of(elem).unwrap_or(1);
                    let size = self.size_value(size);
                    let offset = self.binary_values(BinaryOp::Mul, index, size, span);
                    sum = self.binary_values(BinaryOp::Add, sum, offset, span);
                    ty = elem;
                }
                Designator::Range(..) => return self.error_value(),
            }
        }
        sum
    }
}
