//! Task definitions (`.yml`) and property files (`.prp`) as verification competitions use them.
//!
//! `heddle check task.yml` checks the task's files under its data model, for its properties that Heddle has. The expected
//! verdicts are not looked at.

use std::ffi::OsString;
use std::path::Path;

use heddle_ir::{Property, PropertySet};
use serde::Deserialize;

/// A task definition, as far as it matters.
#[derive(Deserialize)]
struct Definition {
    format_version: String,
    input_files: Files,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: TaskOptions,
}

/// One file, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
}

#[derive(Deserialize, Default)]
struct TaskOptions {
    language: Option<String>,
    data_model: Option<String>,
}

/// What the words of a formula mean here, in the order they are looked for.
const FORMULAS: [(&str, Property); 10] = [
    ("call(reach_error())", Property::Assert),
    ("call(__VERIFIER_error())", Property::Assert),
    ("G assert", Property::Assert),
    ("data-race", Property::Race),
    ("valid-deref", Property::Memory),
    ("valid-free", Property::Memory),
    ("valid-memtrack", Property::Leak),
    ("valid-memcleanup", Property::Leak),
    ("! overflow", Property::Overflow),
    ("no-deadlock", Property::Deadlock),
];

/// The properties of a list as on the command line, or of a property file.
pub fn parse_properties(text: &str) -> Result<PropertySet, String> {
    if Path::new(text).extension().is_some_and(|extension| extension == "prp") {
        return property_file(Path::new(text));
    }
    text.parse()
}

/// The properties that a property file asks for.
fn property_file(path: &Path) -> Result<PropertySet, String> {
    let named = |problem: String| format!("{}: {problem}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    let mut found = PropertySet::EMPTY;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let set = of_formula(line).ok_or_else(|| named(format!("Heddle has no property for `{line}`")))?;
        found = set.iter().fold(found, PropertySet::with);
    }
    if found.is_empty() { Err(named("no property is asked for".to_owned())) } else { Ok(found) }
}

/// The properties of a formula as in property files; none if Heddle has none of them.
pub fn of_formula(formula: &str) -> Option<PropertySet> {
    let known = FORMULAS.iter().filter(|(words, _)| formula.contains(words));
    let set: PropertySet = known.map(|(_, property)| *property).collect();
    (!set.is_empty()).then_some(set)
}

/// Whether a word of the command line is a task definition.
pub fn is_definition(word: &OsString) -> bool {
    let path = Path::new(word);
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") && path.is_file()
}

/// The words that a task definition stands for: its files, and flags that are not among `given`.
pub fn expand(word: &OsString, given: &[OsString]) -> Result<Vec<OsString>, String> {
    let path = Path::new(word);
    let named = |problem: String| format!("{}: {problem}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    let task: Definition =
        serde_saphyr::from_str(&text).map_err(|error| named(format!("this is no task definition: {error}")))?;
    if !task.format_version.starts_with("1.") && !task.format_version.starts_with("2.") {
        return Err(named(format!("task definitions of version {} are not known", task.format_version)));
    }
    if let Some(language) = task.options.language.filter(|language| language != "C") {
        return Err(named(format!("the task is written in {language}, not in C")));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = match task.input_files {
        Files::One(file) => vec![file],
        Files::Several(files) => files,
    };
    let mut words: Vec<OsString> = files.iter().map(|file| folder.join(file).into()).collect();
    let is_given = |flag: &str| given.iter().any(|word| word.to_string_lossy().starts_with(flag));
    match task.options.data_model.as_deref() {
        _ if is_given("--data-model") => {}
        Some("ILP32") => words.push("--data-model=ilp32".into()),
        Some("LP64") | None => words.push("--data-model=lp64".into()),
        Some(other) => return Err(named(format!("the data model `{other}` is not known"))),
    }
    if !is_given("--property") {
        words.push(format!("--property={}", properties(folder, &task.properties).map_err(named)?).into());
    }
    Ok(words)
}

/// The properties of a task that Heddle has, as a list; `Err` if there is none.
fn properties(folder: &Path, entries: &[PropertyEntry]) -> Result<PropertySet, String> {
    let mut set = PropertySet::EMPTY;
    let mut problem = "no property is asked for".to_owned();
    for entry in entries {
        match property_file(&folder.join(&entry.property_file)) {
            Ok(more) => set = more.iter().fold(set, PropertySet::with),
            Err(why) => problem = why,
        }
    }
    if set.is_empty() { Err(problem) } else { Ok(set) }
}
