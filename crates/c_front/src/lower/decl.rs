//! Declarations: from declarators to what their names stand for.

use heddle_base::{Id, Loc, Span};
use heddle_ir::{AllocKind, Base, BinOp, FuncId, Global, GlobalId, InputKind, LayoutId, StepKind, Ty};

use super::function::{Cleanup, new_entry};
use super::scope::Local;
use super::{Binding, Definition, Extern, GlobalEntry, Lower, Place, Value};
use crate::ast::{
    Attr, Decl, DeclId, DeclSpecs, Declarator, ExprId, ExprKind, Init, InitDeclarator, InitId, Quals, Storage, TypeSpec,
};
use crate::intern::Symbol;
use crate::types::{ArrayLen, CType, FloatKind, QTy};

/// The types of a name with external linkage: as the file at hand sees it, and as all files together do.
struct Merged {
    visible: QTy,
    entity: QTy,
}

impl Lower<'_> {
    pub(super) fn declaration(&mut self, id: DeclId) {
        let ast = self.ast;
        match &ast.decls[id] {
            Decl::StaticAssert { cond, message, span } => self.static_assert(*cond, message.as_deref(), *span),
            Decl::Variables { specs, declarators, .. } => {
                if let (TypeSpec::Tag(tag), true) = (specs.ty, declarators.is_empty()) {
                    self.declare_tag_here(tag);
                }
                let base = self.specs_type(specs);
                for declarator in declarators {
                    self.init_declarator(specs, base, declarator);
                }
            }
        }
    }

    fn static_assert(&mut self, cond: ExprId, message: Option<&str>, span: Span) {
        if self.integer_constant(cond, "the condition of a static assertion") == Some(0) {
            let message = message.map_or(String::new(), |m| format!(": {m}"));
            self.error(span, format!("static assertion failed{message}"));
        }
    }

    // ---- names -------------------------------------------------------------------------------------------------------

    fn init_declarator(&mut self, specs: &DeclSpecs, base: QTy, d: &InitDeclarator) {
        let declarator = &d.declarator;
        let span = declarator.span;
        let Some(name) = declarator.name else { return };
        if specs.ty == TypeSpec::Missing && specs.storage != Some(Storage::Typedef) {
            let text = self.name(name).to_owned();
            self.warning(span, format!("type of `{text}` defaults to `int`"));
        }
        let base = if specs.ty == TypeSpec::Auto { self.auto_type(base, d.init, span) } else { base };
        let ty = self.declarator_type(base, declarator);
        let ty = self.type_attributes(ty, &specs.attrs);
        let ty = self.type_attributes(ty, &declarator.attrs);
        if specs.storage == Some(Storage::Typedef) {
            return self.typedef(name, ty, specs, declarator);
        }
        if matches!(self.types.get(ty), CType::Function(_)) {
            if d.init.is_some() {
                self.error(span, "a function is initialised like a variable");
            }
            self.declare_function(name, ty, specs.storage, span);
            if specs.noreturn || declarator.attrs.contains(&Attr::Noreturn) {
                self.session.noreturn.insert(name);
            }
            self.startup_attributes(name, specs.attrs.iter().chain(&declarator.attrs));
            return self.function_alias(name, declarator);
        }
        let at_file_scope = self.scopes.at_file_scope();
        match specs.storage {
            Some(Storage::Extern) => self.extern_variable(name, ty, specs, d),
            Some(Storage::Static) if !at_file_scope => self.local_static(name, ty, specs, d),
            Some(Storage::Static) => self.file_variable(name, ty, specs, d, true),
            _ if at_file_scope => self.file_variable(name, ty, specs, d, false),
            _ if specs.thread_local => {
                self.error(span, "a thread-local variable in a function must be static or extern")
            }
            _ => self.local_variable(name, ty, specs, d),
        }
    }

    fn auto_type(&mut self, base: QTy, init: Option<InitId>, span: Span) -> QTy {
        match init.map(|id| &self.ast.inits[id]) {
            Some(&Init::Expr(expr)) => {
                let ty = self.type_of_rvalue(expr);
                if self.types.is_variably_modified(ty) {
                    self.unsupported(span, "`__auto_type` of a type of variable length");
                }
                ty.unqualified().with(base.quals)
            }
            _ => {
                self.error(span, "`__auto_type` needs an initialiser");
                self.types.common.error
            }
        }
    }

    fn typedef(&mut self, name: Symbol, ty: QTy, specs: &DeclSpecs, declarator: &Declarator) {
        let align = self.declared_align(specs, declarator);
        let ty = if align > 0 { QTy { align: align as u32, ..ty } } else { ty };
        if self.types.is_variably_modified(ty) {
            self.slot_scopes.declare(Local::Variable(declarator.span));
        }
        if let Some((previous, place)) = self.scopes.lookup_here(name) {
            let same = matches!(previous, Binding::Typedef(old) if self.types.compatible(old, ty));
            if !same {
                let text = self.name(name).to_owned();
                let note = (place, "previous declaration is here".to_owned());
                self.diags.error_with_note(declarator.span, format!("conflicting types for `{text}`"), Some(note));
            }
        }
        self.scopes.bind(name, Binding::Typedef(ty), declarator.span);
    }

    /// Enters a function's type where it belongs and binds its name.
    pub(super) fn declare_function(&mut self, name: Symbol, ty: QTy, storage: Option<Storage>, span: Span) {
        let known_local = match self.scopes.lookup(name) {
            Some(Binding::Func(id, _)) => Some(id),
            _ => None,
        };
        if let Some((Binding::Typedef(_) | Binding::EnumConst(..) | Binding::Global(..) | Binding::Reg(..), place)) =
            self.scopes.lookup_here(name)
        {
            return self.redeclared(name, span, place);
        }
        if known_local.is_some() || storage == Some(Storage::Static) {
            let id = match known_local {
                Some(id) => {
                    let old = self.functions[id].ty;
                    self.functions[id].ty = self.merge_types(name, old, ty, span, self.functions[id].span);
                    id
                }
                None => {
                    if let Some((Binding::Extern(_), place)) = self.scopes.lookup_here(name) {
                        return self.static_after_extern(name, span, place);
                    }
                    self.session.functions.push(new_entry(name, ty, span, true))
                }
            };
            let ty = self.functions[id].ty;
            self.scopes.bind_at_file_scope(name, Binding::Func(id, ty), span);
            return;
        }
        let ty = self.declare_extern(name, ty, span, true);
        self.scopes.bind(name, Binding::Extern(ty), span);
    }

    fn function_alias(&mut self, name: Symbol, declarator: &Declarator) {
        for attr in &declarator.attrs {
            if let Attr::Alias(target, span) = attr {
                let (own, other) = (self.function_id(name, *span), self.function_id(*target, *span));
                match (own, other) {
                    (Some((own, _)), Some((other, _))) => self.session.aliases.push((own, other)),
                    _ => {
                        let text = self.name(*target).to_owned();
                        self.error(*span, format!("alias of the unknown function `{text}`"));
                    }
                }
            }
        }
    }

    /// Another name for a variable of this file.
    fn variable_alias(&mut self, name: Symbol, target: Symbol, ty: QTy, span: Span) {
        let id = match self.scopes.lookup(target) {
            Some(Binding::Global(id, _)) => Some(id),
            Some(Binding::Extern(_)) => self.extern_global_id(target),
            _ => None,
        };
        let Some(id) = id else {
            let text = self.name(target).to_owned();
            return self.error(span, format!("alias of the unknown variable `{text}`"));
        };
        self.scopes.bind(name, Binding::Global(id, ty), span);
        let model = self.model;
        self.externs.insert(name, Extern::Global { ty, id: Some(id), span, model });
    }

    /// Merges a declaration with external linkage into what all files say of the name.
    fn declare_extern(&mut self, name: Symbol, ty: QTy, span: Span, is_function: bool) -> QTy {
        let model = self.model;
        match self.externs.get(&name).copied() {
            None => {
                let new = if is_function {
                    Extern::Func { ty, id: None, span, model }
                } else {
                    Extern::Global { ty, id: None, span, model }
                };
                self.externs.insert(name, new);
                ty
            }
            Some(Extern::Func { ty: old, id, span: old_span, model: old_model }) if is_function => {
                let merged = self.merge_across(name, old, ty, span, old_span, old_model);
                let new = Extern::Func { ty: merged.entity, id, span: old_span, model: old_model };
                self.externs.insert(name, new);
                merged.visible
            }
            Some(Extern::Global { ty: old, id, span: old_span, model: old_model }) if !is_function => {
                let merged = self.merge_across(name, old, ty, span, old_span, old_model);
                let new = Extern::Global { ty: merged.entity, id, span: old_span, model: old_model };
                self.externs.insert(name, new);
                if let Some(id) = id {
                    self.globals[id].ty = merged.entity;
                }
                merged.visible
            }
            Some(Extern::Func { span: old_span, .. } | Extern::Global { span: old_span, .. }) => {
                self.redeclared(name, span, old_span);
                ty
            }
        }
    }

    /// What a new declaration makes of a name with external linkage.
    ///
    /// Files see their own types: as for a linker, only the name connects them. Where two files disagree, calls are adapted
    /// when the program is complete, and the user is told unless a system header looks different under other macros.
    /// A model speaks of the user's objects in its own types; there is nothing to compare.
    fn merge_across(
        &mut self,
        name: Symbol,
        old: QTy,
        new: QTy,
        span: Span,
        old_span: Span,
        old_model: bool,
    ) -> Merged {
        if self.model != old_model {
            return Merged { visible: new, entity: new };
        }
        if old_span.lo >= self.unit_start {
            let ty = self.merge_types(name, old, new, span, old_span);
            return Merged { visible: ty, entity: ty };
        }
        let visible = match self.scopes.lookup_here(name) {
            Some((Binding::Extern(before), place)) => self.merge_types(name, before, new, span, place),
            _ => new,
        };
        if self.types.compatible_ignoring_quals(old, visible) {
            return Merged { visible, entity: self.types.composite(old, visible) };
        }
        if !self.sources.is_system(span.lo) && !self.sources.is_system(old_span.lo) {
            let text = self.name(name).to_owned();
            let (here, there) = (self.show(visible), self.show(old));
            let message = if here == there {
                format!("files disagree about `{text}`: what `{here}` stands for differs")
            } else {
                format!("files disagree about `{text}`: `{here}` here, `{there}` in another file")
            };
            self.diags.warning_with_note(span, message, (old_span, "the other declaration is here".to_owned()));
        }
        Merged { visible, entity: old }
    }

    fn merge_types(&mut self, name: Symbol, old: QTy, new: QTy, span: Span, old_span: Span) -> QTy {
        if self.types.compatible_ignoring_quals(old, new) {
            return self.types.composite(old, new);
        }
        let text = self.name(name).to_owned();
        let message = format!("conflicting types for `{text}`: `{}` here, `{}` before", self.show(new), self.show(old));
        self.diags.error_with_note(span, message, Some((old_span, "previous declaration is here".to_owned())));
        new
    }

    fn static_after_extern(&mut self, name: Symbol, span: Span, previous: Span) {
        let text = self.name(name).to_owned();
        let note = (previous, "previous declaration is here".to_owned());
        let message = format!("static declaration of `{text}` follows a non-static one");
        self.diags.error_with_note(span, message, Some(note));
    }

    fn redeclared(&mut self, name: Symbol, span: Span, previous: Span) {
        let text = self.name(name).to_owned();
        let note = (previous, "previous declaration is here".to_owned());
        self.diags.error_with_note(span, format!("`{text}` redeclared as a different kind of symbol"), Some(note));
    }

    /// The function that a name stands for.
    pub(super) fn function_id(&mut self, name: Symbol, span: Span) -> Option<(FuncId, QTy)> {
        let found = self.find_function(name)?;
        if self.unevaluated == 0 {
            self.functions[found.0].used.get_or_insert(span);
        }
        Some(found)
    }

    fn find_function(&mut self, name: Symbol) -> Option<(FuncId, QTy)> {
        match self.scopes.lookup(name) {
            Some(Binding::Func(id, ty)) => Some((id, ty)),
            Some(Binding::Extern(visible)) => match self.externs.get(&name).copied() {
                Some(Extern::Func { id: Some(id), .. }) => Some((id, visible)),
                Some(Extern::Func { ty, id: None, span: first, model }) => {
                    let id = self.session.functions.push(new_entry(name, ty, first, false));
                    self.externs.insert(name, Extern::Func { ty, id: Some(id), span: first, model });
                    Some((id, visible))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The variable with external linkage that a name stands for.
    pub(super) fn extern_global_id(&mut self, name: Symbol) -> Option<GlobalId> {
        match self.externs.get(&name).copied() {
            Some(Extern::Global { id: Some(id), .. }) => Some(id),
            Some(Extern::Global { ty, id: None, span, model }) => {
                let text = self.name(name).to_owned();
                let id = self.new_global(&text, ty, span);
                self.externs.insert(name, Extern::Global { ty, id: Some(id), span, model });
                Some(id)
            }
            _ => None,
        }
    }

    /// A global that is only declared so far. Size and shape are settled when the program is complete.
    pub(super) fn new_global(&mut self, name: &str, ty: QTy, span: Span) -> GlobalId {
        let loc = if span == Span::default() { Loc::nowhere() } else { self.sources.loc(span.lo) };
        let name = self.unique_name(name);
        let model = self.model;
        let global = Global {
            name,
            layout: LayoutId::new(0),
            size: 0,
            align: 0,
            init: Vec::new(),
            thread_local: false,
            constant: false,
            external: false,
            loc,
            model,
        };
        self.session.globals.push(GlobalEntry { global, ty, defined: Definition::Declared, span })
    }

    fn extern_variable(&mut self, name: Symbol, ty: QTy, specs: &DeclSpecs, d: &InitDeclarator) {
        let span = d.declarator.span;
        for attr in d.declarator.attrs.iter().chain(&specs.attrs) {
            if let Attr::Alias(target, span) = attr {
                return self.variable_alias(name, *target, ty, *span);
            }
        }
        if self.scopes.at_file_scope() && d.init.is_some() {
            return self.file_variable(name, ty, specs, d, false);
        }
        if d.init.is_some() {
            self.error(span, "a variable declared `extern` in a block has an initialiser");
        }
        // `extern` after `static` at file scope keeps the internal linkage.
        if let Some(Binding::Global(id, old)) = self.scopes.lookup(name) {
            let ty = self.merge_types(name, old, ty, span, self.globals[id].span);
            return self.scopes.bind(name, Binding::Global(id, ty), span);
        }
        if let Some((Binding::Typedef(_) | Binding::EnumConst(..) | Binding::Func(..), place)) =
            self.scopes.lookup_here(name)
        {
            return self.redeclared(name, span, place);
        }
        let ty = self.declare_extern(name, ty, span, false);
        self.scopes.bind(name, Binding::Extern(ty), span);
        if specs.thread_local
            && let Some(id) = self.extern_global_id(name)
        {
            self.globals[id].global.thread_local = true;
        }
    }

    fn file_variable(&mut self, name: Symbol, ty: QTy, specs: &DeclSpecs, d: &InitDeclarator, local: bool) {
        let span = d.declarator.span;
        if self.types.is_void(ty) {
            return self.error(span, "a variable has type `void`");
        }
        let ty = self.complete_by_initialiser(ty, d.init);
        let previous = self.scopes.lookup_here(name);
        let id = match previous {
            Some((Binding::Global(id, old), place)) => {
                let merged = self.merge_types(name, old, ty, span, place);
                self.globals[id].ty = merged;
                self.scopes.bind(name, Binding::Global(id, merged), span);
                id
            }
            Some((Binding::Extern(_), place)) if local => return self.static_after_extern(name, span, place),
            Some((Binding::Typedef(_) | Binding::EnumConst(..) | Binding::Func(..), place)) => {
                return self.redeclared(name, span, place);
            }
            _ if local => {
                let text = self.name(name).to_owned();
                let id = self.new_global(&text, ty, span);
                self.scopes.bind(name, Binding::Global(id, ty), span);
                id
            }
            _ => {
                let merged = self.declare_extern(name, ty, span, false);
                self.scopes.bind(name, Binding::Extern(merged), span);
                let Some(id) = self.extern_global_id(name) else { return };
                // Where files disagree, the definition says what the object is.
                if !self.types.compatible_ignoring_quals(self.globals[id].ty, merged) {
                    self.globals[id].ty = merged;
                }
                id
            }
        };
        let align = self.declared_align(specs, &d.declarator);
        self.define_global(id, ty, align, specs.thread_local, d.init, span);
    }

    /// Completes a definition. `align` is what attributes ask for.
    fn define_global(
        &mut self,
        id: GlobalId,
        ty: QTy,
        align: u64,
        thread_local: bool,
        init: Option<InitId>,
        span: Span,
    ) {
        let kind = if init.is_some() { Definition::Defined } else { Definition::Tentative };
        let entry = &mut self.session.globals[id];
        if entry.defined == Definition::Defined && kind == Definition::Defined {
            let name = entry.global.name.clone();
            let note = (entry.span, "previous definition is here".to_owned());
            return self.diags.error_with_note(span, format!("redefinition of `{name}`"), Some(note));
        }
        entry.defined = entry.defined.max(kind);
        entry.global.thread_local |= thread_local;
        entry.global.align = entry.global.align.max(align);
        entry.span = span;
        if let Some(init) = init {
            let constant = self.is_const(ty);
            let init = self.static_initialiser(ty, init);
            let size = self.types.size_of(ty).unwrap_or(0);
            let entry = &mut self.session.globals[id];
            entry.global.constant = constant;
            entry.global.init = init.items;
            entry.global.size = size.max(init.end);
        }
        let loc = self.sources.loc(span.lo);
        self.globals[id].global.loc = loc;
    }

    fn is_const(&self, ty: QTy) -> bool {
        match self.types.array(ty) {
            Some((elem, _)) => self.is_const(elem),
            None => ty.quals.is_const,
        }
    }

    fn local_static(&mut self, name: Symbol, ty: QTy, specs: &DeclSpecs, d: &InitDeclarator) {
        let span = d.declarator.span;
        let ty = self.complete_by_initialiser(ty, d.init);
        if self.types.is_variable(ty) {
            return self.error(span, "a static variable has variable length");
        }
        let text = format!("{}.{}", self.f.name, self.name(name));
        let id = self.new_global(&text, ty, span);
        self.scopes.bind(name, Binding::Global(id, ty), span);
        let align = self.declared_align(specs, &d.declarator);
        self.define_global(id, ty, align, specs.thread_local, d.init, span);
    }

    /// `int a[] = { 1, 2 };` has two elements.
    pub(super) fn complete_by_initialiser(&mut self, ty: QTy, init: Option<InitId>) -> QTy {
        match (self.types.array(ty), init) {
            (Some((elem, ArrayLen::Unknown)), Some(init)) => {
                let len = self.initialiser_len(elem, init);
                QTy { ty: self.types.intern(CType::Array(elem, ArrayLen::Known(len))), ..ty }
            }
            _ => ty,
        }
    }

    fn local_variable(&mut self, name: Symbol, ty: QTy, specs: &DeclSpecs, d: &InitDeclarator) {
        let span = d.declarator.span;
        let text = self.name(name).to_owned();
        if let Some((_, place)) = self.scopes.lookup_here(name) {
            let note = (place, "previous declaration is here".to_owned());
            self.diags.error_with_note(span, format!("redeclaration of `{text}`"), Some(note));
        }
        let ty = self.complete_by_initialiser(ty, d.init);
        if !self.types.is_complete(ty) {
            if !self.types.is_error(ty) {
                self.error(span, format!("variable `{text}` has incomplete type `{}`", self.show(ty)));
            }
            return self.scopes.bind(name, Binding::Typedef(self.types.common.error), span);
        }
        self.at(span);
        for attr in specs.attrs.iter().chain(&d.declarator.attrs) {
            if let Attr::Cleanup(function, span) = attr {
                let depth = self.f.depth;
                self.f.cleanups.push(Cleanup { depth, function: *function, variable: name, span: *span });
            }
        }
        if self.types.is_variably_modified(ty) {
            self.slot_scopes.declare(Local::Variable(span));
        }
        if self.types.is_variable(ty) {
            return self.variable_length_array(name, ty, d);
        }
        let has_cleanup = self.f.cleanups.last().is_some_and(|c| c.variable == name);
        match self.types.scalar(ty) {
            Some(scalar) if !has_cleanup && !self.is_address_taken(name) => {
                let reg = self.b.reg(scalar, Some(&text));
                self.slot_scopes.declare(Local::Reg(reg));
                self.scopes.bind(name, Binding::Reg(reg, ty), span);
                // `int x = x;` reads what was never written.
                if d.init.is_none_or(|init| self.mentions(init, name)) {
                    let input = format!("{}.{text}", self.f.name);
                    self.havoc_reg(reg, &input, scalar, InputKind::Uninit);
                }
                if let Some(init) = d.init {
                    self.initialise(Place::Reg(reg), ty, init, span);
                }
            }
            _ => {
                let layout = self.layout(ty);
                let slot = self.b.slot(&text, layout);
                self.b.emit(StepKind::Live { slot });
                self.slot_scopes.declare(Local::Slot(slot));
                self.scopes.bind(name, Binding::Slot(slot, ty), span);
                if let Some(init) = d.init {
                    let addr = self.b.addr(Base::Slot(slot), 0);
                    self.initialise(Place::Mem(addr), ty, init, span);
                }
            }
        }
    }

    /// Whether the evaluation of an initialiser names a variable. The parts of an expression stand right before it in the
    /// tree; `p = malloc(sizeof *p)` does not evaluate `p`.
    fn mentions(&self, init: InitId, name: Symbol) -> bool {
        let expr = match &self.ast.inits[init] {
            Init::Expr(expr) => *expr,
            Init::List { items, .. } => return items.iter().any(|item| self.mentions(item.init, name)),
        };
        let start = self.ast.exprs[expr].span.lo;
        let mut skipped = Span::default();
        let parts = (0..=expr.index()).rev().map(|i| &self.ast.exprs[ExprId::new(i)]);
        for part in parts.take_while(|part| part.span.lo >= start) {
            match part.kind {
                ExprKind::SizeofExpr(operand) | ExprKind::AlignofExpr(operand) => {
                    skipped = self.ast.exprs[operand].span;
                }
                ExprKind::Ident(n) if n == name && !(skipped.lo <= part.span.lo && part.span.hi <= skipped.hi) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn variable_length_array(&mut self, name: Symbol, ty: QTy, d: &InitDeclarator) {
        let span = d.declarator.span;
        if let Some(init) = d.init
            && !matches!(&self.ast.inits[init], Init::List { items, .. } if items.is_empty())
        {
            self.error(span, "a variable-length array has an initialiser");
        }
        let Some(size) = self.dynamic_size(ty) else { return };
        let text = self.name(name).to_owned();
        let dst = self.b.reg(Ty::Ptr, Some(&text));
        self.b.emit(StepKind::Alloc { dst, size, zeroed: d.init.is_some(), kind: AllocKind::Stack });
        let depth = self.f.depth;
        self.f.stack_objects.push((depth, dst));
        self.scopes.bind(name, Binding::Vla(dst, ty), span);
    }

    /// Bytes of a type as `I64`, computed at run time if need be.
    pub(super) fn dynamic_size(&mut self, ty: QTy) -> Option<heddle_ir::ExprId> {
        if let Some(size) = self.types.step_size(ty) {
            return Some(self.b.constant(Ty::I64, size as u128));
        }
        let (elem, len) = self.types.array(ty)?;
        let elem_size = self.dynamic_size(elem)?;
        let len = match len {
            ArrayLen::Known(n) => self.b.constant(Ty::I64, n as u128),
            ArrayLen::Unknown => return None,
            ArrayLen::Variable(i) => {
                let reg = *self.f.vla_lengths.get(i as usize)?;
                self.b.read(reg)
            }
        };
        Some(self.b.binary(BinOp::Mul, len, elem_size))
    }

    /// At the end of a file, `int a[];` becomes an array of one element.
    pub(super) fn finish_tentative_definitions(&mut self) {
        for id in self.globals.ids() {
            let entry = &self.globals[id];
            if entry.defined == Definition::Tentative
                && let Some((elem, ArrayLen::Unknown)) = self.types.array(entry.ty)
            {
                let ty = self.types.plain(CType::Array(elem, ArrayLen::Known(1)));
                self.globals[id].ty = ty;
            }
        }
    }

    /// The type of an argument after the default promotions.
    pub(super) fn promoted_argument_type(&mut self, ty: QTy) -> QTy {
        match self.types.get(ty) {
            CType::Float(FloatKind::Float | FloatKind::Float16) => self.types.common.double,
            _ if self.types.is_integer(ty) => self.promoted_type(ty),
            _ => ty,
        }
    }

    /// A temporary in memory.
    pub(super) fn temporary(&mut self, name: &str, ty: QTy) -> heddle_ir::ExprId {
        let layout = self.layout(ty);
        let slot = self.b.slot(name, layout);
        self.b.emit(StepKind::Live { slot });
        self.b.addr(Base::Slot(slot), 0)
    }

    /// Gives an lvalue its first value.
    pub(super) fn initialise(&mut self, place: Place, ty: QTy, init: InitId, span: Span) {
        let ast = self.ast;
        match (&ast.inits[init], self.types.scalar(ty)) {
            (&Init::Expr(expr), Some(_)) => {
                let value = self.rvalue(expr);
                let value = self.convert_assign(value, ty, ast.exprs[expr].span, "initialisation");
                self.at(span);
                self.store_initial(place, ty, value);
            }
            (&Init::Expr(expr), None) if self.types.record(ty).is_some() => {
                let value = self.rvalue(expr);
                self.check_record_assign(ty, value.ty, ast.exprs[expr].span);
                self.copy_record(Value::place(place, ty.unqualified()), value);
            }
            _ => self.initialise_from_list(place, ty, init),
        }
    }

    /// A store that starts a life: not an atomic operation, whatever the type says.
    pub(super) fn store_initial(&mut self, place: Place, ty: QTy, value: Value) {
        let plain = QTy { quals: Quals { is_atomic: false, ..ty.quals }, ..ty };
        self.store(place, plain, value);
    }
}
