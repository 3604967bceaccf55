//! Scopes: how far threads are followed.
//!
//! A thread that would leave the scope stops there, which is a *frontier*: what it did before counts, and whoever looks
//! for a proof has to show that no execution comes to a frontier behind which something matters.

use heddle_base::Id;
use heddle_ir::{FuncId, StepId};
use heddle_solver::TermId;

use super::ThreadIx;
use crate::evaluate::knowledge::mix;
use heddle_ir::objects::Site;

/// Identifies a step of a thread by the calls and rounds of loops that lead to it, alike in all executions and unwindings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodeKey(u64);

impl CodeKey {
    /// The program's first thread.
    pub const FIRST: CodeKey = CodeKey(0x1f17_57c0_de00_0001);

    /// A step of a call (or a thread) with this key, in these rounds of the loops around it.
    pub fn step(self, at: StepId, rounds: impl Iterator<Item = u32>) -> CodeKey {
        CodeKey(rounds.fold(mix(self.0, at.index() as u64), |key, round| mix(key, u64::from(round))))
    }

    /// The round of a loop that the step with this key begins by going back.
    pub fn round(self) -> CodeKey {
        CodeKey(mix(self.0, 0x0bac_c0de))
    }

    /// A call of a function by the step with this key.
    pub fn call(self, func: FuncId) -> CodeKey {
        CodeKey(mix(self.0, func.index() as u64))
    }

    /// The thread that the step with this key starts.
    pub fn thread(self) -> CodeKey {
        CodeKey(mix(self.0, 0x59a3))
    }
}

/// How far threads are followed.
pub trait Scope {
    /// Whether a branch, whose condition holds or not, is followed. `free`: it stands in a library model, or in a section
    /// that may have to wait; then rounds of loops alone are limited.
    fn follows(&self, branch: CodeKey, taken: bool, free: bool) -> bool;

    /// Whether a round of a loop is begun, given the step that goes back.
    fn goes_round(&self, back: CodeKey) -> bool;

    /// Whether something that matters can come behind a step that is not followed.
    fn matters(&self, func: FuncId, to: StepId) -> bool;
}

/// No limits but those of the bounds.
pub struct Everything;

impl Scope for Everything {
    fn follows(&self, _: CodeKey, _: bool, _: bool) -> bool {
        true
    }

    fn goes_round(&self, _: CodeKey) -> bool {
        true
    }

    fn matters(&self, _: FuncId, _: StepId) -> bool {
        true
    }
}

/// Where a thread leaves the scope.
#[derive(Clone, Copy, Debug)]
pub struct Frontier {
    /// Whether it does.
    pub guard: TermId,
    /// The thread.
    pub thread: ThreadIx,
    /// How many ticks of the thread come before it, executed or not.
    pub ticks: usize,
    /// The branch, or the step that goes back.
    pub key: CodeKey,
    /// Whether the branch's condition holds there.
    pub taken: bool,
    /// The branch.
    pub site: Site,
    /// Whether something that matters can come behind it.
    pub matters: bool,
}
