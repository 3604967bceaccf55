//! Which registers may be used although they hold what was never initialised.
//!
//! `int i;` makes a `havoc`, and nearly always the value is overwritten before it is used. Where that is plain from
//! the text, the `havoc` is harmless and costs nothing. The other registers get a mark in the frame of the machine.

use heddle_base::{Id, IndexVec};
use rustc_hash::FxHashMap;

use crate::bits::BitSet;
use crate::cfg::Cfg;
use crate::liveness::Liveness;
use crate::program::{FuncId, Function, InputKind, Program, RegId};
use crate::step::{StepId, StepKind};
use crate::walk::Walker;

/// Registers that some path may use after a `havoc` of uninitialised contents and before a write.
pub fn used_uninitialised(program: &Program, function: &Function) -> Vec<RegId> {
    let mut found: Vec<RegId> = Vec::new();
    let mut walker = Walker::new();
    for (step, kind) in function.steps.iter_enumerated().map(|(id, step)| (id, &step.kind)) {
        if let StepKind::Havoc { dst, input } = *kind
            && program.inputs[input].kind == InputKind::Uninit
            && !found.contains(&dst)
            && may_use(function, &mut walker, step, dst)
        {
            found.push(dst);
        }
    }
    found
}

fn may_use(function: &Function, walker: &mut Walker, from: StepId, reg: RegId) -> bool {
    let mut seen = IndexVec::<StepId, bool>::from_elem(false, function.steps.len());
    let mut work = successors(function, from);
    while let Some(step) = work.pop() {
        if std::mem::replace(&mut seen[step], true) {
            continue;
        }
        let kind = &function.steps[step].kind;
        let mut used = false;
        walker.registers(function, kind, |read| used |= read == reg);
        if used {
            return true;
        }
        if kind.written_reg() != Some(reg) {
            work.extend(successors(function, step));
        }
    }
    false
}

/// For each step of a function the registers that are read by it or later, found when somebody asks.
#[derive(Default)]
pub struct LiveRegisters {
    of: FxHashMap<FuncId, IndexVec<StepId, BitSet>>,
}

impl LiveRegisters {
    /// The registers that are live before a step.
    pub fn before(&mut self, program: &Program, func: FuncId, step: StepId) -> &BitSet {
        let known = self.of.entry(func).or_insert_with(|| {
            let function = &program.functions[func];
            let cfg = Cfg::new(function);
            Liveness::new(function, &cfg).before(function, &cfg)
        });
        &known[step]
    }
}

/// The steps that can follow a step in its function.
pub fn successors(function: &Function, step: StepId) -> Vec<StepId> {
    let kind = &function.steps[step].kind;
    let next = StepId::new(step.index() + 1);
    let falls = kind.falls_through() && next.index() < function.steps.len();
    kind.target().into_iter().chain(falls.then_some(next)).collect()
}
