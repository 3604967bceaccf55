//! Calls and variable arguments.
//!
//! Conventions: a record is passed by its address and copied by the callee on entry; a function that returns a record gets
//! the address of its result as a first argument; variable arguments lie side by side in a temporary of the caller, each
//! on a multiple of the word size, and the callee gets its address as a last argument. A `va_list` is a pointer into it.

use heddle_base::Span;
use heddle_ir::{Base, Callee, Expr, ExprId, Field, FuncId, Layout, LayoutKind, RegId, StepKind, Ty};

use super::{Binding, Kind, Lower, Place, Value};
use crate::ast::{self, ExprKind};
use crate::intern::Symbol;
use crate::types::{CType, FnType, QTy, RecordId};

impl Lower<'_> {
    pub(super) fn call(&mut self, callee: ast::ExprId, args: &[ast::ExprId], span: Span) -> Value {
        let ast = self.ast;
        if let ExprKind::Ident(name) = ast.exprs[callee].kind {
            let local = matches!(
                self.scopes.lookup(name),
                Some(Binding::Reg(..) | Binding::Slot(..) | Binding::Vla(..) | Binding::Global(..))
            );
            if !local {
                if let Some(value) = self.builtin_call(name, args, span) {
                    return value;
                }
                if self.scopes.lookup(name).is_none() {
                    self.implicit_declaration(name, span);
                }
            }
        }
        let function = self.rvalue(callee);
        self.call_value(function, args, span)
    }

    /// Calls a function that is declared under this name.
    pub(super) fn call_by_name(&mut self, name: Symbol, args: &[ast::ExprId], span: Span) -> Value {
        let function = self.identifier(name, span);
        let function = self.decay(function, span);
        self.call_value(function, args, span)
    }

    fn call_value(&mut self, function: Value, args: &[ast::ExprId], span: Span) -> Value {
        if self.types.is_error(function.ty) {
            for &arg in args {
                self.rvalue(arg);
            }
            return self.error_value();
        }
        let (Some(fn_ty), Kind::Scalar(pointer)) = (self.types.function(function.ty).cloned(), function.kind) else {
            let ty = self.show(function.ty);
            self.error(span, format!("`{ty}` is called, which is no function"));
            return self.error_value();
        };
        // `f(a, __builtin_va_arg_pack())` passes the caller's variable arguments on.
        let (args, pack) = match args.split_last() {
            Some((&last, before)) if self.is_arg_pack(last) && fn_ty.variadic && before.len() == fn_ty.params.len() => {
                (before, self.f.varargs)
            }
            _ => (args, None),
        };
        let Some(values) = self.arguments(&fn_ty, args, span) else { return self.error_value() };
        let target = match self.b.exprs[pointer] {
            Expr::Addr { base: Base::Func(id), .. } => Callee::Direct(id),
            _ => Callee::Indirect(pointer),
        };
        self.at(span);
        self.emit_call(target, &fn_ty, values, pack, span)
    }

    fn is_arg_pack(&self, arg: ast::ExprId) -> bool {
        let ExprKind::Call(callee, args) = &self.ast.exprs[arg].kind else { return false };
        let is_pack = |name| self.name(name) == "__builtin_va_arg_pack";
        args.is_empty() && matches!(self.ast.exprs[*callee].kind, ExprKind::Ident(name) if is_pack(name))
    }

    /// gnu89 lets a function be called without a declaration: it returns `int`.
    fn implicit_declaration(&mut self, name: Symbol, span: Span) {
        let text = self.name(name).to_owned();
        let known = super::builtins::known_prototype(&mut self.session.types, &text);
        if known.is_none() {
            self.warning(span, format!("implicit declaration of function `{text}`"));
        }
        let ret = self.types.common.int;
        let fn_ty = known.unwrap_or(FnType { ret, params: Vec::new(), variadic: false, prototyped: false });
        let ty = self.types.plain(CType::Function(fn_ty));
        let outer = std::mem::take(&mut self.unevaluated);
        self.declare_function(name, ty, None, span);
        self.unevaluated = outer;
        if let Some(binding) = self.scopes.lookup(name) {
            self.scopes.bind_at_file_scope(name, binding, span);
        }
    }

    fn arguments(&mut self, fn_ty: &FnType, args: &[ast::ExprId], span: Span) -> Option<Vec<Value>> {
        let ast = self.ast;
        if fn_ty.prototyped && (args.len() < fn_ty.params.len() || (args.len() > fn_ty.params.len() && !fn_ty.variadic))
        {
            let amount = if args.len() < fn_ty.params.len() { "few" } else { "many" };
            self.error(span, format!("too {amount} arguments: {} given, {} expected", args.len(), fn_ty.params.len()));
            return None;
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            let place = ast.exprs[arg].span;
            let value = self.rvalue(arg);
            if self.types.is_error(value.ty) {
                return None;
            }
            if self.types.is_void(value.ty) {
                self.error(place, "a void value is passed as an argument");
                return None;
            }
            values.push(match fn_ty.params.get(i) {
                Some(&param) => self.argument(value, param, place),
                None => self.promoted_argument(value),
            });
        }
        Some(values)
    }

    fn argument(&mut self, value: Value, param: QTy, span: Span) -> Value {
        match self.types.record(param) {
            Some(record) if self.types.records[record].transparent && self.types.record(value.ty) != Some(record) => {
                self.transparent_argument(record, param, value, span)
            }
            _ => self.convert_assign(value, param, span, "argument passing"),
        }
    }

    /// A transparent union takes a value of any of its members' types.
    fn transparent_argument(&mut self, record: RecordId, param: QTy, value: Value, span: Span) -> Value {
        let fields = self.types.records[record].body.as_ref().map_or_else(Vec::new, |b| b.fields.clone());
        let exact = fields.iter().find(|f| self.types.compatible_ignoring_quals(f.ty, value.ty));
        let similar = fields.iter().find(|f| self.types.is_pointer(f.ty) == self.types.is_pointer(value.ty));
        let Some(field) = exact.or(similar).or(fields.first()) else {
            self.error(span, "a transparent union without members");
            return self.error_value();
        };
        let addr = self.temporary("argument", param);
        let converted = self.convert(value, field.ty);
        self.store(Place::Mem(addr), field.ty, converted);
        Value { kind: Kind::Record(addr), ty: param }
    }

    /// The default argument promotions.
    pub(super) fn promoted_argument(&mut self, value: Value) -> Value {
        let ty = self.promoted_argument_type(value.ty);
        self.convert(value, ty)
    }

    /// A call of a function known to have simple scalar parameters, its result unused.
    pub(super) fn emit_direct_call(&mut self, id: FuncId, args: Vec<Value>) {
        let ty = self.functions[id].ty;
        if let Some(fn_ty) = self.types.function(ty).cloned() {
            self.emit_call(Callee::Direct(id), &fn_ty, args, None, Span::default());
        }
    }

    /// Calls a model without a result that the program itself does not name.
    pub(super) fn call_model(&mut self, name: &str, args: Vec<Value>, span: Span) {
        let symbol = self.session.interner.intern(name);
        if self.scopes.lookup(symbol).is_none() {
            let (ret, params) = (self.types.common.void, args.iter().map(|arg| arg.ty).collect());
            let ty = self.types.plain(CType::Function(FnType { ret, params, variadic: false, prototyped: true }));
            self.declare_function(symbol, ty, None, span);
        }
        if let Some((id, _)) = self.function_id(symbol, span) {
            self.at(span);
            self.emit_direct_call(id, args);
        }
    }

    fn emit_call(
        &mut self,
        callee: Callee,
        fn_ty: &FnType,
        values: Vec<Value>,
        pack: Option<RegId>,
        span: Span,
    ) -> Value {
        if self.types.record(fn_ty.ret).is_some() && !self.types.is_complete(fn_ty.ret) {
            self.error(span, format!("a function that returns the incomplete type `{}`", self.show(fn_ty.ret)));
            return self.error_value();
        }
        let mut args = Vec::with_capacity(values.len() + 2);
        let result_addr = match self.types.record(fn_ty.ret) {
            Some(_) => {
                let addr = self.temporary("result", fn_ty.ret);
                args.push(addr);
                Some(addr)
            }
            None => None,
        };
        let fixed = if fn_ty.variadic { fn_ty.params.len().min(values.len()) } else { values.len() };
        for value in &values[..fixed] {
            if let Kind::Scalar(expr) | Kind::Record(expr) = value.kind {
                args.push(expr);
            }
        }
        if fn_ty.variadic {
            args.push(match pack {
                Some(reg) => self.b.read(reg),
                None => self.variable_arguments(&values[fixed..]),
            });
        }
        let scalar = self.types.scalar(fn_ty.ret);
        if scalar.is_none()
            && result_addr.is_none()
            && !self.types.is_void(fn_ty.ret)
            && !self.types.is_error(fn_ty.ret)
        {
            let name = self.show(fn_ty.ret);
            self.unsupported(span, &format!("a function that returns `{name}`"));
        }
        let dst = scalar.map(|ty| self.b.reg(ty, None));
        self.b.emit(StepKind::Call { dst, callee, args });
        match (dst, result_addr) {
            (Some(dst), _) => {
                let expr = self.b.read(dst);
                Value::scalar(expr, fn_ty.ret)
            }
            (None, Some(addr)) => Value { kind: Kind::Record(addr), ty: fn_ty.ret },
            (None, None) => Value::nothing(fn_ty.ret),
        }
    }

    /// Puts variable arguments side by side in memory and returns their address; null if there are none.
    fn variable_arguments(&mut self, values: &[Value]) -> ExprId {
        if values.is_empty() {
            return self.b.constant(Ty::Ptr, 0);
        }
        let mut offset = 0;
        let mut fields = Vec::new();
        for value in values {
            let layout = self.layout(value.ty);
            fields.push(Field { name: String::new(), offset, layout, bits: None });
            offset += self.argument_size(value.ty);
        }
        let kind = LayoutKind::Record { name: "varargs".to_owned(), overlapping: false, fields: fields.clone() };
        let align = self.types.model.pointer_size();
        let layout = self.session.layouts.push(Layout { size: offset, align, kind });
        let slot = self.b.slot("varargs", layout);
        self.b.emit(StepKind::Live { slot });
        for (value, field) in values.iter().zip(fields) {
            let addr = self.b.addr(Base::Slot(slot), field.offset as i64);
            match value.kind {
                Kind::Scalar(_) => {
                    self.store(Place::Mem(addr), value.ty, *value);
                }
                Kind::Record(_) => self.copy_record(Value::place(Place::Mem(addr), value.ty), *value),
                Kind::Nothing | Kind::Place(_) | Kind::Function(_) => {}
            }
        }
        self.b.addr(Base::Slot(slot), 0)
    }

    /// Bytes that a variable argument takes.
    fn argument_size(&self, ty: QTy) -> u64 {
        self.types.size_of(ty).unwrap_or(0).next_multiple_of(self.types.model.pointer_size())
    }

    // ---- va_list -----------------------------------------------------------------------------------------------------

    /// The place of the pointer inside a `va_list`, given as an lvalue or by address.
    fn va_list_place(&mut self, list: ast::ExprId, span: Span) -> Option<Place> {
        let value = self.expr(list);
        match (self.types.get(value.ty), value.kind) {
            (CType::VaList, Kind::Place(place @ Place::Mem(_))) => Some(place),
            (CType::Pointer(target), _) if matches!(self.types.get(*target), CType::VaList) => {
                match self.decay(value, span).kind {
                    Kind::Scalar(addr) => Some(Place::Mem(addr)),
                    _ => None,
                }
            }
            _ => {
                if !self.types.is_error(value.ty) {
                    self.error(span, "a `va_list` is needed here");
                }
                None
            }
        }
    }

    pub(super) fn va_start(&mut self, list: ast::ExprId, span: Span) -> Value {
        let void = self.types.common.void;
        let Some(place) = self.va_list_place(list, span) else { return self.error_value() };
        let Some(reg) = self.f.varargs else {
            self.error(span, "`va_start` in a function with fixed arguments");
            return self.error_value();
        };
        let void_ptr = self.types.common.void_ptr;
        let pointer = self.b.read(reg);
        self.store(place, void_ptr, Value::scalar(pointer, void_ptr));
        Value::nothing(void)
    }

    pub(super) fn va_copy(&mut self, to: ast::ExprId, from: ast::ExprId, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        let (Some(to), Some(from)) = (self.va_list_place(to, span), self.va_list_place(from, span)) else {
            return self.error_value();
        };
        let pointer = self.load(from, void_ptr);
        self.store(to, void_ptr, pointer);
        Value::nothing(self.types.common.void)
    }

    /// `list = other;`, which ILP32 allows.
    pub(super) fn copy_va_list(&mut self, place: Place, value: Value, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        match value.kind {
            Kind::Scalar(addr) if self.types.is_pointer(value.ty) => {
                let pointer = self.load(Place::Mem(addr), void_ptr);
                self.store(place, void_ptr, pointer);
                value
            }
            _ => {
                self.error(span, "a `va_list` is needed here");
                self.error_value()
            }
        }
    }

    pub(super) fn va_arg(&mut self, list: ast::ExprId, name: ast::TypeNameId, span: Span) -> Value {
        let ty = self.type_name(name);
        let Some(place) = self.va_list_place(list, span) else { return self.error_value() };
        if !self.types.is_complete(ty) || self.types.is_error(ty) {
            self.error(span, "`va_arg` of an incomplete type");
            return self.error_value();
        }
        self.at(span);
        let void_ptr = self.types.common.void_ptr;
        let pointer = self.load(place, void_ptr);
        let Kind::Scalar(addr) = pointer.kind else { return self.error_value() };
        let size = self.argument_size(ty);
        let next = self.b.offset(addr, size);
        self.store(place, void_ptr, Value::scalar(next, void_ptr));
        let value = Value::place(Place::Mem(addr), ty);
        self.decay(value, span)
    }
}
