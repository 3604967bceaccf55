//! Cells that are used as locks, found by what is done to them.
//!
//! From reads and writes alone the search would have to try orders to see that what a lock protects excludes others.
//! So it is told: between an *enter* and its *leave* nobody else writes the lock. That is proved for a cell if every write
//! of it is one of these:
//!
//! - an *enter*: its node also reads the cell, and only a 0 will do; it writes something else;
//! - a *leave*: it writes 0, after its own enter in the same thread, and is executed only if that is; no two leaves
//!   of one enter are executed;
//! - *first* or *last*: a write that always comes before (with a 0) or after all others.
//!
//! Then the first enter that found a section open would have read what an enter wrote, which is no 0
//! ([`EventGraph::add_section`](heddle_event_graph::EventGraph::add_section)). Mutexes and spin locks are such cells, and so
//! are locks that users make of atomic sections.

use heddle_event_graph::EventGraph;
use heddle_solver::{TermId, Terms};
use heddle_symbolic::unwind::{NodeIx, Unwinding};
use rustc_hash::FxHashMap;

use crate::candidates::{Candidates, Conjuncts};
use crate::formula::GraphNodes;
use crate::pieces::Event;

/// From here to there nobody else writes.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) enter: usize,
    pub(crate) leave: usize,
    /// All writes of the lock.
    pub(crate) all: std::rc::Rc<[usize]>,
}

/// The sections of all locks.
pub(crate) fn sections(
    unwinding: &Unwinding,
    (reads, writes): (&[Event], &[Event]),
    candidates: &Candidates,
    (graph, nodes): (&EventGraph, &GraphNodes),
    terms: &mut Terms,
) -> Vec<Section> {
    let mut by_address: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
    // Objects that are written at places which are not constants.
    let mut unclear: Vec<u32> = Vec::new();
    for (i, write) in writes.iter().enumerate() {
        if terms.as_const(write.address).is_some() {
            by_address.entry(write.address).or_default().push(i);
        } else {
            unclear.extend(write.objects.iter());
        }
    }
    let mut reads_of: FxHashMap<(NodeIx, TermId), Vec<usize>> = FxHashMap::default();
    for (i, read) in reads.iter().enumerate() {
        reads_of.entry((read.node, read.address)).or_default().push(i);
    }
    let mut position: FxHashMap<NodeIx, usize> = FxHashMap::default();
    for thread in unwinding.threads.iter() {
        position.extend(thread.chain.iter().enumerate().map(|(i, &node)| (node, i)));
    }
    let mut addresses: Vec<TermId> = by_address.keys().copied().collect();
    addresses.sort_unstable();
    let mut finder = Finder {
        unwinding,
        reads,
        writes,
        candidates,
        graph,
        nodes,
        terms,
        reads_of,
        position,
        conjuncts: Conjuncts::default(),
    };
    let mut found = Vec::new();
    for address in addresses {
        let all = &by_address[&address];
        if all.len() > 1 && !writes[all[0]].objects.iter().any(|object| unclear.contains(object)) {
            found.extend(finder.of_lock(all).unwrap_or_default());
        }
    }
    found
}

struct Finder<'a> {
    unwinding: &'a Unwinding,
    reads: &'a [Event],
    writes: &'a [Event],
    candidates: &'a Candidates,
    graph: &'a EventGraph,
    nodes: &'a GraphNodes,
    terms: &'a mut Terms,
    /// Reads by node and address.
    reads_of: FxHashMap<(NodeIx, TermId), Vec<usize>>,
    /// Places of nodes in their threads.
    position: FxHashMap<NodeIx, usize>,
    conjuncts: Conjuncts,
}

impl Finder<'_> {
    /// The sections of a cell; none if it is not used as a lock.
    fn of_lock(&mut self, all: &[usize]) -> Option<Vec<Section>> {
        let mut enters: Vec<usize> = Vec::new();
        let mut leaves: Vec<usize> = Vec::new();
        for &write in all {
            let zero = self.is_zero(self.writes[write].value)?;
            if !zero && self.is_enter(write) {
                enters.push(write);
            } else if self.is_last(write, all) || (zero && self.is_first(write, all)) {
                continue;
            } else if zero {
                leaves.push(write);
            } else {
                return None;
            }
        }
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for &leave in &leaves {
            pairs.push((self.enter_of(leave, &enters)?, leave));
        }
        for (i, &(enter, leave)) in pairs.iter().enumerate() {
            for &(other, again) in &pairs[i + 1..] {
                let guards = [self.writes[leave].guard, self.writes[again].guard];
                if enter == other && self.terms.and_all(&guards) != Terms::FALSE {
                    return None;
                }
            }
        }
        let all: std::rc::Rc<[usize]> = all.into();
        Some(pairs.into_iter().map(|(enter, leave)| Section { enter, leave, all: std::rc::Rc::clone(&all) }).collect())
    }

    /// Whether a value is the constant 0; none if it is no constant.
    fn is_zero(&self, value: TermId) -> Option<bool> {
        self.terms.as_const(value).map(heddle_solver::Bits::is_zero)
    }

    fn is_enter(&mut self, write: usize) -> bool {
        let event = &self.writes[write];
        let Some(reads) = self.reads_of.get(&(event.node, event.address)) else { return false };
        let reads = reads.clone();
        reads.into_iter().any(|read| {
            let value = self.reads[read].value;
            let Some(width) = self.terms.sort(value).width() else { return false };
            let zero = self.terms.bv(width, 0);
            let from_zero = self.terms.eq(value, zero);
            let sources = self.candidates.of[read].iter().filter(|candidate| candidate.equal != Terms::FALSE);
            let certain = self.conjuncts.implies(self.terms, event.guard, self.reads[read].guard);
            certain && sources.into_iter().all(|candidate| candidate.equal == from_zero)
        })
    }

    fn is_first(&self, write: usize, all: &[usize]) -> bool {
        let node = self.nodes[self.writes[write].node];
        all.iter().all(|&other| other == write || self.graph.fixed_before(node, self.nodes[self.writes[other].node]))
    }

    fn is_last(&self, write: usize, all: &[usize]) -> bool {
        let node = self.nodes[self.writes[write].node];
        all.iter().all(|&other| other == write || self.graph.fixed_before(self.nodes[self.writes[other].node], node))
    }

    /// The last enter before a leave in its thread, if the leave is executed only where that is.
    fn enter_of(&mut self, leave: usize, enters: &[usize]) -> Option<usize> {
        let (node, guard) = (self.writes[leave].node, self.writes[leave].guard);
        let thread = self.unwinding.nodes[node].thread;
        let place = |write: usize| self.position[&self.writes[write].node];
        let before = enters.iter().copied().filter(|&enter| {
            self.unwinding.nodes[self.writes[enter].node].thread == thread && place(enter) < self.position[&node]
        });
        let mut before: Vec<usize> = before.collect();
        before.sort_by_key(|&enter| std::cmp::Reverse(place(enter)));
        // Those on other branches have nothing to do with it.
        before.into_iter().find(|&enter| self.conjuncts.implies(self.terms, guard, self.writes[enter].guard))
    }
}
