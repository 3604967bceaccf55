//! Boolean programs (`.bp`) on the command line: `check`, `check-proof`, and the goto program that `run`, `replay` and `show`
//! work on.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use heddle_base::Budget;
use heddle_boolprog::flatten::Recursion;
use heddle_boolprog::{
    Basis, Options, Proof, Report, Sets, Settings, Tuples, Verdict as BooleanVerdict, ast, check, diagnostic,
    executable, flatten, parse, proof,
};
use heddle_engines::boolean::{Lowered, judge, lower};
use heddle_ir::{Program, Property, PropertySet};
use heddle_task::{Answer, Proof as Rests, Reason, Statistics, Verdict};

use crate::args::{CheckArgs, InputArgs};
use crate::{Outcome, limits, output};

/// Switches for Boolean programs.
#[derive(Args, Debug, Clone)]
pub struct BooleanArgs {
    /// How sets of thread states are kept
    #[arg(long, value_enum, value_name = "KIND", default_value = "bdd", help_heading = "Boolean programs (.bp)")]
    pub sets: SetsName,

    /// Threads that are looked at together: 1 or 2; without it 1, then 2
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2), help_heading = "Boolean programs (.bp)")]
    pub tuples: Option<u8>,

    /// Search all threads exactly and nothing else
    #[arg(long, help_heading = "Boolean programs (.bp)")]
    pub exact: bool,

    /// Write the set of thread states (or pairs) that proves SAFE
    #[arg(long, value_name = "FILE", help_heading = "Boolean programs (.bp)")]
    pub proof: Option<PathBuf>,

    /// Let threads that hold a common lock see each other's steps
    #[arg(long, help_heading = "Boolean programs (.bp)")]
    pub no_lock_sets: bool,

    /// Let other threads move before the first start
    #[arg(long, help_heading = "Boolean programs (.bp)")]
    pub no_remark1: bool,

    /// Hide from threads whether a lock is held and whether somebody is in an atomic section
    #[arg(long, help_heading = "Boolean programs (.bp)")]
    pub no_ghosts: bool,

    /// What recursive calls become
    #[arg(long, value_enum, value_name = "HOW", default_value = "threads", help_heading = "Boolean programs (.bp)")]
    pub recursion: RecursionName,
}

/// Sets by name.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetsName {
    /// Binary decision diagrams
    Bdd,
    /// Parametric formulas and a SAT solver
    Sat,
}

/// Treatments of recursion by name.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecursionName {
    /// Threads, which over-approximates them
    Threads,
    /// Errors
    Refuse,
}

/// Arguments of `heddle check-proof`.
#[derive(Args, Debug)]
pub struct CheckProofArgs {
    /// The proof
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,

    /// The Boolean program that it is about
    #[arg(value_name = "FILE.bp")]
    pub file: PathBuf,

    /// Limits
    #[command(flatten)]
    pub limits: crate::args::LimitArgs,
}

/// Whether the program is a Boolean one.
pub fn is_boolean(args: &InputArgs) -> bool {
    args.files.iter().any(|f| f.extension().is_some_and(|e| e == "bp"))
}

/// The properties to check: of a Boolean program only one makes sense.
pub fn properties_of(args: &InputArgs) -> PropertySet {
    if is_boolean(args) { [Property::Assert].into_iter().collect() } else { args.properties }
}

/// A Boolean program and its text.
struct Source {
    name: String,
    text: String,
    program: ast::Program,
}

fn read(args: &InputArgs) -> Option<Source> {
    let [file] = &args.files[..] else {
        eprintln!("error: a Boolean program is one file");
        return None;
    };
    read_file(file)
}

fn read_file(file: &Path) -> Option<Source> {
    let name = file.display().to_string();
    let text = match std::fs::read(file).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            eprintln!("error: {name}: this is not text");
            return None;
        }
        Err(error) => {
            eprintln!("error: {name}: {error}");
            return None;
        }
    };
    match parse(&text) {
        Ok(program) => Some(Source { name, text, program }),
        Err(error) => {
            eprint!("{}", diagnostic::render_all(&[error], &name, &text));
            None
        }
    }
}

impl Source {
    fn complain(&self, errors: &[heddle_boolprog::Diagnostic]) {
        eprint!("{}", diagnostic::render_all(errors, &self.name, &self.text));
    }
}

/// The goto program that does what a Boolean program does.
pub fn load(args: &InputArgs) -> Option<Program> {
    let source = read(args)?;
    let flat = match executable(&source.program) {
        Ok(flat) => flat,
        Err(errors) => {
            source.complain(&errors);
            return None;
        }
    };
    match lower(&flat, &source.name, &source.text) {
        Ok(lowered) => Some(lowered.program),
        Err(problem) => {
            eprintln!("error: {}: {problem}", source.name);
            None
        }
    }
}

fn settings(args: &CheckArgs) -> Settings {
    let boolean = &args.boolean;
    Settings {
        options: Options {
            lock_sets: !boolean.no_lock_sets,
            remark1: !boolean.no_remark1,
            partial_order: !args.no_reduction,
            ..Options::default()
        },
        recursion: match boolean.recursion {
            RecursionName::Threads => Recursion::Threads,
            RecursionName::Refuse => Recursion::Refuse,
        },
        ghosts: !boolean.no_ghosts,
        sets: match boolean.sets {
            SetsName::Bdd => Sets::Bdd,
            SetsName::Sat => Sets::Sat,
        },
        tuples: match boolean.tuples {
            None => Tuples::Auto,
            Some(1) => Tuples::One,
            Some(_) => Tuples::Two,
        },
        exact: boolean.exact,
        proof: boolean.proof.is_some(),
    }
}

/// `heddle check X.bp`.
pub fn check_program(args: &CheckArgs) -> Outcome {
    let budget = limits::budget(&args.limits);
    let begin = Instant::now();
    if args.engine.name != heddle_engines::ENGINES[0].name {
        eprintln!("error: --engine {} does not take Boolean programs", args.engine.name);
        return Outcome::BadInput;
    }
    let Some(source) = read(&args.input) else { return Outcome::BadInput };
    let statistics = Statistics::default();
    statistics.set("seconds.read", begin.elapsed().as_secs_f64());
    let checking = Instant::now();
    let report = match check(&source.program, &settings(args), &budget) {
        Ok(report) => report,
        Err(errors) => {
            source.complain(&errors);
            return Outcome::BadInput;
        }
    };
    statistics.set("seconds.check", checking.elapsed().as_secs_f64());
    statistics.set("bp.locations", report.flat.locations.len() as f64);
    statistics.set("bp.variables", report.flat.vars.len() as f64);
    statistics.set("bp.sets", report.statistics.sets as f64);
    statistics.set("bp.symbolic_states", report.statistics.added as f64);
    statistics.set("bp.exact_threads", report.statistics.exact_threads as f64);
    if report.derivation.is_some() {
        statistics.set("bp.derived_threads", report.statistics.derived_threads as f64);
        statistics.set("bp.derived_moves", report.statistics.derived_moves as f64);
        statistics.set("bp.derivation_confirmed", f64::from(u8::from(report.statistics.derivation_confirmed)));
    }
    if let Some(file) = &args.boolean.proof
        && !write_proof(file, &report.verdict)
    {
        return Outcome::BadInput;
    }
    let lowered = lower(&report.flat, &source.name, &source.text);
    let verdict = match (verdict(&source, &report, lowered.as_ref().ok(), &budget), &lowered) {
        (Some(verdict), _) => verdict,
        // The machine cannot be asked; exact search has shown it.
        (None, _) => return without_machine(args, &source, &report),
    };
    let program = match lowered {
        Ok(lowered) => lowered.program,
        Err(_) => heddle_ir::text::parse("fn main() { exit 0 }").expect("an empty program"),
    };
    let answer = Answer { statistics: statistics.all(), ..Answer::new("boolprog", verdict) };
    crate::check::conclude(args, answer, begin, &program)
}

/// The verdict as for C. None if there is a violation that the machine cannot be asked about.
fn verdict(source: &Source, report: &Report, lowered: Option<&Lowered>, budget: &Budget) -> Option<Verdict> {
    let place = |at| heddle_boolprog::diagnostic::line_column(&source.text, report.flat.locations[at].span.lo).0;
    Some(match &report.verdict {
        BooleanVerdict::Safe(basis) => Verdict::Safe(Rests::Inductive { description: describe(basis).to_owned() }),
        BooleanVerdict::Unsafe(run) => {
            let lowered = lowered?;
            let code = heddle::program::code(&lowered.program);
            match judge(&report.flat, run, lowered, &code, budget) {
                Ok(found) => Verdict::Unsafe(Box::new(found)),
                Err(why) => Verdict::Unknown(Reason::Unconfirmed(why)),
            }
        }
        BooleanVerdict::Unknown(heddle_boolprog::Reason::Stopped(stop)) => Verdict::Unknown((*stop).into()),
        BooleanVerdict::Unknown(heddle_boolprog::Reason::Lost { bad, threads }) => {
            Verdict::Unknown(Reason::Abstraction(format!(
                "the thread abstraction lost which threads can be together: it reaches line {}{}, and no execution with \
                 up to {threads} threads does",
                place(*bad),
                derived(source, report)
            )))
        }
        BooleanVerdict::Unknown(heddle_boolprog::Reason::Recursion { bad, depth }) => {
            Verdict::Unknown(Reason::Abstraction(format!(
                "the thread abstraction lost which call a return belongs to: it reaches line {}, and no execution with \
                 recursive calls up to {depth} deep does",
                place(*bad)
            )))
        }
        BooleanVerdict::Unknown(heddle_boolprog::Reason::ExactThreads(threads)) => Verdict::Unknown(Reason::Limit(
            format!("exact search has looked at {threads} threads, and the program starts more"),
        )),
    })
}

/// How thread states reach a bad location: the moves of the derivation, the last ones if there are many.
fn derived(source: &Source, report: &Report) -> String {
    const SHOWN: usize = 12;
    let Some(derivation) = &report.derivation else { return String::new() };
    let moves = &derivation.moves;
    let mut list: Vec<String> = Vec::new();
    for made in &moves[moves.len().saturating_sub(SHOWN)..] {
        let at = report.flat.locations[made.at].span.lo;
        let line = heddle_boolprog::diagnostic::line_column(&source.text, at).0;
        list.push(format!("thread {} line {line}", made.thread));
    }
    let cut = if moves.len() > SHOWN { "…, " } else { "" };
    format!(" with {} threads ({cut}{})", derivation.threads, list.join(", "))
}

fn describe(basis: &Basis) -> &'static str {
    match basis {
        Basis::ThreadStates(_) => "a set of thread states that is closed under every step",
        Basis::Pairs(_) => "a set of pairs of thread states that is closed under every step",
        Basis::Exact => "all states of all threads",
        Basis::Coverability => "all minimal states from which a violation could be reached",
    }
}

fn write_proof(file: &Path, verdict: &BooleanVerdict) -> bool {
    let BooleanVerdict::Safe(basis) = verdict else { return true };
    let (Basis::ThreadStates(Some(proof)) | Basis::Pairs(Some(proof))) = basis else {
        eprintln!("note: no proof was written: the verdict rests on {}", describe(basis));
        return true;
    };
    match std::fs::write(file, proof.to_string()) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("error: {}: {error}", file.display());
            false
        }
    }
}

/// A violation of a program that has no goto program (`$`).
fn without_machine(args: &CheckArgs, source: &Source, report: &Report) -> Outcome {
    let BooleanVerdict::Unsafe(run) = &report.verdict else { unreachable!("only violations need the machine") };
    let at = run.bad(&report.flat).map(|(_, at)| report.flat.locations[at].span.lo).unwrap_or_default();
    let line = heddle_boolprog::diagnostic::line_column(&source.text, at).0;
    let steps = run.render(&report.flat, &source.name, &source.text);
    if args.json {
        let object = serde_json::json!({
            "verdict": "unsafe", "property": "assert", "engine": "boolprog",
            "location": { "file": source.name, "line": line }, "steps": steps.lines().collect::<Vec<_>>(),
        });
        output::answer(&format!("{object}\n"));
    } else {
        output::answer(&format!("{steps}\nUNSAFE assert {}:{line}\n", source.name));
    }
    Outcome::Violation
}

/// `heddle check-proof`.
pub fn check_proof(args: &CheckProofArgs) -> Outcome {
    let budget = limits::budget(&args.limits);
    let Some(source) = read_file(&args.file) else { return Outcome::BadInput };
    let flat = match flatten(&source.program, Recursion::Threads) {
        Ok(flat) => flat,
        Err(errors) => {
            source.complain(&errors);
            return Outcome::BadInput;
        }
    };
    let text = match std::fs::read_to_string(&args.proof) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: {}: {error}", args.proof.display());
            return Outcome::BadInput;
        }
    };
    let found = match Proof::parse(&text) {
        Ok(found) => found,
        Err(problem) => {
            eprintln!("error: {}: {problem}", args.proof.display());
            return Outcome::BadInput;
        }
    };
    match proof::check(&found, &flat, &budget) {
        Ok(()) => {
            output::answer("ACCEPTED\n");
            Outcome::Done
        }
        Err(proof::Refusal::Stopped(stop)) => {
            output::answer(&format!("UNKNOWN {}\n", Reason::from(stop)));
            Outcome::Undecided
        }
        Err(refusal) => {
            output::answer(&format!("REFUSED {refusal}\n"));
            Outcome::Violation
        }
    }
}
