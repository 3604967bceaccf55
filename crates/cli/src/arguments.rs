//! The words of the command line before clap sees them: compilers' flags among Heddle's own, a file without a command, and
//! what stands behind `--`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::compiler_flags::{Invocation, is_compiler};
use crate::task_definition;

/// Commands that take a program.
const WITH_PROGRAM: &[&str] = &["check", "run", "replay", "show", "validate"];

/// Heddle's flags whose value may begin with a hyphen: it is not looked at.
const WITH_VALUE: &[&str] = &["--arg", "--cpp"];

/// Heddle's flags whose value is a file that may look like a task definition.
const WITH_FILE: &[&str] =
    &["--witness", "--report", "--sarif", "--baseline", "--junit", "--save-schedule", "--schedule"];

/// Makes of the words what clap understands. The first is the program's own name.
///
/// - `heddle FILE.c` means `heddle check FILE.c`, and `heddle version` means `heddle --version`.
/// - Flags of compilers become `--cpp=…`, which keeps their order, or go.
/// - Behind `--` stand, for `check` and `show`, a compiler's command line, for `run` and `replay` the arguments of `main`.
///
/// `Err` is what is wrong with them.
pub fn normalise(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut words = words.into_iter();
    let mut result: Vec<OsString> = words.next().into_iter().collect();
    let mut rest: Vec<OsString> = words.collect();
    if rest.first().is_some_and(|word| word == "version") {
        rest[0] = "--version".into();
    }
    if rest.first().is_some_and(|word| is_program(word)) {
        rest.insert(0, "check".into());
    }
    let Some(command) = rest.first().and_then(|word| word.to_str()).map(str::to_owned) else {
        result.extend(rest);
        return Ok(result);
    };
    if !WITH_PROGRAM.contains(&command.as_str()) {
        result.extend(rest);
        return Ok(result);
    }
    let mut words = rest.into_iter();
    let mut compiler = Invocation::default();
    let mut own = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            behind(&command, words.by_ref().collect(), &mut own, &mut compiler)?;
            break;
        }
        let text = word.to_str().unwrap_or_default();
        if WITH_VALUE.contains(&text) {
            own.push(word);
            own.extend(words.next());
        } else if is_compilers(text) && compiler.flag(text, &mut || words.next().unwrap_or_default()) {
            // A compiler's flag, noted.
        } else {
            own.push(word);
        }
    }
    let of_flag = |at: usize| at > 0 && own[at - 1].to_str().is_some_and(|flag| WITH_FILE.contains(&flag));
    if let Some(at) = (0..own.len()).find(|&at| task_definition::is_definition(&own[at]) && !of_flag(at)) {
        let words = task_definition::expand(&own[at], &own)?;
        own.splice(at..=at, words);
    }
    if let Some(flag) = compiler.refused.first() {
        return Err(format!("`{flag}` changes the meaning of the program in a way that is not supported"));
    }
    result.extend(own);
    result.extend(compiler.flags.iter().flat_map(|flag| {
        let words = flag.words();
        words.into_iter().map(|word| {
            let mut one = OsString::from("--cpp=");
            one.push(word);
            one
        })
    }));
    result.extend(compiler.std.map(|std| format!("--std={std}").into()));
    result.extend(compiler.data_model.map(|model| format!("--data-model={model}").into()));
    Ok(result)
}

/// What stands behind `--`.
fn behind(
    command: &str,
    words: Vec<OsString>,
    own: &mut Vec<OsString>,
    compiler: &mut Invocation,
) -> Result<(), String> {
    if matches!(command, "run" | "replay") {
        own.extend(words.into_iter().flat_map(|word| ["--arg".into(), word]));
        return Ok(());
    }
    let start = usize::from(words.first().is_some_and(|word| is_compiler(word)));
    let mut words = words.into_iter().skip(start);
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if !text.starts_with('-') || text == "-" {
            own.push(word);
        } else if !compiler.flag(text, &mut || words.next().unwrap_or_default()) {
            return Err(format!("`{text}` behind `--` is no flag of a C compiler that Heddle knows"));
        }
    }
    Ok(())
}

/// Whether a flag is looked at as a compiler's: those with two hyphens, `-h` and `-V` are Heddle's own.
fn is_compilers(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--") && !matches!(text, "-" | "-h" | "-V" | "-w")
}

/// Whether the first word is a program to check instead of a command.
fn is_program(word: &OsStr) -> bool {
    let path = Path::new(word);
    let is_named_like_one = path.extension().is_some_and(|e| e == "c" || e == "i");
    let is_path = word.as_encoded_bytes().contains(&b'/') && !word.as_encoded_bytes().starts_with(b"-");
    is_named_like_one || is_path && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let words = text.split(' ').map(OsString::from).collect();
        match normalise(words) {
            Ok(words) => words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" "),
            Err(message) => message,
        }
    }

    #[test]
    fn a_file_alone_is_checked() {
        assert_eq!(words("heddle a.c"), "heddle check a.c");
        assert_eq!(words("heddle a.i --json"), "heddle check a.i --json");
        assert_eq!(words("heddle chekc a.c"), "heddle chekc a.c");
        assert_eq!(words("heddle version"), "heddle --version");
    }

    #[test]
    fn flags_of_compilers() {
        assert_eq!(
            words("heddle check -Wall -O2 -DA -Iinc -UA a.c -lpthread --unwind 3 -std=c11 -m32"),
            "heddle check a.c --unwind 3 --cpp=-D --cpp=A --cpp=-I --cpp=inc --cpp=-U --cpp=A --std=c11 --data-model=ilp32"
        );
        assert_eq!(words("heddle check a.c -- gcc -O2 b.c -o x"), "heddle check a.c b.c");
        assert_eq!(
            words("heddle check -fshort-enums a.c"),
            "`-fshort-enums` changes the meaning of the program in a way that is not supported"
        );
    }

    #[test]
    fn arguments_of_the_program() {
        assert_eq!(words("heddle run a.c -- -x 3"), "heddle run a.c --arg -x --arg 3");
        assert_eq!(words("heddle run a.c --arg -O2"), "heddle run a.c --arg -O2");
    }
}
