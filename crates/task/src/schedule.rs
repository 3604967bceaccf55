//! Schedules: an execution as a value that can be stored, and replayed byte for byte.

use heddle_base::Id;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::threads::{ThreadId, ThreadNames};

/// A thread that can move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The thread.
    pub thread: ThreadId,
    /// Whether it moves by a spurious wake-up.
    pub spurious: bool,
}

/// The version of the format.
const VERSION: u32 = 1;

/// The choices of one execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The version of this format.
    pub version: u32,
    /// The program's fingerprint, in hexadecimal.
    pub program: String,
    /// Paths of the threads, in the order of their numbers.
    pub threads: Vec<String>,
    /// Who moved, in order.
    pub turns: Vec<TurnRun>,
    /// Inputs that are not zero.
    pub inputs: Vec<InputValue>,
    /// Steps of each thread, where one would go on for ever without a switch: it stops there, the others go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_steps: Option<u64>,
}

/// A thread that moves several times in a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRun {
    /// Its path.
    pub thread: String,
    /// How many scheduled steps it makes.
    pub steps: u64,
    /// Whether these are spurious wake-ups.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spurious: bool,
}

/// The value of one reading of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputValue {
    /// The input.
    pub name: String,
    /// Who reads it.
    pub thread: String,
    /// Which reading by this thread it is, from 0.
    pub occurrence: u32,
    /// Its bits, in hexadecimal.
    pub bits: String,
}

/// A schedule does not fit the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// The text is no schedule.
    Malformed(String),
    /// The format is of another version.
    Version(u32),
    /// It was made for another program.
    OtherProgram,
    /// A thread's path is malformed, or its parent is missing.
    Thread(String),
    /// An input is not the program's, or its value does not fit.
    Input(String),
    /// A thread cannot move when it is to.
    NotEnabled {
        /// The scheduled step, from 0.
        step: usize,
        /// The thread.
        thread: String,
    },
    /// The execution ended before the schedule did.
    TooLong {
        /// Steps that are left over.
        left: u64,
    },
    /// Too many steps in all.
    TooManySteps,
}

impl std::fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScheduleError::Malformed(why) => write!(f, "this is not a schedule: {why}"),
            ScheduleError::Version(version) => write!(f, "schedules of version {version} are not known"),
            ScheduleError::OtherProgram => write!(f, "the schedule was made for another program"),
            ScheduleError::Thread(path) => write!(f, "the schedule names a thread that cannot exist: `{path}`"),
            ScheduleError::Input(what) => write!(f, "the schedule's inputs do not fit the program: {what}"),
            ScheduleError::NotEnabled { step, thread } => {
                write!(f, "the schedule does not fit: thread {thread} cannot make step {step}")
            }
            ScheduleError::TooLong { left } => {
                write!(f, "the schedule does not fit: the execution ended {left} steps before it")
            }
            ScheduleError::TooManySteps => write!(f, "the schedule is too long"),
        }
    }
}

impl std::error::Error for ScheduleError {}

impl Schedule {
    /// The schedule of choices that were made in the program with this fingerprint.
    pub fn new(fingerprint: u64, names: &ThreadNames, choices: &[Choice], inputs: Vec<InputValue>) -> Self {
        let mut turns: Vec<TurnRun> = Vec::new();
        for run in choices.chunk_by(|a, b| a == b) {
            let steps = run.len() as u64;
            turns.push(TurnRun { thread: names.path(run[0].thread), steps, spurious: run[0].spurious });
        }
        Schedule {
            version: VERSION,
            program: format!("{fingerprint:016x}"),
            threads: names.ids().map(|id| names.path(id)).collect(),
            turns,
            thread_steps: None,
            inputs,
        }
    }

    /// Whether it was made for the program with this fingerprint.
    pub fn fits(&self, fingerprint: u64) -> bool {
        self.program == format!("{fingerprint:016x}")
    }

    /// A schedule that somebody worked out, for the program with this fingerprint.
    pub fn of_parts(fingerprint: u64, threads: Vec<String>, turns: Vec<TurnRun>, inputs: Vec<InputValue>) -> Self {
        let program = format!("{fingerprint:016x}");
        Schedule { version: VERSION, program, threads, turns, inputs, thread_steps: None }
    }

    /// Leaves out the last `steps` steps.
    pub fn shorten(&mut self, mut steps: u64) {
        while let Some(last) = self.turns.last_mut() {
            if last.steps > steps {
                last.steps -= steps;
                return;
            }
            steps -= last.steps;
            self.turns.pop();
        }
    }

    /// Reads a schedule from JSON.
    pub fn parse(text: &str) -> Result<Self, ScheduleError> {
        let schedule: Schedule =
            serde_json::from_str(text).map_err(|error| ScheduleError::Malformed(error.to_string()))?;
        if schedule.version != VERSION {
            return Err(ScheduleError::Version(schedule.version));
        }
        Ok(schedule)
    }

    /// The schedule as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a schedule is plain data")
    }

    /// The names of threads.
    pub fn names(&self) -> Result<ThreadNames, ScheduleError> {
        let mut names = ThreadNames::default();
        for (index, path) in self.threads.iter().enumerate() {
            let id = names.intern(path).ok_or_else(|| ScheduleError::Thread(path.clone()))?;
            if id.index() != index {
                return Err(ScheduleError::Thread(path.clone()));
            }
        }
        Ok(names)
    }

    /// The choices, and how many times in a row each is made.
    pub fn runs(&self, names: &ThreadNames) -> Result<Vec<(Choice, u64)>, ScheduleError> {
        const MOST: u64 = 1 << 48;
        let mut left = MOST;
        let mut runs = Vec::new();
        let known: FxHashMap<String, ThreadId> = names.ids().map(|id| (names.path(id), id)).collect();
        for turn in &self.turns {
            let thread = known.get(&turn.thread).ok_or_else(|| ScheduleError::Thread(turn.thread.clone()))?;
            left = left.checked_sub(turn.steps).ok_or(ScheduleError::TooManySteps)?;
            runs.push((Choice { thread: *thread, spurious: turn.spurious }, turn.steps));
        }
        Ok(runs)
    }
}
