//! Leaks: whether the process can end while a heap block is alive.
//!
//! An exit ends the process wherever the other threads are. So a block is leaked if it was made before some exit, and
//! what frees it comes after that or not at all: orders between three nodes, each with a literal. Without an exit the
//! process ends when all threads have, and then it matters only whether the block was freed.

use heddle_event_graph::EventGraph;
use heddle_solver::{Evaluator, Sort, TermId, Terms, Value};
use heddle_symbolic::unwind::{Allocation, Ending, NodeIx, Unwinding};
use rustc_hash::FxHashMap;

use crate::formula::GraphNodes;

/// A block that is left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Which, by position in the unwinding's list.
    pub allocation: usize,
    /// By which exit; none if all threads end.
    pub ending: Option<usize>,
}

/// What is asked about leaks.
#[derive(Clone, Debug, Default)]
pub struct Leaks {
    /// Terms that hold in every execution.
    pub(crate) constraints: Vec<TermId>,
    /// (node, node, whether the first comes before the second).
    pub(crate) orders: Vec<(NodeIx, NodeIx, TermId)>,
    /// Whether leaks are what is asked about; none if there can be none.
    pub asked: Option<TermId>,
    leaks: Vec<(TermId, Leak)>,
}

impl Leaks {
    pub(crate) fn new(unwinding: &Unwinding, graph: &EventGraph, nodes: &GraphNodes, terms: &mut Terms) -> Self {
        let mut out = Leaks::default();
        if unwinding.allocations.is_empty() {
            return out;
        }
        let asked = terms.fresh("leaks", Sort::Bool).expect("a sort");
        let mut builder = Builder { graph, nodes, terms, asked, orders: FxHashMap::default(), out: &mut out };
        let quiet = builder.all_end(unwinding);
        let mut frees: FxHashMap<u32, Vec<(NodeIx, TermId)>> = FxHashMap::default();
        for &(node, guard, object) in &unwinding.frees {
            frees.entry(object).or_default().push((node, guard));
        }
        for (i, allocation) in unwinding.allocations.iter().enumerate() {
            let frees = frees.get(&allocation.object).map_or(&[][..], Vec::as_slice);
            for (j, ending) in unwinding.endings.iter().enumerate() {
                if let Some(left) = builder.left_by(allocation, frees, ending) {
                    builder.out.leaks.push((left, Leak { allocation: i, ending: Some(j) }));
                }
            }
            let freed: Vec<TermId> = frees.iter().map(|&(_, guard)| guard).collect();
            let freed = builder.terms.or_all(&freed);
            let kept = builder.terms.not(freed);
            let left = builder.terms.and_all(&[asked, allocation.guard, kept, quiet]);
            if left != Terms::FALSE {
                builder.out.leaks.push((left, Leak { allocation: i, ending: None }));
            }
        }
        if !out.leaks.is_empty() {
            out.asked = Some(asked);
        }
        out
    }

    /// Holds if one of some blocks is left behind; none if that cannot be.
    pub fn goal(&self, terms: &mut Terms, of: impl Fn(usize) -> bool) -> Option<TermId> {
        let any: Vec<TermId> =
            self.leaks.iter().filter(|(_, leak)| of(leak.allocation)).map(|&(left, _)| left).collect();
        let goal = terms.or_all(&any);
        (goal != Terms::FALSE).then_some(goal)
    }

    /// One of some blocks that a model shows to be left behind.
    pub fn shown(&self, of: impl Fn(usize) -> bool, model: &mut Evaluator<'_>) -> Option<Leak> {
        let mut of_these = self.leaks.iter().filter(|(_, leak)| of(leak.allocation));
        of_these.find(|&&(left, _)| model.eval(left) == Value::Bool(true)).map(|&(_, leak)| leak)
    }
}

struct Builder<'a> {
    graph: &'a EventGraph,
    nodes: &'a GraphNodes,
    terms: &'a mut Terms,
    asked: TermId,
    orders: FxHashMap<(NodeIx, NodeIx), TermId>,
    out: &'a mut Leaks,
}

impl Builder<'_> {
    /// Whether all threads come to their ends, and nobody exits.
    fn all_end(&mut self, unwinding: &Unwinding) -> TermId {
        let mut other: Vec<TermId> = Vec::new();
        [&unwinding.waits, &unwinding.stops, &unwinding.exits].into_iter().for_each(|list| other.extend(list));
        other.extend(unwinding.cut_guards());
        other.extend(unwinding.unsupported.iter().map(|(guard, _)| *guard));
        other.extend(unwinding.violations.iter().chain(&unwinding.undefined).map(|suspect| suspect.guard));
        let other = self.terms.or_all(&other);
        self.terms.not(other)
    }

    /// Whether an exit leaves a block behind; none if it cannot.
    fn left_by(&mut self, block: &Allocation, frees: &[(NodeIx, TermId)], ending: &Ending) -> Option<TermId> {
        let both = self.terms.and_all(&[self.asked, block.guard, ending.guard]);
        if both == Terms::FALSE {
            return None;
        }
        let mut all = vec![both, self.before(block.node, ending.node)];
        for &(node, guard) in frees {
            // In one section with the exit, it came before.
            let together = node == ending.node;
            let later = if together { Terms::FALSE } else { self.before(ending.node, node) };
            let never = self.terms.not(guard);
            all.push(self.terms.or(never, later));
        }
        let left = self.terms.and_all(&all);
        (left != Terms::FALSE).then_some(left)
    }

    /// Holds only if one node comes before another.
    fn before(&mut self, first: NodeIx, second: NodeIx) -> TermId {
        let (a, b) = (self.nodes[first], self.nodes[second]);
        if first == second || self.graph.fixed_before(a, b) {
            return Terms::TRUE;
        }
        if self.graph.fixed_before(b, a) {
            return Terms::FALSE;
        }
        if let Some(&known) = self.orders.get(&(first, second)) {
            return known;
        }
        let lit = self.terms.fresh("before", Sort::Bool).expect("a sort");
        let relevant = self.terms.implies(lit, self.asked);
        self.out.constraints.push(relevant);
        self.out.orders.push((first, second, lit));
        self.orders.insert((first, second), lit);
        lit
    }
}
