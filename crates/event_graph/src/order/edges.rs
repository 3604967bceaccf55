//! The edges of the graph with their reasons, and shortest explanations.
//!
//! Reachability says *that* one node comes before another; the edges say why. An edge is older the smaller its id, and
//! an edge is explained by older ones only, so explanations are never circular. Chains need no edges. A path is
//! searched by the number of literals that it costs; what a derived edge costs is estimated from the edge that
//! made its rule fire.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heddle_base::{Id, define_id};
use heddle_solver::Lit;

use super::tables::{RivalId, SourceId, Tables};
use crate::reach::{Pos, Reach};

define_id!(
    /// An edge; the number is its age.
    pub(crate) EdgeId, "e"
);

/// Why an edge is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It always is.
    Fixed,
    /// A literal: of a source, or of an order.
    Lit(Lit),
    /// Rule 2: the rival comes before the read, so it comes before the source.
    Rule2(SourceId, RivalId),
    /// Rule 3: the rival comes after the source, so it comes after the read.
    Rule3(SourceId, RivalId),
}

#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: Pos,
    pub(crate) to: Pos,
    pub(crate) reason: Reason,
    /// How many literals it takes to explain it, about.
    pub(crate) cost: u32,
    /// The next older edge from the same node.
    next: Option<EdgeId>,
}

/// All edges but those of chains.
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// The newest edge from each node.
    heads: Vec<Option<EdgeId>>,
    /// So many stay for ever and need no explanation.
    settled: usize,
    search: Search,
}

/// What a search needs, kept to be used again. A number is current if its stamp is.
#[derive(Default)]
struct Search {
    stamp: u32,
    seen: Vec<u32>,
    best: Vec<(u32, u32)>,
    via: Vec<Option<EdgeId>>,
    entry: Vec<Pos>,
    queue: BinaryHeap<Reverse<(u32, Pos)>>,
    path: Vec<EdgeId>,
}

/// An order that has to be explained by edges older than a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) from: Pos,
    pub(crate) to: Pos,
    pub(crate) limit: usize,
}

impl Edges {
    pub(crate) fn new(nodes: usize) -> Self {
        let search = Search {
            seen: vec![0; nodes],
            best: vec![(0, 0); nodes],
            via: vec![None; nodes],
            entry: vec![Pos::new(0); nodes],
            ..Search::default()
        };
        Edges { edges: Vec::new(), heads: vec![None; nodes], settled: 0, search }
    }

    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn push(&mut self, from: Pos, to: Pos, reason: Reason, cost: u32) {
        let next = self.heads[from.index()].replace(EdgeId::new(self.edges.len()));
        self.edges.push(Edge { from, to, reason, cost, next });
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        for edge in self.edges.drain(len..).rev() {
            self.heads[edge.from.index()] = edge.next;
        }
    }

    /// All that is there now stays for ever.
    pub(crate) fn settle(&mut self) {
        self.settled = self.edges.len();
    }

    /// Adds the literals that explain all goals, apart from literals that hold for ever.
    pub(crate) fn explain(&mut self, tables: &Tables, reach: &Reach, goals: &mut Vec<Goal>, lits: &mut Vec<Lit>) {
        while let Some(goal) = goals.pop() {
            self.find_path(tables, reach, goal);
            let path = std::mem::take(&mut self.search.path);
            for &id in path.iter().filter(|id| id.index() >= self.settled) {
                self.explain_edge(tables, id.index(), goals, lits);
            }
            self.search.path = path;
        }
        lits.sort_unstable();
        lits.dedup();
    }

    /// Adds the literals of an edge, and as a goal what else its rule needed.
    pub(crate) fn explain_edge(&self, tables: &Tables, id: usize, goals: &mut Vec<Goal>, lits: &mut Vec<Lit>) {
        let edge = self.edges[id];
        match edge.reason {
            Reason::Fixed => {}
            Reason::Lit(lit) => lits.push(lit),
            Reason::Rule2(source, rival) => {
                lits.extend([tables.source(source).lit, tables.rival(rival).lit]);
                goals.push(Goal { from: edge.from, to: tables.source(source).at, limit: id });
            }
            Reason::Rule3(source, rival) => {
                lits.extend([tables.source(source).lit, tables.rival(rival).lit]);
                goals.push(Goal { from: tables.source(source).write, to: edge.to, limit: id });
            }
        }
    }

    /// The cheapest path over edges older than the limit, into `search.path`.
    ///
    /// # Panics
    ///
    /// If there is none: then the order and its edges disagree, and nothing they say could be trusted.
    fn find_path(&mut self, tables: &Tables, reach: &Reach, goal: Goal) {
        let Edges { edges, heads, search, .. } = self;
        let chains = &tables.chains;
        let on_the_way = |pos: Pos| pos == goal.to || reach.before(chains, pos, goal.to);
        search.path.clear();
        search.queue.clear();
        search.stamp += 1;
        let stamp = search.stamp;
        search.best[goal.from.index()] = (stamp, 0);
        search.via[goal.from.index()] = None;
        search.queue.push(Reverse((0, goal.from)));
        'search: while let Some(Reverse((cost, entry))) = search.queue.pop() {
            // From here up the chain; what was seen before was cheaper.
            let mut at = Some(entry);
            while let Some(pos) = at.filter(|p| search.seen[p.index()] != stamp && on_the_way(*p)) {
                search.seen[pos.index()] = stamp;
                search.entry[pos.index()] = entry;
                if pos == goal.to {
                    break 'search;
                }
                let mut next = heads[pos.index()];
                while let Some(id) = next {
                    let edge = &edges[id.index()];
                    next = edge.next;
                    let to = edge.to.index();
                    if id.index() >= goal.limit || search.seen[to] == stamp || !on_the_way(edge.to) {
                        continue;
                    }
                    let total = cost + edge.cost;
                    if search.best[to].0 != stamp || total < search.best[to].1 {
                        search.best[to] = (stamp, total);
                        search.via[to] = Some(id);
                        search.queue.push(Reverse((total, edge.to)));
                    }
                }
                at = chains.next(pos);
            }
        }
        assert!(search.seen[goal.to.index()] == stamp, "no path explains {} before {}", goal.from, goal.to);
        let mut at = goal.to;
        while let Some(id) = search.via[search.entry[at.index()].index()] {
            search.path.push(id);
            at = edges[id.index()].from;
        }
    }
}
