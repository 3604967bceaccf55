//! Passes over a program: from what lowering makes to what engines want.
//!
//! Each keeps the program well-formed (checked with debug assertions) and keeps what it computes.

mod copies;
mod havoc;
mod promote;
mod simplify;

pub use copies::split_copies;
pub use havoc::dead_havoc;
pub use promote::promote;
pub use simplify::simplify;

use crate::analysis::Analysis;
use crate::program::Program;
use crate::verify::debug_verify;

/// All passes, in the order that serves them best.
pub fn standard(program: &mut Program) {
    debug_verify(program);
    promote(program);
    simplify(program);
    dead_havoc(program);
    simplify(program);
    // Only where something is copied is it worth knowing what is shared.
    if copies::has_candidates(program) {
        let analysis = Analysis::new(program);
        split_copies(program, &analysis.sharing);
    }
}

#[cfg(test)]
mod tests;
