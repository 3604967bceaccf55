//! `heddle cc`: stands in for the C compiler of a build.
//!
//! It runs the real compiler with the same arguments, and adds to what that makes the record of how it was made
//! ([`crate::record`]). So a build goes on as ever, and `heddle check ./program` checks what was linked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::compiler_flags::{Invocation, Stage};
use crate::record::{self, Unit};

/// Runs the command. The real compiler is the one that `HEDDLE_CC` names, or `cc`.
pub fn run(args: &[OsString]) -> Outcome {
    let compiler = std::env::var("HEDDLE_CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".to_owned());
    let mut words = compiler.split_whitespace();
    let status = Command::new(words.next().unwrap_or("cc")).args(words).args(args).status();
    let status = match status {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: cannot run `{compiler}`: {error} (set HEDDLE_CC)");
            return Outcome::BadInput;
        }
    };
    if !status.success() {
        return Outcome::Status(status.code().map_or(1, |code| code as u8));
    }
    let invocation = Invocation::parse(args);
    let directory = std::env::current_dir().unwrap_or_default();
    for (object, units) in made(&invocation, &directory) {
        if !object.is_file() {
            continue;
        }
        if let Err(problem) = record::write(&object, &units) {
            eprintln!("warning: heddle cc: {}: no record of its sources: {problem}", object.display());
        }
    }
    Outcome::Done
}

/// What the compiler made, and from which sources.
fn made(invocation: &Invocation, directory: &Path) -> Vec<(PathBuf, Vec<Unit>)> {
    let units = Unit::of(invocation, directory);
    if units.is_empty() {
        return Vec::new();
    }
    match invocation.stage {
        Stage::Less => Vec::new(),
        Stage::Link => vec![(invocation.output.clone().unwrap_or_else(|| "a.out".into()), units)],
        Stage::Compile => match &invocation.output {
            Some(output) => vec![(output.clone(), units)],
            None => units.into_iter().map(|unit| (object_of(&unit.file), vec![unit])).collect(),
        },
    }
}

fn object_of(source: &Path) -> PathBuf {
    PathBuf::from(source.file_name().unwrap_or_default()).with_extension("o")
}
