//! Each way to decide consistency, on a random instance: the same models as brute force, all of them.

use heddle_base::Budget;
use heddle_solver::{Answer, Lit, NoTheory, Sat, SatAnswer, Solver, Terms};

use super::brute::{Assignments, Brute};
use super::instance::{Instance, Letter, Letters, Rng};
use crate::clock::{self, Clocks};
use crate::graph::EventGraph;
use crate::order::{OrderStatistics, OrderTheory};
use crate::refine::{Outcome, RefineStatistics, Refinement};

/// Checks [`OrderTheory`] on the instance of a seed.
pub fn check_order(seed: u64) -> Result<OrderStatistics, String> {
    let rng = &mut Rng::new(seed);
    let instance = Instance::random(rng);
    let mut method = Order::new(&instance, rng);
    run(&instance, &mut method, rng).map_err(|e| format!("seed {seed}: {e}\n{instance:?}"))?;
    Ok(method.sat.theory().statistics())
}

/// Checks the clocks on the instance of a seed.
pub fn check_clock(seed: u64) -> Result<(), String> {
    let rng = &mut Rng::new(seed);
    let instance = Instance::random(rng);
    let mut method = Clock::new(&instance);
    run(&instance, &mut method, rng).map_err(|e| format!("seed {seed}: {e}\n{instance:?}"))
}

/// Checks the refinement on the instance of a seed; also that no clause of it excludes a consistent assignment, which
/// is [SCAR Theorem 5.2], and with it 5.1.
#[doc(alias = "Theorem 5.1")]
#[doc(alias = "Theorem 5.2")]
pub fn check_refine(seed: u64) -> Result<RefineStatistics, String> {
    let rng = &mut Rng::new(seed);
    let instance = Instance::random(rng);
    let mut method = Refine::new(&instance, rng, Some(Brute::new(&instance)));
    run(&instance, &mut method, rng).map_err(|e| format!("seed {seed}: {e}\n{instance:?}"))?;
    Ok(method.refinement.statistics().clone())
}

/// Checks that all three agree on a larger instance, with assumptions and clauses added in between. Returns how many
/// order literals were made, and how many constraint-based validations.
pub fn check_agreement(seed: u64) -> Result<(u64, u64), String> {
    let rng = &mut Rng::new(seed);
    let instance = Instance::random_large(rng);
    let (mut order, mut clock) = (Order::new(&instance, rng), Clock::new(&instance));
    let mut refine = Refine::new(&instance, rng, None);
    for round in 0..8 {
        let assumed: Vec<Letter> =
            (0..rng.below(round + 1)).map(|_| Letter::Var(rng.below(instance.vars), rng.one_in(4))).collect();
        let mut answers = Vec::new();
        let methods: [&mut dyn Method; 3] = [&mut order, &mut clock, &mut refine];
        for method in methods {
            for clause in instance.clauses.iter().filter(|_| round == 1) {
                method.add_clause(&method.letters().clause(clause));
            }
            let assumptions = method.letters().clause(&assumed);
            let answer = method.solve(&assumptions).map_err(|e| format!("seed {seed}: {e}\n{instance:?}"))?;
            answers.push(answer.is_some());
        }
        if answers != [answers[0]; 3] {
            return Err(format!("seed {seed}: order, clock, refine: {answers:?}, assuming {assumed:?}\n{instance:?}"));
        }
    }
    let literals = order.sat.theory().statistics().order_literals;
    Ok((literals, refine.refinement.statistics().constraint_checks))
}

/// A decision procedure with clauses.
trait Method {
    fn letters(&self) -> &Letters;
    fn add_clause(&mut self, clause: &[Lit]);
    /// Values of the variables and a line, if there is a model.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<usize>, String>;
}

/// Asks with assumptions and clauses added in between; then for all models, one after the other.
fn run(instance: &Instance, method: &mut impl Method, rng: &mut Rng) -> Result<(), String> {
    let brute = Brute::new(instance);
    let mut models = brute.consistent;
    for clause in &instance.clauses {
        if rng.one_in(3) {
            ask(method, &brute, models, rng)?;
        }
        method.add_clause(&method.letters().clause(clause));
        models = models.and(&brute.satisfying(clause));
    }
    for _ in 0..rng.below(4) {
        ask(method, &brute, models, rng)?;
    }
    while let Some(model) = compare(method, &[], models)? {
        let blocking: Vec<Letter> = (0..instance.vars).map(|v| Letter::Var(v, model >> v & 1 == 1)).collect();
        method.add_clause(&method.letters().clause(&blocking));
        models = models.and(&brute.satisfying(&blocking));
    }
    Ok(())
}

/// Asks with a few random assumptions.
fn ask(method: &mut impl Method, brute: &Brute, models: Assignments, rng: &mut Rng) -> Result<(), String> {
    let vars = method.letters().vars.len();
    let assumed: Vec<Letter> = (0..rng.below(4)).map(|_| Letter::Var(rng.below(vars), rng.one_in(3))).collect();
    let models = assumed.iter().fold(models, |set, &letter| set.and(&brute.where_true(letter)));
    compare(method, &assumed, models).map(|_| ())
}

fn compare(method: &mut impl Method, assumed: &[Letter], models: Assignments) -> Result<Option<usize>, String> {
    let assumptions = method.letters().clause(assumed);
    let found = method.solve(&assumptions)?;
    match found {
        Some(model) if !models.contains(model) => Err(format!("{model:b} is no model, assuming {assumed:?}")),
        None if !models.is_empty() => Err(format!("{} models are missed, assuming {assumed:?}", models.len())),
        Some(_) | None => Ok(found),
    }
}

/// The model of a solver as a number, if the line shows it to be consistent.
fn model_number(
    letters: &Letters,
    graph: &EventGraph,
    line: &[crate::NodeId],
    value: &mut dyn FnMut(Lit) -> bool,
) -> Result<usize, String> {
    let values: Vec<bool> = letters.vars.iter().map(|&l| value(l)).collect();
    let of = |lit: Lit| match letters.vars.iter().position(|v| v.var() == lit.var()) {
        Some(var) => values[var] == lit.is_positive(),
        None => true,
    };
    if !graph.is_shown_by(line, of) {
        return Err(format!("the line {line:?} does not show {values:?}"));
    }
    Ok(values.iter().enumerate().map(|(i, &v)| usize::from(v) << i).sum())
}

struct Order {
    sat: Sat<OrderTheory>,
    letters: Letters,
    graph: EventGraph,
}

impl Order {
    fn new(instance: &Instance, rng: &mut Rng) -> Self {
        let mut sat = Sat::new(OrderTheory::default());
        let letters = instance.letters(&mut sat);
        let graph = instance.graph(&letters);
        if rng.one_in(2) {
            sat.add_clause(&[letters.constant]);
        }
        let theory = OrderTheory::new(graph.clone());
        let literals = theory.literals();
        *sat.theory_mut() = theory;
        for lit in literals {
            sat.observe(lit);
        }
        sat.add_clause(&[letters.constant]);
        Order { sat, letters, graph }
    }
}

impl Method for Order {
    fn letters(&self) -> &Letters {
        &self.letters
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<usize>, String> {
        for &lit in &self.letters.vars {
            self.sat.freeze(lit);
        }
        match self.sat.solve(assumptions, &Budget::unlimited()) {
            SatAnswer::Sat => {
                let line = self.sat.theory().linearisation();
                let Order { sat, letters, graph } = self;
                model_number(letters, graph, &line, &mut |l| sat.value(l) == Some(true)).map(Some)
            }
            SatAnswer::Unsat(_) => Ok(None),
            SatAnswer::Unknown(stop) => Err(format!("stopped: {stop:?}")),
        }
    }
}

struct Clock {
    terms: Terms,
    solver: Solver,
    clocks: Clocks,
    letters: Letters,
    graph: EventGraph,
}

impl Clock {
    fn new(instance: &Instance) -> Self {
        let (mut terms, mut solver) = (Terms::new(), Solver::new());
        let mut lit = |name: String| {
            let var = terms.bool_var(&name);
            solver.lit_of(&mut terms, var).unwrap_or_else(|e| panic!("{e}"))
        };
        let vars = (0..instance.vars).map(|i| lit(format!("x{i}"))).collect();
        let letters = Letters { vars, constant: lit("constant".to_owned()) };
        solver.sat().add_clause(&[letters.constant]);
        let graph = instance.graph(&letters);
        let clocks = clock::encode(&graph, &mut terms, &mut solver);
        Clock { terms, solver, clocks, letters, graph }
    }
}

impl Method for Clock {
    fn letters(&self) -> &Letters {
        &self.letters
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.sat().add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<usize>, String> {
        let Clock { terms, solver, clocks, letters, graph } = self;
        let mut assumed = Vec::new();
        for lit in assumptions {
            let var = letters.vars.iter().position(|v| v.var() == lit.var()).unwrap_or_default();
            let term = terms.bool_var(&format!("x{var}"));
            assumed.push(if lit.is_positive() { term } else { terms.not(term) });
        }
        match solver.solve(terms, &assumed, &Budget::unlimited()).map_err(|e| e.to_string())? {
            Answer::Sat(model) => {
                let line = clocks.linearisation(terms, &model);
                model_number(letters, graph, &line, &mut |l| solver.sat().value(l) == Some(true)).map(Some)
            }
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(stop) => Err(format!("stopped: {stop:?}")),
        }
    }
}

struct Refine {
    sat: Sat<NoTheory>,
    refinement: Refinement,
    letters: Letters,
    graph: EventGraph,
    /// Assignments that must survive, if known.
    brute: Option<Brute>,
}

impl Refine {
    fn new(instance: &Instance, rng: &mut Rng, brute: Option<Brute>) -> Self {
        let mut sat = Sat::new(NoTheory);
        let letters = instance.letters(&mut sat);
        sat.add_clause(&[letters.constant]);
        letters.vars.iter().for_each(|&v| sat.freeze(v));
        let graph = instance.graph(&letters);
        let mut refinement = Refinement::new(&graph);
        if rng.one_in(2) {
            refinement.fix(letters.constant);
        }
        Refine { sat, refinement, letters, graph, brute }
    }

    /// [SCAR Theorem 5.2] No consistent assignment violates a clause.
    fn check_clause(&self, clause: &[Lit]) -> Result<(), String> {
        let Some(brute) = &self.brute else { return Ok(()) };
        let letter = |lit: &Lit| {
            let var = self.letters.vars.iter().position(|v| v.var() == lit.var())?;
            Some(Letter::Var(var, !lit.is_positive()))
        };
        let letters: Vec<Letter> = clause.iter().filter_map(letter).collect();
        let excluded = brute.consistent.minus(&brute.satisfying(&letters));
        if excluded.is_empty() { Ok(()) } else { Err(format!("{letters:?} excludes {}", excluded.len())) }
    }
}

impl Method for Refine {
    fn letters(&self) -> &Letters {
        &self.letters
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<usize>, String> {
        loop {
            match self.sat.solve(assumptions, &Budget::unlimited()) {
                SatAnswer::Sat => {}
                SatAnswer::Unsat(_) => return Ok(None),
                SatAnswer::Unknown(stop) => return Err(format!("stopped: {stop:?}")),
            }
            let lits: Vec<Lit> = self.graph.literals();
            let values: Vec<bool> = lits.iter().map(|&l| self.sat.value(l) == Some(true)).collect();
            let value = |lit: Lit| lits.binary_search(&lit).is_ok_and(|i| values[i]);
            match self.refinement.check(&value) {
                Outcome::Feasible(line) => {
                    let Refine { sat, letters, graph, .. } = self;
                    return model_number(letters, graph, &line, &mut |l| sat.value(l) == Some(true)).map(Some);
                }
                Outcome::Refute(clauses) => {
                    for clause in clauses {
                        if clause.iter().any(|&lit| value(lit)) {
                            return Err(format!("{clause:?} does not refute the model"));
                        }
                        self.check_clause(&clause)?;
                        self.sat.add_clause(&clause);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_agrees_with_brute_force() {
        for seed in 0..300 {
            check_order(seed).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    #[test]
    fn clock_agrees_with_brute_force() {
        for seed in 0..100 {
            check_clock(seed).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    #[test]
    fn refine_agrees_with_brute_force() {
        for seed in 0..300 {
            check_refine(seed).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    #[test]
    fn all_agree_on_larger_instances() {
        for seed in 0..60 {
            check_agreement(seed).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
