//! Propositional variables and literals.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

use heddle_base::define_id;

define_id!(
    /// A propositional variable of one SAT solver.
    pub BoolVar, "p"
);

/// A variable or its negation, in the numbering of DIMACS: variable i is `i + 1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal that is true when `var` has this value.
    pub fn new(var: BoolVar, positive: bool) -> Lit {
        let number = heddle_base::Id::index(var) as i32 + 1;
        Lit::from_dimacs(if positive { number } else { -number })
    }

    /// The literal of this number. 0 is no literal and is taken as the first variable.
    pub(crate) fn from_dimacs(number: i32) -> Lit {
        Lit(NonZeroI32::new(number).unwrap_or(NonZeroI32::MIN.saturating_abs()))
    }

    /// The variable.
    pub fn var(self) -> BoolVar {
        heddle_base::Id::new(self.0.get().unsigned_abs() as usize - 1)
    }

    /// Whether it is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// The number in DIMACS files.
    pub fn dimacs(self) -> i32 {
        self.0.get()
    }

    /// A dense index: literals of variable i are `2i` and `2i + 1`.
    pub fn code(self) -> usize {
        (self.0.get().unsigned_abs() as usize - 1) * 2 + usize::from(self.0.get() < 0)
    }

    /// The literal, negated if `negate`.
    pub(crate) fn negate_if(self, negate: bool) -> Lit {
        if negate { !self } else { self }
    }
}

impl PartialOrd for Lit {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Lit {
    /// By variable, the positive literal first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.code().cmp(&other.code())
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "!" }, self.var())
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
