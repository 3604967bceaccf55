//! From a Boolean program to a goto program.
//!
//! One function for each place where threads begin, with all locations that can be reached from there. Globals are bytes, locals
//! are registers, a lock is a byte that is 1 while it is held and a register that tells whether this thread holds it. An
//! instruction that reads or writes globals, or can wait, is one atomic section; inside a section of the program waiting is an
//! assumption, because nobody else could end it. A new thread gets its locals as bits of its argument.
//!
//! `$`: locals that other threads read or write are *exposed*. They stand in memory, an array with an element for each thread,
//! and threads are numbered in the order of their creation. A statement with `$` goes through all threads that there are. There is
//! room for [`SLOTS`] threads; whoever would start more waits for ever, so the goto program of a program with `$` does less than
//! the program.
//!
//! Not supported: more than 63 locals, or 56 with `$`.

use std::fmt::Write;

use heddle_base::Id;
use heddle_boolprog::diagnostic::line_column;
use heddle_boolprog::flat::{Assign, Ex, Flat, Instr, Passive, Scope, Start, VarRef};
use heddle_boolprog::{LocId, VarId};
use heddle_ir::{FuncId, Program, StepId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A goto program that does what a Boolean program does.
pub struct Lowered {
    /// The goto program.
    pub program: Program,
    /// The location that each step belongs to.
    locations: FxHashMap<(FuncId, StepId), LocId>,
}

impl Lowered {
    /// The location that a step belongs to.
    pub fn location(&self, func: FuncId, step: StepId) -> Option<LocId> {
        self.locations.get(&(func, step)).copied()
    }
}

/// Threads that the goto program of a program with `$` has room for.
pub const SLOTS: usize = 16;

/// Where the number of a new thread stands in its argument.
const NUMBER_SHIFT: usize = 56;

/// The number of threads, in programs with `$`.
const THREADS: &str = "number_of_threads__";

/// The input that a choice of an instruction for one passive thread is.
pub(super) fn passive_input_name(at: LocId, choice: usize, thread: usize) -> String {
    format!("choice_{at}_{choice}_thread_{thread}")
}

/// The input that a choice of an instruction is.
pub(super) fn input_name(at: LocId, choice: usize) -> String {
    format!("choice_{at}_{choice}")
}

/// Lowers a program; `Err` says what is not supported.
pub fn lower(flat: &Flat, file: &str, text: &str) -> Result<Lowered, String> {
    let most = if flat.has_passive() { NUMBER_SHIFT } else { 63 };
    if flat.locals > most {
        return Err(format!("{} locals are too many for the argument of a thread", flat.locals));
    }
    let mut lowering = Lowering {
        flat,
        file,
        text,
        out: String::new(),
        names: names(flat),
        exposed: exposed(flat),
        temporaries: 0,
        steps: Vec::new(),
        label: None,
        at: flat.entry(),
        detours: Vec::new(),
    };
    for (var, variable) in flat.vars.iter_enumerated() {
        if variable.scope != Scope::Local {
            let name = &lowering.names[var.index()];
            let _ = writeln!(lowering.out, "global {name}: i8 = 0 @ {file}:1:1");
        } else if lowering.exposed[var.index()] {
            let name = &lowering.names[var.index()];
            let _ = writeln!(lowering.out, "global {name}: [{SLOTS} x i8] @ {file}:1:1");
        }
    }
    if flat.has_passive() {
        let _ = writeln!(lowering.out, "global {THREADS}: i64 = 1 @ {file}:1:1");
    }
    let mut functions = Vec::new();
    let mut todo = vec![flat.entry()];
    let mut seen: FxHashSet<LocId> = todo.iter().copied().collect();
    while let Some(entry) = todo.pop() {
        let starts = lowering.function(entry, functions.is_empty());
        functions.push(std::mem::take(&mut lowering.steps));
        todo.extend(starts.into_iter().filter(|s| seen.insert(*s)));
    }
    let mut program = heddle_ir::text::parse(&lowering.out).map_err(|e| format!("{e}"))?;
    program.sources.add_original(file, text.to_owned());
    let mut locations = FxHashMap::default();
    for (function, steps) in functions.iter().enumerate() {
        for (step, at) in steps.iter().enumerate() {
            locations.insert((FuncId::new(function), StepId::new(step)), *at);
        }
    }
    Ok(Lowered { program, locations })
}

/// Locals that some statement reads or writes with `$`, by variable.
fn exposed(flat: &Flat) -> Vec<bool> {
    let mut exposed = vec![false; flat.vars.len()];
    for passive in flat.locations.iter().filter_map(|l| l.instr.passive()) {
        let mut see = |v: VarRef| exposed[v.var.index()] |= v.passive;
        passive.constrain.visit(&mut see);
        passive.targets.iter().for_each(|(_, e)| e.visit(&mut see));
        passive.targets.iter().for_each(|(var, _)| exposed[var.index()] = true);
    }
    for (var, variable) in flat.vars.iter_enumerated() {
        exposed[var.index()] &= variable.scope == Scope::Local;
    }
    exposed
}

/// Names that the text form of goto programs takes, each once.
fn names(flat: &Flat) -> Vec<String> {
    let mut taken = FxHashSet::default();
    flat.vars
        .iter()
        .enumerate()
        .map(|(i, variable)| {
            let plain: String =
                variable.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            // `main.x` is `main_x`; a global is `x`. Words of the text form are no names of registers.
            let name = if taken.contains(&plain) { format!("{plain}_{i}") } else { plain };
            taken.insert(name.clone());
            name
        })
        .collect()
}

/// Registers with the values of variables; true for those of a passive thread.
type Values = FxHashMap<(VarId, bool), String>;

/// Where a new value goes.
enum Place {
    Memory(String),
    Register(String),
}

/// A jump across the edge of a section: it begins or ends on the way.
struct Detour {
    label: String,
    from: LocId,
    target: LocId,
}

struct Lowering<'f> {
    flat: &'f Flat,
    file: &'f str,
    text: &'f str,
    out: String,
    names: Vec<String>,
    /// Locals that stand in memory.
    exposed: Vec<bool>,
    temporaries: usize,
    /// The location of each step of the function.
    steps: Vec<LocId>,
    /// The label of the next step.
    label: Option<String>,
    at: LocId,
    /// Jumps into or out of a section.
    detours: Vec<Detour>,
}

impl Lowering<'_> {
    /// One function; the places where its threads start others.
    fn function(&mut self, entry: LocId, is_first: bool) -> Vec<LocId> {
        if is_first {
            self.out.push_str("fn main() {\n");
        } else {
            let _ = writeln!(self.out, "fn thread_{entry}(arg: ptr) {{");
        }
        self.at = entry;
        if !is_first {
            self.step("locals = ptrtoint.i64(arg)");
        }
        if self.flat.has_passive() {
            let number = if is_first { "0:i64".to_owned() } else { format!("locals >>u {NUMBER_SHIFT}") };
            self.step(&format!("self_ = {number}"));
        }
        for i in 0..self.flat.vars.len() - self.flat.globals {
            if self.exposed[self.flat.globals + i] {
                // Whoever created the thread has written it, others may have changed it.
                continue;
            }
            let name = self.own(VarId::new(self.flat.globals + i));
            if is_first || i >= self.flat.locals {
                self.step(&format!("{name} = false"));
            } else {
                self.step(&format!("{name} = ((locals >>u {i}) & 1) != 0"));
            }
        }
        self.step(&format!("goto {entry}"));
        let mut starts = Vec::new();
        let mut seen: FxHashSet<LocId> = [entry].into_iter().collect();
        let mut todo = vec![entry];
        while let Some(at) = todo.pop() {
            self.at = at;
            self.label = Some(at.to_string());
            let instr = self.flat.locations[at].instr.clone();
            self.instr(&instr);
            if let Instr::Start(start, _) = &instr {
                starts.push(start.entry);
            }
            todo.extend(instr.successors().into_iter().filter(|to| seen.insert(*to)));
        }
        for Detour { label, from, target } in std::mem::take(&mut self.detours) {
            let begins = self.flat.locations[target].closed;
            (self.label, self.at) = (Some(label), from);
            self.step(if begins { "atomic_begin user" } else { "atomic_end" });
            self.step(&format!("goto {target}"));
        }
        self.out.push_str("}\n");
        starts
    }

    /// One step of the goto program.
    fn step(&mut self, step: &str) {
        let label = self.label.take().map(|l| format!("{l}: ")).unwrap_or_default();
        let (line, column) = line_column(self.text, self.flat.locations[self.at].span.lo);
        let _ = writeln!(self.out, "  {label}{step} @ {}:{line}:{column}", self.file);
        self.steps.push(self.at);
    }

    fn fresh(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}_", self.temporaries)
    }

    /// The register of a local, or the one that tells whether this thread holds a lock.
    fn own(&self, var: VarId) -> String {
        let name = &self.names[var.index()];
        if self.flat.scope(var) == Scope::Lock { format!("holds_{name}_") } else { format!("{name}_") }
    }

    /// A label that leads to a location, through the edge of a section if there is one between.
    fn target(&mut self, to: LocId) -> String {
        let (from, into) = (self.flat.locations[self.at].closed, self.flat.locations[to].closed);
        if from == into {
            return to.to_string();
        }
        let label = format!("via_{}_{to}_{}", self.at, self.detours.len());
        self.detours.push(Detour { label: label.clone(), from: self.at, target: to });
        label
    }

    fn goto(&mut self, to: LocId) {
        let target = self.target(to);
        self.step(&format!("goto {target}"));
    }

    /// Whether the instruction needs a section of its own.
    fn begin(&mut self, needed: bool) -> bool {
        let opens = needed && !self.flat.locations[self.at].closed;
        if opens {
            self.step("atomic_begin user");
        }
        opens
    }

    fn end(&mut self, opened: bool) {
        if opened {
            self.step("atomic_end");
        }
    }

    /// Waits for a condition; inside a section of the program nobody else could make it true.
    fn wait(&mut self, condition: &str) {
        let word = if self.flat.locations[self.at].closed { "assume" } else { "await" };
        self.step(&format!("{word} {condition}"));
    }

    /// Choices are made before the section of their instruction: whether a section can be entered must not depend on an input that
    /// is read in it. In an execution at random a thread whose choices do not fulfil a constraint waits with them.
    fn choices(&mut self, count: u32) -> Vec<String> {
        (0..count as usize)
            .map(|i| {
                let register = self.fresh();
                let input = input_name(self.at, i);
                self.step(&format!("{register} = havoc.bool {input}"));
                register
            })
            .collect()
    }

    /// Whether a variable stands in memory.
    fn in_memory(&self, var: VarId) -> bool {
        self.flat.scope(var) == Scope::Global || self.exposed[var.index()]
    }

    /// Where a global, or an exposed local of a thread, stands.
    fn address(&self, var: VarId, thread: &str) -> String {
        let name = &self.names[var.index()];
        if self.exposed[var.index()] { format!("&{name} + {thread}") } else { format!("&{name}") }
    }

    fn load(&mut self, var: VarId, thread: &str) -> String {
        let (byte, bit) = (self.fresh(), self.fresh());
        let address = self.address(var, thread);
        self.step(&format!("{byte} = load.i8 {address}"));
        self.step(&format!("{bit} = {byte} != 0"));
        bit
    }

    /// Loads what the instruction reads from memory.
    fn loads(&mut self, instr: &Instr) -> Values {
        let mut read = instr.reads();
        if let Instr::Start(start, _) = instr
            && start.inherits
        {
            read.extend(self.flat.vars.ids().filter(|v| self.exposed[v.index()]));
        }
        read.sort_unstable();
        read.dedup();
        read.retain(|var| self.in_memory(*var));
        read.into_iter().map(|var| ((var, false), self.load(var, "self_"))).collect()
    }

    /// Whether the instruction needs memory.
    fn touches(&self, instr: &Instr) -> bool {
        let writes = match instr {
            Instr::Assign(assign, _) => {
                assign.passive.is_some() || assign.targets.iter().any(|(var, _)| self.in_memory(*var))
            }
            Instr::Start(..) => self.flat.has_passive(),
            Instr::Skip(_)
            | Instr::Goto(_)
            | Instr::Branch { .. }
            | Instr::Lock(..)
            | Instr::Unlock(..)
            | Instr::End
            | Instr::Error => false,
        };
        writes || instr.reads().iter().any(|var| self.in_memory(*var))
    }

    fn instr(&mut self, instr: &Instr) {
        let touches = self.touches(instr);
        match instr {
            Instr::Skip(next) => self.goto(*next),
            Instr::Goto(targets) => {
                for (i, target) in targets.iter().enumerate().take(targets.len() - 1) {
                    let register = self.fresh();
                    let input = input_name(self.at, i);
                    self.step(&format!("{register} = havoc.bool {input}"));
                    let target = self.target(*target);
                    self.step(&format!("if {register} goto {target}"));
                }
                self.goto(targets[targets.len() - 1]);
            }
            Instr::Branch { arms, choices } => {
                let total = matches!(&arms[..], [(a, _), (Ex::Not(b), _)] if *a == **b);
                let chosen = self.choices(*choices);
                let opened = self.begin(touches || !total);
                let values = self.loads(instr);
                let conditions: Vec<String> =
                    arms.iter().map(|(e, _)| self.value(e, &values, &values, &chosen)).collect();
                if !total {
                    let any =
                        conditions.iter().fold("false".to_owned(), |any, c| self.operation(&format!("{any} | {c}")));
                    self.wait(&any);
                }
                self.end(opened);
                for (condition, (_, to)) in conditions.iter().zip(arms) {
                    let target = self.target(*to);
                    self.step(&format!("if {condition} goto {target}"));
                }
                self.step("thread_exit");
            }
            Instr::Assign(assign, next) => {
                let chosen = self.choices(assign.choices);
                let of_others = self.passive_choices(assign);
                let opened = self.begin(touches || assign.constrain != Ex::Const(true));
                self.assign(instr, assign, chosen, &of_others);
                self.end(opened);
                self.goto(*next);
            }
            Instr::Lock(lock, next) | Instr::Unlock(lock, next) => {
                let takes = matches!(instr, Instr::Lock(..));
                let (own, global) = (self.own(*lock), self.names[lock.index()].clone());
                let opened = self.begin(true);
                if takes {
                    let byte = self.fresh();
                    self.step(&format!("{byte} = load.i8 &{global}"));
                    let free = self.operation(&format!("({byte} == 0) & !{own}"));
                    self.wait(&free);
                } else {
                    self.wait(&own);
                }
                self.step(&format!("store.i8 &{global}, {}", u8::from(takes)));
                self.step(&format!("{own} = {takes}"));
                self.end(opened);
                self.goto(*next);
            }
            Instr::Start(start, next) => {
                self.start(instr, start, touches);
                self.goto(*next);
            }
            Instr::End => self.step("thread_exit"),
            Instr::Error => {
                let span = self.flat.locations[self.at].span;
                let source = self.text.get(span.lo as usize..span.hi as usize).unwrap_or("assert");
                let source: String = source.chars().filter(|c| *c != '"' && *c != '\\' && !c.is_control()).collect();
                self.step(&format!("assert false, assert \"{}\"", source.trim_end_matches(';')));
                self.step("thread_exit");
            }
        }
    }

    /// The choices that are made for each passive thread.
    fn passive_choices(&mut self, assign: &Assign) -> Vec<Vec<String>> {
        let Some(passive) = &assign.passive else { return Vec::new() };
        let (first, count) = (assign.choices as usize, passive.choices as usize);
        let mut all = Vec::new();
        for thread in 0..SLOTS {
            let mut own = Vec::new();
            for choice in first..first + count {
                let register = self.fresh();
                let input = passive_input_name(self.at, choice, thread);
                self.step(&format!("{register} = havoc.bool {input}"));
                own.push(register);
            }
            all.push(own);
        }
        all
    }

    fn assign(&mut self, instr: &Instr, assign: &Assign, mut chosen: Vec<String>, of_others: &[Vec<String>]) {
        let values = self.loads(instr);
        let mut after = values.clone();
        let mut new = Vec::new();
        for (var, value) in &assign.targets {
            let value = self.value(value, &values, &values, &chosen);
            let register = self.operation(&value);
            after.insert((*var, false), register.clone());
            new.push((self.place(*var, "self_"), register));
        }
        let mut holds = self.value(&assign.constrain, &values, &after, &chosen);
        let mut others = Vec::new();
        if let Some(passive) = &assign.passive {
            holds = self.operation(&holds);
            let count = self.fresh();
            self.step(&format!("{count} = load.i64 &{THREADS}"));
            for (thread, own) in of_others.iter().enumerate() {
                chosen.extend(own.iter().cloned());
                others.push(self.other(passive, (thread, &count), (&values, &after), &chosen, &holds));
                chosen.truncate(assign.choices as usize);
            }
        }
        if holds != "true" {
            self.wait(&holds);
        }
        for (place, register) in new {
            self.write(&place, &register);
        }
        for (thread, (exists, stores)) in others.iter().enumerate() {
            let past = format!("past_{}_{thread}", self.at);
            self.step(&format!("if !{exists} goto {past}"));
            for (place, register) in stores {
                self.write(place, register);
            }
            self.label = Some(past);
        }
        if !others.is_empty() {
            // The last label needs a step.
            self.operation("true");
        }
    }

    fn write(&mut self, place: &Place, register: &str) {
        match place {
            Place::Memory(address) => self.step(&format!("store.i8 {address}, zext.i8({register})")),
            Place::Register(own) => self.step(&format!("{own} = {register}")),
        }
    }

    /// The passive part for one thread, left out if it does not exist or is the one that moves: adds to `holds` whether it is
    /// possible. The register that tells whether the thread is there, and what to store.
    fn other(
        &mut self,
        passive: &Passive,
        (thread, count): (usize, &str),
        (values, after): (&Values, &Values),
        chosen: &[String],
        holds: &str,
    ) -> (String, Vec<(Place, String)>) {
        let exists = self.operation(&format!("({thread}:i64 <u {count}) & (self_ != {thread}:i64)"));
        let absent = format!("absent_{}_{thread}", self.at);
        self.step(&format!("if !{exists} goto {absent}"));
        let at = format!("{thread}:i64");
        let (mut before, mut behind) = (values.clone(), after.clone());
        for var in self.flat.vars.ids().filter(|v| self.exposed[v.index()]).collect::<Vec<_>>() {
            let value = self.load(var, &at);
            before.insert((var, true), value.clone());
            behind.insert((var, true), value);
        }
        let mut new = Vec::new();
        for (var, value) in &passive.targets {
            let value = self.value(value, &before, &behind, chosen);
            let register = self.operation(&value);
            new.push((*var, register));
        }
        for (var, register) in &new {
            behind.insert((*var, true), register.clone());
        }
        let allowed = self.value(&passive.constrain, &before, &behind, chosen);
        self.step(&format!("{holds} = {holds} & {allowed}"));
        self.label = Some(absent);
        let stores = new.into_iter().map(|(var, register)| (Place::Memory(self.address(var, &at)), register)).collect();
        (exists, stores)
    }

    fn place(&self, var: VarId, thread: &str) -> Place {
        if self.in_memory(var) { Place::Memory(self.address(var, thread)) } else { Place::Register(self.own(var)) }
    }

    fn start(&mut self, instr: &Instr, start: &Start, touches: bool) {
        let chosen = self.choices(start.choices);
        let opened = self.begin(touches);
        let values = self.loads(instr);
        let mut packed = "0:i64".to_owned();
        let numbered = self.flat.has_passive();
        let number = self.fresh();
        if numbered {
            self.step(&format!("{number} = load.i64 &{THREADS}"));
            let room = self.operation(&format!("{number} <u {SLOTS}:i64"));
            self.wait(&room);
            self.step(&format!("store.i64 &{THREADS}, {number} + 1:i64"));
            packed = self.operation(&format!("{number} << {NUMBER_SHIFT}:i64"));
        }
        for i in 0..self.flat.locals {
            let var = VarId::new(self.flat.globals + i);
            let exposed = self.exposed[var.index()];
            let value = match start.set.iter().find(|(v, _)| *v == var) {
                Some((_, e)) => self.value(e, &values, &values, &chosen),
                None if start.inherits && exposed => values[&(var, false)].clone(),
                None if start.inherits => self.own(var),
                None => continue,
            };
            if exposed {
                let address = self.address(var, &number);
                self.step(&format!("store.i8 {address}, zext.i8({value})"));
                continue;
            }
            let bit = self.operation(&format!("zext.i64({value})"));
            packed = self.operation(&format!("{packed} | ({bit} << {i})"));
        }
        self.step(&format!("spawn thread_{}(inttoptr.ptr({packed}))", start.entry));
        self.end(opened);
    }

    /// A new register with the value of a short expression.
    fn operation(&mut self, expression: &str) -> String {
        let register = self.fresh();
        self.step(&format!("{register} = {expression}"));
        register
    }

    /// A register, or a constant, with the value of an expression. `after` has the values of the next state.
    fn value(&mut self, e: &Ex, now: &Values, after: &Values, choices: &[String]) -> String {
        match e {
            Ex::Const(b) => b.to_string(),
            Ex::Choice(c) => choices[*c as usize].clone(),
            Ex::Var(VarRef { var, primed, passive }) => {
                let key = (*var, *passive && self.exposed[var.index()]);
                let found = if *primed { after.get(&key) } else { now.get(&key) };
                found.cloned().unwrap_or_else(|| self.own(*var))
            }
            Ex::Not(e) => {
                let e = self.value(e, now, after, choices);
                self.operation(&format!("!{e}"))
            }
            Ex::And(es) => self.chain(es, ('&', "true"), (now, after), choices),
            Ex::Or(es) => self.chain(es, ('|', "false"), (now, after), choices),
            Ex::Iff(a, b) => {
                let (a, b) = (self.value(a, now, after, choices), self.value(b, now, after, choices));
                self.operation(&format!("{a} == {b}"))
            }
        }
    }

    fn chain(
        &mut self,
        es: &[Ex],
        (operator, neutral): (char, &str),
        (now, after): (&Values, &Values),
        choices: &[String],
    ) -> String {
        es.iter().fold(neutral.to_owned(), |all, e| {
            let e = self.value(e, now, after, choices);
            self.operation(&format!("{all} {operator} {e}"))
        })
    }
}
