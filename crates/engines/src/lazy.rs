//! `lazy`: each interleaving of the reachability tree is checked by itself (paper 001, section 3.2, Figure 3).
//!
//! One solver serves all leaves: their conditions share the terms of their common prefixes, and what was learnt for
//! one leaf holds for the next.

use heddle_base::Stop;
use heddle_machine::Prepared;
use heddle_solver::{TermId, Terms, Value};
use heddle_symbolic::interleave::Interleaver;
use heddle_task::{Run, Task, Verdict};

use crate::contexts::{self, Approach, ContextsConfig, Found, Suspect};
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "lazy",
    summary: "Interleavings one by one, with a bound on context switches (paper 001)",
    flags: &[Flag::Unwind, Flag::Contexts, Flag::Choices, Flag::NoReduction],
    proves: Proves::AllInterleavings,
    corpus: CorpusRole::Consistent { contexts: 3 },
    make: |options| Box::new(Lazy { config: options.into() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Lazy {
    /// What it does on the way.
    pub config: ContextsConfig,
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        contexts::check(&self.config, &|| Box::new(LeafByLeaf::default()), task, prepared, run)
    }
}

/// Suspects of the interleaving at hand that no leaf has asked about yet.
#[derive(Default)]
struct LeafByLeaf {
    pending: Vec<Suspect>,
    conditions: u64,
}

impl Approach for LeafByLeaf {
    fn records(&self) -> bool {
        false
    }

    fn suspect(&mut self, _: &mut Interleaver<'_>, suspect: Suspect) -> Result<Option<Found>, Stop> {
        if suspect.guard == Terms::TRUE {
            return Ok(Some(Found { suspect, model: None }));
        }
        self.pending.push(suspect);
        Ok(None)
    }

    /// Step 4 of the algorithm: the verification condition of the interleaving.
    fn leaf(&mut self, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        self.conditions += 1;
        let guards: Vec<TermId> = self.pending.iter().map(|suspect| suspect.guard).collect();
        let Some(model) = at.model_of(&guards)? else {
            self.pending.clear();
            return Ok(None);
        };
        let mut evaluator = model.evaluator(at.terms());
        let first = self.pending.iter().find(|suspect| evaluator.eval(suspect.guard) == Value::Bool(true));
        Ok(first.cloned().map(|suspect| Found { suspect, model: Some(model) }))
    }

    fn end(&mut self, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        self.leaf(at)
    }

    fn leave_out(&mut self, which: &dyn Fn(&Suspect) -> bool) {
        self.pending.retain(|suspect| !which(suspect));
    }

    fn report(&self, run: &Run<'_>) {
        run.statistics.add("conditions", self.conditions as f64);
    }
}
