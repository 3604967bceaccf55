//! The meaning of every operator on values, and evaluation of terms under an assignment.
//!
//! This is the reference that circuits, rewriting and external solvers are tested against. It is independent of
//! them: floats are computed by `rustc_apfloat` (`float::eval`), not by the circuits.

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::float;
use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms, VarId};
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
    match values {
        [Value::Bool(c), a, b] if op == Op::Ite => if *c { a } else { b }.clone(),
        [Value::Array(a), Value::Array(b)] if op == Op::Eq => Value::Bool(a.same(b)),
        [a, b] if op == Op::Eq => Value::Bool(a == b),
        _ if op == Op::And => Value::Bool(values.iter().all(|v| *v == Value::Bool(true))),
        [Value::Bool(a)] => Value::Bool(!a),
        [Value::Array(a), Value::Bits(i)] => Value::Bits(a.get(i).clone()),
        [Value::Array(a), Value::Bits(i), Value::Bits(v)] => {
            let mut stored = a.clone();
            stored.set(i.clone(), v.clone());
            Value::Array(stored)
        }
        [Value::Bits(a)] => apply_unary(op, sorts[0], a),
        [Value::Bits(a), Value::Bits(b)] => apply_binary(op, sorts[0], a, b),
        [Value::Bits(a), Value::Bits(b), Value::Bits(c)] => float::eval::fma(op, sorts[0], a, b, c),
        _ => unreachable!("{op:?} on {values:?}: sorts are checked on construction"),
    }
}

fn apply_unary(op: Op, sort: Sort, a: &Bits) -> Value {
    match op {
        Op::BvNot => Value::Bits(a.not()),
        Op::BvNeg => Value::Bits(a.neg()),
        Op::Extract { hi, lo } => Value::Bits(a.extract(hi, lo)),
        Op::SignExt(by) => Value::Bits(a.sign_extend(a.width() + by)),
        Op::ConstArray(index) => Value::Array(ArrayValue::new(index, a.clone())),
        _ => float::eval::unary(op, sort, a),
    }
}

fn apply_binary(op: Op, sort: Sort, a: &Bits, b: &Bits) -> Value {
    match op {
        Op::BvAnd => Value::Bits(a.and(b)),
        Op::BvOr => Value::Bits(a.or(b)),
        Op::BvXor => Value::Bits(a.xor(b)),
        Op::BvAdd => Value::Bits(a.add(b)),
        Op::BvMul => Value::Bits(a.mul(b)),
        Op::BvUdiv => Value::Bits(a.udiv_urem(b).0),
        Op::BvUrem => Value::Bits(a.udiv_urem(b).1),
        Op::BvSdiv => Value::Bits(a.sdiv(b)),
        Op::BvSrem => Value::Bits(a.srem(b)),
        Op::BvShl => Value::Bits(a.shl(b)),
        Op::BvLshr => Value::Bits(a.lshr(b)),
        Op::BvAshr => Value::Bits(a.ashr(b)),
        Op::Concat => Value::Bits(a.concat(b)),
        Op::BvUlt => Value::Bool(a.ult(b)),
        Op::BvSlt => Value::Bool(a.slt(b)),
        Op::BvUmulO => Value::Bool(a.umul_overflows(b)),
        Op::BvSmulO => Value::Bool(a.smul_overflows(b)),
        _ => float::eval::binary(op, sort, a, b),
    }
}
