//! Expressions and constrained assignments.

use rustc_hash::FxHashMap;

use crate::ast::Expr;
use crate::diagnostic::Diagnostic;
use crate::flat::{Assign, Ex, Passive, Scope, VarId, VarRef};

use super::{Flattener, Instance};

/// What an expression may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The present state of the thread itself.
    Present,
    /// The present state, the passive thread's included.
    PresentPassive,
    /// Present and next state, the passive thread's included: a constraint.
    Both,
}

/// Choices of one instruction, numbered as they are met.
#[derive(Default)]
pub struct Choices {
    /// How many.
    pub own: u32,
    /// Those with a number in the text.
    numbered: FxHashMap<u32, u32>,
}

impl Choices {
    fn fresh(&mut self) -> u32 {
        self.own += 1;
        self.own - 1
    }

    fn get(&mut self, number: Option<u32>) -> u32 {
        match number {
            None => self.fresh(),
            Some(n) => match self.numbered.get(&n) {
                Some(choice) => *choice,
                None => {
                    let choice = self.fresh();
                    self.numbered.insert(n, choice);
                    choice
                }
            },
        }
    }
}

impl<'p> Flattener<'p> {
    pub(super) fn expression(&mut self, of: &Instance<'p>, expr: &Expr, context: Context, choices: &mut Choices) -> Ex {
        let boxed = |e: Ex| Box::new(e);
        match expr {
            Expr::Const(value) => Ex::Const(*value),
            Expr::Choice(number) => Ex::Choice(choices.get(*number)),
            Expr::Not(e) => Ex::Not(boxed(self.expression(of, e, context, choices))),
            Expr::And(es) => Ex::And(es.iter().map(|e| self.expression(of, e, context, choices)).collect()),
            Expr::Or(es) => Ex::Or(es.iter().map(|e| self.expression(of, e, context, choices)).collect()),
            Expr::Implies(a, b) => {
                let a = Ex::Not(boxed(self.expression(of, a, context, choices)));
                Ex::Or(vec![a, self.expression(of, b, context, choices)])
            }
            Expr::Equal(a, b) => {
                let a = boxed(self.expression(of, a, context, choices));
                Ex::Iff(a, boxed(self.expression(of, b, context, choices)))
            }
            Expr::Differs(a, b) => {
                let a = boxed(self.expression(of, a, context, choices));
                Ex::Not(boxed(Ex::Iff(a, boxed(self.expression(of, b, context, choices)))))
            }
            Expr::Schoose(a, b) => {
                let a = self.expression(of, a, context, choices);
                let not_b = Ex::Not(boxed(self.expression(of, b, context, choices)));
                Ex::Or(vec![a, Ex::And(vec![not_b, Ex::Choice(choices.fresh())])])
            }
            Expr::Var { name, primed, passive } => {
                let var = match self.scopes.lookup(of.index, name) {
                    Ok(var) => var,
                    Err(error) => {
                        self.error(error);
                        return Ex::Const(false);
                    }
                };
                let complaint = if self.scopes.vars[var].scope == Scope::Lock {
                    Some(format!("`{name}` is a lock and has no value"))
                } else if *primed && context != Context::Both {
                    Some(format!("`{name}'` is the next state, which only `constrain` can speak of"))
                } else if *passive && context == Context::Present {
                    Some(format!("`{name}$` may only stand in `constrain` and in values for `$` variables"))
                } else if *passive && self.scopes.vars[var].scope == Scope::Global {
                    Some(format!("`{name}` is not local, so there is no `{name}$`"))
                } else {
                    None
                };
                if let Some(message) = complaint {
                    self.error(Diagnostic::new(name.span, message));
                }
                let var = self.scopes.at_level(var, of.level);
                Ex::Var(VarRef { var, primed: *primed, passive: *passive })
            }
        }
    }

    /// A constrained assignment. Conjuncts of the constraint in which `$` occurs belong to the passive part; so do
    /// choices that occur nowhere else: every passive thread has its own.
    pub(super) fn constrained(
        &mut self,
        of: &Instance<'p>,
        targets: &[(VarId, bool)],
        values: &[Expr],
        constrain: Option<&Expr>,
    ) -> Assign {
        let mut choices = Choices::default();
        let (mut own, mut passive) = (Vec::new(), Vec::new());
        let (mut own_constrain, mut passive_constrain) = (Vec::new(), Vec::new());
        // First the part of the thread itself, so that its choices have the lower numbers.
        for ((var, is_passive), value) in targets.iter().zip(values) {
            if !is_passive {
                own.push((*var, self.expression(of, value, Context::Present, &mut choices)));
            }
        }
        let conjuncts: Vec<&Expr> = match constrain {
            Some(Expr::And(conjuncts)) => conjuncts.iter().collect(),
            other => other.into_iter().collect(),
        };
        for conjunct in conjuncts.iter().filter(|e| !speaks_of_passive(e)) {
            own_constrain.push(self.expression(of, conjunct, Context::Both, &mut choices));
        }
        let shared = choices.own;
        for ((var, is_passive), value) in targets.iter().zip(values) {
            if *is_passive {
                passive.push((*var, self.expression(of, value, Context::PresentPassive, &mut choices)));
            }
        }
        for conjunct in conjuncts.iter().filter(|e| speaks_of_passive(e)) {
            passive_constrain.push(self.expression(of, conjunct, Context::Both, &mut choices));
        }
        // What is not assigned to has the same value in the next state.
        for e in own_constrain.iter_mut().chain(&mut passive_constrain) {
            e.visit_mut(&mut |v| v.primed &= targets.contains(&(v.var, v.passive)));
        }
        let conjunction = |mut es: Vec<Ex>| match es.len() {
            0 => Ex::Const(true),
            1 => es.remove(0),
            _ => Ex::And(es),
        };
        let passive = (!passive.is_empty() || !passive_constrain.is_empty()).then(|| Passive {
            targets: passive,
            constrain: conjunction(passive_constrain),
            choices: choices.own - shared,
        });
        Assign { targets: own, constrain: conjunction(own_constrain), passive, choices: shared }
    }
}

fn speaks_of_passive(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Choice(_) => false,
        Expr::Var { passive, .. } => *passive,
        Expr::Not(e) => speaks_of_passive(e),
        Expr::And(es) | Expr::Or(es) => es.iter().any(speaks_of_passive),
        Expr::Implies(a, b) | Expr::Equal(a, b) | Expr::Differs(a, b) | Expr::Schoose(a, b) => {
            speaks_of_passive(a) || speaks_of_passive(b)
        }
    }
}
