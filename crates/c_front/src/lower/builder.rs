//! The function under construction: emits steps, folds expressions, resolves labels.
//!
//! While a function is built, jump targets are labels; [`Builder::finish`] turns them into steps. The constructors of
//! expressions fold constants with [`heddle_ir::eval`], so an expression is a constant expression exactly if it folds
//! to one without emitting a step.

use heddle_base::{Id, IndexVec, Loc, Pos, define_id};
use heddle_ir::{
    Base, BinOp, CastOp, DataModel, Expr, ExprId, LayoutId, Reg, RegId, Slot, SlotId, Step, StepId, StepKind, Ty, UnOp,
    eval,
};

define_id!(
    /// A jump target that may not have its step yet.
    pub Label, "L"
);

/// The function under construction.
#[derive(Debug, Default)]
pub struct Builder {
    /// Registers.
    pub regs: IndexVec<RegId, Reg>,
    /// Locals in memory.
    pub slots: IndexVec<SlotId, Slot>,
    /// Expressions.
    pub exprs: IndexVec<ExprId, Expr>,
    /// Their types.
    types: IndexVec<ExprId, Ty>,
    /// Steps; jump targets are labels.
    pub steps: IndexVec<StepId, Step>,
    labels: IndexVec<Label, Option<StepId>>,
    /// Where the last label was placed.
    last_label: Option<StepId>,
    /// The place of the steps that are emitted next.
    pub loc: Option<Loc>,
    /// The same place as a position in the texts.
    pub pos: Pos,
    /// The positions of all steps.
    pub positions: IndexVec<StepId, Pos>,
    model: DataModel,
}

/// How far a function had got: see [`Builder::rewind`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    steps: usize,
    regs: usize,
    slots: usize,
    last_label: Option<StepId>,
}

impl Mark {
    /// Number of steps at the mark.
    pub fn steps(self) -> usize {
        self.steps
    }
}

impl Builder {
    /// An empty function.
    pub fn new(model: DataModel) -> Self {
        Builder { model, ..Builder::default() }
    }

    /// Appends a step.
    pub fn emit(&mut self, kind: StepKind) -> StepId {
        self.positions.push(self.pos);
        self.steps.push(Step { kind, loc: self.loc.unwrap_or_else(Loc::nowhere) })
    }

    /// The present state, to come back to.
    pub fn mark(&self) -> Mark {
        Mark { steps: self.steps.len(), regs: self.regs.len(), slots: self.slots.len(), last_label: self.last_label }
    }

    /// Whether no step was emitted since `mark`.
    pub fn nothing_since(&self, mark: Mark) -> bool {
        self.steps.len() == mark.steps
    }

    /// Forgets all steps, registers and slots since `mark`; expressions stay, so no new one may refer to those.
    pub fn rewind(&mut self, mark: Mark) {
        self.rewind_steps(mark);
        self.regs.raw_mut().truncate(mark.regs);
        self.slots.raw_mut().truncate(mark.slots);
    }

    /// Forgets all steps since `mark`, but nothing else.
    pub fn rewind_steps(&mut self, mark: Mark) {
        self.steps.raw_mut().truncate(mark.steps);
        self.positions.raw_mut().truncate(mark.steps);
        self.last_label = mark.last_label;
    }

    /// A new register.
    pub fn reg(&mut self, ty: Ty, name: Option<&str>) -> RegId {
        self.regs.push(Reg { ty, name: name.map(str::to_owned) })
    }

    /// A new local in memory.
    pub fn slot(&mut self, name: &str, layout: LayoutId) -> SlotId {
        let loc = self.loc.unwrap_or_else(Loc::nowhere);
        self.slots.push(Slot { name: name.to_owned(), layout, loc })
    }

    /// A new label, not placed yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None)
    }

    /// Puts a label before the next step.
    pub fn place(&mut self, label: Label) {
        debug_assert!(self.labels[label].is_none(), "label placed twice");
        let here = self.steps.next_id();
        self.labels[label] = Some(here);
        self.last_label = Some(here);
    }

    /// Emits `goto label`.
    pub fn goto(&mut self, label: Label) -> StepId {
        self.emit(StepKind::Goto { target: StepId::new(label.index()) })
    }

    /// Emits `if cond goto label`, or what is left of it if `cond` is a constant.
    pub fn branch(&mut self, cond: ExprId, label: Label) {
        match self.const_bits(cond) {
            Some(0) => {}
            Some(_) => {
                self.goto(label);
            }
            None => {
                self.emit(StepKind::Branch { cond, target: StepId::new(label.index()) });
            }
        }
    }

    /// Sends the jump at `step` somewhere else.
    pub fn retarget(&mut self, step: StepId, label: Label) {
        match &mut self.steps[step].kind {
            StepKind::Goto { target } | StepKind::Branch { target, .. } => *target = StepId::new(label.index()),
            other => unreachable!("retarget of {other:?}"),
        }
    }

    /// Whether control can reach the next step by falling through or by a label just placed here.
    pub fn reachable(&self) -> bool {
        match self.steps.iter().last() {
            Some(step) if !step.kind.falls_through() => self.last_label == Some(self.steps.next_id()),
            _ => true,
        }
    }

    /// Whether a label stands at a step behind this one.
    pub fn is_placed_behind(&self, label: Label, step: StepId) -> bool {
        self.labels[label].is_some_and(|placed| placed.index() > step.index())
    }

    /// Drops the steps from this one on. Nothing that is kept may jump to them.
    pub fn truncate(&mut self, step: StepId) {
        self.steps.truncate(step.index());
        self.last_label = self.last_label.filter(|label| label.index() <= step.index());
    }

    /// Turns labels into steps.
    pub fn finish(&mut self) {
        let labels = &self.labels;
        for step in self.steps.iter_mut() {
            if let StepKind::Goto { target } | StepKind::Branch { target, .. } = &mut step.kind {
                // A label without a place stands in code in error, which nobody will run.
                *target = labels[Label::new(target.index())].unwrap_or(StepId::new(0));
            }
        }
    }

    /// Takes over the registers and expressions of a function.
    pub fn resume(&mut self, regs: IndexVec<RegId, Reg>, exprs: IndexVec<ExprId, Expr>) {
        self.regs = regs;
        for expr in exprs.iter() {
            self.push(*expr);
        }
    }

    /// Adds an expression, whose operands stand before it.
    fn push(&mut self, expr: Expr) -> ExprId {
        let ty = match expr {
            Expr::Reg(reg) => self.regs[reg].ty,
            Expr::Unary(op, arg) if !op.is_predicate() => self.types[arg],
            Expr::Binary(op, arg, _) if !op.is_predicate() && !matches!(op, BinOp::PtrAdd | BinOp::PtrDiff) => {
                self.types[arg]
            }
            Expr::Ite { then, .. } => self.types[then],
            Expr::Const { ty, .. } | Expr::Cast { to: ty, .. } => ty,
            Expr::Addr { .. } | Expr::Binary(BinOp::PtrAdd, ..) => Ty::Ptr,
            Expr::SelfId => Ty::I32,
            Expr::Binary(BinOp::PtrDiff, ..) => Ty::I64,
            Expr::Unary(..) | Expr::Binary(..) => Ty::Bool,
        };
        self.types.push(ty);
        self.exprs.push(expr)
    }

    /// The type of an expression.
    pub fn type_of(&self, expr: ExprId) -> Ty {
        self.types[expr]
    }

    /// The bits of a constant.
    pub fn const_bits(&self, expr: ExprId) -> Option<u128> {
        match self.exprs[expr] {
            Expr::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// A constant.
    pub fn constant(&mut self, ty: Ty, bits: u128) -> ExprId {
        self.push(Expr::Const { ty, bits: bits & eval::mask(eval::width(ty, DataModel::Lp64)) })
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> ExprId {
        self.constant(Ty::Bool, value as u128)
    }

    /// The value of a register.
    pub fn read(&mut self, reg: RegId) -> ExprId {
        self.push(Expr::Reg(reg))
    }

    /// An address.
    pub fn addr(&mut self, base: Base, offset: i64) -> ExprId {
        self.push(Expr::Addr { base, offset })
    }

    /// The running thread's number.
    pub fn self_id(&mut self) -> ExprId {
        self.push(Expr::SelfId)
    }

    /// A unary operation, folded.
    pub fn unary(&mut self, op: UnOp, arg: ExprId) -> ExprId {
        let ty = self.type_of(arg);
        if let Some(bits) = self.const_bits(arg).and_then(|a| eval::unary(op, ty, a)) {
            let result = self.push(Expr::Unary(op, arg));
            let result_ty = self.type_of(result);
            return self.constant(result_ty, bits);
        }
        match (op, self.exprs[arg]) {
            (UnOp::BoolNot, Expr::Unary(UnOp::BoolNot, inner)) => inner,
            (UnOp::BoolNot, Expr::Binary(BinOp::Eq, a, b)) => self.push(Expr::Binary(BinOp::Ne, a, b)),
            (UnOp::BoolNot, Expr::Binary(BinOp::Ne, a, b)) => self.push(Expr::Binary(BinOp::Eq, a, b)),
            (UnOp::BoolNot, Expr::Binary(BinOp::SLt, a, b)) => self.push(Expr::Binary(BinOp::SLe, b, a)),
            (UnOp::BoolNot, Expr::Binary(BinOp::SLe, a, b)) => self.push(Expr::Binary(BinOp::SLt, b, a)),
            (UnOp::BoolNot, Expr::Binary(BinOp::ULt, a, b)) => self.push(Expr::Binary(BinOp::ULe, b, a)),
            (UnOp::BoolNot, Expr::Binary(BinOp::ULe, a, b)) => self.push(Expr::Binary(BinOp::ULt, b, a)),
            _ => self.push(Expr::Unary(op, arg)),
        }
    }

    /// A binary operation, folded.
    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.type_of(a);
        let (ca, cb) = (self.const_bits(a), self.const_bits(b));
        if let (Some(x), Some(y)) = (ca, cb)
            && let Some(bits) = eval::binary(op, ty, x, y)
        {
            let result_ty = match op {
                _ if op.is_predicate() => Ty::Bool,
                BinOp::PtrDiff => Ty::I64,
                _ => ty,
            };
            return self.constant(result_ty, bits);
        }
        if let Some(simpler) = self.identity(op, ty, a, b, ca, cb) {
            return simpler;
        }
        self.push(Expr::Binary(op, a, b))
    }

    /// Neutral and absorbing operands, and what is known of addresses.
    fn identity(
        &mut self,
        op: BinOp,
        ty: Ty,
        a: ExprId,
        b: ExprId,
        ca: Option<u128>,
        cb: Option<u128>,
    ) -> Option<ExprId> {
        let ones = eval::mask(ty.int_bits().unwrap_or(64));
        match (op, ca, cb) {
            (
                BinOp::Add
                | BinOp::Sub
                | BinOp::Or
                | BinOp::Xor
                | BinOp::Shl
                | BinOp::LShr
                | BinOp::AShr
                | BinOp::PtrAdd,
                _,
                Some(0),
            ) => Some(a),
            (BinOp::Add | BinOp::Or | BinOp::Xor, Some(0), _) => Some(b),
            (BinOp::Mul | BinOp::UDiv | BinOp::SDiv, _, Some(1)) => Some(a),
            (BinOp::Mul, Some(1), _) => Some(b),
            (BinOp::And, _, Some(v)) if v == ones => Some(a),
            (BinOp::And, Some(v), _) if v == ones => Some(b),
            // On integers `x & 0` stays as it is: C does not count it as a constant, and programs ask whether it is one.
            (BinOp::And, _, Some(0)) | (BinOp::And, Some(0), _) if ty == Ty::Bool => Some(self.truth(false)),
            (BinOp::Or, _, Some(1)) | (BinOp::Or, Some(1), _) if ty == Ty::Bool => Some(self.truth(true)),
            (BinOp::PtrAdd, _, Some(bytes)) => self.add_to_address(a, bytes as i64),
            (BinOp::PtrDiff | BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe, ..) if ty == Ty::Ptr => {
                self.compare_addresses(op, a, b)
            }
            (BinOp::Eq | BinOp::Ne, _, Some(bits)) => self.compare_extended(op, a, bits),
            _ => None,
        }
    }

    fn add_to_address(&mut self, pointer: ExprId, bytes: i64) -> Option<ExprId> {
        match self.exprs[pointer] {
            Expr::Addr { base, offset } => {
                let sum = offset.checked_add(bytes).filter(|o| i32::try_from(*o).is_ok())?;
                Some(self.addr(base, sum))
            }
            Expr::Binary(BinOp::PtrAdd, inner, by) => {
                let sum = (self.const_bits(by)? as i64).checked_add(bytes).filter(|o| i32::try_from(*o).is_ok())?;
                let by = self.constant(Ty::I64, sum as u128);
                Some(self.push(Expr::Binary(BinOp::PtrAdd, inner, by)))
            }
            _ => None,
        }
    }

    fn compare_addresses(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        match (self.exprs[a], self.exprs[b]) {
            (Expr::Addr { base: x, offset: i }, Expr::Addr { base: y, offset: j }) if x == y => Some(match op {
                BinOp::PtrDiff => self.constant(Ty::I64, (i - j) as u128),
                BinOp::Eq => self.truth(i == j),
                BinOp::Ne => self.truth(i != j),
                BinOp::ULt => self.truth(i < j),
                _ => self.truth(i <= j),
            }),
            (Expr::Addr { .. }, Expr::Const { bits: 0, .. }) | (Expr::Const { bits: 0, .. }, Expr::Addr { .. }) => {
                match op {
                    BinOp::Eq => Some(self.truth(false)),
                    BinOp::Ne => Some(self.truth(true)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `zext(truth) != 0` is the truth itself, and so on.
    fn compare_extended(&mut self, op: BinOp, a: ExprId, bits: u128) -> Option<ExprId> {
        let Expr::Cast { op: CastOp::ZExt, arg, .. } = self.exprs[a] else {
            return None;
        };
        if self.type_of(arg) != Ty::Bool {
            return None;
        }
        match (op, bits) {
            (BinOp::Ne, 0) | (BinOp::Eq, 1) => Some(arg),
            (BinOp::Eq, 0) | (BinOp::Ne, 1) => Some(self.unary(UnOp::BoolNot, arg)),
            (BinOp::Eq, _) => Some(self.truth(false)),
            _ => Some(self.truth(true)),
        }
    }

    /// A conversion, folded.
    pub fn cast(&mut self, op: CastOp, to: Ty, arg: ExprId) -> ExprId {
        let from = self.type_of(arg);
        if let Some(bits) = self.const_bits(arg).and_then(|a| eval::cast(op, from, to, a, self.model)) {
            return self.constant(to, bits);
        }
        match (op, self.exprs[arg]) {
            // There and back again.
            (CastOp::IntToPtr, Expr::Cast { op: CastOp::PtrToInt, arg: inner, .. }) => inner,
            (CastOp::PtrToInt, Expr::Cast { op: CastOp::IntToPtr, arg: inner, .. }) if self.type_of(inner) == to => {
                inner
            }
            (CastOp::Trunc, Expr::Cast { op: CastOp::ZExt | CastOp::SExt, arg: inner, .. })
                if self.type_of(inner) == to =>
            {
                inner
            }
            (CastOp::ZExt, Expr::Cast { op: CastOp::ZExt, arg: inner, .. }) => {
                self.push(Expr::Cast { op, to, arg: inner })
            }
            // The inner extension left the sign bit clear.
            (CastOp::SExt, Expr::Cast { op: CastOp::ZExt, arg: inner, .. }) => {
                self.push(Expr::Cast { op: CastOp::ZExt, to, arg: inner })
            }
            _ => self.push(Expr::Cast { op, to, arg }),
        }
    }

    /// `cond ? then : otherwise`, folded.
    pub fn ite(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.const_bits(cond) {
            Some(0) => otherwise,
            Some(_) => then,
            None => {
                let (a, b) = (self.const_bits(then), self.const_bits(otherwise));
                match (self.type_of(then), a, b) {
                    (Ty::Bool, Some(1), Some(0)) => cond,
                    (Ty::Bool, Some(0), Some(1)) => self.unary(UnOp::BoolNot, cond),
                    _ => self.push(Expr::Ite { cond, then, otherwise }),
                }
            }
        }
    }

    /// The integer type as wide as a pointer.
    pub fn pointer_int(&self) -> Ty {
        self.model.pointer_int()
    }

    /// `pointer + bytes`.
    pub fn offset(&mut self, pointer: ExprId, bytes: u64) -> ExprId {
        let bytes = self.constant(Ty::I64, bytes as u128);
        self.binary(BinOp::PtrAdd, pointer, bytes)
    }
}
