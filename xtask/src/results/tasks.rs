//! The tasks of a benchmark set in the layout of sv-benchmarks: folders with `.yml` files that name the input and the expected
//! verdict of the property `unreach-call`.

use std::fs;
use std::path::{Path, PathBuf};

/// A program and whether it is free of violations.
pub struct BenchTask {
    pub folder: String,
    pub name: String,
    pub path: PathBuf,
    pub holds: bool,
}

/// All tasks of some folders, or of all, in order.
pub fn tasks(root: &Path, only: Option<&str>) -> Result<Vec<BenchTask>, String> {
    let mut all = Vec::new();
    for dir in listing(root)?.into_iter().filter(|dir| dir.is_dir()) {
        let folder = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if only.is_some_and(|only| !only.split(',').any(|name| name == folder)) {
            continue;
        }
        for yml in listing(&dir)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "yml")) {
            let text = fs::read_to_string(&yml).map_err(|error| format!("{}: {error}", yml.display()))?;
            if let Some((name, holds)) = task(&text) {
                all.push(BenchTask { folder: folder.clone(), path: dir.join(&name), name, holds });
            }
        }
    }
    if all.is_empty() { Err(format!("no tasks under {}", root.display())) } else { Ok(all) }
}

fn listing(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The input file, and whether `unreach-call` holds; none if that is not asked.
fn task(yml: &str) -> Option<(String, bool)> {
    let value = |line: &str, key: &str| {
        let value = line.trim().trim_start_matches("- ").strip_prefix(key)?.trim();
        Some(value.trim_matches(['\'', '"', '[', ']', ' ']).to_owned())
    };
    let input = yml.lines().find_map(|line| value(line, "input_files:"))?;
    let after = yml.split_once("unreach-call.prp")?.1;
    let verdict = value(after.trim_start().lines().next()?, "expected_verdict:")?;
    match verdict.as_str() {
        "true" => Some((input, true)),
        "false" => Some((input, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_file_is_read() {
        let yml = "format_version: '1.0'\ninput_files: 'a-1.i'\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    \
                   expected_verdict: false\n";
        assert_eq!(task(yml), Some(("a-1.i".to_owned(), false)));
        assert_eq!(task("input_files: 'a.i'\nproperties: []\n"), None);
    }
}
