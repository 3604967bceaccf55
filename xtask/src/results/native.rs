//! How many violations of the corpus happen in the compiled program: `heddle replay --native`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::document;
use crate::flags::Flags;

const SECTION: &str = "Violations in the compiled program";

/// Folders of programs with expectations.
const FOLDERS: [&str; 4] = ["threads", "papers", "bounded", "unbounded"];

/// What came of one program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Reproduced,
    /// Why it was not.
    Not(String),
}

/// A program that violates a property.
struct Violated {
    path: PathBuf,
    property: String,
    flags: Vec<String>,
}

/// Runs the programs and writes the section.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let root = super::root();
    let binary = match flags.text("--binary") {
        Some(path) => PathBuf::from(path),
        None => crate::native::heddle()?,
    };
    let only = flags.text("--only").unwrap_or_default();
    flags.finish()?;
    let mut programs = Vec::new();
    for folder in FOLDERS {
        collect(&root.join("corpus").join(folder), &mut programs)?;
    }
    programs.retain(|program| program.path.to_string_lossy().contains(&only));
    programs.sort_by(|a, b| a.path.cmp(&b.path));
    let mut fates = Vec::new();
    for program in &programs {
        let fate = reproduce(&binary, &root, program)?;
        let name = program.path.strip_prefix(root.join("corpus")).unwrap_or(&program.path).display().to_string();
        println!("{name}: {} {fate:?}", program.property);
        fates.push((name, program.property.clone(), fate));
    }
    if only.is_empty() { document::write_section(SECTION, &section(&fates)) } else { Ok(()) }
}

fn section(fates: &[(String, String, Fate)]) -> String {
    let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, property, fate) in fates {
        let row = rows.entry(property).or_default();
        row.0 += 1;
        match fate {
            Fate::Reproduced => row.1 += 1,
            Fate::Not(why) => reasons.entry(why).or_default().push(name),
        }
    }
    let all = fates.iter().filter(|(_, _, fate)| *fate == Fate::Reproduced).count();
    let mut body = format!(
        "`cargo xtask results native`: every program of `corpus/` that violates a property is checked by `auto`, and its \
         interleaving forced on the binary that the system compiler makes of it. {all} of {} violations happen there.\n\n\
         | property | programs | happen in the binary |\n|---|--:|--:|\n",
        fates.len()
    );
    for (property, (programs, shown)) in &rows {
        let _ = writeln!(body, "| `{property}` | {programs} | {shown} |");
    }
    body.push_str("\nWhy the others do not:\n\n| reason | programs | which |\n|---|--:|---|\n");
    for (reason, names) in &reasons {
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(body, "| {reason} | {} | {} |", names.len(), listed.join(", "));
    }
    body
}

/// The programs below a folder whose first lines expect a violation.
fn collect(folder: &Path, found: &mut Vec<Violated>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(named)? {
        let path = entry.map_err(named)?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            let text = std::fs::read_to_string(&path).map_err(named)?;
            let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            let Some(expect) = header("// expect: UNSAFE ") else { continue };
            let property = expect.split(' ').next().unwrap_or_default().to_owned();
            let flags = header("// args:").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
            found.push(Violated { path, property, flags });
        }
    }
    Ok(())
}

fn reproduce(binary: &Path, root: &Path, program: &Violated) -> Result<Fate, String> {
    let schedule = std::env::temp_dir().join(format!("heddle-results-native-{}.json", std::process::id()));
    // An earlier program's.
    let _ = std::fs::remove_file(&schedule);
    let input_flags = input_flags(&program.flags);
    let ask = |command: &str, flags: &[String], more: &[&str]| {
        let mut child = Command::new(binary);
        child.current_dir(root).arg(command).arg(&program.path).args(["-w", "--property", &program.property]);
        let output = child.args(flags).args(more).stdin(Stdio::null()).output();
        output.map_err(|error| format!("{}: {error}", binary.display()))
    };
    let own: Vec<String> = without_property(&program.flags);
    let path = schedule.to_string_lossy().into_owned();
    let checked = ask("check", &own, &["--stop-at-first", "--time-limit", "60", "--save-schedule", &path])?;
    if checked.status.code() != Some(1) {
        let text = String::from_utf8_lossy(&checked.stdout);
        let last = text.lines().last().unwrap_or("no answer");
        return Ok(Fate::Not(format!("`auto` does not find it: {}", last.split(':').next().unwrap_or(last))));
    }
    let replayed = ask("replay", &input_flags, &["--schedule", &path, "--native"])?;
    let (text, errors) = (String::from_utf8_lossy(&replayed.stdout), String::from_utf8_lossy(&replayed.stderr));
    if text.starts_with("REPRODUCED") {
        return Ok(Fate::Reproduced);
    }
    Ok(Fate::Not(reason(&program.property, &text, &errors)))
}

/// Why a violation did not show up, from what the replay says.
fn reason(property: &str, text: &str, errors: &str) -> String {
    let words = match () {
        () if property == "uninit" => "a compiled program shows no sign of an uninitialised read",
        () if errors.contains("undefined reference") => "a function has no body and cannot be linked",
        () if errors.contains("does not compile") => "the system compiler refuses the program or its data model",
        () if text.is_empty() => "the interleaving cannot be forced on a binary",
        () => match forced(text) {
            Some((forced, planned)) if forced < planned => "some steps could not be forced",
            Some(_) | None if property == "memory" => "the hardware does not trap this invalid access",
            Some(_) | None => "all steps were forced and it does not show",
        },
    };
    words.to_owned()
}

/// `… (7 of 9 steps were forced)`.
fn forced(text: &str) -> Option<(u64, u64)> {
    let (_, rest) = text.rsplit_once('(')?;
    let mut words = rest.split(' ');
    let forced = words.next()?.parse().ok()?;
    Some((forced, words.nth(1)?.parse().ok()?))
}

/// The flags but for the property: the violated one alone is asked for.
fn without_property(flags: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut skip = false;
    for flag in flags {
        if skip {
            skip = false;
        } else if flag == "--property" {
            skip = true;
        } else if !flag.starts_with("--property=") {
            out.push(flag.clone());
        }
    }
    out
}

/// Those of the flags that a replay takes too: what makes up the program.
fn input_flags(flags: &[String]) -> Vec<String> {
    const WITH_VALUE: [&str; 6] = ["--data-model", "--entry", "--threads", "--setup", "--teardown", "--std"];
    let mut out = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let name = flag.split('=').next().unwrap_or(flag);
        if WITH_VALUE.contains(&name) {
            out.push(flag.clone());
            if !flag.contains('=') {
                out.extend(flags.next().cloned());
            }
        } else if ["--malloc-may-fail", "--allow-missing"].contains(&name)
            || ["-D", "-U", "-I"].iter().any(|prefix| flag.starts_with(prefix))
        {
            out.push(flag.clone());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_understood() {
        assert_eq!(forced("NOT REPRODUCED race: words (7 of 9 steps were forced)\n"), Some((7, 9)));
        assert_eq!(forced("nothing"), None);
        let flags: Vec<String> = ["--property", "race", "-DN=2", "--unwind", "3"].map(str::to_owned).to_vec();
        assert_eq!(without_property(&flags), ["-DN=2", "--unwind", "3"]);
        assert_eq!(input_flags(&flags), ["-DN=2"]);
    }
}
