//! How large the engines' initial formulas are: what `order` and `refine` start with (φ_init ∧ ρ ∧ ζ) against `clock`'s, which has
//! the scheduling constraint ξ in full. Paper 003 has 1/8 on average.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::child::{Answer, Heddle, Kind, Limits};
use super::tasks::{BenchTask, tasks};
use super::{document, machine, median};
use crate::flags::Flags;

const SECTION: &str = "Formula size";

/// Variables and clauses before the first question.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Size {
    variables: f64,
    clauses: f64,
}

impl Size {
    fn of(answer: &Answer) -> Option<Size> {
        Some(Size { variables: answer.figure("formula.variables")?, clauses: answer.figure("formula.clauses")? })
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
        let mut size = |engine: &str| -> Result<Option<Size>, String> {
            let unwind = unwind.to_string();
            let path = task.path.display().to_string();
            let answer = heddle.check([&path, "--data-model", "ilp32", "--unwind", &unwind, "--engine", engine])?;
            problems
                .extend(wrong(task, &answer).map(|what| format!("{}/{} by {engine}: {what}", task.folder, task.name)));
            Ok(Size::of(&answer))
        };
        match (size("order")?, size("clock")?) {
            (Some(without), Some(with)) if with.clauses > 0.0 && without.clauses > 0.0 => {
                pairs.push(Pair { folder: task.folder.clone(), without, with });
            }
            (Some(_), Some(_)) => trivial += 1,
            _ => missing += 1,
        }
    }
    eprintln!();
    let mut body = format!(
        "`cargo xtask results sizes --unwind {unwind}`: the formula that `order` starts with (and `refine`: it is the same one) \
         against `clock`'s, before the first question. {} {} tasks; {trivial} more have no clause in one of the two, and {missing} \
         were not encoded by both within {seconds} s. Paper 003 has 1/8 on average.\n\n",
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
