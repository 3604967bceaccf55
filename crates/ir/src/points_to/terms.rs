//! What an expression's value can point to, in terms of its function's registers and objects.

use heddle_base::IndexVec;
use smallvec::SmallVec;

use super::{InstanceId, ObjectKind};
use crate::expr::{Base, BinOp, Expr, ExprId, UnOp};
use crate::program::{Function, RegId};
use crate::ty::Ty;

/// How far a value is moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shift {
    /// By this many bytes.
    By(i64),
    /// By an unknown number of bytes.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TermBase {
    /// What a register points to.
    Reg(RegId),
    /// The start of an object.
    Object(ObjectBase),
}

/// An object as an expression names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ObjectBase(pub Base);

impl ObjectBase {
    pub fn object_kind(self, instance: InstanceId) -> ObjectKind {
        match self.0 {
            Base::Global(global) => ObjectKind::Global(global),
            Base::Slot(slot) => ObjectKind::Slot(instance, slot),
            Base::Func(func) => ObjectKind::Func(func),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Term {
    pub base: TermBase,
    pub shift: Shift,
}

/// The sum of what a value can point to.
pub(super) type Terms = SmallVec<[Term; 2]>;

/// The terms of all expressions of a function.
pub(super) fn function_terms(function: &Function) -> IndexVec<ExprId, Terms> {
    let mut all: IndexVec<ExprId, Terms> = IndexVec::with_capacity(function.exprs.len());
    for expr in function.exprs.iter() {
        let terms = expr_terms(function, &all, expr);
        all.push(terms);
    }
    all
}

fn expr_terms(function: &Function, all: &IndexVec<ExprId, Terms>, expr: &Expr) -> Terms {
    let mut out = Terms::new();
    match *expr {
        Expr::Const { .. } | Expr::SelfId => {}
        Expr::Reg(reg) => {
            // A truth value and a float that is no copy of bits carry no address; bits may sit in a float.
            if function.regs[reg].ty != Ty::Bool {
                out.push(Term { base: TermBase::Reg(reg), shift: Shift::By(0) });
            }
        }
        Expr::Addr { base, offset } => {
            out.push(Term { base: TermBase::Object(ObjectBase(base)), shift: Shift::By(offset) });
        }
        Expr::Unary(op, arg) => match op {
            UnOp::Neg | UnOp::Not | UnOp::Bswap => add(&mut out, &all[arg], Shift::Unknown),
            UnOp::FNeg | UnOp::FAbs => add(&mut out, &all[arg], Shift::Unknown),
            UnOp::BoolNot
            | UnOp::Clz
            | UnOp::Ctz
            | UnOp::Popcount
            | UnOp::FSqrt
            | UnOp::FIsNan
            | UnOp::FIsInf
            | UnOp::FSignBit => {}
        },
        Expr::Binary(op, left, right) => binary(function, all, op, left, right, &mut out),
        Expr::Cast { arg, .. } => add(&mut out, &all[arg], Shift::By(0)),
        Expr::Ite { then, otherwise, .. } => {
            add(&mut out, &all[then], Shift::By(0));
            add(&mut out, &all[otherwise], Shift::By(0));
        }
    }
    out
}

fn binary(function: &Function, all: &IndexVec<ExprId, Terms>, op: BinOp, left: ExprId, right: ExprId, out: &mut Terms) {
    match op {
        BinOp::PtrAdd => {
            let shift = constant(function, right).map_or(Shift::Unknown, Shift::By);
            add(out, &all[left], shift);
            // `(char *)0 + address` points where the address says.
            if let Expr::Const { .. } = function.exprs[left] {
                add(out, &all[right], Shift::Unknown);
            }
        }
        BinOp::Add => match (constant(function, left), constant(function, right)) {
            (Some(by), _) => add(out, &all[right], Shift::By(by)),
            (_, Some(by)) => add(out, &all[left], Shift::By(by)),
            _ => both(all, left, right, out),
        },
        BinOp::Sub => match constant(function, right) {
            Some(by) => add(out, &all[left], Shift::By(by.wrapping_neg())),
            None => both(all, left, right, out),
        },
        BinOp::Mul
        | BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::PtrDiff => both(all, left, right, out),
        BinOp::Eq
        | BinOp::Ne
        | BinOp::ULt
        | BinOp::ULe
        | BinOp::SLt
        | BinOp::SLe
        | BinOp::SAddO
        | BinOp::UAddO
        | BinOp::SSubO
        | BinOp::USubO
        | BinOp::SMulO
        | BinOp::UMulO
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem
        | BinOp::FEq
        | BinOp::FNe
        | BinOp::FLt
        | BinOp::FLe => {}
    }
}

fn both(all: &IndexVec<ExprId, Terms>, left: ExprId, right: ExprId, out: &mut Terms) {
    add(out, &all[left], Shift::Unknown);
    add(out, &all[right], Shift::Unknown);
}

fn add(out: &mut Terms, terms: &[Term], shift: Shift) {
    for term in terms {
        let shift = match (term.shift, shift) {
            (Shift::By(a), Shift::By(b)) => a.checked_add(b).map_or(Shift::Unknown, Shift::By),
            _ => Shift::Unknown,
        };
        let moved = Term { base: term.base, shift };
        if !out.contains(&moved) {
            out.push(moved);
        }
    }
}

/// The value of a constant, its sign extended.
pub(super) fn constant(function: &Function, expr: ExprId) -> Option<i64> {
    match function.exprs[expr] {
        Expr::Const { ty, bits } => {
            let width = ty.int_bits().filter(|&w| w > 1)?;
            i64::try_from((bits << (128 - width)).cast_signed() >> (128 - width)).ok()
        }
        // An offset that lowering widened.
        Expr::Cast { arg, .. } => constant(function, arg),
        Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId | Expr::Unary(..) | Expr::Binary(..) | Expr::Ite { .. } => None,
    }
}
