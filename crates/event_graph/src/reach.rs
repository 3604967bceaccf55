//! Reachability over chains: Rule 1, kept up to date.
//!
//! Nodes are renumbered chain by chain, so that a [`Pos`] knows its neighbours. For each node and chain, `after` is the
//! index of the first node of that chain that comes after, and `before` the number of its nodes that come before. A
//! question is one comparison; a new edge touches only what changes. Every change is logged and can be taken back.
//!
//! This is all that knows that program order is a set of lines: a memory model with partial orders a thread replaces
//! [`Chains`] by a cover of that order with chains, and adds the rest as fixed edges.

use heddle_base::{Id, IndexVec, define_id};

use crate::graph::{ChainId, NodeId};

define_id!(
    /// A node, numbered chain by chain.
    pub(crate) Pos, "s"
);

/// Where each node stands in which chain.
#[derive(Clone)]
pub(crate) struct Chains {
    /// The first position of each chain, and one more for the end.
    starts: Vec<u32>,
    chain: IndexVec<Pos, u32>,
    index: IndexVec<Pos, u32>,
    node: IndexVec<Pos, NodeId>,
    pos: IndexVec<NodeId, Pos>,
}

impl Chains {
    pub(crate) fn new(chains: &IndexVec<ChainId, Vec<NodeId>>, nodes: usize) -> Self {
        let mut this = Chains {
            starts: vec![0],
            chain: IndexVec::with_capacity(nodes),
            index: IndexVec::with_capacity(nodes),
            node: IndexVec::with_capacity(nodes),
            pos: IndexVec::from_elem(Pos::new(0), nodes),
        };
        for (number, chain) in chains.iter().enumerate() {
            for (index, &node) in chain.iter().enumerate() {
                this.chain.push(number as u32);
                this.index.push(index as u32);
                this.pos[node] = this.node.push(node);
            }
            this.starts.push(this.node.len() as u32);
        }
        this
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.node.len()
    }

    /// The number of chains.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(crate) fn pos(&self, node: NodeId) -> Pos {
        self.pos[node]
    }

    #[inline]
    pub(crate) fn node(&self, pos: Pos) -> NodeId {
        self.node[pos]
    }

    #[inline]
    pub(crate) fn chain(&self, pos: Pos) -> usize {
        self.chain[pos] as usize
    }

    #[inline]
    pub(crate) fn index(&self, pos: Pos) -> u32 {
        self.index[pos]
    }

    /// The node of a chain with an index.
    #[inline]
    pub(crate) fn at(&self, chain: usize, index: u32) -> Pos {
        Pos::new((self.starts[chain] + index) as usize)
    }

    /// The number of nodes in a chain.
    #[inline]
    pub(crate) fn chain_len(&self, chain: usize) -> u32 {
        self.starts[chain + 1] - self.starts[chain]
    }

    /// The next node of the same chain.
    #[inline]
    pub(crate) fn next(&self, pos: Pos) -> Option<Pos> {
        let next = pos.index() + 1;
        (next < self.starts[self.chain(pos) + 1] as usize).then(|| Pos::new(next))
    }
}

/// A change of the order of one node with one chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The node now comes before those of the chain from `new` on; it did from `old` on.
    After { node: Pos, chain: usize, old: u32, new: u32 },
    /// The node now comes after the first `new` ones of the chain; it did after the first `old`.
    Before { node: Pos, chain: usize, old: u32, new: u32 },
}

/// Set in a logged entry if it is one of `before`.
const BEFORE: u32 = 1 << 31;

/// The order of all nodes, transitively closed.
#[derive(Clone)]
pub(crate) struct Reach {
    chains: usize,
    after: Vec<u32>,
    before: Vec<u32>,
    log: Vec<(u32, u32)>,
    cyclic: bool,
    /// Of the edge that is being inserted: columns, and the bound of each chain.
    columns: Vec<(u32, u32)>,
    bounds: Vec<u32>,
}

impl Reach {
    /// The order of the chains alone.
    pub(crate) fn new(chains: &Chains) -> Self {
        let (nodes, count) = (chains.len(), chains.count());
        assert!(nodes * count < BEFORE as usize, "{nodes} nodes in {count} chains are too many");
        let mut after: Vec<u32> = Vec::with_capacity(nodes * count);
        let mut before = vec![0; nodes * count];
        for pos in (0..nodes).map(Pos::new) {
            after.extend((0..count).map(|chain| chains.chain_len(chain)));
            let own = pos.index() * count + chains.chain(pos);
            after[own] = chains.index(pos) + 1;
            before[own] = chains.index(pos);
        }
        Reach { chains: count, after, before, log: Vec::new(), cyclic: false, columns: Vec::new(), bounds: Vec::new() }
    }

    /// The first index of a chain that comes after a node; the chain's length if none does.
    #[inline]
    pub(crate) fn after(&self, pos: Pos, chain: usize) -> u32 {
        self.after[pos.index() * self.chains + chain]
    }

    /// How many of a chain come before a node.
    #[inline]
    pub(crate) fn before_count(&self, pos: Pos, chain: usize) -> u32 {
        self.before[pos.index() * self.chains + chain]
    }

    /// Whether `a` comes before `b`.
    #[inline]
    pub(crate) fn before(&self, chains: &Chains, a: Pos, b: Pos) -> bool {
        self.after(a, chains.chain(b)) <= chains.index(b)
    }

    /// Whether a fixed edge closed a cycle.
    pub(crate) fn is_cyclic(&self) -> bool {
        self.cyclic
    }

    /// Inserts an edge for ever; one that closes a cycle is left out and remembered.
    pub(crate) fn insert_fixed(&mut self, chains: &Chains, a: Pos, b: Pos) {
        if a == b || self.before(chains, b, a) {
            self.cyclic = true;
        } else {
            self.insert(chains, a, b);
            self.log.clear();
        }
    }

    /// The length of the log, to come back to.
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Entry `at` of the log as a change up to now.
    #[inline]
    pub(crate) fn change(&self, at: usize) -> Change {
        let (entry, old) = self.log[at];
        let place = (entry & !BEFORE) as usize;
        let (node, chain) = (Pos::new(place / self.chains), place % self.chains);
        if entry & BEFORE != 0 {
            Change::Before { node, chain, old, new: self.before[place] }
        } else {
            Change::After { node, chain, old, new: self.after[place] }
        }
    }

    /// Takes back all changes since a mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        for (entry, old) in self.log.drain(mark..).rev() {
            let place = (entry & !BEFORE) as usize;
            let table = if entry & BEFORE != 0 { &mut self.before } else { &mut self.after };
            table[place] = old;
        }
    }

    /// [SCAR §4.2 Rule 1] Inserts an edge that closes no cycle, and all that follows by transitivity.
    #[doc(alias = "Rule 1")]
    pub(crate) fn insert(&mut self, chains: &Chains, a: Pos, b: Pos) {
        debug_assert!(a != b && !self.before(chains, b, a));
        if !self.before(chains, a, b) {
            cov_mark::hit!(scar_rule1);
            self.lower_after(chains, a, b);
            self.raise_before(chains, a, b);
        }
    }

    /// All up to `a` come before all that `b` comes before.
    fn lower_after(&mut self, chains: &Chains, a: Pos, b: Pos) {
        let (row_a, row_b) = (a.index() * self.chains, b.index() * self.chains);
        self.columns.clear();
        for chain in 0..self.chains {
            let bound = if chain == chains.chain(b) { chains.index(b) } else { self.after[row_b + chain] };
            // What does not change for `a` does not change for those before `a`.
            if bound < self.after[row_a + chain] {
                self.columns.push((chain as u32, bound));
            }
        }
        self.bounds.clear();
        self.bounds.extend_from_slice(&self.before[row_a..row_a + self.chains]);
        self.bounds[chains.chain(a)] += 1;
        for chain in 0..self.chains {
            for index in (0..self.bounds[chain]).rev() {
                let row = chains.at(chain, index).index() * self.chains;
                let mut changed = false;
                for &(column, bound) in &self.columns {
                    let place = row + column as usize;
                    if bound < self.after[place] {
                        self.log.push((place as u32, self.after[place]));
                        self.after[place] = bound;
                        changed = true;
                    }
                }
                // Those further down come before this one, and know.
                if !changed {
                    break;
                }
            }
        }
    }

    /// All from `b` on come after all that `a` comes after.
    fn raise_before(&mut self, chains: &Chains, a: Pos, b: Pos) {
        let (row_a, row_b) = (a.index() * self.chains, b.index() * self.chains);
        self.columns.clear();
        for chain in 0..self.chains {
            let bound = if chain == chains.chain(a) { chains.index(a) + 1 } else { self.before[row_a + chain] };
            if bound > self.before[row_b + chain] {
                self.columns.push((chain as u32, bound));
            }
        }
        self.bounds.clear();
        self.bounds.extend_from_slice(&self.after[row_b..row_b + self.chains]);
        self.bounds[chains.chain(b)] -= 1;
        for chain in 0..self.chains {
            for index in self.bounds[chain]..chains.chain_len(chain) {
                let row = chains.at(chain, index).index() * self.chains;
                let mut changed = false;
                for &(column, bound) in &self.columns {
                    let place = row + column as usize;
                    if bound > self.before[place] {
                        self.log.push((place as u32 | BEFORE, self.before[place]));
                        self.before[place] = bound;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }
}
