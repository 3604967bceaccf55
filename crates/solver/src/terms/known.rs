//! Known bits: what every value of a bit-vector term has in common.
//!
//! Kept for terms of at most 64 bits, computed once when a term is interned from what is known of its arguments.

use super::{Op, TermId, Terms, array_op, bits_predicate, float_op, to_float_op};
use crate::sort::Sort;

/// Bits that are certainly zero and bits that are certainly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBits {
    /// Bits that are zero in every value.
    pub zeros: u64,
    /// Bits that are one in every value.
    pub ones: u64,
}

impl KnownBits {
    /// The least unsigned value.
    pub fn min(self) -> u64 {
        self.ones
    }

    /// The greatest unsigned value of `width` bits.
    pub fn max(self, width: u32) -> u64 {
        !self.zeros & mask(width)
    }

    /// The value, if all bits are known.
    pub fn value(self, width: u32) -> Option<u64> {
        (width <= 64 && self.zeros | self.ones == mask(width)).then_some(self.ones)
    }

    /// The value of one bit; of those beyond 64 nothing is known.
    pub fn bit(self, i: u32) -> Option<bool> {
        match (self.zeros.checked_shr(i)? & 1, self.ones.checked_shr(i)? & 1) {
            (1, _) => Some(false),
            (_, 1) => Some(true),
            (_, _) => None,
        }
    }

    /// Whether the two have no value in common.
    pub fn disjoint(self, other: Self) -> bool {
        self.zeros & other.ones | self.ones & other.zeros != 0
    }

    fn not(self) -> Self {
        KnownBits { zeros: self.ones, ones: self.zeros }
    }

    /// What both know.
    pub fn common(self, other: Self) -> Self {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    /// Of numbers of `width` bits that are at most `max`.
    pub fn at_most(max: u64, width: u32) -> Self {
        let bits = 64 - max.leading_zeros();
        let zeros = if bits == 0 { mask(width) } else { mask(width) & !mask(bits) };
        KnownBits { zeros, ones: 0 }
    }

    fn constant(value: u64, width: u32) -> Self {
        KnownBits { zeros: !value & mask(width), ones: value }
    }

    /// Low bits of a sum are known as far as both operands' are.
    fn add(self, other: Self, width: u32) -> Self {
        let known = (self.zeros | self.ones) & (other.zeros | other.ones);
        let low = known.trailing_ones().min(width);
        let low_mask = if low == 0 { 0 } else { mask(low) };
        let sum = self.ones.wrapping_add(other.ones) & low_mask;
        // What two small numbers sum to is small: the high zeros survive but for one carry.
        let bits = 64 - self.max(width).max(other.max(width)).leading_zeros() + 1;
        let high = if bits < width { mask(width) & !mask(bits) } else { 0 };
        KnownBits { zeros: !sum & low_mask | high, ones: sum }
    }
}

/// The lowest `width` bits; `width` is between 1 and 64.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

impl Terms {
    /// What is known of a term's bits if this is known of its arguments; of a variable nothing.
    pub fn known_bits_from(&self, term: TermId, of: impl Fn(TermId) -> KnownBits) -> KnownBits {
        self.known_of(self.op(term), self.sort(term), self.args(term), of)
    }

    /// What is known of `op(args)`.
    pub(super) fn known_of(&self, op: Op, sort: Sort, args: &[TermId], of: impl Fn(TermId) -> KnownBits) -> KnownBits {
        let Sort::BitVec(width @ 1..=64) = sort else {
            return KnownBits::default();
        };
        let k = |i: usize| of(args[i]);
        let w = |i: usize| self.width(args[i]);
        match op {
            Op::Const(id) => KnownBits::constant(self.consts[id].to_u64().unwrap_or(0), width),
            Op::Ite => k(1).common(k(2)),
            Op::BvNot => k(0).not(),
            Op::BvAnd => KnownBits { zeros: k(0).zeros | k(1).zeros, ones: k(0).ones & k(1).ones },
            Op::BvOr => KnownBits { zeros: k(0).zeros & k(1).zeros, ones: k(0).ones | k(1).ones },
            Op::BvXor => {
                let (a, b) = (k(0), k(1));
                KnownBits { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros }
            }
            Op::BvAdd => k(0).add(k(1), width),
            Op::BvMul => {
                let low = (k(0).zeros.trailing_ones() + k(1).zeros.trailing_ones()).min(width);
                KnownBits { zeros: if low == 0 { 0 } else { mask(low) }, ones: 0 }
            }
            // A remainder is at most the dividend, and so is a quotient unless the divisor is zero.
            Op::BvUrem => KnownBits::at_most(k(0).max(width), width),
            Op::BvUdiv if k(1).ones != 0 => KnownBits::at_most(k(0).max(width), width),
            Op::Concat if w(1) < 64 => {
                let (high, low) = (k(0), k(1));
                KnownBits { zeros: high.zeros << w(1) | low.zeros, ones: high.ones << w(1) | low.ones }
            }
            Op::Extract { lo, .. } if w(0) <= 64 => {
                let of = k(0);
                KnownBits { zeros: of.zeros >> lo & mask(width), ones: of.ones >> lo & mask(width) }
            }
            Op::SignExt(_) => {
                let (of, high) = (k(0), mask(width) & !mask(w(0)));
                let sign = of.bit(w(0) - 1);
                KnownBits {
                    zeros: of.zeros | if sign == Some(false) { high } else { 0 },
                    ones: of.ones | if sign == Some(true) { high } else { 0 },
                }
            }
            Op::BvNeg | Op::BvUdiv | Op::BvSdiv | Op::BvSrem | Op::BvShl | Op::BvLshr | Op::BvAshr | Op::Concat => {
                KnownBits::default()
            }
            Op::Extract { .. } | Op::Bool(_) | Op::Var(_) | Op::Not | Op::And | Op::Eq => KnownBits::default(),
            bits_predicate!() | array_op!() | to_float_op!() | float_op!() => KnownBits::default(),
        }
    }
}
