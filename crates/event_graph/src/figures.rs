//! The graphs of the paper's figures, decided in all three ways.

use heddle_base::Budget;
use heddle_solver::{Answer, Config, Lit, Solver, TermId, Terms, Theory};

use crate::clock;
use crate::graph::{EventGraph, NodeId, ReadId, WriteId};
use crate::order::OrderTheory;
use crate::refine::{Outcome, Refinement};

/// A graph and the formula around it, in some solver.
struct Figure<T: Theory> {
    terms: Terms,
    solver: Solver<T>,
    graph: EventGraph,
    always: Lit,
    /// Sources: their names and terms.
    links: Vec<(String, TermId)>,
}

impl<T: Theory> Figure<T> {
    fn new(theory: T) -> Self {
        let (mut terms, mut solver) = (Terms::new(), Solver::with_theory(theory, Config::default()));
        let constant = terms.bool(true);
        let always = solver.lit_of(&mut terms, constant).unwrap();
        Figure { terms, solver, graph: EventGraph::new(), always, links: Vec::new() }
    }

    fn chain(&mut self, len: usize) -> Vec<NodeId> {
        let chain = self.graph.add_chain();
        (0..len).map(|_| self.graph.add_node(chain)).collect()
    }

    /// A read may take its value from a write.
    fn link(&mut self, name: &str, read: ReadId, write: WriteId) -> TermId {
        let term = self.terms.bool_var(name);
        let lit = self.solver.lit_of(&mut self.terms, term).unwrap();
        self.graph.add_source(read, write, lit);
        self.links.push((name.to_owned(), term));
        term
    }

    fn assert(&mut self, term: TermId) {
        self.solver.assert(&self.terms, term).unwrap();
    }

    fn solve(&mut self, assumptions: &[TermId]) -> Answer {
        self.solver.solve(&mut self.terms, assumptions, &Budget::unlimited()).unwrap()
    }

    fn refine(&mut self, refinement: &mut Refinement, assumptions: &[TermId]) -> bool {
        loop {
            if self.solve(assumptions).is_unsat() {
                return false;
            }
            let lits = self.graph.literals();
            let values: Vec<bool> = lits.iter().map(|&l| self.solver.sat().value(l) == Some(true)).collect();
            match refinement.check(&|lit| lits.binary_search(&lit).is_ok_and(|i| values[i])) {
                Outcome::Feasible(_) => return true,
                Outcome::Refute(clauses) => clauses.iter().for_each(|c| self.solver.sat().add_clause(c)),
            }
        }
    }
}

fn connect(figure: &mut Figure<OrderTheory>) {
    let theory = OrderTheory::new(figure.graph.clone());
    let literals = theory.literals();
    *figure.solver.theory_mut() = theory;
    for lit in literals {
        figure.solver.sat().observe(lit);
    }
}

/// [SCAR Fig. 2] The running example, with the error as the formula.
fn fig2<T: Theory>(figure: &mut Figure<T>) {
    let main = figure.chain(3);
    let (one, two) = (figure.chain(5), figure.chain(5));
    for thread in [&one, &two] {
        figure.graph.add_edge(main[0], thread[0]);
        figure.graph.add_edge(thread[4], main[1]);
    }
    let value = |f: &mut Figure<T>, name: &str| f.terms.bv_var(name, 8);
    let number = |f: &mut Figure<T>, n: u64| f.terms.bv(8, n);
    let reads = ["y2", "y3", "x4", "x5", "m3", "n3"].map(|name| value(figure, name));
    let places = [one[0], one[2], two[0], two[2], main[1], main[2]];
    let [y2, y3, x4, x5, m3, n3] = reads;
    let (zero, unit) = (number(figure, 0), number(figure, 1));
    let (x2, y4) = (figure.terms.add(y2, unit), figure.terms.add(x4, unit));
    // Per variable: its writes, by number in the paper, with node and value; then its reads.
    type Variable = (&'static str, Vec<(u32, NodeId, TermId)>, Vec<(u32, usize)>);
    let variables: [Variable; 4] = [
        ("x", vec![(1, main[0], unit), (2, one[1], x2), (3, one[4], zero)], vec![(4, 2), (5, 3)]),
        ("y", vec![(1, main[0], unit), (4, two[1], y4), (5, two[4], zero)], vec![(2, 0), (3, 1)]),
        ("m", vec![(1, main[0], zero), (2, one[3], y3)], vec![(3, 4)]),
        ("n", vec![(1, main[0], zero), (2, two[3], x5)], vec![(3, 5)]),
    ];
    for (variable, writes, its_reads) in variables {
        let ids: Vec<WriteId> = writes.iter().map(|&(_, node, _)| figure.graph.add_write(node)).collect();
        for (number, read) in its_reads {
            let id = figure.graph.add_read(places[read]);
            let mut some = Vec::new();
            for (&(from, _, value), &write) in writes.iter().zip(&ids) {
                let link = figure.link(&format!("s_{variable},{number},{from}"), id, write);
                let equal = figure.terms.eq(reads[read], value);
                let implied = figure.terms.implies(link, equal);
                figure.assert(implied);
                figure.graph.add_rival(id, write, figure.always);
                some.push(link);
            }
            let any = figure.terms.or_all(&some);
            figure.assert(any);
        }
    }
    for read in [m3, n3] {
        let is_one = figure.terms.eq(read, unit);
        figure.assert(is_one);
    }
}

/// [SCAR Fig. 6] A butterfly: two wings of two threads; all four must overlap, and within a wing none may. Every link
/// is an assumption.
fn butterfly<T: Theory>(figure: &mut Figure<T>) {
    // Each thread: write own, write the other's of its wing, write seen, read seen twice, read own.
    let threads: Vec<Vec<NodeId>> = (0..4).map(|_| figure.chain(6)).collect();
    let always = figure.always;
    let writes: Vec<[WriteId; 3]> =
        threads.iter().map(|t| [t[0], t[1], t[2]].map(|node| figure.graph.add_write(node))).collect();
    for (i, thread) in threads.iter().enumerate() {
        let other = i ^ 1;
        let own = figure.graph.add_read(thread[5]);
        figure.link(&format!("own {i}"), own, writes[i][0]);
        figure.graph.add_rival(own, writes[i][0], always);
        figure.graph.add_rival(own, writes[other][1], always);
        let across = if i < 2 { [2, 3] } else { [0, 1] };
        for (at, seen) in across.into_iter().enumerate() {
            let read = figure.graph.add_read(thread[3 + at]);
            figure.link(&format!("{i} sees {seen}"), read, writes[seen][2]);
        }
    }
}

fn links<T: Theory>(figure: &Figure<T>) -> Vec<TermId> {
    figure.links.iter().map(|l| l.1).collect()
}

#[test]
fn fig2_by_order() {
    cov_mark::check!(scar_rule1);
    cov_mark::check!(scar_rule3);
    let mut figure = Figure::new(OrderTheory::default());
    fig2(&mut figure);
    connect(&mut figure);
    assert!(figure.solve(&[]).is_unsat());
    assert!(figure.solver.theory().statistics().conflicts > 0);
}

/// [SCAR Fig. 4(a)] The writer's own thread overwrites before it reads the other's write: its write came first.
#[test]
fn fig4a_by_order() {
    cov_mark::check!(scar_rule2);
    let mut figure = Figure::new(OrderTheory::default());
    let (one, two) = (figure.chain(1), figure.chain(2));
    let (source, rival) = (figure.graph.add_write(one[0]), figure.graph.add_write(two[0]));
    let read = figure.graph.add_read(two[1]);
    let link = figure.link("s", read, source);
    figure.graph.add_rival(read, source, figure.always);
    figure.graph.add_rival(read, rival, figure.always);
    connect(&mut figure);
    assert!(figure.solve(&[link]).is_sat());
}

#[test]
fn fig2_by_clock() {
    let mut figure = Figure::new(heddle_solver::NoTheory);
    fig2(&mut figure);
    clock::encode(&figure.graph, &mut figure.terms, &mut figure.solver);
    assert!(figure.solve(&[]).is_unsat());
}

/// A handful of iterations, a handful of clauses, nearly all of two literals, and no constraint-based validation.
#[test]
fn fig2_by_refinement() {
    let mut figure = Figure::new(heddle_solver::NoTheory);
    fig2(&mut figure);
    let mut refinement = Refinement::new(&figure.graph);
    refinement.fix(figure.always);
    assert!(!figure.refine(&mut refinement, &[]));
    let statistics = refinement.statistics();
    assert!(statistics.iterations <= 8 && statistics.clauses <= 20, "{statistics:?}");
    assert!(statistics.lengths.iter().skip(3).sum::<u64>() <= 2, "{statistics:?}");
    assert_eq!(statistics.constraint_checks, 0);
}

#[test]
fn butterfly_by_order() {
    let mut figure = Figure::new(OrderTheory::default());
    butterfly(&mut figure);
    connect(&mut figure);
    let all = links(&figure);
    assert!(figure.solve(&all).is_unsat());
    // The rules alone do not see it.
    assert!(figure.solver.theory().statistics().order_literals > 0);
    // It takes every wing; without one of the links it can be.
    for i in 0..all.len() {
        let mut some = all.clone();
        some.remove(i);
        assert!(figure.solve(&some).is_sat(), "without {}", figure.links[i].0);
    }
}

#[test]
fn butterfly_by_clock() {
    let mut figure = Figure::new(heddle_solver::NoTheory);
    butterfly(&mut figure);
    clock::encode(&figure.graph, &mut figure.terms, &mut figure.solver);
    let all = links(&figure);
    assert!(figure.solve(&all).is_unsat());
    assert!(figure.solve(&all[1..]).is_sat());
}

#[test]
fn butterfly_by_constraint_based_validation() {
    let mut figure = Figure::new(heddle_solver::NoTheory);
    butterfly(&mut figure);
    let mut refinement = Refinement::new(&figure.graph);
    refinement.fix(figure.always);
    let all = links(&figure);
    assert!(!figure.refine(&mut refinement, &all));
    let statistics = refinement.statistics();
    assert_eq!((statistics.iterations, statistics.constraint_checks, statistics.clauses), (1, 1, 1));
    assert!(figure.refine(&mut refinement, &all[1..]));
}
