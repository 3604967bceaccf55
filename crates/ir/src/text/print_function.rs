//! Steps and expressions of a function as text.

use heddle_base::{Id, IndexVec, Loc};
use rustc_hash::FxHashSet;

use super::lex::quote;
use super::names::{Handles, is_ident};
use super::print::{Names, PrintOptions};
use crate::expr::{Base, BinOp, Expr, ExprId, UnOp};
use crate::layout::LayoutId;
use crate::program::{FuncId, Function, GlobalId, Program, RegId};
use crate::step::{Access, Callee, MemOrder, Step, StepKind};
use crate::ty::Ty;

/// A function's expressions and steps as text.
pub(super) struct FunctionText<'a> {
    names: &'a Names<'a>,
    program: &'a Program,
    function: &'a Function,
    pub handles: Handles,
    slot_handles: FxHashSet<String>,
    types: IndexVec<ExprId, Ty>,
    /// Whether the type of an expression can be told from its text alone.
    typed: IndexVec<ExprId, bool>,
}

/// A piece of an expression that is still to be printed.
enum Piece {
    Text(&'static str),
    Owned(String),
    Expr { id: ExprId, expected: Option<Ty>, nested: bool },
}

impl<'a> FunctionText<'a> {
    pub fn new(names: &'a Names<'a>, program: &'a Program, function: &'a Function) -> Self {
        let handles = Handles::new(function);
        let slot_handles = handles.slots.iter().cloned().collect();
        let types = function.expr_types();
        let mut typed: IndexVec<ExprId, bool> = IndexVec::with_capacity(types.len());
        for expr in function.exprs.iter() {
            let is = |id: ExprId| typed.get(id).copied().unwrap_or(true);
            typed.push(match *expr {
                Expr::Const { ty, bits } => ty == Ty::Bool || (ty == Ty::Ptr && bits == 0),
                Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId | Expr::Cast { .. } => true,
                Expr::Unary(op, arg) => op.is_predicate() || is(arg),
                Expr::Binary(BinOp::PtrAdd | BinOp::PtrDiff, ..) => true,
                Expr::Binary(op, left, right) => op.is_predicate() || is(left) || is(right),
                Expr::Ite { then, otherwise, .. } => is(then) || is(otherwise),
            });
        }
        FunctionText { names, program, function, handles, slot_handles, types, typed }
    }

    /// The lines of the body without places.
    pub fn lines(&self, options: PrintOptions) -> Vec<(String, Loc)> {
        let width = self.function.steps.len().saturating_sub(1).to_string().len();
        let mut depth = 0usize;
        let line = |(i, step): (usize, &Step)| {
            if matches!(step.kind, StepKind::AtomicEnd) {
                depth = depth.saturating_sub(1);
            }
            let indent = 2 * depth;
            if matches!(step.kind, StepKind::AtomicBegin { .. }) {
                depth += 1;
            }
            (format!("  {i:width$}: {:indent$}{}", "", self.step(&step.kind, options)), step.loc)
        };
        self.function.steps.iter().enumerate().map(line).collect()
    }

    pub fn step(&self, step: &StepKind, options: PrintOptions) -> String {
        let reg = |r: RegId| self.handles.reg(r);
        let assign = |dst: Option<RegId>| dst.map(|d| format!("{} = ", reg(d))).unwrap_or_default();
        let any = |e: ExprId| self.expr(e, None);
        let as_ty = |e: ExprId, ty: Ty| self.expr(e, Some(ty));
        let shape = |l: Option<LayoutId>| l.map(|l| format!(" as {}", self.names.layout(l))).unwrap_or_default();
        match step {
            StepKind::Assign { dst, value } => {
                let ty = self.function.regs.get(*dst).map(|r| r.ty);
                format!("{} = {}", reg(*dst), self.expr(*value, ty))
            }
            StepKind::Havoc { dst, input } => {
                let name = self.program.inputs.get(*input).map_or_else(|| input.to_string(), |i| word(&i.name));
                format!("{} = havoc {name}", reg(*dst))
            }
            StepKind::Load { dst, addr, ty, access } => {
                format!("{} = load.{ty}{} {}", reg(*dst), access_text(*access), as_ty(*addr, Ty::Ptr))
            }
            StepKind::Store { addr, value, ty, access } => {
                format!("store.{ty}{} {}, {}", access_text(*access), as_ty(*addr, Ty::Ptr), as_ty(*value, *ty))
            }
            StepKind::Copy { dst, src, len, layout } => {
                let (dst, src) = (as_ty(*dst, Ty::Ptr), as_ty(*src, Ty::Ptr));
                format!("copy {dst}, {src}, {}{}", as_ty(*len, Ty::I64), shape(*layout))
            }
            StepKind::Fill { dst, byte, len, layout } => {
                let (dst, byte) = (as_ty(*dst, Ty::Ptr), as_ty(*byte, Ty::I8));
                format!("fill {dst}, {byte}, {}{}", as_ty(*len, Ty::I64), shape(*layout))
            }
            StepKind::Live { slot } => format!("live {}", self.handles.slot(*slot)),
            StepKind::Dead { slot } => format!("dead {}", self.handles.slot(*slot)),
            StepKind::Alloc { dst, size, zeroed, kind } => {
                let zeroed = if *zeroed { ".zeroed" } else { "" };
                format!("{} = alloc.{}{zeroed} {}", reg(*dst), kind.name(), as_ty(*size, Ty::I64))
            }
            StepKind::Free { addr, kind } => format!("free.{} {}", kind.name(), as_ty(*addr, Ty::Ptr)),
            StepKind::ObjectSize { dst, addr } => format!("{} = objsize {}", reg(*dst), as_ty(*addr, Ty::Ptr)),
            StepKind::Goto { target } => format!("goto {}", target.index()),
            StepKind::Branch { cond, target } => format!("if {} goto {}", any(*cond), target.index()),
            StepKind::Call { dst, callee, args } => {
                format!("{}call {}({})", assign(*dst), self.callee(*callee), self.args(*callee, args))
            }
            StepKind::Return { value: Some(value) } => format!("return {}", self.expr(*value, self.function.ret)),
            StepKind::Return { value: None } => "return".to_owned(),
            StepKind::AtomicBegin { section } => format!("atomic_begin {}", section.name()),
            StepKind::AtomicEnd => "atomic_end".to_owned(),
            StepKind::Await { cond, spurious, kind, object } => {
                let spurious = if *spurious { ".spurious" } else { "" };
                format!("await{spurious} {}, {} {}", any(*cond), kind.name(), as_ty(*object, Ty::Ptr))
            }
            StepKind::Spawn { callee, arg } => format!("spawn {}({})", self.callee(*callee), as_ty(*arg, Ty::Ptr)),
            StepKind::ThreadExit => "thread_exit".to_owned(),
            StepKind::ProcessExit { status, abort } => {
                format!("{} {}", if *abort { "abort" } else { "exit" }, as_ty(*status, Ty::I32))
            }
            StepKind::Assume { cond } => format!("assume {}", any(*cond)),
            StepKind::Assert { cond, check } => {
                let id = if options.tables { format!("{check} ") } else { String::new() };
                let what = self
                    .program
                    .checks
                    .get(*check)
                    .map_or_else(|| "assert \"?\"".to_owned(), |c| format!("{} {}", c.property, quote(&c.message)));
                format!("assert {}, {id}{what}", any(*cond))
            }
            StepKind::Sync { op, kind, object } => {
                format!("sync {} {} {}", op.name(), kind.name(), as_ty(*object, Ty::Ptr))
            }
            StepKind::Output { dst, function, args } => {
                let args: Vec<String> = args.iter().map(|&a| any(a)).collect();
                format!("{}output {}({})", assign(*dst), word(function), args.join(", "))
            }
            StepKind::Fence { order } => format!("fence {}", order.name()),
            StepKind::Unsupported { what } => format!("unsupported {}", quote(what)),
            StepKind::Skip => "skip".to_owned(),
        }
    }

    fn callee(&self, callee: Callee) -> String {
        match callee {
            Callee::Direct(func) => func_name(self.program, func),
            Callee::Indirect(pointer) => match self.function.exprs.get(pointer) {
                Some(Expr::Reg(_)) => format!("*{}", self.expr(pointer, None)),
                _ => format!("*({})", self.expr(pointer, None)),
            },
        }
    }

    fn args(&self, callee: Callee, args: &[ExprId]) -> String {
        let target = match callee {
            Callee::Direct(func) => self.program.functions.get(func),
            Callee::Indirect(_) => None,
        };
        let param = |i: usize| target.and_then(|f| Some(f.regs.get(*f.params.get(i)?)?.ty));
        let texts: Vec<String> = args.iter().enumerate().map(|(i, &a)| self.expr(a, param(i))).collect();
        texts.join(", ")
    }

    /// The text of an expression where a value of type `expected` is wanted.
    pub fn expr(&self, id: ExprId, expected: Option<Ty>) -> String {
        let mut out = String::new();
        // A stack of our own: chains such as `x + x + …` are too deep for recursion.
        let mut todo = vec![Piece::Expr { id, expected, nested: false }];
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Owned(text) => out.push_str(&text),
                Piece::Expr { id, expected, nested } => {
                    let from = todo.len();
                    self.pieces(id, expected, nested, &mut todo);
                    todo[from..].reverse();
                }
            }
        }
        out
    }

    fn pieces(&self, id: ExprId, expected: Option<Ty>, nested: bool, out: &mut Vec<Piece>) {
        let Some(expr) = self.function.exprs.get(id) else {
            out.push(Piece::Owned(id.to_string()));
            return;
        };
        let known = expected == Some(self.types[id]);
        let child = |id: ExprId, expected: Option<Ty>| Piece::Expr { id, expected, nested: true };
        let call_child = |id: ExprId, expected: Option<Ty>| Piece::Expr { id, expected, nested: false };
        match *expr {
            Expr::Const { ty, bits } => out.push(Piece::Owned(constant(ty, bits, expected))),
            Expr::Reg(reg) => out.push(Piece::Owned(self.handles.reg(reg))),
            Expr::Addr { base, offset } => {
                out.push(Piece::Owned(format!("&{}{}", self.base(base), offset_text(offset))));
            }
            Expr::SelfId => out.push(Piece::Text("self")),
            Expr::Unary(op, arg) => {
                let ty = self.types[arg];
                let expected = if op.is_predicate() { None } else { Some(ty).filter(|_| known || self.typed[arg]) };
                match prefix(op, ty).filter(|_| !matches!(self.function.exprs[arg], Expr::Const { .. })) {
                    Some(symbol) => out.extend([Piece::Text(symbol), child(arg, expected)]),
                    None => out.extend([
                        Piece::Text(op.name()),
                        Piece::Text("("),
                        call_child(arg, expected),
                        Piece::Text(")"),
                    ]),
                }
            }
            Expr::Binary(op, left, right) => {
                let (lt, rt) = (self.types[left], self.types[right]);
                let symbol = infix(op, lt, rt);
                let (le, re) = match op {
                    // The left operand says that this is about pointers.
                    BinOp::PtrAdd => (None, Some(Ty::I64)),
                    BinOp::PtrDiff => (None, Some(Ty::Ptr)),
                    // No literal has this type, so they all say theirs.
                    _ if lt != rt => (Some(Ty::Bool), Some(Ty::Bool)),
                    _ if self.typed[left] || self.typed[right] => (Some(lt), Some(rt)),
                    _ if known && !op.is_predicate() => (Some(lt), Some(rt)),
                    _ => (None, None),
                };
                match symbol {
                    Some(symbol) => {
                        let (open, close) = if nested { ("(", ")") } else { ("", "") };
                        out.extend([Piece::Text(open), child(left, le), Piece::Text(" "), Piece::Text(symbol)]);
                        out.extend([Piece::Text(" "), child(right, re), Piece::Text(close)]);
                    }
                    None => {
                        out.extend([Piece::Text(op.name()), Piece::Text("("), call_child(left, le), Piece::Text(", ")]);
                        out.extend([call_child(right, re), Piece::Text(")")]);
                    }
                }
            }
            Expr::Cast { op, to, arg } => {
                out.extend([Piece::Owned(format!("{}.{to}(", op.name())), call_child(arg, None), Piece::Text(")")]);
            }
            Expr::Ite { cond, then, otherwise } => {
                let (tt, ot) = (self.types[then], self.types[otherwise]);
                let expected = if tt != ot {
                    Some(Ty::Bool)
                } else {
                    Some(tt).filter(|_| known || self.typed[then] || self.typed[otherwise])
                };
                let (open, close) = if nested { ("(", ")") } else { ("", "") };
                out.extend([Piece::Text(open), child(cond, None), Piece::Text(" ? "), child(then, expected)]);
                out.extend([Piece::Text(" : "), child(otherwise, expected), Piece::Text(close)]);
            }
        }
    }

    fn base(&self, base: Base) -> String {
        match base {
            Base::Slot(slot) => self.handles.slot(slot),
            Base::Global(global) => {
                let name = global_name(self.program, global);
                if self.slot_handles.contains(&name) { format!("::{name}") } else { name }
            }
            Base::Func(func) => {
                let name = func_name(self.program, func);
                let hidden = self.slot_handles.contains(&name) || self.names.globals.contains(name.as_str());
                if hidden { format!("fn::{name}") } else { name }
            }
        }
    }
}

/// The operator in front of its operand, where it is written so.
fn prefix(op: UnOp, ty: Ty) -> Option<&'static str> {
    match op {
        UnOp::Neg if ty.is_int() => Some("-"),
        UnOp::FNeg if ty.is_float() => Some("-"),
        UnOp::Not if ty.is_int() => Some("~"),
        UnOp::BoolNot if ty == Ty::Bool => Some("!"),
        _ => None,
    }
}

/// The operator between its operands, where it is written so.
fn infix(op: BinOp, left: Ty, right: Ty) -> Option<&'static str> {
    if op == BinOp::PtrAdd {
        return (left == Ty::Ptr && right == Ty::I64).then_some("+");
    }
    if left != right {
        return None;
    }
    let int = left.is_int();
    let bits = int || left == Ty::Bool;
    let ptr = left == Ty::Ptr;
    let float = left.is_float();
    let (fits, symbol) = match op {
        BinOp::Add => (int, "+"),
        BinOp::Sub => (int, "-"),
        BinOp::Mul => (int, "*"),
        BinOp::UDiv => (int, "/u"),
        BinOp::SDiv => (int, "/"),
        BinOp::URem => (int, "%u"),
        BinOp::SRem => (int, "%"),
        BinOp::And => (bits, "&"),
        BinOp::Or => (bits, "|"),
        BinOp::Xor => (bits, "^"),
        BinOp::Shl => (int, "<<"),
        BinOp::LShr => (int, ">>u"),
        BinOp::AShr => (int, ">>"),
        BinOp::Eq => (bits || ptr, "=="),
        BinOp::Ne => (bits || ptr, "!="),
        BinOp::ULt => (int || ptr, if ptr { "<" } else { "<u" }),
        BinOp::ULe => (int || ptr, if ptr { "<=" } else { "<=u" }),
        BinOp::SLt => (int, "<"),
        BinOp::SLe => (int, "<="),
        BinOp::PtrDiff => (ptr, "-"),
        BinOp::FAdd => (float, "+"),
        BinOp::FSub => (float, "-"),
        BinOp::FMul => (float, "*"),
        BinOp::FDiv => (float, "/"),
        BinOp::FRem => (float, "%"),
        BinOp::FEq => (float, "=="),
        BinOp::FNe => (float, "!="),
        BinOp::FLt => (float, "<"),
        BinOp::FLe => (float, "<="),
        BinOp::PtrAdd | BinOp::SAddO | BinOp::UAddO | BinOp::SSubO | BinOp::USubO | BinOp::SMulO | BinOp::UMulO => {
            (false, "")
        }
    };
    fits.then_some(symbol)
}

/// A literal; it names its type unless that is what its place expects.
pub(super) fn constant(ty: Ty, bits: u128, expected: Option<Ty>) -> String {
    let (text, default) = match ty {
        Ty::Bool if bits < 2 => return if bits == 1 { "true" } else { "false" }.to_owned(),
        Ty::Ptr if bits == 0 => return "null".to_owned(),
        Ty::F64 if bits >> 64 == 0 && f64::from_bits(bits as u64).is_finite() => {
            (format!("{:?}", f64::from_bits(bits as u64)), Ty::F64)
        }
        Ty::F32 if bits >> 32 == 0 && f32::from_bits(bits as u32).is_finite() => {
            (format!("{:?}", f32::from_bits(bits as u32)), Ty::F64)
        }
        _ => match ty.int_bits().filter(|&w| ty != Ty::Bool && (w == 128 || bits >> w == 0)) {
            Some(width) => ((bits << (128 - width)).cast_signed().wrapping_shr(128 - width).to_string(), Ty::I32),
            None => (format!("{bits:#x}"), Ty::I32),
        },
    };
    if expected.unwrap_or(default) == ty { text } else { format!("{text}:{ty}") }
}

fn access_text(access: Access) -> String {
    let order = if access.order == MemOrder::Plain { String::new() } else { format!(".{}", access.order.name()) };
    format!("{order}{}", if access.internal { ".internal" } else { "" })
}

pub(super) fn offset_text(offset: i64) -> String {
    if offset == 0 { String::new() } else { format!("{offset:+}") }
}

pub(super) fn global_name(program: &Program, id: GlobalId) -> String {
    program.globals.get(id).map_or_else(|| id.to_string(), |g| word(&g.name))
}

pub(super) fn func_name(program: &Program, id: FuncId) -> String {
    program.functions.get(id).map_or_else(|| id.to_string(), |f| word(&f.name))
}

/// A name as it stands in the text: quoted unless it is a plain word.
pub(super) fn word(name: &str) -> String {
    if is_ident(name) { name.to_owned() } else { quote(name) }
}
