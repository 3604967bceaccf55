//! Operations of C that are built from the operators: overflow predicates, bit counts, `fmod`.

use super::{FloatClass, Op, TermId, Terms};
use crate::bits::Bits;
use crate::sort::{Rounding, Sort};

/// Overflow predicates: whether the exact result does not fit the operands' width.
impl Terms {
    /// Unsigned sum.
    #[track_caller]
    pub fn uadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// Signed sum: the operands agree in sign, and the sum does not.
    #[track_caller]
    pub fn sadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        let (sa, sb, ss) = (self.sign(a), self.sign(b), self.sign(sum));
        let (same, flipped) = (self.eq(sa, sb), self.xor(sa, ss));
        self.and(same, flipped)
    }

    /// Unsigned difference.
    #[track_caller]
    pub fn usub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// Signed difference: the operands differ in sign, and the difference has the sign of the second.
    #[track_caller]
    pub fn ssub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (sa, sb, sd) = (self.sign(a), self.sign(b), self.sign(difference));
        let (differ, flipped) = (self.xor(sa, sb), self.xor(sa, sd));
        self.and(differ, flipped)
    }

    /// Unsigned product.
    #[track_caller]
    pub fn umul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::BvUmulO, &[a, b])
    }

    /// Signed product.
    #[track_caller]
    pub fn smul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.make(Op::BvSmulO, &[a, b])
    }

    /// Signed negation: only the least value.
    #[track_caller]
    pub fn neg_overflows(&mut self, a: TermId) -> TermId {
        let least = self.constant(Bits::min_signed(self.width(a)));
        self.eq(a, least)
    }

    /// The highest bit, as a Boolean.
    #[track_caller]
    pub fn sign(&mut self, a: TermId) -> TermId {
        self.bit(a, self.width(a) - 1)
    }
}

/// Folds over the bits of one bit vector.
impl Terms {
    /// Number of ones, as wide as the operand.
    #[track_caller]
    pub fn popcount(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        // Pairs, then pairs of pairs: sums stay as narrow as they can be.
        let mut sums: Vec<TermId> = (0..width).map(|i| self.extract(i, i, a)).collect();
        while sums.len() > 1 {
            sums = sums.chunks(2).map(|pair| self.widening_sum(pair)).collect();
        }
        self.resize_unsigned(sums[0], width)
    }

    fn widening_sum(&mut self, pair: &[TermId]) -> TermId {
        let width = pair.iter().map(|&t| self.width(t)).max().unwrap_or(0) + 1;
        let wide: Vec<TermId> = pair.iter().map(|&t| self.resize_unsigned(t, width)).collect();
        match wide[..] {
            [a, b] => self.add(a, b),
            _ => wide[0],
        }
    }

    /// Zero-extended or cut to a width.
    #[track_caller]
    pub fn resize_unsigned(&mut self, a: TermId, width: u32) -> TermId {
        match width.checked_sub(self.width(a)) {
            Some(more) => self.zero_ext(a, more),
            None => self.extract(width - 1, 0, a),
        }
    }

    /// Sign-extended or cut to a width.
    #[track_caller]
    pub fn resize_signed(&mut self, a: TermId, width: u32) -> TermId {
        match width.checked_sub(self.width(a)) {
            Some(more) => self.sign_ext(a, more),
            None => self.extract(width - 1, 0, a),
        }
    }

    /// Number of zeros above the highest one; the width if there is none.
    #[track_caller]
    pub fn leading_zeros(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut count = self.bv(width, u64::from(width));
        for i in 0..width {
            let (bit, here) = (self.bit(a, i), self.bv(width, u64::from(width - 1 - i)));
            count = self.ite(bit, here, count);
        }
        count
    }

    /// Number of zeros below the lowest one; the width if there is none.
    #[track_caller]
    pub fn trailing_zeros(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut count = self.bv(width, u64::from(width));
        for i in (0..width).rev() {
            let (bit, here) = (self.bit(a, i), self.bv(width, u64::from(i)));
            count = self.ite(bit, here, count);
        }
        count
    }

    /// Whether the number of ones is odd.
    #[track_caller]
    pub fn parity(&mut self, a: TermId) -> TermId {
        let bits: Vec<TermId> = (0..self.width(a)).map(|i| self.bit(a, i)).collect();
        bits.into_iter().fold(Self::FALSE, |odd, bit| self.xor(odd, bit))
    }

    /// The bytes in the opposite order.
    ///
    /// # Panics
    ///
    /// If the width is not a multiple of 8.
    #[track_caller]
    pub fn byte_swap(&mut self, a: TermId) -> TermId {
        assert!(self.width(a).is_multiple_of(8), "{} bits are not a number of bytes", self.width(a));
        let bytes: Vec<TermId> = (0..self.width(a) / 8).map(|i| self.extract(i * 8 + 7, i * 8, a)).collect();
        bytes.into_iter().reduce(|high, low| self.concat(high, low)).unwrap_or(a)
    }
}

/// Floats.
impl Terms {
    /// C's `fmod`: the remainder of the truncated quotient, with the sign of the dividend.
    #[track_caller]
    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.fp_abs(a), self.fp_abs(b));
        // The IEEE remainder lies within half of y around zero; a negative one is moved up by y, exactly.
        let nearest = self.fp_rem(x, y);
        let below = {
            let negative = self.fp_is(FloatClass::Negative, nearest);
            let zero = self.fp_is(FloatClass::Zero, nearest);
            let nonzero = self.not(zero);
            self.and(negative, nonzero)
        };
        let moved = self.fp_add(Rounding::NearestEven, nearest, y);
        let rest = self.ite(below, moved, nearest);
        self.fp_copysign(rest, a)
    }

    /// The magnitude of `a` with the sign of `b`; a NaN counts as positive.
    #[track_caller]
    pub fn fp_copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let magnitude = self.fp_abs(a);
        let (minus, negative) = (self.fp_neg(magnitude), self.fp_is(FloatClass::Negative, b));
        self.ite(negative, minus, magnitude)
    }

    /// The zero, array or false of a sort: what a variable that nothing constrains is said to be.
    pub fn default_of(&mut self, sort: Sort) -> TermId {
        match sort {
            Sort::Bool => Self::FALSE,
            Sort::BitVec(width) => self.constant(Bits::zero(width)),
            Sort::Array { index, value } => {
                let zero = self.constant(Bits::zero(value));
                self.const_array(index, zero)
            }
            Sort::Float(format) => self.constant_of(sort, Bits::zero(format.width())),
        }
    }
}
