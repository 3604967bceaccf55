//! Traces: all that a report needs of one execution, with names and places, and nothing of the machine.
//!
//! A trace is made by executing a known schedule once more with the recorder on (`heddle_machine::replay`); the fast path
//! knows nothing of it. It is plain data and is written as JSON as it stands.

use serde::{Deserialize, Serialize};

use crate::schedule::Schedule;

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Index into [`Trace::files`].
    pub file: usize,
    /// Line, from 1; 0 is nowhere.
    pub line: u32,
    /// Column, from 1.
    pub col: u32,
}

/// The text of a source line that some step refers to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceLine {
    /// Index into [`Trace::files`].
    pub file: usize,
    /// Line, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// A thread of the execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceThread {
    /// Its path: `0`, `0.1`, ….
    pub path: String,
    /// The function it runs, as the user knows it.
    pub function: String,
    /// Where it was started.
    pub spawned: Option<Place>,
}

/// An execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// Names of the files that places refer to.
    pub files: Vec<String>,
    /// Source lines by file and line.
    pub lines: Vec<SourceLine>,
    /// Threads by index.
    pub threads: Vec<TraceThread>,
    /// Steps in the order they happened.
    pub steps: Vec<TraceStep>,
    /// Whether later steps were dropped because there were too many.
    pub truncated: bool,
    /// How it ended.
    pub end: TraceEnd,
    /// Threads that were waiting at the end.
    pub blocked: Vec<Blocked>,
    /// What the program printed on standard output.
    pub output: String,
    /// What it printed on standard error.
    pub errors: String,
    /// How to see it again.
    pub schedule: Schedule,
}

/// A step of a trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Which thread, an index into [`Trace::threads`].
    pub thread: usize,
    /// Which scheduled step it belongs to, from 0.
    pub turn: u64,
    /// Whether another thread had the turn before.
    pub switch: bool,
    /// Whether it stands in an atomic section.
    pub atomic: bool,
    /// Where.
    pub place: Place,
    /// The place in the user's own code, if `place` is in a library model.
    pub caller: Option<Place>,
    /// The function.
    pub function: String,
    /// Whether it belongs to a library model.
    pub model: bool,
    /// What it does.
    pub action: Action,
}

/// What a step does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// A local variable gets a value.
    Assign {
        /// The variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// Memory is read.
    Read {
        /// What.
        place: String,
        /// The value; `?` if the read itself is the violation.
        value: String,
        /// The step that wrote it; none for initial contents.
        from: Option<usize>,
        /// Whether other threads can notice.
        shared: bool,
    },
    /// Memory is written.
    Write {
        /// What.
        place: String,
        /// The value.
        value: String,
        /// Whether other threads can notice.
        shared: bool,
    },
    /// Bytes are copied.
    Copy {
        /// To where.
        to: String,
        /// From where.
        from: String,
        /// How many.
        bytes: u64,
    },
    /// Bytes are set.
    Fill {
        /// Where.
        place: String,
        /// To what.
        byte: u8,
        /// How many.
        bytes: u64,
    },
    /// An input is read.
    Input {
        /// Its name.
        name: String,
        /// The variable that gets it, if it has a name.
        variable: Option<String>,
        /// The value.
        value: String,
    },
    /// An object is made.
    Alloc {
        /// Its name.
        block: String,
        /// Its size.
        bytes: u64,
    },
    /// An object's life ends.
    Free {
        /// Its name.
        block: String,
    },
    /// A function is called.
    Call {
        /// Which.
        function: String,
        /// With what.
        args: Vec<String>,
    },
    /// A function returns.
    Return {
        /// The result.
        value: Option<String>,
    },
    /// A thread starts.
    Spawn {
        /// Which, an index into [`Trace::threads`].
        thread: usize,
    },
    /// The thread ends.
    ThreadEnd,
    /// An atomic section begins.
    SectionBegin,
    /// An atomic section ends.
    SectionEnd,
    /// The thread had to wait for something, and goes on.
    Await {
        /// For what.
        object: String,
        /// Whether without reason.
        spurious: bool,
    },
    /// A synchronisation object changes hands.
    Sync {
        /// `hold`, `unhold`, `acquire`, `release` or `destroy`.
        op: String,
        /// The object.
        object: String,
    },
    /// Something is checked.
    Assert {
        /// What.
        message: String,
        /// Whether it held.
        holds: bool,
    },
    /// An assumption.
    Assume {
        /// Whether it held.
        holds: bool,
    },
    /// Something is printed.
    Output {
        /// What.
        text: String,
    },
    /// The process ends.
    Exit {
        /// Its status.
        status: i32,
        /// Whether by `abort`.
        abort: bool,
    },
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TraceEnd {
    /// A property is violated.
    Violation {
        /// The property's name.
        property: String,
        /// What is wrong.
        message: String,
        /// The thread that did it, an index into [`Trace::threads`].
        thread: usize,
        /// The function.
        function: String,
        /// Where.
        place: Place,
        /// More about it.
        details: Vec<TraceDetail>,
    },
    /// The process ended.
    Exit {
        /// Its status.
        status: i32,
        /// Whether by `abort`.
        abort: bool,
    },
    /// All threads finished, or what is left waits and no property forbids that.
    Finished,
    /// An assumption does not hold: this execution does not count.
    Discarded,
    /// A limit was reached.
    Limit {
        /// Which.
        text: String,
    },
}

/// A line that explains a violation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceDetail {
    /// The text.
    pub text: String,
    /// The place it speaks of.
    pub place: Place,
}

/// A thread that waits at the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blocked {
    /// Which, an index into [`Trace::threads`].
    pub thread: usize,
    /// For what.
    pub text: String,
    /// Where.
    pub place: Place,
}
