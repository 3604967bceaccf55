//! All threads, exactly, up to a number of them ([BOOLPROG Table 2]).
//!
//! A state has the globals and the local states of all threads, sorted: threads have no names, so states that differ by
//! a permutation are one. Breadth first, so the execution that is found is a shortest one.

use heddle_base::Budget;
use rustc_hash::FxHashMap;

use crate::trace::{Execution, Move};

use super::pairs::allowed;
use super::{Globals, Local, Obstacle, Semantics, Step, ThreadState};

/// [BOOLPROG Def. 3] An explicit state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The globals.
    pub globals: Globals,
    /// The threads, sorted.
    pub threads: Vec<Local>,
}

/// How large the exploration may become.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// No more threads than this.
    pub threads: usize,
    /// No more states than this.
    pub states: usize,
}

/// The states that were reached.
#[derive(Clone, Debug)]
pub struct Reached {
    /// In the order of their distance from the initial state.
    pub states: Vec<State>,
    /// For each state the one before it, who moved there and how.
    before: Vec<Option<(usize, Local, Step)>>,
    /// `ends[i]` states are in S^i.
    pub ends: Vec<usize>,
    /// Some `start_thread` was left out because of the bound on threads, or the bound on states was reached.
    pub cut_off: bool,
    /// The first state with a thread at a bad location.
    pub bad: Option<usize>,
}

/// Explores all executions with at most so many threads.
pub fn reach(semantics: &Semantics<'_>, bounds: Bounds, budget: &Budget) -> Result<Reached, Obstacle> {
    let initial = semantics.initial();
    let first = State { globals: initial.globals, threads: vec![initial.local] };
    let mut index: FxHashMap<State, usize> = FxHashMap::default();
    index.insert(first.clone(), 0);
    let bad = semantics.bad(initial.local).then_some(0);
    let mut reached = Reached { states: vec![first], before: vec![None], ends: vec![1], cut_off: false, bad };
    let mut at = 0;
    while at < reached.states.len() {
        if at == reached.ends[reached.ends.len() - 1] {
            reached.ends.push(reached.states.len());
        }
        if at.is_multiple_of(64) {
            budget.check()?;
        }
        let state = reached.states[at].clone();
        for (mover, step, after) in successors(semantics, &state) {
            if after.threads.len() > bounds.threads || reached.states.len() >= bounds.states {
                reached.cut_off = true;
                continue;
            }
            if index.contains_key(&after) {
                continue;
            }
            let new = reached.states.len();
            if reached.bad.is_none() && after.threads.iter().any(|t| semantics.bad(*t)) {
                reached.bad = Some(new);
            }
            index.insert(after.clone(), new);
            reached.states.push(after);
            reached.before.push(Some((at, mover, step)));
        }
        at += 1;
    }
    if reached.ends.last() != Some(&reached.states.len()) {
        reached.ends.push(reached.states.len());
    }
    Ok(reached)
}

/// [BOOLPROG eq. (11), (12)] Who moved, how, and the state behind it.
pub fn successors(semantics: &Semantics<'_>, state: &State) -> Vec<(Local, Step, State)> {
    let mut all = Vec::new();
    for (t, mover) in state.threads.iter().enumerate() {
        // Equal threads do equal things.
        if t > 0 && state.threads[t - 1] == *mover {
            continue;
        }
        let mut others = state.threads.clone();
        others.remove(t);
        let from = ThreadState { local: *mover, globals: state.globals };
        for step in semantics.steps(from) {
            if !allowed(semantics, &step, &others) {
                continue;
            }
            let results: Vec<Vec<Local>> = others.iter().map(|o| semantics.passive(from, &step, *o)).collect();
            for changed in product(&results) {
                let mut threads = changed;
                threads.push(step.to.local);
                threads.extend(step.child);
                threads.sort_unstable();
                all.push((*mover, step, State { globals: step.to.globals, threads }));
            }
        }
    }
    all
}

/// One of each.
fn product(choices: &[Vec<Local>]) -> Vec<Vec<Local>> {
    choices.iter().fold(vec![Vec::new()], |done, options| {
        done.iter().flat_map(|d| options.iter().map(move |o| [&d[..], &[*o]].concat())).collect()
    })
}

impl Reached {
    /// The execution that leads to a state.
    pub fn execution(&self, semantics: &Semantics<'_>, state: usize) -> Execution {
        let mut path = Vec::new();
        let mut at = state;
        while let Some((before, mover, step)) = &self.before[at] {
            path.push((*mover, *step, at));
            at = *before;
        }
        path.reverse();
        // Threads get names in the order of their creation; any thread in the right local state may be the mover.
        let mut threads = vec![semantics.initial().local];
        let mut globals = semantics.initial().globals;
        let mut moves = Vec::new();
        for (mover, step, after) in path {
            let thread = threads.iter().position(|t| *t == mover).expect("the mover is there");
            let from = ThreadState { local: mover, globals };
            let mut wanted = self.states[after].threads.clone();
            let mut take = |local: Local| {
                let found = wanted.iter().position(|w| *w == local);
                found.map(|i| wanted.remove(i)).is_some()
            };
            take(step.to.local);
            step.child.map(&mut take);
            for (other, local) in threads.iter_mut().enumerate() {
                if other != thread {
                    let changed = semantics.passive(from, &step, *local).into_iter().find(|l| take(*l));
                    *local = changed.expect("each passive thread is somewhere behind the step");
                }
            }
            threads[thread] = step.to.local;
            threads.extend(step.child);
            globals = step.to.globals;
            moves.push(Move { thread, globals, data: threads.clone() });
        }
        Execution { moves }
    }
}
