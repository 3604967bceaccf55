//! The operators, and which sorts they take.
//!
//! There are few, so that every pass over terms stays short: subtraction, disjunction, zero extension, the other
//! comparisons and most overflow predicates are built from these (`terms::build`, `terms::derived`).

use heddle_base::define_id;

use crate::sort::{FloatFormat, MAX_WIDTH, Rounding, Sort, SortError};

define_id!(
    /// A variable of a [`Terms`](crate::Terms).
    pub VarId, "v"
);
define_id!(
    /// A constant of a [`Terms`](crate::Terms).
    pub ConstId, "k"
);

/// What a term applies to its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// True or false.
    Bool(bool),
    /// A bit vector or a float, by its pattern.
    Const(ConstId),
    /// A variable of any sort.
    Var(VarId),

    /// Negation.
    Not,
    /// Conjunction of any number of arguments.
    And,
    /// Equality of two terms of one sort.
    Eq,
    /// `if c then a else b`, of any sort.
    Ite,

    /// Bitwise complement.
    BvNot,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Two's complement.
    BvNeg,
    /// Sum, wrapping around.
    BvAdd,
    /// Product, wrapping around.
    BvMul,
    /// Unsigned quotient; all ones if the divisor is zero.
    BvUdiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    BvUrem,
    /// Signed quotient, towards zero.
    BvSdiv,
    /// Signed remainder, with the sign of the dividend.
    BvSrem,
    /// Shift left; zero once the amount reaches the width.
    BvShl,
    /// Shift right with zeros.
    BvLshr,
    /// Shift right with the sign.
    BvAshr,
    /// Unsigned less-than.
    BvUlt,
    /// Signed less-than.
    BvSlt,
    /// The unsigned product does not fit.
    BvUmulO,
    /// The signed product does not fit.
    BvSmulO,
    /// The first argument above the second.
    Concat,
    /// Bits `lo..=hi`.
    Extract {
        /// Highest bit.
        hi: u32,
        /// Lowest bit.
        lo: u32,
    },
    /// This many copies of the sign above.
    SignExt(u32),

    /// The element at an index.
    Select,
    /// The array with one element changed.
    Store,
    /// The array of this index width whose elements are all the argument.
    ConstArray(u32),

    /// The float with this bit pattern.
    FpFromBits(FloatFormat),
    /// The bit pattern; that of a NaN is always the positive quiet one.
    FpToBits,
    /// Absolute value.
    FpAbs,
    /// Sign flipped.
    FpNeg,
    /// Sum.
    FpAdd(Rounding),
    /// Product.
    FpMul(Rounding),
    /// Quotient.
    FpDiv(Rounding),
    /// `a * b + c`, rounded once.
    FpFma(Rounding),
    /// Square root.
    FpSqrt(Rounding),
    /// IEEE remainder: `a - b*n` with n nearest to `a/b`.
    FpRem,
    /// Rounded to an integral value.
    FpRound(Rounding),
    /// The lesser; the other one if one is a NaN; -0 is less than +0.
    FpMin,
    /// The greater; the other one if one is a NaN; +0 is greater than -0.
    FpMax,
    /// IEEE less-than.
    FpLt,
    /// IEEE less-or-equal.
    FpLe,
    /// IEEE equality: NaN differs from itself, +0 equals -0.
    FpEq,
    /// Membership in a class.
    FpIs(FloatClass),
    /// Conversion between formats.
    FpFromFp(FloatFormat, Rounding),
    /// Conversion from a signed integer.
    FpFromSigned(FloatFormat, Rounding),
    /// Conversion from an unsigned integer.
    FpFromUnsigned(FloatFormat, Rounding),
    /// Conversion to a signed integer of this width: out of range gives the nearest bound, NaN gives 0.
    FpToSigned(u32, Rounding),
    /// Conversion to an unsigned integer of this width: out of range gives the nearest bound, NaN gives 0.
    FpToUnsigned(u32, Rounding),
}

/// Patterns for all operators of one kind, so that a match need not end in a wildcard: a new operator fits none of
/// them, and every match that is to think about it says so.
macro_rules! leaf_op {
    () => {
        $crate::terms::Op::Bool(_) | $crate::terms::Op::Const(_) | $crate::terms::Op::Var(_)
    };
}

/// See [`leaf_op`]: operators that every sort has, or that are of Booleans alone.
macro_rules! core_op {
    () => {
        $crate::terms::Op::Not | $crate::terms::Op::And | $crate::terms::Op::Eq | $crate::terms::Op::Ite
    };
}

/// See [`leaf_op`]: operators from bit vectors to bit vectors.
macro_rules! bits_op {
    () => {
        $crate::terms::Op::BvNot
            | $crate::terms::Op::BvAnd
            | $crate::terms::Op::BvOr
            | $crate::terms::Op::BvXor
            | $crate::terms::Op::BvNeg
            | $crate::terms::Op::BvAdd
            | $crate::terms::Op::BvMul
            | $crate::terms::Op::BvUdiv
            | $crate::terms::Op::BvUrem
            | $crate::terms::Op::BvSdiv
            | $crate::terms::Op::BvSrem
            | $crate::terms::Op::BvShl
            | $crate::terms::Op::BvLshr
            | $crate::terms::Op::BvAshr
            | $crate::terms::Op::Concat
            | $crate::terms::Op::Extract { .. }
            | $crate::terms::Op::SignExt(_)
    };
}

/// See [`leaf_op`]: predicates of bit vectors.
macro_rules! bits_predicate {
    () => {
        $crate::terms::Op::BvUlt | $crate::terms::Op::BvSlt | $crate::terms::Op::BvUmulO | $crate::terms::Op::BvSmulO
    };
}

/// See [`leaf_op`]: operators of arrays.
macro_rules! array_op {
    () => {
        $crate::terms::Op::Select | $crate::terms::Op::Store | $crate::terms::Op::ConstArray(_)
    };
}

/// See [`leaf_op`]: operators from bit vectors to floats.
macro_rules! to_float_op {
    () => {
        $crate::terms::Op::FpFromBits(_) | $crate::terms::Op::FpFromSigned(..) | $crate::terms::Op::FpFromUnsigned(..)
    };
}

/// See [`leaf_op`]: operators whose arguments are floats.
macro_rules! float_op {
    () => {
        $crate::terms::Op::FpToBits
            | $crate::terms::Op::FpAbs
            | $crate::terms::Op::FpNeg
            | $crate::terms::Op::FpAdd(_)
            | $crate::terms::Op::FpMul(_)
            | $crate::terms::Op::FpDiv(_)
            | $crate::terms::Op::FpFma(_)
            | $crate::terms::Op::FpSqrt(_)
            | $crate::terms::Op::FpRem
            | $crate::terms::Op::FpRound(_)
            | $crate::terms::Op::FpMin
            | $crate::terms::Op::FpMax
            | $crate::terms::Op::FpLt
            | $crate::terms::Op::FpLe
            | $crate::terms::Op::FpEq
            | $crate::terms::Op::FpIs(_)
            | $crate::terms::Op::FpFromFp(..)
            | $crate::terms::Op::FpToSigned(..)
            | $crate::terms::Op::FpToUnsigned(..)
    };
}

pub(crate) use {array_op, bits_op, bits_predicate, core_op, float_op, leaf_op, to_float_op};

/// Classes of floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// Plus or minus infinity.
    Infinite,
    /// Plus or minus zero.
    Zero,
    /// Normal numbers.
    Normal,
    /// Subnormal numbers.
    Subnormal,
    /// With the sign set; no NaN.
    Negative,
    /// With the sign clear; no NaN.
    Positive,
}

impl FloatClass {
    /// All classes.
    pub const ALL: [FloatClass; 7] =
        [Self::Nan, Self::Infinite, Self::Zero, Self::Normal, Self::Subnormal, Self::Negative, Self::Positive];
}

impl Op {
    /// The sort of this operator applied to arguments of these sorts.
    pub fn result_sort(self, args: &[Sort]) -> Result<Sort, SortError> {
        let arity = self.arity();
        if arity.is_some_and(|n| n != args.len()) {
            return Err(SortError::Arity { op: self, given: args.len() });
        }
        if matches!(self, Op::Bool(_) | Op::Const(_) | Op::Var(_)) {
            return Err(SortError::Leaf(self));
        }
        self.sort_of(args)?.ok_or_else(|| SortError::Mismatch { op: self, given: args.to_vec() })?.check()
    }

    /// Number of arguments; `None` if any.
    pub fn arity(self) -> Option<usize> {
        Some(match self {
            Op::And => return None,
            Op::Bool(_) | Op::Const(_) | Op::Var(_) => 0,
            Op::Not | Op::BvNot | Op::BvNeg | Op::Extract { .. } | Op::SignExt(_) | Op::ConstArray(_) => 1,
            Op::FpFromBits(_) | Op::FpToBits | Op::FpAbs | Op::FpNeg | Op::FpSqrt(_) | Op::FpRound(_) => 1,
            Op::FpIs(_) | Op::FpFromFp(..) | Op::FpFromSigned(..) | Op::FpFromUnsigned(..) => 1,
            Op::FpToSigned(..) | Op::FpToUnsigned(..) => 1,
            Op::Eq | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul | Op::BvUdiv | Op::BvUrem => 2,
            Op::BvSdiv | Op::BvSrem | Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvUlt | Op::BvSlt => 2,
            Op::BvUmulO | Op::BvSmulO | Op::Concat | Op::Select => 2,
            Op::FpAdd(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpRem | Op::FpMin | Op::FpMax => 2,
            Op::FpLt | Op::FpLe | Op::FpEq => 2,
            Op::Ite | Op::Store | Op::FpFma(_) => 3,
        })
    }

    /// The same operator with another rounding mode, if it has one.
    #[must_use]
    pub fn with_rounding(self, mode: Rounding) -> Op {
        match self {
            Op::FpAdd(_) => Op::FpAdd(mode),
            Op::FpMul(_) => Op::FpMul(mode),
            Op::FpDiv(_) => Op::FpDiv(mode),
            Op::FpFma(_) => Op::FpFma(mode),
            Op::FpSqrt(_) => Op::FpSqrt(mode),
            Op::FpRound(_) => Op::FpRound(mode),
            Op::FpFromFp(format, _) => Op::FpFromFp(format, mode),
            Op::FpFromSigned(format, _) => Op::FpFromSigned(format, mode),
            Op::FpFromUnsigned(format, _) => Op::FpFromUnsigned(format, mode),
            Op::FpToSigned(width, _) => Op::FpToSigned(width, mode),
            Op::FpToUnsigned(width, _) => Op::FpToUnsigned(width, mode),
            leaf_op!() | core_op!() | bits_op!() | bits_predicate!() | array_op!() => self,
            Op::FpFromBits(_) | Op::FpToBits | Op::FpAbs | Op::FpNeg | Op::FpRem | Op::FpMin | Op::FpMax => self,
            Op::FpLt | Op::FpLe | Op::FpEq | Op::FpIs(_) => self,
        }
    }

    /// Whether the order of two arguments does not matter.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::Eq
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUmulO
                | Op::BvSmulO
                | Op::FpAdd(_)
                | Op::FpMul(_)
                | Op::FpEq
        )
    }

    /// `Ok(None)` for sorts that do not fit; the arity is right.
    fn sort_of(self, args: &[Sort]) -> Result<Option<Sort>, SortError> {
        use Sort::{Array, BitVec, Bool, Float};
        let first = args.first().copied();
        let sort = match (self, args) {
            (Op::Not, [Bool]) => Some(Bool),
            (Op::And, _) if args.iter().all(|&s| s == Bool) => Some(Bool),
            (Op::Eq, [a, b]) => (a == b).then_some(Bool),
            (Op::Ite, [Bool, a, b]) => (a == b).then_some(*a),
            (Op::BvNot | Op::BvNeg, [BitVec(_)]) => first,
            (
                Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                [BitVec(a), BitVec(b)],
            ) => (a == b).then_some(BitVec(*a)),
            (Op::BvUlt | Op::BvSlt | Op::BvUmulO | Op::BvSmulO, [BitVec(a), BitVec(b)]) => (a == b).then_some(Bool),
            (Op::Concat, [BitVec(a), BitVec(b)]) => Some(BitVec(a + b)),
            (Op::Extract { hi, lo }, [BitVec(w)]) => (lo <= hi && hi < *w).then(|| BitVec(hi - lo + 1)),
            (Op::SignExt(by), [BitVec(w)]) => Some(BitVec(w + checked_width(by)?)),
            (Op::Select, [Array { index, value }, BitVec(i)]) => (i == index).then_some(BitVec(*value)),
            (Op::Store, [Array { index, value }, BitVec(i), BitVec(v)]) => {
                (i == index && v == value).then_some(args[0])
            }
            (Op::ConstArray(index), [BitVec(value)]) => Some(Array { index, value: *value }),
            (Op::FpFromBits(format), [BitVec(w)]) => (*w == format.width()).then_some(Float(format)),
            (Op::FpToBits, [Float(format)]) => Some(BitVec(format.width())),
            (Op::FpAbs | Op::FpNeg | Op::FpSqrt(_) | Op::FpRound(_), [Float(_)]) => first,
            (Op::FpAdd(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpRem | Op::FpMin | Op::FpMax, [Float(a), Float(b)]) => {
                (a == b).then_some(args[0])
            }
            (Op::FpFma(_), [Float(a), Float(b), Float(c)]) => (a == b && b == c).then_some(args[0]),
            (Op::FpLt | Op::FpLe | Op::FpEq, [Float(a), Float(b)]) => (a == b).then_some(Bool),
            (Op::FpIs(_), [Float(_)]) => Some(Bool),
            (Op::FpFromFp(format, _), [Float(_)]) => Some(Float(format)),
            (Op::FpFromSigned(format, _) | Op::FpFromUnsigned(format, _), [BitVec(_)]) => Some(Float(format)),
            (Op::FpToSigned(w, _) | Op::FpToUnsigned(w, _), [Float(_)]) => Some(BitVec(w)),
            (
                leaf_op!() | core_op!() | bits_op!() | bits_predicate!() | array_op!() | to_float_op!() | float_op!(),
                _,
            ) => None,
        };
        Ok(sort)
    }
}

fn checked_width(width: u32) -> Result<u32, SortError> {
    if width > MAX_WIDTH { Err(SortError::TooWide(width)) } else { Ok(width) }
}
