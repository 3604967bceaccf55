//! The `heddle` command line: see `heddle --help`.
//!
//! Standard output carries the answer only. Exit codes: 0 safe (also within a bound) or done, 1 a violation, 2 wrong usage
//! or unreadable input, 3 undecided.

use std::process::ExitCode;

use clap::Parser;

mod args;
mod input;
mod show;

use args::{Cli, Command};

/// What a command comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// It is done.
    Done,
    /// The input cannot be used; why was said on standard error.
    BadInput,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::BadInput => 2,
        })
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Show(args) => show::run(args),
    };
    outcome.into()
}
