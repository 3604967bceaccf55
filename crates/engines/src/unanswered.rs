//! Why a question to a solver has no answer.

use heddle_base::Stop;
use heddle_task::Reason;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(crate) enum Unanswered {
    /// A limit was reached.
    Stopped(Stop),
    /// A query could not be written, or another solver failed or does not know.
    Solver(String),
}

impl From<Stop> for Unanswered {
    fn from(stop: Stop) -> Self {
        Unanswered::Stopped(stop)
    }
}

impl From<Unanswered> for Reason {
    fn from(why: Unanswered) -> Self {
        match why {
            Unanswered::Stopped(stop) => stop.into(),
            Unanswered::Solver(why) => Reason::Solver(why),
        }
    }
}
