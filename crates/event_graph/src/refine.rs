//! Scheduling-constraint based abstraction refinement, [SCAR §3].
//!
//! The engine solves without any order (φ₀). Each model is given to [`Refinement::check`], which validates its event order
//! graph G_π: Rules 1 to 3 to a fixpoint (Algorithm 1). Every order that closes a cycle gives a kernel reason; those that
//! contain no other one, the core ones, become clauses (Algorithm 2). If there is no cycle and no line is found either,
//! the constraint-based validation decides [SCAR §4.3], and its unsatisfiable core is the clause [SCAR §5.2].
//!
//! Deviations. The paper keeps all kernel reasons of all orders; here each order that closes a cycle is given its cheapest
//! one when it is deduced, and is then left out, so that the rest stays free of cycles; each reason is then made minimal.
//! To see more of them, the read-from orders are added twice, from the first to the last and back. Program order has no
//! guards ([`crate::graph`]). A line that fits is looked for before the constraint-based validation is asked.

use heddle_base::Budget;
use heddle_solver::{Lit, Sat, SatAnswer};

use crate::graph::{EventGraph, NodeId};
use crate::order::OrderTheory;
use crate::order::line::Line;
use crate::order::orders::Orders;

/// What became of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is consistent: a line of all nodes that shows it.
    Feasible(Vec<NodeId>),
    /// It is not: clauses that hold in every consistent assignment, and of which the model satisfies none.
    Refute(Vec<Vec<Lit>>),
}

/// Counts since the refinement was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefineStatistics {
    /// Models looked at.
    pub iterations: u64,
    /// Kernel reasons found, before those that contain another one are dropped.
    pub kernel_reasons: u64,
    /// Clauses: core kernel reasons, and cores of the constraint-based validation.
    pub clauses: u64,
    /// How many clauses there are of each length.
    pub lengths: Vec<u64>,
    /// Models for which the constraint-based validation was asked.
    pub constraint_checks: u64,
}

/// Validates models and generates refinements.
pub struct Refinement {
    orders: Orders,
    graph: EventGraph,
    /// All literals; those of sources behind the others, from `first_source` on.
    literals: Vec<Lit>,
    first_source: usize,
    /// Literals that are true in every model.
    fixed: Vec<Lit>,
    exact: Option<Sat<OrderTheory>>,
    statistics: RefineStatistics,
}

impl Refinement {
    /// For a graph.
    pub fn new(graph: &EventGraph) -> Self {
        let mut sources: Vec<Lit> = graph.sources().iter().map(|s| s.lit).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut literals = graph.literals();
        literals.retain(|lit| sources.binary_search(lit).is_err());
        let first_source = literals.len();
        literals.extend(sources);
        let mut orders = Orders::new(graph);
        orders.all_cycles = true;
        Refinement {
            orders,
            graph: graph.clone(),
            literals,
            first_source,
            fixed: Vec::new(),
            exact: None,
            statistics: RefineStatistics::default(),
        }
    }

    /// Tells of a literal that is true in every model, so that no clause has it. Before the first check.
    pub fn fix(&mut self, lit: Lit) {
        self.orders.root = true;
        self.orders.assign(&[lit]);
        self.orders.catch_up();
        self.fixed.push(lit);
        if let Some(at) = self.literals.iter().position(|&l| l == lit) {
            self.literals.remove(at);
            self.first_source -= usize::from(at < self.first_source);
        }
    }

    /// Counts.
    pub fn statistics(&self) -> &RefineStatistics {
        &self.statistics
    }

    /// Whether the true literals of a model are consistent.
    pub fn check(&mut self, value: &dyn Fn(Lit) -> bool) -> Outcome {
        self.statistics.iterations += 1;
        let mut model: Vec<Lit> = Vec::with_capacity(self.literals.len());
        for &lit in &self.literals {
            let holds = if value(lit) { lit } else { !lit };
            model.push(holds);
        }
        if self.graph.is_cyclic() {
            return self.refute(vec![Vec::new()]);
        }
        let first = self.validate(&model);
        let Err(mut reasons) = first else { return self.exactly(&model, first.ok().flatten()) };
        model[self.first_source..].reverse();
        reasons.extend(self.validate(&model).err().into_iter().flatten());
        self.refute(reasons)
    }

    /// [SCAR Algorithm 1] Deduces all derived orders; `Err` has a kernel reason for each that closes a cycle. A line
    /// that fits, if one is found greedily, otherwise not sure.
    #[doc(alias = "Algorithm 1")]
    fn validate(&mut self, model: &[Lit]) -> Result<Option<Vec<NodeId>>, Vec<Vec<Lit>>> {
        let start = self.orders.trail_len();
        self.orders.root = false;
        // A literal and its negation may both occur.
        for &lit in model {
            if self.orders.is_free(lit) {
                self.orders.assign(&[lit]);
            }
        }
        self.orders.catch_up();
        let cycles = std::mem::take(&mut self.orders.cycles);
        let line = match cycles.is_empty().then(|| self.orders.line()) {
            Some(Line::Fits(line)) => Some(line.iter().map(|&pos| self.orders.tables.chains.node(pos)).collect()),
            Some(Line::Stuck(_)) | None => None,
        };
        self.orders.undo(start);
        if cycles.is_empty() { Ok(line) } else { Err(cycles) }
    }

    /// [SCAR Algorithm 2] The refinement: of all kernel reasons the core ones, as clauses (equations 3 to 5).
    #[doc(alias = "Algorithm 2")]
    fn refute(&mut self, reasons: Vec<Vec<Lit>>) -> Outcome {
        self.statistics.kernel_reasons += reasons.len() as u64;
        let reasons = core_kernel_reasons(reasons).into_iter().map(|reason| self.minimal(reason)).collect();
        let core = core_kernel_reasons(reasons);
        for reason in &core {
            self.statistics.clauses += 1;
            let lengths = &mut self.statistics.lengths;
            lengths.resize(lengths.len().max(reason.len() + 1), 0);
            lengths[reason.len()] += 1;
        }
        Outcome::Refute(core.into_iter().map(|reason| reason.into_iter().map(|lit| !lit).collect()).collect())
    }

    /// [SCAR §5.1] A kernel reason is minimal: leaves out all literals that the rules can do without.
    fn minimal(&mut self, mut reason: Vec<Lit>) -> Vec<Lit> {
        let start = self.orders.trail_len();
        // Only what is fixed is in effect now, and that is no reason.
        reason.retain(|&lit| !self.orders.is_on(lit));
        (self.orders.root, self.orders.all_cycles) = (false, false);
        let mut at = 0;
        while at < reason.len() {
            for (i, &lit) in reason.iter().enumerate() {
                if i != at {
                    self.orders.assign(&[lit]);
                }
            }
            if self.orders.catch_up() {
                at += 1;
            } else {
                // Those known to be needed are still in it, at the front.
                let smaller = self.orders.conflict_lits();
                reason.retain(|lit| smaller.contains(lit));
            }
            self.orders.undo(start);
        }
        self.orders.all_cycles = true;
        reason
    }

    /// [SCAR §4.3, §5.2] Decides by constraint solving where the graph is not sure.
    fn exactly(&mut self, model: &[Lit], line: Option<Vec<NodeId>>) -> Outcome {
        if let Some(line) = line {
            return Outcome::Feasible(line);
        }
        self.statistics.constraint_checks += 1;
        let sat = self.exact.get_or_insert_with(|| exact_solver(&self.graph, &self.fixed));
        // Only literals of the graph: what is false requires nothing.
        let assumptions: Vec<Lit> =
            self.literals.iter().zip(model).filter(|(lit, holds)| lit == holds).map(|(&lit, _)| lit).collect();
        match sat.solve(&assumptions, &Budget::unlimited()) {
            SatAnswer::Sat => Outcome::Feasible(sat.theory().linearisation()),
            SatAnswer::Unsat(core) => {
                let core = sat.minimise_core(core, &Budget::unlimited());
                self.refute(vec![core])
            }
            SatAnswer::Unknown(stop) => unreachable!("an unlimited budget was used up: {stop:?}"),
        }
    }
}

/// Drops reasons that contain another one.
fn core_kernel_reasons(mut reasons: Vec<Vec<Lit>>) -> Vec<Vec<Lit>> {
    for reason in &mut reasons {
        reason.sort_unstable();
    }
    reasons.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    reasons.dedup();
    let mut core: Vec<Vec<Lit>> = Vec::new();
    for reason in reasons {
        let contains = |other: &Vec<Lit>| other.iter().all(|lit| reason.binary_search(lit).is_ok());
        if !core.iter().any(contains) {
            core.push(reason);
        }
    }
    core
}

/// A solver for the constraints of the graph alone, over the same literals.
fn exact_solver(graph: &EventGraph, fixed: &[Lit]) -> Sat<OrderTheory> {
    let theory = OrderTheory::new(graph.clone());
    let literals = theory.literals();
    let mut sat = Sat::new(theory);
    // The same numbers as in the engine's solver.
    let last = literals.last().map(|lit| lit.var());
    while last.is_some_and(|last| sat.new_var().var() < last) {}
    for lit in literals {
        sat.observe(lit);
        sat.set_phase(!lit);
    }
    for &lit in fixed.iter().filter(|lit| Some(lit.var()) <= last) {
        sat.add_clause(&[lit]);
    }
    sat
}
