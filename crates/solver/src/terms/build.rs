//! Named constructors, one an operator of SMT-LIB or C.
//!
//! Each panics, naming the [`SortError`](crate::SortError), if the sorts do not fit; [`Terms::apply`] returns it.

use super::{FloatClass, Op, TermId, Terms};
use crate::bits::Bits;
use crate::sort::{FloatFormat, Rounding, Sort};

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&mut self, a: TermId) -> TermId {
            self.make(Op::$op, &[a])
        }
    )*};
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
            self.make(Op::$op, &[a, b])
        }
    )*};
}

macro_rules! rounded {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) => $op:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&mut self, mode: Rounding, $($arg: TermId),*) -> TermId {
            self.make(Op::$op(mode), &[$($arg),*])
        }
    )*};
}

/// Leaves and Boolean structure.
impl Terms {
    /// A variable of sort Bool.
    #[track_caller]
    pub fn bool_var(&mut self, name: &str) -> TermId {
        self.variable(name, Sort::Bool).unwrap_or_else(|e| panic!("{e}"))
    }

    /// A bit-vector variable.
    #[track_caller]
    pub fn bv_var(&mut self, name: &str, width: u32) -> TermId {
        self.variable(name, Sort::BitVec(width)).unwrap_or_else(|e| panic!("{e}"))
    }

    /// An array variable.
    #[track_caller]
    pub fn array_var(&mut self, name: &str, index: u32, value: u32) -> TermId {
        self.variable(name, Sort::Array { index, value }).unwrap_or_else(|e| panic!("{e}"))
    }

    /// A float variable.
    #[track_caller]
    pub fn fp_var(&mut self, name: &str, format: FloatFormat) -> TermId {
        self.variable(name, Sort::Float(format)).unwrap_or_else(|e| panic!("{e}"))
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The bit-vector constant `value` modulo 2^`width`.
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        if !(1..=64).contains(&width) {
            return self.constant(Bits::new(width, value));
        }
        let value = value & (u64::MAX >> (64 - width));
        if let Some(&known) = self.words.get(&(width, value)) {
            return known;
        }
        let term = self.constant(Bits::new(width, value));
        self.words.insert((width, value), term);
        term
    }

    /// The bit-vector constant of a signed number.
    pub fn bv_signed(&mut self, width: u32, value: i64) -> TermId {
        self.constant(Bits::from_i64(width, value))
    }

    /// The float constant with these bits.
    #[track_caller]
    pub fn fp(&mut self, format: FloatFormat, bits: Bits) -> TermId {
        let bits = self.constant(bits);
        self.make(Op::FpFromBits(format), &[bits])
    }

    /// Conjunction of any number of terms.
    #[track_caller]
    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        let mut rest = terms.iter().filter(|&&term| term != Self::TRUE);
        match (rest.next(), rest.next()) {
            (None, _) => Self::TRUE,
            // Only if it is a Boolean: what is wrong must be said.
            (Some(&one), None) if self.contains(one) && self.sort(one) == Sort::Bool => one,
            _ => self.make(Op::And, terms),
        }
    }

    /// Disjunction of any number of terms.
    #[track_caller]
    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        let mut rest = terms.iter().filter(|&&term| term != Self::FALSE);
        match (rest.next(), rest.next()) {
            (None, _) => return Self::FALSE,
            (Some(&one), None) if self.contains(one) && self.sort(one) == Sort::Bool => return one,
            _ => {}
        }
        let negated: Vec<TermId> = terms.iter().map(|&t| self.not(t)).collect();
        let none = self.and_all(&negated);
        self.not(none)
    }

    /// Disjunction.
    #[track_caller]
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.or_all(&[a, b])
    }

    /// Implication.
    #[track_caller]
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let counter = self.not(b);
        let broken = self.and(a, counter);
        self.not(broken)
    }

    /// Exclusive or of Booleans.
    #[track_caller]
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Disequality.
    #[track_caller]
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        self.xor(a, b)
    }

    /// `if c then a else b`.
    #[track_caller]
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.make(Op::Ite, &[c, a, b])
    }

    unary! {
        /// Negation of a Boolean.
        not => Not;
    }

    binary! {
        /// Conjunction.
        and => And;
        /// Equality.
        eq => Eq;
    }
}

/// Bit vectors.
impl Terms {
    unary! {
        /// Bitwise complement.
        bv_not => BvNot;
        /// Two's complement.
        neg => BvNeg;
    }

    binary! {
        /// Bitwise and.
        bv_and => BvAnd;
        /// Bitwise or.
        bv_or => BvOr;
        /// Bitwise exclusive or.
        bv_xor => BvXor;
        /// Sum.
        add => BvAdd;
        /// Product.
        mul => BvMul;
        /// Unsigned quotient.
        udiv => BvUdiv;
        /// Unsigned remainder.
        urem => BvUrem;
        /// Signed quotient.
        sdiv => BvSdiv;
        /// Signed remainder.
        srem => BvSrem;
        /// Shift left.
        shl => BvShl;
        /// Shift right with zeros.
        lshr => BvLshr;
        /// Shift right with the sign.
        ashr => BvAshr;
        /// Unsigned less-than.
        ult => BvUlt;
        /// Signed less-than.
        slt => BvSlt;
        /// The first above the second.
        concat => Concat;
    }

    /// Difference.
    #[track_caller]
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// Unsigned less-or-equal.
    #[track_caller]
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less-or-equal.
    #[track_caller]
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Bits `lo..=hi`.
    #[track_caller]
    pub fn extract(&mut self, hi: u32, lo: u32, a: TermId) -> TermId {
        self.make(Op::Extract { hi, lo }, &[a])
    }

    /// One bit, as a Boolean.
    #[track_caller]
    pub fn bit(&mut self, a: TermId, i: u32) -> TermId {
        let bit = self.extract(i, i, a);
        let one = self.bv(1, 1);
        self.eq(bit, one)
    }

    /// `by` zeros above.
    #[track_caller]
    pub fn zero_ext(&mut self, a: TermId, by: u32) -> TermId {
        if by == 0 {
            return a;
        }
        let zeros = self.constant(Bits::zero(by));
        self.concat(zeros, a)
    }

    /// `by` copies of the sign above.
    #[track_caller]
    pub fn sign_ext(&mut self, a: TermId, by: u32) -> TermId {
        self.make(Op::SignExt(by), &[a])
    }

    /// A Boolean as one bit.
    #[track_caller]
    pub fn bool_to_bv(&mut self, a: TermId) -> TermId {
        let (one, zero) = (self.bv(1, 1), self.bv(1, 0));
        self.ite(a, one, zero)
    }
}

/// Arrays.
impl Terms {
    binary! {
        /// The element at an index.
        select => Select;
    }

    /// The array with one element changed.
    #[track_caller]
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.make(Op::Store, &[array, index, value])
    }

    /// The array whose elements are all `value`.
    #[track_caller]
    pub fn const_array(&mut self, index: u32, value: TermId) -> TermId {
        self.make(Op::ConstArray(index), &[value])
    }
}

/// Floats.
impl Terms {
    unary! {
        /// The bit pattern.
        fp_to_bits => FpToBits;
        /// Absolute value.
        fp_abs => FpAbs;
        /// Sign flipped.
        fp_neg => FpNeg;
    }

    binary! {
        /// IEEE remainder.
        fp_rem => FpRem;
        /// The lesser.
        fp_min => FpMin;
        /// The greater.
        fp_max => FpMax;
        /// IEEE less-than.
        fp_lt => FpLt;
        /// IEEE less-or-equal.
        fp_le => FpLe;
        /// IEEE equality.
        fp_eq => FpEq;
    }

    rounded! {
        /// Sum.
        fp_add(a, b) => FpAdd;
        /// Product.
        fp_mul(a, b) => FpMul;
        /// Quotient.
        fp_div(a, b) => FpDiv;
        /// `a * b + c`, rounded once.
        fp_fma(a, b, c) => FpFma;
        /// Square root.
        fp_sqrt(a) => FpSqrt;
        /// Rounded to an integral value.
        fp_round(a) => FpRound;
    }

    /// The float with this bit pattern.
    #[track_caller]
    pub fn fp_from_bits(&mut self, format: FloatFormat, bits: TermId) -> TermId {
        self.make(Op::FpFromBits(format), &[bits])
    }

    /// Difference.
    #[track_caller]
    pub fn fp_sub(&mut self, mode: Rounding, a: TermId, b: TermId) -> TermId {
        let minus = self.fp_neg(b);
        self.fp_add(mode, a, minus)
    }

    /// Membership in a class.
    #[track_caller]
    pub fn fp_is(&mut self, class: FloatClass, a: TermId) -> TermId {
        self.make(Op::FpIs(class), &[a])
    }

    /// Conversion between formats.
    #[track_caller]
    pub fn fp_from_fp(&mut self, format: FloatFormat, mode: Rounding, a: TermId) -> TermId {
        self.make(Op::FpFromFp(format, mode), &[a])
    }

    /// Conversion from a signed integer.
    #[track_caller]
    pub fn fp_from_signed(&mut self, format: FloatFormat, mode: Rounding, a: TermId) -> TermId {
        self.make(Op::FpFromSigned(format, mode), &[a])
    }

    /// Conversion from an unsigned integer.
    #[track_caller]
    pub fn fp_from_unsigned(&mut self, format: FloatFormat, mode: Rounding, a: TermId) -> TermId {
        self.make(Op::FpFromUnsigned(format, mode), &[a])
    }

    /// Conversion to a signed integer; C's cast rounds towards zero.
    #[track_caller]
    pub fn fp_to_signed(&mut self, width: u32, mode: Rounding, a: TermId) -> TermId {
        self.make(Op::FpToSigned(width, mode), &[a])
    }

    /// Conversion to an unsigned integer; C's cast rounds towards zero.
    #[track_caller]
    pub fn fp_to_unsigned(&mut self, width: u32, mode: Rounding, a: TermId) -> TermId {
        self.make(Op::FpToUnsigned(width, mode), &[a])
    }
}
