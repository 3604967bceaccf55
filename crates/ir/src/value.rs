//! Scalar values: how they are kept in registers, and what every operator does to them.
//!
//! A value is its bits, zero-extended: up to 64 bits in one register word, `I128`, `F80` and `F128` in two. A pointer
//! is one word in both data models, object in the high half and byte offset in the low half ([`Pointer`]).
//!
//! [`unary`], [`binary`] and [`cast`] are the semantics of [`crate::expr`] on the bits of a value. They are total:
//! what C leaves undefined has a value here, and an `assert` step before it. The bytecode takes shortcuts for the
//! common operators; a test holds all of them against an independent evaluator.
//!
//! Conversions between pointers and integers are the identity here (the LP64 rule); under ILP32 they need the
//! addresses of objects and are made by the machine's memory.

use crate::expr::{BinOp, CastOp, UnOp};
use crate::float;
use crate::ty::Ty;

/// A pointer value: an object and a byte offset into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The object's number; 0 is none, so that null and integers made pointers are `(0, n)`.
    pub object: u32,
    /// Bytes from the object's start.
    pub offset: i32,
}

impl Pointer {
    /// The pointer to the start of an object.
    pub fn to(object: u32) -> Self {
        Pointer { object, offset: 0 }
    }

    /// The register word of the pointer.
    #[inline]
    pub fn bits(self) -> u64 {
        u64::from(self.object) << 32 | u64::from(self.offset as u32)
    }

    /// The pointer of a register word.
    #[inline]
    pub fn from_bits(bits: u64) -> Self {
        Pointer { object: (bits >> 32) as u32, offset: bits as u32 as i32 }
    }

    /// Moves the pointer by a number of bytes; an offset that leaves `i32` becomes `i32::MIN`, out of all bounds.
    #[inline]
    pub fn plus(self, bytes: i64) -> Self {
        let offset = i64::from(self.offset).checked_add(bytes).and_then(|sum| i32::try_from(sum).ok());
        Pointer { offset: offset.unwrap_or(i32::MIN), ..self }
    }

    /// A number that orders pointers by object, then by offset.
    #[inline]
    fn rank(self) -> u64 {
        self.bits() ^ 0x8000_0000
    }
}

/// Whether values of this type need two register words.
pub fn is_wide(ty: Ty) -> bool {
    match ty {
        Ty::I128 | Ty::F80 | Ty::F128 => true,
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::F16 | Ty::F32 | Ty::F64 | Ty::Ptr => false,
    }
}

/// Bits of a value of this type in a register.
pub fn bits_of(ty: Ty) -> u32 {
    match ty {
        Ty::Bool => 1,
        Ty::I8 => 8,
        Ty::I16 | Ty::F16 => 16,
        Ty::I32 | Ty::F32 => 32,
        Ty::I64 | Ty::F64 | Ty::Ptr => 64,
        Ty::F80 => 80,
        Ty::I128 | Ty::F128 => 128,
    }
}

/// The low `bits` bits.
#[inline]
pub fn truncate(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The low `bits` bits as a signed number.
#[inline]
pub fn sign_extend(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    (value << shift) as i128 >> shift
}

/// A unary operator on a value of type `ty`.
pub fn unary(op: UnOp, ty: Ty, a: u128) -> u128 {
    let bits = bits_of(ty);
    match op {
        UnOp::Neg => truncate(a.wrapping_neg(), bits),
        UnOp::Not => truncate(!a, bits),
        UnOp::BoolNot => u128::from(a & 1 == 0),
        UnOp::Clz => u128::from(a.leading_zeros() - (128 - bits)),
        UnOp::Ctz => u128::from(a.trailing_zeros().min(bits)),
        UnOp::Popcount => u128::from(a.count_ones()),
        UnOp::Bswap => a.swap_bytes() >> (128 - bits),
        UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit => float::unary(op, ty, a),
    }
}

/// A binary operator on operands of type `ty` (of the left one, for `PtrAdd`).
pub fn binary(op: BinOp, ty: Ty, a: u128, b: u128) -> u128 {
    let bits = bits_of(ty);
    let (sa, sb) = (sign_extend(a, bits), sign_extend(b, bits));
    let fits = |value: Option<i128>| value.is_some_and(|v| sign_extend(truncate(v as u128, bits), bits) == v);
    let ufits = |value: Option<u128>| value.is_some_and(|v| truncate(v, bits) == v);
    let wrap = |value: u128| truncate(value, bits);
    match op {
        BinOp::Add => wrap(a.wrapping_add(b)),
        BinOp::Sub => wrap(a.wrapping_sub(b)),
        BinOp::Mul => wrap(a.wrapping_mul(b)),
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::SDiv => wrap(if sb == 0 { 0 } else { sa.wrapping_div(sb) as u128 }),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SRem => wrap(if sb == 0 { a } else { sa.wrapping_rem(sb) as u128 }),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => wrap(if b >= u128::from(bits) { 0 } else { a << b }),
        BinOp::LShr => {
            if b >= u128::from(bits) {
                0
            } else {
                a >> b
            }
        }
        BinOp::AShr => wrap((sa >> b.min(u128::from(bits) - 1)) as u128),
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::ULt => u128::from(unsigned_rank(ty, a) < unsigned_rank(ty, b)),
        BinOp::ULe => u128::from(unsigned_rank(ty, a) <= unsigned_rank(ty, b)),
        BinOp::SLt => u128::from(sa < sb),
        BinOp::SLe => u128::from(sa <= sb),
        BinOp::SAddO => u128::from(!fits(sa.checked_add(sb))),
        BinOp::UAddO => u128::from(!ufits(a.checked_add(b))),
        BinOp::SSubO => u128::from(!fits(sa.checked_sub(sb))),
        BinOp::USubO => u128::from(a < b),
        BinOp::SMulO => u128::from(!fits(sa.checked_mul(sb))),
        BinOp::UMulO => u128::from(!ufits(a.checked_mul(b))),
        BinOp::PtrAdd => u128::from(Pointer::from_bits(a as u64).plus(b as u64 as i64).bits()),
        BinOp::PtrDiff => u128::from(pointer_difference(a as u64, b as u64)),
        BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem
        | BinOp::FEq
        | BinOp::FNe
        | BinOp::FLt
        | BinOp::FLe => float::binary(op, ty, a, b),
    }
}

/// A conversion of a value of type `from` to type `to`.
pub fn cast(op: CastOp, from: Ty, to: Ty, a: u128) -> u128 {
    match op {
        CastOp::Trunc => truncate(a, bits_of(to)),
        CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => a,
        CastOp::SExt => truncate(sign_extend(a, bits_of(from)) as u128, bits_of(to)),
        CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF | CastOp::FToF => float::cast(op, from, to, a),
    }
}

/// Whether a binary operator's result is wide, or its operands are, so that one word does not do.
pub fn binary_result(op: BinOp, ty: Ty) -> Ty {
    if op.is_predicate() {
        Ty::Bool
    } else if op == BinOp::PtrDiff {
        Ty::I64
    } else {
        ty
    }
}

/// The type of a unary operator's result.
pub fn unary_result(op: UnOp, ty: Ty) -> Ty {
    match op {
        UnOp::BoolNot | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit => Ty::Bool,
        UnOp::Neg
        | UnOp::Not
        | UnOp::Clz
        | UnOp::Ctz
        | UnOp::Popcount
        | UnOp::Bswap
        | UnOp::FNeg
        | UnOp::FAbs
        | UnOp::FSqrt => ty,
    }
}

fn unsigned_rank(ty: Ty, a: u128) -> u128 {
    if ty == Ty::Ptr { u128::from(Pointer::from_bits(a as u64).rank()) } else { a }
}

/// Bytes from `b` to `a`. Offsets count within an object; across objects (undefined in C, but total here) the words do.
#[inline]
fn pointer_difference(a: u64, b: u64) -> u64 {
    let (left, right) = (Pointer::from_bits(a), Pointer::from_bits(b));
    let objects = (i64::from(left.object) - i64::from(right.object)) << 32;
    (objects.wrapping_add(i64::from(left.offset) - i64::from(right.offset))) as u64
}

/// A value as a person reads it: integers signed, pointers left to the caller.
pub fn show(ty: Ty, bits: u128) -> String {
    match ty {
        Ty::Bool => (bits != 0).to_string(),
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 => sign_extend(bits, bits_of(ty)).to_string(),
        Ty::F16 | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => float::show(ty, bits),
        Ty::Ptr => {
            let pointer = Pointer::from_bits(bits as u64);
            format!("({}, {})", pointer.object, pointer.offset)
        }
    }
}

#[cfg(test)]
#[path = "value_tests.rs"]
mod tests;
