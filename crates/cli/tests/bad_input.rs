//! Input that cannot be used: the binary says what is wrong and where, and ends with exit code 2. What is only large or deep
//! is no crash either.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-bad-input-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        Scratch(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a writable temporary directory");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn heddle(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).output().expect("the binary runs")
}

fn show(file: &Path) -> Output {
    heddle([OsStr::new("show"), OsStr::new("goto"), file.as_os_str()])
}

/// The input is refused with a message that contains `message`.
#[track_caller]
fn refused(output: &Output, message: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains(message), "expected `{message}` in:\n{errors}");
    assert!(output.stdout.is_empty(), "an answer for input that was refused");
}

/// The program text is refused.
#[track_caller]
fn refused_text(name: &str, text: impl AsRef<[u8]>, message: &str) {
    let scratch = Scratch::new(name);
    refused(&show(&scratch.write("input.i", text)), message);
}

/// The program text is taken.
#[track_caller]
fn taken_text(name: &str, text: &str) {
    let scratch = Scratch::new(name);
    let output = show(&scratch.write("input.i", text));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_missing_file() {
    refused(&heddle(["show", "goto", "/nonexistent/input.c"]), "/nonexistent/input.c");
    refused(&heddle(["show", "goto", "/nonexistent/input.i"]), "/nonexistent/input.i");
}

#[test]
fn a_directory() {
    let scratch = Scratch::new("directory");
    refused(&show(&scratch.0), "directory");
}

#[test]
fn a_binary_file() {
    let bytes: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused_text("binary", bytes, "error");
}

#[test]
fn an_empty_file() {
    refused_text("empty", "", "input.i: is empty");
    refused_text("blank", "\n\n  \n", "input.i: is empty");
    refused_text("comments", "/* nothing */\n", "no function `main`");
}

#[test]
fn a_program_without_main() {
    refused_text("no-main", "int f(void) { return 1; }\n", "no function `main`");
}

#[test]
fn a_truncated_string() {
    refused_text("string", "int main(void) { return \"abc", "input.i:1:25: error: missing terminating `\"`");
    refused_text("comment", "int main(void) { /* abc", "comment");
    refused_text("body", "int main(void) { return 1;", "error: expected");
}

#[test]
fn conflicting_declarations_of_two_files() {
    let scratch = Scratch::new("conflict");
    let one = scratch.write("one.i", "extern int x;\nint main(void) { return x; }\n");
    let two = scratch.write("two.i", "double x = 1;\n");
    let output = heddle([OsStr::new("show"), OsStr::new("goto"), one.as_os_str(), two.as_os_str()]);
    // A linker takes them; the user is told.
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(
        errors.contains("two.i:1:8: warning: files disagree about `x`: `double` here, `int` in another file"),
        "{errors}"
    );
    assert!(errors.contains("one.i:1:12: note: the other declaration is here"), "{errors}");
}

#[test]
fn unknown_flags_and_values() {
    refused(&heddle(["show", "goto", "--no-such-flag", "x.c"]), "--no-such-flag");
    refused(&heddle(["show", "goto", "--data-model", "lp128", "x.c"]), "lp128");
    refused(&heddle(["show", "goto", "--property", "nonsense", "x.c"]), "nonsense");
    refused(&heddle(["show", "nothing", "x.c"]), "nothing");
    refused(&heddle(["show", "goto"]), "FILE");
}

#[test]
fn huge_numbers() {
    let digits = "9".repeat(10_000);
    refused_text("number", format!("int x = {digits};\nint main(void) {{ return x; }}\n"), "input.i:1:9: ");
    taken_text("float", &format!("double d = {digits}.0e-9000;\nint main(void) {{ return d > 1; }}\n"));
    refused_text("array", "int a[1 << 30][1 << 30];\nint main(void) { return 0; }\n", "too large");
}

/// Each of these nests 100,000 deep.
#[test]
fn deep_nesting() {
    let nested =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000));
    let returned =
        |expr: String| format!("int x, *p; int f(int y) {{ return y; }}\nint main(void) {{ return {expr}; }}\n");
    let deep = "nested too deeply";
    refused_text("parentheses", returned(nested("(", "1", ")")), deep);
    refused_text("calls", returned(nested("f(", "1", ")")), deep);
    refused_text("indices", returned(nested("p[", "0", "]")), deep);
    refused_text("casts", returned(nested("(int)", "1", "")), deep);
    refused_text("not", returned(nested("!", "x", "")), deep);
    refused_text("sizeof", returned(nested("sizeof ", "x", "")), deep);
    refused_text("conditional", returned(nested("x ? 1 : ", "0", "")), deep);
    refused_text("blocks", format!("int main(void) {}", nested("{", "", "}")), deep);
    refused_text("if", format!("int x; int main(void) {{ {} }}", nested("if (x) ", ";", "")), deep);
    refused_text("braces", format!("int x[] = {};\nint main(void) {{ return 0; }}\n", nested("{", "1", "}")), deep);
    refused_text(
        "pointers",
        format!("int {}; int main(void) {{ return 0; }}\n", nested("*", "x", "")),
        "more than 256",
    );
    refused_text(
        "arrays",
        format!("int x{}; int main(void) {{ return 0; }}\n", nested("", "", "[1]")),
        "more than 256",
    );
}

/// Long is not deep: sums, conditions and `else if` lean to one side.
#[test]
fn long_sums() {
    let terms = |operator: &str| vec!["x"; 100_000].join(operator);
    taken_text("sum", &format!("int x; int main(void) {{ return {}; }}\n", terms("+")));
}

#[test]
fn long_else_if() {
    let chain: Vec<String> = (0..100_000).map(|i| format!("if (x == {i}) x = 1;")).collect();
    taken_text("else-if", &format!("int x; int main(void) {{ {} return 0; }}\n", chain.join("\nelse ")));
}

#[test]
fn long_conditions_and_labels() {
    let labels: String = (0..20_000).map(|i| format!("l{i}:")).collect();
    let conditions = vec!["x"; 5000].join(" && ");
    let commas = vec!["x = 1"; 5000].join(", ");
    taken_text(
        "conditions",
        &format!("int x; int main(void) {{ if ({conditions}) x = 1; {commas}; {labels}; return 0; }}\n"),
    );
}

#[test]
fn many_errors_are_counted() {
    let text: String = (0..1000).map(|i| format!("int f{i}(void) {{ return missing{i}; }}\n")).collect();
    refused_text("many", format!("{text}int main(void) {{ return 0; }}\n"), "1000 errors");
}

#[test]
fn a_large_file() {
    // A prototype and a comment a line: 8 MB, which a debug build takes a few seconds for.
    let line =
        "extern int some_function(int first, long second, const char *third); /* padding padding padding padding */\n";
    let mut text = line.repeat(8_000_000 / line.len());
    text.push_str("int main(void) { return 0; }\n");
    taken_text("large", &text);
}
