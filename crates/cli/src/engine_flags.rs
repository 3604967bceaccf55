//! Flags that go with some engines only, `--dump-smt2` and `--solver` among them: what is wrong with them is said before
//! anything is checked.

use std::path::Path;

use heddle_base::Budget;
use heddle_engines::Flag;
use heddle_solver::Terms;
use heddle_solver::smtlib::ExternalSolver;

use crate::args::CheckArgs;

/// Looks at the flags: whether they go with the engine, the directory can be written to, and the solver answers.
pub fn check_flags(args: &CheckArgs) -> Result<(), String> {
    for flag in Flag::ALL.into_iter().filter(|flag| is_given(*flag, args)) {
        if !args.engine.takes(flag) {
            let engines: Vec<&str> = flag.engines().collect();
            return Err(format!("{} goes with --engine {}", flag.name(), one_of(&engines)));
        }
    }
    if let Some(directory) = &args.dump_smt2 {
        writable(directory).map_err(|error| format!("--dump-smt2 {}: {error}", directory.display()))?;
    }
    if let Some(command) = &args.solver {
        answers(command).map_err(|error| format!("--solver '{command}': {error}"))?;
    }
    Ok(())
}

fn is_given(flag: Flag, args: &CheckArgs) -> bool {
    match flag {
        Flag::Unwind => args.unwind.is_some() || !args.unwindset.is_empty(),
        Flag::Contexts => args.contexts.is_some(),
        Flag::Choices => args.choices.is_some(),
        Flag::NoReduction => args.no_reduction,
        Flag::DumpSmt2 => args.dump_smt2.is_some(),
        Flag::Solver => args.solver.is_some(),
        Flag::Hunt => args.hunt,
        Flag::Assume => !args.assume.is_empty(),
    }
}

/// `lazy, record or widen`.
fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The solver that the flags name, which was seen to answer.
pub fn solver(args: &CheckArgs) -> Option<ExternalSolver> {
    args.solver.as_deref().and_then(|command| ExternalSolver::new(command).ok())
}

/// Makes the directory if need be, and a file in it.
fn writable(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let probe = directory.join(format!(".heddle.{}.part", std::process::id()));
    std::fs::write(&probe, "")?;
    std::fs::remove_file(&probe)
}

/// How long a solver may take to say that true is satisfiable.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// Asks a question whose answer is known.
fn answers(command: &str) -> Result<(), String> {
    let solver = ExternalSolver::new(command).map_err(|error| error.to_string())?;
    let budget = Budget::unlimited().with_time(PATIENCE);
    match solver.solve(&Terms::new(), &[Terms::TRUE], &[], &budget) {
        Ok(answer) if answer.is_sat() => Ok(()),
        Ok(_) => Err("it does not say that true is satisfiable".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
