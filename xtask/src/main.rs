//! Project chores.

mod bounds;
mod csmith;
mod dist;
mod flags;
mod native;
mod races;
mod random;
mod reality;
mod results;
mod schedules;
mod sequential;
mod shrink_lines;
mod stress;
mod stress_bp;
mod stress_solver;
mod tidy;

use std::process::ExitCode;

const SOLVER_USAGE: &str = "cargo xtask stress solver [--seed S] [--count N] [--part NAME] [--against COMMAND]";

const USAGES: [&str; 12] = [
    "usage: cargo xtask tidy",
    dist::USAGE,
    csmith::USAGE,
    sequential::USAGE,
    reality::USAGE,
    stress::USAGE,
    races::USAGE,
    bounds::USAGE,
    SOLVER_USAGE,
    stress_bp::USAGE,
    schedules::USAGE,
    results::USAGE,
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["tidy"] => tidy::run(),
        ["dist", ref flags @ ..] => dist::run(flags),
        ["csmith", ref flags @ ..] => csmith::run(flags),
        ["reality", ref flags @ ..] => reality::run(flags),
        ["sequential", ref flags @ ..] => sequential::run(flags),
        ["schedules", ref words @ ..] => schedules::run(words),
        ["stress", "solver", ..] => stress_solver::run(&args[2..]),
        ["stress", "bp", ref flags @ ..] => stress_bp::run(flags),
        ["stress", "bounds", ref flags @ ..] => bounds::run(flags),
        ["stress", "races", ref flags @ ..] => races::run(flags),
        ["stress", ref flags @ ..] => stress::run(flags),
        ["results", ref rest @ ..] => results::run(rest),
        _ => Err(USAGES.join("\n       ")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
