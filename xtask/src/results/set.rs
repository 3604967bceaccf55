//! Verdicts and times over a benchmark set.
//!
//! `right` is a proof or a confirmed violation as expected, `within` no violation within a bound, which is never wrong and never
//! conclusive.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::child::{Answer, Heddle, Kind, Limits};
use super::tasks::{BenchTask, tasks};
use super::{document, machine, median};
use crate::flags::Flags;

/// How an answer compares with the expectation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Score {
    RightTrue,
    RightFalse,
    Within,
    Unknown,
    Crash,
    Wrong,
}

const COLUMNS: [(Score, &str); 6] = [
    (Score::RightTrue, "right `true`"),
    (Score::RightFalse, "right `false`"),
    (Score::Within, "within"),
    (Score::Unknown, "unknown"),
    (Score::Crash, "crash"),
    (Score::Wrong, "wrong"),
];

struct Row {
    folder: String,
    task: String,
    score: Score,
    cpu: f64,
}

impl Row {
    fn is_right(&self) -> bool {
        matches!(self.score, Score::RightTrue | Score::RightFalse)
    }
}

/// Measures, and writes the section of the engine.
pub fn run(dir: &Path, mut flags: Flags) -> Result<(), String> {
    let seconds = flags.number("--seconds", 30)?;
    let engine = flags.text("--engine").unwrap_or_else(|| "auto".to_owned());
    let (only, peers) = (flags.text("--only"), flags.text("--peers"));
    flags.finish()?;
    let heddle = Heddle::build(Limits::cpu(seconds))?;
    let all = tasks(dir, only.as_deref())?;
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for (index, task) in all.iter().enumerate() {
        eprint!("\r{}/{}", index + 1, all.len());
        let path = task.path.display().to_string();
        let answer = heddle.check("assert", [&path, "--data-model", "ilp32", "--engine", &engine])?;
        let score = score(task, &answer);
        if matches!(score, Score::Wrong | Score::Crash) || answer.unconfirmed() {
            problems.push(format!("{}/{}: {score:?} {}", task.folder, task.name, answer.why));
        }
        rows.push(Row { folder: task.folder.clone(), task: task.name.clone(), score, cpu: answer.cpu });
    }
    eprintln!();
    let mut body = format!(
        "`cargo xtask results set --engine {engine} --seconds {seconds}`: {} tasks, {seconds} CPU seconds each. {}\n\n{}",
        rows.len(),
        machine(),
        table(&rows)
    );
    if let Some(peers) = peers {
        body += &compared(&rows, Path::new(&peers))?;
    }
    document::write_section(&format!("Benchmark set, `{engine}`"), &body)?;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn score(task: &BenchTask, answer: &Answer) -> Score {
    match (answer.kind, task.holds) {
        (Kind::Safe, true) => Score::RightTrue,
        (Kind::Unsafe, false) => Score::RightFalse,
        (Kind::Safe, false) | (Kind::Unsafe, true) => Score::Wrong,
        (Kind::Within, _) => Score::Within,
        (Kind::Unknown | Kind::Limit, _) => Score::Unknown,
        (Kind::Crash, _) => Score::Crash,
    }
}

fn table(rows: &[Row]) -> String {
    let mut folders: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        folders.entry(&row.folder).or_default().push(row);
        folders.entry("~").or_default().push(row);
    }
    let names = COLUMNS.map(|(_, name)| name).join(" | ");
    let mut out =
        format!("| folder | tasks | {names} | CPU s | median ms |\n|---|--:|{}\n", "--:|".repeat(COLUMNS.len() + 2));
    for (folder, rows) in folders {
        let counts = COLUMNS.map(|(score, _)| rows.iter().filter(|row| row.score == score).count().to_string());
        let times: Vec<f64> = rows.iter().map(|row| row.cpu).collect();
        let name = if folder == "~" { "all" } else { folder };
        let sum: f64 = times.iter().sum();
        let middle = 1000.0 * median(times);
        let _ = writeln!(out, "| {name} | {} | {} | {sum:.1} | {middle:.0} |", rows.len(), counts.join(" | "));
    }
    out
}

/// Other tools on the same tasks, from a file with columns tool, folder, task, expected, verdict, cpu_s.
fn compared(rows: &[Row], file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let ours: BTreeMap<(&str, &str), &Row> = rows.iter().map(|row| ((&*row.folder, &*row.task), row)).collect();
    let mut peers: BTreeMap<&str, Peer> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let &[tool, folder, task, expected, verdict, cpu, ..] = &line.split(',').collect::<Vec<_>>()[..] else {
            continue;
        };
        let Some(row) = ours.get(&(folder, task)) else { continue };
        let peer = peers.entry(tool).or_default();
        peer.tasks += 1;
        peer.wrong += usize::from(verdict != expected && matches!(verdict, "true" | "false"));
        if verdict == expected {
            peer.right += 1;
            if row.is_right() {
                peer.both += 1;
                peer.ours += row.cpu;
                peer.theirs += cpu.parse::<f64>().map_err(|_| format!("{}: `{cpu}` is no time", file.display()))?;
            }
        }
    }
    let mut out = String::from(
        "\n| tool | tasks | right | wrong | right by both | its CPU s there | ours | ratio |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (tool, peer) in peers {
        let Peer { tasks, right, wrong, both, ours, theirs } = peer;
        let _ = writeln!(
            out,
            "| {tool} | {tasks} | {right} | {wrong} | {both} | {theirs:.1} | {ours:.1} | {:.3} |",
            ours / theirs
        );
    }
    Ok(out)
}

/// A tool's figures on our tasks.
#[derive(Default)]
struct Peer {
    tasks: usize,
    right: usize,
    wrong: usize,
    both: usize,
    ours: f64,
    theirs: f64,
}
