//! The static event graph: steps, program order, fixed edges, and who may read from whom.
//!
//! [SCAR Def. 4.4] for all executions at once: an edge ◁ is there if its source literal is true, a write if its rival
//! literal is. Nodes are steps, not events: what an atomic section reads and writes belongs to one node, and nothing
//! comes between. Program order and creates and joins need no literals, because the order of steps that are not
//! executed does not matter.

use std::cell::OnceCell;

use heddle_base::{IndexVec, define_id};
use heddle_solver::Lit;

use crate::reach::{Chains, Reach};

define_id!(
    /// A step: a node of the graph.
    pub NodeId, "n"
);
define_id!(
    /// A chain of steps in program order, mostly a thread.
    pub ChainId, "t"
);
define_id!(
    /// A write, of some node.
    pub WriteId, "w"
);
define_id!(
    /// A read, of some node.
    pub ReadId, "r"
);

/// A write that a read may take its value from: an edge ◁ if its literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Who reads.
    pub read: ReadId,
    /// Where the value comes from.
    pub write: WriteId,
    /// True: it does.
    pub lit: Lit,
}

/// A write that must not come between a read and its source if its literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    /// Who reads.
    pub read: ReadId,
    /// Who might spoil it.
    pub write: WriteId,
    /// True: the write is executed, visible, and at the place of the read.
    pub lit: Lit,
}

/// An order that holds if its literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// What comes first.
    pub before: NodeId,
    /// What comes later.
    pub after: NodeId,
    /// True: it does.
    pub lit: Lit,
}

/// Steps, program order, fixed edges; sources and rivals over literals.
#[derive(Clone, Default)]
pub struct EventGraph {
    chains: IndexVec<ChainId, Vec<NodeId>>,
    nodes: IndexVec<NodeId, ChainId>,
    edges: Vec<(NodeId, NodeId)>,
    writes: IndexVec<WriteId, NodeId>,
    reads: IndexVec<ReadId, NodeId>,
    sources: Vec<Source>,
    rivals: Vec<Rival>,
    orders: Vec<Order>,
    /// Chains and fixed edges, closed; made when first asked for.
    fixed: OnceCell<(Chains, Reach)>,
}

impl EventGraph {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new chain without nodes.
    pub fn add_chain(&mut self) -> ChainId {
        self.fixed.take();
        self.chains.push(Vec::new())
    }

    /// A new node at the end of a chain.
    pub fn add_node(&mut self, chain: ChainId) -> NodeId {
        self.fixed.take();
        let node = self.nodes.push(chain);
        self.chains[chain].push(node);
        node
    }

    /// Requires an order that always holds: creates, joins.
    ///
    /// Edges that form a cycle are allowed: then no set of literals is consistent.
    pub fn add_edge(&mut self, before: NodeId, after: NodeId) {
        self.fixed.take();
        self.edges.push((before, after));
    }

    /// A new write of a node.
    pub fn add_write(&mut self, node: NodeId) -> WriteId {
        self.writes.push(node)
    }

    /// A new read of a node.
    pub fn add_read(&mut self, node: NodeId) -> ReadId {
        self.reads.push(node)
    }

    /// `lit` true: the read takes its value from the write, so both are executed and at the same place.
    pub fn add_source(&mut self, read: ReadId, write: WriteId, lit: Lit) {
        self.sources.push(Source { read, write, lit });
    }

    /// `lit` true: the write is executed, visible, and at the same place as the read.
    pub fn add_rival(&mut self, read: ReadId, write: WriteId, lit: Lit) {
        self.rivals.push(Rival { read, write, lit });
    }

    /// `lit` true: one node comes before another. For what is known of the program beyond sources and rivals; a literal
    /// for one direction and its negation for the other lets the search decide an order.
    pub fn add_order(&mut self, before: NodeId, after: NodeId, lit: Lit) {
        self.orders.push(Order { before, after, lit });
    }

    /// `lit` true: from `enter` to `leave` nobody else writes: none of the others (each with the literal that says it is
    /// executed) comes between the two nodes.
    ///
    /// For what is known to exclude others, as what a lock protects: the rules then derive at once that one section is
    /// over before the next begins, while from the lock's reads alone the search has to find it by trying orders.
    ///
    /// Say so only where it is proved. For a lock this suffices: every write of it is either first of all, or an
    /// `enter` whose node also reads the lock and takes its value from the first write or from a `leave`; or a `leave`
    /// that follows its own `enter` in the same chain, executed only if that is. Then no `enter` finds a section open.
    pub fn add_section(&mut self, enter: WriteId, leave: NodeId, lit: Lit, others: &[(WriteId, Lit)]) {
        let read = self.add_read(leave);
        self.add_source(read, enter, lit);
        for &(write, executed) in others {
            self.add_rival(read, write, executed);
        }
    }

    /// Whether `a` comes before `b` by chains and fixed edges alone.
    ///
    /// The first question after a change costs a closure of all of them.
    pub fn fixed_before(&self, a: NodeId, b: NodeId) -> bool {
        let (chains, reach) = self.fixed();
        reach.before(chains, chains.pos(a), chains.pos(b))
    }

    /// Whether the fixed edges form a cycle, so that nothing is consistent.
    pub fn is_cyclic(&self) -> bool {
        self.fixed().1.is_cyclic()
    }

    /// Chains and fixed edges, closed.
    pub(crate) fn fixed(&self) -> &(Chains, Reach) {
        self.fixed.get_or_init(|| {
            let chains = Chains::new(&self.chains, self.nodes.len());
            let mut reach = Reach::new(&chains);
            for &(a, b) in &self.edges {
                reach.insert_fixed(&chains, chains.pos(a), chains.pos(b));
            }
            (chains, reach)
        })
    }

    /// The nodes of all chains, in chain order.
    pub fn chains(&self) -> impl Iterator<Item = &[NodeId]> {
        self.chains.iter().map(Vec::as_slice)
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of reads.
    pub fn read_count(&self) -> usize {
        self.reads.len()
    }

    /// The node of a write.
    pub fn write_node(&self, write: WriteId) -> NodeId {
        self.writes[write]
    }

    /// The node of a read.
    pub fn read_node(&self, read: ReadId) -> NodeId {
        self.reads[read]
    }

    /// The fixed edges.
    pub fn edges(&self) -> &[(NodeId, NodeId)] {
        &self.edges
    }

    /// All possible sources.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// All possible rivals.
    pub fn rivals(&self) -> &[Rival] {
        &self.rivals
    }

    /// All orders over literals.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// All literals of sources, rivals and orders, each once, in order.
    pub fn literals(&self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self.sources.iter().map(|s| s.lit).collect();
        lits.extend(self.rivals.iter().map(|r| r.lit));
        lits.extend(self.orders.iter().map(|o| o.lit));
        lits.sort_unstable();
        lits.dedup();
        lits
    }

    /// Whether a line of all nodes shows that the true literals are consistent: the definition, word for word.
    pub fn is_shown_by(&self, line: &[NodeId], value: impl Fn(Lit) -> bool) -> bool {
        let Some(place) = self.places(line) else { return false };
        let before = |a: NodeId, b: NodeId| place[a] < place[b];
        let mut rivals: IndexVec<ReadId, Vec<NodeId>> = IndexVec::from_elem(Vec::new(), self.reads.len());
        for rival in self.rivals.iter().filter(|r| value(r.lit)) {
            rivals[rival.read].push(self.writes[rival.write]);
        }
        self.chains.iter().all(|chain| chain.windows(2).all(|pair| before(pair[0], pair[1])))
            && self.edges.iter().all(|&(a, b)| before(a, b))
            && self.orders.iter().all(|o| !value(o.lit) || before(o.before, o.after))
            && self.sources.iter().filter(|s| value(s.lit)).all(|source| {
                let (w, r) = (self.writes[source.write], self.reads[source.read]);
                let apart = |&other: &NodeId| other == w || other == r || before(other, w) || before(r, other);
                before(w, r) && rivals[source.read].iter().all(apart)
            })
    }

    /// Where each node stands in a line of all nodes.
    fn places(&self, line: &[NodeId]) -> Option<IndexVec<NodeId, usize>> {
        let mut place = IndexVec::from_elem(usize::MAX, self.nodes.len());
        for (at, &node) in line.iter().enumerate() {
            if std::mem::replace(&mut place[node], at) != usize::MAX {
                return None;
            }
        }
        (line.len() == self.nodes.len()).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_order_is_closed() {
        let mut graph = EventGraph::new();
        let (t, u) = (graph.add_chain(), graph.add_chain());
        let (a, b) = (graph.add_node(t), graph.add_node(t));
        let (c, d) = (graph.add_node(u), graph.add_node(u));
        assert!(graph.fixed_before(a, b) && !graph.fixed_before(b, a) && !graph.fixed_before(a, a));
        graph.add_edge(b, c);
        assert!(graph.fixed_before(a, d) && !graph.fixed_before(d, a) && !graph.is_cyclic());
        graph.add_edge(d, a);
        assert!(graph.is_cyclic());
    }
}
