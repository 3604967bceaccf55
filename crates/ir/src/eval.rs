//! The meaning of operators on constants: the reference semantics that constant folding uses and that faster
//! evaluators are tested against.
//!
//! A value is its bits, zero-extended to `u128`; every function expects and returns values that fit their type.
//! Pointers here are integers made pointers: what depends on an object's identity is not a constant.

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::expr::{BinOp, CastOp, UnOp};
use crate::ty::{DataModel, Ty};

/// The lowest `bits` bits.
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Bits of a value of `ty` in a register.
pub fn width(ty: Ty, model: DataModel) -> u32 {
    ty.int_bits().unwrap_or_else(|| ty.size(model) as u32 * 8)
}

/// `value` of `bits` bits as a signed number.
pub fn sign_extend(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}

/// The result of a unary operator; `None` where it is not folded.
pub fn unary(op: UnOp, ty: Ty, a: u128) -> Option<u128> {
    let bits = ty.int_bits().unwrap_or(128);
    Some(match op {
        UnOp::Neg => a.wrapping_neg() & mask(bits),
        UnOp::Not => !a & mask(bits),
        UnOp::BoolNot => a ^ 1,
        UnOp::Clz => (a.leading_zeros() - (128 - bits)) as u128,
        UnOp::Ctz => a.trailing_zeros().min(bits) as u128,
        UnOp::Popcount => a.count_ones() as u128,
        UnOp::Bswap => a.swap_bytes() >> (128 - bits),
        UnOp::FNeg => float_unary(ty, a, FloatUnary::Neg)?,
        UnOp::FAbs => float_unary(ty, a, FloatUnary::Abs)?,
        UnOp::FIsNan => float_unary(ty, a, FloatUnary::IsNan)?,
        UnOp::FIsInf => float_unary(ty, a, FloatUnary::IsInf)?,
        UnOp::FSignBit => float_unary(ty, a, FloatUnary::SignBit)?,
        UnOp::FSqrt => match ty {
            Ty::F32 => f32::from_bits(a as u32).sqrt().to_bits() as u128,
            Ty::F64 => f64::from_bits(a as u64).sqrt().to_bits() as u128,
            _ => return None,
        },
    })
}

/// The result of a binary operator on operands of type `ty` (the left one's); `None` where it is not folded.
pub fn binary(op: BinOp, ty: Ty, a: u128, b: u128) -> Option<u128> {
    let bits = match ty {
        Ty::Ptr => 64,
        _ => ty.int_bits().unwrap_or(128),
    };
    let m = mask(bits);
    let (sa, sb) = (sign_extend(a, bits), sign_extend(b, bits));
    let min = sign_extend(1 << (bits - 1), bits);
    let fits = |v: Option<i128>| v.is_some_and(|v| v >= min && v <= !min);
    Some(match op {
        BinOp::Add => a.wrapping_add(b) & m,
        BinOp::Sub => a.wrapping_sub(b) & m,
        BinOp::Mul => a.wrapping_mul(b) & m,
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::SDiv => sa.checked_div(sb).map_or(if b == 0 { 0 } else { a }, |q| q as u128) & m,
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SRem => sa.checked_rem(sb).map_or(if b == 0 { a } else { 0 }, |r| r as u128) & m,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => (if b >= bits as u128 { 0 } else { a << b }) & m,
        BinOp::LShr => {
            if b >= bits as u128 {
                0
            } else {
                a >> b
            }
        }
        BinOp::AShr => (sa >> b.min(bits as u128 - 1)) as u128 & m,
        BinOp::Eq => (a == b) as u128,
        BinOp::Ne => (a != b) as u128,
        BinOp::ULt => (a < b) as u128,
        BinOp::ULe => (a <= b) as u128,
        BinOp::SLt => (sa < sb) as u128,
        BinOp::SLe => (sa <= sb) as u128,
        BinOp::SAddO => !fits(sa.checked_add(sb)) as u128,
        BinOp::UAddO => a.checked_add(b).is_none_or(|v| v > m) as u128,
        BinOp::SSubO => !fits(sa.checked_sub(sb)) as u128,
        BinOp::USubO => (a < b) as u128,
        BinOp::SMulO => !fits(sa.checked_mul(sb)) as u128,
        BinOp::UMulO => a.checked_mul(b).is_none_or(|v| v > m) as u128,
        BinOp::PtrAdd => ptr_add(a as u64, b as u64) as u128,
        BinOp::PtrDiff => a.wrapping_sub(b) & mask(64),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => float_arith(op, ty, a, b)?,
        BinOp::FEq | BinOp::FNe | BinOp::FLt | BinOp::FLe => float_compare(op, ty, a, b)? as u128,
    })
}

/// Pointer plus bytes: the object stays, the offset saturates to `i32::MIN` when it leaves its range.
pub fn ptr_add(pointer: u64, bytes: u64) -> u64 {
    let offset = (pointer as u32 as i32 as i64).checked_add(bytes as i64).and_then(|o| i32::try_from(o).ok());
    pointer & 0xffff_ffff_0000_0000 | offset.unwrap_or(i32::MIN) as u32 as u64
}

/// The result of a conversion; `None` where it is not folded.
pub fn cast(op: CastOp, from: Ty, to: Ty, a: u128, model: DataModel) -> Option<u128> {
    let to_mask = mask(width(to, model));
    Some(match op {
        CastOp::Trunc => a & to_mask,
        CastOp::ZExt | CastOp::Bitcast => a,
        CastOp::SExt => sign_extend(a, from.int_bits()?) as u128 & to_mask,
        CastOp::FToS => float_to_signed(from, to, a)?,
        CastOp::FToU => float_to_unsigned(from, to, a)?,
        CastOp::SToF => int_to_float(to, sign_extend(a, from.int_bits()?), 0)?,
        CastOp::UToF => int_to_float(to, 0, a)?,
        CastOp::FToF => float_to_float(from, to, a)?,
        CastOp::PtrToInt | CastOp::IntToPtr => match model {
            DataModel::Lp64 => a,
            DataModel::Ilp32 => a & mask(32),
        },
    })
}

/// Runs `$body` with `$F` bound to the float type that `$ty` names.
macro_rules! with_float {
    ($ty:expr, $F:ident => $body:expr) => {
        match $ty {
            Ty::F16 => {
                type $F = Half;
                Some($body)
            }
            Ty::F32 => {
                type $F = Single;
                Some($body)
            }
            Ty::F64 => {
                type $F = Double;
                Some($body)
            }
            Ty::F80 => {
                type $F = X87DoubleExtended;
                Some($body)
            }
            Ty::F128 => {
                type $F = Quad;
                Some($body)
            }
            Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => None,
        }
    };
}

enum FloatUnary {
    Neg,
    Abs,
    IsNan,
    IsInf,
    SignBit,
}

fn float_unary(ty: Ty, a: u128, op: FloatUnary) -> Option<u128> {
    with_float!(ty, F => {
        let a = F::from_bits(a);
        match op {
            FloatUnary::Neg => (-a).to_bits(),
            FloatUnary::Abs => a.abs().to_bits(),
            FloatUnary::IsNan => a.is_nan() as u128,
            FloatUnary::IsInf => a.is_infinite() as u128,
            FloatUnary::SignBit => a.is_negative() as u128,
        }
    })
}

fn float_arith(op: BinOp, ty: Ty, a: u128, b: u128) -> Option<u128> {
    with_float!(ty, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinOp::FAdd => a + b,
            BinOp::FSub => a - b,
            BinOp::FMul => a * b,
            BinOp::FDiv => a / b,
            _ => a.c_fmod(b),
        };
        result.value.to_bits()
    })
}

fn float_compare(op: BinOp, ty: Ty, a: u128, b: u128) -> Option<bool> {
    with_float!(ty, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        match op {
            BinOp::FEq => a == b,
            BinOp::FNe => a != b,
            BinOp::FLt => a < b,
            _ => a <= b,
        }
    })
}

/// Towards zero; `None` in the inner option if it does not fit `bits` signed bits.
fn truncate_float(ty: Ty, a: u128, bits: usize) -> Option<Option<i128>> {
    with_float!(ty, F => {
        let result = F::from_bits(a).to_i128_r(bits, Round::TowardZero, &mut false);
        (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
    })
}

/// As x86 does: what does not fit becomes the minimum; narrow types go through 32 bits.
fn float_to_signed(from: Ty, to: Ty, a: u128) -> Option<u128> {
    let bits = to.int_bits()?;
    let wide = bits.max(32);
    let value = truncate_float(from, a, wide as usize)?.unwrap_or(sign_extend(1 << (wide - 1), wide));
    Some(value as u128 & mask(bits))
}

/// As gcc's x86 code does: narrow types through a wider signed conversion, 64 bits in two halves.
fn float_to_unsigned(from: Ty, to: Ty, a: u128) -> Option<u128> {
    let bits = to.int_bits()?;
    let via = match bits {
        0..=16 => 32,
        _ => 2 * bits.min(32),
    };
    if bits <= 32 {
        let value = truncate_float(from, a, via as usize)?.unwrap_or(sign_extend(1 << (via - 1), via));
        return Some(value as u128 & mask(bits));
    }
    let fits = with_float!(from, F => F::from_bits(a).to_u128_r(bits as usize, Round::TowardZero, &mut false))?;
    Some(if fits.status.contains(rustc_apfloat::Status::INVALID_OP) {
        truncate_float(from, a, bits as usize)?.unwrap_or(sign_extend(1 << (bits - 1), bits)) as u128 & mask(bits)
    } else {
        fits.value & mask(bits)
    })
}

fn int_to_float(to: Ty, signed: i128, unsigned: u128) -> Option<u128> {
    with_float!(to, F => {
        if unsigned != 0 { F::from_u128(unsigned).value.to_bits() } else { F::from_i128(signed).value.to_bits() }
    })
}

fn float_to_float(from: Ty, to: Ty, a: u128) -> Option<u128> {
    with_float!(from, F => {
        let a = F::from_bits(a);
        let mut lost = false;
        match to {
            Ty::F16 => { let r: Half = a.convert(&mut lost).value; r.to_bits() }
            Ty::F32 => { let r: Single = a.convert(&mut lost).value; r.to_bits() }
            Ty::F64 => { let r: Double = a.convert(&mut lost).value; r.to_bits() }
            Ty::F80 => { let r: X87DoubleExtended = a.convert(&mut lost).value; r.to_bits() }
            _ => { let r: Quad = a.convert(&mut lost).value; r.to_bits() }
        }
    })
}

/// The bits of a decimal or hexadecimal float literal (no suffix), rounded to nearest even.
pub fn parse_float(ty: Ty, text: &str) -> Option<u128> {
    with_float!(ty, F => text.parse::<F>().ok().map(|v: F| v.to_bits()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(op: BinOp, ty: Ty, a: i128, b: i128, expected: i128) {
        let m = mask(ty.int_bits().unwrap());
        let result_mask = if op.is_predicate() { 1 } else { m };
        assert_eq!(binary(op, ty, a as u128 & m, b as u128 & m), Some(expected as u128 & result_mask));
    }

    #[test]
    fn integers() {
        check(BinOp::Add, Ty::I8, 127, 1, -128);
        check(BinOp::SDiv, Ty::I32, i32::MIN as i128, -1, i32::MIN as i128);
        check(BinOp::SDiv, Ty::I128, i128::MIN, -1, i128::MIN);
        check(BinOp::SDiv, Ty::I32, -7, 2, -3);
        check(BinOp::SRem, Ty::I32, -7, 2, -1);
        check(BinOp::SRem, Ty::I32, 5, 0, 5);
        check(BinOp::AShr, Ty::I16, -4, 1, -2);
        check(BinOp::Shl, Ty::I32, 1, 32, 0);
        check(BinOp::SLt, Ty::I8, -1, 1, 1);
        check(BinOp::ULt, Ty::I8, -1, 1, 0);
        check(BinOp::SMulO, Ty::I32, 65536, 65536, 1);
        check(BinOp::SMulO, Ty::I128, i128::MAX, 2, 1);
        check(BinOp::UAddO, Ty::I8, 255, 1, 1);
        assert_eq!(unary(UnOp::Clz, Ty::I32, 1), Some(31));
        assert_eq!(unary(UnOp::Ctz, Ty::I32, 0), Some(32));
        assert_eq!(unary(UnOp::Bswap, Ty::I32, 0x01020304), Some(0x04030201));
    }

    #[test]
    fn pointers_saturate() {
        assert_eq!(ptr_add(5 << 32 | 8, (-8i64) as u64), 5 << 32);
        assert_eq!(ptr_add(5 << 32, (-1i64) as u64), 5 << 32 | 0xffff_ffff);
        assert_eq!(ptr_add(5 << 32, 1 << 40), 5 << 32 | 0x8000_0000);
    }

    #[test]
    fn float_conversions_follow_x86() {
        let f = |v: f64| v.to_bits() as u128;
        let to = |op, to, v| cast(op, Ty::F64, to, f(v), DataModel::Lp64).unwrap();
        assert_eq!(to(CastOp::FToS, Ty::I32, -1.9), 0xffff_ffff);
        assert_eq!(to(CastOp::FToS, Ty::I32, 1e10), 0x8000_0000);
        assert_eq!(to(CastOp::FToS, Ty::I8, 300.0), 44);
        assert_eq!(to(CastOp::FToU, Ty::I32, 4e9), 4_000_000_000);
        assert_eq!(to(CastOp::FToU, Ty::I64, 1e19), 10_000_000_000_000_000_000);
        assert_eq!(cast(CastOp::UToF, Ty::I64, Ty::F64, u64::MAX as u128, DataModel::Lp64), Some(f(u64::MAX as f64)));
        assert_eq!(parse_float(Ty::F64, "0x1.8p1"), Some(f(3.0)));
        assert_eq!(parse_float(Ty::F32, "0.1"), Some(0.1f32.to_bits() as u128));
    }
}
