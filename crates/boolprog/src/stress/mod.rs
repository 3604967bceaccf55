//! Random programs and program families; what must agree on each of them.

pub mod families;
pub mod generate;
pub mod oracle;
