//! Floats to bit vectors: every float term becomes a term of its bit pattern.
//!
//! The circuits are ordinary terms, so they are rewritten, shared and printed like all others. A pattern is always
//! canonical (one NaN), which makes equality of floats equality of patterns; only variables and patterns that come
//! from outside need a correction.

use rustc_hash::FxHashMap;

use super::unpack::Circuit;
use crate::sort::{FloatFormat, Sort};
use crate::terms::{FloatClass, Op, TermId, Terms, VarId};
use crate::terms::{array_op, bits_op, bits_predicate, core_op, float_op, leaf_op};

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
        match op {
            Op::Var(var) => self.lower_variable(terms, term, var),
            Op::Bool(_) => term,
            Op::Const(_) => {
                let bits = terms.as_const(term).cloned();
                bits.map_or(term, |bits| terms.constant(bits))
            }
            core_op!() | bits_op!() | bits_predicate!() | array_op!() => terms.make(op, &args),
            Op::FpFromBits(format) | Op::FpFromSigned(format, _) | Op::FpFromUnsigned(format, _) => {
                lower_operator(terms, op, format, &args)
            }
            float_op!() => {
                let Sort::Float(format) = terms.sort(old[0]) else { unreachable!("{op:?} takes floats") };
                lower_operator(terms, op, format, &args)
            }
        }
    }

    /// A float variable becomes one of its pattern, read as the canonical one.
    fn lower_variable(&mut self, terms: &mut Terms, term: TermId, var: VarId) -> TermId {
        let Sort::Float(format) = terms.sort(term) else { return term };
        let name = format!("{}!pattern", terms.var_name(var));
        let Ok(pattern) = terms.fresh(&name, Sort::BitVec(format.width())) else { return term };
        self.variables.push((pattern, term));
        Circuit::new(terms, format).canonical(pattern)
    }
}

/// A float operator on patterns of this format; there are as many arguments as the operator takes.
fn lower_operator(terms: &mut Terms, op: Op, format: FloatFormat, args: &[TermId]) -> TermId {
    let mut c = Circuit::new(terms, format);
    match op {
        Op::FpFromBits(_) => c.canonical(args[0]),
        Op::FpToBits => args[0],
        Op::FpAbs => c.abs(args[0]),
        Op::FpNeg => c.negate(args[0]),
        Op::FpAdd(mode) => c.add(mode, args[0], args[1]),
        Op::FpMul(mode) => c.multiply(mode, args[0], args[1]),
        Op::FpDiv(mode) => c.divide(mode, args[0], args[1]),
        Op::FpFma(mode) => c.fused_multiply_add(mode, args[0], args[1], args[2]),
        Op::FpSqrt(mode) => c.square_root(mode, args[0]),
        Op::FpRem => c.remainder(args[0], args[1]),
        Op::FpRound(mode) => c.round_to_integral(mode, args[0]),
        Op::FpMin => c.minimum(args[0], args[1]),
        Op::FpMax => c.maximum(args[0], args[1]),
        Op::FpLt => c.less(args[0], args[1]),
        Op::FpLe => c.less_or_equal(args[0], args[1]),
        Op::FpEq => c.ieee_equal(args[0], args[1]),
        Op::FpIs(class) => c.is_class(class, args[0]),
        Op::FpFromFp(to, mode) => c.convert(to, mode, args[0]),
        Op::FpFromSigned(_, mode) => c.signed_to_float(mode, args[0]),
        Op::FpFromUnsigned(_, mode) => c.unsigned_to_float(mode, args[0]),
        Op::FpToSigned(width, mode) => c.float_to_integer(mode, args[0], width, true),
        Op::FpToUnsigned(width, mode) => c.float_to_integer(mode, args[0], width, false),
        leaf_op!() | core_op!() | bits_op!() | bits_predicate!() | array_op!() => {
            unreachable!("{op:?} is not an operator of floats")
        }
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
