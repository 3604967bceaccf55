//! Expressions of a call in a state, as terms.

use heddle_base::{Id, IndexVec};
use heddle_ir::{Base, CastOp, Expr, ExprId, FuncId, LayoutId, LayoutKind, Ty};
use heddle_solver::TermId;
use rustc_hash::FxHashMap;

use super::{Driver, Evaluator, Outcome, Running, State};
use crate::operators;
use heddle_ir::objects::{func_object, global_object};
use heddle_ir::value::Pointer;

impl<D: Driver> Evaluator<'_, D> {
    pub(crate) fn eval(&mut self, running: &Running<'_>, state: &mut State<D::Own>, expr: ExprId) -> Outcome<TermId> {
        let mut memo = FxHashMap::default();
        self.eval_in(running, state, expr, &mut memo)
    }

    pub(crate) fn eval_in(
        &mut self,
        running: &Running<'_>,
        state: &mut State<D::Own>,
        expr: ExprId,
        memo: &mut FxHashMap<ExprId, TermId>,
    ) -> Outcome<TermId> {
        let reused = running.info.reused[expr];
        if reused && let Some(&known) = memo.get(&expr) {
            return Ok(known);
        }
        let types = &running.info.types;
        let term = match running.function.exprs[expr] {
            Expr::Const { ty, bits } => {
                let terms = &mut *self.terms;
                let known = constant_of(&mut self.constants, running, expr);
                return Ok(*known.get_or_insert_with(|| operators::constant(terms, ty, bits)));
            }
            Expr::Reg(reg) => {
                let value = state.frame.regs[reg.index()];
                let ty = running.function.regs[reg].ty;
                return Ok(value.unwrap_or_else(|| operators::constant(self.terms, ty, 0)));
            }
            Expr::Addr { base, offset } => {
                let start = match base {
                    Base::Global(global) if self.program.globals[global].thread_local => {
                        let object = self.thread_local(global);
                        self.terms.bv(64, Pointer::to(object).bits())
                    }
                    Base::Global(global) => {
                        let terms = &mut *self.terms;
                        let known = constant_of(&mut self.constants, running, expr);
                        *known.get_or_insert_with(|| terms.bv(64, Pointer::to(global_object(global)).bits()))
                    }
                    Base::Func(func) => self.terms.bv(64, Pointer::to(func_object(self.program, func)).bits()),
                    Base::Slot(slot) => self.slot(running, state, slot),
                };
                if offset == 0 {
                    return Ok(start);
                }
                let bytes = self.terms.bv_signed(64, offset);
                operators::binary(self.terms, heddle_ir::BinOp::PtrAdd, Ty::Ptr, start, bytes)?
            }
            Expr::SelfId => return Ok(self.terms.bv(32, u64::from(self.number))),
            Expr::Unary(op, arg) => {
                let value = self.eval_in(running, state, arg, memo)?;
                operators::unary(self.terms, op, types[arg], value)?
            }
            Expr::Binary(op, left, right) => {
                let a = self.eval_in(running, state, left, memo)?;
                let b = self.eval_in(running, state, right, memo)?;
                operators::binary(self.terms, op, types[left], a, b)?
            }
            Expr::Cast { op, to, arg } => {
                let value = self.eval_in(running, state, arg, memo)?;
                match op {
                    CastOp::PtrToInt => self.addressing().to_flat(value),
                    CastOp::IntToPtr => self.addressing().from_flat(value),
                    _ => operators::cast(self.terms, op, types[arg], to, value)?,
                }
            }
            Expr::Ite { cond, then, otherwise } => {
                let condition = self.eval_in(running, state, cond, memo)?;
                match self.terms.as_bool(condition) {
                    Some(true) => self.eval_in(running, state, then, memo)?,
                    Some(false) => self.eval_in(running, state, otherwise, memo)?,
                    None => {
                        let a = self.eval_in(running, state, then, memo)?;
                        let b = self.eval_in(running, state, otherwise, memo)?;
                        self.terms.ite(condition, a, b)
                    }
                }
            }
        };
        if reused {
            memo.insert(expr, term);
        }
        Ok(term)
    }

    /// The leaves of a layout: offset, bytes, whether a pointer. None if parts of it overlap.
    pub(crate) fn leaves(&self, layout: LayoutId, at: u32, into: &mut Vec<(u32, u32, bool)>) -> bool {
        let program = self.program;
        let shape = &program.layouts[layout];
        match &shape.kind {
            LayoutKind::Scalar(ty) => {
                let len = ty.size(program.model) as u32;
                into.push((at, len, *ty == Ty::Ptr && self.ilp32()));
                true
            }
            LayoutKind::Array { elem, len } => {
                let size = program.layouts[*elem].size as u32;
                (0..*len as u32).all(|i| self.leaves(*elem, at + i * size, into))
            }
            LayoutKind::Record { overlapping: true, .. } | LayoutKind::Bytes => false,
            LayoutKind::Record { fields, .. } => {
                let mut last = None;
                fields.iter().all(|field| {
                    // Bit-fields share their unit; units may overlap.
                    if field.bits.is_some() && last == Some(field.offset) {
                        return true;
                    }
                    let clear = last.is_none() || field.bits.is_none();
                    last = field.bits.is_some().then_some(field.offset);
                    clear && self.leaves(field.layout, at + field.offset as u32, into)
                })
            }
        }
    }
}

/// The term of an expression that is the same in all states.
fn constant_of<'a>(
    constants: &'a mut IndexVec<FuncId, Vec<Option<TermId>>>,
    running: &Running<'_>,
    expr: ExprId,
) -> &'a mut Option<TermId> {
    let of = &mut constants[running.func];
    if of.is_empty() {
        of.resize(running.function.exprs.len(), None);
    }
    &mut of[expr.index()]
}
