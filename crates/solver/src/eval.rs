//! The meaning of every operator on values, and evaluation of terms under an assignment.
//!
//! This is the reference that circuits, rewriting and external solvers are tested against. It is independent of
//! them: floats are computed by `rustc_apfloat` (`float::eval`), not by the circuits.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::float;
use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms, VarId, float_op, leaf_op, to_float_op};
use crate::value::{ArrayValue, Value};

/// Values of variables; the others have the default of their sort.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<VarId, Value>,
}

impl Assignment {
    /// Nothing assigned.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a variable a value, which must be of its sort.
    pub fn set(&mut self, var: VarId, value: Value) {
        self.values.insert(var, value);
    }

    /// The value of a variable, if it was given one.
    pub fn get(&self, var: VarId) -> Option<&Value> {
        self.values.get(&var)
    }

    /// All values in the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Value)> {
        let mut all: Vec<_> = self.values.iter().map(|(&var, value)| (var, value)).collect();
        all.sort_unstable_by_key(|&(var, _)| var);
        all.into_iter()
    }

    /// The value of a term.
    pub fn eval(&self, terms: &Terms, term: TermId) -> Value {
        Evaluator::new(terms, self).eval(term)
    }
}

/// Evaluates many terms under one assignment, each shared part once.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    done: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// Evaluation under `assignment`.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Evaluator { terms, assignment, done: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn eval(&mut self, term: TermId) -> Value {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.terms.args(top).iter().copied().filter(|t| !self.done.contains_key(t)));
            if stack.len() == before {
                let value = self.eval_node(top);
                self.done.insert(top, value);
                stack.pop();
            }
        }
        self.done[&term].clone()
    }

    fn eval_node(&self, term: TermId) -> Value {
        let sort = self.terms.sort(term);
        match self.terms.op(term) {
            Op::Bool(b) => Value::Bool(b),
            Op::Const(_) => {
                self.terms.as_const(term).map_or_else(|| Value::default_of(sort), |bits| Value::Bits(bits.clone()))
            }
            Op::Var(var) => self.assignment.get(var).cloned().unwrap_or_else(|| Value::default_of(sort)),
            op => {
                let args = self.terms.args(term);
                let sorts: Vec<Sort> = args.iter().map(|&t| self.terms.sort(t)).collect();
                let values: Vec<Value> = args.iter().map(|t| self.done[t].clone()).collect();
                apply(op, &sorts, &values)
            }
        }
    }
}

/// `op` on values of these sorts, which must fit the operator.
pub(crate) fn apply(op: Op, sorts: &[Sort], values: &[Value]) -> Value {
    let unfit = || -> ! { unreachable!("{op:?} on {values:?}: sorts are checked on construction") };
    let truth = |i: usize| values[i].as_bool().unwrap_or_else(|| unfit());
    let bits = |i: usize| values[i].as_bits().unwrap_or_else(|| unfit());
    let array = |i: usize| values[i].as_array().unwrap_or_else(|| unfit());
    match op {
        leaf_op!() => unfit(),
        Op::Not => Value::Bool(!truth(0)),
        Op::And => Value::Bool(values.iter().all(|v| *v == Value::Bool(true))),
        Op::Eq => Value::Bool(same(&values[0], &values[1])),
        Op::Ite => values[if truth(0) { 1 } else { 2 }].clone(),
        Op::BvNot => Value::Bits(bits(0).not()),
        Op::BvNeg => Value::Bits(bits(0).neg()),
        Op::BvAnd => Value::Bits(bits(0).and(bits(1))),
        Op::BvOr => Value::Bits(bits(0).or(bits(1))),
        Op::BvXor => Value::Bits(bits(0).xor(bits(1))),
        Op::BvAdd => Value::Bits(bits(0).add(bits(1))),
        Op::BvMul => Value::Bits(bits(0).mul(bits(1))),
        Op::BvUdiv => Value::Bits(bits(0).udiv_urem(bits(1)).0),
        Op::BvUrem => Value::Bits(bits(0).udiv_urem(bits(1)).1),
        Op::BvSdiv => Value::Bits(bits(0).sdiv(bits(1))),
        Op::BvSrem => Value::Bits(bits(0).srem(bits(1))),
        Op::BvShl => Value::Bits(bits(0).shl(bits(1))),
        Op::BvLshr => Value::Bits(bits(0).lshr(bits(1))),
        Op::BvAshr => Value::Bits(bits(0).ashr(bits(1))),
        Op::BvUlt => Value::Bool(bits(0).ult(bits(1))),
        Op::BvSlt => Value::Bool(bits(0).slt(bits(1))),
        Op::BvUmulO => Value::Bool(bits(0).umul_overflows(bits(1))),
        Op::BvSmulO => Value::Bool(bits(0).smul_overflows(bits(1))),
        Op::Concat => Value::Bits(bits(0).concat(bits(1))),
        Op::Extract { hi, lo } => Value::Bits(bits(0).extract(hi, lo)),
        Op::SignExt(by) => Value::Bits(bits(0).sign_extend(bits(0).width() + by)),
        Op::Select => Value::Bits(array(0).get(bits(1)).clone()),
        Op::Store => {
            let mut stored = array(0).clone();
            stored.set(bits(1).clone(), bits(2).clone());
            Value::Array(stored)
        }
        Op::ConstArray(index) => Value::Array(ArrayValue::new(index, bits(0).clone())),
        to_float_op!() | float_op!() => {
            let patterns: SmallVec<[&Bits; 3]> = (0..values.len()).map(bits).collect();
            float::eval::apply(op, sorts[0], &patterns)
        }
    }
}

/// Equality of values: of arrays, whatever their defaults are.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.same(b),
        (a, b) => a == b,
    }
}
