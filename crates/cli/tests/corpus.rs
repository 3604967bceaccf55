//! `corpus/threads/`, `corpus/papers/` and `corpus/bounded/`: programs with their verdicts.
//!
//! A program opens with comment lines:
//!
//! ```text
//! // expect: SAFE                      or SAFE WITHIN steps=50, or UNKNOWN inputs
//! // expect: UNSAFE assert 17          property and line; 17|23 where either line is right
//! // args: --property race             flags of `heddle check`, if any
//! // engines: explore                  if not all engines can be asked
//! // exact                             if all of them must give this very answer, without further bounds
//! ```
//!
//! Every violation that is found is replayed from its saved schedule, twice: it must be the same violation, and the same
//! trace. `HEDDLE_ONLY=name cargo test -p heddle --test corpus` checks the programs whose path contains `name`;
//! with `HEDDLE_VERBOSE=1` and `--nocapture` each is named as it is begun, which shows the one that does not end.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Parser;
use heddle::{Options, program};
use heddle_base::Budget;
use heddle_cli::args::{CheckArgs, Cli, Command};
use heddle_cli::{check, input};
use heddle_engines::{CorpusRole, ENGINES, EngineRow, find};
use heddle_ir::{Program, Property, PropertySet};
use heddle_task::{Counterexample, Schedule, Verdict};

/// Far more than any of the programs needs, also on a busy machine.
const MOST_TIME: Duration = Duration::from_secs(120);

#[test]
fn every_program_gets_its_verdict() {
    check_folders(&["threads", "papers"], 150);
}

#[test]
fn every_program_for_event_graphs_gets_its_verdict() {
    check_folders(&["bounded"], 80);
}

#[test]
fn every_program_without_bounds_gets_its_verdict() {
    check_folders(&["unbounded"], 8);
}

fn check_folders(folders: &[&str], at_least: usize) {
    let only = std::env::var("HEDDLE_ONLY").unwrap_or_default();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut programs = Vec::new();
    for folder in folders {
        collect(&corpus.join(folder), &mut programs);
    }
    programs.sort();
    assert!(programs.len() >= at_least, "only {} programs in {folders:?}", programs.len());
    programs.retain(|path| path.to_string_lossy().contains(&only));

    let verbose = std::env::var_os("HEDDLE_VERBOSE").is_some();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = path.strip_prefix(&corpus).unwrap_or(path).display();
                    if verbose {
                        eprintln!("{name}");
                    }
                    if let Err(problem) = check_program(path) {
                        failures.lock().expect("no worker panics").push(format!("{name}: {problem}"));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    assert!(failures.is_empty(), "\n{}\n{} of {} programs", failures.join("\n"), failures.len(), programs.len());
}

fn collect(dir: &Path, programs: &mut Vec<PathBuf>) {
    let listing = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    for path in listing.map(|entry| entry.expect("readable directory").path()) {
        if path.is_dir() {
            collect(&path, programs);
        } else if path.extension().is_some_and(|e| e == "c") {
            programs.push(path);
        }
    }
}

/// What the first lines of a program say.
#[derive(Debug, Default)]
struct Header {
    expect: String,
    args: Vec<String>,
    engines: Vec<&'static EngineRow>,
    exact: bool,
}

impl Header {
    fn read(text: &str) -> Result<Header, String> {
        // Those that ask the others would only repeat their answers.
        let alone = |row: &&EngineRow| row.corpus != CorpusRole::OnlyNamed;
        let mut header = Header { engines: ENGINES.iter().filter(alone).collect(), ..Header::default() };
        for line in text.lines() {
            let Some(comment) = line.strip_prefix("// ") else { break };
            let words = |rest: &str| rest.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            if comment == "exact" {
                header.exact = true;
            } else if let Some(rest) = comment.strip_prefix("expect:") {
                header.expect = words(rest).join(" ");
            } else if let Some(rest) = comment.strip_prefix("args:") {
                header.args = words(rest);
            } else if let Some(rest) = comment.strip_prefix("engines:") {
                let engine = |name: &String| find(name).ok_or_else(|| format!("no engine `{name}`"));
                header.engines = words(rest).iter().map(engine).collect::<Result<_, _>>()?;
            }
        }
        if header.expect.is_empty() { Err("no line `// expect: …`".to_owned()) } else { Ok(header) }
    }
}

fn check_program(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let header = Header::read(&text)?;
    // Elsewhere the expectation is what `explore` says; the others bound other things and may say less.
    let exact = path.components().any(|part| part.as_os_str() == "bounded");
    let unbounded = path.components().any(|part| part.as_os_str() == "unbounded");
    for &engine in &header.engines {
        let manner = match engine.corpus {
            CorpusRole::Reference => Manner::Exact,
            CorpusRole::Bounded | CorpusRole::BoundedOnly if exact => Manner::Exact,
            CorpusRole::Proofs if header.exact && unbounded => Manner::Exact,
            CorpusRole::Proofs => {
                check_proofs(path, &header, engine).map_err(|problem| format!("{}: {problem}", engine.name))?;
                continue;
            }
            CorpusRole::BoundedOnly => continue,
            CorpusRole::Bounded => Manner::Consistent { contexts: None },
            CorpusRole::Consistent { contexts } => Manner::Consistent { contexts: Some(contexts) },
            CorpusRole::Brief => Manner::Brief,
            // Only where a program names it.
            CorpusRole::OnlyNamed => Manner::Exact,
        };
        check_with(path, &header, engine, manner).map_err(|problem| format!("{}: {problem}", engine.name))?;
    }
    Ok(())
}

/// How long a proof is looked for where none is expected.
const PROOF_TIME: Duration = Duration::from_millis(500);

/// Whether an engine claims a proof of a program that violates a property.
fn check_proofs(path: &Path, header: &Header, engine: &'static EngineRow) -> Result<(), String> {
    let Some(property) = header.expect.strip_prefix("UNSAFE ") else { return Ok(()) };
    let property: Property = property.split(' ').next().unwrap_or_default().parse()?;
    let mut args = arguments(path, header)?;
    args.engine = engine;
    args.input.properties = PropertySet::EMPTY.with(property);
    let program = input::load(&args.input, None).ok_or("it does not compile")?;
    let options = Options { budget: Budget::unlimited().with_time(PROOF_TIME), ..check::options(&args) };
    match program::check(&program, &options, &|_| {}).map_err(|error| error.to_string())?.verdict {
        Verdict::Safe(_) => Err(format!("expected {}, got a proof", header.expect)),
        Verdict::Unsafe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Ok(()),
    }
}

fn arguments(path: &Path, header: &Header) -> Result<Box<CheckArgs>, String> {
    let mut words = vec!["heddle".to_owned(), "check".to_owned(), "-w".to_owned()];
    words.extend(header.args.iter().cloned());
    words.push(path.display().to_string());
    let cli = Cli::try_parse_from(words).map_err(|e| e.to_string())?;
    match cli.command {
        Command::Check(args) => Ok(args),
        _ => Err("not a check".to_owned()),
    }
}

/// How an answer is compared with the expectation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// It must be that.
    Exact,
    /// It must not contradict it, and nothing unconfirmed may turn up.
    Consistent {
        /// Context switches, for engines that bound them.
        contexts: Option<u64>,
    },
    /// Likewise, within [`PROOF_TIME`] and without bounds.
    Brief,
}

/// Iterations of loops, where an answer need only be consistent.
const FEW_ROUNDS: u64 = 2;

fn is_consistent(expect: &str, found: &str) -> bool {
    let property = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    if let Some(reason) = found.strip_prefix("UNKNOWN ") {
        return reason != "unconfirmed";
    }
    if found.starts_with("SAFE WITHIN") || expect.starts_with("UNKNOWN") {
        return true;
    }
    match found.starts_with("UNSAFE") {
        true => expect.starts_with("UNSAFE") && property(expect) == property(found),
        false => expect.starts_with("SAFE"),
    }
}

fn check_with(path: &Path, header: &Header, engine: &'static EngineRow, manner: Manner) -> Result<(), String> {
    let mut args = arguments(path, header)?;
    args.engine = engine;
    if let Manner::Consistent { contexts } = manner {
        args.unwind = args.unwind.or(Some(FEW_ROUNDS));
        args.contexts = contexts.or(args.contexts);
    }
    let program = input::load(&args.input, None).ok_or("it does not compile")?;
    let time = if manner == Manner::Brief { PROOF_TIME } else { MOST_TIME };
    let options = Options { budget: Budget::unlimited().with_time(time), ..check::options(&args) };
    let verdict = program::check(&program, &options, &|_| {}).map_err(|error| error.to_string())?.verdict;
    let found = without_file(&heddle_report::headline(&verdict));
    let fits = match manner {
        Manner::Exact => agrees(&header.expect, &found),
        Manner::Consistent { .. } | Manner::Brief => is_consistent(&header.expect, &found),
    };
    if !fits {
        return Err(format!("expected {}, got {found}", header.expect));
    }
    match verdict {
        Verdict::Unsafe(found) => shows_again(&args, &program, &found),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Ok(()),
    }
}

/// `UNSAFE assert some/queue.c:41` without the file.
fn without_file(line: &str) -> String {
    match line.rsplit_once(':') {
        Some((before, number)) => {
            let words = before.rsplit_once(' ').map_or("", |(words, _)| words);
            format!("{words} {number}")
        }
        None => line.to_owned(),
    }
}

/// Whether a verdict is the expected one, which may name several lines.
fn agrees(expected: &str, found: &str) -> bool {
    match (expected.strip_prefix("UNSAFE ").and_then(|e| e.split_once(' ')), found.strip_prefix("UNSAFE ")) {
        (Some((property, lines)), Some(found)) => lines.split('|').any(|line| found == format!("{property} {line}")),
        _ => expected == found,
    }
}

/// Replays the schedule of a violation, as it would be saved, and expects the same once more.
fn shows_again(args: &CheckArgs, program: &Program, found: &Counterexample) -> Result<(), String> {
    let schedule = Schedule::parse(&found.schedule.to_json()).map_err(|e| format!("its schedule: {e}"))?;
    if schedule != found.schedule {
        return Err("saving its schedule changes it".to_owned());
    }
    let (code, options) = (program::code(program), check::options(args));
    for _ in 0..2 {
        let again = program::replay(program, &code, &options, &schedule)
            .map_err(|error| format!("replaying its schedule: {error}"))?;
        let (outcome, trace) = (again.outcome, again.trace.expect("a replay is recorded"));
        let Some(violation) = outcome.violation() else { return Err("replaying shows no violation".to_owned()) };
        if violation.property != found.violation.property || trace.end != found.trace.end {
            return Err(format!("replaying shows {:?}, not {:?}", trace.end, found.trace.end));
        }
        if trace != found.trace {
            return Err("replaying gives another trace".to_owned());
        }
    }
    Ok(())
}

#[test]
fn verdicts_are_compared_by_property_and_line() {
    assert_eq!(without_file("UNSAFE race /b/c.c:12"), "UNSAFE race 12");
    assert_eq!(without_file("SAFE WITHIN steps=4"), "SAFE WITHIN steps=4");
    assert!(agrees("UNSAFE race 7|12", "UNSAFE race 12"));
    assert!(!agrees("UNSAFE race 7|12", "UNSAFE race 2"));
    assert!(!agrees("UNSAFE race", "UNSAFE race 12"));
    assert!(agrees("SAFE", "SAFE"));
    assert!(!agrees("SAFE", "SAFE WITHIN steps=4"));
}
