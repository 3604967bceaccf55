//! Floating-point arithmetic: `F32` and `F64` as the processor computes them, the other formats in software.
//!
//! Conversions of what does not fit follow gcc's x86-64 code, since programs are compared with compiled ones: signed
//! conversions give "integer indefinite" (the minimum of the 32- or 64-bit register that the instruction writes), and
//! unsigned ones wrap as the instruction sequences that gcc emits for them do.

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Status};

use crate::expr::{BinOp, CastOp, UnOp};
use crate::ty::Ty;
use crate::value::{bits_of, sign_extend, truncate};

/// A float operator on one operand.
pub fn unary(op: UnOp, ty: Ty, a: u128) -> u128 {
    let sign = 1u128 << (bits_of(ty) - 1);
    match op {
        UnOp::FNeg => a ^ sign,
        UnOp::FAbs => a & !sign,
        UnOp::FSignBit => u128::from(a & sign != 0),
        UnOp::FSqrt => sqrt(ty, a),
        UnOp::FIsNan => u128::from(class(ty, a) == Class::Nan),
        UnOp::FIsInf => u128::from(class(ty, a) == Class::Infinite),
        UnOp::Neg | UnOp::Not | UnOp::BoolNot | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => {
            unreachable!("an integer operator")
        }
    }
}

/// A float operator on two operands.
pub fn binary(op: BinOp, ty: Ty, a: u128, b: u128) -> u128 {
    match ty {
        Ty::F32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let arith = |value: f32| u128::from(value.to_bits());
            match op {
                BinOp::FAdd => arith(x + y),
                BinOp::FSub => arith(x - y),
                BinOp::FMul => arith(x * y),
                BinOp::FDiv => arith(x / y),
                BinOp::FRem => arith(x % y),
                _ => compare(op, x.partial_cmp(&y)),
            }
        }
        Ty::F64 => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            let arith = |value: f64| u128::from(value.to_bits());
            match op {
                BinOp::FAdd => arith(x + y),
                BinOp::FSub => arith(x - y),
                BinOp::FMul => arith(x * y),
                BinOp::FDiv => arith(x / y),
                BinOp::FRem => arith(x % y),
                _ => compare(op, x.partial_cmp(&y)),
            }
        }
        Ty::F16 => soft_binary::<Half>(op, a, b),
        Ty::F80 => soft_binary::<X87DoubleExtended>(op, a, b),
        Ty::F128 => soft_binary::<Quad>(op, a, b),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

/// A conversion from or to a float type.
pub fn cast(op: CastOp, from: Ty, to: Ty, a: u128) -> u128 {
    match op {
        CastOp::FToS => to_signed(from, a, to),
        CastOp::FToU => to_unsigned(from, a, to),
        CastOp::SToF => from_int(to, sign_extend(a, bits_of(from))),
        CastOp::UToF => from_unsigned(to, a),
        CastOp::FToF => convert(from, to, a),
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
            unreachable!("not a float conversion")
        }
    }
}

/// The value as decimal text.
pub fn show(ty: Ty, a: u128) -> String {
    match ty {
        Ty::F32 => format!("{:?}", f32::from_bits(a as u32)),
        Ty::F64 => format!("{:?}", f64::from_bits(a as u64)),
        Ty::F80 => X87DoubleExtended::from_bits(a).to_string(),
        _ => format!("{:?}", to_f64(ty, a)),
    }
}

/// The value rounded to `f64`.
pub fn to_f64(ty: Ty, a: u128) -> f64 {
    f64::from_bits(convert(ty, Ty::F64, a) as u64)
}

fn compare(op: BinOp, order: Option<std::cmp::Ordering>) -> u128 {
    u128::from(match op {
        BinOp::FEq => order.is_some_and(|o| o.is_eq()),
        BinOp::FNe => order.is_none_or(|o| o.is_ne()),
        BinOp::FLt => order.is_some_and(|o| o.is_lt()),
        BinOp::FLe => order.is_some_and(|o| o.is_le()),
        _ => unreachable!("not a float operator"),
    })
}

fn soft_binary<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    match op {
        BinOp::FAdd => (x + y).value.to_bits(),
        BinOp::FSub => (x - y).value.to_bits(),
        BinOp::FMul => (x * y).value.to_bits(),
        BinOp::FDiv => (x / y).value.to_bits(),
        BinOp::FRem => x.c_fmod(y).value.to_bits(),
        _ => compare(op, x.partial_cmp(&y)),
    }
}

#[derive(PartialEq)]
enum Class {
    Finite,
    Infinite,
    Nan,
}

fn class(ty: Ty, a: u128) -> Class {
    fn of<F: Float>(a: u128) -> Class {
        let x = F::from_bits(a);
        if x.is_nan() {
            Class::Nan
        } else if x.is_infinite() {
            Class::Infinite
        } else {
            Class::Finite
        }
    }
    match ty {
        Ty::F16 => of::<Half>(a),
        Ty::F32 => of::<Single>(a),
        Ty::F64 => of::<Double>(a),
        Ty::F80 => of::<X87DoubleExtended>(a),
        Ty::F128 => of::<Quad>(a),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

fn convert(from: Ty, to: Ty, a: u128) -> u128 {
    fn step<F>(to: Ty, a: u128) -> u128
    where
        F: FloatConvert<Half>
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<X87DoubleExtended>
            + FloatConvert<Quad>,
    {
        let x = F::from_bits(a);
        let mut lost = false;
        match to {
            Ty::F16 => FloatConvert::<Half>::convert(x, &mut lost).value.to_bits(),
            Ty::F32 => FloatConvert::<Single>::convert(x, &mut lost).value.to_bits(),
            Ty::F64 => FloatConvert::<Double>::convert(x, &mut lost).value.to_bits(),
            Ty::F80 => FloatConvert::<X87DoubleExtended>::convert(x, &mut lost).value.to_bits(),
            Ty::F128 => FloatConvert::<Quad>::convert(x, &mut lost).value.to_bits(),
            Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
        }
    }
    match from {
        _ if from == to => a,
        Ty::F16 => step::<Half>(to, a),
        Ty::F32 if to == Ty::F64 => u128::from(f64::from(f32::from_bits(a as u32)).to_bits()),
        Ty::F64 if to == Ty::F32 => u128::from((f64::from_bits(a as u64) as f32).to_bits()),
        Ty::F32 => step::<Single>(to, a),
        Ty::F64 => step::<Double>(to, a),
        Ty::F80 => step::<X87DoubleExtended>(to, a),
        Ty::F128 => step::<Quad>(to, a),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

fn from_int(to: Ty, value: i128) -> u128 {
    match to {
        Ty::F16 => Half::from_i128(value).value.to_bits(),
        Ty::F32 => u128::from((value as f32).to_bits()),
        Ty::F64 => u128::from((value as f64).to_bits()),
        Ty::F80 => X87DoubleExtended::from_i128(value).value.to_bits(),
        Ty::F128 => Quad::from_i128(value).value.to_bits(),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

fn from_unsigned(to: Ty, value: u128) -> u128 {
    match to {
        Ty::F16 => Half::from_u128(value).value.to_bits(),
        Ty::F32 => u128::from((value as f32).to_bits()),
        Ty::F64 => u128::from((value as f64).to_bits()),
        Ty::F80 => X87DoubleExtended::from_u128(value).value.to_bits(),
        Ty::F128 => Quad::from_u128(value).value.to_bits(),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

/// The float towards zero as a signed integer of `width` bits, if it fits.
fn fitting(ty: Ty, a: u128, width: usize) -> Option<i128> {
    fn of<F: Float>(a: u128, width: usize) -> Option<i128> {
        let result = F::from_bits(a).to_i128(width);
        (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
    }
    match ty {
        Ty::F16 => of::<Half>(a, width),
        Ty::F32 => of::<Single>(a, width),
        Ty::F64 => of::<Double>(a, width),
        Ty::F80 => of::<X87DoubleExtended>(a, width),
        Ty::F128 => of::<Quad>(a, width),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

fn fitting_unsigned(ty: Ty, a: u128) -> Option<u128> {
    fn of<F: Float>(a: u128) -> Option<u128> {
        let result = F::from_bits(a).to_u128(128);
        (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
    }
    match ty {
        Ty::F16 => of::<Half>(a),
        Ty::F32 => of::<Single>(a),
        Ty::F64 => of::<Double>(a),
        Ty::F80 => of::<X87DoubleExtended>(a),
        Ty::F128 => of::<Quad>(a),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

/// The register that `cvttsd2si` writes, in bits, for a signed target of `bits`.
fn signed_register(bits: u32) -> u32 {
    bits.max(32)
}

fn to_signed(from: Ty, a: u128, to: Ty) -> u128 {
    let bits = bits_of(to);
    let register = signed_register(bits);
    let value = fitting(from, a, register as usize).unwrap_or(-1 << (register - 1));
    truncate(value as u128, bits)
}

fn to_unsigned(from: Ty, a: u128, to: Ty) -> u128 {
    let bits = bits_of(to);
    match to {
        Ty::Bool | Ty::I8 | Ty::I16 => to_signed(from, a, Ty::I32) & ((1 << bits) - 1),
        Ty::I32 => truncate(to_signed(from, a, Ty::I64), 32),
        Ty::I64 => match fitting_unsigned(from, a).filter(|&v| v >> 63 == 1) {
            Some(large) => truncate(large, 64),
            // 2^64 and more: the subtraction of 2^63 leaves what does not fit, whose top bit is then flipped away.
            None if class(from, a) != Class::Nan && a >> (bits_of(from) - 1) == 0 && fitting(from, a, 64).is_none() => {
                0
            }
            None => to_signed(from, a, Ty::I64),
        },
        Ty::I128 => fitting_unsigned(from, a).unwrap_or_else(|| to_signed(from, a, Ty::I128)),
        Ty::F16 | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 | Ty::Ptr => unreachable!("not an integer type"),
    }
}

fn sqrt(ty: Ty, a: u128) -> u128 {
    match ty {
        Ty::F32 => u128::from(f32::from_bits(a as u32).sqrt().to_bits()),
        Ty::F64 => u128::from(f64::from_bits(a as u64).sqrt().to_bits()),
        // binary64 has more than twice the digits of binary16, so rounding twice is rounding once.
        Ty::F16 => convert(Ty::F64, Ty::F16, u128::from(to_f64(ty, a).sqrt().to_bits())),
        Ty::F80 => soft_sqrt::<X87DoubleExtended>(a, 64),
        Ty::F128 => soft_sqrt::<Quad>(a, 113),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => unreachable!("not a float type"),
    }
}

/// Digit-by-digit square root, one bit more than the precision, and a sticky bit for what is left.
fn soft_sqrt<F: Float>(a: u128, precision: u32) -> u128 {
    let x = F::from_bits(a);
    if x.is_zero() || x.is_nan() || (x.is_infinite() && !x.is_negative()) {
        return a;
    }
    if x.is_negative() {
        return F::NAN.to_bits() | 1 << (F::BITS - 1);
    }
    // x = mantissa * 2^exponent with an integer mantissa of `precision` bits and an even exponent.
    let mut exponent = x.ilogb() - (precision as i32 - 1);
    let mut mantissa = x.scalbn(-exponent).to_u128(128).value;
    if exponent % 2 != 0 {
        mantissa <<= 1;
        exponent -= 1;
    }
    let (mut root, mut rest) = (0u128, 0u128);
    let digits = precision + 2;
    let zeros = appended_zeros(precision, digits);
    for i in (0..digits as i32).rev() {
        // The radicand is the mantissa with zeros behind it, taken two digits at a time.
        let position = 2 * i - zeros;
        let pair = if position >= 0 { (mantissa >> position) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let scale = (exponent - zeros) / 2;
    let sticky = root << 1 | u128::from(rest != 0);
    // Round once: the integer is exact in 128 bits, and `from_u128` rounds to nearest even.
    F::from_u128(sticky).value.scalbn(scale - 1).to_bits()
}

/// Zeros appended to the mantissa: even, and enough that the root has one digit more than the precision.
fn appended_zeros(precision: u32, digits: u32) -> i32 {
    let missing = 2 * digits as i32 - (precision as i32 + 1);
    missing - missing % 2
}
