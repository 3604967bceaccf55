//! Removes steps that do nothing: what is never reached, `skip`, jumps to jumps, jumps to the next step, branches on
//! constants. The places of all other steps stay.

use heddle_base::{Id, IndexVec};

use crate::bits::BitSet;
use crate::cfg::successors;
use crate::expr::Expr;
use crate::program::{Function, Program};
use crate::step::{Step, StepId, StepKind};
use crate::verify::debug_verify;

/// Simplifies the control flow of all functions.
pub fn simplify(program: &mut Program) {
    for function in program.functions.iter_mut() {
        simplify_function(function);
    }
    debug_verify(program);
}

fn simplify_function(function: &mut Function) {
    decide_branches(function);
    let resolved: Vec<Option<StepId>> =
        function.steps.iter().map(|s| s.kind.target().map(|t| resolve(function, t))).collect();
    for (step, target) in function.steps.iter_mut().zip(resolved) {
        if let (StepKind::Goto { target } | StepKind::Branch { target, .. }, Some(new)) = (&mut step.kind, target) {
            *target = new;
        }
    }
    let kept = kept_steps(function);
    keep(function, &kept);
}

/// A branch on a constant is a jump or nothing.
fn decide_branches(function: &mut Function) {
    for step in function.steps.iter_mut() {
        if let StepKind::Branch { cond, target } = step.kind
            && let Expr::Const { bits, .. } = function.exprs[cond]
        {
            step.kind = if bits == 0 { StepKind::Skip } else { StepKind::Goto { target } };
        }
    }
}

/// Where control goes from a step that does nothing.
fn resolve(function: &Function, from: StepId) -> StepId {
    let mut at = from;
    // An endless loop of jumps has no end to go to; any of its steps will do.
    for _ in 0..function.steps.len() {
        at = match function.steps[at].kind {
            StepKind::Goto { target } => target,
            StepKind::Skip => StepId::new(at.index() + 1),
            _ => return at,
        };
    }
    from
}

fn kept_steps(function: &Function) -> BitSet {
    let mut reached = BitSet::new(function.steps.len());
    let mut todo = vec![StepId::new(0)];
    while let Some(step) = todo.pop() {
        if reached.insert(step.index()) {
            todo.extend(successors(&function.steps[step].kind, step));
        }
    }
    let mut kept = reached;
    let mut next_kept = None;
    for step in function.steps.ids().rev().filter(|s| s.index() < function.steps.len()) {
        let useless = match function.steps[step].kind {
            StepKind::Skip => true,
            // A target that is dropped itself stands for the next step that is kept.
            StepKind::Goto { target } | StepKind::Branch { target, .. } => {
                target > step && next_kept.is_some_and(|next| target <= next)
            }
            _ => false,
        };
        if useless {
            kept.remove(step.index());
        } else if kept.contains(step.index()) {
            next_kept = Some(step);
        }
    }
    kept
}

/// Drops all other steps; a jump to one of them goes to the next that is kept.
fn keep(function: &mut Function, kept: &BitSet) {
    let mut new_id = Vec::with_capacity(function.steps.len());
    let mut count = 0;
    for step in 0..function.steps.len() {
        new_id.push(StepId::new(count));
        count += usize::from(kept.contains(step));
    }
    let old = std::mem::replace(&mut function.steps, IndexVec::with_capacity(count));
    for (id, step) in old.iter_enumerated().filter(|(id, _)| kept.contains(id.index())) {
        let mut kind = step.kind.clone();
        if let StepKind::Goto { target } | StepKind::Branch { target, .. } = &mut kind {
            *target = new_id[target.index()];
        }
        debug_assert!(new_id[id.index()] == function.steps.next_id());
        function.steps.push(Step { kind, loc: step.loc });
    }
}
