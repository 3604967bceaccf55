//! Float operators on values, by `rustc_apfloat`.
//!
//! What that library lacks is here: square roots, and conversions from and to integers of any width.

use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::{canonical, infinity, is_nan, nan};
use crate::bits::Bits;
use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{FloatClass, Op};
use crate::terms::{array_op, bits_op, bits_predicate, core_op, float_op, leaf_op, to_float_op};
use crate::value::Value;

/// A format's type in `rustc_apfloat`: every format converts to and from the widest.
trait Ieee: Float + FloatConvert<Quad> {
    fn of_quad(value: Quad, round: Round) -> Self;
}

macro_rules! ieee {
    ($($type:ty),*) => {$(
        impl Ieee for $type {
            fn of_quad(value: Quad, round: Round) -> Self {
                let mut inexact = false;
                FloatConvert::<$type>::convert_r(value, round, &mut inexact).value
            }
        }
    )*};
}
ieee!(Half, Single, Double, Quad);

fn round_of(mode: Rounding) -> Round {
    match mode {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    }
}

/// Calls a function that is generic over the format's type.
macro_rules! dispatch {
    ($format:expr, $function:ident($($arg:expr),*)) => {
        match $format {
            FloatFormat::Half => $function::<Half>($($arg),*),
            FloatFormat::Single => $function::<Single>($($arg),*),
            FloatFormat::Double => $function::<Double>($($arg),*),
            FloatFormat::Quad => $function::<Quad>($($arg),*),
        }
    };
}

fn decode<F: Float>(bits: &Bits) -> F {
    F::from_bits(bits.to_u128().unwrap_or(0))
}

fn encode<F: Float>(format: FloatFormat, value: F) -> Bits {
    if value.is_nan() { nan(format) } else { Bits::from_u128(format.width(), value.to_bits()) }
}

fn format_of(sort: Sort) -> FloatFormat {
    match sort {
        Sort::Float(format) => format,
        Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } => unreachable!("a float operator on {sort}"),
    }
}

/// A float operator on patterns; `sort` is that of the first argument, and there are as many as the operator takes.
pub(crate) fn apply(op: Op, sort: Sort, args: &[&Bits]) -> Value {
    match op {
        Op::FpFromBits(format) => Value::Bits(canonical(format, args[0])),
        Op::FpFromSigned(format, mode) => {
            Value::Bits(from_integer(format, mode, args[0].is_negative(), &args[0].abs()))
        }
        Op::FpFromUnsigned(format, mode) => Value::Bits(from_integer(format, mode, false, args[0])),
        float_op!() => dispatch!(format_of(sort), apply_in(op, format_of(sort), args)),
        leaf_op!() | core_op!() | bits_op!() | bits_predicate!() | array_op!() => no_float_operator(op),
    }
}

fn apply_in<F: Ieee>(op: Op, format: FloatFormat, args: &[&Bits]) -> Value {
    let a = args[0];
    let float = |i: usize| -> F { decode(args[i]) };
    let number = |value: F| Value::Bits(encode(format, value));
    match op {
        Op::FpToBits => Value::Bits(a.clone()),
        Op::FpAbs => number(float(0).abs()),
        Op::FpNeg => number(-float(0)),
        Op::FpAdd(mode) => number(float(0).add_r(float(1), round_of(mode)).value),
        Op::FpMul(mode) => number(float(0).mul_r(float(1), round_of(mode)).value),
        Op::FpDiv(mode) => number(float(0).div_r(float(1), round_of(mode)).value),
        Op::FpFma(mode) => number(float(0).mul_add_r(float(1), float(2), round_of(mode)).value),
        Op::FpSqrt(mode) => Value::Bits(sqrt(format, mode, a)),
        Op::FpRem => number(float(0).ieee_rem(float(1)).value),
        Op::FpRound(mode) => number(float(0).round_to_integral(round_of(mode)).value),
        Op::FpMin => {
            let first = prefers_first(format, a, args[1], float(0) < float(1), a.is_negative());
            number(float(if first { 0 } else { 1 }))
        }
        Op::FpMax => {
            let first = prefers_first(format, a, args[1], float(0) > float(1), !a.is_negative());
            number(float(if first { 0 } else { 1 }))
        }
        Op::FpLt => Value::Bool(float(0) < float(1)),
        Op::FpLe => Value::Bool(float(0) <= float(1)),
        Op::FpEq => Value::Bool(float(0) == float(1)),
        Op::FpIs(class) => Value::Bool(is_class(format, class, a)),
        Op::FpFromFp(to, mode) => Value::Bits(convert(float(0), to, mode)),
        Op::FpToSigned(width, mode) => Value::Bits(to_integer::<F>(format, mode, a, width, true)),
        Op::FpToUnsigned(width, mode) => Value::Bits(to_integer::<F>(format, mode, a, width, false)),
        to_float_op!() | leaf_op!() | core_op!() | bits_op!() | bits_predicate!() | array_op!() => {
            no_float_operator(op)
        }
    }
}

fn no_float_operator(op: Op) -> ! {
    unreachable!("{op:?} does not take floats")
}

/// The choice of minimum and maximum: no NaN if there is a choice, and zeros by their sign.
fn prefers_first(format: FloatFormat, a: &Bits, b: &Bits, better: bool, sign_wins: bool) -> bool {
    let zero = |bits: &Bits| is_class(format, FloatClass::Zero, bits);
    if is_nan(format, a) {
        return false;
    }
    is_nan(format, b) || if zero(a) && zero(b) { sign_wins } else { better }
}

fn is_class(format: FloatFormat, class: FloatClass, a: &Bits) -> bool {
    let magnitude = a.and(&Bits::min_signed(format.width()).not());
    let exponent = a.extract(format.width() - 2, format.fraction());
    let nan = is_nan(format, a);
    match class {
        FloatClass::Nan => nan,
        FloatClass::Infinite => magnitude == infinity(format, false),
        FloatClass::Zero => magnitude.is_zero(),
        FloatClass::Normal => !exponent.is_zero() && !exponent.is_ones(),
        FloatClass::Subnormal => exponent.is_zero() && !magnitude.is_zero(),
        FloatClass::Negative => !nan && a.is_negative(),
        FloatClass::Positive => !nan && !a.is_negative(),
    }
}

/// To another format: every value is exact in the widest, so only the second step rounds.
fn convert<F: Ieee>(x: F, to: FloatFormat, mode: Rounding) -> Bits {
    let mut inexact = false;
    let wide: Quad = x.convert(&mut inexact).value;
    narrow(wide, to, mode)
}

fn narrow(wide: Quad, to: FloatFormat, mode: Rounding) -> Bits {
    fn narrow_in<F: Ieee>(wide: Quad, to: FloatFormat, mode: Rounding) -> Bits {
        encode(to, F::of_quad(wide, round_of(mode)))
    }
    dispatch!(to, narrow_in(wide, to, mode))
}

/// A number of any width: what exceeds the widest significand is kept as a sticky bit, so rounding happens once.
fn from_integer(format: FloatFormat, mode: Rounding, negative: bool, magnitude: &Bits) -> Bits {
    // Large enough that the lowest kept bit lies below every format's rounding position.
    const KEPT: u32 = 120;
    let cut = magnitude.bit_length().saturating_sub(KEPT);
    let sticky = magnitude.trailing_zeros() < cut;
    let kept = magnitude.lshr_by(cut).to_u128().unwrap_or(0) | u128::from(sticky);
    round_scaled(format, mode, negative, kept, cut as i32)
}

/// `±significand * 2^exponent`, rounded once; the lowest bit of a long significand is sticky.
fn round_scaled(format: FloatFormat, mode: Rounding, negative: bool, significand: u128, exponent: i32) -> Bits {
    // Cut to what is exact in the widest format, one sticky bit included, unless that is the target.
    let extra = (128 - significand.leading_zeros()).saturating_sub(112);
    let (significand, exponent) = match format {
        FloatFormat::Quad => (significand, exponent),
        FloatFormat::Half | FloatFormat::Single | FloatFormat::Double => {
            let lost = significand & ((1 << extra) - 1) != 0;
            (significand >> extra | u128::from(lost), exponent + extra as i32)
        }
    };
    // Directions are those of the magnitude.
    let mirrored = match mode {
        Rounding::Up if negative => Rounding::Down,
        Rounding::Down if negative => Rounding::Up,
        Rounding::Up | Rounding::Down | Rounding::NearestEven | Rounding::NearestAway | Rounding::Zero => mode,
    };
    let round = round_of(mirrored);
    let wide = Quad::from_u128_r(significand, round).value.scalbn_r(exponent, round);
    let magnitude = narrow(wide, format, mirrored);
    if negative { magnitude.or(&Bits::min_signed(format.width())) } else { magnitude }
}

/// Sign, significand and exponent of a finite number: `±significand * 2^exponent`.
fn unpack(format: FloatFormat, a: &Bits) -> (bool, Bits, i32) {
    let fraction = a.extract(format.fraction() - 1, 0);
    let biased = a.extract(format.width() - 2, format.fraction()).to_u64().unwrap_or(0) as i32;
    let hidden = Bits::one(format.precision()).shl_by(if biased == 0 { format.precision() } else { format.fraction() });
    let significand = fraction.resize(format.precision()).or(&hidden);
    (a.is_negative(), significand, biased.max(1) - format.bias() as i32 - format.fraction() as i32)
}

fn sqrt(format: FloatFormat, mode: Rounding, a: &Bits) -> Bits {
    let zero = is_class(format, FloatClass::Zero, a);
    if is_nan(format, a) || (a.is_negative() && !zero) {
        return nan(format);
    }
    if zero || is_class(format, FloatClass::Infinite, a) {
        return a.clone();
    }
    let (_, significand, exponent) = unpack(format, a);
    // An even exponent, and a root two bits longer than the format's significand.
    let shift = 2 * format.precision() + 4 - significand.bit_length();
    let shift = if (exponent - shift as i32) % 2 == 0 { shift } else { shift + 1 };
    let (root, exact) = integer_sqrt(&significand.resize(256).shl_by(shift));
    let significand = root << 1 | u128::from(!exact);
    round_scaled(format, mode, false, significand, (exponent - shift as i32) / 2 - 1)
}

/// The largest number whose square is at most `square`, and whether it is equal. Roots have fewer than 128 bits.
fn integer_sqrt(square: &Bits) -> (u128, bool) {
    // All formats but the widest: a word is enough, and a thousand times faster.
    if let Some(square) = square.to_u128() {
        let root = square.isqrt();
        return (root, root * root == square);
    }
    let mut root = Bits::zero(square.width());
    for i in (0..square.bit_length().div_ceil(2)).rev() {
        let candidate = root.or(&Bits::one(square.width()).shl_by(i));
        if !square.ult(&candidate.mul(&candidate)) {
            root = candidate;
        }
    }
    (root.to_u128().unwrap_or(0), root.mul(&root) == *square)
}

fn to_integer<F: Ieee>(format: FloatFormat, mode: Rounding, a: &Bits, width: u32, signed: bool) -> Bits {
    if is_nan(format, a) {
        return Bits::zero(width);
    }
    let least = if signed { Bits::min_signed(width) } else { Bits::zero(width) };
    let most = if signed { Bits::min_signed(width).not() } else { Bits::ones(width) };
    let bound = if a.is_negative() { least.clone() } else { most.clone() };
    if is_class(format, FloatClass::Infinite, a) {
        return bound;
    }
    let integral = encode(format, decode::<F>(a).round_to_integral(round_of(mode)).value);
    let (negative, significand, exponent) = unpack(format, &integral);
    if significand.bit_length() as i32 + exponent > width as i32 {
        return bound;
    }
    // One bit to spare for the comparison with the bounds.
    let wide = width.max(format.precision()) + 1;
    let shifted = match u32::try_from(exponent) {
        Ok(up) => significand.resize(wide).shl_by(up),
        Err(_) => significand.resize(wide).lshr_by(exponent.unsigned_abs()),
    };
    let limit = if negative { least.neg() } else { most };
    if limit.resize(wide).ult(&shifted) {
        return bound;
    }
    if negative { shifted.neg().resize(width) } else { shifted.resize(width) }
}
