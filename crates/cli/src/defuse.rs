//! `heddle defuse` and `heddle query`: definition-use testing (paper 002), and questions about what it found.

use std::cell::Cell;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use heddle_defuse::database::{Database, DatabaseError, Rows, Stored};
use heddle_defuse::invariants::{Disagreement, disagreements};
use heddle_defuse::{Campaign, Cut, DefuseConfig, Report, Statics, query as language, report};
use heddle_ir::Program;
use heddle_report::{TextOptions, text};
use heddle_task::Schedule;
use serde_json::{Value, json};

use crate::args::{InputArgs, LimitArgs, parse_domain};
use crate::{Outcome, input, limits, output};

/// Arguments of `heddle defuse`.
#[derive(Args, Debug)]
pub struct DefuseArgs {
    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// Store what is found in an SQLite database (docs/defuse.md has its schema)
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,

    /// Go on where the campaign that wrote the database stopped
    #[arg(long, requires = "db")]
    pub resume: bool,

    /// Explore all vectors of branches instead of the paper's escort branch pairs
    #[arg(long)]
    pub exhaustive: bool,

    /// Give an input its values in the first execution, in the order they are read: NAME=V1,V2,…
    #[arg(long = "input", value_name = "NAME=VALUES", value_parser = parse_domain)]
    pub inputs: Vec<(String, Vec<i128>)>,

    /// All values that an input can have: NAME=0..3 or NAME=1,2,5
    #[arg(long = "domain", value_name = "NAME=VALUES", value_parser = parse_domain)]
    pub domains: Vec<(String, Vec<i128>)>,

    /// Choose other inputs of the first execution at random, by this seed (zero without)
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Executions at most, replays included
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub executions: u64,

    /// Write a page with the sources, pairs as arrows, filters (HTML, self-contained)
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Write branch coverage for other tools (LCOV)
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,

    /// Exit with 1 if less than this share of potential pairs is covered, in percent
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub fail_under: Option<f64>,

    /// Limits
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `heddle query`.
#[derive(Args, Debug)]
pub struct QueryArgs {
    /// The database
    #[arg(value_name = "DB")]
    pub db: PathBuf,

    /// The question: `pairs of x`, `pairs into 41`, `pairs between producer and consumer`, `reads with several
    /// definitions`, `pairs uncovered`, `new` (with --diff), `variables`, `executions`, `branches`, `warnings`
    #[arg(value_name = "QUERY")]
    pub query: String,

    /// An older database, for `new`
    #[arg(long, value_name = "OLD")]
    pub diff: Option<PathBuf>,

    /// The question is SQL; it may only read
    #[arg(long)]
    pub sql: bool,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        Ok(_) | Err(_) => Err("expected a percentage from 0 to 100".to_owned()),
    }
}

/// How often an unfinished campaign is stored.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// `heddle defuse`.
pub fn run(args: &DefuseArgs) -> Outcome {
    let budget = limits::budget(&args.limits);
    let Some(program) = input::load(&args.input, None) else { return Outcome::BadInput };
    let config = DefuseConfig {
        properties: args.input.properties,
        exhaustive: args.exhaustive,
        instances: !args.exhaustive,
        inputs: args.inputs.clone(),
        domains: args.domains.clone(),
        seed: args.seed,
        max_executions: args.executions,
        max_steps: args.limits.max_steps,
    };
    let mut campaign = match Campaign::new(&program, &config, &budget) {
        Ok(campaign) => campaign,
        Err(Cut::Machine(why)) => return bad(&why),
        Err(Cut::Stop(_) | Cut::Executions) => {
            eprintln!("note: a limit was reached before anything was executed");
            return Outcome::Undecided;
        }
    };
    let fingerprint = campaign.fingerprint();
    if let Some(path) = args.db.as_ref().filter(|path| path.exists()) {
        let restored = Database::open(path).and_then(|db| {
            db.expect_program(fingerprint)?;
            if args.resume { db.restore().map(Some) } else { Ok(None) }
        });
        match restored {
            Ok(Some(restored)) => campaign.resume(restored),
            Ok(None) => {}
            Err(error) => return bad(&error.to_string()),
        }
    } else if args.resume {
        return bad("there is no database to resume from");
    }
    let statics = std::rc::Rc::clone(&campaign.statics);
    let store = |found: &Report, warnings: &[Disagreement]| -> Result<(), DatabaseError> {
        let Some(path) = &args.db else { return Ok(()) };
        let rows: Vec<_> = warnings.iter().map(|w| warning_row(&program, w)).collect();
        let stored = Stored { program: &program, fingerprint, report: found, statics: &statics, warnings: &rows };
        stored.save(path)
    };
    let meter = Meter::new();
    let saved = Cell::new(Instant::now());
    let (found, statics) = campaign.run(&|found| {
        meter.show(found);
        if saved.get().elapsed() > SAVED_EVERY {
            saved.set(Instant::now());
            // What cannot be stored now is stored, or complained about, at the end.
            let _ = store(found, &[]);
        }
    });
    meter.clear();
    if let (Some(Cut::Machine(why)), true) = (&found.cut, found.executions.is_empty()) {
        return bad(why);
    }
    let warnings = disagreements(&found);
    if let Err(error) = store(&found, &warnings) {
        return bad(&error.to_string());
    }
    answer(args, &program, &found, &statics, &warnings)
}

fn warning_row(program: &Program, warning: &Disagreement) -> (String, String, usize, usize) {
    let text = report::warning_text(program, warning);
    (warning.invariant.name().to_owned(), text, warning.first.0, warning.second.0)
}

fn answer(
    args: &DefuseArgs,
    program: &Program,
    found: &Report,
    statics: &Statics,
    warnings: &[Disagreement],
) -> Outcome {
    let files = [
        (&args.report, args.report.as_ref().map(|_| report::html(program, found, statics, warnings))),
        (&args.lcov, args.lcov.as_ref().map(|_| report::lcov(program, found, statics))),
    ];
    for (path, text) in files {
        if let (Some(path), Some(text)) = (path, text)
            && let Err(error) = output::save(path, &text)
        {
            return bad(&format!("{}: {error}", path.display()));
        }
    }
    if args.json {
        let mut answer = report::json(program, found, statics, warnings);
        if let Some(bytes) = heddle_base::budget::peak_resident_bytes() {
            answer["statistics"]["memory_mb"] = json!(bytes >> 20);
        }
        output::answer(&format!("{answer}\n"));
    } else {
        let mut out = String::new();
        for (violation, _) in &found.violations {
            out += &text::violation(&violation.trace, &TextOptions::default());
        }
        output::answer(&(out + &report::text(program, found, statics, warnings)));
    }
    let numbers = report::summary(found, statics);
    if !found.violations.is_empty() {
        return Outcome::Violation;
    }
    if let Some(percent) = args.fail_under.filter(|&percent| numbers.coverage < percent) {
        eprintln!("note: {:.1} % of potential pairs are covered, less than {percent} %", numbers.coverage);
        return Outcome::Violation;
    }
    if found.cut.is_some() { Outcome::Undecided } else { Outcome::Done }
}

fn bad(why: &str) -> Outcome {
    eprintln!("error: {why}");
    Outcome::BadInput
}

/// The schedule of a pair of a database.
pub fn schedule_of_pair(db: &Path, pair: i64) -> Option<Schedule> {
    match Database::open(db).and_then(|db| db.pair_schedule(pair)) {
        Ok(Some((schedule, _))) => Some(schedule),
        Ok(None) => {
            eprintln!("error: {}: no execution shows a pair {pair}", db.display());
            None
        }
        Err(error) => {
            eprintln!("error: {error}");
            None
        }
    }
}

/// `heddle query`.
pub fn query(args: &QueryArgs) -> Outcome {
    let opened = Database::open(&args.db).and_then(|db| match &args.diff {
        Some(old) => db.attach(old).map(|()| db),
        None => Ok(db),
    });
    let db = match opened {
        Ok(db) => db,
        Err(error) => return bad(&error.to_string()),
    };
    let sql = if args.sql {
        args.query.clone()
    } else {
        match language::compile(&args.query, args.diff.is_some()) {
            Ok(sql) => sql,
            Err(error) => return bad(&error.show(&args.query)),
        }
    };
    let rows = match db.sql(&sql) {
        Ok(rows) => rows,
        Err(error) => return bad(&error.to_string()),
    };
    if args.json {
        output::answer(&format!("{}\n", rows_json(&rows)));
    } else {
        output::answer(&table(&rows));
    }
    Outcome::Done
}

fn rows_json(rows: &Rows) -> Value {
    let object = |row: &Vec<Value>| {
        let fields = rows.columns.iter().cloned().zip(row.iter().cloned());
        Value::Object(fields.collect())
    };
    json!(rows.rows.iter().map(object).collect::<Vec<_>>())
}

/// Columns as wide as their widest cell.
fn table(rows: &Rows) -> String {
    let cell = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let lines: Vec<Vec<String>> = std::iter::once(rows.columns.clone())
        .chain(rows.rows.iter().map(|row| row.iter().map(cell).collect()))
        .collect();
    let widths: Vec<usize> = (0..rows.columns.len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for line in lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(text, &width)| format!("{text:<width$}")).collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// Progress on a terminal.
struct Meter {
    shown: Cell<Option<Instant>>,
    begin: Instant,
    on: bool,
}

impl Meter {
    fn new() -> Self {
        Meter { shown: Cell::new(None), begin: Instant::now(), on: std::io::stderr().is_terminal() }
    }

    fn show(&self, found: &Report) {
        let due = match self.shown.get() {
            None => self.begin.elapsed() > Duration::from_millis(500),
            Some(last) => last.elapsed() > Duration::from_millis(200),
        };
        if self.on && due {
            self.shown.set(Some(Instant::now()));
            let seconds = self.begin.elapsed().as_secs();
            eprint!("\r\x1b[K{} executions, {} pairs ({seconds} s)", found.executions.len(), found.pairs.len());
            let _ = std::io::stderr().flush();
        }
    }

    fn clear(&self) {
        if self.shown.get().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
