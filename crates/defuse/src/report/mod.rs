//! What a campaign found, for people and for other programs: text, JSON, LCOV, and one self-contained HTML page.
//!
//! **Coverage** is the share of potential pairs of program steps that some execution showed, without those that were
//! refuted. It speaks of the text: a pair that the static analysis allows and nothing can show lowers it.

mod html;
mod lcov;

pub use html::html;
pub use lcov::lcov;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use heddle_ir::Program;
use heddle_task::CodeSite;
use serde_json::{Value, json};

use crate::campaign::{Cut, Purpose, Report, Status, branches_only};
use crate::database::direction;
use crate::invariants::Disagreement;
use crate::pairs::Pair;
use crate::statics::Statics;

/// Numbers of a campaign.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Pairs that were seen in guided executions.
    pub explicit: usize,
    /// Pairs that were predicted and then executed.
    pub implicit: usize,
    /// Pairs that were candidates and refuted.
    pub infeasible: usize,
    /// Potential pairs of steps that nothing showed or refuted.
    pub unknown: usize,
    /// Share of potential pairs of steps that were covered, in percent.
    pub coverage: f64,
    /// Escort branch pairs covered, and all of them.
    pub branch_pairs: (usize, usize),
}

/// The numbers of a campaign.
pub fn summary(report: &Report, statics: &Statics) -> Summary {
    let sites = |pair: &Pair| pair.definition.as_ref().map(|definition| (definition.site, pair.usage.site));
    let covered: BTreeSet<(CodeSite, CodeSite)> = report.pairs.keys().filter_map(sites).collect();
    let refuted: BTreeSet<(CodeSite, CodeSite)> = report.refuted.iter().filter_map(sites).collect();
    let open = |pair: &&(CodeSite, CodeSite)| !covered.contains(pair) && !refuted.contains(pair);
    let unknown = statics.potential.iter().filter(open).count();
    let of = |status: Status| report.pairs.values().filter(|found| found.status == status).count();
    let all = covered.len() + unknown;
    let real = branches_only(&report.escorts);
    Summary {
        explicit: of(Status::Explicit),
        implicit: of(Status::Implicit),
        infeasible: report.refuted.len(),
        unknown,
        coverage: if all == 0 { 100.0 } else { 100.0 * covered.len() as f64 / all as f64 },
        branch_pairs: (real.intersection(&report.covered_escorts).count(), real.len()),
    }
}

/// A place in the user's files: `queue.c:41`.
pub fn place(program: &Program, site: Option<CodeSite>) -> String {
    let Some(site) = site else { return "the initial value".to_owned() };
    let loc = program.functions[site.func].steps[site.step].loc;
    if loc.is_nowhere() {
        return program.functions[site.func].name.clone();
    }
    format!("{}:{}", program.sources.file_name(loc.file), loc.line)
}

/// The answer as text.
pub fn text(program: &Program, report: &Report, statics: &Statics, warnings: &[Disagreement]) -> String {
    let numbers = summary(report, statics);
    let mut out = String::new();
    let replays = report.executions.iter().filter(|execution| execution.purpose == Purpose::Replay).count();
    let _ = writeln!(
        out,
        "pairs         {} covered ({} explicit, {} implicit), {} infeasible, {} unknown",
        numbers.explicit + numbers.implicit,
        numbers.explicit,
        numbers.implicit,
        numbers.infeasible,
        numbers.unknown
    );
    let _ = writeln!(out, "coverage      {:.1} %", numbers.coverage);
    let _ = writeln!(out, "branch pairs  {} of {}", numbers.branch_pairs.0, numbers.branch_pairs.1);
    let _ = writeln!(out, "executions    {}, {replays} of them replays", report.executions.len());
    for (pair, found) in &report.pairs {
        let status = if found.status == Status::Implicit { "  (implicit)" } else { "" };
        let class = pair.definition.as_ref().map_or(String::new(), |d| format!(" in {}", d.class));
        let _ = writeln!(
            out,
            "  {}: {}{class} -> {} in {}{status}",
            pair.variable,
            place(program, pair.definition.as_ref().map(|d| d.site)),
            place(program, Some(pair.usage.site)),
            pair.usage.class
        );
    }
    for warning in warnings {
        let _ = writeln!(out, "warning: {}", warning_text(program, warning));
    }
    match &report.cut {
        None => {}
        Some(Cut::Stop(stop)) => {
            let _ = writeln!(out, "stopped: {stop:?}");
        }
        Some(Cut::Executions) => {
            let _ = writeln!(out, "stopped: the budget of executions is used up");
        }
        Some(Cut::Machine(why)) => {
            let _ = writeln!(out, "stopped: {why}");
        }
    }
    out
}

/// A disagreement in one line.
pub fn warning_text(program: &Program, warning: &Disagreement) -> String {
    format!(
        "{}: the read of `{}` at {} takes its value from {} in execution {} and from {} in execution {}",
        warning.invariant.name(),
        warning.variable,
        place(program, Some(warning.usage.site)),
        place(program, warning.first.1),
        warning.first.0 + 1,
        place(program, warning.second.1),
        warning.second.0 + 1
    )
}

/// The answer as one JSON object.
pub fn json(program: &Program, report: &Report, statics: &Statics, warnings: &[Disagreement]) -> Value {
    let numbers = summary(report, statics);
    let point = |site: CodeSite, class: &str| {
        let loc = program.functions[site.func].steps[site.step].loc;
        let file = if loc.is_nowhere() { "" } else { program.sources.file_name(loc.file) };
        json!({ "function": program.functions[site.func].name, "file": file, "line": loc.line, "thread": class })
    };
    let pairs: Vec<Value> = report
        .pairs
        .iter()
        .map(|(pair, found)| {
            json!({
                "variable": pair.variable,
                "definition": pair.definition.as_ref().map(|d| point(d.site, &d.class)),
                "use": point(pair.usage.site, &pair.usage.class),
                "status": if found.status == Status::Implicit { "implicit" } else { "explicit" },
                "execution": found.execution + 1,
            })
        })
        .collect();
    let branches: Vec<Value> = statics
        .escort_branches()
        .into_iter()
        .filter_map(|escort| match escort {
            crate::statics::Escort::Branch { site, taken } => Some(json!({
                "line": program.functions[site.func].steps[site.step].loc.line,
                "direction": direction(taken),
                "taken": report.taken.contains(&escort),
            })),
            crate::statics::Escort::Entry(_) => None,
        })
        .collect();
    json!({
        "pairs": pairs,
        "branches": branches,
        "coverage": numbers.coverage,
        "explicit": numbers.explicit,
        "implicit": numbers.implicit,
        "infeasible": numbers.infeasible,
        "unknown": numbers.unknown,
        "branch_pairs": { "covered": numbers.branch_pairs.0, "all": numbers.branch_pairs.1 },
        "executions": report.executions.len(),
        "rounds": report.rounds.len(),
        "complete": report.cut.is_none(),
        "warnings": warnings.iter().map(|w| json!({ "invariant": w.invariant.name(), "text": warning_text(program, w) })).collect::<Vec<_>>(),
        "violations": report.violations.iter().map(|(found, execution)| json!({
            "property": found.violation.property.name(),
            "message": found.violation.message,
            "line": found.violation.loc.line,
            "execution": execution + 1,
            "found_by": match report.executions[*execution].purpose {
                Purpose::Start => "first execution",
                Purpose::Branch(..) => "guided execution",
                Purpose::Replay => "replay",
            },
        })).collect::<Vec<_>>(),
        "statistics": {
            "queries": report.statistics.prediction.queries,
            "direct": report.statistics.prediction.direct,
            "formulas": report.statistics.prediction.formulas,
            "solver_seconds": report.statistics.prediction.solver_seconds,
            "seconds": report.statistics.seconds,
            "instructions": report.statistics.instructions,
            "unconfirmed": report.statistics.unconfirmed,
        },
    })
}
