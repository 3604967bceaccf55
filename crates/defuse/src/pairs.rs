//! Definition-use pairs of a recording.
//!
//! **A pair's key** is the variable, the step that writes (or the initial value) with the class of its thread, and the step
//! that reads with the class of its thread. The variable is named by the bytes that are read: a global or local with
//! its field, without array indices; a heap block by the place that allocates it. The class of a thread is the first of
//! the user's functions that it executes. A step of a library model is the user's call that led to it.
//!
//! A read whose bytes come from several writes has a pair with each. A read-modify-write is a use and a definition at one
//! place. A copy is a use of its source and a definition of its target. Synchronisation primitives are no accesses.

use std::cell::RefCell;
use std::collections::BTreeMap;

use heddle_base::Id;
use heddle_ir::{Program, StepKind};
use heddle_machine::variable_name;
use heddle_task::{CodeSite, RecordedAccess, RecordedStep, Recording, ThreadId};
use rustc_hash::FxHashMap;

use crate::statics::{Statics, Variable};

/// One end of a pair: a step and the class of the thread that executes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The step.
    pub site: CodeSite,
    /// The class of the thread.
    pub class: String,
}

/// A definition and a use that it reaches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The variable.
    pub variable: String,
    /// Who writes; none for the initial value.
    pub definition: Option<Point>,
    /// Who reads.
    pub usage: Point,
}

/// A pair at a moment of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The pair.
    pub pair: Pair,
    /// The step that wrote.
    pub written: Option<usize>,
    /// The step that read.
    pub read: usize,
    /// Whether both are of one thread.
    pub local: bool,
    /// The thread that read.
    pub thread: ThreadId,
    /// The thread that wrote.
    pub writer: Option<ThreadId>,
    /// What it read: object, first byte, one behind the last.
    pub place: (u32, i32, i32),
}

/// A pair of two threads at one place: who wrote (none for the initial value), who read, what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// The thread and step that wrote.
    pub written: Option<(ThreadId, CodeSite)>,
    /// The thread and step that read.
    pub read: (ThreadId, CodeSite),
    /// The object and its first byte.
    pub place: (u32, i32),
}

impl Occurrence {
    /// The pair with its threads and its place.
    pub fn instance(&self) -> Instance {
        let written = self.pair.definition.as_ref().zip(self.writer).map(|(point, thread)| (thread, point.site));
        Instance { written, read: (self.thread, self.pair.usage.site), place: (self.place.0, self.place.1) }
    }
}

/// Names of variables, each made once.
pub(crate) struct Namer<'a> {
    program: &'a Program,
    names: RefCell<FxHashMap<(Variable, i32, i32), String>>,
}

impl<'a> Namer<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Namer { program, names: RefCell::default() }
    }

    pub(crate) fn name(&self, variable: Variable, lo: i32, hi: i32) -> String {
        let mut names = self.names.borrow_mut();
        names.entry((variable, lo, hi)).or_insert_with(|| name_of(self.program, variable, lo, hi)).clone()
    }
}

/// Reads pairs off recordings.
pub struct Extractor<'a> {
    program: &'a Program,
    statics: &'a Statics,
    namer: Namer<'a>,
}

impl<'a> Extractor<'a> {
    /// For recordings of a program.
    pub fn new(program: &'a Program, statics: &'a Statics) -> Self {
        Extractor { program, statics, namer: Namer::new(program) }
    }

    /// All pairs of a recording, in the order of reads.
    pub fn pairs(&self, recording: &Recording) -> Vec<Occurrence> {
        let classes = classes(self.program, recording);
        let objects = Objects::new(recording);
        let mut found = Vec::new();
        for (index, step) in recording.steps.iter().enumerate() {
            for access in self.uses(step) {
                let Some(variable) = objects.shared(self.statics, access.object, index) else { continue };
                let name = self.namer.name(variable, access.lo, access.hi);
                let mut sources: Vec<Option<usize>> = access.sources.iter().map(|source| source.step).collect();
                sources.sort_unstable();
                sources.dedup();
                for written in sources {
                    let writer = written.map(|step| &recording.steps[step]);
                    let point = |step: &RecordedStep| Point {
                        site: step.caller.unwrap_or(step.site),
                        class: classes[step.thread.index()].clone(),
                    };
                    found.push(Occurrence {
                        pair: Pair { variable: name.clone(), definition: writer.map(point), usage: point(step) },
                        written,
                        read: index,
                        local: writer.is_some_and(|writer| writer.thread == step.thread),
                        thread: step.thread,
                        writer: writer.map(|writer| writer.thread),
                        place: (access.object, access.lo, access.hi),
                    });
                }
            }
        }
        found
    }

    /// The reads of a step that count.
    fn uses<'s>(&self, step: &'s RecordedStep) -> impl Iterator<Item = &'s RecordedAccess> + use<'s> {
        let kind = &self.program.functions[step.site.func].steps[step.site.step].kind;
        let access = matches!(kind, StepKind::Load { .. } | StepKind::Copy { .. });
        let counts = access && self.statics.counts(step.site.func);
        step.accesses.iter().filter(move |access| counts && !access.write)
    }
}

/// What an object's number stands for at a step, quickly.
pub(crate) struct Objects<'r> {
    of: FxHashMap<u32, Vec<&'r heddle_task::RecordedObject>>,
}

impl<'r> Objects<'r> {
    pub(crate) fn new(recording: &'r Recording) -> Self {
        let mut of: FxHashMap<u32, Vec<&heddle_task::RecordedObject>> = FxHashMap::default();
        for object in &recording.objects {
            of.entry(object.object).or_default().push(object);
        }
        Objects { of }
    }

    pub(crate) fn at(&self, object: u32, step: usize) -> Option<&'r heddle_task::RecordedObject> {
        self.of.get(&object)?.iter().rev().find(|found| found.since <= step).copied()
    }

    /// The variable of an object, if it is shared.
    pub(crate) fn shared(&self, statics: &Statics, object: u32, step: usize) -> Option<Variable> {
        let variable = Variable::of(self.at(object, step)?)?;
        statics.shared.contains(&variable).then_some(variable)
    }
}

fn name_of(program: &Program, variable: Variable, lo: i32, hi: i32) -> String {
    match variable {
        Variable::Global(global) => {
            variable_name(program, &program.globals[global].name, program.globals[global].layout, lo, hi)
        }
        Variable::Slot(func, slot) => {
            let slot = &program.functions[func].slots[slot];
            let name = format!("{}.{}", program.functions[func].name, slot.name);
            variable_name(program, &name, slot.layout, lo, hi)
        }
        Variable::Alloc(site) => {
            let loc = program.functions[site.func].steps[site.step].loc;
            format!("heap:{}", loc.line)
        }
    }
}

/// The class of each thread.
pub fn classes(program: &Program, recording: &Recording) -> Vec<String> {
    let mut first: BTreeMap<ThreadId, &str> = BTreeMap::new();
    for step in &recording.steps {
        let function = &program.functions[step.site.func];
        if !function.model {
            first.entry(step.thread).or_insert(&function.name);
        }
    }
    let name = |(index, thread): (usize, &heddle_task::RecordedThread)| {
        let own = first.get(&ThreadId::new(index)).copied();
        own.unwrap_or(&program.functions[thread.function].name).to_owned()
    };
    recording.threads.iter().enumerate().map(name).collect()
}
