//! Threads of an execution and their names.
//!
//! A thread is named by its path: the first is `0`, the `k`th thread that thread `p` starts is `p.k` (from 1). Numbers
//! are given to paths when they first occur and stay with them over all executions of one exploration; a schedule
//! carries the table, so that a replay sees the same numbers.

use heddle_base::{Id, IndexVec, define_id};
use heddle_ir::{FuncId, InputId, SyncKind};
use rustc_hash::FxHashMap;

use crate::code::Pc;
use crate::event::Range;
use crate::memory::Site;

define_id!(
    /// A thread: `t0` is the first one. The program sees the index plus one.
    pub ThreadId, "t"
);

impl ThreadId {
    /// The first thread.
    pub fn main() -> Self {
        ThreadId::new(0)
    }

    /// The number that the program and memory know the thread by, from 1.
    pub fn number(self) -> u32 {
        self.index() as u32 + 1
    }

    /// The thread with this number.
    pub fn of_number(number: u32) -> Self {
        ThreadId::new(number as usize - 1)
    }
}

/// Paths of threads and the ids they got.
#[derive(Clone, Debug)]
pub struct ThreadNames {
    /// Parent and how many'th child; the first thread is its own parent.
    names: IndexVec<ThreadId, (ThreadId, u32)>,
    ids: FxHashMap<(ThreadId, u32), ThreadId>,
}

impl Default for ThreadNames {
    fn default() -> Self {
        let mut names = IndexVec::new();
        names.push((ThreadId::main(), 0));
        ThreadNames { names, ids: FxHashMap::default() }
    }
}

impl ThreadNames {
    /// The id of the `k`th child (from 1) of a thread, given now if it is new.
    pub fn child(&mut self, parent: ThreadId, k: u32) -> ThreadId {
        if let Some(&id) = self.ids.get(&(parent, k)) {
            return id;
        }
        let id = self.names.push((parent, k));
        self.ids.insert((parent, k), id);
        id
    }

    /// The path of a thread.
    pub fn path(&self, id: ThreadId) -> String {
        if id == ThreadId::main() {
            return "0".to_owned();
        }
        let (parent, k) = self.names[id];
        format!("{}.{k}", self.path(parent))
    }

    /// The thread with a path, whose parent must be known; none if the path is malformed.
    pub fn intern(&mut self, path: &str) -> Option<ThreadId> {
        let Some((parent, k)) = path.rsplit_once('.') else {
            return (path == "0").then(ThreadId::main);
        };
        let k: u32 = k.parse().ok().filter(|&k| k > 0)?;
        let parent = self.known(parent)?;
        Some(self.child(parent, k))
    }

    /// The thread with a path, if it is known.
    pub fn known(&self, path: &str) -> Option<ThreadId> {
        self.names.ids().find(|&id| self.path(id) == path)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: the first thread always has a name.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ThreadId> {
        self.names.ids()
    }
}

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
    /// It did what has no defined meaning, and no selected property covers that.
    Undefined,
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
    pub(crate) reads: Vec<Range>,
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
