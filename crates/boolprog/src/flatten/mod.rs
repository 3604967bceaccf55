//! From syntax tree to locations: names are resolved, sugar is removed, calls are inlined ([BOOLPROG §2.2, §2.3.1]).
//!
//! Each call of a procedure has locations of its own; its variables exist once, because without recursion a thread is
//! in it at most once. A thread that is started at a label is a copy of its creator, so it also returns to where its
//! creator would. A call of a recursive procedure becomes a thread ([BOOLPROG §4.3]).
//!
//! Statements are laid out from the last to the first, so that the location behind one is known. What control flow
//! cannot reach is dropped at the end.

mod body;
mod expr;
mod recursion;
mod scopes;

use heddle_base::{Id, IndexVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Procedure, Program, Stmt};
use crate::diagnostic::Diagnostic;
use crate::flat::{Flat, Instr, LocId, Location, VarId};

use scopes::Scopes;

/// Inlining may make so many locations.
pub const MAX_LOCATIONS: usize = 1 << 20;

/// More errors are not kept.
const MAX_ERRORS: usize = 100;

/// What to do with recursive calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recursion {
    /// [BOOLPROG §4.3] They become threads, which over-approximates them.
    #[default]
    Threads,
    /// They are errors.
    Refuse,
    /// They are inlined up to this depth; a thread that calls deeper waits for ever. That under-approximates them.
    Unroll(u32),
}

/// Checks a program and lays it out.
pub fn flatten(program: &Program, recursion: Recursion) -> Result<Flat, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let scopes = Scopes::of(program, recursion, &mut errors);
    if !errors.is_empty() {
        errors.truncate(MAX_ERRORS);
        return Err(errors);
    }
    let mut flattener = Flattener {
        program,
        scopes,
        errors,
        locations: IndexVec::new(),
        threads: FxHashMap::default(),
        sites: FxHashMap::default(),
        pending: Vec::new(),
        aliases: FxHashSet::default(),
        returns: Vec::new(),
        falls_off: Vec::new(),
        seen: vec![false; program.procedures.len()],
        open_labels: Vec::new(),
        recursion,
        cut_off: false,
        full: false,
    };
    flattener.run();
    flattener.finish()
}

/// Where a procedure instance returns to.
#[derive(Clone, Debug)]
enum Exit {
    /// To the caller, whose variables take the values.
    Caller { targets: Vec<VarId>, next: LocId },
    /// The thread ends.
    Thread,
    /// [BOOLPROG §4.3] The thread that stands for a recursive call ends and says so.
    Site { psi: VarId, values: Vec<VarId> },
}

/// One inlined procedure.
#[derive(Clone, Debug)]
struct Instance<'p> {
    index: usize,
    procedure: &'p Procedure,
    exit: Exit,
    /// Called from inside an atomic section.
    closed: bool,
    /// Inside a thread that stands for a recursive call.
    in_site: bool,
    /// Recursive calls that are inlined around this one; each level has variables of its own.
    level: u32,
    labels: FxHashMap<&'p str, LocId>,
}

/// A procedure instance that is still to be laid out: its body begins at `at`.
struct Pending {
    at: LocId,
    index: usize,
    exit: Exit,
    in_site: bool,
}

struct Flattener<'p> {
    program: &'p Program,
    scopes: Scopes<'p>,
    errors: Vec<Diagnostic>,
    locations: IndexVec<LocId, Location>,
    /// Entries of procedures that threads execute.
    threads: FxHashMap<usize, LocId>,
    /// Entries of the threads that stand for recursive calls, by the call's number.
    sites: FxHashMap<usize, LocId>,
    pending: Vec<Pending>,
    /// Locations that only stand for another one: labels and entries.
    aliases: FxHashSet<LocId>,
    /// Locations at which a thread that stands for a recursive call returns.
    returns: Vec<LocId>,
    /// Ends of bodies that should have returned values.
    falls_off: Vec<(LocId, usize)>,
    /// Procedures that were laid out at least once.
    seen: Vec<bool>,
    /// Labels at which threads begin.
    open_labels: Vec<(LocId, Span)>,
    /// [`MAX_LOCATIONS`] was reached and reported.
    full: bool,
    recursion: Recursion,
    /// A recursive call was left out.
    cut_off: bool,
}

impl<'p> Flattener<'p> {
    fn run(&mut self) {
        let main = self.scopes.procedures["main"];
        let entry = self.alias(main);
        self.pending.push(Pending { at: entry, index: main, exit: Exit::Thread, in_site: false });
        self.work_off();
        // Procedures that nobody calls are checked too; their locations are dropped in the end.
        for index in 0..self.program.procedures.len() {
            if !self.seen[index] && !self.full {
                self.thread_entry(index);
                self.work_off();
            }
        }
    }

    fn work_off(&mut self) {
        while let Some(Pending { at, index, exit, in_site }) = self.pending.pop() {
            let first = self.instance(index, exit, false, in_site, 0);
            self.locations[at].instr = Instr::Skip(first);
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS && !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }

    /// A location whose instruction is set later.
    fn reserve(&mut self, procedure: usize, span: Span, closed: bool) -> LocId {
        if self.locations.len() >= MAX_LOCATIONS {
            if !self.full {
                self.full = true;
                let name = &self.program.procedures[procedure].name;
                let message = format!("inlining calls makes more than {MAX_LOCATIONS} locations");
                self.error(Diagnostic::new(name.span, message));
            }
            return LocId::new(0);
        }
        self.locations.push(Location { instr: Instr::End, closed, procedure, label: None, span })
    }

    /// A location that will stand for another one.
    fn alias(&mut self, procedure: usize) -> LocId {
        let at = self.reserve(procedure, Span::default(), false);
        self.aliases.insert(at);
        at
    }

    fn emit(&mut self, of: &Instance<'p>, span: Span, closed: bool, instr: Instr) -> LocId {
        let at = self.reserve(of.index, span, closed);
        if !self.full {
            self.locations[at].instr = instr;
        }
        at
    }

    /// Lays out one procedure; its first location.
    fn instance(&mut self, index: usize, exit: Exit, closed: bool, in_site: bool, level: u32) -> LocId {
        if self.full {
            return LocId::new(0);
        }
        self.seen[index] = true;
        let procedure = &self.program.procedures[index];
        let mut instance = Instance { index, procedure, exit, closed, in_site, level, labels: FxHashMap::default() };
        self.reserve_labels(&mut instance, &procedure.body);
        let end = self.fall_off(&instance);
        self.block(&instance, &procedure.body, end, closed)
    }

    /// Labels are known before the statements that jump to them.
    fn reserve_labels(&mut self, instance: &mut Instance<'p>, body: &'p [Stmt]) {
        scopes::each_statement(body, &mut |stmt| {
            for label in &stmt.labels {
                let at = self.alias(instance.index);
                instance.labels.insert(&label.text, at);
            }
        });
    }

    /// The location behind the last statement.
    fn fall_off(&mut self, instance: &Instance<'p>) -> LocId {
        let span = instance.procedure.name.span;
        let wanted = self.scopes.returns[instance.index];
        let at = self.leave(instance, &[], span, instance.closed);
        if wanted > 0 && !self.full {
            self.falls_off.push((at, instance.index));
        }
        at
    }

    /// Drops what cannot be reached, numbers the rest in the order of the control flow, and skips over locations that
    /// only stand for a label or an entry.
    fn finish(mut self) -> Result<Flat, Vec<Diagnostic>> {
        if self.errors.is_empty() {
            self.check_locks_of_sites();
        }
        if !self.errors.is_empty() {
            self.errors.sort_by_key(|e| e.span.lo);
            return Err(self.errors);
        }
        let forwards: Vec<LocId> = self.locations.ids().map(|l| self.forward(l)).collect();
        let mut order = Vec::new();
        let mut number: Vec<Option<usize>> = vec![None; self.locations.len()];
        let mut todo = vec![forwards[0]];
        while let Some(at) = todo.pop() {
            if number[at.index()].is_some() {
                continue;
            }
            number[at.index()] = Some(order.len());
            order.push(at);
            let mut targets = Vec::new();
            self.locations[at].instr.targets_mut(&mut |to| targets.push(forwards[to.index()]));
            targets.reverse();
            todo.extend(targets);
        }
        for (at, index) in &self.falls_off {
            if number[at.index()].is_some() {
                let name = &self.program.procedures[*index].name;
                let message = format!("`{name}` can end without returning its values");
                self.errors.push(Diagnostic::new(name.span, message));
            }
        }
        if !self.errors.is_empty() {
            self.errors.dedup();
            return Err(self.errors);
        }
        let locations = order
            .iter()
            .map(|at| {
                let mut location = self.locations[*at].clone();
                let renumber = |to: &mut LocId| {
                    *to = LocId::new(number[forwards[to.index()].index()].expect("targets are reached"));
                };
                location.instr.targets_mut(&mut { renumber });
                location
            })
            .collect();
        let (globals, locals) = (self.scopes.globals, self.scopes.locals);
        let procedures = self.program.procedures.iter().map(|p| p.name.text.clone()).collect();
        let over_approximates = self.recursion == Recursion::Threads && !self.sites.is_empty();
        let under_approximates = self.cut_off;
        let vars = self.scopes.vars;
        Ok(Flat { vars, globals, locals, locations, procedures, over_approximates, under_approximates })
    }

    /// The location that an entry or a label stands for.
    fn forward(&self, at: LocId) -> LocId {
        let mut here = at;
        // A label that jumps to itself goes round for ever; stop after as many steps as there are locations.
        for _ in 0..self.locations.len() {
            match self.locations[here].instr {
                Instr::Skip(next) if self.aliases.contains(&here) => here = next,
                _ => return here,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests;
