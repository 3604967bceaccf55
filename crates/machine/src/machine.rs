//! The concrete machine: the state of one execution, and what a scheduler can do to it.
//!
//! [`Machine::readiness`] tells who can move, [`Machine::step`] moves one thread by one *scheduled step*: a visible
//! step or a whole atomic section, and the thread's local steps up to its next visible one. Everything else
//! (schedulers, replay, exploration, traces) is built on these two.
//!
//! **Deterministic:** what a step does depends on the state alone; inputs come from [`Inputs`].
//!
//! **Blocking.** A section whose `await` fails has not happened: the machine tries sections that can block
//! ([`Machine::readiness`]) on a journal and takes everything back.
//!
//! **Assumptions** that fail stop their own thread only: what other threads do meanwhile can happen just as well
//! before the assumption, so it is real (docs/design.md, "Prefix semantics").

use std::collections::BTreeSet;

use heddle_base::{Budget, Id, IndexVec, Loc};
use heddle_ir::assertions::AssertionId;
use heddle_ir::{FuncId, Program, Property, PropertySet, StepId, StepKind, SyncKind};

use crate::code::{Code, Op, Pc, Word};
use crate::event::{Event, Range};
use crate::files::Files;
use crate::inputs::Inputs;
use crate::memory::{Memory, ObjectKind};
use crate::race::RaceMonitor;
use crate::recorder::Recorder;
use crate::run::range_at;
use crate::scheduler::NextStep;
use crate::thread::{Readiness, Status, Stuck, Thread, Wait};
use heddle_ir::objects::{MAX_THREADS, Site};
use heddle_ir::section_awaits::Awaits;
use heddle_ir::uninitialised::LiveRegisters;
use heddle_ir::value::is_wide;
use heddle_task::Choice;
use heddle_task::Violation;
use heddle_task::{ThreadId, ThreadNames};

/// What one execution may consume.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps of one thread; a thread that reaches the bound stops, the others go on.
    pub thread_steps: Option<u64>,
    /// Scheduled steps of one thread, likewise.
    pub thread_turns: Option<u64>,
    /// Steps of one thread in one turn, likewise; asked every million steps or so. In an atomic section it ends the execution.
    pub turn_steps: Option<u64>,
    /// Steps of all threads.
    pub steps: Option<u64>,
    /// Bytes of live objects.
    pub memory: u64,
    /// Words of a thread's frames.
    pub stack_words: usize,
    /// Calls in progress in a thread.
    pub stack_depth: usize,
    /// Threads in all.
    pub threads: usize,
    /// Bytes of output kept.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            thread_steps: None,
            thread_turns: None,
            turn_steps: None,
            steps: None,
            memory: 1 << 30,
            stack_words: 1 << 24,
            stack_depth: 100_000,
            threads: MAX_THREADS,
            output: 1 << 20,
        }
    }
}

/// A limit that stopped an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Too many steps.
    Steps,
    /// A thread loops for ever, and nothing else can happen.
    Endless,
    /// Too much memory.
    Memory,
    /// Too many objects of one thread.
    Objects,
    /// Calls nested too deep.
    Stack,
    /// Too many threads.
    Threads,
    /// Too much output.
    Output,
    /// What has no defined meaning, and no selected property covers it.
    Undefined,
    /// What is not supported.
    Unsupported,
    /// The time, the memory of the process or the user's patience is over.
    Budget(heddle_base::Stop),
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Steps => "the limit on steps is reached",
            Limit::Endless => "a thread loops for ever, and nothing else can happen",
            Limit::Memory => "the program allocates more memory than allowed",
            Limit::Objects => "a thread has too many memory objects at a time",
            Limit::Stack => "stack overflow: calls are nested too deep",
            Limit::Threads => "the program starts too many threads",
            Limit::Output => "the program prints more than allowed",
            Limit::Undefined => {
                "the program does what has no defined meaning, and the property that covers it is not checked"
            }
            Limit::Unsupported => "the program comes to something that is not supported",
            Limit::Budget(heddle_base::Stop::Time) => "the time is over",
            Limit::Budget(heddle_base::Stop::Memory) => "the memory limit is reached",
            Limit::Budget(heddle_base::Stop::Cancelled) => "cancelled",
        })
    }
}

/// What ended an execution for all threads.
#[derive(Clone, Debug)]
pub enum Halt {
    /// A property is violated.
    Violation(Box<Violation>),
    /// The process ended by itself.
    Exit {
        /// Its status.
        status: i32,
        /// Whether by `abort`.
        abort: bool,
    },
    /// A limit was reached.
    Limit(Limit),
    /// This execution does not exist, or means nothing: see [`Notes`].
    Discarded,
}

/// Who holds a synchronisation object.
#[derive(Clone, Debug)]
pub struct Hold {
    /// The object's address.
    pub object: u64,
    /// Its kind.
    pub kind: SyncKind,
    /// The holder.
    pub thread: ThreadId,
    /// Where it was taken.
    pub site: Site,
    /// Where that is in the user's own code.
    pub user_loc: heddle_base::Loc,
}

/// What `exit` does while other threads could still move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExitMode {
    /// It ends the process at once.
    #[default]
    Immediate,
    /// It stops its own thread; the process ends once nobody can move. Steps of others after it could as well have
    /// come before, so exploration need not try them there.
    Last,
}

/// Configuration of a machine.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What is checked.
    pub properties: PropertySet,
    /// What an execution may consume.
    pub limits: Limits,
    /// What `exit` does.
    pub exit: ExitMode,
    /// Whether events are recorded ([`Machine::event`]).
    pub events: bool,
    /// Whether the program's output is kept.
    pub output: bool,
    /// What programs that are compiled to be executed read from standard input; without it, reading is not supported.
    pub standard_input: Option<std::sync::Arc<[u8]>>,
}

/// The state of an execution.
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) code: &'p Code,
    pub(crate) config: Config,
    pub(crate) memory: Memory,
    pristine: Memory,
    /// In boxes: a thread is taken out while it runs.
    pub(crate) threads: IndexVec<ThreadId, Box<Thread>>,
    /// What stands in for the thread that was taken out.
    pub(crate) stand_in: Option<Box<Thread>>,
    pub(crate) names: ThreadNames,
    /// Values for `havoc` steps.
    pub inputs: Inputs,
    pub(crate) holds: Vec<Hold>,
    /// Whether a thread was found to be blocked since deadlocks were looked for.
    pub(crate) newly_blocked: bool,
    pub(crate) event: Event,
    pub(crate) race: Option<Box<RaceMonitor>>,
    pub(crate) recorder: Option<Box<Recorder>>,
    pub(crate) probing: bool,
    /// Threads that the step at hand started and that have not run their local prefix.
    pub(crate) newborn: Vec<ThreadId>,
    /// All that was printed.
    pub(crate) output: Vec<u8>,
    /// The parts of it that were printed on standard error.
    pub(crate) errors: Vec<std::ops::Range<usize>>,
    /// Files in memory.
    pub(crate) files: Files,
    /// Steps of all threads, scheduled steps.
    pub(crate) steps: u64,
    pub(crate) turns: u64,
    /// The process status once `exit` was called in mode `Last`.
    pub(crate) exit: Option<(i32, bool)>,
    pub(crate) notes: Notes,
    pub(crate) budget: Budget,
}

/// What makes an execution say less than it seems.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// An input without a given value was read: its name.
    pub free_input: Option<String>,
    /// A value that was never initialised was used: what and where.
    pub uninitialised: Option<Box<Violation>>,
    /// Something undefined happened that no selected property covers.
    pub undefined: Option<Box<Violation>>,
    /// A thread came to what cannot be executed: what and where.
    pub unsupported: Option<Box<Violation>>,
    /// A thread was stopped at the bound on its steps.
    pub cut: bool,
    /// … at the bound on steps of one turn.
    pub turn_cut: bool,
    /// An assumption did not hold.
    pub assumed: bool,
    /// Where threads were stopped at a bound on steps.
    pub cuts: BTreeSet<(FuncId, Loc)>,
    /// The first thread, or the process, ended in good order.
    pub main_ended: bool,
    /// The user's assertions that were evaluated, where steps are watched.
    pub asserted: BTreeSet<AssertionId>,
    /// Whether a thread can move may depend on an input that it reads before it waits.
    pub waits_for_input: bool,
}

impl<'p> Machine<'p> {
    /// A machine at the start of an execution.
    pub fn new(program: &'p Program, code: &'p Code, config: Config) -> Self {
        let pristine = Memory::new(program, config.limits.memory);
        let race = config.properties.contains(heddle_ir::Property::Race).then(Box::default);
        let mut machine = Machine {
            program,
            code,
            memory: pristine.clone(),
            pristine,
            threads: IndexVec::new(),
            stand_in: None,
            names: ThreadNames::default(),
            inputs: Inputs::default(),
            holds: Vec::new(),
            newly_blocked: false,
            event: Event::default(),
            race,
            recorder: None,
            probing: false,
            newborn: Vec::new(),
            output: Vec::new(),
            errors: Vec::new(),
            files: Files::default(),
            steps: 0,
            turns: 0,
            exit: None,
            notes: Notes::default(),
            budget: Budget::unlimited(),
            config,
        };
        machine.threads.push(Box::new(Thread::unborn(ThreadId::main())));
        machine
    }

    /// Limits that are polled while a thread runs without a visible step.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Steps of all threads that the next executions may make.
    pub fn set_step_limit(&mut self, steps: Option<u64>) {
        self.config.limits.steps = steps;
    }

    /// Back to the start; names of threads stay.
    pub fn reset(&mut self) {
        self.memory.reset(&self.pristine);
        for thread in self.threads.iter_mut() {
            **thread = Thread::unborn(thread.id);
        }
        self.inputs.reset();
        self.holds.clear();
        self.newly_blocked = false;
        self.event.clear();
        if let Some(race) = &mut self.race {
            race.reset();
        }
        self.recorder = None;
        self.newborn.clear();
        self.output.clear();
        self.errors.clear();
        self.files = Files::default();
        (self.steps, self.turns, self.exit) = (0, 0, None);
        self.notes = Notes::default();
    }

    /// Starts the first thread and runs its local prefix.
    pub fn start(&mut self) -> Result<(), Halt> {
        self.event.clear();
        self.create_thread(ThreadId::main(), self.program.entry, None, None)?;
        self.run_newborn()
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Names of the threads seen so far.
    pub fn names(&self) -> &ThreadNames {
        &self.names
    }

    /// Gives threads their ids before they start.
    pub fn set_names(&mut self, names: ThreadNames) {
        self.names = names;
    }

    /// What the last scheduled step did.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Steps executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Scheduled steps so far.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// What limits the meaning of this execution.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The bytes of a global that is not thread-local.
    pub fn global_bytes(&self, global: heddle_ir::GlobalId) -> &[u8] {
        self.memory.bytes(heddle_ir::objects::global_object(global))
    }

    /// Who holds what.
    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// All threads that were started, in the order of ids.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<'_, 'p> {
        self.threads.ids().filter(|&id| self.threads[id].status != Status::Unborn)
    }

    /// Where a thread stands.
    pub fn status(&self, id: ThreadId) -> Status {
        self.threads[id].status
    }

    /// What a thread does if it gets the next turn; none if it has not been started or has ended.
    pub fn next_step(&self, id: ThreadId) -> Option<NextStep> {
        let thread = self.threads.get(id).filter(|thread| thread.status == Status::Running)?;
        let op = self.code.functions[thread.func].ops[thread.pc as usize];
        let word = |word: Word| thread.words[(thread.base + word) as usize];
        let range = |at: Word, size: u64, write: bool| Some(range_at(word(at), size, write));
        let access = match op {
            Op::Load { size, a, .. } | Op::LoadWide { size, a, .. } => range(a, u64::from(size), false),
            Op::LoadPtr { a, .. } => range(a, 4, false),
            Op::Store { size, a, .. } | Op::StoreWide { size, a, .. } => range(a, u64::from(size), true),
            Op::StorePtr { a, .. } => range(a, 4, true),
            Op::Copy { a, len, .. } => range(a, word(len), false),
            Op::Fill { d, len, .. } => range(d, word(len), true),
            _ => None,
        };
        let site = self.site_at(id, thread.func, thread.pc);
        Some(NextStep { site, section: matches!(op, Op::AtomicBegin), access })
    }

    /// Where a thread stands in the user's own code: its next step, or the call that led into a library model.
    pub fn next_user_site(&self, id: ThreadId) -> Option<Site> {
        let thread = self.threads.get(id).filter(|thread| thread.status == Status::Running)?;
        let own = std::iter::once((thread.func, thread.pc));
        let mut all = own.chain(thread.frames.iter().rev().map(|frame| (frame.func, frame.pc)));
        let (func, pc) = all.find(|(func, _)| !self.program.functions[*func].model)?;
        Some(self.site_at(id, func, pc))
    }

    /// Whether a thread can move, if that was found out since it moved last.
    pub fn known_readiness(&self, id: ThreadId) -> Option<&Readiness> {
        self.threads.get(id)?.readiness.as_ref()
    }

    /// Whether a thread can move.
    pub fn readiness(&mut self, id: ThreadId) -> &Readiness {
        if self.threads[id].readiness.is_none() {
            let readiness = self.find_readiness(id);
            self.newly_blocked |= matches!(readiness, Readiness::Blocked(_));
            self.threads[id].readiness = Some(readiness);
        }
        self.threads[id].readiness.as_ref().expect("found above")
    }

    /// Moves a thread by one scheduled step. The thread must be able to move in the way chosen.
    pub fn step(&mut self, choice: Choice) -> Result<(), Halt> {
        let id = choice.thread;
        self.event.clear();
        self.memory.untouch();
        self.turns += 1;
        self.event.awaits = self.config.events && self.may_block(id) != Awaits::None;
        self.threads[id].spurious_wakes += u32::from(choice.spurious);
        let before = self.threads[id].steps;
        let result = self.run_step(id);
        self.steps += self.threads[id].steps - before;
        self.threads[id].turns += 1;
        let turns = self.threads[id].turns;
        if self.config.limits.thread_turns.is_some_and(|limit| turns >= limit) && self.status(id) == Status::Running {
            self.threads[id].status = Status::Stuck(Stuck::Steps);
            self.notes.cut = true;
            let thread = &self.threads[id];
            let user = self.user_site(id, self.site_at(id, thread.func, thread.pc), &thread.frames);
            self.notes.cuts.insert((user.func, self.loc_of(user)));
        }
        // Who waits for what it holds waits for ever.
        self.newly_blocked |= self.status(id) == Status::Finished && self.holds.iter().any(|hold| hold.thread == id);
        let result = result.and_then(|()| self.run_newborn());
        self.forget_readiness();
        if result.is_ok() && self.config.limits.steps.is_some_and(|limit| self.steps >= limit) {
            return Err(Halt::Limit(Limit::Steps));
        }
        result
    }

    /// Whether a thread could move if these bytes had these values; none if they cannot.
    pub fn readiness_with(&mut self, id: ThreadId, bytes: &[(u32, i32, u8)]) -> Option<Readiness> {
        let mut saved = Vec::new();
        let mut complete = true;
        for &(object, at, byte) in bytes {
            match self.memory.poke(object, at, byte) {
                Some(old) => saved.push((object, at, old)),
                None => complete = false,
            }
        }
        let (readiness, probed) = (self.threads[id].readiness.take(), self.threads[id].probed.take());
        let found = complete.then(|| self.find_readiness(id));
        for &(object, at, old) in saved.iter().rev() {
            self.memory.poke(object, at, old);
        }
        (self.threads[id].readiness, self.threads[id].probed) = (readiness, probed);
        found
    }

    /// A number that tells states apart: memory and threads, not what monitors know.
    pub fn fingerprint(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.memory.hash_contents(&mut hasher);
        for thread in self.threads.iter().filter(|thread| thread.status != Status::Unborn) {
            (thread.id, thread.func, thread.pc, thread.status == Status::Running).hash(&mut hasher);
            thread.words.hash(&mut hasher);
            for frame in &thread.frames {
                (frame.func, frame.pc).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Whether scheduled steps are described in [`Machine::take_event`].
    pub fn set_events(&mut self, events: bool) {
        self.config.events = events;
    }

    /// What the last scheduled step did, if events are on.
    pub fn take_event(&mut self) -> Event {
        std::mem::take(&mut self.event)
    }

    /// How often memory was changed, or may have been.
    pub fn memory_changes(&self) -> u64 {
        self.memory.changes()
    }

    /// The contents of a range, if it is small, alive and written.
    pub fn peek(&self, range: Range) -> Option<u128> {
        self.memory.peek(range)
    }

    /// How often a thread has woken up spuriously.
    pub fn spurious_wakes(&self, id: ThreadId) -> u32 {
        self.threads[id].spurious_wakes
    }

    /// The bytes that the readiness of a thread depends on; none if on nothing, or if it is not known.
    pub fn probed(&self, id: ThreadId) -> Option<&[Range]> {
        self.threads[id].probed.as_deref()
    }

    /// A number that tells apart what a thread knows by itself: where it stands, and registers that are read later.
    pub fn own_fingerprint(&self, id: ThreadId, live: &mut LiveRegisters) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        let thread = &self.threads[id];
        (thread.children, thread.stack_objects.len()).hash(&mut hasher);
        // Whether a register was ever given a value is kept beside it.
        if self.config.properties.contains(Property::Uninit) {
            thread.words.hash(&mut hasher);
        }
        let mut hash_call = |func: FuncId, pc: Pc, base: u32, returns: bool| {
            (func, pc, base).hash(&mut hasher);
            let (code, function) = (&self.code.functions[func], &self.program.functions[func]);
            let step = code.step_of[pc as usize];
            // A call's result is not there yet.
            let (at, result) = match function.steps[step].kind {
                StepKind::Call { dst, .. } if returns => (StepId::new(step.index() + 1), dst),
                _ => (step, None),
            };
            let live = live.before(self.program, func, at);
            for (reg, &word) in code.regs.iter_enumerated() {
                if live.contains(reg.index()) && Some(reg) != result {
                    let words = if is_wide(function.regs[reg].ty) { 2 } else { 1 };
                    let first = (base + word) as usize;
                    thread.words[first..first + words].hash(&mut hasher);
                }
            }
            for &(word, _) in &code.slots {
                thread.words[(base + word) as usize].hash(&mut hasher);
            }
        };
        hash_call(thread.func, thread.pc, thread.base, false);
        for frame in &thread.frames {
            hash_call(frame.func, frame.pc, frame.base, true);
        }
        hasher.finish()
    }

    fn forget_readiness(&mut self) {
        for thread in self.threads.iter_mut() {
            let Some(probed) = &thread.probed else { continue };
            let touched = if self.config.events {
                self.event.ranges.iter().any(|range| probed.iter().any(|read| range.conflicts(read)))
            } else {
                probed.iter().any(|read| self.memory.is_touched(read.object))
            };
            if touched {
                (thread.readiness, thread.probed) = (None, None);
            }
        }
    }

    /// What may block a thread's next step.
    #[inline]
    fn may_block(&self, id: ThreadId) -> Awaits {
        let thread = &self.threads[id];
        let function = &self.code.functions[thread.func];
        match function.ops[thread.pc as usize] {
            Op::AtomicBegin => function.awaits_at(thread.pc),
            Op::Await { .. } => Awaits::One,
            _ => Awaits::None,
        }
    }

    fn find_readiness(&mut self, id: ThreadId) -> Readiness {
        if self.threads[id].status != Status::Running {
            return Readiness::Done;
        }
        match self.may_block(id) {
            Awaits::None => Readiness::Ready,
            awaits @ (Awaits::One | Awaits::Many) => match self.probe(id, awaits) {
                None => Readiness::Ready,
                Some(wait) if wait.spurious => Readiness::Spurious(wait),
                Some(wait) => Readiness::Blocked(wait),
            },
        }
    }

    pub(crate) fn create_thread(
        &mut self,
        id: ThreadId,
        func: FuncId,
        arg: Option<u64>,
        spawned: Option<Site>,
    ) -> Result<(), Halt> {
        if id.index() >= self.config.limits.threads.min(MAX_THREADS) {
            return Err(Halt::Limit(Limit::Threads));
        }
        while self.threads.len() <= id.index() {
            self.threads.push(Box::new(Thread::unborn(self.threads.next_id())));
        }
        self.memory.add_thread(self.program, id.number()).map_err(out_of_memory)?;
        let code = &self.code.functions[func];
        let mut thread = Thread::unborn(id);
        (thread.status, thread.func, thread.spawned) = (Status::Running, func, spawned);
        thread.words.resize(code.words as usize, 0);
        let constants = thread.words.len() - code.constants.len();
        thread.words[constants..].copy_from_slice(&code.constants);
        if let (Some(arg), Some(&(word, _))) = (arg, code.params.first()) {
            thread.words[word as usize] = arg;
        }
        self.make_slots(&mut thread)?;
        if let (Some(race), Some(site)) = (&mut self.race, spawned) {
            race.spawn(ThreadId::of_number(site.thread), id);
        }
        *self.threads[id] = thread;
        self.newborn.push(id);
        Ok(())
    }

    /// Makes the locals of a thread's running frame.
    pub(crate) fn make_slots(&mut self, thread: &mut Thread) -> Result<(), Halt> {
        let code = &self.code.functions[thread.func];
        if code.slots.is_empty() {
            return Ok(());
        }
        let site = self.site_at(thread.id, thread.func, 0);
        for (index, &(word, size)) in code.slots.iter().enumerate() {
            let kind = ObjectKind::Slot(thread.func, Id::new(index));
            let made = self.memory.allocate(thread.id.number(), size, kind, false, Some(site));
            let object = made.map_err(out_of_memory)?;
            self.record_birth(object);
            thread.words[(thread.base + word) as usize] = u64::from(object) << 32;
        }
        Ok(())
    }

    fn run_newborn(&mut self) -> Result<(), Halt> {
        let mut next = 0;
        while let Some(&id) = self.newborn.get(next) {
            next += 1;
            self.event.spawned.push(id);
            self.run_prefix(id)?;
            self.steps += self.threads[id].steps;
        }
        self.newborn.clear();
        Ok(())
    }

    pub(crate) fn site_at(&self, thread: ThreadId, func: FuncId, pc: u32) -> Site {
        let step = self.code.functions[func].step_of[pc as usize];
        Site { thread: thread.number(), func, step }
    }

    /// Whether every step is watched.
    pub(crate) fn is_watched(&self) -> bool {
        self.config.events || self.race.is_some() || self.recorder.is_some()
    }

    pub(crate) fn stop_thread(&mut self, thread: &mut Thread, why: Stuck) {
        thread.status = Status::Stuck(why);
        match why {
            Stuck::Assume => self.notes.assumed = true,
            Stuck::Steps | Stuck::LongTurn => {
                self.notes.cut = true;
                let own = self.site_at(thread.id, thread.func, thread.pc);
                let user = self.user_site(thread.id, own, &thread.frames);
                self.notes.cuts.insert((user.func, self.loc_of(user)));
            }
            Stuck::Endless | Stuck::Undefined | Stuck::Unsupported | Stuck::Exited => {}
        }
    }

    /// A description of what a blocked thread waits for, if it is blocked.
    pub fn wait_of(&mut self, id: ThreadId) -> Option<Wait> {
        match self.readiness(id) {
            Readiness::Blocked(wait) | Readiness::Spurious(wait) => Some(wait.clone()),
            Readiness::Ready | Readiness::Done => None,
        }
    }
}

pub(crate) fn out_of_memory(why: crate::memory::OutOfMemory) -> Halt {
    Halt::Limit(match why {
        crate::memory::OutOfMemory::Bytes => Limit::Memory,
        crate::memory::OutOfMemory::Objects => Limit::Objects,
    })
}
