//! Violations as data. The machine's monitors make them.

use heddle_base::Loc;
use heddle_ir::Property;
use serde::{Deserialize, Serialize};

use crate::threads::ThreadId;

/// A violated property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// What is wrong, in one line.
    pub message: String,
    /// The thread that did it; for a deadlock the first of those that wait.
    pub thread: ThreadId,
    /// The function.
    pub function: String,
    /// The place.
    pub loc: Loc,
    /// More, each with its place.
    pub details: Vec<Detail>,
}

/// A line that explains a violation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Detail {
    /// The text.
    pub text: String,
    /// The place it speaks of.
    pub loc: Loc,
}
