//! Which objects a value can point to: inclusion-based (Andersen) points-to analysis, with the call graph found on the way.
//!
//! **Objects** are globals, locals, allocation sites and functions; a *location* is an object and a byte offset in it, or
//! any offset. Memory is a set of *cells* (object, offset, width); a load reads all cells that its bytes overlap.
//!
//! **Values of all types are followed**, since pointers travel as integers and as bytes: conversions and sums with constants
//! keep the offset, other arithmetic forgets it but keeps the object.
//!
//! **Contexts.** A function of a library model is analysed anew for each call ([`Instance`]), so that `malloc` makes
//! one object a call and `pthread_create` keeps each start routine with its argument. Functions of the user are analysed
//! once.
//!
//! **Cost.** Offsets in functions are not told apart, and none at all once a program takes too much work: then an object is
//! one cell. Kernel drivers, whose list heads make everything point to everything, stay within a second that way.
//!
//! **Soundness.** Everything is covered that the program can do with addresses it has taken. Not covered are addresses
//! out of nowhere (an integer that happens to be an address, an arbitrary input), which point to no object here; the
//! offset, not the object, of a pointer put together from parts of two others by accesses at odd addresses; and what
//! is learned about a pointer only by comparing.

mod solve;
mod terms;

use std::fmt;

use heddle_base::{Budget, IndexVec, Stop, define_id};
use rustc_hash::FxHashMap;

use crate::expr::ExprId;
use crate::program::{FuncId, GlobalId, Program, SlotId};
use crate::step::StepId;
use solve::{NodeId, Solver};
use terms::Terms;

define_id!(
    /// An object of the analysis.
    pub ObjectId, "o"
);
define_id!(
    /// A function in a context.
    pub InstanceId, "i"
);

/// What an object stands for. One object may stand for many at run time: a local for that of every call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// A global; each thread's instance of it if it is thread-local.
    Global(GlobalId),
    /// A local.
    Slot(InstanceId, SlotId),
    /// What an `alloc` step makes.
    Alloc(InstanceId, StepId),
    /// A function.
    Func(FuncId),
}

/// An object of the analysis.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjectKind,
    /// Its size in bytes, where known.
    pub size: Option<u64>,
}

/// A byte offset in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offset {
    /// This offset.
    At(i32),
    /// An offset that is not known.
    Any,
}

/// A place that a pointer can point to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// Where in it.
    pub offset: Offset,
}

/// A function in a context: the call for which it is analysed, or all calls.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The function.
    pub func: FuncId,
    /// The call that this instance is for; none if it is for all calls.
    pub site: Option<(InstanceId, StepId)>,
    /// What its call steps can call.
    pub calls: Vec<(StepId, InstanceId)>,
    /// What its spawn steps can start.
    pub spawns: Vec<(StepId, InstanceId)>,
    /// Who can call it.
    pub callers: Vec<(InstanceId, StepId)>,
}

/// The result of the analysis.
#[derive(Debug)]
pub struct PointsTo {
    /// Functions in contexts, the entry first. What is not here cannot be executed.
    pub instances: IndexVec<InstanceId, Instance>,
    /// All objects.
    pub objects: IndexVec<ObjectId, Object>,
    of_kind: FxHashMap<ObjectKind, ObjectId>,
    first_reg: IndexVec<InstanceId, NodeId>,
    sets: Vec<Vec<Location>>,
    terms: IndexVec<FuncId, Option<IndexVec<ExprId, Terms>>>,
    cells: IndexVec<ObjectId, Vec<Location>>,
}

impl PointsTo {
    /// Analyses a program from its entry.
    pub fn new(program: &Program) -> Self {
        let Ok(done) = Self::within(program, &Budget::unlimited()) else { unreachable!("nobody can cancel it") };
        done
    }

    /// The same, unless a limit is reached.
    pub fn within(program: &Program, budget: &Budget) -> Result<Self, Stop> {
        Solver::new(program, budget).solve()
    }

    /// Where the value of an expression can point to, in order.
    pub fn locations(&self, instance: InstanceId, expr: ExprId) -> Vec<Location> {
        let Some(terms) = &self.terms[self.instances[instance].func] else { return Vec::new() };
        let mut all = Vec::new();
        for term in &terms[expr] {
            match term.base {
                terms::TermBase::Reg(reg) => {
                    let set = &self.sets[self.first_reg[instance].offset(reg)];
                    all.extend(set.iter().map(|&l| self.shifted(l, term.shift)));
                }
                terms::TermBase::Object(base) => {
                    if let Some(&object) = self.of_kind.get(&base.object_kind(instance)) {
                        all.push(self.shifted(Location { object, offset: Offset::At(0) }, term.shift));
                    }
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The object that stands for something, if any code reached names it.
    pub fn object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.of_kind.get(&kind).copied()
    }

    /// Where the pointers that are stored in an object can point to.
    pub fn contents(&self, object: ObjectId) -> &[Location] {
        &self.cells[object]
    }

    /// The functions that a call or spawn step can reach in an instance.
    pub fn targets(&self, instance: InstanceId, step: StepId) -> impl Iterator<Item = InstanceId> + '_ {
        let instance = &self.instances[instance];
        instance.calls.iter().chain(&instance.spawns).filter(move |(s, _)| *s == step).map(|&(_, target)| target)
    }

    /// What an object is called: `counter`, `main.buf`, `malloc:s0@main:s12` (the step that allocates, and the calls that
    /// lead to it).
    pub fn object_name(&self, program: &Program, object: ObjectId) -> String {
        match self.objects[object].kind {
            ObjectKind::Global(global) => program.globals[global].name.clone(),
            ObjectKind::Func(func) => program.functions[func].name.clone(),
            ObjectKind::Slot(instance, slot) => {
                let function = &program.functions[self.instances[instance].func];
                format!("{}.{}{}", function.name, function.slots[slot].name, self.context(program, instance))
            }
            ObjectKind::Alloc(instance, step) => {
                let function = &program.functions[self.instances[instance].func];
                format!("{}:{step}{}", function.name, self.context(program, instance))
            }
        }
    }

    /// Where an instance is called from, outermost last: `@create:s3@main:s7`.
    pub fn context(&self, program: &Program, instance: InstanceId) -> String {
        let mut text = String::new();
        let mut at = self.instances[instance].site;
        while let Some((caller, step)) = at {
            text += &format!("@{}:{step}", program.functions[self.instances[caller].func].name);
            at = self.instances[caller].site;
        }
        text
    }

    fn shifted(&self, location: Location, shift: terms::Shift) -> Location {
        let offset = match (location.offset, shift) {
            (offset, terms::Shift::By(0)) => offset,
            _ if matches!(self.objects[location.object].kind, ObjectKind::Func(_)) => Offset::At(0),
            (Offset::At(at), terms::Shift::By(by)) => {
                solve::offset_in(self.objects[location.object].size, i64::from(at).saturating_add(by))
            }
            _ => Offset::Any,
        };
        Location { object: location.object, offset }
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offset::At(0) => Ok(()),
            Offset::At(at) => write!(f, "{at:+}"),
            Offset::Any => f.write_str("+*"),
        }
    }
}

#[cfg(test)]
mod tests;
