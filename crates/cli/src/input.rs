//! From files named on the command line to a program.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use heddle::{Harness, Missing, Options, Purpose, Sources};
use heddle_c_front::preprocess::{CppConfig, CppFlag, Preprocessed, preprocess};
use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Compiled, Input, Severity};
use heddle_ir::{DataModel, Program};

use crate::args::InputArgs;
use crate::boolean;
use crate::compiler_flags::Invocation;
use crate::project::{self, Candidate, Selection};
use crate::record::{self, Unit};
use crate::terminal;

/// Reads and compiles the program: with arguments for `main` to be executed, without them to be verified. Errors and warnings go to standard error; `None` if there were errors.
pub fn load(args: &InputArgs, main_args: Option<Vec<String>>) -> Option<Program> {
    if boolean::is_boolean(args) {
        return boolean::load(args);
    }
    let (inputs, data_model) = match read(args) {
        Ok(read) => read,
        Err(message) => {
            eprintln!("error: {message}");
            return None;
        }
    };
    // A preprocessed file is no project: what it does not define is nobody's mistake.
    let is_preprocessed = args.files.iter().any(|file| file.extension().is_some_and(|e| e == "i"));
    let missing = if args.allow_missing || is_preprocessed { Missing::Allowed } else { Missing::Refused };
    let harness = Harness {
        setup: args.setup.clone(),
        entry: args.entry.clone(),
        threads: args.threads.clone(),
        teardown: args.teardown.clone(),
    };
    let stubs = args.stubs.iter().map(|(name, _)| name.clone()).collect();
    let options = Options {
        stubs,
        harness,
        data_model,
        properties: args.properties,
        malloc_may_fail: args.malloc_may_fail,
        purpose: if main_args.is_some() { Purpose::Execution } else { Purpose::Verification },
        main_args,
        missing,
        ..Options::default()
    };
    // The command runs on a stack that is large enough.
    let compiled = Sources { inputs }.compile_here(&options);
    report(&compiled, args.no_warnings);
    compiled.program
}

/// The texts of all files, and the data model that their flags ask for.
fn read(args: &InputArgs) -> Result<(Vec<Input>, DataModel), String> {
    let mut units = Vec::new();
    match &args.project {
        Some(database) => units.extend(project::read(database)?),
        None => {
            for file in &args.files {
                // An object file and a program that it is part of name the same files.
                let more: Vec<Unit> = units_of(file)?.into_iter().filter(|unit| !units.contains(unit)).collect();
                units.extend(more);
            }
        }
    }
    let mut candidates = Vec::new();
    let mut problems = Vec::new();
    for unit in units {
        match preprocess(&path_of(&unit), &cpp_config(args, &unit)) {
            Ok(text) => {
                eprint!("{}", text.messages);
                candidates.push((unit, text));
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\nerror: "));
    }
    if args.project.is_some() {
        let entry = args.entry.as_deref().or(args.threads.first().map(String::as_str));
        let selection = Selection { entry, target: args.target.as_deref() };
        let all: Vec<Candidate> = candidates
            .iter()
            .map(|(unit, text)| Candidate { unit: unit.clone(), name: text.name.clone(), text: text.text.clone() })
            .collect();
        let taken = project::select(&all, selection)?;
        let mut number = 0;
        candidates.retain(|_| {
            number += 1;
            taken.contains(&(number - 1))
        });
    }
    let input = |(_, text): (Unit, Preprocessed)| Input { name: text.name, text: text.text, original: text.original };
    let mut models = candidates.iter().map(|(unit, _)| unit.data_model.unwrap_or(args.data_model));
    let model = models.next().unwrap_or(args.data_model);
    if models.any(|other| other != model) {
        return Err("some files are compiled with -m32 and some are not".to_owned());
    }
    Ok((candidates.into_iter().map(input).collect(), model))
}

/// What a file on the command line stands for: itself, or, if `heddle cc` made it, the files it was made from.
fn units_of(file: &Path) -> Result<Vec<Unit>, String> {
    let alone = Unit { file: file.to_owned(), ..Unit::default() };
    let is_text = file.extension().is_some_and(|e| e == "c" || e == "i" || e == "h");
    if is_text || !file.is_file() {
        return Ok(vec![alone]);
    }
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let is_object =
        [b"\x7fELF".as_slice(), b"!<arch>", b"!<thin>", b"\xcf\xfa\xed\xfe"].iter().any(|m| bytes.starts_with(m));
    match record::read(&bytes) {
        units if !units.is_empty() => Ok(units),
        _ if is_object => Err(format!(
            "{}: has no record of its sources: build it with CC=\"heddle cc\" (as in make CC=\"heddle cc\")",
            file.display()
        )),
        _ => Ok(vec![alone]),
    }
}

/// The path of a unit's file, from the current directory if it lies below it.
fn path_of(unit: &Unit) -> PathBuf {
    let path = unit.directory.join(&unit.file);
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok()).unwrap_or(path)
}

/// How a unit is preprocessed: by its own flags, and by those of the command line.
fn cpp_config(args: &InputArgs, unit: &Unit) -> CppConfig {
    let mut cpp = CppConfig::from_env(unit.data_model.unwrap_or(args.data_model));
    cpp.std.clone_from(if unit.std.is_some() { &unit.std } else { &args.std });
    let directory = &unit.directory;
    cpp.flags.extend(unit.flags.iter().map(|flag| flag.clone().relative_to(directory)));
    cpp.flags.extend(args.include_dirs.iter().cloned().map(CppFlag::Directory));
    cpp.flags.extend(args.undefines.iter().cloned().map(CppFlag::Undefine));
    cpp.flags.extend(args.defines.iter().cloned().map(CppFlag::Define));
    cpp.flags.extend(Invocation::parse(&args.cpp).flags);
    cpp.flags.extend(args.includes.iter().cloned().map(CppFlag::Include));
    cpp
}

fn report(compiled: &Compiled, no_warnings: bool) {
    let stderr = std::io::stderr();
    let config = RenderConfig { color: stderr.is_terminal() && terminal::wants_color(), ..RenderConfig::default() };
    let mut out = stderr.lock();
    for diagnostic in compiled.diagnostics.iter() {
        if diagnostic.severity == Severity::Error || !no_warnings {
            // Nothing sensible is left to do if standard error is gone.
            let _ = out.write_all(render(diagnostic, &compiled.sources, config).as_bytes());
        }
    }
    let errors = compiled.diagnostics.error_count();
    if errors > 0 {
        let plural = if errors == 1 { "" } else { "s" };
        let _ = writeln!(out, "{errors} error{plural}");
    }
}
