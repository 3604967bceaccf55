//! Rules for Boolean structure: negation, conjunction, equality, if-then-else.

use super::{Op, TermId, Terms};
use crate::bits::Bits;
use crate::sort::Sort;

/// Conjunctions up to this length are searched for absorption.
const SHORT: usize = 6;

impl Terms {
    /// Whether one is the negation of the other.
    pub(super) fn complementary(&self, a: TermId, b: TermId) -> bool {
        let negates = |x, y| self.op(x) == Op::Not && self.arg(x, 0) == y;
        negates(a, b) || negates(b, a)
    }

    pub(super) fn rule_not(&mut self, a: TermId) -> Option<TermId> {
        (self.op(a) == Op::Not).then(|| self.arg(a, 0))
    }

    /// Sorted, without duplicates and `true`; `false` if it contains a term and its negation.
    pub(super) fn rule_and(&mut self, args: &[TermId]) -> Option<TermId> {
        let mut sorted: Vec<TermId> = args.iter().copied().filter(|&t| t != Self::TRUE).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let contradicts = |&t: &TermId| self.op(t) == Op::Not && sorted.binary_search(&self.arg(t, 0)).is_ok();
        if sorted.first() == Some(&Self::FALSE) || sorted.iter().any(contradicts) {
            return Some(Self::FALSE);
        }
        match sorted[..] {
            [] => Some(Self::TRUE),
            [only] => Some(only),
            [a, b] => self
                .absorb(a, b)
                .or_else(|| self.absorb(b, a))
                .or_else(|| (sorted != args).then(|| self.intern(Op::And, Sort::Bool, &sorted))),
            [..] => (sorted != args).then(|| self.intern(Op::And, Sort::Bool, &sorted)),
        }
    }

    /// `a & (a & …)`, `a & (!a & …)`, `a & (a | …)`, `a & (!a | …)`.
    fn absorb(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(b) == Op::And && self.args(b).len() <= SHORT {
            if self.args(b).contains(&a) {
                return Some(b);
            }
            return self.args(b).iter().any(|&t| self.complementary(a, t)).then_some(Self::FALSE);
        }
        if self.op(b) != Op::Not || self.op(self.arg(b, 0)) != Op::And {
            return None;
        }
        let inner = self.arg(b, 0);
        if self.args(inner).len() > SHORT {
            return None;
        }
        if self.args(inner).iter().any(|&t| self.complementary(a, t)) {
            return Some(a);
        }
        if self.args(inner).contains(&a) {
            let rest: Vec<TermId> = self.args(inner).iter().copied().filter(|&t| t != a).collect();
            let rest = self.and_all(&rest);
            let rest = self.not(rest);
            return Some(self.and(a, rest));
        }
        None
    }

    pub(super) fn rule_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(Self::TRUE);
        }
        match self.sort(a) {
            Sort::Bool => self.rule_iff(a, b),
            Sort::BitVec(_) => self.rule_eq_bv(a, b),
            Sort::Array { .. } | Sort::Float(_) => self.rule_eq_ite(a, b),
        }
    }

    fn rule_iff(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if b == Self::TRUE {
            return Some(a);
        }
        if b == Self::FALSE {
            return Some(self.not(a));
        }
        // Negations move out, so that a = b and a = !b share their gate.
        match (self.op(a) == Op::Not, self.op(b) == Op::Not) {
            (false, false) => self.rule_eq_ite(a, b),
            (na, nb) => {
                let (x, y) = (if na { self.arg(a, 0) } else { a }, if nb { self.arg(b, 0) } else { b });
                let same = self.eq(x, y);
                Some(if na == nb { same } else { self.not(same) })
            }
        }
    }

    fn rule_eq_bv(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (width, (ka, kb)) = (self.width(a), (self.known_bits(a), self.known_bits(b)));
        if width <= 64 && ka.disjoint(kb) {
            return Some(Self::FALSE);
        }
        if let Some(value) = self.as_const(b).cloned()
            && let Some(found) = self.rule_eq_const(a, &value)
        {
            return Some(found);
        }
        self.rule_eq_shapes(a, b).or_else(|| self.rule_eq_ite(a, b))
    }

    /// `f(x) = k` by the inverse of f.
    fn rule_eq_const(&mut self, a: TermId, k: &Bits) -> Option<TermId> {
        let inner = self.args(a).first().copied()?;
        let second = self.args(a).get(1).copied();
        let constant = second.and_then(|t| self.as_const(t)).cloned();
        match (self.op(a), constant) {
            (Op::BvNot, _) => Some(self.eq_const(inner, k.not())),
            (Op::BvNeg, _) => Some(self.eq_const(inner, k.neg())),
            (Op::BvAdd, Some(c)) => Some(self.eq_const(inner, k.sub(&c))),
            (Op::BvXor, Some(c)) => Some(self.eq_const(inner, k.xor(&c))),
            (Op::BvXor, None) if k.is_zero() => second.map(|b| self.eq(inner, b)),
            (Op::Concat, _) => {
                let low_width = self.width(second?);
                let high = self.eq_const(inner, k.extract(k.width() - 1, low_width));
                let low = self.eq_const(second?, k.extract(low_width - 1, 0));
                Some(self.and(high, low))
            }
            (Op::SignExt(_), _) => {
                let low = k.resize(self.width(inner));
                let fits = low.sign_extend(k.width()) == *k;
                Some(if fits { self.eq_const(inner, low) } else { Self::FALSE })
            }
            (Op::Ite, _) => self.rule_ite_is_const(a, k),
            (_, _) => None,
        }
    }

    fn eq_const(&mut self, a: TermId, k: Bits) -> TermId {
        let k = self.constant(k);
        self.eq(a, k)
    }

    /// `ite(c, k1, x) = k` needs no comparison for the constant branch.
    fn rule_ite_is_const(&mut self, ite: TermId, k: &Bits) -> Option<TermId> {
        let [c, a, b] = *self.args(ite) else { return None };
        let decided = |t| self.as_const(t).map(|v| v == k);
        let (on, off, rest) = match (decided(a), decided(b)) {
            (Some(same), _) => (c, same, b),
            (None, Some(same)) => (self.not(c), same, a),
            (None, None) => return None,
        };
        // `on` chooses the constant branch: there the answer is `off`, elsewhere `rest = k`.
        let else_equal = self.eq_const(rest, k.clone());
        Some(if off {
            self.or(on, else_equal)
        } else {
            let other = self.not(on);
            self.and(other, else_equal)
        })
    }

    fn rule_eq_shapes(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.op(a), self.op(b)) {
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                let (x, y) = (self.arg(a, 0), self.arg(b, 0));
                Some(self.eq(x, y))
            }
            (Op::Concat, Op::Concat) if self.width(self.arg(a, 1)) == self.width(self.arg(b, 1)) => {
                let ([ah, al], [bh, bl]) = ([self.arg(a, 0), self.arg(a, 1)], [self.arg(b, 0), self.arg(b, 1)]);
                let (high, low) = (self.eq(ah, bh), self.eq(al, bl));
                Some(self.and(high, low))
            }
            (Op::SignExt(_), Op::SignExt(_)) if self.width(self.arg(a, 0)) == self.width(self.arg(b, 0)) => {
                let (x, y) = (self.arg(a, 0), self.arg(b, 0));
                Some(self.eq(x, y))
            }
            (Op::BvAdd, Op::BvAdd) => self.rule_eq_sums(a, b),
            (Op::BvAdd, _) => self.rule_eq_sum_part(a, b),
            (_, Op::BvAdd) => self.rule_eq_sum_part(b, a),
            (_, _) => None,
        }
    }

    /// `x + y = x + z` is `y = z`.
    fn rule_eq_sums(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let ([a0, a1], [b0, b1]) = ([self.arg(a, 0), self.arg(a, 1)], [self.arg(b, 0), self.arg(b, 1)]);
        let (x, y) = match () {
            () if a0 == b0 => (a1, b1),
            () if a0 == b1 => (a1, b0),
            () if a1 == b0 => (a0, b1),
            () if a1 == b1 => (a0, b0),
            () => return None,
        };
        Some(self.eq(x, y))
    }

    /// `x + y = x` is `y = 0`.
    fn rule_eq_sum_part(&mut self, sum: TermId, part: TermId) -> Option<TermId> {
        let [x, y] = *self.args(sum) else { return None };
        let rest = if x == part {
            y
        } else if y == part {
            x
        } else {
            return None;
        };
        let zero = Bits::zero(self.width(sum));
        Some(self.eq_const(rest, zero))
    }

    /// `ite(c, a, b) = a` is `c | b = a`.
    fn rule_eq_ite(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (ite, other) in [(a, b), (b, a)] {
            if self.op(ite) != Op::Ite {
                continue;
            }
            let [c, x, y] = *self.args(ite) else { continue };
            if x == other {
                let equal = self.eq(y, other);
                return Some(self.or(c, equal));
            }
            if y == other {
                let equal = self.eq(x, other);
                let not = self.not(c);
                return Some(self.or(not, equal));
            }
        }
        None
    }

    pub(super) fn rule_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.as_bool(c) {
            return Some(if value { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if self.op(c) == Op::Not {
            let inner = self.arg(c, 0);
            return Some(self.ite(inner, b, a));
        }
        if self.sort(a) == Sort::Bool
            && let Some(found) = self.rule_ite_bool(c, a, b)
        {
            return Some(found);
        }
        if let Some(equal) = self.rule_ite_of_equal(c, a, b) {
            return Some(equal);
        }
        self.rule_ite_nested(c, a, b)
    }

    fn rule_ite_bool(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a == Self::TRUE || a == c {
            return Some(self.or(c, b));
        }
        if b == Self::FALSE || b == c {
            return Some(self.and(c, a));
        }
        if a == Self::FALSE || self.complementary(a, c) {
            let not = self.not(c);
            return Some(self.and(not, b));
        }
        if b == Self::TRUE || self.complementary(b, c) {
            return Some(self.implies(c, a));
        }
        self.complementary(a, b).then(|| self.eq(c, a))
    }

    /// `ite(x = y, x, y)` is `y`, and `ite(x = y, y, x)` is `x`.
    fn rule_ite_of_equal(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(c) != Op::Eq {
            return None;
        }
        let [x, y] = *self.args(c) else { return None };
        ((a, b) == (x, y) || (a, b) == (y, x)).then_some(b)
    }

    /// Chains: a branch that asks the same again, or ends in the same term.
    fn rule_ite_nested(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(a) == Op::Ite {
            let [c2, x, y] = *self.args(a) else { return None };
            if c2 == c {
                return Some(self.ite(c, x, b));
            }
            if y == b {
                let both = self.and(c, c2);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let not = self.not(c2);
                let both = self.and(c, not);
                return Some(self.ite(both, y, b));
            }
        }
        if self.op(b) == Op::Ite {
            let [c2, x, y] = *self.args(b) else { return None };
            if c2 == c {
                return Some(self.ite(c, a, y));
            }
            if x == a {
                let either = self.or(c, c2);
                return Some(self.ite(either, a, y));
            }
            if y == a {
                let not = self.not(c2);
                let either = self.or(c, not);
                return Some(self.ite(either, a, x));
            }
        }
        None
    }
}
