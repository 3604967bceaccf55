use expect_test::{Expect, expect};
use rustc_hash::FxHashMap;

use super::*;
use crate::eval::Assignment;
use crate::sort::{FloatFormat, MAX_WIDTH, Rounding};
use crate::value::Value;

fn check(build: impl FnOnce(&mut Terms) -> TermId, expect: Expect) {
    let mut terms = Terms::new();
    let term = build(&mut terms);
    expect.assert_eq(&terms.display(term).to_string());
}

#[test]
fn constants_fold() {
    check(
        |t| {
            let (a, b) = (t.bv(8, 200), t.bv(8, 100));
            t.add(a, b)
        },
        expect!["44:8"],
    );
    check(
        |t| {
            let one = t.fp(FloatFormat::Single, Bits::new(32, u64::from(1.0f32.to_bits())));
            let three = t.fp(FloatFormat::Single, Bits::new(32, u64::from(3.0f32.to_bits())));
            let third = t.fp_div(Rounding::NearestEven, one, three);
            t.fp_to_bits(third)
        },
        expect!["1051372203:32"],
    );
}

#[test]
fn arithmetic_identities() {
    check(
        |t| {
            let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
            let difference = t.sub(x, y);
            t.add(difference, y)
        },
        expect!["x"],
    );
    check(
        |t| {
            let (x, k) = (t.bv_var("x", 32), t.bv(32, 5));
            let (a, b) = (t.add(x, k), t.bv(32, 7));
            t.eq(a, b)
        },
        expect!["(eq x 2:32)"],
    );
    check(
        |t| {
            let (x, eight) = (t.bv_var("x", 8), t.bv(8, 8));
            t.mul(x, eight)
        },
        expect!["(concat (extract 4 0 x) 0:3)"],
    );
}

#[test]
fn products_have_one_order() {
    let mut t = Terms::new();
    let [a, b, c, d, e, f] = ["a", "b", "c", "d", "e", "f"].map(|name| t.bv_var(name, 32));
    let product = |t: &mut Terms, factors: [TermId; 6]| factors.into_iter().reduce(|p, x| t.mul(p, x));
    let (one, other) = (product(&mut t, [a, b, c, d, e, f]), product(&mut t, [f, b, d, a, e, c]));
    assert_eq!(one, other);
    // x + 8x + (y - 9x) is y.
    let three = t.bv(32, 3);
    let (nine, eight) = (t.bv(32, 9), t.shl(a, three));
    let (nines, sum) = (t.mul(a, nine), t.add(a, eight));
    let rest = t.sub(b, nines);
    assert_eq!(t.add(sum, rest), b);
}

#[test]
fn narrow_arithmetic_is_done_narrow() {
    // (char)((int)a + (int)b)
    check(
        |t| {
            let (a, b) = (t.bv_var("a", 8), t.bv_var("b", 8));
            let (wide_a, wide_b) = (t.sign_ext(a, 24), t.sign_ext(b, 24));
            let sum = t.add(wide_a, wide_b);
            t.extract(7, 0, sum)
        },
        expect!["(add a b)"],
    );
}

#[test]
fn known_bits_decide() {
    check(
        |t| {
            let (x, mask, big) = (t.bv_var("x", 32), t.bv(32, 0xff), t.bv(32, 256));
            let low = t.bv_and(x, mask);
            t.ult(low, big)
        },
        expect!["true"],
    );
    check(
        |t| {
            let (c, x) = (t.bool_var("c"), t.bv_var("x", 32));
            let (a, b, k) = (t.bv(32, 3), t.bv(32, 4), t.bv(32, 4));
            let _ = x;
            let choice = t.ite(c, a, b);
            t.eq(choice, k)
        },
        expect!["(not c)"],
    );
}

#[test]
fn reads_see_through_writes() {
    check(
        |t| {
            let (m, x) = (t.array_var("m", 32, 8), t.bv_var("x", 32));
            let (one, v, w) = (t.bv(32, 1), t.bv(8, 1), t.bv(8, 2));
            let next = t.add(x, one);
            let written = t.store(m, x, v);
            let written = t.store(written, next, w);
            t.select(written, x)
        },
        expect!["1:8"],
    );
}

#[test]
fn bad_use_is_an_error() {
    let mut t = Terms::new();
    assert_eq!(t.variable("x", Sort::BitVec(0)), Err(SortError::ZeroWidth));
    let (x, y, b) = (t.bv_var("x", 8), t.bv_var("y", 9), t.bool_var("b"));
    assert!(matches!(t.apply(Op::BvAdd, &[x, y]), Err(SortError::Mismatch { .. })));
    assert!(matches!(t.apply(Op::BvAdd, &[x]), Err(SortError::Arity { .. })));
    assert!(matches!(t.apply(Op::Not, &[x]), Err(SortError::Mismatch { .. })));
    assert!(matches!(t.apply(Op::Extract { hi: 8, lo: 0 }, &[x]), Err(SortError::Mismatch { .. })));
    assert!(matches!(t.apply(Op::Extract { hi: 1, lo: 2 }, &[x]), Err(SortError::Mismatch { .. })));
    assert!(matches!(t.apply(Op::ConstArray(0), &[x]), Err(SortError::ZeroWidth)));
    assert!(matches!(t.apply(Op::SignExt(u32::MAX), &[x]), Err(SortError::TooWide(_))));
    assert!(matches!(t.variable("b", Sort::BitVec(1)), Err(SortError::Redeclared(_))));
    assert!(matches!(t.apply(Op::Not, &[TermId::new(1_000_000)]), Err(SortError::Unknown(_))));
    assert!(t.apply(Op::Not, &[b]).is_ok());
}

#[test]
fn constructors_say_what_is_wrong() {
    fn refusal(build: impl FnOnce(&mut Terms) -> TermId + std::panic::UnwindSafe) -> String {
        let refused = std::panic::catch_unwind(|| build(&mut Terms::new())).expect_err("must be refused");
        *refused.downcast::<String>().expect("a message")
    }
    assert_eq!(refusal(|t| t.bv(0, 1)), "a bit vector has at least one bit");
    assert_eq!(refusal(|t| t.bv_signed(0, -1)), "a bit vector has at least one bit");
    assert_eq!(refusal(|t| t.bv_var("x", 0)), "a bit vector has at least one bit");
    assert_eq!(refusal(|t| t.bv(MAX_WIDTH + 1, 0)), "a bit vector of 16777217 bits is too wide");
    assert_eq!(
        refusal(|t| {
            let x = t.bv_var("x", 12);
            t.byte_swap(x)
        }),
        "12 bits are not a number of bytes"
    );
}

#[test]
fn a_million_deep() {
    let mut t = Terms::new();
    let (mut term, x) = (t.bv_var("y", 32), t.bv_var("x", 32));
    for i in 0..1_000_000 {
        term = if i % 2 == 0 { t.bv_xor(term, x) } else { t.add(term, x) };
    }
    let var = |t: &Terms, term| match t.op(term) {
        Op::Var(v) => v,
        _ => unreachable!(),
    };
    let mut assignment = Assignment::new();
    assignment.set(var(&t, x), Value::Bits(Bits::new(32, 3)));
    let mut expected = 0u32;
    for i in 0..1_000_000 {
        expected = if i % 2 == 0 { expected ^ 3 } else { expected.wrapping_add(3) };
    }
    assert_eq!(assignment.eval(&t, term), Value::Bits(Bits::new(32, u64::from(expected))));
    let seven = t.bv(32, 3);
    let replaced = t.substitute(term, &FxHashMap::from_iter([(x, seven)]));
    assert_eq!(Assignment::new().eval(&t, replaced), Value::Bits(Bits::new(32, u64::from(expected))));
    assert!(t.display(term).to_string().contains('…'));
}

#[test]
fn counts() {
    let mut t = Terms::new();
    for value in [0u64, 1, 0x80, 0xff, 0x5a, 0x10] {
        let k = t.bv(8, value);
        let (pop, lead, trail) = (t.popcount(k), t.leading_zeros(k), t.trailing_zeros(k));
        let byte = value as u8;
        let expected = [byte.count_ones(), byte.leading_zeros(), byte.trailing_zeros()];
        let got = [pop, lead, trail].map(|c| t.as_const(c).and_then(Bits::to_u64));
        assert_eq!(got, expected.map(|n| Some(u64::from(n))));
        let odd = t.parity(k);
        assert_eq!(t.as_bool(odd), Some(byte.count_ones() % 2 == 1));
    }
}
