//! The evaluator: expressions, places and steps of a thread as terms, under a state.
//!
//! A [`State`] is what one thread has at one point of its code: the path that led there, the frame of the running call,
//! and the contents of objects. [`Evaluator::eval`] gives the term of a pure expression, [`Evaluator::load`] and
//! [`Evaluator::store`] access places, [`Evaluator::data_step`] executes any step that changes nothing but values.
//!
//! Where control goes, and what a thread may know of memory that others use, is the part of a [`Driver`]:
//!
//! - [`unwind`](crate::unwind) executes each thread alone, so that what others write becomes events;
//! - [`interleave`](crate::interleave) executes all threads on one state, so that memory is always known.
//!
//! **Architecture invariant:** nothing here asks which driver it works for. What drivers do differently is a method of
//! [`Driver`].

mod accesses;
mod bounds;
pub(crate) mod contents;
mod expressions;
pub(crate) mod fingerprint;
pub(crate) mod frames;
pub(crate) mod knowledge;
pub(crate) mod memory;
mod objects;
pub(crate) mod state;
mod steps;

use std::fmt;
use std::rc::Rc;

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Id, IndexVec, Stop};
use heddle_ir::loops::LoopId;
use heddle_ir::objects::Site;
use heddle_ir::visibility::Visibility;
use heddle_ir::{AllocKind, CheckId, FuncId, Function, InputId, Program, Property, PropertySet, StepId};
use heddle_solver::{TermId, Terms};
use rustc_hash::FxHashMap;

pub(crate) use self::accesses::Place;
pub(crate) use self::contents::{Cell, Contents};
pub(crate) use self::frames::{FunctionInfo, Functions};
pub(crate) use self::state::State;

use self::knowledge::{Knowledge, mix};
use self::memory::Targets;
use crate::operators::Unsupported;
use crate::unwind::scope::CodeKey;

/// How far to unwind.
#[derive(Clone, Debug)]
pub struct UnwindConfig {
    /// Rounds of each loop, and depth of recursion, that are not decided by constants.
    pub unwind: u64,
    /// Other bounds for single loops, by name.
    pub unwindset: Vec<(String, u64)>,
    /// What is checked.
    pub properties: PropertySet,
    /// All values that inputs can have, where that is known.
    pub domains: Vec<(InputId, Vec<u128>)>,
    /// Whether to ask where threads block for ever.
    pub deadlocks: bool,
    /// Steps of all threads; the rest is cut off.
    pub max_steps: u64,
    /// Steps that each thread makes; what it does later is cut off.
    pub thread_steps: Option<u64>,
}

/// What a bound cuts off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CutCause {
    /// Further iterations of a loop.
    Loop(FuncId, LoopId),
    /// Further recursive calls of a function.
    Recursion(FuncId),
    /// The rest of a thread that has made as many steps as it may, in a function of the user's if there is one.
    Steps(FuncId),
    /// What lies outside a scope.
    Scope,
}

/// What may be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuspectKind {
    /// An `assert` step's condition does not hold.
    Check(CheckId),
    /// An access, a free or a call through a bad pointer.
    Memory,
    /// A use of what was never written.
    Uninit,
}

impl SuspectKind {
    /// The property that is violated.
    pub fn property(self, program: &Program) -> Property {
        match self {
            SuspectKind::Check(check) => program.checks[check].property,
            SuspectKind::Memory => Property::Memory,
            SuspectKind::Uninit => Property::Uninit,
        }
    }
}

/// Where a cell lies that says whether an object is alive: no access reaches it.
pub const LIFE: u32 = u32::MAX - 15;

/// Why a state does not go on.
pub(crate) enum Halt {
    Unsupported(Unsupported),
    Stop(Stop),
}

impl From<Unsupported> for Halt {
    fn from(what: Unsupported) -> Self {
        Halt::Unsupported(what)
    }
}

pub(crate) type Outcome<T> = Result<T, Halt>;

/// The call that is being executed.
pub(crate) struct Running<'a> {
    pub(crate) func: FuncId,
    pub(crate) function: &'a Function,
    pub(crate) info: &'a FunctionInfo,
    pub(crate) key: CallKey,
}

/// Identifies a call among all calls of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallKey {
    /// In one unwinding: states that could not be merged make calls of their own.
    pub(crate) context: u64,
    /// In all executions.
    pub(crate) code: CodeKey,
}

impl CallKey {
    /// Where nobody asks.
    pub(crate) const NONE: CallKey = CallKey { context: 0, code: CodeKey::FIRST };

    /// A call of a function by the step with this key.
    pub(crate) fn of(self, func: FuncId) -> CallKey {
        CallKey { context: mix(self.context, func.index() as u64), code: self.code.call(func) }
    }
}

/// An access to memory: the pointer, the objects that it can point into, and what is accessed there.
pub(crate) struct Reach<'a> {
    pub(crate) pointer: TermId,
    pub(crate) places: &'a [Place],
    /// Bytes.
    pub(crate) len: u32,
}

/// What the drivers of the evaluator do differently: memory that threads share, and what is noted on the way.
///
/// Functions take the evaluator as their first argument because they need all of it, the driver included.
pub(crate) trait Driver: Sized {
    /// What a state has beside path, frame and store.
    type Own: Clone + fmt::Debug;

    /// The cell that a pointer certainly points to, where nothing else need be asked or noted: object and offset.
    fn certain_cell(
        evaluator: &Evaluator<'_, Self>,
        state: &State<Self::Own>,
        pointer: TermId,
        len: u32,
    ) -> Option<(u32, u32)>;

    /// What a valid access reads (as a pointer in 64 bits if `as_pointer`), and whether it was ever written.
    fn read(
        evaluator: &mut Evaluator<'_, Self>,
        state: &mut State<Self::Own>,
        reach: &Reach<'_>,
        as_pointer: bool,
    ) -> Outcome<(TermId, TermId)>;

    /// A valid access writes a cell.
    fn write(
        evaluator: &mut Evaluator<'_, Self>,
        state: &mut State<Self::Own>,
        reach: &Reach<'_>,
        cell: Cell,
    ) -> Outcome<()>;

    /// What a load gives if its place was never written where `missing` holds.
    fn unwritten(
        evaluator: &mut Evaluator<'_, Self>,
        state: &mut State<Self::Own>,
        value: TermId,
        missing: TermId,
    ) -> TermId;

    /// Whether an object that is neither constant nor a global is alive now. Asked only if `when` holds: otherwise
    /// nobody may have made it yet.
    fn alive(
        evaluator: &mut Evaluator<'_, Self>,
        state: &mut State<Self::Own>,
        object: u32,
        when: TermId,
    ) -> Outcome<TermId>;

    /// The life of an object has ended in this state, if `when` holds.
    fn ended(evaluator: &mut Evaluator<'_, Self>, state: &mut State<Self::Own>, object: u32, when: TermId);

    /// Whether other threads can notice a write of this thread to an object.
    fn is_noticed(evaluator: &mut Evaluator<'_, Self>, state: &State<Self::Own>, object: u32) -> bool;

    /// Whether the state knows all contents of an object.
    fn knows(evaluator: &mut Evaluator<'_, Self>, state: &State<Self::Own>, object: u32) -> bool;

    /// The contents that an object of another thread has in a state that did not write there; none if they are those that
    /// the program declares.
    fn foreign_contents(evaluator: &mut Evaluator<'_, Self>, object: u32) -> Option<Foreign>;

    /// Tells apart objects that one allocation makes, by their size.
    fn allocation_salt(size: TermId) -> u64;

    /// A valid access of the step at hand, which may race.
    fn note_access(evaluator: &mut Evaluator<'_, Self>, state: &mut State<Self::Own>, reach: &Reach<'_>, write: bool);

    /// An object is made.
    fn note_allocation(evaluator: &mut Evaluator<'_, Self>, state: &State<Self::Own>, object: u32, kind: AllocKind);

    /// An object is freed if `here` holds.
    fn note_free(
        evaluator: &mut Evaluator<'_, Self>,
        state: &State<Self::Own>,
        object: u32,
        here: TermId,
        kind: AllocKind,
    );

    /// Something is wrong if `wrong` holds; the state goes on only if it does not.
    fn suspect(evaluator: &mut Evaluator<'_, Self>, state: &mut State<Self::Own>, wrong: TermId, what: SuspectKind);

    /// An input is read.
    fn note_input(evaluator: &mut Evaluator<'_, Self>, state: &State<Self::Own>, input: InputId, value: TermId);

    /// A term that holds in every execution.
    fn constrain(evaluator: &mut Evaluator<'_, Self>, holds: TermId);

    /// Something that has no terms is met if `guard` holds.
    fn note_unsupported(evaluator: &mut Evaluator<'_, Self>, guard: TermId, what: String);
}

/// What a thread knows of another thread's object that it did not write.
pub(crate) struct Foreign(pub(crate) Option<Rc<Contents>>);

/// See the module. `D` is the driver and what it keeps.
pub(crate) struct Evaluator<'a, D: Driver> {
    pub(crate) program: &'a Program,
    pub(crate) visibility: &'a Visibility,
    pub(crate) infos: &'a Functions,
    pub(crate) config: &'a UnwindConfig,
    pub(crate) knowledge: &'a mut Knowledge,
    pub(crate) terms: &'a mut Terms,
    pub(crate) driver: D,
    pub(crate) targets: Targets,
    /// Contents of globals before the program starts, where somebody has asked for them.
    pub(crate) initial: FxHashMap<u32, Rc<Contents>>,
    /// How often something with a key was met, where that tells variables apart.
    pub(crate) occurrences: FxHashMap<u64, u32>,
    pub(crate) ticker: Ticker,
    /// The thread at hand: what identifies it, and the number that the program knows it by.
    pub(crate) thread_key: u64,
    pub(crate) number: u32,
    /// Identifies the execution of the step at hand.
    pub(crate) step_key: u64,
    pub(crate) site: Site,
    /// Whether the step at hand must not read what was never written.
    pub(crate) checked: bool,
    /// Terms of expressions that are constants, by function; empty where nobody asked.
    constants: IndexVec<FuncId, Vec<Option<TermId>>>,
}

/// What an evaluator borrows.
pub struct Parts<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where threads can be switched.
    pub visibility: &'a Visibility,
    /// How far to unwind.
    pub config: &'a UnwindConfig,
    /// Objects and threads by number.
    pub knowledge: &'a mut Knowledge,
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// When to stop.
    pub budget: &'a Budget,
}

impl<'a, D: Driver> Evaluator<'a, D> {
    /// An evaluator for a driver, which asks the budget every `interval` steps.
    pub(crate) fn new(parts: Parts<'a>, infos: &'a Functions, driver: D, interval: u32) -> Self {
        let Parts { program, visibility, config, knowledge, terms, budget } = parts;
        Evaluator {
            program,
            visibility,
            infos,
            config,
            knowledge,
            terms,
            driver,
            targets: Targets::default(),
            initial: FxHashMap::default(),
            occurrences: FxHashMap::default(),
            ticker: Ticker::new(budget.clone(), interval),
            thread_key: 0,
            number: 1,
            step_key: 0,
            site: Site { thread: 1, func: program.entry, step: StepId::new(0) },
            checked: false,
            constants: IndexVec::from_elem(Vec::new(), program.functions.len()),
        }
    }
}
