//! `heddle validate`: witnesses of ours, of other tools, of other programs, and what is no witness.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn heddle(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_heddle")).current_dir(root).args(args).output().expect("the binary runs")
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-validate-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a writable folder");
        path.to_str().expect("names are UTF-8").to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("names are UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn own_witnesses_are_confirmed() {
    let folder = Folder::new("own");
    for (program, property) in [
        ("examples/counter.c", "assert"),
        ("examples/counter.c", "race"),
        ("corpus/bounded/inputs_in_threads.c", "assert"),
        ("corpus/bounded/freed_by_other.c", "memory"),
    ] {
        for name in ["w.graphml", "w.yml"] {
            let witness = folder.path(name);
            let checked = heddle(&["check", program, "--property", property, "--witness", &witness]);
            assert_eq!(checked.status.code(), Some(1), "{checked:?}");
            let validated = heddle(&["validate", program, "--witness", &witness]);
            assert_eq!(last_line(&validated), "CONFIRMED", "{program} {property} {name}: {validated:?}");
            assert_eq!(validated.status.code(), Some(0));
        }
    }
}

const SUM: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 77)
        reach_error();
    return 0;
}
";

/// A witness as another tool writes it: no hash, few places.
fn sparse(result: &str) -> String {
    format!(
        "- entry_type: violation_sequence
  metadata:
    format_version: 2.0
    uuid: 0
    creation_time: 2024-01-01T00:00:00Z
    producer: {{ name: other, version: 1 }}
    task:
      input_files: [sum.c]
      input_file_hashes: {{}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: ILP32
      language: C
  content:
    - segment:
        - waypoint:
            type: function_return
            action: follow
            constraint: {{ value: '\\result == {result}', format: ext_c_expression }}
            location: {{ file_name: sum.c, line: 5, column: 35, function: main }}
    - segment:
        - waypoint:
            type: target
            action: follow
            location: {{ file_name: sum.c, line: 7, function: main }}
"
    )
}

#[test]
fn sparse_witnesses_are_followed() {
    let folder = Folder::new("sparse");
    let program = folder.write("sum.c", SUM);
    let right = folder.write("right.yml", &sparse("77"));
    assert_eq!(last_line(&heddle(&["validate", &program, "--witness", &right])), "CONFIRMED");
    // The property is violated, but not with this input.
    let wrong = folder.write("wrong.yml", &sparse("76"));
    let validated = heddle(&["validate", &program, "--witness", &wrong]);
    assert_eq!((last_line(&validated).as_str(), validated.status.code()), ("UNKNOWN", Some(3)), "{validated:?}");
    // A program without the violation.
    let safe = folder.write("sum.c", &SUM.replace("n == 77", "n != n"));
    let validated = heddle(&["validate", &safe, "--witness", &right]);
    assert_eq!((last_line(&validated).as_str(), validated.status.code()), ("REJECTED", Some(1)), "{validated:?}");
}

const LOOP: &str = "#include <assert.h>
int main(void)
{
    int i = 0, sum = 0;
    while (i < 4) {
        sum += 2;
        i++;
    }
    assert(sum == 8);
    return 0;
}
";

fn invariants(value: &str) -> String {
    format!(
        "- entry_type: invariant_set
  metadata:
    format_version: '2.0'
    task:
      input_file_hashes: {{}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
  content:
    - invariant:
        type: loop_invariant
        location: {{ file_name: loop.c, line: 5, column: 5, function: main }}
        value: {value}
        format: c_expression
    - invariant:
        type: location_invariant
        location: {{ file_name: loop.c, line: 7, function: main }}
        value: sum == 2 * i + 2
        format: c_expression
"
    )
}

#[test]
fn invariants_are_checked() {
    let folder = Folder::new("invariants");
    let program = folder.write("loop.c", LOOP);
    let right = folder.write("right.yml", &invariants("sum == 2 * i"));
    let validated = heddle(&["validate", &program, "--witness", &right]);
    assert_eq!((last_line(&validated).as_str(), validated.status.code()), ("CONFIRMED", Some(0)), "{validated:?}");
    let wrong = folder.write("wrong.yml", &invariants("i < 4"));
    let validated = heddle(&["validate", &program, "--witness", &wrong]);
    assert_eq!((last_line(&validated).as_str(), validated.status.code()), ("REJECTED", Some(1)), "{validated:?}");
    assert!(String::from_utf8_lossy(&validated.stdout).contains("the invariant `i < 4`"), "{validated:?}");
}

#[test]
fn proofs_have_witnesses() {
    let folder = Folder::new("proof");
    let program = folder.write("loop.c", LOOP);
    let witness = folder.path("w.yml");
    let checked = heddle(&["check", &program, "--property", "assert", "--witness", &witness]);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    assert_eq!(last_line(&heddle(&["validate", &program, "--witness", &witness])), "CONFIRMED");
}

#[test]
fn bad_witnesses_are_refused() {
    let folder = Folder::new("bad");
    let witness = folder.path("w.yml");
    heddle(&["check", "examples/counter.c", "--property", "assert", "--witness", &witness]);
    let other = folder.write("counter.c", "int main(void) { return 0; }\n");
    let validated = heddle(&["validate", &other, "--witness", &witness]);
    assert_eq!(validated.status.code(), Some(2), "{validated:?}");
    assert!(String::from_utf8_lossy(&validated.stderr).contains("another program"), "{validated:?}");
    for (name, text) in [("a.yml", "- [unclosed"), ("b.graphml", "<graphml><graph>"), ("c.yml", ""), ("d.yml", "- 1\n")]
    {
        let file = folder.write(name, text);
        let validated = heddle(&["validate", &other, "--witness", &file]);
        assert_eq!(validated.status.code(), Some(2), "{name}: {validated:?}");
        assert!(validated.stdout.is_empty(), "{name}: {validated:?}");
    }
    let missing = folder.path("none.yml");
    assert_eq!(heddle(&["validate", &other, "--witness", &missing]).status.code(), Some(2));
}
