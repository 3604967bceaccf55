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
        let first = self.order.check(task, prepared, &Run { budget: moment.clone(), ..*run });
        let over = moment.check().is_err();
        if is_decided(&first) || !over && !gave_up(&first) {
            return first;
        }
        self.side_by_side(task, prepared, run, if over { None } else { Some(first) })
    }
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
    fn side_by_side(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>, known: Option<Verdict>) -> Verdict {
        let (of_order, of_lazy) = (run.budget.part(), run.budget.part());
        let most = run.budget.memory_limit().map_or(LAZY_BYTES, |limit| (limit / 2).min(LAZY_BYTES));
        let of_lazy = of_lazy.with_memory(most);
        // Whether one of the two executes interleavings; the other need not, too.
        let explores = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let beside = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, {
                let (of_lazy, of_order, explores) = (of_lazy.clone(), of_order.clone(), &explores);
                move || {
                    let verdict = self.beside(task, prepared, of_lazy, explores);
                    if is_decided(&verdict) {
                        of_order.cancel();
                    }
                    verdict
                }
            });
            let beside = beside.ok();
            let run_order = Run { budget: of_order, ..*run };
            let first = known.unwrap_or_else(|| self.order.check(task, prepared, &run_order));
            let mine = gave_up(&first) && !explores.swap(true, Ordering::Relaxed);
            let first = if mine { self.instead(first, task, prepared, &run_order) } else { first };
            if gave_up(&first) {
                let patience = Instant::now() + PATIENCE;
                let still = || beside.as_ref().is_some_and(|beside| !beside.is_finished());
                while still() && (!mine || Instant::now() < patience) && run.budget.check().is_ok() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            of_lazy.cancel();
            match beside.and_then(|beside| beside.join().ok()) {
                Some(second) if is_decided(&second) && !is_decided(&first) => {
                    run.statistics.set("decided_beside", 1.0);
                    second
                }
                Some(_) | None => first,
            }
        })
    }

    fn beside(&self, task: &Task<'_>, prepared: &Prepared, budget: Budget, explores: &AtomicBool) -> Verdict {
        let statistics = Statistics::default();
        let run = Run { budget, progress: &|_| {}, statistics: &statistics };
        let verdict = self.lazy.check(task, prepared, &run);
        if gave_up(&verdict) && !explores.swap(true, Ordering::Relaxed) {
            return self.instead(verdict, task, prepared, &run);
        }
        verdict
    }

    /// Executes all interleavings where another engine has given up: what stopped that one need not stop this one.
    fn instead(&self, verdict: Verdict, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        match self.explore.check(task, prepared, run) {
            decided @ (Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_)) => decided,
            Verdict::Unknown(_) => verdict,
        }
    }
}
