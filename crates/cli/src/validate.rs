//! `heddle validate`: a witness of this or another tool, checked again.
//!
//! A violation witness is followed by the machine; where that does not succeed, an engine is asked whether the property is
//! violated at all. The invariants of a correctness witness become checks in the program (see module `invariants`), and
//! an engine decides program and checks together.
//!
//! The last line is `CONFIRMED`, `REJECTED` or `UNKNOWN` with words; exit codes 0, 1 and 3.

use std::path::{Path, PathBuf};

use clap::Args;
use heddle::{Options, program, validate};
use heddle_ir::{DataModel, Program, PropertySet};
use heddle_report::witness::{WitnessTask, read};
use heddle_report::{TextOptions, text};
use heddle_task::witness::{Claim, Invariant, Waypoint, WaypointEvent, Witness};
use heddle_task::{Action, Trace, TraceEnd, Verdict};

use crate::args::{InputArgs, LimitArgs};
use crate::invariants::{PRELUDE, VIOLATED, instrument};
use crate::{Outcome, input, limits, output, task_definition};

/// Arguments of `heddle validate`.
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// The witness: GraphML 1.0 or YAML 2.x, a violation or (YAML) a set of invariants
    #[arg(long, value_name = "FILE")]
    pub witness: PathBuf,

    /// Limits
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What came of a witness, with the text that goes before the last line.
enum Judgement {
    Confirmed(String),
    Rejected(String),
    Unknown(String),
}

/// Runs the command.
pub fn run(args: &ValidateArgs) -> Outcome {
    match judge(args) {
        Ok(Judgement::Confirmed(words)) => {
            output::answer(&format!("{words}CONFIRMED\n"));
            Outcome::Done
        }
        Ok(Judgement::Rejected(words)) => {
            output::answer(&format!("{words}REJECTED\n"));
            Outcome::Violation
        }
        Ok(Judgement::Unknown(words)) => {
            output::answer(&format!("{words}UNKNOWN\n"));
            Outcome::Undecided
        }
        Err(problem) => {
            if !problem.is_empty() {
                eprintln!("error: {problem}");
            }
            Outcome::BadInput
        }
    }
}

/// `Err` is empty where the message was shown already.
fn judge(args: &ValidateArgs) -> Result<Judgement, String> {
    let named = |problem: String| format!("{}: {problem}", args.witness.display());
    let text = std::fs::read_to_string(&args.witness).map_err(|error| named(error.to_string()))?;
    let witness = read(&text).map_err(named)?;
    belongs(&witness, &args.input).map_err(named)?;
    let properties = task_definition::of_formula(&witness.specification)
        .ok_or_else(|| named(format!("Heddle has no property for `{}`", witness.specification)))?;
    let mut input = InputArgs { properties, ..args.input.clone() };
    if let Some(ilp32) = witness.ilp32 {
        input.data_model = if ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    }
    let budget = limits::budget(&args.limits);
    let engine_options =
        heddle::EngineOptions { limits: limits::machine(&args.limits), ..Options::default().engine_options };
    let options = Options { properties, data_model: input.data_model, engine_options, budget, ..Options::default() };
    match &witness.claim {
        Claim::Violation(points) => violation(&input, &options, points),
        Claim::Correctness(invariants) => correctness(&input, &options, invariants),
    }
}

/// Whether the witness was made for these files.
fn belongs(witness: &Witness, input: &InputArgs) -> Result<(), String> {
    let contents = |file: &PathBuf| {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok((file.display().to_string(), bytes))
    };
    let files = input.files.iter().map(contents).collect::<Result<Vec<_>, String>>()?;
    let own = WitnessTask { files, specification: String::new(), ilp32: false };
    let own: Vec<(&str, String)> = own.hashes();
    // Some tools write no hash; what they say can be tried all the same.
    let known = |hash: &str| own.iter().any(|(_, one)| one.eq_ignore_ascii_case(hash));
    match witness.hashes.iter().find(|(_, hash)| !known(hash)) {
        None => Ok(()),
        Some((name, hash)) => Err(format!(
            "the witness belongs to another program: it names `{name}` with the hash {hash}, but {}",
            own.iter().map(|(file, hash)| format!("{file} has {hash}")).collect::<Vec<_>>().join(" and ")
        )),
    }
}

fn load(input: &InputArgs) -> Result<Program, String> {
    input::load(input, None).ok_or_else(String::new)
}

fn violation(input: &InputArgs, options: &Options, points: &[Waypoint]) -> Result<Judgement, String> {
    let program = load(input)?;
    // Following takes half of the time at most: the engine needs the rest.
    let guided = Options { budget: options.budget.part(), ..options.clone() };
    let found = validate::follow(&program, &guided, points).map_err(|error| error.to_string())?;
    if let Some(trace) = found.and_then(|execution| execution.trace) {
        let report = text::violation(&trace, &TextOptions::default());
        let words = if at_target(&trace, points) {
            "an execution along the witness violates the property"
        } else {
            "an execution along the witness violates the property, at another place than it says"
        };
        return Ok(Judgement::Confirmed(format!("{report}\n{words}\n")));
    }
    let answer = program::check(&program, options, &|_| {}).map_err(|error| error.to_string())?;
    Ok(match answer.verdict {
        Verdict::Safe(_) => Judgement::Rejected("the program has no execution that violates the property\n".to_owned()),
        Verdict::Unsafe(found) => Judgement::Unknown(format!(
            "{}\nthe property is violated, but no execution along the witness was found that does it\n",
            text::violation(&found.trace, &TextOptions::default())
        )),
        Verdict::SafeWithin(_) | Verdict::Unknown(_) => {
            Judgement::Unknown("no execution along the witness was found that violates the property\n".to_owned())
        }
    })
}

/// Whether the violation is where the witness has it, or one of the places that belong to it.
fn at_target(trace: &Trace, points: &[Waypoint]) -> bool {
    let TraceEnd::Violation { place, details, .. } = &trace.end else { return false };
    let target = points.iter().rev().find(|point| point.event == WaypointEvent::Target);
    let Some(line) = target.and_then(|point| point.line) else { return true };
    place.line == line || details.iter().any(|detail| detail.place.line == line)
}

/// A file that is removed at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn correctness(input: &InputArgs, options: &Options, invariants: &[Invariant]) -> Result<Judgement, String> {
    let [file] = &input.files[..] else { return Err("invariants are checked in programs of one file".to_owned()) };
    let (checked, left_out) = if invariants.is_empty() {
        (load(input)?, Vec::new())
    } else {
        let original = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let (body, left_out) = instrument(&original, invariants);
        let extension = file.extension().map_or("c".to_owned(), |e| e.to_string_lossy().into_owned());
        let name = format!("heddle-validate-{}.{extension}", std::process::id());
        let scratch = Scratch(std::env::temp_dir().join(name));
        let text = format!("{PRELUDE}\n#line 1 {:?}\n{body}", file.display().to_string());
        std::fs::write(&scratch.0, text).map_err(|error| format!("{}: {error}", scratch.0.display()))?;
        let mut changed = InputArgs { files: vec![scratch.0.clone()], no_warnings: true, ..input.clone() };
        changed.include_dirs.push(file.parent().unwrap_or(Path::new("")).join("."));
        (load(&changed)?, left_out)
    };
    // An invariant that is violated is a call of an error function, whatever the property is.
    let properties =
        options.properties.iter().fold(PropertySet::EMPTY.with(heddle_ir::Property::Assert), PropertySet::with);
    let options = Options { properties, ..options.clone() };
    let answer = program::check(&checked, &options, &|_| {}).map_err(|error| error.to_string())?;
    Ok(match answer.verdict {
        Verdict::Safe(_) if left_out.is_empty() => {
            Judgement::Confirmed(format!("{} hold, and so does the property\n", count(invariants.len())))
        }
        Verdict::Safe(_) => {
            let names: Vec<String> = left_out.iter().map(|&number| named(&invariants[number])).collect();
            Judgement::Unknown(format!("the property holds, but these could not be checked: {}\n", names.join(", ")))
        }
        Verdict::Unsafe(found) => {
            let report = text::violation(&found.trace, &TextOptions::default());
            match violated(&found.trace, invariants) {
                Some(invariant) => Judgement::Rejected(format!("{report}\n{} does not hold\n", named(invariant))),
                None => Judgement::Rejected(format!("{report}\nthe property is violated\n")),
            }
        }
        Verdict::SafeWithin(_) | Verdict::Unknown(_) => {
            Judgement::Unknown(format!("{}\n", heddle_report::headline(&answer.verdict)))
        }
    })
}

fn count(n: usize) -> String {
    match n {
        0 => "no invariants are claimed; they".to_owned(),
        1 => "the invariant".to_owned(),
        _ => format!("all {n} invariants"),
    }
}

fn named(invariant: &Invariant) -> String {
    format!("the invariant `{}` at {}:{}", invariant.expression, invariant.file, invariant.line)
}

/// The invariant whose check failed at the end of a trace.
fn violated<'w>(trace: &Trace, invariants: &'w [Invariant]) -> Option<&'w Invariant> {
    let call = trace.steps.iter().rev().find_map(|step| match &step.action {
        Action::Call { function, args } if function == VIOLATED => args.first(),
        _ => None,
    });
    invariants.get(call?.parse::<usize>().ok()?)
}
