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

/// A program with a lost update, in a folder of its own.
const COUNTER: &str = "#include <assert.h>
#include <pthread.h>
int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg)
{
    int old = counter;
    counter = old + 1;
    return arg;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
";

#[test]
fn a_regression_test_fails_with_the_bug_and_passes_without() {
    let folder = std::env::temp_dir().join(format!("heddle-emit-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable temporary directory");
    let (program, test) = (folder.join("counter.c"), folder.join("test_counter.c"));
    let write = |text: &str| std::fs::write(&program, text).expect("a writable folder");
    let run = || Command::new("sh").arg(&test).output().expect("a shell").status.code();
    write(COUNTER);
    let (program_name, test_name) = (program.to_str().expect("UTF-8"), test.to_str().expect("UTF-8"));
    let checked = heddle(&["check", program_name, "--property", "assert", "--emit-test", test_name]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    assert_eq!(run(), Some(1));
    // Lines move: they are known by their text.
    write(&format!("// One.\n// Two.\n\n{COUNTER}"));
    assert_eq!(run(), Some(1));
    write(
        &COUNTER
            .replace("    int old", "    pthread_mutex_lock(&lock);\n    int old")
            .replace("    return arg", "    pthread_mutex_unlock(&lock);\n    return arg"),
    );
    assert_eq!(run(), Some(0));
    // Whatever is left is in the temporary directory.
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_regression_test_that_cannot_be_written_is_an_error() {
    let checked = heddle(&["check", "examples/counter.c", "--emit-test", "/nowhere/at/all.c"]);
    assert_eq!(checked.status.code(), Some(2), "{checked:?}");
    assert!(checked.stdout.is_empty(), "{checked:?}");
}
