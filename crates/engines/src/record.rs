//! `record`: all interleavings of the reachability tree in one formula (paper 001, section 3.3).
//!
//! Every turn of the tree has its schedule guard ts_i = j: turn i is thread j's. What may go wrong on a path does if all
//! guards of the path hold; the formula asks for a schedule on which something does.

use heddle_base::Stop;
use heddle_symbolic::interleave::Interleaver;
use heddle_task::{Engine, Run, Task, Verdict};

use crate::contexts::{self, Asking, ContextsConfig, Found, Recorded, Recording};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// How far to look.
    pub config: ContextsConfig,
}

impl Engine for Record {
    fn name(&self) -> &'static str {
        "record"
    }

    fn check(&self, task: &Task<'_>, run: &Run<'_>) -> Verdict {
        contexts::check(&self.config, &|| Box::new(Recording::new(AllAtOnce)), task, run)
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
