//! Function bodies of the text form.

use heddle_base::Id;
use rustc_hash::FxHashMap;

use super::error::{ParseError, ParseErrorKind};
use super::lex::TokenKind;
use super::names::{name_of_handle, numbered};
use super::parse::{BodyStart, Parser, ty_named};
use super::parse_expr::Scope;
use crate::expr::Expr;
use crate::layout::LayoutId;
use crate::program::{FuncId, Input, InputId, InputKind, Reg, RegId, Slot, SlotId};
use crate::step::{Access, AllocKind, Callee, MemOrder, Section, Step, StepId, StepKind, SyncKind, SyncOp};
use crate::ty::Ty;

type Result_<T> = Result<T, ParseError>;

/// Reads the body of a function.
pub(super) fn parse_body<'a>(parser: &mut Parser<'a>, start: BodyStart<'a>) -> Result_<()> {
    let id = start.id;
    parser.seek(start.pos);
    let scope = Scope { regs: std::mem::take(&mut parser.functions[id].regs), ..Scope::default() };
    let mut body = Body { parser, id, scope, labels: FxHashMap::default(), jumps: Vec::new() };
    for (i, handle) in start.handles.into_iter().enumerate() {
        body.name_reg(handle, RegId::new(i))?;
    }
    body.read()?;
    let scope = body.scope;
    let function = &mut parser.functions[id];
    function.regs = scope.regs;
    function.exprs = scope.exprs;
    Ok(())
}

struct Body<'p, 'a> {
    parser: &'p mut Parser<'a>,
    id: FuncId,
    scope: Scope,
    /// Names and numbers before steps.
    labels: FxHashMap<String, StepId>,
    /// Steps whose target is still to be found, and where it is named.
    jumps: Vec<(StepId, String, usize)>,
}

impl Body<'_, '_> {
    fn name_reg(&mut self, handle: &str, id: RegId) -> Result_<()> {
        match self.scope.reg_names.insert(handle.to_owned(), id) {
            Some(_) => {
                let name = handle.to_owned();
                Err(self.parser.error_before(ParseErrorKind::Duplicate { what: "register", name }))
            }
            None => Ok(()),
        }
    }

    fn read(&mut self) -> Result_<()> {
        loop {
            self.parser.newlines();
            if self.parser.eat("}") {
                break;
            }
            match (self.parser.kind(), self.parser.second()) {
                (TokenKind::Word("slot"), TokenKind::Word(_)) => self.slot()?,
                _ => self.line()?,
            }
        }
        for (step, label, pos) in std::mem::take(&mut self.jumps) {
            let unknown = || ParseErrorKind::Unknown { what: "label", name: label.clone() };
            let to = *self.labels.get(&label).ok_or_else(|| self.parser.error_at(pos, unknown()))?;
            match &mut self.parser.functions[self.id].steps[step].kind {
                StepKind::Goto { target } | StepKind::Branch { target, .. } => *target = to,
                _ => {}
            }
        }
        Ok(())
    }

    fn slot(&mut self) -> Result_<()> {
        self.parser.advance();
        let handle = self.parser.word("a local")?;
        self.parser.expect(":")?;
        let layout = self.parser.layout_ref()?;
        let name = match self.parser.kind() {
            TokenKind::Str(_) => self.parser.text()?,
            _ => name_of_handle(handle, 'm').unwrap_or(handle).to_owned(),
        };
        let loc = self.parser.place()?;
        let id = self.parser.functions[self.id].slots.push(Slot { name, layout, loc });
        if self.scope.slot_names.insert(handle.to_owned(), id).is_some() {
            let name = handle.to_owned();
            return Err(self.parser.error(ParseErrorKind::Duplicate { what: "local", name }));
        }
        self.parser.end_of_line()
    }

    /// Labels and, on the same line or a later one, a step.
    fn line(&mut self) -> Result_<()> {
        let label = match (self.parser.kind(), self.parser.second()) {
            (TokenKind::Int(number), TokenKind::Sym(":")) => Some(number.to_string()),
            (TokenKind::Word(word), TokenKind::Sym(":")) => Some((*word).to_owned()),
            _ => None,
        };
        if let Some(name) = label {
            let next = self.parser.functions[self.id].steps.next_id();
            if self.labels.insert(name.clone(), next).is_some() {
                return Err(self.parser.error(ParseErrorKind::Duplicate { what: "label", name }));
            }
            self.parser.advance();
            self.parser.advance();
            return Ok(());
        }
        let kind = self.step()?;
        let loc = self.parser.place()?;
        self.parser.functions[self.id].steps.push(Step { kind, loc });
        self.parser.end_of_line()
    }

    fn step(&mut self) -> Result_<StepKind> {
        if let (TokenKind::Word(handle), TokenKind::Sym("=")) = (self.parser.kind(), self.parser.second()) {
            self.parser.advance();
            self.parser.advance();
            return self.assignment(handle);
        }
        let word = self.parser.word("a step")?;
        let mut parts = word.split('.');
        match parts.next().unwrap_or(word) {
            "store" => {
                let (ty, access) = self.access(parts)?;
                let addr = self.ptr()?;
                self.parser.expect(",")?;
                Ok(StepKind::Store { addr, value: self.expr(Some(ty))?, ty, access })
            }
            "copy" => {
                let dst = self.ptr()?;
                self.parser.expect(",")?;
                let src = self.ptr()?;
                self.parser.expect(",")?;
                let len = self.expr(Some(Ty::I64))?;
                Ok(StepKind::Copy { dst, src, len, layout: self.shape()? })
            }
            "fill" => {
                let dst = self.ptr()?;
                self.parser.expect(",")?;
                let byte = self.expr(Some(Ty::I8))?;
                self.parser.expect(",")?;
                let len = self.expr(Some(Ty::I64))?;
                Ok(StepKind::Fill { dst, byte, len, layout: self.shape()? })
            }
            "live" => Ok(StepKind::Live { slot: self.slot_named()? }),
            "dead" => Ok(StepKind::Dead { slot: self.slot_named()? }),
            "free" => {
                let kind = self.part(parts.next(), "kind of allocation", &AllocKind::ALL, AllocKind::name)?;
                Ok(StepKind::Free { addr: self.ptr()?, kind })
            }
            "goto" => Ok(StepKind::Goto { target: self.target()? }),
            "if" => {
                let cond = self.bool()?;
                self.parser.keyword("goto")?;
                Ok(StepKind::Branch { cond, target: self.target()? })
            }
            "call" => self.call(None),
            "return" => {
                let ends = matches!(self.parser.kind(), TokenKind::Newline | TokenKind::At(_) | TokenKind::Sym("}"));
                let ret = self.parser.functions[self.id].ret;
                Ok(StepKind::Return { value: if ends { None } else { Some(self.expr(ret)?) } })
            }
            "atomic_begin" => {
                let ends = !matches!(self.parser.kind(), TokenKind::Word(_));
                let section =
                    if ends { Section::User } else { self.parser.one_of("section", &Section::ALL, Section::name)? };
                Ok(StepKind::AtomicBegin { section })
            }
            "atomic_end" => Ok(StepKind::AtomicEnd),
            "await" => {
                let spurious = parts.next() == Some("spurious");
                let cond = self.bool()?;
                let (kind, object) = if self.parser.eat(",") {
                    let kind = self.parser.one_of("kind of object", &SyncKind::ALL, SyncKind::name)?;
                    (kind, self.ptr()?)
                } else {
                    (SyncKind::Other, self.scope.intern(Expr::Const { ty: Ty::Ptr, bits: 0 }))
                };
                Ok(StepKind::Await { cond, spurious, kind, object })
            }
            "spawn" => {
                let callee = self.callee()?;
                self.parser.expect("(")?;
                let arg = self.ptr()?;
                self.parser.expect(")")?;
                Ok(StepKind::Spawn { callee, arg })
            }
            "thread_exit" => Ok(StepKind::ThreadExit),
            "exit" | "abort" => Ok(StepKind::ProcessExit { status: self.expr(Some(Ty::I32))?, abort: word == "abort" }),
            "assume" => Ok(StepKind::Assume { cond: self.bool()? }),
            "assert" => {
                let cond = self.bool()?;
                self.parser.expect(",")?;
                Ok(StepKind::Assert { cond, check: self.parser.check()? })
            }
            "sync" => {
                let op = self.parser.one_of("synchronisation", &SyncOp::ALL, SyncOp::name)?;
                let kind = self.parser.one_of("kind of object", &SyncKind::ALL, SyncKind::name)?;
                Ok(StepKind::Sync { op, kind, object: self.ptr()? })
            }
            "output" => self.output(None),
            "fence" => {
                let order = self.parser.one_of("memory order", &MemOrder::ALL, MemOrder::name)?;
                Ok(StepKind::Fence { order })
            }
            "unsupported" => Ok(StepKind::Unsupported { what: self.parser.text()? }),
            "skip" => Ok(StepKind::Skip),
            _ => Err(self.parser.unknown("step", word)),
        }
    }

    /// What follows `handle =`.
    fn assignment(&mut self, handle: &str) -> Result_<StepKind> {
        let start = self.parser.pos();
        let word = match self.parser.kind() {
            TokenKind::Word(word) if self.scope.reg(word).is_none() => *word,
            _ => "",
        };
        let mut parts = word.split('.');
        self.parser.advance();
        match parts.next().unwrap_or(word) {
            "load" => {
                let (ty, access) = self.access(parts)?;
                let addr = self.ptr()?;
                Ok(StepKind::Load { dst: self.target_reg(handle, Some(ty))?, addr, ty, access })
            }
            "havoc" => {
                let given = parts.next().and_then(ty_named);
                let name = self.parser.name("an input")?;
                let (input, dst) = self.havoc(handle, name, given)?;
                Ok(StepKind::Havoc { dst, input })
            }
            "alloc" => {
                let kind = self.part(parts.next(), "kind of allocation", &AllocKind::ALL, AllocKind::name)?;
                let zeroed = parts.next() == Some("zeroed");
                let size = self.expr(Some(Ty::I64))?;
                Ok(StepKind::Alloc { dst: self.target_reg(handle, Some(Ty::Ptr))?, size, zeroed, kind })
            }
            "objsize" => {
                let addr = self.ptr()?;
                Ok(StepKind::ObjectSize { dst: self.target_reg(handle, Some(Ty::I64))?, addr })
            }
            "call" => self.call(Some(handle)),
            "output" => self.output(Some(handle)),
            _ => {
                self.parser.seek(start);
                let tree = self.parser.tree(&self.scope, 0)?;
                let fallback = if tree.has_float() { Ty::F64 } else { Ty::I32 };
                let inferred = self.parser.infer(&self.scope, &tree).unwrap_or(fallback);
                let dst = self.target_reg(handle, Some(inferred))?;
                let ty = self.scope.regs[dst].ty;
                Ok(StepKind::Assign { dst, value: self.parser.elaborate(&mut self.scope, &tree, Some(ty))? })
            }
        }
    }

    fn havoc(&mut self, handle: &str, name: String, given: Option<Ty>) -> Result_<(InputId, RegId)> {
        if let Some(&input) = self.parser.input_names.get(&name) {
            let ty = self.parser.inputs[input].ty;
            return Ok((input, self.target_reg(handle, Some(ty))?));
        }
        let dst = self.target_reg(handle, given)?;
        let ty = given.unwrap_or(self.scope.regs[dst].ty);
        let loc = heddle_base::Loc::nowhere();
        let input = self.parser.inputs.push(Input { name: name.clone(), ty, kind: InputKind::Nondet, loc });
        self.parser.input_names.insert(name, input);
        Ok((input, dst))
    }

    /// The register that is assigned, declared here if it is new.
    fn target_reg(&mut self, handle: &str, ty: Option<Ty>) -> Result_<RegId> {
        if let Some(id) = self.scope.reg(handle) {
            return Ok(id);
        }
        let ty = ty.ok_or_else(|| self.parser.error_before(ParseErrorKind::NeedsType(handle.to_owned())))?;
        let name = name_of_handle(handle, 'r').map(str::to_owned);
        let id = self.scope.regs.push(Reg { ty, name });
        self.name_reg(handle, id)?;
        Ok(id)
    }

    fn call(&mut self, dst: Option<&str>) -> Result_<StepKind> {
        let callee = self.callee()?;
        self.parser.expect("(")?;
        let mut args = Vec::new();
        while !self.parser.eat(")") {
            let expected = self.param_type(callee, args.len());
            args.push(self.expr(expected)?);
            if *self.parser.kind() != TokenKind::Sym(")") {
                self.parser.expect(",")?;
            }
        }
        let ret = match callee {
            Callee::Direct(func) => self.parser.functions[func].ret,
            Callee::Indirect(_) => None,
        };
        let dst = dst.map(|handle| self.target_reg(handle, ret)).transpose()?;
        Ok(StepKind::Call { dst, callee, args })
    }

    fn param_type(&self, callee: Callee, index: usize) -> Option<Ty> {
        let Callee::Direct(func) = callee else { return None };
        let function = &self.parser.functions[func];
        let reg = *function.params.get(index)?;
        // While a function's own body is read, its registers are in the scope.
        let regs = if func == self.id { &self.scope.regs } else { &function.regs };
        regs.get(reg).map(|r| r.ty)
    }

    fn output(&mut self, dst: Option<&str>) -> Result_<StepKind> {
        let function = self.parser.name("a C function")?;
        self.parser.expect("(")?;
        let mut args = Vec::new();
        while !self.parser.eat(")") {
            args.push(self.expr(None)?);
            if *self.parser.kind() != TokenKind::Sym(")") {
                self.parser.expect(",")?;
            }
        }
        let dst = dst.map(|handle| self.target_reg(handle, Some(Ty::I32))).transpose()?;
        Ok(StepKind::Output { dst, function, args })
    }

    fn callee(&mut self) -> Result_<Callee> {
        if !self.parser.eat("*") {
            let name = self.parser.name("a function")?;
            return Ok(Callee::Direct(self.parser.function_named(&name)?));
        }
        if self.parser.eat("(") {
            let pointer = self.ptr()?;
            self.parser.expect(")")?;
            return Ok(Callee::Indirect(pointer));
        }
        let word = self.parser.word("a register")?;
        let reg = self.scope.reg(word).ok_or_else(|| self.parser.unknown("register", word))?;
        Ok(Callee::Indirect(self.scope.intern(Expr::Reg(reg))))
    }

    fn expr(&mut self, expected: Option<Ty>) -> Result_<crate::expr::ExprId> {
        self.parser.expr(&mut self.scope, expected)
    }

    fn ptr(&mut self) -> Result_<crate::expr::ExprId> {
        self.expr(Some(Ty::Ptr))
    }

    fn bool(&mut self) -> Result_<crate::expr::ExprId> {
        self.expr(None)
    }

    /// `i32.acquire.internal` behind `load.` or `store.`.
    fn access<'s>(&mut self, mut parts: impl Iterator<Item = &'s str>) -> Result_<(Ty, Access)> {
        let name = parts.next().unwrap_or("");
        let ty = ty_named(name).ok_or_else(|| self.parser.unknown("type", name))?;
        let mut access = Access::PLAIN;
        for part in parts {
            if part == "internal" {
                access.internal = true;
            } else {
                access.order = self.part(Some(part), "memory order", &MemOrder::ALL, MemOrder::name)?;
            }
        }
        Ok((ty, access))
    }

    fn part<T: Copy>(
        &self,
        part: Option<&str>,
        what: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result_<T> {
        let word = part.unwrap_or("");
        all.iter().copied().find(|&t| name(t) == word).ok_or_else(|| self.parser.unknown(what, word))
    }

    fn shape(&mut self) -> Result_<Option<LayoutId>> {
        if self.parser.eat_word("as") { self.parser.layout_ref().map(Some) } else { Ok(None) }
    }

    fn slot_named(&mut self) -> Result_<SlotId> {
        let word = self.parser.word("a local")?;
        let by_number = || numbered(word, 'm').map(SlotId::new);
        let known = |s: &SlotId| s.index() < self.parser.functions[self.id].slots.len();
        let slot = self.scope.slot_names.get(word).copied().or_else(by_number).filter(known);
        slot.ok_or_else(|| self.parser.unknown("local", word))
    }

    /// A label; the target is filled in once all labels are known.
    fn target(&mut self) -> Result_<StepId> {
        let pos = self.parser.pos();
        let name = match self.parser.kind() {
            TokenKind::Int(number) => number.to_string(),
            TokenKind::Word(word) => (*word).to_owned(),
            _ => return Err(self.parser.unexpected("a label")),
        };
        self.parser.advance();
        self.jumps.push((self.parser.functions[self.id].steps.next_id(), name, pos));
        Ok(StepId::new(0))
    }
}
