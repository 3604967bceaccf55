//! Random terms: what evaluation says of the operators applied to values must be what rewriting, bit-blasting and
//! (if asked) an external solver say of the terms.

use heddle_base::Budget;

use super::{Rng, floats};
use crate::bits::Bits;
use crate::eval::{self, Assignment};
use crate::float;
use crate::smtlib::{ExternalError, ExternalSolver};
use crate::solver::{Answer, Model, Solver};
use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{FloatClass, Op, TermId, Terms};
use crate::value::{ArrayValue, Value};

/// What to draw terms from.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Operators applied in one case.
    pub operators: usize,
    /// Whether floats occur.
    pub floats: bool,
    /// Whether arrays occur.
    pub arrays: bool,
}

/// How a random case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Decided, and all agree.
    Agreed,
    /// One of the solvers ran out of time.
    OutOfTime,
    /// The other solver says `sat`, and by its own evaluation its model is none.
    OtherRefutesItself,
}

/// Checks one random case in every way; `other` is asked the same question.
pub fn check(seed: u64, mix: Mix, other: Option<&ExternalSolver>, budget: &Budget) -> Result<Outcome, String> {
    let mut rng = Rng::new(seed);
    let mut case = generate(&mut rng, mix);
    let name = |error: String| format!("seed {seed}, {mix:?}: {error}");
    case.check_evaluation().map_err(name)?;
    case.check_fixed().map_err(name)?;
    let question = case.question(&mut rng);
    let ours = Solver::new().solve(&mut case.terms, &question, budget).map_err(|e| name(e.to_string()))?;
    if let Answer::Sat(model) = &ours {
        case.check_model(&question, model).map_err(name)?;
    }
    let Some(other) = other else { return Ok(Outcome::Agreed) };
    let theirs = match other.solve(&case.terms, &question, &[], budget) {
        Err(ExternalError::NotAModel(_)) => return Ok(Outcome::OtherRefutesItself),
        theirs => theirs.map_err(|e| name(e.to_string()))?,
    };
    match (ours, theirs) {
        (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => Ok(Outcome::OutOfTime),
        (Answer::Unsat(_), Answer::Unsat(_)) => Ok(Outcome::Agreed),
        // Their model must be one for our evaluation too.
        (Answer::Sat(_), Answer::Sat(model)) => {
            case.check_model(&question, &model).map_err(name)?;
            Ok(Outcome::Agreed)
        }
        (Answer::Sat(_), Answer::Unsat(_)) => Err(name("we say sat, they say unsat".to_owned())),
        (Answer::Unsat(_), Answer::Sat(_)) => Err(name("we say unsat, they say sat".to_owned())),
    }
}

/// One random case: terms over variables with known values.
pub struct Case {
    /// The store.
    pub terms: Terms,
    /// Values of the variables.
    pub assignment: Assignment,
    /// All terms that were built, each with the value that the operators give it.
    pub pool: Vec<(TermId, Value)>,
}

const WIDTHS: [u32; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 24, 31, 32, 33, 64, 65];

/// Draws a case.
pub fn generate(rng: &mut Rng, mix: Mix) -> Case {
    let mut case = Case { terms: Terms::new(), assignment: Assignment::new(), pool: Vec::new() };
    let width = rng.pick(&WIDTHS);
    let other = rng.pick(&WIDTHS);
    let mut sorts = vec![Sort::Bool, Sort::Bool, Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(other)];
    if mix.arrays {
        let array = Sort::Array { index: width.min(9), value: other.min(16) };
        sorts.extend([array, array, Sort::BitVec(width.min(9)), Sort::BitVec(other.min(16))]);
    }
    if mix.floats {
        let format = Sort::Float(rng.pick(&[FloatFormat::Half, FloatFormat::Half, FloatFormat::Single]));
        sorts.extend([format, format, format]);
    }
    for (i, sort) in sorts.into_iter().enumerate() {
        case.variable(rng, i, sort);
    }
    for _ in 0..mix.operators {
        case.grow(rng, mix);
    }
    case
}

impl Case {
    fn variable(&mut self, rng: &mut Rng, i: usize, sort: Sort) {
        let Ok(term) = self.terms.variable(&format!("x{i}"), sort) else { return };
        let value = random_value(rng, sort);
        if let Op::Var(var) = self.terms.op(term) {
            self.assignment.set(var, value.clone());
        }
        self.pool.push((term, value));
    }

    /// Applies one random operator to terms of the pool, or adds a constant.
    fn grow(&mut self, rng: &mut Rng, mix: Mix) {
        if rng.one_in(8) {
            let sort = self.terms.sort(self.pool[rng.below(self.pool.len())].0);
            let value = random_value(rng, sort);
            let term = self.terms.term_of(sort, &value);
            self.pool.push((term, value));
            return;
        }
        // A random operator rarely fits random arguments: try until one does.
        for _ in 0..200 {
            let op = random_op(rng, mix);
            let first = self.pool[rng.below(self.pool.len())].0;
            let Some(args) = self.arguments(rng, op, first) else { continue };
            let sorts: Vec<Sort> = args.iter().map(|&i| self.terms.sort(self.pool[i].0)).collect();
            if !op.result_sort(&sorts).is_ok_and(|sort| sort.width().is_none_or(|w| w <= 140)) {
                continue;
            }
            let values: Vec<Value> = args.iter().map(|&i| self.pool[i].1.clone()).collect();
            let ids: Vec<TermId> = args.iter().map(|&i| self.pool[i].0).collect();
            if let Ok(term) = self.terms.apply(op, &ids) {
                self.pool.push((term, eval::apply(op, &sorts, &values)));
                return;
            }
        }
    }

    /// Places in the pool for the arguments: the first as given, the others so that they are likely to fit.
    fn arguments(&self, rng: &mut Rng, op: Op, first: TermId) -> Option<Vec<usize>> {
        let count = op.arity().unwrap_or_else(|| rng.below(5));
        let sort = self.terms.sort(first);
        let mut args = Vec::new();
        for i in 0..count {
            let wanted = match (op, i) {
                (Op::Ite, 0) | (Op::Not | Op::And, _) => Some(Sort::Bool),
                (Op::Select, 1) | (Op::Store, 1) => match sort {
                    Sort::Array { index, .. } => Some(Sort::BitVec(index)),
                    Sort::Bool | Sort::BitVec(_) | Sort::Float(_) => None,
                },
                (Op::Store, 2) => match sort {
                    Sort::Array { value, .. } => Some(Sort::BitVec(value)),
                    Sort::Bool | Sort::BitVec(_) | Sort::Float(_) => None,
                },
                (Op::Concat, _) => None,
                (_, _) => Some(sort),
            };
            let fits = |&i: &usize| wanted.is_none_or(|w| self.terms.sort(self.pool[i].0) == w);
            // Younger terms first, so that terms become deep.
            let choices: Vec<usize> = (0..self.pool.len()).filter(fits).collect();
            if choices.is_empty() {
                return None;
            }
            let recent = choices.len().saturating_sub(6);
            args.push(if rng.one_in(2) {
                choices[recent + rng.below(choices.len() - recent)]
            } else {
                rng.pick(&choices)
            });
        }
        Some(args)
    }

    /// Terms evaluate to what the operators gave, in spite of all rewriting.
    pub fn check_evaluation(&self) -> Result<(), String> {
        let mut evaluator = eval::Evaluator::new(&self.terms, &self.assignment);
        for (term, expected) in &self.pool {
            let got = evaluator.eval(*term);
            let same = match (&got, expected) {
                (Value::Array(a), Value::Array(b)) => a.same(b),
                (a, b) => a == b,
            };
            if !same {
                return Err(format!("{} is {got}, not {expected}", self.terms.display(*term)));
            }
        }
        Ok(())
    }

    /// With the variables fixed, the solver finds every term to have its value, and no other.
    pub fn check_fixed(&mut self) -> Result<(), String> {
        let mut solver = Solver::new();
        for (var, term) in self.terms.variables().collect::<Vec<_>>() {
            let Some(value) = self.assignment.get(var).cloned() else { continue };
            let value = self.terms.term_of(self.terms.sort(term), &value);
            let fixed = self.terms.eq(term, value);
            solver.assert(&self.terms, fixed).map_err(|e| e.to_string())?;
        }
        let mut same = Vec::new();
        for (term, value) in self.pool.clone() {
            let value = self.terms.term_of(self.terms.sort(term), &value);
            same.push(self.terms.eq(term, value));
        }
        let all = self.terms.and_all(&same);
        let differs = self.terms.not(all);
        let budget = Budget::unlimited();
        let answer = solver.solve(&mut self.terms, &[all], &budget).map_err(|e| e.to_string())?;
        if !answer.is_sat() {
            return Err(format!("the true values are not a model: {answer:?}"));
        }
        match solver.solve(&mut self.terms, &[differs], &budget).map_err(|e| e.to_string())? {
            Answer::Unsat(_) => Ok(()),
            Answer::Sat(model) => Err(self.difference(&model, &same)),
            Answer::Unknown(stop) => Err(format!("not decided: {stop:?}")),
        }
    }

    fn difference(&self, model: &Model, same: &[TermId]) -> String {
        let wrong = same.iter().position(|&t| model.eval(&self.terms, t) != Value::Bool(true));
        let term = wrong.map(|i| self.terms.display(self.pool[i].0).to_string());
        format!("another value was found for {term:?}")
    }

    fn check_model(&self, question: &[TermId], model: &Model) -> Result<(), String> {
        let wrong = question.iter().find(|&&t| model.eval(&self.terms, t) != Value::Bool(true));
        wrong.map_or(Ok(()), |&t| Err(format!("the model does not satisfy {}", self.terms.display(t))))
    }

    /// Random constraints over free variables: a random Boolean combination of the pool's terms.
    pub fn question(&mut self, rng: &mut Rng) -> Vec<TermId> {
        let mut constraints = Vec::new();
        for _ in 0..1 + rng.below(4) {
            let (term, value) = self.pool[self.pool.len() - 1 - rng.below(self.pool.len().min(12))].clone();
            // Mostly what holds for the known values, so that both answers are common.
            let value = if rng.one_in(3) { random_value(rng, self.terms.sort(term)) } else { value };
            let value = self.terms.term_of(self.terms.sort(term), &value);
            let equal = self.terms.eq(term, value);
            constraints.push(if rng.one_in(4) { self.terms.not(equal) } else { equal });
        }
        constraints
    }
}

/// A value of a sort; special ones are common.
pub fn random_value(rng: &mut Rng, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.one_in(2)),
        Sort::BitVec(width) => Value::Bits(random_bits(rng, width)),
        Sort::Float(format) => Value::Bits(random_float(rng, format)),
        Sort::Array { index, value } => {
            let mut array = ArrayValue::new(index, random_bits(rng, value));
            for _ in 0..rng.below(4) {
                array.set(random_bits(rng, index), random_bits(rng, value));
            }
            Value::Array(array)
        }
    }
}

fn random_bits(rng: &mut Rng, width: u32) -> Bits {
    match rng.below(8) {
        0 => Bits::zero(width),
        1 => Bits::ones(width),
        2 => Bits::min_signed(width),
        3 => Bits::new(width, rng.below(4) as u64),
        4 => Bits::min_signed(width).not(),
        _ => {
            let bits: Vec<bool> = (0..width).map(|_| rng.one_in(2)).collect();
            Bits::from_bits(bits.into_iter()).unwrap_or_else(|| Bits::zero(width))
        }
    }
}

/// A float's pattern; zeros, infinities, NaNs, subnormals and the neighbours of powers of two are common.
pub fn random_float(rng: &mut Rng, format: FloatFormat) -> Bits {
    let exponent = match rng.below(8) {
        0 => Bits::zero(format.exponent()),
        1 => Bits::ones(format.exponent()),
        2 => Bits::ones(format.exponent()).sub(&Bits::one(format.exponent())),
        3 | 4 => Bits::new(format.exponent(), u64::from(format.bias()) + rng.below(12) as u64 - 4),
        _ => random_bits(rng, format.exponent()),
    };
    let sign = Bits::new(1, rng.below(2) as u64);
    float::canonical(format, &sign.concat(&exponent).concat(&random_bits(rng, format.fraction())))
}

fn random_op(rng: &mut Rng, mix: Mix) -> Op {
    let choice = rng.below(if mix.floats { 3 } else { 2 });
    if choice == 2 {
        return random_float_op(rng);
    }
    if mix.arrays && rng.one_in(3) {
        return rng.pick(&[Op::Select, Op::Select, Op::Store, Op::Store, Op::ConstArray(9), Op::Ite, Op::Eq]);
    }
    let (lo, more) = (rng.below(20) as u32, rng.below(20) as u32);
    rng.pick(&[
        Op::Not,
        Op::And,
        Op::Eq,
        Op::Ite,
        Op::Ite,
        Op::BvNot,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvNeg,
        Op::BvAdd,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvSlt,
        Op::BvUmulO,
        Op::BvSmulO,
        Op::Concat,
        Op::Extract { hi: lo + more, lo },
        Op::Extract { hi: more, lo: 0 },
        Op::SignExt(more),
    ])
}

fn random_float_op(rng: &mut Rng) -> Op {
    let (mode, class) = (rng.pick(&Rounding::ALL), rng.pick(&FloatClass::ALL));
    let format = rng.pick(&[FloatFormat::Half, FloatFormat::Single]);
    let width = 1 + rng.below(40) as u32;
    let others = [
        Op::FpFromBits(format),
        Op::FpToBits,
        Op::FpIs(class),
        Op::FpFromFp(format, mode),
        Op::FpFromSigned(format, mode),
        Op::FpFromUnsigned(format, mode),
        Op::FpToSigned(width, mode),
        Op::FpToUnsigned(width, mode),
    ];
    let all: Vec<Op> = floats::arithmetic(mode).into_iter().chain(others).collect();
    rng.pick(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `HEDDLE_STRESS_SEEDS` in the environment cuts the seeds down, for runs under valgrind.
    fn run(seeds: std::ops::Range<u64>, mix: Mix) {
        let most = std::env::var("HEDDLE_STRESS_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
        for seed in seeds.take(most) {
            // Debug builds check every model against terms and clauses as well.
            let outcome = check(seed, mix, None, &Budget::unlimited());
            assert_eq!(outcome, Ok(Outcome::Agreed));
        }
    }

    #[test]
    fn bit_vectors() {
        run(0..150, Mix { operators: 25, floats: false, arrays: false });
    }

    #[test]
    fn arrays() {
        run(0..150, Mix { operators: 25, floats: false, arrays: true });
    }

    #[test]
    fn floats() {
        run(0..25, Mix { operators: 10, floats: true, arrays: false });
    }
}
