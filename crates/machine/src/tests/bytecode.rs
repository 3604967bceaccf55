//! Operators as bytecode, which has its own shortcuts, against `heddle_ir::value`.

use heddle_base::{Id, IndexVec, Loc, Random};
use heddle_ir::{BinOp, Expr, FuncId, Program, Reg, RegId, Step, StepId, StepKind, Ty, UnOp, Visibility, value};

use crate::testing::program;

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
        for ty in [Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::I128] {
            let pointers = matches!(op, BinOp::PtrAdd | BinOp::PtrDiff);
            if pointers || op.name().starts_with('f') {
                continue;
            }
            for _ in 0..if ty == Ty::I128 { 60 } else { 300 } {
                let (a, b) = (operand(&mut random, value::bits_of(ty)), operand(&mut random, value::bits_of(ty)));
                through_bytecode(op, ty, a, b, value::binary(op, ty, a, b));
            }
        }
    }
}

/// The same operator as a program: the bytecode has its own shortcuts.
fn through_bytecode(op: BinOp, ty: Ty, a: u128, b: u128, expected: u128) {
    thread_local! {
        static BASE: Program = program("global g: i32 = 0\nglobal f: i32 = 0\nfn main() { exit 0 }");
    }
    BASE.with(|base| {
        let mut program = base.clone();
        let result = if op.is_predicate() { Ty::Bool } else { ty };
        let main = &mut program.functions[FuncId::new(0)];
        main.exprs = IndexVec::new();
        main.regs = [ty, ty, result].into_iter().map(|ty| Reg { ty, name: None }).collect();
        let left = main.exprs.push(Expr::Const { ty, bits: a });
        let right = main.exprs.push(Expr::Const { ty, bits: b });
        let (r0, r1) = (main.exprs.push(Expr::Reg(RegId::new(0))), main.exprs.push(Expr::Reg(RegId::new(1))));
        let value = main.exprs.push(Expr::Binary(op, r0, r1));
        let want = main.exprs.push(Expr::Const { ty: result, bits: expected });
        let got = main.exprs.push(Expr::Reg(RegId::new(2)));
        let same = main.exprs.push(Expr::Binary(BinOp::Eq, got, want));
        // A predicate also decides a branch, where the comparison is fused with the jump.
        let cond = if op.is_predicate() { value } else { same };
        let lnot = main.exprs.push(Expr::Unary(UnOp::BoolNot, cond));
        let one = main.exprs.push(Expr::Const { ty: Ty::I32, bits: 1 });
        let zero = main.exprs.push(Expr::Const { ty: Ty::I32, bits: 0 });
        let failed = StepId::new(6);
        let step = |kind| Step { kind, loc: Loc::nowhere() };
        let holds = !op.is_predicate() || expected == 1;
        main.steps = [
            StepKind::Assign { dst: RegId::new(0), value: left },
            StepKind::Assign { dst: RegId::new(1), value: right },
            StepKind::Assign { dst: RegId::new(2), value },
            StepKind::Branch { cond: if holds { lnot } else { cond }, target: failed },
            StepKind::Branch { cond: same, target: StepId::new(7) },
            StepKind::Skip,
            StepKind::ProcessExit { status: one, abort: false },
            StepKind::ProcessExit { status: zero, abort: false },
        ]
        .into_iter()
        .map(step)
        .collect();
        let code = crate::compile(&program, &Visibility::conservative(&program));
        let mut machine = crate::Machine::new(&program, &code, crate::Config::default());
        let outcome = crate::run(&mut machine, &mut crate::First, &mut Vec::new()).unwrap();
        assert_eq!(outcome.to_string(), "exit 0", "{} {ty} {a:#x} {b:#x}", op.name());
    });
}
