//! Float operators against the hardware, and circuits against evaluation.

use smallvec::SmallVec;

use super::terms::random_float;
use super::{Rng, words};
use crate::bits::Bits;
use crate::eval::{self, Assignment};
use crate::float;
use crate::float::lower::Lowering;
use crate::sort::{FloatFormat, Rounding, Sort, SortError};
use crate::terms::{FloatClass, Op, TermId, Terms};
use crate::value::Value;

/// All operators on one format with one rounding mode.
pub fn operators(format: FloatFormat, mode: Rounding) -> Vec<Op> {
    let mut ops = arithmetic(mode).to_vec();
    ops.extend([Op::FpToSigned(32, mode), Op::FpToUnsigned(32, mode)]);
    ops.extend([Op::FpToSigned(64, mode), Op::FpToUnsigned(8, mode)]);
    ops.extend([Op::FpFromSigned(format, mode), Op::FpFromUnsigned(format, mode)]);
    ops.extend(FloatFormat::ALL.map(|to| Op::FpFromFp(to, mode)));
    ops.extend(FloatClass::ALL.map(Op::FpIs));
    ops
}

/// The operators that stay within a format, and its comparisons.
pub(super) fn arithmetic(mode: Rounding) -> [Op; 14] {
    [
        Op::FpAbs,
        Op::FpNeg,
        Op::FpAdd(mode),
        Op::FpMul(mode),
        Op::FpDiv(mode),
        Op::FpFma(mode),
        Op::FpSqrt(mode),
        Op::FpRem,
        Op::FpRound(mode),
        Op::FpMin,
        Op::FpMax,
        Op::FpLt,
        Op::FpLe,
        Op::FpEq,
    ]
}

/// The circuit of one operator over variables, flattened so that it can be evaluated on many operands.
pub struct Circuit {
    op: Op,
    sort: Sort,
    operands: usize,
    result: Sort,
    steps: Vec<Step>,
}

/// One term of a circuit, with the places of its arguments.
pub(super) enum Step {
    Operand(usize),
    Constant(Value),
    Apply { op: Op, sort: Sort, sorts: SmallVec<[Sort; 3]>, args: SmallVec<[usize; 3]> },
}

impl Circuit {
    /// The circuit of an operator; operators from integers take this width.
    pub fn new(op: Op, format: FloatFormat, integer_width: u32) -> Result<Self, SortError> {
        // An operator takes floats if it fits them.
        let float = Sort::Float(format);
        let takes_floats = op.result_sort(&vec![float; op.arity().unwrap_or(0)]).is_ok();
        let sort = if takes_floats { float } else { Sort::BitVec(integer_width) };
        let mut terms = Terms::new();
        let mut variables = Vec::new();
        for name in &["a", "b", "c"][..op.arity().unwrap_or(0)] {
            variables.push(terms.variable(name, sort)?);
        }
        let term = terms.apply(op, &variables)?;
        let mut lowering = Lowering::default();
        let lowered = lowering.lower(&mut terms, term);
        for (pattern, float) in lowering.variables() {
            variables.iter_mut().filter(|v| **v == float).for_each(|v| *v = pattern);
        }
        let steps = flatten(&terms, lowered, &variables);
        Ok(Circuit { op, sort, operands: variables.len(), result: terms.sort(lowered), steps })
    }

    /// Compares the circuit with evaluation on random operands.
    pub fn check(&self, rng: &mut Rng) -> Result<(), String> {
        let values: Vec<Value> = (0..self.operands).map(|_| super::terms::random_value(rng, self.sort)).collect();
        self.check_on(&values)
    }

    /// Compares the circuit with evaluation on all combinations of special operands.
    pub fn check_special(&self) -> Result<u64, String> {
        let special = special_values(self.sort);
        let count = special.len().pow(self.operands as u32);
        for mut combination in 0..count {
            let mut values = Vec::new();
            for _ in 0..self.operands {
                values.push(Value::Bits(special[combination % special.len()].clone()));
                combination /= special.len();
            }
            self.check_on(&values)?;
        }
        Ok(count as u64)
    }

    fn check_on(&self, values: &[Value]) -> Result<(), String> {
        let expected = eval::apply(self.op, &vec![self.sort; values.len()], values);
        let got = self.eval(values);
        if got.as_ref() == Some(&expected) {
            return Ok(());
        }
        Err(format!("{:?} of {values:?} ({}): circuit {got:?}, evaluation {expected}", self.op, self.sort))
    }

    fn eval(&self, operands: &[Value]) -> Option<Value> {
        if let Some(word) = words::eval(&self.steps, operands) {
            return Some(words::to_value(word, self.result));
        }
        let mut done: Vec<Value> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Operand(i) => operands[*i].clone(),
                Step::Constant(value) => value.clone(),
                Step::Apply { op, sorts, args, .. } => {
                    let values: SmallVec<[Value; 4]> = args.iter().map(|&i| done[i].clone()).collect();
                    eval::apply(*op, sorts, &values)
                }
            };
            done.push(value);
        }
        done.pop()
    }
}

fn flatten(terms: &Terms, root: TermId, variables: &[TermId]) -> Vec<Step> {
    let order = terms.post_order(&[root]);
    let place: rustc_hash::FxHashMap<TermId, usize> = order.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    let step = |&term: &TermId| {
        if let Some(operand) = variables.iter().position(|&v| v == term) {
            return Step::Operand(operand);
        }
        let args = terms.args(term);
        if args.is_empty() {
            return Step::Constant(Assignment::new().eval(terms, term));
        }
        Step::Apply {
            op: terms.op(term),
            sort: terms.sort(term),
            sorts: args.iter().map(|&t| terms.sort(t)).collect(),
            args: args.iter().map(|t| place[t]).collect(),
        }
    };
    order.iter().map(step).collect()
}

/// Zeros, infinities, NaN, the ends of the subnormal and normal ranges, ones, halves, odd integers, and their
/// negations; for integers the ends of the ranges.
pub fn special_values(sort: Sort) -> Vec<Bits> {
    let Sort::Float(format) = sort else {
        let width = sort.width().unwrap_or(1);
        let least = Bits::min_signed(width);
        return vec![Bits::zero(width), Bits::one(width), Bits::ones(width), least.not(), least];
    };
    let (width, fraction) = (format.width(), format.fraction());
    let power = |exponent: i64| Bits::from_i64(width, i64::from(format.bias()) + exponent).shl_by(fraction);
    let infinite = float::infinity(format, false);
    let one = Bits::one(width);
    let mut values = vec![
        Bits::zero(width),
        one.clone(),
        one.shl_by(fraction).sub(&one),
        one.shl_by(fraction),
        power(-1),
        power(0),
        power(0).add(&one),
        power(1).or(&one.shl_by(fraction - 1)),
        power(i64::from(fraction)).add(&one),
        infinite.sub(&one),
        infinite,
    ];
    let negative: Vec<Bits> = values.iter().map(|v| v.or(&Bits::min_signed(width))).collect();
    values.extend(negative);
    values.push(float::nan(format));
    values
}

/// Checks evaluation against the hardware on one choice of operands, in the mode that hardware has.
pub fn check_hardware(rng: &mut Rng) -> Result<(), String> {
    let [a, b, c] = [(); 3].map(|()| random_float(rng, FloatFormat::Double));
    let [x, y, z] = [&a, &b, &c].map(|bits| f64::from_bits(bits.to_u64().unwrap_or(0)));
    let [p, q, r] = [(); 3].map(|()| random_float(rng, FloatFormat::Single));
    let [u, v, w] = [&p, &q, &r].map(|bits| f32::from_bits(bits.to_u64().unwrap_or(0) as u32));
    let near = Rounding::NearestEven;
    let double: [(Op, f64); 8] = [
        (Op::FpAdd(near), x + y),
        (Op::FpMul(near), x * y),
        (Op::FpDiv(near), x / y),
        (Op::FpFma(near), x.mul_add(y, z)),
        (Op::FpSqrt(near), x.sqrt()),
        (Op::FpRound(near), x.round_ties_even()),
        (Op::FpRound(Rounding::Zero), x.trunc()),
        (Op::FpRound(Rounding::NearestAway), x.round()),
    ];
    for (op, expected) in double {
        compare(op, FloatFormat::Double, &[&a, &b, &c], Bits::new(64, expected.to_bits()))?;
    }
    let single: [(Op, f32); 8] = [
        (Op::FpAdd(near), u + v),
        (Op::FpMul(near), u * v),
        (Op::FpDiv(near), u / v),
        (Op::FpFma(near), u.mul_add(v, w)),
        (Op::FpSqrt(near), u.sqrt()),
        (Op::FpRound(Rounding::Up), u.ceil()),
        (Op::FpRound(Rounding::Down), u.floor()),
        (Op::FpRound(near), u.round_ties_even()),
    ];
    for (op, expected) in single {
        compare(op, FloatFormat::Single, &[&p, &q, &r], Bits::new(32, u64::from(expected.to_bits())))?;
    }
    check_hardware_conversions(&a, &p, x, u)?;
    check_hardware_relations(&a, &b, x, y)
}

fn check_hardware_conversions(a: &Bits, p: &Bits, x: f64, u: f32) -> Result<(), String> {
    let near = Rounding::NearestEven;
    let narrow = Bits::new(32, u64::from((x as f32).to_bits()));
    let got = value_of(Op::FpFromFp(FloatFormat::Single, near), Sort::Float(FloatFormat::Double), &[a]);
    expect(got, float::canonical(FloatFormat::Single, &narrow), "to float")?;
    let got = value_of(Op::FpFromFp(FloatFormat::Double, near), Sort::Float(FloatFormat::Single), &[p]);
    let wide = Bits::new(64, f64::from(u).to_bits());
    expect(got, float::canonical(FloatFormat::Double, &wide), "to double")?;
    // Rust's casts saturate and send NaN to 0, as ours do.
    let double = Sort::Float(FloatFormat::Double);
    let got = value_of(Op::FpToSigned(32, Rounding::Zero), double, &[a]);
    expect(got, Bits::from_i64(32, i64::from(x as i32)), "to int")?;
    let got = value_of(Op::FpToSigned(64, Rounding::Zero), double, &[a]);
    expect(got, Bits::from_i64(64, x as i64), "to long")?;
    let got = value_of(Op::FpToUnsigned(64, Rounding::Zero), double, &[a]);
    expect(got, Bits::new(64, x as u64), "to unsigned long")?;
    let (integer, unsigned) = (a.to_i64().unwrap_or(0), a.to_u64().unwrap_or(0));
    let got = value_of(Op::FpFromSigned(FloatFormat::Single, near), Sort::BitVec(64), &[a]);
    expect(got, Bits::new(32, u64::from((integer as f32).to_bits())), "long to float")?;
    let got = value_of(Op::FpFromUnsigned(FloatFormat::Double, near), Sort::BitVec(64), &[a]);
    expect(got, Bits::new(64, (unsigned as f64).to_bits()), "unsigned long to double")
}

fn check_hardware_relations(a: &Bits, b: &Bits, x: f64, y: f64) -> Result<(), String> {
    for (op, expected) in [(Op::FpLt, x < y), (Op::FpLe, x <= y), (Op::FpEq, x == y)] {
        let got = value_of(op, Sort::Float(FloatFormat::Double), &[a, b]);
        if got != Value::Bool(expected) {
            return Err(format!("{op:?} of {x} and {y} is {got}"));
        }
    }
    Ok(())
}

fn compare(op: Op, format: FloatFormat, operands: &[&Bits], expected: Bits) -> Result<(), String> {
    let got = value_of(op, Sort::Float(format), &operands[..op.arity().unwrap_or(0)]);
    expect(got, float::canonical(format, &expected), &format!("{op:?} of {operands:?}"))
}

fn value_of(op: Op, sort: Sort, operands: &[&Bits]) -> Value {
    let values: Vec<Value> = operands.iter().map(|&b| Value::Bits(b.clone())).collect();
    eval::apply(op, &vec![sort; values.len()], &values)
}

fn expect(got: Value, expected: Bits, what: &str) -> Result<(), String> {
    if got == Value::Bits(expected.clone()) {
        Ok(())
    } else {
        Err(format!("{what}: {got}, the hardware says {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rewriting may not make a new chain of adders for every digit.
    #[test]
    fn digit_by_digit_circuits_are_linear_in_their_digits() {
        let steps =
            |op| [FloatFormat::Single, FloatFormat::Double].map(|f| Circuit::new(op, f, 8).unwrap().steps.len());
        let [single, double] = steps(Op::FpSqrt(Rounding::NearestEven));
        assert!(double < 3 * single && single < 3000, "{single} and {double} terms");
    }

    #[test]
    fn evaluation_agrees_with_the_hardware() {
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            check_hardware(&mut rng).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    #[test]
    fn circuits_agree_with_evaluation() {
        let mut rng = Rng::new(2);
        for round in 0..6 {
            let (format, mode) = (rng.pick(&[FloatFormat::Half, FloatFormat::Single]), Rounding::ALL[round % 5]);
            for op in operators(format, mode) {
                let circuit = Circuit::new(op, format, rng.pick(&[1, 8, 31, 64])).unwrap_or_else(|e| panic!("{e}"));
                for _ in 0..5 {
                    circuit.check(&mut rng).unwrap_or_else(|e| panic!("{e}"));
                }
            }
        }
    }
}
