//! Expressions: pure functions of registers, constants and addresses.
//!
//! They live in the arena of their function and may share operands. Nothing in an expression can fail: division by
//! zero yields 0 (remainder: the dividend), a shift by the width or more yields 0 (or all sign bits), and lowering puts
//! an `assert` step before what C leaves undefined.

use heddle_base::{IndexVec, define_id};

use crate::program::{FuncId, GlobalId, RegId, SlotId};
use crate::ty::Ty;

define_id!(
    /// An expression of a function.
    pub ExprId, "e"
);

/// What an address constant starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A global; the running thread's own instance if it is thread-local.
    Global(GlobalId),
    /// A local of the running call.
    Slot(SlotId),
    /// A function.
    Func(FuncId),
}

/// An expression node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant, its bits zero-extended. A pointer constant is an integer made a pointer (null is 0).
    Const {
        /// Its type.
        ty: Ty,
        /// Its bits.
        bits: u128,
    },
    /// The value of a register.
    Reg(RegId),
    /// The address `base + offset` (in bytes).
    Addr {
        /// The object.
        base: Base,
        /// Bytes into the object.
        offset: i64,
    },
    /// The number of the running thread, from 1, as `I32`.
    SelfId,
    /// A unary operation.
    Unary(UnOp, ExprId),
    /// A binary operation.
    Binary(BinOp, ExprId, ExprId),
    /// A conversion to another type.
    Cast {
        /// How.
        op: CastOp,
        /// To what.
        to: Ty,
        /// Of what.
        arg: ExprId,
    },
    /// `cond ? then : otherwise`, both sides pure.
    Ite {
        /// A truth value.
        cond: ExprId,
        /// The value if it holds.
        then: ExprId,
        /// The value if not.
        otherwise: ExprId,
    },
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Two's complement negation.
    Neg,
    /// Bitwise complement.
    Not,
    /// Negation of a `Bool`.
    BoolNot,
    /// Number of leading zero bits (the width for 0); same type as the operand.
    Clz,
    /// Number of trailing zero bits (the width for 0).
    Ctz,
    /// Number of one bits.
    Popcount,
    /// Bytes in reverse order.
    Bswap,
    /// Sign flip of a float.
    FNeg,
    /// Absolute value of a float.
    FAbs,
    /// Square root, rounded to nearest even.
    FSqrt,
    /// Whether a float is a NaN; gives `Bool`.
    FIsNan,
    /// Whether a float is infinite; gives `Bool`.
    FIsInf,
    /// Whether the sign bit of a float is set; gives `Bool`.
    FSignBit,
}

/// Binary operators. Both operands have one type unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient; 0 when dividing by zero.
    UDiv,
    /// Signed quotient towards zero; 0 when dividing by zero, wraps for `MIN / -1`.
    SDiv,
    /// Unsigned remainder; the dividend when dividing by zero.
    URem,
    /// Signed remainder with the dividend's sign; the dividend when dividing by zero.
    SRem,
    /// Bitwise and (also of `Bool`).
    And,
    /// Bitwise or (also of `Bool`).
    Or,
    /// Bitwise exclusive or (also of `Bool`).
    Xor,
    /// Shift left; 0 once the (unsigned) amount reaches the width. The amount has the operand's type.
    Shl,
    /// Logical shift right, likewise.
    LShr,
    /// Arithmetic shift right; all sign bits once the amount reaches the width.
    AShr,
    /// Equality of integers, truth values or pointers; gives `Bool`.
    Eq,
    /// Inequality, likewise.
    Ne,
    /// Unsigned less; also orders pointers (by object, then offset).
    ULt,
    /// Unsigned less or equal; also of pointers.
    ULe,
    /// Signed less.
    SLt,
    /// Signed less or equal.
    SLe,
    /// Whether the signed sum overflows; gives `Bool`.
    SAddO,
    /// Whether the unsigned sum overflows.
    UAddO,
    /// Whether the signed difference overflows.
    SSubO,
    /// Whether the unsigned difference overflows.
    USubO,
    /// Whether the signed product overflows.
    SMulO,
    /// Whether the unsigned product overflows.
    UMulO,
    /// Pointer plus signed `I64` number of bytes. An offset that leaves the range of `i32` becomes `i32::MIN`, which is
    /// out of bounds of every object.
    PtrAdd,
    /// Bytes from the second pointer to the first, as signed `I64`.
    PtrDiff,
    /// Float sum, rounded to nearest even, as are all float operations.
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient.
    FDiv,
    /// `fmod`: remainder with the dividend's sign.
    FRem,
    /// Ordered equality; gives `Bool`, false on NaN.
    FEq,
    /// Unordered or unequal: C's `!=`, true on NaN.
    FNe,
    /// Ordered less.
    FLt,
    /// Ordered less or equal.
    FLe,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// To a narrower integer.
    Trunc,
    /// To a wider integer with zeros; also from `Bool`.
    ZExt,
    /// To a wider integer with sign bits.
    SExt,
    /// Float to signed integer, towards zero. As on x86: 8 and 16 bits are cut from the 32-bit result, and what does not
    /// fit 32 bits or more gives the type's minimum.
    FToS,
    /// Float to unsigned integer, towards zero; what does not fit wraps as gcc's x86 code does.
    FToU,
    /// Signed integer to float.
    SToF,
    /// Unsigned integer to float.
    UToF,
    /// Between float types.
    FToF,
    /// Pointer to the integer type of the same size.
    PtrToInt,
    /// Integer of pointer size to pointer.
    IntToPtr,
    /// The same bits as another type of the same size (integer and float).
    Bitcast,
}

impl UnOp {
    /// All operators.
    pub const ALL: [UnOp; 13] = [
        UnOp::Neg,
        UnOp::Not,
        UnOp::BoolNot,
        UnOp::Clz,
        UnOp::Ctz,
        UnOp::Popcount,
        UnOp::Bswap,
        UnOp::FNeg,
        UnOp::FAbs,
        UnOp::FSqrt,
        UnOp::FIsNan,
        UnOp::FIsInf,
        UnOp::FSignBit,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            UnOp::Neg => "neg",
            UnOp::Not => "not",
            UnOp::BoolNot => "lnot",
            UnOp::Clz => "clz",
            UnOp::Ctz => "ctz",
            UnOp::Popcount => "popcount",
            UnOp::Bswap => "bswap",
            UnOp::FNeg => "fneg",
            UnOp::FAbs => "fabs",
            UnOp::FSqrt => "fsqrt",
            UnOp::FIsNan => "fisnan",
            UnOp::FIsInf => "fisinf",
            UnOp::FSignBit => "fsignbit",
        }
    }
}

impl UnOp {
    /// Whether the result is a `Bool` whatever the operand is.
    pub fn is_predicate(self) -> bool {
        matches!(self, UnOp::BoolNot | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit)
    }
}

impl BinOp {
    /// All operators.
    pub const ALL: [BinOp; 36] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::ULt,
        BinOp::ULe,
        BinOp::SLt,
        BinOp::SLe,
        BinOp::SAddO,
        BinOp::UAddO,
        BinOp::SSubO,
        BinOp::USubO,
        BinOp::SMulO,
        BinOp::UMulO,
        BinOp::PtrAdd,
        BinOp::PtrDiff,
        BinOp::FAdd,
        BinOp::FSub,
        BinOp::FMul,
        BinOp::FDiv,
        BinOp::FRem,
        BinOp::FEq,
        BinOp::FNe,
        BinOp::FLt,
        BinOp::FLe,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::UDiv => "udiv",
            BinOp::SDiv => "sdiv",
            BinOp::URem => "urem",
            BinOp::SRem => "srem",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Shl => "shl",
            BinOp::LShr => "lshr",
            BinOp::AShr => "ashr",
            BinOp::Eq => "eq",
            BinOp::Ne => "ne",
            BinOp::ULt => "ult",
            BinOp::ULe => "ule",
            BinOp::SLt => "slt",
            BinOp::SLe => "sle",
            BinOp::SAddO => "saddo",
            BinOp::UAddO => "uaddo",
            BinOp::SSubO => "ssubo",
            BinOp::USubO => "usubo",
            BinOp::SMulO => "smulo",
            BinOp::UMulO => "umulo",
            BinOp::PtrAdd => "ptradd",
            BinOp::PtrDiff => "ptrdiff",
            BinOp::FAdd => "fadd",
            BinOp::FSub => "fsub",
            BinOp::FMul => "fmul",
            BinOp::FDiv => "fdiv",
            BinOp::FRem => "frem",
            BinOp::FEq => "feq",
            BinOp::FNe => "fne",
            BinOp::FLt => "flt",
            BinOp::FLe => "fle",
        }
    }

    /// Whether the result is a `Bool` whatever the operands are.
    pub fn is_predicate(self) -> bool {
        matches!(
            self,
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
                | BinOp::FEq
                | BinOp::FNe
                | BinOp::FLt
                | BinOp::FLe
        )
    }
}

impl CastOp {
    /// All conversions.
    pub const ALL: [CastOp; 11] = [
        CastOp::Trunc,
        CastOp::ZExt,
        CastOp::SExt,
        CastOp::FToS,
        CastOp::FToU,
        CastOp::SToF,
        CastOp::UToF,
        CastOp::FToF,
        CastOp::PtrToInt,
        CastOp::IntToPtr,
        CastOp::Bitcast,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            CastOp::Trunc => "trunc",
            CastOp::ZExt => "zext",
            CastOp::SExt => "sext",
            CastOp::FToS => "ftos",
            CastOp::FToU => "ftou",
            CastOp::SToF => "stof",
            CastOp::UToF => "utof",
            CastOp::FToF => "ftof",
            CastOp::PtrToInt => "ptrtoint",
            CastOp::IntToPtr => "inttoptr",
            CastOp::Bitcast => "bitcast",
        }
    }
}

/// The type of an expression, given the arena it lives in and the types of the registers.
pub fn type_of(exprs: &IndexVec<ExprId, Expr>, reg_ty: &dyn Fn(RegId) -> Ty, id: ExprId) -> Ty {
    // Down to the operand that decides: chains such as `x + x + …` are too deep for recursion.
    let mut at = id;
    loop {
        let expr = &exprs[at];
        at = match *expr {
            Expr::Reg(reg) => return reg_ty(reg),
            Expr::Const { .. } | Expr::Addr { .. } | Expr::SelfId | Expr::Cast { .. } => break,
            Expr::Unary(op, _) if op.is_predicate() => break,
            Expr::Binary(op, ..) if op.is_predicate() || matches!(op, BinOp::PtrDiff | BinOp::PtrAdd) => break,
            Expr::Unary(_, arg) | Expr::Binary(_, arg, _) | Expr::Ite { then: arg, .. } => arg,
        };
    }
    result_type(&exprs[at], Ty::Bool)
}

/// The type of an expression whose first value operand (`then` of an `Ite`) has type `operand`. Registers have the type
/// `operand`.
pub(crate) fn result_type(expr: &Expr, operand: Ty) -> Ty {
    match *expr {
        Expr::Const { ty, .. } => ty,
        Expr::Reg(_) => operand,
        Expr::Addr { .. } => Ty::Ptr,
        Expr::SelfId => Ty::I32,
        Expr::Unary(op, _) if op.is_predicate() => Ty::Bool,
        Expr::Unary(..) => operand,
        Expr::Binary(BinOp::PtrDiff, ..) => Ty::I64,
        Expr::Binary(BinOp::PtrAdd, ..) => Ty::Ptr,
        Expr::Binary(op, ..) if op.is_predicate() => Ty::Bool,
        Expr::Binary(..) => operand,
        Expr::Cast { to, .. } => to,
        Expr::Ite { .. } => operand,
    }
}

impl Expr {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = ExprId> + use<> {
        let all = match *self {
            Expr::Const { .. } | Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId => [None, None, None],
            Expr::Unary(_, arg) | Expr::Cast { arg, .. } => [Some(arg), None, None],
            Expr::Binary(_, left, right) => [Some(left), Some(right), None],
            Expr::Ite { cond, then, otherwise } => [Some(cond), Some(then), Some(otherwise)],
        };
        all.into_iter().flatten()
    }

    /// Calls `change` for each operand.
    pub fn for_each_operand_mut(&mut self, change: impl FnMut(&mut ExprId)) {
        match self {
            Expr::Const { .. } | Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId => {}
            Expr::Unary(_, arg) | Expr::Cast { arg, .. } => [arg].into_iter().for_each(change),
            Expr::Binary(_, left, right) => [left, right].into_iter().for_each(change),
            Expr::Ite { cond, then, otherwise } => [cond, then, otherwise].into_iter().for_each(change),
        }
    }
}
