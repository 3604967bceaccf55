//! Operators over terms: the symbolic half of the one semantics of expressions.
//!
//! Where all operands are constants, [`heddle_ir::value`] computes the result, so the machine and the unwinding cannot
//! disagree there. The rest is terms; a test holds them against [`heddle_ir::value`] on random operands.
//!
//! Representation: `Bool` is a Boolean term, integers and floats are bit vectors of their width (floats as their
//! bits), a pointer has 64 bits: object in the high half, offset in the low half, in both data models.
//!
//! Nothing here knows states or drivers: operands are terms, whatever they stand for. Weakest preconditions and
//! abstractions use it by itself.

use heddle_ir::{BinOp, CastOp, Ty, UnOp};
use heddle_solver::{Bits, FloatClass, FloatFormat, Rounding, Sort, TermId, Terms};

use heddle_ir::value;

/// An operation that has no terms yet: what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

type Result<T> = std::result::Result<T, Unsupported>;

/// Bits of a term that holds a value of this type (1 for `Bool`, which is a Boolean term).
pub fn width(ty: Ty) -> u32 {
    value::bits_of(ty)
}

/// The sort of terms of this type.
pub fn sort(ty: Ty) -> Sort {
    if ty == Ty::Bool { Sort::Bool } else { Sort::BitVec(width(ty)) }
}

/// The term of a constant.
pub fn constant(terms: &mut Terms, ty: Ty, bits: u128) -> TermId {
    if ty == Ty::Bool {
        return terms.bool(bits & 1 == 1);
    }
    match u64::try_from(bits) {
        Ok(bits) if width(ty) <= 64 => terms.bv(width(ty), bits),
        _ => terms.constant(Bits::from_u128(width(ty), bits)),
    }
}

/// The bits of a constant term.
pub fn as_bits(terms: &Terms, term: TermId) -> Option<u128> {
    match terms.as_bool(term) {
        Some(value) => Some(u128::from(value)),
        None => terms.as_const(term).and_then(Bits::to_u128),
    }
}

/// A unary operator on an operand of type `ty`.
pub fn unary(terms: &mut Terms, op: UnOp, ty: Ty, a: TermId) -> Result<TermId> {
    if let Some(bits) = as_bits(terms, a) {
        return Ok(constant(terms, value::unary_result(op, ty), value::unary(op, ty, bits)));
    }
    Ok(match op {
        UnOp::Neg => terms.neg(a),
        UnOp::Not => terms.bv_not(a),
        UnOp::BoolNot => terms.not(a),
        UnOp::Clz => terms.leading_zeros(a),
        UnOp::Ctz => terms.trailing_zeros(a),
        UnOp::Popcount => terms.popcount(a),
        UnOp::Bswap => terms.byte_swap(a),
        UnOp::FNeg => {
            let sign = sign_bit(terms, ty);
            terms.bv_xor(a, sign)
        }
        UnOp::FAbs => {
            let sign = sign_bit(terms, ty);
            let rest = terms.bv_not(sign);
            terms.bv_and(a, rest)
        }
        UnOp::FSqrt => {
            let x = float(terms, ty, a)?;
            let root = terms.fp_sqrt(Rounding::NearestEven, x);
            terms.fp_to_bits(root)
        }
        UnOp::FIsNan => {
            let x = float(terms, ty, a)?;
            terms.fp_is(FloatClass::Nan, x)
        }
        UnOp::FIsInf => {
            let x = float(terms, ty, a)?;
            terms.fp_is(FloatClass::Infinite, x)
        }
        UnOp::FSignBit => {
            let top = terms.extract(width(ty) - 1, width(ty) - 1, a);
            is_one(terms, top)
        }
    })
}

/// A binary operator on operands of type `ty` (of the left one, for `PtrAdd`).
pub fn binary(terms: &mut Terms, op: BinOp, ty: Ty, a: TermId, b: TermId) -> Result<TermId> {
    if let (Some(x), Some(y)) = (as_bits(terms, a), as_bits(terms, b)) {
        return Ok(constant(terms, value::binary_result(op, ty), value::binary(op, ty, x, y)));
    }
    let bool_operands = ty == Ty::Bool;
    Ok(match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => divide(terms, a, b, ty, Terms::udiv),
        BinOp::SDiv => divide(terms, a, b, ty, Terms::sdiv),
        // SMT-LIB's remainders by zero are the dividend, as ours are.
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::And if bool_operands => terms.and_all(&[a, b]),
        BinOp::Or if bool_operands => terms.or(a, b),
        BinOp::Xor if bool_operands => terms.xor(a, b),
        BinOp::And => terms.bv_and(a, b),
        BinOp::Or => terms.bv_or(a, b),
        BinOp::Xor => terms.bv_xor(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::Eq => terms.eq(a, b),
        BinOp::Ne => terms.ne(a, b),
        BinOp::ULt if ty == Ty::Ptr => {
            let (a, b) = (rank(terms, a), rank(terms, b));
            terms.ult(a, b)
        }
        BinOp::ULe if ty == Ty::Ptr => {
            let (a, b) = (rank(terms, a), rank(terms, b));
            terms.ule(a, b)
        }
        BinOp::ULt => terms.ult(a, b),
        BinOp::ULe => terms.ule(a, b),
        BinOp::SLt => terms.slt(a, b),
        BinOp::SLe => terms.sle(a, b),
        BinOp::SAddO => terms.sadd_overflows(a, b),
        BinOp::UAddO => terms.uadd_overflows(a, b),
        BinOp::SSubO => terms.ssub_overflows(a, b),
        BinOp::USubO => terms.usub_overflows(a, b),
        BinOp::SMulO => terms.smul_overflows(a, b),
        BinOp::UMulO => terms.umul_overflows(a, b),
        BinOp::PtrAdd => pointer_plus(terms, a, b),
        BinOp::PtrDiff => pointer_difference(terms, a, b),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => {
            let (x, y) = (float(terms, ty, a)?, float(terms, ty, b)?);
            let mode = Rounding::NearestEven;
            let result = match op {
                BinOp::FAdd => terms.fp_add(mode, x, y),
                BinOp::FSub => terms.fp_sub(mode, x, y),
                BinOp::FMul => terms.fp_mul(mode, x, y),
                BinOp::FDiv => terms.fp_div(mode, x, y),
                _ => terms.fp_fmod(x, y),
            };
            terms.fp_to_bits(result)
        }
        BinOp::FEq | BinOp::FNe | BinOp::FLt | BinOp::FLe => {
            let (x, y) = (float(terms, ty, a)?, float(terms, ty, b)?);
            match op {
                BinOp::FLt => terms.fp_lt(x, y),
                BinOp::FLe => terms.fp_le(x, y),
                _ => {
                    let equal = terms.fp_eq(x, y);
                    if op == BinOp::FEq { equal } else { terms.not(equal) }
                }
            }
        }
    })
}

/// A conversion, but those between pointers and integers under ILP32, which need the addresses of objects.
pub fn cast(terms: &mut Terms, op: CastOp, from: Ty, to: Ty, a: TermId) -> Result<TermId> {
    if let Some(bits) = as_bits(terms, a) {
        return Ok(constant(terms, to, value::cast(op, from, to, bits)));
    }
    Ok(match op {
        CastOp::Trunc if to == Ty::Bool => {
            let low = terms.extract(0, 0, a);
            is_one(terms, low)
        }
        CastOp::Trunc => terms.extract(width(to) - 1, 0, a),
        CastOp::ZExt if from == Ty::Bool => {
            let (one, zero) = (constant(terms, to, 1), constant(terms, to, 0));
            terms.ite(a, one, zero)
        }
        CastOp::ZExt => terms.zero_ext(a, width(to) - width(from)),
        CastOp::SExt => terms.sign_ext(a, width(to) - width(from)),
        CastOp::FToS => float_to_signed(terms, from, to, a)?,
        CastOp::FToU => match to {
            Ty::Bool | Ty::I8 | Ty::I16 => {
                let wide = float_to_signed(terms, from, Ty::I32, a)?;
                cast(terms, CastOp::Trunc, Ty::I32, to, wide)?
            }
            Ty::I32 => {
                let wide = float_to_signed(terms, from, Ty::I64, a)?;
                terms.extract(31, 0, wide)
            }
            Ty::I64 | Ty::I128 => float_to_unsigned(terms, from, to, a)?,
            Ty::F16 | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 | Ty::Ptr => unreachable!("not an integer type"),
        },
        CastOp::SToF => {
            let result = terms.fp_from_signed(format(to)?, Rounding::NearestEven, a);
            terms.fp_to_bits(result)
        }
        CastOp::UToF => {
            let a = if from == Ty::Bool { cast(terms, CastOp::ZExt, from, Ty::I8, a)? } else { a };
            let result = terms.fp_from_unsigned(format(to)?, Rounding::NearestEven, a);
            terms.fp_to_bits(result)
        }
        CastOp::FToF => {
            let x = float(terms, from, a)?;
            let result = terms.fp_from_fp(format(to)?, Rounding::NearestEven, x);
            terms.fp_to_bits(result)
        }
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => a,
    })
}

/// The object of a pointer.
pub fn object_of(terms: &mut Terms, pointer: TermId) -> TermId {
    terms.extract(63, 32, pointer)
}

/// The offset of a pointer, in 32 bits.
pub fn offset_of(terms: &mut Terms, pointer: TermId) -> TermId {
    terms.extract(31, 0, pointer)
}

fn divide(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    ty: Ty,
    quotient: impl FnOnce(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let zero = constant(terms, ty, 0);
    let by_zero = terms.eq(b, zero);
    let quotient = quotient(terms, a, b);
    terms.ite(by_zero, zero, quotient)
}

/// As [`value::Pointer::plus`]: an offset that leaves 32 bits becomes the least one.
fn pointer_plus(terms: &mut Terms, pointer: TermId, bytes: TermId) -> TermId {
    let (object, offset) = (object_of(terms, pointer), offset_of(terms, pointer));
    let wide = terms.sign_ext(offset, 32);
    let sum = terms.add(wide, bytes);
    let low = terms.extract(31, 0, sum);
    // An index that is known to be small cannot leave the range.
    let most = |terms: &mut Terms, term: TermId| terms.known_bits(term).max(64);
    if most(terms, wide).saturating_add(most(terms, bytes)) < 1 << 31 {
        return terms.concat(object, low);
    }
    let back = terms.sign_ext(low, 32);
    let overflows = terms.sadd_overflows(wide, bytes);
    let same = terms.eq(back, sum);
    let exact = terms.not(overflows);
    let fits = terms.and_all(&[same, exact]);
    let least = terms.bv(32, 1 << 31);
    let offset = terms.ite(fits, low, least);
    terms.concat(object, offset)
}

/// Bytes between two pointers; between different objects, what the machine computes from their bits.
fn pointer_difference(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let (x, y) = (object_of(terms, a), object_of(terms, b));
    let objects = terms.sub(x, y);
    let none = terms.bv(32, 0);
    let objects = terms.concat(objects, none);
    let (low_a, low_b) = (offset_of(terms, a), offset_of(terms, b));
    let (low_a, low_b) = (terms.sign_ext(low_a, 32), terms.sign_ext(low_b, 32));
    let near = terms.sub(low_a, low_b);
    terms.add(objects, near)
}

fn rank(terms: &mut Terms, pointer: TermId) -> TermId {
    let flip = terms.bv(64, 0x8000_0000);
    terms.bv_xor(pointer, flip)
}

fn sign_bit(terms: &mut Terms, ty: Ty) -> TermId {
    constant(terms, ty, 1 << (width(ty) - 1))
}

fn is_one(terms: &mut Terms, bit: TermId) -> TermId {
    let one = terms.bv(1, 1);
    terms.eq(bit, one)
}

fn format(ty: Ty) -> Result<FloatFormat> {
    match ty {
        Ty::F16 => Ok(FloatFormat::Half),
        Ty::F32 => Ok(FloatFormat::Single),
        Ty::F64 => Ok(FloatFormat::Double),
        Ty::F128 => Ok(FloatFormat::Quad),
        Ty::F80 => Err(Unsupported("arithmetic on symbolic values of type long double".to_owned())),
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr => {
            unreachable!("not a float type")
        }
    }
}

fn float(terms: &mut Terms, ty: Ty, bits: TermId) -> Result<TermId> {
    let format = format(ty)?;
    Ok(terms.fp_from_bits(format, bits))
}

/// As `cvttsd2si`: what does not fit the register gives its least value; narrow results are cut from 32 bits.
fn float_to_signed(terms: &mut Terms, from: Ty, to: Ty, a: TermId) -> Result<TermId> {
    let bits = width(to);
    let register = bits.max(32);
    let x = float(terms, from, a)?;
    let wide = match register {
        32 => Ty::I32,
        64 => Ty::I64,
        _ => Ty::I128,
    };
    let least = 1u128 << (register - 1);
    // The bound above is exact in every format that reaches it; in others it is infinite, and nothing is too large.
    let above = float_constant(terms, from, wide, least, false)?;
    let below = float_constant(terms, from, wide, least, true)?;
    let converted = terms.fp_to_signed(register, Rounding::Zero, x);
    let small = terms.fp_lt(x, above);
    let large = terms.fp_le(below, x);
    let mut fits = terms.and_all(&[small, large]);
    // Between the bound and the next number down, a wide format has fractions that are cut to the bound: the
    // conversion gives the bound then, which is also what does not fit gives.
    let nan = terms.fp_is(FloatClass::Nan, x);
    let number = terms.not(nan);
    fits = terms.and_all(&[fits, number]);
    let out = constant(terms, wide, least);
    let result = terms.ite(fits, converted, out);
    Ok(if bits < register { terms.extract(bits - 1, 0, result) } else { result })
}

/// As gcc's sequences for 64 and 128 bits: what a signed register holds is converted by the signed instruction, the rest
/// of the unsigned range exactly; beyond it 64 bits become 0, and 128 bits what a signed conversion gives.
fn float_to_unsigned(terms: &mut Terms, from: Ty, to: Ty, a: TermId) -> Result<TermId> {
    let x = float(terms, from, a)?;
    let bits = width(to);
    // Powers of two: exact, or infinite in formats that do not reach them, and then nothing finite is as large.
    let power = |terms: &mut Terms, exponent: u32| {
        let number = u128::from(2f64.powi(exponent as i32).to_bits());
        let bits = constant(terms, from, value::cast(CastOp::FToF, Ty::F64, from, number));
        float(terms, from, bits)
    };
    let (half, end) = (power(terms, bits - 1)?, power(terms, bits)?);
    let (large, fits) = (terms.fp_le(half, x), terms.fp_lt(x, end));
    let signed = float_to_signed(terms, from, to, a)?;
    let exact = terms.fp_to_unsigned(bits, Rounding::Zero, x);
    let beyond = if to == Ty::I64 { constant(terms, to, 0) } else { signed };
    let upper = terms.ite(fits, exact, beyond);
    Ok(terms.ite(large, upper, signed))
}

/// Plus or minus `magnitude` as a float.
fn float_constant(terms: &mut Terms, ty: Ty, wide: Ty, magnitude: u128, negative: bool) -> Result<TermId> {
    let bits = value::cast(CastOp::UToF, wide, ty, magnitude);
    let sign = if negative { 1u128 << (width(ty) - 1) } else { 0 };
    let bits = constant(terms, ty, bits | sign);
    float(terms, ty, bits)
}

#[cfg(test)]
mod tests;
