//! `interleave`: all threads executed symbolically on one state, one scheduled step at a time.
//!
//! A [`World`] is a state between two scheduled steps: where each thread stands, what is in memory (terms), what was
//! decided on the way. [`Interleaver::turn`] lets one thread make one step and returns the worlds after it: several
//! where a condition is not decided by constants, none where the thread is blocked. Which thread moves when is the
//! caller's business; this is what the nodes of a reachability tree are made of.
//!
//! A turn is the same as a turn of the machine (one step that others can notice, and all that follows it up to the next
//! one), so a path through worlds is a schedule.
//!
//! **Worlds share what they have in common.** Threads, objects and decisions are behind reference counts; a copy of
//! a world copies pointers, and a turn copies the frame and the objects that it changes.

mod one_state;
mod turn;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heddle_base::budget::Ticker;
use heddle_base::{Budget, IndexVec, Loc, Stop};
use heddle_ir::assertions::AssertionId;
use heddle_ir::bits::BitSet;
use heddle_ir::liveness::Liveness;
use heddle_ir::{AllocKind, CastOp, Expr, FuncId, Function, InputId, Program, Property, PropertySet, StepId, SyncKind};
use heddle_solver::{Answer, Solver, TermId, Terms};

pub use self::world::{Bounded, Halted, InputNode, World};

pub use crate::evaluate::fingerprint::Fingerprint;
pub use crate::evaluate::{CutCause, Parts};

use self::one_state::OneState;
use self::world::Thread;
use crate::evaluate::contents::Path;
use crate::evaluate::knowledge::Kind;
use crate::evaluate::state::Frame;
use crate::evaluate::{Evaluator, Functions};
use crate::operators;
use heddle_ir::visibility::Visibility;

/// The budget is asked every so many steps.
const TICKS: u32 = 64;

/// How long to think about whether a branch can be taken before it is taken to be possible.
const FEASIBLE_MILLIS: u64 = 100;

/// What can come of a turn.
#[derive(Debug, Default)]
pub struct Turn {
    /// The worlds after it.
    pub next: Vec<Next>,
    /// Why the thread may be unable to move.
    pub waits: Vec<Waiting>,
    /// What may go wrong in it.
    pub suspects: Vec<Suspicion>,
    /// Accesses that may race with those of other threads, where races are checked.
    pub accesses: Vec<Touch>,
    /// Whether a section may have made accesses and then had to wait: they count where it does not have to.
    pub unfinished: bool,
    /// Objects accessed by steps that others could notice.
    touched: Vec<u32>,
    /// Whether it did something else that others could notice.
    visible: bool,
}

/// An access that may race.
#[derive(Clone, Debug)]
pub struct Touch {
    guard: TermId,
    address: TermId,
    /// Bytes; none if all of the object.
    len: Option<u64>,
    write: bool,
    atomic: bool,
    user_section: bool,
    /// Whether it is made in a section, which may be blocked.
    pub section: bool,
    /// Whether the turn took a spurious wake-up before.
    pub spurious: bool,
    /// The inputs read before.
    pub inputs: Option<Rc<InputNode>>,
    /// Where it is made.
    pub loc: Loc,
}

/// A world after a turn.
#[derive(Clone, Debug)]
pub struct Next {
    /// The world.
    pub world: World,
    /// Steps of the thread up to it that others can notice: one, if it was not let run on.
    pub turns: u32,
    /// Whether the last of them took a spurious wake-up.
    pub spurious: bool,
    /// Whether the process has ended.
    pub exit: bool,
}

/// A thread that cannot move.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Whether it cannot.
    pub guard: TermId,
    /// What it waits for; none for an assumption.
    pub kind: Option<SyncKind>,
    /// Where that is, for locks.
    pub object: Option<TermId>,
    /// Whether a spurious wake-up is possible.
    pub spurious: bool,
}

/// Something that may go wrong.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// Whether it does.
    pub guard: TermId,
    /// The inputs read before.
    pub inputs: Option<Rc<InputNode>>,
    /// Steps of the thread that others can notice, the one with the suspicion included.
    pub turns: u32,
    /// Whether the last of them took a spurious wake-up before.
    pub spurious: bool,
    /// What it is, and where.
    pub place: Place,
}

/// What goes wrong where: the same in all executions of which one is enough to be reported.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A property that one step violates.
    Step(Property, Loc),
    /// Two accesses that race.
    Race(Loc, Loc),
    /// Threads that wait, and where each does.
    Deadlock(Vec<Loc>),
    /// An object that is not freed.
    Leak(u32),
}

impl Place {
    /// The property that is violated.
    pub fn property(&self) -> Property {
        match self {
            Place::Step(property, _) => *property,
            Place::Race(..) => Property::Race,
            Place::Deadlock(_) => Property::Deadlock,
            Place::Leak(_) => Property::Leak,
        }
    }
}

/// What keeps an answer from covering everything.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    /// Something that has no terms.
    pub unsupported: Option<String>,
    /// Something undefined that is not checked.
    pub undefined: bool,
    /// A read of what was never written.
    pub uninitialised: bool,
    /// Calls nested too deep.
    pub too_deep: bool,
    /// A loop or recursion was cut off.
    pub cut: bool,
    /// What was cut off, and where in the user's own code.
    pub cuts: BTreeSet<(CutCause, Loc)>,
    /// A thread loops for ever without a step that others can notice. That keeps nothing from being covered, but such a thread
    /// must be stopped where a schedule is executed.
    pub endless: bool,
    /// A thread was cut off at the bound on its steps.
    pub steps_cut: bool,
    /// A thread can observe another one without synchronising with it: races are then possible between accesses that are
    /// adjacent in no interleaving.
    pub unordered: bool,
}

/// A thread in a world that holds something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hold {
    pub(super) thread: usize,
    pub(super) object: TermId,
}

/// For each step of a function the registers whose value can be read by it or later.
type UsedFrom = Rc<IndexVec<StepId, BitSet>>;

/// Executes turns. See the module.
pub struct Interleaver<'a> {
    evaluator: Evaluator<'a, OneState>,
    plan: &'a Plan,
    used_from: IndexVec<FuncId, Option<UsedFrom>>,
    solver: Solver,
    budget: Budget,
    /// Steps executed.
    steps: u64,
    /// What was met so far.
    pub obstacles: Obstacles,
    /// Branches that the solver showed to be impossible.
    pub pruned: u64,
    /// What executions reach: certainly, or perhaps. What they do not reach is not there.
    pub reached: BTreeMap<Milestone, bool>,
}

/// What an answer within bounds tells whether it was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Milestone {
    /// The first thread, or the process, ends in good order.
    EndOfMain,
    /// An assertion of the user's is evaluated.
    Assertion(AssertionId),
}

/// What is computed once for a program.
pub struct Plan {
    functions: Functions,
    /// Whether the user's own code turns pointers into integers.
    hides_addresses: bool,
}

impl Plan {
    /// Of a program.
    pub fn new(program: &Program, visibility: &Visibility, properties: PropertySet) -> Self {
        let casts = |function: &Function| {
            let mut exprs = function.exprs.iter();
            !function.model && exprs.any(|expr| matches!(expr, Expr::Cast { op: CastOp::PtrToInt, .. }))
        };
        Plan {
            functions: Functions::new(program, visibility, properties),
            hides_addresses: program.functions.iter().any(casts),
        }
    }
}

impl<'a> Interleaver<'a> {
    /// An interleaver of a program.
    pub fn new(parts: Parts<'a>, plan: &'a Plan) -> Self {
        let (program, budget) = (parts.program, parts.budget.clone());
        let evaluator = Evaluator::new(parts, &plan.functions, OneState::default(), TICKS);
        Interleaver {
            evaluator,
            plan,
            used_from: IndexVec::from_elem(None, program.functions.len()),
            solver: Solver::new(),
            budget,
            steps: 0,
            obstacles: Obstacles::default(),
            pruned: 0,
            reached: BTreeMap::new(),
        }
    }

    /// The terms that worlds are made of.
    pub fn terms(&mut self) -> &mut Terms {
        self.evaluator.terms
    }

    /// When to stop.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Stops at another time from now on.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.evaluator.ticker = Ticker::new(budget.clone(), TICKS);
    }

    /// Where a thread stands, in the user's own code if there is a place in it.
    fn user_place(&self, thread: &Thread) -> (FuncId, Loc) {
        let functions = &self.evaluator.program.functions;
        let own = (thread.func, functions[thread.func].steps[thread.at].loc);
        if !functions[thread.func].model {
            return own;
        }
        let mut at = thread.callers.as_ref();
        while let Some(caller) = at {
            if !functions[caller.func].model {
                return (caller.func, functions[caller.func].steps[caller.at].loc);
            }
            at = caller.callers.as_ref();
        }
        own
    }

    /// A deadlock of threads that wait.
    pub fn deadlock_of(&self, world: &World, waiting: impl Iterator<Item = usize>) -> Place {
        Place::Deadlock(waiting.map(|thread| self.user_place(&world.threads[thread]).1).collect())
    }

    /// Steps executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The world in which nothing has happened yet, and what comes of it until the first thread's first turn.
    pub fn start(&mut self) -> Result<(World, Turn), Stop> {
        let program = self.evaluator.program;
        let frame = self.frame_of(program.entry);
        let thread = Thread::new(1, 0, Rc::from("0"), program.entry, frame);
        let world = World {
            threads: vec![Rc::new(thread)],
            store: Rc::new(BTreeMap::new()),
            path: Path::root(Terms::TRUE),
            holds: Rc::default(),
            inputs: None,
        };
        let turn = self.prefix(world.clone(), 0)?;
        Ok((world, turn))
    }

    /// What a call of a function begins with.
    fn frame_of(&self, func: FuncId) -> Frame {
        let function = &self.evaluator.program.functions[func];
        Frame {
            regs: vec![None; function.regs.len()],
            marks: vec![Terms::FALSE; self.evaluator.infos.of(func).marked.len()],
            slots: vec![None; function.slots.len()],
            ..Frame::default()
        }
    }

    /// Whether a thread stands where it may be blocked.
    pub fn may_wait(&self, world: &World, thread: usize) -> bool {
        let thread = &world.threads[thread];
        self.evaluator.infos.of(thread.func).may_stop(thread.at)
    }

    /// Whether an execution can have this guard. In doubt it can.
    pub fn is_feasible(&mut self, guard: TermId) -> Result<bool, Stop> {
        let known = self.feasibility(guard)?;
        self.pruned += u64::from(known == Some(false) && self.evaluator.terms.as_bool(guard).is_none());
        Ok(known.unwrap_or(true))
    }

    /// Whether an execution can have this guard. None if that takes too long to find out.
    fn feasibility(&mut self, guard: TermId) -> Result<Option<bool>, Stop> {
        if let Some(known) = self.evaluator.terms.as_bool(guard) {
            return Ok(Some(known));
        }
        let limit = std::time::Duration::from_millis(FEASIBLE_MILLIS);
        let limit = self.budget.time_left().map_or(limit, |left| left.min(limit));
        let budget = self.budget.clone().with_time(limit);
        let answer = self.solver.solve(self.evaluator.terms, &[guard], &budget).expect("guards are Boolean");
        match answer {
            Answer::Sat(_) => Ok(Some(true)),
            Answer::Unsat(_) => Ok(Some(false)),
            Answer::Unknown(Stop::Time) => {
                self.budget.check()?;
                Ok(None)
            }
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// An assertion is evaluated, or the first thread ends, under this guard.
    fn note_reached(&mut self, what: Milestone, guard: TermId) -> Result<(), Stop> {
        if !self.reached.contains_key(&what) {
            match self.feasibility(guard)? {
                Some(true) => drop(self.reached.insert(what, true)),
                None => drop(self.reached.insert(what, false)),
                Some(false) => {}
            }
        }
        Ok(())
    }

    /// A model of one of these guards.
    pub fn model_of(&mut self, guards: &[TermId]) -> Result<Option<heddle_solver::Model>, Stop> {
        let any = self.evaluator.terms.or_all(guards);
        if any == Terms::FALSE {
            return Ok(None);
        }
        match self.solver.solve(self.evaluator.terms, &[any], &self.budget).expect("guards are Boolean") {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// Whether a turn commutes with all that other threads may do before it: it is certain, and what it accesses no
    /// other thread can reach.
    pub fn is_quiet(&mut self, world: &World, thread: usize, turn: &Turn) -> bool {
        // Addresses that were made into other numbers cannot be followed.
        if self.plan.hides_addresses || self.evaluator.targets.split {
            return false;
        }
        if turn.visible
            || turn.next.len() != 1
            || turn.next[0].exit
            || !turn.waits.is_empty()
            || !turn.suspects.is_empty()
        {
            return false;
        }
        let globals = self.evaluator.program.globals.len() as u32;
        if turn.touched.iter().any(|&object| object <= globals) {
            return false;
        }
        turn.touched.is_empty() || !self.others_reach(world, thread, &turn.touched)
    }

    /// Whether a thread other than this one, or a global, can lead to one of these objects.
    fn others_reach(&mut self, world: &World, thread: usize, objects: &[u32]) -> bool {
        let globals = self.evaluator.program.globals.len() as u32;
        let mut values: Vec<TermId> = Vec::new();
        let mut todo: Vec<u32> = world.store.range(..=globals).map(|(&object, _)| object).collect();
        for (index, other) in world.threads.iter().enumerate() {
            if index != thread {
                other.roots(&mut values, &mut todo);
            }
        }
        // Others' thread-locals are theirs without an address, also before they are written.
        let thread_locals = world.store.keys().chain(objects).filter(|&&object| {
            let notes = self.evaluator.knowledge.notes(object);
            notes.is_some_and(|notes| notes.kind == Kind::Global && notes.owner != world.threads[thread].number)
        });
        todo.extend(thread_locals);
        let mut seen: Vec<u32> = todo.clone();
        loop {
            for value in values.drain(..) {
                let found = self.evaluator.addressing().objects(value);
                for &object in found.iter() {
                    if !seen.contains(&object) {
                        seen.push(object);
                        todo.push(object);
                    }
                }
            }
            let Some(object) = todo.pop() else { return false };
            if objects.contains(&object) {
                return true;
            }
            if let Some(contents) = world.store.get(&object) {
                values.extend(contents.cells.values().map(|cell| cell.value));
            }
        }
    }

    /// Heap blocks that are left at the end of the process.
    pub fn leaks(&mut self, world: &World) -> Vec<Suspicion> {
        let mut leaks = Vec::new();
        if !self.evaluator.config.properties.contains(Property::Leak) {
            return leaks;
        }
        let heap = Kind::Alloc(AllocKind::Heap);
        for (&object, contents) in world.store.iter() {
            if self.evaluator.knowledge.notes(object).is_some_and(|notes| notes.kind == heap) {
                let guard = self.evaluator.terms.and_all(&[world.path.guard, contents.alive]);
                let (inputs, place) = (world.inputs.clone(), Place::Leak(object));
                leaks.push(Suspicion { guard, inputs, turns: 0, spurious: false, place });
            }
        }
        leaks.retain(|leak| leak.guard != Terms::FALSE);
        leaks
    }

    /// Threads that wait for each other, or for who has ended: for each cycle, whether it is one. `waits` has what each thread waits for.
    pub fn waiting_cycles(&mut self, world: &World, waits: &[(usize, Waiting)]) -> Vec<TermId> {
        let mut edges: Vec<(usize, usize, TermId)> = Vec::new();
        let mut cycles = Vec::new();
        for (from, wait) in waits {
            let (Some(object), false) = (wait.object, wait.spurious) else { continue };
            for hold in world.holds.iter() {
                let same = self.evaluator.terms.eq(object, hold.object);
                let condition = self.evaluator.terms.and_all(&[wait.guard, same]);
                if condition == Terms::FALSE {
                    continue;
                }
                // Nobody gives back what a thread holds that has ended [ESBMC §4.1].
                if world.threads[hold.thread].halted == Halted::Finished {
                    cycles.push(condition);
                }
                edges.push((*from, hold.thread, condition));
            }
        }
        let starts: Vec<usize> = waits.iter().map(|(thread, _)| *thread).collect();
        for start in starts {
            self.cycles_from(start, &edges, &mut vec![start], Terms::TRUE, &mut cycles);
        }
        cycles
    }

    /// Whether accesses that two threads are about to make are to a common byte and race.
    pub fn conflict(&mut self, a: &Touch, b: &Touch) -> TermId {
        let apart = !(a.write || b.write) || a.atomic && b.atomic || a.user_section && b.user_section;
        if apart {
            return Terms::FALSE;
        }
        let terms = &mut *self.evaluator.terms;
        let (object_a, object_b) = (operators::object_of(terms, a.address), operators::object_of(terms, b.address));
        let mut all = vec![a.guard, b.guard, terms.eq(object_a, object_b)];
        let null = terms.bv(32, 0);
        all.push(terms.ne(object_a, null));
        if let (Some(len_a), Some(len_b)) = (a.len, b.len) {
            let (from_a, from_b) = (operators::offset_of(terms, a.address), operators::offset_of(terms, b.address));
            for (from, len, other) in [(from_a, len_a, from_b), (from_b, len_b, from_a)] {
                // Offsets are far from the ends of 33 bits.
                let (from, other) = (terms.sign_ext(from, 32), terms.sign_ext(other, 32));
                let len = terms.bv(64, len);
                let end = terms.add(from, len);
                all.push(terms.slt(other, end));
            }
        }
        terms.and_all(&all)
    }

    fn cycles_from(
        &mut self,
        start: usize,
        edges: &[(usize, usize, TermId)],
        path: &mut Vec<usize>,
        condition: TermId,
        cycles: &mut Vec<TermId>,
    ) {
        let at = *path.last().expect("a path has a start");
        for &(_, to, edge) in edges.iter().filter(|(from, ..)| *from == at) {
            let all = self.evaluator.terms.and_all(&[condition, edge]);
            if all == Terms::FALSE {
                continue;
            }
            if to == start {
                cycles.push(all);
            } else if to > start && !path.contains(&to) {
                path.push(to);
                self.cycles_from(start, edges, path, all, cycles);
                path.pop();
            }
        }
    }

    fn used_from(&mut self, func: FuncId) -> UsedFrom {
        let (program, infos) = (self.evaluator.program, self.evaluator.infos);
        let known = self.used_from[func].get_or_insert_with(|| {
            let (function, cfg) = (&program.functions[func], &infos.of(func).cfg);
            Rc::new(Liveness::new(function, cfg).before(function, cfg))
        });
        Rc::clone(known)
    }
}

/// The value of an input in a model.
pub fn input_bits(evaluator: &mut heddle_solver::Evaluator<'_>, value: TermId) -> u128 {
    match evaluator.eval(value) {
        heddle_solver::Value::Bool(value) => u128::from(value),
        heddle_solver::Value::Bits(bits) => bits.to_u128().unwrap_or(0),
        heddle_solver::Value::Array(_) => 0,
    }
}

/// Inputs in the order in which they were read: who read it, which, its value.
pub fn inputs_of(last: Option<&Rc<InputNode>>) -> Vec<(Rc<str>, InputId, TermId)> {
    let mut all = Vec::new();
    let mut at = last;
    while let Some(node) = at {
        all.push((Rc::clone(&node.thread), node.input, node.value));
        at = node.before.as_ref();
    }
    all.reverse();
    all
}
