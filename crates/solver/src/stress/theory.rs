//! An order theory on small random instances, against brute force.
//!
//! Nodes are to be put into a line. An edge literal, if true, puts one node before another; some edges also keep a
//! third node from standing between the two. The theory refutes cycles, implies that edges which would close one are
//! false, explains them later, and orders a third node by literals that it makes in the final check: all that the
//! [`Theory`] trait can do. Brute force tries every line.

use heddle_base::{Budget, Id};
use rustc_hash::FxHashMap;

use super::Rng;
use crate::sat::{Actions, Lit, Sat, SatAnswer, Theory};

/// A node of an instance.
pub type Node = usize;

/// "If this edge holds, `third` does not stand between its ends."
#[derive(Clone, Copy, Debug)]
struct Apart {
    edge: usize,
    third: Node,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Node,
    to: Node,
}

#[derive(Clone, Copy)]
struct ActiveEdge {
    to: Node,
    lit: Lit,
    stamp: u32,
}

/// Whether the theory only refutes, or also implies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eagerness {
    /// Conflicts only.
    Refute,
    /// Conflicts and implied literals.
    Imply,
}

/// The theory of lines.
pub struct OrderTheory {
    eagerness: Eagerness,
    edges: FxHashMap<Lit, Edge>,
    /// The literals of `edges`, in order of creation.
    lits: Vec<Lit>,
    apart: Vec<(Lit, Node)>,
    /// Literals made for a third node: before the first end, after the second.
    thirds: FxHashMap<(Lit, Node), (Lit, Lit)>,
    active: Vec<Vec<ActiveEdge>>,
    trail: Vec<Node>,
    levels: Vec<usize>,
    implied_at: FxHashMap<Lit, u32>,
    rng: Rng,
}

impl OrderTheory {
    fn new(nodes: usize, eagerness: Eagerness, seed: u64) -> Self {
        OrderTheory {
            eagerness,
            edges: FxHashMap::default(),
            lits: Vec::new(),
            apart: Vec::new(),
            thirds: FxHashMap::default(),
            active: vec![Vec::new(); nodes],
            trail: Vec::new(),
            levels: Vec::new(),
            implied_at: FxHashMap::default(),
            rng: Rng::new(seed),
        }
    }

    fn add_edge(&mut self, lit: Lit, from: Node, to: Node) {
        self.edges.insert(lit, Edge { from, to });
        self.lits.push(lit);
    }

    fn now(&self) -> u32 {
        self.trail.len() as u32
    }

    /// The literals on a shortest path over edges older than `before`.
    fn path(&self, from: Node, to: Node, before: u32) -> Option<Vec<Lit>> {
        let mut reached: Vec<Option<(Node, Lit)>> = vec![None; self.active.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                break;
            }
            for edge in self.active[node].iter().filter(|e| e.stamp < before) {
                if edge.to != from && reached[edge.to].is_none() {
                    reached[edge.to] = Some((node, edge.lit));
                    queue.push_back(edge.to);
                }
            }
        }
        let (mut lits, mut at) = (Vec::new(), to);
        while at != from {
            let (previous, lit) = reached[at]?;
            lits.push(lit);
            at = previous;
        }
        Some(lits)
    }

    /// A line that all active edges agree with.
    fn line(&self) -> Vec<Node> {
        let mut line = Vec::new();
        while line.len() < self.active.len() {
            let free = |n: &Node| {
                !line.contains(n)
                    && self
                        .active
                        .iter()
                        .enumerate()
                        .all(|(m, out)| line.contains(&m) || out.iter().all(|e| e.to != *n))
            };
            match (0..self.active.len()).find(free) {
                Some(node) => line.push(node),
                None => break,
            }
        }
        line
    }
}

impl Theory for OrderTheory {
    fn assign(&mut self, lits: &[Lit], actions: &mut Actions) {
        for &lit in lits {
            let Some(&Edge { from, to }) = self.edges.get(&lit) else { continue };
            let stamp = self.now();
            if let Some(path) = self.path(to, from, stamp) {
                let clause: Vec<Lit> = path.iter().map(|&l| !l).chain([!lit]).collect();
                actions.conflict(&clause);
            }
            self.active[from].push(ActiveEdge { to, lit, stamp });
            self.trail.push(from);
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else { return };
        for from in self.trail.drain(start..).rev() {
            self.active[from].pop();
        }
        self.levels.truncate(level);
    }

    fn propagate(&mut self, actions: &mut Actions) {
        if self.eagerness == Eagerness::Refute {
            return;
        }
        for &lit in &self.lits {
            let Edge { from, to } = self.edges[&lit];
            let open = actions.is_observed(lit) && actions.value(lit).is_none();
            if open && self.path(to, from, u32::MAX).is_some() {
                self.implied_at.insert(!lit, self.trail.len() as u32);
                actions.imply(!lit);
            }
        }
    }

    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let Edge { from, to } = self.edges[&!lit];
        let path = self.path(to, from, self.implied_at[&lit]);
        clause.push(lit);
        clause.extend(path.into_iter().flatten().map(|l| !l));
    }

    fn final_check(&mut self, actions: &mut Actions) {
        let line = self.line();
        let place = |n: Node| line.iter().position(|&m| m == n);
        for (edge, third) in self.apart.clone() {
            let Edge { from, to } = self.edges[&edge];
            let between = place(from) < place(third) && place(third) < place(to);
            if actions.value(edge) == Some(true) && between && !self.thirds.contains_key(&(edge, third)) {
                let (before, after) = (actions.new_observed(), actions.new_observed());
                self.add_edge(before, third, from);
                self.add_edge(after, to, third);
                self.thirds.insert((edge, third), (before, after));
                actions.clause(&[!edge, before, after]);
            }
        }
    }

    fn decide(&mut self, actions: &Actions) -> Option<Lit> {
        if !self.rng.one_in(4) {
            return None;
        }
        let lit = self.rng.pick(&self.lits);
        actions.value(lit).is_none().then_some(if self.rng.one_in(2) { lit } else { !lit })
    }
}

/// A random instance and its solver.
struct Instance {
    nodes: usize,
    edges: Vec<Edge>,
    apart: Vec<Apart>,
    clauses: Vec<Vec<(usize, bool)>>,
    /// For every line: the edges that may hold in it.
    allowed: Vec<u32>,
}

impl Instance {
    fn random(rng: &mut Rng) -> Self {
        let nodes = 3 + rng.below(3);
        let count = 4 + rng.below(6);
        let mut edges = Vec::new();
        while edges.len() < count {
            let (from, to) = (rng.below(nodes), rng.below(nodes));
            if from != to {
                edges.push(Edge { from, to });
            }
        }
        let apart = (0..rng.below(5)).map(|_| Apart { edge: rng.below(count), third: rng.below(nodes) });
        let apart = apart.filter(|a| edges[a.edge].from != a.third && edges[a.edge].to != a.third).collect();
        let mut instance = Instance { nodes, edges, apart, clauses: Vec::new(), allowed: Vec::new() };
        let mut lines = Vec::new();
        permutations(&mut (0..nodes).collect(), 0, &mut lines);
        instance.allowed = lines.iter().map(|line| instance.edges_in(line)).collect();
        instance.allowed.sort_unstable();
        instance.allowed.dedup();
        instance
    }

    /// The edges that agree with a line: places by node.
    fn edges_in(&self, place: &[usize]) -> u32 {
        let holds = |i: usize| {
            let Edge { from, to } = self.edges[i];
            let apart = self.apart.iter().filter(|a| a.edge == i);
            let outside = |a: &Apart| place[a.third] < place[from] || place[to] < place[a.third];
            place[from] < place[to] && { apart }.all(outside)
        };
        (0..self.edges.len()).filter(|&i| holds(i)).fold(0, |mask, i| mask | 1 << i)
    }

    fn random_clause(&self, rng: &mut Rng) -> Vec<(usize, bool)> {
        // Mostly positive: edges must hold for orders to matter.
        (0..1 + rng.below(3)).map(|_| (rng.below(self.edges.len()), !rng.one_in(4))).collect()
    }

    fn brute_force(&self, assumptions: &[(usize, bool)]) -> bool {
        let literal = |edges: u32, (i, positive): (usize, bool)| (edges >> i & 1 == 1) == positive;
        (0..1u32 << self.edges.len()).any(|edges| {
            assumptions.iter().all(|&l| literal(edges, l))
                && self.clauses.iter().all(|c| c.iter().any(|&l| literal(edges, l)))
                && self.allowed.iter().any(|&allowed| edges & !allowed == 0)
        })
    }
}

fn permutations(places: &mut Vec<usize>, fixed: usize, lines: &mut Vec<Vec<usize>>) {
    if fixed == places.len() {
        lines.push(places.clone());
        return;
    }
    for i in fixed..places.len() {
        places.swap(fixed, i);
        permutations(places, fixed + 1, lines);
        places.swap(fixed, i);
    }
}

/// What a run of one instance did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Satisfiable queries.
    pub sat: u64,
    /// Unsatisfiable queries.
    pub unsat: u64,
    /// Literals implied by the theory.
    pub implied: u64,
    /// Reasons asked for.
    pub explained: u64,
    /// Literals made in final checks.
    pub made: u64,
}

/// Solves one random instance several times, with clauses added in between and under assumptions, and compares every
/// answer and core with brute force.
pub fn check(seed: u64) -> Result<Counts, String> {
    let mut rng = Rng::new(seed);
    let mut instance = Instance::random(&mut rng);
    let eagerness = rng.pick(&[Eagerness::Refute, Eagerness::Imply, Eagerness::Imply]);
    let mut sat = Sat::new(OrderTheory::new(instance.nodes, eagerness, seed));
    let lits: Vec<Lit> = instance.edges.iter().map(|_| sat.new_var()).collect();
    for (&lit, edge) in lits.iter().zip(&instance.edges) {
        sat.theory_mut().add_edge(lit, edge.from, edge.to);
        sat.observe(lit);
    }
    sat.theory_mut().apart = instance.apart.iter().map(|a| (lits[a.edge], a.third)).collect();
    let to_lit = |(i, positive): (usize, bool)| if positive { lits[i] } else { !lits[i] };
    let mut counts = Counts::default();
    for round in 0..5 {
        for _ in 0..1 + rng.below(4) {
            let clause = instance.random_clause(&mut rng);
            sat.add_clause(&clause.iter().map(|&l| to_lit(l)).collect::<Vec<_>>());
            instance.clauses.push(clause);
        }
        let assumed: Vec<(usize, bool)> = (0..rng.below(4)).map(|_| (rng.below(lits.len()), !rng.one_in(4))).collect();
        let assumptions: Vec<Lit> = assumed.iter().map(|&l| to_lit(l)).collect();
        let answer = sat.solve(&assumptions, &Budget::unlimited());
        let name = |what: &str| format!("seed {seed}, round {round}: {what}");
        match answer {
            SatAnswer::Sat => {
                counts.sat += 1;
                let chosen: Vec<(usize, bool)> =
                    (0..lits.len()).map(|i| (i, sat.value(lits[i]).unwrap_or(false))).collect();
                if !instance.brute_force(&chosen) {
                    return Err(name("the model is none"));
                }
                if !assumed.iter().all(|l| chosen.contains(l)) {
                    return Err(name("the model breaks an assumption"));
                }
            }
            SatAnswer::Unsat(core) => {
                counts.unsat += 1;
                if instance.brute_force(&assumed) {
                    return Err(name("a model was missed"));
                }
                check_core(&instance, &mut sat, &lits, core).map_err(|e| name(&e))?;
            }
            SatAnswer::Unknown(stop) => return Err(name(&format!("not decided: {stop:?}"))),
        }
    }
    let statistics = sat.statistics();
    counts.implied = statistics.theory_implied;
    counts.explained = statistics.theory_explained;
    counts.made = 2 * sat.theory().thirds.len() as u64;
    Ok(counts)
}

/// A core is unsatisfiable, and once minimised no part of it is.
fn check_core(instance: &Instance, sat: &mut Sat<OrderTheory>, lits: &[Lit], core: Vec<Lit>) -> Result<(), String> {
    let index = |lit: Lit| lits.iter().position(|l| l.var().index() == lit.var().index()).unwrap_or(0);
    let assumed = |core: &[Lit]| core.iter().map(|&l| (index(l), l.is_positive())).collect::<Vec<_>>();
    if instance.brute_force(&assumed(&core)) {
        return Err(format!("{core:?} is no core"));
    }
    let minimal = sat.minimise_core(core, &Budget::unlimited());
    if instance.brute_force(&assumed(&minimal)) {
        return Err(format!("{minimal:?} is no core"));
    }
    for i in 0..minimal.len() {
        let mut part = minimal.clone();
        part.remove(i);
        if !instance.brute_force(&assumed(&part)) {
            return Err(format!("{minimal:?} is not minimal"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_brute_force() {
        let mut total = Counts::default();
        for seed in 0..200 {
            let counts = check(seed).unwrap_or_else(|e| panic!("{e}"));
            total.implied += counts.implied;
            total.explained += counts.explained;
            total.made += counts.made;
        }
        assert!(total.implied > 0 && total.explained > 0 && total.made > 0, "{total:?}");
    }
}
