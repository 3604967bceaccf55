//! Function definitions: parameters, body, labels.

use heddle_base::{Id, Span};
use heddle_ir::{Base, BinOp, Function, InputKind, Property, Reg, RegId, Section, StepId, StepKind, Ty};
use rustc_hash::FxHashMap;

use super::builder::{Builder, Label};
use super::declared_types::has_array_size;
use super::finish::Stub;
use super::scope::{Local, ScopePoint, SlotScopes};
use super::{Binding, Extern, FuncEntry, Kind, Lower, Place, Value};
use crate::ast::{self, Attr, Decl, Derived, FunctionDef, Params, Storage};
use crate::intern::Symbol;
use crate::types::{CType, FnType, QTy};
use heddle_ir::FuncId;

/// A label of the function, or of the block that declared it with `__label__`.
#[derive(Debug, Clone, Copy)]
pub(super) struct LabelInfo {
    pub(super) label: Label,
    pub(super) placed: Option<ScopePoint>,
    pub(super) span: Span,
}

/// A label by name and by the block that owns it (0 for the function).
pub(super) type LabelKey = (Symbol, u32);

/// Where `break` or `continue` goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct JumpTarget {
    pub(super) label: Label,
    pub(super) point: ScopePoint,
}

/// A `goto` whose label may lie ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingGoto {
    pub(super) step: StepId,
    pub(super) label: LabelKey,
    pub(super) from: ScopePoint,
    pub(super) span: Span,
}

/// A `goto *pointer`: control goes to `label` with the target in `pointer`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ComputedGoto {
    pub(super) label: Label,
    pub(super) pointer: RegId,
    pub(super) from: ScopePoint,
    pub(super) span: Span,
}

/// A `switch` being lowered.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) ty: QTy,
    pub(super) cases: Vec<Case>,
    pub(super) default: Option<(Label, ScopePoint, Span)>,
}

/// `case lo ... hi:`
#[derive(Debug)]
pub(super) struct Case {
    pub(super) lo: u128,
    pub(super) hi: u128,
    pub(super) label: Label,
    pub(super) point: ScopePoint,
    pub(super) span: Span,
}

/// What lowering keeps about the function under construction.
#[derive(Debug, Default)]
pub(super) struct FunctionState {
    pub(super) name: String,
    pub(super) span: Span,
    /// How many errors there were before it.
    pub(super) errors_before: usize,
    pub(super) ret: Option<QTy>,
    /// Where a record that is returned goes.
    pub(super) ret_addr: Option<RegId>,
    pub(super) varargs: Option<RegId>,
    /// Whether the whole body is an atomic section.
    pub(super) atomic: bool,
    pub(super) labels: FxHashMap<LabelKey, LabelInfo>,
    pub(super) local_labels: Vec<(Symbol, u32)>,
    pub(super) next_label_block: u32,
    /// Labels whose address is taken; the address of number `i` is the integer `i + 1`.
    pub(super) label_values: Vec<LabelKey>,
    pub(super) gotos: Vec<PendingGoto>,
    pub(super) computed_gotos: Vec<ComputedGoto>,
    pub(super) breaks: Vec<JumpTarget>,
    pub(super) continues: Vec<JumpTarget>,
    pub(super) switches: Vec<Switch>,
    /// Lengths (in elements, `I64`) of the function's variable-length array types.
    pub(super) vla_lengths: Vec<RegId>,
    /// Variables with a `cleanup` attribute, innermost last, with the block they belong to.
    pub(super) cleanups: Vec<Cleanup>,
    /// Stack objects to be freed when their block ends: the block's depth and the register with the address.
    pub(super) stack_objects: Vec<(usize, RegId)>,
    /// Depth of blocks.
    pub(super) depth: usize,
    /// Depth at which each loop (and each loop or switch) stands.
    pub(super) loop_depths: Vec<usize>,
    pub(super) break_depths: Vec<usize>,
    /// What is not supported and not yet given up: see `super::unsupported`.
    pub(super) unsupported: Vec<(Span, String)>,
    /// How many local labels there were when each open block began.
    pub(super) label_marks: Vec<usize>,
}

/// A variable with a `cleanup` attribute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cleanup {
    pub(super) depth: usize,
    pub(super) function: Symbol,
    pub(super) variable: Symbol,
    pub(super) span: Span,
}

impl Lower<'_> {
    pub(super) fn function_definition(&mut self, def: &FunctionDef) {
        let Some(name) = def.declarator.name else { return };
        let base = self.specs_type(&def.specs);
        let ty = self.declarator_type(base, &def.declarator);
        let CType::Function(fn_ty) = self.types.get(ty).clone() else {
            return self.error(def.declarator.span, "a function body needs a function declarator");
        };
        if !self.types.is_void(fn_ty.ret) && !self.types.is_complete(fn_ty.ret) {
            self.error(def.declarator.span, "the return type is incomplete");
        }
        let local = def.specs.storage == Some(Storage::Static);
        if self.model && !local && self.is_users(name) {
            return;
        }
        self.declare_function(name, ty, def.specs.storage, def.declarator.span);
        let Some((id, _)) = self.function_id(name, def.declarator.span) else { return };
        let replaceable = is_replaceable(def);
        let previous = self.functions[id].body.as_ref().map(|body| body.name.clone());
        if previous.is_some() && !self.functions[id].replaceable {
            // An inline or weak function may stand beside the one that counts.
            if !replaceable {
                self.redefinition(id, name, def.declarator.span);
            }
            return;
        }
        if previous.is_some() && replaceable {
            let (here, before) = (def.declarator.span.lo, self.functions[id].span.lo);
            if self.sources.loc(here).file == self.sources.loc(before).file {
                self.redefinition(id, name, def.declarator.span);
            }
            return;
        }
        self.functions[id].replaceable = replaceable;
        self.functions[id].span = def.declarator.span;
        self.functions[id].local = local;
        self.functions[id].ty = ty;
        self.startup_attributes(name, def.specs.attrs.iter().chain(&def.declarator.attrs));
        self.startup_defines(name, id);
        let mut body = self.function_body(def, name, &fn_ty);
        if let Some(name) = previous {
            body.name = name;
        }
        self.functions[id].body = Some(body);
    }

    fn redefinition(&mut self, id: FuncId, name: Symbol, span: Span) {
        let note = (self.functions[id].span, "previous definition is here".to_owned());
        let text = self.name(name).to_owned();
        self.diags.error_with_note(span, format!("redefinition of `{text}`"), Some(note));
    }

    /// Whether the program itself defines what a model has a function for: then it is the program's that is used, as a
    /// linker would have it.
    fn is_users(&self, name: Symbol) -> bool {
        match self.externs.get(&name) {
            Some(Extern::Func { id: Some(id), .. }) => self.functions[*id].body.as_ref().is_some_and(|f| !f.model),
            Some(Extern::Global { id: Some(id), .. }) => !self.globals[*id].global.model,
            Some(Extern::Func { id: None, .. } | Extern::Global { id: None, .. }) | None => false,
        }
    }

    fn function_body(&mut self, def: &FunctionDef, name: Symbol, fn_ty: &FnType) -> Function {
        let data_model = self.options.data_model;
        self.b = Builder::new(data_model);
        self.slot_scopes = SlotScopes::default();
        let text = self.name(name).to_owned();
        let atomic = text.starts_with("__VERIFIER_atomic_") && !self.model;
        self.f = FunctionState { name: text.clone(), span: def.span, atomic, ..FunctionState::default() };
        self.f.errors_before = self.diags.error_count();
        self.f.ret = Some(fn_ty.ret);
        let loc = self.loc(def.declarator.span);
        self.scopes.push();
        self.slot_scopes.enter();
        if atomic {
            self.b.emit(StepKind::AtomicBegin { section: Section::User });
        }
        let params = self.parameters(def, fn_ty);
        if let ast::StmtKind::Compound { items, end } = &self.ast.stmts[def.body].kind {
            // Parameters and the outermost block share one scope.
            self.statements(items);
            self.at(Span::new(*end, *end + 1));
        }
        self.end_of_body(name, fn_ty.ret);
        self.slot_scopes.leave();
        self.scopes.pop();
        self.resolve_jumps();
        self.b.finish();
        self.check_sections();
        let b = std::mem::replace(&mut self.b, Builder::new(data_model));
        let unsupported = self.f.unsupported.first().cloned();
        // Back at file scope.
        self.f = FunctionState::default();
        self.slot_scopes = SlotScopes::default();
        if let Some((span, what)) = unsupported {
            return self.stub(&text, Some(fn_ty.clone()), Stub::Unsupported(what), span);
        }
        Function {
            name: self.unique_name(&text),
            params,
            variadic: fn_ty.variadic,
            ret: self.types.scalar(fn_ty.ret),
            regs: b.regs,
            slots: b.slots,
            exprs: b.exprs,
            steps: b.steps,
            loc,
            model: self.model,
            external: false,
        }
    }

    fn parameters(&mut self, def: &FunctionDef, fn_ty: &FnType) -> Vec<RegId> {
        let mut params = Vec::new();
        if self.types.record(fn_ty.ret).is_some() {
            let reg = self.b.reg(Ty::Ptr, Some("return"));
            self.f.ret_addr = Some(reg);
            params.push(reg);
        }
        match def.declarator.derived.first() {
            Some(Derived::Function(Params::Prototype { params: decls, .. })) => {
                for (decl, &ty) in decls.iter().zip(&fn_ty.params) {
                    let ty = if has_array_size(decl) { self.param_type(decl) } else { ty };
                    if decl.declarator.name.is_none() {
                        self.warning(decl.declarator.span, "parameter name omitted");
                    }
                    let incoming = self.parameter(decl.declarator.name, ty, ty, decl.declarator.span);
                    params.push(incoming);
                }
            }
            Some(Derived::Function(Params::Identifiers(names))) => {
                let declared = self.old_style_types(def);
                for &(name, span) in names {
                    let int = self.types.common.int;
                    let ty = declared.get(&name).copied().unwrap_or(int);
                    let incoming_ty = self.promoted_argument_type(ty);
                    let incoming = self.parameter(Some(name), ty, incoming_ty, span);
                    params.push(incoming);
                }
            }
            _ => {}
        }
        if fn_ty.variadic {
            let reg = self.b.reg(Ty::Ptr, Some("varargs"));
            self.f.varargs = Some(reg);
            params.push(reg);
        }
        params
    }

    /// The types that the declarations of an old-style definition give its parameters.
    fn old_style_types(&mut self, def: &FunctionDef) -> FxHashMap<Symbol, QTy> {
        let ast = self.ast;
        let mut types = FxHashMap::default();
        for &decl in &def.kr_decls {
            let Decl::Variables { specs, declarators, .. } = &ast.decls[decl] else { continue };
            let base = self.specs_type(specs);
            for d in declarators {
                let ty = self.declarator_type(base, &d.declarator);
                let ty = self.parameter_type(ty);
                if let Some(name) = d.declarator.name {
                    types.insert(name, ty);
                }
            }
        }
        types
    }

    /// Binds one parameter and returns the register that receives the argument.
    fn parameter(&mut self, name: Option<Symbol>, ty: QTy, incoming_ty: QTy, span: Span) -> RegId {
        self.at(span);
        let scalar = self.types.scalar(ty);
        let text = name.map(|n| self.name(n).to_owned());
        if !self.types.is_complete(ty) {
            self.error(span, format!("parameter has incomplete type `{}`", self.show(ty)));
        }
        if let Some(n) = name
            && self.scopes.lookup_here(n).is_some()
        {
            let n = self.name(n).to_owned();
            self.error(span, format!("redefinition of parameter `{n}`"));
        }
        let in_memory = scalar.is_none() || name.is_some_and(|n| self.is_address_taken(n));
        let incoming_scalar = self.types.scalar(incoming_ty).unwrap_or(Ty::Ptr);
        let incoming = self.b.reg(incoming_scalar, text.as_deref());
        if !in_memory && ty.ty == incoming_ty.ty {
            if let Some(name) = name {
                self.scopes.bind(name, Binding::Reg(incoming, ty), span);
            }
            return incoming;
        }
        let value = self.b.read(incoming);
        let place = if in_memory {
            let layout = self.layout(ty);
            let slot = self.b.slot(text.as_deref().unwrap_or("parameter"), layout);
            self.slot_scopes.declare(Local::Slot(slot));
            self.b.emit(StepKind::Live { slot });
            if let Some(name) = name {
                self.scopes.bind(name, Binding::Slot(slot, ty), span);
            }
            Place::Mem(self.b.addr(Base::Slot(slot), 0))
        } else {
            let reg = self.b.reg(scalar.unwrap_or(Ty::I32), text.as_deref());
            if let Some(name) = name {
                self.scopes.bind(name, Binding::Reg(reg, ty), span);
            }
            Place::Reg(reg)
        };
        if scalar.is_none() {
            let target = Value::place(place, ty);
            self.copy_record(target, Value { kind: Kind::Record(value), ty });
        } else {
            let value = self.convert(Value::scalar(value, incoming_ty), ty);
            self.store(place, ty, value);
        }
        incoming
    }

    /// Whether the function under construction takes the variable's address somewhere.
    pub(super) fn is_address_taken(&self, name: Symbol) -> bool {
        let span = self.f.span;
        let first = self.address_taken.partition_point(|&taken| taken < (name, span.lo));
        self.address_taken.get(first).is_some_and(|&(n, pos)| n == name && pos < span.hi)
    }

    fn end_of_body(&mut self, name: Symbol, ret: QTy) {
        if !self.b.reachable() {
            return;
        }
        self.leave_all_blocks();
        let value = match self.types.scalar(ret) {
            None => None,
            Some(ty) if name == self.names.main => Some(self.b.constant(ty, 0)),
            Some(ty) => {
                // Falling off the end: whoever uses the result gets an arbitrary one.
                let input_name = format!("{}.result", self.f.name);
                Some(self.havoc(&input_name, ty, InputKind::Uninit))
            }
        };
        self.b.emit(StepKind::Return { value });
    }

    /// Emits a `havoc` of a new register and reads it.
    pub(super) fn havoc(&mut self, name: &str, ty: Ty, kind: InputKind) -> heddle_ir::ExprId {
        let dst = self.b.reg(ty, None);
        self.havoc_reg(dst, name, ty, kind);
        self.b.read(dst)
    }

    pub(super) fn havoc_reg(&mut self, dst: RegId, name: &str, ty: Ty, kind: InputKind) {
        let loc = self.b.loc.unwrap_or_else(heddle_base::Loc::nowhere);
        if self.unevaluated == 0 {
            let input = self.session.input(name, ty, kind, loc);
            self.b.emit(StepKind::Havoc { dst, input });
        }
    }

    /// What leaving the function by `return` does to its locals.
    pub(super) fn leave_all_blocks(&mut self) {
        self.run_cleanups(0);
        for slot in self.slot_scopes.alive(self.slot_scopes.here()) {
            self.b.emit(StepKind::Dead { slot });
        }
        if self.f.atomic {
            self.b.emit(StepKind::AtomicEnd);
        }
    }

    /// Points every `goto` at its label, by way of the locals it kills and brings to life.
    fn resolve_jumps(&mut self) {
        self.report_missing_labels();
        for goto in std::mem::take(&mut self.f.gotos) {
            let target = self.f.labels[&goto.label];
            let Some(to) = target.placed else { continue };
            self.check_jump(goto.from, to, goto.span);
            self.b.loc = Some(self.b.steps[goto.step].loc);
            if let Some(detour) = self.detour(goto.from, to, target.label) {
                self.b.retarget(goto.step, detour);
            }
        }
        for goto in std::mem::take(&mut self.f.computed_gotos) {
            self.at(goto.span);
            self.b.place(goto.label);
            let branches: Vec<_> = self.f.label_values.clone();
            let mut detours = Vec::new();
            for (i, key) in branches.into_iter().enumerate() {
                let target = self.f.labels[&key];
                let Some(to) = target.placed else { continue };
                if self.skipped_variable(goto.from, to).is_some() {
                    self.unsupported(goto.span, "a computed goto that may enter the scope of a variable-length array");
                }
                let pointer = self.b.read(goto.pointer);
                let value = self.b.constant(Ty::Ptr, i as u128 + 1);
                let cond = self.b.binary(BinOp::Eq, pointer, value);
                let via = self.b.label();
                self.b.branch(cond, via);
                detours.push((via, to, target.label));
            }
            let never = self.b.truth(false);
            self.emit_assert(never, Property::Memory, "computed goto to something that is no label");
            self.emit_abort();
            for (via, to, label) in detours {
                self.b.place(via);
                self.emit_jump_effects(goto.from, to);
                self.b.goto(label);
            }
        }
    }

    /// Reports a jump into the scope of a name of variable size.
    pub(super) fn check_jump(&mut self, from: ScopePoint, to: ScopePoint, span: Span) {
        if let Some(declared) = self.skipped_variable(from, to) {
            let note = (declared, "it is declared here".to_owned());
            let message = "jump into the scope of an array of variable length, or of a type made from one";
            self.diags.error_with_note(span, message, Some(note));
        }
    }

    /// The first declaration of variable size that a jump skips.
    fn skipped_variable(&self, from: ScopePoint, to: ScopePoint) -> Option<Span> {
        self.slot_scopes.jump(from, to).1.into_iter().find_map(|local| match local {
            Local::Variable(declared) => Some(declared),
            Local::Slot(_) | Local::Reg(_) => None,
        })
    }

    fn report_missing_labels(&mut self) {
        let mut missing: Vec<(Span, Symbol, LabelKey)> = self
            .f
            .labels
            .iter()
            .filter(|(_, info)| info.placed.is_none())
            .map(|(key, info)| (info.span, key.0, *key))
            .collect();
        missing.sort_by_key(|m| m.0.lo);
        for (span, name, key) in missing {
            let name = self.name(name).to_owned();
            self.error(span, format!("label `{name}` used but not defined"));
            // The program is rejected; the jump still needs a target for `finish`.
            let label = self.f.labels[&key].label;
            self.b.place(label);
        }
        if self.b.steps.iter().last().is_none_or(|s| s.kind.falls_through()) || self.diags.has_errors() {
            self.b.emit(StepKind::ThreadExit);
        }
    }

    /// A block of steps that does what a jump does to locals and goes on to `label`; none if it does nothing.
    pub(super) fn detour(&mut self, from: ScopePoint, to: ScopePoint, label: Label) -> Option<Label> {
        let (dead, live) = self.slot_scopes.jump(from, to);
        if dead.is_empty() && live.is_empty() {
            return None;
        }
        let detour = self.b.label();
        self.b.place(detour);
        self.emit_jump_effects(from, to);
        self.b.goto(label);
        Some(detour)
    }

    pub(super) fn emit_jump_effects(&mut self, from: ScopePoint, to: ScopePoint) {
        let (dead, live) = self.slot_scopes.jump(from, to);
        for slot in dead {
            self.b.emit(StepKind::Dead { slot });
        }
        for local in live {
            match local {
                Local::Slot(slot) => {
                    self.b.emit(StepKind::Live { slot });
                }
                // Skipped with its declaration: it holds anything, and not what it held when its scope was last left.
                Local::Reg(reg) => {
                    let Reg { ty, name } = &self.b.regs[reg];
                    let (ty, input) = (*ty, format!("{}.{}", self.f.name, name.as_deref().unwrap_or_default()));
                    self.havoc_reg(reg, &input, ty, InputKind::Uninit);
                }
                // An error that was reported.
                Local::Variable(_) => {}
            }
        }
    }

    /// Ends the process as `abort` does.
    pub(super) fn emit_abort(&mut self) {
        let status = self.b.constant(Ty::I32, 134);
        self.b.emit(StepKind::ProcessExit { status, abort: true });
    }
}

/// A function that is known by name only.
pub(super) fn new_entry(symbol: Symbol, ty: QTy, span: Span, local: bool) -> FuncEntry {
    FuncEntry { symbol, ty, body: None, span, local, used: None, replaceable: false }
}

impl LabelInfo {
    pub(super) fn new(label: Label, span: Span) -> Self {
        LabelInfo { label, placed: None, span }
    }
}

/// Whether a definition gives way to another one: see [`FuncEntry::replaceable`].
fn is_replaceable(def: &FunctionDef) -> bool {
    let attrs = || def.specs.attrs.iter().chain(&def.declarator.attrs);
    let gnu_inline = attrs().any(|a| *a == Attr::GnuInline);
    let is_extern = def.specs.storage == Some(Storage::Extern);
    let inline_only = def.specs.inline && def.specs.storage != Some(Storage::Static) && is_extern == gnu_inline;
    inline_only || attrs().any(|a| *a == Attr::Weak)
}

/// The smallest key: labels that belong to the function.
pub(super) fn function_label(name: Symbol) -> LabelKey {
    debug_assert!(name.index() < u32::MAX as usize);
    (name, 0)
}
