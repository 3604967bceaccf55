//! Value ranges of reads: the bits that all their sources have in common, and the largest value.
//!
//! The value of a read is that of one of its sources, and that one's depends on earlier reads. Along such a chain no read
//! occurs twice, because time goes one way. So if values and reads that depend on each other are evaluated together, from nothing,
//! as many rounds suffice as there are reads among them, whether more would change something or not: a counter that three threads increment
//! is at most three. Most cells hold small numbers, and formulas over a few bits are far smaller than those over words.

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Id, Stop};
use heddle_solver::{KnownBits, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::candidates::Candidates;
use crate::pieces::Event;

/// The work that values which depend on each other may make, in evaluated terms.
const WORK: usize = 1 << 20;

/// What is known of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Its bits, as far as they are known.
    pub known: KnownBits,
    /// It is not above this.
    pub max: u64,
}

impl Range {
    /// Makes each part tell the other what it knows.
    fn new(known: KnownBits, max: u64, width: u32) -> Self {
        let zeros = known.zeros | KnownBits::at_most(max, width).zeros;
        let known = KnownBits { zeros, ..known };
        Range { known, max: max.min(known.max(width)) }
    }

    fn hull(self, other: Self) -> Self {
        Range { known: self.known.common(other.known), max: self.max.max(other.max) }
    }
}

/// What is known of the values of reads that are variables.
pub(crate) fn of_reads(
    reads: &[Event],
    candidates: &Candidates,
    terms: &Terms,
    budget: &Budget,
) -> Result<Vec<(TermId, Range)>, Stop> {
    let mut sources: FxHashMap<TermId, Option<Vec<TermId>>> = FxHashMap::default();
    for (read, found) in reads.iter().zip(&candidates.of) {
        if !matches!(terms.op(read.value), Op::Var(_)) || width(terms, read.value).is_none() {
            continue;
        }
        let all = sources.entry(read.value).or_insert_with(|| Some(Vec::new()));
        for candidate in found.iter().filter(|candidate| candidate.equal != Terms::FALSE) {
            match (candidate.value, &mut *all) {
                (Some(value), Some(values)) => values.push(value),
                (_, all) => *all = None,
            }
        }
    }
    let mut ranges = Ranges { terms, sources, ranges: vec![None; terms.len()] };
    let mut ticker = Ticker::new(budget.clone(), 64);
    for component in ranges.components() {
        ticker.tick()?;
        ranges.evaluate(&component);
    }
    let range = |&term: &TermId| Some((term, ranges.ranges[term.index()]?));
    let mut found: Vec<_> = ranges.sources.keys().filter_map(range).collect();
    found.sort_unstable_by_key(|&(term, _)| term);
    Ok(found)
}

/// The width of a term that has a range.
fn width(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort(term) {
        Sort::BitVec(width @ 1..=64) => Some(width),
        Sort::BitVec(_) | Sort::Bool | Sort::Array { .. } | Sort::Float(_) => None,
    }
}

struct Ranges<'t> {
    terms: &'t Terms,
    /// Where variables take their values from; nothing if from anywhere.
    sources: FxHashMap<TermId, Option<Vec<TermId>>>,
    /// By term; nothing as long as there is no value.
    ranges: Vec<Option<Range>>,
}

impl Ranges<'_> {
    /// What a term's value depends on.
    fn parts(&self, term: TermId) -> &[TermId] {
        match self.sources.get(&term) {
            Some(sources) => sources.as_deref().unwrap_or_default(),
            None => self.terms.args(term),
        }
    }

    /// The strongly connected components of all that reads depend on, each after those it depends on (Tarjan).
    fn components(&self) -> Vec<Vec<TermId>> {
        const DONE: u32 = u32::MAX;
        let mut roots: Vec<TermId> = self.sources.keys().copied().collect();
        roots.sort_unstable();
        let (mut number, mut low) = (vec![0u32; self.terms.len()], vec![0u32; self.terms.len()]);
        let (mut open, mut calls, mut found, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for root in roots {
            if number[root.index()] == 0 {
                calls.push((root, 0));
            }
            while let Some((term, next)) = calls.last_mut() {
                let at = term.index();
                if *next == 0 {
                    count += 1;
                    (number[at], low[at]) = (count, count);
                    open.push(*term);
                }
                if let Some(&part) = self.parts(*term).get(*next) {
                    *next += 1;
                    let to = part.index();
                    if number[to] == 0 {
                        calls.push((part, 0));
                    } else if number[to] != DONE {
                        low[at] = low[at].min(number[to]);
                    }
                    continue;
                }
                let term = *term;
                calls.pop();
                if let Some((above, _)) = calls.last() {
                    low[above.index()] = low[above.index()].min(low[at]);
                }
                if low[at] == number[at] {
                    let first = open.iter().rposition(|&t| t == term).expect("a term is open until its component is");
                    let component = open.split_off(first);
                    for member in &component {
                        number[member.index()] = DONE;
                    }
                    found.push(component);
                }
            }
        }
        found
    }

    /// Evaluates terms that depend on each other; all else that they depend on is done.
    fn evaluate(&mut self, component: &[TermId]) {
        let (mut reads, mut others): (Vec<TermId>, Vec<TermId>) =
            component.iter().partition(|term| self.sources.contains_key(term));
        reads.sort_unstable();
        // Arguments are older than what they are arguments of.
        others.sort_unstable();
        let rounds = reads.len().min(WORK / component.len()).max(1);
        for _ in 0..rounds {
            // Reads first: what they get was written in the round before.
            let changed = self.update(&reads, Self::range) | self.update(&others, Self::range);
            if !changed {
                return;
            }
        }
        if rounds < reads.len() {
            self.update(&reads, Self::anything);
            self.update(&others, Self::range);
        }
    }

    /// Gives terms new ranges, one after the other. Whether something changed.
    fn update(&mut self, component: &[TermId], range: impl Fn(&Self, TermId) -> Option<Range>) -> bool {
        let mut changed = false;
        for &term in component {
            let range = range(self, term);
            changed |= range != std::mem::replace(&mut self.ranges[term.index()], range);
        }
        changed
    }

    fn anything(&self, term: TermId) -> Option<Range> {
        let width = width(self.terms, term)?;
        Some(Range::new(self.terms.known_bits(term), u64::MAX, width))
    }

    fn range(&self, term: TermId) -> Option<Range> {
        let (terms, of) = (self.terms, |term: TermId| self.ranges[term.index()]);
        let width = width(terms, term)?;
        if let Some(sources) = self.sources.get(&term) {
            let Some(sources) = sources else { return self.anything(term) };
            return sources.iter().filter_map(|&source| of(source)).reduce(Range::hull);
        }
        let args = terms.args(term);
        match terms.op(term) {
            // A branch that has no value yet is not taken.
            Op::Ite => return of(args[1]).into_iter().chain(of(args[2])).reduce(Range::hull),
            Op::Select => return self.anything(term),
            _ => {}
        }
        let missing = |&arg: &TermId| self::width(terms, arg).is_some() && of(arg).is_none();
        if args.iter().any(missing) {
            return None;
        }
        let known = terms.known_bits_from(term, |arg| of(arg).map_or(KnownBits::default(), |range| range.known));
        let max = |i: usize| of(args[i]).map(|range| range.max);
        let max = match terms.op(term) {
            Op::BvAdd => max(0).zip(max(1)).and_then(|(a, b)| a.checked_add(b)),
            Op::BvMul => max(0).zip(max(1)).and_then(|(a, b)| a.checked_mul(b)),
            Op::Concat if of(args[0]).is_some_and(|high| high.max == 0) => max(1),
            Op::Extract { lo: 0, .. } => max(0),
            _ => None,
        };
        // A maximum of more bits than the term has tells nothing.
        let max = max.filter(|max| max.checked_shr(width).unwrap_or(0) == 0).unwrap_or(u64::MAX);
        Some(Range::new(known, max, width))
    }
}
