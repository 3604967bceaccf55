//! Circuits for the arithmetic of floats.

use super::unpack::{Circuit, Number};
use crate::sort::Rounding;
use crate::terms::{TermId, Terms};

impl Circuit<'_> {
    pub(super) fn add(&mut self, mode: Rounding, a: TermId, b: TermId) -> TermId {
        // Patterns are ordered like magnitudes, so the larger operand is found without unpacking.
        let (mag_a, mag_b) = (self.magnitude(a), self.magnitude(b));
        let swap = self.t.ult(mag_a, mag_b);
        let (large, small) = (self.t.ite(swap, b, a), self.t.ite(swap, a, b));
        let (x, y) = (self.unpack_raw(large), self.unpack_raw(small));
        let sum = self.sum(mode, x, y);
        let (ca, cb) = (self.classes(a), self.classes(b));
        let opposite = self.t.xor(x.sign, y.sign);
        let indefinite = self.t.and_all(&[ca.inf, cb.inf, opposite]);
        let is_nan = self.t.or_all(&[ca.nan, cb.nan, indefinite]);
        let is_inf = self.t.or(ca.inf, cb.inf);
        let (nan, inf) = (self.nan(), self.infinity(x.sign));
        self.select(&[(is_nan, nan), (is_inf, inf)], sum)
    }

    /// The rounded sum of two finite numbers, the larger first; equal widths, not necessarily normalised.
    fn sum(&mut self, mode: Rounding, x: Number, y: Number) -> TermId {
        let width = self.t.width(x.sig) + 4;
        // One bit above for the carry, three below: half, rest, and one that normalising may shift up.
        let widen = |c: &mut Self, sig: TermId| {
            let low = c.zeros(3);
            let sig = c.t.concat(sig, low);
            c.t.zero_ext(sig, 1)
        };
        let (sx, sy) = (widen(self, x.sig), widen(self, y.sig));
        let distance = self.t.sub(x.exp, y.exp);
        let sy = self.shift_right_sticky(sy, distance);
        let opposite = self.t.xor(x.sign, y.sign);
        let (plus, minus) = (self.t.add(sx, sy), self.t.sub(sx, sy));
        let sig = self.t.ite(opposite, minus, plus);
        debug_assert_eq!(self.t.width(sig), width);
        let one = self.t.bv(self.t.width(x.exp), 1);
        let exp = self.t.add(x.exp, one);
        let number = self.normalise(Number { sign: x.sign, exp, sig });
        let rounded = self.round(mode, number);
        // An exact zero is positive, unless the mode is downwards, or both were negative.
        let cancels = self.is_zero(sig);
        let down = self.t.bool(mode == Rounding::Down);
        let sign = self.t.ite(opposite, down, x.sign);
        let zero = self.zero(sign);
        self.t.ite(cancels, zero, rounded)
    }

    pub(super) fn multiply(&mut self, mode: Rounding, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.unpack(a), self.unpack(b));
        let product = self.product(x, y);
        let rounded = self.round(mode, product);
        let (ca, cb) = (self.classes(a), self.classes(b));
        let (zero_inf, inf_zero) = (self.t.and(ca.zero, cb.inf), self.t.and(ca.inf, cb.zero));
        let is_nan = self.t.or_all(&[ca.nan, cb.nan, zero_inf, inf_zero]);
        let (is_inf, is_zero) = (self.t.or(ca.inf, cb.inf), self.t.or(ca.zero, cb.zero));
        let (nan, inf, zero) = (self.nan(), self.infinity(product.sign), self.zero(product.sign));
        self.select(&[(is_nan, nan), (is_inf, inf), (is_zero, zero)], rounded)
    }

    /// The exact product of normalised numbers, normalised, twice as long.
    fn product(&mut self, x: Number, y: Number) -> Number {
        let width = self.t.width(x.sig);
        let (wide_x, wide_y) = (self.t.zero_ext(x.sig, width), self.t.zero_ext(y.sig, width));
        let sig = self.t.mul(wide_x, wide_y);
        let exp_width = self.t.width(x.exp) + 1;
        let (ex, ey) = (self.exp_resize(x.exp, exp_width), self.exp_resize(y.exp, exp_width));
        let one = self.t.bv(exp_width, 1);
        let exp = self.t.add(ex, ey);
        let exp = self.t.add(exp, one);
        let sign = self.t.xor(x.sign, y.sign);
        self.normalise_one(Number { sign, exp, sig })
    }

    /// Shifts up by one bit if the highest is clear.
    fn normalise_one(&mut self, number: Number) -> Number {
        let width = self.t.width(number.sig);
        let top = self.t.bit(number.sig, width - 1);
        let low = self.t.extract(width - 2, 0, number.sig);
        let zero = self.zeros(1);
        let moved = self.t.concat(low, zero);
        let one = self.t.bv(self.t.width(number.exp), 1);
        let less = self.t.sub(number.exp, one);
        Number { sign: number.sign, exp: self.t.ite(top, number.exp, less), sig: self.t.ite(top, number.sig, moved) }
    }

    pub(super) fn divide(&mut self, mode: Rounding, a: TermId, b: TermId) -> TermId {
        let precision = self.format.precision();
        let (x, y) = (self.unpack(a), self.unpack(b));
        // The quotient lies between 1/2 and 2: precision + 3 bits of it, and the rest as a sticky bit.
        let low = self.zeros(precision + 2);
        let dividend = self.t.concat(x.sig, low);
        let divisor = self.t.zero_ext(y.sig, precision + 2);
        let (quotient, rest) = (self.t.udiv(dividend, divisor), self.t.urem(dividend, divisor));
        let sticky = self.nonzero(rest);
        let sticky = self.t.bool_to_bv(sticky);
        let kept = self.t.extract(precision + 2, 0, quotient);
        let sig = self.t.concat(kept, sticky);
        let width = self.exp_width() + 1;
        let (ex, ey) = (self.exp_resize(x.exp, width), self.exp_resize(y.exp, width));
        let number = Number { sign: self.t.xor(x.sign, y.sign), exp: self.t.sub(ex, ey), sig };
        let number = self.normalise_one(number);
        let rounded = self.round(mode, number);
        let (ca, cb) = (self.classes(a), self.classes(b));
        let (zeros, infs) = (self.t.and(ca.zero, cb.zero), self.t.and(ca.inf, cb.inf));
        let is_nan = self.t.or_all(&[ca.nan, cb.nan, zeros, infs]);
        let (is_inf, is_zero) = (self.t.or(ca.inf, cb.zero), self.t.or(ca.zero, cb.inf));
        let (nan, inf, zero) = (self.nan(), self.infinity(number.sign), self.zero(number.sign));
        self.select(&[(is_nan, nan), (is_inf, inf), (is_zero, zero)], rounded)
    }

    pub(super) fn fused_multiply_add(&mut self, mode: Rounding, a: TermId, b: TermId, c: TermId) -> TermId {
        let precision = self.format.precision();
        let (ca, cb, cc) = (self.classes(a), self.classes(b), self.classes(c));
        let (x, y) = (self.unpack(a), self.unpack(b));
        let product = self.product(x, y);
        let mut addend = self.unpack(c);
        // As long as the product, and with exponents of one width.
        let low = self.zeros(precision);
        addend.sig = self.t.concat(addend.sig, low);
        let width = self.t.width(product.exp);
        addend.exp = self.exp_resize(addend.exp, width);
        let product_zero = self.t.or(ca.zero, cb.zero);
        let (product, addend) = (self.or_nothing(product, product_zero), self.or_nothing(addend, cc.zero));
        let sum = self.ordered_sum(mode, product, addend);
        let (zero_inf, inf_zero) = (self.t.and(ca.zero, cb.inf), self.t.and(ca.inf, cb.zero));
        let product_inf = self.t.or(ca.inf, cb.inf);
        let opposite = self.t.xor(product.sign, addend.sign);
        let indefinite = self.t.and_all(&[product_inf, cc.inf, opposite]);
        let is_nan = self.t.or_all(&[ca.nan, cb.nan, cc.nan, zero_inf, inf_zero, indefinite]);
        let (nan, inf_product, inf_addend) = (self.nan(), self.infinity(product.sign), self.infinity(addend.sign));
        self.select(&[(is_nan, nan), (product_inf, inf_product), (cc.inf, inf_addend)], sum)
    }

    /// A zero as the number with no bits and an exponent below all others.
    fn or_nothing(&mut self, number: Number, zero: TermId) -> Number {
        let (sig_width, exp_width) = (self.t.width(number.sig), self.t.width(number.exp));
        let none = self.zeros(sig_width);
        // Low enough to lose every comparison, high enough that differences do not overflow.
        let lowest = self.t.bv_signed(exp_width, -(1 << (exp_width - 2)));
        Number { sign: number.sign, exp: self.t.ite(zero, lowest, number.exp), sig: self.t.ite(zero, none, number.sig) }
    }

    /// The rounded sum of two numbers that are normalised or nothing.
    fn ordered_sum(&mut self, mode: Rounding, x: Number, y: Number) -> TermId {
        let exp_width = self.t.width(x.exp) + 1;
        let (ex, ey) = (self.exp_resize(x.exp, exp_width), self.exp_resize(y.exp, exp_width));
        let (lower, same) = (self.t.slt(ex, ey), self.t.eq(ex, ey));
        let smaller = self.t.ult(x.sig, y.sig);
        let smaller = self.t.and(same, smaller);
        let swap = self.t.or(lower, smaller);
        let (x, y) = (Number { exp: ex, ..x }, Number { exp: ey, ..y });
        let pick = |c: &mut Self, p: Number, q: Number| Number {
            sign: c.t.ite(swap, p.sign, q.sign),
            exp: c.t.ite(swap, p.exp, q.exp),
            sig: c.t.ite(swap, p.sig, q.sig),
        };
        let (large, small) = (pick(self, y, x), pick(self, x, y));
        self.sum(mode, large, small)
    }

    pub(super) fn square_root(&mut self, mode: Rounding, a: TermId) -> TermId {
        let precision = self.format.precision();
        let x = self.unpack(a);
        let odd = self.t.bit(x.exp, 0);
        let zero = self.zeros(1);
        let (doubled, plain) = (self.t.concat(x.sig, zero), self.t.zero_ext(x.sig, 1));
        let sig = self.t.ite(odd, doubled, plain);
        let low = self.zeros(precision + 3);
        let radicand = self.t.concat(sig, low);
        let (root, rest) = self.integer_root(radicand, precision + 2);
        let sticky = self.nonzero(rest);
        let sticky = self.t.bool_to_bv(sticky);
        let sig = self.t.concat(root, sticky);
        let width = self.exp_width();
        let half = self.t.extract(width - 1, 1, x.exp);
        let exp = self.exp_resize(half, width);
        let rounded = self.round(mode, Number { sign: Terms::FALSE, exp, sig });
        let ca = self.classes(a);
        let not_zero = self.t.not(ca.zero);
        let negative = self.t.and(x.sign, not_zero);
        let is_nan = self.t.or(ca.nan, negative);
        let itself = self.t.or(ca.zero, ca.inf);
        let nan = self.nan();
        self.select(&[(is_nan, nan), (itself, a)], rounded)
    }

    /// The root of a number of `2 * digits` bits, digit by digit, and what remains.
    fn integer_root(&mut self, radicand: TermId, digits: u32) -> (TermId, TermId) {
        let width = digits + 2;
        let (mut root, mut rest) = (self.zeros(width), self.zeros(width));
        for i in (0..digits).rev() {
            let pair = self.t.extract(2 * i + 1, 2 * i, radicand);
            let low = self.t.extract(width - 3, 0, rest);
            rest = self.t.concat(low, pair);
            let one = self.t.bv(2, 1);
            let root_low = self.t.extract(width - 3, 0, root);
            let trial = self.t.concat(root_low, one);
            let fits = self.t.ule(trial, rest);
            let smaller = self.t.sub(rest, trial);
            rest = self.t.ite(fits, smaller, rest);
            let digit = self.t.bool_to_bv(fits);
            let root_low = self.t.extract(width - 2, 0, root);
            root = self.t.concat(root_low, digit);
        }
        (self.t.extract(digits - 1, 0, root), rest)
    }

    /// `x - y * n` with n the integer nearest to `x / y`, ties to even: long division, one bit at a time, as many
    /// times as the exponents can differ.
    pub(super) fn remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.unpack(a), self.unpack(b));
        let width = self.exp_width() + 1;
        let (ex, ey) = (self.exp_resize(x.exp, width), self.exp_resize(y.exp, width));
        let distance = self.t.sub(ex, ey);
        let (rest, odd) = self.long_division(x.sig, y.sig, distance);
        // In halves of the divisor's unit: if the dividend is just below it, it has not been divided at all.
        let minus_one = self.t.bv_signed(width, -1);
        let just_below = self.t.eq(distance, minus_one);
        let zero = self.zeros(1);
        let (whole, halves) = (self.t.concat(rest, zero), self.t.zero_ext(x.sig, 2));
        let rest = self.t.ite(just_below, halves, whole);
        let not_below = self.t.not(just_below);
        let odd = self.t.and(odd, not_below);
        let divisor = self.t.zero_ext(y.sig, 2);
        let (above, tie) = (self.t.ult(divisor, rest), self.t.eq(divisor, rest));
        let tie_up = self.t.and(tie, odd);
        let up = self.t.or(above, tie_up);
        let twice = self.t.add(divisor, divisor);
        let complement = self.t.sub(twice, rest);
        let sig = self.t.ite(up, complement, rest);
        let sign = self.t.xor(x.sign, up);
        // The lowest bit weighs half of the divisor's lowest bit.
        let one = self.t.bv(width, 1);
        let exp = self.t.add(ey, one);
        let number = self.normalise(Number { sign, exp, sig });
        let nonzero = self.round(Rounding::NearestEven, number);
        let is_zero = self.is_zero(sig);
        let zero = self.zero(x.sign);
        let divided = self.t.ite(is_zero, zero, nonzero);
        let far_below = self.t.slt(distance, minus_one);
        let (ca, cb) = (self.classes(a), self.classes(b));
        let is_nan = self.t.or_all(&[ca.nan, cb.nan, ca.inf, cb.zero]);
        let itself = self.t.or_all(&[far_below, cb.inf, ca.zero]);
        let nan = self.nan();
        self.select(&[(is_nan, nan), (itself, a)], divided)
    }

    /// `x * 2^distance mod y`, with one bit to spare, and whether the quotient is odd.
    fn long_division(&mut self, x: TermId, y: TermId, distance: TermId) -> (TermId, TermId) {
        let format = self.format;
        let most = 2 * format.bias() + format.precision();
        let divisor = self.t.zero_ext(y, 1);
        let (mut rest, mut odd) = (self.t.zero_ext(x, 1), Terms::FALSE);
        let width = self.t.width(distance);
        for step in (0..=most).rev() {
            // A quotient has `distance + 1` digits; before the first of them nothing happens.
            let step = self.t.bv(width, u64::from(step));
            let active = self.t.sle(step, distance);
            let fits = self.t.ule(divisor, rest);
            odd = self.t.and(active, fits);
            let smaller = self.t.sub(rest, divisor);
            rest = self.t.ite(odd, smaller, rest);
            let last = self.is_zero(step);
            let more = self.t.not(last);
            let shift = self.t.and(active, more);
            let top = self.t.width(rest) - 2;
            let (low, zero) = (self.t.extract(top, 0, rest), self.zeros(1));
            let doubled = self.t.concat(low, zero);
            rest = self.t.ite(shift, doubled, rest);
        }
        (rest, odd)
    }
}
