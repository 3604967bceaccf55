//! The printer of the text form.

use std::fmt::Write;

use heddle_base::{Id, IndexVec, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lex::{quote, quote_bytes};
use super::names::is_ident;
use super::print_function::{FunctionText, constant, func_name, global_name, offset_text, word};
use crate::expr::ExprId;
use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::mentions::Mentioned;
use crate::program::{CheckId, ConstValue, FuncId, Function, Global, GlobalId, Input, InputId, Program, RegId};
use crate::step::{StepId, StepKind};

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

/// What the options select, and what that in turn refers to.
struct Shown {
    functions: IndexVec<FuncId, bool>,
    globals: IndexVec<GlobalId, bool>,
    layouts: FxHashSet<LayoutId>,
    inputs: FxHashSet<InputId>,
}

impl Shown {
    fn new(program: &Program, options: PrintOptions) -> Self {
        let mentioned = (!options.unreachable).then(|| Mentioned::from_entry(program));
        let wanted_function = |(id, f): (FuncId, &Function)| {
            (options.models || !f.model) && mentioned.as_ref().is_none_or(|m| m.functions[id])
        };
        let wanted_global = |(id, g): (GlobalId, &Global)| {
            (options.models || !g.model) && mentioned.as_ref().is_none_or(|m| m.globals[id])
        };
        let functions = program.functions.iter_enumerated().map(wanted_function).collect();
        let globals = program.globals.iter_enumerated().map(wanted_global).collect();
        let mut shown = Shown { functions, globals, layouts: FxHashSet::default(), inputs: FxHashSet::default() };
        shown.add_references(program);
        shown
    }

    fn add_references(&mut self, program: &Program) {
        let globals = program.globals.iter_enumerated().filter(|(id, _)| self.globals[*id]);
        let mut layouts: Vec<LayoutId> = globals.map(|(_, g)| g.layout).collect();
        for (_, function) in program.functions.iter_enumerated().filter(|(id, _)| self.functions[*id]) {
            layouts.extend(function.slots.iter().map(|s| s.layout));
            for step in function.steps.iter() {
                match &step.kind {
                    StepKind::Havoc { input, .. } => drop(self.inputs.insert(*input)),
                    StepKind::Copy { layout, .. } | StepKind::Fill { layout, .. } => layouts.extend(layout),
                    _ => {}
                }
            }
        }
        while let Some(layout) = layouts.pop() {
            match program.layouts.get(layout).map(|l| &l.kind) {
                Some(kind) if self.layouts.insert(layout) => match kind {
                    LayoutKind::Array { elem, .. } => layouts.push(*elem),
                    LayoutKind::Record { fields, .. } => layouts.extend(fields.iter().map(|f| f.layout)),
                    LayoutKind::Scalar(_) | LayoutKind::Bytes => {}
                },
                _ => {}
            }
        }
    }
}

/// What the names of things depend on in the whole program.
pub(super) struct Names<'a> {
    pub globals: FxHashSet<&'a str>,
    /// Layouts that can be called by what they are: the first of their kind.
    layouts: FxHashMap<LayoutId, String>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program) -> Self {
        let globals = program.globals.iter().map(|g| g.name.as_str()).collect();
        Names { globals, layouts: layout_names(program) }
    }

    pub fn layout(&self, id: LayoutId) -> String {
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
        let shown = Shown::new(program, self.options);
        self.layouts(&shown);
        self.section(|p| {
            for (id, global) in program.globals.iter_enumerated() {
                if shown.globals[id] {
                    p.global(global);
                }
            }
        });
        self.section(|p| {
            for (id, input) in program.inputs.iter_enumerated() {
                if p.options.tables || shown.inputs.contains(&id) {
                    p.input(input);
                }
            }
        });
        if self.options.tables {
            self.unused_checks();
        }
        for (id, function) in program.functions.iter_enumerated() {
            if shown.functions[id] {
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

    fn layouts(&mut self, shown: &Shown) {
        self.section(|p| {
            for (id, layout) in p.program.layouts.iter_enumerated() {
                let is_record = matches!(layout.kind, LayoutKind::Record { .. });
                if p.options.tables || (is_record && shown.layouts.contains(&id)) {
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
