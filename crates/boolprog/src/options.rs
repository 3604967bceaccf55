//! Switches of the thread-state abstraction: what of the paper's §3 and §4 is on.

/// Switches of the thread-state abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// (2d) of Definition 8: threads that hold a common lock do not see each other's steps.
    pub lock_sets: bool,
    /// Remark 1: before the first `start_thread` nobody else moves.
    pub remark1: bool,
    /// Partial-order reduction, §4.2.
    pub partial_order: bool,
    /// Explicit computations give up above so many states.
    pub max_states: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { lock_sets: true, remark1: true, partial_order: true, max_states: 1_000_000 }
    }
}
