//! The commands as a user meets them: what they print, where, and with which exit code (0 fine, 1 a violation, 2 nothing
//! was done, 3 undecided). None of them may end by a panic.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("heddle-commands-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        Scratch(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a writable temporary directory");
        path
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("names are UTF-8").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command gave.
#[derive(Debug)]
struct Given {
    code: Option<i32>,
    out: String,
    err: String,
}

fn heddle(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Given {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Given { code: status.code(), out: text(stdout), err: text(stderr) }
}

impl Given {
    /// A check of a thread that goes on for ever without a violation: `explore` sees that its state repeats, or deepens the
    /// bound on steps until the time is over and names the last bound that it completed, if there is one.
    #[track_caller]
    fn never_ends(self) {
        let last = self.out.lines().last().unwrap_or_default();
        let within = (last == "SAFE" || last.starts_with("SAFE WITHIN steps=")) && self.code == Some(0);
        let open = last == "UNKNOWN time" && self.code == Some(3);
        assert!(within || open, "{self:#?}");
    }

    #[track_caller]
    fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(!self.err.contains("panicked"), "{self:#?}");
        self
    }

    /// The last line of the answer.
    #[track_caller]
    fn last(self, line: &str) -> Self {
        assert_eq!(self.out.lines().last(), Some(line), "{self:#?}");
        self
    }

    #[track_caller]
    fn says(self, message: &str) -> Self {
        assert!(self.err.contains(message), "expected `{message}` in {self:#?}");
        self
    }

    #[track_caller]
    fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "expected `{text}` in {self:#?}");
        self
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in {self:#?}"))
    }
}

/// Wrong usage, or input that does not fit: a message, no answer.
#[track_caller]
fn refused(args: &[&str], message: &str) {
    let given = heddle(args).ends_with(2).says(message);
    assert!(given.out.is_empty(), "an answer for what was refused: {given:#?}");
}

/// Two increments without a lock, and an assertion that one of them is not lost.
const COUNTER: &str = "\
void abort(void);
void reach_error(void);
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
int puts(const char *);
int x;
void *increment(void *arg) { x++; return 0; }
int main(void) {
    unsigned long t, u;
    pthread_create(&t, 0, increment, 0);
    pthread_create(&u, 0, increment, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    puts(\"joined\");
    if (x != 2)
        reach_error();
    return 0;
}
";

const INPUT: &str = "\
void reach_error(void);
unsigned char pick(void);
int main(void) {
    int v = pick();
    if (v == 7)
        reach_error();
    return v;
}
";

#[test]
fn check_reports_a_violation() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let given = heddle(["check", &file]).ends_with(1).last(&format!("UNSAFE assert {file}:16"));
    for part in
        ["violation of `assert`", "reach_error();", "switch to 0.2", "write `x` = 1", "(from ", "printed before"]
    {
        assert!(given.out.contains(part), "expected `{part}` in {given:#?}");
    }
}

#[test]
fn check_as_json() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let object = heddle(["check", &file, "--json"]).ends_with(1).json();
    assert_eq!(object["asked"], "auto");
    assert_ne!(object["engine"], "auto");
    let object = heddle(["check", &file, "--json", "--engine", "explore"]).ends_with(1).json();
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["property"], "assert");
    assert_eq!(object["engine"], "explore");
    assert_eq!(object["location"]["line"], 16);
    assert!(object["trace"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert!(object["statistics"]["executions"].is_number());
    let safe = heddle(["check", &file, "--json", "--property", "deadlock"]).ends_with(0).json();
    assert_eq!(safe["verdict"], "safe");
    let unknown = dir.write("input.i", INPUT);
    let unknown = heddle(["check", &unknown, "--json", "-w", "--engine", "explore"]).ends_with(3).json();
    assert_eq!(unknown["verdict"], "unknown");
    assert!(unknown["reason"].as_str().is_some_and(|reason| reason.contains("pick")));
}

/// Two assertions that can fail, and a race that both of them are behind.
const TWO_PLACES: &str = r#"
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void __VERIFIER_assert(int);
int x;
static void *thread(void *arg) {
    x = 1;
    __VERIFIER_assert(x == 1);
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    __VERIFIER_assert(x == 0);
    x = 2;
    return 0;
}
"#;

const ENGINES: [&str; 8] = ["auto", "order", "refine", "clock", "lazy", "record", "widen", "explore"];

/// The violations that an engine lists, each as its property and line. None is listed twice, and the first is the verdict's.
fn violations_by(engine: &str, file: &str, properties: &str) -> Vec<String> {
    let given = heddle(["check", file, "--engine", engine, "--property", properties, "--json"]).ends_with(1);
    let object: serde_json::Value = serde_json::from_str(&given.out).expect("one object");
    let text = |one: &serde_json::Value| {
        format!("{} {}", one["property"].as_str().expect("a property"), one["location"]["line"])
    };
    let mut found: Vec<String> = object["violations"].as_array().expect("a list").iter().map(text).collect();
    assert_eq!(found[0], text(&object), "{engine}");
    let listed = found.len();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), listed, "{engine}: {found:?}");
    found
}

/// Three places, none of which is behind another.
const THREE_PLACES: &str = r#"
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void __VERIFIER_assert(int);
int x;
static void *thread(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    int y = x, z = x;
    __VERIFIER_assert(y == z);
    if (y)
        __VERIFIER_assert(0);
    return 10 / z;
}
"#;

/// Locks in both orders, twice; and one that is never given back.
const THREE_DEADLOCKS: &str = r#"
typedef unsigned long pthread_t;
typedef struct { int state[10]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t a, b, c, d;
static void *thread(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&d);
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&d);
    pthread_mutex_lock(&c);
    return 0;
}
"#;

/// One of two blocks is lost.
const TWO_LEAKS: &str = r#"
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void free(void *);
int x;
static void *thread(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    void *p = malloc(1);
    void *q = malloc(1);
    if (x)
        free(p);
    else
        free(q);
    pthread_join(id, 0);
    return 0;
}
"#;

#[test]
fn all_engines_report_the_same_violations() {
    let scratch = Scratch::new();
    for (program, properties, expected) in [
        (THREE_PLACES, "assert,division", &["assert 14", "assert 16", "division 17"][..]),
        (THREE_DEADLOCKS, "deadlock", &["deadlock 21", "deadlock 24", "deadlock 25"]),
        (TWO_LEAKS, "leak", &["leak 15", "leak 16"]),
    ] {
        let file = scratch.write("several.i", program);
        for engine in ENGINES {
            assert_eq!(violations_by(engine, &file, properties), expected, "{engine} {properties}");
            let first = heddle(["check", &file, "--engine", engine, "--property", properties, "--stop-at-first"]);
            assert!(!first.ends_with(1).out.contains("also violated"), "{engine} {properties}");
        }
    }
}

#[test]
fn every_violation_is_reported() {
    let scratch = Scratch::new();
    let file = scratch.write("two.i", TWO_PLACES);
    for engine in ENGINES {
        let found = violations_by(engine, &file, "assert,race");
        assert!(found.contains(&"assert 8".to_owned()), "{engine}: {found:?}");
        assert!(found.contains(&"assert 14".to_owned()), "{engine}: {found:?}");
        assert!(found.iter().any(|one| one.starts_with("race")), "{engine}: {found:?}");
    }
    let given = heddle(["check", &file]).ends_with(1);
    let lines: Vec<&str> = given.out.lines().collect();
    let list = lines.iter().position(|line| *line == "also violated:").expect("a list");
    assert_eq!(lines.len(), list + 3, "{given:#?}");
    assert!(lines[list + 1].starts_with("  assert: ") && lines[list + 2].starts_with("UNSAFE assert "), "{given:#?}");
    let given = heddle(["check", &file, "--stop-at-first"]).ends_with(1);
    assert!(!given.out.contains("also violated"), "{given:#?}");
}

#[test]
fn a_race_needs_no_more_switches_than_its_execution() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/threads/race_behind_another_join.c");
    for engine in ["lazy", "record", "widen", "explore"] {
        let check =
            |contexts| heddle(["check", file, "--property", "race", "--engine", engine, "--contexts", contexts]);
        assert!(check("2").ends_with(0).out.ends_with("SAFE WITHIN contexts=2\n"), "{engine}");
        check("3").ends_with(1);
    }
}

/// [ESBMC Table 1]: two threads have 4 interleavings for C = 2, three have 9; 131072 are 2^17.
#[test]
fn choices_count_as_the_paper_does() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/families/contexts/micro.c");
    for engine in ["lazy", "record", "widen"] {
        for (threads, choices, interleavings) in [("2", "2", 4), ("2", "6", 64), ("3", "2", 9), ("3", "4", 81)] {
            let threads = format!("-DTHREADS={threads}");
            let check = ["check", file, "-DN=10", &threads, "--engine", engine, "--choices", choices];
            let bound = format!("SAFE WITHIN choices={choices}");
            heddle(check).ends_with(0).last(&bound);
            let given = heddle(check.into_iter().chain(["--no-por", "--json"])).ends_with(0);
            let object: serde_json::Value = serde_json::from_str(&given.out).expect("an object");
            assert_eq!(object["statistics"]["interleavings"], f64::from(interleavings), "{engine} {threads} {choices}");
        }
    }
}

#[test]
fn a_bound_on_choices_cuts_off_what_needs_more() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/families/contexts/reorder.c");
    for engine in ["lazy", "record", "widen"] {
        for reduction in [&[][..], &["--no-por"]] {
            let check = |choices| {
                let args = ["check", file, "-DN=2", "-DWRONG", "--engine", engine, "--choices", choices];
                heddle(args.iter().chain(reduction))
            };
            check("3").ends_with(0).last("SAFE WITHIN choices=3");
            assert!(check("4").ends_with(1).out.contains("\nUNSAFE assert "), "{engine}");
        }
    }
}

/// Locks in both orders; the second only after the first thread is done with them, which a flag tells.
const LOCK_ORDERS: &str = r#"
typedef unsigned long pthread_t;
typedef struct { int state[10]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t a, b;
int done;
static void *thread(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    done = 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_mutex_lock(&b);
    if (FLAG) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return 0;
}
"#;

#[test]
fn lock_orders_are_warned_of() {
    let scratch = Scratch::new();
    let file = scratch.write("orders.i", &LOCK_ORDERS.replace("FLAG", "done"));
    let given = heddle(["check", &file, "--warn", "lock-order"]).ends_with(0);
    assert!(given.out.contains("warning (lock-order): "), "{given:#?}");
    assert!(given.out.contains("takes `b` while it holds `a`"), "{given:#?}");
    assert!(given.out.ends_with("\nSAFE\n"), "{given:#?}");
    assert!(!heddle(["check", &file]).ends_with(0).out.contains("warning"));
    let json = heddle(["check", &file, "--warn", "lock-order", "--json"]).ends_with(0);
    let object: serde_json::Value = serde_json::from_str(&json.out).expect("one object");
    assert_eq!(object["warnings"][0]["name"], "lock-order");
    // What deadlocks is a violation and no warning.
    let file = scratch.write("deadlock.i", &LOCK_ORDERS.replace("FLAG", "!done"));
    let given = heddle(["check", &file, "--warn", "lock-order"]).ends_with(1);
    assert!(!given.out.contains("warning (lock-order)"), "{given:#?}");
    assert!(given.out.contains("\nUNSAFE deadlock "), "{given:#?}");
}

#[test]
fn statistics_go_to_standard_error() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let given = heddle(["check", &file, "--stats", "--property", "deadlock"]).ends_with(0).says("order.edges");
    assert_eq!(given.out, "SAFE\n");
}

#[test]
fn properties_are_checked_as_asked() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    heddle(["check", &file, "--property", "deadlock,memory"]).ends_with(0).last("SAFE");
    heddle(["check", &file, "--property", "race"]).ends_with(1).last(&format!("UNSAFE race {file}:7"));
    heddle(["check", &file, "--property", "all"]).ends_with(1);
}

#[test]
fn a_saved_schedule_shows_the_same_again() {
    let dir = Scratch::new();
    let (file, schedule) = (dir.write("counter.i", COUNTER), dir.path("bug.json"));
    let found = heddle(["check", &file, "--save-schedule", &schedule]).ends_with(1);
    let first = heddle(["replay", &file, "--schedule", &schedule]).ends_with(1);
    let second = heddle(["replay", &file, "--schedule", &schedule]).ends_with(1);
    assert_eq!(first.out, second.out);
    assert!(found.out.starts_with(&first.out), "{} is not the report of check: {}", first.out, found.out);
    // `run` follows it just as well, and prints what the program prints.
    let run = heddle(["run", &file, "--schedule", &schedule]).ends_with(1).says("violation of `assert`");
    assert_eq!(run.out, "joined\n");
    let object = heddle(["replay", &file, "--schedule", &schedule, "--json"]).ends_with(1).json();
    assert_eq!(object["verdict"], "unsafe");
    heddle(["replay", &file, "--schedule", &schedule, "--trace"]).ends_with(1).prints("call increment");
}

#[test]
fn run_is_deterministic() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let mut codes = Vec::new();
    for seed in 0..20 {
        let schedule = dir.path(&format!("{seed}.json"));
        let args = ["run", &file, "--seed", &seed.to_string(), "--save-schedule", &schedule];
        let first = heddle(args);
        let second = heddle(["run", &file, "--seed", &seed.to_string()]);
        assert_eq!((&first.code, &first.out, &first.err), (&second.code, &second.out, &second.err), "seed {seed}");
        let replayed = heddle(["replay", &file, "--schedule", &schedule]);
        assert_eq!(replayed.code, first.code, "seed {seed}");
        codes.push(first.code);
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)), "20 seeds show one outcome only: {codes:?}");
}

#[test]
fn a_program_prints_where_it_says() {
    let dir = Scratch::new();
    let text = "\
int printf(const char *, ...);
struct file;
extern struct file *stdout, *stderr;
int fprintf(struct file *, const char *, ...);
int fputs(const char *, struct file *);
void perror(const char *);
long write(int, const void *, unsigned long);
int main(void) {
    printf(\"one \");
    fprintf(stderr, \"two \");
    fputs(\"three \", stdout);
    write(2, \"four \", 5);
    fprintf(stdout, \"%d\", 5);
    perror(\"six\");
    return 0;
}
";
    let file = dir.write("streams.i", text);
    let given = heddle(["run", &file]).ends_with(0);
    assert_eq!((given.out.as_str(), given.err.as_str()), ("one three 5", "two four six: Success\n"));
    let object = heddle(["run", &file, "--json"]).ends_with(0).json();
    assert_eq!((&object["output"], &object["errors"]), (&"one three 5".into(), &"two four six: Success\n".into()));
}

#[test]
fn run_prints_the_program_s_output() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let given = heddle(["run", &file]).ends_with(0);
    assert_eq!((given.out.as_str(), given.err.as_str()), ("joined\n", ""));
    let traced = heddle(["run", &file, "--trace"]).ends_with(0).says("read `x`");
    assert_eq!(traced.out, "joined\n");
    let object = heddle(["run", &file, "--json"]).ends_with(0).json();
    assert_eq!((&object["verdict"], &object["output"]), (&"no-violation".into(), &"joined\n".into()));
}

#[test]
fn run_with_inputs_and_arguments() {
    let dir = Scratch::new();
    let file = dir.write("input.i", INPUT);
    heddle(["run", "-w", &file, "--input", "pick=9"]).ends_with(0).says("ended with status 9");
    heddle(["run", "-w", &file, "--input", "pick=9", "--exit-status"]).ends_with(9);
    heddle(["run", "-w", &file, "--input", "pick=7"]).ends_with(1).says("violation of `assert`");
    let arguments =
        "int puts(const char *);\nint main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); return 0; }\n";
    let file = dir.write("arguments.i", arguments);
    let given = heddle(["run", &file, "--arg", "one", "--arg", "-2"]).ends_with(0);
    assert_eq!(given.out, "one\n-2\n");
}

#[test]
fn inputs_must_fit() {
    let dir = Scratch::new();
    let file = dir.write("input.i", INPUT);
    refused(&["run", &file, "--input", "other=3"], "the program has no input `other`");
    refused(&["run", &file, "--input", "pick=256"], "256 is out of range for input `pick`");
    refused(&["run", &file, "--input", "pick=-129"], "-129 is out of range for input `pick`");
    refused(&["run", &file, "--input", "pick=x"], "`x` is not an integer");
    refused(&["run", &file, "--input", "pick"], "expected NAME=VALUES");
    refused(&["check", &file, "--domain", "other=0..3"], "the program has no input `other`");
    refused(&["check", &file, "--domain", "pick=250..260"], "256 is out of range for input `pick`");
    refused(&["check", &file, "--domain", "pick=3..1"], "the range must hold");
    refused(&["check", &file, "--domain", "pick=0..99999999"], "the range must hold");
}

#[test]
fn domains_decide() {
    let dir = Scratch::new();
    let file = dir.write("input.i", INPUT);
    // What a function without a body returns is a guess, and no violation rests on one unless that is allowed.
    heddle(["check", "-w", &file]).ends_with(3).last("UNKNOWN depends");
    heddle(["check", "-w", &file, "--allow-guesses"]).ends_with(1).last(&format!("UNSAFE assert {file}:6"));
    heddle(["check", "-w", &file, "--engine", "explore"]).ends_with(3).last("UNKNOWN inputs");
    heddle(["check", "-w", &file, "--domain", "pick=0..6"]).ends_with(0).last("SAFE");
    heddle(["check", "-w", &file, "--domain", "pick=0..255"]).ends_with(1).last(&format!("UNSAFE assert {file}:6"));
}

#[test]
fn schedules_must_fit() {
    let dir = Scratch::new();
    let (file, good) = (dir.write("counter.i", COUNTER), dir.path("bug.json"));
    let other = dir.write("other.i", INPUT);
    heddle(["check", &file, "--save-schedule", &good]).ends_with(1);
    let text = std::fs::read_to_string(&good).expect("it was saved");
    let edited = |name: &str, from: &str, to: &str| {
        assert!(text.contains(from), "no {from} in {text}");
        dir.write(name, &text.replacen(from, to, 1))
    };
    refused(&["replay", &other, "--schedule", &good], "the schedule was made for another program");
    refused(&["run", &other, "--schedule", &good], "the schedule was made for another program");
    refused(&["replay", &file, "--schedule", &dir.path("missing.json")], "missing.json");
    for (name, length) in [("empty", 0), ("half", text.len() / 2), ("cut", text.len() - 2)] {
        let cut = dir.write(name, &text[..length]);
        refused(&["replay", &file, "--schedule", &cut], "this is not a schedule");
    }
    let cases = [
        ("list", text.as_str(), "[1, 2]", "this is not a schedule"),
        ("version", "\"version\": 1", "\"version\": 2", "schedules of version 2 are not known"),
        ("field", "\"version\": 1", "\"version\": 1, \"more\": 2", "unknown field `more`"),
        ("negative", "\"steps\": 2", "\"steps\": -2", "this is not a schedule"),
        ("huge", "\"steps\": 2", "\"steps\": 18446744073709551615", "the schedule is too long"),
        ("many", "\"steps\": 2", "\"steps\": 1000000000000", "cannot make step"),
        ("thread", "\"0.1\"", "\"0.5\"", "the schedule names a thread that cannot exist"),
        ("path", "\"0.1\"", "\"x\"", "the schedule names a thread that cannot exist"),
        ("spurious", "\"steps\": 2", "\"steps\": 2, \"spurious\": true", "cannot make step"),
        ("program", "\"program\": \"", "\"program\": \"0", "the schedule was made for another program"),
    ];
    for (name, from, to, message) in cases {
        refused(&["replay", &file, "--schedule", &edited(name, from, to)], message);
    }
    let inputs = "\"inputs\": [{\"name\": \"y\", \"thread\": \"0\", \"occurrence\": 0, \"bits\": \"0x1\"}]";
    refused(&["replay", &file, "--schedule", &edited("inputs", "\"inputs\": []", inputs)], "inputs do not fit");
}

#[test]
fn a_schedule_may_end_early() {
    let dir = Scratch::new();
    let (file, good) = (dir.write("counter.i", COUNTER), dir.path("bug.json"));
    heddle(["check", &file, "--save-schedule", &good]).ends_with(1);
    let text = std::fs::read_to_string(&good).expect("it was saved");
    let (head, tail) = (text.find("\"turns\"").expect("turns"), text.find("\"inputs\"").expect("inputs"));
    let short = format!("{}\"turns\": [], {}", &text[..head], &text[tail..]);
    heddle(["replay", &file, "--schedule", &dir.write("short.json", &short)]).ends_with(0);
}

#[test]
fn wrong_usage() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    refused(&["frobnicate"], "unrecognized subcommand");
    refused(&["check"], "<FILE>");
    refused(&["replay", &file], "--schedule");
    refused(&["check", &file, "--wrong"], "--wrong");
    refused(&["check", &file, "--property", "wrong"], "unknown property `wrong`");
    refused(&["check", &file, "--engine", "wrong"], "invalid value 'wrong'");
    refused(&["check", &file, "--max-steps", "0"], "--max-steps");
    refused(&["check", &file, "--time-limit", "0"], "a positive number of seconds");
    refused(&["check", &file, "--time-limit", "nan"], "a positive number of seconds");
    refused(&["check", &file, "--memory-limit", "0"], "--memory-limit");
    refused(&["check", &file, "--data-model", "lp32"], "expected lp64 or ilp32");
    refused(&["run", &file, "--seed", "x"], "--seed");
    refused(&["run", &file, "--seed", "1", "--first"], "cannot be used with");
    refused(&["show", "wrong", &file], "invalid value 'wrong'");
    refused(&["show", "goto", "--dot", &file], "--dot goes with");
    refused(&["check", &file, "--save-schedule", "/nonexistent/bug.json"], "/nonexistent/bug.json");
    heddle(["--version"]).ends_with(0).prints("heddle ");
    for command in ["check", "run", "replay", "show"] {
        heddle([command, "--help"]).ends_with(0).prints("Usage");
    }
    heddle(["check", "--help"]).ends_with(0).prints("assert,deadlock,lock,memory,division");
}

#[test]
fn show_prints_what_the_verifier_sees() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    for (what, part) in [("goto", "increment"), ("cfg", "increment"), ("threads", "increment"), ("shared", "x")] {
        heddle(["show", what, &file]).ends_with(0).prints(part);
    }
    heddle(["show", "loops", &file]).ends_with(0);
    heddle(["show", "cfg", "--dot", &file]).ends_with(0).prints("digraph");
    heddle(["show", "threads", "--dot", &file]).ends_with(0).prints("digraph");
}

#[test]
fn a_report_ends_with_what_fails() {
    let dir = Scratch::new();
    let file = dir.write("counter.i", COUNTER);
    let race = heddle(["check", &file, "--property", "race"]).ends_with(1).prints("0.2 increment");
    let steps: Vec<&str> =
        race.out.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).collect();
    assert!(steps.last().is_some_and(|last| last.ends_with("read `x`") || last.contains("write `x`")), "{race:#?}");
    assert!(!race.out.contains("__heddle"), "names of models mean nothing to a user: {race:#?}");
}

/// Programs that do not end by themselves, or want more than there is.
#[test]
fn limits_are_kept() {
    let dir = Scratch::new();
    let recursion =
        dir.write("recursion.i", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n");
    heddle(["run", &recursion]).ends_with(3).says("calls are nested too deep");
    heddle(["check", &recursion]).ends_with(3).last("UNKNOWN limit");

    let text = "void *malloc(unsigned long);\nint main(void) { for (;;) { char *p = malloc(1000000); *p = 1; } }\n";
    let allocation = dir.write("allocation.i", text);
    heddle(["run", &allocation, "--memory-limit", "64"]).ends_with(3).says("more memory than allowed");
    heddle(["check", &allocation, "--memory-limit", "64", "--engine", "explore"]).ends_with(3);

    let printing = dir.write("printing.i", "int puts(const char *);\nint main(void) { for (;;) puts(\"again\"); }\n");
    let given = heddle(["run", &printing]).ends_with(3).says("prints more than allowed");
    assert!(given.out.len() < 2 << 20, "{} bytes of output", given.out.len());
    heddle(["check", &printing, "--time-limit", "0.5", "--engine", "explore"]).never_ends();

    let looping = dir.write("looping.i", "int x;\nint main(void) { for (;;) x = 1 - x; }\n");
    heddle(["run", &looping, "--time-limit", "0.5"]).ends_with(3).says("the time is over");
    heddle(["run", &looping, "--max-steps", "100"]).ends_with(3).says("the limit on steps is reached");
    heddle(["run", &looping, "--max-steps", "100", "--trace"]).ends_with(3).says("the limit on steps is reached");
    let object = heddle(["run", &looping, "--max-steps", "100", "--json"]).ends_with(3).json();
    assert_eq!(object["verdict"], "unknown");
    heddle(["check", &looping, "--time-limit", "0.5", "--engine", "explore"]).never_ends();
    heddle(["check", &looping, "--max-steps", "100"]).ends_with(0).last("SAFE WITHIN steps=100");

    let undefined = dir.write("undefined.i", "int *p;\nint main(void) { return *p; }\n");
    heddle(["run", &undefined, "--property", "assert"]).ends_with(3).says("no defined meaning");
    heddle(["check", &undefined, "--property", "assert"]).ends_with(3).last("UNKNOWN undefined");

    let text = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
                void *idle(void *arg) { return 0; }\n\
                int main(void) { unsigned long t; for (;;) pthread_create(&t, 0, idle, 0); }\n";
    let threads = dir.write("threads.i", text);
    heddle(["run", &threads]).ends_with(3).says("too many threads");
}
