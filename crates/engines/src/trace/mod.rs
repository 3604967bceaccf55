//! `trace`: trace-driven verification, [TDV].
//!
//! Execute once; ask whether a violation is possible in any interleaving of what was executed (φ(π), the
//! under-approximation); if not, ask whether anything else can be reached that matters (ψ(π), the over-approximation);
//! if so, the model is a schedule that guides the next execution (Fig. 2).
//!
//! The approximations are those of the event graph: [`follow`](heddle_symbolic::follow) unwinds the union of all
//! executed paths exactly, and the scheduling constraint is a theory in the SAT search. A branch direction that no
//! execution took is a *frontier*: the thread may stop there. φ asks for a violation. ψ asks for a frontier that some
//! execution reaches and behind which, by control flow alone, a check or a write that others can see may come. If there
//! is neither, all executions under the given inputs are covered, without a bound on anything.
//!
//! **Termination.** A frontier that the solver reports is reached by the guided execution, or that is a defect of ours
//! (`UNKNOWN unconfirmed`). So each execution takes a branch in a direction that none took before; χ, which keeps
//! analysed traces out ([TDV §4.2]), is implicit. A program that waits in loops, or does not
//! terminate, would be followed for ever more rounds: once that shows, rounds of loops are bounded, and the answer says so.
//!
//! **Deviations.** Inputs that have no value are left to the solver; a proof is then for all of their values. Branches of
//! library models outside loops are not enforced. All frontiers of one unwinding are asked about before the next one.

mod events;
mod execution;
mod story;
#[cfg(test)]
mod tests;

use heddle_machine::{Limits, Prepared};
use heddle_task::{Run, Task, Verdict};

use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineOptions, EngineRow, Flag, Proves};

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "trace",
    summary: "Executions, and all interleavings of what they executed, in turns (paper 000)",
    flags: &[Flag::Unwind],
    proves: Proves::CompleteUnrolling,
    corpus: CorpusRole::Bounded,
    make: |options| Box::new(TraceDriven { config: options.into() }),
};

/// How the approximations of a trace are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TraceEncoding {
    /// On the event graph, with the order theory.
    #[default]
    Events,
}

/// What the engine does beside answering its task.
#[derive(Clone, Debug)]
pub struct TraceConfig {
    /// How the approximations are encoded.
    pub encoding: TraceEncoding,
    /// Whether to look for more than one violation.
    pub all: bool,
    /// Whether to leave out reads whose values nothing depends on.
    pub slice: bool,
    /// Limits of each execution.
    pub limits: Limits,
}

impl From<&EngineOptions> for TraceConfig {
    fn from(options: &EngineOptions) -> Self {
        let encoding = TraceEncoding::default();
        TraceConfig { encoding, all: options.all, slice: options.slice, limits: options.limits.clone() }
    }
}

/// The engine.
#[derive(Clone, Debug)]
pub struct TraceDriven {
    /// What it does on the way.
    pub config: TraceConfig,
}

impl Engine for TraceDriven {
    fn name(&self) -> &'static str {
        "trace"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        match self.config.encoding {
            TraceEncoding::Events => events::check(&self.config, task, prepared, run),
        }
    }
}
