//! Engines: one module an approach. They never import one another; what they share is in modules of its own.
//!
//! - [`Order`]: the event graph as a theory in the SAT search.
//! - [`Refine`]: scheduling-constraint abstraction refinement around the SAT search (paper 003).
//! - [`Clock`]: the scheduling constraint in full, before the search; the baseline.

mod bounded;
mod clock;
mod lock_order;
mod order;
mod queries;
mod questions;
mod refine;

pub use bounded::BoundedConfig;
pub use clock::Clock;
pub use order::Order;
pub use queries::Queries;
pub use refine::Refine;
