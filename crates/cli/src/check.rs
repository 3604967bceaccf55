//! `heddle check`.

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use heddle_engines::{Engine, EngineOptions, Order, Queries, check_without_guesses};
use heddle_ir::show::place as place_of;
use heddle_ir::{Program, Property};
use heddle_machine::{PrepareError, Prepared};
use heddle_report::json::CheckInfo;
use heddle_report::{TextOptions, headline, json, text};
use heddle_task::{Bounds, Progress, Run, Statistics, Task, Verdict, Violation, Warning};

use crate::args::{CheckArgs, Switch, WarnName};
use crate::reports::all_known;
use crate::{Outcome, boolean, engine_flags, execute, input, limits, output};

/// Runs the command.
pub fn run(args: &CheckArgs) -> Outcome {
    if boolean::is_boolean(&args.input) {
        return boolean::check_program(args);
    }
    // The deadline counts from the start: reading the program is part of the job.
    let budget = limits::budget(&args.limits);
    let begin = Instant::now();
    if let Err(problem) = engine_flags::check_flags(args) {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    if let Err(problem) = args.reports.read_baseline() {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    let Some(program) = input::load(&args.input, None) else { return Outcome::BadInput };
    let statistics = Statistics::default();
    statistics.set("seconds.read", begin.elapsed().as_secs_f64());
    let task = task(args, &program);
    let engine = engine(args);
    let checking = Instant::now();
    let meter = Meter::new();
    let show = |progress: &Progress| meter.show(progress);
    let prepared = Prepared::new(&task, &budget);
    statistics.set("seconds.analyse", checking.elapsed().as_secs_f64());
    let (verdict, warnings) = match &prepared {
        Ok(prepared) => {
            let run = Run { budget: budget.clone(), progress: &show, statistics: &statistics };
            let verdict = if args.allow_guesses {
                engine.check(&task, prepared, &run)
            } else {
                check_without_guesses(&*engine, &task, prepared, &run)
            };
            let run = Run { budget, progress: &show, statistics: &Statistics::default() };
            let warnings = warnings(args, &task, prepared, &verdict, &run);
            (verdict, warnings)
        }
        Err(PrepareError::Input(error)) => {
            eprintln!("error: {error}");
            return Outcome::BadInput;
        }
        Err(PrepareError::Stopped(stop)) => (Verdict::Unknown((*stop).into()), Vec::new()),
    };
    meter.clear();
    statistics.set("seconds.check", checking.elapsed().as_secs_f64());
    statistics.set("seconds", begin.elapsed().as_secs_f64());
    answer(args, &verdict, engine.name(), &statistics, &program, &warnings)
}

/// Statistics, reports in files, the report on standard output: what every check ends with.
pub fn answer(
    args: &CheckArgs,
    verdict: &Verdict,
    engine: &str,
    statistics: &Statistics,
    program: &Program,
    warnings: &[Warning],
) -> Outcome {
    let baseline = match args.reports.read_baseline() {
        Ok(baseline) => baseline,
        Err(problem) => {
            eprintln!("error: {problem}");
            return Outcome::BadInput;
        }
    };
    if let Some(bytes) = heddle_base::budget::resident_bytes() {
        statistics.set("memory.mb", (bytes >> 20) as f64);
    }
    if let Some(bytes) = heddle_base::budget::peak_resident_bytes() {
        statistics.set("memory.peak_mb", (bytes >> 20) as f64);
    }
    if args.stats {
        eprint!("{}", stats_text(statistics));
    }
    if let (Verdict::Unsafe(found), Some(_)) = (verdict, &args.save_schedule)
        && !execute::save(args.save_schedule.as_deref(), &found.schedule)
    {
        return Outcome::BadInput;
    }
    let numbers = statistics.all();
    let info = CheckInfo { engine, statistics: &numbers, warnings: (warnings, &program.sources) };
    if let Err(problem) = args.reports.write(verdict, &info, baseline.as_ref(), &args.input, program) {
        eprintln!("error: {problem}");
        return Outcome::BadInput;
    }
    if args.json {
        output::answer(&json::verdict(verdict, &info));
    } else {
        output::answer(&verdict_text(verdict, program, warnings));
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

/// What the flags ask for.
pub fn task<'p>(args: &CheckArgs, program: &'p Program) -> Task<'p> {
    let bounds = Bounds {
        unwind: args.unwind,
        contexts: args.contexts,
        choices: args.choices,
        steps: args.limits.max_steps,
        spurious: None,
    };
    let unwindset = args.unwindset.clone();
    let domains = args.domains.iter().chain(&args.input.stubs).cloned().collect();
    Task { unwindset, domains, ..Task::new(program, args.input.properties).with_bounds(bounds) }
}

/// The engine that the flags ask for.
pub fn engine(args: &CheckArgs) -> Box<dyn Engine> {
    (args.engine.make)(&options(args))
}

fn options(args: &CheckArgs) -> EngineOptions {
    EngineOptions {
        all: !args.stop_at_first,
        reduction: !args.no_reduction,
        slice: args.slice == Switch::On,
        queries: args.dump_smt2.as_deref().map(Queries::dumped_to).unwrap_or_default(),
        solver: engine_flags::solver(args),
        limits: limits::machine(&args.limits),
    }
}

/// What was asked for beside violations.
fn warnings(args: &CheckArgs, task: &Task<'_>, prepared: &Prepared, verdict: &Verdict, run: &Run<'_>) -> Vec<Warning> {
    if !args.warn.contains(&WarnName::LockOrder) {
        return Vec::new();
    }
    let mut found = match (Order { config: (&options(args)).into() }).lock_order(task, prepared, run) {
        Ok(found) => found,
        Err(reason) => {
            eprintln!("note: lock orders were not looked at: {reason}");
            return Vec::new();
        }
    };
    // What deadlocks is a violation, and was reported.
    let all = match verdict {
        Verdict::Unsafe(first) => std::iter::once(&**first).chain(&first.others).collect(),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Vec::new(),
    };
    let deadlocks: Vec<&Violation> =
        all.into_iter().map(|one| &one.violation).filter(|one| one.property == Property::Deadlock).collect();
    found.retain(|warning| {
        // Every second detail tells where a thread would wait.
        let waits = || warning.details.iter().skip(1).step_by(2);
        let there = |deadlock: &Violation, loc| deadlock.details.iter().any(|detail| detail.loc == loc);
        !deadlocks.iter().any(|deadlock| waits().all(|wait| there(deadlock, wait.loc)))
    });
    found
}

/// The report and, as the last line, the verdict.
fn verdict_text(verdict: &Verdict, program: &Program, warnings: &[Warning]) -> String {
    let mut out = match verdict {
        Verdict::Unsafe(found) => {
            let mut report = text::violation(&found.trace, &TextOptions::default());
            if !found.others.is_empty() {
                report.push_str("\nalso violated:\n");
            }
            for other in &found.others {
                let _ = writeln!(report, "  {}", text::violation_line(&other.trace));
            }
            report
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

fn stats_text(statistics: &Statistics) -> String {
    statistics.all().iter().fold(String::new(), |mut out, (name, value)| {
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
