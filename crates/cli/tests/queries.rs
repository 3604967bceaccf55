//! `--dump-smt2` and `--solver`.
//!
//! A script of the shell plays the other solver, so that the way to it is tested everywhere; where Z3 is installed, its answers
//! to the written queries and its models are looked at too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-queries-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        Scratch(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a writable temporary directory");
        path.to_str().expect("names are UTF-8").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bounded").join(name);
    path.to_str().expect("names are UTF-8").to_owned()
}

/// The last line, the exit code and what was said of `heddle check`.
fn check(file: &str, flags: &[&str]) -> (String, Option<i32>, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "-w", "--property", "assert", file])
        .args(flags)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let last = text(stdout).lines().last().unwrap_or_default().to_owned();
    (last, status.code(), text(stderr))
}

/// The written queries, in order: what is asked, and the file.
fn written(directory: &Path) -> Vec<(String, PathBuf)> {
    let listing = std::fs::read_dir(directory).expect("the directory was made");
    let mut files: Vec<PathBuf> = listing.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let question = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        assert!(text.starts_with("; heddle, engine ") && text.contains("\n(check-sat)\n"), "{text}");
        text.lines().next().expect("lines").to_owned()
    };
    files.into_iter().map(|path| (question(&path), path)).collect()
}

/// What Z3 says; none where it is not installed.
fn z3(file: &Path) -> Option<String> {
    let output = Command::new("z3").arg(file).stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn queries_are_written_and_complete() {
    let dir = Scratch::new("dump");
    for engine in ["order", "refine", "clock"] {
        // One query is satisfiable. Of the other program: no violation, something is cut off, and something is reached.
        for (name, verdict, answers) in [
            ("pointer_to_either.c", "UNSAFE", &["sat"][..]),
            ("cas_loop_short.c", "SAFE WITHIN", &["unsat", "sat", "sat"]),
        ] {
            let to = dir.0.join(format!("{engine}-{name}"));
            let flags = ["--engine", engine, "--unwind", "1", "--dump-smt2", to.to_str().expect("UTF-8")];
            let (last, _, err) = check(&program(name), &flags);
            assert!(last.starts_with(verdict), "{engine} {name}: {last} {err}");
            let queries = written(&to);
            assert_eq!(queries.len(), answers.len(), "{engine} {name}: {queries:?}");
            assert!(queries[0].0.ends_with(&format!("{engine}, unwind 1: is a violation possible?")), "{queries:?}");
            for ((_, file), expected) in queries.iter().zip(answers) {
                assert!(z3(file).is_none_or(|answer| answer == *expected), "{}", file.display());
            }
        }
    }
}

/// Says that true is satisfiable, and of everything else what it is told to.
fn fake(dir: &Scratch, answer: &str) -> String {
    let script = format!(
        "answer=sat\n\
         while read -r line; do case $line in\n\
         '(declare-const'*) answer={answer};;\n\
         '(check-sat'*) echo $answer;;\n\
         '(get-value (true))') echo '((true true))';;\n\
         '(get-value'*) echo '(nonsense)';;\n\
         esac; done\n"
    );
    format!("sh {}", dir.write(&format!("{answer}.sh"), &script))
}

#[test]
fn another_solver_answers() {
    let dir = Scratch::new("solver");
    let file = program("pointer_to_either.c");
    let ask = |command: &str| check(&file, &["--engine", "clock", "--solver", command]);
    // It is believed, wrong as it is; what it cannot show is no verdict.
    assert_eq!(ask(&fake(&dir, "unsat")).0, "SAFE");
    let (last, code, _) = ask(&fake(&dir, "unknown"));
    assert_eq!((last.as_str(), code), ("UNKNOWN solver", Some(3)));
    let (last, code, _) = ask(&fake(&dir, "sat"));
    assert_eq!((last.as_str(), code), ("UNKNOWN solver", Some(3)));
    if Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_ok() {
        let (last, code, err) = ask("z3 -in");
        assert!(last.starts_with("UNSAFE assert") && code == Some(1), "{last} {err}");
        let safe = check(&program("cas_loop.c"), &["--engine", "clock", "--solver", "z3 -in"]);
        assert_eq!((safe.0.as_str(), safe.1), ("SAFE", Some(0)));
    }
}

#[test]
fn wrong_usage_is_said_before_anything_is_checked() {
    let dir = Scratch::new("usage");
    let file = program("pointer_to_either.c");
    let in_the_way = format!("{}/queries", dir.write("file", ""));
    for (flags, message) in [
        (&["--engine", "order", "--solver", "z3 -in"][..], "--solver goes with --engine clock"),
        (&["--solver", "z3 -in"], "--solver goes with --engine clock"),
        (&["--engine", "explore", "--dump-smt2", "x"], "--dump-smt2 goes with"),
        (&["--engine", "lazy", "--dump-smt2", "x"], "--dump-smt2 goes with"),
        (&["--engine", "order", "--contexts", "3"], "--contexts goes with --engine lazy"),
        (&["--contexts", "3"], "--contexts goes with --engine lazy"),
        (&["--engine", "explore", "--choices", "3"], "--choices goes with --engine lazy"),
        (&["--choices", "3"], "--choices goes with --engine lazy"),
        (&["--engine", "lazy", "--choices", "0"], "invalid value '0' for '--choices <N>'"),
        (&["--engine", "lazy", "--choices", "many"], "invalid value 'many' for '--choices <N>'"),
        (&["--engine", "refine", "--no-por"], "--no-reduction goes with"),
        (&["--engine", "explore", "--unwind", "3"], "--unwind goes with --engine auto, order"),
        (&["--engine", "clock", "--solver", "/nonexistent/solver"], "--solver '/nonexistent/solver': cannot run"),
        (&["--engine", "clock", "--solver", " "], "no solver was named"),
        (&["--engine", "clock", "--solver", "true"], "ended without an answer"),
        (&["--engine", "order", "--dump-smt2", &in_the_way], &in_the_way),
    ] {
        let (last, code, err) = check(&file, flags);
        assert!(code == Some(2) && last.is_empty() && err.contains(message), "{flags:?}: {code:?} {last} {err}");
    }
}
