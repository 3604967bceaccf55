//! Recordings: one execution as data, with the ids of the program and no text.
//!
//! The machine makes a recording while it executes a schedule. Engines read it (which branches were taken, which write
//! fed which byte of a read), [`Trace`](crate::Trace) is its rendering for people. A recording means something only
//! together with the program that was executed.
//!
//! **Invariants.** Steps stand in the order in which they happened; all steps of one turn are adjacent. They belong to
//! the thread that had the turn, but for the local steps of threads that it started, up to their first turn. A read-from index is smaller than the index of the step that reads. Local assignments to registers without a
//! name, jumps and the begins and ends of locals' lives are left out: they follow from the rest.

use heddle_ir::{AllocKind, FuncId, GlobalId, InputId, RegId, SlotId, StepId, SyncKind, SyncOp, Ty};
use serde::{Deserialize, Serialize};

use crate::schedule::Schedule;
use crate::threads::ThreadId;
use crate::trace::{Blocked, TraceEnd};

/// The version of the format.
pub const RECORDING_VERSION: u32 = 1;

/// An execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recording {
    /// The version of this format.
    pub version: u32,
    /// Threads by id.
    pub threads: Vec<RecordedThread>,
    /// Memory objects that some step mentions.
    pub objects: Vec<RecordedObject>,
    /// Steps in the order they happened.
    pub steps: Vec<RecordedStep>,
    /// Whether later steps were dropped because there were too many.
    pub truncated: bool,
    /// How it ended.
    pub end: TraceEnd,
    /// Threads that were waiting at the end.
    pub blocked: Vec<Blocked>,
    /// All that the program printed.
    pub printed: Vec<u8>,
    /// The parts of it that went to standard error, as ranges of bytes.
    pub errors: Vec<(usize, usize)>,
    /// How to see it again.
    pub schedule: Schedule,
}

/// A step of the program's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct CodeSite {
    /// The function.
    pub func: FuncId,
    /// The step.
    pub step: StepId,
}

/// A thread of the execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedThread {
    /// Its path: `0`, `0.1`, ….
    pub path: String,
    /// The function it was started with.
    pub function: FuncId,
    /// Where it was started; none for the first thread.
    pub spawned: Option<CodeSite>,
}

/// What a memory object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RecordedObjectKind {
    /// A global, shared or a thread's own instance.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A local of a call.
    Slot(FuncId, SlotId),
    /// Made by an `Alloc` step.
    Alloc(AllocKind),
}

/// What a number of an object stands for, from some step on: numbers are used again after an object's life.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedObject {
    /// The number.
    pub object: u32,
    /// The first step for which this holds, an index into [`Recording::steps`].
    pub since: usize,
    /// What it is.
    pub kind: RecordedObjectKind,
    /// The thread and the step that made it; none for globals.
    pub born: Option<(ThreadId, CodeSite)>,
    /// Which allocation of its thread it was, from 1.
    pub serial: u32,
    /// Bytes.
    pub size: u32,
}

/// Bits of a value. Stored in hexadecimal: JSON has no numbers of this size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bits(pub u128);

impl Serialize for Bits {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:#x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix("0x").unwrap_or(&text);
        u128::from_str_radix(digits, 16).map(Bits).map_err(serde::de::Error::custom)
    }
}

/// A value and its type. A pointer has its object in the upper and its offset in the lower 32 of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedValue {
    /// The type.
    pub ty: Ty,
    /// The bits.
    pub bits: Bits,
}

/// Bytes that one access reads or writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedAccess {
    /// The object, by number.
    pub object: u32,
    /// First byte.
    pub lo: i32,
    /// One behind the last byte.
    pub hi: i32,
    /// Whether it is written.
    pub write: bool,
    /// Where the bytes of a read come from, in the order of bytes; empty for a write.
    pub sources: Vec<ByteSource>,
}

/// Adjacent bytes that one step wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByteSource {
    /// First byte.
    pub lo: i32,
    /// One behind the last byte.
    pub hi: i32,
    /// The step that wrote them, an index into [`Recording::steps`]; none for initial contents.
    pub step: Option<usize>,
}

/// A step of the execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedStep {
    /// Who made it.
    pub thread: ThreadId,
    /// Which scheduled step it belongs to, from 0.
    pub turn: u64,
    /// Where in the program's text.
    pub site: CodeSite,
    /// Calls in progress below the one that the step belongs to.
    pub depth: u32,
    /// For a step of a library model: the call in the user's own code that led to it.
    pub caller: Option<CodeSite>,
    /// Whether it stands in an atomic section.
    pub atomic: bool,
    /// What it did.
    pub action: RecordedAction,
    /// The bytes it accessed, in order.
    pub accesses: Vec<RecordedAccess>,
}

/// What a step did. Accessed bytes stand in [`RecordedStep::accesses`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum RecordedAction {
    /// A named register got a value.
    Assign {
        /// The register.
        reg: RegId,
        /// The value.
        value: RecordedValue,
    },
    /// Control went on at a branch.
    Branch {
        /// Whether to the branch's target: its condition held.
        taken: bool,
    },
    /// Memory was read.
    Read {
        /// The value; none if the read itself is the violation.
        value: Option<RecordedValue>,
    },
    /// Memory was written.
    Write {
        /// The address, a pointer's bits.
        to: u64,
        /// The value.
        value: RecordedValue,
    },
    /// Bytes were copied.
    Copy {
        /// To which address.
        to: u64,
        /// From which address.
        from: u64,
        /// How many.
        bytes: u64,
    },
    /// Bytes were set.
    Fill {
        /// The address.
        to: u64,
        /// To what.
        byte: u8,
        /// How many.
        bytes: u64,
    },
    /// An input was read.
    Input {
        /// Which.
        input: InputId,
        /// How often this thread had read this input before.
        occurrence: u32,
        /// The register that got the value.
        reg: RegId,
        /// The value.
        value: RecordedValue,
    },
    /// An object was made.
    Alloc {
        /// Its address.
        pointer: u64,
        /// Its size.
        bytes: u64,
    },
    /// An object's life was ended.
    Free {
        /// Its address.
        pointer: u64,
    },
    /// A function was called.
    Call {
        /// Which; none if the pointer points to none.
        callee: Option<FuncId>,
        /// With what.
        args: Vec<RecordedValue>,
    },
    /// A function returned.
    Return {
        /// The result.
        value: Option<RecordedValue>,
    },
    /// A thread was started.
    Spawn {
        /// Which.
        thread: ThreadId,
    },
    /// The thread ended.
    ThreadEnd,
    /// An atomic section began.
    SectionBegin,
    /// An atomic section ended.
    SectionEnd,
    /// What the thread waited for had come, or it was woken without reason.
    Await {
        /// What kind of thing.
        kind: SyncKind,
        /// Its address.
        object: u64,
        /// The thread whose end was waited for, while it is known.
        ended: Option<ThreadId>,
        /// Whether without reason.
        spurious: bool,
    },
    /// A synchronisation object changed hands.
    Sync {
        /// What happened.
        op: SyncOp,
        /// To what kind of thing.
        kind: SyncKind,
        /// Its address.
        object: u64,
        /// The thread whose end it is, while it is known.
        ended: Option<ThreadId>,
    },
    /// Something was checked.
    Assert {
        /// Whether it held.
        holds: bool,
    },
    /// An assumption.
    Assume {
        /// Whether it held.
        holds: bool,
    },
    /// Something was printed.
    Output {
        /// The first byte of it in [`Recording::printed`].
        lo: usize,
        /// One behind the last.
        hi: usize,
    },
    /// The process ended.
    Exit {
        /// Its status.
        status: i32,
        /// Whether by `abort`.
        abort: bool,
    },
}

impl Recording {
    /// What an object's number stands for at a step.
    pub fn object_at(&self, object: u32, step: usize) -> Option<&RecordedObject> {
        self.objects.iter().rev().find(|o| o.object == object && o.since <= step)
    }

    /// The branches that a thread took, in order: where, and whether to the target.
    pub fn branches(&self, thread: ThreadId) -> impl Iterator<Item = (CodeSite, bool)> + use<'_> {
        self.steps.iter().filter(move |step| step.thread == thread).filter_map(|step| match step.action {
            RecordedAction::Branch { taken } => Some((step.site, taken)),
            _ => None,
        })
    }
}
