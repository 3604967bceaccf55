//! `cargo xtask results`: measures Heddle and writes `docs/results.md`.
//!
//! - `bounded`: the programs of `corpus/families/`, growing, by the engines on event graphs.
//! - `boolprog`: Boolean programs with unbounded thread creation, [BOOLPROG Table 4] and other families.
//! - `esbmc`: the programs of [ESBMC Tables 1 and 2] by the context-bounded engines, beside the paper's figures.
//! - `defuse`: the families of [DEFUSE Table II] by `heddle defuse`, beside the paper's figures.
//! - `native`: violations of the corpus that happen in the compiled program.
//! - `sizes DIR`: the initial formulas of those engines over a benchmark set.
//! - `set DIR`: verdicts and times over a benchmark set.
//!
//! Each rewrites its own section of the file and leaves the others alone. Heddle runs as a child, so that time and memory
//! are its own and a crash is noticed. An answer that contradicts the expectation fails the command.

mod boolprog;
mod child;
mod defuse;
mod document;
mod esbmc;
mod families;
mod native;
mod set;
mod sizes;
mod tasks;

use std::path::{Path, PathBuf};

use crate::flags::Flags;

/// How to call it.
pub const USAGE: &str = "cargo xtask results bounded [--seconds S] [--family NAME]
       cargo xtask results boolprog [--seconds S] [--family NAME]
       cargo xtask results esbmc [--seconds S] [--only NAME]
       cargo xtask results defuse [--binary FILE]
       cargo xtask results native [--binary FILE] [--only NAME]
       cargo xtask results sizes DIR [--seconds S] [--unwind N] [--only FOLDER,…]
       cargo xtask results set DIR [--seconds S] [--engine E] [--only FOLDER,…] [--peers CSV]";

/// The engines on event graphs, by their names on the command line.
const ENGINES: [&str; 3] = ["order", "refine", "clock"];

/// Runs one of the measurements.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["bounded", flags @ ..] => families::run(Flags::parse(flags)?),
        ["boolprog", flags @ ..] => boolprog::run(Flags::parse(flags)?),
        ["esbmc", flags @ ..] => esbmc::run(Flags::parse(flags)?),
        ["defuse", flags @ ..] => defuse::run(Flags::parse(flags)?),
        ["native", flags @ ..] => native::run(Flags::parse(flags)?),
        ["sizes", dir, flags @ ..] => sizes::run(Path::new(dir), Flags::parse(flags)?),
        ["set", dir, flags @ ..] => set::run(Path::new(dir), Flags::parse(flags)?),
        _ => Err(format!("usage: {USAGE}")),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// What ran, in a sentence that tables open with.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load
        .split(' ')
        .next()
        .filter(|l| !l.is_empty())
        .map_or(String::new(), |l| format!(" and a load average of {l}"));
    let version =
        std::process::Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(root()).output();
    let version = version.map_or(String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    format!("Measured at {version} on a shared machine with {cores} cores{load}: expect noise.")
}

/// The middle one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
