//! What a witness of a verification competition says, whichever format and tool it came from.

/// A witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What it claims.
    pub claim: Claim,
    /// The program's files and their SHA-256 in hexadecimal; the names may be empty.
    pub hashes: Vec<(String, String)>,
    /// The property, as in a property file.
    pub specification: String,
    /// Whether pointers have 32 bits, if it says so.
    pub ilp32: Option<bool>,
}

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// An execution that passes these points, in order, violates the property.
    Violation(Vec<Waypoint>),
    /// These invariants hold, and help to prove the property.
    Correctness(Vec<Invariant>),
}

/// A point of an execution. What is not said is open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waypoint {
    /// The thread, by the witness's own name for it.
    pub thread: Option<String>,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// What happens there.
    pub event: WaypointEvent,
}

/// What happens at a waypoint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WaypointEvent {
    /// The place is passed.
    #[default]
    Pass,
    /// A thread starts, with its name if it has one.
    Create(Option<String>),
    /// A call of a function without a body returns this value.
    Result(i128),
    /// The violation.
    Target,
}

/// An invariant that is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Where it is to hold.
    pub at: InvariantPlace,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, if it is said.
    pub column: Option<u32>,
    /// A C expression.
    pub expression: String,
}

/// When an invariant is to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantPlace {
    /// Whenever the statement is about to be executed.
    Location,
    /// Whenever the loop's condition is about to be evaluated.
    Loop,
}
