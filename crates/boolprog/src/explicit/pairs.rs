//! Pairs of thread states: Reach(2).
//!
//! A pair (g, a, b) says that two threads can be in local states a and b together while the globals are g. It
//! subsumes condition (2d) of [BOOLPROG Def. 8]: threads that hold a common lock are no pair. Before the first start
//! there is one thread, exactly (which is [BOOLPROG Remark 1]). Rules, with → a step of one thread:
//!
//! - own: (g, a, b) and (g, a) → (g′, a′) give (g′, a′, b*), where b* is b after the passive part of the step;
//! - env: (g, a, b), (g, a, e), (g, b, e) and (g, e) → (g′, e′) give (g′, a*, b*): a third thread moves;
//! - spawn: p creates n beside x: (g, p′, x), (g, p′, n), (g, x, n).
//!
//! A step that takes a lock needs the other thread, or both others, not to hold it. While one is inside an atomic section
//! only it moves. Ended threads stay in pairs.

use heddle_base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::Options;

use super::{Globals, Local, Obstacle, Semantics, Step, ThreadState};

/// Two threads and the globals. The smaller local state comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The globals.
    pub globals: Globals,
    /// The threads.
    pub locals: [Local; 2],
}

impl Pair {
    /// The pair of two threads, in any order.
    pub fn new(globals: Globals, a: Local, b: Local) -> Pair {
        Pair { globals, locals: if a <= b { [a, b] } else { [b, a] } }
    }
}

/// What was reached.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// States of the first thread while it is alone.
    pub alone: FxHashSet<ThreadState>,
    /// Pairs.
    pub pairs: FxHashSet<Pair>,
    /// Partners: for globals and a thread, who can be beside it.
    beside: FxHashMap<ThreadState, Vec<Local>>,
    todo_alone: Vec<ThreadState>,
    todo: Vec<Pair>,
}

impl Reached {
    /// Whether a thread state is in some pair, or alone.
    pub fn contains(&self, state: ThreadState) -> bool {
        self.alone.contains(&state) || self.beside.contains_key(&state)
    }

    /// All thread states in pairs and alone.
    pub fn thread_states(&self) -> FxHashSet<ThreadState> {
        self.alone.iter().chain(self.beside.keys()).copied().collect()
    }

    fn add(&mut self, pair: Pair) {
        if self.pairs.insert(pair) {
            let [a, b] = pair.locals;
            self.beside.entry(ThreadState { local: a, globals: pair.globals }).or_default().push(b);
            if a != b {
                self.beside.entry(ThreadState { local: b, globals: pair.globals }).or_default().push(a);
            }
            self.todo.push(pair);
        }
    }

    fn add_alone(&mut self, state: ThreadState) {
        if self.alone.insert(state) {
            self.todo_alone.push(state);
        }
    }
}

/// Computes Reach(2). It does not stop at bad locations.
pub fn reach(semantics: &Semantics<'_>, options: &Options, budget: &Budget) -> Result<Reached, Obstacle> {
    let mut reached = Reached::default();
    reached.add_alone(semantics.initial());
    while let Some(state) = reached.todo_alone.pop() {
        budget.check()?;
        for step in semantics.steps(state) {
            match step.child {
                None => reached.add_alone(step.to),
                Some(child) => reached.add(Pair::new(step.to.globals, step.to.local, child)),
            }
        }
    }
    let mut count = 0_u32;
    while let Some(pair) = reached.todo.pop() {
        count = count.wrapping_add(1);
        if count.is_multiple_of(64) {
            budget.check()?;
        }
        if reached.pairs.len() > options.max_states {
            return Err(Obstacle::States);
        }
        let [a, b] = pair.locals;
        own(semantics, &mut reached, pair.globals, (a, b));
        own(semantics, &mut reached, pair.globals, (b, a));
        triangles(semantics, &mut reached, pair);
    }
    Ok(reached)
}

/// Whether a thread may make a step beside others: nobody else is in a section, no lock has two holders.
pub(super) fn allowed(semantics: &Semantics<'_>, step: &Step, others: &[Local]) -> bool {
    others.iter().all(|o| !semantics.closed(*o) && semantics.held(*o) & semantics.held(step.to.local) == 0)
}

/// Rules own and spawn: `mover` makes a step beside `other`.
fn own(semantics: &Semantics<'_>, reached: &mut Reached, globals: Globals, (mover, other): (Local, Local)) {
    let from = ThreadState { local: mover, globals };
    for step in semantics.steps(from) {
        if !allowed(semantics, &step, &[other]) {
            cov_mark::hit!(pairs_exclude);
            continue;
        }
        cov_mark::hit!(pairs_own);
        for changed in semantics.passive(from, &step, other) {
            reached.add(Pair::new(step.to.globals, step.to.local, changed));
        }
        if let Some(child) = step.child {
            cov_mark::hit!(pairs_spawn);
            reached.add(Pair::new(step.to.globals, step.to.local, child));
            reached.add(Pair::new(step.to.globals, other, child));
        }
    }
}

/// Rule env for every third thread that makes a triangle with this pair. Any of the three may be the one that moves.
fn triangles(semantics: &Semantics<'_>, reached: &mut Reached, pair: Pair) {
    let [a, b] = pair.locals;
    let third: Vec<Local> = reached
        .beside
        .get(&ThreadState { local: a, globals: pair.globals })
        .into_iter()
        .flatten()
        .copied()
        .filter(|e| reached.pairs.contains(&Pair::new(pair.globals, b, *e)))
        .collect();
    for e in third {
        env(semantics, reached, pair.globals, e, (a, b));
        env(semantics, reached, pair.globals, a, (b, e));
        env(semantics, reached, pair.globals, b, (a, e));
    }
}

fn env(semantics: &Semantics<'_>, reached: &mut Reached, globals: Globals, mover: Local, (a, b): (Local, Local)) {
    let from = ThreadState { local: mover, globals };
    for step in semantics.steps(from) {
        if !semantics.noticed(from, &step) || !allowed(semantics, &step, &[a, b]) {
            continue;
        }
        cov_mark::hit!(pairs_env);
        for a in semantics.passive(from, &step, a) {
            for b in semantics.passive(from, &step, b) {
                reached.add(Pair::new(step.to.globals, a, b));
            }
        }
    }
}
