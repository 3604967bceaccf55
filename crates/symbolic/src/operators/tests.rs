//! One semantics: every operator's term, evaluated, is what [`heddle_ir::value`] computes.
//!
//! Terms are built over variables, and over a variable and a constant, because the latter are rewritten differently. Payloads
//! and signs of NaNs that an operation makes are not compared: the processor's and the terms' may differ.

use std::collections::BTreeSet;

use heddle_ir::{BinOp, CastOp, DataModel, Ty, UnOp};
use heddle_solver::{Assignment, Bits, Op, TermId, Terms, Value};

use super::{Unsupported, as_bits, binary, cast, constant, sort, unary, width};
use heddle_base::Random;
use heddle_ir::value;

const TYPES: [Ty; 12] =
    [Ty::Bool, Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::I128, Ty::F16, Ty::F32, Ty::F64, Ty::F80, Ty::F128, Ty::Ptr];

/// Operands, or pairs of them, for each combination of an operator and types.
const RANDOM: usize = 200;

/// Integers at the ends of ranges; floats by their numbers: zeros, ones, the least and the largest, infinities, NaN,
/// bounds of integers.
fn special(ty: Ty) -> Vec<u128> {
    let bits = width(ty);
    let top = 1u128 << (bits - 1);
    if ty == Ty::Bool {
        return vec![0, 1];
    }
    if !ty.is_float() {
        let all = value::truncate(u128::MAX, bits);
        let mut found = vec![0, 1, 2, 3, u128::from(bits), u128::from(bits) - 1, top - 1, top, top + 1, all - 1, all];
        if ty == Ty::Ptr {
            found.extend([7 << 32, 7 << 32 | 4, 7 << 32 | 0xffff_fffc, 9 << 32, 7 << 32 | 0x7fff_ffff]);
        }
        return found;
    }
    let of = |number: f64| value::cast(CastOp::FToF, Ty::F64, ty, u128::from(number.to_bits()));
    let two = |power: i32| 2f64.powi(power);
    let mut found: Vec<u128> =
        [0.0, 1.0, 0.5, 1.5, 3.0, 1e-30, 1e30, 255.0, 65504.0, f64::INFINITY, f64::NAN].map(of).into();
    found.extend(
        [31, 32, 63, 64, 127, 128]
            .into_iter()
            .flat_map(|power| [of(two(power)), of(two(power) - 1.0), of(two(power) - 0.5)]),
    );
    found.extend([1, 2, of(f64::INFINITY) - 1]);
    let negative: Vec<u128> = found.iter().map(|bits| bits ^ top).collect();
    found.extend(negative);
    found
}

fn random_value(random: &mut Random, ty: Ty) -> u128 {
    let specials = special(ty);
    let raw = u128::from(random.next()) | u128::from(random.next()) << 64;
    let value = match random.below(4) {
        0 => specials[random.below(specials.len() as u64) as usize],
        // Few bits: small numbers and small differences.
        1 => raw & 0xff,
        _ => raw,
    };
    let value = value::truncate(value, width(ty));
    // A long double has one pattern a number: its first digit is 1 unless its exponent is 0.
    if ty == Ty::F80 {
        let exponent = value >> 64 & 0x7fff;
        return if exponent == 0 { value & !(1 << 63) } else { value | 1 << 63 };
    }
    value
}

fn is_nan(ty: Ty, bits: u128) -> bool {
    ty.is_float() && value::unary(UnOp::FIsNan, ty, bits) == 1
}

fn same(ty: Ty, a: u128, b: u128) -> bool {
    a == b || (is_nan(ty, a) && is_nan(ty, b))
}

/// Makes the term of an operator.
type Build<'a> = dyn Fn(&mut Terms, &[TermId]) -> Result<TermId, Unsupported> + 'a;

/// What became of all combinations.
#[derive(Default)]
struct Tally {
    combinations: usize,
    unsupported: BTreeSet<String>,
}

/// Builds the term and evaluates it on all operands, with every choice of constants among them.
fn check(
    tally: &mut Tally,
    name: &str,
    types: &[Ty],
    result: Ty,
    build: &Build<'_>,
    expected: &dyn Fn(&[u128]) -> u128,
) {
    let mut terms = Terms::new();
    let vars: Vec<TermId> =
        types.iter().zip(["a", "b"]).map(|(&ty, name)| terms.variable(name, sort(ty)).expect("a sort")).collect();
    tally.combinations += 1;
    let mut random = Random::new(types.iter().chain([&result]).fold(name.len() as u64, |n, &ty| n * 31 + ty as u64));
    let mut tuples: Vec<Vec<u128>> = match *types {
        [ty] => special(ty).into_iter().map(|a| vec![a]).collect(),
        [left, right] => {
            let pairs = |a: u128| special(right).into_iter().map(move |b| vec![a, b]);
            // All pairs of special floats are many; every seventh meets all kinds.
            let step = if left.is_float() { 7 } else { 1 };
            special(left).into_iter().flat_map(pairs).step_by(step).collect()
        }
        _ => unreachable!("one or two operands"),
    };
    tuples.extend((0..RANDOM).map(|_| types.iter().map(|&ty| random_value(&mut random, ty)).collect()));
    let general = match build(&mut terms, &vars) {
        Ok(term) => term,
        Err(Unsupported(_)) => {
            tally.unsupported.insert(name.to_owned());
            return;
        }
    };
    assert_eq!(terms.sort(general), sort(result), "{name}");
    for (i, tuple) in tuples.iter().enumerate() {
        let mut assignment = Assignment::new();
        for ((&ty, &var), &bits) in types.iter().zip(&vars).zip(tuple) {
            let Op::Var(id) = terms.op(var) else { unreachable!("a variable") };
            let value =
                if ty == Ty::Bool { Value::Bool(bits == 1) } else { Value::Bits(Bits::from_u128(width(ty), bits)) };
            assignment.set(id, value);
        }
        let wanted = expected(tuple);
        let mut built = vec![general];
        // One operand a constant, in turn; and all of them.
        if i % 4 == 0 {
            for fixed in 0..types.len() {
                let mut operands = vars.clone();
                operands[fixed] = constant(&mut terms, types[fixed], tuple[fixed]);
                built.push(build(&mut terms, &operands).expect("supported"));
            }
            let all: Vec<TermId> = types.iter().zip(tuple).map(|(&ty, &bits)| constant(&mut terms, ty, bits)).collect();
            built.push(build(&mut terms, &all).expect("constants"));
        }
        for term in built {
            assert_eq!(terms.sort(term), sort(result), "{name} on {tuple:x?}");
            let found = match assignment.eval(&terms, term) {
                Value::Bool(value) => u128::from(value),
                Value::Bits(bits) => bits.to_u128().expect("at most 128 bits"),
                Value::Array(_) => unreachable!("no arrays"),
            };
            assert!(same(result, wanted, found), "{name} on {tuple:x?}: the machine {wanted:#x}, the term {found:#x}");
        }
    }
}

fn unary_types(op: UnOp) -> Vec<Ty> {
    TYPES
        .into_iter()
        .filter(|ty| match op {
            UnOp::Neg | UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => ty.is_int(),
            UnOp::BoolNot => *ty == Ty::Bool,
            UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit => ty.is_float(),
        })
        .collect()
}

fn binary_types(op: BinOp) -> Vec<Ty> {
    TYPES
        .into_iter()
        .filter(|ty| match op {
            BinOp::And | BinOp::Or | BinOp::Xor => ty.is_int() || *ty == Ty::Bool,
            BinOp::Eq | BinOp::Ne => !ty.is_float(),
            BinOp::ULt | BinOp::ULe => ty.is_int() || *ty == Ty::Ptr,
            BinOp::PtrAdd | BinOp::PtrDiff => *ty == Ty::Ptr,
            BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FEq
            | BinOp::FNe
            | BinOp::FLt
            | BinOp::FLe => ty.is_float(),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::SLt
            | BinOp::SLe
            | BinOp::SAddO
            | BinOp::UAddO
            | BinOp::SSubO
            | BinOp::USubO
            | BinOp::SMulO
            | BinOp::UMulO => ty.is_int(),
        })
        .collect()
}

fn casts(op: CastOp, from: Ty, to: Ty) -> bool {
    let plain = |ty: Ty| ty.is_int() || ty.is_float();
    match op {
        CastOp::Trunc => from.is_int() && to.is_int() && width(to) < width(from),
        CastOp::ZExt => (from.is_int() || from == Ty::Bool) && to.is_int() && width(from) < width(to),
        CastOp::SExt => from.is_int() && to.is_int() && width(from) < width(to),
        CastOp::FToS | CastOp::FToU => from.is_float() && to.is_int(),
        CastOp::SToF | CastOp::UToF => from.is_int() && to.is_float(),
        CastOp::FToF => from.is_float() && to.is_float(),
        CastOp::PtrToInt => from == Ty::Ptr && to == Ty::I64,
        CastOp::IntToPtr => from == Ty::I64 && to == Ty::Ptr,
        CastOp::Bitcast => plain(from) && plain(to) && from.size(DataModel::Lp64) == to.size(DataModel::Lp64),
    }
}

#[test]
fn unary_operators_mean_what_the_machine_computes() {
    let mut tally = Tally::default();
    for op in UnOp::ALL {
        for ty in unary_types(op) {
            let name = format!("{} {ty}", op.name());
            let build = |terms: &mut Terms, args: &[TermId]| unary(terms, op, ty, args[0]);
            check(&mut tally, &name, &[ty], value::unary_result(op, ty), &build, &|args| value::unary(op, ty, args[0]));
        }
    }
    assert_eq!(tally.combinations, 6 * 5 + 1 + 6 * 5);
    assert_eq!(Vec::from_iter(tally.unsupported), ["fisinf f80", "fisnan f80", "fsqrt f80"]);
}

#[test]
fn binary_operators_mean_what_the_machine_computes() {
    let mut tally = Tally::default();
    for op in BinOp::ALL {
        for ty in binary_types(op) {
            let name = format!("{} {ty}", op.name());
            let right = if op == BinOp::PtrAdd { Ty::I64 } else { ty };
            let build = |terms: &mut Terms, args: &[TermId]| binary(terms, op, ty, args[0], args[1]);
            let expected = |args: &[u128]| value::binary(op, ty, args[0], args[1]);
            check(&mut tally, &name, &[ty, right], value::binary_result(op, ty), &build, &expected);
        }
    }
    assert_eq!(tally.combinations, 18 * 5 + 3 * 6 + 2 * 7 + 2 * 6 + 2 + 9 * 5);
    let long_double =
        ["fadd", "fdiv", "feq", "fle", "flt", "fmul", "fne", "frem", "fsub"].map(|op| format!("{op} f80"));
    assert_eq!(Vec::from_iter(tally.unsupported), long_double);
}

#[test]
fn conversions_mean_what_the_machine_computes() {
    let mut tally = Tally::default();
    for op in CastOp::ALL {
        for (from, to) in
            TYPES.into_iter().flat_map(|from| TYPES.map(|to| (from, to))).filter(|&(from, to)| casts(op, from, to))
        {
            let name = format!("{} {from} {to}", op.name());
            let build = |terms: &mut Terms, args: &[TermId]| cast(terms, op, from, to, args[0]);
            let expected = |args: &[u128]| value::cast(op, from, to, args[0]);
            check(&mut tally, &name, &[from], to, &build, &expected);
        }
    }
    assert_eq!(tally.combinations, 180);
    // Of and to long double, whatever the other type is.
    let long_double = |op: CastOp, from: Ty, to: Ty| {
        op != CastOp::Bitcast && (from == Ty::F80 || to == Ty::F80) && casts(op, from, to)
    };
    let mut expected = BTreeSet::new();
    for op in CastOp::ALL {
        for (from, to) in TYPES.into_iter().flat_map(|from| TYPES.map(|to| (from, to))) {
            if long_double(op, from, to) {
                expected.insert(format!("{} {from} {to}", op.name()));
            }
        }
    }
    assert_eq!(tally.unsupported, expected);
}

#[test]
fn constants_keep_their_bits() {
    let mut terms = Terms::new();
    for ty in TYPES {
        for bits in special(ty) {
            let term = constant(&mut terms, ty, bits);
            assert_eq!((terms.sort(term), as_bits(&terms, term)), (sort(ty), Some(bits)), "{ty}");
        }
    }
}

#[test]
fn small_indices_need_no_test_for_overflow() {
    let mut terms = Terms::new();
    let index = terms.variable("i", heddle_solver::Sort::BitVec(8)).expect("a sort");
    let bytes = terms.zero_ext(index, 56);
    let start = constant(&mut terms, Ty::Ptr, 7 << 32 | 100);
    let sum = binary(&mut terms, BinOp::PtrAdd, Ty::Ptr, start, bytes).expect("supported");
    let Op::Var(var) = terms.op(index) else { unreachable!("a variable") };
    for i in 0..256u128 {
        let mut assignment = Assignment::new();
        assignment.set(var, Value::Bits(Bits::from_u128(8, i)));
        let wanted = value::binary(BinOp::PtrAdd, Ty::Ptr, 7 << 32 | 100, i);
        assert_eq!(assignment.eval(&terms, sum), Value::Bits(Bits::from_u128(64, wanted)));
    }
    assert!(!terms.display(sum).to_string().contains("ite"), "{}", terms.display(sum));
}
