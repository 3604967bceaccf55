//! A step in a few words.

use heddle_task::{Action, Trace, TraceStep};

/// How much a step matters to somebody who reads an interleaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// What a library model does inside.
    Internal,
    /// What only its own thread can notice.
    Local,
    /// What other threads can notice, what was put in, what was printed.
    Shown,
}

/// How much a step matters.
pub fn weight(step: &TraceStep) -> Weight {
    let in_model = step.model;
    match &step.action {
        Action::Read { shared, .. } | Action::Write { shared, .. } => match (in_model, shared) {
            (true, _) => Weight::Internal,
            (false, true) => Weight::Shown,
            (false, false) => Weight::Local,
        },
        // What a thread holds of itself until it ends is nothing to see.
        Action::Sync { op, .. } => match op.as_str() {
            "hold" | "unhold" | "destroy" if step.caller.is_some() => Weight::Shown,
            _ => Weight::Internal,
        },
        Action::Await { spurious, .. } => {
            if *spurious {
                Weight::Shown
            } else {
                Weight::Internal
            }
        }
        Action::Assert { holds, .. } | Action::Assume { holds } => {
            if *holds {
                Weight::Local
            } else {
                Weight::Shown
            }
        }
        Action::Spawn { .. }
        | Action::ThreadEnd
        | Action::Input { .. }
        | Action::Output { .. }
        | Action::Exit { .. }
        | Action::Free { .. } => Weight::Shown,
        Action::Alloc { .. } => {
            if in_model {
                Weight::Internal
            } else {
                Weight::Shown
            }
        }
        Action::Assign { .. }
        | Action::Copy { .. }
        | Action::Fill { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::SectionBegin
        | Action::SectionEnd => {
            if in_model {
                Weight::Internal
            } else {
                Weight::Local
            }
        }
    }
}

/// A step in a few words. `number` gives the number under which an earlier step is shown.
pub fn describe(step: &TraceStep, trace: &Trace, number: &dyn Fn(usize) -> Option<usize>) -> String {
    match &step.action {
        Action::Assign { variable, value } => format!("{variable} = {value}"),
        Action::Read { place, value, from, .. } => {
            let source = match from {
                None => " (initial)".to_owned(),
                Some(index) => number(*index).map_or(String::new(), |n| format!(" (from {n})")),
            };
            // A read that is itself the violation has no value.
            if value == "?" { format!("read {place}") } else { format!("read {place} = {value}{source}") }
        }
        Action::Write { place, value, .. } => format!("write {place} = {value}"),
        Action::Copy { to, from, bytes } => format!("copy {bytes} bytes {from} to {to}"),
        Action::Fill { place, byte, bytes } => format!("set {bytes} bytes of {place} to {byte}"),
        Action::Input { name, variable, value } => match variable {
            Some(variable) => format!("input {name}: {variable} = {value}"),
            None => format!("input {name} = {value}"),
        },
        Action::Alloc { block, bytes } => format!("allocate {block}, {bytes} bytes"),
        Action::Free { block } => format!("free {block}"),
        Action::Call { function, args } => format!("call {function}({})", args.join(", ")),
        Action::Return { value } => match value {
            Some(value) => format!("return {value}"),
            None => "return".to_owned(),
        },
        Action::Spawn { thread } => {
            let started = &trace.threads[*thread];
            format!("start thread {} ({})", started.path, started.function)
        }
        Action::ThreadEnd => format!("end of thread {}", trace.threads[step.thread].path),
        Action::SectionBegin => "begin atomic section".to_owned(),
        Action::SectionEnd => "end atomic section".to_owned(),
        Action::Await { object, spurious } => {
            if *spurious {
                format!("wake up from {object} spuriously")
            } else {
                format!("wait for {object} is over")
            }
        }
        Action::Sync { op, object } => match op.as_str() {
            "hold" => format!("take {object}"),
            "unhold" => format!("release {object}"),
            other => format!("{other} {object}"),
        },
        Action::Assert { message, holds } => {
            let word = if *holds { "holds" } else { "FAILS" };
            format!("{message} {word}")
        }
        Action::Assume { holds } => if *holds { "assumption holds" } else { "assumption does not hold" }.to_owned(),
        Action::Output { text } => format!("print {text:?}"),
        Action::Exit { status, abort } => {
            if *abort {
                "abort".to_owned()
            } else {
                format!("exit with status {status}")
            }
        }
    }
}
