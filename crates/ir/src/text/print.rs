//! The printer of the text form.

use std::fmt::Write;

use heddle_base::{Id, IndexVec, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lex::{quote, quote_bytes};
use super::names::{Handles, is_ident};
use crate::expr::{Base, BinOp, Expr, ExprId, UnOp};
use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::mentions::Mentioned;
use crate::program::{CheckId, ConstValue, FuncId, Function, Global, GlobalId, Input, Program, RegId};
use crate::step::{Access, Callee, MemOrder, Step, StepId, StepKind};
use crate::ty::Ty;

/// What to print of a program.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// Places in the source files.
    pub locations: bool,
    /// Functions and globals of the library models.
    pub models: bool,
    /// Functions and globals that nothing reachable from the entry mentions.
    pub unreachable: bool,
    /// All that only the parser needs: files, scalar and array layouts, ids of checks.
    pub tables: bool,
}

impl PrintOptions {
    /// Everything: what [`parse`](super::parse()) reads back.
    pub const FULL: PrintOptions = PrintOptions { locations: true, models: true, unreachable: true, tables: true };
    /// What a user wants to see.
    pub const SHOW: PrintOptions = PrintOptions { locations: true, models: false, unreachable: false, tables: false };
}

/// The whole program as text that [`parse`](super::parse()) reads back.
pub fn print(program: &Program) -> String {
    print_with(program, PrintOptions::FULL)
}

/// The program as text, with some things left out.
pub fn print_with(program: &Program, options: PrintOptions) -> String {
    let mut printer = Printer { names: Names::new(program), program, options, out: String::new() };
    printer.program();
    printer.out
}

/// An expression of a function as text.
pub fn expr_to_string(program: &Program, function: FuncId, expr: ExprId) -> String {
    let names = Names::new(program);
    FunctionText::new(&names, program, &program.functions[function]).expr(expr, None)
}

/// A step's instruction as text, without number and place.
pub fn step_to_string(program: &Program, function: FuncId, step: &StepKind) -> String {
    let names = Names::new(program);
    FunctionText::new(&names, program, &program.functions[function]).step(step, PrintOptions::SHOW)
}

/// The instructions of all steps of a function as text, without numbers and places.
pub fn step_lines(program: &Program, function: FuncId) -> IndexVec<StepId, String> {
    let names = Names::new(program);
    let text = FunctionText::new(&names, program, &program.functions[function]);
    program.functions[function].steps.iter().map(|s| text.step(&s.kind, PrintOptions::SHOW)).collect()
}

struct Printer<'a> {
    program: &'a Program,
    names: Names<'a>,
    options: PrintOptions,
    out: String,
}

/// What the names of things depend on in the whole program.
struct Names<'a> {
    globals: FxHashSet<&'a str>,
    /// Layouts that can be called by what they are: the first of their kind.
    layouts: FxHashMap<LayoutId, String>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program) -> Self {
        let globals = program.globals.iter().map(|g| g.name.as_str()).collect();
        Names { globals, layouts: layout_names(program) }
    }

    fn layout(&self, id: LayoutId) -> String {
        self.layouts.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }
}

fn layout_names(program: &Program) -> FxHashMap<LayoutId, String> {
    let mut seen: FxHashSet<&Layout> = FxHashSet::default();
    let mut names: FxHashMap<LayoutId, String> = FxHashMap::default();
    let mut record_names: FxHashMap<&str, u32> = FxHashMap::default();
    for layout in program.layouts.iter() {
        if let LayoutKind::Record { name, .. } = &layout.kind {
            *record_names.entry(name).or_default() += 1;
        }
    }
    // Scalars and records first: the name of an array is made of its element's.
    for (id, layout) in program.layouts.iter_enumerated() {
        match &layout.kind {
            LayoutKind::Scalar(ty) if *layout == Layout::scalar(*ty, program.model) && seen.insert(layout) => {
                names.insert(id, ty.name().to_owned());
            }
            LayoutKind::Record { name, .. } if record_names[name.as_str()] == 1 && is_record_name(name) => {
                names.insert(id, name.clone());
            }
            LayoutKind::Scalar(_) | LayoutKind::Record { .. } | LayoutKind::Array { .. } | LayoutKind::Bytes => {}
        }
    }
    for (id, layout) in program.layouts.iter_enumerated() {
        if let LayoutKind::Array { elem, len } = layout.kind
            && let Some(inner) = program.layouts.get(elem)
            && Some(layout.size) == inner.size.checked_mul(len)
            && layout.align == inner.align
            && !matches!(inner.kind, LayoutKind::Array { .. })
            && seen.insert(layout)
        {
            let elem_name = names.get(&elem).cloned().unwrap_or_else(|| elem.to_string());
            names.insert(id, format!("[{len} x {elem_name}]"));
        }
    }
    names
}

fn is_record_name(name: &str) -> bool {
    name.split_once(' ').is_some_and(|(word, tag)| matches!(word, "struct" | "union") && is_ident(tag))
}

impl<'a> Printer<'a> {
    fn program(&mut self) {
        let program = self.program;
        writeln!(self.out, "program {}", program.model).unwrap();
        let entry = program.functions.get(program.entry).map_or("", |f| &f.name);
        writeln!(self.out, "entry {}", word(entry)).unwrap();
        if self.options.tables {
            self.files();
        }
        let mentioned = (!self.options.unreachable).then(|| Mentioned::from_entry(program));
        self.layouts();
        self.section(|p| {
            for (id, global) in program.globals.iter_enumerated() {
                let wanted = mentioned.as_ref().is_none_or(|m| m.globals[id]);
                if wanted && (p.options.models || !global.model) {
                    p.global(global);
                }
            }
        });
        self.section(|p| program.inputs.iter().for_each(|input| p.input(input)));
        if self.options.tables {
            self.unused_checks();
        }
        for (id, function) in program.functions.iter_enumerated() {
            let wanted = mentioned.as_ref().is_none_or(|m| m.functions[id]);
            if wanted && (self.options.models || !function.model) {
                self.function(function);
            }
        }
    }

    /// Prints with an empty line before, if there is anything to print.
    fn section(&mut self, body: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.out.push('\n');
        body(self);
        if self.out.len() == before + 1 {
            self.out.truncate(before);
        }
    }

    fn files(&mut self) {
        self.section(|p| {
            for i in 0..p.program.sources.file_count() {
                let name = p.program.sources.file_name(Id::new(i));
                writeln!(p.out, "file {}", quote(name)).unwrap();
            }
        });
    }

    fn layouts(&mut self) {
        self.section(|p| {
            for (id, layout) in p.program.layouts.iter_enumerated() {
                let is_record = matches!(layout.kind, LayoutKind::Record { .. });
                if p.options.tables || is_record {
                    p.layout(id, layout);
                }
            }
        });
    }

    fn layout(&mut self, id: LayoutId, layout: &Layout) {
        write!(self.out, "layout {id} = ").unwrap();
        let extent = format!(" size {} align {}", layout.size, layout.align);
        match &layout.kind {
            LayoutKind::Scalar(ty) if *layout == Layout::scalar(*ty, self.program.model) => {
                writeln!(self.out, "{ty}").unwrap();
            }
            LayoutKind::Scalar(ty) => writeln!(self.out, "{ty}{extent}").unwrap(),
            LayoutKind::Array { elem, len } => {
                // By number if it is an array itself: the parser knows arrays by name only once it has seen all.
                let inner = self.program.layouts.get(*elem);
                let is_array = inner.is_some_and(|l| matches!(l.kind, LayoutKind::Array { .. }));
                let name = if is_array { elem.to_string() } else { self.names.layout(*elem) };
                let usual =
                    inner.is_some_and(|l| Some(layout.size) == l.size.checked_mul(*len) && layout.align == l.align);
                writeln!(self.out, "[{len} x {name}]{}", if usual { "" } else { &extent }).unwrap();
            }
            LayoutKind::Bytes => writeln!(self.out, "bytes{extent}").unwrap(),
            LayoutKind::Record { name, overlapping, fields } => {
                let keyword = if *overlapping { "union" } else { "struct" };
                writeln!(self.out, "{keyword} {}{extent} {{", quote(name)).unwrap();
                for field in fields {
                    let shape = self.names.layout(field.layout);
                    write!(self.out, "  {}: {shape} {}", field.offset, word(&field.name)).unwrap();
                    if let Some((first, width)) = field.bits {
                        write!(self.out, " bits {first} {width}").unwrap();
                    }
                    self.out.push('\n');
                }
                self.out.push_str("}\n");
            }
        }
    }

    fn global(&mut self, global: &Global) {
        let start = self.out.len();
        write!(self.out, "global {}: {}", word(&global.name), self.names.layout(global.layout)).unwrap();
        let layout = self.program.layouts.get(global.layout);
        if layout.is_none_or(|l| l.size != global.size) {
            write!(self.out, " size {}", global.size).unwrap();
        }
        if layout.is_none_or(|l| l.align != global.align) {
            write!(self.out, " align {}", global.align).unwrap();
        }
        for (flag, set) in [
            ("thread_local", global.thread_local),
            ("const", global.constant),
            ("extern", global.external),
            ("model", global.model),
        ] {
            if set {
                write!(self.out, " {flag}").unwrap();
            }
        }
        self.init(global, layout);
        self.place(start, global.loc);
    }

    fn init(&mut self, global: &Global, layout: Option<&Layout>) {
        let shape = layout.map(|l| &l.kind);
        match global.init.as_slice() {
            [] => {}
            [only] if only.offset == 0 && is_simple(&only.value, shape) => {
                let text = match &only.value {
                    ConstValue::Scalar { ty, bits } => constant(*ty, *bits, Some(*ty)),
                    other => self.const_value(other),
                };
                write!(self.out, " = {text}").unwrap();
            }
            items => {
                let texts: Vec<String> =
                    items.iter().map(|i| format!("{}: {}", i.offset, self.const_value(&i.value))).collect();
                write!(self.out, " = {{ {} }}", texts.join(", ")).unwrap();
            }
        }
    }

    fn const_value(&self, value: &ConstValue) -> String {
        match value {
            ConstValue::Scalar { ty, bits } => constant(*ty, *bits, None),
            ConstValue::Global { global, offset } => {
                format!("&{}{}", global_name(self.program, *global), offset_text(*offset))
            }
            ConstValue::Func(func) => format!("&fn::{}", func_name(self.program, *func)),
            ConstValue::Bytes(bytes) => quote_bytes(bytes),
        }
    }

    fn input(&mut self, input: &Input) {
        let start = self.out.len();
        write!(self.out, "input {}: {} {}", word(&input.name), input.ty, input.kind.name()).unwrap();
        self.place(start, input.loc);
    }

    fn unused_checks(&mut self) {
        let steps = self.program.functions.iter().flat_map(|f| f.steps.iter());
        let used: FxHashSet<CheckId> = steps
            .filter_map(|s| if let StepKind::Assert { check, .. } = s.kind { Some(check) } else { None })
            .collect();
        self.section(|p| {
            for (id, check) in p.program.checks.iter_enumerated().filter(|(id, _)| !used.contains(id)) {
                writeln!(p.out, "check {id} {} {}", check.property, quote(&check.message)).unwrap();
            }
        });
    }

    fn function(&mut self, function: &Function) {
        let text = FunctionText::new(&self.names, self.program, function);
        let handles = &text.handles;
        self.out.push('\n');
        // The usual case: arguments are the first registers, so the header declares them.
        let in_order =
            function.params.iter().enumerate().all(|(i, p)| p.index() == i && p.index() < function.regs.len());
        let declare = |reg: RegId| match function.regs.get(reg) {
            Some(r) => match &r.name {
                Some(name) if !is_ident(name) => format!("{}: {} {}", handles.reg(reg), r.ty, quote(name)),
                _ => format!("{}: {}", handles.reg(reg), r.ty),
            },
            None => handles.reg(reg),
        };
        let mut params: Vec<String> =
            function.params.iter().map(|&p| if in_order { declare(p) } else { handles.reg(p) }).collect();
        if function.variadic
            && let Some(last) = params.last_mut()
        {
            last.insert_str(0, "...");
        }
        let mut header = format!("fn {}({})", word(&function.name), params.join(", "));
        if let Some(ty) = function.ret {
            write!(header, " -> {ty}").unwrap();
        }
        for (flag, set) in [("model", function.model), ("extern", function.external)] {
            if set {
                write!(header, " {flag}").unwrap();
            }
        }
        header.push_str(" {");
        let start = self.out.len();
        self.out.push_str(&header);
        let body: Vec<(String, Loc)> = text.lines(self.options);
        self.place(start, function.loc);
        let declared = if in_order { function.params.len() } else { 0 };
        self.regs(function.regs.ids().skip(declared).map(declare));
        for (id, slot) in function.slots.iter_enumerated() {
            let start = self.out.len();
            write!(self.out, "  slot {}: {}", handles.slot(id), self.names.layout(slot.layout)).unwrap();
            if !is_ident(&slot.name) {
                write!(self.out, " {}", quote(&slot.name)).unwrap();
            }
            self.place(start, slot.loc);
        }
        for (line, loc) in body {
            let start = self.out.len();
            self.out.push_str(&line);
            self.place(start, loc);
        }
        self.out.push_str("}\n");
    }

    /// Declarations of registers, as many on a line as fit.
    fn regs(&mut self, declarations: impl Iterator<Item = String>) {
        let mut width = 0;
        for text in declarations {
            if width > 0 && width + text.len() > 100 {
                width = 0;
                self.out.push('\n');
            }
            let lead = if width == 0 { "  regs " } else { ", " };
            width += lead.len() + text.len();
            write!(self.out, "{lead}{text}").unwrap();
        }
        if width > 0 {
            self.out.push('\n');
        }
    }

    /// Ends the line that begins at `start` with a place.
    fn place(&mut self, start: usize, loc: Loc) {
        if self.options.locations && !loc.is_nowhere() {
            let width = self.out[start..].chars().count();
            let pad = 60usize.saturating_sub(width).max(2);
            let file = self.program.sources.file_name(loc.file);
            let plain = file.trim() == file && !file.starts_with('"') && !file.contains('\n') && !file.is_empty();
            let file = if plain { file.to_owned() } else { quote(file) };
            write!(self.out, "{:pad$}@ {file}:{}:{}", "", loc.line, loc.col).unwrap();
        }
        self.out.push('\n');
    }
}

/// Whether `= value` is enough to restore the item.
fn is_simple(value: &ConstValue, shape: Option<&LayoutKind>) -> bool {
    match value {
        ConstValue::Scalar { ty, .. } => shape == Some(&LayoutKind::Scalar(*ty)),
        ConstValue::Global { .. } | ConstValue::Func(_) | ConstValue::Bytes(_) => true,
    }
}

/// A function's expressions and steps as text.
struct FunctionText<'a> {
    names: &'a Names<'a>,
    program: &'a Program,
    function: &'a Function,
    handles: Handles,
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
    fn new(names: &'a Names<'a>, program: &'a Program, function: &'a Function) -> Self {
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
    fn lines(&self, options: PrintOptions) -> Vec<(String, Loc)> {
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

    fn step(&self, step: &StepKind, options: PrintOptions) -> String {
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
    fn expr(&self, id: ExprId, expected: Option<Ty>) -> String {
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
fn constant(ty: Ty, bits: u128, expected: Option<Ty>) -> String {
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

fn offset_text(offset: i64) -> String {
    if offset == 0 { String::new() } else { format!("{offset:+}") }
}

fn global_name(program: &Program, id: GlobalId) -> String {
    program.globals.get(id).map_or_else(|| id.to_string(), |g| word(&g.name))
}

fn func_name(program: &Program, id: FuncId) -> String {
    program.functions.get(id).map_or_else(|| id.to_string(), |f| word(&f.name))
}

/// A name as it stands in the text: quoted unless it is a plain word.
fn word(name: &str) -> String {
    if is_ident(name) { name.to_owned() } else { quote(name) }
}
