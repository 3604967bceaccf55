//! `auto`: what a user gets who names no engine.
//!
//! Several engines take turns (`heddle_base::turns`): each goes on where it was, in slices of CPU time that grow, until one decides. [`STAGES`] says
//! who is asked, when, and for how much of the time. All interleavings in one formula (`order`) decide most programs
//! within their first slice. The reachability tree (`lazy`) finds violations behind few context switches however long the
//! threads are, and proves programs whose threads wait for each other in loops, which a formula must cut off. Executing
//! all interleavings (`explore`) is quickest for programs without inputs and with few of them. A program that is decided by none
//! of them soon is worth a second processor: then `order` runs on, and the others share the other one. Random schedules
//! (`hunt`) find violations of programs that are too long for all others.
//!
//! **What is answered.** `SAFE` and `UNSAFE` of any engine decide. Otherwise the bounds of all engines count: the best
//! `SAFE WITHIN` is the answer even if `order` has none (`auto::outcome`).
//!
//! **A further engine** is a row of [`STAGES`]. Its `when` is asked before each of its slices, so it can also wait for what others come to.

mod outcome;
mod players;

use std::time::{Duration, Instant};

use heddle_ir::{InputKind, StepKind, Ty};
use heddle_machine::Prepared;
use heddle_task::{Run, Task, Verdict};

use self::outcome::Said;
use self::players::Players;
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineOptions, EngineRow, Flag, Proves};
use crate::{explore, hunt, lazy, order};

/// The engines that are asked, in the order of their first turns.
const STAGES: &[Stage] = &[
    Stage { engine: &order::ROW, when: |_| true, slice: 16, share: 3 },
    Stage { engine: &lazy::ROW, when: |_| true, slice: 8, share: 2 },
    // With inputs, only some of their values would be tried.
    Stage { engine: &explore::ROW, when: |at| at.is_closed || at.has_failed, slice: 8, share: 2 },
    Stage { engine: &hunt::ROW, when: |at| at.hunts, slice: 16, share: 3 },
    Stage { engine: &hunt::ROW, when: |at| !at.hunts && at.used >= SOON, slice: 16, share: 1 },
];

/// An engine, and its part in the search.
pub(crate) struct Stage {
    /// The engine.
    pub(crate) engine: &'static EngineRow,
    /// Whether it has something to do. Asked again and again: an engine may be asked late, or not any more.
    pub(crate) when: fn(&Situation) -> bool,
    /// Milliseconds of CPU time of its first slice. Later ones grow with the time that was used by all.
    pub(crate) slice: u64,
    /// How much of the time it gets, compared with the others.
    pub(crate) share: u32,
}

/// What is known of a search when a stage is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    /// Whether every input has few values.
    pub(crate) is_closed: bool,
    /// Whether an engine has given up because of what the program does.
    pub(crate) has_failed: bool,
    /// Whether the user asked for random schedules.
    pub(crate) hunts: bool,
    /// CPU time of all engines together.
    pub(crate) used: Duration,
}

/// CPU time of all engines together after which the first one gets a processor for itself, if there are two.
const ALONE: Duration = Duration::from_millis(600);

/// CPU time of all engines together after which random schedules are worth some of it.
const SOON: Duration = Duration::from_secs(1);

/// How long others are waited for where `order` and `explore` have ended without an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Memory of the process beyond which an engine gives up that is not the first: `order` may still need some.
const BESIDE_BYTES: u64 = 4 << 30;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "auto",
    summary: "Heddle's choice",
    flags: &[Flag::Unwind, Flag::DumpSmt2, Flag::Hunt],
    proves: Proves::AsOthers,
    corpus: CorpusRole::OnlyNamed,
    make: |options| Box::new(Auto { options: options.clone() }),
};

/// The engine.
pub struct Auto {
    /// What each engine is made with.
    pub options: EngineOptions,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        let hunts = self.options.hunt;
        let is_closed = is_closed(task, prepared);
        let mut situation = Situation { is_closed, has_failed: false, hunts, used: Duration::ZERO };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let mut players = Players::new(scope, STAGES, &self.options, (task, prepared), run);
            let mut since_last: Option<Instant> = None;
            loop {
                players.collect();
                situation.has_failed = players.said().any(|said| said.gave_up());
                situation.used = players.used();
                // The first engine stops within a bound only where one was given, or where no larger one looks further.
                let is_answered =
                    players.said().any(Said::is_decided) || players.said_by(0).is_some_and(Said::is_within);
                if is_answered || !players.play(&situation, cores > 1 && situation.used >= ALONE) {
                    break;
                }
                // Nobody is left whose search has an end.
                let hunted = !hunts || players.has_ended("hunt");
                if players.said_by(0).is_some() && players.has_ended("explore") && hunted {
                    let since = *since_last.get_or_insert_with(Instant::now);
                    if since.elapsed() >= PATIENCE {
                        break;
                    }
                }
                players.wait(run);
            }
            outcome::conclude(players.finish(), run)
        })
    }
}

/// Whether every input that can be read has few values, so that executions can try them all.
fn is_closed(task: &Task<'_>, prepared: &Prepared) -> bool {
    let program = task.program;
    let has_domain = |name: &str| task.domains.iter().any(|(known, _)| known == name);
    program.functions.iter_enumerated().filter(|(func, _)| prepared.analysis.call_graph.reachable[*func]).all(
        |(_, function)| {
            function.steps.iter().all(|step| match step.kind {
                StepKind::Havoc { input, .. } => {
                    let input = &program.inputs[input];
                    match input.kind {
                        // Matters only if it is read before it is written.
                        InputKind::Uninit => true,
                        InputKind::Nondet | InputKind::External | InputKind::Argument | InputKind::Asm => {
                            input.ty == Ty::Bool || has_domain(&input.name)
                        }
                    }
                }
                _ => true,
            })
        },
    )
}
