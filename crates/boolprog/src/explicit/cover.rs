//! Backward coverability: can any number of threads bring one to a bad location? Exact, for programs without `$`.
//!
//! With locks as globals (`l` is held by somebody) a further thread never disables a step, so the set of states from
//! which a bad location can be covered is upward closed, and has finitely many minimal elements. They are computed
//! backwards from the bad locations. A minimal element is the globals and a multiset of threads that are needed.
//!
//! What lies outside a forward over-approximation (thread states or pairs) cannot be reached and is dropped: without
//! that the search would begin at every valuation of the variables.
//!
//! Atomic sections: a thread in one disables the others, so adding threads may disable steps. But then the other thread
//! is the one that must go on; a step of a thread outside is only made while nobody is inside, which is a global as well.

use heddle_base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::trace::{Execution, Move};

use super::pairs::allowed;
use super::{Globals, Local, Obstacle, Semantics, Step, ThreadState};

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// By this execution.
    Yes(Execution),
    /// By no execution with any number of threads.
    No,
}

/// A minimal element: these threads, and maybe others, at these globals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Need {
    globals: Globals,
    /// Locks that are held by threads that are not listed, and whether one of those is in a section.
    held_elsewhere: u64,
    section_elsewhere: bool,
    threads: Vec<Local>,
}

/// A forward step that may be used: between reachable thread states.
struct Edge {
    from: ThreadState,
    step: Step,
}

/// How far the search may go, and what it may use.
pub struct Limits<'a> {
    /// Elements.
    pub elements: usize,
    /// Pairs that can be together, if known: others are dropped.
    pub pairs: Option<&'a super::pairs::Reached>,
}

/// Decides whether a bad location can be covered. `states` must contain every reachable thread state.
pub fn cover(
    semantics: &Semantics<'_>,
    states: &FxHashSet<ThreadState>,
    limits: &Limits<'_>,
    budget: &Budget,
) -> Result<Covered, Obstacle> {
    let mut search = Search {
        semantics,
        edges: edges(semantics, states),
        states,
        pairs: limits.pairs,
        elements: Vec::new(),
        next: Vec::new(),
        by_globals: FxHashMap::default(),
    };
    let mut targets: Vec<ThreadState> = states.iter().filter(|s| semantics.bad(s.local)).copied().collect();
    targets.sort_unstable();
    for state in targets {
        search.add_contexts(state.globals, vec![state.local], None);
    }
    let mut at = 0;
    while at < search.elements.len() {
        if at.is_multiple_of(16) {
            budget.check()?;
        }
        if search.elements.len() > limits.elements {
            return Err(Obstacle::States);
        }
        if let Some(found) = search.initial(at) {
            return Ok(Covered::Yes(search.execution(found)));
        }
        if search.is_minimal(at) {
            search.backwards(at);
        }
        at += 1;
    }
    Ok(Covered::No)
}

fn edges(semantics: &Semantics<'_>, states: &FxHashSet<ThreadState>) -> FxHashMap<Globals, Vec<Edge>> {
    let mut sorted: Vec<ThreadState> = states.iter().copied().collect();
    sorted.sort_unstable();
    let mut edges: FxHashMap<Globals, Vec<Edge>> = FxHashMap::default();
    for from in sorted {
        for step in semantics.steps(from) {
            edges.entry(step.to.globals).or_default().push(Edge { from, step });
        }
    }
    edges
}

struct Search<'s, 'f> {
    semantics: &'s Semantics<'f>,
    /// Forward steps by the globals behind them.
    edges: FxHashMap<Globals, Vec<Edge>>,
    states: &'s FxHashSet<ThreadState>,
    pairs: Option<&'s super::pairs::Reached>,
    elements: Vec<Need>,
    /// For each element the step out of it and the element that it leads to.
    next: Vec<Option<(ThreadState, Step, usize)>>,
    /// Elements that may be minimal, by their context.
    by_globals: FxHashMap<(Globals, u64, bool), Vec<usize>>,
}

impl Search<'_, '_> {
    /// Adds an element for every way in which unlisted threads may hold locks or be in a section: these are globals.
    fn add_contexts(&mut self, globals: Globals, threads: Vec<Local>, next: Option<(ThreadState, Step, usize)>) {
        let held = threads.iter().fold(0, |set, t| set | self.semantics.held(*t));
        let free: Vec<u32> =
            (0..64).filter(|bit| self.semantics.locks >> bit & 1 == 1 && held >> bit & 1 == 0).collect();
        let inside = threads.iter().any(|t| self.semantics.closed(*t));
        for chosen in 0..1_u64 << free.len() {
            let held_elsewhere = free.iter().enumerate().fold(0, |set, (i, bit)| set | (chosen >> i & 1) << bit);
            for section_elsewhere in [false, true] {
                if !(section_elsewhere && inside) {
                    let threads = threads.clone();
                    self.add(Need { globals, held_elsewhere, section_elsewhere, threads }, next);
                }
            }
        }
    }

    fn add(&mut self, mut need: Need, next: Option<(ThreadState, Step, usize)>) {
        need.threads.sort_unstable();
        if !self.possible(&need) {
            return;
        }
        let key = self.context(&need);
        let known = self.by_globals.entry(key).or_default();
        if known.iter().any(|k| is_part(&self.elements[*k].threads, &need.threads)) {
            return;
        }
        known.retain(|k| !is_part(&need.threads, &self.elements[*k].threads));
        known.push(self.elements.len());
        self.elements.push(need);
        self.next.push(next);
    }

    /// All that is global: globals, locks that anybody holds, whether anybody is in a section. Elements are compared only
    /// if these are equal.
    fn context(&self, need: &Need) -> (Globals, u64, bool) {
        let held = need.threads.iter().fold(need.held_elsewhere, |set, t| set | self.semantics.held(*t));
        (need.globals, held, need.section_elsewhere || need.threads.iter().any(|t| self.semantics.closed(*t)))
    }

    /// Whether the listed threads can be together at all, as far as is known.
    fn possible(&self, need: &Need) -> bool {
        let mut held = need.held_elsewhere;
        let mut inside = u32::from(need.section_elsewhere);
        for thread in &need.threads {
            let state = ThreadState { local: *thread, globals: need.globals };
            if held & self.semantics.held(*thread) != 0 || !self.states.contains(&state) {
                return false;
            }
            held |= self.semantics.held(*thread);
            inside += u32::from(self.semantics.closed(*thread));
        }
        let together = |a: Local, b: Local| {
            self.pairs.is_none_or(|p| p.pairs.contains(&super::pairs::Pair::new(need.globals, a, b)))
        };
        inside <= 1
            && need.threads.iter().enumerate().all(|(i, a)| need.threads[i + 1..].iter().all(|b| together(*a, *b)))
    }

    fn is_minimal(&self, at: usize) -> bool {
        self.by_globals[&self.context(&self.elements[at])].contains(&at)
    }

    /// Whether the initial state covers an element.
    fn initial(&self, at: usize) -> Option<usize> {
        let (need, initial) = (&self.elements[at], self.semantics.initial());
        let covers = need.globals == initial.globals
            && need.held_elsewhere == 0
            && !need.section_elsewhere
            && is_part(&need.threads, &[initial.local]);
        covers.then_some(at)
    }

    /// All elements from which one step leads to this one.
    fn backwards(&mut self, at: usize) {
        let need = self.elements[at].clone();
        let Some(edges) = self.edges.get(&need.globals) else { return };
        let candidates: Vec<(ThreadState, Step)> = edges.iter().map(|e| (e.from, e.step)).collect();
        for (from, step) in candidates {
            // The threads that are listed after the step, without the mover and its child if they are listed.
            for mover_listed in [true, false] {
                for child_listed in [true, false] {
                    if let Some(before) = self.before(&need, from, &step, (mover_listed, child_listed)) {
                        self.add(before, Some((from, step, at)));
                    }
                }
            }
        }
    }

    fn before(
        &self,
        need: &Need,
        from: ThreadState,
        step: &Step,
        (mover_listed, child_listed): (bool, bool),
    ) -> Option<Need> {
        if child_listed && step.child.is_none() {
            return None;
        }
        let mut threads = need.threads.clone();
        let mut remove = |local: Local| threads.iter().position(|t| *t == local).map(|i| threads.remove(i));
        if mover_listed {
            remove(step.to.local)?;
        }
        if child_listed {
            remove(step.child?)?;
        }
        if !allowed(self.semantics, step, &threads) {
            return None;
        }
        let held_after = self.semantics.held(step.to.local);
        // A mover that is not listed must account for what is held elsewhere.
        let (mut held_elsewhere, mut section_elsewhere) = (need.held_elsewhere, need.section_elsewhere);
        if !mover_listed {
            if held_after & !held_elsewhere != 0 {
                return None;
            }
            held_elsewhere &= !held_after;
            if self.semantics.closed(step.to.local) {
                if !section_elsewhere {
                    return None;
                }
                section_elsewhere = false;
            }
        }
        // Somebody else in a section, or with the lock that is taken: the step is impossible.
        if section_elsewhere || held_elsewhere & held_after != 0 {
            return None;
        }
        threads.push(from.local);
        Some(Need { globals: from.globals, held_elsewhere, section_elsewhere, threads })
    }

    /// Follows the recorded steps forwards from the initial state.
    fn execution(&self, found: usize) -> Execution {
        let initial = self.semantics.initial();
        let mut threads = vec![initial.local];
        let mut moves = Vec::new();
        let mut at = found;
        while let Some((from, step, next)) = self.next[at] {
            let thread = threads.iter().position(|t| *t == from.local).expect("the mover is listed");
            threads[thread] = step.to.local;
            threads.extend(step.child);
            moves.push(Move { thread, globals: step.to.globals, data: threads.clone() });
            at = next;
        }
        Execution { moves }
    }
}

/// Whether one sorted multiset is contained in another.
fn is_part(small: &[Local], large: &[Local]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|s| rest.any(|l| l == s))
}
