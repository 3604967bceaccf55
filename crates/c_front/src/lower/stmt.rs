//! Statements.

use heddle_base::{Id, Span};
use heddle_ir::{AllocKind, BinOp, StepId, StepKind, Ty};

use super::builder::Label;
use super::function::{Case, ComputedGoto, JumpTarget, LabelInfo, LabelKey, PendingGoto, Switch, function_label};
use super::scope::ScopePoint;
use super::{Kind, Lower, Place, Value};
use crate::ast::{self, StmtId, StmtKind};
use crate::intern::Symbol;

impl Lower<'_> {
    pub(super) fn statements(&mut self, items: &[StmtId]) {
        for &item in items {
            self.statement(item);
        }
    }

    pub(super) fn statement(&mut self, id: StmtId) {
        let ast = self.ast;
        let span = ast.stmts[id].span;
        self.at(span);
        let mark = self.mark();
        match &ast.stmts[id].kind {
            StmtKind::Compound { items, end } => {
                self.enter_block();
                self.statements(items);
                self.at(Span::new(*end, *end + 1));
                self.leave_block();
            }
            StmtKind::Decl(decl) => self.declaration(*decl),
            StmtKind::LocalLabels(names) => {
                self.f.next_label_block += 1;
                let block = self.f.next_label_block;
                self.f.local_labels.extend(names.iter().map(|n| (*n, block)));
            }
            StmtKind::Expr(expr) => {
                if let Some(expr) = expr {
                    self.discard(*expr);
                }
            }
            StmtKind::If(..) => self.if_chain(id),
            StmtKind::While(cond, body) => self.while_loop(*cond, *body),
            StmtKind::DoWhile(body, cond) => self.do_loop(*body, *cond),
            StmtKind::For { init, cond, step, body } => self.for_loop(*init, *cond, *step, *body),
            StmtKind::Switch(value, body) => self.switch(*value, *body),
            StmtKind::Case(..) | StmtKind::Default(_) => self.case_labels(id),
            StmtKind::Label(..) => {
                // A run of labels may be long.
                let mut inner = id;
                while let StmtKind::Label(name, next) = ast.stmts[inner].kind {
                    self.place_label(name, ast.stmts[inner].span);
                    inner = next;
                }
                self.statement(inner);
            }
            StmtKind::Goto(name) => {
                let key = self.label_key(*name);
                let info = self.label_info(key, span);
                self.emit_goto(key, info.label, span);
            }
            StmtKind::GotoComputed(target) => self.computed_goto(*target, span),
            StmtKind::Break => self.break_or_continue(true, span),
            StmtKind::Continue => self.break_or_continue(false, span),
            StmtKind::Return(value) => self.return_statement(*value, span),
            StmtKind::Asm(asm) => self.asm_statement(asm, span),
            StmtKind::NestedFunction(_) => self.unsupported(span, "nested functions"),
            StmtKind::Error => {}
        }
        if ast.stmts[id].kind.is_simple() {
            self.give_up_since(mark);
        }
    }

    // ---- blocks ------------------------------------------------------------------------------------------------------

    pub(super) fn enter_block(&mut self) {
        self.scopes.push();
        self.slot_scopes.enter();
        self.f.depth += 1;
        // What `__label__` declares ends with its block.
        let labels = self.f.local_labels.len();
        self.f.label_marks.push(labels);
    }

    pub(super) fn leave_block(&mut self) {
        let depth = self.f.depth;
        if self.b.reachable() {
            self.run_cleanups(depth);
            self.free_stack_objects(depth);
        }
        self.f.cleanups.retain(|c| c.depth < depth);
        self.f.stack_objects.retain(|o| o.0 < depth);
        let reachable = self.b.reachable();
        for slot in self.slot_scopes.leave() {
            if reachable {
                self.b.emit(StepKind::Dead { slot });
            }
        }
        if let Some(labels) = self.f.label_marks.pop() {
            self.f.local_labels.truncate(labels);
        }
        self.f.depth -= 1;
        self.scopes.pop();
    }

    fn free_stack_objects(&mut self, depth: usize) {
        let objects: Vec<_> = self.f.stack_objects.iter().rev().filter(|o| o.0 >= depth).map(|o| o.1).collect();
        for reg in objects {
            let addr = self.b.read(reg);
            self.b.emit(StepKind::Free { addr, kind: AllocKind::Stack });
        }
    }

    /// Calls the `cleanup` functions of variables in blocks at `depth` and deeper, last declared first.
    pub(super) fn run_cleanups(&mut self, depth: usize) {
        let pending: Vec<_> = self.f.cleanups.iter().rev().filter(|c| c.depth >= depth).copied().collect();
        for cleanup in pending {
            let Some((id, _)) = self.function_id(cleanup.function, cleanup.span) else {
                self.error(cleanup.span, "the cleanup function is not declared");
                continue;
            };
            let Some(super::Binding::Slot(slot, ty)) = self.scopes.lookup(cleanup.variable) else { continue };
            let addr = self.b.addr(heddle_ir::Base::Slot(slot), 0);
            let pointer = self.types.pointer(ty);
            self.emit_direct_call(id, vec![Value::scalar(addr, pointer)]);
        }
    }

    // ---- branches and loops ------------------------------------------------------------------------------------------

    /// `if … else if … else` may be long: it is walked iteratively.
    fn if_chain(&mut self, first: StmtId) {
        let ast = self.ast;
        let end = self.b.label();
        let mut next = first;
        loop {
            let StmtKind::If(cond, then, otherwise) = ast.stmts[next].kind else {
                self.statement(next);
                break;
            };
            self.at(ast.stmts[next].span);
            let to_else = self.b.label();
            self.jump_if(cond, false, to_else);
            self.statement(then);
            let Some(otherwise) = otherwise else {
                self.b.place(to_else);
                break;
            };
            if self.b.reachable() {
                self.b.goto(end);
            }
            self.b.place(to_else);
            next = otherwise;
        }
        self.b.place(end);
    }

    /// Lowers a loop's body with `break` and `continue` going to the labels given.
    fn loop_body(&mut self, body: StmtId, breaks: Label, continues: Label) {
        let point = self.slot_scopes.here();
        self.f.breaks.push(JumpTarget { label: breaks, point });
        self.f.continues.push(JumpTarget { label: continues, point });
        self.f.loop_depths.push(self.f.depth);
        self.f.break_depths.push(self.f.depth);
        self.statement(body);
        self.f.break_depths.pop();
        self.f.loop_depths.pop();
        self.f.breaks.pop();
        self.f.continues.pop();
    }

    fn while_loop(&mut self, cond: ast::ExprId, body: StmtId) {
        let (head, end) = (self.b.label(), self.b.label());
        self.b.place(head);
        self.jump_if(cond, false, end);
        self.loop_body(body, end, head);
        if self.b.reachable() {
            self.at(self.ast.exprs[cond].span);
            self.b.goto(head);
        }
        self.b.place(end);
    }

    fn do_loop(&mut self, body: StmtId, cond: ast::ExprId) {
        let (head, test, end) = (self.b.label(), self.b.label(), self.b.label());
        self.b.place(head);
        self.loop_body(body, end, test);
        self.b.place(test);
        self.jump_if(cond, true, head);
        self.b.place(end);
    }

    fn for_loop(&mut self, init: Option<StmtId>, cond: Option<ast::ExprId>, step: Option<ast::ExprId>, body: StmtId) {
        self.enter_block();
        if let Some(init) = init {
            self.statement(init);
        }
        let (head, next, end) = (self.b.label(), self.b.label(), self.b.label());
        self.b.place(head);
        if let Some(cond) = cond {
            self.jump_if(cond, false, end);
        }
        self.loop_body(body, end, next);
        self.b.place(next);
        if let Some(step) = step {
            self.at(self.ast.exprs[step].span);
            self.discard(step);
        }
        self.b.goto(head);
        self.b.place(end);
        self.leave_block();
    }

    fn break_or_continue(&mut self, is_break: bool, span: Span) {
        let (target, depth) = if is_break {
            (self.f.breaks.last().copied(), self.f.break_depths.last().copied())
        } else {
            (self.f.continues.last().copied(), self.f.loop_depths.last().copied())
        };
        let (Some(target), Some(depth)) = (target, depth) else {
            let what = if is_break { "`break` outside of a loop or switch" } else { "`continue` outside of a loop" };
            return self.error(span, what);
        };
        self.run_cleanups(depth + 1);
        self.free_stack_objects(depth + 1);
        self.emit_jump_effects(self.slot_scopes.here(), target.point);
        self.b.goto(target.label);
    }

    // ---- switch ------------------------------------------------------------------------------------------------------

    /// The comparisons come behind the body, when all cases are known, and lead to them by way of the locals whose
    /// declarations they skip.
    fn switch(&mut self, value: ast::ExprId, body: StmtId) {
        let span = self.ast.exprs[value].span;
        let value = self.rvalue(value);
        if !self.types.is_integer(value.ty) {
            if !self.types.is_error(value.ty) {
                self.error(span, "the quantity of a switch is not an integer");
            }
            return;
        }
        let value = self.promote(value);
        let value = self.snapshot(value);
        let loc = self.b.loc;
        let (dispatch, end) = (self.b.label(), self.b.label());
        self.b.goto(dispatch);
        let point = self.slot_scopes.here();
        self.f.switches.push(Switch { ty: value.ty, cases: Vec::new(), default: None });
        self.f.breaks.push(JumpTarget { label: end, point });
        self.f.break_depths.push(self.f.depth);
        self.statement(body);
        self.f.break_depths.pop();
        self.f.breaks.pop();
        let switch = self.f.switches.pop().expect("pushed above");
        if self.b.reachable() {
            self.b.goto(end);
        }
        self.b.place(dispatch);
        self.b.loc = loc;
        self.check_duplicate_cases(&switch);
        self.dispatch(&switch, value, point, end);
        self.b.place(end);
    }

    fn dispatch(&mut self, switch: &Switch, value: Value, from: ScopePoint, end: Label) {
        let Kind::Scalar(quantity) = value.kind else { return };
        let ty = self.b.type_of(quantity);
        let mut detours: Vec<(StepId, Label, ScopePoint)> = Vec::new();
        for case in &switch.cases {
            self.check_jump(from, case.point, case.span);
            let lo = self.b.constant(ty, case.lo);
            let cond = if case.lo == case.hi {
                self.b.binary(BinOp::Eq, quantity, lo)
            } else {
                // lo <= q <= hi, in the order of the type.
                let hi = self.b.constant(ty, case.hi);
                let le = if self.types.is_signed(switch.ty) { BinOp::SLe } else { BinOp::ULe };
                let (above, below) = (self.b.binary(le, lo, quantity), self.b.binary(le, quantity, hi));
                self.b.binary(BinOp::And, above, below)
            };
            let step = self.b.emit(StepKind::Branch { cond, target: StepId::new(case.label.index()) });
            detours.push((step, case.label, case.point));
        }
        match switch.default {
            Some((label, point, span)) => {
                self.check_jump(from, point, span);
                let step = self.b.goto(label);
                detours.push((step, label, point));
            }
            None => {
                self.b.goto(end);
            }
        }
        for (step, label, to) in detours {
            if let Some(detour) = self.detour(from, to, label) {
                self.b.retarget(step, detour);
            }
        }
    }

    fn check_duplicate_cases(&mut self, switch: &Switch) {
        let signed = self.types.is_signed(switch.ty);
        let bits = self.types.scalar(switch.ty).and_then(Ty::int_bits).unwrap_or(32);
        let key = |v: u128| if signed { heddle_ir::eval::sign_extend(v, bits) } else { v as i128 };
        let mut ranges: Vec<(i128, i128, Span)> = switch.cases.iter().map(|c| (key(c.lo), key(c.hi), c.span)).collect();
        ranges.sort_by_key(|r| (r.0, r.1, r.2.lo));
        for pair in ranges.windows(2) {
            if pair[1].0 <= pair[0].1 {
                let note = (pair[0].2, "previously used here".to_owned());
                self.diags.error_with_note(pair[1].2, "duplicate case value", Some(note));
            }
        }
    }

    /// A run of `case` and `default` labels and the statement behind them.
    fn case_labels(&mut self, first: StmtId) {
        let ast = self.ast;
        let mut next = first;
        let label = self.b.label();
        self.b.place(label);
        loop {
            let span = ast.stmts[next].span;
            match ast.stmts[next].kind {
                StmtKind::Case(lo, hi, inner) => {
                    self.add_case(lo, hi, label, span);
                    next = inner;
                }
                StmtKind::Default(inner) => {
                    let point = self.slot_scopes.here();
                    match self.f.switches.last_mut() {
                        None => self.error(span, "`default` outside of a switch"),
                        Some(switch) if switch.default.is_some() => {
                            self.error(span, "multiple default labels in one switch")
                        }
                        Some(switch) => switch.default = Some((label, point, span)),
                    }
                    next = inner;
                }
                _ => break,
            }
        }
        self.statement(next);
    }

    fn add_case(&mut self, lo: ast::ExprId, hi: Option<ast::ExprId>, label: Label, span: Span) {
        let Some(ty) = self.f.switches.last().map(|s| s.ty) else {
            return self.error(span, "`case` outside of a switch");
        };
        let Some(lo_value) = self.integer_constant(lo, "the value of a case") else { return };
        let hi_value = match hi {
            Some(hi) => match self.integer_constant(hi, "the value of a case") {
                Some(value) => value,
                None => return,
            },
            None => lo_value,
        };
        if hi_value < lo_value {
            return self.warning(span, "empty case range");
        }
        let mask = heddle_ir::eval::mask(self.types.scalar(ty).and_then(Ty::int_bits).unwrap_or(32));
        let point = self.slot_scopes.here();
        let case = Case { lo: lo_value as u128 & mask, hi: hi_value as u128 & mask, label, point, span };
        if let Some(switch) = self.f.switches.last_mut() {
            switch.cases.push(case);
        }
    }

    // ---- jumps -------------------------------------------------------------------------------------------------------

    /// The label that a name means here.
    pub(super) fn label_key(&self, name: Symbol) -> LabelKey {
        self.f.local_labels.iter().rev().find(|l| l.0 == name).copied().unwrap_or(function_label(name))
    }

    pub(super) fn label_info(&mut self, key: LabelKey, span: Span) -> LabelInfo {
        if self.unevaluated > 0 {
            // The operand may be lowered once more, and evaluated then.
            return LabelInfo::new(self.b.label(), span);
        }
        if let Some(info) = self.f.labels.get(&key) {
            return *info;
        }
        let info = LabelInfo::new(self.b.label(), span);
        self.f.labels.insert(key, info);
        info
    }

    pub(super) fn place_label(&mut self, name: Symbol, span: Span) {
        if self.unevaluated > 0 {
            let label = self.b.label();
            return self.b.place(label);
        }
        let key = self.label_key(name);
        let info = self.label_info(key, span);
        if info.placed.is_some() {
            let text = self.name(name).to_owned();
            let note = (info.span, "previous definition is here".to_owned());
            return self.diags.error_with_note(span, format!("duplicate label `{text}`"), Some(note));
        }
        self.b.place(info.label);
        let point = self.slot_scopes.here();
        self.f.labels.insert(key, LabelInfo { placed: Some(point), span, ..info });
    }

    pub(super) fn emit_goto(&mut self, key: LabelKey, label: Label, span: Span) {
        if !self.f.cleanups.is_empty() {
            self.unsupported(span, "`goto` in the scope of a variable with a cleanup attribute");
        }
        let step = self.b.goto(label);
        let from = self.slot_scopes.here();
        self.f.gotos.push(PendingGoto { step, label: key, from, span });
    }

    fn computed_goto(&mut self, target: ast::ExprId, span: Span) {
        let value = self.rvalue(target);
        let void_ptr = self.types.common.void_ptr;
        let value = self.convert_assign(value, void_ptr, span, "computed goto");
        let Kind::Scalar(expr) = value.kind else { return };
        let pointer = self.b.reg(Ty::Ptr, None);
        self.b.emit(StepKind::Assign { dst: pointer, value: expr });
        let label = self.b.label();
        self.b.goto(label);
        let from = self.slot_scopes.here();
        self.f.computed_gotos.push(ComputedGoto { label, pointer, from, span });
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) {
        let ret = self.f.ret.unwrap_or(self.types.common.void);
        let result = match value {
            Some(expr) => {
                let value = self.rvalue(expr);
                self.return_value(value, ret, self.ast.exprs[expr].span)
            }
            None if !self.types.is_void(ret) => {
                self.warning(span, "`return` without a value in a function that returns one");
                self.types.scalar(ret).map(|ty| {
                    let name = format!("{}.result", self.f.name);
                    self.havoc(&name, ty, heddle_ir::InputKind::Uninit)
                })
            }
            None => None,
        };
        self.at(span);
        self.leave_all_blocks();
        self.b.emit(StepKind::Return { value: result });
    }

    fn return_value(&mut self, value: Value, ret: crate::types::QTy, span: Span) -> Option<heddle_ir::ExprId> {
        if self.types.is_void(ret) {
            if !self.types.is_void(value.ty) && !self.types.is_error(value.ty) {
                self.warning(span, "`return` with a value in a function returning void");
            }
            return None;
        }
        if let Some(reg) = self.f.ret_addr {
            self.check_record_assign(ret, value.ty, span);
            let addr = self.b.read(reg);
            self.copy_record(Value::place(Place::Mem(addr), ret), value);
            return None;
        }
        if self.types.is_void(value.ty) {
            self.error(span, "a void value is returned");
            return None;
        }
        let value = self.convert_assign(value, ret, span, "return");
        // Cleanups may change the registers that the value reads.
        let value = if self.f.cleanups.is_empty() { value } else { self.snapshot(value) };
        match value.kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }
}
