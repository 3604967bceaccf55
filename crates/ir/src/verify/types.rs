//! Ids and types of expressions and steps.

use heddle_base::{Id, IndexVec};
use rustc_hash::FxHashSet;

use super::data::fits;
use super::{Errors, Place, VerifyErrorKind};
use crate::expr::{Base, BinOp, CastOp, Expr, ExprId, UnOp, result_type};
use crate::layout::LayoutId;
use crate::program::{FuncId, Function, Program, RegId};
use crate::step::{Callee, StepKind};
use crate::ty::Ty;

pub(super) fn verify_functions(program: &Program, errors: &mut Errors) {
    for (id, function) in program.functions.iter_enumerated() {
        errors.place = Place::Function(id, function.name.clone());
        declarations(program, id, function, errors);
        // Types are computed through operands and registers, so those must be there.
        if !expression_ids(program, function, errors) {
            continue;
        }
        let types = function.expr_types();
        let mut checker = Checker { program, function, types, errors };
        checker.expressions();
        for (step, at) in function.steps.iter_enumerated() {
            checker.errors.place = Place::Step(id, function.name.clone(), step);
            checker.step(&at.kind);
        }
    }
}

fn declarations(program: &Program, id: FuncId, function: &Function, errors: &mut Errors) {
    let mut seen = FxHashSet::default();
    for &param in &function.params {
        if errors.in_range("register", param, function.regs.len()) && !seen.insert(param) {
            errors.push(VerifyErrorKind::Params("two parameters in one register"));
        }
    }
    let last_is_ptr = function.params.last().and_then(|&p| function.regs.get(p)).is_some_and(|r| r.ty == Ty::Ptr);
    if function.variadic && !last_is_ptr {
        errors.push(VerifyErrorKind::Params("the last parameter of a variadic function is no pointer"));
    }
    if id == program.entry && !function.params.is_empty() {
        errors.push(VerifyErrorKind::Params("the entry has parameters"));
    }
    for slot in function.slots.iter() {
        errors.in_range("layout", slot.layout, program.layouts.len());
    }
    if function.steps.iter().last().is_none_or(|s| s.kind.falls_through()) {
        errors.push(VerifyErrorKind::FallsOffEnd);
    }
}

fn expression_ids(program: &Program, function: &Function, errors: &mut Errors) -> bool {
    let before = errors.list.len();
    for (id, expr) in function.exprs.iter_enumerated() {
        if expr.operands().any(|operand| operand >= id) {
            errors.push(VerifyErrorKind::OperandOrder(id.to_string()));
        }
        match *expr {
            Expr::Reg(reg) => drop(errors.in_range("register", reg, function.regs.len())),
            Expr::Addr { base: Base::Global(g), .. } => drop(errors.in_range("global", g, program.globals.len())),
            Expr::Addr { base: Base::Slot(s), .. } => drop(errors.in_range("local", s, function.slots.len())),
            Expr::Addr { base: Base::Func(f), .. } => drop(errors.in_range("function", f, program.functions.len())),
            Expr::Const { ty, bits } if !fits(ty, bits, program) => {
                errors.push(VerifyErrorKind::ConstantTooWide(id.to_string()));
            }
            Expr::Const { .. }
            | Expr::SelfId
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cast { .. }
            | Expr::Ite { .. } => {}
        }
    }
    errors.list.len() == before
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    types: IndexVec<ExprId, Ty>,
    errors: &'a mut Errors,
}

impl Checker<'_> {
    fn expressions(&mut self) {
        for (id, expr) in self.function.exprs.iter_enumerated() {
            match *expr {
                Expr::Const { .. } | Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId => {}
                Expr::Unary(op, arg) => self.unary(id, op, arg),
                Expr::Binary(op, left, right) => self.binary(id, op, left, right),
                Expr::Cast { op, to, arg } => self.cast(id, op, to, self.types[arg]),
                Expr::Ite { cond, then, otherwise } => {
                    self.want(&format!("condition of {id}"), self.types[cond], Ty::Bool);
                    self.want(&format!("second value of {id}"), self.types[otherwise], self.types[then]);
                }
            }
            debug_assert_eq!(
                self.types[id],
                match *expr {
                    Expr::Reg(reg) => self.function.regs[reg].ty,
                    Expr::Ite { then, .. } => result_type(expr, self.types[then]),
                    _ => result_type(expr, expr.operands().next().map_or(Ty::Bool, |o| self.types[o])),
                }
            );
        }
    }

    fn want(&mut self, what: &str, found: Ty, expected: Ty) {
        if found != expected {
            self.wrong(what, found, expected.name());
        }
    }

    fn wrong(&mut self, what: &str, found: Ty, expected: &str) {
        let (what, expected) = (what.to_owned(), expected.to_owned());
        self.errors.push(VerifyErrorKind::Type { what, expected, found });
    }

    fn unary(&mut self, id: ExprId, op: UnOp, arg: ExprId) {
        let ty = self.types[arg];
        let (good, expected) = match op {
            UnOp::Neg | UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => (ty.is_int(), "an integer"),
            UnOp::BoolNot => (ty == Ty::Bool, "bool"),
            UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit => {
                (ty.is_float(), "a float")
            }
        };
        if !good {
            self.wrong(&format!("operand of {} {id}", op.name()), ty, expected);
        }
    }

    fn binary(&mut self, id: ExprId, op: BinOp, left: ExprId, right: ExprId) {
        let (lt, rt) = (self.types[left], self.types[right]);
        let (good, expected) = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                (lt.is_int(), "an integer")
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SLt | BinOp::SLe => (lt.is_int(), "an integer"),
            BinOp::SAddO | BinOp::UAddO | BinOp::SSubO | BinOp::USubO | BinOp::SMulO | BinOp::UMulO => {
                (lt.is_int(), "an integer")
            }
            BinOp::And | BinOp::Or | BinOp::Xor => (lt.is_int() || lt == Ty::Bool, "an integer or bool"),
            BinOp::Eq | BinOp::Ne => (!lt.is_float(), "an integer, bool or ptr"),
            BinOp::ULt | BinOp::ULe => (lt.is_int() || lt == Ty::Ptr, "an integer or ptr"),
            BinOp::PtrAdd | BinOp::PtrDiff => (lt == Ty::Ptr, "ptr"),
            BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FEq
            | BinOp::FNe
            | BinOp::FLt
            | BinOp::FLe => (lt.is_float(), "a float"),
        };
        if !good {
            self.wrong(&format!("left operand of {} {id}", op.name()), lt, expected);
        }
        let right_wanted = if op == BinOp::PtrAdd { Ty::I64 } else { lt };
        self.want(&format!("right operand of {} {id}", op.name()), rt, right_wanted);
    }

    fn cast(&mut self, id: ExprId, op: CastOp, to: Ty, from: Ty) {
        let model = self.program.model;
        let narrower = |a: Ty, b: Ty| a.int_bits() < b.int_bits();
        let good = match op {
            CastOp::Trunc => from.is_int() && to.is_int() && narrower(to, from),
            CastOp::ZExt => (from.is_int() || from == Ty::Bool) && to.is_int() && narrower(from, to),
            CastOp::SExt => from.is_int() && to.is_int() && narrower(from, to),
            CastOp::FToS | CastOp::FToU => from.is_float() && to.is_int(),
            CastOp::SToF | CastOp::UToF => from.is_int() && to.is_float(),
            CastOp::FToF => from.is_float() && to.is_float(),
            CastOp::PtrToInt => from == Ty::Ptr && to == model.pointer_int(),
            CastOp::IntToPtr => from == model.pointer_int() && to == Ty::Ptr,
            CastOp::Bitcast => {
                let plain = |t: Ty| t.is_int() || t.is_float();
                plain(from) && plain(to) && from.size(model) == to.size(model)
            }
        };
        if !good {
            self.wrong(&format!("operand of {id}"), from, &format!("what {} makes {to}", op.name()));
        }
    }

    /// An operand of a step; its type, if it is one.
    fn operand(&mut self, what: &str, expr: ExprId, expected: Ty) {
        if self.errors.in_range("expression", expr, self.types.len()) {
            self.want(what, self.types[expr], expected);
        }
    }

    fn dst(&mut self, reg: RegId, expected: Ty) {
        if self.errors.in_range("register", reg, self.function.regs.len()) {
            self.want("result", self.function.regs[reg].ty, expected);
        }
    }

    fn memory_type(&mut self, ty: Ty) {
        if ty == Ty::Bool {
            self.wrong("access", ty, "a type that memory holds");
        }
    }

    fn region(&mut self, len: ExprId, layout: Option<LayoutId>) {
        self.operand("length", len, Ty::I64);
        let Some(layout) = layout else { return };
        if !self.errors.in_range("layout", layout, self.program.layouts.len()) {
            return;
        }
        let size = self.program.layouts[layout].size;
        if let Some(&Expr::Const { bits, .. }) = self.function.exprs.get(len)
            && bits != u128::from(size)
        {
            self.errors.push(VerifyErrorKind::LengthMismatch { layout: size, len: bits as u64 });
        }
    }

    fn step(&mut self, step: &StepKind) {
        if let Some(target) = step.target() {
            self.errors.in_range("step", target, self.function.steps.len());
        }
        match step {
            StepKind::Assign { dst, value } => {
                if self.errors.in_range("register", *dst, self.function.regs.len()) {
                    self.operand("value", *value, self.function.regs[*dst].ty);
                }
            }
            StepKind::Havoc { dst, input } => {
                if self.errors.in_range("input", *input, self.program.inputs.len()) {
                    self.dst(*dst, self.program.inputs[*input].ty);
                }
            }
            StepKind::Load { dst, addr, ty, access: _ } => {
                self.memory_type(*ty);
                self.dst(*dst, *ty);
                self.operand("address", *addr, Ty::Ptr);
            }
            StepKind::Store { addr, value, ty, access: _ } => {
                self.memory_type(*ty);
                self.operand("address", *addr, Ty::Ptr);
                self.operand("value", *value, *ty);
            }
            StepKind::Copy { dst, src, len, layout } => {
                self.operand("target", *dst, Ty::Ptr);
                self.operand("source", *src, Ty::Ptr);
                self.region(*len, *layout);
            }
            StepKind::Fill { dst, byte, len, layout } => {
                self.operand("target", *dst, Ty::Ptr);
                self.operand("byte", *byte, Ty::I8);
                self.region(*len, *layout);
            }
            StepKind::Live { slot } | StepKind::Dead { slot } => {
                self.errors.in_range("local", *slot, self.function.slots.len());
            }
            StepKind::Alloc { dst, size, zeroed: _, kind: _ } => {
                self.dst(*dst, Ty::Ptr);
                self.operand("size", *size, Ty::I64);
            }
            StepKind::Free { addr, kind: _ } => self.operand("address", *addr, Ty::Ptr),
            StepKind::ObjectSize { dst, addr } => {
                self.dst(*dst, Ty::I64);
                self.operand("address", *addr, Ty::Ptr);
            }
            StepKind::Call { dst, callee, args } => self.call(*dst, *callee, args),
            StepKind::Return { value } => match (value, self.function.ret) {
                (Some(value), Some(ty)) => self.operand("result", *value, ty),
                (None, None) => {}
                (Some(_), None) => {
                    self.errors.push(VerifyErrorKind::Result("return with a value from a function without result"));
                }
                (None, Some(_)) => {
                    self.errors.push(VerifyErrorKind::Result("return without a value from a function with a result"));
                }
            },
            StepKind::Await { cond, spurious: _, kind: _, object } => {
                self.operand("condition", *cond, Ty::Bool);
                self.operand("object", *object, Ty::Ptr);
            }
            StepKind::Spawn { callee, arg } => self.spawn(*callee, *arg),
            StepKind::ProcessExit { status, abort: _ } => self.operand("status", *status, Ty::I32),
            StepKind::Branch { cond, target: _ } | StepKind::Assume { cond } => {
                self.operand("condition", *cond, Ty::Bool);
            }
            StepKind::Assert { cond, check } => {
                self.operand("condition", *cond, Ty::Bool);
                self.errors.in_range("check", *check, self.program.checks.len());
            }
            StepKind::Sync { op: _, kind: _, object } => self.operand("object", *object, Ty::Ptr),
            StepKind::Output { dst, function: _, args } => {
                if let Some(dst) = dst {
                    self.errors.in_range("register", *dst, self.function.regs.len());
                }
                for arg in args {
                    self.errors.in_range("expression", *arg, self.types.len());
                }
            }
            StepKind::Goto { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::ThreadExit
            | StepKind::Fence { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Skip => {}
        }
    }

    fn call(&mut self, dst: Option<RegId>, callee: Callee, args: &[ExprId]) {
        for arg in args {
            self.errors.in_range("expression", *arg, self.types.len());
        }
        if let Some(dst) = dst {
            self.errors.in_range("register", dst, self.function.regs.len());
        }
        let func = match callee {
            Callee::Direct(func) => func,
            Callee::Indirect(pointer) => return self.operand("callee", pointer, Ty::Ptr),
        };
        if !self.errors.in_range("function", func, self.program.functions.len()) {
            return;
        }
        let target = &self.program.functions[func];
        if target.params.len() != args.len() {
            let (expected, found) = (target.params.len(), args.len());
            self.errors.push(VerifyErrorKind::ArgumentCount { expected, found });
        }
        for (i, (arg, param)) in args.iter().zip(&target.params).enumerate() {
            if let (Some(reg), true) = (target.regs.get(*param), arg.index() < self.types.len()) {
                self.want(&format!("argument {}", i + 1), self.types[*arg], reg.ty);
            }
        }
        match (dst, target.ret) {
            (Some(dst), Some(ty)) if dst.index() < self.function.regs.len() => self.dst(dst, ty),
            (Some(_), None) => self.errors.push(VerifyErrorKind::Result("callee has no result")),
            _ => {}
        }
    }

    fn spawn(&mut self, callee: Callee, arg: ExprId) {
        self.operand("argument", arg, Ty::Ptr);
        let func = match callee {
            Callee::Direct(func) => func,
            Callee::Indirect(pointer) => return self.operand("callee", pointer, Ty::Ptr),
        };
        if !self.errors.in_range("function", func, self.program.functions.len()) {
            return;
        }
        let target = &self.program.functions[func];
        let param_types = target.params.iter().filter_map(|&p| target.regs.get(p)).map(|r| r.ty);
        if target.params.len() > 1 || param_types.into_iter().any(|ty| ty != Ty::Ptr) {
            self.errors.push(VerifyErrorKind::Params("a spawned function takes one pointer or nothing"));
        }
    }
}
