//! Sets of states as binary decision diagrams.

pub mod bdd;
pub mod exact;
pub mod pairs;
mod slots;
pub mod threads;
