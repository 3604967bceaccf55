//! Bytecode: what the machine executes.
//!
//! A function's steps become a flat list of [`Op`]s over the *words* of its frame, expressions flattened, jump targets
//! resolved. A frame is `registers | addresses of locals | marks | temporaries | constants`, so that every operand of
//! every operator is a word of the frame and there is one way to reach it. Wide values take two words.
//!
//! Steps are counted where control transfers: an op that ends a straight line carries the number of steps of it.

use heddle_base::IndexVec;
use heddle_ir::assertions::AssertionId;
use heddle_ir::section_awaits::Awaits;
use heddle_ir::{BinOp, CastOp, FuncId, MemOrder, RegId, SlotId, StepId, Ty, UnOp};

/// A word of a frame.
pub(crate) type Word = u32;
/// An index into a function's ops.
pub(crate) type Pc = u32;

/// No word: an absent result or operand.
pub(crate) const NO_WORD: Word = u32::MAX;

/// How an access counts, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AccessFlags(u8);

impl AccessFlags {
    pub(crate) fn new(order: MemOrder, internal: bool, visible: bool) -> Self {
        let order = match order {
            MemOrder::Plain => 0,
            MemOrder::Relaxed => 1,
            MemOrder::Acquire => 2,
            MemOrder::Release => 3,
            MemOrder::AcqRel => 4,
            MemOrder::SeqCst => 5,
        };
        AccessFlags(order | u8::from(internal) << 3 | u8::from(visible) << 4)
    }

    #[inline]
    pub(crate) fn visible(self) -> bool {
        self.0 & 16 != 0
    }

    pub(crate) fn internal(self) -> bool {
        self.0 & 8 != 0
    }

    pub(crate) fn order(self) -> MemOrder {
        match self.0 & 7 {
            0 => MemOrder::Plain,
            1 => MemOrder::Relaxed,
            2 => MemOrder::Acquire,
            3 => MemOrder::Release,
            4 => MemOrder::AcqRel,
            _ => MemOrder::SeqCst,
        }
    }
}

/// An instruction: 16 bytes. `d` is the word written, `a` and `b` are read; `n` counts steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move {
        d: Word,
        a: Word,
    },
    MoveWide {
        d: Word,
        a: Word,
    },
    /// `d = a` if `c`, else `d` stays.
    MoveIf {
        d: Word,
        c: Word,
        a: Word,
    },
    MoveWideIf {
        d: Word,
        c: Word,
        a: Word,
    },
    Add32 {
        d: Word,
        a: Word,
        b: Word,
    },
    Add64 {
        d: Word,
        a: Word,
        b: Word,
    },
    Sub32 {
        d: Word,
        a: Word,
        b: Word,
    },
    Sub64 {
        d: Word,
        a: Word,
        b: Word,
    },
    Mul32 {
        d: Word,
        a: Word,
        b: Word,
    },
    Mul64 {
        d: Word,
        a: Word,
        b: Word,
    },
    And {
        d: Word,
        a: Word,
        b: Word,
    },
    Or {
        d: Word,
        a: Word,
        b: Word,
    },
    Xor {
        d: Word,
        a: Word,
        b: Word,
    },
    Eq {
        d: Word,
        a: Word,
        b: Word,
    },
    Ne {
        d: Word,
        a: Word,
        b: Word,
    },
    ULt {
        d: Word,
        a: Word,
        b: Word,
    },
    ULe {
        d: Word,
        a: Word,
        b: Word,
    },
    SLt32 {
        d: Word,
        a: Word,
        b: Word,
    },
    SLe32 {
        d: Word,
        a: Word,
        b: Word,
    },
    SLt64 {
        d: Word,
        a: Word,
        b: Word,
    },
    SLe64 {
        d: Word,
        a: Word,
        b: Word,
    },
    BoolNot {
        d: Word,
        a: Word,
    },
    Trunc {
        bits: u8,
        d: Word,
        a: Word,
    },
    SExt {
        from: u8,
        to: u8,
        d: Word,
        a: Word,
    },
    PtrAdd {
        d: Word,
        a: Word,
        b: Word,
    },
    /// Any operator on values of one word.
    Unary {
        op: UnOp,
        ty: Ty,
        d: Word,
        a: Word,
    },
    Binary {
        op: BinOp,
        ty: Ty,
        d: Word,
        a: Word,
        b: Word,
    },
    /// Any operator where an operand or the result is wide.
    UnaryWide {
        op: UnOp,
        ty: Ty,
        d: Word,
        a: Word,
    },
    BinaryWide {
        op: BinOp,
        ty: Ty,
        d: Word,
        a: Word,
        b: Word,
    },
    Cast {
        op: CastOp,
        from: Ty,
        to: Ty,
        d: Word,
        a: Word,
    },
    /// Pointer to flat address and back; only under ILP32.
    PtrToInt {
        d: Word,
        a: Word,
    },
    IntToPtr {
        d: Word,
        a: Word,
    },
    SelfId {
        d: Word,
    },
    /// The running thread's instance of a thread-local.
    ThreadLocal {
        d: Word,
        index: u32,
    },
    Load {
        size: u8,
        flags: AccessFlags,
        d: Word,
        a: Word,
    },
    LoadPtr {
        flags: AccessFlags,
        d: Word,
        a: Word,
    },
    LoadWide {
        size: u8,
        flags: AccessFlags,
        d: Word,
        a: Word,
    },
    Store {
        size: u8,
        flags: AccessFlags,
        a: Word,
        v: Word,
    },
    StorePtr {
        flags: AccessFlags,
        a: Word,
        v: Word,
    },
    StoreWide {
        size: u8,
        flags: AccessFlags,
        a: Word,
        v: Word,
    },
    Copy {
        visible: bool,
        d: Word,
        a: Word,
        len: Word,
    },
    Fill {
        visible: bool,
        d: Word,
        byte: Word,
        len: Word,
    },
    Live {
        slot: SlotId,
    },
    Dead {
        visible: bool,
        slot: SlotId,
    },
    Alloc {
        d: Word,
        size: Word,
    },
    Free {
        visible: bool,
        a: Word,
    },
    ObjectSize {
        visible: bool,
        d: Word,
        a: Word,
    },
    Havoc {
        d: Word,
    },
    /// Marks of registers that hold an arbitrary, never initialised value.
    Mark {
        w: Word,
    },
    Unmark {
        w: Word,
    },
    UseMarked {
        w: Word,
        reg: RegId,
    },
    Count {
        n: u32,
    },
    Jump {
        n: u16,
        t: Pc,
    },
    JumpIf {
        n: u16,
        a: Word,
        t: Pc,
    },
    JumpIfNot {
        n: u16,
        a: Word,
        t: Pc,
    },
    JumpEq {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpNe {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpULt {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpULe {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpSLt32 {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpSLe32 {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpSLt64 {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    JumpSLe64 {
        n: u16,
        a: Word,
        b: Word,
        t: Pc,
    },
    Call {
        n: u16,
        index: u32,
    },
    Return {
        n: u16,
        visible: bool,
        a: Word,
    },
    AtomicBegin,
    AtomicEnd,
    Await {
        spurious: bool,
        c: Word,
        object: Word,
    },
    Spawn {
        callee: Word,
        direct: u32,
        arg: Word,
    },
    ThreadExit,
    ProcessExit {
        status: Word,
    },
    Unsupported,
    Assume {
        c: Word,
    },
    Assert {
        c: Word,
    },
    Sync {
        object: Word,
    },
    Output {
        index: u32,
    },
    Fence {
        order: MemOrder,
    },
    Skip,
}

/// A call's operands.
#[derive(Clone, Debug)]
pub(crate) struct CallInfo {
    pub(crate) dst: Option<(Word, Ty)>,
    pub(crate) direct: Option<FuncId>,
    /// The pointer, if the call is not direct.
    pub(crate) pointer: Word,
    pub(crate) args: Vec<(Word, Ty)>,
}

/// An output step's operands.
#[derive(Clone, Debug)]
pub(crate) struct OutputInfo {
    pub(crate) dst: Option<(Word, Ty)>,
    pub(crate) function: String,
    pub(crate) args: Vec<(Word, Ty)>,
}

/// A function's bytecode.
#[derive(Clone, Debug)]
pub(crate) struct FuncCode {
    pub(crate) ops: Vec<Op>,
    /// The step that each op belongs to.
    pub(crate) step_of: Vec<StepId>,
    /// The first op of each step.
    pub(crate) start_of: Vec<Pc>,
    pub(crate) words: u32,
    /// The steps at which the user's assertions are evaluated, in order.
    pub(crate) assertions: Vec<(StepId, AssertionId)>,
    /// Constants, at the end of the frame.
    pub(crate) constants: Vec<u64>,
    pub(crate) params: Vec<(Word, Ty)>,
    pub(crate) ret: Option<Ty>,
    /// The word of each register, for traces.
    pub(crate) regs: IndexVec<RegId, Word>,
    /// The word that holds each local's address, and its size.
    pub(crate) slots: Vec<(Word, u64)>,
    /// The word of the mark of each register whose arbitrary value may be used, in the order of registers.
    pub(crate) marks: Vec<(RegId, Word)>,
    pub(crate) calls: Vec<CallInfo>,
    pub(crate) outputs: Vec<OutputInfo>,
    /// For each `AtomicBegin` op what may block; in order of ops.
    pub(crate) sections: Vec<(Pc, Awaits)>,
}

impl FuncCode {
    pub(crate) fn awaits_at(&self, pc: Pc) -> Awaits {
        match self.sections.binary_search_by_key(&pc, |s| s.0) {
            Ok(i) => self.sections[i].1,
            Err(_) => Awaits::Many,
        }
    }
}

/// A program's bytecode.
#[derive(Clone, Debug)]
pub struct Code {
    pub(crate) functions: IndexVec<FuncId, FuncCode>,
    pub(crate) fingerprint: u64,
    /// How many instances of thread-locals each thread has: the first objects of its region.
    pub(crate) thread_locals: u32,
}

impl Code {
    /// A number that tells programs apart, for schedules.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
