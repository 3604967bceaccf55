//! Shorter executions that show the same violation: fewer context switches, then fewer turns.
//!
//! What an engine finds need not be what a person wants to read: a model of a formula switches wherever nothing forbids
//! it. So parts of the schedule are left out or exchanged with their neighbours, and the machine executes what is left, as
//! far as it can be followed; behind its end, threads run until they block. Whatever shows the same violation with less is kept,
//! and changed further. That ends at a local minimum, or when the allowance is used up, which is counted in executions and
//! steps: the same violation is shortened to the same schedule everywhere.
//!
//! **Invariant:** the result is an execution that the machine has made, with this violation at its end.

use heddle_base::Budget;
use heddle_machine::{
    Code, Config, ExitMode, Limits, Machine, Outcome, Scheduler, View, give_inputs, replay, run, schedule_of,
};
use heddle_task::{Choice, Counterexample, Schedule, ScheduleError, Task, ThreadId, Violation};

/// Executions that one violation is worth.
const ATTEMPTS: u32 = 200;
/// Steps of all these executions together.
const STEPS: u64 = 200_000;
/// Steps that an execution may make beyond those of the one that is known.
const MORE_STEPS: u64 = 200;

/// The violation with an execution that is as short as could be found; it stays as it is if none is shorter.
pub fn shorten(task: &Task<'_>, code: &Code, found: &mut Counterexample, budget: &Budget) {
    let Some(schedule) = shorter(task, code, &found.schedule, &found.violation, budget) else { return };
    let again = replay(task.program, code, &schedule, config(task, None), budget);
    if let Ok((Outcome::Halted(heddle_machine::Halt::Violation(violation)), trace)) = again
        && is_same(&violation, &found.violation)
    {
        (found.violation, found.schedule, found.trace) = (*violation, schedule, trace);
    }
}

/// A shorter schedule for the same violation, if one is found.
pub(crate) fn shorter(
    task: &Task<'_>,
    code: &Code,
    schedule: &Schedule,
    violation: &Violation,
    budget: &Budget,
) -> Option<Schedule> {
    // Threads that are stopped after a number of steps go less far in another order.
    if schedule.thread_steps.is_some() {
        return None;
    }
    let names = schedule.names().ok()?;
    let mut runs = schedule.runs(&names).ok()?;
    let mut attempts = Attempts { task, code, schedule, violation, budget, left: ATTEMPTS, steps: STEPS };
    let mut best: Option<Schedule> = None;
    let mut size = size_of(&runs);
    while let Some((shorter, next)) = attempts.pass(&runs, size) {
        size = size_of(&next);
        (best, runs) = (Some(shorter), next);
    }
    best
}

type Runs = Vec<(Choice, u64)>;

/// Context switches, spurious wake-ups, turns.
fn size_of(runs: &[(Choice, u64)]) -> (usize, usize, u64) {
    let switches = runs.windows(2).filter(|pair| pair[0].0.thread != pair[1].0.thread).count();
    let wakes = runs.iter().filter(|(choice, _)| choice.spurious).count();
    (switches, wakes, runs.iter().map(|(_, turns)| *turns).sum())
}

fn is_same(one: &Violation, other: &Violation) -> bool {
    (one.property, one.loc, &one.message) == (other.property, other.loc, &other.message)
}

fn config(task: &Task<'_>, steps: Option<u64>) -> Config {
    Config {
        properties: task.properties,
        limits: Limits { thread_steps: task.bounds.steps, steps, ..Limits::default() },
        exit: ExitMode::Immediate,
        events: false,
        output: false,
        standard_input: None,
    }
}

struct Attempts<'a> {
    task: &'a Task<'a>,
    code: &'a Code,
    /// For its inputs and the names of its threads.
    schedule: &'a Schedule,
    violation: &'a Violation,
    budget: &'a Budget,
    left: u32,
    steps: u64,
}

impl Attempts<'_> {
    /// The first change that makes it smaller: from the end on, because what stands there matters least often.
    fn pass(&mut self, runs: &Runs, size: (usize, usize, u64)) -> Option<(Schedule, Runs)> {
        for index in (0..runs.len()).rev() {
            let mut without = runs.clone();
            without.remove(index);
            if let Some(found) = self.attempt(merged(without), size) {
                return Some(found);
            }
            if index > 0 {
                let mut exchanged = runs.clone();
                exchanged.swap(index - 1, index);
                if let Some(found) = self.attempt(merged(exchanged), size) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Executes these runs as far as they can be followed. What was executed, if it shows the violation and is smaller.
    fn attempt(&mut self, runs: Runs, size: (usize, usize, u64)) -> Option<(Schedule, Runs)> {
        if self.left == 0 || self.steps == 0 || self.budget.check().is_err() {
            return None;
        }
        self.left -= 1;
        let names = self.schedule.names().ok()?;
        let mut machine = Machine::new(self.task.program, self.code, config(self.task, Some(self.steps)));
        give_inputs(self.schedule, self.task.program, &names, &mut machine.inputs).ok()?;
        machine.set_names(names);
        machine.set_budget(self.budget.clone());
        let mut scheduler = Lenient { runs, at: 0, done: 0, turns: size.2.saturating_add(MORE_STEPS) };
        let mut made = Vec::new();
        let outcome = run(&mut machine, &mut scheduler, &mut made).ok()?;
        self.steps = self.steps.saturating_sub(machine.steps());
        outcome.violation().filter(|violation| is_same(violation, self.violation))?;
        let made_runs: Runs = made.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect();
        if size_of(&made_runs) >= size {
            return None;
        }
        let schedule = schedule_of(self.task.program, self.code, machine.names(), &made, &machine.inputs);
        Some((schedule, made_runs))
    }
}

/// Neighbours of the same thread are one run.
fn merged(runs: Runs) -> Runs {
    let mut result: Runs = Vec::with_capacity(runs.len());
    for (choice, turns) in runs {
        match result.last_mut() {
            Some(last) if last.0 == choice => last.1 += turns,
            Some(_) | None => result.push((choice, turns)),
        }
    }
    result
}

/// Follows runs of choices, leaves out what cannot be followed, and lets threads run until they block behind the end.
struct Lenient {
    runs: Runs,
    at: usize,
    done: u64,
    /// Turns that are left before it gives up.
    turns: u64,
}

impl Lenient {
    fn wanted(&mut self, view: &View<'_, '_>) -> Option<Choice> {
        while let Some(&(choice, turns)) = self.runs.get(self.at) {
            if self.done < turns && view.choice(choice.thread) == Some(choice) {
                self.done += 1;
                return Some(choice);
            }
            self.at += 1;
            self.done = 0;
        }
        None
    }
}

impl Scheduler for Lenient {
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        if self.turns == 0 {
            return Ok(None);
        }
        self.turns -= 1;
        if let Some(choice) = self.wanted(view) {
            return Ok(Some(choice));
        }
        let is_real = |thread: ThreadId| view.choice(thread).filter(|choice| !choice.spurious);
        let same = view.last().and_then(is_real);
        Ok(same.or_else(|| view.choices().iter().copied().find(|choice| !choice.spurious)))
    }

    fn wants_spurious(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_base::Id;

    fn runs(list: &[(usize, u64)]) -> Runs {
        list.iter().map(|&(thread, turns)| (Choice { thread: ThreadId::new(thread), spurious: false }, turns)).collect()
    }

    #[test]
    fn fewer_switches_count_more_than_fewer_turns() {
        assert!(size_of(&runs(&[(0, 9), (1, 9)])) < size_of(&runs(&[(0, 1), (1, 1), (0, 1)])));
        assert!(size_of(&runs(&[(0, 2), (1, 1)])) < size_of(&runs(&[(0, 2), (1, 2)])));
    }

    #[test]
    fn neighbours_are_merged() {
        assert_eq!(merged(runs(&[(0, 1), (0, 2), (1, 1), (0, 1)])), runs(&[(0, 3), (1, 1), (0, 1)]));
    }
}
