//! Gates: clauses for and, xor, if-then-else and the two halves of a full adder, each built once.
//!
//! Inputs are simplified and ordered before the table of existing gates is asked, so equal circuits share their
//! gates even when the terms that they came from were different. A literal that a clause of its own makes true is a
//! constant from then on: what is built after `x < 1000` does not have the upper bits of x any more. Gates that were
//! built before are still found, so a circuit that is built again does not become another one.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::sat::Lit;

/// Where clauses go.
pub(crate) trait Sink {
    /// The positive literal of a new variable.
    fn new_var(&mut self) -> Lit;
    /// Adds a clause.
    fn add_clause(&mut self, clause: &[Lit]);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Xor3,
    Majority,
    Mux,
}

/// Builds gates into a sink.
pub(crate) struct Gates<S> {
    /// Where the clauses go.
    pub(crate) sink: S,
    one: Option<Lit>,
    /// Gates by their inputs; those with two repeat the second.
    table: FxHashMap<(Kind, [Lit; 3]), Lit>,
    /// The inputs of conjunctions, by their outputs.
    conjunctions: FxHashMap<Lit, [Lit; 2]>,
    /// By variable: its value if that is known, else `None`.
    fixed: Vec<Option<bool>>,
    /// Clauses so far, for the budget.
    pub(crate) clauses: u64,
}

impl<S: Sink> Gates<S> {
    pub(crate) fn new(sink: S) -> Self {
        Gates {
            sink,
            one: None,
            table: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            fixed: Vec::new(),
            clauses: 0,
        }
    }

    /// The literal that is always true.
    pub(crate) fn one(&mut self) -> Lit {
        if let Some(one) = self.one {
            return one;
        }
        let one = self.sink.new_var();
        self.clause(&[one]);
        self.one = Some(one);
        one
    }

    /// The literal that is always false.
    pub(crate) fn zero(&mut self) -> Lit {
        !self.one()
    }

    /// A constant literal.
    pub(crate) fn constant(&mut self, value: bool) -> Lit {
        self.one().negate_if(!value)
    }

    /// The value of a literal that is constant.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.fixed.get(lit.dimacs().unsigned_abs() as usize).copied().flatten();
        value.map(|value| value == lit.is_positive())
    }

    /// Notes that a literal is true, and with a conjunction its inputs. The clauses that say so exist.
    fn fix(&mut self, lit: Lit) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            if self.value(lit).is_some() {
                continue;
            }
            let var = lit.dimacs().unsigned_abs() as usize;
            if self.fixed.len() <= var {
                self.fixed.resize(var + 1, None);
            }
            self.fixed[var] = Some(lit.is_positive());
            stack.extend(self.conjunctions.get(&lit).into_iter().flatten());
        }
    }

    /// A literal that nothing constrains.
    pub(crate) fn fresh(&mut self) -> Lit {
        self.sink.new_var()
    }

    /// Adds a clause, without the literals that are constant.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        if lits.iter().any(|&l| self.value(l) == Some(true)) {
            return;
        }
        self.clauses += 1;
        let kept: SmallVec<[Lit; 8]> = lits.iter().copied().filter(|&l| self.value(l).is_none()).collect();
        self.sink.add_clause(&kept);
        if let [unit] = kept[..] {
            self.fix(unit);
        }
    }

    /// The gate with these inputs, if there is one: to be asked before constant inputs are removed.
    fn existing(&self, kind: Kind, inputs: [Lit; 3]) -> Option<Lit> {
        self.table.get(&(kind, inputs)).copied()
    }

    /// A new gate.
    fn gate(&mut self, kind: Kind, inputs: [Lit; 3], define: impl FnOnce(&mut Self, Lit)) -> Lit {
        let output = self.fresh();
        define(self, output);
        self.table.insert((kind, inputs), output);
        output
    }

    /// `a & b`.
    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if let Some(gate) = self.existing(Kind::And, [a, b, b]) {
            return gate;
        }
        match (self.value(a), self.value(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return a,
            (_, Some(false)) => return b,
            (None, None) => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.zero();
        }
        self.gate(Kind::And, [a, b, b], |g, out| {
            g.conjunctions.insert(out, [a, b]);
            g.clause(&[!out, a]);
            g.clause(&[!out, b]);
            g.clause(&[out, !a, !b]);
        })
    }

    /// `a | b`.
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The disjunction of all.
    pub(crate) fn or_many(&mut self, lits: &[Lit]) -> Lit {
        let mut kept: Vec<Lit> = lits.iter().copied().filter(|&l| self.value(l) != Some(false)).collect();
        kept.sort_unstable();
        kept.dedup();
        let tautology = kept.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || kept.iter().any(|&l| self.value(l) == Some(true)) {
            return self.one();
        }
        match kept[..] {
            [] => self.zero(),
            [only] => only,
            [a, b] => self.or(a, b),
            [..] => {
                let out = self.fresh();
                for &lit in &kept {
                    self.clause(&[out, !lit]);
                }
                kept.push(!out);
                self.clause(&kept);
                out
            }
        }
    }

    /// `a ^ b`.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_positive() != b.is_positive();
        let (a, b) = (positive(a), positive(b));
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.xor_positive(a, b).negate_if(flip)
    }

    fn xor_positive(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(gate) = self.existing(Kind::Xor, [a, b, b]) {
            return gate;
        }
        match (self.value(a), self.value(b)) {
            (Some(value), _) => return b.negate_if(value),
            (_, Some(value)) => return a.negate_if(value),
            (None, None) => {}
        }
        if a == b {
            return self.zero();
        }
        self.gate(Kind::Xor, [a, b, b], |g, out| {
            g.clause(&[!out, a, b]);
            g.clause(&[!out, !a, !b]);
            g.clause(&[out, !a, b]);
            g.clause(&[out, a, !b]);
        })
    }

    /// `a ^ b ^ c`: the sum of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        let flip = inputs.iter().filter(|l| !l.is_positive()).count() % 2 == 1;
        inputs = inputs.map(positive);
        inputs.sort_unstable();
        self.xor3_positive(inputs).negate_if(flip)
    }

    fn xor3_positive(&mut self, inputs: [Lit; 3]) -> Lit {
        if let Some(gate) = self.existing(Kind::Xor3, inputs) {
            return gate;
        }
        let [a, b, c] = inputs;
        if a == b || b == c || inputs.iter().any(|&l| self.value(l).is_some()) {
            let inner = self.xor(a, b);
            return self.xor(inner, c);
        }
        self.gate(Kind::Xor3, inputs, |g, out| {
            for (x, y, z) in [(a, b, c), (a, !b, !c), (!a, b, !c), (!a, !b, c)] {
                g.clause(&[!out, x, y, z]);
                g.clause(&[out, !x, !y, !z]);
            }
        })
    }

    /// At least two of three: the carry of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        // Majority is its own dual: at most one input is then negative.
        let flip = [a, b, c].iter().filter(|l| !l.is_positive()).count() >= 2;
        let mut inputs = [a, b, c].map(|l| l.negate_if(flip));
        inputs.sort_unstable();
        self.mostly_positive_majority(inputs).negate_if(flip)
    }

    fn mostly_positive_majority(&mut self, inputs: [Lit; 3]) -> Lit {
        if let Some(gate) = self.existing(Kind::Majority, inputs) {
            return gate;
        }
        for i in 0..3 {
            let (x, y, z) = (inputs[i], inputs[(i + 1) % 3], inputs[(i + 2) % 3]);
            match self.value(x) {
                Some(true) => return self.or(y, z),
                Some(false) => return self.and(y, z),
                None if x == y => return x,
                None if x == !y => return z,
                None => {}
            }
        }
        let [a, b, c] = inputs;
        self.gate(Kind::Majority, inputs, |g, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                g.clause(&[!out, x, y]);
                g.clause(&[out, !x, !y]);
            }
        })
    }

    /// `if c then a else b`.
    pub(crate) fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_positive() { (c, a, b) } else { (!c, b, a) };
        let flip = !a.is_positive();
        self.mux_positive(c, a.negate_if(flip), b.negate_if(flip)).negate_if(flip)
    }

    fn mux_positive(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(gate) = self.existing(Kind::Mux, [c, a, b]) {
            return gate;
        }
        if let Some(value) = self.value(c) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        match (self.value(a), self.value(b)) {
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => return self.and(!c, b),
            (_, Some(true)) => return self.or(!c, a),
            (_, Some(false)) => return self.and(c, a),
            (None, None) => {}
        }
        // A branch that repeats the condition is constant there.
        if c == a {
            return self.or(c, b);
        }
        if c == !a {
            return self.and(!c, b);
        }
        if c == b {
            return self.and(c, a);
        }
        if c == !b {
            return self.or(!c, a);
        }
        self.gate(Kind::Mux, [c, a, b], |g, out| {
            g.clause(&[!c, !a, out]);
            g.clause(&[!c, a, !out]);
            g.clause(&[c, !b, out]);
            g.clause(&[c, b, !out]);
            // Redundant, but they propagate when both branches agree and c is open.
            g.clause(&[!a, !b, out]);
            g.clause(&[a, b, !out]);
        })
    }
}

fn positive(lit: Lit) -> Lit {
    lit.negate_if(!lit.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps clauses, to be checked by trying all assignments.
    #[derive(Default)]
    struct Clauses {
        vars: i32,
        clauses: Vec<Vec<Lit>>,
    }

    impl Sink for Clauses {
        fn new_var(&mut self) -> Lit {
            self.vars += 1;
            Lit::from_dimacs(self.vars)
        }
        fn add_clause(&mut self, clause: &[Lit]) {
            self.clauses.push(clause.to_vec());
        }
    }

    fn truth(assignment: u32, lit: Lit) -> bool {
        (assignment >> (lit.dimacs().unsigned_abs() - 1) & 1 == 1) == lit.is_positive()
    }

    /// Every gate on all combinations of constants, equal and opposite inputs computes its function, and only that.
    #[test]
    fn gates_compute_their_functions() {
        for choice in 0..8usize.pow(3) {
            let mut gates = Gates::new(Clauses::default());
            let one = gates.one();
            let inputs: Vec<Lit> = (0..3).map(|_| gates.fresh()).collect();
            let all: Vec<Lit> = inputs.iter().chain([&one]).flat_map(|&l| [l, !l]).collect();
            let [a, b, c] = [choice % 8, choice / 8 % 8, choice / 64].map(|i| all[i]);
            let outputs = [
                gates.and(a, b),
                gates.xor(a, b),
                gates.xor3(a, b, c),
                gates.majority(a, b, c),
                gates.mux(a, b, c),
                gates.or_many(&[a, b, c]),
            ];
            let mut models = 0;
            for assignment in 0..1u32 << gates.sink.vars {
                if !gates.sink.clauses.iter().all(|c| c.iter().any(|&l| truth(assignment, l))) {
                    continue;
                }
                models += 1;
                let [x, y, z] = [a, b, c].map(|l| truth(assignment, l));
                let majority = usize::from(x) + usize::from(y) + usize::from(z) >= 2;
                let expected = [x && y, x ^ y, x ^ y ^ z, majority, if x { y } else { z }, x || y || z];
                assert_eq!(outputs.map(|l| truth(assignment, l)), expected, "{a} {b} {c}");
            }
            assert_eq!(models, 8);
        }
    }
}
