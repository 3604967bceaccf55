//! Rules for bit-vector arithmetic and comparison.

use super::{Op, TermId, Terms};
use crate::bits::Bits;

/// Products of more factors are left as they are.
const MAX_FACTORS: usize = 6;

impl Terms {
    fn const_arg(&self, term: TermId, i: usize) -> Option<Bits> {
        self.args(term).get(i).and_then(|&t| self.as_const(t)).cloned()
    }

    fn zero_of(&mut self, like: TermId) -> TermId {
        self.constant(Bits::zero(self.width(like)))
    }

    fn ones_of(&mut self, like: TermId) -> TermId {
        self.constant(Bits::ones(self.width(like)))
    }

    /// Whether one is the bitwise complement of the other.
    fn bv_complementary(&self, a: TermId, b: TermId) -> bool {
        let negates = |x, y| self.op(x) == Op::BvNot && self.arg(x, 0) == y;
        negates(a, b) || negates(b, a)
    }

    pub(super) fn rule_bv_not(&mut self, a: TermId) -> Option<TermId> {
        (self.op(a) == Op::BvNot).then(|| self.arg(a, 0))
    }

    pub(super) fn rule_neg(&mut self, a: TermId) -> Option<TermId> {
        match (self.op(a), self.const_arg(a, 1)) {
            (Op::BvNeg, _) => Some(self.arg(a, 0)),
            (Op::BvNot, _) => {
                let (inner, one) = (self.arg(a, 0), self.constant(Bits::one(self.width(a))));
                Some(self.add(inner, one))
            }
            // -(x + k) is (-k) - x: one carry-in instead of a second adder.
            (Op::BvAdd, Some(k)) => {
                let (inner, k) = (self.arg(a, 0), self.constant(k.neg()));
                let minus = self.neg(inner);
                Some(self.add(minus, k))
            }
            (Op::BvMul, Some(k)) => {
                let (inner, k) = (self.arg(a, 0), self.constant(k.neg()));
                Some(self.mul(inner, k))
            }
            (_, _) => None,
        }
    }

    pub(super) fn rule_bv_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(a);
        }
        if self.bv_complementary(a, b) {
            return Some(self.zero_of(a));
        }
        let k = self.as_const(b)?.clone();
        if k.is_zero() {
            return Some(b);
        }
        if k.is_ones() {
            return Some(a);
        }
        if self.op(a) == Op::BvAnd
            && let Some(inner) = self.const_arg(a, 1)
        {
            let (x, k) = (self.arg(a, 0), self.constant(inner.and(&k)));
            return Some(self.bv_and(x, k));
        }
        // A mask of ones is an extraction between zeros.
        let (low, high) = (k.trailing_zeros(), k.bit_length());
        (k.count_ones() == high - low).then(|| {
            let middle = self.extract(high - 1, low, a);
            let middle = self.zero_ext(middle, k.width() - high);
            self.append_zeros(middle, low)
        })
    }

    /// `a` above `count` zeros.
    pub(super) fn append_zeros(&mut self, a: TermId, count: u32) -> TermId {
        if count == 0 {
            return a;
        }
        let zeros = self.constant(Bits::zero(count));
        self.concat(a, zeros)
    }

    pub(super) fn rule_bv_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(a);
        }
        if self.bv_complementary(a, b) {
            return Some(self.ones_of(a));
        }
        let k = self.as_const(b)?.clone();
        if k.is_zero() {
            return Some(a);
        }
        if k.is_ones() {
            return Some(b);
        }
        (self.op(a) == Op::BvOr).then(|| self.const_arg(a, 1)).flatten().map(|inner| {
            let (x, k) = (self.arg(a, 0), self.constant(inner.or(&k)));
            self.bv_or(x, k)
        })
    }

    pub(super) fn rule_bv_xor(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.zero_of(a));
        }
        if self.bv_complementary(a, b) {
            return Some(self.ones_of(a));
        }
        if self.op(a) == Op::BvNot || self.op(b) == Op::BvNot {
            let (na, nb) = (self.op(a) == Op::BvNot, self.op(b) == Op::BvNot);
            let (x, y) = (if na { self.arg(a, 0) } else { a }, if nb { self.arg(b, 0) } else { b });
            let xor = self.bv_xor(x, y);
            return Some(if na == nb { xor } else { self.bv_not(xor) });
        }
        let k = self.as_const(b)?.clone();
        if k.is_zero() {
            return Some(a);
        }
        if k.is_ones() {
            return Some(self.bv_not(a));
        }
        (self.op(a) == Op::BvXor).then(|| self.const_arg(a, 1)).flatten().map(|inner| {
            let (x, k) = (self.arg(a, 0), self.constant(inner.xor(&k)));
            self.bv_xor(x, k)
        })
    }

    pub(super) fn rule_add(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(k) = self.as_const(b).cloned() {
            if k.is_zero() {
                return Some(a);
            }
            return (self.op(a) == Op::BvAdd).then(|| self.const_arg(a, 1)).flatten().map(|inner| {
                let (x, k) = (self.arg(a, 0), self.constant(inner.add(&k)));
                self.add(x, k)
            });
        }
        if a == b {
            let width = self.width(a);
            if width == 1 {
                return Some(self.zero_of(a));
            }
            let low = self.extract(width - 2, 0, a);
            return Some(self.append_zeros(low, 1));
        }
        if self.bv_complementary(a, b) {
            return Some(self.ones_of(a));
        }
        self.rule_add_cancel(a, b)
            .or_else(|| self.rule_add_cancel(b, a))
            .or_else(|| self.rule_add_constants(a, b))
            .or_else(|| self.rule_add_multiples(a, b))
    }

    /// A term as a multiple of another: `k*x`, `x << k`, `-x`, or once itself.
    fn multiple(&self, a: TermId) -> (Bits, TermId) {
        let one = Bits::one(self.width(a));
        match (self.op(a), self.const_arg(a, 1)) {
            (Op::BvNeg, _) => (one.neg(), self.arg(a, 0)),
            (Op::BvMul, Some(k)) => (k, self.arg(a, 0)),
            // A constant shift left is kept as the low bits above zeros.
            (Op::Concat, Some(low)) if low.is_zero() => match self.op(self.arg(a, 0)) {
                Op::Extract { lo: 0, .. } if self.width(self.arg(self.arg(a, 0), 0)) == self.width(a) => {
                    (one.shl_by(low.width()), self.arg(self.arg(a, 0), 0))
                }
                _ => (one, a),
            },
            (_, _) => (one, a),
        }
    }

    /// `k*x + l*x` is `(k + l)*x`, also one summand further down.
    fn rule_add_multiples(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let ((k, x), (l, y)) = (self.multiple(a), self.multiple(b));
        if x == y {
            let factor = self.constant(k.add(&l));
            return Some(self.mul(x, factor));
        }
        for (sum, other) in [(a, b), (b, a)] {
            if self.op(sum) != Op::BvAdd {
                continue;
            }
            let [p, q] = *self.args(sum) else { continue };
            let (_, base) = self.multiple(other);
            for (kept, joined) in [(p, q), (q, p)] {
                if self.multiple(joined).1 == base {
                    let joined = self.add(joined, other);
                    return Some(self.add(kept, joined));
                }
            }
        }
        None
    }

    /// `x + -x`, and `(x + -y) + y`.
    fn rule_add_cancel(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let opposite = |s: &Self, x: TermId, y: TermId| {
            (s.op(x) == Op::BvNeg && s.arg(x, 0) == y) || (s.op(y) == Op::BvNeg && s.arg(y, 0) == x)
        };
        if opposite(self, a, b) {
            return Some(self.zero_of(a));
        }
        if self.op(a) != Op::BvAdd {
            return None;
        }
        let [x, y] = *self.args(a) else { return None };
        if opposite(self, y, b) {
            return Some(x);
        }
        opposite(self, x, b).then_some(y)
    }

    /// Constants move to the outside: `(x + k) + y` is `(x + y) + k`.
    fn rule_add_constants(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (sum, other) in [(a, b), (b, a)] {
            if self.op(sum) == Op::BvAdd && self.const_arg(sum, 1).is_some() {
                let (x, k) = (self.arg(sum, 0), self.arg(sum, 1));
                let inner = self.add(x, other);
                return Some(self.add(inner, k));
            }
        }
        None
    }

    pub(super) fn rule_mul(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let Some(k) = self.as_const(b).cloned() else { return self.rule_mul_order(a, b) };
        if k.is_zero() {
            return Some(b);
        }
        if k.is_ones() && k.width() > 1 {
            return Some(self.neg(a));
        }
        if let Some(power) = k.power_of_two() {
            if power == 0 {
                return Some(a);
            }
            let low = self.extract(k.width() - 1 - power, 0, a);
            return Some(self.append_zeros(low, power));
        }
        (self.op(a) == Op::BvMul).then(|| self.const_arg(a, 1)).flatten().map(|inner| {
            let (x, k) = (self.arg(a, 0), self.constant(inner.mul(&k)));
            self.mul(x, k)
        })
    }

    /// Factors in one order, constants last, so that equal products are equal terms: multipliers are too large, and
    /// their equivalence too hard, to have one for every way of writing a product.
    fn rule_mul_order(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(a) != Op::BvMul && self.op(b) != Op::BvMul {
            return None;
        }
        let mut factors = Vec::new();
        let mut stack = vec![a, b];
        while let Some(factor) = stack.pop() {
            if self.op(factor) == Op::BvMul {
                stack.extend_from_slice(self.args(factor));
            } else {
                factors.push(factor);
            }
            if factors.len() + stack.len() > MAX_FACTORS {
                return None;
            }
        }
        factors.sort_unstable_by_key(|&t| (self.as_const(t).is_some(), t));
        let last = factors.pop()?;
        let first = factors.into_iter().reduce(|product, factor| self.mul(product, factor))?;
        // The last two factors may stand in either order: the younger goes second.
        ((first, last) != (a, b) && (last, first) != (a, b)).then(|| self.mul(first, last))
    }

    pub(super) fn rule_mul_overflows(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let k = self.as_const(b)?.clone();
        if k.is_zero() || (k.is_one() && (op == Op::BvUmulO || k.width() > 1)) {
            return Some(Self::FALSE);
        }
        if op != Op::BvUmulO {
            return None;
        }
        // a * k overflows if a exceeds the largest value that k still takes.
        let most = self.constant(Bits::ones(k.width()).udiv_urem(&k).0);
        Some(self.ult(most, a))
    }

    pub(super) fn rule_udiv(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let k = self.as_const(b)?.clone();
        if k.is_zero() {
            return Some(self.ones_of(a));
        }
        let power = k.power_of_two()?;
        let amount = self.bv(k.width(), u64::from(power));
        Some(self.lshr(a, amount))
    }

    pub(super) fn rule_urem(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let k = self.as_const(b)?.clone();
        if k.is_zero() {
            return Some(a);
        }
        let power = k.power_of_two()?;
        if power == 0 {
            return Some(self.zero_of(a));
        }
        let low = self.extract(power - 1, 0, a);
        Some(self.zero_ext(low, k.width() - power))
    }

    fn known_sign(&self, a: TermId) -> Option<bool> {
        let width = self.width(a);
        match self.as_const(a) {
            Some(k) => Some(k.is_negative()),
            None if width <= 64 => self.known_bits(a).bit(width - 1),
            None if self.op(a) == Op::Concat => self.known_sign(self.arg(a, 0)),
            None => None,
        }
    }

    pub(super) fn rule_sdiv(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return Some(self.udiv(a, b));
        }
        let k = self.as_const(b)?;
        if k.is_one() && k.width() > 1 {
            return Some(a);
        }
        (k.is_ones() && k.width() > 1).then(|| self.neg(a))
    }

    pub(super) fn rule_srem(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return Some(self.urem(a, b));
        }
        let k = self.as_const(b)?;
        (k.is_one() || k.is_ones()).then(|| self.zero_of(a))
    }

    pub(super) fn rule_ult(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if a == b {
            return Some(Self::FALSE);
        }
        if width <= 64 {
            let (ka, kb) = (self.known_bits(a), self.known_bits(b));
            if ka.max(width) < kb.min() {
                return Some(Self::TRUE);
            }
            if ka.min() >= kb.max(width) {
                return Some(Self::FALSE);
            }
        }
        if let Some(k) = self.as_const(b).cloned() {
            if k.is_zero() {
                return Some(Self::FALSE);
            }
            if k.is_one() || k.is_ones() {
                let bound = if k.is_one() { self.zero_of(a) } else { b };
                let equal = self.eq(a, bound);
                return Some(if k.is_one() { equal } else { self.not(equal) });
            }
        }
        if let Some(k) = self.as_const(a).cloned() {
            if k.is_ones() {
                return Some(Self::FALSE);
            }
            if k.is_zero() || k.add(&Bits::one(width)).is_ones() {
                let bound = if k.is_zero() { a } else { self.ones_of(a) };
                let equal = self.eq(b, bound);
                return Some(if k.is_zero() { self.not(equal) } else { equal });
            }
        }
        self.rule_ult_common_high(a, b)
    }

    /// Equal high parts do not decide: compare the low ones.
    fn rule_ult_common_high(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let split = [a, b].iter().find(|&&t| self.op(t) == Op::Concat).map(|&t| self.width(self.arg(t, 1)))?;
        let width = self.width(a);
        let shaped =
            |t: TermId| self.as_const(t).is_some() || (self.op(t) == Op::Concat && self.width(self.arg(t, 1)) == split);
        if !shaped(a) || !shaped(b) {
            return None;
        }
        let (high_a, high_b) = (self.extract(width - 1, split, a), self.extract(width - 1, split, b));
        (high_a == high_b).then(|| {
            let (low_a, low_b) = (self.extract(split - 1, 0, a), self.extract(split - 1, 0, b));
            self.ult(low_a, low_b)
        })
    }

    pub(super) fn rule_slt(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(Self::FALSE);
        }
        match (self.known_sign(a), self.known_sign(b)) {
            (Some(true), Some(false)) => return Some(Self::TRUE),
            (Some(false), Some(true)) => return Some(Self::FALSE),
            (Some(true), Some(true)) | (Some(false), Some(false)) => return Some(self.ult(a, b)),
            (_, _) => {}
        }
        if let Some(k) = self.as_const(b).cloned() {
            if k == Bits::min_signed(k.width()) {
                return Some(Self::FALSE);
            }
            if k.is_zero() {
                return Some(self.sign(a));
            }
            if let Some(found) = self.rule_slt_extended(a, &k, true) {
                return Some(found);
            }
        }
        if let Some(k) = self.as_const(a).cloned() {
            if k == Bits::min_signed(k.width()).not() {
                return Some(Self::FALSE);
            }
            if k.is_ones() {
                let sign = self.sign(b);
                return Some(self.not(sign));
            }
            return self.rule_slt_extended(b, &k, false);
        }
        let both = matches!((self.op(a), self.op(b)), (Op::SignExt(_), Op::SignExt(_)));
        let (x, y) = (self.args(a).first().copied()?, self.args(b).first().copied()?);
        (both && self.width(x) == self.width(y)).then(|| self.slt(x, y))
    }

    /// A sign-extended term against a constant: compare without the extension, or not at all.
    fn rule_slt_extended(&mut self, a: TermId, k: &Bits, constant_right: bool) -> Option<TermId> {
        let Op::SignExt(_) = self.op(a) else { return None };
        let inner = self.arg(a, 0);
        let low = k.resize(self.width(inner));
        if low.sign_extend(k.width()) != *k {
            // Beyond the range of the narrow term, on the side that its sign names.
            return Some(self.bool(k.is_negative() != constant_right));
        }
        let low = self.constant(low);
        Some(if constant_right { self.slt(inner, low) } else { self.slt(low, inner) })
    }
}
