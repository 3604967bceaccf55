//! Flags and their help texts.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use heddle_engines::{ENGINES, EngineRow, find};
use heddle_ir::{DataModel, PropertySet};

/// What `heddle --help` ends with.
const EXAMPLES: &str = "Examples:
  heddle check queue.c                          look for violations in all interleavings
  heddle check queue.c --report r.html          the same, with a page to step through
  heddle replay queue.c --schedule s --native   let a found violation happen in the compiled program

Exit codes: 0 safe or done, 1 a violation, 2 wrong usage or input, 3 undecided.";

/// A verifier for multithreaded C: considers every thread interleaving.
#[derive(Parser, Debug)]
#[command(name = "heddle", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check all interleavings of a program
    Check(Box<CheckArgs>),
    /// Execute a program once, under a schedule of your choice
    Run(RunArgs),
    /// Execute a saved schedule again and show it step by step
    Replay(ReplayArgs),
    /// Check a witness again, of this tool or of another
    Validate(Box<crate::validate::ValidateArgs>),
    /// Print what the verifier sees of a program
    Show(ShowArgs),
    /// Find which write feeds which read across threads, with inputs and a schedule that show each pair
    Defuse(crate::defuse::DefuseArgs),
    /// Ask a database of `heddle defuse`
    Query(crate::defuse::QueryArgs),
    /// Check a proof of a Boolean program again, by other code than made it
    CheckProof(crate::boolean::CheckProofArgs),
    /// Print a script that completes commands and flags in a shell
    Completions(crate::shell::CompletionsArgs),
    /// Write manual pages
    #[command(hide = true)]
    Man(crate::shell::ManArgs),
    /// Stand in for the C compiler of a build: runs it ($HEDDLE_CC, or cc) and records what is compiled and linked, so that
    /// `make CC="heddle cc" && heddle check ./program` works
    #[command(disable_help_flag = true)]
    Cc {
        /// The compiler's arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
        args: Vec<std::ffi::OsString>,
    },
}

/// What makes up the program.
#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c is preprocessed with cc, .i is taken as it is); several are linked; or one Boolean program (.bp). A program that was built with
    /// CC="heddle cc" stands for its sources. Flags of gcc are taken too; `--` before a whole gcc command line
    #[arg(required_unless_present = "project", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Search DIR for headers
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessing")]
    pub include_dirs: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessing")]
    pub defines: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessing")]
    pub undefines: Vec<String>,

    /// Flags of the preprocessor in their order, word by word: what flags of gcc become
    #[arg(long = "cpp", value_name = "WORD", hide = true, allow_hyphen_values = true)]
    pub cpp: Vec<std::ffi::OsString>,

    /// Take the files from a compilation database (compile_commands.json): the one that defines `main`, or what --entry or
    /// --target ask for, and all that they need
    #[arg(long, value_name = "FILE", help_heading = "Projects", conflicts_with = "files")]
    pub project: Option<PathBuf>,

    /// With --project: the program or library to check
    #[arg(long, value_name = "OUTPUT", help_heading = "Projects", requires = "project")]
    pub target: Option<String>,

    /// Start with this function, with arbitrary arguments, instead of `main`
    #[arg(long, value_name = "FUNCTION", help_heading = "Projects")]
    pub entry: Option<String>,

    /// Run these functions as threads, with arbitrary arguments, instead of `main`
    #[arg(long, value_name = "F,G,…", value_delimiter = ',', conflicts_with = "entry", help_heading = "Projects")]
    pub threads: Vec<String>,

    /// With --entry and --threads: call this function first
    #[arg(long, value_name = "FUNCTION", help_heading = "Projects")]
    pub setup: Option<String>,

    /// With --entry and --threads: call this function when all threads have ended
    #[arg(long, value_name = "FUNCTION", help_heading = "Projects")]
    pub teardown: Option<String>,

    /// Let functions that no file defines return anything, instead of refusing the program. Those of system headers always
    /// may
    #[arg(long, help_heading = "Projects")]
    pub allow_missing: bool,

    /// Say what a function without a body may return: NAME=V1,V2,… or NAME=LO..HI
    #[arg(long = "stub", value_name = "NAME=VALUES", value_parser = parse_domain, help_heading = "Projects")]
    pub stubs: Vec<(String, Vec<i128>)>,

    /// Include FILE first
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessing")]
    pub includes: Vec<PathBuf>,

    /// The C standard that cc is told, such as gnu11
    #[arg(long = "std", value_name = "STD", help_heading = "Preprocessing")]
    pub std: Option<String>,

    /// Sizes of the basic types
    #[arg(long, value_name = "MODEL", default_value = "lp64", value_parser = parse_data_model)]
    pub data_model: DataModel,

    /// Properties to check, separated by commas: assert, deadlock, lock, memory, division, race, overflow, leak, uninit;
    /// `default` for the default set, `all` for all
    #[arg(
        long = "property",
        value_name = "LIST|FILE.prp",
        default_value_t = PropertySet::default(),
        value_parser = crate::task_definition::parse_properties
    )]
    pub properties: PropertySet,

    /// Let malloc and its relatives also return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Do not show warnings
    #[arg(short = 'w', long = "no-warnings")]
    pub no_warnings: bool,
}

/// What a command may consume.
#[derive(Args, Debug, Clone)]
pub struct LimitArgs {
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits")]
    pub time_limit: Option<std::time::Duration>,

    /// Stop when the process holds this many megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// Cut a thread off after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_steps: Option<u64>,
}

/// Arguments of `heddle check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// The approach
    #[arg(long, value_parser = engines(), default_value = ENGINES[0].name)]
    pub engine: &'static EngineRow,

    /// Values that an input can have, for engines that try them all: NAME=V1,V2,… or NAME=LO..HI
    #[arg(long = "domain", value_name = "NAME=VALUES", value_parser = parse_domain)]
    pub domains: Vec<(String, Vec<i128>)>,

    /// Properties that are assumed instead of checked: executions end where one is violated, and the answer is SAFE ASSUMING LIST
    /// (exit code 0)
    #[arg(long, value_name = "LIST", value_parser = parse_assumed, default_value = "", hide_default_value = true)]
    pub assume: PropertySet,

    /// Report violations also if they depend on what a function without a body returns, or on assembler that is not
    /// interpreted
    #[arg(long)]
    pub allow_guesses: bool,

    /// Give an input one value, in all its readings: the answer is for this value
    #[arg(long = "input", value_name = "NAME=VALUE", value_parser = parse_given)]
    pub given: Vec<(String, i128)>,

    /// Refuse a program that reads an input that has no value
    #[arg(long)]
    pub strict_inputs: bool,

    /// Rounds of each loop, and depth of recursion, unless constants decide them; without it, more and more are tried
    #[arg(long, value_name = "N")]
    pub unwind: Option<u64>,

    /// Context switches, all changes of the running thread counted; without it, more and more are tried (engines lazy,
    /// record, widen) or there is no bound (explore)
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u64).range(1..))]
    pub contexts: Option<u64>,

    /// Points at which it is chosen which thread moves, of those where several can; at later ones whoever moved last goes
    /// on while it can. Counts a point also if the thread does not change (engines lazy, record, widen)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub choices: Option<u64>,

    /// Rounds of single loops, named as `heddle show loops` names them: LOOP:N,…
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',', value_parser = parse_loop_bound)]
    pub unwindset: Vec<(String, u64)>,

    /// Leave out what cannot influence a property (engines order, refine, clock)
    #[arg(long, value_enum, value_name = "ON|OFF", default_value = "on")]
    pub slice: Switch,

    /// Write every query to DIR as SMT-LIB 2, one numbered file each (not engine explore). The texts are complete:
    /// the order of events, which order and refine keep outside of their formulas, is written as clocks
    #[arg(long = "dump-smt2", value_name = "DIR")]
    pub dump_smt2: Option<PathBuf>,

    /// Let another solver answer, a command that reads SMT-LIB 2 such as 'z3 -in' (engine clock)
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,

    /// Execute random schedules from the beginning on, beside the other engines: for stress tests and other programs that are too long to
    /// be searched
    #[arg(long)]
    pub hunt: bool,

    /// Report violations as they were found. Otherwise executions are shortened: fewer context switches, fewer steps
    #[arg(long)]
    pub no_shorten: bool,

    /// Look at every interleaving, also at equivalent ones (engines explore, lazy, record, widen)
    #[arg(long, visible_alias = "no-por")]
    pub no_reduction: bool,

    /// Report the first violation only. Otherwise others are looked for too, other properties or other places, for at most
    /// as long as the first one took and a second
    #[arg(long)]
    pub stop_at_first: bool,

    /// Warn of what is no violation: lock-order, locks that threads take in orders that contradict each other although
    /// nothing deadlocks there within the bound
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub warn: Vec<WarnName>,

    /// Limits
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print statistics to standard error
    #[arg(long)]
    pub stats: bool,

    /// Show every step of a violation, and tell how the answer was found where the engine has a story to tell (engine trace)
    #[arg(long, short = 'v')]
    pub verbose: bool,

    /// Print the verdict alone, and no warnings
    #[arg(long, short = 'q', conflicts_with_all = ["verbose", "json"])]
    pub quiet: bool,

    /// Save the schedule of a violation for `heddle replay`
    #[arg(long, value_name = "FILE")]
    pub save_schedule: Option<PathBuf>,

    /// Boolean programs
    #[command(flatten)]
    pub boolean: crate::boolean::BooleanArgs,

    /// Reports in files
    #[command(flatten)]
    pub reports: crate::reports::ReportArgs,
}

fn parse_given(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not an integer"))?;
    Ok((name.to_owned(), value))
}

fn parse_loop_bound(text: &str) -> Result<(String, u64), String> {
    let (name, bound) = text.rsplit_once(':').ok_or("expected LOOP:N")?;
    let bound = bound.parse().map_err(|_| format!("`{bound}` is not a number of rounds"))?;
    if name.is_empty() {
        return Err("expected LOOP:N".to_owned());
    }
    Ok((name.to_owned(), bound))
}

/// Warnings by name.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarnName {
    /// Contradicting orders of locks
    LockOrder,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// How `heddle run` chooses threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// No preemption.
    First,
    /// At random.
    Random,
    /// Priorities, with one change point less than this.
    Pct(u32),
}

/// Arguments of `heddle run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// Choose threads and inputs at random, by this seed
    #[arg(long, value_name = "N", group = "scheduler")]
    pub seed: Option<u64>,

    /// Follow a saved schedule
    #[arg(long, value_name = "FILE", group = "scheduler")]
    pub schedule: Option<PathBuf>,

    /// Let each thread run until it blocks or ends; inputs are zero (the default)
    #[arg(long, group = "scheduler")]
    pub first: bool,

    /// How threads are chosen: `first` (no preemption), `random`, or `pct:D` (priorities with D-1 change points: finds bugs
    /// that need D ordering constraints); the last two by `--seed`, 0 if none is given
    #[arg(long, value_name = "STRATEGY", value_parser = parse_strategy, conflicts_with_all = ["schedule", "first"])]
    pub strategy: Option<Strategy>,

    /// Give an input its value, or its values in the order they are read: NAME=V1,V2,…
    #[arg(long = "input", value_name = "NAME=VALUES", value_parser = parse_domain)]
    pub inputs: Vec<(String, Vec<i128>)>,

    /// Give `main` an argument
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// Print every step to standard error
    #[arg(long)]
    pub trace: bool,

    /// Save the schedule for `heddle replay`
    #[arg(long, value_name = "FILE")]
    pub save_schedule: Option<PathBuf>,

    /// Exit with the program's own status when there is no violation
    #[arg(long)]
    pub exit_status: bool,

    /// Limits
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Print one JSON object instead of the program's output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `heddle replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// The schedule
    #[arg(long, value_name = "FILE", required_unless_present = "pair")]
    pub schedule: Option<PathBuf>,

    /// Show the execution in which a pair of a database of `heddle defuse` happens (`heddle query` prints the numbers)
    #[arg(long, value_name = "ID", conflicts_with = "schedule", requires = "db")]
    pub pair: Option<i64>,

    /// With --pair: the database
    #[arg(long, value_name = "FILE", requires = "pair")]
    pub db: Option<PathBuf>,

    /// Give `main` an argument
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// Show every step, also those that no other thread can notice
    #[arg(long)]
    pub trace: bool,

    /// Limits
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// The compiled program
    #[command(flatten)]
    pub native: crate::native::NativeArgs,
}

/// Arguments of `heddle show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// What to print
    #[arg(value_enum)]
    pub what: ShowWhat,

    /// The program
    #[command(flatten)]
    pub input: InputArgs,

    /// Print Graphviz instead of text (cfg, threads and events)
    #[arg(long)]
    pub dot: bool,

    /// Rounds of each loop, and depth of recursion, unless constants decide them (events)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub unwind: u64,

    /// Print also what comes from library models, and functions that are never called
    #[arg(long)]
    pub all: bool,

    /// Leave out source places
    #[arg(long)]
    pub no_locs: bool,
}

/// What `heddle show` can print.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShowWhat {
    /// The goto program
    Goto,
    /// Control flow graphs
    Cfg,
    /// Loops, with the names that --unwindset takes
    Loops,
    /// Threads, who starts them, and which can run at once
    Threads,
    /// Objects and accesses that threads share
    Shared,
    /// The event graph: what threads read and write when unwound, and who may read from whom
    Events,
}

/// The names of the registry, with its sentences as help.
fn engines() -> impl TypedValueParser<Value = &'static EngineRow> {
    let names = ENGINES.iter().map(|row| PossibleValue::new(row.name).help(row.summary));
    PossibleValuesParser::new(names).map(|name| find(&name).expect("only names of the registry are possible"))
}

fn parse_data_model(text: &str) -> Result<DataModel, String> {
    match text {
        "lp64" => Ok(DataModel::Lp64),
        "ilp32" => Ok(DataModel::Ilp32),
        _ => Err("expected lp64 or ilp32".to_owned()),
    }
}

fn parse_seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("expected a positive number of seconds".to_owned());
    }
    std::time::Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

/// `first`, `random` or `pct:3`.
fn parse_strategy(text: &str) -> Result<Strategy, String> {
    match text.split_once(':') {
        None if text == "first" => Ok(Strategy::First),
        None if text == "random" => Ok(Strategy::Random),
        Some(("pct", depth)) => match depth.parse::<u32>() {
            Ok(depth @ 1..=100) => Ok(Strategy::Pct(depth)),
            Ok(_) | Err(_) => Err(format!("the depth of `pct` is a number from 1 to 100, not `{depth}`")),
        },
        _ => Err("expected `first`, `random` or `pct:D`, such as `pct:3`".to_owned()),
    }
}

/// The properties of `--assume`.
fn parse_assumed(text: &str) -> Result<PropertySet, String> {
    if text.is_empty() { Ok(PropertySet::EMPTY) } else { text.parse() }
}

/// `NAME=1,2,3` or `NAME=0..9`.
pub(crate) fn parse_domain(text: &str) -> Result<(String, Vec<i128>), String> {
    const MOST: i128 = 1 << 16;
    let (name, values) = text.split_once('=').ok_or("expected NAME=VALUES")?;
    let number = |v: &str| v.trim().parse::<i128>().map_err(|_| format!("`{v}` is not an integer"));
    let values = match values.split_once("..") {
        Some((lo, hi)) => {
            let (lo, hi) = (number(lo)?, number(hi)?);
            if hi < lo || hi - lo >= MOST {
                return Err(format!("the range must hold between 1 and {MOST} values"));
            }
            (lo..=hi).collect()
        }
        None => values.split(',').map(number).collect::<Result<_, _>>()?,
    };
    Ok((name.to_owned(), values))
}
