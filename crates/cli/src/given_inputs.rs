//! `--input` and `--strict-inputs`: inputs that have one value, and programs that read others.

use heddle_ir::show::place;
use heddle_ir::{Base, Callee, ConstValue, Expr, FuncId, InputKind, Program, StepKind};

use crate::args::CheckArgs;

/// All values of inputs that the flags name: those of `--domain`, and one for each `--input`.
pub fn domains(args: &CheckArgs) -> Vec<(String, Vec<i128>)> {
    let given = args.given.iter().map(|(name, value)| (name.clone(), vec![*value]));
    args.domains.iter().cloned().chain(given).collect()
}

/// Looks at what the flags say of inputs: every one of them has its values once, and with `--strict-inputs` all have.
pub fn check(args: &CheckArgs, program: &Program) -> Result<(), String> {
    let named = domains(args);
    for (i, (name, _)) in named.iter().enumerate() {
        if named[..i].iter().any(|(other, _)| other == name) {
            return Err(format!("input `{name}` is given twice"));
        }
    }
    if !args.strict_inputs {
        return Ok(());
    }
    for func in reachable(program) {
        for step in program.functions[func].steps.iter() {
            let StepKind::Havoc { input, .. } = step.kind else { continue };
            let read = &program.inputs[input];
            if read.kind != InputKind::Uninit && !named.iter().any(|(name, _)| *name == read.name) {
                let at = place(program, step.loc);
                return Err(format!("{at}: input `{}` is read and has no value (--strict-inputs)", read.name));
            }
        }
    }
    Ok(())
}

/// Functions that may be called: from the first one on, and those whose address is used.
fn reachable(program: &Program) -> Vec<FuncId> {
    let mut found = vec![program.entry];
    let initial = program.globals.iter().flat_map(|global| &global.init);
    found.extend(initial.filter_map(|item| if let ConstValue::Func(func) = item.value { Some(func) } else { None }));
    let mut at = 0;
    while let Some(&func) = found.get(at) {
        at += 1;
        let function = &program.functions[func];
        let called = function.steps.iter().filter_map(|step| match step.kind {
            StepKind::Call { callee: Callee::Direct(func), .. }
            | StepKind::Spawn { callee: Callee::Direct(func), .. } => Some(func),
            _ => None,
        });
        let used = function.exprs.iter().filter_map(|expr| match *expr {
            Expr::Addr { base: Base::Func(func), .. } => Some(func),
            _ => None,
        });
        for func in called.chain(used).collect::<Vec<_>>() {
            if !found.contains(&func) {
                found.push(func);
            }
        }
    }
    found
}
