//! `--project compile_commands.json`: the files of a program, from a compilation database.
//!
//! A database lists compilations, not links. So files are taken as a linker takes members of an archive: those that are asked
//! for, and then whatever defines what is still missing. `--entry FUNCTION` asks for the file that defines it, `--target OUTPUT`
//! for the files of a target of that name, and without either it is the file that defines `main`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use heddle_c_front::outline::{Outline, outline};
use serde_json::Value;

use crate::compiler_flags::Invocation;
use crate::record::Unit;

/// Which part of a project is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// The function that is checked.
    pub entry: Option<&'a str>,
    /// The program or library that is checked.
    pub target: Option<&'a str>,
}

/// The compilations of a database.
pub fn read(path: &Path) -> Result<Vec<Unit>, String> {
    let file = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
    let named = |problem: String| format!("{}: {problem}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|error| named(error.to_string()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| named(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| named("is no compilation database (a JSON array)".to_owned()))?;
    let base = file.parent().unwrap_or(Path::new(""));
    let mut units = Vec::new();
    for entry in entries {
        let unit = unit(entry, base).ok_or_else(|| named(format!("cannot use the entry {entry}")))?;
        units.extend(unit.filter(|unit| unit.file.extension().is_some_and(|e| e == "c" || e == "i")));
    }
    if units.is_empty() {
        return Err(named("has no C file".to_owned()));
    }
    Ok(units)
}

/// One entry; `Some(None)` for what compiles nothing.
fn unit(entry: &Value, base: &Path) -> Option<Option<Unit>> {
    let directory = base.join(entry["directory"].as_str().unwrap_or_default());
    let file = PathBuf::from(entry["file"].as_str()?);
    let words: Vec<OsString> = match (&entry["arguments"], &entry["command"]) {
        (Value::Array(words), _) => words.iter().map(|word| word.as_str().map(Into::into)).collect::<Option<_>>()?,
        (_, Value::String(command)) => shell_words(command).into_iter().map(Into::into).collect(),
        _ => return None,
    };
    let invocation = Invocation::parse(words.get(1..)?);
    let output = entry["output"].as_str().map(PathBuf::from).or(invocation.output.clone());
    let made = Unit::of(&Invocation { sources: vec![file], ..invocation }, &directory);
    Some(made.into_iter().next().map(|unit| Unit { output, ..unit }))
}

/// The words of a command as a POSIX shell splits them.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|c| *c != '\'')),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '"' => {
                let text = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    match c {
                        '\\' => match chars.next() {
                            Some(next @ ('"' | '\\' | '$' | '`')) => text.push(next),
                            Some(next) => text.extend(['\\', next]),
                            None => text.push('\\'),
                        },
                        _ => text.push(c),
                    }
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A compilation with its text.
pub struct Candidate {
    /// The compilation.
    pub unit: Unit,
    /// The name of the file in messages.
    pub name: String,
    /// The preprocessed text.
    pub text: String,
}

/// The compilations that make up what is asked for, by their numbers.
pub fn select(candidates: &[Candidate], selection: Selection<'_>) -> Result<Vec<usize>, String> {
    let outlines: Vec<Outline> = candidates.iter().map(|c| outline(&c.name, c.text.clone())).collect();
    let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, outline) in outlines.iter().enumerate() {
        for name in &outline.defines {
            definers.entry(name).or_default().push(i);
        }
    }
    let mut taken: BTreeSet<usize> = match selection.target {
        Some(target) => {
            let of_target: BTreeSet<usize> =
                (0..candidates.len()).filter(|&i| belongs(&candidates[i].unit, target)).collect();
            if of_target.is_empty() {
                return Err(format!("no file of the project belongs to a target `{target}`"));
            }
            of_target
        }
        None => BTreeSet::new(),
    };
    let entry = selection.entry.unwrap_or("main");
    if !taken.iter().any(|&i| outlines[i].defines.iter().any(|name| name == entry)) {
        let flag = if selection.entry.is_some() { "--target OUTPUT" } else { "--entry FUNCTION or --target OUTPUT" };
        taken.insert(one(entry, definers.get(entry), candidates, flag)?);
    }
    // What is missing is taken in until nothing is. What nobody defines belongs to a library.
    let mut work: Vec<usize> = taken.iter().copied().collect();
    while let Some(i) = work.pop() {
        for name in &outlines[i].uses {
            let Some(all) = definers.get(name.as_str()) else { continue };
            if all.iter().any(|definer| taken.contains(definer)) {
                continue;
            }
            let definer = one(name, Some(all), candidates, "--target OUTPUT")?;
            taken.insert(definer);
            work.push(definer);
        }
    }
    Ok(taken.into_iter().collect())
}

/// The only compilation that defines a name.
fn one(name: &str, all: Option<&Vec<usize>>, candidates: &[Candidate], flag: &str) -> Result<usize, String> {
    let files = |all: &[usize]| {
        let names: BTreeSet<&str> = all.iter().map(|&i| candidates[i].name.as_str()).collect();
        names.into_iter().collect::<Vec<_>>()
    };
    match all.map(Vec::as_slice) {
        None | Some([]) => Err(format!("no file of the project defines `{name}`")),
        // The same file compiled for several targets is the same file.
        Some(all @ [first, ..]) if files(all).len() == 1 => Ok(*first),
        Some(all) => {
            let names = files(all);
            Err(format!("`{name}` is defined in {}: choose with {flag}", names.join(", ")))
        }
    }
}

/// Whether a compilation is part of a target: its output is the target, lies in the target's directory of objects
/// (`CMakeFiles/T.dir`, `T.p`), or its file is named like the target.
fn belongs(unit: &Unit, target: &str) -> bool {
    let target = Path::new(target).file_name().map_or(target.into(), |name| name.to_string_lossy());
    let stem = |path: &Path| path.file_stem().is_some_and(|stem| *stem.to_string_lossy() == *target);
    let folders = [format!("{target}.dir"), format!("{target}.p")];
    let in_folder = |path: &Path| {
        path.components().any(|part| folders.iter().any(|folder| part.as_os_str().to_string_lossy() == *folder))
    };
    unit.output.as_deref().is_some_and(|output| in_folder(output) || stem(output)) || stem(&unit.file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            shell_words(r#"cc -DA=\"x\" '-DB=1 2'  "-DC=\"q\"" a\ b.c"#),
            ["cc", r#"-DA="x""#, "-DB=1 2", r#"-DC="q""#, "a b.c"]
        );
    }

    fn candidate(name: &str, output: &str, text: &str) -> Candidate {
        let invocation =
            Invocation { sources: vec![name.into()], output: Some(output.into()), ..Invocation::default() };
        let unit = Unit::of(&invocation, Path::new("/p")).remove(0);
        Candidate { unit, name: name.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn files_are_taken_as_they_are_needed() {
        let all = [
            candidate("lib.c", "lib.o", "int g(void); int f(void) { return g(); }"),
            candidate("g.c", "g.o", "int g(void) { return 1; }"),
            candidate("t1.c", "CMakeFiles/one.dir/t1.c.o", "int f(void); int main(void) { return f(); }"),
            candidate("t2.c", "t2.o", "int g(void); int main(void) { return g(); }"),
            candidate("other.c", "other.o", "int h(void) { return 1; }"),
        ];
        let select = |entry, target| select(&all, Selection { entry, target });
        assert_eq!(select(None, Some("one")), Ok(vec![0, 1, 2]));
        assert_eq!(select(None, Some("t2")), Ok(vec![1, 3]));
        assert_eq!(select(Some("f"), None), Ok(vec![0, 1]));
        assert_eq!(select(Some("h"), None), Ok(vec![4]));
        assert_eq!(
            select(None, None),
            Err("`main` is defined in t1.c, t2.c: choose with --entry FUNCTION or --target OUTPUT".to_owned())
        );
        assert_eq!(select(Some("q"), None), Err("no file of the project defines `q`".to_owned()));
    }
}
