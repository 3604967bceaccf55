//! Bit-blasting: terms to clauses.
//!
//! Every bit-vector term has one literal a bit, every Boolean term one literal. Boolean structure is encoded by
//! polarity (Plaisted and Greenbaum): a conjunction or an equation that is only ever asserted needs only the clauses
//! from it to its arguments, which for `guard -> (x = y)` saves all exclusive-ors. What else is asked for later is
//! added then. So a literal of a Boolean term says something about the term only in the polarities asked for.
//!
//! Reads of arrays are free variables here; `arrays` adds what relates them. Float operators must have been replaced
//! (`float::lower`).

mod circuits;
mod gates;

use heddle_base::{Budget, Id, Stop};
use rustc_hash::FxHashMap;

pub(crate) use self::gates::{Gates, Sink};

use crate::sat::Lit;
use crate::sort::Sort;
use crate::terms::{KnownBits, Op, TermId, Terms};
use crate::terms::{array_op, bits_op, bits_predicate, float_op, leaf_op, to_float_op};

/// Which implications between a Boolean term and its literal are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Polarity(u8);

impl Polarity {
    /// The literal implies the term.
    pub(crate) const POSITIVE: Polarity = Polarity(1);
    /// The negated literal implies the negated term.
    const NEGATIVE: Polarity = Polarity(2);
    /// Both.
    pub(crate) const BOTH: Polarity = Polarity(3);

    fn flipped(self) -> Self {
        Polarity(self.0 >> 1 | (self.0 & 1) << 1)
    }

    fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn missing(self, have: u8) -> Self {
        Polarity(self.0 & !have)
    }
}

/// Blasts the terms of one store.
pub(crate) struct Blaster<S> {
    /// The gates, and behind them the clauses.
    pub(crate) gates: Gates<S>,
    bits: Vec<Lit>,
    /// Per term: where its bits start, plus one.
    start: Vec<u32>,
    /// Per term: the polarities that were encoded.
    done: Vec<u8>,
    /// Reads of arrays and equations between arrays, in the order in which they were met.
    pub(crate) selects: Vec<TermId>,
    pub(crate) array_equations: Vec<TermId>,
    /// Variables that have bits, in the order in which they were met.
    pub(crate) variables: Vec<TermId>,
    /// Bits of variables that are known before they are met.
    known: FxHashMap<TermId, KnownBits>,
    checked_at: u64,
}

/// How many clauses are added between two looks at the budget.
const CLAUSES_A_CHECK: u64 = 50_000;

impl<S: Sink> Blaster<S> {
    pub(crate) fn new(sink: S) -> Self {
        Blaster {
            gates: Gates::new(sink),
            bits: Vec::new(),
            start: Vec::new(),
            done: Vec::new(),
            selects: Vec::new(),
            array_equations: Vec::new(),
            variables: Vec::new(),
            known: FxHashMap::default(),
            checked_at: 0,
        }
    }

    /// The bits of a term that was blasted; one for a Boolean.
    pub(crate) fn bits_of(&self, terms: &Terms, term: TermId) -> Option<&[Lit]> {
        let start = self.start.get(term.index()).copied().unwrap_or(0).checked_sub(1)? as usize;
        Some(&self.bits[start..][..terms.width(term) as usize])
    }

    fn bits(&self, terms: &Terms, term: TermId) -> Vec<Lit> {
        self.bits_of(terms, term).map(<[Lit]>::to_vec).unwrap_or_default()
    }

    fn lit(&self, terms: &Terms, term: TermId) -> Lit {
        self.bits_of(terms, term).map_or(Lit::from_dimacs(1), |bits| bits[0])
    }

    fn polarities(&self, term: TermId) -> u8 {
        self.done.get(term.index()).copied().unwrap_or(0)
    }

    /// Makes a term true.
    pub(crate) fn assert(&mut self, terms: &Terms, term: TermId, budget: &Budget) -> Result<(), Stop> {
        // Bounds first: they make bits constant, and what is built after them gets smaller.
        let (bounds, others): (Vec<TermId>, Vec<TermId>) =
            conjuncts(terms, term).into_iter().partition(|&conjunct| is_bound(terms, conjunct));
        for conjunct in bounds.into_iter().chain(others) {
            self.assert_conjunct(terms, conjunct, budget)?;
        }
        Ok(())
    }

    fn assert_conjunct(&mut self, terms: &Terms, term: TermId, budget: &Budget) -> Result<(), Stop> {
        let is_clause = terms.op(term) == Op::Not && terms.op(terms.arg(term, 0)) == Op::And;
        let is_equation = terms.op(term) == Op::Eq && matches!(terms.sort(terms.arg(term, 0)), Sort::BitVec(_));
        if is_equation {
            return self.assert_equation(terms, term, budget);
        }
        let clause = if is_clause {
            self.disjuncts(terms, terms.arg(term, 0), budget)?
        } else {
            vec![self.literal(terms, term, Polarity::POSITIVE, budget)?]
        };
        self.gates.clause(&clause);
        Ok(())
    }

    /// Makes the bits of both sides equal, without a literal for the equation.
    fn assert_equation(&mut self, terms: &Terms, term: TermId, budget: &Budget) -> Result<(), Stop> {
        let [a, b] = [terms.arg(term, 0), terms.arg(term, 1)];
        self.blast(terms, a, Polarity::BOTH, budget)?;
        self.blast(terms, b, Polarity::BOTH, budget)?;
        for (x, y) in self.bits(terms, a).into_iter().zip(self.bits(terms, b)) {
            self.gates.clause(&[!x, y]);
            self.gates.clause(&[x, !y]);
        }
        if self.start[term.index()] != 0 {
            let lit = self.lit(terms, term);
            self.gates.clause(&[lit]);
        }
        Ok(())
    }

    /// The literals of the negation of a conjunction, through nested ones.
    fn disjuncts(&mut self, terms: &Terms, and: TermId, budget: &Budget) -> Result<Vec<Lit>, Stop> {
        let mut clause = Vec::new();
        let mut stack = vec![and];
        while let Some(conjunction) = stack.pop() {
            for &arg in terms.args(conjunction) {
                let open = self.polarities(arg) & Polarity::NEGATIVE.0 == 0;
                if terms.op(arg) == Op::And && open {
                    stack.push(arg);
                } else {
                    clause.push(!self.literal(terms, arg, Polarity::NEGATIVE, budget)?);
                }
            }
        }
        Ok(clause)
    }

    /// The literal of a Boolean term, defined in the polarities asked for.
    pub(crate) fn literal(
        &mut self,
        terms: &Terms,
        term: TermId,
        polarity: Polarity,
        budget: &Budget,
    ) -> Result<Lit, Stop> {
        self.blast(terms, term, polarity, budget)?;
        Ok(self.lit(terms, term))
    }

    /// Makes the bits of a variable constant as far as they are known, best before anything mentions it.
    ///
    /// A variable that nothing has mentioned gets its bits when something does: the search prefers what comes later.
    pub(crate) fn fix_bits(&mut self, terms: &Terms, variable: TermId, known: KnownBits) {
        let Some(bits) = self.bits_of(terms, variable).map(<[Lit]>::to_vec) else {
            let all = self.known.entry(variable).or_default();
            *all = KnownBits { zeros: all.zeros | known.zeros, ones: all.ones | known.ones };
            return;
        };
        for (i, lit) in (0..).zip(bits) {
            if let Some(value) = known.bit(i) {
                self.gates.clause(&[if value { lit } else { !lit }]);
            }
        }
    }

    /// Blasts a term and all that it needs.
    pub(crate) fn blast(
        &mut self,
        terms: &Terms,
        term: TermId,
        polarity: Polarity,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if self.start.len() < terms.len() {
            self.start.resize(terms.len(), 0);
            self.done.resize(terms.len(), 0);
        }
        let mut stack = vec![(term, polarity, false)];
        while let Some((term, polarity, expanded)) = stack.pop() {
            let missing = polarity.missing(self.done[term.index()]);
            if missing.0 == 0 {
                continue;
            }
            if expanded {
                self.define(terms, term, missing);
                self.done[term.index()] |= missing.0;
                self.check_budget(budget)?;
                continue;
            }
            stack.push((term, polarity, true));
            if let Some((plus, minus)) = difference(terms, term) {
                stack.extend([(plus, Polarity::BOTH, false), (minus, Polarity::BOTH, false)]);
                continue;
            }
            for (i, &arg) in terms.args(term).iter().enumerate().rev() {
                stack.push((arg, argument_polarity(terms, term, i, missing), false));
            }
        }
        Ok(())
    }

    fn check_budget(&mut self, budget: &Budget) -> Result<(), Stop> {
        if self.gates.clauses - self.checked_at < CLAUSES_A_CHECK {
            return Ok(());
        }
        self.checked_at = self.gates.clauses;
        budget.check()
    }

    /// Gives a term its bits, or adds the clauses of another polarity. Its arguments are done.
    fn define(&mut self, terms: &Terms, term: TermId, missing: Polarity) {
        match terms.sort(term) {
            Sort::Bool => self.define_bool(terms, term, missing),
            Sort::BitVec(_) => {
                let bits = self.bit_vector(terms, term);
                self.set_bits(term, &bits);
            }
            Sort::Array { .. } => {}
            Sort::Float(_) => unreachable!("floats are replaced before blasting"),
        }
    }

    fn set_bits(&mut self, term: TermId, bits: &[Lit]) {
        self.start[term.index()] = self.bits.len() as u32 + 1;
        self.bits.extend_from_slice(bits);
    }

    /// Boolean terms whose encoding depends on the polarity, and those whose does not.
    fn define_bool(&mut self, terms: &Terms, term: TermId, missing: Polarity) {
        match terms.op(term) {
            Op::And => self.define_and(terms, term, missing),
            Op::Eq if matches!(terms.sort(terms.arg(term, 0)), Sort::BitVec(_)) => {
                self.define_equation(terms, term, missing);
            }
            Op::Ite => self.define_bool_ite(terms, term, missing),
            Op::Not
            | Op::Eq
            | leaf_op!()
            | bits_op!()
            | bits_predicate!()
            | array_op!()
            | to_float_op!()
            | float_op!() => {
                // If the literal is there, nothing is left to do: the arguments have been completed.
                if self.start[term.index()] == 0 {
                    let lit = self.boolean(terms, term);
                    self.set_bits(term, &[lit]);
                }
            }
        }
    }

    /// The literal of a term that is encoded by polarity, new if there is none.
    fn own_literal(&mut self, terms: &Terms, term: TermId) -> Lit {
        if self.start[term.index()] == 0 {
            let lit = self.gates.fresh();
            self.set_bits(term, &[lit]);
        }
        self.lit(terms, term)
    }

    fn define_and(&mut self, terms: &Terms, term: TermId, missing: Polarity) {
        let args: Vec<Lit> = terms.args(term).iter().map(|&t| self.lit(terms, t)).collect();
        let out = self.own_literal(terms, term);
        if missing.contains(Polarity::POSITIVE) {
            for &arg in &args {
                self.gates.clause(&[!out, arg]);
            }
        }
        if missing.contains(Polarity::NEGATIVE) {
            let mut clause: Vec<Lit> = args.iter().map(|&l| !l).collect();
            clause.push(out);
            self.gates.clause(&clause);
        }
    }

    fn define_equation(&mut self, terms: &Terms, term: TermId, missing: Polarity) {
        let (a, b) = (self.bits(terms, terms.arg(term, 0)), self.bits(terms, terms.arg(term, 1)));
        let out = self.own_literal(terms, term);
        if missing.contains(Polarity::POSITIVE) {
            for (&x, &y) in a.iter().zip(&b) {
                self.gates.clause(&[!out, !x, y]);
                self.gates.clause(&[!out, x, !y]);
            }
        }
        if missing.contains(Polarity::NEGATIVE) {
            let mut clause: Vec<Lit> = a.iter().zip(&b).map(|(&x, &y)| self.gates.xor(x, y)).collect();
            clause.push(out);
            self.gates.clause(&clause);
        }
    }

    fn define_bool_ite(&mut self, terms: &Terms, term: TermId, missing: Polarity) {
        let [c, a, b] = [0, 1, 2].map(|i| self.lit(terms, terms.arg(term, i)));
        let out = self.own_literal(terms, term);
        if missing.contains(Polarity::POSITIVE) {
            self.gates.clause(&[!out, !c, a]);
            self.gates.clause(&[!out, c, b]);
        }
        if missing.contains(Polarity::NEGATIVE) {
            self.gates.clause(&[out, !c, !a]);
            self.gates.clause(&[out, c, !b]);
        }
    }

    /// The literal of a Boolean term that is always encoded both ways.
    fn boolean(&mut self, terms: &Terms, term: TermId) -> Lit {
        let lit = |b: &Self, i: usize| b.lit(terms, terms.arg(term, i));
        let bits = |b: &Self, i: usize| b.bits(terms, terms.arg(term, i));
        match terms.op(term) {
            Op::Bool(value) => self.gates.constant(value),
            Op::Var(_) => {
                self.variables.push(term);
                self.gates.fresh()
            }
            Op::Not => !lit(self, 0),
            Op::Eq if terms.sort(terms.arg(term, 0)) == Sort::Bool => !self.gates.xor(lit(self, 0), lit(self, 1)),
            Op::Eq => {
                self.array_equations.push(term);
                self.gates.fresh()
            }
            Op::BvUlt => self.gates.less(&bits(self, 0), &bits(self, 1)),
            Op::BvSlt => self.gates.less_signed(&bits(self, 0), &bits(self, 1)),
            Op::BvUmulO => self.gates.multiply_overflows(&bits(self, 0), &bits(self, 1)),
            Op::BvSmulO => self.gates.multiply_overflows_signed(&bits(self, 0), &bits(self, 1)),
            op @ (Op::Const(_) | Op::And | Op::Ite | bits_op!() | array_op!() | to_float_op!() | float_op!()) => {
                unreachable!("{op:?} is encoded by polarity, makes no Boolean, or is replaced before blasting")
            }
        }
    }

    /// The bits of a bit-vector term.
    fn bit_vector(&mut self, terms: &Terms, term: TermId) -> Vec<Lit> {
        let width = terms.width(term) as usize;
        let arg = |b: &Self, i: usize| b.bits(terms, terms.arg(term, i));
        match terms.op(term) {
            Op::Const(_) => {
                let value: Vec<bool> = terms.as_const(term).map(|k| k.iter().collect()).unwrap_or_default();
                value.into_iter().map(|bit| self.gates.constant(bit)).collect()
            }
            Op::Var(_) => {
                self.variables.push(term);
                let known = self.known.get(&term).copied().unwrap_or_default();
                let bit = |i: usize| match u32::try_from(i).ok().and_then(|i| known.bit(i)) {
                    Some(value) => self.gates.constant(value),
                    None => self.gates.fresh(),
                };
                (0..width).map(bit).collect()
            }
            Op::Select => {
                self.selects.push(term);
                (0..width).map(|_| self.gates.fresh()).collect()
            }
            Op::Ite => {
                let (c, a, b) = (self.lit(terms, terms.arg(term, 0)), arg(self, 1), arg(self, 2));
                a.iter().zip(&b).map(|(&x, &y)| self.gates.mux(c, x, y)).collect()
            }
            Op::BvNot => arg(self, 0).iter().map(|&l| !l).collect(),
            Op::BvNeg => self.gates.negate(&arg(self, 0)),
            Op::BvAnd => self.zip(&arg(self, 0), &arg(self, 1), Gates::and),
            Op::BvOr => self.zip(&arg(self, 0), &arg(self, 1), Gates::or),
            Op::BvXor => self.zip(&arg(self, 0), &arg(self, 1), Gates::xor),
            Op::BvAdd => self.sum(terms, term),
            Op::BvMul => self.gates.multiply(&arg(self, 0), &arg(self, 1)),
            Op::BvUdiv => self.gates.divide(&arg(self, 0), &arg(self, 1)).0,
            Op::BvUrem => self.gates.divide(&arg(self, 0), &arg(self, 1)).1,
            Op::BvSdiv | Op::BvSrem => self.divide_signed(&arg(self, 0), &arg(self, 1), terms.op(term) == Op::BvSrem),
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                let (a, by) = (arg(self, 0), arg(self, 1));
                let fill = if terms.op(term) == Op::BvAshr { a[width - 1] } else { self.gates.zero() };
                self.gates.shift(&a, &by, terms.op(term) == Op::BvShl, fill)
            }
            Op::Concat => [arg(self, 1), arg(self, 0)].concat(),
            Op::Extract { hi, lo } => arg(self, 0)[lo as usize..=hi as usize].to_vec(),
            Op::SignExt(_) => {
                let mut bits = arg(self, 0);
                bits.resize(width, bits[bits.len() - 1]);
                bits
            }
            op @ (Op::Bool(_) | Op::Not | Op::And | Op::Eq | Op::Store | Op::ConstArray(_)) => no_bits(op),
            op @ (bits_predicate!() | to_float_op!() | float_op!()) => no_bits(op),
        }
    }

    fn zip(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Gates<S>, Lit, Lit) -> Lit) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| gate(&mut self.gates, x, y)).collect()
    }

    /// A sum; a negated summand becomes a carry in instead of a second adder.
    fn sum(&mut self, terms: &Terms, term: TermId) -> Vec<Lit> {
        let (a, b, carry) = match difference(terms, term) {
            Some((plus, minus)) => {
                let flipped = self.bits(terms, minus).iter().map(|&l| !l).collect();
                (self.bits(terms, plus), flipped, self.gates.one())
            }
            None => (self.bits(terms, terms.arg(term, 0)), self.bits(terms, terms.arg(term, 1)), self.gates.zero()),
        };
        self.gates.add_wrapping(&a, &b, carry)
    }

    fn divide_signed(&mut self, a: &[Lit], b: &[Lit], remainder: bool) -> Vec<Lit> {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (x, y) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, rest) = self.gates.divide(&x, &y);
        if remainder {
            return self.negate_if(sign_a, &rest);
        }
        let signs_differ = self.gates.xor(sign_a, sign_b);
        self.negate_if(signs_differ, &quotient)
    }

    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        if self.gates.value(condition) == Some(false) {
            return a.to_vec();
        }
        // Two's complement on demand: flip every bit, and carry the condition in.
        let flipped: Vec<Lit> = a.iter().map(|&l| self.gates.xor(l, condition)).collect();
        let zero = self.gates.zero();
        self.gates.add_wrapping(&flipped, &vec![zero; a.len()], condition)
    }
}

fn no_bits(op: Op) -> ! {
    unreachable!("{op:?} does not make a bit vector, or is replaced before blasting")
}

/// The arguments of a conjunction, through nested ones.
fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut conjuncts, mut stack) = (Vec::new(), vec![term]);
    while let Some(term) = stack.pop() {
        if terms.op(term) == Op::And {
            stack.extend(terms.args(term).iter().rev());
        } else {
            conjuncts.push(term);
        }
    }
    conjuncts
}

/// Whether a term compares a variable with a constant.
fn is_bound(terms: &Terms, term: TermId) -> bool {
    let term = if terms.op(term) == Op::Not { terms.arg(term, 0) } else { term };
    let atom = |&t: &TermId| matches!(terms.op(t), Op::Var(_)) || terms.as_const(t).is_some();
    matches!(terms.op(term), Op::BvUlt | Op::BvSlt | Op::Eq) && terms.args(term).iter().all(atom)
}

/// The operands of `a + -b`.
fn difference(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    if terms.op(term) != Op::BvAdd {
        return None;
    }
    let [a, b] = [terms.arg(term, 0), terms.arg(term, 1)];
    let negated = |t: TermId| terms.op(t) == Op::BvNeg;
    match (negated(a), negated(b)) {
        (_, true) => Some((a, terms.arg(b, 0))),
        (true, false) => Some((b, terms.arg(a, 0))),
        (false, false) => None,
    }
}

/// The polarity in which a term of this polarity needs its argument.
fn argument_polarity(terms: &Terms, term: TermId, argument: usize, polarity: Polarity) -> Polarity {
    if terms.sort(term) != Sort::Bool {
        return Polarity::BOTH;
    }
    match terms.op(term) {
        Op::Not => polarity.flipped(),
        Op::And => polarity,
        Op::Ite if argument > 0 => polarity,
        // Right for every operator; the others above are only cheaper.
        _ => Polarity::BOTH,
    }
}
