//! Boolean programs on the command line: verdicts, exit codes, schedules, proofs, bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn heddle(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).output().expect("heddle starts")
}

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/boolprog").join(name).display().to_string()
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or("").to_owned()
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("heddle-bp-{}-{name}", std::process::id()))
}

#[test]
fn every_corpus_program_has_its_verdict_and_exit_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/boolprog");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "bp"));
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = text.lines().find_map(|l| l.strip_prefix("// expect: ")).expect("an expectation");
        let file = file.display().to_string();
        let output = heddle(&["check", &file]);
        let (line, code) = match expected.split_once(' ') {
            Some(("UNSAFE", line)) => (format!("UNSAFE assert {file}:{line}"), 1),
            Some(("UNKNOWN", _)) => ("UNKNOWN abstraction".to_owned(), 3),
            _ => ("SAFE".to_owned(), 0),
        };
        assert_eq!((last_line(&output), output.status.code()), (line, Some(code)), "{file}");
    }
}

#[test]
fn a_violation_is_replayed_by_the_machine() {
    let (file, schedule) = (corpus("fig4_no_lock.bp"), scratch("schedule.json"));
    let schedule = schedule.display().to_string();
    let checked = heddle(&["check", &file, "--save-schedule", &schedule]);
    assert_eq!(checked.status.code(), Some(1));
    let replayed = heddle(&["replay", &file, "--schedule", &schedule]);
    assert_eq!(replayed.status.code(), Some(1), "{}", String::from_utf8_lossy(&replayed.stderr));
    std::fs::remove_file(schedule).unwrap();
}

#[test]
fn the_machine_judges_programs_with_passive_parts() {
    let (file, schedule) = (corpus("broadcast_kept.bp"), scratch("passive.json"));
    let schedule = schedule.display().to_string();
    let checked = heddle(&["check", &file, "--json", "--save-schedule", &schedule]);
    let object: serde_json::Value = serde_json::from_slice(&checked.stdout).expect("one object");
    assert_eq!(object["verdict"], "unsafe");
    assert!(object["trace"].is_object(), "the machine's trace");
    assert_eq!(heddle(&["replay", &file, "--schedule", &schedule]).status.code(), Some(1));
    std::fs::remove_file(schedule).unwrap();
    for seed in ["1", "2", "3", "4"] {
        let run = heddle(&["run", &file, "--seed", seed, "--max-steps", "500"]);
        assert!(matches!(run.status.code(), Some(0 | 1 | 3)), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn an_abstraction_that_lost_something_says_what() {
    let file = scratch("lost.bp");
    // At most two are counted at a time: pairs do not count to three, and because of `$` coverability does not decide.
    let text = "decl a, b;\nworker() begin\n  decl seen;\n  atomic begin assume(!b); a, b, seen$ := 1, a, 0; end\n  assert(a);\n  a, b := b, 0;\nend\n\
                main() begin again: start_thread worker; goto again; end\n";
    std::fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    let output = heddle(&["check", &path, "--time-limit", "12", "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((object["verdict"].as_str(), output.status.code()), (Some("unknown"), Some(3)), "{object}");
    let text = object.to_string();
    assert!(
        text.contains("the thread abstraction lost which threads can be together: it reaches line 5 with"),
        "{text}"
    );
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn json_has_the_trace() {
    let output = heddle(&["check", &corpus("por_lock.bp"), "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["engine"], "boolprog");
    assert_eq!(object["location"]["line"], 8);
    assert!(object["trace"].is_object());
    let output = heddle(&["check", &corpus("fig4_critical_section.bp"), "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(object["verdict"], "safe");
}

#[test]
fn proofs_are_written_and_checked_again() {
    for (name, flags) in [("fig4_critical_section.bp", &[][..]), ("pairs_one_owner.bp", &["--tuples", "2"][..])] {
        let (file, proof) = (corpus(name), scratch(&format!("{name}.proof")));
        let path = proof.display().to_string();
        let mut words = vec!["check", &file, "--proof", &path];
        words.extend(flags);
        assert_eq!(last_line(&heddle(&words)), "SAFE");
        let accepted = heddle(&["check-proof", &path, &file]);
        assert_eq!((last_line(&accepted), accepted.status.code()), ("ACCEPTED".to_owned(), Some(0)), "{name}");
        // The first state is gone.
        let text = std::fs::read_to_string(&proof).unwrap();
        let gone = text.lines().position(|l| l.starts_with("state ")).unwrap();
        let less: String =
            text.lines().enumerate().filter(|(i, _)| *i != gone).map(|(_, l)| format!("{l}\n")).collect();
        std::fs::write(&proof, less).unwrap();
        assert_eq!(heddle(&["check-proof", &path, &file]).status.code(), Some(1), "{name}");
        // Another program.
        std::fs::write(&proof, text).unwrap();
        let other = heddle(&["check-proof", &path, &corpus("remark1_start_up.bp")]);
        assert_eq!(other.status.code(), Some(1));
        std::fs::write(&proof, "nonsense").unwrap();
        assert_eq!(heddle(&["check-proof", &path, &file]).status.code(), Some(2));
        std::fs::remove_file(proof).unwrap();
    }
}

#[test]
fn switches_lose_proofs_but_give_no_wrong_verdict() {
    let file = corpus("fig4_critical_section.bp");
    for flags in [&["--sets", "sat"][..], &["--tuples", "1"], &["--no-lock-sets"], &["--no-ghosts"], &["--no-por"]] {
        let mut words = vec!["check", &file];
        words.extend(flags);
        assert_eq!(last_line(&heddle(&words)), "SAFE", "{flags:?}");
    }
    let exact = heddle(&["check", &corpus("bounded_exact.bp"), "--exact"]);
    assert_eq!(last_line(&exact), "SAFE");
    let recursive = heddle(&["check", &corpus("fig5_recursion.bp"), "--recursion", "refuse"]);
    assert_eq!(recursive.status.code(), Some(2));
}

#[test]
fn one_execution_and_what_the_verifier_sees() {
    let file = corpus("por_lock.bp");
    let run = heddle(&["run", &file, "--seed", "7", "--max-steps", "500"]);
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    let shown = heddle(&["show", "goto", &file]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("spawn thread_"));
}

#[test]
fn bad_input_is_told_with_its_place() {
    let file = scratch("bad.bp");
    let path = file.display().to_string();
    for (text, complaint) in [
        ("", ":1:1: error: the file has no procedure"),
        ("main() begin x := 1; end", ":1:14: error: `x` is not declared"),
        ("decl a, a; main() begin end", ":1:9: error: the variable `a` is declared twice"),
        ("main() begin goto L; end", ":1:19: error: `main` has no label `L`"),
        ("decl a; main() begin a := 1, 0; end", ":1:22: error: 2 values for 1 variables"),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = heddle(&["check", &path]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(complaint), "{errors}");
    }
    std::fs::write(&file, [0xff, 0xfe]).unwrap();
    assert_eq!(heddle(&["check", &path]).status.code(), Some(2));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(heddle(&["check", &path]).status.code(), Some(2));
}

#[test]
fn limits_are_kept() {
    let file = scratch("large.bp");
    let mut text = "decl x0".to_owned();
    (1..100_000).for_each(|i| text.push_str(&format!(", x{i}")));
    text.push_str("; f() begin f(); x0 := x99999; end main() begin f(); again: start_thread f; goto again; end");
    std::fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    let output = heddle(&["check", &path, "--time-limit", "20"]);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{:?}", output.status);
    std::fs::remove_file(&file).unwrap();
}
