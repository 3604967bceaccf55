//! No violation rests on a guess.
//!
//! A function without a body or a model, and assembler that is not interpreted, give values that nothing is known of. For a
//! proof they are arbitrary, which covers all that they can be; a violation that needs one of them may be no violation at
//! all. So a violation must also show in the *cautious* program, in which a thread stops where it would get such a value
//! ([`StepKind::Unsupported`]). Where none does, the cautious program is checked too. If it has none either, the answer is
//! `UNKNOWN depends`, and names the value.
//!
//! A value that influences nothing (it is printed, or dropped) is no guess, nor is one whose domain the user has given.

use std::fmt::Write as _;

use heddle_ir::{Callee, FuncId, Function, InputId, InputKind, Program, RegId, StepKind};
use heddle_machine::{Config, ExitMode, Halt, Limits, Outcome, Prepared, replay};
use heddle_task::{Counterexample, Reason, Run, Schedule, Task, Verdict};

use crate::Engine;

/// Checks a task with an engine, and keeps only violations that rest on no guess.
pub fn check_without_guesses(engine: &dyn Engine, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
    let verdict = engine.check(task, prepared, run);
    let Verdict::Unsafe(found) = verdict else { return verdict };
    let guesses = guesses(task);
    if guesses.is_empty() {
        return Verdict::Unsafe(found);
    }
    let program = cautious(task.program, &guesses);
    let cautious = Task { program: &program, ..task.clone() };
    let depends = |found: &Counterexample| Verdict::Unknown(Reason::Depends(explain(task.program, &guesses, found)));
    let Ok(again) = Prepared::new(&cautious, &run.budget) else { return depends(&found) };
    // Violations that were found and show without any guess.
    let Counterexample { violation, schedule, trace, others } = *found;
    let mut all = vec![Counterexample { violation, schedule, trace, others: Vec::new() }];
    all.extend(others);
    let first = all[0].clone();
    all.retain(|one| execute(&cautious, &again, &one.schedule, run).is_some());
    if let Some(kept) = joined(all) {
        return Verdict::Unsafe(Box::new(kept));
    }
    match engine.check(&cautious, &again, run) {
        Verdict::Unsafe(found) => {
            // The turns are the same where no guess is made.
            let all = std::iter::once(&*found).chain(&found.others);
            let here = all.filter_map(|one| execute(task, prepared, &one.schedule, run)).collect();
            joined(here).map_or_else(|| depends(&first), |kept| Verdict::Unsafe(Box::new(kept)))
        }
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => depends(&first),
    }
}

fn joined(mut all: Vec<Counterexample>) -> Option<Counterexample> {
    if all.is_empty() {
        return None;
    }
    let first = all.remove(0);
    Some(Counterexample { others: all, ..first })
}

/// Lets the machine execute a schedule of a program that differs in guesses alone.
fn execute(task: &Task<'_>, prepared: &Prepared, schedule: &Schedule, run: &Run<'_>) -> Option<Counterexample> {
    let program = format!("{:016x}", prepared.code.fingerprint());
    let schedule = Schedule { program, ..schedule.clone() };
    let config = Config {
        properties: task.properties,
        limits: Limits { thread_steps: task.bounds.steps, ..Limits::default() },
        exit: ExitMode::Immediate,
        events: false,
        output: true,
        standard_input: None,
    };
    match replay(task.program, &prepared.code, &schedule, config, &run.budget) {
        Ok((Outcome::Halted(Halt::Violation(violation)), trace)) => {
            Some(Counterexample { violation: *violation, schedule, trace, others: Vec::new() })
        }
        Ok(_) | Err(_) => None,
    }
}

/// Inputs that nothing is known of and that may influence something.
fn guesses(task: &Task<'_>) -> Vec<InputId> {
    let program = task.program;
    let is_known = |name: &str| task.domains.iter().any(|(known, _)| known == name);
    let mut found = Vec::new();
    for (func, function) in program.functions.iter_enumerated() {
        for step in function.steps.iter() {
            let StepKind::Havoc { dst, input } = step.kind else { continue };
            let is_guess = match program.inputs[input].kind {
                InputKind::External | InputKind::Asm => true,
                InputKind::Nondet | InputKind::Uninit | InputKind::Argument => false,
            };
            if is_guess && !is_known(&program.inputs[input].name) && influences(program, func, dst) {
                found.push(input);
            }
        }
    }
    found
}

/// Whether the value of a register can influence anything but other registers and the output.
fn influences(program: &Program, func: FuncId, reg: RegId) -> bool {
    let (mut seen, mut work) = (vec![(func, reg)], vec![(func, reg)]);
    while let Some((func, reg)) = work.pop() {
        let mut reached = Vec::new();
        let function = &program.functions[func];
        for step in function.steps.iter() {
            let reads = step.kind.operands().into_iter().any(|operand| mentions(function, operand, reg));
            match &step.kind {
                _ if !reads => {}
                StepKind::Assign { dst, .. } => reached.push((func, *dst)),
                StepKind::Output { .. } => {}
                StepKind::Return { .. } => reached.extend(results(program, func)),
                _ => return true,
            }
        }
        for one in reached {
            if !seen.contains(&one) {
                seen.push(one);
                work.push(one);
            }
        }
    }
    false
}

/// The registers that get the result of a function.
fn results(program: &Program, callee: FuncId) -> Vec<(FuncId, RegId)> {
    let mut found = Vec::new();
    for (func, function) in program.functions.iter_enumerated() {
        for step in function.steps.iter() {
            match step.kind {
                StepKind::Call { dst: Some(dst), callee: Callee::Direct(called), .. } if called == callee => {
                    found.push((func, dst));
                }
                StepKind::Call { dst: Some(dst), callee: Callee::Indirect(_), .. } => found.push((func, dst)),
                _ => {}
            }
        }
    }
    found
}

fn mentions(function: &Function, expr: heddle_ir::ExprId, reg: RegId) -> bool {
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        if function.exprs[expr] == heddle_ir::Expr::Reg(reg) {
            return true;
        }
        work.extend(function.exprs[expr].operands());
    }
    false
}

/// The program in which threads stop where they would guess.
fn cautious(program: &Program, guesses: &[InputId]) -> Program {
    let mut program = program.clone();
    for function in program.functions.iter_mut() {
        for step in function.steps.iter_mut() {
            if let StepKind::Havoc { input, .. } = step.kind
                && guesses.contains(&input)
            {
                let what = format!("the value of `{}`", program.inputs[input].name);
                step.kind = StepKind::Unsupported { what };
            }
        }
    }
    program
}

/// What a violation depends on, as far as it is known: any of the guesses.
fn explain(program: &Program, guesses: &[InputId], found: &Counterexample) -> String {
    let mut text = format!("a violation ({}) depends on ", found.violation.message);
    for (i, &guess) in guesses.iter().take(4).enumerate() {
        let input = &program.inputs[guess];
        let or = if i > 0 { " or " } else { "" };
        let place = program.sources.display(place_of(program, guess).unwrap_or(input.loc));
        let _ = match input.kind {
            InputKind::Asm => write!(text, "{or}what the assembler does at {place}"),
            _ => write!(text, "{or}what `{}` returns at {place}", input.name),
        };
    }
    text.push_str("; say what it may be with --stub NAME=VALUES or a C file, or see the trace with --allow-guesses");
    text
}

/// Where a guess is made: the first call of the function that makes it.
fn place_of(program: &Program, guess: InputId) -> Option<heddle_base::Loc> {
    let makes = |function: &Function| {
        function.steps.iter().any(|step| matches!(step.kind, StepKind::Havoc { input, .. } if input == guess))
    };
    let (maker, function) = program.functions.iter_enumerated().find(|(_, function)| makes(function))?;
    if !function.external {
        return None;
    }
    let mut steps = program.functions.iter().filter(|f| !f.model).flat_map(|f| f.steps.iter());
    steps
        .find(|s| matches!(s.kind, StepKind::Call { callee: Callee::Direct(called), .. } if called == maker))
        .map(|s| s.loc)
}
