//! The state of the theory: trail, active sources, edges; apart from the SAT search.
//!
//! Assigned literals wait on the trail until [`catch_up`](Orders::catch_up); each remembers how things were before it took effect, so that
//! any end of the trail can be taken back.

use heddle_base::Id;
use heddle_solver::Lit;
use rustc_hash::FxHashMap;

use super::Link;
use super::edges::{Edges, Goal, Reason};
use super::tables::{RivalId, SourceId, Tables, Use};
use crate::graph::EventGraph;
use crate::reach::{Pos, Reach};

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Not true: unassigned or false.
    Off,
    /// True, and waiting on the trail.
    Waiting,
    /// True, and in effect.
    On,
}

/// Why a literal was implied to be false.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// What holds for ever excludes it.
    Root,
    /// Its edge would go back over this order (or in place).
    Order { from: Pos, to: Pos },
    /// `middle` would stand between a source and its read; `lit` is the other literal that it takes.
    Between { from: Pos, middle: Pos, to: Pos, lit: Lit },
    /// Another source of the same read is true, and each is a rival of the other.
    Twin { source: SourceId, other: SourceId },
}

/// How things were before a literal took effect.
#[derive(Clone, Copy)]
struct Mark {
    log: u32,
    edges: u32,
    active: u32,
}

/// An edge that is still to be inserted.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    pub(crate) from: Pos,
    pub(crate) to: Pos,
    pub(crate) reason: Reason,
    pub(crate) cost: u32,
}

/// A cycle was closed.
pub(crate) struct Cycle;

/// See the module.
pub(crate) struct Orders {
    pub(crate) tables: Tables,
    pub(crate) reach: Reach,
    pub(crate) edges: Edges,
    /// Edges inserted so far, without fixed ones.
    pub(crate) inserted: u64,
    /// Whether literals that take effect now stay for ever.
    pub(crate) root: bool,
    /// Whether to go on without an edge that closes a cycle, and the literals of each such cycle.
    pub(crate) all_cycles: bool,
    pub(crate) cycles: Vec<Vec<Lit>>,

    states: Vec<State>,
    trail: Vec<Lit>,
    /// One for each literal of the trail that took effect.
    marks: Vec<Mark>,

    /// True sources in the order in which they took effect, and the same by read and by node of the write.
    active: Vec<SourceId>,
    by_read: Vec<Link>,
    next_by_read: Vec<Link>,
    by_write: Vec<Link>,
    next_by_write: Vec<Link>,

    pub(crate) pending: Vec<Pending>,
    /// The trail's length up to the literal that closed a cycle, and the literals of that.
    conflict: Option<usize>,
    conflict_lits: Vec<Lit>,

    /// Why a literal (by code) was implied, and how many edges there were.
    why: Vec<Option<(Why, u32)>>,
    /// Implied literals, and how much of the trail was in effect.
    implied: Vec<(Lit, u32)>,
    told: usize,
    started: bool,

    order_literals: FxHashMap<(Pos, Pos), Lit>,
    /// The edges of an order literal, by code.
    order_edges: Vec<Vec<(Pos, Pos)>>,
    /// Order literals by the node that their edge leads to.
    pub(crate) orders_to: Vec<Vec<(Pos, Lit)>>,
    goals: Vec<Goal>,
    lits: Vec<Lit>,
}

impl Orders {
    pub(crate) fn new(graph: &EventGraph) -> Self {
        let tables = Tables::new(graph);
        let (nodes, codes) = (tables.chains.len(), tables.code_count());
        let mut edges = Edges::new(nodes);
        for &(a, b) in graph.edges() {
            edges.push(tables.chains.pos(a), tables.chains.pos(b), Reason::Fixed, 0);
        }
        let mut this = Orders {
            reach: graph.fixed().1.clone(),
            edges,
            inserted: 0,
            root: true,
            all_cycles: false,
            cycles: Vec::new(),
            states: vec![State::Off; codes + 2],
            trail: Vec::new(),
            marks: Vec::new(),
            active: Vec::new(),
            by_read: vec![Link::END; tables.read_count()],
            next_by_read: vec![Link::END; tables.source_count()],
            by_write: vec![Link::END; nodes],
            next_by_write: vec![Link::END; tables.source_count()],
            pending: Vec::new(),
            conflict: None,
            conflict_lits: Vec::new(),
            why: vec![None; codes + 2],
            implied: Vec::new(),
            told: 0,
            started: false,
            order_literals: FxHashMap::default(),
            order_edges: Vec::new(),
            orders_to: vec![Vec::new(); nodes],
            goals: Vec::new(),
            lits: Vec::new(),
            tables,
        };
        for order in graph.orders() {
            let (from, to) = (this.tables.chains.pos(order.before), this.tables.chains.pos(order.after));
            this.add_order(from, to, order.lit);
        }
        this
    }

    // Literals.

    #[inline]
    pub(crate) fn is_on(&self, lit: Lit) -> bool {
        self.states[lit.code()] == State::On
    }

    #[inline]
    pub(crate) fn is_free(&self, lit: Lit) -> bool {
        self.states[lit.code()] == State::Off && self.states[(!lit).code()] == State::Off
    }

    /// Whether a rival is executed.
    #[inline]
    pub(crate) fn is_rival_on(&self, rival: RivalId) -> bool {
        self.is_on(self.tables.rival(rival).lit)
    }

    /// What a literal costs in an explanation.
    pub(crate) fn cost(&self) -> u32 {
        u32::from(!self.root)
    }

    pub(crate) fn trail_len(&self) -> usize {
        self.trail.len()
    }

    /// Literals became true.
    pub(crate) fn assign(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.reserve(lit);
            self.states[lit.code()] = State::Waiting;
            self.trail.push(lit);
        }
    }

    fn reserve(&mut self, lit: Lit) {
        let codes = (lit.code() | 1) + 1;
        if codes > self.states.len() {
            self.states.resize(codes, State::Off);
            self.why.resize(codes, None);
        }
    }

    /// Takes back all literals of the trail behind the first `len`.
    pub(crate) fn undo(&mut self, len: usize) {
        if let Some(&mark) = self.marks.get(len) {
            self.reach.undo(mark.log as usize);
            self.edges.truncate(mark.edges as usize);
            while self.active.len() > mark.active as usize {
                self.unlink_last();
            }
            self.marks.truncate(len);
        }
        for lit in self.trail.drain(len..) {
            self.states[lit.code()] = State::Off;
        }
        while let Some((lit, _)) = self.implied.pop_if(|&mut (_, at)| at as usize > len) {
            self.why[lit.code()] = None;
        }
        self.told = self.told.min(self.implied.len());
        if self.conflict.is_some_and(|at| at > len) {
            self.conflict = None;
        }
    }

    // Active sources.

    /// The true sources of a read.
    pub(crate) fn first_by_read(&self, read: usize) -> Option<SourceId> {
        self.by_read[read].get()
    }

    pub(crate) fn next_by_read(&self, source: SourceId) -> Option<SourceId> {
        self.next_by_read[source.index()].get()
    }

    /// The true sources at a node.
    pub(crate) fn first_by_write(&self, pos: Pos) -> Option<SourceId> {
        self.by_write[pos.index()].get()
    }

    pub(crate) fn next_by_write(&self, source: SourceId) -> Option<SourceId> {
        self.next_by_write[source.index()].get()
    }

    /// All true sources, oldest first.
    pub(crate) fn active(&self) -> &[SourceId] {
        &self.active
    }

    pub(crate) fn link(&mut self, source: SourceId) {
        let entry = self.tables.source(source);
        let (read, write) = (entry.read.index(), entry.write.index());
        self.next_by_read[source.index()] = std::mem::replace(&mut self.by_read[read], Link::to(source));
        self.next_by_write[source.index()] = std::mem::replace(&mut self.by_write[write], Link::to(source));
        self.active.push(source);
    }

    fn unlink_last(&mut self) {
        let Some(source) = self.active.pop() else { return };
        let entry = self.tables.source(source);
        self.by_read[entry.read.index()] = self.next_by_read[source.index()];
        self.by_write[entry.write.index()] = self.next_by_write[source.index()];
    }

    // Taking effect.

    /// Whether a cycle was closed and not yet taken back.
    pub(crate) fn in_conflict(&self) -> bool {
        self.conflict.is_some()
    }

    /// The literals that close the cycle.
    pub(crate) fn conflict_lits(&self) -> &[Lit] {
        &self.conflict_lits
    }

    /// Lets all waiting literals take effect; false if that closes a cycle.
    pub(crate) fn catch_up(&mut self) -> bool {
        if self.reach.is_cyclic() {
            self.conflict_lits.clear();
            self.conflict = Some(0);
            return false;
        }
        if !std::mem::replace(&mut self.started, true) {
            self.start();
        }
        while let Some(&lit) = self.trail.get(self.marks.len()) {
            self.marks.push(Mark {
                log: self.reach.mark() as u32,
                edges: self.edges.len() as u32,
                active: self.active.len() as u32,
            });
            self.states[lit.code()] = State::On;
            if let Err(Cycle) = self.take_effect(lit) {
                self.pending.clear();
                self.conflict = Some(self.marks.len());
                return false;
            }
        }
        if self.root {
            self.edges.settle();
        }
        true
    }

    fn take_effect(&mut self, lit: Lit) -> Result<(), Cycle> {
        if let Some(edges) = self.order_edges.get(lit.code()) {
            let (reason, cost) = (Reason::Lit(lit), self.cost());
            self.pending.extend(edges.iter().map(|&(from, to)| Pending { from, to, reason, cost }));
            self.insert_pending()?;
        }
        for at in self.tables.uses(lit) {
            match self.tables.use_at(at) {
                Use::Source(source) => self.source_on(source)?,
                Use::Rival(rival) => self.rival_on(rival)?,
            }
        }
        Ok(())
    }

    /// Inserts what is pending and all that follows from it.
    pub(crate) fn insert_pending(&mut self) -> Result<(), Cycle> {
        let mut next = 0;
        while let Some(&edge) = self.pending.get(next) {
            next += 1;
            self.insert(edge)?;
        }
        self.pending.clear();
        Ok(())
    }

    fn insert(&mut self, Pending { from, to, reason, cost }: Pending) -> Result<(), Cycle> {
        let known = self.reach.before(&self.tables.chains, from, to);
        if known && !matches!(reason, Reason::Lit(_)) {
            return Ok(());
        }
        self.edges.push(from, to, reason, cost);
        self.inserted += 1;
        if from == to || self.reach.before(&self.tables.chains, to, from) {
            let newest = self.edges.len() - 1;
            self.goals.push(Goal { from: to, to: from, limit: newest });
            self.conflict_lits.clear();
            self.edges.explain_edge(&self.tables, newest, &mut self.goals, &mut self.conflict_lits);
            self.edges.explain(&self.tables, &self.reach, &mut self.goals, &mut self.conflict_lits);
            if self.all_cycles {
                self.edges.truncate(newest);
                self.cycles.push(self.conflict_lits.clone());
                return Ok(());
            }
            return Err(Cycle);
        }
        let mark = self.reach.mark();
        self.reach.insert(&self.tables.chains, from, to);
        for at in mark..self.reach.mark() {
            self.fire(self.reach.change(at), cost);
        }
        Ok(())
    }

    // Implied literals.

    /// Notes that a free literal must be false.
    pub(crate) fn imply_not(&mut self, lit: Lit, why: Why) {
        let implied = !lit;
        if self.why[implied.code()].is_none() {
            let why = if self.root { Why::Root } else { why };
            self.why[implied.code()] = Some((why, self.edges.len() as u32));
            self.implied.push((implied, self.marks.len() as u32));
        }
    }

    /// The next implied literal that was not told.
    pub(crate) fn next_implied(&mut self) -> Option<Lit> {
        while let Some(&(lit, _)) = self.implied.get(self.told) {
            self.told += 1;
            if self.is_free(lit) {
                return Some(lit);
            }
        }
        None
    }

    /// The literals by which another one was implied.
    ///
    /// # Panics
    ///
    /// If it was not implied.
    pub(crate) fn explain(&mut self, lit: Lit) -> &[Lit] {
        let Some((why, limit)) = self.why[lit.code()] else { panic!("{lit} was not implied") };
        let limit = limit as usize;
        self.lits.clear();
        match why {
            Why::Root => {}
            Why::Order { from, to } => self.goals.push(Goal { from, to, limit }),
            Why::Between { from, middle, to, lit } => {
                self.lits.push(lit);
                self.goals.push(Goal { from, to: middle, limit });
                self.goals.push(Goal { from: middle, to, limit });
            }
            Why::Twin { source, other } => {
                let as_rival = |id| self.tables.source(id).as_rival.map(|r| self.tables.rival(r).lit);
                self.lits.push(self.tables.source(source).lit);
                self.lits.extend(as_rival(source).into_iter().chain(as_rival(other)));
            }
        }
        self.edges.explain(&self.tables, &self.reach, &mut self.goals, &mut self.lits);
        &self.lits
    }

    // Order literals.

    pub(crate) fn order_literal(&self, from: Pos, to: Pos) -> Option<Lit> {
        self.order_literals.get(&(from, to)).copied()
    }

    /// Makes a new literal mean an order. Those of the graph would not do: they may be false for other reasons.
    pub(crate) fn add_order_literal(&mut self, from: Pos, to: Pos, lit: Lit) {
        self.order_literals.insert((from, to), lit);
        self.add_order(from, to, lit);
    }

    /// Makes a literal an edge.
    fn add_order(&mut self, from: Pos, to: Pos, lit: Lit) {
        self.reserve(lit);
        self.order_edges.resize(self.order_edges.len().max(lit.code() + 1), Vec::new());
        self.order_edges[lit.code()].push((from, to));
        self.orders_to[to.index()].push((from, lit));
    }
}
