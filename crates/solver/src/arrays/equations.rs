//! Equations between arrays, instantiated eagerly.
//!
//! The equal arrays agree at every index that occurs with them and at one more, `other`, that stands for all the
//! rest; unequal arrays differ at a witness. Narrow index sorts are enumerated instead of using `other`, and so are
//! those with so many indices that `other` could not differ from all of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::blast::Blaster;
use crate::sat::{Sat, Theory};
use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms};

/// Index sorts up to this width are enumerated when arrays are compared.
const ENUMERATED_WIDTH: u32 = 6;

/// What has been instantiated so far.
#[derive(Default)]
pub(crate) struct Equations {
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

impl Equations {
    /// Whether an index term stands for all indices that do not occur.
    pub(super) fn is_other(&self, terms: &Terms, index: TermId) -> bool {
        self.others.get(&terms.width(index)).is_some_and(|other| other.index == index)
    }

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
            return all_indices(terms, width);
        }
        let mut indices = occurring_indices(terms, blaster, lemmas, width);
        let other = self.others.entry(width).or_insert_with(|| {
            let index = terms.fresh("other", Sort::BitVec(width)).unwrap_or(Terms::TRUE);
            Other { index, apart_from: FxHashSet::default() }
        });
        indices.retain(|&index| index != other.index);
        let new: Vec<TermId> = indices.iter().copied().filter(|index| !other.apart_from.contains(index)).collect();
        if width < usize::BITS && other.apart_from.len() + new.len() >= 1 << width {
            return all_indices(terms, width);
        }
        for index in new {
            lemmas.push(terms.ne(other.index, index));
            other.apart_from.insert(index);
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

fn all_indices(terms: &mut Terms, width: u32) -> Vec<TermId> {
    (0..1 << width).map(|i| terms.bv(width, i)).collect()
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
