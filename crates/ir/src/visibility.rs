//! Which steps other threads can notice: before each of those a scheduler may switch.
//!
//! A step that is not visible commutes with all steps of other threads and belongs to the visible step before it
//! (docs/design.md, "Steps"). Soundness of exploration rests on this, so in doubt a step is visible. [`Visibility::conservative`]
//! knows the program's text alone: accesses that go straight to a local or thread-local whose address is used for
//! nothing else, and reads of constants, are invisible. A sharing analysis gives a smaller table with
//! [`Visibility::hide`].

use heddle_base::IndexVec;

use crate::expr::{Base, BinOp, Expr, ExprId};
use crate::program::{FuncId, Function, GlobalId, Program, SlotId};
use crate::sharing::Sharing;
use crate::step::{AllocKind, StepId, StepKind};
use crate::walk::Walker;

/// For every step whether it is visible, were it executed outside an atomic section.
#[derive(Clone, Debug)]
pub struct Visibility {
    steps: IndexVec<FuncId, IndexVec<StepId, bool>>,
}

impl Visibility {
    /// A table that somebody worked out: one truth value a step.
    pub fn of_steps(steps: IndexVec<FuncId, IndexVec<StepId, bool>>) -> Self {
        Visibility { steps }
    }

    /// What the program's text alone tells.
    pub fn conservative(program: &Program) -> Self {
        let escapes = Escapes::of(program);
        let steps = program
            .functions
            .iter_enumerated()
            .map(|(id, function)| {
                function.steps.iter().map(|step| escapes.is_visible(program, id, function, &step.kind)).collect()
            })
            .collect();
        Visibility { steps }
    }

    /// What the sharing analysis knows on top of that.
    pub fn analysed(program: &Program, sharing: &Sharing) -> Self {
        let mut visibility = Visibility::conservative(program);
        for (func, function) in program.functions.iter_enumerated() {
            for (step, kind) in function.steps.iter_enumerated().map(|(id, step)| (id, &step.kind)) {
                // The analysis speaks of accesses; what else makes a step visible is not its business.
                let access = match kind {
                    StepKind::Load { .. }
                    | StepKind::Store { .. }
                    | StepKind::Copy { .. }
                    | StepKind::Fill { .. }
                    | StepKind::Free { kind: AllocKind::Stack | AllocKind::Model, .. }
                    | StepKind::Dead { .. } => true,
                    // The process may end before it, and then the block is leaked.
                    StepKind::Free { kind: AllocKind::Heap, .. } => false,
                    StepKind::Assign { .. }
                    | StepKind::Havoc { .. }
                    | StepKind::Live { .. }
                    | StepKind::Alloc { .. }
                    | StepKind::ObjectSize { .. }
                    | StepKind::Goto { .. }
                    | StepKind::Branch { .. }
                    | StepKind::Call { .. }
                    | StepKind::Return { .. }
                    | StepKind::AtomicBegin { .. }
                    | StepKind::AtomicEnd
                    | StepKind::Await { .. }
                    | StepKind::Spawn { .. }
                    | StepKind::ThreadExit
                    | StepKind::ProcessExit { .. }
                    | StepKind::Unsupported { .. }
                    | StepKind::Assume { .. }
                    | StepKind::Assert { .. }
                    | StepKind::Sync { .. }
                    | StepKind::Output { .. }
                    | StepKind::Fence { .. }
                    | StepKind::Skip => false,
                };
                if access && !sharing.is_visible(func, step) {
                    visibility.hide(func, step);
                }
            }
        }
        visibility
    }

    /// Declares a step invisible: every object it can touch is known to one thread at that time.
    pub fn hide(&mut self, func: FuncId, step: StepId) {
        self.steps[func][step] = false;
    }

    /// Whether a step is visible.
    pub fn is_visible(&self, func: FuncId, step: StepId) -> bool {
        self.steps[func][step]
    }
}

/// Locals and thread-locals whose address is used for more than accessing them.
pub struct Escapes {
    slots: IndexVec<FuncId, IndexVec<SlotId, bool>>,
    globals: IndexVec<GlobalId, bool>,
    /// Whether a function has blocks on its stack that end when it returns.
    allocas: IndexVec<FuncId, bool>,
}

impl Escapes {
    /// The escapes of a program's text.
    pub fn of(program: &Program) -> Self {
        let on_stack = |kind: &StepKind| matches!(kind, StepKind::Alloc { kind: AllocKind::Stack, .. });
        let mut escapes = Escapes {
            allocas: program.functions.iter().map(|f| f.steps.iter().any(|step| on_stack(&step.kind))).collect(),
            slots: program.functions.iter().map(|f| IndexVec::from_elem(false, f.slots.len())).collect(),
            globals: IndexVec::from_elem(false, program.globals.len()),
        };
        let mut walker = Walker::new();
        for (id, function) in program.functions.iter_enumerated() {
            for step in function.steps.iter() {
                for operand in step.kind.operands() {
                    let place = is_place(&step.kind, operand).then(|| direct_base(function, operand)).flatten();
                    if place.is_none() {
                        escapes.note(id, function, operand, &mut walker);
                    }
                }
            }
        }
        escapes
    }

    /// Of a function's locals.
    pub fn slots(&self, func: FuncId) -> &IndexVec<SlotId, bool> {
        &self.slots[func]
    }

    fn note(&mut self, id: FuncId, function: &Function, expr: ExprId, walker: &mut Walker) {
        walker.visit(function, &[expr], |_, expr| match *expr {
            Expr::Addr { base: Base::Slot(slot), .. } => self.slots[id][slot] = true,
            Expr::Addr { base: Base::Global(global), .. } => self.globals[global] = true,
            Expr::Addr { base: Base::Func(_), .. }
            | Expr::Const { .. }
            | Expr::Reg(_)
            | Expr::SelfId
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cast { .. }
            | Expr::Ite { .. } => {}
        });
    }

    fn is_visible(&self, program: &Program, id: FuncId, function: &Function, kind: &StepKind) -> bool {
        let read = |addr| self.is_shared(program, id, function, addr, false);
        let write = |addr| self.is_shared(program, id, function, addr, true);
        match *kind {
            StepKind::Load { addr, .. } => read(addr),
            StepKind::Store { addr, .. } => write(addr),
            StepKind::Copy { dst, src, .. } => write(dst) || read(src),
            StepKind::Fill { dst, .. } => write(dst),
            StepKind::Dead { slot } => self.slots[id][slot],
            StepKind::Return { .. } => self.slots[id].iter().any(|&shared| shared) || self.allocas[id],
            StepKind::Free { kind, .. } => match kind {
                AllocKind::Heap | AllocKind::Stack | AllocKind::Model => true,
            },
            StepKind::ObjectSize { .. } => true,
            StepKind::AtomicBegin { .. }
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            // Others may go on before a thread is lost.
            | StepKind::Unsupported { .. } => true,
            StepKind::Assign { .. }
            | StepKind::Havoc { .. }
            // Nobody knows the object yet.
            | StepKind::Alloc { .. }
            | StepKind::Live { .. }
            | StepKind::Goto { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::AtomicEnd
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. }
            | StepKind::Output { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => false,
        }
    }

    fn is_shared(&self, program: &Program, id: FuncId, function: &Function, addr: ExprId, write: bool) -> bool {
        match direct_base(function, addr) {
            Some(Base::Slot(slot)) => self.slots[id][slot],
            Some(Base::Global(global)) => {
                let object = &program.globals[global];
                if object.thread_local { self.globals[global] } else { write || !object.constant }
            }
            // An access of code always faults, whoever else moves.
            Some(Base::Func(_)) => false,
            None => true,
        }
    }
}

/// Whether the operand is an address that the step accesses, and not a value.
fn is_place(kind: &StepKind, operand: ExprId) -> bool {
    match *kind {
        StepKind::Load { addr, .. } => addr == operand,
        StepKind::Store { addr, value, .. } => addr == operand && value != operand,
        StepKind::Copy { dst, src, len, .. } => (dst == operand || src == operand) && len != operand,
        StepKind::Fill { dst, byte, len, .. } => dst == operand && byte != operand && len != operand,
        StepKind::ObjectSize { addr, .. } => addr == operand,
        _ => false,
    }
}

/// The object that an address starts from, if the expression shows it: a constant address plus some number of bytes.
/// An access that strays from it is out of bounds, not an access of another object.
fn direct_base(function: &Function, expr: ExprId) -> Option<Base> {
    match function.exprs[expr] {
        Expr::Addr { base, .. } => Some(base),
        Expr::Binary(BinOp::PtrAdd, left, right) => {
            let base = direct_base(function, left)?;
            mentions_no_address(function, right).then_some(base)
        }
        Expr::Const { .. }
        | Expr::Reg(_)
        | Expr::SelfId
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cast { .. }
        | Expr::Ite { .. } => None,
    }
}

fn mentions_no_address(function: &Function, expr: ExprId) -> bool {
    let mut none = true;
    Walker::new().visit(function, &[expr], |_, expr| none &= !matches!(expr, Expr::Addr { .. }));
    none
}
