//! The driver of the evaluator that executes threads alone: what other threads may write is read from events.

use std::collections::VecDeque;

use heddle_base::Id;
use heddle_ir::objects::Site;
use heddle_ir::{Access, AllocKind, InputId, Program, StepId};
use heddle_solver::TermId;
use rustc_hash::FxHashMap;

use super::scope::Scope;
use super::state::{Own, State};
use super::steps::{Call, Incoming, Spawned};
use super::{InputRead, NodeIx, SuspectKind, ThreadIx, Unwinding};
use crate::evaluate::contents::Cell;
use crate::evaluate::{Driver, Evaluator, Foreign, Outcome, Reach};

/// What is kept while threads are executed alone.
pub(super) struct Threads<'s> {
    pub(super) scope: &'s dyn Scope,
    pub(super) out: Unwinding,
    /// Values that sections read from before they began, by node.
    pub(super) incoming: FxHashMap<NodeIx, Vec<Incoming>>,
    /// Threads that were started and are yet to be executed.
    pub(super) queue: VecDeque<Spawned>,
    pub(super) calls: Vec<Call>,
    /// Steps of each thread, on all its paths together; the rest is cut off.
    pub(super) limit: u64,
    /// Steps of all threads before the one at hand.
    pub(super) steps_before: u64,
    /// Threads by the objects that they were started with.
    pub(super) starts: FxHashMap<u32, u32>,
    /// The thread at hand.
    pub(super) thread: ThreadIx,
    /// States of this thread that are alive.
    pub(super) live: usize,
    /// A probe that the step at hand has started.
    pub(super) probe: Option<State>,
    /// The node of the step at hand, if it is outside sections and has one.
    pub(super) step_node: Option<NodeIx>,
    /// Ticks before the step at hand.
    pub(super) step_ticks: usize,
    /// The last step of the user's own code: models are called from there.
    pub(super) user_site: Site,
    /// How the accesses of the step at hand count for races; none if nobody asks.
    pub(super) access: Option<Access>,
}

impl<'s> Threads<'s> {
    pub(super) fn new(program: &Program, scope: &'s dyn Scope, limit: u64) -> Self {
        Threads {
            scope,
            out: Unwinding::default(),
            incoming: FxHashMap::default(),
            queue: VecDeque::new(),
            calls: Vec::new(),
            limit,
            steps_before: 0,
            starts: FxHashMap::default(),
            thread: ThreadIx::FIRST,
            live: 0,
            probe: None,
            step_node: None,
            step_ticks: 0,
            user_site: Site { thread: 1, func: program.entry, step: StepId::new(0) },
            access: None,
        }
    }
}

impl Driver for Threads<'_> {
    type Own = Own;

    fn certain_cell(_: &Evaluator<'_, Self>, _: &State, _: TermId, _: u32) -> Option<(u32, u32)> {
        None
    }

    fn read(
        unwinder: &mut Evaluator<'_, Self>,
        state: &mut State,
        reach: &Reach<'_>,
        as_pointer: bool,
    ) -> Outcome<(TermId, TermId)> {
        unwinder.read(state, reach.pointer, reach.places, reach.len, as_pointer)
    }

    fn write(unwinder: &mut Evaluator<'_, Self>, state: &mut State, reach: &Reach<'_>, cell: Cell) -> Outcome<()> {
        unwinder.write(state, reach.pointer, reach.places, cell)
    }

    fn unwritten(unwinder: &mut Evaluator<'_, Self>, state: &mut State, value: TermId, missing: TermId) -> TermId {
        unwinder.unwritten(state, value, missing)
    }

    fn alive(unwinder: &mut Evaluator<'_, Self>, state: &mut State, object: u32, when: TermId) -> Outcome<TermId> {
        unwinder.alive(state, object, when)
    }

    fn ended(unwinder: &mut Evaluator<'_, Self>, state: &mut State, object: u32, when: TermId) {
        unwinder.ended(state, object, when);
    }

    fn is_noticed(unwinder: &mut Evaluator<'_, Self>, state: &State, object: u32) -> bool {
        unwinder.is_noticed(state, object)
    }

    fn knows(unwinder: &mut Evaluator<'_, Self>, state: &State, object: u32) -> bool {
        unwinder.knows(state, object)
    }

    /// Others begin with what its thread published, not with what the program began with.
    fn foreign_contents(unwinder: &mut Evaluator<'_, Self>, object: u32) -> Option<Foreign> {
        Some(Foreign(unwinder.knowledge.published(object)))
    }

    /// A step makes one object, whatever is known of its size.
    fn allocation_salt(_: TermId) -> u64 {
        0x0a11
    }

    fn note_access(unwinder: &mut Evaluator<'_, Self>, state: &mut State, reach: &Reach<'_>, write: bool) {
        if let Some(access) = unwinder.driver.access {
            unwinder.note_access(state, reach, write, access);
        }
    }

    fn note_allocation(unwinder: &mut Evaluator<'_, Self>, state: &State, object: u32, kind: AllocKind) {
        unwinder.note_allocation(state, object, kind);
    }

    fn note_free(unwinder: &mut Evaluator<'_, Self>, state: &State, object: u32, here: TermId, kind: AllocKind) {
        unwinder.note_free(state, object, here, kind);
    }

    fn suspect(unwinder: &mut Evaluator<'_, Self>, state: &mut State, wrong: TermId, what: SuspectKind) {
        unwinder.suspect(state, wrong, what);
    }

    fn note_input(unwinder: &mut Evaluator<'_, Self>, state: &State, input: InputId, value: TermId) {
        if !state.own.probe {
            let thread = unwinder.driver.thread;
            unwinder.driver.out.threads[thread].inputs.push(InputRead { guard: state.guard(), input, value });
        }
    }

    fn constrain(unwinder: &mut Evaluator<'_, Self>, holds: TermId) {
        unwinder.driver.out.constraints.push(holds);
    }

    fn note_unsupported(unwinder: &mut Evaluator<'_, Self>, guard: TermId, what: String) {
        unwinder.driver.out.unsupported.push((guard, what));
    }
}
