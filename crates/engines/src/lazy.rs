//! `lazy`: each interleaving of the reachability tree is checked by itself (paper 001, section 3.2, Figure 3).
//!
//! One solver serves all leaves: their conditions share the terms of their common prefixes, and what was learnt for
//! one leaf holds for the next.

use heddle_base::Stop;
use heddle_solver::{TermId, Terms, Value};
use heddle_symbolic::interleave::Interleaver;
use heddle_task::{Engine, Run, Task, Verdict};

use crate::contexts::{self, Approach, ContextsConfig, Found, Suspect};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Lazy {
    /// How far to look.
    pub config: ContextsConfig,
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn check(&self, task: &Task<'_>, run: &Run<'_>) -> Verdict {
        contexts::check(&self.config, &|| Box::new(LeafByLeaf::default()), task, run)
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
