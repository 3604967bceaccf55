//! The recorder behind traces: told of every op while an execution is replayed.
//!
//! A step is *opened* at its first op and *closed* when the next step begins or the turn ends; what it did is read off
//! the thread's words then. A visible step at which a turn ends was opened in vain and is dropped.

use heddle_base::{Id, Loc};
use heddle_ir::{FuncId, RegId, StepId, StepKind, Ty};
use rustc_hash::FxHashMap;

use crate::code::{NO_WORD, Op, Word};
use crate::event::Range;
use crate::machine::{Halt, Machine};
use crate::names;
use crate::output::Stream;
use crate::run_outcome::Outcome;
use crate::thread::{Status, Thread};
use heddle_ir::objects::{Site, pointed_function};
use heddle_ir::value::{self, Pointer, is_wide};
use heddle_task::Schedule;
use heddle_task::ThreadId;
use heddle_task::Violation;
use heddle_task::{Action, Blocked, Place, SourceLine, Trace, TraceDetail, TraceEnd, TraceStep, TraceThread};

/// Steps that a trace keeps.
const MAX_STEPS: usize = 1_000_000;

/// The recorder.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    steps: Vec<TraceStep>,
    truncated: bool,
    open: Option<Open>,
    /// The step that wrote each byte last.
    writers: FxHashMap<(u32, i32), usize>,
    last_thread: Option<ThreadId>,
    output_len: usize,
}

#[derive(Debug)]
struct Open {
    thread: ThreadId,
    func: FuncId,
    step: StepId,
    base: u32,
    atomic: bool,
    caller: Option<Loc>,
    ranges: Vec<Range>,
    action: Option<Action>,
    /// Whether it violates a property and was not completed.
    violates: bool,
}

impl Machine<'_> {
    /// Records every step from here on.
    pub fn start_tracing(&mut self) {
        self.tracer = Some(Box::default());
    }

    pub(crate) fn trace_op(&mut self, thread: &Thread, pc: u32) {
        let (id, func, base) = (thread.id, thread.func, thread.base);
        let code = &self.code.functions[func];
        let step = code.step_of[pc as usize];
        let words = &thread.words[base as usize..];
        let tracer = self.tracer.as_ref().expect("tracing");
        let continues = tracer.open.as_ref().is_some_and(|open| {
            open.func == func && open.step == step && open.base == base && pc != code.start_of[step.index()]
        });
        if !continues {
            self.close_step(thread);
            let caller = self.program.functions[func].model.then(|| self.caller_loc(thread));
            let atomic = thread.depth > 0;
            let open = Open {
                thread: id,
                func,
                step,
                base,
                atomic,
                caller,
                ranges: Vec::new(),
                action: None,
                violates: false,
            };
            self.tracer.as_mut().expect("tracing").open = Some(open);
        }
        if let Some(action) = self.action_before(func, pc, words, thread) {
            let tracer = self.tracer.as_mut().expect("tracing");
            tracer.open.as_mut().expect("opened above").action = Some(action);
        }
    }

    pub(crate) fn trace_access(&mut self, range: Range) {
        if let Some(open) = self.tracer.as_mut().and_then(|t| t.open.as_mut()) {
            open.ranges.push(range);
        }
    }

    /// The turn is over: before the step at hand, or with a violation in it, or behind it.
    pub(crate) fn trace_finish(&mut self, thread: &Thread, unfinished: bool, violated: bool) {
        let tracer = self.tracer.as_mut().expect("tracing");
        if unfinished && thread.status == Status::Running {
            tracer.open = None;
            return;
        }
        if let Some(open) = &mut tracer.open {
            open.violates = violated;
        }
        self.close_step(thread);
    }

    fn caller_loc(&self, thread: &Thread) -> Loc {
        let callers = thread.frames.iter().rev().map(|frame| self.site_at(thread.id, frame.func, frame.pc));
        let user = callers.into_iter().find(|site| !self.program.functions[site.func].model);
        user.map_or(Loc::nowhere(), |site| self.loc_of(site))
    }

    fn close_step(&mut self, thread: &Thread) {
        let Some(mut tracer) = self.tracer.take() else { return };
        if let Some(open) = tracer.open.take() {
            if tracer.steps.len() >= MAX_STEPS {
                tracer.truncated = true;
            } else if let Some(action) = self.action_after(&open, &mut tracer, thread) {
                self.record(&mut tracer, &open, action);
            }
        }
        self.tracer = Some(tracer);
    }

    fn record(&self, tracer: &mut Tracer, open: &Open, action: Action) {
        let site = Site { thread: open.thread.number(), func: open.func, step: open.step };
        let index = tracer.steps.len();
        for range in open.ranges.iter().filter(|range| range.write) {
            for byte in range.lo..range.hi.min(range.lo.saturating_add(4096)) {
                tracer.writers.insert((range.object, byte), index);
            }
        }
        tracer.steps.push(TraceStep {
            thread: open.thread.index(),
            turn: self.turns.saturating_sub(1),
            switch: tracer.last_thread.is_some_and(|last| last != open.thread),
            atomic: open.atomic,
            place: place_of(self.loc_of(site)),
            caller: open.caller.filter(|loc| !loc.is_nowhere()).map(place_of),
            function: self.program.functions[open.func].name.clone(),
            model: self.program.functions[open.func].model,
            action,
        });
        tracer.last_thread = Some(open.thread);
    }

    /// What a step is about to do, where its operands tell it.
    fn action_before(&self, func: FuncId, pc: u32, words: &[u64], thread: &Thread) -> Option<Action> {
        let code = &self.code.functions[func];
        let function = &self.program.functions[func];
        let step = code.step_of[pc as usize];
        let kind = &function.steps[step].kind;
        let word = |w: Word| words[w as usize];
        match (code.ops[pc as usize], kind) {
            (
                Op::Store { a, v, .. } | Op::StorePtr { a, v, .. } | Op::StoreWide { a, v, .. },
                StepKind::Store { ty, .. },
            ) => {
                let len = ty.size(self.program.model) as u32;
                let shared = self.is_shared(word(a));
                let place = names::place(self, Pointer::from_bits(word(a)), len);
                Some(Action::Write { place, value: self.show(*ty, words, v), shared })
            }
            (Op::Copy { d, a, len, .. }, _) => {
                let name = |w: Word| names::place(self, Pointer::from_bits(word(w)), word(len).min(1 << 20) as u32);
                Some(Action::Copy { to: name(d), from: name(a), bytes: word(len) })
            }
            (Op::Fill { d, byte, len, .. }, _) => {
                let place = names::place(self, Pointer::from_bits(word(d)), word(len).min(1 << 20) as u32);
                Some(Action::Fill { place, byte: word(byte) as u8, bytes: word(len) })
            }
            (Op::Free { a, .. }, _) => Some(Action::Free { block: names::pointer(self, word(a)) }),
            (Op::Call { index, .. }, _) => {
                let info = &code.calls[index as usize];
                let callee = info
                    .direct
                    .or_else(|| pointed_function(self.program, Pointer::from_bits(*words.get(info.pointer as usize)?)));
                let function = callee.map_or("?".to_owned(), |f| self.program.functions[f].name.clone());
                let args = info.args.iter().map(|&(w, ty)| self.show(ty, words, w)).collect();
                Some(Action::Call { function, args })
            }
            (Op::Return { a, .. }, _) if thread.frames.is_empty() && a == NO_WORD => Some(Action::ThreadEnd),
            (Op::Return { a, .. }, _) => {
                let value = (a != NO_WORD).then(|| function.ret.map(|ty| self.show(ty, words, a))).flatten();
                Some(if thread.frames.is_empty() { Action::ThreadEnd } else { Action::Return { value } })
            }
            (Op::AtomicBegin, _) if thread.depth == 0 => Some(Action::SectionBegin),
            (Op::AtomicEnd, _) if thread.depth == 1 => Some(Action::SectionEnd),
            (Op::Await { c, object, .. }, StepKind::Await { kind, .. }) => {
                Some(Action::Await { object: names::sync_object(self, *kind, word(object)), spurious: word(c) == 0 })
            }
            (Op::Spawn { .. }, _) => {
                let child = self.names.clone().child(thread.id, thread.children + 1);
                Some(Action::Spawn { thread: child.index() })
            }
            (Op::ThreadExit, _) => Some(Action::ThreadEnd),
            (Op::ProcessExit { status }, StepKind::ProcessExit { abort, .. }) => {
                Some(Action::Exit { status: word(status) as u32 as i32, abort: *abort })
            }
            (Op::Assume { c }, _) => Some(Action::Assume { holds: word(c) != 0 }),
            (Op::Assert { c }, StepKind::Assert { check, .. }) => {
                let message = self.program.checks[*check].message.clone();
                Some(Action::Assert { message, holds: word(c) != 0 })
            }
            (Op::Sync { object }, StepKind::Sync { op, kind, .. }) => {
                Some(Action::Sync { op: op.name().to_owned(), object: names::sync_object(self, *kind, word(object)) })
            }
            _ => None,
        }
    }

    /// What a step did, where its result tells it.
    fn action_after(&self, open: &Open, tracer: &mut Tracer, thread: &Thread) -> Option<Action> {
        let function = &self.program.functions[open.func];
        let words = thread.words.get(open.base as usize..).unwrap_or(&[]);
        let result = |reg: RegId| {
            let word = self.code.functions[open.func].regs[reg];
            self.show(function.regs[reg].ty, words, word)
        };
        match &function.steps[open.step].kind {
            StepKind::Assign { dst, .. } => {
                let variable = function.regs[*dst].name.clone()?;
                Some(Action::Assign { variable, value: result(*dst) })
            }
            StepKind::Load { dst, ty, .. } => {
                let range = open.ranges.last()?;
                let at = Pointer { object: range.object, offset: range.lo };
                let bytes = range.lo..range.hi;
                Some(Action::Read {
                    place: names::place(self, at, ty.size(self.program.model) as u32),
                    value: if open.violates { "?".to_owned() } else { result(*dst) },
                    from: bytes.filter_map(|byte| tracer.writers.get(&(range.object, byte)).copied()).max(),
                    shared: self.is_shared(at.bits()),
                })
            }
            StepKind::Havoc { dst, input } => Some(Action::Input {
                name: self.program.inputs[*input].name.clone(),
                variable: function.regs[*dst].name.clone(),
                value: result(*dst),
            }),
            StepKind::Alloc { dst, .. } => {
                let word = words.get(self.code.functions[open.func].regs[*dst] as usize).copied()?;
                let bytes = self.memory.object((word >> 32) as u32).map_or(0, |o| u64::from(o.size()));
                Some(Action::Alloc { block: names::pointer(self, word), bytes })
            }
            StepKind::Output { .. } => {
                let text =
                    String::from_utf8_lossy(&self.output[tracer.output_len.min(self.output.len())..]).into_owned();
                tracer.output_len = self.output.len();
                Some(Action::Output { text })
            }
            StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Free { .. }
            | StepKind::Call { .. }
            | StepKind::Return { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. } => open.action.clone(),
            StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Goto { .. }
            | StepKind::Branch { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => None,
        }
    }

    /// Whether a pointer leads to what is not the running call's own.
    fn is_shared(&self, pointer: u64) -> bool {
        let object = Pointer::from_bits(pointer).object;
        let kind = self.memory.object(object).map(|o| o.kind);
        !matches!(kind, Some(crate::memory::ObjectKind::Slot(..)))
    }

    pub(crate) fn show(&self, ty: Ty, words: &[u64], word: Word) -> String {
        let at = word as usize;
        let low = words.get(at).copied().unwrap_or(0);
        let high = if is_wide(ty) { words.get(at + 1).copied().unwrap_or(0) } else { 0 };
        match ty {
            Ty::Ptr => names::pointer(self, low),
            Ty::Bool
            | Ty::I8
            | Ty::I16
            | Ty::I32
            | Ty::I64
            | Ty::I128
            | Ty::F16
            | Ty::F32
            | Ty::F64
            | Ty::F80
            | Ty::F128 => value::show(ty, u128::from(low) | u128::from(high) << 64),
        }
    }

    /// The trace of what was recorded, and how it ended.
    pub(crate) fn finish_trace(&mut self, outcome: &Outcome, schedule: Schedule) -> Trace {
        let tracer = self.tracer.take().unwrap_or_default();
        let waits = self.waits();
        let blocked: Vec<Blocked> = waits
            .iter()
            .map(|(id, wait)| Blocked {
                thread: id.index(),
                text: self.describe_wait(*id, wait),
                place: place_of(self.user_loc(*id)),
            })
            .collect();
        let end = self.trace_end(outcome);
        let threads = self.threads.iter().map(|thread| self.trace_thread(&tracer, thread)).collect();
        let printed = |stream: Stream| String::from_utf8_lossy(&self.printed(stream)).into_owned();
        let mut trace = Trace {
            files: self.file_names(),
            lines: Vec::new(),
            threads,
            steps: tracer.steps,
            truncated: tracer.truncated,
            end,
            blocked,
            output: printed(Stream::Out),
            errors: printed(Stream::Error),
            schedule,
        };
        self.add_lines(&mut trace);
        trace
    }

    /// The user knows the function that the thread was started with, not the model around it: the first of the user's own
    /// functions that the thread was in.
    fn trace_thread(&self, tracer: &Tracer, thread: &Thread) -> TraceThread {
        let own = tracer.steps.iter().find(|step| step.thread == thread.id.index() && !step.model);
        let func = thread.frames.first().map_or(thread.func, |frame| frame.func);
        let function = own
            .map(|step| step.function.clone())
            .or_else(|| self.function_to_start(tracer, thread.id))
            .unwrap_or_else(|| self.program.functions[func].name.clone());
        TraceThread {
            path: self.names.path(thread.id),
            function,
            spawned: thread.spawned.map(|site| place_of(self.loc_of(site))),
        }
    }

    /// The function of a thread that has not come to it yet: the one named where the thread was started.
    fn function_to_start(&self, tracer: &Tracer, id: ThreadId) -> Option<String> {
        let started = |step: &TraceStep| matches!(step.action, Action::Spawn { thread } if thread == id.index());
        let at = tracer.steps.iter().position(started)?;
        let own = |name: &String| self.program.functions.iter().any(|f| !f.model && f.name == *name);
        let by = tracer.steps[at].thread;
        tracer.steps[..at].iter().rev().filter(|step| step.thread == by).find_map(|step| match &step.action {
            Action::Call { args, .. } => args.iter().find(|arg| own(arg)).cloned(),
            _ => None,
        })
    }

    fn trace_end(&self, outcome: &Outcome) -> TraceEnd {
        match outcome {
            Outcome::Halted(Halt::Violation(violation)) => self.trace_violation(violation),
            Outcome::Halted(Halt::Exit { status, abort }) => TraceEnd::Exit { status: *status, abort: *abort },
            Outcome::Halted(Halt::Limit(limit)) => TraceEnd::Limit { text: limit.to_string() },
            Outcome::Halted(Halt::Discarded) | Outcome::Discarded => TraceEnd::Discarded,
            Outcome::Finished => TraceEnd::Finished,
        }
    }

    fn trace_violation(&self, violation: &Violation) -> TraceEnd {
        TraceEnd::Violation {
            property: violation.property.name().to_owned(),
            message: violation.message.clone(),
            thread: violation.thread.index(),
            function: violation.function.clone(),
            place: place_of(violation.loc),
            details: violation
                .details
                .iter()
                .map(|detail| TraceDetail { text: detail.text.clone(), place: place_of(detail.loc) })
                .collect(),
        }
    }

    fn file_names(&self) -> Vec<String> {
        let sources = &self.program.sources;
        (0..sources.file_count()).map(|i| sources.file_name(Id::new(i)).to_owned()).collect()
    }

    fn add_lines(&self, trace: &mut Trace) {
        let mut places: Vec<(usize, u32)> =
            trace.steps.iter().flat_map(|s| [Some(&s.place), s.caller.as_ref()]).flatten().map(key).collect();
        places.extend(trace.blocked.iter().map(|b| key(&b.place)));
        if let TraceEnd::Violation { place, details, .. } = &trace.end {
            places.push(key(place));
            places.extend(details.iter().map(|d| key(&d.place)));
        }
        places.sort_unstable();
        places.dedup();
        for (file, line) in places {
            if let Some(text) = self.program.sources.line_text(Id::new(file), line) {
                trace.lines.push(SourceLine { file, line, text: text.to_owned() });
            }
        }
    }
}

fn key(place: &Place) -> (usize, u32) {
    (place.file, place.line)
}

fn place_of(loc: Loc) -> Place {
    Place { file: loc.file.index(), line: loc.line, col: loc.col }
}
