//! Symbolic execution: programs over terms instead of values.
//!
//! - [`operators`]: operators over terms, usable by themselves.
//! - `evaluate`: expressions, places and steps of a thread as terms under a state; what all drivers share.
//! - [`unwind`]: every thread executed alone, merging where paths join; what event graphs are made of.
//! - [`follow`]: every thread executed alone, along the paths that executions took.
//! - [`interleave`]: all threads executed on one state, one scheduled step at a time.
//!
//! **Architecture invariant:** a scheduled step here is one of the machine's, and operators mean what
//! `heddle_ir::value` computes.

mod evaluate;
pub mod follow;
pub mod interleave;
pub mod operators;
pub mod unwind;

#[cfg(test)]
mod tests;
