//! The loop that executes bytecode.
//!
//! One function, one flat `match`, generic over whether anybody watches: without a watcher a step costs a dispatch and
//! its own work. A thread is taken out of the machine while it runs, so that its words and the machine's memory are
//! borrowed apart.

use heddle_ir::{AllocKind, FuncId, MemOrder, Property, Section, StepKind, SyncKind, SyncOp};

use crate::code::{AccessFlags, FuncCode, NO_WORD, Op, Word};
use crate::endless::{LongTurn, Polled};
use crate::event::Range;
use crate::machine::{ExitMode, Halt, Hold, Limit, Machine, out_of_memory};
use crate::memory::{Fault, ObjectKind};
use crate::output::Refused;

use crate::thread::{Frame, Status, Stuck, Thread, Wait};
use heddle_ir::assertions::evaluated_at;
use heddle_ir::objects::{Site, pointed_function, thread_object};
use heddle_ir::section_awaits::Awaits;
use heddle_ir::value::{self, Pointer, is_wide, sign_extend, truncate};
use heddle_task::ThreadId;

/// Stands for the lock that all `__VERIFIER_atomic` sections share as far as races are concerned.
const USER_SECTIONS: u32 = u32::MAX;

/// Why the loop stopped.
enum Pause {
    /// Before the next visible step, or because the thread has ended.
    Point,
    /// An `await` does not hold.
    Blocked(Box<Wait>),
    /// A trial got past what can block.
    Passed,
    Halt(Halt),
}

/// What the loop is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// One visible step and what follows.
    Step,
    /// Up to the first visible step.
    Prefix,
    /// A section, to see whether it blocks.
    Probe(Awaits),
}

/// Where a thread stood before a trial. Only sections with several awaits can leave their call.
enum Saved {
    Frame { pc: u32, base: u32, words: Vec<u64>, frames: usize, stack_objects: usize, depth: u32, steps: u64 },
    All(Box<Thread>),
}

/// An op that a thread is executing.
#[derive(Clone, Copy)]
struct At {
    thread: ThreadId,
    func: FuncId,
    pc: u32,
    section: bool,
}

impl Machine<'_> {
    pub(crate) fn run_step(&mut self, id: ThreadId) -> Result<(), Halt> {
        match self.run(id, Mode::Step) {
            Pause::Point | Pause::Passed => Ok(()),
            Pause::Blocked(_) => unreachable!("only threads that can move are moved"),
            Pause::Halt(halt) => Err(halt),
        }
    }

    pub(crate) fn run_prefix(&mut self, id: ThreadId) -> Result<(), Halt> {
        match self.run(id, Mode::Prefix) {
            Pause::Point | Pause::Passed | Pause::Blocked(_) => Ok(()),
            Pause::Halt(halt) => Err(halt),
        }
    }

    /// Tries a thread's next section and takes everything back: what it waits for, or none if it can go on.
    pub(crate) fn probe(&mut self, id: ThreadId, awaits: Awaits) -> Option<Wait> {
        let saved = Saved::of(&self.threads[id], awaits);
        let event = std::mem::take(&mut self.event);
        // Whoever watches or not, it must be known what this depends on.
        let events = std::mem::replace(&mut self.config.events, true);
        self.probing = true;
        self.memory.begin_journal();
        let pause = self.run(id, Mode::Probe(awaits));
        self.memory.roll_back();
        self.probing = false;
        self.config.events = events;
        let tried = std::mem::replace(&mut self.event, event);
        saved.restore(&mut self.threads[id]);
        self.threads[id].probed = Some(tried.ranges.clone());
        match pause {
            Pause::Blocked(mut wait) => {
                wait.reads = tried.ranges;
                Some(*wait)
            }
            Pause::Point | Pause::Passed | Pause::Halt(_) => None,
        }
    }

    fn run(&mut self, id: ThreadId, mode: Mode) -> Pause {
        let stand_in = self.stand_in.take().unwrap_or_else(|| Box::new(Thread::unborn(id)));
        let mut thread = std::mem::replace(&mut self.threads[id], stand_in);
        (thread.readiness, thread.probed) = (None, None);
        let pause = if self.is_watched() {
            self.execute::<true>(&mut thread, mode)
        } else {
            self.execute::<false>(&mut thread, mode)
        };
        let mut pause = pause;
        if let Pause::Halt(Halt::Violation(violation)) = &mut pause {
            self.name_user_place(&thread, violation);
        }
        if self.recorder.is_some() && !self.probing {
            let violated = matches!(pause, Pause::Halt(Halt::Violation(_)));
            self.record_pause(&thread, matches!(pause, Pause::Point), violated);
        }
        self.stand_in = Some(std::mem::replace(&mut self.threads[id], thread));
        pause
    }

    /// Runs `thread` as `mode` says.
    #[allow(clippy::cognitive_complexity)]
    fn execute<const WATCHED: bool>(&mut self, thread: &mut Thread, mode: Mode) -> Pause {
        let code = self.code;
        let step_limit = self.config.limits.thread_steps.unwrap_or(u64::MAX);
        // Whether the one visible step of this turn has begun.
        let mut begun = mode == Mode::Prefix;
        let mut long = LongTurn::default();
        thread.steps_before = thread.steps;
        let recorded = WATCHED && self.recorder.is_some() && !self.probing;
        // One round a frame, or an op if the recorder wants to see each.
        'frame: loop {
            if recorded {
                self.record_op(thread, thread.pc);
            }
            let function = &code.functions[thread.func];
            let ops = function.ops.as_slice();
            let mut pc = thread.pc as usize;
            let base = thread.base as usize;
            let words = &mut thread.words[base..];

            // Stops here: the loop's state goes back to the thread.
            macro_rules! pause {
                ($why:expr) => {{
                    thread.pc = pc as u32;
                    return $why;
                }};
            }
            // A visible step outside a section ends the turn unless it is the turn's own.
            macro_rules! visible {
                ($visible:expr) => {
                    if $visible && thread.depth == 0 {
                        if begun {
                            pause!(Pause::Point);
                        }
                        begun = true;
                    }
                };
            }
            // Likewise for a step that nothing follows.
            macro_rules! ends_turn {
                () => {
                    if thread.depth == 0 && begun {
                        pause!(Pause::Point);
                    }
                };
            }
            macro_rules! jump {
                ($n:expr, $taken:expr, $t:expr) => {{
                    if WATCHED && !function.assertions.is_empty() {
                        self.note_assertions(function, pc);
                    }
                    thread.steps += u64::from($n);
                    if $taken {
                        pc = $t as usize;
                    } else {
                        pc += 1;
                    }
                    if thread.steps >= step_limit && thread.depth == 0 {
                        thread.pc = pc as u32;
                        self.stop_thread(thread, Stuck::Steps);
                        return Pause::Point;
                    }
                    if thread.steps & 0xfffff < u64::from($n) {
                        thread.pc = pc as u32;
                        match self.poll(thread, &mut long) {
                            Polled::GoesOn => continue 'frame,
                            Polled::Halts(halt) => return Pause::Halt(halt),
                            Polled::Stops(why) => {
                                self.stop_thread(thread, why);
                                return Pause::Point;
                            }
                        }
                    }
                    if WATCHED && recorded {
                        thread.pc = pc as u32;
                        continue 'frame;
                    }
                    continue;
                }};
            }
            macro_rules! fault {
                ($fault:expr, $pointer:expr, $len:expr, $write:expr) => {{
                    thread.pc = pc as u32;
                    return self.memory_fault(thread, $fault, $pointer, $len, $write);
                }};
            }
            // Who does what where, for those that watch.
            macro_rules! at {
                () => {
                    At { thread: thread.id, func: thread.func, pc: pc as u32, section: thread.depth > 0 }
                };
            }
            macro_rules! w {
                ($word:expr) => {
                    words[$word as usize]
                };
            }
            macro_rules! wide {
                ($word:expr) => {
                    u128::from(words[$word as usize]) | u128::from(words[$word as usize + 1]) << 64
                };
            }
            macro_rules! set_wide {
                ($word:expr, $value:expr) => {{
                    let value: u128 = $value;
                    words[$word as usize] = value as u64;
                    words[$word as usize + 1] = (value >> 64) as u64;
                }};
            }
            macro_rules! set {
                ($word:expr, $ty:expr, $value:expr) => {
                    if is_wide($ty) {
                        set_wide!($word, $value);
                    } else {
                        words[$word as usize] = $value as u64;
                    }
                };
            }

            loop {
                match ops[pc] {
                    Op::Move { d, a } => w!(d) = w!(a),
                    Op::MoveWide { d, a } => set_wide!(d, wide!(a)),
                    Op::MoveIf { d, c, a } => {
                        if w!(c) != 0 {
                            w!(d) = w!(a);
                        }
                    }
                    Op::MoveWideIf { d, c, a } => {
                        if w!(c) != 0 {
                            set_wide!(d, wide!(a));
                        }
                    }
                    Op::Add32 { d, a, b } => w!(d) = u64::from((w!(a) as u32).wrapping_add(w!(b) as u32)),
                    Op::Add64 { d, a, b } => w!(d) = w!(a).wrapping_add(w!(b)),
                    Op::Sub32 { d, a, b } => w!(d) = u64::from((w!(a) as u32).wrapping_sub(w!(b) as u32)),
                    Op::Sub64 { d, a, b } => w!(d) = w!(a).wrapping_sub(w!(b)),
                    Op::Mul32 { d, a, b } => w!(d) = u64::from((w!(a) as u32).wrapping_mul(w!(b) as u32)),
                    Op::Mul64 { d, a, b } => w!(d) = w!(a).wrapping_mul(w!(b)),
                    Op::And { d, a, b } => w!(d) = w!(a) & w!(b),
                    Op::Or { d, a, b } => w!(d) = w!(a) | w!(b),
                    Op::Xor { d, a, b } => w!(d) = w!(a) ^ w!(b),
                    Op::Eq { d, a, b } => w!(d) = u64::from(w!(a) == w!(b)),
                    Op::Ne { d, a, b } => w!(d) = u64::from(w!(a) != w!(b)),
                    Op::ULt { d, a, b } => w!(d) = u64::from(w!(a) < w!(b)),
                    Op::ULe { d, a, b } => w!(d) = u64::from(w!(a) <= w!(b)),
                    Op::SLt32 { d, a, b } => w!(d) = u64::from((w!(a) as i32) < w!(b) as i32),
                    Op::SLe32 { d, a, b } => w!(d) = u64::from(w!(a) as i32 <= w!(b) as i32),
                    Op::SLt64 { d, a, b } => w!(d) = u64::from((w!(a) as i64) < w!(b) as i64),
                    Op::SLe64 { d, a, b } => w!(d) = u64::from(w!(a) as i64 <= w!(b) as i64),
                    Op::BoolNot { d, a } => w!(d) = w!(a) & 1 ^ 1,
                    Op::Trunc { bits, d, a } => w!(d) = truncate(u128::from(w!(a)), u32::from(bits)) as u64,
                    Op::SExt { from, to, d, a } => {
                        let value = sign_extend(u128::from(w!(a)), u32::from(from)) as u128;
                        w!(d) = truncate(value, u32::from(to)) as u64;
                    }
                    Op::PtrAdd { d, a, b } => w!(d) = Pointer::from_bits(w!(a)).plus(w!(b) as i64).bits(),
                    Op::Unary { op, ty, d, a } => w!(d) = value::unary(op, ty, u128::from(w!(a))) as u64,
                    Op::Binary { op, ty, d, a, b } => {
                        w!(d) = value::binary(op, ty, u128::from(w!(a)), u128::from(w!(b))) as u64;
                    }
                    Op::UnaryWide { op, ty, d, a } => {
                        set!(d, value::unary_result(op, ty), value::unary(op, ty, wide!(a)));
                    }
                    Op::BinaryWide { op, ty, d, a, b } => {
                        set!(d, value::binary_result(op, ty), value::binary(op, ty, wide!(a), wide!(b)));
                    }
                    Op::Cast { op, from, to, d, a } => {
                        let operand = if is_wide(from) { wide!(a) } else { u128::from(w!(a)) };
                        set!(d, to, value::cast(op, from, to, operand));
                    }
                    Op::PtrToInt { d, a } => w!(d) = self.memory.to_address(w!(a)),
                    Op::IntToPtr { d, a } => w!(d) = self.memory.at_flat_address(w!(a)),
                    Op::SelfId { d } => w!(d) = u64::from(thread.id.number()),
                    Op::ThreadLocal { d, index } => {
                        w!(d) = u64::from(thread_object(thread.id.number(), index)) << 32;
                    }
                    Op::Load { size, flags, d, a } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, size, false, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        match self.memory.load(pointer, u32::from(size)) {
                            Ok(value) => w!(d) = value,
                            Err(fault) => fault!(fault, pointer, u64::from(size), false),
                        }
                        if self.memory.has_unwritten(Pointer::from_bits(pointer), u32::from(size)) {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            if let Err(halt) = self.read_unwritten(site, pointer, u32::from(size)) {
                                pause!(Pause::Halt(halt));
                            }
                        }
                    }
                    Op::LoadPtr { flags, d, a } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, 4, false, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        match self.memory.load(pointer, 4) {
                            Ok(value) => w!(d) = self.memory.at_flat_address(value),
                            Err(fault) => fault!(fault, pointer, 4, false),
                        }
                        if self.memory.has_unwritten(Pointer::from_bits(pointer), 4) {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            if let Err(halt) = self.read_unwritten(site, pointer, 4) {
                                pause!(Pause::Halt(halt));
                            }
                        }
                    }
                    Op::LoadWide { size, flags, d, a } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, size, false, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        match self.memory.load_wide(Pointer::from_bits(pointer), u32::from(size)) {
                            Ok(value) => set_wide!(d, value),
                            Err(fault) => fault!(fault, pointer, u64::from(size), false),
                        }
                        if self.memory.has_unwritten(Pointer::from_bits(pointer), u32::from(size)) {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            if let Err(halt) = self.read_unwritten(site, pointer, u32::from(size)) {
                                pause!(Pause::Halt(halt));
                            }
                        }
                    }
                    Op::Store { size, flags, a, v } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, size, true, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        if let Err(fault) = self.memory.store(pointer, u32::from(size), w!(v)) {
                            fault!(fault, pointer, u64::from(size), true);
                        }
                    }
                    Op::StorePtr { flags, a, v } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, 4, true, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        let value = self.memory.to_address(w!(v));
                        if let Err(fault) = self.memory.store(pointer, 4, value) {
                            fault!(fault, pointer, 4, true);
                        }
                    }
                    Op::StoreWide { size, flags, a, v } => {
                        visible!(flags.visible());
                        let pointer = w!(a);
                        if WATCHED && let Err(halt) = self.access(at!(), pointer, size, true, flags) {
                            pause!(Pause::Halt(halt));
                        }
                        let value = wide!(v);
                        if let Err(fault) = self.memory.store_wide(Pointer::from_bits(pointer), u32::from(size), value)
                        {
                            fault!(fault, pointer, u64::from(size), true);
                        }
                    }
                    Op::Copy { visible, d, a, len } => {
                        visible!(visible);
                        let (to, from, len) = (w!(d), w!(a), w!(len));
                        if WATCHED && len > 0 {
                            let read = self.block_access(at!(), from, len, false);
                            let written = read.and_then(|()| self.block_access(at!(), to, len, true));
                            if let Err(halt) = written {
                                pause!(Pause::Halt(halt));
                            }
                        }
                        let (target, source) = (Pointer::from_bits(to), Pointer::from_bits(from));
                        if let Err(fault) = self.memory.copy(target, source, len) {
                            let write = len > 0 && self.memory.check(source, len, false).is_ok();
                            fault!(fault, if write { to } else { from }, len, write);
                        }
                    }
                    Op::Fill { visible, d, byte, len } => {
                        visible!(visible);
                        let (to, len) = (w!(d), w!(len));
                        if WATCHED
                            && len > 0
                            && let Err(halt) = self.block_access(at!(), to, len, true)
                        {
                            pause!(Pause::Halt(halt));
                        }
                        if let Err(fault) = self.memory.fill(Pointer::from_bits(to), w!(byte) as u8, len) {
                            fault!(fault, to, len, true);
                        }
                    }
                    Op::Live { slot } => {
                        let (word, size) = function.slots[heddle_base::Id::index(slot)];
                        let object = (w!(word) >> 32) as u32;
                        if self.memory.object(object).is_some_and(|o| o.is_live()) {
                            self.memory.scramble(object);
                            self.record_birth(object);
                        } else {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            let kind = ObjectKind::Slot(thread.func, slot);
                            match self.memory.allocate(thread.id.number(), size, kind, false, Some(site)) {
                                Ok(object) => {
                                    w!(word) = u64::from(object) << 32;
                                    self.record_birth(object);
                                }
                                Err(why) => pause!(Pause::Halt(out_of_memory(why))),
                            }
                        }
                    }
                    Op::Dead { visible, slot } => {
                        visible!(visible);
                        let (word, _) = function.slots[heddle_base::Id::index(slot)];
                        let object = (w!(word) >> 32) as u32;
                        let site = self.site_at(thread.id, thread.func, pc as u32);
                        self.end_life(object, site);
                    }
                    Op::Alloc { d, size } => {
                        let site = self.site_at(thread.id, thread.func, pc as u32);
                        let StepKind::Alloc { zeroed, kind, .. } =
                            self.program.functions[site.func].steps[site.step].kind
                        else {
                            unreachable!("an alloc op comes from an alloc step")
                        };
                        let size = w!(size);
                        let made =
                            self.memory.allocate(thread.id.number(), size, ObjectKind::Alloc(kind), zeroed, Some(site));
                        match made {
                            Ok(object) => {
                                w!(d) = u64::from(object) << 32;
                                self.record_birth(object);
                                if kind == AllocKind::Stack {
                                    thread.stack_objects.push(object);
                                }
                            }
                            Err(why) => pause!(Pause::Halt(out_of_memory(why))),
                        }
                    }
                    Op::Free { visible, a } => {
                        visible!(visible);
                        let pointer = w!(a);
                        let site = self.site_at(thread.id, thread.func, pc as u32);
                        let StepKind::Free { kind, .. } = self.program.functions[site.func].steps[site.step].kind
                        else {
                            unreachable!("a free op comes from a free step")
                        };
                        if WATCHED && let Err(halt) = self.free_access(at!(), pointer) {
                            pause!(Pause::Halt(halt));
                        }
                        match self.memory.check_free(Pointer::from_bits(pointer), kind) {
                            Ok(Some(object)) => {
                                thread.stack_objects.retain(|&o| o != object);
                                if let Some(race) = &mut self.race {
                                    race.forget(object);
                                }
                                self.memory.kill(object, site);
                            }
                            Ok(None) => {}
                            Err(fault) => fault!(fault, pointer, 0, true),
                        }
                    }
                    Op::ObjectSize { visible, d, a } => {
                        visible!(visible);
                        let pointer = Pointer::from_bits(w!(a));
                        if WATCHED {
                            self.life_read(pointer);
                        }
                        let live = self.memory.object(pointer.object).filter(|o| o.is_live() && pointer.object != 0);
                        w!(d) = live.map_or(0, |o| u64::from(o.size()));
                    }
                    Op::Havoc { d } => {
                        let site = self.site_at(thread.id, thread.func, pc as u32);
                        let StepKind::Havoc { input, .. } = self.program.functions[site.func].steps[site.step].kind
                        else {
                            unreachable!("a havoc op comes from a havoc step")
                        };
                        let (ty, value) = self.input_value(thread.id, &mut thread.inputs, input);
                        set!(d, ty, value);
                    }
                    Op::Mark { w } => w!(w) = 1,
                    Op::Unmark { w } => w!(w) = 0,
                    Op::UseMarked { w, reg } => {
                        if w!(w) != 0 {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            if let Err(halt) = self.use_marked(site, reg) {
                                pause!(Pause::Halt(halt));
                            }
                        }
                    }
                    Op::Count { n } => thread.steps += u64::from(n),
                    Op::Jump { n, t } => jump!(n, true, t),
                    Op::JumpIf { n, a, t } => jump!(n, w!(a) != 0, t),
                    Op::JumpIfNot { n, a, t } => jump!(n, w!(a) == 0, t),
                    Op::JumpEq { n, a, b, t } => jump!(n, w!(a) == w!(b), t),
                    Op::JumpNe { n, a, b, t } => jump!(n, w!(a) != w!(b), t),
                    Op::JumpULt { n, a, b, t } => jump!(n, w!(a) < w!(b), t),
                    Op::JumpULe { n, a, b, t } => jump!(n, w!(a) <= w!(b), t),
                    Op::JumpSLt32 { n, a, b, t } => jump!(n, (w!(a) as i32) < w!(b) as i32, t),
                    Op::JumpSLe32 { n, a, b, t } => jump!(n, w!(a) as i32 <= w!(b) as i32, t),
                    Op::JumpSLt64 { n, a, b, t } => jump!(n, (w!(a) as i64) < w!(b) as i64, t),
                    Op::JumpSLe64 { n, a, b, t } => jump!(n, w!(a) as i64 <= w!(b) as i64, t),
                    Op::Call { n, index } => {
                        thread.pc = pc as u32;
                        thread.steps += u64::from(n);
                        if thread.steps >= step_limit && thread.depth == 0 {
                            self.stop_thread(thread, Stuck::Steps);
                            return Pause::Point;
                        }
                        match self.call(thread, index) {
                            Ok(true) => continue 'frame,
                            Ok(false) => return Pause::Point,
                            Err(halt) => return Pause::Halt(halt),
                        }
                    }
                    Op::Return { n, visible, a } => {
                        visible!(visible);
                        thread.pc = pc as u32;
                        thread.steps += u64::from(n);
                        self.end_frame(thread);
                        if thread.frames.is_empty() {
                            thread.status = Status::Finished;
                            return Pause::Point;
                        }
                        self.return_to_caller(thread, a);
                        continue 'frame;
                    }
                    Op::AtomicBegin => {
                        visible!(true);
                        if WATCHED {
                            self.open_section(at!(), thread.depth == 0);
                        }
                        thread.depth += 1;
                    }
                    Op::AtomicEnd => {
                        thread.depth = thread.depth.saturating_sub(1);
                        if WATCHED && !self.probing {
                            self.close_section(thread.id, thread.depth == 0);
                        }
                        if thread.depth == 0 && matches!(mode, Mode::Probe(_)) {
                            pause!(Pause::Passed);
                        }
                    }
                    Op::Await { spurious, c, object } => {
                        visible!(true);
                        if w!(c) == 0 && (mode != Mode::Step || !spurious) {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            let StepKind::Await { kind, .. } = self.program.functions[site.func].steps[site.step].kind
                            else {
                                unreachable!("an await op comes from an await step")
                            };
                            let wait = Wait { site, kind: Some(kind), object: w!(object), spurious, reads: Vec::new() };
                            pause!(Pause::Blocked(Box::new(wait)));
                        }
                        if mode == Mode::Probe(Awaits::One) {
                            pause!(Pause::Passed);
                        }
                    }
                    Op::Spawn { callee, direct, arg } => {
                        visible!(true);
                        if self.probing {
                            pause!(Pause::Passed);
                        }
                        let pointer = if callee == NO_WORD { 0 } else { w!(callee) };
                        let arg = w!(arg);
                        thread.pc = pc as u32;
                        match self.spawn(thread, pointer, direct, arg) {
                            Ok(true) => {
                                thread.pc = pc as u32 + 1;
                                continue 'frame;
                            }
                            Ok(false) => return Pause::Point,
                            Err(halt) => return Pause::Halt(halt),
                        }
                    }
                    Op::ThreadExit => {
                        ends_turn!();
                        thread.pc = pc as u32;
                        if self.probing {
                            return Pause::Passed;
                        }
                        self.end_thread(thread);
                        return Pause::Point;
                    }
                    Op::ProcessExit { status } => {
                        let in_section = thread.depth > 0;
                        ends_turn!();
                        thread.pc = pc as u32;
                        if self.probing {
                            return Pause::Passed;
                        }
                        let status = words[status as usize] as u32 as i32;
                        return self.process_exit(thread, status, in_section);
                    }
                    Op::Unsupported => {
                        ends_turn!();
                        thread.pc = pc as u32;
                        return self.unsupported(thread, None);
                    }
                    Op::Assume { c } => {
                        if w!(c) == 0 {
                            thread.pc = pc as u32;
                            return self.failed_assume(thread);
                        }
                    }
                    Op::Assert { c } => {
                        if WATCHED {
                            self.note_assertions(function, pc);
                        }
                        // Also when it is tried whether a section can be made: one that comes to a violation before it has to
                        // wait can.
                        if w!(c) == 0 {
                            let site = self.site_at(thread.id, thread.func, pc as u32);
                            if let Some(violation) = self.failed_assert(site) {
                                pause!(Pause::Halt(Halt::Violation(Box::new(violation))));
                            }
                        }
                    }
                    Op::Sync { object } => {
                        if !self.probing {
                            let object = w!(object);
                            self.sync(at!(), &thread.frames, object);
                        }
                    }
                    Op::Output { index } => {
                        if !self.probing {
                            let info = &function.outputs[index as usize];
                            let result = self.print(info, words);
                            match result {
                                Ok(result) => {
                                    if let Some((word, _)) = info.dst {
                                        w!(word) = result;
                                    }
                                }
                                Err(Refused::Halt(halt)) => pause!(Pause::Halt(halt)),
                                Err(Refused::Unsupported(what)) => {
                                    thread.pc = pc as u32;
                                    return self.unsupported(thread, Some(what));
                                }
                            }
                        }
                    }
                    Op::Fence { order } => {
                        if WATCHED
                            && !self.probing
                            && let Some(race) = &mut self.race
                        {
                            race.fence(thread.id, order);
                        }
                    }
                    Op::Skip => {}
                }
                pc += 1;
                if WATCHED && recorded {
                    thread.pc = pc as u32;
                    continue 'frame;
                }
            }
        }
    }

    /// Enters a function; false if the thread stopped instead.
    fn call(&mut self, thread: &mut Thread, index: u32) -> Result<bool, Halt> {
        let caller = &self.code.functions[thread.func];
        let info = &caller.calls[index as usize];
        let callee = match info.direct {
            Some(func) => func,
            None => {
                let pointer = thread.words[(thread.base + info.pointer) as usize];
                match pointed_function(self.program, Pointer::from_bits(pointer)) {
                    Some(func) => func,
                    None => return self.bad_function(thread, pointer).map(|()| false),
                }
            }
        };
        let code = &self.code.functions[callee];
        let base = thread.base as usize;
        let new_base = base + caller.words as usize;
        let end = new_base + code.words as usize;
        let limits = &self.config.limits;
        if end > limits.stack_words || thread.frames.len() >= limits.stack_depth {
            return Err(Halt::Limit(Limit::Stack));
        }
        thread.words.truncate(new_base);
        thread.words.resize(end, 0);
        thread.words[end - code.constants.len()..].copy_from_slice(&code.constants);
        for (&(from, from_ty), &(to, to_ty)) in info.args.iter().zip(&code.params) {
            let (from, to) = (base + from as usize, new_base + to as usize);
            let low = thread.words[from];
            let high = if is_wide(from_ty) { thread.words[from + 1] } else { 0 };
            if is_wide(to_ty) {
                (thread.words[to], thread.words[to + 1]) = (low, high);
            } else if from_ty == to_ty {
                thread.words[to] = low;
            } else {
                thread.words[to] = truncate(u128::from(low), value::bits_of(to_ty)) as u64;
            }
        }
        thread.frames.push(Frame {
            func: thread.func,
            pc: thread.pc,
            base: thread.base,
            stack_objects: thread.stack_start,
        });
        (thread.func, thread.pc, thread.base) = (callee, 0, new_base as u32);
        thread.stack_start = thread.stack_objects.len() as u32;
        self.make_slots(thread)?;
        Ok(true)
    }

    /// Ends the lives of the running frame's locals.
    fn end_frame(&mut self, thread: &mut Thread) {
        let code = &self.code.functions[thread.func];
        if code.slots.is_empty() && thread.stack_objects.len() == thread.stack_start as usize {
            return;
        }
        let site = self.site_at(thread.id, thread.func, thread.pc);
        for &(word, _) in &code.slots {
            let object = (thread.words[(thread.base + word) as usize] >> 32) as u32;
            self.end_life(object, site);
        }
        for object in thread.stack_objects.split_off(thread.stack_start as usize) {
            self.end_life(object, site);
        }
    }

    fn end_life(&mut self, object: u32, site: Site) {
        let Some(size) = self.memory.object(object).filter(|o| o.is_live()).map(|o| o.size()) else { return };
        if let Some(race) = &mut self.race {
            race.forget(object);
        }
        if self.config.events {
            self.event.add(Range { object, lo: -1, hi: size as i32, write: true });
        }
        self.memory.kill(object, site);
    }

    fn return_to_caller(&mut self, thread: &mut Thread, result: Word) {
        let callee = &self.code.functions[thread.func];
        let from = thread.base;
        let frame = thread.frames.pop().expect("not the thread's first function");
        let caller = &self.code.functions[frame.func];
        let Op::Call { index, .. } = caller.ops[frame.pc as usize] else { unreachable!("frames return to calls") };
        if let Some((word, ty)) = caller.calls[index as usize].dst {
            let to = (frame.base + word) as usize;
            let (mut low, mut high) = (0, 0);
            if let (true, Some(ret)) = (result != NO_WORD, callee.ret) {
                low = thread.words[(from + result) as usize];
                high = if is_wide(ret) { thread.words[(from + result) as usize + 1] } else { 0 };
                if !is_wide(ty) && ret != ty {
                    low = truncate(u128::from(low), value::bits_of(ty)) as u64;
                }
            }
            thread.words[to] = low;
            if is_wide(ty) {
                thread.words[to + 1] = high;
            }
        }
        thread.words.truncate((frame.base + caller.words) as usize);
        (thread.func, thread.pc, thread.base) = (frame.func, frame.pc + 1, frame.base);
        thread.stack_start = frame.stack_objects;
    }

    /// Starts a thread; false if the starting one stopped instead.
    fn spawn(&mut self, thread: &mut Thread, pointer: u64, direct: u32, arg: u64) -> Result<bool, Halt> {
        let func = if direct == u32::MAX {
            match pointed_function(self.program, Pointer::from_bits(pointer)) {
                Some(func) => func,
                None => return self.bad_function(thread, pointer).map(|()| false),
            }
        } else {
            heddle_base::Id::new(direct as usize)
        };
        thread.children += 1;
        let child = self.names.child(thread.id, thread.children);
        let site = self.site_at(thread.id, thread.func, thread.pc);
        self.create_thread(child, func, Some(arg), Some(site))?;
        Ok(true)
    }

    fn end_thread(&mut self, thread: &mut Thread) {
        loop {
            self.end_frame(thread);
            let Some(frame) = thread.frames.pop() else { break };
            (thread.func, thread.pc, thread.base) = (frame.func, frame.pc, frame.base);
            thread.stack_start = frame.stack_objects;
        }
        thread.depth = 0;
        thread.status = Status::Finished;
    }

    fn process_exit(&mut self, thread: &mut Thread, status: i32, in_section: bool) -> Pause {
        let site = self.site_at(thread.id, thread.func, thread.pc);
        let StepKind::ProcessExit { abort, .. } = self.program.functions[site.func].steps[site.step].kind else {
            unreachable!("an exit op comes from an exit step")
        };
        self.notes.main_ended |= !abort;
        match self.config.exit {
            // In a section, what came before it in the section came with the exit, so nobody can come in between.
            ExitMode::Last if !in_section => {
                self.exit.get_or_insert((status, abort));
                self.stop_thread(thread, Stuck::Exited);
                Pause::Point
            }
            ExitMode::Last | ExitMode::Immediate => {
                self.event.everything = true;
                Pause::Halt(Halt::Exit { status, abort })
            }
        }
    }

    /// Outside a section the thread stops for good. In a section nothing of the section has happened: it waits at the
    /// section's begin, as at an `await`, for it may hold later.
    fn failed_assume(&mut self, thread: &mut Thread) -> Pause {
        if thread.depth == 0 {
            self.stop_thread(thread, Stuck::Assume);
            return Pause::Point;
        }
        if self.probing {
            let site = self.site_at(thread.id, thread.func, thread.pc);
            return Pause::Blocked(Box::new(Wait { site, kind: None, object: 0, spurious: false, reads: Vec::new() }));
        }
        self.notes.assumed = true;
        self.event.everything = true;
        Pause::Halt(Halt::Discarded)
    }

    fn sync(&mut self, at: At, frames: &[Frame], object: u64) {
        let site = self.site_at(at.thread, at.func, at.pc);
        let StepKind::Sync { op, kind, .. } = self.program.functions[site.func].steps[site.step].kind else {
            unreachable!("a sync op comes from a sync step")
        };
        match op {
            SyncOp::Hold => {
                let user_loc = self.loc_of(self.user_site(at.thread, site, frames));
                self.holds.push(Hold { object, kind, thread: at.thread, site, user_loc });
            }
            SyncOp::Unhold => {
                let held = self.holds.iter().rposition(|h| h.object == object && h.thread == at.thread);
                // A lock may be given back by another thread than its holder (a semaphore used as a lock, say).
                let held = held.or_else(|| self.holds.iter().rposition(|h| h.object == object));
                if let Some(index) = held {
                    self.holds.remove(index);
                }
                // The end of a thread, which it held itself.
                if kind == SyncKind::Join {
                    self.end_thread_locals(site);
                }
            }
            SyncOp::Acquire | SyncOp::Release | SyncOp::Refuse | SyncOp::Detach | SyncOp::Destroy => {}
        }
        if let Some(race) = &mut self.race {
            race.sync(at.thread, op, object);
        }
    }

    fn end_thread_locals(&mut self, site: Site) {
        for index in 0..self.code.thread_locals {
            self.end_life(thread_object(site.thread, index), site);
        }
    }

    // What watchers are told.

    /// Assertions that are evaluated at an op.
    fn note_assertions(&mut self, function: &FuncCode, pc: usize) {
        let evaluated = evaluated_at(&function.assertions, function.step_of[pc]);
        if !evaluated.is_empty() && !self.probing {
            self.notes.asserted.extend(evaluated.iter().map(|(_, assertion)| *assertion));
        }
    }

    fn access(&mut self, at: At, pointer: u64, size: u8, write: bool, flags: AccessFlags) -> Result<(), Halt> {
        if !flags.visible() && !at.section && self.recorder.is_none() {
            return Ok(());
        }
        self.watch(at, range_at(pointer, u64::from(size), write), flags)
    }

    fn block_access(&mut self, at: At, pointer: u64, len: u64, write: bool) -> Result<(), Halt> {
        let internal = self.program.functions[at.func].model;
        self.watch(at, range_at(pointer, len, write), AccessFlags::new(MemOrder::Plain, internal, true))
    }

    fn free_access(&mut self, at: At, pointer: u64) -> Result<(), Halt> {
        let object = Pointer::from_bits(pointer).object;
        let Some(found) = self.memory.object(object).filter(|_| object != 0) else { return Ok(()) };
        let (size, live) = (found.size() as i32, found.is_live());
        let range = Range { object, lo: -1, hi: size, write: true };
        if self.config.events {
            self.event.add(range);
        }
        if live && !self.probing && self.race.is_some() {
            let site = self.site_at(at.thread, at.func, at.pc);
            self.race_check(Range { lo: 0, ..range }, site, AccessFlags::new(MemOrder::Plain, false, true))?;
        }
        Ok(())
    }

    fn watch(&mut self, at: At, range: Range, flags: AccessFlags) -> Result<(), Halt> {
        if self.config.events {
            self.event.add(range);
        }
        if self.probing {
            return Ok(());
        }
        if range.write && self.config.events {
            let old = self.memory.peek(range).filter(|_| self.memory.is_written(range));
            self.event.overwritten.push((range, old));
        }
        // First, so that the access that races is the last one of the trace.
        if self.recorder.is_some() {
            self.record_access(range);
        }
        // A read that nobody can race with may still be the first half of a read-modify-write, which continues release sequences.
        if (flags.visible() || flags.order() != MemOrder::Plain) && self.race.is_some() {
            let site = self.site_at(at.thread, at.func, at.pc);
            self.race_check(range, site, flags)?;
        }
        Ok(())
    }

    fn open_section(&mut self, at: At, outermost: bool) {
        let site = self.site_at(at.thread, at.func, at.pc);
        let StepKind::AtomicBegin { section } = self.program.functions[site.func].steps[site.step].kind else {
            return;
        };
        let Some(race) = &mut self.race else { return };
        if outermost && section == Section::User && self.config.events {
            // They order what is around them like a lock, so their own order matters to races.
            self.event.add(Range { object: USER_SECTIONS, lo: 0, hi: 1, write: true });
        }
        if !self.probing {
            if section == Section::Rmw {
                race.begin_operation();
            }
            if outermost {
                race.begin_section(at.thread, section);
            }
        }
    }

    fn close_section(&mut self, thread: ThreadId, outermost: bool) {
        if let Some(race) = &mut self.race {
            race.end_operation();
            if outermost {
                race.end_section(thread);
            }
        }
    }

    fn life_read(&mut self, pointer: Pointer) {
        if self.config.events && pointer.object != 0 {
            self.event.add(Range { object: pointer.object, lo: -1, hi: 0, write: false });
        }
    }

    /// A wrong access: a violation if memory is checked, else the end of the thread.
    #[cold]
    fn memory_fault(&mut self, thread: &mut Thread, fault: Fault, pointer: u64, len: u64, write: bool) -> Pause {
        if self.probing {
            return Pause::Passed;
        }
        let site = self.site_at(thread.id, thread.func, thread.pc);
        let violation = self.describe_fault(site, fault, pointer, len, write);
        match self.undefined(thread, Property::Memory, violation) {
            Ok(()) => Pause::Point,
            Err(halt) => Pause::Halt(halt),
        }
    }

    fn bad_function(&mut self, thread: &mut Thread, pointer: u64) -> Result<(), Halt> {
        let site = self.site_at(thread.id, thread.func, thread.pc);
        let violation = self.describe_bad_call(site, pointer);
        self.undefined(thread, Property::Memory, violation)
    }

    /// Something that cannot be executed: the end of the thread.
    #[cold]
    fn unsupported(&mut self, thread: &mut Thread, what: Option<String>) -> Pause {
        if self.probing {
            return Pause::Passed;
        }
        let site = self.site_at(thread.id, thread.func, thread.pc);
        let mut violation = self.describe_unsupported(site);
        if let Some(what) = what {
            violation.message = what;
        }
        self.notes.unsupported.get_or_insert_with(|| Box::new(violation));
        if thread.depth > 0 {
            // As for what is undefined.
            self.event.everything = true;
            return Pause::Halt(Halt::Discarded);
        }
        self.stop_thread(thread, Stuck::Unsupported);
        Pause::Point
    }

    fn undefined(
        &mut self,
        thread: &mut Thread,
        property: Property,
        violation: heddle_task::Violation,
    ) -> Result<(), Halt> {
        if self.config.properties.contains(property) {
            return Err(Halt::Violation(Box::new(violation)));
        }
        self.notes.undefined.get_or_insert_with(|| Box::new(violation));
        if thread.depth > 0 {
            // Nobody goes on; what the others would have done could as well have come before.
            self.event.everything = true;
            return Err(Halt::Discarded);
        }
        self.stop_thread(thread, Stuck::Undefined);
        Ok(())
    }
}

pub(crate) fn range_at(pointer: u64, len: u64, write: bool) -> Range {
    let at = Pointer::from_bits(pointer);
    let len = i32::try_from(len).unwrap_or(i32::MAX);
    Range { object: at.object, lo: at.offset, hi: at.offset.saturating_add(len), write }
}

impl Saved {
    fn of(thread: &Thread, awaits: Awaits) -> Saved {
        if awaits == Awaits::Many {
            return Saved::All(Box::new(thread.clone()));
        }
        Saved::Frame {
            pc: thread.pc,
            base: thread.base,
            words: thread.words[thread.base as usize..].to_vec(),
            frames: thread.frames.len(),
            stack_objects: thread.stack_objects.len(),
            depth: thread.depth,
            steps: thread.steps,
        }
    }

    fn restore(self, thread: &mut Thread) {
        match self {
            Saved::All(saved) => *thread = *saved,
            Saved::Frame { pc, base, words, frames, stack_objects, depth, steps } => {
                // What the section called is gone; the frame itself never left its place.
                if let Some(callee) = thread.frames.get(frames) {
                    thread.func = callee.func;
                    thread.stack_start = callee.stack_objects;
                }
                thread.frames.truncate(frames);
                thread.stack_objects.truncate(stack_objects);
                thread.words.truncate(base as usize);
                thread.words.extend_from_slice(&words);
                (thread.pc, thread.base, thread.depth, thread.steps) = (pc, base, depth, steps);
                thread.status = Status::Running;
            }
        }
    }
}
