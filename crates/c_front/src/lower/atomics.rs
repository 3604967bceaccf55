//! `__sync_*` and `__atomic_*` builtins, which `stdatomic.h` is made of.
//!
//! A single load or store is one access with its memory order; everything that reads and writes is an atomic section
//! around a load and a store.

use heddle_base::Span;
use heddle_ir::{Access, BinOp, CastOp, ExprId, MemOrder, Property, RegId, Section, StepKind, Ty, UnOp};

use super::atomic_records::Side;
use super::builder::Label;
use super::{Kind, Lower, Place, Value};
use crate::ast;
use crate::types::{IntKind, QTy};

/// What a read-modify-write builtin computes.
#[derive(Clone, Copy)]
enum Update {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// Sized variants (`__atomic_load_4`) say the same as the generic ones.
fn without_size(name: &str) -> &str {
    ["_16", "_1", "_2", "_4", "_8"].iter().find_map(|s| name.strip_suffix(s)).unwrap_or(name)
}

fn update(name: &str) -> Option<Update> {
    Some(match name {
        "add" => Update::Add,
        "sub" => Update::Sub,
        "and" => Update::And,
        "or" => Update::Or,
        "xor" => Update::Xor,
        "nand" => Update::Nand,
        _ => return None,
    })
}

/// The memory orders of a compare-and-exchange.
///
/// Which of the two its load has is known only when the value is compared. So the load has what both have in common, and
/// where one of the two acquires and the other does not, the value is loaded again: nobody can come in between.
#[derive(Clone, Copy)]
pub(super) struct ExchangeOrders {
    pub(super) success: MemOrder,
    pub(super) failure: MemOrder,
}

impl ExchangeOrders {
    /// Of the load.
    pub(super) fn first(self) -> MemOrder {
        match (acquires(self.success), acquires(self.failure)) {
            (true, true) => self.success,
            (false, true) | (true, false) | (false, false) => MemOrder::Relaxed,
        }
    }

    /// Of another load if the values are equal.
    pub(super) fn again_on_success(self) -> Option<MemOrder> {
        (acquires(self.success) && !acquires(self.failure)).then_some(self.success)
    }

    /// Of another load if they differ.
    pub(super) fn again_on_failure(self) -> Option<MemOrder> {
        (acquires(self.failure) && !acquires(self.success)).then_some(self.failure)
    }
}

fn acquires(order: MemOrder) -> bool {
    match order {
        MemOrder::Acquire | MemOrder::AcqRel | MemOrder::SeqCst => true,
        MemOrder::Plain | MemOrder::Relaxed | MemOrder::Release => false,
    }
}

impl Lower<'_> {
    pub(super) fn atomic_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let sized = without_size(name);
        let generic = sized == name;
        if let Some(rest) = sized.strip_prefix("__sync_") {
            return self.sync_builtin(rest, args, span);
        }
        let rest = sized.strip_prefix("__atomic_")?;
        if let Some(order) = self.computed_order(rest, args) {
            return self.by_computed_order(order, name, args, span);
        }
        if generic && let Some(value) = self.generic_on_record(rest, args, span) {
            return Some(value);
        }
        if let Some(op) = rest.strip_prefix("fetch_").and_then(update) {
            let &[pointer, value, order] = args else { return None };
            return Some(self.fetch_update(op, pointer, value, Some(order), true, span));
        }
        if let Some(op) = rest.strip_suffix("_fetch").and_then(update) {
            let &[pointer, value, order] = args else { return None };
            return Some(self.fetch_update(op, pointer, value, Some(order), false, span));
        }
        match (rest, args) {
            ("load_n", &[pointer, order]) => Some(self.atomic_load(pointer, None, order, span)),
            ("load", &[pointer, order]) if !generic => Some(self.atomic_load(pointer, None, order, span)),
            ("load", &[pointer, result, order]) => Some(self.atomic_load(pointer, Some(result), order, span)),
            ("store_n", &[pointer, value, order]) => Some(self.atomic_store(pointer, value, false, order, span)),
            ("store", &[pointer, value, order]) => Some(self.atomic_store(pointer, value, generic, order, span)),
            ("exchange_n", &[pointer, value, order]) => Some(self.atomic_exchange(pointer, value, None, order, span)),
            ("exchange", &[pointer, value, order]) => Some(self.atomic_exchange(pointer, value, None, order, span)),
            ("exchange", &[pointer, value, result, order]) => {
                Some(self.atomic_exchange(pointer, value, Some(result), order, span))
            }
            ("compare_exchange_n", &[pointer, expected, desired, weak, success, failure]) => {
                self.evaluate_all(&[weak]);
                Some(self.compare_exchange(pointer, expected, desired, false, [success, failure], span))
            }
            ("compare_exchange", &[pointer, expected, desired, weak, success, failure]) => {
                self.evaluate_all(&[weak]);
                Some(self.compare_exchange(pointer, expected, desired, true, [success, failure], span))
            }
            ("compare_exchange", &[pointer, expected, desired, success, failure]) => {
                Some(self.compare_exchange(pointer, expected, desired, false, [success, failure], span))
            }
            ("test_and_set", &[pointer, order]) => Some(self.test_and_set(pointer, order, span)),
            ("clear", &[pointer, order]) => Some(self.clear(pointer, order, span)),
            ("thread_fence", &[order]) => {
                let order = self.memory_order(order);
                self.at(span);
                self.fence(order);
                Some(self.void_value())
            }
            // It orders a thread with its own signal handlers, and no signals arrive.
            ("signal_fence", &[order]) => {
                self.evaluate_all(&[order]);
                Some(self.void_value())
            }
            ("always_lock_free" | "is_lock_free", &[size, pointer]) => {
                self.evaluate_all(&[size, pointer]);
                let yes = self.b.truth(true);
                Some(self.truth_to_int(yes))
            }
            ("feraiseexcept", args) => {
                self.evaluate_all(args);
                Some(self.void_value())
            }
            _ => {
                self.error(span, format!("`{name}` does not take {} arguments", args.len()));
                Some(self.error_value())
            }
        }
    }

    /// The generic builtins take addresses alone, so they work on records too; `None` if it is no record.
    fn generic_on_record(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let (&object, addresses) = args.split_first()?;
        let pointer_ty = self.type_of_rvalue(object);
        let ty = self.types.pointee(pointer_ty).filter(|&ty| self.is_atomic_record(ty))?;
        let count = match name {
            "load" | "store" => 1,
            "exchange" | "compare_exchange" => 2,
            _ => return None,
        };
        let (operands, orders) = addresses.split_at_checked(count)?;
        // Of a compare-and-exchange they are behind `weak`.
        let exchange = name == "compare_exchange";
        let order = *orders.get(usize::from(exchange))?;
        let failure = if exchange { *orders.get(2)? } else { order };
        let mut addrs = Vec::new();
        for &pointer in std::iter::once(&object).chain(operands) {
            let value = self.rvalue(pointer);
            let same = self.types.pointee(value.ty).is_some_and(|t| self.types.compatible_ignoring_quals(t, ty));
            match value.kind {
                Kind::Scalar(addr) if same => addrs.push(addr),
                _ => {
                    self.error(span, format!("an atomic operation on `{}` and another type", self.show(ty)));
                    return Some(self.error_value());
                }
            }
        }
        let order = self.memory_order(order);
        let failure = if exchange { self.memory_order(failure) } else { order };
        self.at(span);
        let object = Side { addr: addrs[0], order };
        match name {
            "load" => self.copy_atomically(Side::plain(addrs[1]), object, ty),
            "store" => self.copy_atomically(object, Side::plain(addrs[1]), ty),
            "exchange" => self.exchange_record(object, addrs[1], addrs[2], ty),
            _ => {
                let orders = ExchangeOrders { success: order, failure };
                let equal = self.compare_exchange_record(object.addr, orders, [addrs[1], addrs[2]], ty);
                return Some(self.exchanged(equal));
            }
        }
        Some(self.void_value())
    }

    fn sync_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        if let Some(op) = name.strip_prefix("fetch_and_").and_then(update) {
            return Some(self.fetch_update(op, *args.first()?, *args.get(1)?, None, true, span));
        }
        if let Some(op) = name.strip_suffix("_and_fetch").and_then(update) {
            return Some(self.fetch_update(op, *args.first()?, *args.get(1)?, None, false, span));
        }
        match (name, args) {
            ("bool_compare_and_swap", &[pointer, old, new, ..]) => {
                Some(self.compare_and_swap(pointer, old, new, true, span))
            }
            ("val_compare_and_swap", &[pointer, old, new, ..]) => {
                Some(self.compare_and_swap(pointer, old, new, false, span))
            }
            // An acquire barrier only, as GCC documents it.
            ("lock_test_and_set", &[pointer, value, ..]) => Some(self.swap(pointer, value, MemOrder::Acquire, span)),
            ("swap", &[pointer, value, ..]) => Some(self.swap(pointer, value, MemOrder::SeqCst, span)),
            ("lock_release", &[pointer, ..]) => {
                let Some((addr, ty)) = self.atomic_target(pointer, span) else { return Some(self.error_value()) };
                self.at(span);
                let scalar = self.types.scalar(ty)?;
                let zero = self.b.constant(scalar, 0);
                self.atomic_store_value(addr, scalar, zero, MemOrder::Release);
                Some(self.void_value())
            }
            ("synchronize", _) => {
                self.at(span);
                self.fence(MemOrder::SeqCst);
                Some(self.void_value())
            }
            _ => {
                self.unsupported(span, &format!("`__sync_{name}`"));
                Some(self.error_value())
            }
        }
    }

    fn void_value(&self) -> Value {
        Value::nothing(self.types.common.void)
    }

    // ---- pieces ------------------------------------------------------------------------------------------------------

    /// Address and type of the scalar that an atomic operation works on.
    fn atomic_target(&mut self, pointer: ast::ExprId, span: Span) -> Option<(ExprId, QTy)> {
        let value = self.rvalue(pointer);
        let target = self.types.pointee(value.ty);
        match (value.kind, target) {
            (Kind::Scalar(addr), Some(ty)) if self.types.scalar(ty).is_some() => Some((addr, ty)),
            _ => {
                if !self.types.is_error(value.ty) {
                    self.unsupported(span, "an atomic operation on something that is no scalar");
                }
                None
            }
        }
    }

    /// The first memory order among the arguments that is no constant and matters: without races, none does.
    fn computed_order(&mut self, name: &str, args: &[ast::ExprId]) -> Option<ast::ExprId> {
        if self.unevaluated > 0 || !self.options.properties.contains(Property::Race) {
            return None;
        }
        let count = match name {
            "compare_exchange" | "compare_exchange_n" => 2,
            "signal_fence" | "is_lock_free" | "always_lock_free" => 0,
            _ => 1,
        };
        let orders = &args[args.len().saturating_sub(count)..];
        let decided = |this: &Self, order| this.decided_orders.iter().any(|(decided, _)| *decided == order);
        orders.iter().copied().find(|&order| {
            !decided(self, order)
                && self.unevaluated(|this| {
                    let value = this.rvalue(order);
                    this.types.is_integer(value.ty) && this.const_integer(value).is_none()
                })
        })
    }

    /// Lowers an operation once for each memory order that an argument can have, and chooses between them by its value.
    fn by_computed_order(&mut self, order: ast::ExprId, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let int = self.types.common.int;
        let value = self.rvalue(order);
        let Kind::Scalar(value) = self.convert(value, int).kind else { return Some(self.error_value()) };
        let chosen = self.b.reg(Ty::I32, None);
        self.b.emit(StepKind::Assign { dst: chosen, value });
        let end = self.b.label();
        let mut result: Option<(RegId, QTy)> = None;
        let mut last = Value::nothing(self.types.common.void);
        for decided in [MemOrder::Relaxed, MemOrder::Acquire, MemOrder::Release, MemOrder::AcqRel, MemOrder::SeqCst] {
            let other = self.b.label();
            self.unless_order(chosen, decided, other);
            self.decided_orders.push((order, decided));
            let value = self.atomic_builtin(name, args, span);
            self.decided_orders.pop();
            last = value?;
            if let Kind::Scalar(expr) = last.kind {
                let ty = self.b.type_of(expr);
                let (dst, _) = *result.get_or_insert_with(|| (self.b.reg(ty, None), last.ty));
                self.b.emit(StepKind::Assign { dst, value: expr });
            }
            self.b.goto(end);
            self.b.place(other);
        }
        self.b.place(end);
        Some(match result {
            Some((reg, ty)) => {
                let expr = self.b.read(reg);
                Value::scalar(expr, ty)
            }
            None => last,
        })
    }

    /// Goes to a label if a register does not hold a memory order; what is none counts as the strongest.
    fn unless_order(&mut self, chosen: RegId, order: MemOrder, other: Label) {
        let numbers: &[u128] = match order {
            MemOrder::Plain | MemOrder::Relaxed => &[0],
            MemOrder::Acquire => &[1, 2],
            MemOrder::Release => &[3],
            MemOrder::AcqRel => &[4],
            MemOrder::SeqCst => return,
        };
        // Bit 15 and up hold hints for lock elision.
        let (value, mask) = (self.b.read(chosen), self.b.constant(Ty::I32, 0x7fff));
        let number = self.b.binary(BinOp::And, value, mask);
        let mut differs = self.b.truth(true);
        for &constant in numbers {
            let constant = self.b.constant(Ty::I32, constant);
            let unequal = self.b.binary(BinOp::Ne, number, constant);
            differs = self.b.binary(BinOp::And, differs, unequal);
        }
        self.b.branch(differs, other);
    }

    /// A constant memory order, or the one that [`Lower::by_computed_order`] has decided for; otherwise the strongest, where
    /// it does not matter.
    fn memory_order(&mut self, order: ast::ExprId) -> MemOrder {
        if let Some(&(_, decided)) = self.decided_orders.iter().find(|(decided, _)| *decided == order) {
            return decided;
        }
        let value = self.rvalue(order);
        // Bit 15 and up hold hints for lock elision.
        match self.const_integer(value).map(|v| v & 0x7fff) {
            Some(0) => MemOrder::Relaxed,
            Some(1 | 2) => MemOrder::Acquire,
            Some(3) => MemOrder::Release,
            Some(4) => MemOrder::AcqRel,
            _ => MemOrder::SeqCst,
        }
    }

    fn atomic_load_value(&mut self, addr: ExprId, ty: Ty, order: MemOrder) -> ExprId {
        let dst = self.b.reg(ty, None);
        let access = Access { order, internal: self.internal };
        self.b.emit(StepKind::Load { dst, addr, ty, access });
        self.b.read(dst)
    }

    fn atomic_store_value(&mut self, addr: ExprId, ty: Ty, value: ExprId, order: MemOrder) {
        let access = Access { order, internal: self.internal };
        self.b.emit(StepKind::Store { addr, value, ty, access });
    }

    fn fence(&mut self, order: MemOrder) {
        match order {
            MemOrder::Plain | MemOrder::Relaxed => {}
            MemOrder::Acquire | MemOrder::Release | MemOrder::AcqRel | MemOrder::SeqCst => {
                self.b.emit(StepKind::Fence { order });
            }
        }
    }

    /// What an operation tells that was done or not.
    fn exchanged(&mut self, done: ExprId) -> Value {
        let bool_ty = self.types.common.bool;
        let expr = self.b.cast(CastOp::ZExt, Ty::I8, done);
        Value::scalar(expr, bool_ty)
    }

    /// An operand converted to the object's type.
    fn operand(&mut self, value: ast::ExprId, ty: QTy) -> Option<ExprId> {
        let value = self.rvalue(value);
        match self.convert(value, ty.unqualified()).kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }

    fn begin(&mut self, span: Span) {
        self.at(span);
        self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
    }

    fn end(&mut self) {
        self.b.emit(StepKind::AtomicEnd);
    }

    // ---- operations --------------------------------------------------------------------------------------------------

    fn atomic_load(
        &mut self,
        pointer: ast::ExprId,
        result: Option<ast::ExprId>,
        order: ast::ExprId,
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let result = result.map(|r| self.atomic_target(r, span));
        let order = self.memory_order(order);
        self.at(span);
        let scalar = self.types.scalar(ty).unwrap_or(Ty::I32);
        let loaded = self.atomic_load_value(addr, scalar, order);
        match result {
            None => Value::scalar(loaded, ty),
            Some(None) => self.error_value(),
            Some(Some((to, to_ty))) => {
                let value = self.convert(Value::scalar(loaded, ty), to_ty);
                self.store_through(to, to_ty, value);
                self.void_value()
            }
        }
    }

    fn atomic_store(
        &mut self,
        pointer: ast::ExprId,
        value: ast::ExprId,
        by_address: bool,
        order: ast::ExprId,
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let operand = self.operand_or_indirect(value, ty, by_address, span);
        let order = self.memory_order(order);
        let (Some(operand), Some(scalar)) = (operand, self.types.scalar(ty)) else { return self.error_value() };
        self.at(span);
        self.atomic_store_value(addr, scalar, operand, order);
        self.void_value()
    }

    /// An operand given by value, or by the address of an object that holds it.
    fn operand_or_indirect(&mut self, value: ast::ExprId, ty: QTy, by_address: bool, span: Span) -> Option<ExprId> {
        if !by_address {
            return self.operand(value, ty);
        }
        let (from, from_ty) = self.atomic_target(value, span)?;
        let loaded = self.load(Place::Mem(from), from_ty);
        match self.convert(loaded, ty.unqualified()).kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }

    fn atomic_exchange(
        &mut self,
        pointer: ast::ExprId,
        value: ast::ExprId,
        result: Option<ast::ExprId>,
        order: ast::ExprId,
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let operand = self.operand_or_indirect(value, ty, result.is_some(), span);
        let result = result.map(|r| self.atomic_target(r, span));
        let order = self.memory_order(order);
        let (Some(operand), Some(scalar)) = (operand, self.types.scalar(ty)) else { return self.error_value() };
        self.begin(span);
        let old = self.atomic_load_value(addr, scalar, order);
        self.atomic_store_value(addr, scalar, operand, order);
        self.end();
        match result {
            None => Value::scalar(old, ty),
            Some(None) => self.error_value(),
            Some(Some((to, to_ty))) => {
                let value = self.convert(Value::scalar(old, ty), to_ty);
                self.store_through(to, to_ty, value);
                self.void_value()
            }
        }
    }

    fn swap(&mut self, pointer: ast::ExprId, value: ast::ExprId, order: MemOrder, span: Span) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let (Some(operand), Some(scalar)) = (self.operand(value, ty), self.types.scalar(ty)) else {
            return self.error_value();
        };
        self.begin(span);
        let old = self.atomic_load_value(addr, scalar, order);
        self.atomic_store_value(addr, scalar, operand, order);
        self.end();
        Value::scalar(old, ty)
    }

    /// Strong and weak alike: a weak exchange that fails without reason is not explored.
    fn compare_exchange(
        &mut self,
        pointer: ast::ExprId,
        expected: ast::ExprId,
        desired: ast::ExprId,
        by_address: bool,
        [success, failure]: [ast::ExprId; 2],
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let Some((expected, expected_ty)) = self.atomic_target(expected, span) else { return self.error_value() };
        let desired = self.operand_or_indirect(desired, ty, by_address, span);
        let orders = ExchangeOrders { success: self.memory_order(success), failure: self.memory_order(failure) };
        let (Some(desired), Some(scalar)) = (desired, self.types.scalar(ty)) else { return self.error_value() };
        // The expected value is the caller's own: read before, written behind the section.
        let wanted = self.load(Place::Mem(expected), expected_ty);
        let Kind::Scalar(wanted) = self.convert(wanted, ty.unqualified()).kind else { return self.error_value() };
        self.begin(span);
        let old = self.atomic_load_value(addr, scalar, orders.first());
        let equal = self.same_bits(old, wanted, span);
        let not_equal = self.b.unary(UnOp::BoolNot, equal);
        let (skip, behind) = (self.b.label(), self.b.label());
        self.b.branch(not_equal, skip);
        if let Some(order) = orders.again_on_success() {
            self.atomic_load_value(addr, scalar, order);
        }
        self.atomic_store_value(addr, scalar, desired, orders.success);
        if let Some(order) = orders.again_on_failure() {
            self.b.goto(behind);
            self.b.place(skip);
            self.atomic_load_value(addr, scalar, order);
        } else {
            self.b.place(skip);
        }
        self.b.place(behind);
        self.end();
        let done = self.b.label();
        self.b.branch(equal, done);
        let value = self.convert(Value::scalar(old, ty), expected_ty);
        self.store_through(expected, expected_ty, value);
        self.b.place(done);
        self.exchanged(equal)
    }

    fn compare_and_swap(
        &mut self,
        pointer: ast::ExprId,
        old: ast::ExprId,
        new: ast::ExprId,
        bool_result: bool,
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let (Some(wanted), Some(new), Some(scalar)) =
            (self.operand(old, ty), self.operand(new, ty), self.types.scalar(ty))
        else {
            return self.error_value();
        };
        self.begin(span);
        let found = self.atomic_load_value(addr, scalar, MemOrder::SeqCst);
        let equal = self.same_bits(found, wanted, span);
        let not_equal = self.b.unary(UnOp::BoolNot, equal);
        let skip = self.b.label();
        self.b.branch(not_equal, skip);
        self.atomic_store_value(addr, scalar, new, MemOrder::SeqCst);
        self.b.place(skip);
        self.end();
        if bool_result {
            return self.exchanged(equal);
        }
        Value::scalar(found, ty)
    }

    fn fetch_update(
        &mut self,
        op: Update,
        pointer: ast::ExprId,
        value: ast::ExprId,
        order: Option<ast::ExprId>,
        fetch_first: bool,
        span: Span,
    ) -> Value {
        let Some((addr, ty)) = self.atomic_target(pointer, span) else { return self.error_value() };
        let is_pointer = self.types.is_pointer(ty);
        if !is_pointer && !self.types.is_integer(ty) {
            self.error(span, format!("an atomic update needs an integer or a pointer, not `{}`", self.show(ty)));
            return self.error_value();
        }
        // On pointers these builtins count bytes, whatever the target's size.
        let long_long = self.types.int(IntKind::LongLong);
        let operand = self.operand(value, if is_pointer { long_long } else { ty });
        let order = order.map_or(MemOrder::SeqCst, |o| self.memory_order(o));
        let (Some(operand), Some(scalar)) = (operand, self.types.scalar(ty)) else { return self.error_value() };
        self.begin(span);
        let old = self.atomic_load_value(addr, scalar, order);
        let new = if is_pointer { self.updated_pointer(op, old, operand) } else { self.updated(op, old, operand) };
        self.atomic_store_value(addr, scalar, new, order);
        self.end();
        Value::scalar(if fetch_first { old } else { new }, ty)
    }

    fn updated_pointer(&mut self, op: Update, old: ExprId, operand: ExprId) -> ExprId {
        match op {
            Update::Add => self.b.binary(BinOp::PtrAdd, old, operand),
            Update::Sub => {
                let bytes = self.b.unary(UnOp::Neg, operand);
                self.b.binary(BinOp::PtrAdd, old, bytes)
            }
            Update::And | Update::Or | Update::Xor | Update::Nand => {
                let int = self.types.model.pointer_int();
                let (old, operand) = (self.b.cast(CastOp::PtrToInt, int, old), self.resize(operand, int, true));
                let new = self.updated(op, old, operand);
                self.b.cast(CastOp::IntToPtr, Ty::Ptr, new)
            }
        }
    }

    /// Whether two values have the same bits: that is what a compare-and-swap compares, also on floats.
    pub(super) fn same_bits(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ty = self.b.type_of(a);
        let int = match ty {
            Ty::F16 => Ty::I16,
            Ty::F32 => Ty::I32,
            Ty::F64 => Ty::I64,
            Ty::F128 => Ty::I128,
            Ty::F80 => {
                self.unsupported(span, "compare-and-swap of a `long double`");
                return self.b.truth(false);
            }
            _ => return self.b.binary(BinOp::Eq, a, b),
        };
        let (a, b) = (self.b.cast(CastOp::Bitcast, int, a), self.b.cast(CastOp::Bitcast, int, b));
        self.b.binary(BinOp::Eq, a, b)
    }

    fn updated(&mut self, op: Update, old: ExprId, operand: ExprId) -> ExprId {
        match op {
            Update::Add => self.b.binary(BinOp::Add, old, operand),
            Update::Sub => self.b.binary(BinOp::Sub, old, operand),
            Update::And => self.b.binary(BinOp::And, old, operand),
            Update::Or => self.b.binary(BinOp::Or, old, operand),
            Update::Xor => self.b.binary(BinOp::Xor, old, operand),
            Update::Nand => {
                let and = self.b.binary(BinOp::And, old, operand);
                self.b.unary(UnOp::Not, and)
            }
        }
    }

    /// Works on one byte, whatever the pointer's type.
    fn test_and_set(&mut self, pointer: ast::ExprId, order: ast::ExprId, span: Span) -> Value {
        let value = self.rvalue(pointer);
        let order = self.memory_order(order);
        let Kind::Scalar(addr) = value.kind else { return self.error_value() };
        self.begin(span);
        let old = self.atomic_load_value(addr, Ty::I8, order);
        let one = self.b.constant(Ty::I8, 1);
        self.atomic_store_value(addr, Ty::I8, one, order);
        self.end();
        let zero = self.b.constant(Ty::I8, 0);
        let was_set = self.b.binary(BinOp::Ne, old, zero);
        self.exchanged(was_set)
    }

    fn clear(&mut self, pointer: ast::ExprId, order: ast::ExprId, span: Span) -> Value {
        let value = self.rvalue(pointer);
        let order = self.memory_order(order);
        let Kind::Scalar(addr) = value.kind else { return self.error_value() };
        self.at(span);
        let zero = self.b.constant(Ty::I8, 0);
        self.atomic_store_value(addr, Ty::I8, zero, order);
        self.void_value()
    }
}
