//! The event graph as a theory in the SAT search.
//!
//! The search decides which write each read takes its value from, and which writes are executed; this theory keeps
//! the order that follows. Rules 2 and 3 of [SCAR §4.2] fire from every new literal and every new order; Rule 1 is the
//! reachability underneath. A cycle is a conflict, and its clause a kernel reason [SCAR §5.1]: the literals on a cheapest
//! path. Literals whose edge would close a cycle are implied to be false; their reasons are read off the graph when
//! asked for.
//!
//! Rules 1 to 3 are not complete (the butterfly, [SCAR Fig. 6]). So a complete assignment is put into a line; where a
//! triple of source, read and rival is left open and none of its orders fits, both get a literal, and the search goes on.
//! Only the first step at which nothing fits is looked at: with its literals decided, the next line is another one.
//!
//! Implied literals are not complete either: a source is not looked at again if it comes before a rival that was known
//! to come before the read. The rules then find the conflict.

mod edges;
pub(crate) mod line;
pub(crate) mod orders;
mod rules;
mod tables;

use heddle_base::Id;
use heddle_solver::{Actions, Lit, Theory};

use crate::graph::{EventGraph, NodeId};

use self::line::Line;
use self::orders::Orders;

/// What the theory did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderStatistics {
    /// Cycles refuted.
    pub conflicts: u64,
    /// Literals implied.
    pub propagations: u64,
    /// Edges inserted, without fixed ones.
    pub edges: u64,
    /// Literals made for orders that the rules left open.
    pub order_literals: u64,
    /// Complete assignments looked at.
    pub final_checks: u64,
}

/// Consistency of an [`EventGraph`], as a theory.
///
/// Its [`literals`](OrderTheory::literals) have to be observed, at any time before the first solve in which they matter.
/// Observe may return another literal than the one given, if the search could have eliminated that one; so observe
/// (or freeze, as [`Solver::lit_of`](heddle_solver::Solver::lit_of) does) before a solve. Literals that are already fixed are told
/// when they are observed.
///
/// The literals come from the solver, and the solver has a theory from the beginning. So start with an empty one:
///
/// ```
/// use heddle_base::Budget;
/// use heddle_event_graph::{EventGraph, OrderTheory};
/// use heddle_solver::{Config, Solver, Terms};
///
/// let (mut terms, mut graph) = (Terms::new(), EventGraph::new());
/// let mut solver = Solver::with_theory(OrderTheory::default(), Config::default());
/// let from_first = terms.bool_var("from_first");
/// let always = terms.bool(true);
/// let (source, always) = (solver.lit_of(&mut terms, from_first)?, solver.lit_of(&mut terms, always)?);
/// // w0; w1; r in one thread: r cannot read from w0.
/// let thread = graph.add_chain();
/// let [n0, n1, n2] = [(); 3].map(|()| graph.add_node(thread));
/// let (w0, w1, r) = (graph.add_write(n0), graph.add_write(n1), graph.add_read(n2));
/// graph.add_source(r, w0, source);
/// graph.add_rival(r, w1, always);
/// let theory = OrderTheory::new(graph);
/// let literals = theory.literals();
/// *solver.theory_mut() = theory;
/// for lit in literals {
///     solver.sat().observe(lit);
/// }
/// assert!(solver.solve(&mut terms, &[], &Budget::unlimited())?.is_sat());
/// assert_eq!(solver.theory().linearisation(), [n0, n1, n2]);
/// assert!(solver.solve(&mut terms, &[from_first], &Budget::unlimited())?.is_unsat());
/// # Ok::<(), heddle_solver::SortError>(())
/// ```
pub struct OrderTheory {
    literals: Vec<Lit>,
    orders: Orders,
    /// The length of the trail at each decision.
    levels: Vec<usize>,
    line: Vec<NodeId>,
    statistics: OrderStatistics,
    clause: Vec<Lit>,
}

impl Default for OrderTheory {
    fn default() -> Self {
        Self::new(EventGraph::new())
    }
}

impl OrderTheory {
    /// The theory of a graph.
    pub fn new(graph: EventGraph) -> Self {
        OrderTheory {
            literals: graph.literals(),
            orders: Orders::new(&graph),
            levels: Vec::new(),
            line: Vec::new(),
            statistics: OrderStatistics::default(),
            clause: Vec::new(),
        }
    }

    /// All literals to observe.
    pub fn literals(&self) -> Vec<Lit> {
        self.literals.clone()
    }

    /// After a satisfiable answer: a line of all nodes that shows the model to be consistent.
    pub fn linearisation(&self) -> Vec<NodeId> {
        self.line.clone()
    }

    /// Counts.
    pub fn statistics(&self) -> OrderStatistics {
        OrderStatistics { edges: self.orders.inserted, ..self.statistics }
    }

    /// Lets all assigned literals take effect.
    fn catch_up(&mut self, actions: &mut Actions) {
        if !self.orders.catch_up() {
            self.statistics.conflicts += 1;
            self.clause.clear();
            self.clause.extend(self.orders.conflict_lits().iter().map(|&l| !l));
            actions.conflict(&self.clause);
            return;
        }
        while let Some(lit) = self.orders.next_implied() {
            self.statistics.propagations += 1;
            actions.imply(lit);
        }
    }

    /// Orders that the rules leave open and the line needs, as literals with a clause.
    fn ask_for_orders(&mut self, open: &[line::Open], actions: &mut Actions) {
        for triple in open {
            let source = *self.orders.tables.source(triple.source);
            let rival = *self.orders.tables.rival(triple.rival);
            let before = self.order_literal(rival.write, source.write, actions);
            let after = self.order_literal(source.at, rival.write, actions);
            actions.clause(&[!source.lit, !rival.lit, before, after]);
        }
    }

    fn order_literal(&mut self, from: crate::reach::Pos, to: crate::reach::Pos, actions: &mut Actions) -> Lit {
        if let Some(lit) = self.orders.order_literal(from, to) {
            return lit;
        }
        self.statistics.order_literals += 1;
        let lit = actions.new_observed();
        self.orders.add_order_literal(from, to, lit);
        lit
    }
}

impl Theory for OrderTheory {
    fn assign(&mut self, lits: &[Lit], _: &mut Actions) {
        self.orders.assign(lits);
    }

    fn new_level(&mut self) {
        self.levels.push(self.orders.trail_len());
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&len) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        self.orders.undo(len);
    }

    fn propagate(&mut self, actions: &mut Actions) {
        if !self.orders.in_conflict() {
            self.orders.root = self.levels.is_empty();
            self.catch_up(actions);
        }
    }

    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        clause.extend(self.orders.explain(lit).iter().map(|&l| !l));
        clause.push(lit);
    }

    fn final_check(&mut self, actions: &mut Actions) {
        self.statistics.final_checks += 1;
        self.propagate(actions);
        if self.orders.in_conflict() {
            return;
        }
        match self.orders.line() {
            Line::Fits(line) => self.line = line.iter().map(|&pos| self.orders.tables.chains.node(pos)).collect(),
            Line::Stuck(open) => self.ask_for_orders(&open, actions),
        }
    }
}

/// An id or none, in four bytes: heads and links of lists.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const END: Link = Link(u32::MAX);

    fn to(id: impl Id) -> Link {
        Link(id.index() as u32)
    }

    #[inline]
    fn get<I: Id>(self) -> Option<I> {
        (self != Link::END).then(|| I::new(self.0 as usize))
    }
}
