//! Unpacking, normalising, rounding and packing: what all float circuits share.

use super::{infinity, nan};
use crate::bits::Bits;
use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{FloatClass, TermId, Terms};

/// Builds circuits for one format.
pub(super) struct Circuit<'a> {
    pub(super) t: &'a mut Terms,
    pub(super) format: FloatFormat,
}

/// A finite nonzero number `sig / 2^(bits of sig - 1) * 2^exp`: `sig` has its highest bit set, `exp` is signed.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) sign: TermId,
    pub(super) exp: TermId,
    pub(super) sig: TermId,
}

/// The classes of one operand.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    pub(super) nan: TermId,
    pub(super) inf: TermId,
    pub(super) zero: TermId,
}

impl<'a> Circuit<'a> {
    pub(super) fn new(t: &'a mut Terms, format: FloatFormat) -> Self {
        Circuit { t, format }
    }

    /// Bits of a signed exponent that holds every normalised one, and some more.
    pub(super) fn exp_width(&self) -> u32 {
        self.format.exponent() + 2
    }

    pub(super) fn sign(&mut self, a: TermId) -> TermId {
        self.t.bit(a, self.format.width() - 1)
    }

    pub(super) fn magnitude(&mut self, a: TermId) -> TermId {
        self.t.extract(self.format.width() - 2, 0, a)
    }

    fn exponent(&mut self, a: TermId) -> TermId {
        self.t.extract(self.format.width() - 2, self.format.fraction(), a)
    }

    fn fraction(&mut self, a: TermId) -> TermId {
        self.t.extract(self.format.fraction() - 1, 0, a)
    }

    pub(super) fn is_zero(&mut self, bits: TermId) -> TermId {
        let zero = self.zeros(self.t.width(bits));
        self.t.eq(bits, zero)
    }

    pub(super) fn nonzero(&mut self, bits: TermId) -> TermId {
        let zero = self.is_zero(bits);
        self.t.not(zero)
    }

    fn is_ones(&mut self, bits: TermId) -> TermId {
        let ones = self.t.constant(Bits::ones(self.t.width(bits)));
        self.t.eq(bits, ones)
    }

    pub(super) fn zeros(&mut self, width: u32) -> TermId {
        self.t.constant(Bits::zero(width))
    }

    pub(super) fn is_class(&mut self, class: FloatClass, a: TermId) -> TermId {
        let (exponent, fraction, magnitude) = (self.exponent(a), self.fraction(a), self.magnitude(a));
        let (exp_ones, exp_zero) = (self.is_ones(exponent), self.is_zero(exponent));
        match class {
            FloatClass::Nan => {
                let some = self.nonzero(fraction);
                self.t.and(exp_ones, some)
            }
            FloatClass::Infinite => {
                let none = self.is_zero(fraction);
                self.t.and(exp_ones, none)
            }
            FloatClass::Zero => self.is_zero(magnitude),
            FloatClass::Normal => {
                let special = self.t.or(exp_ones, exp_zero);
                self.t.not(special)
            }
            FloatClass::Subnormal => {
                let some = self.nonzero(fraction);
                self.t.and(exp_zero, some)
            }
            FloatClass::Negative | FloatClass::Positive => {
                let (nan, sign) = (self.is_class(FloatClass::Nan, a), self.sign(a));
                let number = self.t.not(nan);
                let sign = if class == FloatClass::Negative { sign } else { self.t.not(sign) };
                self.t.and(number, sign)
            }
        }
    }

    pub(super) fn classes(&mut self, a: TermId) -> Classes {
        Classes {
            nan: self.is_class(FloatClass::Nan, a),
            inf: self.is_class(FloatClass::Infinite, a),
            zero: self.is_class(FloatClass::Zero, a),
        }
    }

    /// The pattern with every NaN replaced by the one.
    pub(super) fn canonical(&mut self, a: TermId) -> TermId {
        let (is_nan, nan) = (self.is_class(FloatClass::Nan, a), self.nan());
        self.t.ite(is_nan, nan, a)
    }

    pub(super) fn nan(&mut self) -> TermId {
        self.t.constant(nan(self.format))
    }

    /// A sign above a magnitude.
    pub(super) fn pack(&mut self, sign: TermId, magnitude: TermId) -> TermId {
        let sign = self.t.bool_to_bv(sign);
        self.t.concat(sign, magnitude)
    }

    pub(super) fn infinity(&mut self, sign: TermId) -> TermId {
        let magnitude = self.t.constant(infinity(self.format, false).resize(self.format.width() - 1));
        self.pack(sign, magnitude)
    }

    pub(super) fn zero(&mut self, sign: TermId) -> TermId {
        let magnitude = self.zeros(self.format.width() - 1);
        self.pack(sign, magnitude)
    }

    /// Significand and exponent as they are stored: a subnormal's highest bit is clear.
    pub(super) fn unpack_raw(&mut self, a: TermId) -> Number {
        let (sign, exponent, fraction) = (self.sign(a), self.exponent(a), self.fraction(a));
        let subnormal = self.is_zero(exponent);
        let hidden = self.t.not(subnormal);
        let sig = self.pack(hidden, fraction);
        let one = self.t.bv(self.format.exponent(), 1);
        let biased = self.t.ite(subnormal, one, exponent);
        let wide = self.t.zero_ext(biased, 2);
        let bias = self.t.bv(self.exp_width(), u64::from(self.format.bias()));
        Number { sign, exp: self.t.sub(wide, bias), sig }
    }

    /// Normalised, if the number is finite and not zero.
    pub(super) fn unpack(&mut self, a: TermId) -> Number {
        let raw = self.unpack_raw(a);
        self.normalise(raw)
    }

    /// Shifts the significand up until its highest bit is set.
    pub(super) fn normalise(&mut self, number: Number) -> Number {
        let (sig, zeros) = self.shift_out_zeros(number.sig);
        let zeros = self.t.resize_unsigned(zeros, self.t.width(number.exp));
        Number { sign: number.sign, exp: self.t.sub(number.exp, zeros), sig }
    }

    /// The bits shifted up past their leading zeros, and the number of these (if not all are zeros).
    fn shift_out_zeros(&mut self, bits: TermId) -> (TermId, TermId) {
        let width = self.t.width(bits);
        let stages = u32::BITS - (width - 1).leading_zeros();
        let (mut bits, mut count) = (bits, None);
        for stage in (0..stages).rev() {
            let distance = 1 << stage;
            let top = self.t.extract(width - 1, width - distance, bits);
            let clear = self.is_zero(top);
            let low = self.t.extract(width - 1 - distance, 0, bits);
            let zeros = self.zeros(distance);
            let moved = self.t.concat(low, zeros);
            bits = self.t.ite(clear, moved, bits);
            let digit = self.t.bool_to_bv(clear);
            count = Some(count.map_or(digit, |high| self.t.concat(high, digit)));
        }
        let none = self.t.bv(1, 0);
        (bits, count.unwrap_or(none))
    }

    /// Shifted right by an unsigned amount; what falls out is kept in the lowest bit.
    pub(super) fn shift_right_sticky(&mut self, bits: TermId, amount: TermId) -> TermId {
        let (width, amount_width) = (self.t.width(bits), self.t.width(amount));
        let stages = (u32::BITS - (width - 1).leading_zeros()).min(amount_width);
        let (mut bits, mut sticky) = (bits, Terms::FALSE);
        for stage in 0..stages {
            let distance = 1 << stage;
            let on = self.t.bit(amount, stage);
            let lost = self.t.extract(distance - 1, 0, bits);
            let lost = self.nonzero(lost);
            let lost = self.t.and(on, lost);
            sticky = self.t.or(sticky, lost);
            let high = self.t.extract(width - 1, distance, bits);
            let moved = self.t.zero_ext(high, distance);
            bits = self.t.ite(on, moved, bits);
        }
        if amount_width > stages {
            let beyond = self.t.extract(amount_width - 1, stages, amount);
            let (beyond, some) = (self.nonzero(beyond), self.nonzero(bits));
            let lost = self.t.and(beyond, some);
            sticky = self.t.or(sticky, lost);
            let zeros = self.zeros(width);
            bits = self.t.ite(beyond, zeros, bits);
        }
        self.or_low(bits, sticky)
    }

    /// With a Boolean or-ed into the lowest bit.
    fn or_low(&mut self, bits: TermId, low: TermId) -> TermId {
        let low = self.t.bool_to_bv(low);
        let low = self.t.zero_ext(low, self.t.width(bits) - 1);
        self.t.bv_or(bits, low)
    }

    /// The highest `width` bits; those below are kept in the lowest one. Too few are filled up with zeros.
    pub(super) fn shorten(&mut self, bits: TermId, width: u32) -> TermId {
        let have = self.t.width(bits);
        if have <= width {
            if have == width {
                return bits;
            }
            let zeros = self.zeros(width - have);
            return self.t.concat(bits, zeros);
        }
        let (high, low) = (self.t.extract(have - 1, have - width, bits), self.t.extract(have - width - 1, 0, bits));
        let lost = self.nonzero(low);
        self.or_low(high, lost)
    }

    /// Whether the last kept bit is increased, from it, the bit below and whether anything follows.
    pub(super) fn rounds_up(
        &mut self,
        mode: Rounding,
        sign: TermId,
        odd: TermId,
        half: TermId,
        rest: TermId,
    ) -> TermId {
        let inexact = self.t.or(half, rest);
        match mode {
            Rounding::NearestEven => {
                let above = self.t.or(odd, rest);
                self.t.and(half, above)
            }
            Rounding::NearestAway => half,
            Rounding::Up => {
                let positive = self.t.not(sign);
                self.t.and(positive, inexact)
            }
            Rounding::Down => self.t.and(sign, inexact),
            Rounding::Zero => Terms::FALSE,
        }
    }

    /// The pattern of a number, rounded once. The lowest bit of a long significand is sticky.
    pub(super) fn round(&mut self, mode: Rounding, number: Number) -> TermId {
        let (precision, width) = (self.format.precision(), self.t.width(number.exp).max(self.exp_width()) + 1);
        // The kept bits, one half and one rest.
        let sig = self.shorten(number.sig, precision + 2);
        let exp = self.t.resize_signed(number.exp, width);
        let least = self.t.bv_signed(width, 1 - i64::from(self.format.bias()));
        let subnormal = self.t.slt(exp, least);
        let distance = self.t.sub(least, exp);
        let shifted = self.shift_right_sticky(sig, distance);
        let sig = self.t.ite(subnormal, shifted, sig);
        let [rest, half, odd] = [0, 1, 2].map(|i| self.t.bit(sig, i));
        let up = self.rounds_up(mode, number.sign, odd, half, rest);
        // Exponent and fraction as one number: a carry of the fraction is just what the exponent needs.
        let bias = self.t.bv(width, u64::from(self.format.bias()));
        let biased = self.t.add(exp, bias);
        let biased = self.t.extract(self.format.exponent() - 1, 0, biased);
        let none = self.zeros(self.format.exponent());
        let biased = self.t.ite(subnormal, none, biased);
        let fraction = self.t.extract(precision, 2, sig);
        let magnitude = self.t.concat(biased, fraction);
        let carry = self.t.bool_to_bv(up);
        let carry = self.t.zero_ext(carry, self.format.width() - 2);
        let magnitude = self.t.add(magnitude, carry);
        let most = self.t.bv_signed(width, i64::from(self.format.bias()));
        let overflow = self.t.slt(most, exp);
        let limit = self.overflow_magnitude(mode, number.sign);
        let magnitude = self.t.ite(overflow, limit, magnitude);
        self.pack(number.sign, magnitude)
    }

    /// Infinity or the largest number, as the mode wants it.
    fn overflow_magnitude(&mut self, mode: Rounding, sign: TermId) -> TermId {
        let width = self.format.width() - 1;
        let infinite = infinity(self.format, false).resize(width);
        let largest = self.t.constant(infinite.sub(&Bits::one(width)));
        let infinite = self.t.constant(infinite);
        match mode {
            Rounding::NearestEven | Rounding::NearestAway => infinite,
            Rounding::Zero => largest,
            Rounding::Up => self.t.ite(sign, largest, infinite),
            Rounding::Down => self.t.ite(sign, infinite, largest),
        }
    }

    /// Chooses between a computed pattern and the special cases, of which the first that holds wins.
    pub(super) fn select(&mut self, cases: &[(TermId, TermId)], otherwise: TermId) -> TermId {
        let mut result = otherwise;
        for &(condition, value) in cases.iter().rev() {
            result = self.t.ite(condition, value, result);
        }
        result
    }

    /// The circuit of another format on the same terms.
    pub(super) fn of(&mut self, format: FloatFormat) -> Circuit<'_> {
        Circuit { t: self.t, format }
    }

    /// A signed number widened or cut.
    pub(super) fn exp_resize(&mut self, exp: TermId, width: u32) -> TermId {
        debug_assert!(matches!(self.t.sort(exp), Sort::BitVec(_)));
        self.t.resize_signed(exp, width)
    }
}
