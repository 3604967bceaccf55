//! Traces: the rendering of a [`Recording`] for people, with names, places and values as text.

use heddle_base::{Id, Loc};
use heddle_ir::objects::owner;
use heddle_ir::value::{self, Pointer};
use heddle_ir::{LayoutId, Program, RegId, StepKind, SyncKind, Ty};
use heddle_task::{
    Action, CodeSite, Place, RecordedAction, RecordedObject, RecordedObjectKind, RecordedStep, RecordedValue,
    Recording, SourceLine, ThreadId, Trace, TraceEnd, TraceStep, TraceThread,
};
use rustc_hash::FxHashMap;

use crate::memory::ObjectKind;
use crate::names::{self, Named, Naming};

/// The trace of a recorded execution of `program`.
pub fn render(program: &Program, recording: &Recording) -> Trace {
    let renderer = Renderer::new(program, recording);
    let steps = renderer.steps();
    let printed = |error: bool| String::from_utf8_lossy(&printed(recording, error)).into_owned();
    let sources = &program.sources;
    let mut trace = Trace {
        files: (0..sources.file_count()).map(|i| sources.file_name(Id::new(i)).to_owned()).collect(),
        lines: Vec::new(),
        threads: (0..recording.threads.len()).map(|index| renderer.thread(&steps, index)).collect(),
        steps,
        truncated: recording.truncated,
        end: recording.end.clone(),
        blocked: recording.blocked.clone(),
        output: printed(false),
        errors: printed(true),
        schedule: recording.schedule.clone(),
    };
    add_lines(program, &mut trace);
    trace
}

pub(crate) fn place_of(loc: Loc) -> Place {
    Place { file: loc.file.index(), line: loc.line, col: loc.col }
}

struct Renderer<'a> {
    program: &'a Program,
    recording: &'a Recording,
    /// What each number of an object stands for, in the order of steps.
    objects: FxHashMap<u32, Vec<&'a RecordedObject>>,
}

/// The names of things at one step.
struct At<'r, 'a> {
    renderer: &'r Renderer<'a>,
    step: usize,
    /// The thread whose end is spoken of.
    ended: Option<ThreadId>,
}

impl Naming for At<'_, '_> {
    fn program(&self) -> &Program {
        self.renderer.program
    }

    fn named(&self, object: u32) -> Option<Named> {
        let entries = self.renderer.objects.get(&object)?;
        let found = entries.iter().rev().find(|entry| entry.since <= self.step)?;
        let kind = match found.kind {
            RecordedObjectKind::Global(id) => ObjectKind::Global(id),
            RecordedObjectKind::Func(id) => ObjectKind::Func(id),
            RecordedObjectKind::Slot(func, slot) => ObjectKind::Slot(func, slot),
            RecordedObjectKind::Alloc(kind) => ObjectKind::Alloc(kind),
        };
        let by = found.born.map_or_else(|| ThreadId::of_number(owner(object).max(1)), |(thread, _)| thread);
        Some(Named { kind, serial: found.serial, by })
    }

    fn thread_path(&self, thread: ThreadId) -> String {
        self.renderer.recording.threads[thread.index()].path.clone()
    }

    fn ended(&self, _kind: SyncKind, _object: u64) -> Option<ThreadId> {
        self.ended
    }
}

impl<'a> Renderer<'a> {
    fn new(program: &'a Program, recording: &'a Recording) -> Self {
        let mut objects: FxHashMap<u32, Vec<&RecordedObject>> = FxHashMap::default();
        for object in &recording.objects {
            objects.entry(object.object).or_default().push(object);
        }
        Renderer { program, recording, objects }
    }

    /// All steps but branches, which are the business of engines.
    fn steps(&self) -> Vec<TraceStep> {
        let mut steps: Vec<TraceStep> = Vec::new();
        // Where each recorded step stands in the trace, for read-from.
        let mut index_of = Vec::with_capacity(self.recording.steps.len());
        let mut last = None;
        for (index, step) in self.recording.steps.iter().enumerate() {
            index_of.push(steps.len());
            let Some(action) = self.action(index, step, &index_of) else { continue };
            let function = &self.program.functions[step.site.func];
            let caller = step.caller.map(|site| self.loc_of(site)).filter(|loc| !loc.is_nowhere());
            steps.push(TraceStep {
                thread: step.thread.index(),
                turn: step.turn,
                switch: last.is_some_and(|last| last != step.thread),
                atomic: step.atomic,
                place: place_of(self.loc_of(step.site)),
                caller: caller.map(place_of),
                function: function.name.clone(),
                model: function.model,
                action,
            });
            last = Some(step.thread);
        }
        steps
    }

    fn loc_of(&self, site: CodeSite) -> Loc {
        self.program.functions[site.func].steps[site.step].loc
    }

    fn action(&self, index: usize, step: &RecordedStep, index_of: &[usize]) -> Option<Action> {
        let at = At { renderer: self, step: index, ended: None };
        let function = &self.program.functions[step.site.func];
        let kind = &function.steps[step.site.step].kind;
        let place = |pointer: u64, len: u64| names::place(&at, Pointer::from_bits(pointer), len.min(1 << 20) as u32);
        let show = |value: &RecordedValue| show(&at, value);
        let name_of = |reg: RegId| function.regs[reg].name.clone();
        Some(match &step.action {
            RecordedAction::Branch { .. } => return None,
            RecordedAction::Assign { reg, value } => Action::Assign { variable: name_of(*reg)?, value: show(value) },
            RecordedAction::Read { value } => {
                let access = step.accesses.last()?;
                let StepKind::Load { ty, .. } = kind else { return None };
                let pointer = Pointer { object: access.object, offset: access.lo };
                Action::Read {
                    place: names::place(&at, pointer, ty.size(self.program.model) as u32),
                    value: value.as_ref().map_or_else(|| "?".to_owned(), show),
                    from: access.sources.iter().filter_map(|source| source.step).max().map(|step| index_of[step]),
                    shared: is_shared(&at, access.object),
                }
            }
            RecordedAction::Write { to, value } => {
                let len = value.ty.size(self.program.model);
                let shared = is_shared(&at, Pointer::from_bits(*to).object);
                Action::Write { place: place(*to, len), value: show(value), shared }
            }
            RecordedAction::Copy { to, from, bytes } => {
                Action::Copy { to: place(*to, *bytes), from: place(*from, *bytes), bytes: *bytes }
            }
            RecordedAction::Fill { to, byte, bytes } => {
                Action::Fill { place: place(*to, *bytes), byte: *byte, bytes: *bytes }
            }
            RecordedAction::Input { input, reg, value, .. } => Action::Input {
                name: self.program.inputs[*input].name.clone(),
                variable: name_of(*reg),
                value: show(value),
            },
            RecordedAction::Alloc { pointer, bytes } => {
                Action::Alloc { block: names::pointer(&at, *pointer), bytes: *bytes }
            }
            RecordedAction::Free { pointer } => Action::Free { block: names::pointer(&at, *pointer) },
            RecordedAction::Call { callee, args } => Action::Call {
                function: callee.map_or("?".to_owned(), |f| self.program.functions[f].name.clone()),
                args: args.iter().map(show).collect(),
            },
            RecordedAction::Return { value } => Action::Return { value: value.as_ref().map(show) },
            RecordedAction::Spawn { thread } => Action::Spawn { thread: thread.index() },
            RecordedAction::ThreadEnd => Action::ThreadEnd,
            RecordedAction::SectionBegin => Action::SectionBegin,
            RecordedAction::SectionEnd => Action::SectionEnd,
            RecordedAction::Await { kind, object, ended, spurious } => {
                let at = At { ended: *ended, ..at };
                Action::Await { object: names::sync_object(&at, *kind, *object), spurious: *spurious }
            }
            RecordedAction::Sync { op, kind, object, ended } => {
                let at = At { ended: *ended, ..at };
                Action::Sync { op: op.name().to_owned(), object: names::sync_object(&at, *kind, *object) }
            }
            RecordedAction::Assert { holds } => {
                let StepKind::Assert { check, .. } = kind else { return None };
                Action::Assert { message: self.program.checks[*check].message.clone(), holds: *holds }
            }
            RecordedAction::Assume { holds } => Action::Assume { holds: *holds },
            RecordedAction::Output { lo, hi } => {
                Action::Output { text: String::from_utf8_lossy(&self.recording.printed[*lo..*hi]).into_owned() }
            }
            RecordedAction::Exit { status, abort } => Action::Exit { status: *status, abort: *abort },
        })
    }

    /// The user knows the function that the thread was started with, not the model around it: the first of the user's own
    /// functions that the thread was in.
    fn thread(&self, steps: &[TraceStep], index: usize) -> TraceThread {
        let recorded = &self.recording.threads[index];
        let own = steps.iter().find(|step| step.thread == index && !step.model);
        let function = own
            .map(|step| step.function.clone())
            .or_else(|| self.function_to_start(steps, index))
            .unwrap_or_else(|| self.program.functions[recorded.function].name.clone());
        TraceThread {
            path: recorded.path.clone(),
            function,
            spawned: recorded.spawned.map(|site| place_of(self.loc_of(site))),
        }
    }

    /// The function of a thread that has not come to it yet: the one named where the thread was started.
    fn function_to_start(&self, steps: &[TraceStep], index: usize) -> Option<String> {
        let started = |step: &TraceStep| matches!(step.action, Action::Spawn { thread } if thread == index);
        let at = steps.iter().position(started)?;
        let own = |name: &String| self.program.functions.iter().any(|f| !f.model && f.name == *name);
        let by = steps[at].thread;
        steps[..at].iter().rev().filter(|step| step.thread == by).find_map(|step| match &step.action {
            Action::Call { args, .. } => args.iter().find(|arg| own(arg)).cloned(),
            _ => None,
        })
    }
}

/// Whether an object is not a call's own.
fn is_shared(at: &At<'_, '_>, object: u32) -> bool {
    !matches!(at.named(object).map(|named| named.kind), Some(ObjectKind::Slot(..)))
}

fn show(at: &At<'_, '_>, value: &RecordedValue) -> String {
    match value.ty {
        Ty::Ptr => names::pointer(at, value.bits.0 as u64),
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
        | Ty::F128 => value::show(value.ty, value.bits.0),
    }
}

/// What went to standard error, or to standard output.
fn printed(recording: &Recording, error: bool) -> Vec<u8> {
    let (mut printed, mut at) = (Vec::new(), 0);
    for &(start, end) in &recording.errors {
        let wanted = if error { start..end } else { at..start };
        printed.extend_from_slice(&recording.printed[wanted]);
        at = end;
    }
    if !error {
        printed.extend_from_slice(&recording.printed[at..]);
    }
    printed
}

/// The source lines that a trace refers to.
fn add_lines(program: &Program, trace: &mut Trace) {
    let key = |place: &Place| (place.file, place.line);
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
        if let Some(text) = program.sources.line_text(Id::new(file), line) {
            trace.lines.push(SourceLine { file, line, text: text.to_owned() });
        }
    }
}

/// The name of bytes of a variable, without indices of arrays: `q.items[].next`.
pub fn variable_name(program: &Program, name: &str, layout: LayoutId, lo: i32, hi: i32) -> String {
    let (Ok(offset), Ok(len)) = (u64::try_from(lo), u64::try_from(hi - lo)) else { return name.to_owned() };
    let mut out = name.to_owned();
    let mut index = false;
    for c in names::path(program, layout, offset, len).chars() {
        match c {
            '[' => {
                index = true;
                out.push_str("[]");
            }
            ']' => index = false,
            _ if index => {}
            _ => out.push(c),
        }
    }
    out
}
