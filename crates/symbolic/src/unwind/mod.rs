//! `unwind`: every thread executed symbolically, alone, merging where paths join.
//!
//! The result is what an event graph is made of: for each thread a chain of *nodes* (scheduled steps that other
//! threads can notice), the accesses of each node (guard, address, value), what is checked, and where something was
//! cut off. Nothing is said about who reads from whom: the value of a shared read is a variable.
//!
//! **What is shared is found out by doing.** An object belongs to the thread that made it (globals to the first
//! one), and its contents are terms in that thread's state until it is *published*: until another thread can have
//! its address. A cell that nobody writes after that stays a known term for everyone; a cell that one thread alone
//! writes stays known to that thread. Only the other accesses become events. Who accesses what is not known before
//! all threads are unwound, so it is assumed to be nobody, noted ([`Knowledge`]), and the unwinding repeated until
//! nothing new shows up. Names of variables, objects and threads depend on their place in the program alone, so
//! repeating is cheap and notes stay valid.
//!
//! **Prefix semantics.** A thread may stop at an `await`, at an assumption, at a cut-off: each section that may
//! block has a free literal that says whether it was executed, and what follows is guarded by it.
//!
//! **Deadlocks.** Where a section that may block is not executed, a *probe* executes it in a node that comes after all
//! others ([`Unwinding::end`]), up to its `await`: a thread may count as blocked only if the condition fails there.
//!
//! **Races.** Where races are asked for, accesses that other threads may meet are listed ([`RaceAccess`]), and there is a
//! node that stands nowhere in particular ([`Unwinding::now`]): a moment at which two threads are about to race.
//!
//! **Schedules.** Every step before which the machine can switch is a [`Tick`], so that a model tells how many turns
//! of the machine lead to each node.

mod control;
mod driver;
mod events;
mod lives;
mod locks;
mod notes;
mod publication;
pub mod scope;
mod sections;
mod state;
mod steps;

use std::rc::Rc;

use heddle_base::{Budget, IndexVec, Stop, define_id};
use heddle_ir::assertions::AssertionId;
use heddle_ir::{InputId, Program, SyncKind};
use heddle_solver::{TermId, Terms};

pub use crate::evaluate::knowledge::{Knowledge, Origin};
pub use crate::evaluate::memory::{Addressing, Initial, Targets};
pub use crate::evaluate::{CutCause, LIFE, Parts, SuspectKind, UnwindConfig};

pub use self::scope::{CodeKey, Frontier};

use self::scope::{Everything, Scope};
use crate::evaluate::Functions;

use heddle_ir::objects::Site;
use heddle_ir::visibility::Visibility;

define_id!(
    /// A thread of an unwinding.
    pub ThreadIx, "t"
);
define_id!(
    /// A node of an unwinding.
    pub NodeIx, "n"
);

impl ThreadIx {
    /// The program's first thread.
    pub const FIRST: ThreadIx = ThreadIx(0);
}

/// All threads, unwound.
#[derive(Debug, Default)]
pub struct Unwinding {
    /// The threads; the first one is the program's first.
    pub threads: IndexVec<ThreadIx, UnwoundThread>,
    /// The nodes of all threads. Their order in a thread is the thread's `chain`.
    pub nodes: IndexVec<NodeIx, Node>,
    /// Accesses that other threads can notice or that can notice others.
    pub accesses: Vec<AccessEvent>,
    /// Objects that other threads got to know, with what was in them.
    pub publications: Vec<Publication>,
    /// Terms that hold in every execution.
    pub constraints: Vec<TermId>,
    /// What an executed section needs, given as (guard, condition): its conditions at `await`.
    pub requirements: Vec<(TermId, TermId)>,
    /// What can go wrong.
    pub violations: Vec<Suspect>,
    /// What is undefined and not checked.
    pub undefined: Vec<Suspect>,
    /// Where threads may be blocked for ever.
    pub blocked: Vec<Blocked>,
    /// Where threads end, where deadlocks are asked for.
    pub ended: Vec<Ended>,
    /// Locks that are taken while others are held, where deadlocks are asked for.
    pub lock_edges: Vec<LockEdge>,
    /// Whether a thread gives back a lock that it did not take, so that nobody knows who holds it: guards.
    pub given_back: Vec<TermId>,
    /// Whether the process ends: guards.
    pub exits: Vec<TermId>,
    /// Whether a thread stops that may have gone on in another execution, or could still move: guards.
    pub stops: Vec<TermId>,
    /// The node after all others, in which threads that have stopped look whether they could go on.
    pub end: Option<NodeIx>,
    /// Accesses that may race.
    pub races: Vec<RaceAccess>,
    /// Whether a thread observed what another one did without synchronising with it: guards.
    pub unordered: Vec<TermId>,
    /// A node with a place of its own in the order, where races are asked for.
    pub now: Option<NodeIx>,
    /// Heap blocks that are made, where leaks are asked for.
    pub allocations: Vec<Allocation>,
    /// Where they are freed: node, guard, object.
    pub frees: Vec<(NodeIx, TermId, u32)>,
    /// Where the process ends in good order, where leaks are asked for.
    pub endings: Vec<Ending>,
    /// Whether a thread stops where it may have to wait, where leaks are asked for: guards.
    pub waits: Vec<TermId>,
    /// Reads of what was never written, where that is not checked.
    pub uninitialised: Vec<TermId>,
    /// Where threads were cut off.
    pub cuts: Vec<CutOff>,
    /// Where the user's assertions are evaluated: guards.
    pub asserted: Vec<(TermId, AssertionId)>,
    /// Whether the process, or its first thread, ends in good order: guards.
    pub main_ends: Vec<TermId>,
    /// Whether a thread loops for ever without a step that others can notice: guards.
    pub endless: Vec<TermId>,
    /// Where threads leave the scope. Their guards are among the cuts, or the stops if nothing matters behind them.
    pub frontiers: Vec<Frontier>,
    /// Where something was met that has no terms: guards, and what it was.
    pub unsupported: Vec<(TermId, String)>,
    /// What its terms can point to.
    pub targets: Targets,
    /// How many times it took until nothing new showed up.
    pub attempts: u64,
    /// Steps executed.
    pub steps: u64,
    /// Whether the bound on steps was reached.
    pub out_of_steps: bool,
    /// Whether a thread was cut off at the bound on its own steps.
    pub steps_cut: bool,
    /// Whether calls were nested deeper than can be unwound.
    pub too_deep: bool,
}

impl Unwinding {
    /// Whether threads were cut off: guards.
    pub fn cut_guards(&self) -> impl Iterator<Item = TermId> + '_ {
        self.cuts.iter().map(|cut| cut.guard)
    }
}

/// A thread is cut off.
#[derive(Clone, Copy, Debug)]
pub struct CutOff {
    /// Whether it is.
    pub guard: TermId,
    /// By which bound, and at what.
    pub cause: CutCause,
    /// Where, in the user's own code if there is a place in it.
    pub site: Site,
}

/// One thread.
#[derive(Debug, Default)]
pub struct UnwoundThread {
    /// Its nodes in program order.
    pub chain: Vec<NodeIx>,
    /// Steps before which the machine can switch, in order.
    pub ticks: Vec<Tick>,
    /// Inputs in the order in which they are read.
    pub inputs: Vec<InputRead>,
    /// Threads that it starts, in order: guard, thread, and the node that starts it.
    pub children: Vec<(TermId, ThreadIx, NodeIx)>,
}

/// A scheduled step of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// Whether it is executed.
    pub guard: TermId,
    /// Whether it is executed by a spurious wake-up.
    pub spurious: TermId,
}

/// A step that others can notice.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its thread.
    pub thread: ThreadIx,
    /// Ticks of the thread up to here, its own one included, executed or not.
    pub ticks: usize,
    /// Whether everything that its thread does later is done only if this node is executed.
    pub spine: bool,
    /// Where it begins.
    pub site: Site,
}

/// A read or write of a cell that several threads use.
#[derive(Clone, Debug)]
pub struct AccessEvent {
    /// Its node.
    pub node: NodeIx,
    /// Whether it is executed.
    pub guard: TermId,
    /// Whether it writes.
    pub write: bool,
    /// The address, a pointer.
    pub address: TermId,
    /// The objects that it can be in.
    pub objects: Rc<[u32]>,
    /// Bytes.
    pub len: u32,
    /// Whether the value is a pointer in 64 bits, whatever `len` is.
    pub pointer: bool,
    /// What is read or written.
    pub value: TermId,
    /// Whether reading here what was never written is a violation.
    pub checked: bool,
}

/// An access that races with others that it is not ordered with.
#[derive(Clone, Debug)]
pub struct RaceAccess {
    /// Its node.
    pub node: NodeIx,
    /// Whether it is executed.
    pub guard: TermId,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is not atomic.
    pub plain: bool,
    /// Whether it stands in a section of the user's, which are ordered with one another.
    pub user: bool,
    /// Whether it is certain before its node begins: what that finds there does not matter.
    pub fixed: bool,
    /// Whether it ends the object's life.
    pub free: bool,
    /// The address, a pointer.
    pub address: TermId,
    /// The objects that it can be in.
    pub objects: Rc<[u32]>,
    /// Bytes; of a free, the most there can be.
    pub len: u32,
    /// Where it is, in the user's own code if there is a place in it.
    pub site: Site,
}

/// A heap block.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// Where it is made.
    pub node: NodeIx,
    /// Whether it is.
    pub guard: TermId,
    /// The object.
    pub object: u32,
    /// The step that makes it.
    pub site: Site,
}

/// An exit.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Its node.
    pub node: NodeIx,
    /// Whether it is executed.
    pub guard: TermId,
}

/// An object becomes known to other threads.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The node before which nobody else knows it.
    pub node: NodeIx,
    /// Whether it happens.
    pub guard: TermId,
    /// The object.
    pub object: u32,
    /// What is in it.
    pub initial: Initial,
}

/// A thread that waits for what does not come.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// Whether it does.
    pub guard: TermId,
    /// The thread, by the number it has for itself.
    pub thread: u32,
    /// Whether it waits for something that another thread holds.
    pub lock: bool,
    /// Who holds that, if the object tells: a term of 32 bits.
    pub holder: Option<TermId>,
    /// What it waits for, a pointer.
    pub object: TermId,
    /// Read-write locks that it holds: address, and whether it does.
    pub held: Rc<[(TermId, TermId)]>,
    /// Where, in the user's own code if there is a place in it.
    pub site: Site,
}

/// A thread that has come to its end. What it holds then nobody gives back.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Whether it does.
    pub guard: TermId,
    /// The thread, by the number it has for itself.
    pub thread: u32,
    /// Read-write locks that it holds: address, and whether it does.
    pub held: Rc<[(TermId, TermId)]>,
}

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldLock {
    /// Its address, a pointer.
    pub address: TermId,
    /// Its kind.
    pub kind: SyncKind,
    /// Whether it is held, given that the thread is where it is.
    pub when: TermId,
    /// Where it was taken.
    pub node: NodeIx,
    /// Where that is in the user's own code.
    pub site: Site,
}

/// A thread waits for a lock, or gets it, while it holds another.
#[derive(Clone, Debug)]
pub struct LockEdge {
    /// The thread.
    pub thread: ThreadIx,
    /// Whether it does.
    pub guard: TermId,
    /// What it holds.
    pub held: HeldLock,
    /// What it takes.
    pub taken: HeldLock,
    /// What else it certainly holds, by address.
    pub gates: Vec<TermId>,
}

/// Something that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Whether it is.
    pub guard: TermId,
    /// Whose fault it is.
    pub thread: ThreadIx,
    /// How many ticks of the thread come before it, executed or not.
    pub ticks: usize,
    /// What it is.
    pub what: SuspectKind,
    /// Where, in the user's own code if there is a place in it.
    pub site: Site,
}

/// An input that is read.
#[derive(Clone, Copy, Debug)]
pub struct InputRead {
    /// Whether it is.
    pub guard: TermId,
    /// Which.
    pub input: InputId,
    /// Its value.
    pub value: TermId,
}

/// Whether memory that was never written holds arbitrary values. The machine reads zeros there, so what is to be
/// confirmed is asked without; what is to be proved, with.
pub fn arbitrary(terms: &mut Terms) -> TermId {
    terms.bool_var("arbitrary")
}

/// The budget is asked every so many steps: one of them may merge large states.
const TICKS: u32 = 4;

/// Steps of the first attempt: what is assumed before anything is known may loop for ever.
const FIRST_STEPS: u64 = 20_000;

/// Unwinds all threads of a program.
pub fn unwind(
    program: &Program,
    visibility: &Visibility,
    config: &UnwindConfig,
    knowledge: &mut Knowledge,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Unwinding, Stop> {
    unwind_within(&Everything, Parts { program, visibility, config, knowledge, terms, budget })
}

/// Unwinds all threads of a program as far as they stay in a scope.
pub(crate) fn unwind_within(scope: &dyn Scope, parts: Parts<'_>) -> Result<Unwinding, Stop> {
    let Parts { program, visibility, config, knowledge, terms, budget } = parts;
    let infos = Functions::new(program, visibility, config.properties);
    let mut limit = FIRST_STEPS.min(config.max_steps);
    let mut attempts = 0;
    knowledge.forget_terms();
    loop {
        attempts += 1;
        knowledge.begin();
        let parts = Parts { program, visibility, config, knowledge, terms, budget };
        let unwinder = steps::Unwinder::new(parts, &infos, driver::Threads::new(program, scope, limit), TICKS);
        let mut unwinding = unwinder.run()?;
        unwinding.attempts = attempts;
        if !knowledge.has_changed() {
            if !unwinding.out_of_steps || limit >= config.max_steps {
                return Ok(unwinding);
            }
            limit = limit.saturating_mul(8).min(config.max_steps);
        }
        budget.check()?;
    }
}
