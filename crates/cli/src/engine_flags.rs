//! Flags that go with some engines only, `--dump-smt2` and `--solver` among them: what is wrong with them is said before
//! anything is checked.

use std::path::Path;

use heddle_base::Budget;
use heddle_solver::Terms;
use heddle_solver::smtlib::ExternalSolver;

use crate::args::{CheckArgs, EngineName};

/// Engines that search the reachability tree.
const CONTEXT_BOUNDED: [EngineName; 3] = [EngineName::Lazy, EngineName::Record, EngineName::Widen];

/// Looks at the flags: whether they go with the engine, the directory can be written to, and the solver answers.
pub fn check_flags(args: &CheckArgs) -> Result<(), String> {
    let in_tree = CONTEXT_BOUNDED.contains(&args.engine);
    let executes = args.engine == EngineName::Explore;
    if args.contexts.is_some() && !in_tree && !executes {
        return Err(
            "--contexts goes with --engine lazy, record, widen or explore: the others bound no switches".to_owned()
        );
    }
    if args.choices.is_some() && !in_tree {
        return Err("--choices goes with --engine lazy, record or widen".to_owned());
    }
    if args.no_reduction && !in_tree && !executes {
        return Err("--no-reduction goes with --engine explore, lazy, record or widen".to_owned());
    }
    if executes && (args.unwind.is_some() || !args.unwindset.is_empty()) {
        return Err(
            "--unwind and --unwindset do not go with --engine explore, which bounds steps: --max-steps".to_owned()
        );
    }
    if args.solver.is_some() && args.engine != EngineName::Clock {
        return Err("--solver goes with --engine clock: the other engines search with their own solver".to_owned());
    }
    if args.dump_smt2.is_some() && (executes || in_tree) {
        return Err("--dump-smt2 goes with --engine order, refine, clock or auto".to_owned());
    }
    if let Some(directory) = &args.dump_smt2 {
        writable(directory).map_err(|error| format!("--dump-smt2 {}: {error}", directory.display()))?;
    }
    if let Some(command) = &args.solver {
        answers(command).map_err(|error| format!("--solver '{command}': {error}"))?;
    }
    Ok(())
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
