//! Reads, followed to their sources.
//!
//! A read is followed down its array term, past the writes to other indices and along the chosen branches, to what it
//! must equal in this model: the value of a write, the element of a constant array, or another read of the same
//! variable at the same index. The lemma that says so has the choices on the way as its conditions.
//!
//! One such lemma moves a read past one write, and the next model may put it at the next one. Two things keep a read
//! over a thousand writes from taking a thousand models. First, the index of a read that was wrong is assumed to
//! have a value of its own ([`Apart`]): if nothing speaks against it, the read then falls through all writes at once.
//! Second, a read that goes on being wrong is *unrolled*: the lemmas for the next writes are added whatever the model
//! says, twice as many each time. A Boolean variable, `past`, says that the read passes the writes unrolled so far,
//! so their size is linear.

use heddle_base::Id;
use rustc_hash::FxHashMap;

use super::{Equations, read_bits};
use crate::bits::Bits;
use crate::blast::Blaster;
use crate::sat::{Lit, Sat, Theory};
use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms, bits_op, bits_predicate, float_op, to_float_op};
use crate::value::ArrayValue;

/// A read that was wrong more often than this is unrolled.
const WRONG_BEFORE_UNROLLING: u32 = 3;

/// How many writes are unrolled the first time.
const FIRST_UNROLLING: usize = 16;

/// Only the lower bits of an index are assumed: the rest may be bound by where its object lies.
const ASSUMED_BITS: usize = 12;

/// How often assumptions about indices may fail before a query goes on without them.
const FAILURES_BEFORE_GIVING_UP: u32 = 3;

/// What the reads have been through so far.
#[derive(Default)]
pub(crate) struct Reads {
    progress: FxHashMap<TermId, Progress>,
    /// For the current query.
    pub(crate) apart: Apart,
}

/// Assumptions that give indices values of their own: guesses, which are dropped when they fail.
#[derive(Default)]
pub(crate) struct Apart {
    indices: Vec<Vec<Lit>>,
    guesses: u64,
    failures: u32,
}

impl Apart {
    /// All assumptions.
    pub(crate) fn lits(&self) -> impl Iterator<Item = Lit> + '_ {
        self.indices.iter().flatten().copied()
    }

    /// Drops what is part of a core, which is sorted; false if nothing is.
    pub(crate) fn reject(&mut self, core: &[Lit]) -> bool {
        let before = self.indices.len();
        self.indices.retain(|lits| lits.iter().all(|lit| core.binary_search(lit).is_err()));
        let rejected = self.indices.len() < before;
        self.failures += u32::from(rejected);
        if self.failures >= FAILURES_BEFORE_GIVING_UP {
            self.indices.clear();
        }
        rejected
    }

    /// Drops all, and guesses no more.
    pub(crate) fn give_up(&mut self) {
        self.indices.clear();
        self.failures = FAILURES_BEFORE_GIVING_UP;
    }

    fn guess(&mut self, index: &[Lit]) {
        if self.failures >= FAILURES_BEFORE_GIVING_UP {
            return;
        }
        self.guesses += 1;
        let bits = index.iter().take(ASSUMED_BITS).enumerate();
        self.indices.push(bits.map(|(i, &lit)| if self.guesses >> i & 1 == 1 { lit } else { !lit }).collect());
    }
}

/// What one read has been through.
struct Progress {
    /// In how many models it was wrong.
    wrong: u32,
    /// How many writes from the top are unrolled.
    unrolled: usize,
    /// The array below those.
    below: TermId,
    /// True if the read passes all of those.
    past: TermId,
}

/// Where a read ends.
#[derive(Clone, Copy)]
enum Source {
    /// The value of a write at this index.
    Written { index: TermId, value: TermId },
    /// The element of a constant array.
    Element(TermId),
    /// It reads this array variable.
    Variable(TermId),
}

/// The number of a value among those seen in a model.
type ValueNumber = u32;

/// One model of the SAT search, seen from the arrays.
pub(crate) struct ArrayModel<'a, T: Theory> {
    terms: &'a mut Terms,
    blaster: &'a mut Blaster<Sat<T>>,
    reads: &'a mut Reads,
    numbers: FxHashMap<Bits, ValueNumber>,
    /// Per term: the number of its value, plus one.
    values: Vec<ValueNumber>,
}

impl<'a, T: Theory> ArrayModel<'a, T> {
    pub(crate) fn new(terms: &'a mut Terms, blaster: &'a mut Blaster<Sat<T>>, reads: &'a mut Reads) -> Self {
        let values = vec![0; terms.len()];
        ArrayModel { terms, blaster, reads, numbers: FxHashMap::default(), values }
    }

    /// The value that the search gave to a term; the index and value terms of arrays are all blasted.
    fn value(&mut self, term: TermId) -> Bits {
        read_bits(self.terms, self.blaster, term).unwrap_or_else(|| Bits::zero(self.terms.width(term)))
    }

    /// The number of that value: equal values have equal numbers, and comparing them is cheap.
    fn number(&mut self, term: TermId) -> ValueNumber {
        let known = self.values[term.index()];
        if known != 0 {
            return known;
        }
        let value = self.value(term);
        let next = self.numbers.len() as ValueNumber + 1;
        let number = *self.numbers.entry(value).or_insert(next);
        self.values[term.index()] = number;
        number
    }

    /// Follows a read at `index` from an array to its source, telling of each choice on the way.
    fn follow(&mut self, array: TermId, index: TermId, mut on_the_way: impl FnMut(Step)) -> Source {
        let mut array = array;
        loop {
            match self.terms.op(array) {
                Op::Store => {
                    let [below, written, value] = [0, 1, 2].map(|i| self.terms.arg(array, i));
                    if self.number(index) == self.number(written) {
                        return Source::Written { index: written, value };
                    }
                    on_the_way(Step::Passed { written });
                    array = below;
                }
                Op::Ite => {
                    let [condition, yes, no] = [0, 1, 2].map(|i| self.terms.arg(array, i));
                    let holds = self.value(condition).is_one();
                    on_the_way(Step::Branch { condition, holds });
                    array = if holds { yes } else { no };
                }
                Op::ConstArray(_) => return Source::Element(self.terms.arg(array, 0)),
                Op::Var(_) => return Source::Variable(array),
                op @ (Op::Bool(_) | Op::Const(_) | Op::Not | Op::And | Op::Eq | Op::Select) => no_array(op),
                op @ (bits_op!() | bits_predicate!() | to_float_op!() | float_op!()) => no_array(op),
            }
        }
    }

    fn source(&mut self, select: TermId) -> Source {
        let [array, index] = [self.terms.arg(select, 0), self.terms.arg(select, 1)];
        self.follow(array, index, |_| {})
    }

    /// Lemmas that the model violates; none if it is a model of the arrays too.
    pub(crate) fn violated(&mut self) -> Vec<TermId> {
        let mut lemmas = Vec::new();
        let mut wrong = Vec::new();
        let mut first: FxHashMap<(TermId, ValueNumber), TermId> = FxHashMap::default();
        for select in self.blaster.selects.clone() {
            let source = self.source(select);
            let (expected, reader) = match source {
                Source::Written { value, .. } | Source::Element(value) => (value, None),
                Source::Variable(array) => {
                    let index = self.terms.arg(select, 1);
                    let key = (array, self.number(index));
                    let first = *first.entry(key).or_insert(select);
                    (first, Some(first))
                }
            };
            if self.number(select) != self.number(expected) {
                lemmas.push(self.lemma(select, expected, reader));
                wrong.push(select);
            }
        }
        for select in wrong {
            self.after_wrong(select, &mut lemmas);
        }
        lemmas
    }

    /// The read has its source's value, if it has this source.
    fn lemma(&mut self, select: TermId, expected: TermId, reader: Option<TermId>) -> TermId {
        let mut conditions = Vec::new();
        self.conditions(select, &mut conditions);
        if let Some(reader) = reader {
            self.conditions(reader, &mut conditions);
            let (i, j) = (self.terms.arg(select, 1), self.terms.arg(reader, 1));
            conditions.push(self.terms.eq(i, j));
        }
        let premise = self.terms.and_all(&conditions);
        let same = self.terms.eq(select, expected);
        self.terms.implies(premise, same)
    }

    /// The conditions under which a read has its source.
    fn conditions(&mut self, select: TermId, conditions: &mut Vec<TermId>) {
        let [mut array, index] = [self.terms.arg(select, 0), self.terms.arg(select, 1)];
        if let Some(progress) = self.reads.progress.get(&select) {
            // A read that is wrong, or ends at a variable, has passed all that is unrolled.
            array = progress.below;
            conditions.push(progress.past);
        }
        let mut steps = Vec::new();
        let source = self.follow(array, index, |step| steps.push(step));
        let found = match source {
            Source::Written { index: written, .. } => Some(written),
            Source::Element(_) | Source::Variable(_) => None,
        };
        for step in steps {
            conditions.extend(step.condition(self.terms, index, found));
        }
        if let Some(written) = found {
            conditions.push(self.terms.eq(index, written));
        }
    }

    /// Helps a read that was wrong to be right in the next model.
    fn after_wrong(&mut self, select: TermId, lemmas: &mut Vec<TermId>) {
        let (array, index) = (self.terms.arg(select, 0), self.terms.arg(select, 1));
        let new = || Progress { wrong: 0, unrolled: 0, below: array, past: Terms::TRUE };
        let progress = self.reads.progress.entry(select).or_insert_with(new);
        progress.wrong += 1;
        if progress.wrong == 1 {
            self.reads.apart.guess(self.blaster.bits_of(self.terms, index).unwrap_or_default());
        } else if progress.wrong > WRONG_BEFORE_UNROLLING {
            let count = progress.unrolled.max(FIRST_UNROLLING);
            for _ in 0..count {
                unroll(self.terms, select, progress, lemmas);
            }
        }
    }

    /// What the model says of every array variable that is read.
    pub(crate) fn variables(&mut self, equations: &Equations) -> Vec<(TermId, ArrayValue)> {
        let mut values: FxHashMap<TermId, ArrayValue> = FxHashMap::default();
        let mut order = Vec::new();
        let mut entries = Vec::new();
        for select in self.blaster.selects.clone() {
            let Source::Variable(array) = self.source(select) else { continue };
            let index = self.terms.arg(select, 1);
            let is_other = equations.is_other(self.terms, index);
            let (index, value) = (self.value(index), self.value(select));
            let known = values.entry(array).or_insert_with(|| {
                order.push(array);
                ArrayValue::new(index.width(), Bits::zero(value.width()))
            });
            if is_other {
                *known = ArrayValue::new(index.width(), value);
            } else {
                entries.push((array, index, value));
            }
        }
        for (array, index, value) in entries {
            if let Some(known) = values.get_mut(&array) {
                known.set(index, value);
            }
        }
        order.into_iter().filter_map(|array| values.remove(&array).map(|value| (array, value))).collect()
    }
}

fn no_array(op: Op) -> ! {
    unreachable!("{op:?} does not make an array: sorts are checked on construction")
}

/// Adds the lemmas for one more write of a read, unless there is a branch or the end of the array.
fn unroll(terms: &mut Terms, select: TermId, progress: &mut Progress, lemmas: &mut Vec<TermId>) {
    if terms.op(progress.below) != Op::Store {
        return;
    }
    let [below, written, value] = [0, 1, 2].map(|i| terms.arg(progress.below, i));
    (progress.below, progress.unrolled) = (below, progress.unrolled + 1);
    let (here, read) = (terms.eq(terms.arg(select, 1), written), terms.eq(select, value));
    if here == Terms::FALSE {
        return;
    }
    let reached = terms.and(progress.past, here);
    lemmas.push(terms.implies(reached, read));
    let elsewhere = terms.not(here);
    let passed = terms.and(progress.past, elsewhere);
    progress.past = terms.fresh("past", Sort::Bool).unwrap_or(passed);
    lemmas.push(terms.implies(passed, progress.past));
}

/// A choice on the way of a read to its source.
enum Step {
    /// It passed a write to another index.
    Passed { written: TermId },
    /// It took a branch.
    Branch { condition: TermId, holds: bool },
}

impl Step {
    /// What makes the read at `index` take this step; nothing if that follows from the index being that of the
    /// write where the read ends.
    fn condition(self, terms: &mut Terms, index: TermId, found: Option<TermId>) -> Option<TermId> {
        match self {
            Step::Passed { written } => {
                if found.is_some_and(|found| terms.eq(found, written) == Terms::FALSE) {
                    return None;
                }
                let same = terms.eq(index, written);
                Some(terms.not(same))
            }
            Step::Branch { condition, holds: true } => Some(condition),
            Step::Branch { condition, holds: false } => Some(terms.not(condition)),
        }
    }
}
