//! `heddle check`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use heddle::{EngineOptions, Options, program};
use heddle_base::SourceMap;
use heddle_base::budget::{peak_resident_bytes, resident_bytes};
use heddle_engines::Queries;
use heddle_ir::Program;
use heddle_ir::show::place as place_of;
use heddle_report::json::CheckInfo;
use heddle_report::sarif::Known;
use heddle_report::{TextOptions, headline, json, text};
use heddle_task::{Answer, Bounds, Progress, Proof, Reason, Verdict, Warning};

use crate::args::{CheckArgs, Switch, WarnName};
use crate::reports::all_known;
use crate::suppressions::Suppressions;
use crate::{Outcome, boolean, engine_flags, execute, given_inputs, input, limits, output, terminal, watchdog};

/// Runs the command.
pub fn run(args: &CheckArgs) -> Outcome {
    if boolean::is_boolean(&args.input) {
        return boolean::check_program(args);
    }
    // The deadline counts from the start: reading the program is part of the job.
    let budget = limits::budget(&args.limits);
    let (as_json, name) = (args.json, args.engine.name);
    watchdog::start(&budget, move |reason| output::write_answer(&stopped(reason, as_json, name)));
    let begin = Instant::now();
    if let Err(problem) = engine_flags::check_flags(args) {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    let files = args.reports.read_baseline().and(Suppressions::read(args.reports.config.as_deref()).map(|_| ()));
    if let Err(problem) = files {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    let quiet = crate::args::InputArgs { no_warnings: true, ..args.input.clone() };
    let Some(program) = input::load(if args.quiet { &quiet } else { &args.input }, None) else {
        return Outcome::BadInput;
    };
    if let Err(problem) = given_inputs::check(args, &program) {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    let read = begin.elapsed();
    let meter = Meter::new();
    let options = Options { budget, ..options(args) };
    let answer = match program::check(&program, &options, &|progress| meter.show(progress)) {
        Ok(mut answer) => {
            answer.statistics.insert("seconds.read".to_owned(), read.as_secs_f64());
            answer
        }
        Err(error) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
    };
    meter.clear();
    conclude(args, answer, begin, &program)
}

/// Statistics, reports in files, the report on standard output: what every check ends with.
pub fn conclude(args: &CheckArgs, mut answer: Answer, begin: Instant, program: &Program) -> Outcome {
    let read = args.reports.read_baseline();
    let read = read.and_then(|baseline| Ok((baseline, Suppressions::read(args.reports.config.as_deref())?)));
    let (baseline, suppressions) = match read {
        Ok(read) => read,
        Err(problem) => {
            eprintln!("error: {problem}");
            return Outcome::BadInput;
        }
    };
    answer.statistics.extend(of_process(begin));
    answer.verdict = suppressions.reorder(answer.verdict);
    // A check that did not come to its end may have missed what a suppression is for.
    if !matches!(answer.verdict, Verdict::Unknown(_)) && !args.input.no_warnings {
        for unused in suppressions.unused(&answer.verdict) {
            eprintln!("warning: {unused}");
        }
    }
    let Answer { verdict, warnings, statistics, .. } = &answer;
    if args.stats {
        eprint!("{}", stats_text(statistics));
    }
    if let (Verdict::Unsafe(found), Some(_)) = (verdict, &args.save_schedule)
        && !execute::save(args.save_schedule.as_deref(), &found.schedule)
    {
        return Outcome::BadInput;
    }
    let story = &answer.story[..];
    let info = CheckInfo {
        engine: &answer.engine,
        asked: &answer.asked,
        statistics,
        story,
        warnings: (warnings, &program.sources),
    };
    let known = Known {
        baseline: baseline.as_ref(),
        suppressed: &|trace| suppressions.of(trace).map(|suppression| suppression.reason.clone()),
    };
    if let Err(problem) = args.reports.write(verdict, &info, &known, &args.input, program) {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    if args.json {
        output::answer(&json::verdict(verdict, &info));
    } else {
        let told = if args.verbose { story } else { &[] };
        let lines: String = told.iter().map(|line| format!("{line}\n")).collect();
        let text = match args.quiet {
            true => format!("{}\n", headline(verdict)),
            false => verdict_text(verdict, program, warnings, &terminal::text_options(args.verbose)),
        };
        output::answer(&(lines + &text));
    }
    if suppressions.have_all(verdict) {
        eprintln!("note: all violations are suppressed");
        return Outcome::Done;
    }
    if all_known(verdict, baseline.as_ref()) {
        eprintln!("note: the baseline has all violations");
        return Outcome::Done;
    }
    match verdict {
        Verdict::Unsafe(_) => Outcome::Violation,
        Verdict::Safe(_) | Verdict::SafeWithin(_) => Outcome::Done,
        Verdict::Unknown(_) => Outcome::Undecided,
    }
}

/// The answer if a limit is passed while nobody looks.
fn stopped(reason: &Reason, as_json: bool, engine: &str) -> String {
    if !as_json {
        return format!("UNKNOWN {reason}\n");
    }
    let (numbers, sources) = (BTreeMap::new(), SourceMap::default());
    let info = CheckInfo { engine, asked: engine, statistics: &numbers, story: &[], warnings: (&[], &sources) };
    json::verdict(&Verdict::Unknown(reason.clone()), &info)
}

/// What the flags ask for, without limits.
pub fn options(args: &CheckArgs) -> Options {
    let bounds = Bounds {
        unwind: args.unwind,
        contexts: args.contexts,
        choices: args.choices,
        steps: args.limits.max_steps,
        spurious: None,
    };
    let engine_options = EngineOptions {
        all: !args.stop_at_first,
        reduction: !args.no_reduction,
        slice: args.slice == Switch::On,
        queries: args.dump_smt2.as_deref().map(Queries::dumped_to).unwrap_or_default(),
        hunt: args.hunt,
        solver: engine_flags::solver(args),
        limits: limits::machine(&args.limits),
    };
    Options {
        data_model: args.input.data_model,
        properties: args.input.properties,
        malloc_may_fail: args.input.malloc_may_fail,
        bounds,
        unwindset: args.unwindset.clone(),
        assumed: args.assume,
        domains: given_inputs::domains(args).into_iter().chain(args.input.stubs.iter().cloned()).collect(),
        allow_guesses: args.allow_guesses,
        shorten: !args.no_shorten,
        engine: args.engine,
        engine_options,
        warn_lock_order: args.warn.contains(&WarnName::LockOrder),
        ..Options::default()
    }
}

/// Numbers of the whole process.
fn of_process(begin: Instant) -> Vec<(String, f64)> {
    let mut numbers = vec![("seconds".to_owned(), begin.elapsed().as_secs_f64())];
    let megabytes = |bytes: u64| (bytes >> 20) as f64;
    numbers.extend(resident_bytes().map(|bytes| ("memory.mb".to_owned(), megabytes(bytes))));
    numbers.extend(peak_resident_bytes().map(|bytes| ("memory.peak_mb".to_owned(), megabytes(bytes))));
    numbers
}

/// The report and, as the last line, the verdict.
fn verdict_text(verdict: &Verdict, program: &Program, warnings: &[Warning], options: &TextOptions) -> String {
    let mut out = match verdict {
        Verdict::Unsafe(found) => {
            let mut report = text::violation(&found.trace, options);
            if !found.others.is_empty() {
                report.push_str("\nalso violated:\n");
            }
            for other in &found.others {
                let _ = writeln!(report, "  {}", text::violation_line(&other.trace));
            }
            report
        }
        Verdict::Safe(Proof::Assuming { assumptions, .. }) => {
            let mut text = String::new();
            for one in assumptions {
                let _ = writeln!(text, "assumed, not checked: {} at {}", one.property, one.places.join(", "));
            }
            text
        }
        Verdict::Safe(_) | Verdict::SafeWithin(_) => String::new(),
        Verdict::Unknown(reason) => match reason.to_string().split_once(": ") {
            Some((_, why)) => format!("{why}\n"),
            None => String::new(),
        },
    };
    for warning in warnings {
        let _ = writeln!(out, "warning ({}): {}", warning.name, warning.message);
        for detail in &warning.details {
            let _ = writeln!(out, "  note: {} at {}", detail.text, place_of(program, detail.loc));
        }
    }
    let _ = writeln!(out, "{}", headline(verdict));
    out
}

fn stats_text(statistics: &BTreeMap<String, f64>) -> String {
    statistics.iter().fold(String::new(), |mut out, (name, value)| {
        let _ = if value.fract() == 0.0 {
            writeln!(out, "{name:24} {value:.0}")
        } else {
            writeln!(out, "{name:24} {value:.4}")
        };
        out
    })
}

/// How far a long run is, on a terminal only.
struct Meter {
    shown: Cell<Option<Instant>>,
    begin: Instant,
    on: bool,
}

impl Meter {
    fn new() -> Self {
        Meter { shown: Cell::new(None), begin: Instant::now(), on: std::io::stderr().is_terminal() }
    }

    fn show(&self, progress: &Progress) {
        let due = match self.shown.get() {
            None => self.begin.elapsed() > Duration::from_millis(500),
            Some(last) => last.elapsed() > Duration::from_millis(200),
        };
        if self.on && due {
            self.shown.set(Some(Instant::now()));
            let seconds = self.begin.elapsed().as_secs();
            eprint!("\r\x1b[K{} {} ({seconds} s)", progress.phase, progress.done);
            let _ = std::io::stderr().flush();
        }
    }

    fn clear(&self) {
        if self.shown.get().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
