//! Symbolic execution: programs over terms instead of values.
//!
//! - [`operators`]: operators over terms, usable by themselves.
//! - [`unwind`]: every thread executed alone, merging where paths join; what event graphs are made of.
//! - [`interleave`]: all threads executed on one state, one scheduled step at a time.
//!
//! **Architecture invariant:** a scheduled step here is one of the machine's, and operators mean what
//! `heddle_ir::value` computes.

pub mod operators;
pub mod unwind;

pub use unwind::interleave;

#[cfg(test)]
mod tests;
