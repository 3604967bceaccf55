//! Rewriting on construction: the dispatcher, and the rules that hold for all operators.
//!
//! Every rule replaces a term by an equivalent one that is not larger in what matters: gates. Rules look at most a
//! few operators deep, and recursion stops at [`MAX_DEPTH`], so construction costs a small constant.

use smallvec::SmallVec;

use super::{Op, TermId, Terms};
use crate::eval;
use crate::sort::Sort;
use crate::value::Value;

/// Rules that build further terms stop applying beyond this depth.
const MAX_DEPTH: u32 = 24;

impl Terms {
    /// `op(args)` of a sort that was checked.
    pub(super) fn rewrite(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        if let Some(folded) = self.fold_constants(op, sort, args) {
            return folded;
        }
        let mut args: SmallVec<[TermId; 4]> = args.into();
        if op.is_commutative() && self.goes_last(args[0], args[1]) {
            args.swap(0, 1);
        }
        if self.depth >= MAX_DEPTH {
            return self.intern_known(op, sort, &args);
        }
        self.depth += 1;
        let rewritten = self.push_into_ite(op, sort, &args).or_else(|| self.rule(op, sort, &args));
        self.depth -= 1;
        rewritten.unwrap_or_else(|| self.intern_known(op, sort, &args))
    }

    /// The term itself, or its value if known bits determine it.
    fn intern_known(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        if let Sort::BitVec(width @ 1..=64) = sort
            && let Some(value) = self.known_of(op, sort, args).value(width)
        {
            return self.bv(width, value);
        }
        self.intern(op, sort, args)
    }

    /// Constants go last, and older terms before younger ones.
    fn goes_last(&self, a: TermId, b: TermId) -> bool {
        let constant = |t| matches!(self.op(t), Op::Const(_) | Op::Bool(_));
        (constant(a), a) > (constant(b), b)
    }

    fn fold_constants(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        let foldable = |&t: &TermId| matches!(self.op(t), Op::Const(_) | Op::Bool(_));
        if args.is_empty() || !args.iter().all(foldable) || matches!(op, Op::ConstArray(_)) {
            return None;
        }
        if let Some(folded) = self.fold_words(op, sort, args) {
            return Some(folded);
        }
        let values: SmallVec<[Value; 4]> = args.iter().filter_map(|&t| self.value_of_leaf(t)).collect();
        let sorts: SmallVec<[Sort; 4]> = args.iter().map(|&t| self.sort(t)).collect();
        Some(self.term_of(sort, &eval::apply(op, &sorts, &values)))
    }

    /// Constants of up to 64 bits under the operators that programs use most, without the general arithmetic.
    fn fold_words(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        match op {
            // Equal constants are one term (floats have several for one value).
            Op::Eq if matches!(self.sort(args[0]), Sort::Bool | Sort::BitVec(_)) => {
                return Some(self.bool(args[0] == args[1]));
            }
            Op::Not => return Some(self.bool(args[0] == Self::FALSE)),
            Op::And => {
                let all = args.iter().all(|&arg| arg == Self::TRUE);
                return Some(self.bool(all));
            }
            _ => {}
        }
        let width_of = |terms: &Self, term: TermId| match terms.sort(term) {
            Sort::BitVec(width @ 1..=64) => Some(width),
            _ => None,
        };
        let width = width_of(self, args[0])?;
        let word = |terms: &Self, term: TermId| terms.known[term].ones;
        let a = word(self, args[0]);
        if let Op::Extract { hi, lo } = op {
            return Some(self.bv(hi - lo + 1, a >> lo));
        }
        let &[_, second] = args else { return None };
        let width_b = width_of(self, second)?;
        let b = word(self, second);
        Some(match op {
            Op::BvAdd => self.bv(width, a.wrapping_add(b)),
            Op::BvAnd => self.bv(width, a & b),
            Op::BvOr => self.bv(width, a | b),
            Op::BvUlt => self.bool(a < b),
            Op::Concat if width + width_b <= 64 => match sort {
                Sort::BitVec(width) => self.bv(width, a << width_b | b),
                Sort::Bool | Sort::Float(_) | Sort::Array { .. } => return None,
            },
            _ => return None,
        })
    }

    fn value_of_leaf(&self, term: TermId) -> Option<Value> {
        self.as_bool(term).map(Value::Bool).or_else(|| self.as_const(term).cloned().map(Value::Bits))
    }

    /// The constant term of a value.
    pub fn term_of(&mut self, sort: Sort, value: &Value) -> TermId {
        match value {
            Value::Bool(b) => self.bool(*b),
            Value::Bits(bits) => self.constant_of(sort, bits.clone()),
            Value::Array(array) => {
                let index_width = array.index_width();
                let default = self.constant(array.default().clone());
                let mut term = self.const_array(index_width, default);
                for (index, value) in array.entries() {
                    let (index, value) = (self.constant(index.clone()), self.constant(value.clone()));
                    term = self.store(term, index, value);
                }
                term
            }
        }
    }

    /// `f(ite(c, k1, k2), k)` is `ite(c, f(k1, k), f(k2, k))` if all k are constants.
    fn push_into_ite(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        if matches!(op, Op::Ite | Op::And | Op::Not | Op::ConstArray(_) | Op::Select | Op::Store) || args.len() > 3 {
            return None;
        }
        let is_constant = |t: TermId| matches!(self.op(t), Op::Const(_));
        let choice = args
            .iter()
            .position(|&t| self.op(t) == Op::Ite && is_constant(self.arg(t, 1)) && is_constant(self.arg(t, 2)))?;
        if !args.iter().enumerate().all(|(i, &t)| i == choice || is_constant(t)) {
            return None;
        }
        let [c, a, b] = *self.args(args[choice]) else { return None };
        let mut branch = |value| {
            let mut with: SmallVec<[TermId; 4]> = args.into();
            with[choice] = value;
            self.rewrite(op, sort, &with)
        };
        let (a, b) = (branch(a), branch(b));
        Some(self.ite(c, a, b))
    }

    /// The rules of one operator; `None` if none applies.
    fn rule(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::Not, &[a]) => self.rule_not(a),
            (Op::And, _) => self.rule_and(args),
            (Op::Eq, &[a, b]) => self.rule_eq(a, b),
            (Op::Ite, &[c, a, b]) => self.rule_ite(c, a, b),
            (Op::BvNot, &[a]) => self.rule_bv_not(a),
            (Op::BvNeg, &[a]) => self.rule_neg(a),
            (Op::BvAnd, &[a, b]) => self.rule_bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.rule_bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.rule_bv_xor(a, b),
            (Op::BvAdd, &[a, b]) => self.rule_add(a, b),
            (Op::BvMul, &[a, b]) => self.rule_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.rule_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.rule_urem(a, b),
            (Op::BvSdiv, &[a, b]) => self.rule_sdiv(a, b),
            (Op::BvSrem, &[a, b]) => self.rule_srem(a, b),
            (Op::BvShl, &[a, b]) => self.rule_shl(a, b),
            (Op::BvLshr, &[a, b]) => self.rule_lshr(a, b),
            (Op::BvAshr, &[a, b]) => self.rule_ashr(a, b),
            (Op::BvUlt, &[a, b]) => self.rule_ult(a, b),
            (Op::BvSlt, &[a, b]) => self.rule_slt(a, b),
            (Op::BvUmulO | Op::BvSmulO, &[a, b]) => self.rule_mul_overflows(op, a, b),
            (Op::Concat, &[a, b]) => self.rule_concat(a, b),
            (Op::Extract { hi, lo }, &[a]) => self.rule_extract(hi, lo, a),
            (Op::SignExt(by), &[a]) => self.rule_sign_ext(by, a),
            (Op::Select, &[a, i]) => self.rule_select(sort, a, i),
            (Op::Store, &[a, i, v]) => self.rule_store(a, i, v),
            (Op::FpFromBits(_) | Op::FpToBits | Op::FpAbs | Op::FpNeg, &[a]) => self.rule_fp_unary(op, sort, a),
            (Op::FpLt, &[a, b]) => (a == b).then_some(Self::FALSE),
            (Op::FpLe | Op::FpEq, &[a, b]) => self.rule_fp_reflexive(a, b),
            (Op::FpFromFp(format, _), &[a]) => (self.sort(a) == Sort::Float(format)).then_some(a),
            (_, _) => None,
        }
    }

    fn rule_fp_unary(&mut self, op: Op, sort: Sort, a: TermId) -> Option<TermId> {
        match (op, self.op(a)) {
            (Op::FpFromBits(_), Op::FpToBits) if self.sort(self.arg(a, 0)) == sort => Some(self.arg(a, 0)),
            (Op::FpNeg, Op::FpNeg) => Some(self.arg(a, 0)),
            (Op::FpAbs, Op::FpNeg | Op::FpAbs) => {
                let inner = self.arg(a, 0);
                Some(self.fp_abs(inner))
            }
            (_, _) => None,
        }
    }

    fn rule_fp_reflexive(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a != b {
            return None;
        }
        let nan = self.fp_is(super::FloatClass::Nan, a);
        Some(self.not(nan))
    }
}
