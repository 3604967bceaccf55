//! Every operator against an independent evaluator, on random and boundary operands.
//!
//! The evaluator works on signed big integers in `i128` pairs where 128 bits do not do, and on `f64` for the small
//! formats; it shares no code with `crate::value`.

use heddle_base::Random;

use crate::expr::{BinOp, CastOp, UnOp};
use crate::ty::Ty;
use crate::value;

const INTS: [Ty; 5] = [Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::I128];

fn width(ty: Ty) -> u32 {
    match ty {
        Ty::I8 => 8,
        Ty::I16 => 16,
        Ty::I32 => 32,
        Ty::I64 => 64,
        _ => 128,
    }
}

/// Bits of a number, least significant first: the slow and obvious representation.
fn bits(value: u128, width: u32) -> Vec<bool> {
    (0..width).map(|i| value >> i & 1 == 1).collect()
}

fn number(bits: &[bool]) -> u128 {
    bits.iter().enumerate().fold(0, |n, (i, &b)| n | u128::from(b) << i)
}

fn add(a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut carry = false;
    let mut sum = Vec::new();
    for (&x, &y) in a.iter().zip(b) {
        sum.push(x ^ y ^ carry);
        carry = (x & y) | (carry & (x | y));
    }
    sum
}

fn negate(a: &[bool]) -> Vec<bool> {
    let inverted: Vec<bool> = a.iter().map(|b| !b).collect();
    let mut one = vec![false; a.len()];
    one[0] = true;
    add(&inverted, &one)
}

fn multiply(a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut product = vec![false; a.len()];
    for i in (0..b.len()).filter(|&i| b[i]) {
        let shifted: Vec<bool> = (0..a.len()).map(|j| j >= i && a[j - i]).collect();
        product = add(&product, &shifted);
    }
    product
}

fn less(a: &[bool], b: &[bool]) -> bool {
    a.iter().rev().zip(b.iter().rev()).find(|(x, y)| x != y).is_some_and(|(_, &y)| y)
}

/// Quotient and remainder by long division.
fn divide(a: &[bool], b: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let mut rest = vec![false; a.len() + 1];
    let mut divisor = b.to_vec();
    divisor.push(false);
    let mut quotient = vec![false; a.len()];
    for i in (0..a.len()).rev() {
        rest.rotate_right(1);
        rest[0] = a[i];
        if !less(&rest, &divisor) {
            rest = add(&rest, &negate(&divisor));
            quotient[i] = true;
        }
    }
    rest.pop();
    (quotient, rest)
}

fn sign_extended(a: &[bool], to: usize) -> Vec<bool> {
    let sign = *a.last().unwrap();
    (0..to).map(|i| a.get(i).copied().unwrap_or(sign)).collect()
}

fn zero_extended(a: &[bool], to: usize) -> Vec<bool> {
    (0..to).map(|i| a.get(i).copied().unwrap_or(false)).collect()
}

fn magnitude(a: &[bool]) -> Vec<bool> {
    if *a.last().unwrap() { negate(a) } else { a.to_vec() }
}

/// An operation on numbers wide enough to be exact.
type Exact<'a> = dyn Fn(&[bool], &[bool]) -> Vec<bool> + 'a;

/// The operator on integers, or none if it is for floats and pointers.
fn expected(op: BinOp, w: u32, a: u128, b: u128) -> Option<u128> {
    let n = w as usize;
    let (x, y) = (bits(a, w), bits(b, w));
    let (sx, sy) = (x[n - 1], y[n - 1]);
    let wide = |op: &Exact, signed: bool| {
        let extend = |v: &[bool]| if signed { sign_extended(v, 2 * n + 1) } else { zero_extended(v, 2 * n + 1) };
        let exact = op(&extend(&x), &extend(&y));
        let back = if signed { sign_extended(&exact[..n], 2 * n + 1) } else { zero_extended(&exact[..n], 2 * n + 1) };
        u128::from(back != exact)
    };
    let subtract = |a: &[bool], b: &[bool]| add(a, &negate(b));
    let slt = match (sx, sy) {
        (true, false) => true,
        (false, true) => false,
        _ => less(&x, &y),
    };
    let shift = |fill: bool, left: bool| {
        let by = b.min(u128::from(w)) as usize;
        let moved: Vec<bool> =
            (0..n).map(|i| if left { i >= by && x[i - by] } else { x.get(i + by).copied().unwrap_or(fill) }).collect();
        number(&moved)
    };
    let zero = b == 0;
    Some(match op {
        BinOp::Add => number(&add(&x, &y)),
        BinOp::Sub => number(&subtract(&x, &y)),
        BinOp::Mul => number(&multiply(&x, &y)),
        BinOp::UDiv => {
            if zero {
                0
            } else {
                number(&divide(&x, &y).0)
            }
        }
        BinOp::URem => {
            if zero {
                a
            } else {
                number(&divide(&x, &y).1)
            }
        }
        BinOp::SDiv => {
            let quotient = if zero { vec![false; n] } else { divide(&magnitude(&x), &magnitude(&y)).0 };
            number(&if sx != sy { negate(&quotient) } else { quotient })
        }
        BinOp::SRem => {
            let rest = if zero { magnitude(&x) } else { divide(&magnitude(&x), &magnitude(&y)).1 };
            number(&if sx { negate(&rest) } else { rest })
        }
        BinOp::And => number(&x.iter().zip(&y).map(|(a, b)| a & b).collect::<Vec<_>>()),
        BinOp::Or => number(&x.iter().zip(&y).map(|(a, b)| a | b).collect::<Vec<_>>()),
        BinOp::Xor => number(&x.iter().zip(&y).map(|(a, b)| a ^ b).collect::<Vec<_>>()),
        BinOp::Shl => shift(false, true),
        BinOp::LShr => shift(false, false),
        BinOp::AShr => shift(sx, false),
        BinOp::Eq => u128::from(x == y),
        BinOp::Ne => u128::from(x != y),
        BinOp::ULt => u128::from(less(&x, &y)),
        BinOp::ULe => u128::from(!less(&y, &x)),
        BinOp::SLt => u128::from(slt),
        BinOp::SLe => u128::from(slt || x == y),
        BinOp::SAddO => wide(&|a, b| add(a, b), true),
        BinOp::UAddO => wide(&|a, b| add(a, b), false),
        BinOp::SSubO => wide(&subtract, true),
        BinOp::USubO => u128::from(less(&x, &y)),
        BinOp::SMulO => wide(&|a, b| multiply(a, b), true),
        BinOp::UMulO => wide(&|a, b| multiply(a, b), false),
        BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem
        | BinOp::FEq
        | BinOp::FNe
        | BinOp::FLt
        | BinOp::FLe => return None,
    })
}

fn operand(random: &mut Random, w: u32) -> u128 {
    let mask = if w == 128 { u128::MAX } else { (1 << w) - 1 };
    let raw = u128::from(random.next()) | u128::from(random.next()) << 64;
    mask & match random.below(8) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (w - 1),
        4 => (1 << (w - 1)) - 1,
        5 => raw % 200,
        6 => raw >> random.below(u64::from(w)),
        _ => raw,
    }
}

#[test]
fn integer_operators() {
    let mut random = Random::new(1);
    for op in BinOp::ALL {
        for ty in INTS {
            for _ in 0..if ty == Ty::I128 { 60 } else { 300 } {
                let (a, b) = (operand(&mut random, width(ty)), operand(&mut random, width(ty)));
                if let Some(expected) = expected(op, width(ty), a, b) {
                    assert_eq!(value::binary(op, ty, a, b), expected, "{} {ty} {a:#x} {b:#x}", op.name());
                }
            }
        }
    }
}

#[test]
fn unary_operators_and_integer_casts() {
    let mut random = Random::new(2);
    for ty in INTS {
        let w = width(ty);
        for _ in 0..300 {
            let a = operand(&mut random, w);
            let x = bits(a, w);
            let got = |op| value::unary(op, ty, a);
            assert_eq!(got(UnOp::Neg), number(&negate(&x)));
            assert_eq!(got(UnOp::Not), number(&x.iter().map(|b| !b).collect::<Vec<_>>()));
            assert_eq!(got(UnOp::Clz), x.iter().rev().take_while(|b| !**b).count() as u128);
            assert_eq!(got(UnOp::Ctz), x.iter().take_while(|b| !**b).count() as u128);
            assert_eq!(got(UnOp::Popcount), x.iter().filter(|b| **b).count() as u128);
            let swapped: Vec<bool> = x.chunks(8).rev().flatten().copied().collect();
            assert_eq!(got(UnOp::Bswap), number(&swapped));
            for to in INTS {
                let n = width(to) as usize;
                if n < w as usize {
                    assert_eq!(value::cast(CastOp::Trunc, ty, to, a), number(&x[..n]));
                }
                if n > w as usize {
                    assert_eq!(value::cast(CastOp::ZExt, ty, to, a), a);
                    assert_eq!(value::cast(CastOp::SExt, ty, to, a), number(&sign_extended(&x, n)));
                }
            }
        }
    }
    assert_eq!((value::unary(UnOp::BoolNot, Ty::Bool, 0), value::unary(UnOp::BoolNot, Ty::Bool, 1)), (1, 0));
}

fn float_operand(random: &mut Random) -> f64 {
    match random.below(10) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => f64::from_bits(random.next()),
        5 => random.below(1 << 40) as f64,
        _ => (random.below(20001) as f64 - 10000.0) / 64.0,
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The wide formats hold every `f64`, and results that are exact in `f64` are exact in them; the hardware formats are
/// compared with the software ones.
#[test]
fn float_operators() {
    let mut random = Random::new(3);
    let make = |ty, x: f64| value::cast(CastOp::FToF, Ty::F64, ty, u128::from(x.to_bits()));
    let back = |ty, bits| f64::from_bits(value::cast(CastOp::FToF, ty, Ty::F64, bits) as u64);
    for _ in 0..3000 {
        let (x, y) = (float_operand(&mut random), float_operand(&mut random));
        for ty in [Ty::F64, Ty::F80, Ty::F128] {
            let (a, b) = (make(ty, x), make(ty, y));
            assert!(same(back(ty, a), x));
            for (op, want) in [(BinOp::FEq, x == y), (BinOp::FNe, x != y), (BinOp::FLt, x < y), (BinOp::FLe, x <= y)] {
                assert_eq!(value::binary(op, ty, a, b), u128::from(want), "{} {ty} {x} {y}", op.name());
            }
            assert!(same(back(ty, value::unary(UnOp::FNeg, ty, a)), -x) || x.is_nan());
            assert!(same(back(ty, value::unary(UnOp::FAbs, ty, a)), x.abs()));
            assert_eq!(value::unary(UnOp::FIsNan, ty, a), u128::from(x.is_nan()));
            assert_eq!(value::unary(UnOp::FIsInf, ty, a), u128::from(x.is_infinite()));
            assert_eq!(value::unary(UnOp::FSignBit, ty, a), u128::from(x.is_sign_negative()));
            assert!(same(back(ty, value::binary(BinOp::FRem, ty, a, b)), x % y), "{ty} {x} % {y}");
            // Rounding to 64 or 113 digits and then to 53 is not always rounding once; F128 is wide enough here.
            if ty != Ty::F80 {
                for (op, want) in
                    [(BinOp::FAdd, x + y), (BinOp::FSub, x - y), (BinOp::FMul, x * y), (BinOp::FDiv, x / y)]
                {
                    let got = back(ty, value::binary(op, ty, a, b));
                    assert!(same(got, want) || want.is_subnormal(), "{} {ty} {x} {y}: {got} {want}", op.name());
                }
                assert!(same(back(ty, value::unary(UnOp::FSqrt, ty, a)), x.sqrt()), "sqrt {ty} {x}");
            }
        }
    }
    // 80-bit square roots: the square of an integer of 32 bits has an exact root.
    for _ in 0..500 {
        let root = random.below(1 << 32);
        let square = value::cast(CastOp::UToF, Ty::I64, Ty::F80, u128::from(root * root));
        let got = value::unary(UnOp::FSqrt, Ty::F80, square);
        assert_eq!(value::cast(CastOp::FToU, Ty::F80, Ty::I64, got), u128::from(root));
    }
}

#[test]
fn float_conversions_as_gcc_makes_them() {
    let s = |x: f64, to| value::cast(CastOp::FToS, Ty::F64, to, u128::from(x.to_bits()));
    let u = |x: f64, to| value::cast(CastOp::FToU, Ty::F64, to, u128::from(x.to_bits()));
    assert_eq!(s(-1.9, Ty::I32), 0xffff_ffff);
    assert_eq!(s(3e9, Ty::I32), 0x8000_0000);
    assert_eq!(s(f64::NAN, Ty::I64), 1 << 63);
    assert_eq!(s(1e300, Ty::I64), 1 << 63);
    assert_eq!(u(3e9, Ty::I32), 3_000_000_000);
    assert_eq!(u(-1.0, Ty::I32), 0xffff_ffff);
    assert_eq!(u(4294967297.0, Ty::I32), 1);
    assert_eq!(u(1e19, Ty::I64), 10_000_000_000_000_000_000);
    assert_eq!(u(1e20, Ty::I64), 0);
    assert_eq!(u(-5.0, Ty::I64), (-5i64) as u64 as u128);
    assert_eq!(s(300.0, Ty::I8), 44);
    assert_eq!(value::cast(CastOp::SToF, Ty::I32, Ty::F32, 0xffff_ffff), u128::from((-1f32).to_bits()));
    assert_eq!(
        value::cast(CastOp::UToF, Ty::I64, Ty::F64, u128::from(u64::MAX)),
        u128::from((u64::MAX as f64).to_bits())
    );
}

#[test]
fn pointers() {
    let p = |object: u32, offset: i32| u128::from(value::Pointer { object, offset }.bits());
    let i = |n: i64| u128::from(n as u64);
    assert_eq!(value::binary(BinOp::PtrAdd, Ty::Ptr, p(3, 8), i(-12)), p(3, -4));
    assert_eq!(value::binary(BinOp::PtrAdd, Ty::Ptr, p(3, 8), i(1 << 40)), p(3, i32::MIN));
    assert_eq!(value::binary(BinOp::PtrDiff, Ty::Ptr, p(3, 8), p(3, 12)), i(-4));
    assert_eq!(value::binary(BinOp::ULt, Ty::Ptr, p(3, -4), p(3, 4)), 1);
    assert_eq!(value::binary(BinOp::ULt, Ty::Ptr, p(4, -4), p(3, 4)), 0);
    assert_eq!(value::binary(BinOp::ULe, Ty::Ptr, p(3, 4), p(3, 4)), 1);
}
