//! The families of [DEFUSE Table II] with `heddle defuse`, beside the paper's figures.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::document;
use crate::flags::Flags;

const SECTION: &str = "Definition-use testing";

/// A row: name, file, flags, and the paper's traces, pairs, implicit pairs and seconds.
type Row = (&'static str, &'static str, &'static [&'static str], u32, u32, u32, f64);

const ROWS: [Row; 22] = [
    ("account", "account", &[], 1, 8, 3, 0.10),
    ("arithmetic", "arithmetic", &[], 2, 16, 3, 0.38),
    ("banking", "banking", &[], 1, 27, 10, 0.82),
    ("twostage_10", "twostage", &["-DN=10"], 1, 7, 6, 0.24),
    ("twostage_3", "twostage", &["-DN=3"], 1, 6, 5, 0.09),
    ("lazy", "lazy", &[], 1, 7, 4, 0.04),
    ("micro_5", "micro", &["-DN=5"], 1, 324, 303, 482.29),
    ("queue", "queue", &[], 3, 27, 3, 0.40),
    ("reorder_20", "reorder", &["-DN=20"], 1, 6, 6, 0.37),
    ("reorder_2", "reorder", &["-DN=2"], 1, 6, 3, 0.05),
    ("stack", "stack", &[], 4, 12, 2, 3.77),
    ("stateful", "stateful", &[], 1, 8, 4, 0.13),
    ("token_ring", "token_ring", &[], 3, 16, 6, 0.20),
    ("blackscholes", "blackscholes", &[], 1, 18, 0, 64.99),
    ("lu-c 1", "lu", &["-DBUG=1"], 2, 65, 3, 1586.10),
    ("lu-c 2", "lu", &["-DBUG=2"], 2, 63, 5, 1082.93),
    ("fft 1", "fft", &["-DBUG=1"], 2, 110, 3, 2366.63),
    ("fft 2", "fft", &["-DBUG=2"], 2, 116, 13, 1753.27),
    ("radix 1", "radix", &["-DBUG=1"], 4, 93, 6, 2034.99),
    ("radix 2", "radix", &["-DBUG=2"], 3, 86, 8, 364.10),
    ("lu-nc", "lu", &["-DBUG=1", "-DCONTIGUOUS=0"], 1, 63, 10, 5131.84),
    ("pfscan", "pfscan", &[], 4, 35, 12, 10.12),
];

/// Runs all rows and writes the section; fails if a violation is not found.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let root = super::root();
    let binary = match flags.text("--binary") {
        Some(path) => PathBuf::from(path),
        None => {
            let build = ["build", "--quiet", "--release", "--package", "heddle"];
            let built = Command::new(env!("CARGO")).args(build).current_dir(&root).status();
            if !built.map_err(|error| format!("cargo build: {error}"))?.success() {
                return Err("heddle does not build".to_owned());
            }
            root.join("target/release/heddle")
        }
    };
    flags.finish()?;
    let mut body = format!(
        "`heddle defuse` on programs after [DEFUSE Table II], written anew and much smaller than the paper's; each has one order violation. {}\n\n\
         | program | LOC | instructions | formulas | traces | branch pairs | pairs | implicit | infeasible | solver s | s | MB | found by | paper: traces | pairs | implicit | s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        super::machine()
    );
    let mut missed = Vec::new();
    for (name, file, arguments, traces, pairs, implicit, seconds) in ROWS {
        let path = root.join("corpus/defuse").join(format!("{file}.c"));
        let lines =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?.lines().count();
        let begin = Instant::now();
        let output = Command::new(&binary)
            .args(["defuse", "--json", "--time-limit", "60"])
            .args(arguments)
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", binary.display()))?;
        let took = begin.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        let answer: serde_json::Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        let figure = |path: &str| answer.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
        let found = match answer.pointer("/violations/0/found_by").and_then(serde_json::Value::as_str) {
            Some(found) => found.to_owned(),
            None => {
                missed.push(name);
                "missed".to_owned()
            }
        };
        let _ = writeln!(
            body,
            "| {name} | {lines} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {took:.2} | {:.0} | {found} | {traces} | {pairs} | {implicit} | {seconds:.2} |",
            figure("/statistics/instructions"),
            figure("/statistics/formulas"),
            figure("/rounds"),
            figure("/branch_pairs/covered"),
            figure("/explicit") + figure("/implicit"),
            figure("/implicit"),
            figure("/infeasible"),
            figure("/statistics/solver_seconds"),
            figure("/statistics/memory_mb"),
        );
    }
    document::write_section(SECTION, &body)?;
    if missed.is_empty() { Ok(()) } else { Err(format!("not found: {}", missed.join(", "))) }
}
