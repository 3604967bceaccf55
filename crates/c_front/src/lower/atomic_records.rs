//! Atomic operations on structs and unions: `_Atomic struct s`, and the generic `__atomic_*` builtins, which take addresses.
//!
//! A record is accessed member by member, so each operation is an atomic section around the accesses of all members. Of a union, and
//! where nothing is known of the members, the bytes are accessed.

use heddle_base::Span;
use heddle_ir::{Access, BinOp, ExprId, LayoutId, LayoutKind, MemOrder, Section, StepKind, Ty, UnOp};

use super::Lower;
use super::atomics::ExchangeOrders;
use crate::types::QTy;

/// One side of a copy: an address, and how what is there is accessed.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) addr: ExprId,
    pub(super) order: MemOrder,
}

impl Side {
    pub(super) fn plain(addr: ExprId) -> Self {
        Side { addr, order: MemOrder::Plain }
    }
}

impl Lower<'_> {
    /// The value of an atomic record, in a temporary.
    pub(super) fn load_atomic_record(&mut self, addr: ExprId, ty: QTy, span: Span) -> ExprId {
        self.at(span);
        let copy = self.temporary("atomic", ty.unqualified());
        self.copy_atomically(Side::plain(copy), Side { addr, order: MemOrder::SeqCst }, ty);
        copy
    }

    /// One atomic operation that reads or writes a record.
    pub(super) fn copy_atomically(&mut self, to: Side, from: Side, ty: QTy) {
        self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
        self.copy_members(to, from, ty);
        self.b.emit(StepKind::AtomicEnd);
    }

    /// Writes a new value and has the old one stored, in one operation.
    pub(super) fn exchange_record(&mut self, object: Side, new: ExprId, old: ExprId, ty: QTy) {
        // `new` and `old` may be the same object.
        let copy = self.temporary("atomic", ty.unqualified());
        self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
        self.copy_members(Side::plain(copy), object, ty);
        self.copy_members(object, Side::plain(new), ty);
        self.b.emit(StepKind::AtomicEnd);
        self.copy_members(Side::plain(old), Side::plain(copy), ty);
    }

    /// Writes a new value if the expected one is found, else has the one that is found stored over the expected one.
    pub(super) fn compare_exchange_record(
        &mut self,
        addr: ExprId,
        orders: ExchangeOrders,
        [expected, desired]: [ExprId; 2],
        ty: QTy,
    ) -> ExprId {
        let (differ, end) = (self.b.label(), self.b.label());
        let done = self.b.reg(Ty::Bool, None);
        self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
        for (offset, member) in self.scalars(ty) {
            let found = self.load_member(Side { addr, order: orders.first() }, offset, member);
            let wanted = self.load_member(Side::plain(expected), offset, member);
            let same = self.same_bits(found, wanted, Span::default());
            let not_same = self.b.unary(UnOp::BoolNot, same);
            self.b.branch(not_same, differ);
        }
        if let Some(order) = orders.again_on_success() {
            for (offset, member) in self.scalars(ty) {
                self.load_member(Side { addr, order }, offset, member);
            }
        }
        self.copy_members(Side { addr, order: orders.success }, Side::plain(desired), ty);
        let (yes, no) = (self.b.truth(true), self.b.truth(false));
        self.b.emit(StepKind::Assign { dst: done, value: yes });
        self.b.goto(end);
        self.b.place(differ);
        let found = Side { addr, order: orders.again_on_failure().unwrap_or(orders.first()) };
        self.copy_members(Side::plain(expected), found, ty);
        self.b.emit(StepKind::Assign { dst: done, value: no });
        self.b.place(end);
        self.b.emit(StepKind::AtomicEnd);
        self.b.read(done)
    }

    fn copy_members(&mut self, to: Side, from: Side, ty: QTy) {
        for (offset, member) in self.scalars(ty) {
            let value = self.load_member(from, offset, member);
            let addr = self.member_address(to.addr, offset);
            let access = Access { order: to.order, internal: self.internal };
            self.b.emit(StepKind::Store { addr, value, ty: member, access });
        }
    }

    fn load_member(&mut self, side: Side, offset: u64, ty: Ty) -> ExprId {
        let addr = self.member_address(side.addr, offset);
        let dst = self.b.reg(ty, None);
        let access = Access { order: side.order, internal: self.internal };
        self.b.emit(StepKind::Load { dst, addr, ty, access });
        self.b.read(dst)
    }

    fn member_address(&mut self, addr: ExprId, offset: u64) -> ExprId {
        let offset = self.b.constant(Ty::I64, offset.into());
        self.b.binary(BinOp::PtrAdd, addr, offset)
    }

    /// Offsets and types of the scalars that a type consists of.
    fn scalars(&mut self, ty: QTy) -> Vec<(u64, Ty)> {
        let layout = self.layout(ty.unqualified());
        let mut scalars = Vec::new();
        self.collect_scalars(layout, 0, &mut scalars);
        scalars
    }

    fn collect_scalars(&self, layout: LayoutId, at: u64, scalars: &mut Vec<(u64, Ty)>) {
        let layout = &self.layouts[layout];
        match &layout.kind {
            LayoutKind::Scalar(ty) => {
                // Bit-fields share the unit that they are in.
                if !scalars.contains(&(at, *ty)) {
                    scalars.push((at, *ty));
                }
            }
            LayoutKind::Array { elem, len } => {
                let step = self.layouts[*elem].size;
                (0..*len).for_each(|i| self.collect_scalars(*elem, at + i * step, scalars));
            }
            LayoutKind::Record { overlapping: false, fields, .. } => {
                fields.iter().for_each(|field| self.collect_scalars(field.layout, at + field.offset, scalars));
            }
            LayoutKind::Record { overlapping: true, .. } | LayoutKind::Bytes => {
                scalars.extend((at..at + layout.size).map(|byte| (byte, Ty::I8)));
            }
        }
    }

    /// Whether a type is a struct or a union that has a size.
    pub(super) fn is_atomic_record(&self, ty: QTy) -> bool {
        self.types.record(ty).is_some() && self.types.is_complete(ty)
    }
}
