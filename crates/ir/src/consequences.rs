//! What can come behind a step: whether anything that matters for some properties is reachable from it by control flow
//! alone, in its own call, in those it makes, or after it returns.
//!
//! Calls and returns are not matched (a return goes to every caller of the function), so the answer is an
//! over-approximation. Steps that matter: checks of the properties, writes and sections that other threads can notice,
//! starts and ends of threads, and, where memory is checked, every access whose address is not a constant.

use heddle_base::{Id, IndexVec};

use crate::bits::BitSet;
use crate::cfg::successors;
use crate::{
    AllocKind, Base, Callee, ConstValue, Expr, ExprId, FuncId, Function, Program, Property, PropertySet, StepId,
    StepKind, Visibility,
};

/// For each step of a program whether something that matters can come from it on.
pub struct Consequences {
    from: IndexVec<FuncId, BitSet>,
}

impl Consequences {
    /// Of a program and the properties that are checked.
    pub fn new(program: &Program, visibility: &Visibility, properties: PropertySet) -> Self {
        let mut from: IndexVec<FuncId, BitSet> =
            program.functions.iter().map(|function| BitSet::new(function.steps.len())).collect();
        let mut callers: IndexVec<FuncId, Vec<(FuncId, StepId)>> =
            IndexVec::from_elem(Vec::new(), program.functions.len());
        for (func, function) in program.functions.iter_enumerated() {
            for (at, step) in function.steps.iter_enumerated() {
                let visible = visibility.is_visible(func, at);
                if matters(program, function, &step.kind, visible, properties) {
                    from[func].insert(at.index());
                }
                if let StepKind::Call { callee: Callee::Direct(callee), .. } = step.kind {
                    callers[callee].push((func, at));
                }
            }
        }
        let open = called_elsewhere(program);
        // Backwards until nothing changes: a step leads to its successors, a call to its callee, a return to the callers.
        loop {
            let mut changed = false;
            let mut after: IndexVec<FuncId, bool> = IndexVec::from_elem(false, program.functions.len());
            for (func, sites) in callers.iter_enumerated() {
                after[func] = open[func] || sites.iter().any(|&(caller, at)| from[caller].contains(at.index() + 1));
            }
            for (func, function) in program.functions.iter_enumerated() {
                for (at, step) in function.steps.iter_enumerated().rev() {
                    if from[func].contains(at.index()) {
                        continue;
                    }
                    let leads = match step.kind {
                        StepKind::Return { .. } => after[func],
                        StepKind::Call { callee: Callee::Direct(callee), .. } if from[callee].contains(0) => true,
                        _ => successors(&step.kind, at).any(|next| from[func].contains(next.index())),
                    };
                    if leads {
                        changed |= from[func].insert(at.index());
                    }
                }
            }
            if !changed {
                return Consequences { from };
            }
        }
    }

    /// Whether something that matters can come from a step on, the step included.
    pub fn from(&self, func: FuncId, at: StepId) -> bool {
        self.from[func].contains(at.index())
    }
}

/// Functions that return to somebody who is not known: threads begin with them, or their address is used.
fn called_elsewhere(program: &Program) -> IndexVec<FuncId, bool> {
    let mut open = IndexVec::from_elem(false, program.functions.len());
    open[program.entry] = true;
    for function in program.functions.iter() {
        for expr in function.exprs.iter() {
            if let Expr::Addr { base: Base::Func(func), .. } = *expr {
                open[func] = true;
            }
        }
        for step in function.steps.iter() {
            if let StepKind::Spawn { callee: Callee::Direct(func), .. } = step.kind {
                open[func] = true;
            }
        }
    }
    for global in program.globals.iter() {
        for item in &global.init {
            if let ConstValue::Func(func) = item.value {
                open[func] = true;
            }
        }
    }
    open
}

fn matters(program: &Program, function: &Function, kind: &StepKind, visible: bool, properties: PropertySet) -> bool {
    let checks = |property| properties.contains(property);
    if visible && checks(Property::Race) {
        return true;
    }
    let wild = |addr: ExprId| {
        let constant = matches!(function.exprs[addr], Expr::Addr { .. });
        checks(Property::Memory) && !constant || checks(Property::Uninit)
    };
    match *kind {
        StepKind::Assert { check, .. } => checks(program.checks[check].property),
        StepKind::Load { addr, .. } => wild(addr),
        StepKind::Store { addr, .. } => visible || wild(addr),
        StepKind::Copy { dst, src, .. } => visible || wild(dst) || wild(src),
        StepKind::Fill { dst, .. } => visible || wild(dst),
        StepKind::Alloc { kind, .. } => kind == AllocKind::Heap && checks(Property::Leak),
        StepKind::Free { .. } | StepKind::ObjectSize { .. } => true,
        // What an unknown function does matters.
        StepKind::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
        StepKind::AtomicBegin { .. }
        | StepKind::Await { .. }
        | StepKind::Spawn { .. }
        | StepKind::ThreadExit
        | StepKind::ProcessExit { .. }
        | StepKind::Sync { .. }
        | StepKind::Fence { .. }
        | StepKind::Unsupported { .. } => true,
        StepKind::Assign { .. }
        | StepKind::Havoc { .. }
        | StepKind::Live { .. }
        | StepKind::Dead { .. }
        | StepKind::Goto { .. }
        | StepKind::Branch { .. }
        | StepKind::Return { .. }
        | StepKind::AtomicEnd
        | StepKind::Assume { .. }
        | StepKind::Skip
        | StepKind::Output { .. } => checks(Property::Uninit),
    }
}
