//! Circuits evaluated on machine words.
//!
//! Millions of operands go through the circuits of floats. Where no value is wider than 128 bits, words do it many
//! times faster than values of any width; what does not fit is left to the general evaluation.

use super::floats::Step;
use crate::bits::Bits;
use crate::sort::Sort;
use crate::terms::Op;
use crate::value::Value;

/// The value of the last step; nothing if some step is too wide, or has an operator that circuits hardly use.
pub(super) fn eval(steps: &[Step], operands: &[Value]) -> Option<u128> {
    let mut done: Vec<u128> = Vec::with_capacity(steps.len());
    for step in steps {
        let word = match step {
            Step::Operand(i) => from_value(&operands[*i])?,
            Step::Constant(value) => from_value(value)?,
            Step::Apply { op, sort, sorts, args } => {
                let arg = |i: usize| done[args[i]];
                match op {
                    Op::And => u128::from(args.iter().all(|&a| done[a] == 1)),
                    Op::Ite => arg(if arg(0) == 1 { 1 } else { 2 }),
                    _ if args.len() == 1 => unary(*op, width(sorts[0])?, arg(0))? & mask(width(*sort)?),
                    _ => binary(*op, width(sorts[1])?, arg(0), arg(1))? & mask(width(*sort)?),
                }
            }
        };
        done.push(word);
    }
    done.pop()
}

/// A word as a value of a sort.
pub(super) fn to_value(word: u128, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(word == 1),
        Sort::BitVec(_) | Sort::Float(_) | Sort::Array { .. } => {
            Value::Bits(Bits::from_u128(width(sort).unwrap_or(1), word))
        }
    }
}

fn from_value(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(b) => Some(u128::from(*b)),
        Value::Bits(bits) if bits.width() <= 128 => bits.to_u128(),
        Value::Bits(_) | Value::Array(_) => None,
    }
}

fn width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width).filter(|&w| w <= 128),
        Sort::Float(format) => Some(format.width()),
        Sort::Array { .. } => None,
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(a: u128, width: u32) -> i128 {
    (a << (128 - width)) as i128 >> (128 - width)
}

/// The result may have bits beyond its width.
fn unary(op: Op, width: u32, a: u128) -> Option<u128> {
    Some(match op {
        Op::Not | Op::BvNot => !a,
        Op::BvNeg => a.wrapping_neg(),
        Op::Extract { lo, .. } => a >> lo,
        Op::SignExt(_) => signed(a, width) as u128,
        // Left to the general evaluation, like all that is not here.
        _ => return None,
    })
}

/// The result may have bits beyond its width; `width` is that of `b`, and but for concatenations that of `a`.
fn binary(op: Op, width: u32, a: u128, b: u128) -> Option<u128> {
    let by = u32::try_from(b).unwrap_or(u32::MAX);
    Some(match op {
        Op::Eq => u128::from(a == b),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a.wrapping_add(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvShl => a.checked_shl(by).unwrap_or(0),
        Op::BvLshr => a.checked_shr(by).unwrap_or(0),
        Op::BvAshr => (signed(a, width) >> by.min(127)) as u128,
        Op::Concat => a.checked_shl(width).unwrap_or(0) | b,
        Op::BvUlt => u128::from(a < b),
        Op::BvSlt => u128::from(signed(a, width) < signed(b, width)),
        _ => return None,
    })
}
