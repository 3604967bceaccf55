//! A start for programs that have none: one function with arbitrary arguments, or several functions as threads.
//!
//! The harness is a C text, lowered like a file of the user's, that calls *thunks*: functions made here that call the user's
//! with arbitrary arguments. An argument that is a number is an input of the parameter's position. A pointer to a complete
//! type points to an object of its own with arbitrary numbers in it, and null pointers; all other pointers are null.

use std::fmt::Write as _;

use heddle_base::{Loc, Span};
use heddle_ir::{Access, Base, Callee, CastOp, ExprId, FuncId, InputKind, StepKind, Ty};

use super::builder::Builder;
use super::finish::function;
use super::{Extern, Session};
use crate::Harness;
use crate::types::{ArrayLen, CType, QTy};

/// Elements of an array, or characters of a string, that get arbitrary values; the rest are zero.
const MOST_ELEMENTS: u64 = 8;

impl Session {
    /// Makes the start of the program from the functions that the user names. Returns the text of the harness.
    pub fn harness(&mut self, harness: &Harness) -> Option<String> {
        let mut text = String::from("int pthread_create();\nint pthread_join();\n");
        let mut body = String::new();
        let call = |session: &mut Session, name: &str, text: &mut String| -> Option<String> {
            let thunk = session.thunk(name)?;
            let _ = writeln!(text, "void *{thunk}(void *);");
            Some(thunk)
        };
        for name in harness.setup.iter().chain(&harness.entry) {
            let thunk = call(self, name, &mut text)?;
            let _ = writeln!(body, "{thunk}(0);");
        }
        let count = harness.threads.len();
        for (i, name) in harness.threads.iter().enumerate() {
            let thunk = call(self, name, &mut text)?;
            let _ = writeln!(body, "pthread_create(&thread{i}, 0, {thunk}, 0);");
        }
        for i in 0..count {
            let _ = writeln!(body, "pthread_join(thread{i}, 0);");
        }
        if let Some(name) = &harness.teardown {
            let thunk = call(self, name, &mut text)?;
            let _ = writeln!(body, "{thunk}(0);");
        }
        let threads: String = (0..count).map(|i| format!("unsigned long thread{i};\n")).collect();
        let _ = write!(text, "int __heddle_harness(void) {{\n{threads}{body}return 0;\n}}\n");
        self.names.main = self.interner.intern("__heddle_harness");
        Some(text)
    }

    /// A function that calls one of the user's with arbitrary arguments: its name.
    fn thunk(&mut self, name: &str) -> Option<String> {
        let defined = |&id: &FuncId| self.name(self.functions[id].symbol) == name && self.functions[id].body.is_some();
        let Some(callee) = self.functions.ids().find(defined) else {
            self.diags.error(Span::default(), format!("no file defines a function `{name}`"));
            return None;
        };
        let (ty, span) = (self.functions[callee].ty, self.functions[callee].span);
        let params = self.types.function(ty).map_or_else(Vec::new, |f| f.params.clone());
        let called = self.functions[callee].body.as_ref().expect("checked above");
        let (takes_result, ret) = (called.params.len() > params.len() && !called.variadic, called.ret);
        self.functions[callee].used.get_or_insert(span);
        let loc = self.sources.loc(span.lo);
        let mut b = Builder::new(self.options.data_model);
        b.loc = Some(loc);
        let unused = b.reg(Ty::Ptr, Some("unused"));
        let mut args = Vec::new();
        if takes_result {
            // A record is returned through a pointer.
            let ret = self.types.function(ty).map_or(self.types.common.int, |f| f.ret);
            args.push(self.object(&mut b, &format!("{name}.result"), ret, loc));
        }
        for (i, &param) in params.iter().enumerate() {
            args.push(self.argument(&mut b, &format!("{name}.{}", i + 1), param, loc));
        }
        let dst = ret.map(|ty| b.reg(ty, None));
        b.emit(StepKind::Call { dst, callee: Callee::Direct(callee), args });
        let null = b.constant(Ty::Ptr, 0);
        b.emit(StepKind::Return { value: Some(null) });
        let thunk = self.unique_name(&format!("__heddle_call_{name}")).replace('.', "_");
        let symbol = self.interner.intern(&thunk);
        let void_ptr = self.types.common.void_ptr;
        let fn_ty = crate::types::FnType { ret: void_ptr, params: vec![void_ptr], variadic: false, prototyped: true };
        let fn_ty = self.types.plain(CType::Function(fn_ty));
        let mut body = function(thunk.clone(), vec![unused], false, Some(Ty::Ptr), b, loc, false);
        body.model = true;
        let id = self.functions.push(super::function::new_entry(symbol, fn_ty, span, false));
        self.functions[id].body = Some(body);
        self.externs.insert(symbol, Extern::Func { ty: fn_ty, id: Some(id), span, model: true });
        Some(thunk)
    }

    fn argument(&mut self, b: &mut Builder, name: &str, ty: QTy, loc: Loc) -> ExprId {
        if let Some(target) = self.types.pointee(ty) {
            if !self.types.is_complete(target) || self.types.is_void(target) {
                return b.constant(Ty::Ptr, 0);
            }
            return self.object(b, name, target, loc);
        }
        match self.types.scalar(ty) {
            Some(scalar) => self.choice(b, name, ty, scalar, loc),
            // A record is passed by its address.
            None => self.object(b, name, ty, loc),
        }
    }

    /// An arbitrary number.
    fn choice(&mut self, b: &mut Builder, name: &str, ty: QTy, scalar: Ty, loc: Loc) -> ExprId {
        let is_bool = matches!(self.types.get(ty), CType::Bool);
        let dst = b.reg(if is_bool { Ty::Bool } else { scalar }, None);
        let input = self.input(name, if is_bool { Ty::Bool } else { scalar }, InputKind::Nondet, loc);
        b.emit(StepKind::Havoc { dst, input });
        let value = b.read(dst);
        if is_bool { b.cast(CastOp::ZExt, scalar, value) } else { value }
    }

    /// The address of a new object with arbitrary numbers in it. Characters are a string.
    fn object(&mut self, b: &mut Builder, name: &str, ty: QTy, loc: Loc) -> ExprId {
        let is_text = self.types.size_of(ty) == Some(1);
        let global = self.new_array_global(name, ty.unqualified(), if is_text { MOST_ELEMENTS } else { 1 }, loc);
        let elements = if is_text { MOST_ELEMENTS - 1 } else { 1 };
        let size = self.types.size_of(ty).unwrap_or(0);
        for i in 0..elements {
            self.fill(b, name, global, i * size, ty, loc);
        }
        b.addr(Base::Global(global), 0)
    }

    fn fill(&mut self, b: &mut Builder, name: &str, global: heddle_ir::GlobalId, offset: u64, ty: QTy, loc: Loc) {
        if let Some((elem, ArrayLen::Known(len))) = self.types.array(ty) {
            let size = self.types.size_of(elem).unwrap_or(0);
            for i in 0..len.min(MOST_ELEMENTS) {
                self.fill(b, name, global, offset + i * size, elem, loc);
            }
            return;
        }
        if let Some(record) = self.types.record(ty) {
            let body = &self.types.records[record];
            let fields = body.body.as_ref().map_or_else(Vec::new, |body| body.fields.clone());
            let count = if body.is_union { 1 } else { fields.len() };
            for field in fields.into_iter().take(count).filter(|field| field.bits.is_none()) {
                self.fill(b, name, global, offset + field.offset, field.ty, loc);
            }
            return;
        }
        let Some(scalar) = self.types.scalar(ty).filter(|_| !self.types.is_pointer(ty)) else { return };
        let value = self.choice(b, name, ty, scalar, loc);
        let addr = b.addr(Base::Global(global), offset as i64);
        b.emit(StepKind::Store { addr, value, ty: scalar, access: Access::PLAIN });
    }
}
