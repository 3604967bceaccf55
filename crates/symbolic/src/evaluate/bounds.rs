//! How large a value can be, judged by the conditions on its path: `n < 1 || n > 3` was false, so `n * 40` is at most 120.
//!
//! A guess that saves work: whoever uses it must also see to it that larger values are left out.

use heddle_solver::{Op, Sort, TermId, Terms};

/// Values from the first to the second, as signed numbers.
type Range = (i128, i128);

/// Nested operators that are looked through.
const DEPTH: u32 = 12;

/// A bound on a value of at most 64 bits, as an unsigned number, where `guard` holds.
pub(crate) fn upper_bound(terms: &Terms, guard: TermId, value: TermId) -> Option<u64> {
    let mut conjuncts = Vec::new();
    let mut todo = vec![guard];
    while let Some(term) = todo.pop() {
        match terms.op(term) {
            Op::And => todo.extend(terms.args(term)),
            _ => conjuncts.push(term),
        }
    }
    let (least, most) = range(terms, &conjuncts, value, DEPTH)?;
    (least >= 0).then(|| u64::try_from(most).ok()).flatten()
}

fn range(terms: &Terms, conjuncts: &[TermId], term: TermId, depth: u32) -> Option<Range> {
    let Sort::BitVec(width) = terms.sort(term) else { return None };
    if width > 64 || depth == 0 {
        return None;
    }
    if let Some(value) = signed(terms, term) {
        return Some((value, value));
    }
    let args = terms.args(term);
    let of = |arg: TermId| range(terms, conjuncts, arg, depth - 1);
    let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let fits = |&(least, most): &Range| low <= least && most <= high;
    let computed = match terms.op(term) {
        Op::SignExt(_) => of(args[0]),
        Op::BvAdd => args.iter().map(|&arg| of(arg)).try_fold((0, 0), |(a, b), next| next.map(|(c, d)| (a + c, b + d))),
        Op::BvMul => args.iter().map(|&arg| of(arg)).try_fold((1i128, 1i128), |(a, b), next| {
            let (c, d) = next?;
            let products = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*products.iter().min()?, *products.iter().max()?))
        }),
        // The lower bits of what fits into them.
        Op::Extract { lo: 0, .. } => of(args[0]),
        // A value above zeros, or zeros above a value.
        Op::Concat => match (signed(terms, args[0]), signed(terms, args[1])) {
            (_, Some(0)) => {
                let Sort::BitVec(zeros) = terms.sort(args[1]) else { return None };
                of(args[0]).map(|(least, most)| (least << zeros, most << zeros))
            }
            (Some(0), _) => of(args[1]).filter(|&(least, _)| least >= 0),
            (_, _) => None,
        },
        _ => None,
    };
    let told = conjuncts.iter().fold((low, high), |so_far, &conjunct| told(terms, conjunct, term, so_far));
    let (least, most) = computed.filter(fits).unwrap_or((low, high));
    Some((least.max(told.0), most.min(told.1))).filter(|range| *range != (low, high))
}

/// What a conjunct tells of a term.
fn told(terms: &Terms, conjunct: TermId, term: TermId, (least, most): Range) -> Range {
    let (negated, inner) = match terms.op(conjunct) {
        Op::Not => (true, terms.args(conjunct)[0]),
        _ => (false, conjunct),
    };
    let args = terms.args(inner);
    match (terms.op(inner), negated) {
        (Op::Eq, false) if args.contains(&term) => {
            let other = if args[0] == term { args[1] } else { args[0] };
            signed(terms, other).map_or((least, most), |value| (value, value))
        }
        (Op::BvSlt, false) if args[0] == term => (least, signed(terms, args[1]).map_or(most, |c| most.min(c - 1))),
        (Op::BvSlt, false) if args[1] == term => (signed(terms, args[0]).map_or(least, |c| least.max(c + 1)), most),
        (Op::BvSlt, true) if args[0] == term => (signed(terms, args[1]).map_or(least, |c| least.max(c)), most),
        (Op::BvSlt, true) if args[1] == term => (least, signed(terms, args[0]).map_or(most, |c| most.min(c))),
        // Below a small unsigned number, so not negative.
        (Op::BvUlt, false) if args[0] == term => match signed(terms, args[1]) {
            Some(c) if c > 0 => (least.max(0), most.min(c - 1)),
            Some(_) | None => (least, most),
        },
        (Op::BvUlt, true) if args[1] == term => match signed(terms, args[0]) {
            Some(c) if c >= 0 => (least.max(0), most.min(c)),
            Some(_) | None => (least, most),
        },
        (_, _) => (least, most),
    }
}

/// A constant as a signed number.
fn signed(terms: &Terms, term: TermId) -> Option<i128> {
    let Sort::BitVec(width @ 1..=64) = terms.sort(term) else { return None };
    let bits = terms.as_const(term).and_then(heddle_solver::Bits::to_u64)?;
    Some(i128::from((bits << (64 - width)) as i64 >> (64 - width)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_the_path_bound_a_size() {
        let mut terms = Terms::new();
        let n = terms.variable("n", Sort::BitVec(32)).expect("new");
        let (one, three, forty) = (terms.bv(32, 1), terms.bv(32, 3), terms.bv(64, 40));
        let (small, large) = (terms.slt(n, one), terms.slt(three, n));
        let (small, large) = (terms.not(small), terms.not(large));
        let guard = terms.and_all(&[small, large]);
        let wide = terms.sign_ext(n, 32);
        let size = terms.mul(wide, forty);
        assert_eq!(upper_bound(&terms, guard, size), Some(120));
        assert_eq!(upper_bound(&terms, large, size), None);
        let four = terms.bv(64, 4);
        let size = terms.mul(wide, four);
        assert_eq!(upper_bound(&terms, guard, size), Some(12));
    }
}
