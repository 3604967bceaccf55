//! The event order graph: which steps come before which, and three ways to decide whether a choice of sources for all
//! reads has an order.
//!
//! [`EventGraph`] is the static part: steps in chains, fixed edges, reads with their possible sources and rivals, over
//! literals of a SAT solver. A set of true literals is *consistent* if the nodes can be put into a line that contains
//! chains and fixed edges, in which every true source comes before its read, and no true rival stands between the two.
//! Three modules decide that:
//!
//! - [`order`]: a theory inside the SAT search, the fastest;
//! - [`refine`]: abstraction refinement around the SAT search, after [SCAR §3];
//! - [`clock`]: everything as clauses before the search, the baseline.
//!
//! Invariant: nothing here knows programs, values or locations.

pub mod clock;
#[cfg(test)]
mod figures;
pub mod graph;
pub mod order;
mod reach;
pub mod refine;
#[cfg(any(test, feature = "stress"))]
pub mod stress;

pub use clock::{ClockStatistics, Clocks};
pub use graph::{ChainId, EventGraph, NodeId, ReadId, Rival, WriteId};
pub use order::{OrderStatistics, OrderTheory};
pub use refine::{Outcome, RefineStatistics, Refinement};
