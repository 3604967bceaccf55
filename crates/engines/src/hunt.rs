//! `hunt`: executions under random schedules, as many as the time allows.
//!
//! Priorities with few change points (PCT, of several depths) and random schedules take turns; inputs are random. A random
//! schedule lets a thread move several times in a row, on average as often as its number says: races that two adjacent
//! turns show need few, those behind a whole critical section need many. While a thread moves on, nobody looks at the others: with many
//! threads that is most of the work of a turn.
//! Nothing is proved. Long programs that no other engine sees the end of (stress tests with many threads and thousands of
//! rounds) are executed all the same, and what they violate is found without any bound.
//!
//! An execution may be endless, so each is cut off after a number of steps, which grows whenever it was too few: short
//! executions come first.

use std::time::Instant;

use heddle_base::{Random, Stop};
use heddle_machine::{
    Config, ExitMode, Fallback, Halt, Limit, Limits, Machine, Outcome, Pct, Prepared, Readiness, Status, run,
    schedule_of,
};
use heddle_task::{Choice, Progress, Reason, Run, Task, Verdict, Violation, Violations};

use crate::engine::Engine;
use crate::judge::{Judge, Judged};
use crate::registry::{CorpusRole, EngineOptions, EngineRow, Proves};
use crate::shorten;

/// Executions after which it gives up where no time limit is given.
const MOST_EXECUTIONS: u64 = 100_000;
/// Steps of an execution at first, how many times more where they were too few, and at most.
const FIRST_STEPS: u64 = 1 << 17;
const MORE_STEPS: u64 = 4;
const MOST_STEPS: u64 = 1 << 28;
/// Turns of an execution that is shortened: in longer ones little would be gained.
const SHORT_TURNS: usize = 20_000;
/// Turns of an execution that is taken to be long.
const LONG_TURNS: usize = 100_000;
/// How often a thread moves in a row, on average.
const IN_A_ROW: [u64; 5] = [2, 1, 6, 25, 100];
/// One in so many wake-ups without reason is taken, while others can move.
const SPURIOUS: u64 = 8;
/// The seed of the first execution; the others follow from it.
const SEED: u64 = 1;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "hunt",
    summary: "Execute random schedules, to find violations only",
    flags: &[],
    proves: Proves::Nothing,
    corpus: CorpusRole::OnlyNamed,
    make: |options| Box::new(Hunt { config: options.into() }),
};

/// What the engine does on the way.
#[derive(Clone, Debug)]
pub struct HuntConfig {
    /// Limits of each execution.
    pub limits: Limits,
    /// Whether to look for more than one violation.
    pub all: bool,
}

impl From<&EngineOptions> for HuntConfig {
    fn from(options: &EngineOptions) -> Self {
        HuntConfig { limits: options.limits.clone(), all: options.all }
    }
}

/// The engine.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// What it does on the way.
    pub config: HuntConfig,
}

impl Engine for Hunt {
    fn name(&self) -> &'static str {
        "hunt"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        let mut hunt = Search {
            task,
            prepared,
            run,
            limits: Limits { thread_steps: task.bounds.steps, ..self.config.limits.clone() },
            violations: Violations::new(self.config.all, Instant::now()),
            executions: 0,
            cut: 0,
            steps: 0.0,
        };
        let stop = hunt.search();
        run.statistics.set("executions", hunt.executions as f64);
        run.statistics.set("executions.cut", hunt.cut as f64);
        run.statistics.add("steps", hunt.steps);
        if !hunt.violations.is_empty() {
            return hunt.violations.into_verdict();
        }
        Verdict::Unknown(stop.map_or_else(
            || Reason::Limit(format!("no violation in {} executions under random schedules", hunt.executions)),
            Reason::from,
        ))
    }
}

/// One execution in which the thread that moves next is chosen at random, and moves `in_a_row` times on average.
fn at_random(machine: &mut Machine<'_>, random: &mut Random, in_a_row: u64, made: &mut Vec<Choice>) -> Outcome {
    if let Err(halt) = machine.start() {
        return machine.conclude(halt);
    }
    let mut choices = Vec::new();
    loop {
        if let Some(outcome) = machine.ended(&mut choices, true) {
            return outcome;
        }
        let is_real = |choice: &&Choice| !choice.spurious;
        let real = choices.iter().filter(is_real).count() as u64;
        let choice = if real > 0 && (real as usize == choices.len() || random.below(SPURIOUS) > 0) {
            *choices.iter().filter(is_real).nth(random.below(real) as usize).expect("counted")
        } else {
            choices[random.below(choices.len() as u64) as usize]
        };
        let turns = if choice.spurious { 1 } else { 1 + random.below(2 * in_a_row - 1) };
        for _ in 0..turns {
            made.push(choice);
            if let Err(halt) = machine.step(choice) {
                return machine.conclude(halt);
            }
            let is_running = machine.status(choice.thread) == Status::Running;
            if !is_running || !matches!(machine.readiness(choice.thread), Readiness::Ready) {
                break;
            }
        }
    }
}

struct Search<'s, 'p> {
    task: &'s Task<'p>,
    prepared: &'s Prepared,
    run: &'s Run<'s>,
    limits: Limits,
    violations: Violations,
    executions: u64,
    /// Executions that were cut off.
    cut: u64,
    steps: f64,
}

impl Search<'_, '_> {
    /// Executes until a violation is found or a limit is reached; why it stopped, if by a limit of the run.
    fn search(&mut self) -> Option<Stop> {
        let mut priorities = [Pct::new(3, SEED), Pct::new(2, SEED + 1), Pct::new(6, SEED + 2)];
        let mut random = Random::new(SEED);
        let mut steps = FIRST_STEPS;
        let (mut made, mut length) = (Vec::new(), 0);
        let config = Config {
            properties: self.task.properties,
            limits: Limits { steps: Some(MOST_STEPS), ..self.limits.clone() },
            exit: ExitMode::Immediate,
            events: false,
            output: false,
            standard_input: None,
        };
        let mut machine = Machine::new(self.task.program, &self.prepared.code, config);
        for (input, values) in &self.prepared.domains {
            machine.inputs.set_domain(*input, values.clone());
        }
        machine.set_budget(self.run.budget.clone());
        for number in 0.. {
            let budget = self.violations.more().unwrap_or(&self.run.budget);
            if let Err(stop) = budget.check() {
                return Some(stop);
            }
            if budget.time_left().is_none() && number >= MOST_EXECUTIONS {
                return None;
            }
            if number % 64 == 0 {
                (self.run.progress)(&Progress { phase: "executions", done: number });
            }
            machine.reset();
            machine.set_step_limit(Some(steps));
            // Zeros first, as in `heddle run`.
            let fallback =
                if number < 4 { Fallback::Zero } else { Fallback::Random(Random::new(SEED.wrapping_add(number))) };
            machine.inputs.set_fallback(fallback);
            made.clear();
            let round = (number / 2) as usize;
            // With priorities all threads are looked at in every turn: too slow where there are very many.
            let outcome = if number % 2 == 0 || length > LONG_TURNS {
                at_random(&mut machine, &mut random, IN_A_ROW[round % IN_A_ROW.len()], &mut made)
            } else {
                match run(&mut machine, &mut priorities[round % 3], &mut made) {
                    Ok(outcome) => outcome,
                    Err(_) => continue,
                }
            };
            length = made.len();
            self.executions += 1;
            self.steps += machine.steps() as f64;
            match outcome {
                Outcome::Halted(Halt::Violation(violation)) => {
                    if self.violated(&machine, &made, &violation) {
                        return None;
                    }
                }
                Outcome::Halted(Halt::Limit(Limit::Budget(stop))) => return Some(stop),
                Outcome::Halted(Halt::Limit(Limit::Steps)) => {
                    self.cut += 1;
                    steps = steps.saturating_mul(MORE_STEPS).min(MOST_STEPS);
                }
                Outcome::Halted(Halt::Limit(_) | Halt::Exit { .. } | Halt::Discarded)
                | Outcome::Finished
                | Outcome::Discarded => {}
            }
        }
        None
    }

    /// An execution has ended with a violation. Whether that is enough.
    fn violated(&mut self, machine: &Machine<'_>, made: &[Choice], violation: &Violation) -> bool {
        if !self.violations.knows(violation) {
            let (task, code) = (self.task, &self.prepared.code);
            let mut schedule = schedule_of(task.program, code, machine.names(), made, &machine.inputs);
            if made.len() <= SHORT_TURNS
                && let Some(shorter) = shorten::shorter(task, code, &schedule, violation, &self.run.budget)
            {
                schedule = shorter;
            }
            let config = Config { limits: self.limits.clone(), ..Config::default() };
            let judge = Judge { task, code, config, behind_races: true };
            match judge.judge(schedule, &mut self.violations, &self.run.budget) {
                Judged::New(_) | Judged::Known(_) => {}
                Judged::Unconfirmed(_) => self.run.statistics.add("unconfirmed", 1.0),
            }
        }
        self.violations.is_enough()
    }
}
