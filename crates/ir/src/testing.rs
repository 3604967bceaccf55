//! Random programs for property tests: well-typed, deterministic by seed.

use heddle_base::{Id, IndexVec, Loc, SourceMap};

use crate::expr::{Base, BinOp, CastOp, Expr, ExprId, UnOp};
use crate::layout::{Field, Layout, LayoutId, LayoutKind};
use crate::program::*;
use crate::property::Property;
use crate::step::*;
use crate::ty::{DataModel, Ty};

/// What random programs draw from a generator.
pub(crate) struct Rng(heddle_base::Random);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(heddle_base::Random::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const NAMES: [&str; 12] = ["x", "y", "self", "load", "r3", "m0", "null", "i", "not a word", "q.2", "größe", "main"];

/// A random well-formed program: every kind of step and operator occurs in some.
pub(crate) fn random_program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let model = rng.pick(&[DataModel::Lp64, DataModel::Lp64, DataModel::Ilp32]);
    let mut sources = SourceMap::new();
    for name in ["a.c", "dir with space/b.h", " odd:1\n"] {
        sources.file_named(name);
    }
    let mut program = Program {
        model,
        functions: IndexVec::new(),
        globals: IndexVec::new(),
        layouts: random_layouts(&mut rng, model),
        inputs: IndexVec::new(),
        checks: IndexVec::new(),
        entry: FuncId::new(0),
        sources,
    };
    for (i, ty) in Ty::ALL.into_iter().enumerate() {
        let kind = rng.pick(&InputKind::ALL);
        program.inputs.push(Input { name: format!("in.{i}"), ty, kind, loc: random_loc(&mut rng) });
    }
    for i in 0..5 {
        let property = rng.pick(&Property::ALL);
        program.checks.push(Check { property, message: format!("check \"{i}\" @ \\ ü\n") });
    }
    for i in 0..4 {
        let function = random_signature(&mut rng, i);
        program.functions.push(function);
    }
    for i in 0..6 {
        let global = random_global(&mut rng, i, &program);
        program.globals.push(global);
    }
    for id in program.functions.ids() {
        let mut builder = Builder { rng: &mut rng, program: &program, function: program.functions[id].clone() };
        builder.body();
        program.functions[id] = builder.function;
    }
    program
}

fn random_loc(rng: &mut Rng) -> Loc {
    match rng.below(4) {
        0 => Loc::nowhere(),
        file => Loc { file: Id::new(file - 1), line: rng.below(99) as u32 + 1, col: rng.below(30) as u32 + 1 },
    }
}

fn random_layouts(rng: &mut Rng, model: DataModel) -> IndexVec<LayoutId, Layout> {
    let mut layouts: IndexVec<LayoutId, Layout> = IndexVec::new();
    for ty in Ty::ALL.into_iter().filter(|&t| t != Ty::Bool) {
        layouts.push(Layout::scalar(ty, model));
    }
    layouts.push(Layout { size: 4, align: 1, kind: LayoutKind::Scalar(Ty::I32) });
    layouts.push(Layout { size: 33, align: 1, kind: LayoutKind::Bytes });
    for i in 0..6 {
        let elem = LayoutId::new(rng.below(layouts.len()));
        let (size, align) = (layouts[elem].size, layouts[elem].align);
        let layout = if rng.chance(50) {
            let len = rng.below(4) as u64 + 1;
            Layout { size: size * len, align, kind: LayoutKind::Array { elem, len } }
        } else {
            let name = format!("{} {}", rng.pick(&["struct", "union"]), rng.pick(&["node", "<anonymous>", "n2"]));
            let field = |name: &str, bits| Field { name: name.to_owned(), offset: 0, layout: elem, bits };
            let fields = vec![field("head", None), field("", Some((i, 2)))];
            let kind = LayoutKind::Record { name, overlapping: i % 2 == 0, fields };
            Layout { size, align, kind }
        };
        layouts.push(layout);
    }
    layouts
}

fn random_global(rng: &mut Rng, i: usize, program: &Program) -> Global {
    let layout = LayoutId::new(rng.below(program.layouts.len()));
    let shape = &program.layouts[layout];
    let mut init = Vec::new();
    if let LayoutKind::Scalar(ty) = shape.kind {
        init.push(InitItem { offset: 0, value: ConstValue::Scalar { ty, bits: random_bits(rng, ty, program.model) } });
    } else if shape.size >= 4 {
        init.push(InitItem { offset: 0, value: ConstValue::Bytes(b"a\0\"".to_vec()) });
    }
    if shape.kind == LayoutKind::Scalar(Ty::Ptr) && i > 0 {
        let global = GlobalId::new(rng.below(i));
        init[0].value = if rng.chance(50) {
            ConstValue::Global { global, offset: rng.below(9) as i64 - 4 }
        } else {
            ConstValue::Func(FuncId::new(rng.below(program.functions.len())))
        };
    }
    Global {
        name: ["x", "counter", "main.x", "str.1", "odd name", "f1"][i].to_owned(),
        layout,
        size: shape.size + rng.below(2) as u64 * 8,
        align: shape.align,
        init,
        thread_local: rng.chance(20),
        constant: rng.chance(20),
        external: rng.chance(20),
        loc: random_loc(rng),
        model: rng.chance(20),
    }
}

fn random_bits(rng: &mut Rng, ty: Ty, model: DataModel) -> u128 {
    let wide = u128::from(rng.next()) << 64 | u128::from(rng.next());
    let width = if ty == Ty::Bool { 1 } else { 8 * ty.size(model) as u32 };
    let bits = rng.pick(&[0, 1, 2, 7, wide, u128::MAX]);
    if width == 128 { bits } else { bits & ((1 << width) - 1) }
}

fn random_signature(rng: &mut Rng, i: usize) -> Function {
    let mut regs = IndexVec::new();
    let named = |name: &str, ty| Reg { ty, name: Some(name.to_owned()) };
    for ty in Ty::ALL {
        let name = rng.pick(&NAMES);
        regs.push(if rng.chance(60) { named(name, ty) } else { Reg { ty, name: None } });
    }
    let count = if i == 0 { 0 } else { rng.below(4) };
    let mut params: Vec<RegId> = (0..count).map(RegId::new).collect();
    if rng.chance(30) {
        params.reverse();
    }
    let variadic = i > 0 && rng.chance(30);
    if variadic {
        params.push(regs.push(named("va", Ty::Ptr)));
    }
    Function {
        name: ["main", "f1", "worker.2", "odd function"][i].to_owned(),
        params,
        variadic,
        ret: rng.pick(&[None, Some(Ty::I32), Some(Ty::F32), Some(Ty::Ptr)]),
        regs,
        slots: IndexVec::new(),
        exprs: IndexVec::new(),
        steps: IndexVec::new(),
        loc: random_loc(rng),
        model: rng.chance(20),
        external: rng.chance(20),
    }
}

struct Builder<'a> {
    rng: &'a mut Rng,
    program: &'a Program,
    function: Function,
}

impl Builder<'_> {
    fn body(&mut self) {
        for _ in 0..3 {
            let name = self.rng.pick(&NAMES).to_owned();
            let layout = LayoutId::new(self.rng.below(self.program.layouts.len()));
            self.function.slots.push(Slot { name, layout, loc: random_loc(self.rng) });
        }
        for slot in self.function.slots.ids() {
            self.step(StepKind::Live { slot });
        }
        let count = 10 + self.rng.below(30);
        for _ in 0..count {
            match self.rng.below(12) {
                0 => self.section(),
                1 => {
                    // Jumps to the end or back to the first step after the declarations, both outside sections.
                    let target = self.rng.pick(&[StepId::new(3), StepId::new(usize::MAX >> 40)]);
                    let cond = self.expr(Ty::Bool, 3);
                    self.step(StepKind::Branch { cond, target });
                }
                _ => {
                    let kind = self.plain();
                    self.step(kind);
                }
            }
        }
        let end = self.function.steps.next_id();
        for step in self.function.steps.iter_mut() {
            if let StepKind::Goto { target } | StepKind::Branch { target, .. } = &mut step.kind {
                *target = (*target).min(end);
            }
        }
        self.step(StepKind::Skip);
        let value = self.function.ret.map(|ty| self.expr(ty, 2));
        self.step(StepKind::Return { value });
        let status = self.expr(Ty::I32, 1);
        self.step(StepKind::ProcessExit { status, abort: status.index().is_multiple_of(2) });
        self.step(StepKind::ThreadExit);
    }

    fn step(&mut self, kind: StepKind) {
        let loc = random_loc(self.rng);
        self.function.steps.push(Step { kind, loc });
    }

    fn section(&mut self) {
        let section = self.rng.pick(&Section::ALL);
        self.step(StepKind::AtomicBegin { section });
        let cond = self.expr(Ty::Bool, 2);
        let object = self.expr(Ty::Ptr, 1);
        let kind = self.rng.pick(&SyncKind::ALL);
        self.step(StepKind::Await { cond, spurious: self.function.steps.len().is_multiple_of(2), kind, object });
        let op = self.rng.pick(&SyncOp::ALL);
        self.step(StepKind::Sync { op, kind, object });
        let store = self.plain();
        self.step(store);
        self.step(StepKind::AtomicEnd);
    }

    fn plain(&mut self) -> StepKind {
        let ty = self.rng.pick(&Ty::ALL);
        let memory_ty = if ty == Ty::Bool { Ty::I8 } else { ty };
        let access = Access { order: self.rng.pick(&MemOrder::ALL), internal: self.rng.chance(20) };
        let layout = LayoutId::new(self.rng.below(self.program.layouts.len()));
        let layout_len = Expr::Const { ty: Ty::I64, bits: u128::from(self.program.layouts[layout].size) };
        match self.rng.below(17) {
            0 | 1 => StepKind::Assign { dst: self.reg(ty), value: self.expr(ty, 4) },
            2 => StepKind::Havoc { dst: self.reg(ty), input: self.input(ty) },
            3 => StepKind::Load { dst: self.reg(memory_ty), addr: self.expr(Ty::Ptr, 2), ty: memory_ty, access },
            4 => {
                let (addr, value) = (self.expr(Ty::Ptr, 2), self.expr(memory_ty, 2));
                StepKind::Store { addr, value, ty: memory_ty, access }
            }
            5 => {
                let (dst, src) = (self.expr(Ty::Ptr, 1), self.expr(Ty::Ptr, 1));
                if self.rng.chance(50) {
                    let len = self.function.exprs.push(layout_len);
                    StepKind::Copy { dst, src, len, layout: Some(layout) }
                } else {
                    StepKind::Copy { dst, src, len: self.expr(Ty::I64, 2), layout: None }
                }
            }
            6 => {
                let (dst, byte) = (self.expr(Ty::Ptr, 1), self.expr(Ty::I8, 1));
                let len = self.function.exprs.push(layout_len);
                StepKind::Fill { dst, byte, len, layout: Some(layout) }
            }
            7 => {
                let (dst, size) = (self.reg(Ty::Ptr), self.expr(Ty::I64, 1));
                StepKind::Alloc { dst, size, zeroed: self.rng.chance(50), kind: self.rng.pick(&AllocKind::ALL) }
            }
            8 => StepKind::Free { addr: self.expr(Ty::Ptr, 1), kind: self.rng.pick(&AllocKind::ALL) },
            9 => StepKind::ObjectSize { dst: self.reg(Ty::I64), addr: self.expr(Ty::Ptr, 1) },
            10 => self.call(),
            11 => StepKind::Assume { cond: self.expr(Ty::Bool, 3) },
            12 => StepKind::Assert { cond: self.expr(Ty::Bool, 3), check: CheckId::new(self.rng.below(4)) },
            13 => {
                let args = vec![self.expr(Ty::Ptr, 1), self.expr(ty, 1)];
                let dst = self.rng.chance(50).then(|| self.reg(Ty::I32));
                StepKind::Output { dst, function: self.rng.pick(&["printf", "put s"]).to_owned(), args }
            }
            14 => StepKind::Spawn { callee: Callee::Indirect(self.expr(Ty::Ptr, 1)), arg: self.expr(Ty::Ptr, 1) },
            15 => StepKind::Fence { order: access.order },
            _ => StepKind::Skip,
        }
    }

    fn call(&mut self) -> StepKind {
        let func = FuncId::new(self.rng.below(self.program.functions.len()));
        if self.rng.chance(30) {
            let callee = Callee::Indirect(self.expr(Ty::Ptr, 1));
            let args = vec![self.expr(Ty::I64, 1), self.expr(Ty::I32, 1)];
            let dst = self.rng.chance(50).then(|| self.reg(Ty::I16));
            return StepKind::Call { dst, callee, args };
        }
        let target = &self.program.functions[func];
        let args = target.params.iter().map(|&p| self.expr(target.regs[p].ty, 2)).collect();
        let dst = target.ret.map(|ty| self.reg(ty));
        StepKind::Call { dst, callee: Callee::Direct(func), args }
    }

    /// Every type has a register: they are made in the order of [`Ty::ALL`].
    fn reg(&mut self, ty: Ty) -> RegId {
        RegId::new(Ty::ALL.iter().position(|&t| t == ty).unwrap_or(0))
    }

    fn input(&mut self, ty: Ty) -> InputId {
        InputId::new(Ty::ALL.iter().position(|&t| t == ty).unwrap_or(0))
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> ExprId {
        let expr = if depth == 0 { self.leaf(ty) } else { self.inner(ty, depth - 1) };
        self.function.exprs.push(expr)
    }

    fn leaf(&mut self, ty: Ty) -> Expr {
        let bits = random_bits(self.rng, ty, self.program.model);
        match ty {
            _ if self.rng.chance(30) => Expr::Reg(self.reg(ty)),
            Ty::I32 if self.rng.chance(20) => Expr::SelfId,
            Ty::Ptr if self.rng.chance(80) => {
                let base = match self.rng.below(3) {
                    0 => Base::Global(GlobalId::new(self.rng.below(self.program.globals.len()))),
                    1 => Base::Slot(SlotId::new(self.rng.below(self.function.slots.len()))),
                    _ => Base::Func(FuncId::new(self.rng.below(self.program.functions.len()))),
                };
                Expr::Addr { base, offset: self.rng.pick(&[0, 8, -4]) }
            }
            _ => Expr::Const { ty, bits },
        }
    }

    fn inner(&mut self, ty: Ty, depth: u32) -> Expr {
        match self.rng.below(5) {
            0 => self.leaf(ty),
            1 => {
                let (cond, then) = (self.expr(Ty::Bool, depth), self.expr(ty, depth));
                Expr::Ite { cond, then, otherwise: self.expr(ty, depth) }
            }
            2 => self.cast(ty, depth),
            3 => self.unary(ty, depth),
            _ => self.binary(ty, depth),
        }
    }

    fn cast(&mut self, ty: Ty, depth: u32) -> Expr {
        let pointer_int = self.program.model.pointer_int();
        let (op, from) = match ty {
            Ty::Bool => return self.leaf(ty),
            Ty::Ptr => (CastOp::IntToPtr, pointer_int),
            Ty::I8 => (CastOp::ZExt, Ty::Bool),
            Ty::I16 => (CastOp::Trunc, Ty::I32),
            Ty::I32 => (self.rng.pick(&[CastOp::SExt, CastOp::ZExt]), Ty::I16),
            Ty::I64 => (self.rng.pick(&[CastOp::FToS, CastOp::FToU, CastOp::Bitcast]), Ty::F64),
            Ty::I128 => (CastOp::SExt, Ty::I64),
            Ty::F16 | Ty::F80 | Ty::F128 => (CastOp::FToF, Ty::F64),
            Ty::F32 | Ty::F64 => (self.rng.pick(&[CastOp::SToF, CastOp::UToF]), Ty::I32),
        };
        if ty == pointer_int && self.rng.chance(50) {
            return Expr::Cast { op: CastOp::PtrToInt, to: ty, arg: self.expr(Ty::Ptr, depth) };
        }
        Expr::Cast { op, to: ty, arg: self.expr(from, depth) }
    }

    fn unary(&mut self, ty: Ty, depth: u32) -> Expr {
        let op = self.rng.pick(&UnOp::ALL);
        let float = Ty::F32;
        match op {
            UnOp::BoolNot | UnOp::FIsNan | UnOp::FIsInf | UnOp::FSignBit if ty == Ty::Bool => {
                let of = if op == UnOp::BoolNot { Ty::Bool } else { float };
                Expr::Unary(op, self.expr(of, depth))
            }
            UnOp::Neg | UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap if ty.is_int() => {
                Expr::Unary(op, self.expr(ty, depth))
            }
            UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt if ty.is_float() => Expr::Unary(op, self.expr(ty, depth)),
            _ => self.leaf(ty),
        }
    }

    fn binary(&mut self, ty: Ty, depth: u32) -> Expr {
        let op = self.rng.pick(&BinOp::ALL);
        let wanted = match (ty, op) {
            (Ty::Ptr, _) => {
                return Expr::Binary(BinOp::PtrAdd, self.expr(Ty::Ptr, depth), self.expr(Ty::I64, depth));
            }
            (Ty::I64, BinOp::PtrDiff) => Some(Ty::Ptr),
            (_, BinOp::PtrDiff | BinOp::PtrAdd) => None,
            (Ty::Bool, BinOp::FEq | BinOp::FNe | BinOp::FLt | BinOp::FLe) => Some(Ty::F64),
            (Ty::Bool, BinOp::Eq | BinOp::Ne) => Some(self.rng.pick(&[Ty::Bool, Ty::I32, Ty::Ptr])),
            (Ty::Bool, BinOp::ULt | BinOp::ULe) => Some(self.rng.pick(&[Ty::I8, Ty::I64, Ty::Ptr])),
            (Ty::Bool, _) if op.is_predicate() => Some(self.rng.pick(&[Ty::I8, Ty::I32, Ty::I128])),
            (Ty::Bool, BinOp::And | BinOp::Or | BinOp::Xor) => Some(Ty::Bool),
            (_, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem) => {
                Some(ty).filter(|t| t.is_float())
            }
            _ if op.is_predicate() => None,
            _ => Some(ty).filter(|t| t.is_int()),
        };
        match wanted {
            Some(of) => Expr::Binary(op, self.expr(of, depth), self.expr(of, depth)),
            None => self.leaf(ty),
        }
    }
}
