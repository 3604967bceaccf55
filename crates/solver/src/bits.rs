//! Bit-vector values of any width.
//!
//! A [`Bits`] is a width and that many bits, least significant limb first; bits beyond the width are zero, so that
//! equality and hashing are plain. Arithmetic wraps around, as C's unsigned integers do; division by zero follows
//! SMT-LIB (all ones, and the dividend as remainder), because the solver's circuits must agree with it.

use std::cmp::Ordering;
use std::fmt;

use smallvec::{SmallVec, smallvec};

use crate::sort::SortError;

/// A value of sort `BitVec(width)`.
///
/// Every constructor that takes a width panics if it is 0, as no sort has such values;
/// [`Sort::check`](crate::Sort::check) tells beforehand.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    limbs: SmallVec<[u64; 2]>,
}

impl Bits {
    /// `value` modulo 2^`width`.
    #[track_caller]
    pub fn new(width: u32, value: u64) -> Self {
        Self::from_limbs(width, smallvec![value])
    }

    /// `value` modulo 2^`width`.
    #[track_caller]
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::from_limbs(width, smallvec![value as u64, (value >> 64) as u64])
    }

    /// `value`, sign-extended or cut to `width`.
    #[track_caller]
    pub fn from_i64(width: u32, value: i64) -> Self {
        let fill = if value < 0 { u64::MAX } else { 0 };
        let mut limbs: SmallVec<[u64; 2]> = smallvec![fill; limbs_for(width)];
        limbs[0] = value as u64;
        Self::from_limbs(width, limbs)
    }

    /// All bits zero.
    #[track_caller]
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// The value 1.
    #[track_caller]
    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    /// All bits one.
    #[track_caller]
    pub fn ones(width: u32) -> Self {
        Self::zero(width).not()
    }

    /// Only the highest bit set: the least signed value.
    #[track_caller]
    pub fn min_signed(width: u32) -> Self {
        let mut value = Self::zero(width);
        value.set_bit(value.width - 1, true);
        value
    }

    /// From bits, least significant first; `None` if there are none.
    pub fn from_bits(bits: impl ExactSizeIterator<Item = bool>) -> Option<Self> {
        let width = u32::try_from(bits.len()).ok().filter(|&w| w > 0)?;
        let mut value = Self::zero(width);
        for (i, bit) in bits.enumerate() {
            value.set_bit(i as u32, bit);
        }
        Some(value)
    }

    #[track_caller]
    fn from_limbs(width: u32, mut limbs: SmallVec<[u64; 2]>) -> Self {
        assert!(width > 0, "{}", SortError::ZeroWidth);
        limbs.resize(limbs_for(width), 0);
        if !width.is_multiple_of(64) {
            let last = limbs.len() - 1;
            limbs[last] &= u64::MAX >> (64 - width % 64);
        }
        Bits { width, limbs }
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bit `i`, counted from the least significant; false beyond the width.
    pub fn bit(&self, i: u32) -> bool {
        i < self.width && self.limbs[(i / 64) as usize] >> (i % 64) & 1 == 1
    }

    fn set_bit(&mut self, i: u32, value: bool) {
        let mask = 1 << (i % 64);
        let limb = &mut self.limbs[(i / 64) as usize];
        *limb = if value { *limb | mask } else { *limb & !mask };
    }

    /// The bits, least significant first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = bool> + ExactSizeIterator + '_ {
        (0..self.width).map(|i| self.bit(i))
    }

    /// As an unsigned number, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.limbs[1..].iter().all(|&l| l == 0).then(|| self.limbs[0])
    }

    /// As an unsigned number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        let high = self.limbs.get(1).copied().unwrap_or(0);
        self.limbs.iter().skip(2).all(|&l| l == 0).then(|| u128::from(high) << 64 | u128::from(self.limbs[0]))
    }

    /// As a signed number, if the width is at most 64.
    pub fn to_i64(&self) -> Option<i64> {
        (self.width <= 64).then(|| (self.limbs[0] << (64 - self.width)) as i64 >> (64 - self.width))
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&l| l == 0)
    }

    /// Whether the value is 1.
    pub fn is_one(&self) -> bool {
        self.limbs[0] == 1 && self.limbs[1..].iter().all(|&l| l == 0)
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width
    }

    /// The highest bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Number of bits that are one.
    pub fn count_ones(&self) -> u32 {
        self.limbs.iter().map(|l| l.count_ones()).sum()
    }

    /// `Some(k)` if the value is 2^k.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// Number of zero bits below the lowest one; the width if there is none.
    pub fn trailing_zeros(&self) -> u32 {
        (0..self.width).find(|&i| self.bit(i)).unwrap_or(self.width)
    }

    /// Position of the highest one, plus one; 0 if there is none.
    pub fn bit_length(&self) -> u32 {
        let top = self.limbs.iter().rposition(|&l| l != 0);
        top.map_or(0, |i| i as u32 * 64 + 64 - self.limbs[i].leading_zeros())
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.width, other.width);
        Self::from_limbs(self.width, self.limbs.iter().zip(&other.limbs).map(|(&a, &b)| f(a, b)).collect())
    }

    /// Bitwise complement.
    pub fn not(&self) -> Self {
        Self::from_limbs(self.width, self.limbs.iter().map(|l| !l).collect())
    }

    /// Bitwise and.
    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// Sum, wrapping around.
    pub fn add(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        let mut carry = false;
        let limbs = self.limbs.iter().zip(&other.limbs).map(|(&a, &b)| {
            let (s, c1) = a.overflowing_add(b);
            let (s, c2) = s.overflowing_add(u64::from(carry));
            carry = c1 | c2;
            s
        });
        let limbs = limbs.collect();
        Self::from_limbs(self.width, limbs)
    }

    /// Two's complement.
    pub fn neg(&self) -> Self {
        self.not().add(&Self::one(self.width))
    }

    /// Difference, wrapping around.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// Product, wrapping around.
    pub fn mul(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        let n = self.limbs.len();
        let mut limbs: SmallVec<[u64; 2]> = smallvec![0; n];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for j in 0..n - i {
                let t = u128::from(a) * u128::from(other.limbs[j]) + u128::from(limbs[i + j]) + carry;
                limbs[i + j] = t as u64;
                carry = t >> 64;
            }
        }
        Self::from_limbs(self.width, limbs)
    }

    /// Unsigned quotient and remainder; by zero: all ones and the dividend.
    pub fn udiv_urem(&self, divisor: &Self) -> (Self, Self) {
        debug_assert_eq!(self.width, divisor.width);
        if divisor.is_zero() {
            return (Self::ones(self.width), self.clone());
        }
        if let (Some(a), Some(b)) = (self.to_u128(), divisor.to_u128()) {
            return (Self::from_u128(self.width, a / b), Self::from_u128(self.width, a % b));
        }
        let (mut quotient, mut rest) = (Self::zero(self.width), Self::zero(self.width));
        for i in (0..self.width).rev() {
            // The bit that a shift would lose decides as well: the rest is then certainly large enough.
            let lost = rest.is_negative();
            rest = rest.shl_by(1);
            rest.set_bit(0, self.bit(i));
            if lost || !rest.ult(divisor) {
                rest = rest.sub(divisor);
                quotient.set_bit(i, true);
            }
        }
        (quotient, rest)
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&self, divisor: &Self) -> Self {
        let quotient = self.abs().udiv_urem(&divisor.abs()).0;
        if self.is_negative() == divisor.is_negative() { quotient } else { quotient.neg() }
    }

    /// Signed remainder with the sign of the dividend.
    pub fn srem(&self, divisor: &Self) -> Self {
        let rest = self.abs().udiv_urem(&divisor.abs()).1;
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// The absolute value; the least value stays as it is.
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    fn shift_amount(&self, by: &Self) -> u32 {
        by.to_u64().map_or(self.width, |n| n.min(u64::from(self.width)) as u32)
    }

    /// Shifted left; zero once the amount reaches the width.
    pub fn shl(&self, by: &Self) -> Self {
        self.shl_by(self.shift_amount(by))
    }

    /// Shifted right with zeros.
    pub fn lshr(&self, by: &Self) -> Self {
        self.lshr_by(self.shift_amount(by))
    }

    /// Shifted right with copies of the sign.
    pub fn ashr(&self, by: &Self) -> Self {
        let n = self.shift_amount(by);
        if self.is_negative() { self.not().lshr_by(n).not() } else { self.lshr_by(n) }
    }

    /// Shifted left by a number.
    pub fn shl_by(&self, n: u32) -> Self {
        let (limbs, bits) = ((n / 64) as usize, n % 64);
        let get = |i: usize| i.checked_sub(limbs).and_then(|j| self.limbs.get(j)).copied().unwrap_or(0);
        let shifted = (0..self.limbs.len()).map(|i| match bits {
            0 => get(i),
            _ => get(i) << bits | i.checked_sub(1).map_or(0, get) >> (64 - bits),
        });
        Self::from_limbs(self.width, shifted.collect())
    }

    /// Shifted right with zeros by a number.
    pub fn lshr_by(&self, n: u32) -> Self {
        let (limbs, bits) = ((n / 64) as usize, n % 64);
        let get = |i: usize| self.limbs.get(i + limbs).copied().unwrap_or(0);
        let shifted = (0..self.limbs.len()).map(|i| match bits {
            0 => get(i),
            _ => get(i) >> bits | get(i + 1) << (64 - bits),
        });
        Self::from_limbs(self.width, shifted.collect())
    }

    /// Unsigned comparison.
    pub fn ucmp(&self, other: &Self) -> Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }

    /// Unsigned less-than.
    pub fn ult(&self, other: &Self) -> bool {
        self.ucmp(other).is_lt()
    }

    /// Signed less-than.
    pub fn slt(&self, other: &Self) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => self.ult(other),
        }
    }

    /// Zero-extended or cut to `width`.
    pub fn resize(&self, width: u32) -> Self {
        Self::from_limbs(width, self.limbs.clone())
    }

    /// Sign-extended to `width`, or cut.
    pub fn sign_extend(&self, width: u32) -> Self {
        if self.is_negative() && width > self.width {
            self.resize(width).or(&Self::ones(width).shl_by(self.width))
        } else {
            self.resize(width)
        }
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        self.resize(width).shl_by(low.width).or(&low.resize(width))
    }

    /// Bits `lo..=hi`.
    pub fn extract(&self, hi: u32, lo: u32) -> Self {
        self.lshr_by(lo).resize(hi - lo + 1)
    }

    /// Whether the unsigned product does not fit.
    pub fn umul_overflows(&self, other: &Self) -> bool {
        let wide = self.width * 2;
        self.resize(wide).mul(&other.resize(wide)).bit_length() > self.width
    }

    /// Whether the signed product does not fit.
    pub fn smul_overflows(&self, other: &Self) -> bool {
        let wide = self.width * 2;
        let product = self.sign_extend(wide).mul(&other.sign_extend(wide));
        product.resize(self.width).sign_extend(wide) != product
    }

    /// The digits of the SMT-LIB form: `#x…` where the width allows it, else `#b…`.
    pub fn smtlib(&self) -> String {
        if self.width.is_multiple_of(4) {
            let digit = |i: u32| char::from_digit(self.extract(i * 4 + 3, i * 4).limbs[0] as u32, 16).unwrap_or('0');
            format!("#x{}", (0..self.width / 4).rev().map(digit).collect::<String>())
        } else {
            format!("#b{}", self.iter().rev().map(|b| if b { '1' } else { '0' }).collect::<String>())
        }
    }
}

impl Ord for Bits {
    /// By width, then as unsigned numbers.
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.ucmp(other))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn limbs_for(width: u32) -> usize {
    width.max(1).div_ceil(64) as usize
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_u128() {
            Some(n) => write!(f, "{n}:{}", self.width),
            None => write!(f, "{}", self.smtlib()),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wide arithmetic must agree with machine arithmetic on values that both can hold.
    #[test]
    fn wide_and_narrow_agree() {
        let samples = [0u64, 1, 2, 3, 7, 0x80, 0xff, 0x1234_5678_9abc_def0, u64::MAX, 1 << 63];
        for a in samples {
            for b in samples {
                let (x, y) = (Bits::new(64, a), Bits::new(64, b));
                assert_eq!(x.add(&y).to_u64(), Some(a.wrapping_add(b)));
                assert_eq!(x.sub(&y).to_u64(), Some(a.wrapping_sub(b)));
                assert_eq!(x.mul(&y).to_u64(), Some(a.wrapping_mul(b)));
                assert_eq!(x.ult(&y), a < b);
                assert_eq!(x.slt(&y), (a as i64) < b as i64);
                assert_eq!(x.umul_overflows(&y), a.overflowing_mul(b).1);
                assert_eq!(x.smul_overflows(&y), (a as i64).overflowing_mul(b as i64).1);
                if b != 0 {
                    assert_eq!(x.sdiv(&y).to_i64(), Some((a as i64).wrapping_div(b as i64)));
                    assert_eq!(x.srem(&y).to_i64(), Some((a as i64).wrapping_rem(b as i64)));
                }
                let (w, v) = (x.resize(200).shl_by(70).or(&y.resize(200)), y.resize(200).shl_by(3));
                let (q, r) = w.udiv_urem(&v);
                assert!(v.is_zero() || (q.mul(&v).add(&r) == w && r.ult(&v)));
            }
        }
    }

    #[test]
    fn pieces_fit_together() {
        let x = Bits::from_u128(100, 0xdead_beef_0123_4567_89ab_cdef);
        assert_eq!(x.extract(99, 37).concat(&x.extract(36, 0)), x);
        assert_eq!(Bits::from_i64(130, -5).sign_extend(200), Bits::from_i64(200, -5));
        assert_eq!(Bits::from_i64(130, -5).ashr(&Bits::new(130, 129)), Bits::ones(130));
        assert_eq!(Bits::new(8, 0x5a).smtlib(), "#x5a");
        assert_eq!(Bits::new(3, 5).smtlib(), "#b101");
        assert_eq!(Bits::min_signed(8).to_i64(), Some(-128));
    }
}
