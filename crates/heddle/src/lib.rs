//! Heddle as a library: the commands as functions over sources and options.
//!
//! [`check`] considers all interleavings of a program, [`run`] executes one, [`replay`] executes a stored one again, and
//! [`show`] prints what the verifier sees. Each takes [`Sources`] and [`Options`] and works on a stack of its own that is large
//! enough for deep programs. The module [`program`] has the same functions for a program that is already compiled; they use
//! the caller's stack.
//!
//! ```
//! use heddle::{Options, Sources, Verdict, check};
//!
//! let source = "
//!     void __VERIFIER_error(void);
//!     int x;
//!     int main(void) {
//!         x = 1;
//!         if (x != 1) __VERIFIER_error();
//!         return 0;
//!     }
//! ";
//! let outcome = check(&Sources::text("example.i", source), &Options::default())?;
//! assert!(matches!(outcome.answer.verdict, Verdict::Safe(_)));
//! assert_eq!(outcome.answer.engine, "order");
//! # Ok::<(), heddle::Error>(())
//! ```
//!
//! **Architecture invariant:** nothing here prints, reads flags or ends the process; that is the command line's part.

pub mod program;
mod sources;
pub mod validate;

use std::time::Instant;

pub use heddle_base::Budget;
pub use heddle_c_front::{Compiled, Harness, Input, Missing, Purpose};
pub use heddle_engines::{ENGINES, EngineOptions, EngineRow};
pub use heddle_ir::{DataModel, Program, PropertySet};
pub use heddle_task::{Answer, Bounds, MemoryModel, Schedule, Trace, Verdict};

pub use crate::program::{Execution, RunOptions, ShowOptions, Strategy, What};
pub use crate::sources::Sources;

/// What is asked, beside the sources.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the basic types.
    pub data_model: DataModel,
    /// The properties to check.
    pub properties: PropertySet,
    /// Whether `malloc` and its relatives may return null.
    pub malloc_may_fail: bool,
    /// What is said of functions that no file defines.
    pub missing: Missing,
    /// Functions without a body whose results are inputs of their names.
    pub stubs: Vec<String>,
    /// Functions that are called in place of `main`.
    pub harness: Harness,
    /// Whether a violation may rest on what a function without a body returns.
    pub allow_guesses: bool,
    /// Whether executions of violations are made shorter before they are reported.
    pub shorten: bool,
    /// Arguments of `main`, after the program's name. `None`: arbitrary ones, if it looks at them.
    pub main_args: Option<Vec<String>>,
    /// What the program is compiled for; [`run`] sets it.
    pub purpose: Purpose,
    /// What an executed program reads from standard input; without it, reading is not supported.
    pub standard_input: Option<std::sync::Arc<[u8]>>,
    /// How far to look.
    pub bounds: Bounds,
    /// Iterations of single loops, by name.
    pub unwindset: Vec<(String, u64)>,
    /// Properties that are assumed and not checked.
    pub assumed: PropertySet,
    /// All values that inputs can have, by name.
    pub domains: Vec<(String, Vec<i128>)>,
    /// The engine.
    pub engine: &'static EngineRow,
    /// How it goes about any task.
    pub engine_options: EngineOptions,
    /// Whether to warn of locks that threads take in contradicting orders.
    pub warn_lock_order: bool,
    /// Deadline, memory limit and cancel flag.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            data_model: DataModel::default(),
            properties: PropertySet::default(),
            malloc_may_fail: false,
            missing: Missing::default(),
            stubs: Vec::new(),
            harness: Harness::default(),
            allow_guesses: false,
            shorten: true,
            main_args: None,
            purpose: Purpose::default(),
            standard_input: None,
            bounds: Bounds::default(),
            unwindset: Vec::new(),
            assumed: PropertySet::EMPTY,
            domains: Vec::new(),
            engine: &ENGINES[0],
            engine_options: EngineOptions { all: true, ..EngineOptions::default() },
            warn_lock_order: false,
            budget: Budget::unlimited(),
        }
    }
}

/// What came of a check.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict with all that belongs to it.
    pub answer: Answer,
    /// The program that it is about; places of warnings refer to its sources.
    pub program: Program,
    /// Warnings of the compiler, as text.
    pub diagnostics: String,
}

/// Why nothing was checked or executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A file cannot be read or preprocessed.
    Read(String),
    /// The program does not compile: diagnostics, each with its place and source line.
    Compile(String),
    /// An option does not fit the program.
    Option(String),
    /// A schedule does not fit the program.
    Schedule(String),
    /// A limit was reached before there was anything to show.
    Stopped(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Read(why)
            | Error::Compile(why)
            | Error::Option(why)
            | Error::Schedule(why)
            | Error::Stopped(why) => f.write_str(why.trim_end()),
        }
    }
}

impl std::error::Error for Error {}

/// Checks all interleavings of a program.
pub fn check(sources: &Sources, options: &Options) -> Result<Outcome, Error> {
    on_large_stack(|| {
        let begin = Instant::now();
        let (program, diagnostics) = compiled(sources, options)?;
        let read = begin.elapsed();
        let mut answer = program::check(&program, options, &|_| {})?;
        answer.statistics.insert("seconds.read".to_owned(), read.as_secs_f64());
        Ok(Outcome { answer, program, diagnostics })
    })
}

/// Executes a program once.
pub fn run(sources: &Sources, options: &Options, run: &RunOptions) -> Result<Execution, Error> {
    on_large_stack(|| {
        let main_args = Some(options.main_args.clone().unwrap_or_default());
        let options = Options { main_args, purpose: Purpose::Execution, ..options.clone() };
        let (program, _) = compiled(sources, &options)?;
        program::run(&program, &program::code(&program), &options, run)
    })
}

/// Executes a stored schedule again.
pub fn replay(sources: &Sources, options: &Options, schedule: &Schedule) -> Result<Execution, Error> {
    on_large_stack(|| {
        let (program, _) = compiled(sources, options)?;
        program::replay(&program, &program::code(&program), options, schedule)
    })
}

/// What the verifier sees of a program, as text.
pub fn show(sources: &Sources, options: &Options, what: &ShowOptions) -> Result<String, Error> {
    on_large_stack(|| {
        let (program, _) = compiled(sources, options)?;
        program::show(&program, options, what)
    })
}

/// The program of some sources, and the warnings of the compiler.
fn compiled(sources: &Sources, options: &Options) -> Result<(Program, String), Error> {
    let compiled = sources.clone().compile_here(options);
    let diagnostics = sources::diagnostics(&compiled);
    match compiled.program {
        Some(program) => Ok((program, diagnostics)),
        None => Err(Error::Compile(diagnostics)),
    }
}

/// Stack for calls that are nested as deep as engines follow them. Only what is used takes memory.
pub const STACK_BYTES: usize = 1 << 29;

/// Does something on a thread whose stack is large enough for deep programs.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match worker.expect("a thread can be started").join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
