//! What a person needs to know of a violation before the interleaving: which values led to it and where they came from,
//! which inputs, which locks were held, and how the thread got there.

use std::collections::BTreeMap;

use heddle_task::{Action, Place, Trace, TraceEnd, TraceStep};

use crate::describe::{Weight, weight};
use crate::summary::{property_words, stale_read};
use crate::text::{place_name, thread_name};

/// Reads that are explained.
const MOST_READS: usize = 4;
/// Inputs that are listed.
const MOST_INPUTS: usize = 8;

/// The explanation, one idea a line. Empty if the trace shows no violation.
pub(crate) fn explain(trace: &Trace) -> Vec<String> {
    let TraceEnd::Violation { property, thread, .. } = &trace.end else { return Vec::new() };
    let mut out = vec![format!("{} ({})", property_words(property), scene(trace))];
    out.extend(values(trace));
    out.extend(stale_read(trace));
    let inputs = inputs(trace);
    if !inputs.is_empty() {
        out.push(format!("inputs: {}", inputs.join(", ")));
    }
    out.extend(locks(trace));
    out.extend(stack(trace, *thread));
    out
}

/// `3 threads, 4 context switches`.
fn scene(trace: &Trace) -> String {
    let shown: Vec<&TraceStep> = trace.steps.iter().filter(|step| weight(step) >= Weight::Shown).collect();
    let switches = shown.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{}, {}",
        plural(trace.threads.len(), "thread", "threads"),
        plural(switches, "context switch", "context switches")
    )
}

/// The place of a step in the user's code.
pub(crate) fn user_place(step: &TraceStep) -> &Place {
    step.caller.as_ref().unwrap_or(&step.place)
}

/// `file:line`, with the file's name alone.
pub(crate) fn short_place(trace: &Trace, place: &Place) -> String {
    let file = trace.files.get(place.file).map_or("?", String::as_str);
    format!("{}:{}", file.rsplit('/').next().unwrap_or(file), place.line)
}

/// Where the shared values came from that the thread read on the failing line.
fn values(trace: &Trace) -> Vec<String> {
    let TraceEnd::Violation { thread, place, .. } = &trace.end else { return Vec::new() };
    let own = trace.steps.iter().enumerate().rev().filter(|(_, step)| step.thread == *thread && !step.model);
    let reads = own.take_while(|(_, step)| step.place.line == place.line || step.place.line == 0);
    let mut out: Vec<String> = reads.filter_map(|(index, step)| value(trace, index, step)).take(MOST_READS).collect();
    out.reverse();
    out
}

/// `x == 0, from thread 0 at a.c:12, although thread 0.2 wrote 1 at a.c:20`.
fn value(trace: &Trace, index: usize, step: &TraceStep) -> Option<String> {
    let Action::Read { place, value, from, shared: true } = &step.action else { return None };
    if value == "?" {
        return None;
    }
    let writer = |index: usize| {
        let step = &trace.steps[index];
        let path = &trace.threads.get(step.thread)?.path;
        Some(format!("thread {path} at {}", short_place(trace, user_place(step))))
    };
    let origin = match from {
        None => "its initial value".to_owned(),
        Some(from) => format!("from {}", writer(*from)?),
    };
    // Another thread's write of another value that was overwritten before this read.
    let source_thread = from.map(|from| trace.steps[from].thread);
    let before = trace.steps[..from.unwrap_or(0).min(index)].iter().enumerate().rev();
    let lost = before.clone().find_map(|(other, step)| match &step.action {
        Action::Write { place: written, value: old, .. }
            if written == place && !step.model && Some(step.thread) != source_thread =>
        {
            Some((other, old))
        }
        _ => None,
    });
    let although = match lost {
        Some((other, old)) => {
            let step = &trace.steps[other];
            let path = &trace.threads.get(step.thread)?.path;
            format!(", although thread {path} wrote {old} at {}", short_place(trace, user_place(step)))
        }
        None => String::new(),
    };
    Some(format!("{place} == {value}, {origin}{although}"))
}

fn inputs(trace: &Trace) -> Vec<String> {
    let mut out = Vec::new();
    let mut more = 0;
    for step in &trace.steps {
        if let Action::Input { name, variable, value } = &step.action {
            if out.len() == MOST_INPUTS {
                more += 1;
                continue;
            }
            let name = variable.as_ref().unwrap_or(name);
            out.push(format!("{name} = {value} ({})", short_place(trace, user_place(step))));
        }
    }
    if more > 0 {
        out.push(format!("and {more} more"));
    }
    out
}

/// Who holds which lock at the end, and since when.
fn locks(trace: &Trace) -> Vec<String> {
    let mut held: BTreeMap<(usize, &str), &Place> = BTreeMap::new();
    for step in trace.steps.iter().filter(|step| step.caller.is_some()) {
        if let Action::Sync { op, object } = &step.action {
            match op.as_str() {
                "hold" => {
                    held.insert((step.thread, object), user_place(step));
                }
                "unhold" => {
                    held.remove(&(step.thread, object.as_str()));
                }
                _ => {}
            }
        }
    }
    let lock = |((thread, object), place): (&(usize, &str), &&Place)| {
        format!("{} holds {object} since {}", thread_name(trace, *thread), short_place(trace, place))
    };
    held.iter().map(lock).collect()
}

/// The calls that are open in the failing thread, if there are any.
fn stack(trace: &Trace, thread: usize) -> Option<String> {
    let mut calls: Vec<(&str, &Place)> = Vec::new();
    for step in trace.steps.iter().filter(|step| step.thread == thread && !step.model) {
        match &step.action {
            Action::Call { function, .. } => calls.push((function, &step.place)),
            Action::Return { .. } => {
                calls.pop();
            }
            _ => {
                // A call of a library function is over when its thread is back in its own code.
                while calls.last().is_some_and(|(function, _)| *function != step.function) {
                    calls.pop();
                }
            }
        }
    }
    let TraceEnd::Violation { function, .. } = &trace.end else { return None };
    let open: Vec<String> =
        calls.iter().rev().map(|(name, place)| format!("{name} called at {}", place_name(trace, place))).collect();
    (calls.last().is_some_and(|(last, _)| last == function)).then(|| format!("call stack: {}", open.join(", ")))
}
