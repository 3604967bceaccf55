//! `auto`: what a user gets who names no engine.
//!
//! All interleavings in one formula (`order`). If that takes longer than a moment, it starts again, and the reachability
//! tree is searched at the same time (`lazy`): that finds violations behind few context switches however long the threads
//! are, and proves programs whose threads wait for each other in loops, which a formula must cut off. The first that
//! decides stops the other. Where one of them gives up because of what the program does, it executes all interleavings
//! instead (`explore`). Most programs need no more than the moment, and a second thread would only slow them down.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_machine::Prepared;
use heddle_task::{Reason, Run, Statistics, Task, Verdict};

use crate::engine::Engine;
use crate::explore::Explore;
use crate::lazy::Lazy;
use crate::order::Order;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};

/// How long `order` is left alone.
const MOMENT: Duration = Duration::from_millis(250);

/// How long `lazy` is waited for where the others have given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Memory of the process beyond which `lazy` gives up: `order` may still need some.
const LAZY_BYTES: u64 = 4 << 30;

/// Stack of the second thread: calls nest as deep in both.
const STACK_BYTES: usize = 512 << 20;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "auto",
    summary: "Heddle's choice",
    flags: &[Flag::Unwind, Flag::DumpSmt2],
    proves: Proves::AsOthers,
    corpus: CorpusRole::AsksOthers,
    make: |options| {
        Box::new(Auto {
            order: Order { config: options.into() },
            lazy: Lazy { config: options.into() },
            explore: Explore { config: options.into() },
        })
    },
};

/// The engine.
pub struct Auto {
    /// Asked first.
    pub order: Order,
    /// Asked beside it, after a moment.
    pub lazy: Lazy,
    /// Asked where the first one gives up.
    pub explore: Explore,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        let left = run.budget.time_left().unwrap_or(MOMENT);
        let moment = run.budget.part().with_time(left.min(MOMENT));
        let first = ask(&self.order, task, prepared, &Run { budget: moment.clone(), ..*run });
        let over = moment.check().is_err();
        if is_decided(&first.verdict) || !over && !gave_up(&first.verdict) {
            return first.conclude(run);
        }
        // What was done in the moment is done again, and would count twice.
        let known = if over { None } else { Some(first) };
        self.side_by_side(task, prepared, run, known)
    }
}

/// What an engine said, and its statistics.
struct Said {
    engine: &'static str,
    verdict: Verdict,
    statistics: Statistics,
}

impl Said {
    /// The verdict, which is that of the whole run.
    fn conclude(self, run: &Run<'_>) -> Verdict {
        run.statistics.absorb(&self.statistics, "");
        run.statistics.set_decided_by(self.engine);
        self.verdict
    }

    /// Keeps the numbers of an engine whose verdict is not that of the run.
    fn keep_numbers(&self, run: &Run<'_>) {
        run.statistics.absorb(&self.statistics, &format!("beside.{}.", self.engine));
    }
}

fn ask(engine: &dyn Engine, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Said {
    let statistics = Statistics::default();
    let verdict = engine.check(task, prepared, &Run { budget: run.budget.clone(), statistics: &statistics, ..*run });
    Said { engine: engine.name(), verdict, statistics }
}

/// Whether there is nothing left to be asked.
fn is_decided(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
}

/// Whether something other than a limit stands in the way.
fn gave_up(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Unknown(Reason::Time | Reason::Memory | Reason::Cancelled) => false,
        Verdict::Unknown(_) => true,
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_) => false,
    }
}

impl Auto {
    /// Both at once. `known` is what `order` has said, if it has.
    fn side_by_side(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>, known: Option<Said>) -> Verdict {
        let (of_order, of_lazy) = (run.budget.part(), run.budget.part());
        let most = run.budget.memory_limit().map_or(LAZY_BYTES, |limit| (limit / 2).min(LAZY_BYTES));
        let of_lazy = of_lazy.with_memory(most);
        // Whether one of the two executes interleavings; the other need not, too.
        let explores = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let beside = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, {
                let (of_lazy, of_order, explores) = (of_lazy.clone(), of_order.clone(), &explores);
                move || {
                    let said = self.beside(task, prepared, of_lazy, explores);
                    if said.iter().any(|said| is_decided(&said.verdict)) {
                        of_order.cancel();
                    }
                    said
                }
            });
            let beside = beside.ok();
            let run_order = Run { budget: of_order, ..*run };
            let mut said = vec![known.unwrap_or_else(|| ask(&self.order, task, prepared, &run_order))];
            let mine = gave_up(&said[0].verdict) && !explores.swap(true, Ordering::Relaxed);
            if mine {
                said.push(ask(&self.explore, task, prepared, &run_order));
            }
            let (first, mut others) = best(said);
            if gave_up(&first.verdict) {
                let patience = Instant::now() + PATIENCE;
                let still = || beside.as_ref().is_some_and(|beside| !beside.is_finished());
                while still() && (!mine || Instant::now() < patience) && run.budget.check().is_ok() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            of_lazy.cancel();
            let second = beside.and_then(|beside| beside.join().ok()).map(best);
            let (chosen, rest) = match second {
                Some((second, more)) if is_decided(&second.verdict) && !is_decided(&first.verdict) => {
                    run.statistics.set("decided_beside", 1.0);
                    others.push(first);
                    (second, more)
                }
                Some((second, mut more)) => {
                    more.push(second);
                    (first, more)
                }
                None => (first, Vec::new()),
            };
            others.into_iter().chain(rest).for_each(|said| said.keep_numbers(run));
            chosen.conclude(run)
        })
    }

    /// What runs in the second thread: `lazy`, and `explore` where it gives up.
    fn beside(&self, task: &Task<'_>, prepared: &Prepared, budget: Budget, explores: &AtomicBool) -> Vec<Said> {
        let run = Run { budget, progress: &|_| {}, statistics: &Statistics::default() };
        let mut said = vec![ask(&self.lazy, task, prepared, &run)];
        if gave_up(&said[0].verdict) && !explores.swap(true, Ordering::Relaxed) {
            said.push(ask(&self.explore, task, prepared, &run));
        }
        said
    }
}

/// Of an engine and, where that gave up, of `explore`: what stopped the first need not stop the second. The answer that
/// counts, and the other ones.
fn best(mut said: Vec<Said>) -> (Said, Vec<Said>) {
    let last = said.len() - 1;
    let index = if matches!(said[last].verdict, Verdict::Unknown(_)) { 0 } else { last };
    (said.swap_remove(index), said)
}
