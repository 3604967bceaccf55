//! Sorts of terms, and what can be wrong with a term's sort.

use std::fmt;

use crate::terms::{Op, TermId};

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// True or false.
    Bool,
    /// Bit vectors of this width, at least 1.
    BitVec(u32),
    /// Total maps from bit vectors to bit vectors.
    Array {
        /// Width of the index.
        index: u32,
        /// Width of the elements.
        value: u32,
    },
    /// IEEE 754 numbers. All NaNs are one value.
    Float(FloatFormat),
}

impl Sort {
    /// The width of a bit vector, or of a float's bit pattern.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            Sort::Float(format) => Some(format.width()),
            Sort::Bool | Sort::Array { .. } => None,
        }
    }

    /// Rejects widths that no value has.
    pub fn check(self) -> Result<Self, SortError> {
        match self {
            Sort::BitVec(0) | Sort::Array { index: 0, .. } | Sort::Array { value: 0, .. } => Err(SortError::ZeroWidth),
            Sort::BitVec(w) if w > MAX_WIDTH => Err(SortError::TooWide(w)),
            Sort::Array { index, value } if index.max(value) > MAX_WIDTH => Err(SortError::TooWide(index.max(value))),
            Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } | Sort::Float(_) => Ok(self),
        }
    }
}

/// The widest bit vector: far beyond any use, small enough that sums of widths do not overflow.
pub const MAX_WIDTH: u32 = 1 << 24;

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(w) => write!(f, "(_ BitVec {w})"),
            Sort::Array { index, value } => write!(f, "(Array (_ BitVec {index}) (_ BitVec {value}))"),
            Sort::Float(format) => write!(f, "(_ FloatingPoint {} {})", format.exponent(), format.precision()),
        }
    }
}

/// The binary interchange formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    /// binary16.
    Half,
    /// binary32: C's `float`.
    Single,
    /// binary64: C's `double`.
    Double,
    /// binary128: `long double` of some ABIs.
    Quad,
}

impl FloatFormat {
    /// All formats.
    pub const ALL: [FloatFormat; 4] = [Self::Half, Self::Single, Self::Double, Self::Quad];

    /// Bits of the exponent.
    pub const fn exponent(self) -> u32 {
        match self {
            FloatFormat::Half => 5,
            FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::Quad => 15,
        }
    }

    /// Bits of the significand, with the hidden one.
    pub const fn precision(self) -> u32 {
        match self {
            FloatFormat::Half => 11,
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::Quad => 113,
        }
    }

    /// Bits of the whole pattern.
    pub const fn width(self) -> u32 {
        self.exponent() + self.precision()
    }

    /// Bits of the significand that are stored.
    pub const fn fraction(self) -> u32 {
        self.precision() - 1
    }

    /// The exponent's bias, which is also the largest exponent.
    pub const fn bias(self) -> u32 {
        (1 << (self.exponent() - 1)) - 1
    }
}

/// How a result that is not representable is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even: the default of C.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards plus infinity.
    Up,
    /// Towards minus infinity.
    Down,
    /// Towards zero: C's conversions to integers.
    Zero,
}

impl Rounding {
    /// All modes.
    pub const ALL: [Rounding; 5] = [Self::NearestEven, Self::NearestAway, Self::Up, Self::Down, Self::Zero];

    /// The SMT-LIB name.
    pub const fn smtlib(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::Zero => "RTZ",
        }
    }
}

/// A term that cannot be: wrong arity, wrong sorts, impossible widths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortError {
    /// A width of 0.
    ZeroWidth,
    /// A width beyond [`MAX_WIDTH`].
    TooWide(u32),
    /// The operator takes another number of arguments.
    Arity {
        /// The operator.
        op: Op,
        /// The number of arguments it was given.
        given: usize,
    },
    /// The operator does not take arguments of these sorts.
    Mismatch {
        /// The operator.
        op: Op,
        /// The sorts it was given.
        given: Vec<Sort>,
    },
    /// A term of another sort was expected.
    Expected {
        /// What was expected.
        expected: &'static str,
        /// The term.
        term: TermId,
        /// Its sort.
        given: Sort,
    },
    /// A variable of this name exists with another sort.
    Redeclared(String),
    /// The operator is a leaf, which has a constructor of its own.
    Leaf(Op),
    /// The term is of another store.
    Unknown(TermId),
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortError::ZeroWidth => write!(f, "a bit vector has at least one bit"),
            SortError::TooWide(w) => write!(f, "a bit vector of {w} bits is too wide"),
            SortError::Arity { op, given } => write!(f, "{op:?} does not take {given} arguments"),
            SortError::Mismatch { op, given } => {
                write!(f, "{op:?} does not take")?;
                given.iter().try_for_each(|s| write!(f, " {s}"))
            }
            SortError::Expected { expected, term, given } => write!(f, "{term} is a {given}, not {expected}"),
            SortError::Redeclared(name) => write!(f, "variable {name} has another sort"),
            SortError::Leaf(op) => write!(f, "{op:?} is not an operator"),
            SortError::Unknown(term) => write!(f, "{term} is not a term of this store"),
        }
    }
}

impl std::error::Error for SortError {}
