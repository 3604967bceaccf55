//! The scheduling constraint ξ in full, [SCAR §2.2]: a clock for each node.
//!
//! Clocks are bit vectors. Two nodes whose order nothing requires may have the same clock; any order of them will do.
//! The number of clauses is cubic in the accesses of a location. Nothing is left out, not even what the fixed order already
//! decides: this is the baseline that the other two are compared with.

use heddle_base::{Id, IndexVec};
use heddle_solver::{Lit, Model, Solver, TermId, Terms, Theory, Value};

use crate::graph::{EventGraph, NodeId, ReadId, Rival};

/// How large the encoding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockStatistics {
    /// Variables, those of circuits too.
    pub variables: u64,
    /// Clauses, those of circuits too.
    pub clauses: u64,
}

/// The clocks of an encoded graph.
pub struct Clocks {
    clocks: IndexVec<NodeId, TermId>,
    statistics: ClockStatistics,
}

/// Requires that the true literals are consistent.
#[doc(alias = "ξ")]
pub fn encode<T: Theory>(graph: &EventGraph, terms: &mut Terms, solver: &mut Solver<T>) -> Clocks {
    let before = solver.statistics().sat;
    let width = usize::BITS - graph.node_count().saturating_sub(1).leading_zeros();
    let name = |i: usize| format!("clock {}", NodeId::new(i));
    let clocks = (0..graph.node_count()).map(|i| terms.bv_var(&name(i), width.max(1))).collect();
    let mut encoder = Encoder { graph, terms, solver, clocks };
    encoder.fixed_orders();
    encoder.sources();
    let clocks = encoder.clocks;
    let after = solver.statistics().sat;
    let statistics =
        ClockStatistics { variables: after.variables - before.variables, clauses: after.clauses - before.clauses };
    Clocks { clocks, statistics }
}

impl Clocks {
    /// A line of all nodes that shows the model to be consistent.
    pub fn linearisation(&self, terms: &Terms, model: &Model) -> Vec<NodeId> {
        let mut evaluator = model.evaluator(terms);
        let mut line: Vec<(u64, NodeId)> = Vec::with_capacity(self.clocks.len());
        for (node, &clock) in self.clocks.iter_enumerated() {
            let at = match evaluator.eval(clock) {
                Value::Bits(bits) => bits.to_u64().unwrap_or(u64::MAX),
                Value::Bool(_) | Value::Array(_) => unreachable!("a clock is a bit vector"),
            };
            line.push((at, node));
        }
        line.sort_unstable();
        line.into_iter().map(|(_, node)| node).collect()
    }

    /// How large the encoding is.
    pub fn statistics(&self) -> ClockStatistics {
        self.statistics
    }
}

struct Encoder<'a, T: Theory> {
    graph: &'a EventGraph,
    terms: &'a mut Terms,
    solver: &'a mut Solver<T>,
    clocks: IndexVec<NodeId, TermId>,
}

impl<T: Theory> Encoder<'_, T> {
    /// The literal of an order; equal ones are the same.
    fn order(&mut self, a: NodeId, b: NodeId) -> Lit {
        let order = self.terms.ult(self.clocks[a], self.clocks[b]);
        match self.solver.lit_of(self.terms, order) {
            Ok(lit) => lit,
            Err(error) => unreachable!("an order is no Boolean: {error}"),
        }
    }

    fn require(&mut self, clause: &[Lit]) {
        self.solver.sat().add_clause(clause);
    }

    fn fixed_orders(&mut self) {
        let graph = self.graph;
        let chains = graph.chains().flat_map(|chain| chain.windows(2)).map(|pair| (pair[0], pair[1]));
        for (a, b) in chains.chain(graph.edges().iter().copied()) {
            let order = self.order(a, b);
            self.require(&[order]);
        }
        for order in graph.orders() {
            let lit = self.order(order.before, order.after);
            self.require(&[!order.lit, lit]);
        }
    }

    fn sources(&mut self) {
        let graph = self.graph;
        let mut rivals: IndexVec<ReadId, Vec<&Rival>> = IndexVec::from_elem(Vec::new(), graph.read_count());
        for rival in graph.rivals() {
            rivals[rival.read].push(rival);
        }
        for source in graph.sources() {
            let (w, r) = (graph.write_node(source.write), graph.read_node(source.read));
            let order = self.order(w, r);
            self.require(&[!source.lit, order]);
            for rival in &rivals[source.read] {
                let other = graph.write_node(rival.write);
                if other != w && other != r {
                    let (before, after) = (self.order(other, w), self.order(r, other));
                    self.require(&[!source.lit, !rival.lit, before, after]);
                }
            }
        }
    }
}
