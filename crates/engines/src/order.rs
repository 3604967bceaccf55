//! `order`: the event graph as a theory in the SAT search.

use heddle_machine::Prepared;
use heddle_task::{Reason, Run, Task, Verdict, Warning};

use crate::bounded::{self, BoundedConfig};
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};
use crate::theory::ByTheory;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "order",
    summary: "All interleavings in one formula, their order a theory in the SAT search",
    flags: &[Flag::Unwind, Flag::DumpSmt2],
    proves: Proves::CompleteUnrolling,
    corpus: CorpusRole::Bounded,
    make: |options| Box::new(Order { config: options.into() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// What it does on the way.
    pub config: BoundedConfig,
}

impl Order {
    /// Locks that threads take in orders that contradict each other without a deadlock being there.
    pub fn lock_order(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Result<Vec<Warning>, Reason> {
        bounded::lock_order(&self.config, &ByTheory, task, prepared, run)
    }
}

impl Engine for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        bounded::check(&self.config, &ByTheory, task, prepared, run)
    }
}
