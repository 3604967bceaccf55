//! Regression tests that stand alone: `--emit-test`.
//!
//! The file is C and a shell script at once. As a script (`sh FILE.c`) it builds the program from its sources, with the hooks
//! of ThreadSanitizer, and itself as the scheduler; then it runs the program under the schedule that it holds. As C it is
//! the runtime with that schedule. The test fails (exit code 1) if what the schedule shows happens, and passes otherwise.
//!
//! Lines are known by their text and their number among lines of the same text, so the test still forces its schedule when
//! something else in the file has changed. Steps on lines that are gone are given up.
//!
//! **Limit.** Where the fault is mended by other means than a change of the lines involved, the rest of the schedule is still
//! forced, as far as it can be; the test then passes because nothing happens, not because nothing can happen.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::build::{HEAP, WRAPPED};
use crate::plan::{Plan, PlanLine};
use crate::{Binary, BuildConfig, NativeError, RUNTIME};

/// What a test is about.
#[derive(Clone, Copy, Debug)]
pub struct RegressionTest<'a> {
    /// The violation in one line.
    pub headline: &'a str,
    /// Where the test will lie: the program's files are named relative to that folder.
    pub path: &'a Path,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestResult {
    /// The violation happened.
    Fails,
    /// It did not.
    Passes,
}

/// The text of the test.
pub fn regression_test(test: RegressionTest<'_>, config: &BuildConfig, plan: &Plan, binary: &Binary) -> String {
    let schedule = plan.text(&[], &lines(plan, &binary.atomic_lines));
    let mut out = script(test, config);
    out.push_str("#define HEDDLE_TEST 1\nstatic const char test_schedule[] =\n");
    for line in schedule.lines() {
        let _ = writeln!(out, "    \"{}\\n\"", escaped(line));
    }
    out.push_str("    ;\n\n");
    out.push_str(RUNTIME);
    out
}

/// Runs a test that was written, as its user will.
pub fn run_test(path: &Path) -> Result<TestResult, NativeError> {
    let failed = |error| NativeError::Tool("sh".to_owned(), error);
    let output = Command::new("sh").arg(path).stdin(Stdio::null()).output().map_err(failed)?;
    match output.status.code() {
        Some(0) => Ok(TestResult::Passes),
        Some(1) => Ok(TestResult::Fails),
        _ => Err(NativeError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// The part that the shell reads and the compiler skips.
fn script(test: RegressionTest<'_>, config: &BuildConfig) -> String {
    let name = test.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let folder = test.path.parent().unwrap_or(Path::new(""));
    let mut out = format!(
        "#if 0
# Regression test, written by heddle {}.
# {}
# Run it with a shell: sh {name}
# It fails (exit code 1) while this happens, and passes (0) when it does not. It needs a C compiler and binutils.
",
        env!("CARGO_PKG_VERSION"),
        test.headline.replace('\n', " ").replace("/*", "/ *"),
    );
    out.push_str("test=$(cd \"$(dirname \"$0\")\" && pwd)/$(basename \"$0\")\ncd \"$(dirname \"$test\")\" || exit 2\n");
    out.push_str("work=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$work\"' EXIT\n");
    let model = if config.ilp32 { "-m32 " } else { "" };
    let traps = match config.trap_overflow {
        true => " -fsanitize=signed-integer-overflow,shift -fsanitize-undefined-trap-on-error",
        false => "",
    };
    let flags: String = config.flags.iter().map(|flag| format!(" {}", quoted(&relocated(flag, folder)))).collect();
    for (number, file) in config.files.iter().enumerate() {
        let file = quoted(&relative(file, folder).to_string_lossy());
        let _ = writeln!(
            out,
            "${{CC:-cc}} {model}-g -O0 -fno-pie -w -pthread -fsanitize=thread{traps}{flags} -c {file} -o \"$work/user{number}.o\" || exit 2"
        );
    }
    let _ = writeln!(
        out,
        "${{CC:-cc}} {model}-O2 -fno-pie -w -pthread -c -x c \"$test\" -o \"$work/schedule.o\" || exit 2"
    );
    out.push_str("wraps=\nfor name in");
    for (number, name) in WRAPPED.iter().chain(&HEAP).enumerate() {
        out.push_str(if number % 5 == 4 { " \\\n    " } else { " " });
        out.push_str(name);
    }
    out.push_str("\ndo wraps=\"$wraps -Wl,--wrap=$name\"; done\n");
    // The compiler must not see the beginning of a comment, so the objects are named one by one.
    let objects: String = (0..config.files.len()).map(|number| format!(" \"$work/user{number}.o\"")).collect();
    let _ = writeln!(
        out,
        "${{CC:-cc}} {model}-g -no-pie -pthread $wraps{objects} \"$work/schedule.o\" -ldl -lm -o \"$work/program\" || exit 2"
    );
    out.push_str(
        "\"$work/program\" > /dev/null
case $? in
71|72|73|74|76|77|78|79) echo \"FAIL: the violation happens\"; exit 1 ;;
esac
echo \"PASS\"
exit 0
#endif
",
    );
    out
}

/// The plan's lines with their texts, from the files as they are now.
fn lines(plan: &Plan, atomic: &BTreeSet<usize>) -> Vec<PlanLine> {
    let mut lines = plan.named_lines(atomic);
    for line in &mut lines {
        // Without the file, the line's number is all that is known.
        let Ok(text) = std::fs::read(&line.file) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let all: Vec<&str> = text.lines().map(|text| text.trim_matches([' ', '\t', '\r', '\n'])).collect();
        let Some(own) = all.get(line.number as usize - 1) else { continue };
        line.ordinal = all[..line.number as usize].iter().filter(|text| text == &own).count();
        line.text = (*own).to_owned();
    }
    lines
}

/// A line as the inside of a C string.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            // Three octal digits end by themselves; a question mark could begin a trigraph.
            b'?' | 0..=31 | 127..=255 => {
                let _ = write!(out, "\\{byte:03o}");
            }
            _ => out.push(byte as char),
        }
    }
    out
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A flag with its folder seen from elsewhere.
fn relocated(flag: &str, folder: &Path) -> String {
    match flag.strip_prefix("-I") {
        Some(directory) => format!("-I{}", relative(Path::new(directory), folder).display()),
        None => flag.to_owned(),
    }
}

/// A path as seen from a folder.
fn relative(path: &Path, folder: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let full = |path: &Path| std::fs::canonicalize(here.join(path)).unwrap_or_else(|_| here.join(path));
    let (path, folder) = (full(path), full(folder));
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(path.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_the_compiler() {
        assert_eq!(escaped("a \"b\" \\n ??/ \u{e9}1"), "a \\\"b\\\" \\\\n \\077\\077/ \\303\\2511");
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("-DN=2"), "-DN=2");
        assert_eq!(quoted("-DS=\"it's\""), "'-DS=\"it'\\''s\"'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn paths_are_seen_from_the_test() {
        assert_eq!(relative(Path::new("/a/b/c.c"), Path::new("/a/d")), Path::new("../b/c.c"));
        assert_eq!(relative(Path::new("/a/b/c.c"), Path::new("/a/b")), Path::new("c.c"));
    }
}
