//! How large the engines' initial formulas are: what `order` and `refine` start with (φ_init ∧ ρ ∧ ζ) against `clock`'s, which has
//! the scheduling constraint ξ in full. Paper 003 has 1/8 on average.
//!
//! A task counts only if `order`'s formula is `clock`'s without ξ: otherwise a limit cut one of them short.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::child::{Answer, Heddle, Kind, Limits};
use super::tasks::{BenchTask, tasks};
use super::{document, machine, median};
use crate::flags::Flags;

const SECTION: &str = "Formula size";

/// Variables and clauses.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Size {
    variables: f64,
    clauses: f64,
}

impl Size {
    /// The figures under a name in the statistics.
    fn of(answer: &Answer, name: &str) -> Option<Size> {
        let figure = |what: &str| answer.figure(&format!("{name}.{what}"));
        Some(Size { variables: figure("variables")?, clauses: figure("clauses")? })
    }

    fn plus(self, other: Size) -> Size {
        Size { variables: self.variables + other.variables, clauses: self.clauses + other.clauses }
    }
}

/// A task's formula without the constraint and with it.
struct Pair {
    folder: String,
    without: Size,
    with: Size,
}

/// Measures, and writes the section.
pub fn run(dir: &Path, mut flags: Flags) -> Result<(), String> {
    let seconds = flags.number("--seconds", 5)?;
    let unwind = flags.number("--unwind", 2)?;
    let only = flags.text("--only");
    flags.finish()?;
    let heddle = Heddle::build(Limits::clock(seconds))?;
    let all = tasks(dir, only.as_deref())?;
    let (mut pairs, mut problems, mut trivial, mut missing) = (Vec::new(), Vec::new(), 0, 0);
    for (index, task) in all.iter().enumerate() {
        eprint!("\r{}/{}", index + 1, all.len());
        let mut check = |engine: &str| -> Result<Answer, String> {
            let unwind = unwind.to_string();
            let path = task.path.display().to_string();
            let answer =
                heddle.check("assert", [&path, "--data-model", "ilp32", "--unwind", &unwind, "--engine", engine])?;
            problems
                .extend(wrong(task, &answer).map(|what| format!("{}/{} by {engine}: {what}", task.folder, task.name)));
            Ok(answer)
        };
        let (order, clock) = (check("order")?, check("clock")?);
        let constraint = Size::of(&clock, "clock");
        match (Size::of(&order, "formula"), constraint, Size::of(&clock, "formula")) {
            (Some(without), Some(constraint), Some(with)) if without.plus(constraint) == with => {
                if constraint.clauses == 0.0 {
                    trivial += 1;
                }
                pairs.push(Pair { folder: task.folder.clone(), without, with });
            }
            _ => missing += 1,
        }
    }
    // Without any formula there is no ratio.
    pairs.retain(|pair: &Pair| pair.with.clauses > 0.0 && pair.with.variables > 0.0);
    eprintln!();
    let mut body = format!(
        "`cargo xtask results sizes DIR --unwind {unwind}`: the formula that `order` starts with (and `refine`: it is the same \
         one) against `clock`'s, all questions included. {} {} tasks with a formula, {trivial} of all without anything to \
         order; {missing} tasks were not encoded and asked by both within {seconds} s. Paper 003 has 1/8 on average.\n\n",
        machine(),
        pairs.len()
    );
    body += &table(&pairs);
    document::write_section(SECTION, &body)?;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn wrong(task: &BenchTask, answer: &Answer) -> Option<String> {
    match answer.kind {
        Kind::Unsafe if task.holds => Some("a violation of a task that has none".to_owned()),
        Kind::Safe if !task.holds => Some("a proof of a task with a violation".to_owned()),
        Kind::Crash => Some(answer.why.clone()),
        _ => answer.unconfirmed().then(|| answer.why.clone()),
    }
}

fn table(pairs: &[Pair]) -> String {
    let mut folders: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        folders.entry(&pair.folder).or_default().push(pair);
        folders.entry("~").or_default().push(pair);
    }
    let mut out = String::from(
        "| folder | tasks | variables: mean ratio | median | all together | clauses: mean ratio | median | all together |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (folder, pairs) in folders {
        let columns = [(|size: &Size| size.variables) as fn(&Size) -> f64, |size| size.clauses].map(|count| {
            let ratios: Vec<f64> = pairs.iter().map(|pair| count(&pair.without) / count(&pair.with)).collect();
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            let sum = |with: fn(&Pair) -> &Size| pairs.iter().map(|pair| count(with(pair))).sum::<f64>();
            let together = sum(|pair| &pair.without) / sum(|pair| &pair.with);
            format!("{mean:.3} | {:.3} | {together:.3}", median(ratios))
        });
        let name = if folder == "~" { "all" } else { folder };
        let _ = writeln!(out, "| {name} | {} | {} |", pairs.len(), columns.join(" | "));
    }
    out
}
