//! Stateless exploration: all executions of a program, up to the order of independent steps.
//!
//! **Algorithm.** Source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, Algorithm 1). Executions
//! are a depth-first search over scheduled steps. After each step `e'` the earlier steps `e` that *race* with it are
//! found: they conflict, and nothing between orders them. For each, the search at the state before `e` must also begin
//! with some step that leads to `e'` before `e`: an *initial* of what happens without `e`.
//!
//! **Blocking.** A step that can block ([`Event::awaits`]) may be unable to move where a race wants it. If it was
//! blocked before `e` and nothing independent of `e` touches its condition, it cannot come before `e`: the race with
//! `e` cannot be reversed, orders the two all the same, and the search goes on to what `e` waited for in turn (so of
//! `lock unlock lock` the two locks race, not the second and the third). Threads that are blocked at the end are
//! treated as if their step came last.
//!
//! **Exit.** `exit` stops its own thread and lets the others go on: what they do could as well have come before it.
//! Only with the `leak` property, which looks at the moment of the exit, does it end the process at once.
//!
//! **Violations** end their execution; the search goes on for others (ADR 8), and the last state before the violation is left
//! in all ways.
//!
//! **Spinning.** A thread that has gone through an idle loop, so that it stands where it stood with the same registers and nothing was
//! changed on the way, goes no further in that execution (ADR 10): it could as well have begun its last round later.
//!
//! **Completeness.** `Safe` is answered only if no thread was stopped at a bound, every input had a domain, and
//! nothing uninitialised or undefined was used. The search re-executes from the start: states of real programs are
//! larger than what their prefixes cost.

use std::time::Instant;

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Stop};
use heddle_ir::assertions::Assertions;
use heddle_ir::uninitialised::LiveRegisters;
use heddle_ir::{Property, PropertySet};
use heddle_machine::{
    Clock, Code, Config, Event, ExitMode, Halt, InputError, Limit, Limits, Machine, Notes, Outcome, Prepared, Range,
    Readiness, Reading, Status, Stuck, schedule_of,
};
use heddle_symbolic::unwind::CutCause;
use heddle_task::{
    Bound, Choice, Coverage, InputCoverage, InputValues, Progress, Proof, Reached, Reason, Run, Schedule, Task,
    ThreadId, Verdict, Violation, Violations,
};

use crate::engine::Engine;
use crate::judge::{Judge, Judged};
use crate::reach::{self, Places};
use crate::registry::{CorpusRole, EngineOptions, EngineRow, Flag, Proves};

/// The budget is asked every so many steps.
const TICKS: u32 = 256;

/// Steps of one turn at first, and how many times more if a turn was longer and nothing was found.
const FIRST_TURN_STEPS: u64 = 1 << 22;
const MORE_TURN_STEPS: u64 = 32;

/// How executions that differ in nothing are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduction {
    /// Not at all: every schedule is executed. For testing.
    None,
    /// Every thread is tried everywhere, sleep sets leave out what was seen.
    Sleep,
    /// Source sets and sleep sets.
    #[default]
    Source,
}

/// Configuration of the exploration.
#[derive(Clone, Debug)]
pub struct ExploreConfig {
    /// The reduction. With a bound on context switches none is used.
    pub reduction: Reduction,
    /// Limits of each execution. `Bounds::steps` of the task bounds the steps of each thread.
    pub limits: Limits,
    /// Values of inputs, by name.
    pub inputs: Vec<(String, Vec<i128>)>,
    /// Whether to look for more than one violation.
    pub all: bool,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        ExploreConfig {
            reduction: Reduction::default(),
            // A thread that waits by looping never ends; its executions must.
            limits: Limits { thread_turns: Some(2000), ..Limits::default() },
            inputs: Vec::new(),
            all: false,
        }
    }
}

impl From<&EngineOptions> for ExploreConfig {
    fn from(options: &EngineOptions) -> Self {
        ExploreConfig {
            reduction: if options.reduction { Reduction::Source } else { Reduction::None },
            limits: options.limits.clone(),
            all: options.all,
            ..ExploreConfig::default()
        }
    }
}

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "explore",
    summary: "Execute all interleavings that differ",
    flags: &[Flag::Contexts, Flag::NoReduction],
    proves: Proves::AllExecutions,
    corpus: CorpusRole::Reference,
    make: |options| Box::new(Explore { config: options.into() }),
};

/// The engine `explore`.
#[derive(Clone, Debug, Default)]
pub struct Explore {
    /// Its configuration.
    pub config: ExploreConfig,
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        let mut violations = Violations::new(self.config.all, Instant::now());
        let verdict = self.search(task, prepared, run, &mut violations);
        // An execution ends at its first race. What lies behind is seen by a search that does not look for races.
        if violations.has(Property::Race) && !violations.is_enough() {
            let properties = task.properties.iter().filter(|&property| property != Property::Race).collect();
            self.search(&task.with_properties(properties), prepared, run, &mut violations);
        }
        if violations.is_empty() { verdict } else { violations.into_verdict() }
    }
}

impl Explore {
    /// The verdict if no violation is added.
    fn search(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>, violations: &mut Violations) -> Verdict {
        let mut config = self.config.clone();
        config.limits.turn_steps.get_or_insert(FIRST_TURN_STEPS);
        let mut last: Option<Verdict> = None;
        loop {
            let mut search = match Search::new(&config, task, prepared, run, violations) {
                Ok(search) => search,
                Err(error) => return Verdict::Unknown(Reason::Inputs(error.to_string())),
            };
            let result = search.all_inputs(&mut |_| {});
            search.report();
            let out_of_time = matches!(result, Err(Early::Stop(Stop::Time)));
            let (verdict, long) = (search.verdict(result), search.notes.turn_cut && search.violations.is_empty());
            match config.limits.turn_steps.filter(|_| long && !out_of_time) {
                // A turn was longer than was waited for: it may end all the same.
                Some(steps) => config.limits.turn_steps = Some(steps.saturating_mul(MORE_TURN_STEPS)),
                None if out_of_time => return last.unwrap_or(verdict),
                None => return verdict,
            }
            last = Some(verdict);
        }
    }

    /// Executes everything, violations included, and tells of each execution that is not redundant. For tests.
    pub fn visit(
        &self,
        task: &Task<'_>,
        prepared: &Prepared,
        run: &Run<'_>,
        each: &mut dyn FnMut(&Machine<'_>, &Outcome),
    ) -> Result<Verdict, InputError> {
        let mut violations = Violations::new(self.config.all, Instant::now());
        let mut search = Search::new(&self.config, task, prepared, run, &mut violations)?;
        let mut sink = |seen: Seen<'_, '_>| each(seen.machine, seen.outcome);
        let result = search.all_inputs(&mut sink);
        search.report();
        let verdict = search.verdict(result);
        Ok(if violations.is_empty() { verdict } else { violations.into_verdict() })
    }
}

/// An execution that was seen to its end.
struct Seen<'a, 'p> {
    machine: &'a Machine<'p>,
    outcome: &'a Outcome,
}

/// Why the search ended early.
enum Early {
    /// The machine did not show a violation again.
    Unconfirmed(Reason),
    Stop(Stop),
    Limit(Limit),
}

/// A state of the search: what can be done there, what was done, what is to be done.
#[derive(Debug)]
struct Node {
    choices: Vec<Choice>,
    /// Threads whose step from here need not be tried, with that step.
    sleep: Vec<(ThreadId, Event)>,
    /// Threads to try.
    backtrack: Vec<ThreadId>,
    /// The step being explored.
    chosen: Choice,
    event: Event,
    /// For each thread how many of its steps happen before or at this step.
    clock: Clock,
    /// The step's number in its thread, from 1.
    nth: u32,
    /// Whether the step was an `exit` that let the others go on.
    exited: bool,
    /// Context switches up to here.
    switches: u64,
    /// The state's fingerprint, where a spurious wake-up is possible.
    state: Option<u64>,
    /// What the step's thread knows by itself after it.
    own: u64,
    /// Whether the step changed nothing else.
    idle: bool,
    /// Threads that have gone through an idle loop and are not moved again.
    spinning: Vec<ThreadId>,
}

/// How many spurious wake-ups each thread may take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Wakes {
    base: u64,
    /// Those of threads that differ, in the order of ids.
    more: Vec<(ThreadId, u64)>,
}

impl Wakes {
    fn of(&self, thread: ThreadId) -> u64 {
        self.more.iter().find(|(id, _)| *id == thread).map_or(self.base, |(_, wakes)| *wakes)
    }

    fn with_one_more(&self, thread: ThreadId) -> Wakes {
        let mut next = self.clone();
        next.more.retain(|(id, _)| *id != thread);
        next.more.push((thread, self.of(thread) + 1));
        next.more.sort_unstable();
        next
    }
}

struct Search<'s, 'p> {
    task: &'s Task<'p>,
    run: &'s Run<'s>,
    code: &'s Code,
    violations: &'s mut Violations,
    /// When to stop; earlier once there is a violation.
    budget: Budget,
    machine: Machine<'s>,
    config: ExploreConfig,
    reduction: Reduction,
    nodes: Vec<Node>,
    /// Values of inputs that are being tried: the reading, its domain, which of it.
    assigned: Vec<(Reading, Vec<u128>, usize)>,
    notes: Notes,
    spurious_cut: bool,
    /// How many spurious wake-ups each thread may take in the executions at hand, and whom that stopped.
    wakes: Wakes,
    refused: Vec<ThreadId>,
    /// See [`Search::look_back`].
    ready_at: Vec<(usize, bool)>,
    /// Changes of memory and inputs read, before the step at hand.
    before: (u64, usize),
    live: LiveRegisters,
    ticker: Ticker,
    contexts_cut: bool,
    executions: u64,
    redundant: u64,
    steps: u64,
    states: u64,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        config: &ExploreConfig,
        task: &'s Task<'p>,
        prepared: &'s Prepared,
        run: &'s Run<'s>,
        violations: &'s mut Violations,
    ) -> Result<Self, InputError> {
        let budget = violations.more().unwrap_or(&run.budget).clone();
        let (config, code) = (config.clone(), &prepared.code);
        let mut machine = Machine::new(task.program, code, machine_config(&config, task));
        for (input, values) in &prepared.domains {
            machine.inputs.set_domain(*input, values.clone());
        }
        for (name, values) in &config.inputs {
            machine.inputs.give_list(task.program, name, values)?;
        }
        machine.set_budget(budget.clone());
        let ticker = Ticker::new(budget.clone(), TICKS);
        let reduction = if task.bounds.contexts.is_some() { Reduction::None } else { config.reduction };
        Ok(Search {
            task,
            run,
            code,
            violations,
            budget,
            machine,
            config,
            reduction,
            nodes: Vec::new(),
            assigned: Vec::new(),
            notes: Notes::default(),
            spurious_cut: false,
            wakes: Wakes::default(),
            refused: Vec::new(),
            ready_at: Vec::new(),
            before: (0, 0),
            live: LiveRegisters::default(),
            ticker,
            contexts_cut: false,
            executions: 0,
            redundant: 0,
            steps: 0,
            states: 0,
        })
    }

    /// All schedules for all values of inputs.
    fn all_inputs(&mut self, each: &mut dyn FnMut(Seen<'_, 's>)) -> Result<(), Early> {
        loop {
            self.all_wakes(each)?;
            // The last value that has a successor gets it; those behind it are found anew.
            loop {
                let Some((_, domain, index)) = self.assigned.last_mut() else { return Ok(()) };
                *index += 1;
                if *index < domain.len() {
                    break;
                }
                self.assigned.pop();
            }
        }
    }

    /// All schedules for all numbers of spurious wake-ups. A thread that can wake up by itself never counts as blocked
    /// for good, and nobody would see the deadlock of those that do not; so the numbers are part of what is tried.
    fn all_wakes(&mut self, each: &mut dyn FnMut(Seen<'_, 's>)) -> Result<(), Early> {
        let most = self.task.bounds.spurious_or_default();
        let base = if self.task.properties.contains(Property::Deadlock) { 0 } else { most };
        let mut todo = vec![Wakes { base, more: Vec::new() }];
        let mut seen = todo.clone();
        while let Some(wakes) = todo.pop() {
            self.wakes = wakes;
            self.refused.clear();
            self.all_schedules(each)?;
            for thread in std::mem::take(&mut self.refused) {
                if self.wakes.of(thread) >= most {
                    self.spurious_cut = true;
                    continue;
                }
                let next = self.wakes.with_one_more(thread);
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    todo.push(next);
                }
            }
        }
        Ok(())
    }

    /// All schedules for the values of inputs and the numbers of wake-ups at hand.
    fn all_schedules(&mut self, each: &mut dyn FnMut(Seen<'_, 's>)) -> Result<(), Early> {
        self.nodes.clear();
        loop {
            self.give_inputs();
            let end = self.execute();
            self.steps += self.machine.steps();
            self.note();
            match &end {
                None => self.redundant += 1,
                Some(_) => self.executions += 1,
            }
            if let Some(outcome) = &end {
                each(Seen { machine: &self.machine, outcome });
                self.ended(outcome)?;
            }
            self.budget.check().map_err(Early::Stop)?;
            if self.executions & 0x3ff == 0 {
                (self.run.progress)(&Progress { phase: "explore", done: self.executions });
            }
            if !self.backtrack() {
                return Ok(());
            }
        }
    }

    fn ended(&mut self, outcome: &Outcome) -> Result<(), Early> {
        match outcome {
            Outcome::Halted(Halt::Violation(violation)) => self.violated(violation),
            Outcome::Halted(Halt::Limit(Limit::Budget(stop))) => Err(Early::Stop(*stop)),
            // A section that never ends: the thread's bound on steps is reached, and nobody else can move.
            Outcome::Halted(Halt::Limit(Limit::Steps)) if self.machine.notes().cut => Ok(()),
            // One that goes round for ever, in a section or out of it: no thread does anything more.
            Outcome::Halted(Halt::Limit(Limit::Endless)) => Ok(()),
            // The verdict will say so.
            Outcome::Halted(Halt::Limit(Limit::Undefined | Limit::Unsupported)) => Ok(()),
            Outcome::Halted(Halt::Limit(limit)) => Err(Early::Limit(*limit)),
            Outcome::Halted(Halt::Exit { .. } | Halt::Discarded) | Outcome::Finished | Outcome::Discarded => Ok(()),
        }
    }

    /// An execution has ended with a violation. If that is a new one, it is executed once more, from scratch and recorded.
    fn violated(&mut self, violation: &Violation) -> Result<(), Early> {
        if !self.violations.knows(violation) {
            let config = Config { events: false, ..machine_config(&self.config, self.task) };
            let judge = Judge { task: self.task, code: self.code, config, behind_races: false };
            match judge.judge(self.schedule(), self.violations, &self.run.budget) {
                Judged::New(_) | Judged::Known(_) => {}
                Judged::Unconfirmed(why) if self.violations.is_empty() => return Err(Early::Unconfirmed(why)),
                Judged::Unconfirmed(_) => self.run.statistics.add("unconfirmed", 1.0),
            }
            if let Some(more) = self.violations.more() {
                self.budget = more.clone();
                self.machine.set_budget(more.clone());
                self.ticker = Ticker::new(more.clone(), TICKS);
            }
        }
        if self.violations.is_enough() {
            return Err(Early::Stop(Stop::Cancelled));
        }
        // The others never came to what they would have done, and to their races.
        if let Some(last) = self.nodes.last_mut() {
            last.backtrack = last.choices.iter().map(|choice| choice.thread).collect();
        }
        Ok(())
    }

    fn schedule(&self) -> Schedule {
        // A replay ends at an exit; here it let others go on, and they could have come before it.
        let choices: Vec<Choice> = self.nodes.iter().filter(|node| !node.exited).map(|node| node.chosen).collect();
        let machine = &self.machine;
        let mut schedule = schedule_of(self.task.program, self.code, machine.names(), &choices, &machine.inputs);
        // A thread that loops on without a step at which the machine can switch goes no further than the others when this is
        // executed again.
        let long = |id: ThreadId| matches!(machine.status(id), Status::Stuck(Stuck::Endless | Stuck::LongTurn));
        if machine.thread_ids().any(long) && self.task.bounds.steps.is_none() {
            let most = machine.thread_ids().map(|id| machine.steps_of_turns(id)).max();
            schedule.thread_steps = Some(most.unwrap_or(0) + 1000);
        }
        schedule
    }

    fn give_inputs(&mut self) {
        self.machine.inputs.clear_given();
        for (reading, domain, index) in &self.assigned {
            self.machine.inputs.give(*reading, domain[*index]);
        }
    }

    /// Remembers what limits the meaning of the execution at hand, and inputs that it read for the first time.
    fn note(&mut self) {
        let notes = self.machine.notes();
        self.notes.cut |= notes.cut;
        self.notes.cuts.extend(&notes.cuts);
        self.notes.asserted.extend(&notes.asserted);
        let first = self.machine.thread_ids().next();
        self.notes.main_ended |=
            notes.main_ended || first.is_some_and(|id| self.machine.status(id) == Status::Finished);
        self.notes.turn_cut |= notes.turn_cut;
        if self.notes.free_input.is_none() {
            self.notes.free_input = notes.free_input.clone();
        }
        if self.notes.uninitialised.is_none() {
            self.notes.uninitialised = notes.uninitialised.clone();
        }
        if self.notes.unsupported.is_none() {
            self.notes.unsupported = notes.unsupported.clone();
        }
        if self.notes.undefined.is_none() {
            self.notes.undefined = notes.undefined.clone();
        }
        for &(reading, _) in self.machine.inputs.log() {
            if !self.assigned.iter().any(|(known, ..)| *known == reading)
                && let Some(domain) = self.machine.inputs.domain(self.task.program, reading.input)
            {
                self.assigned.push((reading, domain, 0));
            }
        }
    }

    /// Executes the choices of the nodes, then whatever comes, to the end. None if all that could follow was seen.
    fn execute(&mut self) -> Option<Outcome> {
        self.machine.reset();
        self.machine.set_events(false);
        if let Err(halt) = self.machine.start() {
            return Some(self.machine.conclude(halt));
        }
        let last = self.nodes.len().checked_sub(1);
        for index in 0..self.nodes.len() {
            // Only the last of these steps is new.
            self.machine.set_events(Some(index) == last);
            if Some(index) == last {
                let thread = self.nodes[index].chosen.thread;
                self.machine.readiness(thread);
                self.look_back(thread, index);
                self.before = self.done_so_far();
            }
            if let Err(halt) = self.machine.step(self.nodes[index].chosen) {
                self.after_step(index);
                return Some(self.machine.conclude(halt));
            }
        }
        self.machine.set_events(true);
        if let Some(last) = last {
            self.after_step(last);
        }
        loop {
            if let Err(stop) = self.ticker.tick() {
                return Some(Outcome::Halted(Halt::Limit(Limit::Budget(stop))));
            }
            match self.expand()? {
                Expansion::Ended(outcome) => return Some(outcome),
                Expansion::Node => {
                    let index = self.nodes.len() - 1;
                    self.look_back(self.nodes[index].chosen.thread, index);
                    self.before = self.done_so_far();
                    let result = self.machine.step(self.nodes[index].chosen);
                    self.after_step(index);
                    if let Err(halt) = result {
                        return Some(self.machine.conclude(halt));
                    }
                }
            }
        }
    }

    /// Adds a node for the state at hand, with its first choice; none if every choice is asleep.
    fn expand(&mut self) -> Option<Expansion> {
        let mut choices = Vec::new();
        let ended = self.machine.ended(&mut choices, true);
        if let Some(outcome) = ended {
            self.blocked_races();
            return Some(Expansion::Ended(outcome));
        }
        if let Some(last) = self.nodes.last() {
            choices.retain(|choice| !last.spinning.contains(&choice.thread));
        }
        let state = self.bound_spurious(&mut choices);
        if choices.is_empty() {
            self.blocked_races();
            return Some(Expansion::Ended(Outcome::Finished));
        }
        self.states += 1;
        let sleep = self.inherited_sleep();
        let last = self.nodes.last().map(|node| node.chosen.thread);
        let awake = |choice: &&Choice| !sleep.iter().any(|(asleep, _)| *asleep == choice.thread);
        let before = self.switches_before();
        let bound = self.task.bounds.contexts;
        let within = |choice: &&Choice| bound.is_none_or(|most| before + is_switch(last, **choice) <= most);
        let first = choices.iter().filter(awake).find(|choice| Some(choice.thread) == last);
        let Some(&chosen) = first.or_else(|| choices.iter().filter(within).find(awake)) else {
            // Somebody could move, but not within the bound on context switches.
            if choices.iter().any(|choice| !within(&choice)) {
                self.contexts_cut = true;
                return Some(Expansion::Ended(Outcome::Finished));
            }
            return None;
        };
        let backtrack = match self.reduction {
            Reduction::None | Reduction::Sleep => choices.iter().map(|choice| choice.thread).collect(),
            Reduction::Source => vec![chosen.thread],
        };
        let mut node = Node {
            choices,
            sleep,
            backtrack,
            chosen,
            event: Event::default(),
            clock: Clock::default(),
            nth: 0,
            exited: false,
            switches: 0,
            state,
            own: 0,
            idle: false,
            spinning: Vec::new(),
        };
        node.switches = self.switches_before() + is_switch(last, chosen);
        self.nodes.push(node);
        Some(Expansion::Node)
    }

    fn switches_before(&self) -> u64 {
        self.nodes.last().map_or(0, |node| node.switches)
    }

    /// Leaves out spurious wake-ups that lead nowhere new or are too many. The state's fingerprint.
    ///
    /// One that was taken on this path at the very same state, and led back to it, can be left out of any shortest
    /// violating execution. Where it leads back to depends on what the other threads did meanwhile: a thread that wakes, finds its
    /// condition false and waits again is back at the same state only if nobody moved. So the plain search, which puts steps of
    /// others between any two wake-ups, runs into the bound on their number (`SAFE WITHIN spurious=2`) where the reduced ones,
    /// which put only steps there that the wake-ups can notice, see that each leads nowhere, and answer `SAFE`. Both are
    /// right: of a violating execution with as few wake-ups as possible no reordering of independent steps has an idle one,
    /// for without that there would be one less. So none of its reorderings is left out here.
    fn bound_spurious(&mut self, choices: &mut Vec<Choice>) -> Option<u64> {
        if !choices.iter().any(|choice| choice.spurious) {
            return None;
        }
        let state = self.machine.fingerprint();
        let nodes = &self.nodes;
        choices.retain(|choice| {
            let taken = |node: &Node| node.chosen == *choice && node.state == Some(state);
            !choice.spurious || !nodes.iter().any(taken)
        });
        let (machine, wakes, refused) = (&self.machine, &self.wakes, &mut self.refused);
        choices.retain(|choice| {
            let allowed =
                !choice.spurious || u64::from(machine.spurious_wakes(choice.thread)) < wakes.of(choice.thread);
            if !allowed && !refused.contains(&choice.thread) {
                refused.push(choice.thread);
            }
            allowed
        });
        Some(state)
    }

    /// What sleeps at the state after the last node's step.
    fn inherited_sleep(&self) -> Vec<(ThreadId, Event)> {
        let Some(node) = self.nodes.last() else { return Vec::new() };
        if self.reduction == Reduction::None {
            return Vec::new();
        }
        let stays =
            |(thread, event): &&(ThreadId, Event)| *thread != node.chosen.thread && !event.conflicts(&node.event);
        node.sleep.iter().filter(stays).cloned().collect()
    }

    /// Takes note of what a node's step did, and of the races it is part of.
    fn after_step(&mut self, index: usize) {
        let event = self.machine.take_event();
        let thread = self.nodes[index].chosen.thread;
        self.nodes[index].exited = self.machine.status(thread) == Status::Stuck(Stuck::Exited);
        if self.reduction == Reduction::Source {
            let (clock, nth) = self.races(index, thread, &event);
            let node = &mut self.nodes[index];
            (node.clock, node.nth) = (clock, nth);
            if event.everything {
                // The others never came to what they would have done.
                node.backtrack = node.choices.iter().map(|choice| choice.thread).collect();
            }
        }
        self.nodes[index].event = event;
        self.note_spinning(index, thread);
    }

    /// Changes of memory and inputs read.
    fn done_so_far(&self) -> (u64, usize) {
        (self.machine.memory_changes(), self.machine.inputs.log().len())
    }

    /// Finds out whether a thread has completed an idle loop with a node's step.
    fn note_spinning(&mut self, index: usize, thread: ThreadId) {
        let idle = self.is_idle(&self.nodes[index].event);
        let own = self.machine.own_fingerprint(thread, &mut self.live);
        let spinning = index.checked_sub(1).map_or_else(Vec::new, |before| self.nodes[before].spinning.clone());
        let node = &mut self.nodes[index];
        (node.own, node.idle, node.spinning) = (own, idle, spinning);
        if idle && self.machine.status(thread) == Status::Running && self.goes_round(index, thread) {
            self.nodes[index].spinning.push(thread);
        }
    }

    /// Whether the step at hand, with this event, changed nothing but what its thread knows by itself.
    fn is_idle(&self, event: &Event) -> bool {
        let (changes, inputs) = self.done_so_far();
        let rewritten = |(range, old): &(Range, Option<u128>)| old.is_some() && self.machine.peek(*range) == *old;
        event.spawned.is_empty()
            && !event.everything
            && inputs == self.before.1
            && changes - self.before.0 == event.overwritten.len() as u64
            && event.overwritten.iter().all(rewritten)
    }

    /// Whether a thread was at what it knows after a node's step before, with only idle steps since then. Where races are
    /// looked for, twice: the accesses of one round may be part of one, although the thread could do without that round.
    fn goes_round(&self, index: usize, thread: ThreadId) -> bool {
        let mut rounds = if self.task.properties.contains(Property::Race) { 2 } else { 1 };
        let own = self.nodes[index].own;
        for node in self.nodes[..index].iter().rev().filter(|node| node.chosen.thread == thread) {
            rounds -= u32::from(node.own == own);
            if rounds == 0 || !node.idle {
                return rounds == 0;
            }
        }
        false
    }

    /// Races of threads that wait at the end, as if they moved now.
    fn blocked_races(&mut self) {
        if self.reduction != Reduction::Source {
            return;
        }
        let ids: Vec<ThreadId> = self.machine.thread_ids().collect();
        for id in ids {
            let reads = match self.machine.readiness(id) {
                Readiness::Blocked(wait) | Readiness::Spurious(wait) => wait.reads.clone(),
                Readiness::Ready | Readiness::Done => continue,
            };
            let event = Event { ranges: reads, awaits: true, ..Event::default() };
            self.look_back(id, self.nodes.len());
            self.races(self.nodes.len(), id, &event);
        }
    }

    /// Finds the steps before node `index` that race with `event` of `thread` and adds what reverses them. The clock
    /// of the event, and its number in its thread.
    fn races(&mut self, index: usize, thread: ThreadId, event: &Event) -> (Clock, u32) {
        let own = self.nodes[..index].iter().rposition(|node| node.chosen.thread == thread);
        let before = match own {
            Some(own) => self.nodes[own].clock.clone(),
            None => self.spawn_clock(index, thread),
        };
        let nth = own.map_or(0, |own| self.nodes[own].nth) + 1;
        // What happens before the event, and what is known to be ordered with it by more than a race.
        let mut clock = before.clone();
        let mut covered = before;
        let mut races: Vec<usize> = Vec::new();
        for i in (0..index).rev() {
            let node = &self.nodes[i];
            if node.chosen.thread == thread || covered.get(node.chosen.thread) >= node.nth {
                continue;
            }
            if !event.conflicts(&node.event) {
                continue;
            }
            clock.join(&node.clock);
            match self.reversible(i, index, own, thread, event) {
                Reversible::Yes => {
                    covered.join(&self.nodes[i].clock);
                    races.push(i);
                }
                Reversible::Maybe => races.push(i),
                Reversible::No => {}
            }
        }
        clock.set(thread, nth);
        for i in races {
            self.reverse(i, index, thread, &clock);
        }
        (clock, nth)
    }

    /// The clock of the step that started a thread.
    fn spawn_clock(&self, index: usize, thread: ThreadId) -> Clock {
        let parent = self.nodes[..index].iter().rev().find(|node| node.event.spawned.contains(&thread));
        parent.map_or_else(Clock::default, |node| node.clock.clone())
    }

    /// Whether the event could come before step `i`.
    fn reversible(&self, i: usize, index: usize, own: Option<usize>, thread: ThreadId, event: &Event) -> Reversible {
        if !event.awaits {
            return Reversible::Yes;
        }
        let touched = (i + 1..index).any(|j| {
            let node = &self.nodes[j];
            let own_read = node.chosen.thread == thread && !node.event.ranges.iter().any(|range| range.write);
            !own_read && !self.happens_before(i, j) && event.conflicts(&node.event)
        });
        if touched {
            return Reversible::Maybe;
        }
        // Before its thread's previous step the event was not the thread's next.
        let was_next = own.is_none_or(|own| own < i) && self.spawned_before(i, thread);
        let ready = if was_next {
            Some(self.nodes[i].choices.iter().any(|choice| choice.thread == thread))
        } else {
            self.ready_at.iter().find(|(at, _)| *at == i).map(|(_, ready)| *ready)
        };
        match ready {
            Some(true) => Reversible::Yes,
            Some(false) => Reversible::No,
            None => Reversible::Maybe,
        }
    }

    /// Finds out whether a thread's next step, which can block, could move if what it reads had the values it had
    /// before each earlier step that wrote there: `ready_at`.
    fn look_back(&mut self, thread: ThreadId, index: usize) {
        self.ready_at.clear();
        if self.reduction != Reduction::Source {
            return;
        }
        let Some(reads) = self.machine.probed(thread).map(<[Range]>::to_vec) else { return };
        let own = self.nodes[..index].iter().rposition(|node| node.chosen.thread == thread);
        let known = own.map_or_else(|| self.spawn_clock(index, thread), |own| self.nodes[own].clock.clone());
        // The bytes as they were, where they differ from now.
        let mut before: Vec<(u32, i32, u8)> = Vec::new();
        for i in (0..index).rev() {
            let node = &self.nodes[i];
            let mut wrote = false;
            for (range, old) in node.event.overwritten.iter().rev() {
                if !reads.iter().any(|read| range.conflicts(read)) {
                    continue;
                }
                let Some(old) = old else { return };
                wrote = true;
                for (k, at) in (range.lo..range.hi).enumerate() {
                    before.retain(|(object, offset, _)| (*object, *offset) != (range.object, at));
                    before.push((range.object, at, (old >> (8 * k)) as u8));
                }
            }
            let other = node.chosen.thread != thread && known.get(node.chosen.thread) < node.nth;
            if wrote && other {
                let awake = u64::from(self.machine.spurious_wakes(thread)) < self.wakes.of(thread);
                let ready = self.machine.readiness_with(thread, &before).map(|readiness| match readiness {
                    Readiness::Ready => true,
                    Readiness::Spurious(_) => awake,
                    Readiness::Blocked(_) | Readiness::Done => false,
                });
                self.ready_at.extend(ready.map(|ready| (i, ready)));
            }
        }
    }

    fn spawned_before(&self, i: usize, thread: ThreadId) -> bool {
        thread == ThreadId::main() || self.nodes[..i].iter().any(|node| node.event.spawned.contains(&thread))
    }

    /// Whether step `i` happens before the later step `j`.
    fn happens_before(&self, i: usize, j: usize) -> bool {
        self.nodes[j].clock.get(self.nodes[i].chosen.thread) >= self.nodes[i].nth
    }

    /// Has the search at step `i` begin with something that leads to the event before step `i`.
    fn reverse(&mut self, i: usize, index: usize, thread: ThreadId, clock: &Clock) {
        // v = notdep(e, E) . e'; its initials are the threads whose first step in v nothing in v happens before.
        let rest: Vec<usize> = (i + 1..index).filter(|&j| !self.happens_before(i, j)).collect();
        let mut initials: Vec<ThreadId> = Vec::new();
        let mut seen: Vec<ThreadId> = Vec::new();
        for (at, &j) in rest.iter().enumerate() {
            let owner = self.nodes[j].chosen.thread;
            if seen.contains(&owner) {
                continue;
            }
            seen.push(owner);
            if !rest[..at].iter().any(|&k| self.happens_before(k, j)) {
                initials.push(owner);
            }
        }
        let follows = rest.iter().any(|&k| clock.get(self.nodes[k].chosen.thread) >= self.nodes[k].nth);
        if !seen.contains(&thread) && !follows {
            initials.push(thread);
        }
        let node = &mut self.nodes[i];
        let known = |id: &ThreadId| node.backtrack.contains(id) || node.sleep.iter().any(|(asleep, _)| asleep == id);
        if initials.iter().any(known) {
            return;
        }
        let enabled = |id: &&ThreadId| node.choices.iter().any(|choice| choice.thread == **id);
        let preferred = initials.iter().find(|&&id| id == thread && enabled(&&id));
        match preferred.or_else(|| initials.iter().find(enabled)) {
            Some(&id) => node.backtrack.push(id),
            // Nothing of it can begin here: try everything.
            None => node.backtrack = node.choices.iter().map(|choice| choice.thread).collect(),
        }
    }

    /// Goes to the next choice of the deepest node that has one.
    fn backtrack(&mut self) -> bool {
        while let Some(mut node) = self.nodes.pop() {
            let event = std::mem::take(&mut node.event);
            node.sleep.push((node.chosen.thread, event));
            if let Some(next) = self.next_choice(&mut node) {
                let last = self.nodes.last().map(|before| before.chosen.thread);
                node.chosen = next;
                node.switches = self.switches_before() + is_switch(last, next);
                self.nodes.push(node);
                return true;
            }
        }
        false
    }

    fn next_choice(&mut self, node: &mut Node) -> Option<Choice> {
        let last = self.nodes.last().map(|before| before.chosen.thread);
        let before = self.switches_before();
        let asleep = |id: ThreadId| node.sleep.iter().any(|(asleep, _)| *asleep == id);
        let mut cut = false;
        let found = node.choices.iter().copied().find(|choice| {
            if !node.backtrack.contains(&choice.thread) || asleep(choice.thread) {
                return false;
            }
            let switches = before + is_switch(last, *choice);
            let within = self.task.bounds.contexts.is_none_or(|most| switches <= most);
            cut |= !within;
            within
        });
        self.contexts_cut |= cut && found.is_none();
        found
    }

    fn report(&self) {
        let statistics = self.run.statistics;
        statistics.add("executions", self.executions as f64);
        statistics.add("redundant", self.redundant as f64);
        statistics.add("steps", self.steps as f64);
        statistics.add("states", self.states as f64);
    }

    fn verdict(&self, result: Result<(), Early>) -> Verdict {
        let sources = &self.task.program.sources;
        let at = |violation: &Violation| format!("{} ({})", violation.message, sources.display(violation.loc));
        match result {
            Err(Early::Unconfirmed(why)) => return Verdict::Unknown(why),
            Err(Early::Stop(stop)) => return Verdict::Unknown(stop.into()),
            Err(Early::Limit(limit)) => return Verdict::Unknown(Reason::Limit(limit.to_string())),
            Ok(()) => {}
        }
        let mut coverage = Coverage {
            unsupported: self.notes.unsupported.as_deref().map(at),
            undefined: self.notes.undefined.as_deref().map(at),
            uninitialised: self.notes.uninitialised.as_deref().map(at),
            reached: self.reached(),
            ..Coverage::of(self.task)
        };
        if let Some(name) = &self.notes.free_input {
            coverage.inputs.push(InputCoverage { name: name.clone(), values: InputValues::One });
        }
        let asked = &self.task.bounds;
        if let Some(steps) = self.bound_on_steps() {
            let places = Places { task: self.task, unwind: 0, steps };
            let cuts = self.notes.cuts.iter().map(|&(func, at)| (CutCause::Steps(func), at));
            coverage.cut_at(Bound::Steps, steps, places.by_steps(cuts));
        }
        for (bound, value) in [
            (Bound::Contexts, asked.contexts.filter(|_| self.contexts_cut)),
            (Bound::Spurious, self.spurious_cut.then_some(asked.spurious_or_default())),
        ] {
            if let Some(value) = value {
                coverage.cut(bound, value);
            }
        }
        coverage.verdict(Proof::Exhaustive { executions: self.executions })
    }

    fn reached(&self) -> Reached {
        let assertions = Assertions::new(self.task.program);
        let evaluated = |id| Some(self.notes.asserted.contains(&id));
        reach::reached(self.task.program, &assertions, Some(self.notes.main_ended), evaluated)
    }

    /// The bound at which a thread was stopped.
    fn bound_on_steps(&self) -> Option<u64> {
        let limits = &self.config.limits;
        let turn = limits.turn_steps.filter(|_| self.notes.turn_cut);
        self.task.bounds.steps.or(turn).or(limits.thread_turns).or(limits.steps).filter(|_| self.notes.cut)
    }
}

fn is_switch(last: Option<ThreadId>, chosen: Choice) -> u64 {
    u64::from(last.is_some_and(|last| last != chosen.thread))
}

enum Expansion {
    Ended(Outcome),
    Node,
}

/// Whether two steps that race can be executed the other way round.
enum Reversible {
    Yes,
    No,
    /// Not known; trying is harmless.
    Maybe,
}

fn machine_config(config: &ExploreConfig, task: &Task<'_>) -> Config {
    let properties: PropertySet = task.properties;
    let limits = Limits { thread_steps: task.bounds.steps.or(config.limits.thread_steps), ..config.limits.clone() };
    // Whether memory is freed at the exit depends on when it comes.
    let exit = if properties.contains(Property::Leak) { ExitMode::Immediate } else { ExitMode::Last };
    Config { properties, limits, exit, events: true, output: false, standard_input: None }
}

#[cfg(test)]
#[path = "explore_tests.rs"]
mod tests;
