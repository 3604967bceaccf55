//! Binary decision diagrams, a thin layer over `oxidd`.
//!
//! Every operation can run out of nodes; that is [`Stop::Memory`]. Recursion is as deep as there are variables, so
//! computations with many variables run on a stack of their own ([`on_large_stack`]).

use heddle_base::{Budget, Stop};
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager, ManagerRef,
    Node, Subst,
};

/// A set of valuations.
pub type Bdd = BDDFunction;

/// A variable of the diagrams.
pub type Var = u32;

/// Variables and operations.
pub struct Bdds {
    manager: BDDManagerRef,
    vars: Vec<Bdd>,
    budget: Budget,
    polls: u32,
}

/// Nodes that there can be. Memory is taken as they are made.
const NODES: usize = 1 << 25;

/// Results of operations that are remembered, at most. Small programs need few, and the memory must be cleared first.
const CACHE: usize = 1 << 20;

fn done(result: AllocResult<Bdd>) -> Result<Bdd, Stop> {
    result.map_err(|_| Stop::Memory)
}

impl Bdds {
    /// Diagrams over so many variables, in this order.
    pub fn new(vars: usize, budget: &Budget) -> Result<Bdds, Stop> {
        let cache = (1 << 12 << (vars / 4).min(8)).min(CACHE);
        let manager = new_manager(NODES, cache, 1);
        let vars = manager.with_manager_exclusive(|m| {
            m.add_vars(vars as u32).map(|v| done(Bdd::var(m, v))).collect::<Result<Vec<Bdd>, Stop>>()
        })?;
        Ok(Bdds { manager, vars, budget: budget.clone(), polls: 0 })
    }

    /// `Err` once a limit is reached; cheap enough for every operation.
    pub fn poll(&mut self) -> Result<(), Stop> {
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(32) { self.budget.check() } else { Ok(()) }
    }

    /// The empty set.
    pub fn none(&self) -> Bdd {
        self.manager.with_manager_shared(|m| Bdd::f(m))
    }

    /// Everything.
    pub fn all(&self) -> Bdd {
        self.manager.with_manager_shared(|m| Bdd::t(m))
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.all() } else { self.none() }
    }

    /// The valuations in which a variable is 1.
    pub fn var(&self, var: Var) -> Bdd {
        self.vars[var as usize].clone()
    }

    /// The valuations in which a variable has a value.
    pub fn literal(&self, var: Var, value: bool) -> Result<Bdd, Stop> {
        if value { Ok(self.var(var)) } else { self.not(&self.vars[var as usize]) }
    }

    /// The valuations with these values. The variables stand in any order.
    pub fn cube(&self, literals: &[(Var, bool)]) -> Result<Bdd, Stop> {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        // From the last variable up, so that each step adds one node.
        sorted.iter().rev().try_fold(self.all(), |cube, (var, value)| self.and(&self.literal(*var, *value)?, &cube))
    }

    /// The variables, for quantification.
    pub fn set_of(&self, vars: &[Var]) -> Result<Bdd, Stop> {
        let literals: Vec<(Var, bool)> = vars.iter().map(|v| (*v, true)).collect();
        self.cube(&literals)
    }

    /// Negation.
    pub fn not(&self, a: &Bdd) -> Result<Bdd, Stop> {
        done(a.not())
    }

    /// Conjunction.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        done(a.and(b))
    }

    /// Disjunction.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        done(a.or(b))
    }

    /// `a` without `b`.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        done(b.imp_strict(a))
    }

    /// Equality.
    pub fn iff(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        done(a.equiv(b))
    }

    /// ∃ vars. a
    pub fn exists(&self, a: &Bdd, vars: &Bdd) -> Result<Bdd, Stop> {
        done(a.exists(vars))
    }

    /// ∃ vars. a ∧ b
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, vars: &Bdd) -> Result<Bdd, Stop> {
        done(a.apply_exists(BooleanOperator::And, b, vars))
    }

    /// Variables replaced by others.
    pub fn rename(&self, a: &Bdd, renaming: &Renaming) -> Result<Bdd, Stop> {
        match renaming {
            Renaming::Few(pairs) => pairs.iter().try_fold(a.clone(), |set, (old, not_old, new)| {
                let (high, low) = (done(set.restrict(old))?, done(set.restrict(not_old))?);
                if high == low { Ok(high) } else { done(new.ite(&high, &low)) }
            }),
            Renaming::Many(subst) => done(a.substitute(subst)),
        }
    }

    /// A renaming: pairs of old and new variable. None of the new variables occurs in what is renamed.
    pub fn renaming(&self, pairs: &[(Var, Var)]) -> Result<Renaming, Stop> {
        if pairs.len() > 8 {
            return Ok(self.permutation(pairs));
        }
        let pair = |(old, new): &(Var, Var)| Ok((self.var(*old), self.literal(*old, false)?, self.var(*new)));
        Ok(Renaming::Few(pairs.iter().map(pair).collect::<Result<_, Stop>>()?))
    }

    /// A renaming in which new variables may be old ones, too.
    pub fn permutation(&self, pairs: &[(Var, Var)]) -> Renaming {
        let (old, new): (Vec<Var>, Vec<Bdd>) = pairs.iter().map(|(o, n)| (*o, self.var(*n))).unzip();
        Renaming::Many(Subst::new(old, new))
    }

    /// The variables that a set depends on, each marked.
    pub fn support(&self, a: &Bdd) -> Vec<bool> {
        let mut marked = vec![false; self.vars.len()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![a.clone()];
        while let Some(set) = todo.pop() {
            if let Some((var, high, low)) = self.decision(&set)
                && seen.insert(set)
            {
                marked[var as usize] = true;
                todo.extend([high, low]);
            }
        }
        marked
    }

    /// Whether a set is empty.
    pub fn is_none(&self, a: &Bdd) -> bool {
        !a.satisfiable()
    }

    /// One valuation of a set, as the values of all variables; what may be either is 0.
    pub fn pick(&self, a: &Bdd) -> Option<Vec<bool>> {
        let cube = a.pick_cube(|_, _, _| false)?;
        Some(cube.iter().map(|v| matches!(v, oxidd::util::OptBool::True)).collect())
    }

    /// The topmost variable of a set that is no constant, and the sets in which it is 1 and 0.
    pub fn decision(&self, a: &Bdd) -> Option<(Var, Bdd, Bdd)> {
        let (high, low) = a.cofactors()?;
        let var = a.with_manager_shared(|m, edge| match m.get_node(edge) {
            Node::Inner(node) => m.level_to_var(node.level()),
            Node::Terminal(_) => unreachable!("a constant has no cofactors"),
        });
        Some((var, high, low))
    }

    /// Number of valuations of the first of so many variables, if only those occur in the set.
    pub fn count(&self, a: &Bdd, vars: usize) -> f64 {
        let all = self.vars.len() as i32;
        let mut cache = oxidd::util::SatCountCache::<oxidd::util::num::F64, rustc_hash::FxBuildHasher>::default();
        a.sat_count(self.vars.len() as u32, &mut cache).0 / 2_f64.powi(all - vars as i32)
    }

    /// Nodes of a diagram.
    pub fn size(&self, a: &Bdd) -> usize {
        a.node_count()
    }
}

/// A renaming of variables. The general way costs time for every variable that there is, so a few are renamed one by
/// one.
pub enum Renaming {
    /// The old variable, its negation, the new one.
    Few(Vec<(Bdd, Bdd, Bdd)>),
    /// Any number.
    Many(Subst<Bdd, Vec<Var>, Vec<Bdd>>),
}

/// Runs a computation on a stack that is deep enough for diagrams over many variables.
pub fn on_large_stack<T: Send>(vars: usize, compute: impl FnOnce() -> T + Send) -> T {
    if vars < 500 {
        return compute();
    }
    let bytes = (vars * 4096).clamp(64 << 20, 4 << 30);
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(bytes);
        match builder.spawn_scoped(scope, compute) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no stack of {bytes} bytes: {error}"),
        }
    })
}
