//! `heddle check task.yml`, and property files.

use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-task-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        let folder = Folder(path);
        folder.write("p.c", "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n");
        folder.write("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        folder.write("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a writable temporary directory");
    }

    fn check(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_heddle"))
            .current_dir(&self.0)
            .arg("check")
            .args(args)
            .output()
            .expect("it runs")
    }

    #[track_caller]
    fn ends(&self, args: &[&str], code: i32, text: &str) {
        let output = self.check(args);
        let all = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{all}");
        assert!(all.contains(text), "{all}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TASK: &str = "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: unreach.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";

#[test]
fn files_data_model_and_properties() {
    let folder = Folder::new("plain");
    folder.write("t.yml", TASK);
    folder.ends(&["t.yml"], 0, "SAFE");
    folder.ends(&["t.yml", "--data-model", "lp64"], 1, "UNSAFE assert");
    folder.write("several.yml", &TASK.replace("'p.c'", "['p.c']"));
    folder.ends(&["several.yml"], 0, "SAFE");
}

#[test]
fn what_is_not_known_is_an_error() {
    let folder = Folder::new("bad");
    folder.write("t.yml", &TASK.replace("unreach", "termination"));
    folder.ends(&["t.yml"], 2, "no property for `CHECK( init(main()), LTL(F end) )`");
    folder.write("t.yml", &TASK.replace("unreach", "missing"));
    folder.ends(&["t.yml"], 2, "missing.prp");
    folder.write("t.yml", &TASK.replace("ILP32", "ILP64"));
    folder.ends(&["t.yml"], 2, "data model `ILP64`");
    folder.write("t.yml", &TASK.replace("language: C", "language: Java"));
    folder.ends(&["t.yml"], 2, "written in Java");
    folder.write("t.yml", "input_files: [\n");
    folder.ends(&["t.yml"], 2, "no task definition");
}

#[test]
fn property_files_on_the_command_line() {
    let folder = Folder::new("prp");
    folder.ends(&["p.c", "--property", "unreach.prp"], 1, "UNSAFE assert");
    folder.ends(&["p.c", "--property", "termination.prp"], 2, "no property for");
}
