//! Engines: one module an approach. They never import one another; what they share is in modules of its own.
//!
//! - [`Order`]: the event graph as a theory in the SAT search.
//! - [`Refine`]: scheduling-constraint abstraction refinement around the SAT search (paper 003).
//! - [`Clock`]: the scheduling constraint in full, before the search; the baseline.
//! - [`Explore`]: all interleavings that differ, executed by the machine.
//! - [`Lazy`], [`Record`], [`Widen`]: context-bounded search in the reachability tree (paper 001).

mod bounded;
mod candidate;
mod clock;
mod contexts;
mod explore;
mod lazy;
mod lock_order;
mod order;
mod queries;
mod questions;
mod record;
mod refine;
mod widen;

pub use bounded::BoundedConfig;
pub use clock::Clock;
pub use contexts::ContextsConfig;
pub use explore::{Explore, ExploreConfig, Reduction};
pub use lazy::Lazy;
pub use order::Order;
pub use queries::Queries;
pub use record::Record;
pub use refine::Refine;
pub use widen::Widen;
