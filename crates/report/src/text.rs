//! Executions as text: one column a thread, context switches marked, the failing line last.

use std::collections::HashMap;
use std::fmt::Write;

use heddle_task::{Place, Trace, TraceEnd, TraceStep};

use crate::describe::{Weight, describe, weight};
use crate::explain::explain;

/// How executions look.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Show every step, also those that no other thread can notice.
    pub all: bool,
    /// Columns of text in all.
    pub width: usize,
    /// Steps shown at most; what is left out is said.
    pub most: usize,
    /// With colours, for a terminal.
    pub color: bool,
}

impl TextOptions {
    /// A text in a style of the terminal: `1` is bold, `31` red, `2` faint.
    fn styled(&self, style: &str, text: &str) -> String {
        if self.color { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { all: false, width: 118, most: 400, color: false }
    }
}

/// The whole report of a violation; empty if the trace shows none.
pub fn violation(trace: &Trace, options: &TextOptions) -> String {
    let TraceEnd::Violation { property, message, thread, function, place, details } = &trace.end else {
        return String::new();
    };
    let mut out = String::new();
    let who = thread_name(trace, *thread);
    let _ = writeln!(out, "{}", options.styled("1;31", &format!("violation of `{property}`: {message}")));
    let _ = writeln!(out, "  at {} in {function}, {who}", place_name(trace, place));
    out.push_str(&snippet(trace, place));
    for detail in details {
        let at =
            if detail.place.line == 0 { String::new() } else { format!(" at {}", place_name(trace, &detail.place)) };
        let _ = writeln!(out, "  note: {}{at}", detail.text);
    }
    for line in explain(trace) {
        let _ = writeln!(out, "  {line}");
    }
    out.push('\n');
    out.push_str(&steps(trace, options));
    for (stream, printed) in [("", &trace.output), (" on standard error", &trace.errors)] {
        if !printed.is_empty() {
            let _ = writeln!(out, "\nprinted before{stream}:");
            for line in printed.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    // The end of the story, once more: this is where the eye comes to rest.
    let _ = writeln!(out, "\n{}", options.styled("1", &format!("{}: {message}", place_name(trace, place))));
    out
}

/// A violation in one line: `race: queue.c:12:5: data race on …`; empty if the trace shows none.
pub fn violation_line(trace: &Trace) -> String {
    match &trace.end {
        TraceEnd::Violation { property, message, place, .. } => {
            format!("{property}: {}: {message}", place_name(trace, place))
        }
        TraceEnd::Exit { .. } | TraceEnd::Finished | TraceEnd::Discarded | TraceEnd::Limit { .. } => String::new(),
    }
}

/// The interleaving, and what blocked threads wait for.
pub fn steps(trace: &Trace, options: &TextOptions) -> String {
    let least = if options.all { Weight::Internal } else { Weight::Shown };
    let shown: Vec<usize> = (0..trace.steps.len()).filter(|&i| weight(&trace.steps[i]) >= least).collect();
    let numbers: HashMap<usize, usize> = shown.iter().enumerate().map(|(n, &i)| (i, n + 1)).collect();
    let mut out = String::new();
    let switches = shown.windows(2).filter(|pair| trace.steps[pair[0]].thread != trace.steps[pair[1]].thread).count();
    let _ = writeln!(out, "interleaving: {}, {}", count(shown.len(), "step"), count(switches, "context switch"));
    let columns = Columns::new(trace, options.width);
    columns.header(trace, &mut out);
    let (head, tail) = elide(shown.len(), options.most);
    let mut running = None;
    for (n, &index) in shown.iter().enumerate() {
        if n >= head && n < shown.len() - tail {
            if n == head {
                let _ = writeln!(out, "  … {} left out …", count(shown.len() - head - tail, "step"));
            }
            continue;
        }
        let step = &trace.steps[index];
        if running.is_some_and(|t| t != step.thread) {
            columns.switch(trace, step.thread, &mut out);
        }
        running = Some(step.thread);
        let text = describe(step, trace, &|i| numbers.get(&i).copied());
        columns.step(trace, n + 1, step, &text, &mut out);
    }
    if trace.truncated {
        let _ = writeln!(out, "  … the execution goes on; no more steps were recorded …");
    }
    for blocked in &trace.blocked {
        let _ = writeln!(out, "  {} at {}", blocked.text, place_name(trace, &blocked.place));
    }
    out
}

/// Which of `len` lines are shown when at most `most` may be: so many from the start, so many from the end.
fn elide(len: usize, most: usize) -> (usize, usize) {
    if len <= most { (len, 0) } else { (most / 4, most - most / 4) }
}

fn count(n: usize, noun: &str) -> String {
    match (n, noun.ends_with("ch")) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{n} {noun}es"),
        (_, false) => format!("{n} {noun}s"),
    }
}

pub(crate) fn thread_name(trace: &Trace, thread: usize) -> String {
    match trace.threads.get(thread) {
        Some(t) => format!("thread {} ({})", t.path, t.function),
        None => format!("thread number {thread}"),
    }
}

/// `file:line:col`.
pub fn place_name(trace: &Trace, place: &Place) -> String {
    let file = trace.files.get(place.file).map_or("?", String::as_str);
    if place.line == 0 { "an unknown place".to_owned() } else { format!("{file}:{}:{}", place.line, place.col) }
}

/// The source line with a caret.
fn snippet(trace: &Trace, place: &Place) -> String {
    let line = trace.lines.iter().find(|l| l.file == place.file && l.line == place.line);
    let Some(line) = line.filter(|l| !l.text.trim().is_empty()) else { return String::new() };
    let number = place.line.to_string();
    let text: String = line.text.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
    let before = (place.col as usize).saturating_sub(1).min(text.len());
    let pad = text.get(..before).map_or(before, |t| t.chars().count());
    let gutter = " ".repeat(number.len());
    format!("  {number} | {text}\n  {gutter} | {}^\n", " ".repeat(pad))
}

/// One column a thread, side by side as far as they fit.
struct Columns {
    width: usize,
    number: usize,
}

/// Threads beyond this many share the last column.
const MAX_COLUMNS: usize = 6;

impl Columns {
    fn new(trace: &Trace, total: usize) -> Self {
        let count = trace.threads.len().clamp(1, MAX_COLUMNS);
        Columns { width: (total.saturating_sub(6) / count).clamp(26, 72), number: 5 }
    }

    fn column(&self, thread: usize) -> usize {
        thread.min(MAX_COLUMNS - 1)
    }

    fn header(&self, trace: &Trace, out: &mut String) {
        let mut line = " ".repeat(self.number);
        for (i, thread) in trace.threads.iter().enumerate().take(MAX_COLUMNS) {
            let mut name = format!("{} {}", thread.path, thread.function);
            if i == MAX_COLUMNS - 1 && trace.threads.len() > MAX_COLUMNS {
                name = "other threads".to_owned();
            }
            line.push_str("  ");
            line.push_str(&pad(&name, self.width - 2));
        }
        let _ = writeln!(out, "{}", line.trim_end());
        let used = trace.threads.len().clamp(1, MAX_COLUMNS) * self.width;
        let _ = writeln!(out, "{}  {}", " ".repeat(self.number), "-".repeat(used.saturating_sub(2)));
    }

    fn switch(&self, trace: &Trace, to: usize, out: &mut String) {
        let path = &trace.threads[to].path;
        let indent = " ".repeat(self.number + 2 + self.column(to) * self.width);
        let _ = writeln!(out, "{indent}~~ switch to {path} ~~");
    }

    fn step(&self, trace: &Trace, number: usize, step: &TraceStep, text: &str, out: &mut String) {
        let place = step.caller.as_ref().unwrap_or(&step.place);
        let file = trace.files.get(place.file).map_or("", String::as_str);
        let short = file.rsplit('/').next().unwrap_or(file);
        let indent = " ".repeat(2 + self.column(step.thread) * self.width);
        // The places of library models mean nothing to the user.
        let nowhere = place.line == 0 || (step.model && step.caller.is_none());
        let at = if nowhere { String::new() } else { format!("{short}:{} ", place.line) };
        let mark = if step.atomic { "| " } else { "" };
        let _ = writeln!(out, "{number:>width$}{indent}{at}{mark}{text}", width = self.number);
    }
}

/// `text` in exactly `width` columns, clipped if it is longer.
fn pad(text: &str, width: usize) -> String {
    let clipped: String = text.chars().take(width).collect();
    format!("{clipped:<width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_executions_keep_their_end() {
        assert_eq!(elide(10, 400), (10, 0));
        assert_eq!(elide(1000, 400), (100, 300));
    }

    #[test]
    fn counts_read_well() {
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(count(2, "context switch"), "2 context switches");
    }
}
