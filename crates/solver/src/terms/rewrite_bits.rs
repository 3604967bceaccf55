//! Rules for moving bits: shifts, concatenation, extraction, sign extension.

use super::{Op, TermId, Terms};
use crate::bits::Bits;
use crate::sort::Sort;

impl Terms {
    /// The amount of a constant shift, at most the width.
    fn constant_shift(&self, a: TermId, by: TermId) -> Option<u32> {
        let width = self.width(a);
        self.as_const(by).map(|k| k.to_u64().map_or(width, |n| n.min(u64::from(width)) as u32))
    }

    pub(super) fn rule_shl(&mut self, a: TermId, by: TermId) -> Option<TermId> {
        let (width, n) = (self.width(a), self.constant_shift(a, by)?);
        if n == 0 {
            return Some(a);
        }
        if n == width {
            return Some(self.constant(Bits::zero(width)));
        }
        let low = self.extract(width - 1 - n, 0, a);
        Some(self.append_zeros(low, n))
    }

    pub(super) fn rule_lshr(&mut self, a: TermId, by: TermId) -> Option<TermId> {
        let (width, n) = (self.width(a), self.constant_shift(a, by)?);
        if n == width {
            return Some(self.constant(Bits::zero(width)));
        }
        let high = self.extract(width - 1, n, a);
        Some(self.zero_ext(high, n))
    }

    pub(super) fn rule_ashr(&mut self, a: TermId, by: TermId) -> Option<TermId> {
        let width = self.width(a);
        let n = self.constant_shift(a, by)?.min(width - 1);
        let high = self.extract(width - 1, n, a);
        Some(self.sign_ext(high, n))
    }

    pub(super) fn rule_concat(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(joined) = self.join(a, b) {
            return Some(joined);
        }
        // What meets in the middle may join: (x, a2) with b, or a with (b1, y).
        if self.op(a) == Op::Concat {
            let [high, middle] = *self.args(a) else { return None };
            if let Some(joined) = self.join(middle, b) {
                return Some(self.concat(high, joined));
            }
        }
        if self.op(b) == Op::Concat {
            let [middle, low] = *self.args(b) else { return None };
            if let Some(joined) = self.join(a, middle) {
                return Some(self.concat(joined, low));
            }
        }
        None
    }

    /// Two neighbours as one term: constants, or adjacent pieces of one term.
    fn join(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let joined = x.concat(y);
            return Some(self.constant(joined));
        }
        let piece = |s: &Self, t: TermId| match s.op(t) {
            Op::Extract { hi, lo } => (s.arg(t, 0), hi, lo),
            _ => (t, s.width(t) - 1, 0),
        };
        let ((x, hi, middle), (y, below, lo)) = (piece(self, a), piece(self, b));
        (x == y && middle == below + 1).then(|| self.extract(hi, lo, x))
    }

    pub(super) fn rule_extract(&mut self, hi: u32, lo: u32, a: TermId) -> Option<TermId> {
        if lo == 0 && hi + 1 == self.width(a) {
            return Some(a);
        }
        let inner = self.args(a).first().copied()?;
        match self.op(a) {
            Op::Extract { lo: below, .. } => Some(self.extract(hi + below, lo + below, inner)),
            Op::Concat => {
                let low = self.arg(a, 1);
                Some(self.extract_concat(hi, lo, inner, low))
            }
            Op::SignExt(_) => Some(self.extract_sign_ext(hi, lo, inner)),
            Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor => Some(self.extract_each(hi, lo, a)),
            // The low bits of a sum or a product come from the low bits of the operands. The wide sum is often needed
            // too, and cutting a few bits of each term of a chain would make a chain for every width.
            Op::BvAdd | Op::BvMul | Op::BvNeg if lo == 0 && hi < self.width(a) / 2 => {
                Some(self.extract_each(hi, lo, a))
            }
            Op::Ite => {
                let simple = |t: TermId| matches!(self.op(t), Op::Const(_) | Op::Concat);
                if !simple(self.arg(a, 1)) && !simple(self.arg(a, 2)) {
                    return None;
                }
                let [c, x, y] = *self.args(a) else { return None };
                let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                Some(self.ite(c, x, y))
            }
            _ => None,
        }
    }

    fn extract_concat(&mut self, hi: u32, lo: u32, high: TermId, low: TermId) -> TermId {
        let split = self.width(low);
        if hi < split {
            return self.extract(hi, lo, low);
        }
        if lo >= split {
            return self.extract(hi - split, lo - split, high);
        }
        let (upper, lower) = (self.extract(hi - split, 0, high), self.extract(split - 1, lo, low));
        self.concat(upper, lower)
    }

    fn extract_sign_ext(&mut self, hi: u32, lo: u32, inner: TermId) -> TermId {
        let width = self.width(inner);
        if hi < width {
            return self.extract(hi, lo, inner);
        }
        let from = lo.min(width - 1);
        let kept = self.extract(width - 1, from, inner);
        self.sign_ext(kept, hi - lo + 1 - (width - from))
    }

    fn extract_each(&mut self, hi: u32, lo: u32, a: TermId) -> TermId {
        let op = self.op(a);
        let args: smallvec::SmallVec<[TermId; 2]> = self.args(a).into();
        let cut: smallvec::SmallVec<[TermId; 2]> = args.into_iter().map(|t| self.extract(hi, lo, t)).collect();
        self.rewrite(op, Sort::BitVec(hi - lo + 1), &cut)
    }

    pub(super) fn rule_sign_ext(&mut self, by: u32, a: TermId) -> Option<TermId> {
        if by == 0 {
            return Some(a);
        }
        let width = self.width(a);
        if let Op::SignExt(more) = self.op(a) {
            let inner = self.arg(a, 0);
            return Some(self.sign_ext(inner, by + more));
        }
        if width > 64 {
            return None;
        }
        let sign = self.known_bits(a).bit(width - 1)?;
        let fill = if sign { Bits::ones(by) } else { Bits::zero(by) };
        let fill = self.constant(fill);
        Some(self.concat(fill, a))
    }
}
