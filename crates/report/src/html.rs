//! The HTML report: one self-contained page, no network.
//!
//! The page has a lane a thread, a slider and keys to step through the interleaving, the source beside it, and what is
//! known at each moment: values, locks held, call stacks, where each read got its value. All words are made here, from
//! the trace; the script only shows and hides them. Without scripts the text report is shown.

use std::collections::BTreeSet;

use heddle_base::{FileId, Id, SourceMap};
use heddle_task::{Action, Place, Trace, TraceEnd, TraceStep, Verdict};
use serde::Serialize;

use crate::describe::{describe, weight};
use crate::json::CheckInfo;
use crate::junit::escape;
use crate::summary::{headline, summary};
use crate::text::{self, TextOptions};

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Lines of one file that are carried at most: a report is looked at, not archived.
const MOST_LINES: u32 = 20_000;

/// All that the page shows.
#[derive(Serialize)]
struct Page<'a> {
    headline: String,
    kind: &'static str,
    summary: Vec<String>,
    engine: &'a str,
    files: Vec<SourceText>,
    threads: Vec<Lane<'a>>,
    steps: Vec<Row<'a>>,
    truncated: bool,
    details: Vec<Note>,
    blocked: Vec<Note>,
    others: Vec<String>,
    warnings: Vec<String>,
    output: &'a str,
    errors: &'a str,
    statistics: Vec<(&'a str, f64)>,
}

/// A source file, or the part of it that is known.
#[derive(Serialize)]
struct SourceText {
    name: String,
    lines: Vec<String>,
}

#[derive(Serialize)]
struct Lane<'a> {
    path: &'a str,
    function: &'a str,
}

/// A line of explanation with the place that it speaks of.
#[derive(Serialize)]
struct Note {
    text: String,
    place: String,
}

/// A step: what the table shows, and what the script needs to know the state after it.
#[derive(Serialize)]
struct Row<'a> {
    thread: usize,
    turn: u64,
    /// 0 inside a library model, 1 local to the thread, 2 visible to others.
    weight: u8,
    text: String,
    function: &'a str,
    /// Index into the page's files, and the line, of the place in the user's code.
    file: Option<usize>,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<Effect<'a>>,
}

/// What a step changes in the state that is shown beside the source.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Effect<'a> {
    /// A variable or memory cell has a new value.
    Value { name: &'a str, value: &'a str, shared: bool },
    /// A value was read.
    Read { name: &'a str, value: &'a str },
    /// A lock is taken.
    Hold { object: &'a str },
    /// A lock is given back.
    Unhold { object: &'a str },
    /// A function is called.
    Call { function: &'a str },
    /// The running function returns.
    Return,
    /// An input is read.
    Input { name: &'a str, value: &'a str },
    /// A check fails.
    Fail,
    /// A thread starts.
    Spawn { thread: usize },
    /// The thread ends.
    End,
}

impl Effect<'_> {
    /// Whether the reader wants to know of it although it happens inside a library model.
    fn is_shown_of_models(&self, step: &TraceStep) -> bool {
        match self {
            Effect::Hold { .. } | Effect::Unhold { .. } => step.caller.is_some(),
            Effect::Input { .. } | Effect::Fail | Effect::Spawn { .. } | Effect::End => true,
            Effect::Value { .. } | Effect::Read { .. } | Effect::Call { .. } | Effect::Return => false,
        }
    }
}

/// The page for a verdict. For a violation it shows the interleaving, else what is known about the answer.
pub fn page(verdict: &Verdict, info: &CheckInfo<'_>) -> String {
    let trace = match verdict {
        Verdict::Unsafe(found) => Some(&found.trace),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => None,
    };
    let (warnings, sources) = info.warnings;
    let mut page = Page {
        headline: headline(verdict),
        kind: kind(verdict),
        summary: summary(verdict),
        engine: info.engine,
        files: Vec::new(),
        threads: Vec::new(),
        steps: Vec::new(),
        truncated: false,
        details: Vec::new(),
        blocked: Vec::new(),
        others: others(verdict),
        warnings: warnings.iter().map(|warning| warning.message.clone()).collect(),
        output: "",
        errors: "",
        statistics: info.statistics.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
    };
    let mut plain = page.summary.join("\n");
    if let Some(trace) = trace {
        add_trace(&mut page, trace, sources);
        plain = text::violation(trace, &TextOptions::default());
    }
    render(&page, &plain)
}

/// Puts the parts of the page together.
fn render(page: &Page<'_>, plain: &str) -> String {
    // A closing tag inside the data would end the script element.
    let data = serde_json::to_string(page).expect("plain data").replace("</", "<\\/");
    let parts = [
        ("{{title}}", escape(&page.headline)),
        ("{{style}}", STYLE.to_owned()),
        ("{{plain}}", escape(plain)),
        ("{{data}}", data),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    let mut out = String::with_capacity(TEMPLATE.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = TEMPLATE;
    while let Some(at) = rest.find("{{") {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let part = parts.iter().find(|(name, _)| tail.starts_with(name)).expect("every part of the template is known");
        out.push_str(&part.1);
        rest = &tail[part.0.len()..];
    }
    out.push_str(rest);
    out
}

fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Safe(proof) if proof.assumed().is_empty() => "safe",
        Verdict::Safe(_) | Verdict::SafeWithin(_) => "within",
        Verdict::Unknown(_) => "unknown",
    }
}

fn others(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Unsafe(found) => found.others.iter().map(|one| text::violation_line(&one.trace)).collect(),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => Vec::new(),
    }
}

fn add_trace<'a>(page: &mut Page<'a>, trace: &'a Trace, sources: &SourceMap) {
    let user_place = |step: &'a TraceStep| step.caller.as_ref().or((!step.model).then_some(&step.place));
    let places: Vec<&Place> = trace.steps.iter().filter_map(user_place).filter(|place| place.line > 0).collect();
    let used: Vec<usize> = places.iter().map(|place| place.file).collect::<BTreeSet<_>>().into_iter().collect();
    page.files = used.iter().map(|&file| source_text(trace, file, sources)).collect();
    page.threads = trace.threads.iter().map(|t| Lane { path: &t.path, function: &t.function }).collect();
    page.truncated = trace.truncated;
    page.output = &trace.output;
    page.errors = &trace.errors;
    page.steps = (0..trace.steps.len()).map(|index| row(trace, index, &used)).collect();
    if let TraceEnd::Violation { details, .. } = &trace.end {
        page.details = details.iter().map(|d| note(trace, &d.text, &d.place)).collect();
    }
    page.blocked = trace.blocked.iter().map(|b| note(trace, &b.text, &b.place)).collect();
}

fn note(trace: &Trace, text: &str, place: &Place) -> Note {
    let place = if place.line == 0 { String::new() } else { text::place_name(trace, place) };
    Note { text: text.to_owned(), place }
}

/// The whole file where it was kept, else the lines that the trace has.
fn source_text(trace: &Trace, file: usize, sources: &SourceMap) -> SourceText {
    let name = trace.files.get(file).cloned().unwrap_or_default();
    let id = (0..sources.file_count()).map(FileId::new).find(|&id| sources.file_name(id) == name);
    let mut lines: Vec<String> = match id {
        Some(id) => (1..=MOST_LINES).map_while(|line| sources.line_text(id, line)).map(str::to_owned).collect(),
        None => Vec::new(),
    };
    for known in trace.lines.iter().filter(|line| line.file == file && line.line <= MOST_LINES) {
        let index = known.line as usize - 1;
        if lines.len() <= index {
            lines.resize(index + 1, String::new());
        }
        lines[index].clone_from(&known.text);
    }
    SourceText { name, lines }
}

fn row<'a>(trace: &'a Trace, index: usize, used: &[usize]) -> Row<'a> {
    let step = &trace.steps[index];
    // A place in a library model says nothing to the reader.
    let place = step.caller.as_ref().or((!step.model).then_some(&step.place));
    let from = match &step.action {
        Action::Read { from, .. } => *from,
        _ => None,
    };
    Row {
        thread: step.thread,
        turn: step.turn,
        weight: weight(step) as u8,
        // Steps have the number of their position, whatever is shown.
        text: describe(step, trace, &|i| Some(i + 1)),
        function: &step.function,
        file: place.filter(|place| place.line > 0).and_then(|place| used.binary_search(&place.file).ok()),
        line: place.map_or(0, |place| place.line),
        from,
        effect: effect(&step.action).filter(|effect| !step.model || effect.is_shown_of_models(step)),
    }
}

fn effect(action: &Action) -> Option<Effect<'_>> {
    match action {
        Action::Assign { variable, value } => Some(Effect::Value { name: variable, value, shared: false }),
        Action::Write { place, value, shared } => Some(Effect::Value { name: place, value, shared: *shared }),
        Action::Read { place, value, .. } => Some(Effect::Read { name: place, value }),
        Action::Input { name, value, .. } => Some(Effect::Input { name, value }),
        Action::Sync { op, object } => match op.as_str() {
            "hold" => Some(Effect::Hold { object }),
            "unhold" => Some(Effect::Unhold { object }),
            _ => None,
        },
        Action::Call { function, .. } => Some(Effect::Call { function }),
        Action::Return { .. } => Some(Effect::Return),
        Action::Assert { holds: false, .. } => Some(Effect::Fail),
        Action::Spawn { thread } => Some(Effect::Spawn { thread: *thread }),
        Action::ThreadEnd => Some(Effect::End),
        Action::Assert { holds: true, .. }
        | Action::Assume { .. }
        | Action::Copy { .. }
        | Action::Fill { .. }
        | Action::Alloc { .. }
        | Action::Free { .. }
        | Action::SectionBegin
        | Action::SectionEnd
        | Action::Await { .. }
        | Action::Output { .. }
        | Action::Exit { .. } => None,
    }
}
