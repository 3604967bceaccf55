//! Races: whether two threads can stand before conflicting accesses at one time.
//!
//! If no thread observes another one without synchronising with it ([`Unwinding::unordered`]), the first race of an execution can
//! be moved to the front: without what happens after its first access, everything else is still there, and both
//! threads stand before their accesses. So instead of happens-before, orders are asked for:
//!
//! - Accesses that are certain before their nodes begin: both threads stand before them *now*, at one node that may be
//!   anywhere. Each node has one literal for that, so this is linear in accesses.
//! - Accesses in sections, which depend on what the section finds: the pair is executed in either order, and the thread
//!   of the first one does nothing in between; or the thread of the second one stood before it already.
//!
//! [`Unwinding::unordered`]: heddle_symbolic::unwind::Unwinding::unordered

use std::collections::BTreeMap;

use heddle_event_graph::EventGraph;
use heddle_ir::Site;
use heddle_solver::{Evaluator, Sort, TermId, Terms, Value};
use heddle_symbolic::unwind::{NodeIx, RaceAccess, ThreadIx, Unwinding};
use rustc_hash::FxHashMap;

use crate::formula::GraphNodes;

/// Two accesses that may race, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacePair {
    /// The first, by position in the unwinding's list.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// Whether both are executed right after [`Unwinding::now`](heddle_symbolic::unwind::Unwinding::now).
    pub now: bool,
}

/// What is asked about races.
#[derive(Clone, Debug, Default)]
pub struct Races {
    /// Terms that hold in every execution.
    pub(crate) constraints: Vec<TermId>,
    /// (node, node, whether the first comes before the second).
    pub(crate) orders: Vec<(NodeIx, NodeIx, TermId)>,
    /// Whether races are what is asked about; none if there can be none.
    pub asked: Option<TermId>,
    /// Whether atomic accesses are executed that share some of their bytes only, so that one is not ordered behind the other
    /// although it reads from it: guards.
    pub unordered: Vec<TermId>,
    /// Holds if two threads are about to race.
    pub goal: Option<TermId>,
    /// Whether a thread stands before a node now.
    standing: BTreeMap<NodeIx, TermId>,
    /// Pairs of which one stands in a section, and whether they race.
    pairs: Vec<(TermId, RacePair)>,
}

/// Accesses that conflict with the same ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Class {
    write: bool,
    plain: bool,
    free: bool,
}

impl Class {
    fn of(access: &RaceAccess) -> Self {
        Class { write: access.write, plain: access.plain, free: access.free }
    }

    fn conflicts(self, other: Class) -> bool {
        // Of two frees the second finds the object dead, which is no race.
        (self.write || other.write) && (self.plain || other.plain) && !(self.free && other.free)
    }
}

impl Races {
    /// What is asked about the races of an unwinding.
    pub(crate) fn new(unwinding: &Unwinding, graph: &EventGraph, nodes: &GraphNodes, terms: &mut Terms) -> Self {
        let mut builder = Builder::new(unwinding, graph, nodes, terms);
        if unwinding.now.is_some() {
            builder.build();
        }
        builder.out
    }

    /// The pair that a model shows.
    pub fn pair(&self, unwinding: &Unwinding, model: &mut Evaluator<'_>) -> Option<RacePair> {
        let mut standing = Vec::new();
        for (i, access) in unwinding.races.iter().enumerate() {
            if let Some(&stands) = self.standing.get(&access.node)
                && access.fixed
                && holds(model, stands)
                && holds(model, access.guard)
            {
                standing.push((i, number(model, access.address)));
            }
        }
        for &(i, at) in &standing {
            for &(j, there) in &standing {
                let (a, b) = (&unwinding.races[i], &unwinding.races[j]);
                let threads = unwinding.nodes[a.node].thread != unwinding.nodes[b.node].thread;
                let overlap = at.0 == there.0 && at.1 < there.1 + u64::from(b.len) && there.1 < at.1 + u64::from(a.len);
                // What a free ends nobody accesses afterwards.
                if threads && overlap && Class::of(a).conflicts(Class::of(b)) && !a.free {
                    return Some(RacePair { first: i, second: j, now: true });
                }
            }
        }
        let shown = |&(lit, _): &(TermId, RacePair), model: &mut Evaluator<'_>| holds(model, lit);
        self.pairs.iter().find(|pair| shown(pair, model)).map(|&(_, pair)| pair)
    }

    /// A term that holds if the races of two places, in either order, are not what the model shows.
    pub fn other_than(
        &self,
        unwinding: &Unwinding,
        terms: &mut Terms,
        (one, other): (impl Fn(Site) -> bool, impl Fn(Site) -> bool),
    ) -> TermId {
        // By thread: whether it stands at the place.
        let mut at: [BTreeMap<ThreadIx, Vec<TermId>>; 2] = Default::default();
        for access in &unwinding.races {
            let Some(&stands) = self.standing.get(&access.node).filter(|_| access.fixed) else { continue };
            let here = terms.and_all(&[stands, access.guard]);
            for (place, hit) in [one(access.site), other(access.site)].into_iter().enumerate() {
                if hit {
                    at[place].entry(unwinding.nodes[access.node].thread).or_default().push(here);
                }
            }
        }
        let [ones, others] = at.map(|threads| {
            threads.into_iter().map(|(thread, any)| (thread, terms.or_all(&any))).collect::<Vec<(ThreadIx, TermId)>>()
        });
        let mut same = Vec::new();
        for &(t, here) in &ones {
            for &(_, there) in others.iter().filter(|&&(u, _)| u != t) {
                same.push(terms.and_all(&[here, there]));
            }
        }
        for &(lit, pair) in &self.pairs {
            let (a, b) = (unwinding.races[pair.first].site, unwinding.races[pair.second].site);
            if (one(a) && other(b)) || (one(b) && other(a)) {
                same.push(lit);
            }
        }
        let same = terms.or_all(&same);
        terms.not(same)
    }
}

struct Builder<'a> {
    unwinding: &'a Unwinding,
    graph: &'a EventGraph,
    nodes: &'a GraphNodes,
    terms: &'a mut Terms,
    /// Places of nodes in their threads' chains.
    position: FxHashMap<NodeIx, usize>,
    /// Nodes that start threads.
    starts: FxHashMap<ThreadIx, NodeIx>,
    orders: FxHashMap<(NodeIx, NodeIx), TermId>,
    goals: Vec<TermId>,
    out: Races,
}

impl<'a> Builder<'a> {
    fn new(unwinding: &'a Unwinding, graph: &'a EventGraph, nodes: &'a GraphNodes, terms: &'a mut Terms) -> Self {
        let mut position = FxHashMap::default();
        let mut starts = FxHashMap::default();
        for thread in unwinding.threads.iter() {
            position.extend(thread.chain.iter().enumerate().map(|(i, &node)| (node, i)));
            starts.extend(thread.children.iter().map(|&(_, child, node)| (child, node)));
        }
        let (orders, goals, out) = (FxHashMap::default(), Vec::new(), Races::default());
        Builder { unwinding, graph, nodes, terms, position, starts, orders, goals, out }
    }

    fn build(&mut self) {
        let mut by_object: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (i, access) in self.unwinding.races.iter().enumerate() {
            for &object in access.objects.iter() {
                by_object.entry(object).or_default().push(i);
            }
        }
        let asked = self.terms.fresh("races", Sort::Bool).expect("a sort");
        self.out.asked = Some(asked);
        for (_, accesses) in by_object {
            for place in self.places(&accesses) {
                self.place(&place);
            }
        }
        let goals = std::mem::take(&mut self.goals);
        if goals.is_empty() {
            self.out.asked = None;
            return;
        }
        let any = self.terms.or_all(&goals);
        self.out.goal = Some(self.terms.and_all(&[asked, any]));
    }

    /// Accesses of one object, by place if all are at the same place or apart; else all together.
    fn places(&self, accesses: &[usize]) -> Vec<Vec<usize>> {
        let mut ranges: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for &i in accesses {
            let access = &self.unwinding.races[i];
            let Some(address) = self.terms.as_const(access.address).and_then(heddle_solver::Bits::to_u64) else {
                return vec![accesses.to_vec()];
            };
            let start = address & 0xffff_ffff;
            ranges.entry((start, start + u64::from(access.len))).or_default().push(i);
        }
        let mut end = 0;
        for &(lo, hi) in ranges.keys() {
            if lo < end {
                return vec![accesses.to_vec()];
            }
            end = hi;
        }
        ranges.into_values().collect()
    }

    /// All races among these accesses.
    fn place(&mut self, accesses: &[usize]) {
        let races = &self.unwinding.races;
        let thread = |i: usize| self.unwinding.nodes[races[i].node].thread;
        let several = accesses.iter().any(|&i| thread(i) != thread(accesses[0]));
        if !several || !accesses.iter().any(|&i| races[i].write) || !accesses.iter().any(|&i| races[i].plain) {
            return;
        }
        let exact = accesses.iter().all(|&i| {
            let (a, first) = (&races[i], &races[accesses[0]]);
            a.address == first.address && a.len == first.len && self.terms.as_const(a.address).is_some()
        });
        let mut atomics = accesses.iter().map(|&i| &races[i]).filter(|access| !access.plain);
        if let Some(first) = atomics.next() {
            let other = atomics.filter(|access| access.len != first.len).map(|access| access.guard);
            self.out.unordered.extend(other);
        }
        let (fixed, sections): (Vec<usize>, Vec<usize>) = accesses.iter().partition(|&&i| races[i].fixed);
        if exact {
            self.stand_together(&fixed);
        } else {
            for (k, &i) in fixed.iter().enumerate() {
                for &j in &fixed[k + 1..] {
                    if let Some(meet) = self.meet(i, j)
                        && (self.may_be_next(i, j) || self.may_be_next(j, i))
                    {
                        let (a, b) = (self.stands(i), self.stands(j));
                        let both = self.terms.and_all(&[a, b, meet]);
                        self.goals.push(both);
                    }
                }
            }
        }
        for &s in &sections {
            for &i in fixed.iter().chain(sections.iter().filter(|&&other| other > s)) {
                self.in_section(s, i);
            }
        }
    }

    /// Races of accesses of one cell: by thread and class, so that the size does not grow with pairs of accesses.
    fn stand_together(&mut self, accesses: &[usize]) {
        let mut groups: BTreeMap<(ThreadIx, Class), Vec<usize>> = BTreeMap::new();
        for &i in accesses {
            let access = &self.unwinding.races[i];
            groups.entry((self.unwinding.nodes[access.node].thread, Class::of(access))).or_default().push(i);
        }
        let groups: Vec<((ThreadIx, Class), Vec<usize>)> = groups.into_iter().collect();
        let mut useful: Vec<bool> = vec![false; self.unwinding.races.len()];
        let mut conflicts = Vec::new();
        for (k, ((thread, class), members)) in groups.iter().enumerate() {
            for (l, ((other, there), others)) in groups.iter().enumerate().skip(k + 1) {
                if thread == other || !class.conflicts(*there) {
                    continue;
                }
                let mut any = false;
                for &i in members {
                    for &j in others {
                        if self.may_be_next(i, j) || self.may_be_next(j, i) {
                            (useful[i], useful[j], any) = (true, true, true);
                        }
                    }
                }
                if any {
                    conflicts.push((k, l));
                }
            }
        }
        let standing: Vec<TermId> = groups
            .iter()
            .map(|(_, members)| {
                let members: Vec<usize> = members.iter().copied().filter(|&i| useful[i]).collect();
                let any: Vec<TermId> = members.into_iter().map(|i| self.stands(i)).collect();
                self.terms.or_all(&any)
            })
            .collect();
        for (k, l) in conflicts {
            let both = self.terms.and_all(&[standing[k], standing[l]]);
            self.goals.push(both);
        }
    }

    /// Whether a thread stands now before an access.
    fn stands(&mut self, access: usize) -> TermId {
        let RaceAccess { node, guard, .. } = self.unwinding.races[access];
        let stands = match self.out.standing.get(&node) {
            Some(&stands) => stands,
            None => {
                let stands = self.terms.fresh("stands", Sort::Bool).expect("a sort");
                let asked = self.out.asked.expect("made first");
                let relevant = self.terms.implies(stands, asked);
                self.out.constraints.push(relevant);
                let now = self.unwinding.now.expect("races are asked for");
                self.out.orders.push((now, node, stands));
                if let Some(before) = self.before(node) {
                    self.out.orders.push((before, now, stands));
                }
                self.out.standing.insert(node, stands);
                stands
            }
        };
        self.terms.and_all(&[stands, guard])
    }

    /// The node that a thread executes last before one of its nodes.
    fn before(&self, node: NodeIx) -> Option<NodeIx> {
        let thread = self.unwinding.nodes[node].thread;
        match self.position[&node].checked_sub(1) {
            Some(at) => Some(self.unwinding.threads[thread].chain[at]),
            None => self.starts.get(&thread).copied(),
        }
    }

    fn after(&self, node: NodeIx) -> Option<NodeIx> {
        let thread = self.unwinding.nodes[node].thread;
        self.unwinding.threads[thread].chain.get(self.position[&node] + 1).copied()
    }

    /// Whether one access may come right after another, as far as fixed orders tell.
    fn may_be_next(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.unwinding.races[first].node, self.unwinding.races[second].node);
        let fixed = |x: NodeIx, y: NodeIx| self.graph.fixed_before(self.nodes[x], self.nodes[y]);
        !fixed(b, a) && self.before(b).is_none_or(|before| before != a && !fixed(a, before))
    }

    /// Whether two accesses of different threads conflict; none if they cannot.
    fn meet(&mut self, i: usize, j: usize) -> Option<TermId> {
        let (a, b) = (&self.unwinding.races[i], &self.unwinding.races[j]);
        let threads = self.unwinding.nodes[a.node].thread != self.unwinding.nodes[b.node].thread;
        if !threads || !Class::of(a).conflicts(Class::of(b)) || (a.user && b.user) {
            return None;
        }
        let terms = &mut *self.terms;
        let object = |terms: &mut Terms, access: &RaceAccess| terms.extract(63, 32, access.address);
        let (x, y) = (object(terms, a), object(terms, b));
        let same = terms.eq(x, y);
        // Offsets are below 2^31 where objects are accessed within their bounds, so nothing wraps round.
        let (lo, there) = (terms.extract(31, 0, a.address), terms.extract(31, 0, b.address));
        let (len, other) = (terms.bv(32, u64::from(a.len)), terms.bv(32, u64::from(b.len)));
        let (end, other_end) = (terms.add(lo, len), terms.add(there, other));
        let (left, right) = (terms.ult(lo, other_end), terms.ult(there, end));
        let meet = terms.and_all(&[same, left, right]);
        (meet != Terms::FALSE).then_some(meet)
    }

    /// A pair of which the first stands in a section.
    fn in_section(&mut self, section: usize, other: usize) {
        let Some(meet) = self.meet(section, other) else { return };
        let races = &self.unwinding.races;
        let guards = [races[section].guard, races[other].guard, meet];
        let both = self.terms.and_all(&guards);
        if both == Terms::FALSE {
            return;
        }
        for (first, second) in [(section, other), (other, section)] {
            if races[first].free || !self.may_be_first(first, second) {
                continue;
            }
            let (a, b) = (races[first].node, races[second].node);
            let mut orders = vec![both, self.order(a, b)];
            // What a section does before it comes to nothing has not happened, if it comes first.
            let first_node = self.unwinding.nodes[a];
            let own = first_node.ticks.checked_sub(1).filter(|_| !races[first].fixed);
            orders.extend(own.map(|tick| self.unwinding.threads[first_node.thread].ticks[tick].guard));
            // A plain access tells nobody, so it may also be that only its thread stands still.
            let silent = races[first].plain && !races[first].user && races[first].fixed;
            if silent {
                orders.extend(self.after(a).map(|after| self.order(b, after)));
            } else {
                orders.extend(self.before(b).map(|before| self.order(before, a)));
            }
            let lit = self.terms.and_all(&orders);
            let asked = self.out.asked.expect("made first");
            let lit = self.terms.and_all(&[asked, lit]);
            self.out.pairs.push((lit, RacePair { first, second, now: false }));
            self.goals.push(lit);
        }
    }

    fn may_be_first(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.unwinding.races[first].node, self.unwinding.races[second].node);
        !self.graph.fixed_before(self.nodes[b], self.nodes[a]) && self.may_be_next(first, second)
    }

    /// A literal that is true only if one node comes before another.
    fn order(&mut self, before: NodeIx, after: NodeIx) -> TermId {
        if let Some(&known) = self.orders.get(&(before, after)) {
            return known;
        }
        let lit = self.terms.fresh("before", Sort::Bool).expect("a sort");
        let asked = self.out.asked.expect("made first");
        let relevant = self.terms.implies(lit, asked);
        self.out.constraints.push(relevant);
        self.out.orders.push((before, after, lit));
        self.orders.insert((before, after), lit);
        lit
    }
}

fn holds(model: &mut Evaluator<'_>, term: TermId) -> bool {
    model.eval(term) == Value::Bool(true)
}

/// Object and offset of an address.
fn number(model: &mut Evaluator<'_>, address: TermId) -> (u64, u64) {
    let bits = match model.eval(address) {
        Value::Bits(bits) => bits.to_u64().unwrap_or(0),
        Value::Bool(_) | Value::Array(_) => 0,
    };
    (bits >> 32, bits & 0xffff_ffff)
}
