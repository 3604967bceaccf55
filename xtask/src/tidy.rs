//! `cargo xtask tidy`: what no compiler checks.
//!
//! Crate directions as ARCHITECTURE.md has them; engines that do not import one another and are all listed in the README; every row of `docs/papers.md`
//! resolves; every coverage mark is hit by code and checked by a test; no ignored tests; no file out of hand.

use std::fs;
use std::path::{Path, PathBuf};

/// Which of our crates each crate may use, directly.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("ir", &["base"]),
    ("c_front", &["base", "ir"]),
    ("solver", &["base"]),
    ("event_graph", &["base", "solver"]),
    ("task", &["base", "ir"]),
    ("machine", &["base", "ir", "task"]),
    ("symbolic", &["base", "ir", "solver", "task"]),
    ("encode", &["base", "ir", "solver", "task", "event_graph", "symbolic"]),
    ("defuse", &["base", "ir", "solver", "task", "event_graph", "machine", "symbolic", "encode"]),
    ("boolprog", &["base", "solver"]),
    ("engines", &["base", "ir", "solver", "task", "event_graph", "machine", "symbolic", "encode", "boolprog"]),
    ("native", &["task"]),
    ("report", &["base", "ir", "task"]),
    ("heddle", &["base", "ir", "c_front", "solver", "task", "machine", "symbolic", "encode", "boolprog", "engines"]),
    (
        "cli",
        &[
            "base",
            "ir",
            "c_front",
            "solver",
            "task",
            "event_graph",
            "machine",
            "symbolic",
            "encode",
            "boolprog",
            "defuse",
            "engines",
            "native",
            "report",
            // The package of `crates/heddle`.
            "lib",
        ],
    ),
];

/// Longer files are worth splitting.
const MAX_LINES: usize = 1200;

/// Runs all checks; `Err` lists what is wrong.
pub fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    let mut problems = Vec::new();
    let sources = rust_files(root);
    directions(root, &mut problems);
    engines_are_independent(root, &mut problems);
    registry_is_documented(root, &mut problems);
    papers_resolve(root, &mut problems);
    marks(&sources, &mut problems);
    for (path, text) in &sources {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        // Written in two parts, or this file would find itself.
        if text.contains(concat!("#[ig", "nore")) {
            problems.push(format!("{name}: an ignored test"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{name}: {lines} lines, split it"));
        }
    }
    if problems.is_empty() {
        println!("tidy: {} files, no problems", sources.len());
        return Ok(());
    }
    Err(problems.join("\n"))
}

fn rust_files(root: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut todo = vec![root.join("crates"), root.join("xtask")];
    while let Some(dir) = todo.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() && path.file_name().is_some_and(|n| n != "target") {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs")
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// The `[dependencies]` of each crate name only crates that its row allows.
fn directions(root: &Path, problems: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join("crates")) else {
        problems.push("no folder `crates`".to_owned());
        return;
    };
    for dir in entries.flatten().map(|e| e.path()) {
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((_, allowed)) = DIRECTIONS.iter().find(|(n, _)| *n == name) else {
            problems.push(format!("crates/{name}: not in the table of directions (xtask/src/tidy.rs)"));
            continue;
        };
        let manifest = fs::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
        let mut in_dependencies = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                in_dependencies = line == "[dependencies]";
            }
            let Some(used) = line.strip_prefix("heddle-").filter(|_| in_dependencies) else { continue };
            let used = used.split(['.', ' ', '=']).next().unwrap_or("").replace('-', "_");
            if !allowed.contains(&used.as_str()) {
                problems.push(format!("crates/{name} may not use `{used}`"));
            }
        }
    }
}

/// No engine module names another one.
fn engines_are_independent(root: &Path, problems: &mut Vec<String>) {
    let folder = root.join("crates/engines/src");
    for (path, text) in rust_files(&root.join("crates/engines/src/..")) {
        let Ok(inside) = path.strip_prefix(&folder) else { continue };
        let own = inside.components().next().map(|c| c.as_os_str().to_string_lossy().replace(".rs", ""));
        // The registry names them all, and `auto` asks others.
        if matches!(own.as_deref(), Some("lib" | "registry" | "auto")) {
            continue;
        }
        for other in heddle_engines::ENGINES.iter().map(|row| row.name).filter(|name| Some(*name) != own.as_deref()) {
            if text.contains(&format!("crate::{other}::")) {
                problems.push(format!("{}: an engine uses the engine `{other}`", inside.display()));
            }
        }
    }
}

/// The README lists exactly the engines of the registry.
fn registry_is_documented(root: &Path, problems: &mut Vec<String>) {
    let readme = fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let table = readme.split("| `--engine` |").nth(1).unwrap_or("");
    let listed: Vec<&str> = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let names = || heddle_engines::ENGINES.iter().map(|row| row.name);
    problems.extend(
        names().filter(|name| !listed.contains(name)).map(|name| format!("README.md: no engine `{name}` in the table")),
    );
    let unknown = listed.iter().filter(|name| names().all(|known| known != **name));
    problems.extend(unknown.map(|name| format!("README.md: there is no engine `{name}`")));
}

/// Each row of `docs/papers.md` names a file, or a file and a name in it.
fn papers_resolve(root: &Path, problems: &mut Vec<String>) {
    let table = fs::read_to_string(root.join("docs/papers.md")).unwrap_or_default();
    let rows = table.lines().filter(|l| l.starts_with("| ["));
    let mut count = 0;
    for row in rows {
        count += 1;
        let place = row.trim_end_matches('|').rsplit('|').next().unwrap_or("");
        let names: Vec<&str> = place.split('`').skip(1).step_by(2).collect();
        let Some((file, items)) = names.split_first() else {
            problems.push(format!("docs/papers.md: no place in `{row}`"));
            continue;
        };
        let path = root.join(file);
        if !path.exists() {
            problems.push(format!("docs/papers.md: no file `{file}`"));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let is_rule = row.split('|').nth(2).is_some_and(|item| item.trim().starts_with("Rule "));
        if is_rule && !text.contains(concat!("cov_mark::", "hit!(")) {
            problems.push(format!("docs/papers.md: `{file}` implements a numbered rule and has no coverage mark"));
        }
        for item in items.iter().filter(|item| !text.contains(**item)) {
            problems.push(format!("docs/papers.md: no `{item}` in `{file}`"));
        }
    }
    if count == 0 {
        problems.push("docs/papers.md: no rows".to_owned());
    }
}

/// Every `cov_mark::hit!` has its `cov_mark::check!`, and the other way round.
fn marks(sources: &[(PathBuf, String)], problems: &mut Vec<String>) {
    let collect = |macros: &[&str]| {
        let mut names: Vec<String> = Vec::new();
        for (_, text) in sources {
            for needle in macros {
                for (at, _) in text.match_indices(needle) {
                    let rest = &text[at + needle.len()..];
                    names.extend(rest.split([')', ',']).next().map(|n| n.trim().to_owned()));
                }
            }
        }
        names.sort();
        names.dedup();
        names
    };
    let hits = collect(&[concat!("cov_mark::", "hit!(")]);
    let checks = collect(&[concat!("cov_mark::", "check!("), concat!("cov_mark::", "check_count!(")]);
    problems.extend(hits.iter().filter(|h| !checks.contains(h)).map(|h| format!("mark `{h}` is never checked")));
    problems.extend(checks.iter().filter(|c| !hits.contains(c)).map(|c| format!("mark `{c}` is never hit")));
}
