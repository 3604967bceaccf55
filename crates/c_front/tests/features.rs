//! `corpus/features/`: small programs, one C construct each, with the goto program or the diagnostics that they give.
//!
//! `NAME.c` (or a directory `NAME` of files that are linked) is compiled without preprocessing. Its goto program, as
//! `heddle show goto --no-locs` prints it, must be `NAME.goto`; its warnings and errors must be `NAME.diag`. A first line
//! `// flags: --data-model ilp32 --property overflow` sets options. `HEDDLE_BLESS=1 cargo test -p heddle-c-front` writes
//! both files anew, to be reviewed as a diff.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Compiled, Options, compile};
use heddle_ir::text::{PrintOptions, parse, print, print_with};
use heddle_ir::{DataModel, verify};

/// What a program is expected to give; empty for nothing.
#[derive(Default)]
struct Golden {
    goto: String,
    diag: String,
}

#[test]
fn every_feature_program_gives_its_golden_text() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/features");
    let programs = programs(&dir);
    assert!(programs.len() >= 130, "only {} programs in {}", programs.len(), dir.display());
    let bless = std::env::var_os("HEDDLE_BLESS").is_some();
    let mut failures = Vec::new();
    for (name, files) in &programs {
        let inputs = files.iter().map(|file| read_input(&dir, file)).collect();
        let found = run(name, inputs, &mut failures);
        for (extension, text) in [("goto", &found.goto), ("diag", &found.diag)] {
            let path = dir.join(format!("{name}.{extension}"));
            let wanted = std::fs::read_to_string(&path).unwrap_or_default();
            if bless {
                write_golden(&path, text);
            } else if *text != wanted {
                failures.push(format!("{name}.{extension} differs:\n{}", difference(&wanted, text)));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{} failures", failures.join("\n"), failures.len());
}

/// All programs by name, with their files.
fn programs(dir: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut programs = BTreeMap::new();
    for path in entries(dir) {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("names are UTF-8").to_owned();
        if path.is_dir() {
            programs.insert(name, entries(&path));
        } else if path.extension().is_some_and(|e| e == "c") {
            programs.insert(name, vec![path]);
        }
    }
    programs
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut paths: Vec<PathBuf> = listing.map(|entry| entry.expect("readable directory").path()).collect();
    paths.sort();
    paths
}

/// Name, as it stands in diagnostics, and text of a file.
fn read_input(dir: &Path, file: &Path) -> (String, String) {
    let name = file.strip_prefix(dir).expect("below the directory").to_str().expect("names are UTF-8");
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    (name.to_owned(), text)
}

fn run(name: &str, inputs: Vec<(String, String)>, failures: &mut Vec<String>) -> Golden {
    let options = flags(&inputs[0].1);
    let compiled = compile(inputs, options);
    let diag = diagnostics(&compiled);
    let Some(program) = compiled.program else { return Golden { diag, ..Golden::default() } };
    for error in verify::verify(&program) {
        failures.push(format!("{name}: not well-formed: {error}"));
    }
    let full = print(&program);
    match parse(&full) {
        Ok(again) if print(&again) == full => {}
        Ok(again) => {
            failures.push(format!("{name}: printing and parsing changes it:\n{}", difference(&full, &print(&again))))
        }
        Err(error) => failures.push(format!("{name}: its text does not parse: {error}")),
    }
    Golden { goto: print_with(&program, PrintOptions { locations: false, ..PrintOptions::SHOW }), diag }
}

/// The options that the first line of a program asks for.
fn flags(text: &str) -> Options {
    let mut options = Options::default();
    let Some(flags) = text.lines().next().and_then(|l| l.strip_prefix("// flags:")) else { return options };
    let mut words = flags.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word {
            "--data-model" => {
                options.data_model = match value() {
                    "lp64" => DataModel::Lp64,
                    "ilp32" => DataModel::Ilp32,
                    other => panic!("unknown data model {other}"),
                }
            }
            "--property" => options.properties = value().parse().expect("known properties"),
            "--malloc-may-fail" => options.malloc_may_fail = true,
            other => panic!("unknown flag {other}"),
        }
    }
    options
}

fn diagnostics(compiled: &Compiled) -> String {
    compiled.diagnostics.iter().map(|d| render(d, &compiled.sources, RenderConfig::default())).collect()
}

fn write_golden(path: &Path, text: &str) {
    let written = if text.is_empty() {
        // Nothing is expected; most programs have no such file anyway.
        let _ = std::fs::remove_file(path);
        Ok(())
    } else {
        std::fs::write(path, text)
    };
    written.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// The lines in which two texts differ, from the first to the last of them.
fn difference(wanted: &str, found: &str) -> String {
    let (wanted, found): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    let same = wanted.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let tail = wanted[same..].iter().rev().zip(found[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let lines = |sign: char, all: &[&str]| -> String {
        all[same..all.len() - tail].iter().map(|line| format!("  {sign} {line}\n")).collect()
    };
    format!("  line {}\n{}{}", same + 1, lines('-', &wanted), lines('+', &found))
}
