//! Interleavings forced on the compiled program: `heddle replay --native`.
//!
//! The user's own sources are compiled by the system compiler with the hooks of ThreadSanitizer before every memory
//! access, and linked with a small scheduler ([`RUNTIME`]) that lets real threads go on in the order of a trace.
//! So the assertion, crash, deadlock or race happens in the real binary.
//!
//! - [`plan`] turns a trace into the steps that the hooks can see, in order.
//! - [`build`] compiles and links, and finds out which hook stands for which source line.
//! - [`run`] executes, and says whether the violation showed up and how many steps could be forced.
//! - [`regression_test`] writes a test that stands alone: the runtime, the schedule, and how to build the program with them.
//!
//! **Limits.** A step is recognised by its thread, its source line and its kind. Where several accesses of one line look
//! alike, or the compiler evaluates operands in another order, a step may be missed; the scheduler then gives it up after
//! a while and goes on, and the answer says how many steps were forced. Reads of memory that was never written leave no mark in
//! a compiled program.

mod build;
mod plan;
mod regression;
mod run;

use std::path::PathBuf;

pub use build::{Binary, build};
pub use plan::{Plan, plan};
pub use regression::{RegressionTest, TestResult, regression_test, run_test};
pub use run::{Native, Shown, command, run};

/// The scheduler's source.
pub const RUNTIME: &str = include_str!("../runtime/runtime.c");

/// What to compile, and how.
#[derive(Clone, Debug, Default)]
pub struct BuildConfig {
    /// The user's files.
    pub files: Vec<PathBuf>,
    /// Flags of the preprocessor and the language, as given to `heddle`.
    pub flags: Vec<String>,
    /// Whether pointers have 32 bits.
    pub ilp32: bool,
    /// The sanitizer that is linked too, so that it reports what happens.
    pub sanitizer: Option<Sanitizer>,
    /// Whether signed overflow and wrong shifts trap.
    pub trap_overflow: bool,
    /// Where objects and the binary are put.
    pub folder: PathBuf,
}

/// A sanitizer of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizer {
    /// ThreadSanitizer: data races.
    Thread,
    /// AddressSanitizer: invalid accesses to the heap, and with it LeakSanitizer.
    Address,
}

impl Sanitizer {
    /// The macro that tells the runtime.
    fn macro_flag(self) -> &'static str {
        match self {
            Sanitizer::Thread => "-DHEDDLE_NATIVE_WITH_TSAN",
            Sanitizer::Address => "-DHEDDLE_NATIVE_WITH_ASAN",
        }
    }

    /// The flag of the linker.
    fn link_flag(self) -> &'static str {
        match self {
            Sanitizer::Thread => "-fsanitize=thread",
            Sanitizer::Address => "-fsanitize=address",
        }
    }
}

/// Why a program could not be built or run.
#[derive(Debug)]
pub enum NativeError {
    /// A tool is missing or cannot be started.
    Tool(String, std::io::Error),
    /// The compiler or linker refuses; its messages.
    Compiler(String),
    /// A file cannot be written.
    File(PathBuf, std::io::Error),
    /// The trace cannot be forced on a binary.
    Unsupported(String),
}

impl std::fmt::Display for NativeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NativeError::Tool(tool, error) => write!(f, "`{tool}` cannot be started: {error}"),
            NativeError::Compiler(messages) => write!(f, "the program does not compile:\n{messages}"),
            NativeError::File(path, error) => write!(f, "{}: {error}", path.display()),
            NativeError::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for NativeError {}
