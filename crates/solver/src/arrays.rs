//! Arrays by lemmas on demand.
//!
//! Reads are free variables for the SAT search. In each model every read is followed down its array term, past the
//! writes to other indices and along the chosen branches, to what it must equal: the value of a write, the element
//! of a constant array, or another read of the same variable at the same index. Where it does not, the lemma that
//! says so is added, with the index comparisons on the way as its conditions (Brummayer and Biere's scheme).
//!
//! Equations between arrays are rare in programs, so they are instantiated eagerly: the equal arrays agree at every
//! index that occurs with them and at one more, `other`, that stands for all the rest; unequal arrays differ at a
//! witness. Narrow index sorts are enumerated instead of using `other`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::blast::Blaster;
use crate::sat::{Sat, Theory};
use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms};
use crate::value::ArrayValue;

/// Index sorts up to this width are enumerated when arrays are compared.
const ENUMERATED_WIDTH: u32 = 6;

/// What has been instantiated so far.
#[derive(Default)]
pub(crate) struct Arrays {
    /// How many of the blaster's equations have a witness.
    witnessed: usize,
    instantiated: FxHashSet<(TermId, TermId)>,
    others: FxHashMap<u32, Other>,
}

/// The index that stands for all indices which do not occur.
struct Other {
    index: TermId,
    apart_from: FxHashSet<TermId>,
}

/// Where a read ends.
enum Source {
    /// It must equal this term.
    Value(TermId),
    /// It reads this array variable.
    Variable(TermId),
}

impl Arrays {
    /// Lemmas for equations between arrays; none if there is nothing new.
    pub(crate) fn instantiate<T: Theory>(&mut self, terms: &mut Terms, blaster: &Blaster<Sat<T>>) -> Vec<TermId> {
        if blaster.array_equations.is_empty() {
            return Vec::new();
        }
        let mut lemmas = self.witnesses(terms, &blaster.array_equations[self.witnessed..]);
        self.witnessed = blaster.array_equations.len();
        for width in index_widths(terms, &blaster.array_equations) {
            let indices = self.indices(terms, blaster, width, &mut lemmas);
            for &equation in &blaster.array_equations {
                self.agree(terms, equation, width, &indices, &mut lemmas);
            }
        }
        lemmas
    }

    /// Unequal arrays differ somewhere.
    fn witnesses(&mut self, terms: &mut Terms, equations: &[TermId]) -> Vec<TermId> {
        let mut lemmas = Vec::new();
        for &equation in equations {
            let [a, b] = [terms.arg(equation, 0), terms.arg(equation, 1)];
            let Sort::Array { index, .. } = terms.sort(a) else { continue };
            let Ok(witness) = terms.fresh("witness", Sort::BitVec(index)) else { continue };
            let (x, y) = (terms.select(a, witness), terms.select(b, witness));
            let differ = terms.ne(x, y);
            lemmas.push(terms.or(equation, differ));
        }
        lemmas
    }

    /// All indices of this width at which arrays must agree to be equal.
    fn indices<T: Theory>(
        &mut self,
        terms: &mut Terms,
        blaster: &Blaster<Sat<T>>,
        width: u32,
        lemmas: &mut Vec<TermId>,
    ) -> Vec<TermId> {
        if width <= ENUMERATED_WIDTH {
            return (0..1 << width).map(|i| terms.bv(width, i)).collect();
        }
        let mut indices = occurring_indices(terms, blaster, lemmas, width);
        let other = self.others.entry(width).or_insert_with(|| {
            let index = terms.fresh("other", Sort::BitVec(width)).unwrap_or(Terms::TRUE);
            Other { index, apart_from: FxHashSet::default() }
        });
        for &index in &indices {
            if index != other.index && other.apart_from.insert(index) {
                lemmas.push(terms.ne(other.index, index));
            }
        }
        indices.push(other.index);
        indices
    }

    /// Equal arrays agree at these indices.
    fn agree(&mut self, terms: &mut Terms, equation: TermId, width: u32, indices: &[TermId], lemmas: &mut Vec<TermId>) {
        let [a, b] = [terms.arg(equation, 0), terms.arg(equation, 1)];
        if !matches!(terms.sort(a), Sort::Array { index, .. } if index == width) {
            return;
        }
        for &index in indices {
            if self.instantiated.insert((equation, index)) {
                let (x, y) = (terms.select(a, index), terms.select(b, index));
                let same = terms.eq(x, y);
                lemmas.push(terms.implies(equation, same));
            }
        }
    }
}

fn index_widths(terms: &Terms, equations: &[TermId]) -> Vec<u32> {
    let mut widths: Vec<u32> = equations
        .iter()
        .filter_map(|&e| match terms.sort(terms.arg(e, 0)) {
            Sort::Array { index, .. } => Some(index),
            Sort::Bool | Sort::BitVec(_) | Sort::Float(_) => None,
        })
        .collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// The indices of reads and writes that were blasted, or are about to be by lemmas.
fn occurring_indices<T: Theory>(
    terms: &Terms,
    blaster: &Blaster<Sat<T>>,
    lemmas: &[TermId],
    width: u32,
) -> Vec<TermId> {
    let roots: Vec<TermId> = blaster.selects.iter().chain(&blaster.array_equations).chain(lemmas).copied().collect();
    let mut indices: Vec<TermId> = terms
        .post_order(&roots)
        .into_iter()
        .filter(|&t| matches!(terms.op(t), Op::Select | Op::Store))
        .map(|t| terms.arg(t, 1))
        .filter(|&i| terms.width(i) == width)
        .collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// One model of the SAT search, seen from the arrays.
pub(crate) struct ArrayModel<'a, T: Theory> {
    terms: &'a mut Terms,
    blaster: &'a mut Blaster<Sat<T>>,
    values: FxHashMap<TermId, Bits>,
}

impl<'a, T: Theory> ArrayModel<'a, T> {
    pub(crate) fn new(terms: &'a mut Terms, blaster: &'a mut Blaster<Sat<T>>) -> Self {
        ArrayModel { terms, blaster, values: FxHashMap::default() }
    }

    /// The value that the search gave to a term; the index and value terms of arrays are all blasted.
    fn value(&mut self, term: TermId) -> Bits {
        if let Some(value) = self.values.get(&term) {
            return value.clone();
        }
        let value = read_bits(self.terms, self.blaster, term).unwrap_or_else(|| Bits::zero(self.terms.width(term)));
        self.values.insert(term, value.clone());
        value
    }

    /// Follows a read to its source, telling of each condition on the way.
    fn follow(&mut self, select: TermId, mut on_the_way: impl FnMut(&mut Terms, Step)) -> Source {
        let [mut array, index] = [self.terms.arg(select, 0), self.terms.arg(select, 1)];
        loop {
            match self.terms.op(array) {
                Op::Store => {
                    let [below, written, value] = [0, 1, 2].map(|i| self.terms.arg(array, i));
                    let same = self.value(index) == self.value(written);
                    on_the_way(self.terms, Step::Index { index, written, same });
                    if same {
                        return Source::Value(value);
                    }
                    array = below;
                }
                Op::Ite => {
                    let [condition, yes, no] = [0, 1, 2].map(|i| self.terms.arg(array, i));
                    let holds = self.value(condition).is_one();
                    on_the_way(self.terms, Step::Branch { condition, holds });
                    array = if holds { yes } else { no };
                }
                Op::ConstArray(_) => return Source::Value(self.terms.arg(array, 0)),
                _ => return Source::Variable(array),
            }
        }
    }

    /// The conditions under which a read has its source.
    fn conditions(&mut self, select: TermId, conditions: &mut Vec<TermId>) {
        self.follow(select, |terms, step| conditions.push(step.condition(terms)));
    }

    /// Lemmas that the model violates; none if it is a model of the arrays too.
    pub(crate) fn violated(&mut self) -> Vec<TermId> {
        let mut lemmas = Vec::new();
        let mut seen: FxHashMap<(TermId, Bits), TermId> = FxHashMap::default();
        for select in self.blaster.selects.clone() {
            let (expected, reader) = match self.follow(select, |_, _| {}) {
                Source::Value(value) => (value, None),
                Source::Variable(array) => {
                    let index = self.terms.arg(select, 1);
                    let key = (array, self.value(index));
                    let first = *seen.entry(key).or_insert(select);
                    (first, Some(first))
                }
            };
            if self.value(select) != self.value(expected) {
                lemmas.push(self.lemma(select, expected, reader));
            }
        }
        lemmas
    }

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

    /// What the model says of every array variable that is read.
    pub(crate) fn variables(&mut self, arrays: &Arrays) -> Vec<(TermId, ArrayValue)> {
        let mut values: FxHashMap<TermId, ArrayValue> = FxHashMap::default();
        let mut order = Vec::new();
        let mut entries = Vec::new();
        for select in self.blaster.selects.clone() {
            let Source::Variable(array) = self.follow(select, |_, _| {}) else { continue };
            let index = self.terms.arg(select, 1);
            let is_other = arrays.others.get(&self.terms.width(index)).is_some_and(|o| o.index == index);
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

/// A choice on the way of a read to its source.
enum Step {
    Index { index: TermId, written: TermId, same: bool },
    Branch { condition: TermId, holds: bool },
}

impl Step {
    fn condition(self, terms: &mut Terms) -> TermId {
        let (condition, holds) = match self {
            Step::Index { index, written, same } => (terms.eq(index, written), same),
            Step::Branch { condition, holds } => (condition, holds),
        };
        if holds { condition } else { terms.not(condition) }
    }
}

/// The value of a blasted term in the model of the search.
pub(crate) fn read_bits<T: Theory>(terms: &Terms, blaster: &mut Blaster<Sat<T>>, term: TermId) -> Option<Bits> {
    let lits = blaster.bits_of(terms, term)?.to_vec();
    let sat = &mut blaster.gates.sink;
    Bits::from_bits(lits.into_iter().map(|lit| sat.value(lit).unwrap_or(false)))
}
