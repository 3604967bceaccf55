//! `corpus/projects/`: programs of several files or with flags of a build, as the command line takes them.
//!
//! `NAME.c` or a directory `NAME`, whose files are linked in the order of their names. The first file (`main.c` in a
//! directory) opens with comment lines:
//!
//! ```text
//! // expect: UNSAFE assert 17          the last line of `heddle check`, without the file name
//! // args: --entry f -O2               flags, if any; DIR stands for the program's directory
//! // stderr: a text                    what standard error must contain
//! // quiet                             standard error must be empty
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn every_project_gets_its_answer() {
    let only = std::env::var("HEDDLE_ONLY").unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/projects");
    let mut projects = entries(&folder);
    assert!(projects.len() >= 2, "only {} programs", projects.len());
    projects.retain(|path| path.to_string_lossy().contains(&only));
    let failures: Vec<String> = projects
        .iter()
        .filter_map(|path| {
            let problem = check(path).err()?;
            Some(format!("{}: {problem}", path.strip_prefix(&folder).unwrap_or(path).display()))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Every file that `docs/c-support.md` names is there.
#[test]
fn the_list_of_what_is_supported_names_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/c-support.md")).expect("it is there");
    let names: Vec<&str> =
        text.split('`').filter(|word| word.starts_with("corpus/") || word.starts_with("crates/")).collect();
    assert!(names.len() > 20, "{names:?}");
    let missing: Vec<&str> = names.into_iter().filter(|name| !root.join(name).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = listing.map(|entry| entry.expect("readable directory").path()).collect();
    paths.sort();
    paths
}

fn check(path: &Path) -> Result<(), String> {
    let is_directory = path.is_dir();
    let is_source = |file: &PathBuf| file.extension().is_some_and(|e| e == "c");
    let files: Vec<PathBuf> =
        if is_directory { entries(path).into_iter().filter(is_source).collect() } else { vec![path.to_owned()] };
    let main = if is_directory { path.join("main.c") } else { path.to_owned() };
    let text = std::fs::read_to_string(&main).map_err(|e| e.to_string())?;
    let directory = if is_directory { path } else { path.parent().expect("it is in a folder") };
    let (mut expect, mut messages, mut args, mut quiet) = (None, Vec::new(), Vec::new(), false);
    for comment in text.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some(rest) = comment.strip_prefix("expect: ") {
            expect = Some(rest.trim().to_owned());
        } else if let Some(rest) = comment.strip_prefix("args: ") {
            args.extend(rest.split_whitespace().map(|word| word.replace("DIR", &directory.to_string_lossy())));
        } else if let Some(rest) = comment.strip_prefix("stderr: ") {
            messages.push(rest.to_owned());
        } else if comment == "quiet" {
            quiet = true;
        }
    }
    let expect = expect.ok_or("no line `// expect: …`")?;
    let has_project = args.iter().any(|arg| arg == "--project");
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.args(["check", "--time-limit", "120"]).args(&args);
    if !has_project {
        command.args(&files);
    }
    let output = command.output().map_err(|e| e.to_string())?;
    let (answer, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let found = without_path(answer.lines().last().unwrap_or("nothing"));
    if found != expect {
        return Err(format!("expected {expect}, got {found}\n{answer}{errors}"));
    }
    if let Some(missing) = messages.iter().find(|message| !errors.contains(*message) && !answer.contains(*message)) {
        return Err(format!("expected `{missing}` in:\n{answer}{errors}"));
    }
    if quiet && !errors.is_empty() {
        return Err(format!("expected no messages:\n{errors}"));
    }
    Ok(())
}

/// `UNSAFE assert some/queue.c:41` as `UNSAFE assert 41`, or with the file's name if it is not `main.c` or the only one.
fn without_path(line: &str) -> String {
    match line.rsplit_once(':') {
        Some((before, number)) => {
            let words = before.rsplit_once(' ').map_or("", |(words, _)| words);
            format!("{words} {number}")
        }
        None => line.to_owned(),
    }
}
