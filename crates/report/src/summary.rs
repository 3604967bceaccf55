//! The answer in a few sentences: what a person needs to know before the details.

use std::collections::BTreeMap;

use heddle_task::{Action, Proof, Trace, TraceEnd, Verdict};

use crate::describe::{Weight, weight};
use crate::explain::{short_place, user_place};
use crate::json::proof_text;
use crate::text::place_name;

/// The verdict in one line, the last one of the text output.
pub fn headline(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unsafe(found) => match &found.trace.end {
            TraceEnd::Violation { property, place, .. } => {
                let file = found.trace.files.get(place.file).map_or("?", String::as_str);
                format!("UNSAFE {property} {file}:{}", place.line)
            }
            TraceEnd::Exit { .. } | TraceEnd::Finished | TraceEnd::Discarded | TraceEnd::Limit { .. } => {
                format!("UNSAFE {}", found.violation.property)
            }
        },
        Verdict::Safe(proof) => match proof.assumed() {
            assumed if assumed.is_empty() => "SAFE".to_owned(),
            assumed => format!("SAFE ASSUMING {}", assumed.join(",")),
        },
        Verdict::SafeWithin(bounds) => format!("SAFE WITHIN {bounds}"),
        Verdict::Unknown(reason) => {
            let reason = reason.to_string();
            format!("UNKNOWN {}", reason.split_once(": ").map_or(reason.as_str(), |(word, _)| word))
        }
    }
}

/// The answer in sentences, one idea each.
pub fn summary(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Unsafe(found) => violation(&found.trace),
        Verdict::Safe(proof @ Proof::Assuming { assumptions, .. }) => {
            let mut out = vec![
                "No execution violates a checked property before an assumption fails.".to_owned(),
                format!("Proof: {}.", proof_text(proof)),
            ];
            for one in assumptions {
                out.push(format!("Assumed: {} at {}.", one.property, one.places.join(", ")));
            }
            out
        }
        Verdict::Safe(proof) => {
            vec!["No execution violates a checked property.".to_owned(), format!("Proof: {}.", proof_text(proof))]
        }
        Verdict::SafeWithin(bounds) => vec![
            format!("No execution within {bounds} violates a checked property."),
            "Executions beyond that bound were not checked.".to_owned(),
        ],
        Verdict::Unknown(reason) => vec![format!("Not decided: {reason}.")],
    }
}

/// What is violated, where, by whom; how many threads and switches it takes; which value surprised whom.
fn violation(trace: &Trace) -> Vec<String> {
    let TraceEnd::Violation { property, message, thread, function, place, .. } = &trace.end else {
        return Vec::new();
    };
    // Some messages name their property themselves.
    let plain = message.strip_prefix(&format!("{property}: ")).unwrap_or(message);
    let mut out = vec![format!("{}: {plain}.", property_words(property))];
    let who =
        trace.threads.get(*thread).map_or_else(String::new, |t| format!(" by thread {} ({})", t.path, t.function));
    out.push(format!("It happens at {} in {function}{who}.", place_name(trace, place)));
    let shown: Vec<usize> = (0..trace.steps.len()).filter(|&i| weight(&trace.steps[i]) >= Weight::Shown).collect();
    let switches = shown.windows(2).filter(|pair| trace.steps[pair[0]].thread != trace.steps[pair[1]].thread).count();
    let threads = trace.threads.len();
    out.push(format!(
        "The interleaving has {threads} thread{}, {switches} context switch{} and {} visible steps.",
        if threads == 1 { "" } else { "s" },
        if switches == 1 { "" } else { "es" },
        shown.len()
    ));
    let inputs: Vec<String> = inputs(trace);
    if !inputs.is_empty() {
        out.push(format!("Inputs: {}.", inputs.join(", ")));
    }
    out.extend(stale_read(trace));
    out
}

/// A property in words.
pub(crate) fn property_words(property: &str) -> &str {
    match property {
        "assert" => "An assertion fails",
        "deadlock" => "Deadlock",
        "lock" => "A synchronisation object is misused",
        "memory" => "Invalid memory access",
        "division" => "Division by zero",
        "race" => "Data race",
        "overflow" => "Arithmetic overflow",
        "leak" => "Memory leak",
        "uninit" => "Uninitialised memory is read",
        other => other,
    }
}

fn inputs(trace: &Trace) -> Vec<String> {
    let inputs = trace.steps.iter().filter_map(|step| match &step.action {
        Action::Input { name, value, .. } => Some(format!("{name} = {value}")),
        _ => None,
    });
    inputs.take(8).collect()
}

/// The last write whose value was computed from a read that another thread's write had overtaken: the classic lost update.
pub(crate) fn stale_read(trace: &Trace) -> Option<String> {
    let mut last_write: BTreeMap<&str, usize> = BTreeMap::new();
    let mut last_read: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut found = None;
    for (index, step) in trace.steps.iter().enumerate() {
        match &step.action {
            Action::Read { place, shared: true, .. } if !step.model => {
                last_read.insert((step.thread, place), index);
            }
            Action::Write { place, shared: true, .. } if !step.model => {
                let read = last_read.remove(&(step.thread, place.as_str()));
                let overtaken = last_write.insert(place, index);
                if let (Some(read), Some(write)) = (read, overtaken)
                    && write > read
                    && trace.steps[write].thread != step.thread
                {
                    found = Some((read, write, index, place));
                }
            }
            _ => {}
        }
    }
    let (read, write, again, place) = found?;
    let name = |index: usize| &trace.threads[trace.steps[index].thread].path;
    let at = |index: usize| {
        let step = &trace.steps[index];
        short_place(trace, user_place(step))
    };
    Some(format!(
        "Lost update: thread {} reads {place} at {}, thread {} writes it at {}, and thread {} overwrites that at {} with a \
         value from its earlier read.",
        name(read),
        at(read),
        name(write),
        at(write),
        name(again),
        at(again)
    ))
}
