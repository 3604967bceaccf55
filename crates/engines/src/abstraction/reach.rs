//! Reachable thread states, and pairs of them, for any number of threads, [BOOLPROG §3, §4].
//!
//! A *thread state* is a location and the values of predicates over one thread. Before the first thread is started there is
//! one thread state alone ([BOOLPROG Remark 1]). After that the set holds *pairs*: values of the shared predicates, two thread states, and the
//! values of predicates over both. It is closed under
//! - a step of one of the two, the other's predicates updated;
//! - a step of a third thread that forms known pairs with both ([BOOLPROG Definition 8], case 2, with pairs in place of the
//!   lock condition): two threads that cannot coexist cannot interfere;
//! - the start of a thread, which is paired with its creator and with whom the creator is paired with.
//!
//! A thread in a closed location moves alone. Threads that are over stay as partners that never move.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::post::{Active, Context, Failed, Move, Posts, View, interferes, pair_index};
use super::predicates::{MOVER, NEW};
use super::template::{EdgeId, Effect, LocId, Target, Template};

/// A thread state: where a thread is, and the values of its predicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ThreadState {
    pub(super) at: LocId,
    pub(super) values: u64,
}

/// One thread state or two, with what all threads share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tuple {
    pub(super) shared: u64,
    pub(super) first: ThreadState,
    pub(super) second: Option<ThreadState>,
    pub(super) pair: u64,
}

/// How a tuple was reached.
#[derive(Clone, Debug)]
pub(super) enum Derivation {
    Start,
    /// One of a tuple's threads moved; `swapped` if it was the second. The result has these roles.
    Own {
        parent: usize,
        swapped: bool,
        edge: EdgeId,
        roles: [usize; 2],
    },
    /// A third thread moved. Its pairs with the first and the second.
    Third {
        parent: usize,
        with_first: usize,
        with_second: usize,
        edge: EdgeId,
        /// Who moved, and who has the roles 1 and 2.
        who: [ThreadState; 3],
        roles: [usize; 2],
    },
}

/// Who forms a pair with a thread state, the values of predicates over both, and the pair.
type Partner = (ThreadState, u64, usize);

/// The tuples reached so far.
#[derive(Default)]
pub(super) struct Reached {
    pub(super) tuples: Vec<Tuple>,
    pub(super) derivations: Vec<Derivation>,
    index: FxHashMap<Tuple, usize>,
    partners: FxHashMap<(u64, ThreadState), Vec<Partner>>,
    todo: VecDeque<usize>,
}

/// A tuple from which an error edge may be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bad {
    pub(super) tuple: usize,
    pub(super) swapped: bool,
    pub(super) edge: EdgeId,
}

/// How a search ended.
pub(super) enum Ended {
    Closed,
    Error(Bad),
}

impl Reached {
    /// Values of predicates over two threads, those of one class being symmetric, do not depend on the order of the two.
    fn add(&mut self, template: &Template, mut tuple: Tuple, how: Derivation) {
        let mut how = how;
        if let Some(second) = tuple.second {
            let key = |s: &ThreadState| (template.locations[s.at].class, *s);
            if key(&second) < key(&tuple.first) {
                tuple.second = Some(tuple.first);
                tuple.first = second;
                match &mut how {
                    Derivation::Start => {}
                    Derivation::Own { roles, .. } | Derivation::Third { roles, .. } => roles.swap(0, 1),
                }
            }
        }
        let next = self.tuples.len();
        if self.index.contains_key(&tuple) {
            return;
        }
        self.index.insert(tuple, next);
        self.tuples.push(tuple);
        self.derivations.push(how);
        self.todo.push_back(next);
        if let Some(second) = tuple.second {
            let list = self.partners.entry((tuple.shared, tuple.first)).or_default();
            list.push((second, tuple.pair, next));
            if second != tuple.first {
                let list = self.partners.entry((tuple.shared, second)).or_default();
                list.push((tuple.first, tuple.pair, next));
            }
        }
    }
}

/// How a search goes about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchConfig {
    /// Tuples.
    pub(super) most: usize,
    /// Whether two threads that see a third one move are always asked about together.
    pub(super) jointly: bool,
}

/// The search.
pub(super) struct Search<'a, 'c> {
    pub(super) context: &'a mut Context<'c>,
    pub(super) active: &'a Active,
    pub(super) posts: &'a mut Posts,
    pub(super) reached: Reached,
    config: SearchConfig,
    interfering: FxHashMap<LocId, Vec<EdgeId>>,
}

impl<'a, 'c> Search<'a, 'c> {
    pub(super) fn new(
        context: &'a mut Context<'c>,
        active: &'a Active,
        posts: &'a mut Posts,
        config: SearchConfig,
    ) -> Self {
        Search { context, active, posts, reached: Reached::default(), config, interfering: FxHashMap::default() }
    }

    /// Searches from the first state of the program until the set is closed or an error edge may be taken.
    pub(super) fn run(&mut self, first: &[View]) -> Result<Ended, Failed> {
        let template = self.context.template;
        let start = template.classes[heddle_base::Id::new(0)].start;
        for view in first {
            let state = ThreadState { at: start, values: view.local[MOVER] };
            let tuple = Tuple { shared: view.shared, first: state, second: None, pair: 0 };
            self.reached.add(template, tuple, Derivation::Start);
        }
        let mut count = 0u32;
        while let Some(at) = self.reached.todo.pop_front() {
            count += 1;
            if count.is_multiple_of(64) {
                self.context.budget.check()?;
            }
            if self.reached.tuples.len() > self.config.most {
                return Err(Failed::TooMany);
            }
            if let Some(bad) = self.own(at)? {
                return Ok(Ended::Error(bad));
            }
            self.third(at)?;
        }
        Ok(Ended::Closed)
    }

    fn closed(&self, state: ThreadState) -> bool {
        self.context.template.locations[state.at].closed
    }

    /// Steps of the tuple's own threads.
    fn own(&mut self, at: usize) -> Result<Option<Bad>, Failed> {
        let tuple = self.reached.tuples[at];
        for swapped in [false, true] {
            let (mover, other) = match (swapped, tuple.second) {
                (false, other) => (tuple.first, other),
                (true, Some(second)) if second != tuple.first => (second, Some(tuple.first)),
                (true, _) => continue,
            };
            if other.is_some_and(|o| self.closed(o)) {
                continue;
            }
            let template = self.context.template;
            for &edge in &template.locations[mover.at].edges {
                let mut view = View { shared: tuple.shared, ..View::default() };
                view.local[MOVER] = mover.values;
                if let Some(other) = other {
                    view.local[1] = other.values;
                    view.pair[pair_index(MOVER, 1)] = tuple.pair;
                }
                let step = Move { edge, others: [other.map(|o| o.at), None], outside: false };
                let after = self.posts.after(self.context, self.active, step, &view)?;
                let to = match &template.edges[edge].to {
                    Target::Error(_) if !after.is_empty() => return Ok(Some(Bad { tuple: at, swapped, edge })),
                    Target::Error(_) | Target::Exit => continue,
                    Target::At(to) => *to,
                };
                for view in after {
                    self.add_own(at, swapped, edge, to, other, &view);
                }
            }
        }
        Ok(None)
    }

    fn add_own(
        &mut self,
        parent: usize,
        swapped: bool,
        edge: EdgeId,
        to: LocId,
        other: Option<ThreadState>,
        view: &View,
    ) {
        let template = self.context.template;
        let moved = ThreadState { at: to, values: view.local[MOVER] };
        let other = other.map(|o| ThreadState { at: o.at, values: view.local[1] });
        let how = |roles| Derivation::Own { parent, swapped, edge, roles };
        let tuple = |first, second, pair| Tuple { shared: view.shared, first, second: Some(second), pair };
        let with_other = view.pair[pair_index(MOVER, 1)];
        if let Some(other) = other {
            self.reached.add(template, tuple(moved, other, with_other), how([MOVER, 1]));
        }
        match &template.edges[edge].effect {
            Effect::Spawn { class, .. } => {
                let new = ThreadState { at: template.classes[*class].start, values: view.local[NEW] };
                let with_new = view.pair[pair_index(MOVER, NEW)];
                self.reached.add(template, tuple(moved, new, with_new), how([MOVER, NEW]));
                if let Some(other) = other {
                    let between = view.pair[pair_index(1, NEW)];
                    self.reached.add(template, tuple(other, new, between), how([1, NEW]));
                }
            }
            Effect::None | Effect::Join { .. } if other.is_none() => {
                let alone = Tuple { shared: view.shared, first: moved, second: None, pair: 0 };
                self.reached.add(template, alone, how([MOVER, MOVER]));
            }
            Effect::None | Effect::Join { .. } => {}
        }
    }

    /// Steps of one of three threads, seen by the two others.
    fn third(&mut self, at: usize) -> Result<(), Failed> {
        let tuple = self.reached.tuples[at];
        let Some(second) = tuple.second else { return Ok(()) };
        let a = tuple.first;
        let of_a = self.reached.partners.get(&(tuple.shared, a)).cloned().unwrap_or_default();
        let of_b = self.reached.partners.get(&(tuple.shared, second)).cloned().unwrap_or_default();
        let mut by_state: FxHashMap<ThreadState, Vec<(u64, usize)>> = FxHashMap::default();
        for (state, pair, index) in of_b {
            by_state.entry(state).or_default().push((pair, index));
        }
        for (c, pair_ac, index_ac) in of_a {
            let Some(list) = by_state.get(&c) else { continue };
            for &(pair_bc, index_bc) in list {
                let three = [(a, tuple.pair, at), (second, pair_ac, index_ac), (c, pair_bc, index_bc)];
                self.triple(tuple.shared, three)?;
            }
        }
        Ok(())
    }

    /// `three` has the states a, b, c with the pairs ab, ac, bc.
    fn triple(&mut self, shared: u64, three: [(ThreadState, u64, usize); 3]) -> Result<(), Failed> {
        let [(a, ab, i_ab), (b, ac, i_ac), (c, bc, i_bc)] = three;
        let ways = [
            (c, a, b, (ac, i_ac), (bc, i_bc), (ab, i_ab)),
            (a, b, c, (ab, i_ab), (ac, i_ac), (bc, i_bc)),
            (b, a, c, (ab, i_ab), (bc, i_bc), (ac, i_ac)),
        ];
        for (mover, x, y, with_x, with_y, between) in ways {
            if self.closed(x) || self.closed(y) {
                continue;
            }
            let template = self.context.template;
            let edges = self.interfering.entry(mover.at).or_insert_with(|| {
                let all = template.locations[mover.at].edges.iter().copied();
                all.filter(|&edge| interferes(template, edge)).collect()
            });
            for edge in edges.clone() {
                let step = Move { edge, others: [Some(x.at), Some(y.at)], outside: true };
                if self.posts.is_idle(self.context, self.active, step)? {
                    continue;
                }
                let mut view = View { shared, ..View::default() };
                view.local = [mover.values, x.values, y.values, 0];
                view.pair[pair_index(MOVER, 1)] = with_x.0;
                view.pair[pair_index(MOVER, 2)] = with_y.0;
                view.pair[pair_index(1, 2)] = between.0;
                for after in self.after_third(step, &view)? {
                    let first = ThreadState { at: x.at, values: after.local[1] };
                    let second = ThreadState { at: y.at, values: after.local[2] };
                    let pair = after.pair[pair_index(1, 2)];
                    let tuple = Tuple { shared: after.shared, first, second: Some(second), pair };
                    let how = Derivation::Third {
                        parent: between.1,
                        with_first: with_x.1,
                        with_second: with_y.1,
                        edge,
                        who: [mover, x, y],
                        roles: [1, 2],
                    };
                    self.reached.add(template, tuple, how);
                }
            }
        }
        Ok(())
    }

    /// The views of two threads after a third one has moved. Where no predicate is over both, each is asked about alone: what they
    /// become together is what each can become with the same shared values.
    fn after_third(&mut self, step: Move, before: &View) -> Result<Vec<View>, Failed> {
        let [Some(x), Some(y)] = step.others else { return Ok(Vec::new()) };
        let class = |at: LocId| self.context.template.locations[at].class;
        let (a, b) = (class(x).min(class(y)), class(x).max(class(y)));
        if self.config.jointly || self.active.pair.get(&(a, b)).is_some_and(|list| !list.is_empty()) {
            return self.posts.after(self.context, self.active, step, before);
        }
        let alone = |at| Move { others: [Some(at), None], ..step };
        let of_first = self.posts.after(self.context, self.active, alone(x), before)?;
        let mut view = *before;
        view.local[1] = before.local[2];
        view.pair[pair_index(MOVER, 1)] = before.pair[pair_index(MOVER, 2)];
        let of_second = self.posts.after(self.context, self.active, alone(y), &view)?;
        let mut all = Vec::new();
        for first in &of_first {
            for second in of_second.iter().filter(|s| s.shared == first.shared) {
                let mut both = *first;
                both.local[2] = second.local[1];
                all.push(both);
            }
        }
        Ok(all)
    }
}
