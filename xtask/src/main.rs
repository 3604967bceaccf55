//! Project chores.

mod stress_solver;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["stress", "solver", ..] => stress_solver::run(&args[2..]),
        _ => {
            Err("usage: cargo xtask stress solver [--seed S] [--count N] [--part NAME] [--against COMMAND]".to_owned())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
