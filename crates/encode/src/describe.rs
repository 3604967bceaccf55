//! What the engines see, for people: `heddle show events`, as text and for Graphviz.
//!
//! Values of reads are called r0, r1, … in the order of the reads, literals of sections that may block go0, go1, …, and inputs by
//! their names with a number. A block is called by the function that allocates it, the number of its thread and its own. Nothing here is needed to check anything.

use std::fmt::Write;

use heddle_base::{Id, IndexVec};
use heddle_ir::show::{dot_string, path_to, place};
use heddle_ir::{LayoutId, Program};
use heddle_solver::{Bits, Op, Sort, TermId, Terms};
use heddle_symbolic::unwind::{Addressing, Knowledge, LIFE, NodeIx, Origin, ThreadIx, Unwinding};
use rustc_hash::FxHashMap;

use crate::{Formula, FormulaRead, Written};

/// Longer terms are cut: who wants all of it asks for the formula (`--dump-smt2`).
const MAX_TERM: usize = 100;

/// All that a description is made from.
pub struct View<'a> {
    program: &'a Program,
    unwinding: &'a Unwinding,
    formula: &'a Formula,
    at: Addressing<'a>,
    /// Variables under the names that people see.
    names: FxHashMap<TermId, TermId>,
    /// Threads by their paths.
    threads: IndexVec<ThreadIx, String>,
}

impl<'a> View<'a> {
    /// The view of an unwinding and its formula.
    pub fn new(program: &'a Program, unwinding: &'a Unwinding, formula: &'a Formula, at: Addressing<'a>) -> Self {
        let threads = thread_paths(unwinding);
        let mut view = View { program, unwinding, formula, at, names: FxHashMap::default(), threads };
        view.name_variables();
        view
    }

    /// Threads with their nodes and accesses, fixed order, reads with their sources, sections, totals.
    pub fn text(&mut self) -> String {
        let mut out = String::new();
        for thread in self.unwinding.threads.ids() {
            self.thread_text(thread, &mut out);
        }
        self.order_text(&mut out);
        self.reads_text(&mut out);
        self.sections_text(&mut out);
        self.totals_text(&mut out);
        out
    }

    /// One cluster a thread; program order and fixed order as solid edges, possible sources as dashed ones.
    pub fn dot(&mut self) -> String {
        let mut out = String::from("digraph events {\n  node [shape=box, fontname=monospace];\n");
        for thread in self.unwinding.threads.ids() {
            let name = format!("thread {}", self.threads[thread]);
            let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={};", thread.index(), dot_string(&name));
            let chain = self.unwinding.threads[thread].chain.clone();
            for &node in &chain {
                let mut lines = vec![format!("{node} {}", self.site(node))];
                lines.extend(self.node_lines(node));
                let _ = writeln!(out, "    {node} [label={}];", dot_string(&lines.join("\n")));
            }
            for pair in chain.windows(2) {
                let _ = writeln!(out, "    {} -> {};", pair[0], pair[1]);
            }
            out.push_str("  }\n");
        }
        for &(from, to) in &self.formula.edges {
            let _ = writeln!(out, "  {from} -> {to} [style=bold];");
        }
        for (i, read) in self.formula.reads.iter().enumerate() {
            for &(write, _) in &read.sources {
                let from = self.formula.writes[write].node;
                let _ = writeln!(out, "  {from} -> {} [style=dashed, constraint=false, label=r{i}];", read.node);
            }
        }
        out.push_str("}\n");
        out
    }

    fn thread_text(&mut self, thread: ThreadIx, out: &mut String) {
        let _ = writeln!(out, "{}thread {}:", if thread == ThreadIx::FIRST { "" } else { "\n" }, self.threads[thread]);
        for node in self.unwinding.threads[thread].chain.clone() {
            let _ = writeln!(out, "  {node}  {}", self.site(node));
            for line in self.node_lines(node) {
                let _ = writeln!(out, "    {line}");
            }
        }
    }

    /// What a node does.
    fn node_lines(&mut self, node: NodeIx) -> Vec<String> {
        let mut lines = Vec::new();
        for (i, read) in self.formula.reads.iter().enumerate().filter(|(_, read)| read.node == node) {
            let (place, when) = (self.place(read.place), self.guard(read.guard));
            lines.push(format!("r{i} = read {place}{when}"));
        }
        for write in self.formula.writes.iter().filter(|write| write.node == node) {
            let when = self.guard(write.guard);
            lines.push(match write.what {
                Written::Cell(address, len, value) => {
                    let (place, value) = (self.place((address, len)), self.value(value));
                    format!("write {place} = {value}{when}")
                }
                Written::Object(object) => format!("publish {}{when}", self.object(object)),
            });
        }
        for thread in self.unwinding.threads.iter() {
            for &(guard, child, _) in thread.children.iter().filter(|(_, _, at)| *at == node) {
                let when = self.guard(guard);
                lines.push(format!("start thread {}{when}", self.threads[child]));
            }
        }
        lines
    }

    fn order_text(&mut self, out: &mut String) {
        out.push_str("\nfixed order:\n");
        for &(from, to) in &self.formula.edges {
            let starts = self.unwinding.threads.iter().flat_map(|thread| &thread.children);
            let mut started = starts
                .filter(|(_, child, node)| *node == from && self.unwinding.threads[*child].chain.first() == Some(&to));
            let why = match started.next() {
                Some(&(_, child, _)) => format!("start of thread {}", self.threads[child]),
                None => "the only source".to_owned(),
            };
            let _ = writeln!(out, "  {from} -> {to}  {why}");
        }
    }

    fn reads_text(&mut self, out: &mut String) {
        out.push_str("\nreads:\n");
        for (i, read) in self.formula.reads.iter().enumerate() {
            let sources: Vec<String> = read.sources.iter().map(|&(write, _)| self.source(write)).collect();
            let from = if sources.is_empty() { "nobody".to_owned() } else { sources.join(", ") };
            let rivals = rivals(read);
            let plural = if rivals == 1 { "" } else { "s" };
            let place = self.place(read.place);
            let most = self.most(read).map_or(String::new(), |max| format!("; at most {max}"));
            let _ = writeln!(out, "  r{i}  {} {place}: from {from}; {rivals} rival{plural}{most}", read.node);
        }
    }

    /// How large the number is that a read gives, where it is not a pointer and does not use all its bits.
    fn most(&self, read: &FormulaRead) -> Option<u64> {
        let max = self.formula.range(read)?.max;
        let Sort::BitVec(width) = self.at.terms.sort(read.value) else { return None };
        (max < u64::MAX >> (64 - width.clamp(1, 32))).then_some(max)
    }

    fn source(&self, write: usize) -> String {
        let source = &self.formula.writes[write];
        match source.what {
            Written::Cell(..) => format!("{}", source.node),
            Written::Object(_) => format!("{} (published)", source.node),
        }
    }

    fn sections_text(&mut self, out: &mut String) {
        if self.formula.sections.is_empty() {
            return;
        }
        out.push_str("\nlock sections:\n");
        for section in &self.formula.sections {
            let enter = self.formula.writes[section.enter];
            let lock = match enter.what {
                Written::Cell(address, len, _) => self.place((address, len)),
                Written::Object(object) => self.object(object),
            };
            let when = self.guard(section.guard);
            let _ = writeln!(out, "  {} .. {}  {lock}{when}", enter.node, section.leave);
        }
    }

    fn totals_text(&mut self, out: &mut String) {
        let (unwinding, sizes) = (self.unwinding, self.formula.statistics);
        let _ = writeln!(
            out,
            "\n{} threads, {} steps, {} nodes, {} reads, {} writes, {} sources, {} rivals, {} lock sections",
            unwinding.threads.len(),
            unwinding.steps,
            unwinding.nodes.len(),
            sizes.reads,
            sizes.writes,
            sizes.sources,
            sizes.rivals,
            sizes.sections,
        );
        let _ = writeln!(
            out,
            "possible violations: {}; cut off: {}; unsupported: {}",
            unwinding.violations.len(),
            unwinding.cuts.len(),
            unwinding.unsupported.len(),
        );
    }

    // Names.

    fn name_variables(&mut self) {
        let mut names: Vec<(TermId, String)> = Vec::new();
        // A read that is cut into bytes has several numbers.
        let mut parts: Vec<(TermId, usize, usize)> = Vec::new();
        for (i, read) in self.formula.reads.iter().enumerate() {
            let whole = match self.at.terms.op(read.value) {
                Op::Extract { .. } => self.at.terms.args(read.value)[0],
                _ => read.value,
            };
            match parts.last_mut() {
                Some((last, _, end)) if *last == whole => *end = i,
                _ => parts.push((whole, i, i)),
            }
        }
        for (whole, first, last) in parts {
            names.push((whole, if first == last { format!("r{first}") } else { format!("r{first}-{last}") }));
        }
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for input in self.unwinding.threads.iter().flat_map(|thread| &thread.inputs) {
            let name = self.program.inputs[input.input].name.as_str();
            let count = counts.entry(name).or_insert(0);
            names.push((input.value, format!("{name}#{count}")));
            *count += 1;
        }
        let mut gos = 0;
        let ticks = self.unwinding.threads.iter().flat_map(|thread| &thread.ticks);
        let guards: Vec<TermId> = ticks.map(|tick| tick.guard).collect();
        for var in self.at.terms.variables_of(&guards) {
            if self.at.terms.var_name(var).starts_with("go") {
                names.push((self.at.terms.var_term(var), format!("go{gos}")));
                gos += 1;
            }
        }
        for (term, name) in names {
            // What a read is known to be, or a byte of it, needs no name.
            if let Op::Var(_) = self.at.terms.op(term) {
                let sort = self.at.terms.sort(term);
                if let Ok(named) = self.at.terms.variable(&name, sort) {
                    self.names.entry(term).or_insert(named);
                }
            }
        }
    }

    /// `queue.c:41:5 push`; of library models only the function.
    fn site(&self, node: NodeIx) -> String {
        let site = self.unwinding.nodes[node].site;
        let function = &self.program.functions[site.func];
        if function.model {
            return function.name.clone();
        }
        format!("{} {}", place(self.program, function.steps[site.step].loc), function.name)
    }

    fn guard(&mut self, guard: TermId) -> String {
        if guard == Terms::TRUE { String::new() } else { format!(" if {}", self.term(guard)) }
    }

    fn value(&mut self, value: TermId) -> String {
        let Some(bits) = self.at.terms.as_const(value).cloned() else { return self.term(value) };
        if bits.width() == 64
            && let Some(word) = bits.to_u64().filter(|word| self.is_object((word >> 32) as u32))
        {
            return format!("&{}", self.part((word >> 32) as u32, word as u32));
        }
        bits.to_i64().map_or_else(|| bits.to_string(), |value| value.to_string())
    }

    fn term(&mut self, term: TermId) -> String {
        let named = self.at.terms.substitute(term, &self.names);
        let text = self.at.terms.display(named).to_string();
        match text.char_indices().nth(MAX_TERM) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    fn is_object(&self, object: u32) -> bool {
        object != 0 && self.at.knowledge.origin(self.program, object).is_some()
    }

    /// `q.head`, `a[?]`.
    fn place(&mut self, (address, _): (TermId, u32)) -> String {
        if let Some(word) = self.at.terms.as_const(address).and_then(Bits::to_u64) {
            return self.part((word >> 32) as u32, word as u32);
        }
        let objects: Vec<String> = self.at.objects(address).iter().map(|&object| self.object(object)).collect();
        let offset = self.at.terms.extract(31, 0, address);
        let offset = self.value(offset);
        match &objects[..] {
            [one] => format!("{one}[+{offset}]"),
            many => format!("{{{}}}[+{offset}]", many.join(", ")),
        }
    }

    fn part(&self, object: u32, offset: u32) -> String {
        self.names_of_objects().place(object, offset)
    }

    fn object(&self, object: u32) -> String {
        self.names_of_objects().object(object)
    }

    fn names_of_objects(&self) -> Names<'_> {
        Names { program: self.program, knowledge: self.at.knowledge }
    }
}

/// Names of objects, as the source has them.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where objects come from.
    pub knowledge: &'a Knowledge,
}

impl Names<'_> {
    /// `q.head`.
    pub fn place(&self, object: u32, offset: u32) -> String {
        let name = self.object(object);
        match (self.layout(object), offset) {
            (_, LIFE) => format!("life of {name}"),
            (Some(layout), _) => format!("{name}{}", path_to(self.program, layout, u64::from(offset))),
            (None, 0) => name,
            (None, _) => format!("{name}[+{offset}]"),
        }
    }

    fn layout(&self, object: u32) -> Option<LayoutId> {
        match self.knowledge.origin(self.program, object)? {
            Origin::Global(global) => Some(self.program.globals[global].layout),
            Origin::Slot(func, slot) => Some(self.program.functions[func].slots[slot].layout),
            Origin::Function(_) | Origin::Step(..) => None,
        }
    }

    /// `q`.
    pub fn object(&self, object: u32) -> String {
        match self.knowledge.origin(self.program, object) {
            None => format!("object {object:#x}"),
            Some(Origin::Global(global)) => self.program.globals[global].name.clone(),
            Some(Origin::Function(func)) => self.program.functions[func].name.clone(),
            Some(Origin::Slot(func, slot)) => {
                let function = &self.program.functions[func];
                format!("{}.{}", function.name, function.slots[slot].name)
            }
            Some(Origin::Step(site, index)) => {
                format!("{}#{}.{index}", self.program.functions[site.func].name, site.thread)
            }
        }
    }
}

/// Writes that may come between a read and its source, beyond the sources themselves if there is but one.
fn rivals(read: &FormulaRead) -> usize {
    match read.sources[..] {
        [(only, _)] => read.rivals.iter().filter(|(write, _)| *write != only).count(),
        _ => read.rivals.len(),
    }
}

/// The paths of threads if all of them are started.
pub fn thread_paths(unwinding: &Unwinding) -> IndexVec<ThreadIx, String> {
    let mut paths = IndexVec::from_elem("0".to_owned(), unwinding.threads.len());
    for (index, thread) in unwinding.threads.iter_enumerated() {
        for (i, &(_, child, _)) in thread.children.iter().enumerate() {
            paths[child] = format!("{}.{}", paths[index], i + 1);
        }
    }
    paths
}
