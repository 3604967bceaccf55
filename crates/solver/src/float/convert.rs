//! Circuits for conversions: between formats, from and to integers, and to integral floats.

use super::unpack::{Circuit, Number};
use crate::bits::Bits;
use crate::sort::{FloatFormat, Rounding};
use crate::terms::{TermId, Terms};

impl Circuit<'_> {
    pub(super) fn convert(&mut self, to: FloatFormat, mode: Rounding, a: TermId) -> TermId {
        let number = self.unpack(a);
        let classes = self.classes(a);
        let mut target = self.of(to);
        let rounded = target.round(mode, number);
        let (nan, inf, zero) = (target.nan(), target.infinity(number.sign), target.zero(number.sign));
        target.select(&[(classes.nan, nan), (classes.inf, inf), (classes.zero, zero)], rounded)
    }

    pub(super) fn signed_to_float(&mut self, mode: Rounding, a: TermId) -> TermId {
        let sign = self.t.sign(a);
        let minus = self.t.neg(a);
        let magnitude = self.t.ite(sign, minus, a);
        self.magnitude_to_float(mode, sign, magnitude)
    }

    pub(super) fn unsigned_to_float(&mut self, mode: Rounding, a: TermId) -> TermId {
        self.magnitude_to_float(mode, Terms::FALSE, a)
    }

    /// A zero is positive, whatever the sign.
    fn magnitude_to_float(&mut self, mode: Rounding, sign: TermId, magnitude: TermId) -> TermId {
        let width = self.t.width(magnitude);
        let exp_width = self.exp_width().max(u32::BITS - width.leading_zeros() + 2);
        let exp = self.t.bv(exp_width, u64::from(width - 1));
        let number = self.normalise(Number { sign, exp, sig: magnitude });
        let rounded = self.round(mode, number);
        let (is_zero, zero) = (self.is_zero(magnitude), self.zero(Terms::FALSE));
        self.t.ite(is_zero, zero, rounded)
    }

    /// The integral part of `|a|`, rounded, as `width` bits; `a` must be below `2^width`.
    fn integral(&mut self, mode: Rounding, number: Number, width: u32) -> TermId {
        // The significand at the top of `width` integral bits, then shifted down to its weight.
        let placed = self.shorten(number.sig, width.max(self.format.precision()));
        let low = self.zeros(2);
        let placed = self.t.concat(placed, low);
        let wide = self.t.width(placed) - 2;
        let exp_width = self.t.width(number.exp).max(u32::BITS - wide.leading_zeros() + 1) + 1;
        let exp = self.exp_resize(number.exp, exp_width);
        let top = self.t.bv(exp_width, u64::from(wide - 1));
        let distance = self.t.sub(top, exp);
        let shifted = self.shift_right_sticky(placed, distance);
        let [rest, half, odd] = [0, 1, 2].map(|i| self.t.bit(shifted, i));
        let up = self.rounds_up(mode, number.sign, odd, half, rest);
        let whole = self.t.extract(wide + 1, 2, shifted);
        let carry = self.t.bool_to_bv(up);
        let (whole, carry) = (self.t.zero_ext(whole, 1), self.t.zero_ext(carry, wide));
        self.t.add(whole, carry)
    }

    pub(super) fn round_to_integral(&mut self, mode: Rounding, a: TermId) -> TermId {
        let precision = self.format.precision();
        let number = self.unpack_raw(a);
        let whole = self.integral(mode, number, precision);
        let exp = self.t.bv(self.exp_width(), u64::from(precision));
        let exact = self.normalise(Number { sign: number.sign, exp, sig: whole });
        let packed = self.round(Rounding::Zero, exact);
        let (is_zero, zero) = (self.is_zero(whole), self.zero(number.sign));
        let rounded = self.t.ite(is_zero, zero, packed);
        // Numbers this large have no fraction; infinities and NaNs have larger exponents still.
        let limit = self.t.bv(self.exp_width(), u64::from(precision - 1));
        let small = self.t.slt(number.exp, limit);
        self.t.ite(small, rounded, a)
    }

    pub(super) fn float_to_integer(&mut self, mode: Rounding, a: TermId, width: u32, signed: bool) -> TermId {
        let number = self.unpack_raw(a);
        let classes = self.classes(a);
        let whole = self.integral(mode, number, width);
        let wide = self.t.width(whole) + 1;
        let whole = self.t.zero_ext(whole, 1);
        let least = if signed { Bits::min_signed(width) } else { Bits::zero(width) };
        let most = if signed { least.not() } else { Bits::ones(width) };
        // The largest magnitude of either sign.
        let (down, up) = (self.t.constant(least.neg().resize(wide)), self.t.constant(most.resize(wide)));
        let limit = self.t.ite(number.sign, down, up);
        let beyond = self.t.ult(limit, whole);
        let exp_width = self.t.width(number.exp).max(u32::BITS - width.leading_zeros() + 2);
        let exp = self.exp_resize(number.exp, exp_width);
        let bound = self.t.bv(exp_width, u64::from(width));
        let below = self.t.slt(exp, bound);
        let far_beyond = self.t.not(below);
        let outside = self.t.or_all(&[beyond, far_beyond, classes.inf]);
        let (least, most) = (self.t.constant(least), self.t.constant(most));
        let limit = self.t.ite(number.sign, least, most);
        let low = self.t.extract(width - 1, 0, whole);
        let minus = self.t.neg(low);
        let value = self.t.ite(number.sign, minus, low);
        let zero = self.zeros(width);
        self.select(&[(classes.nan, zero), (outside, limit)], value)
    }
}
