//! Limits are kept on programs of hostile sizes, in every phase: reading, analysing, unwinding, encoding, executing.
//!
//! Each program is checked with a limit on time and memory. The command must answer (whatever it says) and hold both, with a
//! generous margin: builds for tests are slow, and machines are busy.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SECONDS: u64 = 2;
const MEGABYTES: u64 = 400;

/// How far both may be passed here: the command promises a second and a tenth.
const MARGIN: Duration = Duration::from_secs(20);
const MORE_MEGABYTES: u64 = 100;

/// What a child process has held at most, in megabytes.
fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_ascii_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn keeps_limits(name: &str, program: &str, flags: &[&str]) {
    let (code, answer) = within_limits("check", name, program, flags);
    let last = answer.lines().last().unwrap_or_default();
    let known = ["SAFE", "UNSAFE", "UNKNOWN"].iter().any(|word| last.starts_with(word));
    assert!(known && matches!(code, Some(0 | 1 | 3)), "{name}: `{last}`, exit code {code:?}");
}

/// Executes a command on a program within the limits: its exit code and what it wrote to standard output.
fn within_limits(command: &str, name: &str, program: &str, flags: &[&str]) -> (Option<i32>, String) {
    let path = std::env::temp_dir().join(format!("heddle-limits-{}-{name}.i", std::process::id()));
    std::fs::write(&path, program).expect("a writable temporary directory");
    let begin = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .arg(command)
        .arg(&path)
        .args(["--time-limit", &SECONDS.to_string(), "--memory-limit", &MEGABYTES.to_string()])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut most = 0;
    let code = loop {
        most = most.max(peak(&child));
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break status.code();
        }
        if begin.elapsed() > Duration::from_secs(SECONDS) + MARGIN {
            let _ = child.kill();
            panic!("{name}: no answer after {:?}", begin.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut answer = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut answer).expect("text");
    let _ = std::fs::remove_file(&path);
    assert!(most <= MEGABYTES + MORE_MEGABYTES, "{name}: {most} MB");
    (code, answer)
}

/// `run` stops, too: in the program and while reading it.
#[test]
fn an_execution_does_not_end() {
    let endless = "volatile int x; int main(void) { for (;;) x++; }";
    let grows = "void *malloc(unsigned long); int main(void) { for (;;) { char *p = malloc(1 << 20); p[0] = 1; } }";
    let mut globals = String::new();
    for i in 0..300_000 {
        let _ = writeln!(globals, "int g{i} = {i};");
    }
    globals += "int main(void) { for (;;) g0++; }";
    for (name, program) in [("run-endless", endless), ("run-grows", grows), ("run-globals", &globals)] {
        let (code, _) = within_limits("run", name, program, &[]);
        assert_eq!(code, Some(3), "{name}");
    }
}

#[test]
fn a_large_struct_is_copied() {
    let program =
        "struct big { char bytes[4194304]; }; struct big a, b; int main(void) { a = b; b = a; return a.bytes[5]; }";
    for engine in ["order", "lazy", "explore"] {
        keeps_limits(&format!("struct-{engine}"), program, &["--engine", engine]);
    }
}

#[test]
fn a_gigabyte_is_filled() {
    let program = "void *malloc(unsigned long); void *memset(void *, int, unsigned long); \
                   int main(void) { char *p = malloc(1073741824); memset(p, 7, 1073741824); return p[3]; }";
    for engine in ["order", "lazy", "explore"] {
        keeps_limits(&format!("fill-{engine}"), program, &["--engine", engine]);
    }
}

#[test]
fn a_switch_has_many_cases() {
    let mut program =
        "int __VERIFIER_nondet_int(void); int main(void) { int x = 0; switch (__VERIFIER_nondet_int()) {".to_owned();
    for case in 0..50_000 {
        let _ = write!(program, "case {case}: x = {}; break;", case % 7);
    }
    program.push_str("} return x; }");
    keeps_limits("switch", &program, &[]);
}

#[test]
fn there_are_many_globals() {
    let mut program = String::new();
    for number in 0..300_000 {
        let _ = writeln!(program, "int g{number};");
    }
    program.push_str("int main(void) { return g7; }");
    keeps_limits("globals", &program, &[]);
}

#[test]
fn ten_threads_count_to_a_hundred() {
    let program = "typedef unsigned long pthread_t; int n; \
                   int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **); \
                   void *count(void *arg) { for (int i = 0; i < 100; i++) n++; return 0; } \
                   int main(void) { pthread_t t[10]; for (int i = 0; i < 10; i++) pthread_create(&t[i], 0, count, 0); \
                   for (int i = 0; i < 10; i++) pthread_join(t[i], 0); return 0; }";
    for engine in ["order", "clock", "record"] {
        keeps_limits(&format!("threads-{engine}"), program, &["--engine", engine, "--property", "race,assert"]);
    }
}
