//! Rewriting on construction: the dispatcher, and the rules that hold for all operators.
//!
//! Every rule replaces a term by an equivalent one that is not larger in what matters: gates. Rules look at most a
//! few operators deep, and recursion stops at [`MAX_DEPTH`], so construction costs a small constant.

use smallvec::SmallVec;

use super::{Op, TermId, Terms, leaf_op};
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
            && let Some(value) = self.known_of(op, sort, args, |arg| self.known[arg]).value(width)
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

    /// The rules of one operator; `None` if none applies. There are as many arguments as the operator takes.
    fn rule(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        match op {
            Op::Not => self.rule_not(args[0]),
            Op::And => self.rule_and(args),
            Op::Eq => self.rule_eq(args[0], args[1]),
            Op::Ite => self.rule_ite(args[0], args[1], args[2]),
            Op::BvNot => self.rule_bv_not(args[0]),
            Op::BvNeg => self.rule_neg(args[0]),
            Op::BvAnd => self.rule_bv_and(args[0], args[1]),
            Op::BvOr => self.rule_bv_or(args[0], args[1]),
            Op::BvXor => self.rule_bv_xor(args[0], args[1]),
            Op::BvAdd => self.rule_add(args[0], args[1]),
            Op::BvMul => self.rule_mul(args[0], args[1]),
            Op::BvUdiv => self.rule_udiv(args[0], args[1]),
            Op::BvUrem => self.rule_urem(args[0], args[1]),
            Op::BvSdiv => self.rule_sdiv(args[0], args[1]),
            Op::BvSrem => self.rule_srem(args[0], args[1]),
            Op::BvShl => self.rule_shl(args[0], args[1]),
            Op::BvLshr => self.rule_lshr(args[0], args[1]),
            Op::BvAshr => self.rule_ashr(args[0], args[1]),
            Op::BvUlt => self.rule_ult(args[0], args[1]),
            Op::BvSlt => self.rule_slt(args[0], args[1]),
            Op::BvUmulO | Op::BvSmulO => self.rule_mul_overflows(op, args[0], args[1]),
            Op::Concat => self.rule_concat(args[0], args[1]),
            Op::Extract { hi, lo } => self.rule_extract(hi, lo, args[0]),
            Op::SignExt(by) => self.rule_sign_ext(by, args[0]),
            Op::Select => self.rule_select(sort, args[0], args[1]),
            Op::Store => self.rule_store(args[0], args[1], args[2]),
            Op::FpFromBits(_) | Op::FpToBits | Op::FpAbs | Op::FpNeg => self.rule_fp_unary(op, sort, args[0]),
            Op::FpLt => (args[0] == args[1]).then_some(Self::FALSE),
            Op::FpLe | Op::FpEq => self.rule_fp_reflexive(args[0], args[1]),
            Op::FpFromFp(format, _) => (self.sort(args[0]) == Sort::Float(format)).then_some(args[0]),
            leaf_op!() | Op::ConstArray(_) => None,
            Op::FpAdd(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpFma(_) | Op::FpSqrt(_) | Op::FpRem => None,
            Op::FpRound(_) | Op::FpMin | Op::FpMax | Op::FpIs(_) => None,
            Op::FpFromSigned(..) | Op::FpFromUnsigned(..) | Op::FpToSigned(..) | Op::FpToUnsigned(..) => None,
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
