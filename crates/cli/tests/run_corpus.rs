//! `corpus/run/`: sequential programs that print, and what they print when compiled with gcc.
//!
//! `heddle run NAME.c` must print `NAME.out` and exit with the status of a first line `// status: N`, else with 0. A first line
//! `// data-model: ilp32` asks for that data model. Where gcc is at hand, with libraries for the data model, the compiled
//! program must do the same: so `NAME.out` is not our word alone.
//! `HEDDLE_BLESS=1 cargo test -p heddle --test run_corpus` has gcc write the outputs anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn every_program_prints_what_gcc_has_it_print() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/run");
    let entries = std::fs::read_dir(&dir).expect("the corpus is there");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("the corpus can be listed").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    assert!(programs.len() >= 40, "only {} programs in {}", programs.len(), dir.display());
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    let failures: Vec<String> = programs.iter().flat_map(|program| check(program, has_gcc)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a program.
fn check(program: &Path, has_gcc: bool) -> Vec<String> {
    let expected_file = program.with_extension("out");
    let compiled = if has_gcc { compiled(program) } else { None };
    if let (Some(output), true) = (&compiled, std::env::var_os("HEDDLE_BLESS").is_some()) {
        std::fs::write(&expected_file, &output.stdout).expect("the output can be written");
    }
    let expected = std::fs::read(&expected_file).unwrap_or_default();
    let status = status(program);
    let mut heddle = Command::new(env!("CARGO_BIN_EXE_heddle"));
    heddle.args([
        "run",
        "--no-warnings",
        "--exit-status",
        "--data-model",
        if is_ilp32(program) { "ilp32" } else { "lp64" },
    ]);
    let machine = heddle.arg(program).output().expect("heddle runs");
    let runs = [("heddle", Some(machine)), ("gcc", compiled)];
    let differs = |(who, output): (&str, Option<Output>)| {
        let output = output?;
        let same = output.stdout == expected && output.status.code() == Some(status);
        (!same).then(|| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            format!(
                "{}: {who} differs: {}, expected {status}\n{}\n{}",
                program.display(),
                output.status,
                first_difference(&text(&expected), &text(&output.stdout)),
                text(&output.stderr)
            )
        })
    };
    runs.into_iter().filter_map(differs).collect()
}

/// What the program does when gcc compiles it; none if gcc has no libraries for its data model.
fn compiled(program: &Path) -> Option<Output> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let binary = dir.join(program.file_stem().expect("programs have names"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o"]).arg(&binary).arg(program).arg("-lm");
    if is_ilp32(program) {
        gcc.arg("-m32");
    }
    let made = gcc.output().expect("gcc runs");
    if made.status.success() {
        return Some(Command::new(&binary).output().expect("the program runs"));
    }
    (!is_ilp32(program)).then_some(made)
}

fn first_line(program: &Path) -> String {
    let text = std::fs::read_to_string(program).expect("programs can be read");
    text.lines().next().unwrap_or_default().to_owned()
}

fn is_ilp32(program: &Path) -> bool {
    first_line(program) == "// data-model: ilp32"
}

/// The status that the first line asks for.
fn status(program: &Path) -> i32 {
    let first = first_line(program);
    first.strip_prefix("// status: ").map_or(0, |status| status.trim().parse().expect("a status is a number"))
}

fn first_difference(expected: &str, found: &str) -> String {
    let (mut old, mut new) = (expected.lines(), found.lines());
    for line in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => return format!("line {line}: expected {a:?}, found {b:?}"),
        }
    }
    "the same lines".to_owned()
}
