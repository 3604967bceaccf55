//! Programs as builds make them: `heddle cc` in place of the compiler, compilation databases, command lines of gcc.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-builds-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("src")).expect("a writable temporary directory");
        let scratch = Scratch(path);
        scratch.write("src/queue.h", "int take(void);\nvoid put(int);\n#define LIMIT (START + 1)\n");
        scratch.write(
            "src/queue.c",
            "#include \"queue.h\"\nstatic int n;\nint take(void) { return n; }\nvoid put(int v) { n = v; }\n",
        );
        scratch.write("src/unused.c", "int nobody(void) { return 1 }\n");
        scratch.write(
            "src/main.c",
            "#include <assert.h>\n#include <queue.h>\nint main(void) {\n  put(START);\n  assert(take() < LIMIT - WRONG);\n}\n",
        );
        scratch
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a writable temporary directory");
    }

    fn heddle(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
        command.args(args).current_dir(&self.0).env_remove("CC").env_remove("HEDDLE_CC");
        command.output().expect("the binary runs")
    }

    /// The last line of the answer; nothing may be said on standard error.
    #[track_caller]
    fn answer(&self, args: &[&str]) -> String {
        let output = self.heddle(args);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn cc(&self, args: &[&str]) {
        let output = self.heddle(&[&["cc"], args].concat());
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    #[track_caller]
    fn refused(&self, args: &[&str], message: &str) {
        let output = self.heddle(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
        assert!(errors.contains(message), "{args:?}: expected `{message}` in:\n{errors}");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn flags_of_gcc_are_taken() {
    let scratch = Scratch::new("flags");
    let files = ["src/main.c", "src/queue.c"];
    let flags =
        ["-Wall", "-O2", "-pthread", "-std=gnu11", "-isystem", "src", "-DSTART=3", "-Wl,-z,now", "-lpthread", "-g"];
    let right = ["-DWRONG=0", "-o", "prog"];
    let all = [&["check"][..], &flags, &right, &files].concat();
    assert_eq!(scratch.answer(&all), "SAFE");
    let separated = [&["check", "--unwind", "2", "--", "gcc"][..], &flags, &right, &files].concat();
    assert_eq!(scratch.answer(&separated), "SAFE");
    let wrong = [&[files[0], "--json", "-DWRONG=1"][..], &flags, &files[1..]].concat();
    assert!(String::from_utf8_lossy(&scratch.heddle(&wrong).stdout).contains("\"unsafe\""));
    // The last one of two counts, as for gcc.
    let last = [&["check", "-DWRONG=1", "-UWRONG", "-DWRONG=0"][..], &flags, &files].concat();
    assert_eq!(scratch.answer(&last), "SAFE");
    scratch.refused(&["check", "-fshort-enums", "src/main.c"], "`-fshort-enums` changes the meaning");
}

#[test]
fn a_build_records_what_it_links() {
    let scratch = Scratch::new("cc");
    scratch.cc(&["-O2", "-DSTART=3", "-DWRONG=1", "-Isrc", "-c", "src/main.c", "-o", "main.o"]);
    scratch.cc(&["-c", "src/queue.c", "-DSTART=9"]);
    assert!(
        Command::new("ar")
            .args(["rcs", "libq.a", "queue.o"])
            .current_dir(&scratch.0)
            .status()
            .is_ok_and(|s| s.success())
    );
    scratch.cc(&["main.o", "-L.", "-lq", "-o", "prog"]);
    assert_eq!(scratch.answer(&["check", "./prog"]), "UNSAFE assert src/main.c:5");
    assert_eq!(scratch.answer(&["./prog"]), "UNSAFE assert src/main.c:5");
    assert_eq!(scratch.answer(&["check", "main.o", "libq.a"]), "UNSAFE assert src/main.c:5");
    // In one go, from objects and sources.
    scratch.cc(&["-DSTART=3", "-DWRONG=0", "-Isrc", "src/main.c", "queue.o", "-o", "other"]);
    assert_eq!(scratch.answer(&["check", "other"]), "SAFE");
    // The real compiler's errors are its own, and its status is passed on.
    let output = scratch.heddle(&["cc", "-c", "src/unused.c"]);
    assert_eq!(output.status.code(), Some(1));
    scratch.refused(&["check", env!("CARGO_BIN_EXE_heddle")], "has no record of its sources");
}

#[test]
fn a_compilation_database() {
    let scratch = Scratch::new("database");
    scratch.write("src/other.c", "#include \"queue.h\"\nint main(void) { put(1); return take(); }\n");
    scratch.write("src/broken.c", "int nobody(void) { return 1; }\n");
    let directory = scratch.0.display();
    let entry = |file: &str, command: &str| {
        format!("{{\"directory\": \"{directory}/src\", \"file\": \"{file}\", \"command\": \"{command} -c {file}\"}}")
    };
    let entries = [
        entry("main.c", "gcc -DSTART=3 -DWRONG=1 -I. -Wall"),
        entry("queue.c", "gcc -O2 -o queue.o"),
        entry("other.c", "gcc"),
        entry("broken.c", "gcc"),
    ];
    scratch.write("compile_commands.json", &format!("[{}]", entries.join(",")));
    let project = ["check", "--project", "compile_commands.json"];
    scratch.refused(&project, "`main` is defined in src/main.c, src/other.c");
    assert_eq!(scratch.answer(&[&project[..], &["--target", "other"]].concat()), "SAFE");
    assert_eq!(scratch.answer(&[&project[..], &["--target", "main"]].concat()), "UNSAFE assert src/main.c:5");
    scratch
        .refused(&[&project[..], &["--target", "none"]].concat(), "no file of the project belongs to a target `none`");
    scratch.refused(&["check", "--project", "src/main.c"], "src/main.c");
}

#[test]
fn first_contact() {
    let scratch = Scratch::new("contact");
    scratch.refused(&[], "Usage: heddle");
    scratch.refused(&["chekc", "a.c"], "'check'");
    scratch.refused(&["check", "none.c"], "none.c: no such file");
    scratch.refused(&["none.c"], "none.c: no such file");
    scratch.refused(&["check", "src"], "is a directory");
    scratch.refused(&["check", "src/main.c", "--property", "races"], "the properties are assert, deadlock, lock,");
    scratch.write("empty.c", "\n");
    scratch.refused(&["check", "empty.c"], "is empty");
    scratch.write("a.cpp", "int main() {}\n");
    scratch.refused(&["check", "a.cpp"], "this is C++");
    scratch.write("b.c", "#include <iostream>\nint main() { std::cout << 1; }\n");
    scratch.refused(&["check", "b.c"], "this is C++");
    let output = scratch.heddle(&["version"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("heddle "));
    // Beside an error nothing is said of the library.
    scratch
        .write("e.c", "#include <pthread.h>\nint main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); return x; }\n");
    let output = scratch.heddle(&["check", "e.c"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("pthread_create` has neither"));
}

#[test]
fn standard_input_by_its_file_name() {
    let scratch = Scratch::new("stdin");
    let source = std::fs::File::open(scratch.0.join("src/queue.c")).expect("it was written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.args(["show", "goto", "/dev/stdin", "-Isrc"].map(OsStr::new)).current_dir(&scratch.0).stdin(source);
    let output = command.output().expect("the binary runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no function `main`"), "{output:?}");
    assert!(Path::new("/dev/stdin").exists());
}
