//! `cargo xtask schedules`: tasks of a benchmark set under random schedules. No run may contradict the expected verdict
//! of the task (`unreach-call`, that is `assert` here), and none may make the machine fail.
//!
//! A task that is expected to be violated need not show it in a few random runs; how many do is printed. Inputs are
//! random, too. A task counts as stopped if all its runs end at the limit on steps or time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heddle_base::Budget;
use heddle_base::Random;
use heddle_c_front::{Input, Options, compile};
use heddle_ir::Visibility;
use heddle_ir::{Analysis, DataModel, Program, Property, PropertySet};
use heddle_machine::{Config, Fallback, Halt, Limits, Machine, Outcome, RandomScheduler};

use crate::flags::Flags;

/// How the command is called.
pub const USAGE: &str = "cargo xtask schedules DIR [--runs N] [--seed S] [--steps N]";

/// Time for all runs of one task.
const TASK_TIME: Duration = Duration::from_secs(20);

/// A task of the set.
struct Task {
    file: PathBuf,
    /// Whether an assertion can fail.
    violated: bool,
}

/// How a task fared.
#[derive(Default)]
struct Fate {
    runs: u64,
    violations: u64,
    stopped: u64,
    steps: u64,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let [dir, flags @ ..] = words else { return Err(format!("usage: {USAGE}")) };
    let mut flags = Flags::parse(flags).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    let runs = flags.number("--runs", 20)?;
    let seed = flags.number("--seed", 1)?;
    let steps = flags.number("--steps", 1_000_000)?;
    flags.finish()?;
    let tasks = tasks(Path::new(dir))?;
    let (mut all, mut shown, mut expected, mut stopped, mut wrong) = (Fate::default(), 0, 0, 0, Vec::new());
    for task in &tasks {
        let fate = match try_task(task, runs, seed, steps) {
            Ok(fate) => fate,
            Err(why) => {
                wrong.push(format!("{}: {why}", task.file.display()));
                continue;
            }
        };
        if fate.violations > 0 && !task.violated {
            wrong.push(format!("{}: violated, expected to be safe", task.file.display()));
        }
        expected += u64::from(task.violated);
        shown += u64::from(task.violated && fate.violations > 0);
        stopped += u64::from(fate.stopped == fate.runs);
        all.runs += fate.runs;
        all.violations += fate.violations;
        all.stopped += fate.stopped;
        all.steps += fate.steps;
    }
    println!("{} tasks, {} runs (seed {seed}), {} steps", tasks.len(), all.runs, all.steps);
    println!("violations: {} runs, {shown} of {expected} tasks that have one", all.violations);
    println!("stopped at a limit: {} runs, {stopped} tasks in all their runs", all.stopped);
    println!("wrong: {}", wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The tasks of a set, by name.
fn tasks(dir: &Path) -> Result<Vec<Task>, String> {
    let list = |dir: &Path| -> Result<Vec<PathBuf>, String> {
        let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        Ok(paths)
    };
    let mut found = Vec::new();
    for folder in list(dir)?.iter().filter(|path| path.is_dir()) {
        for yml in list(folder)?.iter().filter(|path| path.extension().is_some_and(|e| e == "yml")) {
            let text = fs::read_to_string(yml).map_err(|error| format!("{}: {error}", yml.display()))?;
            found.extend(task(folder, &text));
        }
    }
    if found.is_empty() { Err(format!("{}: no tasks", dir.display())) } else { Ok(found) }
}

/// Reads what matters of a task definition; none if the task is not about assertions.
fn task(folder: &Path, yml: &str) -> Option<Task> {
    let after = |text: &str, key: &str| Some(text.split_once(key)?.1.trim_start().lines().next()?.trim().to_owned());
    let file = after(yml, "input_files:")?;
    let verdict = after(yml.split_once("unreach-call.prp")?.1, "expected_verdict:")?;
    Some(Task { file: folder.join(file.trim_matches(['\'', '"'])), violated: verdict == "false" })
}

fn try_task(task: &Task, runs: u64, seed: u64, steps: u64) -> Result<Fate, String> {
    let program = program(&task.file)?;
    let code = heddle_machine::compile(&program, &Visibility::analysed(&program, &Analysis::new(&program).sharing));
    let config = Config {
        properties: checked(),
        limits: Limits { steps: Some(steps), ..Limits::default() },
        ..Config::default()
    };
    let budget = Budget::unlimited().with_time(TASK_TIME);
    let mut fate = Fate::default();
    for seed in seed..seed + runs {
        let mut machine = Machine::new(&program, &code, config.clone());
        machine.set_budget(budget.clone());
        machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
        let outcome = heddle_machine::run(&mut machine, &mut RandomScheduler::new(seed), &mut Vec::new());
        let outcome = outcome.map_err(|error| error.to_string())?;
        fate.runs += 1;
        fate.steps += machine.steps();
        fate.violations += u64::from(outcome.violation().is_some());
        fate.stopped += u64::from(matches!(outcome, Outcome::Halted(Halt::Limit(_))));
    }
    Ok(fate)
}

fn checked() -> PropertySet {
    PropertySet::EMPTY.with(Property::Assert)
}

fn program(file: &Path) -> Result<Program, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let input = Input { name: file.display().to_string(), text, original: None };
    // As the set is scored: its tasks are for 32 bits, and only assertions count.
    let options = Options { data_model: DataModel::Ilp32, properties: checked(), ..Options::default() };
    let compiled = compile(vec![input], options);
    let Some(mut program) = compiled.program else {
        let first = compiled.diagnostics.iter().next().map_or_else(String::new, |d| d.message.clone());
        return Err(format!("does not compile: {first}"));
    };
    heddle_ir::passes::standard(&mut program);
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read() {
        let yml =
            "input_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n";
        let found = task(Path::new("dir"), yml).unwrap();
        assert_eq!((found.file, found.violated), (PathBuf::from("dir/a.i"), true));
        assert!(task(Path::new("dir"), "input_files: 'a.i'\n").is_none());
    }
}
