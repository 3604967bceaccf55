//! The story of a run: executions, what each analysis concluded, and what was never reached.

use std::collections::{BTreeMap, BTreeSet};

use heddle_ir::show::place;
use heddle_ir::{InputKind, StepKind};
use heddle_symbolic::follow::Executed;
use heddle_task::{Run, Schedule, Task};

use super::execution::Execution;

/// Which inputs have a value, and which are left to the solver.
pub(crate) fn tell_inputs(task: &Task<'_>, run: &Run<'_>) {
    let mut values: BTreeMap<&str, String> = BTreeMap::new();
    for input in task.program.inputs.iter().filter(|input| input.kind != InputKind::Uninit) {
        let domain = task.domains.iter().find(|(name, _)| *name == input.name);
        let value = match domain.map(|(_, values)| &values[..]) {
            Some([only]) => format!("{} = {only}", input.name),
            Some(values) => format!("{} has {} values", input.name, values.len()),
            None => format!("{} has no value: all are considered", input.name),
        };
        values.insert(&input.name, value);
    }
    if !values.is_empty() {
        run.statistics.tell(format!("inputs: {}", values.into_values().collect::<Vec<_>>().join(", ")));
    }
}

/// How an execution went.
pub(crate) fn tell_execution(run: &Run<'_>, number: u64, guide: Option<&Schedule>, execution: &Execution) {
    let Execution { followed, guided, outcome, recording, .. } = execution;
    let how = match guide {
        None => "without a guide".to_owned(),
        Some(_) if followed == guided => format!("followed its guide of {guided} turns"),
        Some(_) => format!("left its guide after {followed} of {guided} turns"),
    };
    run.statistics.tell(format!("execution {number}: {how}, {} steps, {outcome}", recording.steps.len()));
}

/// Lines of the user's own code that no execution came to.
pub(crate) fn tell_unreached(task: &Task<'_>, executed: &Executed, run: &Run<'_>) {
    let mut lines: BTreeMap<String, bool> = BTreeMap::new();
    for (func, function) in task.program.functions.iter_enumerated().filter(|(_, function)| !function.model) {
        for (at, step) in function.steps.iter_enumerated() {
            // Jumps, and lives of locals that end, belong to no statement.
            if matches!(
                step.kind,
                StepKind::Goto { .. } | StepKind::Skip | StepKind::Dead { .. } | StepKind::Return { .. }
            ) {
                continue;
            }
            let at_line = place(task.program, step.loc);
            let line = at_line.rsplit_once(':').map_or(at_line.as_str(), |(line, _)| line).to_owned();
            *lines.entry(line).or_default() |= executed.came_to(func, at);
        }
    }
    let unreached: BTreeSet<String> = lines.into_iter().filter(|(_, reached)| !reached).map(|(line, _)| line).collect();
    if !unreached.is_empty() {
        let all: Vec<String> = unreached.into_iter().collect();
        run.statistics.tell(format!("never reached under these inputs: {}", all.join(", ")));
    }
}
