//! From the parts of all files to one program: what is missing, where to start, calls that disagree with their callees.

use heddle_base::{Id, IndexVec, Loc, Span};
use heddle_ir::{
    Access, Base, BinOp, Callee, CastOp, ConstValue, DataModel, Expr, ExprId, FuncId, Function, Global, GlobalId,
    InitItem, Input, InputKind, Program, Reg, Step, StepId, StepKind, Ty,
};

use super::builder::Builder;
use super::{Definition, Extern, Session};
use crate::types::{ArrayLen, CType, FnType};
use crate::{Missing, Purpose};

/// Arguments that `main` gets at most where they are arbitrary, its own name included.
const MAX_ARGS: u64 = 4;
/// Bytes of each of them, terminator included.
const ARG_BYTES: u64 = 8;

/// The body of a function that has none.
pub(super) enum Stub {
    /// It returns an arbitrary value.
    Arbitrary,
    /// It ends the process.
    EndsProcess,
    /// It cannot be executed.
    Unsupported(String),
}

impl Session {
    /// Names of functions and variables that are used but not defined by any file so far.
    pub fn missing(&self) -> Vec<String> {
        let functions = self.functions.iter().filter(|f| f.body.is_none() && !f.local && f.used.is_some());
        let mut names: Vec<String> = functions.map(|f| self.name(f.symbol).to_owned()).collect();
        for (&symbol, entity) in &self.externs {
            if let Extern::Global { id: Some(id), .. } = entity
                && self.globals[*id].defined == Definition::Declared
            {
                names.push(self.name(symbol).to_owned());
            }
        }
        names.sort_unstable();
        names
    }

    /// Whether a function of this name is used.
    pub fn uses(&self, name: &str) -> bool {
        self.functions.iter().any(|f| f.used.is_some() && self.name(f.symbol) == name)
    }

    /// The whole program; `None` if there were errors.
    pub fn finish(mut self) -> (Session, Option<Program>) {
        self.resolve_aliases();
        self.define_missing_functions();
        self.settle_globals();
        let entry = self.entry();
        if self.diags.has_errors() {
            return (self, None);
        }
        let Some(entry) = entry else { return (self, None) };
        self.report_missing(entry);
        if self.diags.has_errors() {
            return (self, None);
        }
        self.reconcile_calls();
        super::results::drop_unused(&mut self);
        let functions = std::mem::take(&mut self.functions);
        let globals = std::mem::take(&mut self.globals);
        let program = Program {
            model: self.options.data_model,
            functions: functions.iter().map(|f| f.body.clone().expect("every function has a body by now")).collect(),
            globals: globals.iter().map(|g| g.global.clone()).collect(),
            layouts: std::mem::take(&mut self.layouts),
            inputs: std::mem::take(&mut self.inputs),
            checks: std::mem::take(&mut self.checks),
            entry,
            sources: self.sources.clone(),
        };
        (self, Some(program))
    }

    fn resolve_aliases(&mut self) {
        for (alias, target) in std::mem::take(&mut self.aliases) {
            if self.functions[alias].body.is_none()
                && let Some(mut body) = self.functions[target].body.clone()
            {
                let name = self.name(self.functions[alias].symbol).to_owned();
                body.name = self.unique_name(&name);
                self.functions[alias].body = Some(body);
            }
        }
    }

    /// A function without a body returns an arbitrary value, or ends the process if it is declared not to return. Beside
    /// errors no models were added, so nothing can be said of what is missing.
    fn define_missing_functions(&mut self) {
        for id in self.functions.ids() {
            let entry = &self.functions[id];
            if entry.body.is_some() {
                continue;
            }
            let name = self.name(entry.symbol).to_owned();
            let (local, span, used) = (entry.local, entry.span, entry.used);
            let returns = !self.noreturn.contains(&entry.symbol);
            if local && used.is_some() {
                self.diags.error(span, format!("`{name}` used but never defined"));
            }
            let fn_ty = self.types.function(entry.ty).cloned();
            let is_known = is_choice(&name) || self.options.stubs.contains(&name);
            let kind = if self.options.purpose == Purpose::Execution && !is_known && self.sources.is_system(span.lo) {
                // The compiled program has it; an arbitrary result would not be what it does.
                Stub::Unsupported(format!("`{name}`, which has no model"))
            } else if returns {
                Stub::Arbitrary
            } else {
                Stub::EndsProcess
            };
            let body = self.stub(&name, fn_ty, kind, span);
            self.functions[id].body = Some(body);
        }
    }

    /// Tells of functions without a body that can be reached: those of system headers are arbitrary, others are an error
    /// unless that is allowed.
    fn report_missing(&mut self, entry: FuncId) {
        // What was typed but not evaluated left expressions behind.
        self.functions.iter_mut().filter_map(|f| f.body.as_mut()).for_each(Function::drop_unused_exprs);
        for id in self.reachable_functions(entry) {
            let function = &self.functions[id];
            let (symbol, declared, used) = (function.symbol, function.span, function.used);
            let Some(used) = used.filter(|_| function.body.as_ref().is_some_and(|body| body.external)) else {
                continue;
            };
            let name = self.name(symbol).to_owned();
            if is_choice(&name) || self.options.stubs.contains(&name) {
                continue;
            }
            if self.options.missing == Missing::Refused && !self.sources.is_system(declared.lo) {
                let file = self.sources.file_name(self.sources.loc(used.lo).file).to_owned();
                let help = "give the file that defines it too, or --allow-missing";
                self.diags.error(used, format!("`{name}` is used by {file} and defined nowhere: {help}"));
                continue;
            }
            let what = if self.noreturn.contains(&symbol) { "it ends the process" } else { "its result is arbitrary" };
            self.diags.warning(used, format!("`{name}` has neither a body nor a model: {what}"));
        }
    }

    /// Functions that are called or named by what is reached from the start, and by the initial values of variables.
    fn reachable_functions(&self, entry: FuncId) -> Vec<FuncId> {
        let mut reached = IndexVec::<FuncId, bool>::from_elem(false, self.functions.len());
        let mut work = vec![entry];
        let named = self.globals.iter().flat_map(|g| &g.global.init).filter_map(|item| match item.value {
            ConstValue::Func(func) => Some(func),
            _ => None,
        });
        work.extend(named);
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut reached[id], true) {
                continue;
            }
            let Some(body) = &self.functions[id].body else { continue };
            work.extend(body.steps.iter().filter_map(|step| match step.kind {
                StepKind::Call { callee: Callee::Direct(func), .. }
                | StepKind::Spawn { callee: Callee::Direct(func), .. } => Some(func),
                _ => None,
            }));
            work.extend(body.exprs.iter().filter_map(|expr| match expr {
                Expr::Addr { base: Base::Func(func), .. } => Some(*func),
                _ => None,
            }));
        }
        reached.ids().filter(|&id| reached[id]).collect()
    }

    pub(super) fn stub(&mut self, name: &str, fn_ty: Option<FnType>, kind: Stub, span: Span) -> Function {
        let mut b = Builder::new(self.options.data_model);
        let loc = self.sources.loc(span.lo);
        b.loc = Some(loc);
        let int = self.types.common.int;
        let fn_ty = fn_ty.unwrap_or(FnType { ret: int, params: Vec::new(), variadic: false, prototyped: false });
        let mut params = Vec::new();
        if self.types.record(fn_ty.ret).is_some() {
            params.push(b.reg(Ty::Ptr, Some("return")));
        }
        for param in &fn_ty.params {
            let ty = self.types.scalar(*param).unwrap_or(Ty::Ptr);
            params.push(b.reg(ty, None));
        }
        if fn_ty.variadic {
            params.push(b.reg(Ty::Ptr, Some("varargs")));
        }
        let ret = self.types.scalar(fn_ty.ret);
        let external = match kind {
            Stub::Arbitrary => true,
            Stub::EndsProcess => {
                let status = b.constant(Ty::I32, 1);
                b.emit(StepKind::ProcessExit { status, abort: false });
                true
            }
            Stub::Unsupported(what) => {
                b.emit(StepKind::Unsupported { what });
                let name = self.unique_name(name);
                return function(name, params, fn_ty.variadic, ret, b, loc, false);
            }
        };
        let is_bool = matches!(self.types.get(fn_ty.ret), CType::Bool);
        let value = ret.map(|ty| {
            let any = if is_bool { Ty::Bool } else { ty };
            let dst = b.reg(any, None);
            let kind = if is_choice(name) { InputKind::Nondet } else { InputKind::External };
            let input = self.input(name, any, kind, loc);
            b.emit(StepKind::Havoc { dst, input });
            let value = b.read(dst);
            if is_bool { b.cast(CastOp::ZExt, ty, value) } else { value }
        });
        b.emit(StepKind::Return { value });
        let name = self.unique_name(name);
        function(name, params, fn_ty.variadic, ret, b, loc, external)
    }

    /// Gives every global its size and shape.
    fn settle_globals(&mut self) {
        for id in self.globals.ids() {
            let entry = &self.globals[id];
            let (ty, span, declared) = (entry.ty, entry.span, entry.defined == Definition::Declared);
            let is_string = entry.global.size > 0 && entry.global.name.starts_with("str.");
            let mut size = self.types.size_of(ty).unwrap_or(0);
            if !self.types.is_complete(ty) && !declared && !self.types.is_error(ty) {
                let name = self.globals[id].global.name.clone();
                self.diags.error(span, format!("the size of `{name}` is not known"));
            }
            if is_string {
                continue;
            }
            size = size.max(self.globals[id].global.size);
            let layout = match self.types.get(ty) {
                CType::Array(_, ArrayLen::Unknown) => self.layout_with_len(ty, 0),
                _ => self.layout(ty),
            };
            let align = self.types.align_of(ty);
            let global = &mut self.globals[id].global;
            global.layout = layout;
            global.size = size;
            global.align = global.align.max(align);
            global.external = declared;
        }
    }

    // ---- the start ---------------------------------------------------------------------------------------------------

    /// The function that the first thread runs: constructors, `main`, destructors, the end of the process.
    fn entry(&mut self) -> Option<FuncId> {
        let main = match self.externs.get(&self.names.main) {
            Some(Extern::Func { id: Some(id), .. })
                if self.functions[*id].body.as_ref().is_some_and(|f| !f.external) =>
            {
                *id
            }
            _ => {
                // It may be there, in a part that was not understood.
                if !self.diags.has_errors() {
                    self.diags.error(Span::default(), "the program has no function `main`");
                }
                return None;
            }
        };
        let main_body = self.functions[main].body.clone().expect("checked above");
        let loc = main_body.loc;
        let mut b = Builder::new(self.options.data_model);
        b.loc = Some(loc);
        let call = |b: &mut Builder, callee: FuncId, args: Vec<ExprId>, dst| {
            b.emit(StepKind::Call { dst, callee: Callee::Direct(callee), args });
        };
        self.call_constructors(&mut b);
        let args = self.main_arguments(&mut b, &main_body, loc);
        let dst = main_body.ret.map(|ty| b.reg(ty, None));
        call(&mut b, main, args, dst);
        let status = match (dst, main_body.ret) {
            (Some(dst), Some(Ty::I32)) => b.read(dst),
            _ => b.constant(Ty::I32, 0),
        };
        match self.functions.ids().find(|&f| self.name(self.functions[f].symbol) == "exit") {
            Some(exit) if self.uses("atexit") => call(&mut b, exit, vec![status], None),
            _ => self.call_destructors(&mut b),
        }
        b.emit(StepKind::ProcessExit { status, abort: false });
        let name = self.unique_name("__heddle_start");
        let mut start = function(name, Vec::new(), false, None, b, loc, false);
        start.model = true;
        let entry = super::function::new_entry(self.names.main, self.types.common.int, Span::default(), true);
        let id = self.functions.push(entry);
        self.functions[id].body = Some(start);
        Some(id)
    }

    fn main_arguments(&mut self, b: &mut Builder, main: &Function, loc: Loc) -> Vec<ExprId> {
        let is_used = |i: usize| {
            main.params.get(i).is_some_and(|p| main.exprs.iter().any(|e| matches!(e, Expr::Reg(r) if r == p)))
        };
        let used = is_used(0) || is_used(1) || is_used(2);
        let given = self.options.main_args.clone();
        let (argc, argv) = match given {
            Some(args) => self.given_arguments(b, &args, loc),
            None if used => self.arbitrary_arguments(b, loc),
            None => (b.constant(Ty::I32, 1), b.constant(Ty::Ptr, 0)),
        };
        let null = b.constant(Ty::Ptr, 0);
        let all = [argc, argv, null];
        main.params
            .iter()
            .zip(all)
            .map(|(&param, value)| coerce(b, value, main.regs[param].ty).unwrap_or(null))
            .collect()
    }

    pub(super) fn new_array_global(&mut self, name: &str, elem: crate::types::QTy, len: u64, loc: Loc) -> GlobalId {
        let ty = self.types.plain(CType::Array(elem, ArrayLen::Known(len)));
        let layout = self.layout(ty);
        let (size, align) = (self.types.size_of(ty).unwrap_or(0), self.types.align_of(ty));
        let name = self.unique_name(name);
        let global = Global {
            name,
            layout,
            size,
            align,
            init: Vec::new(),
            thread_local: false,
            constant: false,
            external: false,
            loc,
            model: false,
        };
        self.globals.push(super::GlobalEntry { global, ty, defined: Definition::Defined, span: Span::default() })
    }

    fn given_arguments(&mut self, b: &mut Builder, args: &[String], loc: Loc) -> (ExprId, ExprId) {
        let (char, char_ptr) = (self.types.common.char, self.types.common.char_ptr);
        let texts: Vec<&str> = std::iter::once("program").chain(args.iter().map(String::as_str)).collect();
        let argv = self.new_array_global("argv", char_ptr, texts.len() as u64 + 1, loc);
        let word = self.types.model.pointer_size();
        for (i, text) in texts.iter().enumerate() {
            let arg = self.new_array_global(&format!("arg{i}"), char, text.len() as u64 + 1, loc);
            self.globals[arg].global.init =
                vec![InitItem { offset: 0, value: ConstValue::Bytes(text.as_bytes().to_vec()) }];
            let value = ConstValue::Global { global: arg, offset: 0 };
            self.globals[argv].global.init.push(InitItem { offset: i as u64 * word, value });
        }
        (b.constant(Ty::I32, texts.len() as u128), b.addr(Base::Global(argv), 0))
    }

    /// Up to [`MAX_ARGS`] arguments of up to [`ARG_BYTES`] - 1 arbitrary characters each.
    fn arbitrary_arguments(&mut self, b: &mut Builder, loc: Loc) -> (ExprId, ExprId) {
        let (char, char_ptr) = (self.types.common.char, self.types.common.char_ptr);
        self.diags.warning(
            Span::default(),
            format!("`main` uses its arguments: up to {MAX_ARGS} of up to {} characters are considered", ARG_BYTES - 1),
        );
        let argc_reg = b.reg(Ty::I32, Some("argc"));
        let input = self.input("argc", Ty::I32, InputKind::Argument, loc);
        b.emit(StepKind::Havoc { dst: argc_reg, input });
        let argc = b.read(argc_reg);
        let (one, most) = (b.constant(Ty::I32, 1), b.constant(Ty::I32, MAX_ARGS as u128));
        let (above, below) = (b.binary(BinOp::SLe, one, argc), b.binary(BinOp::SLe, argc, most));
        let cond = b.binary(BinOp::And, above, below);
        b.emit(StepKind::Assume { cond });
        let argv = self.new_array_global("argv", char_ptr, MAX_ARGS + 1, loc);
        let word = self.types.model.pointer_size();
        for i in 0..MAX_ARGS {
            let arg = self.new_array_global(&format!("arg{i}"), char, ARG_BYTES, loc);
            for k in 0..ARG_BYTES - 1 {
                let dst = b.reg(Ty::I8, None);
                let input = self.input(&format!("arg{i}"), Ty::I8, InputKind::Argument, loc);
                b.emit(StepKind::Havoc { dst, input });
                let (addr, value) = (b.addr(Base::Global(arg), k as i64), b.read(dst));
                b.emit(StepKind::Store { addr, value, ty: Ty::I8, access: Access::PLAIN });
            }
            // argv[i] = i < argc ? &arg : null
            let index = b.constant(Ty::I32, i as u128);
            let given = b.binary(BinOp::SLt, index, argc);
            let (pointer, null) = (b.addr(Base::Global(arg), 0), b.constant(Ty::Ptr, 0));
            let value = b.ite(given, pointer, null);
            let addr = b.addr(Base::Global(argv), (i * word) as i64);
            b.emit(StepKind::Store { addr, value, ty: Ty::Ptr, access: Access::PLAIN });
        }
        (argc, b.addr(Base::Global(argv), 0))
    }

    // ---- calls that disagree with their callees ----------------------------------------------------------------------

    /// Old-style and implicit declarations let callers and callees differ. Arguments are converted as far as that means
    /// anything on x86; what does not is arbitrary.
    fn reconcile_calls(&mut self) {
        let signatures: IndexVec<FuncId, (Vec<Ty>, Option<Ty>)> = self
            .functions
            .iter()
            .map(|f| {
                let body = f.body.as_ref().expect("every function has a body by now");
                (body.params.iter().map(|p| body.regs[*p].ty).collect(), body.ret)
            })
            .collect();
        for id in self.functions.ids() {
            let mut body = self.functions[id].body.take().expect("every function has a body by now");
            let agrees = |body: &Function, step: &Step| match &step.kind {
                StepKind::Call { dst, callee: Callee::Direct(callee), args } => {
                    let (params, ret) = &signatures[*callee];
                    args.len() == params.len()
                        && args.iter().zip(params).all(|(a, p)| body.type_of(*a) == *p)
                        && dst.is_none_or(|d| Some(body.regs[d].ty) == *ret)
                }
                _ => true,
            };
            if !body.steps.iter().all(|step| agrees(&body, step)) {
                reconcile_function(&mut body, &signatures, &mut self.inputs, self.options.data_model);
            }
            self.functions[id].body = Some(body);
        }
    }
}

/// Whether a function without a body is one by which programs for verifiers ask for an arbitrary value.
fn is_choice(name: &str) -> bool {
    name.starts_with("nondet_")
}

pub(super) fn function(
    name: String,
    params: Vec<heddle_ir::RegId>,
    variadic: bool,
    ret: Option<Ty>,
    mut b: Builder,
    loc: Loc,
    external: bool,
) -> Function {
    b.finish();
    Function {
        name,
        params,
        variadic,
        ret,
        regs: b.regs,
        slots: b.slots,
        exprs: b.exprs,
        steps: b.steps,
        loc,
        model: false,
        external,
    }
}

/// A value as another type where the machine's registers make that plain: integers and pointers.
fn coerce(b: &mut Builder, value: ExprId, to: Ty) -> Option<ExprId> {
    let from = b.type_of(value);
    match (from.int_bits(), to.int_bits()) {
        _ if from == to => Some(value),
        (Some(a), Some(c)) => Some(b.cast(if a > c { CastOp::Trunc } else { CastOp::ZExt }, to, value)),
        (Some(_), None) if to == Ty::Ptr => {
            let int = coerce(b, value, b.pointer_int())?;
            Some(b.cast(CastOp::IntToPtr, Ty::Ptr, int))
        }
        (None, Some(_)) if from == Ty::Ptr => {
            let int = b.cast(CastOp::PtrToInt, b.pointer_int(), value);
            coerce(b, int, to)
        }
        _ => None,
    }
}

/// Rewrites the calls of one function; steps are inserted, so all jump targets move.
fn reconcile_function(
    body: &mut Function,
    signatures: &IndexVec<FuncId, (Vec<Ty>, Option<Ty>)>,
    inputs: &mut IndexVec<heddle_ir::InputId, Input>,
    model: DataModel,
) {
    let mut b = Builder::new(model);
    b.resume(std::mem::take(&mut body.regs), std::mem::take(&mut body.exprs));
    let old_steps = std::mem::take(&mut body.steps);
    let mut moved: Vec<StepId> = Vec::with_capacity(old_steps.len());
    for step in old_steps.iter() {
        moved.push(b.steps.next_id());
        b.loc = Some(step.loc);
        let StepKind::Call { dst, callee: callee @ Callee::Direct(target), args } = &step.kind else {
            b.steps.push(step.clone());
            continue;
        };
        let (params, ret) = &signatures[*target];
        let args = params
            .iter()
            .enumerate()
            .map(|(i, &ty)| {
                let given = args.get(i).and_then(|&arg| coerce(&mut b, arg, ty));
                given.unwrap_or_else(|| arbitrary(&mut b, ty, step.loc, inputs))
            })
            .collect();
        match (*dst, *ret) {
            (Some(dst), Some(ret)) if b.regs[dst].ty != ret => {
                let raw = b.regs.push(Reg { ty: ret, name: None });
                b.emit(StepKind::Call { dst: Some(raw), callee: *callee, args });
                let value = b.read(raw);
                let ty = b.regs[dst].ty;
                let value = coerce(&mut b, value, ty).unwrap_or_else(|| arbitrary(&mut b, ty, step.loc, inputs));
                b.emit(StepKind::Assign { dst, value });
            }
            (Some(dst), None) => {
                b.emit(StepKind::Call { dst: None, callee: *callee, args });
                let ty = b.regs[dst].ty;
                let value = arbitrary(&mut b, ty, step.loc, inputs);
                b.emit(StepKind::Assign { dst, value });
            }
            (dst, _) => {
                b.emit(StepKind::Call { dst, callee: *callee, args });
            }
        }
    }
    for step in b.steps.iter_mut() {
        if let StepKind::Goto { target } | StepKind::Branch { target, .. } = &mut step.kind {
            *target = moved[target.index()];
        }
    }
    body.regs = b.regs;
    body.exprs = b.exprs;
    body.steps = b.steps;
}

fn arbitrary(b: &mut Builder, ty: Ty, loc: Loc, inputs: &mut IndexVec<heddle_ir::InputId, Input>) -> ExprId {
    let name = format!("mismatch.{}", inputs.len());
    let input = inputs.push(Input { name, ty, kind: InputKind::Uninit, loc });
    let dst = b.reg(ty, None);
    b.emit(StepKind::Havoc { dst, input });
    b.read(dst)
}
