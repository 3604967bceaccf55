//! Each way to decide consistency, on a random instance: the same models as brute force, all of them.

use heddle_base::Budget;
use heddle_solver::{Lit, Sat, SatAnswer};

use super::brute::{Assignments, Brute};
use super::instance::{Instance, Letter, Letters, Rng};
use crate::graph::EventGraph;
use crate::order::{OrderStatistics, OrderTheory};

/// Checks [`OrderTheory`] on the instance of a seed.
pub fn check_order(seed: u64) -> Result<OrderStatistics, String> {
    let rng = &mut Rng::new(seed);
    let instance = Instance::random(rng);
    let mut method = Order::new(&instance, rng);
    run(&instance, &mut method, rng).map_err(|e| format!("seed {seed}: {e}\n{instance:?}"))?;
    Ok(method.sat.theory().statistics())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_agrees_with_brute_force() {
        for seed in 0..300 {
            check_order(seed).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
