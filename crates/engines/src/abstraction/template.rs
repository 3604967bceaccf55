//! The template: thread classes as graphs of locations and edges over state variables, [BOOLPROG §2.1].
//!
//! A *state variable* is a shared *cell* or a local of a thread class. An [`Edge`] is one path of one thread from a location to
//! the next, as a guard and new values, both terms over the variables before it; variables that occur in no list of the
//! template are arbitrary (inputs, memory that is not tracked). A check that fails is an edge of its own, to
//! [`Target::Error`].
//!
//! **Invariant:** every step of the machine is an edge or a part of one, so a set of states that is closed under edges
//! is closed under steps.

use heddle_base::{IndexVec, Loc, define_id};
use heddle_ir::{Property, Ty};
use heddle_solver::{TermId, Terms};
use rustc_hash::FxHashMap;

define_id!(
    /// A state variable.
    pub(super) VarIx, "x"
);
define_id!(
    /// A thread class.
    pub(super) ClassId, "T"
);
define_id!(
    /// A location of a class.
    pub(super) LocId, "l"
);
define_id!(
    /// An edge.
    pub(super) EdgeId, "e"
);

/// Who has a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// All threads share it.
    Shared,
    /// Each thread of the class has its own.
    Local(ClassId),
}

/// A state variable.
#[derive(Clone, Debug)]
pub(super) struct StateVar {
    /// The term that stands for it.
    pub(super) term: TermId,
    pub(super) scope: Scope,
    pub(super) ty: Ty,
    /// What the user calls it.
    pub(super) name: String,
}

/// A thread class.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) start: LocId,
    /// The running thread's number and its handle.
    pub(super) number: VarIx,
    pub(super) handle: VarIx,
}

/// A place where a thread can be while others move, or where a path is cut.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) class: ClassId,
    /// The locals whose values can still matter.
    pub(super) live: Vec<VarIx>,
    /// Whether it lies in an atomic section: nobody else moves.
    pub(super) closed: bool,
    /// Whether the thread is over.
    pub(super) end: bool,
    pub(super) edges: Vec<EdgeId>,
}

/// Why an error edge must not be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wrong {
    /// A checked property is violated.
    Violation(Property),
    /// It cannot be executed.
    Unsupported,
    /// Something has no defined meaning, and the property that covers it is not checked.
    Undefined(Property),
}

/// A failing check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) wrong: Wrong,
    pub(super) message: String,
    pub(super) place: Loc,
}

/// Where an edge leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    At(LocId),
    Error(Box<Failure>),
    /// The process ends.
    Exit,
}

/// What an edge does beside changing variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    None,
    /// A thread is started; its locals have these values, over the variables before the edge.
    Spawn {
        class: ClassId,
        locals: Vec<(VarIx, TermId)>,
    },
    /// Waits for the end of the thread with this handle.
    Join {
        handle: TermId,
    },
}

/// One path of a thread between two locations.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) from: LocId,
    pub(super) to: Target,
    pub(super) guard: TermId,
    pub(super) updates: Vec<(VarIx, TermId)>,
    pub(super) effect: Effect,
}

/// All classes of a program.
pub(super) struct Template {
    pub(super) vars: IndexVec<VarIx, StateVar>,
    pub(super) of_term: FxHashMap<TermId, VarIx>,
    pub(super) classes: IndexVec<ClassId, Class>,
    pub(super) locations: IndexVec<LocId, Location>,
    pub(super) edges: IndexVec<EdgeId, Edge>,
    /// First values of cells and of the first thread's locals; arbitrary where there is none.
    pub(super) initial: Vec<(VarIx, TermId)>,
    /// Whether joins wait for the thread that they name.
    pub(super) tracks_joins: bool,
    /// Where executions end because a property is assumed.
    pub(super) assumed: Vec<(Property, Loc)>,
}

impl Template {
    /// The state variables of a term.
    pub(super) fn vars_of(&self, terms: &Terms, roots: &[TermId]) -> Vec<VarIx> {
        let mut all: Vec<VarIx> = terms
            .variables_of(roots)
            .into_iter()
            .filter_map(|v| self.of_term.get(&terms.var_term(v)).copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a term mentions state variables only.
    pub(super) fn is_closed(&self, terms: &Terms, term: TermId) -> bool {
        terms.variables_of(&[term]).into_iter().all(|v| self.of_term.contains_key(&terms.var_term(v)))
    }

    /// The variables of a term that are none of the state: arbitrary each time.
    pub(super) fn arbitrary_of(&self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let all = terms.variables_of(roots).into_iter().map(|v| terms.var_term(v));
        all.filter(|t| !self.of_term.contains_key(t)).collect()
    }

    pub(super) fn edge_terms(&self, edge: &Edge) -> Vec<TermId> {
        let mut all = vec![edge.guard];
        all.extend(edge.updates.iter().map(|u| u.1));
        match &edge.effect {
            Effect::None => {}
            Effect::Spawn { locals, .. } => all.extend(locals.iter().map(|l| l.1)),
            Effect::Join { handle } => all.push(*handle),
        }
        all
    }
}
