//! The `heddle` command line: see `heddle --help`. A library, so that tests read programs and flags as the command does.
//!
//! Standard output carries the answer only. Exit codes: 0 safe (also within a bound) or done, 1 a violation, 2 wrong usage
//! or unreadable input, 3 undecided.

use std::process::ExitCode;

use clap::Parser;

pub mod args;
mod arguments;
mod boolean;
mod cc;
pub mod check;
mod compiler_flags;
pub mod defuse;
mod engine_flags;
mod execute;
mod given_inputs;
pub mod input;
mod invariants;
mod limits;
pub mod native;
mod output;
mod project;
mod record;
pub mod reports;
mod shell;
mod show;
mod suppressions;
mod task_definition;
mod terminal;
pub mod validate;
mod watchdog;

use args::{Cli, Command};

/// What a command comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is done: safe, or safe within a bound, or nothing was asked.
    Done,
    /// A property is violated.
    Violation,
    /// The input cannot be used; why was said on standard error.
    BadInput,
    /// A limit or something unsupported stood in the way.
    Undecided,
    /// The program's own status.
    Status(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::Violation => 1,
            Outcome::BadInput => 2,
            Outcome::Undecided => 3,
            Outcome::Status(status) => status,
        })
    }
}

/// Stack for calls that are nested as deep as engines follow them. Only what is used takes memory.
const STACK: usize = 1 << 29;

/// Does what the command line asks for.
pub fn main() -> ExitCode {
    let words = match arguments::normalise(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(message) => {
            eprintln!("error: {message}");
            return Outcome::BadInput.into();
        }
    };
    let cli = Cli::parse_from(words);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has been reported; its exit code is the usual one.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> ExitCode {
    let outcome = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Run(args) => execute::run(args),
        Command::Replay(args) => execute::replay(args),
        Command::Validate(args) => validate::run(args),
        Command::Show(args) => show::run(args),
        Command::Defuse(args) => defuse::run(args),
        Command::Query(args) => defuse::query(args),
        Command::CheckProof(args) => boolean::check_proof(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
        Command::Cc { args } => cc::run(args),
    };
    outcome.into()
}
