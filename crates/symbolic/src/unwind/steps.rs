//! Threads one after the other, their steps executed on states.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heddle_base::{Id, Stop};
use heddle_ir::assertions::evaluated_at;
use heddle_ir::cfg::BlockId;
use heddle_ir::{
    Access, Callee, ExprId, FuncId, Function, MemOrder, Property, RegId, StepId, StepKind, SyncKind, SyncOp, Ty,
};
use heddle_solver::{TermId, Terms};

use super::driver::Threads;
use super::scope::CodeKey;
use super::sections::told;
use super::state::{Own, State};
use super::{CutCause, CutOff, Node, NodeIx, Suspect, SuspectKind, ThreadIx, Tick, Unwinding, UnwoundThread};
use crate::evaluate::contents::Path;
use crate::evaluate::knowledge::mix;
use crate::evaluate::state::Frame;
use crate::evaluate::{CallKey, Evaluator, Halt, Outcome, Running};
use crate::operators;
use heddle_ir::objects::Site;

/// Executes threads alone.
pub(super) type Unwinder<'a, 's> = Evaluator<'a, Threads<'s>>;

/// A thread to be unwound.
pub(super) struct Spawned {
    pub(super) key: u64,
    pub(super) func: FuncId,
    pub(super) arg: Option<TermId>,
    pub(super) guard: TermId,
    pub(super) code: CodeKey,
}

/// A call in progress.
pub(super) struct Call {
    pub(super) func: FuncId,
    pub(super) guard: TermId,
    pub(super) counted: u64,
    /// The frame of whoever called.
    pub(super) caller: Frame,
}

/// A value read in a section from what was there before it.
pub(super) struct Incoming {
    pub(super) address: TermId,
    pub(super) len: u32,
    pub(super) pointer: bool,
    pub(super) value: TermId,
    pub(super) when: TermId,
    pub(super) path: Rc<Path>,
}

/// Where control goes after a step.
pub(super) enum Flow {
    Next,
    /// The thread goes no further here.
    End,
    To(BlockId),
    /// Either, by a condition.
    Fork {
        condition: TermId,
        target: BlockId,
    },
    Return(Option<TermId>),
    /// A call came back, perhaps in several states that cannot be merged.
    Returned(Vec<State>),
}

impl Unwinder<'_, '_> {
    /// Unwinds the first thread and all that are started.
    pub(super) fn run(mut self) -> Result<Unwinding, Stop> {
        self.driver.out.threads.push(UnwoundThread::default());
        if self.config.deadlocks {
            self.driver.out.end = Some(self.add_node());
        }
        if self.config.properties.contains(Property::Race) {
            self.driver.out.now = Some(self.add_node());
        }
        self.driver.queue.push_back(Spawned {
            key: 0,
            func: self.program.entry,
            arg: None,
            guard: Terms::TRUE,
            code: CodeKey::FIRST,
        });
        let mut threads = 0;
        while let Some(spawned) = self.driver.queue.pop_front() {
            self.driver.thread = ThreadIx::new(threads);
            threads += 1;
            self.thread_key = spawned.key;
            self.number = self.knowledge.thread(spawned.key);
            self.driver.live = 1;
            self.driver.steps_before = self.driver.out.steps;
            let state = State {
                path: Path::root(spawned.guard),
                frame: Frame::default(),
                store: Rc::new(BTreeMap::new()),
                own: Own {
                    published: Rc::new(BTreeSet::new()),
                    concurrent: self.driver.thread != ThreadIx::FIRST,
                    section: None,
                    steps: 0,
                    held: Rc::default(),
                    probe: false,
                },
            };
            let args: Vec<TermId> = spawned.arg.into_iter().collect();
            let key = CallKey { context: mix(spawned.key, 0xca11), code: spawned.code };
            for (state, _) in self.call(spawned.func, &args, state, key)? {
                self.note_main_end(&state);
                self.note_end(&state);
            }
        }
        self.driver.out.targets = std::mem::take(&mut self.targets);
        Ok(self.driver.out)
    }

    // Ticks and nodes.

    /// A step before which the machine can switch, unless a section is open.
    pub(super) fn tick(&mut self, state: &State) {
        if state.own.section.is_none() {
            let tick = Tick { guard: state.guard(), spurious: Terms::FALSE };
            self.driver.out.threads[self.driver.thread].ticks.push(tick);
        }
    }

    pub(super) fn ticks(&self) -> usize {
        self.driver.out.threads[self.driver.thread].ticks.len()
    }

    pub(super) fn new_node(&mut self) -> NodeIx {
        let index = self.add_node();
        self.driver.out.threads[self.driver.thread].chain.push(index);
        index
    }

    pub(super) fn add_node(&mut self) -> NodeIx {
        let (thread, ticks, spine, site) = (self.driver.thread, self.ticks(), self.driver.live == 1, self.site);
        self.driver.out.nodes.push(Node { thread, ticks, spine, site })
    }

    /// The node of what a state does now.
    pub(super) fn node(&mut self, state: &State) -> NodeIx {
        if let Some(section) = &state.own.section {
            return section.node;
        }
        match self.driver.step_node {
            Some(node) => node,
            None => {
                let node = self.new_node();
                self.driver.step_node = Some(node);
                node
            }
        }
    }

    /// A new node before the one of what a state does now.
    pub(super) fn node_before(&mut self, state: &State) -> NodeIx {
        let (current, ticks) = match &state.own.section {
            Some(section) => (Some(section.node), section.tick),
            None => (self.driver.step_node, self.driver.step_ticks),
        };
        let index = self.add_node();
        self.driver.out.nodes[index].ticks = ticks;
        let Some(current) = current else {
            self.driver.out.threads[self.driver.thread].chain.push(index);
            return index;
        };
        let chain = &mut self.driver.out.threads[self.driver.thread].chain;
        let at = chain.iter().rposition(|&node| node == current).expect("the node is in the chain");
        chain.insert(at, index);
        index
    }

    /// A section was executed up to here, and what it did counts.
    pub(super) fn executed(&mut self, state: &State, when: TermId) {
        if let Some(section) = &state.own.section {
            let tick = &mut self.driver.out.threads[self.driver.thread].ticks[section.tick];
            tick.guard = self.terms.or(tick.guard, when);
        }
    }

    /// Something that is wrong if `wrong` holds; the state goes on only if it does not.
    pub(super) fn suspect(&mut self, state: &mut State, wrong: TermId, what: SuspectKind) {
        let guard = self.terms.and_all(&[state.guard(), wrong]);
        let right = self.terms.not(wrong);
        if state.own.probe {
            self.driver.out.stops.push(guard);
        } else if guard != Terms::FALSE {
            let suspect =
                Suspect { guard, thread: self.driver.thread, ticks: self.ticks(), what, site: self.driver.user_site };
            let checked = match what {
                SuspectKind::Check(_) | SuspectKind::Uninit => true,
                SuspectKind::Memory => self.config.properties.contains(Property::Memory),
            };
            if checked {
                self.executed(state, guard);
                self.driver.out.violations.push(suspect);
            } else {
                self.driver.out.undefined.push(suspect);
            }
        }
        state.decide(self.terms, right);
    }

    /// The first thread ends.
    fn note_main_end(&mut self, state: &State) {
        if self.driver.thread == ThreadIx::FIRST {
            self.driver.out.main_ends.push(state.guard());
        }
    }

    /// A thread has made as many steps as it may.
    fn cut_by_steps(&mut self, state: &State) {
        let (guard, site) = (state.guard(), self.driver.user_site);
        self.driver.out.cuts.push(CutOff { guard, cause: CutCause::Steps(site.func), site });
    }

    // Steps.

    pub(super) fn step(&mut self, running: &Running<'_>, state: &mut State, at: StepId) -> Outcome<Flow> {
        self.driver.out.steps += 1;
        self.ticker.tick().map_err(Halt::Stop)?;
        if self.driver.out.steps - self.driver.steps_before > self.driver.limit {
            self.driver.out.out_of_steps = true;
            self.cut_by_steps(state);
            return Ok(Flow::End);
        }
        state.own.steps += 1;
        if self.config.thread_steps.is_some_and(|most| state.own.steps > most) && !state.own.probe {
            self.driver.out.steps_cut = true;
            self.cut_by_steps(state);
            return Ok(Flow::End);
        }
        self.driver.step_node = None;
        self.driver.step_ticks = self.ticks();
        self.site = Site { thread: self.number, func: running.func, step: at };
        if !running.function.model {
            self.driver.user_site = self.site;
        }
        self.step_key = self.key_of(running, state, at);
        let kind = &running.function.steps[at].kind;
        if !state.own.probe {
            let evaluated = evaluated_at(&running.info.assertions, at).iter();
            self.driver.out.asserted.extend(evaluated.map(|&(_, assertion)| (state.guard(), assertion)));
        }
        self.use_marks(running, state, kind);
        let user_load = matches!(kind, StepKind::Load { .. }) && !running.function.model;
        self.checked = user_load && self.config.properties.contains(Property::Uninit);
        self.driver.access = self.driver.out.now.and_then(|_| access_of(running.function, kind));
        if self.visibility.is_visible(running.func, at) {
            let own_tick = !matches!(kind, StepKind::AtomicBegin { .. });
            if own_tick {
                self.tick(state);
            }
        }
        match kind {
            StepKind::Goto { target } => return Ok(Flow::To(running.info.cfg.block_of[*target])),
            StepKind::Branch { cond, target } => {
                let condition = self.eval(running, state, *cond)?;
                return Ok(Flow::Fork { condition, target: running.info.cfg.block_of[*target] });
            }
            StepKind::Call { dst, callee, args } => return self.call_step(running, state, at, *dst, *callee, args),
            StepKind::Return { value } => {
                let value = value.map(|value| self.eval(running, state, value)).transpose()?;
                self.end_frame(running, state);
                return Ok(Flow::Return(value));
            }
            StepKind::AtomicBegin { section } => self.begin_section(running, state, at, *section),
            StepKind::AtomicEnd => self.end_section(state),
            StepKind::Await { cond, spurious, kind, object } => {
                let condition = self.eval(running, state, *cond)?;
                let object = self.eval(running, state, *object)?;
                let mut holder = None;
                if state.own.probe && kind.is_lock() {
                    holder = self.holder(state, *kind, object)?;
                }
                self.wait(state, condition, *spurious, Some((*kind, object, holder)));
            }
            StepKind::Spawn { .. } | StepKind::ThreadExit | StepKind::ProcessExit { .. } if state.own.probe => {
                self.could_move(state);
                return Ok(Flow::End);
            }
            StepKind::Spawn { callee, arg } => {
                let arg = self.eval(running, state, *arg)?;
                let func = self.started(running, state, *callee)?;
                let code = self.code_of(running, state, at).thread();
                self.spawn(state, func, arg, code);
            }
            StepKind::ThreadExit => {
                self.end_all_frames(running, state);
                self.note_main_end(state);
                self.note_end(state);
                self.executed(state, state.guard());
                return Ok(Flow::End);
            }
            StepKind::ProcessExit { abort, .. } => {
                self.note_ending(state, *abort);
                self.driver.out.main_ends.extend((!abort).then(|| state.guard()));
                self.driver.out.exits.push(state.guard());
                self.executed(state, state.guard());
                return Ok(Flow::End);
            }
            StepKind::Unsupported { what } => return Err(self.unsupported_step(running, at, what)),
            StepKind::Assume { cond } => {
                let condition = self.eval(running, state, *cond)?;
                if state.own.section.is_some() {
                    self.wait(state, condition, false, None);
                } else {
                    let fails = self.terms.not(condition);
                    let stops = self.terms.and_all(&[state.guard(), fails]);
                    self.driver.out.stops.push(stops);
                    state.decide(self.terms, condition);
                }
            }
            // The end of a thread, which it holds itself: its own variables end with it.
            StepKind::Sync { op: SyncOp::Unhold, kind: SyncKind::Join, .. } => {
                told(state);
                self.end_thread_locals(state);
            }
            StepKind::Sync { op, kind, object } => {
                told(state);
                if self.driver.out.end.is_some() && !state.own.probe && matches!(op, SyncOp::Hold | SyncOp::Unhold) {
                    let object = self.eval(running, state, *object)?;
                    self.note_lock(state, *op, *kind, object);
                }
            }
            // Fences order relaxed accesses, and those are noted as unordered whatever fences are there.
            StepKind::Fence { .. } | StepKind::Skip => {}
            StepKind::Assign { .. }
            | StepKind::Havoc { .. }
            | StepKind::Load { .. }
            | StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::Alloc { .. }
            | StepKind::Free { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Assert { .. }
            | StepKind::Output { .. } => self.data_step(running, state, kind)?,
        }
        Ok(Flow::Next)
    }

    /// Identifies a step as recordings can: the calls and rounds that lead to it.
    pub(super) fn code_of(&self, running: &Running<'_>, state: &State, at: StepId) -> CodeKey {
        running.key.code.step(at, state.frame.rounds.iter().map(|round| round.number))
    }

    /// Identifies this execution of a step: the call, the rounds of the loops around, the step.
    pub(super) fn key_of(&mut self, running: &Running<'_>, state: &State, at: StepId) -> u64 {
        let mut key = mix(running.key.context, at.index() as u64);
        for round in &state.frame.rounds {
            key = mix(key, u64::from(round.number));
        }
        let count = self.occurrences.entry(key).or_insert(0);
        *count += 1;
        mix(key, u64::from(*count))
    }

    pub(super) fn call_step(
        &mut self,
        running: &Running<'_>,
        state: &mut State,
        at: StepId,
        dst: Option<RegId>,
        callee: Callee,
        args: &[ExprId],
    ) -> Outcome<Flow> {
        let types: Vec<Ty> = args.iter().map(|&arg| running.info.types[arg]).collect();
        let args = args.iter().map(|&arg| self.eval(running, state, arg)).collect::<Outcome<Vec<TermId>>>()?;
        let step = CallKey { context: self.step_key, code: self.code_of(running, state, at) };
        let mut results = Vec::new();
        match callee {
            Callee::Direct(func) => {
                let returned = self.call(func, &args, state.clone(), step.of(func)).map_err(Halt::Stop)?;
                results.extend(returned.into_iter().map(|r| (func, r)));
            }
            Callee::Indirect(pointer) => {
                let pointer = self.eval(running, state, pointer)?;
                for (func, when) in self.callees(state, pointer) {
                    let mut branch = state.clone();
                    branch.decide(self.terms, when);
                    if branch.is_dead() {
                        continue;
                    }
                    self.driver.live += usize::from(!branch.own.probe);
                    let args = self.fit_args(func, &args, &types);
                    let returned = self.call(func, &args, branch, step.of(func)).map_err(Halt::Stop)?;
                    results.extend(returned.into_iter().map(|r| (func, r)));
                }
                // The state itself has become those branches.
                self.ends(state);
            }
        }
        let mut states = Vec::new();
        for (func, (mut returned, value)) in results {
            if let Some(dst) = dst {
                let ty = running.function.regs[dst].ty;
                let from = self.program.functions[func].ret;
                let value = match (value, from) {
                    (Some(value), Some(from)) => self.fit(value, from, ty),
                    (_, _) => self.variable("res", operators::sort(ty)),
                };
                returned.frame.regs[dst.index()] = Some(value);
            }
            match states.iter().position(|other: &State| other.own.agrees_with(&returned.own)) {
                Some(at) => {
                    let other = states.swap_remove(at);
                    let both = self.merge(other, returned);
                    states.push(both);
                }
                None => states.push(returned),
            }
        }
        Ok(Flow::Returned(states))
    }

    /// The thread leaves all its calls at once: their locals end, from the innermost call outwards.
    pub(super) fn end_all_frames(&mut self, running: &Running<'_>, state: &mut State) {
        self.end_frame(running, state);
        for inner in (1..self.driver.calls.len()).rev() {
            let func = self.driver.calls[inner - 1].func;
            state.frame = self.driver.calls[inner].caller.clone();
            let caller = Running {
                func,
                function: &self.program.functions[func],
                info: self.infos.of(func),
                key: CallKey::NONE,
            };
            self.end_frame(&caller, state);
        }
    }
}

/// How the accesses of a step count for races.
fn access_of(function: &Function, kind: &StepKind) -> Option<Access> {
    match *kind {
        StepKind::Load { access, .. } | StepKind::Store { access, .. } => Some(access),
        StepKind::Copy { .. } | StepKind::Fill { .. } => {
            Some(Access { order: MemOrder::Plain, internal: function.model })
        }
        _ => None,
    }
}
