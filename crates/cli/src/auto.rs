//! `auto`: what a user gets who names no engine.
//!
//! All interleavings in one formula (`order`) for what that can be asked about; what is left over, because of the
//! property or because of a construct, is explored.

use heddle_engines::Order;
use heddle_exec::{Engine, Explore, Reason, Run, Task, Verdict};
use heddle_ir::PropertySet;

/// The engine.
pub struct Auto {
    /// Asked first.
    pub order: Order,
    /// Asked for the rest.
    pub explore: Explore,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn check(&self, task: &Task<'_>, run: &Run<'_>) -> Verdict {
        let asked: PropertySet = task.properties.iter().filter(|&property| Order::supports(property)).collect();
        let rest: PropertySet = task.properties.iter().filter(|&property| !Order::supports(property)).collect();
        let with = |properties| Task { program: task.program, properties, bounds: task.bounds.clone() };
        if asked.is_empty() {
            return self.explore.check(task, run);
        }
        let first = self.order.check(&with(asked), run);
        let others = match &first {
            Verdict::Safe(_) | Verdict::SafeWithin(_) if rest.is_empty() => return first,
            Verdict::Safe(_) | Verdict::SafeWithin(_) => self.explore.check(&with(rest), run),
            Verdict::Unsafe(_) => return first,
            // What stopped one engine need not stop the other.
            Verdict::Unknown(
                Reason::Unsupported(_) | Reason::Undefined(_) | Reason::Inputs(_) | Reason::Unconfirmed(_),
            ) => {
                return match self.explore.check(task, run) {
                    decided @ (Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_)) => decided,
                    Verdict::Unknown(_) => first,
                };
            }
            Verdict::Unknown(_) => return first,
        };
        match (first, others) {
            (Verdict::Safe(proof), Verdict::Safe(_)) => Verdict::Safe(proof),
            (Verdict::SafeWithin(bounds), Verdict::Safe(_)) | (Verdict::Safe(_), Verdict::SafeWithin(bounds)) => {
                Verdict::SafeWithin(bounds)
            }
            (Verdict::SafeWithin(mut bounds), Verdict::SafeWithin(more)) => {
                bounds.steps = bounds.steps.or(more.steps);
                bounds.spurious = more.spurious;
                Verdict::SafeWithin(bounds)
            }
            (_, others) => others,
        }
    }
}
