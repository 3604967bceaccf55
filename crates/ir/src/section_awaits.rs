//! What may block in each atomic section.
//!
//! A scheduler must know which threads can move. A section without an `await` always can. One with a single `await`
//! is tried up to that point; only where several can follow each other is the whole section tried.

use heddle_base::{Id, IndexVec};

use crate::program::{FuncId, Function, Program};
use crate::step::{Callee, StepId, StepKind};
use crate::uninitialised::successors;

/// What may block in an atomic section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaits {
    /// Nothing: the section can always be executed.
    None,
    /// One `await`; once it is passed, the section goes through.
    One,
    /// More than one may follow each other.
    Many,
}

/// For every function its `AtomicBegin` steps and what may block behind them.
pub fn section_awaits(program: &Program) -> IndexVec<FuncId, Vec<(StepId, Awaits)>> {
    let may_await = may_await(program);
    program
        .functions
        .iter()
        .map(|function| {
            let begins = function.steps.iter_enumerated();
            begins
                .filter(|(_, step)| matches!(step.kind, StepKind::AtomicBegin { .. }))
                .map(|(id, _)| (id, classify(function, id, &may_await)))
                .collect()
        })
        .collect()
}

/// Functions that can execute an `await`, by themselves or in a call.
fn may_await(program: &Program) -> IndexVec<FuncId, bool> {
    let mut may = IndexVec::from_elem(false, program.functions.len());
    loop {
        let mut changed = false;
        for (id, function) in program.functions.iter_enumerated() {
            let awaits = function.steps.iter().any(|step| step_may_await(&step.kind, &may));
            if awaits && !may[id] {
                may[id] = true;
                changed = true;
            }
        }
        if !changed {
            return may;
        }
    }
}

fn step_may_await(kind: &StepKind, may: &IndexVec<FuncId, bool>) -> bool {
    match kind {
        // In a section, an assumption that does not hold blocks like an `await`.
        StepKind::Await { .. } | StepKind::Assume { .. } => true,
        StepKind::Call { callee: Callee::Direct(func), .. } => may[*func],
        StepKind::Call { callee: Callee::Indirect(_), .. } => true,
        _ => false,
    }
}

fn classify(function: &Function, begin: StepId, may: &IndexVec<FuncId, bool>) -> Awaits {
    let reached = awaits_after(function, begin, 0, may);
    if reached.is_empty() {
        return Awaits::None;
    }
    let single = reached.iter().all(|&(step, depth)| {
        let is_await = matches!(function.steps[step].kind, StepKind::Await { .. } | StepKind::Assume { .. });
        is_await && awaits_after(function, step, depth, may).is_empty()
    });
    if single { Awaits::One } else { Awaits::Many }
}

/// Steps that may block and that can follow `from` (at nesting depth `depth`, before it) until the section ends, with
/// their depths. A section that outlives its function is followed no further: there a return counts as blocking.
fn awaits_after(function: &Function, from: StepId, depth: u32, may: &IndexVec<FuncId, bool>) -> Vec<(StepId, u32)> {
    // A step may be reached at several depths, and few occur: one bit each.
    let mut seen = IndexVec::<StepId, u64>::from_elem(0, function.steps.len());
    let after = |step: StepId, depth: u32| match function.steps[step].kind {
        StepKind::AtomicBegin { .. } => (depth + 1).min(62),
        StepKind::AtomicEnd => depth.saturating_sub(1),
        _ => depth,
    };
    let mut work: Vec<(StepId, u32)> = Vec::new();
    let start = after(from, depth);
    work.extend(successors(function, from).into_iter().map(|s| (s, start)));
    let mut found = Vec::new();
    while let Some((step, depth)) = work.pop() {
        if depth == 0 || seen[step] & 1 << depth != 0 {
            continue;
        }
        seen[step] |= 1 << depth;
        let kind = &function.steps[step].kind;
        if step_may_await(kind, may) || matches!(kind, StepKind::Return { .. }) {
            found.push((step, depth));
        }
        let depth = after(step, depth);
        work.extend(successors(function, step).into_iter().map(|s| (s, depth)));
    }
    found.sort_by_key(|&(step, depth)| (step.index(), depth));
    found
}
