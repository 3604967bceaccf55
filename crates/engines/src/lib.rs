//! Engines: one module an approach. They never import one another; what they share is in modules of its own.
//!
//! - [`Order`]: the event graph as a theory in the SAT search.

mod bounded;
mod order;

pub use bounded::BoundedConfig;
pub use order::Order;
