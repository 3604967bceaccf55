//! `heddle replay --native`: violations of the corpus happen in the compiled program.

use std::path::Path;
use std::process::{Command, Output};

fn heddle(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_heddle")).current_dir(root).args(args).output().expect("the binary runs")
}

#[track_caller]
fn reproduced(program: &str, property: &str) {
    let name = format!("heddle-native-test-{}-{}.json", std::process::id(), program.replace('/', "-"));
    let schedule = std::env::temp_dir().join(name);
    let path = schedule.to_str().expect("names are UTF-8");
    let checked = heddle(&["check", program, "--property", property, "--save-schedule", path]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    let replayed = heddle(&["replay", program, "--property", property, "--schedule", path, "--native"]);
    // Whatever is left is in the temporary directory.
    let _ = std::fs::remove_file(&schedule);
    let text = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert!(text.starts_with(&format!("REPRODUCED {property}")), "{program}: {replayed:?}");
    assert_eq!(replayed.status.code(), Some(1));
}

#[test]
fn assertion() {
    reproduced("examples/counter.c", "assert");
}

#[test]
fn race() {
    reproduced("examples/counter.c", "race");
}

#[test]
fn deadlock() {
    reproduced("corpus/papers/ESBMC/fig7_deadlock_by_locks.c", "deadlock");
}

#[test]
fn no_violation_is_an_error() {
    let schedule = std::env::temp_dir().join(format!("heddle-native-test-{}-none.json", std::process::id()));
    let path = schedule.to_str().expect("names are UTF-8");
    let program = "examples/counter.c";
    let run = heddle(&["run", program, "--save-schedule", path]);
    assert!(schedule.exists(), "{run:?}");
    let replayed = heddle(&["replay", program, "--schedule", path, "--native"]);
    // Whatever is left is in the temporary directory.
    let _ = std::fs::remove_file(&schedule);
    assert_eq!(replayed.status.code(), Some(2), "{replayed:?}");
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("nothing to reproduce"), "{replayed:?}");
}
