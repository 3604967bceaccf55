//! From steps to bytecode.

use std::hash::{Hash, Hasher};

use heddle_base::{Id, IndexVec};
use heddle_ir::assertions::Assertions;
use heddle_ir::walk::Walker;
use heddle_ir::{
    Access, Base, BinOp, Callee, CastOp, DataModel, Expr, ExprId, FuncId, Function, InputKind, Program, RegId, StepId,
    StepKind, SyncOp, Ty, UnOp,
};
use rustc_hash::{FxHashMap, FxHasher};

use crate::code::{AccessFlags, CallInfo, Code, FuncCode, NO_WORD, Op, OutputInfo, Pc, Word};
use heddle_ir::objects::{func_object, global_object, thread_local_indices};
use heddle_ir::section_awaits::Awaits;
use heddle_ir::section_awaits::section_awaits;
use heddle_ir::uninitialised::used_uninitialised;
use heddle_ir::value::{Pointer, binary_result, bits_of, is_wide};
use heddle_ir::visibility::Visibility;

/// Compiles a program whose shared steps `visibility` tells.
pub fn compile(program: &Program, visibility: &Visibility) -> Code {
    let thread_locals = thread_local_indices(program);
    let (awaits, assertions) = (section_awaits(program), Assertions::new(program));
    let functions: IndexVec<FuncId, FuncCode> = program
        .functions
        .iter_enumerated()
        .map(|(id, function)| {
            let mut compiler = Compiler::new(program, visibility, &thread_locals, id, function);
            compiler.function();
            FuncCode { assertions: assertions.of(id).to_vec(), ..compiler.finish(&awaits[id]) }
        })
        .collect();
    let thread_locals = program.globals.iter().filter(|g| g.thread_local).count() as u32;
    Code { fingerprint: fingerprint(program), functions, thread_locals }
}

/// A number that depends on everything of a program but its source places.
fn fingerprint(program: &Program) -> u64 {
    let mut hasher = FxHasher::default();
    program.model.name().hash(&mut hasher);
    program.entry.index().hash(&mut hasher);
    for global in program.globals.iter() {
        (&global.name, global.size, &global.init).hash(&mut hasher);
    }
    for input in program.inputs.iter() {
        input.name.hash(&mut hasher);
    }
    for function in program.functions.iter() {
        function.name.hash(&mut hasher);
        for expr in function.exprs.iter() {
            expr.hash(&mut hasher);
        }
        for step in function.steps.iter() {
            step.kind.hash(&mut hasher);
        }
    }
    hasher.finish()
}

struct Compiler<'p> {
    program: &'p Program,
    visibility: &'p Visibility,
    thread_locals: &'p IndexVec<heddle_ir::GlobalId, u32>,
    id: FuncId,
    function: &'p Function,
    regs: IndexVec<RegId, Word>,
    slots: Vec<(Word, u64)>,
    /// Marks of the registers whose arbitrary value may be used.
    marks: FxHashMap<RegId, Word>,
    first_temp: Word,
    next_temp: Word,
    max_temp: Word,
    /// Constants get their words once the number of temporaries is known; until then they count down from the top.
    constants: Vec<u64>,
    constant_index: FxHashMap<(u64, u64, bool), Word>,
    ops: Vec<Op>,
    step_of: Vec<StepId>,
    start_of: Vec<Pc>,
    /// Values of the step at hand that are in words already.
    memo: FxHashMap<ExprId, Word>,
    step: StepId,
    /// Steps since the last op that counted.
    uncounted: u32,
    calls: Vec<CallInfo>,
    outputs: Vec<OutputInfo>,
    walker: Walker,
    types: IndexVec<ExprId, Ty>,
}

/// Words at and above this stand for constants until the frame is laid out.
const CONSTANT_BASE: Word = 1 << 30;

impl<'p> Compiler<'p> {
    fn new(
        program: &'p Program,
        visibility: &'p Visibility,
        thread_locals: &'p IndexVec<heddle_ir::GlobalId, u32>,
        id: FuncId,
        function: &'p Function,
    ) -> Self {
        let mut next = 0;
        let mut take = |wide: bool| {
            let word = next;
            next += if wide { 2 } else { 1 };
            word
        };
        let regs = function.regs.iter().map(|reg| take(is_wide(reg.ty))).collect();
        let slots = function.slots.iter().map(|slot| (take(false), program.layouts[slot.layout].size)).collect();
        let marks = used_uninitialised(program, function).into_iter().map(|reg| (reg, take(false))).collect();
        Compiler {
            program,
            visibility,
            thread_locals,
            id,
            function,
            regs,
            slots,
            marks,
            first_temp: next,
            next_temp: next,
            max_temp: next,
            constants: Vec::new(),
            constant_index: FxHashMap::default(),
            ops: Vec::new(),
            step_of: Vec::new(),
            start_of: Vec::new(),
            memo: FxHashMap::default(),
            step: StepId::new(0),
            uncounted: 0,
            calls: Vec::new(),
            outputs: Vec::new(),
            walker: Walker::new(),
            types: function.expr_types(),
        }
    }

    fn function(&mut self) {
        let mut is_target = vec![false; self.function.steps.len()];
        for step in self.function.steps.iter() {
            if let Some(target) = step.kind.target() {
                is_target[target.index()] = true;
            }
        }
        for (id, step) in self.function.steps.iter_enumerated() {
            self.step = id;
            self.memo.clear();
            self.next_temp = self.first_temp;
            if (is_target[id.index()] && self.uncounted > 0) || self.uncounted > 60_000 {
                let n = std::mem::take(&mut self.uncounted);
                // Belongs to the step before, so that a jump does not count it.
                self.push(Op::Count { n });
            }
            self.start_of.push(self.ops.len() as Pc);
            self.uncounted += 1;
            self.use_marks(&step.kind);
            self.prepare(&step.kind);
            self.step_kind(&step.kind);
            if let Some(mark) = step.kind.written_reg().and_then(|reg| self.marks.get(&reg).copied()) {
                let uninit = matches!(step.kind, StepKind::Havoc { input, .. }
                    if self.program.inputs[input].kind == InputKind::Uninit);
                self.push(if uninit { Op::Mark { w: mark } } else { Op::Unmark { w: mark } });
            }
        }
    }

    fn finish(mut self, awaits: &[(StepId, Awaits)]) -> FuncCode {
        let base = self.max_temp;
        let start_of = std::mem::take(&mut self.start_of);
        let targets: FxHashMap<StepId, Awaits> = awaits.iter().copied().collect();
        let mut sections = Vec::new();
        for (pc, op) in self.ops.iter_mut().enumerate() {
            relocate(op, base, &start_of);
            if matches!(op, Op::AtomicBegin) {
                sections.push((pc as Pc, targets.get(&self.step_of[pc]).copied().unwrap_or(Awaits::Many)));
            }
        }
        let fix = |word: &mut Word| fix_word(word, base);
        for call in &mut self.calls {
            fix(&mut call.pointer);
            call.args.iter_mut().for_each(|(word, _)| fix(word));
        }
        for output in &mut self.outputs {
            output.args.iter_mut().for_each(|(word, _)| fix(word));
        }
        let mut marks: Vec<(RegId, Word)> = self.marks.into_iter().collect();
        marks.sort_unstable();
        FuncCode {
            ops: self.ops,
            step_of: self.step_of,
            start_of,
            assertions: Vec::new(),
            words: base + self.constants.len() as u32,
            constants: self.constants,
            params: self.function.params.iter().map(|&reg| (self.regs[reg], self.function.regs[reg].ty)).collect(),
            ret: self.function.ret,
            regs: self.regs,
            slots: self.slots,
            marks,
            calls: self.calls,
            outputs: self.outputs,
            sections,
        }
    }

    fn push(&mut self, op: Op) {
        self.ops.push(op);
        self.step_of.push(self.step);
    }

    fn count(&mut self) -> u16 {
        std::mem::take(&mut self.uncounted) as u16
    }

    fn visible(&self) -> bool {
        self.visibility.is_visible(self.id, self.step)
    }

    fn use_marks(&mut self, kind: &StepKind) {
        if self.marks.is_empty() {
            return;
        }
        let mut used = Vec::new();
        self.walker.registers(self.function, kind, |reg| used.push(reg));
        used.sort_unstable();
        used.dedup();
        for reg in used {
            if let Some(&w) = self.marks.get(&reg) {
                self.push(Op::UseMarked { w, reg });
            }
        }
    }

    fn step_kind(&mut self, kind: &StepKind) {
        match *kind {
            StepKind::Assign { dst, value } => self.value_into(value, self.regs[dst]),
            StepKind::Havoc { dst, .. } => self.push(Op::Havoc { d: self.regs[dst] }),
            StepKind::Load { dst, addr, ty, access } => {
                let (d, a) = (self.regs[dst], self.value(addr));
                let flags = self.flags(access);
                let size = ty.size(self.program.model) as u8;
                self.push(if is_wide(ty) {
                    Op::LoadWide { size, flags, d, a }
                } else if self.is_flat(ty) {
                    Op::LoadPtr { flags, d, a }
                } else {
                    Op::Load { size, flags, d, a }
                });
            }
            StepKind::Store { addr, value, ty, access } => {
                let (a, v) = (self.value(addr), self.value(value));
                let flags = self.flags(access);
                let size = ty.size(self.program.model) as u8;
                self.push(if is_wide(ty) {
                    Op::StoreWide { size, flags, a, v }
                } else if self.is_flat(ty) {
                    Op::StorePtr { flags, a, v }
                } else {
                    Op::Store { size, flags, a, v }
                });
            }
            StepKind::Copy { dst, src, len, layout: _ } => {
                let (d, a, len) = (self.value(dst), self.value(src), self.value(len));
                self.push(Op::Copy { visible: self.visible(), d, a, len });
            }
            StepKind::Fill { dst, byte, len, layout: _ } => {
                let (d, byte, len) = (self.value(dst), self.value(byte), self.value(len));
                self.push(Op::Fill { visible: self.visible(), d, byte, len });
            }
            StepKind::Live { slot } => self.push(Op::Live { slot }),
            StepKind::Dead { slot } => self.push(Op::Dead { visible: self.visible(), slot }),
            StepKind::Alloc { dst, size, zeroed: _, kind: _ } => {
                let size = self.value(size);
                self.push(Op::Alloc { d: self.regs[dst], size });
            }
            StepKind::Free { addr, kind: _ } => {
                let a = self.value(addr);
                self.push(Op::Free { visible: self.visible(), a });
            }
            StepKind::ObjectSize { dst, addr } => {
                let a = self.value(addr);
                self.push(Op::ObjectSize { visible: self.visible(), d: self.regs[dst], a });
            }
            StepKind::Goto { target } => {
                let n = self.count();
                self.push(Op::Jump { n, t: target.index() as Pc });
            }
            StepKind::Branch { cond, target } => self.branch(cond, target.index() as Pc),
            StepKind::Call { dst, callee, ref args } => {
                let info = CallInfo {
                    dst: dst.map(|reg| (self.regs[reg], self.function.regs[reg].ty)),
                    direct: direct(callee),
                    pointer: callee.operand().map_or(NO_WORD, |pointer| self.value(pointer)),
                    args: args.iter().map(|&arg| (self.value(arg), self.type_of(arg))).collect(),
                };
                let n = self.count();
                self.calls.push(info);
                self.push(Op::Call { n, index: self.calls.len() as u32 - 1 });
            }
            StepKind::Return { value } => {
                let a = value.map_or(NO_WORD, |value| self.value(value));
                let n = self.count();
                self.push(Op::Return { n, visible: self.visible(), a });
            }
            StepKind::AtomicBegin { section: _ } => self.push(Op::AtomicBegin),
            StepKind::AtomicEnd => self.push(Op::AtomicEnd),
            StepKind::Await { cond, spurious, kind: _, object } => {
                let (c, object) = (self.value(cond), self.value(object));
                self.push(Op::Await { spurious, c, object });
            }
            StepKind::Spawn { callee, arg } => {
                let pointer = callee.operand().map_or(NO_WORD, |pointer| self.value(pointer));
                let direct = direct(callee).map_or(u32::MAX, |func| func.index() as u32);
                let arg = self.value(arg);
                self.push(Op::Spawn { callee: pointer, direct, arg });
            }
            StepKind::ThreadExit => self.push(Op::ThreadExit),
            StepKind::ProcessExit { status, abort: _ } => {
                let status = self.value(status);
                self.push(Op::ProcessExit { status });
            }
            StepKind::Unsupported { what: _ } => self.push(Op::Unsupported),
            StepKind::Assume { cond } => {
                let c = self.value(cond);
                self.push(Op::Assume { c });
            }
            StepKind::Assert { cond, check: _ } => {
                let c = self.value(cond);
                self.push(Op::Assert { c });
            }
            StepKind::Sync { op: SyncOp::Refuse | SyncOp::Detach, .. } => self.push(Op::Skip),
            StepKind::Sync { op: _, kind: _, object } => {
                let object = self.value(object);
                self.push(Op::Sync { object });
            }
            StepKind::Output { dst, ref function, ref args } => {
                let info = OutputInfo {
                    dst: dst.map(|reg| (self.regs[reg], self.function.regs[reg].ty)),
                    function: function.clone(),
                    args: args.iter().map(|&arg| (self.value(arg), self.type_of(arg))).collect(),
                };
                self.outputs.push(info);
                self.push(Op::Output { index: self.outputs.len() as u32 - 1 });
            }
            StepKind::Fence { order } => self.push(Op::Fence { order }),
            StepKind::Skip => self.push(Op::Skip),
        }
    }

    fn flags(&self, access: Access) -> AccessFlags {
        AccessFlags::new(access.order, access.internal, self.visible())
    }

    /// Whether values of this type have another form in memory than in registers.
    fn is_flat(&self, ty: Ty) -> bool {
        ty == Ty::Ptr && self.program.model == DataModel::Ilp32
    }

    // Expressions.

    fn type_of(&self, expr: ExprId) -> Ty {
        self.types[expr]
    }

    /// Computes what a step evaluates from the leaves up where it is large: chains of sums can be too deep to recurse.
    fn prepare(&mut self, kind: &StepKind) {
        const SMALL: usize = 100;
        let mut needed = Vec::new();
        let mut walker = std::mem::take(&mut self.walker);
        walker.visit(self.function, &kind.operands(), |id, _| needed.push(id));
        self.walker = walker;
        if needed.len() > SMALL {
            // Operands come first in the arena.
            needed.sort_unstable();
            for expr in needed {
                self.value(expr);
            }
        }
    }

    fn temp(&mut self, wide: bool) -> Word {
        let word = self.next_temp;
        self.next_temp += if wide { 2 } else { 1 };
        self.max_temp = self.max_temp.max(self.next_temp);
        word
    }

    fn constant(&mut self, bits: u128, wide: bool) -> Word {
        let key = (bits as u64, (bits >> 64) as u64, wide);
        if let Some(&word) = self.constant_index.get(&key) {
            return word;
        }
        let word = CONSTANT_BASE + self.constants.len() as Word;
        self.constants.push(bits as u64);
        if wide {
            self.constants.push((bits >> 64) as u64);
        }
        self.constant_index.insert(key, word);
        word
    }

    /// The word that holds an expression's value.
    fn value(&mut self, expr: ExprId) -> Word {
        if let Some(&word) = self.memo.get(&expr) {
            return word;
        }
        if let Some(word) = self.ready(expr) {
            return word;
        }
        let wide = is_wide(self.type_of(expr));
        let word = self.temp(wide);
        self.compute(expr, word);
        self.memo.insert(expr, word);
        word
    }

    /// The word of what needs no computation.
    fn ready(&mut self, expr: ExprId) -> Option<Word> {
        match self.function.exprs[expr] {
            Expr::Const { ty, bits } => {
                let bits = if ty == Ty::Ptr { u128::from(self.pointer_constant(bits)) } else { bits };
                Some(self.constant(bits, is_wide(ty)))
            }
            Expr::Reg(reg) => Some(self.regs[reg]),
            Expr::Addr { base: Base::Slot(slot), offset: 0 } => Some(self.slots[slot.index()].0),
            Expr::Addr { base: Base::Global(global), offset } if !self.program.globals[global].thread_local => {
                Some(self.constant(u128::from(Pointer::to(global_object(global)).plus(offset).bits()), false))
            }
            Expr::Addr { base: Base::Func(func), offset } => {
                let object = func_object(self.program, func);
                Some(self.constant(u128::from(Pointer::to(object).plus(offset).bits()), false))
            }
            Expr::Addr { .. }
            | Expr::SelfId
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cast { .. }
            | Expr::Ite { .. } => None,
        }
    }

    /// An integer made a pointer, as a register word. Addresses of objects are not known here, and no program can
    /// know them.
    fn pointer_constant(&self, bits: u128) -> u64 {
        match self.program.model {
            DataModel::Lp64 => bits as u64,
            DataModel::Ilp32 => bits as u64 & 0xffff_ffff,
        }
    }

    fn value_into(&mut self, expr: ExprId, d: Word) {
        match self.memo.get(&expr).copied().or_else(|| self.ready(expr)) {
            Some(a) if is_wide(self.type_of(expr)) => self.push(Op::MoveWide { d, a }),
            Some(a) => self.push(Op::Move { d, a }),
            None => self.compute(expr, d),
        }
    }

    fn compute(&mut self, expr: ExprId, d: Word) {
        match self.function.exprs[expr] {
            Expr::Const { .. } | Expr::Reg(_) => self.value_into(expr, d),
            Expr::Addr { base, offset } => self.address(base, offset, d),
            Expr::SelfId => self.push(Op::SelfId { d }),
            Expr::Unary(op, arg) => {
                let ty = self.type_of(arg);
                let a = self.value(arg);
                self.push(if is_wide(ty) {
                    Op::UnaryWide { op, ty, d, a }
                } else if op == UnOp::BoolNot {
                    Op::BoolNot { d, a }
                } else {
                    Op::Unary { op, ty, d, a }
                });
            }
            Expr::Binary(op, left, right) => {
                let ty = self.type_of(left);
                let (a, b) = (self.value(left), self.value(right));
                self.push(binary_op(op, ty, d, a, b));
            }
            Expr::Cast { op, to, arg } => self.cast(op, to, arg, d),
            Expr::Ite { cond, then, otherwise } => {
                // The result goes to a fresh temporary first: the target may be an operand.
                let wide = is_wide(self.type_of(expr));
                let (c, a, b) = (self.value(cond), self.value(then), self.value(otherwise));
                let t = self.temp(wide);
                if wide {
                    self.push(Op::MoveWide { d: t, a: b });
                    self.push(Op::MoveWideIf { d: t, c, a });
                    self.push(Op::MoveWide { d, a: t });
                } else {
                    self.push(Op::Move { d: t, a: b });
                    self.push(Op::MoveIf { d: t, c, a });
                    self.push(Op::Move { d, a: t });
                }
            }
        }
    }

    fn address(&mut self, base: Base, offset: i64, d: Word) {
        let start = match base {
            Base::Slot(slot) => self.slots[slot.index()].0,
            Base::Global(global) if self.program.globals[global].thread_local => {
                let t = self.temp(false);
                self.push(Op::ThreadLocal { d: t, index: self.thread_locals[global] });
                t
            }
            Base::Global(global) => self.constant(u128::from(Pointer::to(global_object(global)).bits()), false),
            Base::Func(func) => self.constant(u128::from(Pointer::to(func_object(self.program, func)).bits()), false),
        };
        let b = self.constant(u128::from(offset as u64), false);
        self.push(if offset == 0 { Op::Move { d, a: start } } else { Op::PtrAdd { d, a: start, b } });
    }

    fn cast(&mut self, op: CastOp, to: Ty, arg: ExprId, d: Word) {
        let from = self.type_of(arg);
        let a = self.value(arg);
        let wide = is_wide(from) || is_wide(to);
        let flat = self.program.model == DataModel::Ilp32;
        self.push(match op {
            CastOp::PtrToInt if flat => Op::PtrToInt { d, a },
            CastOp::IntToPtr if flat => Op::IntToPtr { d, a },
            CastOp::Trunc if !wide => Op::Trunc { bits: bits_of(to) as u8, d, a },
            CastOp::SExt if !wide => Op::SExt { from: bits_of(from) as u8, to: bits_of(to) as u8, d, a },
            CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast if !wide => Op::Move { d, a },
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => Op::Cast { op, from, to, d, a },
        });
    }

    // Branches: a comparison and the jump on it are one op where they can be.

    fn branch(&mut self, cond: ExprId, t: Pc) {
        let (cond, negated) = self.strip_not(cond);
        if let Expr::Binary(op, left, right) = self.function.exprs[cond]
            && !self.memo.contains_key(&cond)
            && let Some(jump) = fused(op, self.type_of(left), negated)
        {
            let (a, b) = (self.value(left), self.value(right));
            let n = self.count();
            self.push(jump(n, a, b, t));
            return;
        }
        let a = self.value(cond);
        let n = self.count();
        self.push(if negated { Op::JumpIfNot { n, a, t } } else { Op::JumpIf { n, a, t } });
    }

    fn strip_not(&self, mut cond: ExprId) -> (ExprId, bool) {
        let mut negated = false;
        while let Expr::Unary(UnOp::BoolNot, inner) = self.function.exprs[cond] {
            cond = inner;
            negated = !negated;
        }
        (cond, negated)
    }
}

fn direct(callee: Callee) -> Option<FuncId> {
    match callee {
        Callee::Direct(func) => Some(func),
        Callee::Indirect(_) => None,
    }
}

fn binary_op(op: BinOp, ty: Ty, d: Word, a: Word, b: Word) -> Op {
    let pointer = ty == Ty::Ptr;
    match op {
        _ if is_wide(ty) || is_wide(binary_result(op, ty)) => Op::BinaryWide { op, ty, d, a, b },
        BinOp::Add if ty == Ty::I32 => Op::Add32 { d, a, b },
        BinOp::Add if ty == Ty::I64 => Op::Add64 { d, a, b },
        BinOp::Sub if ty == Ty::I32 => Op::Sub32 { d, a, b },
        BinOp::Sub if ty == Ty::I64 => Op::Sub64 { d, a, b },
        BinOp::Mul if ty == Ty::I32 => Op::Mul32 { d, a, b },
        BinOp::Mul if ty == Ty::I64 => Op::Mul64 { d, a, b },
        BinOp::And => Op::And { d, a, b },
        BinOp::Or => Op::Or { d, a, b },
        BinOp::Xor => Op::Xor { d, a, b },
        BinOp::Eq => Op::Eq { d, a, b },
        BinOp::Ne => Op::Ne { d, a, b },
        BinOp::ULt if !pointer => Op::ULt { d, a, b },
        BinOp::ULe if !pointer => Op::ULe { d, a, b },
        BinOp::SLt if ty == Ty::I32 => Op::SLt32 { d, a, b },
        BinOp::SLe if ty == Ty::I32 => Op::SLe32 { d, a, b },
        BinOp::SLt if ty == Ty::I64 => Op::SLt64 { d, a, b },
        BinOp::SLe if ty == Ty::I64 => Op::SLe64 { d, a, b },
        BinOp::PtrAdd => Op::PtrAdd { d, a, b },
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
        | BinOp::ULt
        | BinOp::ULe
        | BinOp::SLt
        | BinOp::SLe
        | BinOp::SAddO
        | BinOp::UAddO
        | BinOp::SSubO
        | BinOp::USubO
        | BinOp::SMulO
        | BinOp::UMulO
        | BinOp::PtrDiff
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem
        | BinOp::FEq
        | BinOp::FNe
        | BinOp::FLt
        | BinOp::FLe => Op::Binary { op, ty, d, a, b },
    }
}

type Jump = fn(u16, Word, Word, Pc) -> Op;

/// The jump that is taken when the comparison holds (fails, if `negated`).
fn fused(op: BinOp, ty: Ty, negated: bool) -> Option<Jump> {
    if is_wide(ty) {
        return None;
    }
    // not (a < b) is b <= a.
    Some(match (op, ty, negated) {
        (BinOp::Eq, _, false) | (BinOp::Ne, _, true) => |n, a, b, t| Op::JumpEq { n, a, b, t },
        (BinOp::Ne, _, false) | (BinOp::Eq, _, true) => |n, a, b, t| Op::JumpNe { n, a, b, t },
        (_, Ty::Ptr, _) => return None,
        (BinOp::ULt, _, false) => |n, a, b, t| Op::JumpULt { n, a, b, t },
        (BinOp::ULe, _, false) => |n, a, b, t| Op::JumpULe { n, a, b, t },
        (BinOp::ULt, _, true) => |n, a, b, t| Op::JumpULe { n, a: b, b: a, t },
        (BinOp::ULe, _, true) => |n, a, b, t| Op::JumpULt { n, a: b, b: a, t },
        (BinOp::SLt, Ty::I32, false) => |n, a, b, t| Op::JumpSLt32 { n, a, b, t },
        (BinOp::SLe, Ty::I32, false) => |n, a, b, t| Op::JumpSLe32 { n, a, b, t },
        (BinOp::SLt, Ty::I32, true) => |n, a, b, t| Op::JumpSLe32 { n, a: b, b: a, t },
        (BinOp::SLe, Ty::I32, true) => |n, a, b, t| Op::JumpSLt32 { n, a: b, b: a, t },
        (BinOp::SLt, Ty::I64, false) => |n, a, b, t| Op::JumpSLt64 { n, a, b, t },
        (BinOp::SLe, Ty::I64, false) => |n, a, b, t| Op::JumpSLe64 { n, a, b, t },
        (BinOp::SLt, Ty::I64, true) => |n, a, b, t| Op::JumpSLe64 { n, a: b, b: a, t },
        (BinOp::SLe, Ty::I64, true) => |n, a, b, t| Op::JumpSLt64 { n, a: b, b: a, t },
        _ => return None,
    })
}

fn fix_word(word: &mut Word, base: Word) {
    if *word != NO_WORD && *word >= CONSTANT_BASE {
        *word = *word - CONSTANT_BASE + base;
    }
}

/// Gives constants their words and jumps their ops.
fn relocate(op: &mut Op, base: Word, start_of: &[Pc]) {
    let fix = |words: &mut [&mut Word]| words.iter_mut().for_each(|word| fix_word(word, base));
    let jump = |t: &mut Pc| *t = start_of[*t as usize];
    match op {
        Op::Move { d: _, a }
        | Op::MoveWide { d: _, a }
        | Op::BoolNot { d: _, a }
        | Op::Trunc { a, .. }
        | Op::SExt { a, .. }
        | Op::Unary { a, .. }
        | Op::UnaryWide { a, .. }
        | Op::Cast { a, .. }
        | Op::PtrToInt { a, .. }
        | Op::IntToPtr { a, .. }
        | Op::Load { a, .. }
        | Op::LoadPtr { a, .. }
        | Op::LoadWide { a, .. }
        | Op::Free { a, .. }
        | Op::ObjectSize { a, .. }
        | Op::Return { a, .. } => fix(&mut [a]),
        Op::MoveIf { c, a, .. } | Op::MoveWideIf { c, a, .. } => fix(&mut [c, a]),
        Op::Add32 { a, b, .. }
        | Op::Add64 { a, b, .. }
        | Op::Sub32 { a, b, .. }
        | Op::Sub64 { a, b, .. }
        | Op::Mul32 { a, b, .. }
        | Op::Mul64 { a, b, .. }
        | Op::And { a, b, .. }
        | Op::Or { a, b, .. }
        | Op::Xor { a, b, .. }
        | Op::Eq { a, b, .. }
        | Op::Ne { a, b, .. }
        | Op::ULt { a, b, .. }
        | Op::ULe { a, b, .. }
        | Op::SLt32 { a, b, .. }
        | Op::SLe32 { a, b, .. }
        | Op::SLt64 { a, b, .. }
        | Op::SLe64 { a, b, .. }
        | Op::PtrAdd { a, b, .. }
        | Op::Binary { a, b, .. }
        | Op::BinaryWide { a, b, .. } => fix(&mut [a, b]),
        Op::Store { a, v, .. } | Op::StorePtr { a, v, .. } | Op::StoreWide { a, v, .. } => fix(&mut [a, v]),
        Op::Copy { d, a, len, .. } => fix(&mut [d, a, len]),
        Op::Fill { d, byte, len, .. } => fix(&mut [d, byte, len]),
        Op::Alloc { size, .. } => fix(&mut [size]),
        Op::Await { c, object, .. } => fix(&mut [c, object]),
        Op::Spawn { callee, arg, .. } => fix(&mut [callee, arg]),
        Op::ProcessExit { status } => fix(&mut [status]),
        Op::Assume { c } | Op::Assert { c } => fix(&mut [c]),
        Op::Sync { object } => fix(&mut [object]),
        Op::Jump { t, .. } => jump(t),
        Op::JumpIf { a, t, .. } | Op::JumpIfNot { a, t, .. } => {
            fix(&mut [a]);
            jump(t);
        }
        Op::JumpEq { a, b, t, .. }
        | Op::JumpNe { a, b, t, .. }
        | Op::JumpULt { a, b, t, .. }
        | Op::JumpULe { a, b, t, .. }
        | Op::JumpSLt32 { a, b, t, .. }
        | Op::JumpSLe32 { a, b, t, .. }
        | Op::JumpSLt64 { a, b, t, .. }
        | Op::JumpSLe64 { a, b, t, .. } => {
            fix(&mut [a, b]);
            jump(t);
        }
        Op::SelfId { .. }
        | Op::ThreadLocal { .. }
        | Op::Live { .. }
        | Op::Dead { .. }
        | Op::Havoc { .. }
        | Op::Mark { .. }
        | Op::Unmark { .. }
        | Op::UseMarked { .. }
        | Op::Count { .. }
        | Op::Call { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::ThreadExit
        | Op::Unsupported
        | Op::Output { .. }
        | Op::Fence { .. }
        | Op::Skip => {}
    }
}
