//! The recorder: told of every op while an execution is replayed, it makes a [`Recording`].
//!
//! A step is *opened* at its first op and *closed* when the next step begins or the turn ends; what it did is read off
//! the thread's words then. A visible step at which a turn ends was opened in vain and is dropped.
//!
//! Nothing here makes text: [`crate::render()`] does.

use std::collections::BTreeMap;

use heddle_base::Id;
use heddle_ir::objects::{Site, pointed_function};
use heddle_ir::value::{Pointer, is_wide};
use heddle_ir::{FuncId, RegId, StepId, StepKind, SyncKind, Ty};
use heddle_task::{
    Bits, Blocked, ByteSource, CodeSite, Place, RECORDING_VERSION, RecordedAccess, RecordedAction, RecordedObject,
    RecordedObjectKind, RecordedStep, RecordedThread, RecordedValue, Recording, Schedule, ThreadId, TraceDetail,
    TraceEnd, Violation,
};
use rustc_hash::FxHashMap;

use crate::code::{NO_WORD, Op, Word};
use crate::event::Range;
use crate::machine::{Halt, Machine};
use crate::memory::ObjectKind;
use crate::render::place_of;
use crate::run_outcome::Outcome;
use crate::thread::{Status, Thread};

/// Steps that a recording keeps.
const MAX_STEPS: usize = 1_000_000;

/// The recorder.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    steps: Vec<RecordedStep>,
    /// Steps that are not branches: those that the limit counts.
    counted: usize,
    truncated: bool,
    open: Option<Open>,
    writers: FxHashMap<u32, Writers>,
    objects: Vec<RecordedObject>,
    /// The last entry of each number in `objects`.
    noted: FxHashMap<u32, usize>,
    printed: usize,
}

#[derive(Debug)]
struct Open {
    thread: ThreadId,
    func: FuncId,
    step: StepId,
    base: u32,
    depth: u32,
    atomic: bool,
    caller: Option<CodeSite>,
    accesses: Vec<RecordedAccess>,
    action: Option<RecordedAction>,
    /// Whether it violates a property and was not completed.
    violates: bool,
}

/// Which step wrote each byte of an object last: intervals that do not overlap, by their first byte.
#[derive(Debug, Default)]
struct Writers {
    intervals: BTreeMap<i32, (i32, usize)>,
}

impl Writers {
    fn write(&mut self, lo: i32, hi: i32, step: usize) {
        self.cut(lo);
        self.cut(hi);
        let covered: Vec<i32> = self.intervals.range(lo..hi).map(|(&at, _)| at).collect();
        for at in covered {
            self.intervals.remove(&at);
        }
        if lo < hi {
            self.intervals.insert(lo, (hi, step));
        }
    }

    /// Splits the interval that `at` lies inside of.
    fn cut(&mut self, at: i32) {
        if let Some((&lo, &(hi, step))) = self.intervals.range(..at).next_back()
            && hi > at
        {
            self.intervals.insert(lo, (at, step));
            self.intervals.insert(at, (hi, step));
        }
    }

    fn sources(&self, lo: i32, hi: i32) -> Vec<ByteSource> {
        let mut sources: Vec<ByteSource> = Vec::new();
        let mut at = lo;
        let before = self.intervals.range(..lo).next_back().filter(|(_, (end, _))| *end > lo);
        for (&start, &(end, step)) in before.into_iter().chain(self.intervals.range(lo..hi)) {
            let start = start.max(lo);
            if start > at {
                sources.push(ByteSource { lo: at, hi: start, step: None });
            }
            at = end.min(hi);
            match sources.last_mut() {
                Some(last) if last.step == Some(step) && last.hi == start => last.hi = at,
                _ => sources.push(ByteSource { lo: start, hi: at, step: Some(step) }),
            }
        }
        if at < hi {
            sources.push(ByteSource { lo: at, hi, step: None });
        }
        sources
    }
}

impl Machine<'_> {
    /// Records every step from here on.
    pub fn start_recording(&mut self) {
        self.recorder = Some(Box::default());
    }

    pub(crate) fn record_op(&mut self, thread: &Thread, pc: u32) {
        let (id, func, base) = (thread.id, thread.func, thread.base);
        let code = &self.code.functions[func];
        let step = code.step_of[pc as usize];
        let words = &thread.words[base as usize..];
        let recorder = self.recorder.as_ref().expect("recording");
        let continues = recorder.open.as_ref().is_some_and(|open| {
            open.func == func && open.step == step && open.base == base && pc != code.start_of[step.index()]
        });
        if !continues {
            self.close_step(thread);
            let open = Open {
                thread: id,
                func,
                step,
                base,
                depth: thread.frames.len() as u32,
                atomic: thread.depth > 0,
                caller: if self.program.functions[func].model { self.caller_site(thread) } else { None },
                accesses: Vec::new(),
                action: None,
                violates: false,
            };
            self.recorder.as_mut().expect("recording").open = Some(open);
        }
        if let Some(action) = self.action_before(func, pc, words, thread) {
            self.note_objects(&action);
            let recorder = self.recorder.as_mut().expect("recording");
            recorder.open.as_mut().expect("opened above").action = Some(action);
        }
    }

    pub(crate) fn record_access(&mut self, range: Range) {
        self.note_object(range.object);
        let Some(recorder) = self.recorder.as_mut() else { return };
        let Range { object, lo, hi, write } = range;
        let sources = match recorder.writers.get(&object) {
            _ if write => Vec::new(),
            Some(writers) => writers.sources(lo, hi),
            None if lo < hi => vec![ByteSource { lo, hi, step: None }],
            None => Vec::new(),
        };
        if let Some(open) = recorder.open.as_mut() {
            open.accesses.push(RecordedAccess { object, lo, hi, write, sources });
        }
    }

    /// A number stands for a new object, or for one whose contents are arbitrary again.
    pub(crate) fn record_birth(&mut self, object: u32) {
        if let Some(recorder) = self.recorder.as_mut().filter(|_| !self.probing) {
            recorder.writers.remove(&object);
        }
    }

    /// The turn is over: before the step at hand, or with a violation in it, or behind it.
    pub(crate) fn record_pause(&mut self, thread: &Thread, unfinished: bool, violated: bool) {
        let recorder = self.recorder.as_mut().expect("recording");
        if unfinished && thread.status == Status::Running {
            recorder.open = None;
            return;
        }
        if let Some(open) = &mut recorder.open {
            open.violates = violated;
        }
        self.close_step(thread);
    }

    fn caller_site(&self, thread: &Thread) -> Option<CodeSite> {
        let callers = thread.frames.iter().rev().map(|frame| self.site_at(thread.id, frame.func, frame.pc));
        let user = callers.into_iter().find(|site| !self.program.functions[site.func].model);
        user.map(|site| CodeSite { func: site.func, step: site.step })
    }

    fn close_step(&mut self, thread: &Thread) {
        let Some(open) = self.recorder.as_mut().and_then(|recorder| recorder.open.take()) else { return };
        if self.recorder.as_ref().is_some_and(|recorder| recorder.counted >= MAX_STEPS) {
            self.recorder.as_mut().expect("recording").truncated = true;
            return;
        }
        if let Some(action) = self.action_after(&open, thread) {
            self.note_objects(&action);
            self.record(open, action);
        }
    }

    fn record(&mut self, open: Open, action: RecordedAction) {
        let turn = self.turns.saturating_sub(1);
        let recorder = self.recorder.as_mut().expect("recording");
        let index = recorder.steps.len();
        for access in open.accesses.iter().filter(|access| access.write) {
            recorder.writers.entry(access.object).or_default().write(access.lo, access.hi, index);
        }
        recorder.counted += usize::from(!matches!(action, RecordedAction::Branch { .. }));
        recorder.steps.push(RecordedStep {
            thread: open.thread,
            turn,
            site: CodeSite { func: open.func, step: open.step },
            depth: open.depth,
            caller: open.caller,
            atomic: open.atomic,
            action,
            accesses: open.accesses,
        });
    }

    /// Notes what the numbers of objects in an action stand for now.
    fn note_objects(&mut self, action: &RecordedAction) {
        let mut value = |value: &RecordedValue| {
            if value.ty == Ty::Ptr {
                self.note_object(Pointer::from_bits(value.bits.0 as u64).object);
            }
        };
        match action {
            RecordedAction::Assign { value: v, .. }
            | RecordedAction::Input { value: v, .. }
            | RecordedAction::Read { value: Some(v) }
            | RecordedAction::Return { value: Some(v) } => value(v),
            RecordedAction::Call { args, .. } => args.iter().for_each(value),
            RecordedAction::Write { to, value: v } => {
                value(v);
                self.note_object(Pointer::from_bits(*to).object);
            }
            RecordedAction::Copy { to, from, .. } => {
                self.note_object(Pointer::from_bits(*to).object);
                self.note_object(Pointer::from_bits(*from).object);
            }
            RecordedAction::Fill { to: at, .. }
            | RecordedAction::Alloc { pointer: at, .. }
            | RecordedAction::Free { pointer: at }
            | RecordedAction::Await { object: at, .. }
            | RecordedAction::Sync { object: at, .. } => self.note_object(Pointer::from_bits(*at).object),
            RecordedAction::Branch { .. }
            | RecordedAction::Read { value: None }
            | RecordedAction::Return { value: None }
            | RecordedAction::Spawn { .. }
            | RecordedAction::ThreadEnd
            | RecordedAction::SectionBegin
            | RecordedAction::SectionEnd
            | RecordedAction::Assert { .. }
            | RecordedAction::Assume { .. }
            | RecordedAction::Output { .. }
            | RecordedAction::Exit { .. } => {}
        }
    }

    fn note_object(&mut self, object: u32) {
        let Some(found) = self.memory.object(object).filter(|_| object != 0) else { return };
        let kind = match found.kind {
            ObjectKind::Global(id) => RecordedObjectKind::Global(id),
            ObjectKind::Func(id) => RecordedObjectKind::Func(id),
            ObjectKind::Slot(func, slot) => RecordedObjectKind::Slot(func, slot),
            ObjectKind::Alloc(kind) => RecordedObjectKind::Alloc(kind),
        };
        let (born, serial, size) = (found.born.map(site_of), found.serial, found.size());
        let Some(recorder) = self.recorder.as_mut() else { return };
        let noted = recorder.noted.get(&object).map(|&index| &recorder.objects[index]);
        let known = noted.is_some_and(|o| (o.kind, o.born, o.serial, o.size) == (kind, born, serial, size));
        if !known {
            let since = recorder.steps.len();
            recorder.noted.insert(object, recorder.objects.len());
            recorder.objects.push(RecordedObject { object, since, kind, born, serial, size });
        }
    }

    /// What a step is about to do, where its operands tell it.
    fn action_before(&self, func: FuncId, pc: u32, words: &[u64], thread: &Thread) -> Option<RecordedAction> {
        let code = &self.code.functions[func];
        let function = &self.program.functions[func];
        let step = code.step_of[pc as usize];
        let kind = &function.steps[step].kind;
        let word = |w: Word| words[w as usize];
        let op = code.ops[pc as usize];
        match (op, kind) {
            (_, StepKind::Branch { .. }) => jump_taken(op, words).map(|taken| RecordedAction::Branch { taken }),
            (
                Op::Store { a, v, .. } | Op::StorePtr { a, v, .. } | Op::StoreWide { a, v, .. },
                StepKind::Store { ty, .. },
            ) => Some(RecordedAction::Write { to: word(a), value: value_of(*ty, words, v) }),
            (Op::Copy { d, a, len, .. }, _) => {
                Some(RecordedAction::Copy { to: word(d), from: word(a), bytes: word(len) })
            }
            (Op::Fill { d, byte, len, .. }, _) => {
                Some(RecordedAction::Fill { to: word(d), byte: word(byte) as u8, bytes: word(len) })
            }
            (Op::Free { a, .. }, _) => Some(RecordedAction::Free { pointer: word(a) }),
            (Op::Call { index, .. }, _) => {
                let info = &code.calls[index as usize];
                let callee = info
                    .direct
                    .or_else(|| pointed_function(self.program, Pointer::from_bits(*words.get(info.pointer as usize)?)));
                let args = info.args.iter().map(|&(w, ty)| value_of(ty, words, w)).collect();
                Some(RecordedAction::Call { callee, args })
            }
            (Op::Return { a, .. }, _) if thread.frames.is_empty() && a == NO_WORD => Some(RecordedAction::ThreadEnd),
            (Op::Return { a, .. }, _) => {
                let value = (a != NO_WORD).then(|| function.ret.map(|ty| value_of(ty, words, a))).flatten();
                let ends = thread.frames.is_empty();
                Some(if ends { RecordedAction::ThreadEnd } else { RecordedAction::Return { value } })
            }
            (Op::AtomicBegin, _) if thread.depth == 0 => Some(RecordedAction::SectionBegin),
            (Op::AtomicEnd, _) if thread.depth == 1 => Some(RecordedAction::SectionEnd),
            (Op::Await { c, object, .. }, StepKind::Await { kind, .. }) => Some(RecordedAction::Await {
                kind: *kind,
                object: word(object),
                ended: self.thread_held(*kind, word(object)),
                spurious: word(c) == 0,
            }),
            (Op::Spawn { .. }, _) => {
                let child = self.names.clone().child(thread.id, thread.children + 1);
                Some(RecordedAction::Spawn { thread: child })
            }
            (Op::ThreadExit, _) => Some(RecordedAction::ThreadEnd),
            (Op::ProcessExit { status }, StepKind::ProcessExit { abort, .. }) => {
                Some(RecordedAction::Exit { status: word(status) as u32 as i32, abort: *abort })
            }
            (Op::Assume { c }, _) => Some(RecordedAction::Assume { holds: word(c) != 0 }),
            (Op::Assert { c }, StepKind::Assert { .. }) => Some(RecordedAction::Assert { holds: word(c) != 0 }),
            (Op::Sync { object }, StepKind::Sync { op, kind, .. }) => {
                let object = word(object);
                Some(RecordedAction::Sync { op: *op, kind: *kind, object, ended: self.thread_held(*kind, object) })
            }
            _ => None,
        }
    }

    /// The thread whose end an object of kind `Join` stands for.
    fn thread_held(&self, kind: SyncKind, object: u64) -> Option<ThreadId> {
        let held = self.holds.iter().find(|hold| hold.kind == kind && hold.object == object);
        held.filter(|_| kind == SyncKind::Join).map(|hold| hold.thread)
    }

    /// What a step did, where its result tells it.
    fn action_after(&mut self, open: &Open, thread: &Thread) -> Option<RecordedAction> {
        let program = self.program;
        let function = &program.functions[open.func];
        let words = thread.words.get(open.base as usize..).unwrap_or(&[]);
        let result = |reg: RegId| {
            let word = self.code.functions[open.func].regs[reg];
            value_of(function.regs[reg].ty, words, word)
        };
        match &function.steps[open.step].kind {
            StepKind::Assign { dst, .. } => {
                function.regs[*dst].name.as_ref()?;
                Some(RecordedAction::Assign { reg: *dst, value: result(*dst) })
            }
            StepKind::Load { dst, .. } => {
                open.accesses.last()?;
                Some(RecordedAction::Read { value: if open.violates { None } else { Some(result(*dst)) } })
            }
            StepKind::Havoc { dst, input } => {
                let read = thread.inputs.iter().find(|count| count.0 == *input).map_or(0, |count| count.1);
                let occurrence = read.saturating_sub(1);
                Some(RecordedAction::Input { input: *input, occurrence, reg: *dst, value: result(*dst) })
            }
            StepKind::Alloc { dst, .. } => {
                let pointer = words.get(self.code.functions[open.func].regs[*dst] as usize).copied()?;
                let bytes = self.memory.object((pointer >> 32) as u32).map_or(0, |o| u64::from(o.size()));
                Some(RecordedAction::Alloc { pointer, bytes })
            }
            StepKind::Output { .. } => {
                let hi = self.output.len();
                let recorder = self.recorder.as_mut().expect("recording");
                let lo = std::mem::replace(&mut recorder.printed, hi).min(hi);
                Some(RecordedAction::Output { lo, hi })
            }
            StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Free { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::Return { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. } => open.action.clone(),
            StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Goto { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => None,
        }
    }

    /// What was recorded, and how it ended.
    pub fn finish_recording(&mut self, outcome: &Outcome, schedule: Schedule) -> Recording {
        let recorder = self.recorder.take().unwrap_or_default();
        let waits = self.waits();
        let blocked: Vec<Blocked> = waits
            .iter()
            .map(|(id, wait)| Blocked {
                thread: id.index(),
                text: self.describe_wait(*id, wait),
                place: place_of(self.user_loc(*id)),
            })
            .collect();
        Recording {
            version: RECORDING_VERSION,
            threads: self.threads.iter().map(|thread| self.recorded_thread(thread)).collect(),
            objects: recorder.objects,
            steps: recorder.steps,
            truncated: recorder.truncated,
            end: recorded_end(outcome),
            blocked,
            printed: self.output.clone(),
            errors: self.errors.iter().map(|range| (range.start, range.end)).collect(),
            schedule,
        }
    }

    fn recorded_thread(&self, thread: &Thread) -> RecordedThread {
        RecordedThread {
            path: self.names.path(thread.id),
            function: thread.frames.first().map_or(thread.func, |frame| frame.func),
            spawned: thread.spawned.map(|site| CodeSite { func: site.func, step: site.step }),
        }
    }
}

fn site_of(site: Site) -> (ThreadId, CodeSite) {
    (ThreadId::of_number(site.thread), CodeSite { func: site.func, step: site.step })
}

fn value_of(ty: Ty, words: &[u64], word: Word) -> RecordedValue {
    let at = word as usize;
    let low = words.get(at).copied().unwrap_or(0);
    let high = if is_wide(ty) { words.get(at + 1).copied().unwrap_or(0) } else { 0 };
    RecordedValue { ty, bits: Bits(u128::from(low) | u128::from(high) << 64) }
}

/// Whether a conditional jump is taken; none for other ops.
fn jump_taken(op: Op, words: &[u64]) -> Option<bool> {
    let w = |word: Word| words[word as usize];
    match op {
        Op::JumpIf { a, .. } => Some(w(a) != 0),
        Op::JumpIfNot { a, .. } => Some(w(a) == 0),
        Op::JumpEq { a, b, .. } => Some(w(a) == w(b)),
        Op::JumpNe { a, b, .. } => Some(w(a) != w(b)),
        Op::JumpULt { a, b, .. } => Some(w(a) < w(b)),
        Op::JumpULe { a, b, .. } => Some(w(a) <= w(b)),
        Op::JumpSLt32 { a, b, .. } => Some((w(a) as i32) < w(b) as i32),
        Op::JumpSLe32 { a, b, .. } => Some(w(a) as i32 <= w(b) as i32),
        Op::JumpSLt64 { a, b, .. } => Some((w(a) as i64) < w(b) as i64),
        Op::JumpSLe64 { a, b, .. } => Some(w(a) as i64 <= w(b) as i64),
        _ => None,
    }
}

fn recorded_end(outcome: &Outcome) -> TraceEnd {
    match outcome {
        Outcome::Halted(Halt::Violation(violation)) => recorded_violation(violation),
        Outcome::Halted(Halt::Exit { status, abort }) => TraceEnd::Exit { status: *status, abort: *abort },
        Outcome::Halted(Halt::Limit(limit)) => TraceEnd::Limit { text: limit.to_string() },
        Outcome::Halted(Halt::Discarded) | Outcome::Discarded => TraceEnd::Discarded,
        Outcome::Finished => TraceEnd::Finished,
    }
}

fn recorded_violation(violation: &Violation) -> TraceEnd {
    let detail = |text: &str, place: Place| TraceDetail { text: text.to_owned(), place };
    TraceEnd::Violation {
        property: violation.property.name().to_owned(),
        message: violation.message.clone(),
        thread: violation.thread.index(),
        function: violation.function.clone(),
        place: place_of(violation.loc),
        details: violation.details.iter().map(|d| detail(&d.text, place_of(d.loc))).collect(),
    }
}
