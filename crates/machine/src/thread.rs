//! Threads of the machine: where each stands, and whether it can move.

use heddle_base::Id;
use heddle_ir::objects::Site;
use heddle_ir::{FuncId, InputId, SyncKind};
use heddle_task::ThreadId;

use crate::code::Pc;
use crate::event::Range;

/// Where a thread stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Not started.
    Unborn,
    /// Between two steps.
    Running,
    /// At its end.
    Finished,
    /// Stopped for good, but not at its end.
    Stuck(Stuck),
}

/// Why a thread goes no further although it has not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// An assumption does not hold.
    Assume,
    /// The bound on its steps is reached.
    Steps,
    /// The bound on its steps in one turn is reached.
    LongTurn,
    /// It loops for ever without a step that others can notice.
    Endless,
    /// It did what has no defined meaning, and no selected property covers that.
    Undefined,
    /// It came to something that is not supported.
    Unsupported,
    /// It called `exit`, and the others are let go on (see `crate::explore`).
    Exited,
}

/// What a blocked thread waits for.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The `await` step.
    pub site: Site,
    /// The kind of thing; none for an assumption in an atomic section.
    pub kind: Option<SyncKind>,
    /// Its address.
    pub object: u64,
    /// Whether a spurious wake-up is possible.
    pub spurious: bool,
    /// The bytes that the condition depends on.
    pub reads: Vec<Range>,
}

/// Whether a thread can move.
#[derive(Clone, Debug)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It can only by a spurious wake-up.
    Spurious(Wait),
    /// It cannot.
    Blocked(Wait),
    /// It has ended, or will never move again.
    Done,
}

/// A call in progress, suspended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) func: FuncId,
    /// The call op to return to.
    pub(crate) pc: Pc,
    pub(crate) base: u32,
    /// How many stack objects the thread had at the call's start.
    pub(crate) stack_objects: u32,
}

/// A thread's state.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) id: ThreadId,
    pub(crate) status: Status,
    pub(crate) func: FuncId,
    pub(crate) pc: Pc,
    /// Where the running frame's words start.
    pub(crate) base: u32,
    pub(crate) words: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    /// Objects of `alloca` and the like, ended with their calls.
    pub(crate) stack_objects: Vec<u32>,
    pub(crate) stack_start: u32,
    /// Open atomic sections.
    pub(crate) depth: u32,
    pub(crate) steps: u64,
    /// Steps before its last turn.
    pub(crate) steps_before: u64,
    /// Scheduled steps so far.
    pub(crate) turns: u64,
    pub(crate) children: u32,
    /// How often each input was read.
    pub(crate) inputs: Vec<(InputId, u32)>,
    pub(crate) spurious_wakes: u32,
    /// Whether the thread can move, as far as known.
    pub(crate) readiness: Option<Readiness>,
    /// The bytes that this depends on; none if on nothing.
    pub(crate) probed: Option<Vec<Range>>,
    /// Where it was started; none for the first.
    pub(crate) spawned: Option<Site>,
}

impl Thread {
    pub(crate) fn unborn(id: ThreadId) -> Self {
        Thread {
            id,
            status: Status::Unborn,
            func: FuncId::new(0),
            pc: 0,
            base: 0,
            words: Vec::new(),
            frames: Vec::new(),
            stack_objects: Vec::new(),
            stack_start: 0,
            depth: 0,
            steps: 0,
            steps_before: 0,
            turns: 0,
            children: 0,
            inputs: Vec::new(),
            spurious_wakes: 0,
            readiness: None,
            probed: None,
            spawned: None,
        }
    }
}
