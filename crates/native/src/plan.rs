//! From a trace to the steps that the compiled program's hooks can see.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::build::WRAPPED;
use heddle_task::{Action, Place, Trace, TraceEnd, TraceStep};

/// What a step is to a hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic operation, or a section that begins with an access.
    Atomic,
    /// The first step of a call of a library function.
    Call(String),
    /// A later step of the same call.
    Rest,
}

/// A scheduled step of the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) thread: usize,
    pub(crate) seen: Seen,
    /// Index into [`Plan::lines`].
    pub(crate) line: usize,
}

/// A source line as the runtime knows it.
pub(crate) struct PlanLine {
    pub(crate) file: String,
    pub(crate) number: u32,
    /// Whether the compiler calls atomic operations there.
    pub(crate) atomic: bool,
    /// Which of the file's lines with this text it is, from 1.
    pub(crate) ordinal: usize,
    /// Its text without the blanks around it; empty where the number is enough.
    pub(crate) text: String,
}

/// An interleaving as the runtime understands it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Threads: index, parent, number among the parent's children.
    threads: Vec<(usize, Option<usize>, u32)>,
    events: Vec<Event>,
    /// Inputs in the order they are read: thread, name, value.
    inputs: Vec<(usize, String, u64)>,
    /// File and line of each event.
    pub(crate) lines: Vec<(String, u32)>,
    /// The violated property.
    pub property: String,
    /// How many threads wait at the end.
    pub blocked: usize,
}

/// The plan of a trace that ends with a violation; `Err` says why there is none.
pub fn plan(trace: &Trace) -> Result<Plan, String> {
    let TraceEnd::Violation { property, .. } = &trace.end else {
        return Err("the schedule shows no violation: there is nothing to reproduce".to_owned());
    };
    if trace.truncated {
        return Err("the execution is too long to be forced on a binary".to_owned());
    }
    let mut plan = Plan { property: property.clone(), blocked: trace.blocked.len(), ..Plan::default() };
    plan.threads = threads(trace);
    let mut calls: Vec<Calling> = vec![Calling::default(); trace.threads.len()];
    let quiet = quiet_calls(trace);
    let mut turn = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        let first_of_turn = step.turn != turn;
        turn = step.turn;
        let calling = &mut calls[step.thread];
        plan.events.extend(event(trace, index, first_of_turn || quiet.contains(&index), calling, &mut plan.lines));
        calling.follow(step);
        if let Action::Input { name, value, .. } = &step.action
            && let Some(value) = number(value)
        {
            plan.inputs.push((step.thread, name.clone(), value));
        }
    }
    Ok(plan)
}

/// Calls of library functions that begin no turn, because nobody else could notice them: each by its first step. A call
/// that has not returned is none of them; its thread is still on the way to its first visible step.
fn quiet_calls(trace: &Trace) -> BTreeSet<usize> {
    let mut quiet = BTreeSet::new();
    let mut open: Vec<Option<usize>> = vec![None; trace.threads.len()];
    let mut turn = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        let first_of_turn = step.turn != turn;
        turn = step.turn;
        let open = &mut open[step.thread];
        if !step.model {
            quiet.extend(open.take());
            if matches!(step.action, Action::Call { .. }) {
                *open = Some(index + 1);
            }
        } else if first_of_turn {
            *open = None;
        }
    }
    quiet
}

/// The call of a library function that a thread is in, if it is in one.
#[derive(Clone, Default)]
struct Calling {
    function: Option<String>,
    /// Whether a step of this call was planned.
    begun: bool,
}

impl Calling {
    fn follow(&mut self, step: &TraceStep) {
        if step.model {
            return;
        }
        match &step.action {
            Action::Call { function, .. } => *self = Calling { function: Some(function.clone()), begun: false },
            _ => self.function = None,
        }
    }
}

/// A step as a hook sees it; none if no hook does. Steps that begin no turn are planned too where a hook comes before
/// them: what a thread does on the way must not be taken for a later step on the same line.
fn event(
    trace: &Trace,
    index: usize,
    first_of_turn: bool,
    calling: &mut Calling,
    lines: &mut Vec<(String, u32)>,
) -> Option<Event> {
    let step = &trace.steps[index];
    let thread = step.thread;
    if step.model {
        let place = step.caller.as_ref()?;
        let function = calling.function.as_ref().filter(|name| WRAPPED.contains(&name.as_str()))?.clone();
        if !first_of_turn {
            return None;
        }
        let line = line(trace, place, lines)?;
        let seen = if std::mem::replace(&mut calling.begun, true) { Seen::Rest } else { Seen::Call(function) };
        return Some(Event { thread, seen, line });
    }
    if step.atomic && !first_of_turn {
        return None;
    }
    let seen = match &step.action {
        Action::Read { shared, .. } if *shared || first_of_turn => Seen::Read,
        Action::Write { shared, .. } if *shared || first_of_turn => Seen::Write,
        Action::SectionBegin => Seen::Atomic,
        Action::Free { .. } => Seen::Call("free".to_owned()),
        Action::Copy { .. } | Action::Fill { .. } => Seen::Write,
        Action::Read { .. }
        | Action::Write { .. }
        | Action::Assign { .. }
        | Action::Input { .. }
        | Action::Alloc { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::Spawn { .. }
        | Action::ThreadEnd
        | Action::SectionEnd
        | Action::Await { .. }
        | Action::Sync { .. }
        | Action::Assert { .. }
        | Action::Assume { .. }
        | Action::Output { .. }
        | Action::Exit { .. } => return None,
    };
    // A section is recognised by its first access in the user's code.
    let place = match step.action {
        Action::SectionBegin => {
            let own = trace.steps[index..].iter().take_while(|s| s.turn == step.turn).filter(|s| s.thread == thread);
            let mut accesses =
                own.filter(|s| !s.model && matches!(s.action, Action::Read { .. } | Action::Write { .. }));
            accesses.next().map_or(&step.place, |access| &access.place)
        }
        _ => &step.place,
    };
    Some(Event { thread, seen, line: line(trace, place, lines)? })
}

fn line(trace: &Trace, place: &Place, lines: &mut Vec<(String, u32)>) -> Option<usize> {
    if place.line == 0 {
        return None;
    }
    let entry = (trace.files.get(place.file)?.clone(), place.line);
    if let Some(known) = lines.iter().position(|line| *line == entry) {
        return Some(known);
    }
    lines.push(entry);
    Some(lines.len() - 1)
}

/// A thread's place in the tree of threads, from its path.
fn threads(trace: &Trace) -> Vec<(usize, Option<usize>, u32)> {
    let of_path = |path: &str| trace.threads.iter().position(|thread| thread.path == path);
    let place = |(index, thread): (usize, &heddle_task::TraceThread)| match thread.path.rsplit_once('.') {
        Some((parent, number)) => (index, of_path(parent), number.parse().unwrap_or(0)),
        None => (index, None, 0),
    };
    trace.threads.iter().enumerate().map(place).collect()
}

/// A value as the trace shows it, as bits.
fn number(text: &str) -> Option<u64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => text.parse::<i128>().ok().map(|value| value as u64),
    }
}

impl Plan {
    /// Steps that are to be forced.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there is nothing to force.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The lines by name, without their text.
    pub(crate) fn named_lines(&self, atomic: &BTreeSet<usize>) -> Vec<PlanLine> {
        let line = |(index, (file, number)): (usize, &(String, u32))| PlanLine {
            file: file.clone(),
            number: *number,
            atomic: atomic.contains(&index),
            ordinal: 1,
            text: String::new(),
        };
        self.lines.iter().enumerate().map(line).collect()
    }

    /// The text that the runtime reads; `sites` are addresses behind hooks, and their lines.
    pub(crate) fn text(&self, sites: &[(u64, usize)], lines: &[PlanLine]) -> String {
        let mut out = format!("property {}\n", self.property);
        let _ = writeln!(out, "threads {}", self.threads.len());
        for (index, parent, number) in &self.threads {
            let _ = writeln!(out, "{index} {} {number}", parent.map_or(-1, |p| p as i64));
        }
        let _ = writeln!(out, "events {}", self.events.len());
        for event in &self.events {
            let (kind, name) = match &event.seen {
                Seen::Read => ('R', "-"),
                Seen::Write => ('W', "-"),
                Seen::Atomic => ('A', "-"),
                Seen::Call(function) => ('C', function.as_str()),
                Seen::Rest => ('K', "-"),
            };
            let name: String = name.chars().take(47).collect();
            let _ = writeln!(out, "{} {kind} {} {name}", event.thread, event.line);
        }
        let _ = writeln!(out, "inputs {}", self.inputs.len());
        for (thread, name, value) in &self.inputs {
            let name: String = name.chars().take(63).map(|c| if c.is_whitespace() { '_' } else { c }).collect();
            let _ = writeln!(out, "{thread} {name} {value:x}");
        }
        let _ = writeln!(out, "lines {}", lines.len());
        for PlanLine { file, number, atomic, ordinal, text } in lines {
            let _ = writeln!(out, "{} {number} {ordinal} {file}\n| {text}", u8::from(*atomic));
        }
        let _ = writeln!(out, "sites {}", sites.len());
        for (address, line) in sites {
            let _ = writeln!(out, "{address:x} {line}");
        }
        out
    }
}
