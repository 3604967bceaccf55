//! Properties of paths: atomic sections, `await`, lives of locals.

use heddle_base::{Id, IndexVec};

use super::{Errors, Place, VerifyErrorKind};
use crate::bits::BitSet;
use crate::expr::{Base, Expr, ExprId};
use crate::program::{FuncId, Function, Program, SlotId};
use crate::step::{Callee, StepId, StepKind};

pub(super) fn verify_flow(program: &Program, errors: &mut Errors) {
    let writers = may_write(program);
    for (id, function) in program.functions.iter_enumerated() {
        let place = |step| Place::Step(id, function.name.clone(), step);
        for (step, kind) in sections(function, &writers) {
            errors.place = place(step);
            errors.push(kind);
        }
        for (step, slot) in dead_uses(function) {
            errors.place = place(step);
            errors.push(VerifyErrorKind::NotLive(function.slots[slot].name.clone()));
        }
    }
}

/// The functions that may write memory, or call one that does.
fn may_write(program: &Program) -> IndexVec<FuncId, bool> {
    let mut writes: IndexVec<FuncId, bool> = IndexVec::from_elem(false, program.functions.len());
    let mut callers: IndexVec<FuncId, Vec<FuncId>> = IndexVec::from_elem(Vec::new(), program.functions.len());
    let mut todo = Vec::new();
    for (id, function) in program.functions.iter_enumerated() {
        for step in function.steps.iter() {
            if let StepKind::Call { callee: Callee::Direct(callee), .. } = step.kind {
                callers[callee].push(id);
            }
        }
        if function.steps.iter().any(|s| writes_itself(&s.kind)) {
            todo.push(id);
        }
    }
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut writes[id], true) {
            todo.extend(&callers[id]);
        }
    }
    writes
}

fn writes_itself(step: &StepKind) -> bool {
    matches!(
        step,
        StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Alloc { .. }
            | StepKind::Free { .. }
            | StepKind::Spawn { .. }
            | StepKind::Call { callee: Callee::Indirect(_), .. }
    )
}

/// What holds before a step: open sections, and whether something may have been written in the outermost.
#[derive(Clone, Copy, PartialEq)]
struct Open {
    depth: u32,
    written: bool,
}

fn sections(function: &Function, writers: &IndexVec<FuncId, bool>) -> Vec<(StepId, VerifyErrorKind)> {
    let mut before: IndexVec<StepId, Option<Open>> = IndexVec::from_elem(None, function.steps.len());
    let mut found = Vec::new();
    let start = StepId::new(0);
    before[start] = Some(Open { depth: 0, written: false });
    let mut todo = vec![start];
    while let Some(at) = todo.pop() {
        let Some(open) = before[at] else { continue };
        let mut after = open;
        match &function.steps[at].kind {
            StepKind::AtomicBegin { .. } => {
                after = Open { depth: open.depth + 1, written: open.written && open.depth > 0 };
            }
            StepKind::AtomicEnd => after.depth = open.depth.saturating_sub(1),
            StepKind::Call { callee: Callee::Direct(callee), .. } => after.written |= writers[*callee],
            other => after.written |= writes_itself(other),
        }
        after.written &= after.depth > 0;
        for next in successors(function, at) {
            match &mut before[next] {
                Some(known) if known.depth != after.depth => {
                    found.push((next, VerifyErrorKind::SectionDepth { one: known.depth, other: after.depth }));
                }
                Some(known) if known.written || !after.written => {}
                slot => {
                    *slot = Some(after);
                    todo.push(next);
                }
            }
        }
    }
    // Steps are judged once, with what all paths to them bring.
    for (at, open) in before.iter_enumerated() {
        let Some(open) = open else { continue };
        let wrong = match function.steps[at].kind {
            StepKind::AtomicEnd if open.depth == 0 => VerifyErrorKind::SectionNotOpen,
            StepKind::Return { .. } if open.depth > 0 => VerifyErrorKind::SectionOpenAtReturn,
            StepKind::Await { .. } if open.depth == 0 => VerifyErrorKind::AwaitOutsideSection,
            StepKind::Await { .. } if open.written => VerifyErrorKind::AwaitAfterWrite,
            _ => continue,
        };
        found.push((at, wrong));
    }
    found.sort_by_key(|&(step, _)| step);
    found.dedup();
    found
}

fn successors(function: &Function, at: StepId) -> impl Iterator<Item = StepId> {
    let kind = &function.steps[at].kind;
    let next = kind.falls_through().then(|| StepId::new(at.index() + 1));
    next.into_iter().chain(kind.target())
}

/// Steps that name a local which is live on no path to them.
fn dead_uses(function: &Function) -> Vec<(StepId, SlotId)> {
    if function.slots.is_empty() {
        return Vec::new();
    }
    let named = slots_named(function);
    let mut before: IndexVec<StepId, Option<BitSet>> = IndexVec::from_elem(None, function.steps.len());
    let start = StepId::new(0);
    before[start] = Some(BitSet::new(function.slots.len()));
    let mut todo = vec![start];
    while let Some(at) = todo.pop() {
        let Some(mut live) = before[at].clone() else { continue };
        match function.steps[at].kind {
            StepKind::Live { slot } => drop(live.insert(slot.index())),
            StepKind::Dead { slot } => live.remove(slot.index()),
            _ => {}
        }
        for next in successors(function, at) {
            let changed = match &mut before[next] {
                Some(known) => known.union_with(&live),
                slot => {
                    *slot = Some(live.clone());
                    true
                }
            };
            if changed {
                todo.push(next);
            }
        }
    }
    let mut found = Vec::new();
    for (at, live) in before.iter_enumerated() {
        let Some(live) = live else { continue };
        let operands = function.steps[at].kind.operands();
        let mut slots: Vec<SlotId> = operands.iter().flat_map(|&e| named[e].iter().copied()).collect();
        slots.sort_unstable();
        slots.dedup();
        found.extend(slots.into_iter().filter(|s| !live.contains(s.index())).map(|s| (at, s)));
    }
    found
}

/// The locals whose addresses occur in an expression.
fn slots_named(function: &Function) -> IndexVec<ExprId, Vec<SlotId>> {
    let mut named: IndexVec<ExprId, Vec<SlotId>> = IndexVec::with_capacity(function.exprs.len());
    for expr in function.exprs.iter() {
        let slots = match *expr {
            Expr::Addr { base: Base::Slot(slot), .. } => vec![slot],
            _ => {
                let mut all: Vec<SlotId> = expr.operands().flat_map(|o| named[o].iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        };
        named.push(slots);
    }
    named
}
