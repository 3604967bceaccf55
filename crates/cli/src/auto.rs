//! `auto`: what a user gets who names no engine.
//!
//! All interleavings in one formula (`order`); where that does not decide because of what the program does, they are explored.

use heddle_engines::Order;
use heddle_exec::{Engine, Explore, Reason, Run, Task, Verdict};

/// The engine.
pub struct Auto {
    /// Asked first.
    pub order: Order,
    /// Asked where the first one gives up.
    pub explore: Explore,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task<'_>, run: &Run<'_>) -> Verdict {
        let first = self.order.check(task, run);
        match first {
            // What stopped one engine need not stop the other.
            Verdict::Unknown(
                Reason::Unsupported(_) | Reason::Undefined(_) | Reason::Inputs(_) | Reason::Unconfirmed(_),
            ) => match self.explore.check(task, run) {
                decided @ (Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_)) => decided,
                Verdict::Unknown(_) => first,
            },
            Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_) | Verdict::Unknown(_) => first,
        }
    }
}
