//! Splits `copy` and `fill` of shared memory outside atomic sections into single accesses, see
//! [`StepKind::Copy`](crate::StepKind): one a leaf of the layout, one a byte where there is none.
//!
//! Of a union its largest member is copied. A copy by bytes runs backwards where the regions may overlap that way, as
//! `memmove` must.

use heddle_base::{Id, IndexVec, Loc};

use crate::expr::{BinOp, Expr, ExprId};
use crate::layout::{LayoutId, LayoutKind};
use crate::program::{Function, Program, Reg, RegId};
use crate::sections::section_depths;
use crate::sharing::Sharing;
use crate::step::{Access, Step, StepId, StepKind};
use crate::ty::Ty;
use crate::verify::debug_verify;

/// More leaves than this are copied by a loop over bytes.
const MAX_LEAVES: usize = 64;

/// Splits where `sharing`, of this very program, says that others may see a copy half done.
pub fn split_copies(program: &mut Program, sharing: &Sharing) {
    for func in program.functions.ids() {
        let function = &program.functions[func];
        let depths = section_depths(function);
        let wanted = |id: StepId| {
            is_candidate(&function.steps[id].kind) && depths[id] == Some(0) && sharing.is_visible(func, id)
        };
        let split: Vec<StepId> = function.steps.ids().filter(|&id| wanted(id)).collect();
        if split.is_empty() {
            continue;
        }
        let leaves = split.iter().map(|&id| step_leaves(program, &program.functions[func].steps[id].kind)).collect();
        rewrite(&mut program.functions[func], &split, leaves, program.model);
    }
    debug_verify(program);
}

/// Whether a program has any step that might have to be split.
pub(super) fn has_candidates(program: &Program) -> bool {
    program.functions.iter().any(|f| f.steps.iter().any(|s| is_candidate(&s.kind)))
}

fn is_candidate(step: &StepKind) -> bool {
    matches!(step, StepKind::Copy { .. } | StepKind::Fill { .. })
}

/// A scalar in a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leaf {
    offset: u64,
    ty: Ty,
}

fn step_leaves(program: &Program, step: &StepKind) -> Option<Vec<Leaf>> {
    let (StepKind::Copy { layout, .. } | StepKind::Fill { layout, .. }) = step else { return None };
    let mut leaves = Vec::new();
    add_leaves(program, (*layout)?, 0, &mut leaves).then_some(leaves)
}

/// Whether the layout could be told in leaves, and not too many.
fn add_leaves(program: &Program, layout: LayoutId, at: u64, out: &mut Vec<Leaf>) -> bool {
    if out.len() > MAX_LEAVES {
        return false;
    }
    match &program.layouts[layout].kind {
        LayoutKind::Scalar(ty) => {
            // Bit-fields share their unit.
            if out.last() != Some(&Leaf { offset: at, ty: *ty }) {
                out.push(Leaf { offset: at, ty: *ty });
            }
        }
        LayoutKind::Array { elem, len } => {
            let size = program.layouts[*elem].size;
            if *len > MAX_LEAVES as u64 || !(0..*len).all(|i| add_leaves(program, *elem, at + i * size, out)) {
                return false;
            }
        }
        LayoutKind::Record { overlapping: true, fields, .. } => {
            let largest = fields.iter().max_by_key(|f| program.layouts[f.layout].size);
            return largest.is_some_and(|f| add_leaves(program, f.layout, at + f.offset, out));
        }
        LayoutKind::Record { overlapping: false, fields, .. } => {
            let mut inside = Vec::new();
            if !fields.iter().all(|f| add_leaves(program, f.layout, at + f.offset, &mut inside)) {
                return false;
            }
            out.extend(without_overlaps(program, inside));
        }
        LayoutKind::Bytes => return false,
    }
    out.len() <= MAX_LEAVES
}

/// Storage units of bit-fields may overlap one another: each byte is to be copied once, by the widest unit.
fn without_overlaps(program: &Program, leaves: Vec<Leaf>) -> Vec<Leaf> {
    let size = |l: &Leaf| l.ty.size(program.model);
    let mut kept: Vec<Leaf> = Vec::new();
    for leaf in leaves {
        let covers = |a: &Leaf, b: &Leaf| a.offset <= b.offset && b.offset + size(b) <= a.offset + size(a);
        if kept.iter().any(|k| covers(k, &leaf)) {
            continue;
        }
        kept.retain(|k| !covers(&leaf, k));
        kept.push(leaf);
    }
    kept
}

/// Puts an expansion in the place of each of `split`.
fn rewrite(function: &mut Function, split: &[StepId], leaves: Vec<Option<Vec<Leaf>>>, model: crate::ty::DataModel) {
    let old = std::mem::take(&mut function.steps);
    let mut expansions: IndexVec<StepId, Option<Vec<StepKind>>> = IndexVec::from_elem(None, old.len());
    for (&id, leaves) in split.iter().zip(leaves) {
        let mut expansion = Expansion { function, steps: Vec::new(), model };
        expansion.expand(&old[id].kind, leaves);
        expansions[id] = Some(expansion.steps);
    }
    let mut start = Vec::with_capacity(old.len());
    let mut count = 0;
    for expansion in expansions.iter() {
        start.push(count);
        count += expansion.as_ref().map_or(1, Vec::len);
    }
    for (id, step) in old.iter_enumerated() {
        let base = start[id.index()];
        match expansions[id].take() {
            None => push(function, step.kind.clone(), step.loc, |t| start[t]),
            Some(steps) => steps.into_iter().for_each(|kind| push(function, kind, step.loc, |t| base + t)),
        }
    }
}

fn push(function: &mut Function, mut kind: StepKind, loc: Loc, target_of: impl Fn(usize) -> usize) {
    if let StepKind::Goto { target } | StepKind::Branch { target, .. } = &mut kind {
        *target = StepId::new(target_of(target.index()));
    }
    function.steps.push(Step { kind, loc });
}

/// The steps that one step becomes; jump targets count from the first of them.
struct Expansion<'a> {
    function: &'a mut Function,
    steps: Vec<StepKind>,
    model: crate::ty::DataModel,
}

impl Expansion<'_> {
    fn expand(&mut self, step: &StepKind, leaves: Option<Vec<Leaf>>) {
        match (step, leaves) {
            (&StepKind::Copy { dst, src, .. }, Some(leaves)) => {
                for leaf in leaves {
                    let value = self.load(leaf.ty, src, leaf.offset);
                    self.store(leaf.ty, dst, leaf.offset, value);
                }
            }
            (&StepKind::Copy { dst, src, len, .. }, None) => self.copy_bytes(dst, src, len),
            (&StepKind::Fill { dst, byte, len, .. }, leaves) => match (leaves, self.function.exprs[byte]) {
                (Some(leaves), Expr::Const { bits, .. }) => {
                    for leaf in leaves {
                        let bits = (0..leaf.ty.size(self.model)).fold(0, |all, _| all << 8 | bits);
                        let value = self.expr(Expr::Const { ty: leaf.ty, bits });
                        self.store(leaf.ty, dst, leaf.offset, value);
                    }
                }
                _ => self.fill_bytes(dst, byte, len),
            },
            _ => self.steps.push(step.clone()),
        }
    }

    fn copy_bytes(&mut self, dst: ExprId, src: ExprId, len: ExprId) {
        let (index, i) = self.reg(Ty::I64);
        let (zero, one) = (self.int(0), self.int(1));
        let forwards = self.expr(Expr::Binary(BinOp::ULe, dst, src));
        let at_start = self.expr(Expr::Binary(BinOp::Eq, i, zero));
        let at_end = self.expr(Expr::Binary(BinOp::ULe, len, i));
        let (before, after) =
            (self.expr(Expr::Binary(BinOp::Sub, i, one)), self.expr(Expr::Binary(BinOp::Add, i, one)));
        // 0: choose; 1-6: backwards; 7-12: forwards; 13: behind.
        let (backward, forward, behind) = (StepId::new(2), StepId::new(8), StepId::new(13));
        self.steps.push(StepKind::Branch { cond: forwards, target: StepId::new(7) });
        self.steps.push(StepKind::Assign { dst: index, value: len });
        self.steps.push(StepKind::Branch { cond: at_start, target: behind });
        self.steps.push(StepKind::Assign { dst: index, value: before });
        self.byte(dst, src, i);
        self.steps.push(StepKind::Goto { target: backward });
        self.steps.push(StepKind::Assign { dst: index, value: zero });
        self.steps.push(StepKind::Branch { cond: at_end, target: behind });
        self.byte(dst, src, i);
        self.steps.push(StepKind::Assign { dst: index, value: after });
        self.steps.push(StepKind::Goto { target: forward });
        debug_assert_eq!(self.steps.len(), behind.index());
    }

    /// Copies the byte number `i`.
    fn byte(&mut self, dst: ExprId, src: ExprId, i: ExprId) {
        let from = self.expr(Expr::Binary(BinOp::PtrAdd, src, i));
        let to = self.expr(Expr::Binary(BinOp::PtrAdd, dst, i));
        let value = self.load(Ty::I8, from, 0);
        self.store(Ty::I8, to, 0, value);
    }

    fn fill_bytes(&mut self, dst: ExprId, byte: ExprId, len: ExprId) {
        let (index, i) = self.reg(Ty::I64);
        let (zero, one) = (self.int(0), self.int(1));
        let at_end = self.expr(Expr::Binary(BinOp::ULe, len, i));
        let after = self.expr(Expr::Binary(BinOp::Add, i, one));
        let to = self.expr(Expr::Binary(BinOp::PtrAdd, dst, i));
        self.steps.push(StepKind::Assign { dst: index, value: zero });
        self.steps.push(StepKind::Branch { cond: at_end, target: StepId::new(5) });
        self.store(Ty::I8, to, 0, byte);
        self.steps.push(StepKind::Assign { dst: index, value: after });
        self.steps.push(StepKind::Goto { target: StepId::new(1) });
    }

    fn load(&mut self, ty: Ty, pointer: ExprId, offset: u64) -> ExprId {
        let addr = self.moved(pointer, offset);
        let (dst, value) = self.reg(ty);
        self.steps.push(StepKind::Load { dst, addr, ty, access: Access::PLAIN });
        value
    }

    fn store(&mut self, ty: Ty, pointer: ExprId, offset: u64, value: ExprId) {
        let addr = self.moved(pointer, offset);
        self.steps.push(StepKind::Store { addr, value, ty, access: Access::PLAIN });
    }

    fn moved(&mut self, pointer: ExprId, offset: u64) -> ExprId {
        match self.function.exprs[pointer] {
            _ if offset == 0 => pointer,
            Expr::Addr { base, offset: at } => self.expr(Expr::Addr { base, offset: at.wrapping_add_unsigned(offset) }),
            _ => {
                let by = self.int(offset);
                self.expr(Expr::Binary(BinOp::PtrAdd, pointer, by))
            }
        }
    }

    fn reg(&mut self, ty: Ty) -> (RegId, ExprId) {
        let reg = self.function.regs.push(Reg { ty, name: None });
        (reg, self.expr(Expr::Reg(reg)))
    }

    fn int(&mut self, value: u64) -> ExprId {
        self.expr(Expr::Const { ty: Ty::I64, bits: u128::from(value) })
    }

    fn expr(&mut self, expr: Expr) -> ExprId {
        self.function.exprs.push(expr)
    }
}
