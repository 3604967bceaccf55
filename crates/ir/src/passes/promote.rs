//! Makes registers of locals that need no memory: scalars that are only ever accessed whole, by their own name, and written before
//! they are read. Lowering gives every local whose address is taken a place in memory; the address of a temporary that an
//! atomic builtin writes its result to, say, is used for nothing else.

use heddle_base::{Id, IndexVec};

use crate::bits::BitSet;
use crate::cfg::successors;
use crate::expr::{Base, Expr, ExprId};
use crate::layout::LayoutKind;
use crate::program::{Function, Program, Reg, RegId, Slot, SlotId};
use crate::step::{MemOrder, StepId, StepKind};
use crate::ty::Ty;
use crate::verify::debug_verify;

/// Promotes such locals of all functions.
pub fn promote(program: &mut Program) {
    let scalar: IndexVec<_, Option<Ty>> = program
        .layouts
        .iter()
        .map(|layout| match layout.kind {
            LayoutKind::Scalar(ty) => Some(ty),
            LayoutKind::Array { .. } | LayoutKind::Record { .. } | LayoutKind::Bytes => None,
        })
        .collect();
    for function in program.functions.iter_mut().filter(|function| !function.slots.is_empty()) {
        let mut types: IndexVec<SlotId, Option<Ty>> = function.slots.iter().map(|slot| scalar[slot.layout]).collect();
        drop_used_otherwise(function, &mut types);
        if types.iter().any(Option::is_some) {
            drop_read_early(function, &mut types);
            rewrite(function, &types);
        }
    }
    debug_verify(program);
}

/// The local whose address an expression is.
fn slot_of(function: &Function, expr: ExprId) -> Option<SlotId> {
    match function.exprs[expr] {
        Expr::Addr { base: Base::Slot(slot), offset: 0 } => Some(slot),
        _ => None,
    }
}

/// The local that a step accesses by its name, and the type of the access.
fn access(function: &Function, kind: &StepKind) -> Option<(SlotId, Ty)> {
    match *kind {
        StepKind::Load { addr, ty, access, .. } | StepKind::Store { addr, ty, access, .. } => {
            slot_of(function, addr).filter(|_| access.order == MemOrder::Plain).map(|slot| (slot, ty))
        }
        _ => None,
    }
}

/// Keeps those that are used for accesses of their own type alone.
fn drop_used_otherwise(function: &Function, types: &mut IndexVec<SlotId, Option<Ty>>) {
    let mut refuse = |expr: ExprId| {
        if let Expr::Addr { base: Base::Slot(slot), .. } = function.exprs[expr] {
            types[slot] = None;
        }
    };
    for expr in function.exprs.iter() {
        expr.operands().for_each(&mut refuse);
    }
    for step in function.steps.iter() {
        let accessed = access(function, &step.kind);
        let place = match step.kind {
            StepKind::Load { addr, .. } | StepKind::Store { addr, .. } if accessed.is_some() => Some(addr),
            _ => None,
        };
        let mut operands = step.kind.operands();
        if let Some(at) = operands.iter().position(|&operand| Some(operand) == place) {
            operands.remove(at);
        }
        operands.into_iter().for_each(&mut refuse);
    }
    for (slot, ty) in function.steps.iter().filter_map(|step| access(function, &step.kind)) {
        if types[slot] != Some(ty) {
            types[slot] = None;
        }
    }
}

/// Keeps those that are written on every way to a read.
fn drop_read_early(function: &Function, types: &mut IndexVec<SlotId, Option<Ty>>) {
    // What is written before each step on every way that was followed so far.
    let mut written: IndexVec<StepId, Option<BitSet>> = IndexVec::from_elem(None, function.steps.len());
    written[StepId::new(0)] = Some(BitSet::new(types.len()));
    let mut todo = vec![StepId::new(0)];
    while let Some(at) = todo.pop() {
        let kind = &function.steps[at].kind;
        let mut after = written[at].clone().expect("it was reached");
        match (kind, access(function, kind)) {
            (StepKind::Load { .. }, Some((slot, _))) if !after.contains(slot.index()) => types[slot] = None,
            (StepKind::Store { .. }, Some((slot, _))) => _ = after.insert(slot.index()),
            (StepKind::Live { slot } | StepKind::Dead { slot }, _) => after.remove(slot.index()),
            (_, _) => {}
        }
        for next in successors(kind, at) {
            let changed = match &mut written[next] {
                Some(known) => {
                    let lost: Vec<usize> = known.iter().filter(|&slot| !after.contains(slot)).collect();
                    lost.iter().for_each(|&slot| known.remove(slot));
                    !lost.is_empty()
                }
                unknown @ None => {
                    *unknown = Some(after.clone());
                    true
                }
            };
            if changed {
                todo.push(next);
            }
        }
    }
}

fn rewrite(function: &mut Function, types: &IndexVec<SlotId, Option<Ty>>) {
    let mut registers: IndexVec<SlotId, Option<RegId>> = IndexVec::from_elem(None, types.len());
    let mut places: IndexVec<SlotId, SlotId> = IndexVec::new();
    let mut kept: IndexVec<SlotId, Slot> = IndexVec::new();
    for (slot, ty) in types.iter_enumerated() {
        places.push(kept.next_id());
        match *ty {
            Some(ty) => {
                let name = Some(function.slots[slot].name.clone());
                registers[slot] = Some(function.regs.push(Reg { ty, name }));
            }
            None => _ = kept.push(function.slots[slot].clone()),
        }
    }
    if kept.len() == types.len() {
        return;
    }
    for step in function.steps.ids() {
        let kind = &function.steps[step].kind;
        let register = |slot: SlotId| registers[slot];
        let new = match (kind, access(function, kind)) {
            (&StepKind::Load { dst, .. }, Some((slot, _))) => register(slot).map(|from| {
                let value = function.exprs.push(Expr::Reg(from));
                StepKind::Assign { dst, value }
            }),
            (&StepKind::Store { value, .. }, Some((slot, _))) => {
                register(slot).map(|dst| StepKind::Assign { dst, value })
            }
            (&StepKind::Live { slot }, _) => {
                let skip = register(slot).map(|_| StepKind::Skip);
                Some(skip.unwrap_or(StepKind::Live { slot: places[slot] }))
            }
            (&StepKind::Dead { slot }, _) => {
                let skip = register(slot).map(|_| StepKind::Skip);
                Some(skip.unwrap_or(StepKind::Dead { slot: places[slot] }))
            }
            (_, _) => None,
        };
        if let Some(new) = new {
            function.steps[step].kind = new;
        }
    }
    for expr in function.exprs.iter_mut() {
        match expr {
            // Nobody uses it any more.
            Expr::Addr { base: Base::Slot(slot), .. } if registers[*slot].is_some() => {
                *expr = Expr::Const { ty: Ty::Ptr, bits: 0 };
            }
            Expr::Addr { base: Base::Slot(slot), .. } => *slot = places[*slot],
            _ => {}
        }
    }
    function.slots = kept;
}
