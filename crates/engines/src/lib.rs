//! Engines: one module an approach. They never import one another, except that [`Auto`] asks others; what they share is in
//! modules of its own. An [`Engine`] answers a task that was prepared once (`heddle_machine::Prepared`).
//!
//! - [`Order`]: the event graph as a theory in the SAT search.
//! - [`Refine`]: scheduling-constraint abstraction refinement around the SAT search (paper 003).
//! - [`Clock`]: the scheduling constraint in full, before the search; the baseline.
//! - [`TraceDriven`]: executions, and all interleavings of what they executed, in turns (paper 000).
//! - [`Explore`]: all interleavings that differ, executed by the machine.
//! - [`Hunt`]: random schedules, executed by the machine, to find violations only.
//! - [`Abstract`]: unbounded proofs by predicate abstraction over pairs of thread states (paper 004).
//! - [`States`]: all steps from all states, each state once.
//! - [`Lazy`], [`Record`], [`Widen`]: context-bounded search in the reachability tree (paper 001).

mod abstraction;
mod auto;
pub mod boolean;
mod bounded;
mod clock;
mod contexts;
mod deepening;
mod engine;
mod explore;
mod guesses;
mod hunt;
mod judge;
mod lazy;
mod lock_order;
mod order;
mod queries;
mod questions;
mod reach;
#[cfg(test)]
mod reach_tests;
mod record;
mod refine;
mod registry;
mod shorten;
mod states;
mod theory;
mod trace;
mod unanswered;
mod widen;

pub use abstraction::Abstract;
pub use auto::Auto;
pub use bounded::BoundedConfig;
pub use clock::Clock;
pub use contexts::ContextsConfig;
pub use engine::Engine;
pub use explore::{Explore, ExploreConfig, Reduction};
pub use guesses::check_without_guesses;
pub use hunt::{Hunt, HuntConfig};
pub use lazy::Lazy;
pub use order::Order;
pub use queries::Queries;
pub use record::Record;
pub use refine::Refine;
pub use registry::{CorpusRole, ENGINES, EngineOptions, EngineRow, Flag, Proves, find};
pub use shorten::shorten;
pub use states::{States, StatesConfig};
pub use trace::{TraceConfig, TraceDriven, TraceEncoding};
pub use widen::Widen;
