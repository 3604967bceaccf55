//! `states`: the machine over a table of states.
//!
//! All scheduled steps are taken from every state, depth first; a state that is in the table is not left again. Steps are taken back
//! on the machine itself ([`Undo`]), so the memory that is needed is a number for each state and what changed on the way to the one at hand.
//! A loop in which threads wait for each other comes back to a known state, so it needs no bound.
//!
//! **Proof.** If the table closes without a violation, it is an inductive set: `SAFE`, whatever the number of steps.
//!
//! **Canonical states.** [`Machine::encode_state`] leaves out what cannot matter any more. Inputs that are only compared with constants
//! have one value of each interval ([`compared_inputs`]); of others all values of a domain are tried, one after the other where the step that
//! reads them is taken.
//!
//! **Hashing.** The table has 128 bits of each state, by a hash that is no enemy's. [`StatesConfig::exact`] keeps whole states instead.
//!
//! **Limits.** No races (the monitor's knowledge is no part of a state). Objects that are made in loops have numbers of their own for a
//! while, and threads without bound never close the table.

use std::hash::Hasher;
use std::time::Instant;

use heddle_base::{Budget, Stop};
use heddle_ir::compared_inputs::compared_inputs;
use heddle_ir::uninitialised::LiveRegisters;
use heddle_ir::{InputId, Property};
use heddle_machine::{
    Code, Config, ExitMode, Halt, Limit, Limits, Machine, Outcome, Prepared, Reading, Status, Stuck, Undo, schedule_of,
};
use heddle_task::{
    Bound, Choice, Coverage, InputCoverage, InputValues, Progress, Proof, Reason, Run, Schedule, Task, ThreadId,
    Verdict, Violation, Violations,
};
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::judge::{Judge, Judged};
use crate::registry::{CorpusRole, EngineOptions, EngineRow, Proves};

/// The budget is asked every so many steps.
const TICKS: u64 = 256;

/// Steps of one turn.
const TURN_STEPS: u64 = 1 << 26;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "states",
    summary: "Execute all steps from all states, each state once",
    flags: &[],
    proves: Proves::AllInterleavings,
    corpus: CorpusRole::Brief,
    make: |options| Box::new(States { config: options.into() }),
};

/// Configuration of [`States`].
#[derive(Clone, Debug, Default)]
pub struct StatesConfig {
    /// Limits of executions.
    pub limits: Limits,
    /// Whether to look for more than one violation.
    pub all: bool,
    /// Whether the table keeps whole states.
    pub exact: bool,
}

impl From<&EngineOptions> for StatesConfig {
    fn from(options: &EngineOptions) -> Self {
        StatesConfig { limits: options.limits.clone(), all: options.all, exact: false }
    }
}

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// Its configuration.
    pub config: StatesConfig,
}

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        if task.properties.contains(Property::Race) {
            return Verdict::Unknown(Reason::Unsupported("races are no property of a state".to_owned()));
        }
        let mut violations = Violations::new(self.config.all, Instant::now());
        let mut nobody = |_: &Machine<'_>, _: &Outcome| {};
        let mut search = Search::new(&self.config, task, prepared, run, &mut violations, &mut nobody);
        let result = search.all_states();
        search.report();
        let verdict = search.verdict(result);
        if violations.is_empty() { verdict } else { violations.into_verdict() }
    }
}

impl States {
    /// Tells of every state at which an execution ends. For tests.
    pub fn visit(
        &self,
        task: &Task<'_>,
        prepared: &Prepared,
        run: &Run<'_>,
        each: &mut dyn FnMut(&Machine<'_>, &Outcome),
    ) -> Verdict {
        let mut violations = Violations::new(true, Instant::now());
        let mut search = Search::new(&self.config, task, prepared, run, &mut violations, each);
        let result = search.all_states();
        search.verdict(result)
    }
}

/// Why the search ended early.
enum Early {
    Unconfirmed(Reason),
    Stop(Stop),
    Limit(Limit),
}

/// The states that were seen.
enum Table {
    Hashed(FxHashSet<u128>),
    Exact(FxHashSet<Box<[u8]>>),
}

impl Table {
    /// Whether the state is new.
    fn insert(&mut self, state: &[u8]) -> bool {
        match self {
            Table::Hashed(table) => table.insert(hash(state)),
            Table::Exact(table) => table.insert(state.into()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Table::Hashed(table) => table.len(),
            Table::Exact(table) => table.len(),
        }
    }
}

fn hash(state: &[u8]) -> u128 {
    let half = |salt: u8| {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(state);
        hasher.finish()
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}

/// A state on the way to the one at hand.
struct Node {
    choices: Vec<Choice>,
    /// Which of them is being tried.
    next: usize,
    /// Inputs that its step reads: the reading, its values, which of them.
    assigned: Vec<(Reading, Vec<u128>, usize)>,
    /// How to take the step back that is being tried.
    undo: Option<Undo>,
    /// Whether that step was an `exit` that let the others go on.
    exited: bool,
}

impl Node {
    fn new(choices: Vec<Choice>) -> Self {
        Node { choices, next: 0, assigned: Vec::new(), undo: None, exited: false }
    }

    /// The next values of the inputs of the choice at hand, or the next choice. Whether there is one.
    fn advance(&mut self) -> bool {
        while let Some((_, values, index)) = self.assigned.last_mut() {
            *index += 1;
            if *index < values.len() {
                return true;
            }
            self.assigned.pop();
        }
        self.next += 1;
        self.next < self.choices.len()
    }
}

struct Search<'s, 'p> {
    config: StatesConfig,
    task: &'s Task<'p>,
    run: &'s Run<'s>,
    code: &'s Code,
    violations: &'s mut Violations,
    budget: Budget,
    machine: Machine<'s>,
    /// Inputs that are split by the constants that they are compared with.
    split: Vec<InputId>,
    nodes: Vec<Node>,
    table: Table,
    live: LiveRegisters,
    buffer: Vec<u8>,
    steps: u64,
    deepest: usize,
    /// Told of every end.
    each: Visitor<'s>,
}

type Visitor<'s> = &'s mut dyn FnMut(&Machine<'_>, &Outcome);

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        config: &StatesConfig,
        task: &'s Task<'p>,
        prepared: &'s Prepared,
        run: &'s Run<'s>,
        violations: &'s mut Violations,
        each: Visitor<'s>,
    ) -> Self {
        let mut machine = Machine::new(task.program, &prepared.code, machine_config(config, task));
        let mut split = Vec::new();
        for (input, values) in compared_inputs(task.program) {
            machine.inputs.set_domain(input, values);
            split.push(input);
        }
        for (input, values) in &prepared.domains {
            machine.inputs.set_domain(*input, values.clone());
        }
        machine.set_budget(run.budget.clone());
        let table = if config.exact { Table::Exact(FxHashSet::default()) } else { Table::Hashed(FxHashSet::default()) };
        Search {
            config: config.clone(),
            task,
            run,
            code: &prepared.code,
            violations,
            budget: run.budget.clone(),
            machine,
            split,
            nodes: Vec::new(),
            table,
            live: LiveRegisters::default(),
            buffer: Vec::new(),
            steps: 0,
            deepest: 0,
            each,
        }
    }

    /// From the first state until nothing is new. What the first thread does before its first visible step may read inputs, too:
    /// its states are roots of their own.
    fn all_states(&mut self) -> Result<(), Early> {
        let mut first = Node::new(Vec::new());
        loop {
            self.machine.reset();
            self.give(&first);
            let started = self.machine.start();
            self.find_inputs(&mut first, 0);
            match started {
                Ok(()) => self.explore_here()?,
                Err(halt) => {
                    let outcome = self.machine.conclude(halt);
                    self.ended(&outcome)?;
                }
            }
            if !first.advance() {
                return Ok(());
            }
        }
    }

    /// All states that can be reached from the one at hand.
    fn explore_here(&mut self) -> Result<(), Early> {
        self.arrive()?;
        while let Some(mut node) = self.nodes.pop() {
            if let Some(undo) = node.undo.take() {
                self.machine.take_back(undo);
                if !node.advance() {
                    continue;
                }
            }
            self.steps += 1;
            if self.steps.is_multiple_of(TICKS) {
                self.budget.check().map_err(Early::Stop)?;
                if self.steps.is_multiple_of(TICKS << 8) {
                    (self.run.progress)(&Progress { phase: "states", done: self.table.len() as u64 });
                }
            }
            self.give(&node);
            let choice = node.choices[node.next];
            // Whoever can move is known, and how.
            self.machine.readiness(choice.thread);
            let (result, undo) = self.machine.step_with_undo(choice);
            self.find_inputs(&mut node, undo.inputs_read());
            node.exited = self.machine.status(choice.thread) == Status::Stuck(Stuck::Exited);
            node.undo = Some(undo);
            self.nodes.push(node);
            match result {
                Ok(()) => self.arrive()?,
                Err(halt) => {
                    let outcome = self.machine.conclude(halt);
                    self.ended(&outcome)?;
                }
            }
        }
        Ok(())
    }

    /// The state at hand: known, at its end, or to be left in all ways.
    fn arrive(&mut self) -> Result<(), Early> {
        self.buffer.clear();
        self.machine.encode_state(&mut self.live, &mut self.buffer);
        if !self.table.insert(&self.buffer) {
            return Ok(());
        }
        let mut choices = Vec::new();
        if let Some(outcome) = self.machine.ended(&mut choices, true) {
            return self.ended(&outcome);
        }
        self.nodes.push(Node::new(choices));
        self.deepest = self.deepest.max(self.nodes.len());
        Ok(())
    }

    /// Readings get the values that are being tried.
    fn give(&mut self, node: &Node) {
        self.machine.inputs.clear_given();
        for (reading, values, index) in &node.assigned {
            self.machine.inputs.give(*reading, values[*index]);
        }
    }

    /// Readings of a step that were not known; they had their first value.
    fn find_inputs(&mut self, node: &mut Node, since: usize) {
        for &(reading, _) in &self.machine.inputs.log()[since..] {
            if !node.assigned.iter().any(|(known, ..)| *known == reading)
                && let Some(values) = self.machine.inputs.domain(self.task.program, reading.input)
            {
                node.assigned.push((reading, values, 0));
            }
        }
    }

    fn ended(&mut self, outcome: &Outcome) -> Result<(), Early> {
        (self.each)(&self.machine, outcome);
        match outcome {
            Outcome::Halted(Halt::Violation(violation)) => self.violated(violation),
            Outcome::Halted(Halt::Limit(Limit::Budget(stop))) => Err(Early::Stop(*stop)),
            Outcome::Halted(Halt::Limit(Limit::Steps)) if self.machine.notes().cut => Ok(()),
            Outcome::Halted(Halt::Limit(Limit::Endless | Limit::Undefined | Limit::Unsupported)) => Ok(()),
            Outcome::Halted(Halt::Limit(limit)) => Err(Early::Limit(*limit)),
            Outcome::Halted(Halt::Exit { .. } | Halt::Discarded) | Outcome::Finished | Outcome::Discarded => Ok(()),
        }
    }

    /// A violation that is new is executed once more, from scratch and recorded.
    fn violated(&mut self, violation: &Violation) -> Result<(), Early> {
        if !self.violations.knows(violation) {
            let config = machine_config(&self.config, self.task);
            let judge = Judge { task: self.task, code: self.code, config, behind_races: false };
            match judge.judge(self.schedule(), self.violations, &self.run.budget) {
                Judged::New(_) | Judged::Known(_) => {}
                Judged::Unconfirmed(why) if self.violations.is_empty() => return Err(Early::Unconfirmed(why)),
                Judged::Unconfirmed(_) => self.run.statistics.add("unconfirmed", 1.0),
            }
            if let Some(more) = self.violations.more() {
                self.budget = more.clone();
                self.machine.set_budget(more.clone());
            }
        }
        if self.violations.is_enough() { Err(Early::Stop(Stop::Cancelled)) } else { Ok(()) }
    }

    fn schedule(&self) -> Schedule {
        // A replay ends at an exit; here it let others go on, and they could have come before it.
        let made = self.nodes.iter().filter(|node| node.undo.is_some() && !node.exited);
        let choices: Vec<Choice> = made.map(|node| node.choices[node.next]).collect();
        let machine = &self.machine;
        let mut schedule = schedule_of(self.task.program, self.code, machine.names(), &choices, &machine.inputs);
        let long = |id: ThreadId| matches!(machine.status(id), Status::Stuck(Stuck::Endless | Stuck::LongTurn));
        if machine.thread_ids().any(long) {
            let most = machine.thread_ids().map(|id| machine.steps_of_turns(id)).max();
            schedule.thread_steps = Some(most.unwrap_or(0) + 1000);
        }
        schedule
    }

    fn report(&self) {
        let statistics = self.run.statistics;
        statistics.set("states.states", self.table.len() as f64);
        statistics.set("states.steps", self.steps as f64);
        statistics.set("states.deepest", self.deepest as f64);
    }

    fn verdict(&self, result: Result<(), Early>) -> Verdict {
        match result {
            Err(Early::Unconfirmed(why)) => return Verdict::Unknown(why),
            Err(Early::Stop(stop)) => return Verdict::Unknown(stop.into()),
            Err(Early::Limit(limit)) => return Verdict::Unknown(Reason::Limit(limit.to_string())),
            Ok(()) => {}
        }
        let sources = &self.task.program.sources;
        let at = |violation: &Violation| format!("{} ({})", violation.message, sources.display(violation.loc));
        let notes = self.machine.notes();
        let mut coverage = Coverage {
            unsupported: notes.unsupported.as_deref().map(at),
            undefined: notes.undefined.as_deref().map(at),
            uninitialised: notes.uninitialised.as_deref().map(at),
            ..Coverage::of(self.task)
        };
        if let Some(name) = &notes.free_input {
            coverage.inputs.push(InputCoverage { name: name.clone(), values: InputValues::One });
        }
        if notes.waits_for_input {
            coverage.limit = Some("whether a thread has to wait depends on an input".to_owned());
        }
        if notes.cut {
            coverage.cut(Bound::Steps, self.config.limits.turn_steps.unwrap_or(TURN_STEPS));
        }
        let split = if self.split.is_empty() { "" } else { ", inputs by the intervals that they are compared with" };
        coverage.verdict(Proof::Inductive { description: format!("{} states of all threads{split}", self.table.len()) })
    }
}

fn machine_config(config: &StatesConfig, task: &Task<'_>) -> Config {
    let mut limits = config.limits.clone();
    // States know nothing of how long an execution was.
    (limits.thread_steps, limits.thread_turns, limits.steps) = (None, None, None);
    limits.turn_steps.get_or_insert(TURN_STEPS);
    // Whether memory is freed at the exit depends on when it comes.
    let exit = if task.properties.contains(Property::Leak) { ExitMode::Immediate } else { ExitMode::Last };
    Config { properties: task.properties, limits, exit, events: false, output: false, standard_input: None }
}

#[cfg(test)]
#[path = "states_tests.rs"]
mod tests;
