//! Random graphs over a few literals, with clauses.

use heddle_solver::{Lit, Sat, Theory};

use crate::graph::{EventGraph, NodeId};

/// What random tests draw from a generator.
#[derive(Clone, Debug)]
pub struct Rng(heddle_base::Random);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(heddle_base::Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A literal of an instance: a variable or the constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letter {
    /// Always true.
    True,
    /// A variable, negated if so.
    Var(usize, bool),
}

/// A write that a read may take its value from or be spoilt by.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The index of the read.
    pub read: usize,
    /// The index of the write.
    pub write: usize,
    /// When it counts.
    pub letter: Letter,
}

/// A graph over letters, and clauses over its variables.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The length of each chain; nodes are numbered chain by chain.
    pub chains: Vec<usize>,
    /// Fixed edges.
    pub edges: Vec<(usize, usize)>,
    /// The node of each write.
    pub writes: Vec<usize>,
    /// The node of each read.
    pub reads: Vec<usize>,
    /// Sources.
    pub sources: Vec<Pair>,
    /// Rivals.
    pub rivals: Vec<Pair>,
    /// Orders that hold if a letter is true.
    pub orders: Vec<(usize, usize, Letter)>,
    /// The number of variables.
    pub vars: usize,
    /// Clauses.
    pub clauses: Vec<Vec<Letter>>,
}

/// The most variables of an instance.
pub const MAX_VARS: usize = 8;

/// The most variables of a large instance.
const MAX_LARGE_VARS: usize = 60;

impl Instance {
    /// A random instance with up to 8 nodes and variables.
    pub fn random(rng: &mut Rng) -> Self {
        let mut this = Instance { vars: 2 + rng.below(MAX_VARS - 1), ..Instance::default() };
        let mut left: usize = 3 + rng.below(6);
        for _ in 0..2 + rng.below(3) {
            let len = (1 + rng.below(4)).min(left);
            left -= len;
            this.chains.push(len);
        }
        for _ in 0..if rng.one_in(2) { rng.below(3) } else { 0 } {
            // Mostly downwards, because cycles make all the rest pointless.
            let (a, b) = (rng.below(this.nodes()), rng.below(this.nodes()));
            this.edges.push(if rng.one_in(8) { (a, b) } else { (a.min(b), a.max(b)) });
        }
        if rng.one_in(2) {
            this.fill_at_random(rng)
        } else {
            this.fill_like_programs(rng)
        }
        for _ in 0..if rng.one_in(3) { rng.below(4) } else { 0 } {
            let order = (rng.below(this.nodes()), rng.below(this.nodes()), this.letter(rng));
            this.orders.push(order);
        }
        for _ in 0..rng.below(6) {
            let clause = (0..1 + rng.below(3)).map(|_| this.var(rng)).collect();
            this.clauses.push(clause);
        }
        this
    }

    /// A random instance that is too large for brute force: threads that write and look at a few locations. Each true
    /// variable is a source; reads that are set in the midst of others leave much open, as the butterfly does.
    pub fn random_large(rng: &mut Rng) -> Self {
        let mut this = Instance { vars: MAX_LARGE_VARS, ..Instance::default() };
        this.chains = (0..3 + rng.below(4)).map(|_| 3 + rng.below(5)).collect();
        this.chains.insert(0, 1);
        let locations = 2 + rng.below(5);
        let (mut of_writes, mut of_reads) = (Vec::new(), Vec::new());
        for location in 0..locations {
            this.writes.push(0);
            of_writes.push(location);
        }
        let mut first = 1;
        for &len in &this.chains[1..] {
            this.edges.push((0, first));
            for node in first..first + len {
                let kind = rng.below(5);
                if kind != 0 && kind != 1 {
                    this.writes.push(node);
                    of_writes.push(rng.below(locations));
                }
                if kind == 0 || kind == 1 || kind == 4 {
                    this.reads.push(node);
                    of_reads.push(rng.below(locations));
                }
            }
            first += len;
        }
        let mut next = 0;
        for (read, &location) in of_reads.iter().enumerate() {
            let writes: Vec<usize> = (0..of_writes.len()).filter(|&w| of_writes[w] == location).collect();
            this.rivals.extend(writes.iter().map(|&write| Pair { read, write, letter: Letter::True }));
            let mut clause = Vec::new();
            for _ in 0..1 + rng.below(2) {
                let letter = Letter::Var(next, false);
                if next < MAX_LARGE_VARS {
                    next += 1;
                    this.sources.push(Pair { read, write: writes[rng.below(writes.len())], letter });
                    clause.push(letter);
                }
            }
            if !clause.is_empty() && !rng.one_in(4) {
                this.clauses.push(clause);
            }
        }
        this
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.chains.iter().sum()
    }

    fn var(&self, rng: &mut Rng) -> Letter {
        Letter::Var(rng.below(self.vars), rng.one_in(3))
    }

    fn letter(&self, rng: &mut Rng) -> Letter {
        if rng.one_in(3) { Letter::True } else { Letter::Var(rng.below(self.vars), rng.one_in(8)) }
    }

    /// Any read with any write.
    fn fill_at_random(&mut self, rng: &mut Rng) {
        let nodes = self.nodes();
        self.writes = (0..2 + rng.below(4)).map(|_| rng.below(nodes)).collect();
        self.reads = (0..1 + rng.below(4)).map(|_| rng.below(nodes)).collect();
        for _ in 0..2 + rng.below(8) {
            let (read, write) = (rng.below(self.reads.len()), rng.below(self.writes.len()));
            let letter = self.var(rng);
            self.sources.push(Pair { read, write, letter });
        }
        for _ in 0..rng.below(12) {
            let (read, write) = (rng.below(self.reads.len()), rng.below(self.writes.len()));
            let letter = self.letter(rng);
            self.rivals.push(Pair { read, write, letter });
        }
    }

    /// Locations; each node reads, writes or both; all writes of a location are sources and rivals of all its reads.
    fn fill_like_programs(&mut self, rng: &mut Rng) {
        let locations = 1 + rng.below(3);
        let (mut of_writes, mut of_reads) = (Vec::new(), Vec::new());
        for node in 0..self.nodes() {
            let kind = rng.below(3);
            if kind != 0 {
                self.writes.push(node);
                of_writes.push((rng.below(locations), self.letter(rng)));
            }
            if kind != 1 {
                self.reads.push(node);
                of_reads.push(rng.below(locations));
            }
        }
        let mut next = rng.below(self.vars);
        for (read, &location) in of_reads.iter().enumerate() {
            for (write, &(_, guard)) in of_writes.iter().enumerate().filter(|(_, (l, _))| *l == location) {
                let letter = Letter::Var(next % self.vars, false);
                next += 1 + rng.below(2);
                if !rng.one_in(3) {
                    self.sources.push(Pair { read, write, letter });
                }
                self.rivals.push(Pair { read, write, letter: guard });
            }
        }
    }

    /// The variables and the constant as literals of a solver.
    pub fn letters<T: Theory>(&self, sat: &mut Sat<T>) -> Letters {
        let vars = (0..self.vars).map(|_| sat.new_var()).collect();
        Letters { vars, constant: sat.new_var() }
    }

    /// The graph over literals.
    pub fn graph(&self, letters: &Letters) -> EventGraph {
        let mut graph = EventGraph::new();
        let mut nodes: Vec<NodeId> = Vec::new();
        for &len in &self.chains {
            let chain = graph.add_chain();
            nodes.extend((0..len).map(|_| graph.add_node(chain)));
        }
        for &(a, b) in &self.edges {
            graph.add_edge(nodes[a], nodes[b]);
        }
        let writes: Vec<_> = self.writes.iter().map(|&n| graph.add_write(nodes[n])).collect();
        let reads: Vec<_> = self.reads.iter().map(|&n| graph.add_read(nodes[n])).collect();
        for pair in &self.sources {
            graph.add_source(reads[pair.read], writes[pair.write], letters.lit(pair.letter));
        }
        for pair in &self.rivals {
            graph.add_rival(reads[pair.read], writes[pair.write], letters.lit(pair.letter));
        }
        for &(a, b, letter) in &self.orders {
            graph.add_order(nodes[a], nodes[b], letters.lit(letter));
        }
        graph
    }
}

/// Letters as literals.
#[derive(Clone, Debug)]
pub struct Letters {
    /// By variable.
    pub vars: Vec<Lit>,
    /// What is always true.
    pub constant: Lit,
}

impl Letters {
    /// The literal of a letter.
    pub fn lit(&self, letter: Letter) -> Lit {
        match letter {
            Letter::True => self.constant,
            Letter::Var(var, false) => self.vars[var],
            Letter::Var(var, true) => !self.vars[var],
        }
    }

    /// The literals of a clause.
    pub fn clause(&self, clause: &[Letter]) -> Vec<Lit> {
        clause.iter().map(|&l| self.lit(l)).collect()
    }
}
