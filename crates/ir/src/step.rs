//! Steps: the instructions of a goto program.

use heddle_base::{Loc, define_id};

use crate::expr::ExprId;
use crate::layout::LayoutId;
use crate::program::{CheckId, FuncId, InputId, RegId, SlotId};
use crate::ty::Ty;

define_id!(
    /// A step of a function: its index in the function's list, and so a jump target.
    pub StepId, "s"
);

/// An instruction and its place in the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// Where it comes from.
    pub loc: Loc,
}

/// What a step does. Control falls through to the next step unless said otherwise.
#[derive(Clone, PartialEq, Debug, Hash)]
pub enum StepKind {
    /// `dst = value`.
    Assign {
        /// The register written.
        dst: RegId,
        /// Its new value, of the register's type.
        value: ExprId,
    },
    /// `dst` gets an arbitrary value: an input, or what was never initialised.
    Havoc {
        /// The register written.
        dst: RegId,
        /// Which input this is.
        input: InputId,
    },
    /// `dst = *addr`.
    Load {
        /// The register written, of type `ty`.
        dst: RegId,
        /// The address.
        addr: ExprId,
        /// The type of the access.
        ty: Ty,
        /// How it counts for memory models and race detection.
        access: Access,
    },
    /// `*addr = value`.
    Store {
        /// The address.
        addr: ExprId,
        /// The value, of type `ty`.
        value: ExprId,
        /// The type of the access.
        ty: Ty,
        /// How it counts for memory models and race detection.
        access: Access,
    },
    /// `memmove(dst, src, len)`. Where one of the regions is shared and no atomic section is open, this is not one
    /// access but one a leaf of `layout` (one a byte without a layout): [`crate::passes`] splits it.
    Copy {
        /// Address of the target.
        dst: ExprId,
        /// Address of the source.
        src: ExprId,
        /// Bytes, as `I64`.
        len: ExprId,
        /// The shape of what is copied, where known; its size is then `len`.
        layout: Option<LayoutId>,
    },
    /// `memset(dst, byte, len)`; split like `Copy`.
    Fill {
        /// Address of the target.
        dst: ExprId,
        /// The byte, as `I8`.
        byte: ExprId,
        /// Bytes, as `I64`.
        len: ExprId,
        /// The shape of the target, where known; its size is then `len`.
        layout: Option<LayoutId>,
    },
    /// A local's life begins: its contents are arbitrary from here.
    Live {
        /// The local.
        slot: SlotId,
    },
    /// A local's life ends: its address dangles from here.
    Dead {
        /// The local.
        slot: SlotId,
    },
    /// `dst` gets the address of a new object.
    Alloc {
        /// The register written, of type `Ptr`.
        dst: RegId,
        /// Bytes, as `I64` (unsigned).
        size: ExprId,
        /// Whether the contents are zero instead of arbitrary.
        zeroed: bool,
        /// Where the object lives.
        kind: AllocKind,
    },
    /// Ends the life of an object made by `Alloc`. A heap free checks that `addr` is the start of a live heap object
    /// or null.
    Free {
        /// The object's address.
        addr: ExprId,
        /// Which kind of object it must be.
        kind: AllocKind,
    },
    /// `dst` gets the size of the object that `addr` points into, as `I64`; 0 if it points to none.
    ObjectSize {
        /// The register written.
        dst: RegId,
        /// A pointer.
        addr: ExprId,
    },
    /// Control goes to `target`.
    Goto {
        /// Where to.
        target: StepId,
    },
    /// Control goes to `target` if `cond` holds.
    Branch {
        /// A `Bool`.
        cond: ExprId,
        /// Where to.
        target: StepId,
    },
    /// Calls a function. A direct call agrees with its callee in number and types of arguments. An indirect one may not:
    /// arguments are then converted by truncation or zero extension of their bits, surplus ones dropped, missing ones
    /// (and a missing result) arbitrary.
    Call {
        /// Where the result goes.
        dst: Option<RegId>,
        /// Who is called.
        callee: Callee,
        /// Arguments.
        args: Vec<ExprId>,
    },
    /// Ends the call; ends the thread in a thread's first function.
    Return {
        /// The result.
        value: Option<ExprId>,
    },
    /// Opens an atomic section, or nests one deeper: no other thread moves until it is closed.
    AtomicBegin {
        /// What the section stands for.
        section: Section,
    },
    /// Closes what the matching `AtomicBegin` opened.
    AtomicEnd,
    /// Blocks until `cond` holds. Stands in an atomic section, in its function before all writes of that section. Blocking
    /// means that the outermost section has not begun: whatever it did so far is undone.
    Await {
        /// A `Bool`.
        cond: ExprId,
        /// Whether the scheduler may let the thread pass although `cond` does not hold (a spurious wake-up). That is
        /// no progress as far as deadlocks are concerned.
        spurious: bool,
        /// What kind of thing is waited for.
        kind: SyncKind,
        /// The address of the thing waited for.
        object: ExprId,
    },
    /// Starts a thread that runs `callee(arg)`.
    Spawn {
        /// The first function of the thread.
        callee: Callee,
        /// Its argument, a pointer.
        arg: ExprId,
    },
    /// Ends the running thread.
    ThreadExit,
    /// Ends the process.
    ProcessExit {
        /// The exit status, as `I32`.
        status: ExprId,
        /// Whether this is `abort`.
        abort: bool,
    },
    /// Executions in which `cond` does not hold do not exist from here on.
    Assume {
        /// A `Bool`.
        cond: ExprId,
    },
    /// A violation of the check's property unless `cond` holds.
    Assert {
        /// A `Bool`.
        cond: ExprId,
        /// What is checked.
        check: CheckId,
    },
    /// Tells monitors about synchronisation (who holds what, what happens before what). Without effect on the program.
    Sync {
        /// What happens.
        op: SyncOp,
        /// To what kind of object.
        kind: SyncKind,
        /// The object's address.
        object: ExprId,
    },
    /// `atomic_thread_fence`: orders what the thread does around it (C11 7.17.4). Without effect on memory.
    Fence {
        /// Its memory order: neither `Plain` nor `Relaxed`, which do nothing.
        order: MemOrder,
    },
    /// Output of the program (`printf` and the like): evaluates its arguments; only `heddle run` shows it.
    Output {
        /// Where the function's result goes.
        dst: Option<RegId>,
        /// The C function, by name: `printf`, `puts`, `putchar`, …
        function: String,
        /// Arguments after the default promotions.
        args: Vec<ExprId>,
    },
    /// What follows cannot be executed: the thread goes no further, and nothing is known of what it would do. Harmless where
    /// it is not reached, an obstacle to `SAFE` where it is.
    Unsupported {
        /// The construct, as the user reads it.
        what: String,
    },
    /// Nothing.
    Skip,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Callee {
    /// This function.
    Direct(FuncId),
    /// The function that this pointer points to.
    Indirect(ExprId),
}

/// How an access counts for memory models and race detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Access {
    /// Its memory order; `Plain` is not atomic.
    pub order: MemOrder,
    /// Whether a library model makes it: such accesses do not race.
    pub internal: bool,
}

impl Access {
    /// An ordinary access of the program.
    pub const PLAIN: Access = Access { order: MemOrder::Plain, internal: false };
}

/// C11 memory orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MemOrder {
    /// Not atomic.
    Plain,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire` and `memory_order_consume`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// What an atomic section stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
pub enum Section {
    /// `__VERIFIER_atomic_begin` or a function named `__VERIFIER_atomic_*`.
    User,
    /// One atomic read-modify-write operation.
    Rmw,
    /// A library model's.
    Model,
}

/// Where an allocated object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
pub enum AllocKind {
    /// `malloc`: lives until it is freed, counts as leaked if it is not.
    Heap,
    /// `alloca` and variable-length arrays: dies at the latest when the call returns.
    Stack,
    /// Made by a library model: lives for ever, never leaks.
    Model,
}

/// Kinds of synchronisation objects, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
pub enum SyncKind {
    /// A mutex.
    Mutex,
    /// A condition variable.
    Condition,
    /// The end of a thread.
    Join,
    /// A read-write lock, for reading.
    ReadLock,
    /// A read-write lock, for writing.
    WriteLock,
    /// A barrier.
    Barrier,
    /// A semaphore.
    Semaphore,
    /// A spin lock.
    Spinlock,
    /// A `pthread_once_t`.
    Once,
    /// Anything else.
    Other,
}

impl SyncKind {
    /// Whether waiting for this means waiting for its holders.
    pub fn is_lock(self) -> bool {
        match self {
            SyncKind::Mutex | SyncKind::ReadLock | SyncKind::WriteLock | SyncKind::Spinlock | SyncKind::Join => true,
            SyncKind::Condition | SyncKind::Barrier | SyncKind::Semaphore | SyncKind::Once | SyncKind::Other => false,
        }
    }
}

/// What happens to a synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
pub enum SyncOp {
    /// The thread now holds the object; what its last holders did happens before.
    Hold,
    /// The thread no longer holds it; what it did happens before the next holder's work. Of kind
    /// [`Join`](SyncKind::Join): the thread is over, and with it the lives of its thread-locals.
    Unhold,
    /// What was released through the object happens before what follows.
    Acquire,
    /// What the thread did so far is released through the object.
    Release,
    /// A wait for the object is refused. Control passes here only if the object is null, cannot be waited for
    /// ([`Detach`](Self::Detach)), is the running thread's own, or was waited for already. For analyses: nothing happens.
    Refuse,
    /// Waits for the object may be refused from here on. For analyses: nothing happens.
    Detach,
    /// The object is no more. For reports: nothing happens.
    Destroy,
}

impl StepKind {
    /// The jump target, if the step has one.
    pub fn target(&self) -> Option<StepId> {
        match *self {
            StepKind::Goto { target } | StepKind::Branch { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Whether control can reach the next step from here.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            StepKind::Goto { .. }
                | StepKind::Return { .. }
                | StepKind::ThreadExit
                | StepKind::ProcessExit { .. }
                | StepKind::Unsupported { .. }
        )
    }

    /// The register that the step writes.
    pub fn written_reg(&self) -> Option<RegId> {
        match *self {
            StepKind::Assign { dst, .. }
            | StepKind::Havoc { dst, .. }
            | StepKind::Load { dst, .. }
            | StepKind::Alloc { dst, .. }
            | StepKind::ObjectSize { dst, .. } => Some(dst),
            StepKind::Call { dst, .. } | StepKind::Output { dst, .. } => dst,
            _ => None,
        }
    }

    /// Calls `change` for each expression that the step evaluates.
    pub fn for_each_operand_mut(&mut self, mut change: impl FnMut(&mut ExprId)) {
        let callee_operand = |callee: &mut Callee, change: &mut dyn FnMut(&mut ExprId)| {
            if let Callee::Indirect(pointer) = callee {
                change(pointer);
            }
        };
        match self {
            StepKind::Assign { value, .. } => change(value),
            StepKind::Load { addr, .. } | StepKind::Free { addr, .. } | StepKind::ObjectSize { addr, .. } => {
                change(addr)
            }
            StepKind::Store { addr, value, .. } => [addr, value].into_iter().for_each(change),
            StepKind::Copy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(change),
            StepKind::Fill { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(change),
            StepKind::Alloc { size, .. } => change(size),
            StepKind::Branch { cond, .. } | StepKind::Assume { cond } | StepKind::Assert { cond, .. } => change(cond),
            StepKind::Call { callee, args, .. } => {
                callee_operand(callee, &mut change);
                args.iter_mut().for_each(change);
            }
            StepKind::Return { value } => value.iter_mut().for_each(change),
            StepKind::Await { cond, object, .. } => [cond, object].into_iter().for_each(change),
            StepKind::Spawn { callee, arg } => {
                callee_operand(callee, &mut change);
                change(arg);
            }
            StepKind::ProcessExit { status, .. } => change(status),
            StepKind::Sync { object, .. } => change(object),
            StepKind::Output { args, .. } => args.iter_mut().for_each(change),
            StepKind::Havoc { .. }
            | StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::Goto { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::ThreadExit
            | StepKind::Fence { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Skip => {}
        }
    }

    /// The expressions that the step evaluates.
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            StepKind::Assign { value, .. } => vec![*value],
            StepKind::Load { addr, .. } | StepKind::Free { addr, .. } | StepKind::ObjectSize { addr, .. } => {
                vec![*addr]
            }
            StepKind::Store { addr, value, .. } => vec![*addr, *value],
            StepKind::Copy { dst, src, len, .. } => vec![*dst, *src, *len],
            StepKind::Fill { dst, byte, len, .. } => vec![*dst, *byte, *len],
            StepKind::Alloc { size, .. } => vec![*size],
            StepKind::Branch { cond, .. } | StepKind::Assume { cond } | StepKind::Assert { cond, .. } => vec![*cond],
            StepKind::Call { callee, args, .. } => {
                let mut all = callee.operand().into_iter().collect::<Vec<_>>();
                all.extend(args);
                all
            }
            StepKind::Return { value } => value.iter().copied().collect(),
            StepKind::Await { cond, object, .. } => vec![*cond, *object],
            StepKind::Spawn { callee, arg } => callee.operand().into_iter().chain([*arg]).collect(),
            StepKind::ProcessExit { status, .. } => vec![*status],
            StepKind::Sync { object, .. } => vec![*object],
            StepKind::Output { args, .. } => args.clone(),
            StepKind::Havoc { .. }
            | StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::Goto { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::ThreadExit
            | StepKind::Fence { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Skip => Vec::new(),
        }
    }
}

impl Callee {
    /// The pointer of an indirect call.
    pub fn operand(self) -> Option<ExprId> {
        match self {
            Callee::Direct(_) => None,
            Callee::Indirect(pointer) => Some(pointer),
        }
    }
}

impl MemOrder {
    /// All of them.
    pub const ALL: [MemOrder; 6] =
        [MemOrder::Plain, MemOrder::Relaxed, MemOrder::Acquire, MemOrder::Release, MemOrder::AcqRel, MemOrder::SeqCst];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            MemOrder::Plain => "plain",
            MemOrder::Relaxed => "relaxed",
            MemOrder::Acquire => "acquire",
            MemOrder::Release => "release",
            MemOrder::AcqRel => "acqrel",
            MemOrder::SeqCst => "seqcst",
        }
    }
}

impl Section {
    /// All of them.
    pub const ALL: [Section; 3] = [Section::User, Section::Rmw, Section::Model];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Section::User => "user",
            Section::Rmw => "rmw",
            Section::Model => "model",
        }
    }
}

impl AllocKind {
    /// All of them.
    pub const ALL: [AllocKind; 3] = [AllocKind::Heap, AllocKind::Stack, AllocKind::Model];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            AllocKind::Heap => "heap",
            AllocKind::Stack => "stack",
            AllocKind::Model => "model",
        }
    }
}

impl SyncKind {
    /// All of them.
    pub const ALL: [SyncKind; 10] = [
        SyncKind::Mutex,
        SyncKind::Condition,
        SyncKind::Join,
        SyncKind::ReadLock,
        SyncKind::WriteLock,
        SyncKind::Barrier,
        SyncKind::Semaphore,
        SyncKind::Spinlock,
        SyncKind::Once,
        SyncKind::Other,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            SyncKind::Mutex => "mutex",
            SyncKind::Condition => "condition",
            SyncKind::Join => "join",
            SyncKind::ReadLock => "readlock",
            SyncKind::WriteLock => "writelock",
            SyncKind::Barrier => "barrier",
            SyncKind::Semaphore => "semaphore",
            SyncKind::Spinlock => "spinlock",
            SyncKind::Once => "once",
            SyncKind::Other => "other",
        }
    }
}

impl SyncOp {
    /// All of them.
    pub const ALL: [SyncOp; 7] = [
        SyncOp::Hold,
        SyncOp::Unhold,
        SyncOp::Acquire,
        SyncOp::Release,
        SyncOp::Refuse,
        SyncOp::Detach,
        SyncOp::Destroy,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            SyncOp::Hold => "hold",
            SyncOp::Unhold => "unhold",
            SyncOp::Acquire => "acquire",
            SyncOp::Release => "release",
            SyncOp::Refuse => "refuse",
            SyncOp::Detach => "detach",
            SyncOp::Destroy => "destroy",
        }
    }
}
