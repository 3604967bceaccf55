//! `heddle.toml`: violations that somebody has looked at and does not want to hear of again, each with a reason.
//!
//! ```toml
//! [[suppress]]
//! property = "race"
//! file = "src/statistics.c"
//! function = "count"
//! reason = "the counter is only printed"
//! ```
//!
//! A suppression names a property and at least one of `file`, `function` and `line`; all that it names must fit. Nothing
//! is left out of a check: what is suppressed is found, marked in SARIF, and does not count for the exit code.

use std::path::{Path, PathBuf};

use heddle_ir::Property;
use heddle_task::{Counterexample, Trace, TraceEnd, Verdict};
use serde::Deserialize;

/// The file that is read if none is named.
const NAME: &str = "heddle.toml";

/// All suppressions of a project.
#[derive(Debug, Default)]
pub struct Suppressions {
    all: Vec<Suppression>,
    /// The file that they stand in.
    path: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    suppress: Vec<Suppression>,
}

/// One suppression.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Suppression {
    property: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    function: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    /// Why.
    pub reason: String,
}

impl Suppression {
    fn check(&self) -> Result<(), String> {
        self.property.parse::<Property>().map_err(|error| error.to_string())?;
        if self.reason.trim().is_empty() {
            return Err("a suppression needs a reason".to_owned());
        }
        if self.file.is_none() && self.function.is_none() && self.line.is_none() {
            return Err(format!("the suppression of `{}` names no file, function or line", self.property));
        }
        Ok(())
    }

    fn fits(&self, trace: &Trace) -> bool {
        let TraceEnd::Violation { property, function, place, .. } = &trace.end else { return false };
        let file = trace.files.get(place.file).map_or("", String::as_str);
        *property == self.property
            && self.file.as_ref().is_none_or(|wanted| Path::new(file).ends_with(wanted))
            && self.function.as_ref().is_none_or(|wanted| wanted == function)
            && self.line.is_none_or(|wanted| wanted == place.line)
    }
}

impl std::fmt::Display for Suppression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.property)?;
        for (word, value) in [("file", &self.file), ("function", &self.function)] {
            if let Some(value) = value {
                write!(f, ", {word} `{value}`")?;
            }
        }
        self.line.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}

impl Suppressions {
    /// Reads the named file, or `heddle.toml` of the current directory if there is one.
    pub fn read(named: Option<&Path>) -> Result<Self, String> {
        let path = named.unwrap_or(Path::new(NAME));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        Self::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, String> {
        let named = |problem: String| format!("{}: {}", path.display(), problem.trim_end());
        let config: Config = toml::from_str(text).map_err(|error| named(error.to_string()))?;
        config.suppress.iter().try_for_each(Suppression::check).map_err(named)?;
        Ok(Suppressions { all: config.suppress, path: path.to_owned() })
    }

    /// The suppression of the violation at the end of a trace.
    pub fn of(&self, trace: &Trace) -> Option<&Suppression> {
        self.all.iter().find(|one| one.fits(trace))
    }

    /// Puts a violation that is not suppressed first, if there is one.
    pub fn reorder(&self, verdict: Verdict) -> Verdict {
        let Verdict::Unsafe(mut first) = verdict else { return verdict };
        let fresh = first.others.iter().position(|one| self.of(&one.trace).is_none());
        if let (Some(_), Some(index)) = (self.of(&first.trace), fresh) {
            let mut others = std::mem::take(&mut first.others);
            let promoted = others.remove(index);
            others.insert(0, *first);
            first = Box::new(Counterexample { others, ..promoted });
        }
        Verdict::Unsafe(first)
    }

    /// Those that fit no violation, in words.
    pub fn unused(&self, verdict: &Verdict) -> Vec<String> {
        let found: Vec<&Counterexample> = match verdict {
            Verdict::Unsafe(first) => std::iter::once(&**first).chain(&first.others).collect(),
            Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Vec::new(),
        };
        let idle = self.all.iter().filter(|one| !found.iter().any(|violation| one.fits(&violation.trace)));
        idle.map(|one| format!("{}: the suppression of {one} fits no violation", self.path.display())).collect()
    }

    /// Whether every violation is suppressed.
    pub fn have_all(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Unsafe(first) => {
                std::iter::once(&**first).chain(&first.others).all(|one| self.of(&one.trace).is_some())
            }
            Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, words: &str) {
        let error = Suppressions::parse(text, Path::new("heddle.toml")).expect_err("it is wrong");
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn bad_files_are_refused() {
        refused("[[suppress]]\nproperty = \"race\"\nfile = \"a.c\"\n", "reason");
        refused("[[suppress]]\nproperty = \"race\"\nfile = \"a.c\"\nreason = \" \"\n", "needs a reason");
        refused("[[suppress]]\nproperty = \"race\"\nreason = \"r\"\n", "names no file");
        refused("[[suppress]]\nproperty = \"races\"\nfile = \"a.c\"\nreason = \"r\"\n", "races");
        refused("[[suppress]]\nproperty = \"race\"\nfile = \"a.c\"\nreason = \"r\"\ncolour = 1\n", "colour");
        refused("suppress = 1", "suppress");
        refused("[[suppress]", "heddle.toml");
    }

    #[test]
    fn suppressions_name_themselves() {
        let text = "[[suppress]]\nproperty = \"race\"\nfile = \"a.c\"\nline = 4\nreason = \"r\"\n";
        let read = Suppressions::parse(text, Path::new("heddle.toml")).expect("it is right");
        assert_eq!(read.all[0].to_string(), "`race`, file `a.c`, line 4");
        assert_eq!(read.unused(&Verdict::Unknown(heddle_task::Reason::Time)).len(), 1);
    }
}
