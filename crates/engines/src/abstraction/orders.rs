//! Lemmas about comparisons: what a solver of bits finds out slowly.
//!
//! Comparisons of the same terms are tied together: `<` is transitive and total, and a successor that does not wrap is the next
//! number. All follow from the meaning of the operators, so they change no answer.

use heddle_solver::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::predicates::atoms;

/// Terms of one width that are related to each other.
const MOST_TERMS: usize = 9;
/// Terms of one width whose equality is related.
const MOST_EQUAL: usize = 14;

/// Lemmas for the comparisons that occur in terms.
pub(super) fn lemmas(terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    for &root in roots {
        atoms(terms, root, &mut found);
    }
    let mut groups: FxHashMap<(u32, bool), Vec<TermId>> = FxHashMap::default();
    for signed in [false, true] {
        let wanted = if signed { Op::BvSlt } else { Op::BvUlt };
        for &atom in &found {
            if terms.op(atom) != wanted {
                continue;
            }
            let Sort::BitVec(width) = terms.sort(terms.args(atom)[0]) else { continue };
            let group = groups.entry((width, signed)).or_default();
            for &arg in terms.args(atom) {
                if !group.contains(&arg) && group.len() < MOST_TERMS {
                    group.push(arg);
                }
            }
        }
        // Equalities count where one side is compared.
        for &atom in &found {
            if terms.op(atom) != Op::Eq {
                continue;
            }
            let (a, b) = (terms.args(atom)[0], terms.args(atom)[1]);
            let Sort::BitVec(width) = terms.sort(a) else { continue };
            let Some(group) = groups.get_mut(&(width, signed)) else { continue };
            if (group.contains(&a) || group.contains(&b)) && group.len() + 2 <= MOST_TERMS {
                for side in [a, b] {
                    if !group.contains(&side) {
                        group.push(side);
                    }
                }
            }
        }
    }
    let mut all = equalities(terms, &found);
    let mut groups: Vec<((u32, bool), Vec<TermId>)> = groups.into_iter().collect();
    groups.sort_by_key(|g| g.0);
    for ((width, signed), group) in groups {
        total_order(terms, width, signed, &group, &mut all);
    }
    all
}

/// Equality is transitive.
fn equalities(terms: &mut Terms, atoms: &[TermId]) -> Vec<TermId> {
    let mut groups: FxHashMap<u32, Vec<TermId>> = FxHashMap::default();
    for &atom in atoms {
        if terms.op(atom) != Op::Eq {
            continue;
        }
        let Sort::BitVec(width) = terms.sort(terms.args(atom)[0]) else { continue };
        let group = groups.entry(width).or_default();
        for &side in terms.args(atom) {
            if !group.contains(&side) && group.len() < MOST_EQUAL {
                group.push(side);
            }
        }
    }
    let mut groups: Vec<(u32, Vec<TermId>)> = groups.into_iter().collect();
    groups.sort_by_key(|g| g.0);
    let mut all = Vec::new();
    for (_, group) in groups {
        for (i, &a) in group.iter().enumerate() {
            for (j, &b) in group.iter().enumerate().skip(i + 1) {
                for &c in &group[j + 1..] {
                    let (ab, bc, ac) = (terms.eq(a, b), terms.eq(b, c), terms.eq(a, c));
                    let (not_ab, not_bc, not_ac) = (terms.not(ab), terms.not(bc), terms.not(ac));
                    all.push(terms.or_all(&[not_ab, not_bc, ac]));
                    all.push(terms.or_all(&[not_ab, not_ac, bc]));
                    all.push(terms.or_all(&[not_ac, not_bc, ab]));
                }
            }
        }
    }
    all
}

fn total_order(terms: &mut Terms, width: u32, signed: bool, group: &[TermId], all: &mut Vec<TermId>) {
    let less = |terms: &mut Terms, a: TermId, b: TermId| if signed { terms.slt(a, b) } else { terms.ult(a, b) };
    for &a in group {
        for &b in group.iter().filter(|&&b| b != a) {
            let ab = less(terms, a, b);
            let ba = less(terms, b, a);
            let equal = terms.eq(a, b);
            let some = terms.or_all(&[ab, ba, equal]);
            let (not_ab, not_ba, not_equal) = (terms.not(ab), terms.not(ba), terms.not(equal));
            let apart = terms.or(not_ab, not_ba);
            let strict = terms.or(not_ab, not_equal);
            all.extend([some, apart, strict]);
            for &c in group.iter().filter(|&&c| c != a && c != b) {
                let bc = less(terms, b, c);
                let ac = less(terms, a, c);
                let not_bc = terms.not(bc);
                // a < b ≤ … is covered by the other order of the three.
                all.push(terms.or_all(&[not_ab, not_bc, ac]));
                let cb = less(terms, c, b);
                // a < b and b ≤ c give a < c.
                all.push(terms.or_all(&[not_ab, cb, ac]));
            }
        }
    }
    let one = terms.bv(width, 1);
    let last = if signed { (1u64 << (width - 1).min(62)) - 1 } else { u64::MAX >> (64 - width.min(64)) };
    if width > 62 {
        return;
    }
    let last = terms.bv(width, last);
    for &next in group {
        for &before in group.iter().filter(|&&b| b != next) {
            if terms.add(before, one) != next {
                continue;
            }
            let wraps = terms.eq(before, last);
            let grows = less(terms, before, next);
            all.push(terms.or(wraps, grows));
            for &other in group.iter().filter(|&&o| o != next && o != before) {
                let (above, below) = (less(terms, before, other), less(terms, other, next));
                let (above, below) = (terms.not(above), terms.not(below));
                all.push(terms.or_all(&[wraps, above, below]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_base::Budget;
    use heddle_solver::{Answer, Solver};

    use super::*;

    /// No lemma excludes anything.
    #[test]
    fn lemmas_hold_always() {
        let mut terms = Terms::new();
        for width in [2, 3, 8] {
            let (x, y, z) = (
                terms.bv_var(&format!("x{width}"), width),
                terms.bv_var(&format!("y{width}"), width),
                terms.bv_var(&format!("z{width}"), width),
            );
            let one = terms.bv(width, 1);
            let next = terms.add(x, one);
            let roots = [
                terms.ult(x, y),
                terms.slt(y, z),
                terms.slt(next, z),
                terms.ult(next, y),
                terms.eq(z, x),
                terms.slt(x, y),
            ];
            for lemma in lemmas(&mut terms, &roots) {
                let mut solver = Solver::new();
                let violated = terms.not(lemma);
                solver.assert(&terms, violated).unwrap();
                let answer = solver.solve(&mut terms, &[], &Budget::unlimited()).unwrap();
                assert!(matches!(answer, Answer::Unsat(_)), "width {width}: {}", terms.display(lemma));
            }
        }
    }
}
