//! `cargo run --release --example scale [-- PART]`: how the order theory grows; only what has the part in its name.
//!
//! - *writers n×n*: n writers and n readers of one variable; reader i has to see writer i: one order of all, satisfiable;
//!   then also that the readers see them in two orders that do not agree, unsatisfiable.
//! - *counter n×k*: n threads of k nodes, each reads and writes one location and takes its value from any other node's
//!   write: all orders of n·k nodes; asked for any, then for one in which two nodes read from the same write.
//! - *critical n×k*: k rounds of lock, two accesses, unlock in n threads; is there an order in which two overlap?

use std::time::Instant;

use heddle_base::Budget;
use heddle_event_graph::{EventGraph, NodeId, OrderTheory, ReadId, WriteId};
use heddle_solver::{Lit, Sat, SatAnswer};

/// A solver, a graph, and the literal that is always true.
struct Problem {
    sat: Sat<OrderTheory>,
    graph: EventGraph,
    always: Lit,
    main: NodeId,
}

impl Problem {
    fn new() -> Self {
        let mut sat = Sat::new(OrderTheory::default());
        let always = sat.new_var();
        sat.add_clause(&[always]);
        let mut graph = EventGraph::new();
        let chain = graph.add_chain();
        let main = graph.add_node(chain);
        Problem { sat, graph, always, main }
    }

    fn thread(&mut self, len: usize) -> Vec<NodeId> {
        let chain = self.graph.add_chain();
        let nodes: Vec<NodeId> = (0..len).map(|_| self.graph.add_node(chain)).collect();
        self.graph.add_edge(self.main, nodes[0]);
        nodes
    }

    /// Lets a read take its value from any of the writes; returns the literals.
    fn any_source(&mut self, read: ReadId, writes: &[WriteId], rivals: &[WriteId]) -> Vec<Lit> {
        let lits: Vec<Lit> = writes.iter().map(|_| self.sat.new_var()).collect();
        for (&write, &lit) in writes.iter().zip(&lits) {
            self.graph.add_source(read, write, lit);
        }
        for &write in rivals {
            self.graph.add_rival(read, write, self.always);
        }
        self.sat.add_clause(&lits);
        lits
    }

    fn run(mut self, name: &str, expected: bool) {
        if std::env::args().nth(1).is_some_and(|part| !name.contains(&part)) {
            return;
        }
        let start = Instant::now();
        let pairs = self.graph.rivals().len();
        let nodes = self.graph.node_count();
        let theory = OrderTheory::new(self.graph.clone());
        let literals = theory.literals();
        *self.sat.theory_mut() = theory;
        for lit in literals {
            self.sat.observe(lit);
        }
        let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(5));
        let answer = match self.sat.solve(&[], &budget) {
            SatAnswer::Sat => Some(true),
            SatAnswer::Unsat(_) => Some(false),
            SatAnswer::Unknown(_) => None,
        };
        let (order, sat) = (self.sat.theory().statistics(), self.sat.statistics());
        if answer == Some(true) {
            let line = self.sat.theory().linearisation();
            let values: Vec<(Lit, bool)> =
                self.graph.literals().into_iter().map(|l| (l, self.sat.value(l) == Some(true))).collect();
            let value = |lit: Lit| values.binary_search_by_key(&lit, |v| v.0).is_ok_and(|i| values[i].1);
            assert!(self.graph.is_shown_by(&line, value), "{name}: the line is wrong");
        }
        println!(
            "{name:28} {nodes:6} nodes {pairs:8} rivals {:>8}  {:9.1} ms  {:7} conflicts {:6} of orders {:8} implied {:8} edges {:4} order literals {:3} final checks",
            match answer {
                Some(true) => "sat",
                Some(false) => "unsat",
                None => "unknown",
            },
            start.elapsed().as_secs_f64() * 1000.0,
            sat.conflicts,
            order.conflicts,
            order.propagations,
            order.edges,
            order.order_literals,
            order.final_checks,
        );
        assert!(answer.is_none_or(|a| a == expected), "{name}: wrong answer");
    }
}

fn writers(n: usize, disagree: bool) {
    let mut p = Problem::new();
    let init = p.graph.add_write(p.main);
    let mut writes = vec![init];
    for _ in 0..n {
        let nodes = p.thread(1);
        writes.push(p.graph.add_write(nodes[0]));
    }
    for i in 0..n {
        let nodes = p.thread(2);
        let [first, second] = [nodes[0], nodes[1]].map(|n| p.graph.add_read(n));
        let a = p.any_source(first, &writes, &writes);
        let b = p.any_source(second, &writes, &writes);
        // Sees writer i, then the one behind it.
        p.sat.add_clause(&[a[i + 1]]);
        if i + 1 < n || disagree {
            p.sat.add_clause(&[b[(i + 1) % n + 1]]);
        }
    }
    p.run(&format!("writers {n}x{n}{}", if disagree { " in a circle" } else { "" }), !disagree);
}

fn counter(n: usize, k: usize, twice: bool) {
    let mut p = Problem::new();
    let mut writes = vec![p.graph.add_write(p.main)];
    let mut reads = Vec::new();
    for _ in 0..n {
        for node in p.thread(k) {
            reads.push(p.graph.add_read(node));
            writes.push(p.graph.add_write(node));
        }
    }
    let all: Vec<Vec<Lit>> = reads.iter().map(|&r| p.any_source(r, &writes, &writes)).collect();
    if twice {
        // Some two nodes read from the same write.
        let mut some = Vec::new();
        for i in 0..reads.len() {
            for j in 0..i {
                for w in (0..writes.len()).filter(|w| *w != i + 1 && *w != j + 1) {
                    let both = p.sat.new_var();
                    p.sat.add_clause(&[!both, all[i][w]]);
                    p.sat.add_clause(&[!both, all[j][w]]);
                    some.push(both);
                }
            }
        }
        p.sat.add_clause(&some);
    }
    p.run(&format!("counter {n}x{k}{}", if twice { ", lost update" } else { "" }), !twice);
}

/// Locks by atomic read-modify-write: a lock reads 0, an unlock writes 0; two variables are written inside.
fn critical(n: usize, k: usize, overlap: bool, sections: bool) {
    let mut p = Problem::new();
    let free = p.graph.add_write(p.main);
    let init = p.graph.add_write(p.main);
    let (mut locks, mut unlocks, mut lock_writes) = (Vec::new(), vec![free], Vec::new());
    let (mut inside, mut values) = (Vec::new(), vec![init]);
    for _ in 0..n {
        for round in p.thread(4 * k).chunks(4) {
            locks.push(p.graph.add_read(round[0]));
            lock_writes.push(p.graph.add_write(round[0]));
            values.push(p.graph.add_write(round[1]));
            inside.push(p.graph.add_read(round[2]));
            unlocks.push(p.graph.add_write(round[3]));
        }
    }
    let all: Vec<WriteId> = unlocks.iter().chain(&lock_writes).copied().collect();
    for &lock in &locks {
        p.any_source(lock, &unlocks, &all);
    }
    if sections {
        // What a lock is for: between taking it and letting it go nobody else writes it.
        let others: Vec<(WriteId, Lit)> = all.iter().map(|&write| (write, p.always)).collect();
        for (i, &leave) in unlocks[1..].iter().enumerate() {
            let leave = p.graph.write_node(leave);
            p.graph.add_section(lock_writes[i], leave, p.always, &others);
        }
    }
    let mut others = Vec::new();
    for (i, &read) in inside.iter().enumerate() {
        let sources = p.any_source(read, &values, &values);
        others.extend((0..sources.len()).filter(|j| *j != i + 1).map(|j| sources[j]));
    }
    if overlap {
        p.sat.add_clause(&others);
    }
    let known = if sections { ", sections" } else { "" };
    p.run(&format!("critical {n}x{k}{}{known}", if overlap { ", overlap" } else { "" }), !overlap);
}

fn main() {
    for n in [10, 30, 100] {
        writers(n, false);
        writers(n, true);
    }
    for (n, k) in [(2, 10), (5, 10), (10, 10), (4, 50), (20, 20), (10, 100)] {
        counter(n, k, false);
    }
    for (n, k) in [(2, 2), (2, 5), (3, 3), (4, 4), (2, 20)] {
        counter(n, k, true);
    }
    for (n, k) in [(2, 5), (4, 4), (8, 4), (8, 8), (2, 50), (16, 8)] {
        critical(n, k, false, false);
        critical(n, k, true, false);
        critical(n, k, false, true);
        critical(n, k, true, true);
    }
}
