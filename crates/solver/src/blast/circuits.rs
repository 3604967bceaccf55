//! Circuits for bit-vector operators, over literals with the least significant bit first.

use super::gates::{Gates, Sink};
use crate::sat::Lit;

/// Arithmetic, shifts and comparisons.
impl<S: Sink> Gates<S> {
    /// `a + b + carry`: a ripple-carry adder. The carry out comes second.
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// `a + b + carry` where nobody asks for the carry out.
    pub(crate) fn add_wrapping(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Vec<Lit> {
        let (Some((&x, low_a)), Some((&y, low_b))) = (a.split_last(), b.split_last()) else {
            return Vec::new();
        };
        let (mut sum, carry) = self.add(low_a, low_b, carry);
        sum.push(self.xor3(x, y, carry));
        sum
    }

    /// `a - b`; the second is true if there is no borrow: `a >= b`.
    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let minus: Vec<Lit> = b.iter().map(|&l| !l).collect();
        let one = self.one();
        self.add(a, &minus, one)
    }

    /// `-a`.
    pub(crate) fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&l| !l).collect();
        let (zero, one) = (self.zero(), self.one());
        self.add_wrapping(&flipped, &vec![zero; a.len()], one)
    }

    /// `a * b`: partial products summed row by row; a constant factor is recoded to signed digits first.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let constant: Option<Vec<bool>> = b.iter().map(|&l| self.value(l)).collect();
        if let Some(digits) = constant {
            return self.multiply_constant(a, &digits);
        }
        let zero = self.zero();
        let mut sum = vec![zero; a.len()];
        for (i, &digit) in b.iter().enumerate() {
            let row: Vec<Lit> = a[..a.len() - i].iter().map(|&l| self.and(l, digit)).collect();
            let high = self.add_wrapping(&sum[i..], &row, zero);
            sum.truncate(i);
            sum.extend(high);
        }
        sum
    }

    /// Runs of ones cost two rows instead of one each: 0111 is 1000 - 0001.
    fn multiply_constant(&mut self, a: &[Lit], digits: &[bool]) -> Vec<Lit> {
        let (zero, one) = (self.zero(), self.one());
        let mut sum = vec![zero; a.len()];
        for (i, digit) in signed_digits(digits).into_iter().enumerate() {
            let shifted = &a[..a.len() - i];
            let (row, carry): (Vec<Lit>, Lit) = match digit {
                0 => continue,
                1 => (shifted.to_vec(), zero),
                _ => (shifted.iter().map(|&l| !l).collect(), one),
            };
            let high = self.add_wrapping(&sum[i..], &row, carry);
            sum.truncate(i);
            sum.extend(high);
        }
        sum
    }

    /// Quotient and remainder by restoring division. A divisor of zero is never subtracted in vain, which gives just
    /// what SMT-LIB asks for: all ones, and the dividend.
    pub(crate) fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let zero = self.zero();
        let width = a.len();
        let mut wide_b = b.to_vec();
        wide_b.push(zero);
        let mut rest = vec![zero; width];
        let mut quotient = vec![zero; width];
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            let (difference, fits) = self.subtract(&rest, &wide_b);
            quotient[i] = fits;
            rest = (0..width).map(|k| self.mux(fits, difference[k], rest[k])).collect();
        }
        (quotient, rest)
    }

    /// `a < b`, unsigned.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // The borrow of a - b, without the difference.
        let mut carry = self.one();
        for (&x, &y) in a.iter().zip(b) {
            carry = self.majority(x, !y, carry);
        }
        !carry
    }

    /// `a < b`, signed: the unsigned order with the signs exchanged.
    pub(crate) fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut x, mut y) = (a.to_vec(), b.to_vec());
        if let (Some(sign_a), Some(sign_b)) = (x.last_mut(), y.last_mut()) {
            std::mem::swap(sign_a, sign_b);
        }
        self.less(&x, &y)
    }

    /// A barrel shifter: `towards_high` is a shift left; `fill` comes in at the other end.
    pub(crate) fn shift(&mut self, a: &[Lit], by: &[Lit], towards_high: bool, fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut bits = a.to_vec();
        let stages = usize::BITS - (width - 1).leading_zeros();
        for (stage, &on) in by.iter().enumerate().take(stages as usize) {
            let distance = 1usize << stage;
            let from = |i: usize| if towards_high { i.checked_sub(distance) } else { Some(i + distance) };
            let moved: Vec<Lit> =
                (0..width).map(|i| from(i).and_then(|j| bits.get(j)).copied().unwrap_or(fill)).collect();
            bits = (0..width).map(|i| self.mux(on, moved[i], bits[i])).collect();
        }
        let beyond = self.or_many(&by[(stages as usize).min(by.len())..]);
        bits.into_iter().map(|bit| self.mux(beyond, fill, bit)).collect()
    }

    /// Whether the unsigned product has more bits than the operands.
    pub(crate) fn multiply_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (width, zero) = (a.len(), self.zero());
        // Two bits whose weights multiply beyond the width: a certain overflow. Otherwise one extra bit decides.
        let mut causes = Vec::new();
        let mut high = zero;
        for i in 1..width {
            high = self.or(high, b[width - i]);
            causes.push(self.and(a[i], high));
        }
        let widen = |bits: &[Lit]| bits.iter().copied().chain([zero]).collect::<Vec<Lit>>();
        let product = self.multiply(&widen(a), &widen(b));
        causes.push(product[width]);
        self.or_many(&causes)
    }

    /// Whether the signed product has more bits than the operands.
    pub(crate) fn multiply_overflows_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (width, zero) = (a.len(), self.zero());
        let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
        // As above, for the bits that differ from the sign.
        let mut causes = Vec::new();
        let mut high = zero;
        for i in 1..width.saturating_sub(1) {
            let differs_b = self.xor(sign_b, b[width - 1 - i]);
            high = self.or(high, differs_b);
            let differs_a = self.xor(sign_a, a[i]);
            causes.push(self.and(differs_a, high));
        }
        let widen = |bits: &[Lit], sign| bits.iter().copied().chain([sign]).collect::<Vec<Lit>>();
        let product = self.multiply(&widen(a, sign_a), &widen(b, sign_b));
        causes.push(self.xor(product[width], product[width - 1]));
        self.or_many(&causes)
    }
}

/// The digits of a number in {-1, 0, 1}, no two neighbours nonzero; a carry beyond the width is dropped.
fn signed_digits(bits: &[bool]) -> Vec<i8> {
    let mut carry = false;
    let bit = |i: usize| bits.get(i).copied().unwrap_or(false);
    (0..bits.len())
        .map(|i| match (bit(i), carry) {
            (false, false) => 0,
            (true, true) => 0,
            (_, _) => {
                carry = bit(i + 1);
                if carry { -1 } else { 1 }
            }
        })
        .collect()
}
