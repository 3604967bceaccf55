//! Floats to bit vectors: every float term becomes a term of its bit pattern.
//!
//! The circuits are ordinary terms, so they are rewritten, shared and printed like all others. A pattern is always
//! canonical (one NaN), which makes equality of floats equality of patterns; only variables and patterns that come
//! from outside need a correction.

use rustc_hash::FxHashMap;

use super::unpack::Circuit;
use crate::sort::{FloatFormat, Sort};
use crate::terms::{FloatClass, Op, TermId, Terms};

/// The replacements made so far.
#[derive(Default)]
pub(crate) struct Lowering {
    done: FxHashMap<TermId, TermId>,
    /// Pattern variables and the float variables that they stand for.
    variables: Vec<(TermId, TermId)>,
}

impl Lowering {
    /// The same term without floats.
    pub(crate) fn lower(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        if !terms.has_float(root) {
            return root;
        }
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.get(terms, top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(top).iter().copied().filter(|&t| self.get(terms, t).is_none()));
            if stack.len() == before {
                let lowered = self.lower_node(terms, top);
                self.done.insert(top, lowered);
                stack.pop();
            }
        }
        self.done[&root]
    }

    /// Pairs of a pattern variable and its float variable.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (TermId, TermId)> + '_ {
        self.variables.iter().copied()
    }

    fn get(&self, terms: &Terms, term: TermId) -> Option<TermId> {
        if terms.has_float(term) { self.done.get(&term).copied() } else { Some(term) }
    }

    fn lower_node(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let old: Vec<TermId> = terms.args(term).to_vec();
        let args: Vec<TermId> = old.iter().filter_map(|&t| self.get(terms, t)).collect();
        let op = terms.op(term);
        match (op, terms.sort(term)) {
            (Op::Var(var), Sort::Float(format)) => {
                let name = format!("{}!pattern", terms.var_name(var));
                let Ok(pattern) = terms.fresh(&name, Sort::BitVec(format.width())) else { return term };
                self.variables.push((pattern, term));
                Circuit::new(terms, format).canonical(pattern)
            }
            (Op::Const(_), Sort::Float(_)) => {
                let bits = terms.as_const(term).cloned();
                bits.map_or(term, |bits| terms.constant(bits))
            }
            (Op::FpFromBits(format) | Op::FpFromSigned(format, _) | Op::FpFromUnsigned(format, _), _) => {
                lower_operator(terms, op, format, &args)
            }
            (_, _) => match old.first().map(|&t| terms.sort(t)) {
                Some(Sort::Float(format)) if op != Op::Eq => lower_operator(terms, op, format, &args),
                _ => terms.make(op, &args),
            },
        }
    }
}

/// A float operator on patterns of this format.
fn lower_operator(terms: &mut Terms, op: Op, format: FloatFormat, args: &[TermId]) -> TermId {
    let mut c = Circuit::new(terms, format);
    match (op, args) {
        (Op::FpFromBits(_), &[a]) => c.canonical(a),
        (Op::FpToBits, &[a]) => a,
        (Op::FpAbs, &[a]) => c.abs(a),
        (Op::FpNeg, &[a]) => c.negate(a),
        (Op::FpAdd(mode), &[a, b]) => c.add(mode, a, b),
        (Op::FpMul(mode), &[a, b]) => c.multiply(mode, a, b),
        (Op::FpDiv(mode), &[a, b]) => c.divide(mode, a, b),
        (Op::FpFma(mode), &[a, b, d]) => c.fused_multiply_add(mode, a, b, d),
        (Op::FpSqrt(mode), &[a]) => c.square_root(mode, a),
        (Op::FpRem, &[a, b]) => c.remainder(a, b),
        (Op::FpRound(mode), &[a]) => c.round_to_integral(mode, a),
        (Op::FpMin, &[a, b]) => c.minimum(a, b),
        (Op::FpMax, &[a, b]) => c.maximum(a, b),
        (Op::FpLt, &[a, b]) => c.less(a, b),
        (Op::FpLe, &[a, b]) => c.less_or_equal(a, b),
        (Op::FpEq, &[a, b]) => c.ieee_equal(a, b),
        (Op::FpIs(class), &[a]) => c.is_class(class, a),
        (Op::FpFromFp(to, mode), &[a]) => c.convert(to, mode, a),
        (Op::FpFromSigned(_, mode), &[a]) => c.signed_to_float(mode, a),
        (Op::FpFromUnsigned(_, mode), &[a]) => c.unsigned_to_float(mode, a),
        (Op::FpToSigned(width, mode), &[a]) => c.float_to_integer(mode, a, width, true),
        (Op::FpToUnsigned(width, mode), &[a]) => c.float_to_integer(mode, a, width, false),
        (op, _) => unreachable!("{op:?} is not an operator on floats"),
    }
}

/// Comparisons and what only moves bits.
impl Circuit<'_> {
    fn abs(&mut self, a: TermId) -> TermId {
        // The NaN is positive.
        let (zero, magnitude) = (self.t.bv(1, 0), self.magnitude(a));
        self.t.concat(zero, magnitude)
    }

    pub(super) fn negate(&mut self, a: TermId) -> TermId {
        let (sign, nan) = (self.sign(a), self.is_class(FloatClass::Nan, a));
        let number = self.t.not(nan);
        let flipped = self.t.xor(sign, number);
        let magnitude = self.magnitude(a);
        self.pack(flipped, magnitude)
    }

    fn both_zero(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.is_class(FloatClass::Zero, a), self.is_class(FloatClass::Zero, b));
        self.t.and(x, y)
    }

    fn no_nan(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.is_class(FloatClass::Nan, a), self.is_class(FloatClass::Nan, b));
        let either = self.t.or(x, y);
        self.t.not(either)
    }

    /// The order of signed magnitudes, in which -0 is less than +0.
    fn before(&mut self, a: TermId, b: TermId) -> TermId {
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let (mag_a, mag_b) = (self.magnitude(a), self.magnitude(b));
        let (up, down) = (self.t.ult(mag_a, mag_b), self.t.ult(mag_b, mag_a));
        let same_sign = self.t.ite(sign_a, down, up);
        let signs_differ = self.t.xor(sign_a, sign_b);
        self.t.ite(signs_differ, sign_a, same_sign)
    }

    fn less(&mut self, a: TermId, b: TermId) -> TermId {
        let (before, zeros, numbers) = (self.before(a, b), self.both_zero(a, b), self.no_nan(a, b));
        let not_zeros = self.t.not(zeros);
        self.t.and_all(&[before, not_zeros, numbers])
    }

    fn less_or_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (less, equal) = (self.less(a, b), self.ieee_equal(a, b));
        self.t.or(less, equal)
    }

    fn ieee_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (same, zeros, numbers) = (self.t.eq(a, b), self.both_zero(a, b), self.no_nan(a, b));
        let equal = self.t.or(same, zeros);
        self.t.and(equal, numbers)
    }

    fn minimum(&mut self, a: TermId, b: TermId) -> TermId {
        let first = self.before(a, b);
        self.choose(first, a, b)
    }

    fn maximum(&mut self, a: TermId, b: TermId) -> TermId {
        let first = self.before(b, a);
        self.choose(first, a, b)
    }

    /// `a` if `first`, but never a NaN if the other is a number.
    fn choose(&mut self, first: TermId, a: TermId, b: TermId) -> TermId {
        let (nan_a, nan_b) = (self.is_class(FloatClass::Nan, a), self.is_class(FloatClass::Nan, b));
        let chosen = self.t.ite(first, a, b);
        let chosen = self.t.ite(nan_b, a, chosen);
        self.t.ite(nan_a, b, chosen)
    }
}
