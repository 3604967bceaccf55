//! The engines of a search that take turns: who runs, for how long, and what came of it.
//!
//! Engines are started when they get their first slice. Of those that have something to do, whoever has used least for its
//! share runs next. **Invariant:** an engine is never started twice, and none outlives [`Players::finish`].

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use heddle_base::turns::{State, Turn, Turns};
use heddle_base::{Budget, Stop};
use heddle_machine::Prepared;
use heddle_task::{Progress, Reason, Run, Statistics, Task, Verdict};

use super::outcome::Said;
use super::{BESIDE_BYTES, Situation, Stage};
use crate::registry::EngineOptions;

/// Stack of an engine's thread: calls nest as deep in all of them. Only what is used takes memory.
const STACK_BYTES: usize = 512 << 20;

/// Without optimisation everything takes so many times as long.
const SLOWER: u64 = if cfg!(debug_assertions) { 10 } else { 1 };

/// A slice is at least the first one, and this part of the CPU time that was used by all.
const PART_OF_USED: u32 = 4;

/// A slice without an end.
const FOR_EVER: Duration = Duration::from_secs(1 << 32);

/// How long nobody looks at what the engines do.
const LOOK: Duration = Duration::from_millis(50);

/// All engines of a search.
pub(super) struct Players<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    stages: &'static [Stage],
    options: &'env EngineOptions,
    task: &'env Task<'env>,
    prepared: &'env Prepared,
    turns: Turns,
    /// That of the whole search; to cancel it stops all engines.
    budget: Budget,
    /// One for each stage that was started.
    players: Vec<(usize, Player<'scope>)>,
    /// Whether the first engine runs without pauses.
    is_parted: bool,
}

struct Player<'scope> {
    turn: Turn,
    thread: Option<ScopedJoinHandle<'scope, Said>>,
    progress: Arc<Mutex<Progress>>,
    said: Option<Said>,
}

impl<'scope, 'env> Players<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        stages: &'static [Stage],
        options: &'env EngineOptions,
        (task, prepared): (&'env Task<'env>, &'env Prepared),
        run: &Run<'_>,
    ) -> Self {
        let budget = run.budget.part();
        let turns = Turns::default();
        Players { scope, stages, options, task, prepared, turns, budget, players: Vec::new(), is_parted: false }
    }

    /// What engines have said, in the order in which they began.
    pub(super) fn said(&self) -> impl Iterator<Item = &Said> {
        self.players.iter().filter_map(|(_, player)| player.said.as_ref())
    }

    /// What the engine of a stage has said.
    pub(super) fn said_by(&self, stage: usize) -> Option<&Said> {
        self.player(stage).and_then(|player| player.said.as_ref())
    }

    /// Whether an engine is over, or was never begun.
    pub(super) fn has_ended(&self, engine: &str) -> bool {
        !self.players.iter().any(|(stage, player)| self.stages[*stage].engine.name == engine && player.said.is_none())
    }

    /// CPU time of all engines together.
    pub(super) fn used(&self) -> Duration {
        self.players.iter().map(|(_, player)| self.turns.used(&player.turn)).sum()
    }

    /// Takes what engines have said that have ended.
    pub(super) fn collect(&mut self) {
        for (_, player) in &mut self.players {
            if player.said.is_none() && self.turns.state(&player.turn) == State::Ended {
                player.join();
            }
        }
    }

    /// Gives out slices to those whose turn it is, if nobody runs; `parted`: the first engine runs without pauses, the others take
    /// turns beside it. False if nobody is left to run.
    pub(super) fn play(&mut self, situation: &Situation, parted: bool) -> bool {
        if parted && !self.is_parted {
            self.is_parted = true;
            if let Some(player) = self.player(0) {
                self.turns.give(&player.turn, FOR_EVER);
            }
        }
        let is_beside = |stage: usize| !self.is_parted || stage != 0;
        let mut runs = false;
        for (stage, player) in &self.players {
            let is_running = player.said.is_none() && self.turns.state(&player.turn) == State::Running;
            runs |= is_running && is_beside(*stage);
        }
        if !runs {
            let waiting = (0..self.stages.len()).filter(|&stage| is_beside(stage) && self.wants(stage, situation));
            // Of equals, the first one of the table.
            if let Some(next) = waiting.min_by_key(|&stage| self.used_by(stage) / self.stages[stage].share) {
                self.give_slice(next);
                runs = true;
            }
        }
        runs || self.is_parted && self.said_by(0).is_none()
    }

    /// Waits until something has happened, and tells how far the engine is that runs.
    pub(super) fn wait(&self, run: &Run<'_>) {
        let is_running = |player: &&(usize, Player<'_>)| self.turns.state(&player.1.turn) == State::Running;
        let running: Vec<&(usize, Player<'_>)> =
            self.players.iter().filter(is_running).filter(|(_, player)| player.said.is_none()).collect();
        let turns: Vec<&Turn> = running.iter().map(|(_, player)| &player.turn).collect();
        self.turns.wait(&turns, LOOK);
        if let Some((_, player)) = running.first() {
            let progress = player.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            (run.progress)(&progress);
        }
    }

    /// Stops all engines. What each has said, in the order of the table.
    pub(super) fn finish(mut self) -> Vec<Said> {
        // When the time is over they stop by themselves, and say how far they have come.
        if !matches!(self.budget.check(), Err(Stop::Time)) {
            self.budget.cancel();
        }
        self.players.sort_by_key(|(stage, _)| *stage);
        let mut said = Vec::new();
        for (_, mut player) in self.players {
            player.join();
            said.extend(player.said);
        }
        said
    }

    fn player(&self, stage: usize) -> Option<&Player<'scope>> {
        self.players.iter().find(|(of, _)| *of == stage).map(|(_, player)| player)
    }

    fn used_by(&self, stage: usize) -> Duration {
        self.player(stage).map_or(Duration::ZERO, |player| self.turns.used(&player.turn))
    }

    /// Whether a stage has something left to do.
    fn wants(&self, stage: usize, situation: &Situation) -> bool {
        (self.stages[stage].when)(situation) && self.said_by(stage).is_none()
    }

    fn give_slice(&mut self, stage: usize) {
        let least = Duration::from_millis(self.stages[stage].slice * SLOWER);
        let slice = least.max(self.used() / PART_OF_USED);
        match self.player(stage) {
            Some(player) => self.turns.give(&player.turn, slice),
            None => self.start(stage, slice),
        }
    }

    fn start(&mut self, stage: usize, slice: Duration) {
        let turn = self.turns.add(slice);
        let mut budget = self.budget.part().with_turn(turn.clone());
        if stage != 0 {
            let most = budget.memory_limit().map_or(BESIDE_BYTES, |limit| (limit / 2).min(BESIDE_BYTES));
            budget = budget.with_memory(most);
        }
        let progress: Arc<Mutex<Progress>> = Arc::default();
        let (row, task, prepared, options) = (self.stages[stage].engine, self.task, self.prepared, self.options);
        let work = {
            let (turn, progress) = (turn.clone(), Arc::clone(&progress));
            move || {
                // However it ends, nobody must wait for it.
                let _ended = Ended(turn);
                let statistics = Statistics::default();
                let note = |now: &Progress| {
                    *progress.lock().unwrap_or_else(PoisonError::into_inner) = now.clone();
                };
                let run = Run { budget, progress: &note, statistics: &statistics };
                let verdict = (row.make)(options).check(task, prepared, &run);
                Said { engine: row.name, verdict, statistics }
            }
        };
        let thread = Builder::new().name(row.name.to_owned()).stack_size(STACK_BYTES).spawn_scoped(self.scope, work);
        let mut player = Player { turn, thread: None, progress, said: None };
        match thread {
            Ok(thread) => player.thread = Some(thread),
            Err(error) => {
                let verdict = Verdict::Unknown(Reason::Limit(format!("no thread could be started: {error}")));
                player.said = Some(Said { engine: row.name, verdict, statistics: Statistics::default() });
            }
        }
        self.players.push((stage, player));
    }
}

impl Player<'_> {
    /// Waits for the end of the thread. A panic goes on in the caller.
    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            match thread.join() {
                Ok(said) => self.said = Some(said),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }
}

/// Ends a turn when it is dropped.
struct Ended(Turn);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.end();
    }
}
