//! The solver of terms: assert, assume, ask.
//!
//! A [`Solver`] belongs to one [`Terms`]: every call must be given the same store. Terms are asserted for ever;
//! assumptions hold for one query. Nothing is translated before it is needed, and each term only once, so many
//! queries over growing formulas are cheap.

use std::cell::{Ref, RefMut};

use heddle_base::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::arrays::{Apart, ArrayModel, Equations, Reads, read_bits};
use crate::blast::{Blaster, Polarity};
use crate::eval::{Assignment, Evaluator};
use crate::float;
use crate::sat::{Lit, NoTheory, Sat, SatAnswer, SatConfig, SatStatistics, Theory};
use crate::sort::{Sort, SortError};
use crate::terms::{KnownBits, Op, TermId, Terms};
use crate::value::Value;

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, by this model.
    Sat(Model),
    /// Unsatisfiable, because of this core.
    Unsat(Core),
    /// Not decided.
    Unknown(Stop),
}

impl Answer {
    /// Whether it is [`Answer::Sat`].
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether it is [`Answer::Unsat`].
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}

/// Values of the variables that satisfy a query; variables that do not matter have the default of their sort.
#[derive(Clone, Debug, Default)]
pub struct Model {
    assignment: Assignment,
}

impl Model {
    pub(crate) fn new(assignment: Assignment) -> Self {
        Model { assignment }
    }

    /// The value of any term.
    pub fn eval(&self, terms: &Terms, term: TermId) -> Value {
        self.assignment.eval(terms, term)
    }

    /// An evaluator for many terms.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluator<'a> {
        Evaluator::new(terms, &self.assignment)
    }

    /// The values of the variables.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// Assumptions that cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Core {
    /// In the order in which they were assumed; empty if what is asserted has no model.
    pub assumptions: Vec<TermId>,
}

/// How a solver is set up.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Whether cores are reduced until no assumption can be left out.
    pub minimise_cores: bool,
    /// The SAT solver underneath.
    pub sat: SatConfig,
}

/// Counts since the solver was made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Of the SAT solver.
    pub sat: SatStatistics,
    /// Lemmas about arrays.
    pub array_lemmas: u64,
}

/// How long a guess about the indices of arrays may take.
const CONFLICTS_A_GUESS: u32 = 2000;

/// An incremental solver of terms, with a theory over chosen literals.
pub struct Solver<T: Theory = NoTheory> {
    blaster: Blaster<Sat<T>>,
    floats: float::lower::Lowering,
    array_equations: Equations,
    array_reads: Reads,
    config: Config,
    asserted: Vec<TermId>,
    /// How many of those are translated.
    translated: usize,
    /// All lemmas about arrays. They are kept: a query that is stopped leaves some for the next one to translate.
    lemmas: Vec<TermId>,
    /// How many of those are translated.
    translated_lemmas: usize,
}

impl Solver<NoTheory> {
    /// A solver without a theory.
    pub fn new() -> Self {
        Self::with_theory(NoTheory, Config::default())
    }
}

impl Default for Solver<NoTheory> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Theory> Solver<T> {
    /// A solver with a theory.
    pub fn with_theory(theory: T, config: Config) -> Self {
        Solver {
            blaster: Blaster::new(Sat::with_config(theory, &config.sat)),
            floats: float::lower::Lowering::default(),
            array_equations: Equations::default(),
            array_reads: Reads::default(),
            config,
            asserted: Vec::new(),
            translated: 0,
            lemmas: Vec::new(),
            translated_lemmas: 0,
        }
    }

    /// The SAT solver underneath, for clauses over literals.
    pub fn sat(&mut self) -> &mut Sat<T> {
        &mut self.blaster.gates.sink
    }

    /// The theory.
    pub fn theory(&self) -> Ref<'_, T> {
        self.blaster.gates.sink.theory()
    }

    /// The theory, between two queries.
    pub fn theory_mut(&mut self) -> RefMut<'_, T> {
        self.blaster.gates.sink.theory_mut()
    }

    /// All terms asserted so far.
    pub fn asserted(&self) -> &[TermId] {
        &self.asserted
    }

    /// Requires a Boolean term to be true, from now on.
    pub fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SortError> {
        expect_bool(terms, term)?;
        self.asserted.push(term);
        Ok(())
    }

    /// Fixes bits of a bit-vector variable at once: what is built on it later gets smaller.
    ///
    /// This is for what follows from the assertions and the theory anyway; it shows in no script.
    pub fn fix_bits(&mut self, terms: &Terms, variable: TermId, known: KnownBits) -> Result<(), SortError> {
        expect_short_variable(terms, variable)?;
        self.blaster.fix_bits(terms, variable, known);
        Ok(())
    }

    /// The literal that is true exactly when a Boolean term is, for clauses and theories. It stays valid for ever.
    pub fn lit_of(&mut self, terms: &mut Terms, term: TermId) -> Result<Lit, SortError> {
        expect_bool(terms, term)?;
        let lowered = self.floats.lower(terms, term);
        let unlimited = Budget::unlimited();
        let lit = match self.blaster.literal(terms, lowered, Polarity::BOTH, &unlimited) {
            Ok(lit) => lit,
            Err(stop) => unreachable!("an unlimited budget was used up: {stop:?}"),
        };
        self.sat().freeze(lit);
        Ok(lit)
    }

    /// Lets the theory observe a Boolean term, and returns the literal to watch.
    pub fn observe(&mut self, terms: &mut Terms, term: TermId) -> Result<Lit, SortError> {
        let lit = self.lit_of(terms, term)?;
        Ok(self.sat().observe(lit))
    }

    /// Whether all that is asserted and assumed can be true together.
    pub fn solve(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Result<Answer, SortError> {
        for &term in assumptions {
            expect_bool(terms, term)?;
        }
        let answer = self.try_solve(terms, assumptions, budget);
        self.array_reads.apart = Apart::default();
        Ok(answer.unwrap_or_else(Answer::Unknown))
    }

    fn try_solve(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Result<Answer, Stop> {
        self.translate(terms, budget)?;
        let mut lits = Vec::with_capacity(assumptions.len());
        for &term in assumptions {
            let lowered = self.floats.lower(terms, term);
            lits.push(self.blaster.literal(terms, lowered, Polarity::POSITIVE, budget)?);
        }
        loop {
            let equations = self.array_equations.instantiate(terms, &self.blaster);
            self.add_lemmas(terms, equations, budget)?;
            match self.search(&lits, budget) {
                SatAnswer::Unknown(stop) => return Err(stop),
                SatAnswer::Unsat(core) => return Ok(Answer::Unsat(self.core(assumptions, &lits, core, budget))),
                SatAnswer::Sat => {
                    let lemmas = ArrayModel::new(terms, &mut self.blaster, &mut self.array_reads).violated();
                    if lemmas.is_empty() {
                        return Ok(Answer::Sat(self.model(terms, assumptions)));
                    }
                    self.add_lemmas(terms, lemmas, budget)?;
                }
            }
        }
    }

    /// Searches for a model, if possible one in which the indices of arrays are apart.
    fn search(&mut self, lits: &[Lit], budget: &Budget) -> SatAnswer {
        loop {
            let guesses = &mut self.array_reads.apart;
            let sat = &mut self.blaster.gates.sink;
            let assumed: Vec<Lit> = lits.iter().copied().chain(guesses.lits()).collect();
            if assumed.len() == lits.len() {
                return sat.solve(lits, budget);
            }
            match sat.solve_limited(&assumed, CONFLICTS_A_GUESS, budget) {
                Some(SatAnswer::Unsat(core)) if guesses.reject(&core) => {}
                Some(answer) => return answer,
                None => guesses.give_up(),
            }
        }
    }

    /// Blasts what was asserted since the last query.
    fn translate(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), Stop> {
        while let Some(&term) = self.asserted.get(self.translated) {
            let lowered = self.floats.lower(terms, term);
            self.blaster.assert(terms, lowered, budget)?;
            self.translated += 1;
        }
        Ok(())
    }

    /// Blasts new lemmas, and those that a stopped query left.
    fn add_lemmas(&mut self, terms: &Terms, lemmas: Vec<TermId>, budget: &Budget) -> Result<(), Stop> {
        self.lemmas.extend(lemmas);
        while let Some(&lemma) = self.lemmas.get(self.translated_lemmas) {
            self.blaster.assert(terms, lemma, budget)?;
            self.translated_lemmas += 1;
        }
        Ok(())
    }

    fn core(&mut self, assumptions: &[TermId], lits: &[Lit], core: Vec<Lit>, budget: &Budget) -> Core {
        let core = if self.config.minimise_cores { self.sat().minimise_core(core, budget) } else { core };
        let failed = assumptions.iter().zip(lits).filter(|(_, lit)| core.binary_search(lit).is_ok());
        let mut assumptions: Vec<TermId> = failed.map(|(&term, _)| term).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        assumptions.retain(|&term| seen.insert(term));
        Core { assumptions }
    }

    fn model(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Model {
        let mut assignment = Assignment::new();
        let patterns: FxHashMap<TermId, TermId> = self.floats.variables().collect();
        for term in self.blaster.variables.clone() {
            let Some(bits) = read_bits(terms, &mut self.blaster, term) else { continue };
            let (owner, value) = match patterns.get(&term) {
                Some(&float) => (float, Value::Bits(float_value(terms.sort(float), &bits))),
                None if terms.sort(term) == Sort::Bool => (term, Value::Bool(bits.is_one())),
                None => (term, Value::Bits(bits)),
            };
            set(terms, &mut assignment, owner, value);
        }
        let mut arrays = ArrayModel::new(terms, &mut self.blaster, &mut self.array_reads);
        for (array, value) in arrays.variables(&self.array_equations) {
            set(terms, &mut assignment, array, Value::Array(value));
        }
        let model = Model::new(assignment);
        debug_assert!(self.holds(terms, &model, assumptions), "the model does not satisfy the terms");
        model
    }

    /// Whether a model satisfies all that is asserted and assumed, by evaluation.
    fn holds(&self, terms: &Terms, model: &Model, assumptions: &[TermId]) -> bool {
        let mut evaluator = model.evaluator(terms);
        self.asserted.iter().chain(assumptions).all(|&term| evaluator.eval(term) == Value::Bool(true))
    }

    /// The query as SMT-LIB text.
    pub fn script(&self, terms: &Terms, assumptions: &[TermId]) -> String {
        crate::smtlib::script(terms, &self.asserted, assumptions)
    }

    /// Counts.
    pub fn statistics(&self) -> Statistics {
        Statistics { sat: self.blaster.gates.sink.statistics(), array_lemmas: self.lemmas.len() as u64 }
    }
}

fn set(terms: &Terms, assignment: &mut Assignment, term: TermId, value: Value) {
    if let Op::Var(var) = terms.op(term) {
        assignment.set(var, value);
    }
}

fn float_value(sort: Sort, bits: &crate::bits::Bits) -> crate::bits::Bits {
    match sort {
        Sort::Float(format) => float::canonical(format, bits),
        Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } => bits.clone(),
    }
}

/// Rejects what is not a Boolean term of this store.
pub(crate) fn expect_bool(terms: &Terms, term: TermId) -> Result<(), SortError> {
    if !terms.contains(term) {
        return Err(SortError::Unknown(term));
    }
    match terms.sort(term) {
        Sort::Bool => Ok(()),
        given @ (Sort::BitVec(_) | Sort::Array { .. } | Sort::Float(_)) => {
            Err(SortError::Expected { expected: "Bool", term, given })
        }
    }
}

/// Rejects what is not a bit-vector variable of at most 64 bits.
fn expect_short_variable(terms: &Terms, term: TermId) -> Result<(), SortError> {
    if !terms.contains(term) {
        return Err(SortError::Unknown(term));
    }
    match (terms.op(term), terms.sort(term)) {
        (Op::Var(_), Sort::BitVec(1..=64)) => Ok(()),
        (_, given) => Err(SortError::Expected { expected: "a variable of at most 64 bits", term, given }),
    }
}

#[cfg(test)]
mod tests;
