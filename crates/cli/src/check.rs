//! `heddle check`.

use crate::Outcome;
use crate::args::CheckArgs;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Outcome {
    let _ = args;
    Outcome::Undecided
}
