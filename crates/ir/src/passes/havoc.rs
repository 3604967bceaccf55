//! Drops `havoc` of locals that were never given a value and are not read before they get one: lowering puts one at every
//! declaration, and most do nothing.

use crate::cfg::Cfg;
use crate::liveness::Liveness;
use crate::program::{Function, InputKind, Program};
use crate::step::{StepId, StepKind};
use crate::verify::debug_verify;
use heddle_base::Id;

/// Replaces such steps by `skip`. Inputs that the program means to be arbitrary stay: reports show them.
pub fn dead_havoc(program: &mut Program) {
    let uninit: Vec<bool> = program.inputs.iter().map(|i| i.kind == InputKind::Uninit).collect();
    for function in program.functions.iter_mut() {
        for step in dead(function, &uninit) {
            function.steps[step].kind = StepKind::Skip;
        }
    }
    debug_verify(program);
}

fn dead(function: &Function, uninit: &[bool]) -> Vec<StepId> {
    let candidate = |kind: &StepKind| match kind {
        StepKind::Havoc { dst, input } if uninit[input.index()] => Some(*dst),
        _ => None,
    };
    if !function.steps.iter().any(|s| candidate(&s.kind).is_some()) {
        return Vec::new();
    }
    let cfg = Cfg::new(function);
    let mut found = Vec::new();
    Liveness::new(function, &cfg).for_each_step(function, &cfg, |step, live| {
        if candidate(&function.steps[step].kind).is_some_and(|dst| !live.contains(dst.index())) {
            found.push(step);
        }
    });
    found
}
