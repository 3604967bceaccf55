//! Proof objects: the set of thread states, or of pairs, that makes a program safe.
//!
//! A set of valuations is a graph of decisions ("if v then … else …"), shared between sets. The text form:
//!
//! ```text
//! heddle boolean proof 1
//! program 89ab…           a hash of the checked program
//! ghosts 1                it is about the program with ghosts
//! tuples 1                thread states; 2: pairs
//! lock-sets 1             condition (2d) was used
//! remark1 1               Remark 1 was used
//! node 2 0 1 0            node 2: if variable 0 then node 1 else node 0; nodes 0 and 1 are the constants
//! state 4 1 2             at location 4, after a start: the valuations of node 2
//! pair 4 5 2              at locations 4 and 5; it counts in both orders
//! end
//! ```
//!
//! Variables are numbered as in [`Flat`]; in pairs the second thread's locals and locks follow behind all others.
//! [`check`] checks such a file with code of its own.

mod check;

use std::fmt::{self, Display, Formatter, Write};

use heddle_base::{Id, Stop};
use rustc_hash::FxHashMap;

use crate::flat::{Flat, LocId};
use crate::options::Options;
use crate::symbolic::bdd::{Bdd, Bdds, Var};
use crate::symbolic::{pairs, threads};

pub use check::{Refusal, check};

/// A set: 0 is the empty one, 1 is everything, others are decisions.
pub type NodeId = u32;

/// If a variable is 1 then one set, else another. Nodes only refer to nodes before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The variable.
    pub var: u32,
    /// If it is 1.
    pub high: NodeId,
    /// If it is 0.
    pub low: NodeId,
}

/// Thread states at one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtOne {
    /// The location.
    pub loc: LocId,
    /// Other threads may exist.
    pub started: bool,
    /// The valuations.
    pub set: NodeId,
}

/// Pairs at two locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtTwo {
    /// The locations of the first and the second thread.
    pub locs: [LocId; 2],
    /// The valuations.
    pub set: NodeId,
}

/// A proof of safety. What is not listed is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// [`fingerprint`] of the program.
    pub program: u64,
    /// It is about the program with [ghosts](crate::ghosts).
    pub ghosts: bool,
    /// 1 or 2.
    pub tuples: u8,
    /// Condition (2d) of Definition 8 was used.
    pub lock_sets: bool,
    /// Remark 1 was used.
    pub remark1: bool,
    /// Node `i` of the list has number `i + 2`.
    pub nodes: Vec<Decision>,
    /// Thread states; in a proof by pairs those of the first thread while it is alone.
    pub states: Vec<AtOne>,
    /// Pairs.
    pub pairs: Vec<AtTwo>,
}

/// A hash of everything that a proof depends on.
pub fn fingerprint(flat: &Flat) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for var in flat.vars.iter() {
        add(&format!("{} {:?}", var.name, var.scope));
    }
    for location in flat.locations.iter() {
        add(&format!("{} {}", location.closed, flat.show(&location.instr)));
    }
    hash
}

/// Collects diagrams as decisions.
struct Collector {
    nodes: Vec<Decision>,
    known: FxHashMap<Bdd, NodeId>,
    names: FxHashMap<Var, u32>,
}

impl Collector {
    fn new(bdds: &Bdds, names: impl Iterator<Item = (Var, u32)>) -> Collector {
        let known = [(bdds.none(), 0), (bdds.all(), 1)].into_iter().collect();
        Collector { nodes: Vec::new(), known, names: names.collect() }
    }

    /// Children before parents; a stack of its own, because diagrams are as deep as there are variables.
    fn add(&mut self, bdds: &Bdds, set: &Bdd) -> NodeId {
        let mut todo = vec![set.clone()];
        while let Some(top) = todo.last().cloned() {
            if self.known.contains_key(&top) {
                todo.pop();
                continue;
            }
            let (var, high, low) = bdds.decision(&top).expect("constants are known");
            match (self.known.get(&high), self.known.get(&low)) {
                (Some(&high), Some(&low)) => {
                    self.known.insert(top, self.nodes.len() as NodeId + 2);
                    self.nodes.push(Decision { var: self.names[&var], high, low });
                    todo.pop();
                }
                _ => todo.extend([high, low]),
            }
        }
        self.known[set]
    }
}

impl Proof {
    /// Nodes that belong to sets which have nothing twice: all but those of pairs at one location, which are there in both
    /// orders. Whatever is taken out of these breaks a least proof.
    pub fn needed_nodes(&self) -> Vec<usize> {
        let mut needed = vec![false; self.nodes.len()];
        let mut twice = vec![false; self.nodes.len()];
        let mark = |root: NodeId, marks: &mut Vec<bool>| {
            let mut todo = vec![root];
            while let Some(at) = todo.pop() {
                if at >= 2 && !std::mem::replace(&mut marks[at as usize - 2], true) {
                    todo.extend([self.nodes[at as usize - 2].high, self.nodes[at as usize - 2].low]);
                }
            }
        };
        self.states.iter().for_each(|s| mark(s.set, &mut needed));
        for pair in &self.pairs {
            mark(pair.set, if pair.locs[0] == pair.locs[1] { &mut twice } else { &mut needed });
        }
        (0..self.nodes.len()).filter(|i| needed[*i] && !twice[*i]).collect()
    }

    /// The proof of the program with ghosts.
    pub fn with_ghosts(self, ghosts: bool) -> Proof {
        Proof { ghosts, ..self }
    }

    /// The proof by thread states. They must be closed without partial-order reduction.
    pub fn by_threads(flat: &Flat, options: &Options, reached: &threads::Reached) -> Proof {
        let names = reached.variables().iter().enumerate().map(|(i, var)| (*var, i as u32));
        let mut collector = Collector::new(&reached.bdds, names);
        let mut states = Vec::new();
        for (loc, sets) in reached.sets.iter().enumerate() {
            for (started, set) in [false, true].into_iter().zip(sets) {
                if !reached.bdds.is_none(set) {
                    let set = collector.add(&reached.bdds, set);
                    states.push(AtOne { loc: LocId::new(loc), started, set });
                }
            }
        }
        Proof {
            program: fingerprint(flat),
            ghosts: false,
            tuples: 1,
            lock_sets: options.lock_sets,
            remark1: options.remark1,
            nodes: collector.nodes,
            states,
            pairs: Vec::new(),
        }
    }

    /// The proof by pairs.
    pub fn by_pairs(flat: &Flat, reached: &pairs::Reached<'_>) -> Result<Proof, Stop> {
        let slots = &reached.slots;
        let first = slots.variables(0).into_iter().enumerate();
        let second = slots.variables(1).into_iter().skip(flat.globals).enumerate();
        let names = first.chain(second.map(|(i, var)| (i + flat.vars.len(), var))).map(|(i, var)| (var, i as u32));
        let mut collector = Collector::new(&slots.bdds, names);
        let (mut states, mut pairs) = (Vec::new(), Vec::new());
        for loc in flat.locations.ids() {
            let set = slots.without_pc(&reached.alone, &[(0, loc)])?;
            if !slots.bdds.is_none(&set) {
                states.push(AtOne { loc, started: false, set: collector.add(&slots.bdds, &set) });
            }
            let beside = slots.without_pc(&reached.pairs, &[(0, loc)])?;
            if slots.bdds.is_none(&beside) {
                continue;
            }
            // Pairs have no order: one of two is enough.
            for other in flat.locations.ids().filter(|other| *other >= loc) {
                let set = slots.without_pc(&beside, &[(1, other)])?;
                if !slots.bdds.is_none(&set) {
                    pairs.push(AtTwo { locs: [loc, other], set: collector.add(&slots.bdds, &set) });
                }
            }
        }
        let nodes = collector.nodes;
        let program = fingerprint(flat);
        Ok(Proof { program, ghosts: false, tuples: 2, lock_sets: true, remark1: true, nodes, states, pairs })
    }

    /// Reads a proof file; `Err` says which line is wrong.
    pub fn parse(text: &str) -> Result<Proof, String> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, l)| l) != Some("heddle boolean proof 1") {
            return Err("line 1: this is no proof of a Boolean program".to_owned());
        }
        let mut proof = Proof {
            program: 0,
            ghosts: false,
            tuples: 0,
            lock_sets: false,
            remark1: false,
            nodes: Vec::new(),
            states: Vec::new(),
            pairs: Vec::new(),
        };
        for (number, line) in lines {
            if line == "end" {
                return Ok(proof);
            }
            proof.line(line).ok_or_else(|| format!("line {}: cannot be read", number + 1))?;
        }
        Err("the proof has no end".to_owned())
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = |word: &str| word.parse::<u32>().ok();
        let loc = |word: &str| number(word).filter(|n| *n < u32::MAX).map(|n| LocId::new(n as usize));
        let node = |word: &str| number(word).filter(|n| (*n as usize) < self.nodes.len() + 2);
        match words[..] {
            ["program", hash] => self.program = u64::from_str_radix(hash, 16).ok()?,
            ["ghosts", on] => self.ghosts = on == "1",
            ["tuples", count] => self.tuples = count.parse().ok()?,
            ["lock-sets", on] => self.lock_sets = on == "1",
            ["remark1", on] => self.remark1 = on == "1",
            ["node", id, var, high, low] => {
                let decision = Decision { var: number(var)?, high: node(high)?, low: node(low)? };
                if number(id)? as usize != self.nodes.len() + 2 {
                    return None;
                }
                self.nodes.push(decision);
            }
            ["state", at, started, set] => {
                self.states.push(AtOne { loc: loc(at)?, started: started == "1", set: node(set)? });
            }
            ["pair", a, b, set] => self.pairs.push(AtTwo { locs: [loc(a)?, loc(b)?], set: node(set)? }),
            _ => return None,
        }
        Some(())
    }
}

impl Display for Proof {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("heddle boolean proof 1\n")?;
        writeln!(f, "program {:016x}\nghosts {}\ntuples {}", self.program, u8::from(self.ghosts), self.tuples)?;
        writeln!(f, "lock-sets {}\nremark1 {}", u8::from(self.lock_sets), u8::from(self.remark1))?;
        for (i, Decision { var, high, low }) in self.nodes.iter().enumerate() {
            writeln!(f, "node {} {var} {high} {low}", i + 2)?;
        }
        for AtOne { loc, started, set } in &self.states {
            writeln!(f, "state {} {} {set}", loc.index(), u8::from(*started))?;
        }
        for AtTwo { locs: [a, b], set } in &self.pairs {
            writeln!(f, "pair {} {} {set}", a.index(), b.index())?;
        }
        f.write_str("end")?;
        f.write_char('\n')
    }
}

#[cfg(test)]
mod tests;
