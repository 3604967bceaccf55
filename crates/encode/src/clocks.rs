//! The scheduling constraint ξ as terms [SCAR §2.2], for solvers that know nothing of event graphs.
//!
//! The same constraint as `heddle_event_graph::clock` makes of clauses, from the same graph.

use heddle_base::{Id, IndexVec};
use heddle_event_graph::{NodeId, ReadId, Rival};
use heddle_solver::{BoolVar, Lit, Model, TermId, Terms, Value};
use heddle_symbolic::unwind::{NodeIx, Unwinding};

use crate::Formula;

/// A clock for each node, and what must hold of them.
#[derive(Clone, Debug)]
pub struct ClockTerms {
    /// ξ: all of these.
    pub constraints: Vec<TermId>,
    /// By the positions of nodes in the unwinding.
    clocks: IndexVec<NodeIx, TermId>,
}

impl ClockTerms {
    /// The constraint of a formula.
    #[doc(alias = "ξ")]
    pub fn new(formula: &Formula, unwinding: &Unwinding, terms: &mut Terms) -> Self {
        // A literal stands for a term by its number.
        let mut table: Vec<TermId> = Vec::new();
        let Ok((graph, nodes)) = formula.graph(unwinding, |term| {
            table.push(term);
            Ok::<_, std::convert::Infallible>(Lit::new(BoolVar::new(table.len() - 1), true))
        });
        let width = (usize::BITS - graph.node_count().saturating_sub(1).leading_zeros()).max(1);
        let by_id: IndexVec<NodeId, TermId> =
            (0..graph.node_count()).map(|i| terms.bv_var(&format!("clock.{i}"), width)).collect();
        let mut constraints = Vec::new();
        let holds = |lit: Lit| table[lit.var().index()];
        let before = |terms: &mut Terms, a: NodeId, b: NodeId| terms.ult(by_id[a], by_id[b]);
        let chains = graph.chains().flat_map(|chain| chain.windows(2)).map(|pair| (pair[0], pair[1]));
        for (a, b) in chains.chain(graph.edges().iter().copied()) {
            constraints.push(before(terms, a, b));
        }
        for order in graph.orders() {
            let fits = before(terms, order.before, order.after);
            constraints.push(terms.implies(holds(order.lit), fits));
        }
        let mut rivals: IndexVec<ReadId, Vec<&Rival>> = IndexVec::from_elem(Vec::new(), graph.read_count());
        for rival in graph.rivals() {
            rivals[rival.read].push(rival);
        }
        for source in graph.sources() {
            let (w, r) = (graph.write_node(source.write), graph.read_node(source.read));
            let fits = before(terms, w, r);
            constraints.push(terms.implies(holds(source.lit), fits));
            for rival in &rivals[source.read] {
                let other = graph.write_node(rival.write);
                if other != w && other != r {
                    let (first, last) = (before(terms, other, w), before(terms, r, other));
                    let outside = terms.or(first, last);
                    let both = terms.and_all(&[holds(source.lit), holds(rival.lit)]);
                    constraints.push(terms.implies(both, outside));
                }
            }
        }
        ClockTerms { constraints, clocks: nodes.iter().map(|&node| by_id[node]).collect() }
    }

    /// All nodes of the unwinding, in an order that shows the model consistent.
    pub fn linearisation(&self, terms: &Terms, model: &Model) -> Vec<NodeIx> {
        let mut evaluator = model.evaluator(terms);
        let mut line: Vec<(u64, NodeIx)> = Vec::with_capacity(self.clocks.len());
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
}
