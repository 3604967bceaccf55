//! Assertions of the user's own code, and the steps at which they are evaluated.
//!
//! An assertion in C is lowered to branches around an `assert false`. Whether an execution *reaches* it is then a question about the
//! branches that decide whether it fails: the first ones on the way back from the step. An assertion whose failure nothing decides in
//! its own function, and one with a condition of its own, is reached where its step is.
//!
//! **Limit:** a function that wraps an assertion (`void check(int c) { assert(c); }`) has one assertion, however often it is called.

use heddle_base::{Id, IndexVec, Loc, define_id};

use crate::cfg::successors;
use crate::{Expr, FuncId, Function, Program, Property, StepId, StepKind};

define_id!(
    /// An assertion.
    pub AssertionId, "assertion"
);

/// All assertions of a program.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    /// Where they stand.
    pub places: IndexVec<AssertionId, Loc>,
    /// The steps at which they are evaluated, in order.
    steps: IndexVec<FuncId, Vec<(StepId, AssertionId)>>,
}

impl Assertions {
    /// Of a program. Assertions of library models are not the user's.
    pub fn new(program: &Program) -> Self {
        let mut found = Assertions::default();
        for function in program.functions.iter() {
            let mut steps = Vec::new();
            for (at, step) in function.steps.iter_enumerated().filter(|_| !function.model) {
                let StepKind::Assert { cond, check } = step.kind else { continue };
                if program.checks[check].property != Property::Assert {
                    continue;
                }
                let id = found.places.iter_enumerated().find(|(_, loc)| **loc == step.loc).map(|(id, _)| id);
                let id = id.unwrap_or_else(|| found.places.push(step.loc));
                let never_holds = matches!(function.exprs[cond], Expr::Const { bits: 0, .. });
                let decided = if never_holds { deciding_branches(function, at) } else { vec![at] };
                steps.extend(decided.into_iter().map(|at| (at, id)));
            }
            steps.sort_unstable();
            steps.dedup();
            found.steps.push(steps);
        }
        found
    }

    /// The steps of a function at which assertions are evaluated, in order.
    pub fn of(&self, func: FuncId) -> &[(StepId, AssertionId)] {
        &self.steps[func]
    }
}

/// Those of these that are evaluated at a step.
pub fn evaluated_at(steps: &[(StepId, AssertionId)], at: StepId) -> &[(StepId, AssertionId)] {
    if steps.is_empty() {
        return steps;
    }
    let from = steps.partition_point(|(step, _)| *step < at);
    let len = steps[from..].iter().take_while(|(step, _)| *step == at).count();
    &steps[from..from + len]
}

/// The first branches on the ways back from a step, or the step itself if the function's first step comes first.
fn deciding_branches(function: &Function, assertion: StepId) -> Vec<StepId> {
    let mut before: IndexVec<StepId, Vec<StepId>> = IndexVec::from_elem(Vec::new(), function.steps.len());
    for (at, step) in function.steps.iter_enumerated() {
        successors(&step.kind, at).for_each(|next| before[next].push(at));
    }
    let (mut found, mut todo) = (Vec::new(), vec![assertion]);
    let mut seen = vec![false; function.steps.len()];
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        if at.index() == 0 {
            found.push(assertion);
        }
        for &from in &before[at] {
            let is_branch = matches!(function.steps[from].kind, StepKind::Branch { .. });
            let list = if is_branch { &mut found } else { &mut todo };
            list.push(from);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[track_caller]
    fn check(body: &str, expected: &[usize]) {
        let text = format!("program lp64\nentry main\nfn main() {{\n regs i: i32\n{body}\n}}");
        let program = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let assertions = Assertions::new(&program);
        let steps: Vec<usize> = assertions.of(program.entry).iter().map(|(step, _)| step.index()).collect();
        assert_eq!(steps, expected);
    }

    #[test]
    fn a_condition_of_its_own_is_evaluated_at_the_step() {
        check("i = 0\nassert i == 0, assert \"a\"\nreturn", &[1]);
    }

    #[test]
    fn a_failure_is_decided_by_the_branches_before_it() {
        check("i = 0\nif i == 0 goto ok\nassert false, assert \"a\"\nok:\nreturn", &[1]);
        let two = "if i == 0 goto bad\nif i == 1 goto ok\nbad:\ni = 7\nassert false, assert \"a\"\nok:\nreturn";
        check(two, &[0, 1]);
    }

    #[test]
    fn a_failure_that_nothing_decides_is_reached_at_its_step() {
        check("i = 0\nassert false, assert \"a\"\nreturn", &[1]);
    }

    #[test]
    fn other_checks_are_no_assertions() {
        check("assert i == 0, division \"division by zero\"\nreturn", &[]);
    }
}
