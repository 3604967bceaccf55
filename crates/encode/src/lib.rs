//! From unwindings to event graphs and formulas, and from models back to schedules.
//!
//! ```text
//!  Unwinding ──pieces──▶ events at cells ──candidates──▶ Formula ──graph──▶ EventGraph over literals
//!                                                           │
//!  Schedule ◀──schedule── model, linearisation ◀── solver ──┘
//! ```
//!
//! [`Formula::new`] decides who may read from whom before any formula exists: by order, by place, by values, by guards
//! (docs/order-theory.md, "Candidates"). What is left is ρ ∧ ζ of paper 003 as terms; the scheduling constraint ξ is the engine's
//! business. [`describe`] prints all that. [`Retracing`] turns a model and a total order of the nodes into a schedule for the machine.

mod candidates;
mod clocks;
pub mod describe;
mod formula;
mod leaks;
mod locks;
mod pieces;
mod races;
mod ranges;
mod schedule;
mod slice;

pub use clocks::ClockTerms;
pub use formula::{Formula, FormulaRead, FormulaSection, FormulaStatistics, FormulaWrite, GraphNodes, Written};
pub use leaks::{Leak, Leaks};
pub use races::{RacePair, Races};
pub use ranges::Range;
pub use schedule::Retracing;
