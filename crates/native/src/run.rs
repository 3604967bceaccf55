//! Running a binary under its schedule.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::build::Binary;
use crate::plan::Plan;
use crate::{BuildConfig, NativeError, Sanitizer};

/// How long a forced run may take: the runtime gives up a step after some seconds.
const MOST: Duration = Duration::from_secs(60);

/// What happened in the binary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// An assertion failed, or the program aborted.
    Assertion,
    /// An invalid access was trapped.
    Crash,
    /// Threads wait for ever.
    Deadlock,
    /// Two threads accessed one place at the same time, or ThreadSanitizer says so.
    Race,
    /// An arithmetic exception.
    Division,
    /// A signed overflow or a wrong shift was trapped.
    Overflow,
    /// A lock was released by a thread that does not hold it, or destroyed while it was held.
    Lock,
    /// Heap memory was not freed at the end.
    Leak,
    /// Nothing of that.
    Nothing,
}

impl Shown {
    /// Whether this is what a violation of the property looks like in a binary.
    pub fn fits(self, property: &str) -> bool {
        match property {
            "assert" => self == Shown::Assertion,
            "memory" => self == Shown::Crash,
            "deadlock" => self == Shown::Deadlock,
            "race" => self == Shown::Race,
            "division" => self == Shown::Division,
            "overflow" => self == Shown::Overflow,
            "lock" => self == Shown::Lock,
            "leak" => self == Shown::Leak,
            // Uninitialised reads leave no mark in a compiled program.
            _ => false,
        }
    }
}

/// The result of a forced run.
#[derive(Clone, Debug)]
pub struct Native {
    /// What happened.
    pub shown: Shown,
    /// How many of the plan's steps were forced.
    pub forced: usize,
    /// Steps of the plan.
    pub planned: usize,
    /// What the program and the runtime wrote to standard error.
    pub errors: String,
}

/// The command that runs the binary under its schedule.
pub fn command(binary: &Binary, plan: &Plan, config: &BuildConfig) -> Command {
    let mut command = Command::new(&binary.program);
    command.env("HEDDLE_NATIVE_SCHEDULE", &binary.schedule);
    match config.sanitizer {
        Some(Sanitizer::Thread) => {
            command.env("HEDDLE_NATIVE_TSAN", "1").env("TSAN_OPTIONS", "exitcode=66");
        }
        Some(Sanitizer::Address) => {
            let leaks = u8::from(plan.property == "leak");
            command.env("ASAN_OPTIONS", format!("exitcode=67:detect_leaks={leaks}"));
        }
        None => {}
    }
    command
}

/// Runs the binary once.
pub fn run(binary: &Binary, plan: &Plan, config: &BuildConfig) -> Result<Native, NativeError> {
    let name = binary.program.display().to_string();
    let failed = |error| NativeError::Tool(name.clone(), error);
    let log = config.folder.join("errors.txt");
    let errors = std::fs::File::create(&log).map_err(|error| NativeError::File(log.clone(), error))?;
    let mut child = command(binary, plan, config)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .map_err(failed)?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break Some(status);
        }
        if begin.elapsed() > MOST {
            // A program that cannot be stopped has already ended.
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let bytes = std::fs::read(&log).map_err(|error| NativeError::File(log.clone(), error))?;
    let errors = String::from_utf8_lossy(&bytes).into_owned();
    let code = status.and_then(|status| status.code());
    let said = |words: &str| config.sanitizer.is_some() && errors.contains(words);
    let shown = match code {
        _ if said("ThreadSanitizer: data race") => Shown::Race,
        _ if said("ERROR: AddressSanitizer") => Shown::Crash,
        _ if said("LeakSanitizer: detected memory leaks") => Shown::Leak,
        Some(71) => Shown::Assertion,
        Some(72) => Shown::Crash,
        Some(73) => Shown::Deadlock,
        Some(74) => Shown::Race,
        Some(76) => Shown::Division,
        Some(77) => Shown::Overflow,
        Some(78) => Shown::Lock,
        Some(79) => Shown::Leak,
        _ => Shown::Nothing,
    };
    Ok(Native { shown, forced: forced(&errors), planned: plan.len(), errors })
}

/// The number of forced steps that the runtime tells in its last message.
fn forced(errors: &str) -> usize {
    let line = errors.lines().rev().find(|line| line.starts_with("heddle-native: "));
    let count = line.and_then(|line| line.rsplit_once('(')).and_then(|(_, rest)| rest.split(' ').next());
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}
