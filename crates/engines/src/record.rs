//! `record`: all interleavings of the reachability tree in one formula (paper 001, section 3.3).
//!
//! Every turn of the tree has its schedule guard ts_i = j: turn i is thread j's. What may go wrong on a path does if all
//! guards of the path hold; the formula asks for a schedule on which something does.

use heddle_base::Stop;
use heddle_machine::Prepared;
use heddle_symbolic::interleave::Interleaver;
use heddle_task::{Run, Task, Verdict};

use crate::contexts::{self, Asking, ContextsConfig, Found, Recorded, Recording};
use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "record",
    summary: "All interleavings up to a bound on context switches, with schedule guards, in one formula (paper 001)",
    flags: &[Flag::Unwind, Flag::Contexts, Flag::Choices, Flag::NoReduction],
    proves: Proves::AllInterleavings,
    corpus: CorpusRole::Consistent { contexts: 2 },
    make: |options| Box::new(Record { config: options.into() }),
};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What it does on the way.
    pub config: ContextsConfig,
}

impl Engine for Record {
    fn name(&self) -> &'static str {
        "record"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        contexts::check(&self.config, &|| Box::new(Recording::new(AllAtOnce)), task, prepared, run)
    }
}

struct AllAtOnce;

impl Asking for AllAtOnce {
    fn ask(&mut self, recorded: &Recorded, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        let Some(model) = at.model_of(&recorded.guards())? else { return Ok(None) };
        Ok(recorded.found(at.terms(), model))
    }

    fn report(&self, _: &Run<'_>) {}
}
