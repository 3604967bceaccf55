//! Random small instances, against brute force over all lines and all assignments.
//!
//! Used by the unit tests with small counts and by the example `stress` with large ones. Each check returns what went
//! wrong as text that names its seed.

mod brute;
mod instance;
mod methods;

pub use self::brute::{Assignments, Brute};
pub use self::instance::{Instance, Rng};
pub use self::methods::{check_agreement, check_clock, check_order, check_refine};
