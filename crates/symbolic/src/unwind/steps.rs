//! The driver: threads one after the other, calls inlined, steps executed on states.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Id, IndexVec, Stop};
use heddle_ir::cfg::BlockId;
use heddle_ir::{
    Access, Callee, CheckId, DataModel, ExprId, FuncId, Function, MemOrder, Program, Property, RegId, StepId, StepKind,
    SyncKind, SyncOp, Ty,
};
use heddle_solver::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::contents::{Contents, Path};
use super::frames::{FunctionInfo, Functions};
use super::knowledge::{Kind, Knowledge, mix};
use super::memory::{Addressing, Targets};
use super::sections::told;
use super::state::{Frame, State};
use super::{InputRead, Node, NodeIx, Suspect, SuspectKind, ThreadIx, Tick, UnwindConfig, Unwinding, UnwoundThread};
use crate::operators::{self, Unsupported};
use heddle_ir::objects::{Site, pointed_function};
use heddle_ir::value::Pointer;
use heddle_ir::visibility::Visibility;

/// The budget is asked every so many steps: they may be large where threads are unwound, and are small in one state.
const TICKS: u32 = 4;
const TICKS_ALONE: u32 = 64;

/// A thread to be unwound.
pub(super) struct Spawned {
    pub(super) key: u64,
    pub(super) func: FuncId,
    pub(super) arg: Option<TermId>,
    pub(super) guard: TermId,
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

/// Why a state does not go on.
pub(super) enum Halt {
    Unsupported(Unsupported),
    Stop(Stop),
}

impl From<Unsupported> for Halt {
    fn from(what: Unsupported) -> Self {
        Halt::Unsupported(what)
    }
}

pub(super) type Outcome<T> = Result<T, Halt>;

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

/// The call that is being executed.
pub(super) struct Running<'a> {
    pub(super) func: FuncId,
    pub(super) function: &'a Function,
    pub(super) info: &'a FunctionInfo,
    /// Identifies the call among all calls of the program.
    pub(super) context: u64,
}

pub(super) struct Unwinder<'a> {
    pub(super) program: &'a Program,
    pub(super) visibility: &'a Visibility,
    pub(super) infos: &'a Functions,
    pub(super) config: &'a UnwindConfig,
    pub(super) knowledge: &'a mut Knowledge,
    pub(super) terms: &'a mut Terms,
    pub(super) targets: Targets,
    pub(super) out: Unwinding,
    pub(super) incoming: FxHashMap<NodeIx, Vec<Incoming>>,
    pub(super) initial: FxHashMap<u32, Rc<Contents>>,
    pub(super) queue: VecDeque<Spawned>,
    pub(super) occurrences: FxHashMap<u64, u32>,
    pub(super) calls: Vec<Call>,
    pub(super) ticker: Ticker,
    pub(super) limit: u64,
    /// Threads by the objects that they were started with.
    pub(super) starts: FxHashMap<u32, u32>,
    /// The thread at hand: position, key, number.
    pub(super) thread: ThreadIx,
    pub(super) thread_key: u64,
    pub(super) number: u32,
    /// States of this thread that are alive.
    pub(super) live: usize,
    /// A probe that the step at hand has started.
    pub(super) probe: Option<State>,
    /// The node of the step at hand, if it is outside sections and has one.
    pub(super) step_node: Option<NodeIx>,
    /// Ticks before the step at hand.
    pub(super) step_ticks: usize,
    /// Identifies the execution of the step at hand.
    pub(super) step_key: u64,
    pub(super) site: Site,
    /// Whether one state holds the contents of all objects, whoever made them: threads take turns on it.
    pub(super) alone: bool,
    /// The last step of the user's own code: models are called from there.
    pub(super) user_site: Site,
    /// Whether the step at hand must not read what was never written.
    pub(super) checked: bool,
    /// How the accesses of the step at hand count for races; none if nobody asks.
    pub(super) access: Option<Access>,
    /// Terms of expressions that are constants, by function; empty where nobody asked.
    pub(super) constants: IndexVec<FuncId, Vec<Option<TermId>>>,
}

impl<'a> Unwinder<'a> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        program: &'a Program,
        visibility: &'a Visibility,
        infos: &'a Functions,
        config: &'a UnwindConfig,
        knowledge: &'a mut Knowledge,
        terms: &'a mut Terms,
        budget: &Budget,
        limit: u64,
    ) -> Self {
        Unwinder {
            program,
            visibility,
            infos,
            config,
            knowledge,
            terms,
            targets: Targets::default(),
            out: Unwinding::default(),
            incoming: FxHashMap::default(),
            initial: FxHashMap::default(),
            queue: VecDeque::new(),
            occurrences: FxHashMap::default(),
            calls: Vec::new(),
            ticker: Ticker::new(budget.clone(), TICKS),
            limit,
            starts: FxHashMap::default(),
            thread: 0,
            thread_key: 0,
            number: 1,
            live: 0,
            probe: None,
            step_node: None,
            step_ticks: 0,
            step_key: 0,
            site: Site { thread: 1, func: program.entry, step: StepId::new(0) },
            alone: false,
            user_site: Site { thread: 1, func: program.entry, step: StepId::new(0) },
            checked: false,
            access: None,
            constants: IndexVec::from_elem(Vec::new(), program.functions.len()),
        }
    }

    /// Unwinds the first thread and all that are started.
    pub(super) fn run(mut self) -> Result<Unwinding, Stop> {
        self.out.threads.push(UnwoundThread::default());
        if self.config.deadlocks {
            self.out.end = Some(self.add_node());
        }
        if self.config.properties.contains(Property::Race) {
            self.out.now = Some(self.add_node());
        }
        self.queue.push_back(Spawned { key: 0, func: self.program.entry, arg: None, guard: Terms::TRUE });
        let mut index = 0;
        while let Some(spawned) = self.queue.pop_front() {
            self.thread = index;
            index += 1;
            self.thread_key = spawned.key;
            self.number = self.knowledge.thread(spawned.key);
            self.live = 1;
            let state = State {
                path: Path::root(spawned.guard),
                frame: Frame::default(),
                store: Rc::new(BTreeMap::new()),
                published: Rc::new(BTreeSet::new()),
                concurrent: self.thread != 0,
                section: None,
                steps: 0,
                held: Rc::default(),
                probe: false,
            };
            let args: Vec<TermId> = spawned.arg.into_iter().collect();
            self.call(spawned.func, &args, state, mix(spawned.key, 0xca11))?;
        }
        self.out.targets = std::mem::take(&mut self.targets);
        Ok(self.out)
    }

    pub(super) fn addressing(&mut self) -> Addressing<'_> {
        Addressing {
            terms: self.terms,
            knowledge: self.knowledge,
            targets: &mut self.targets,
            model: self.program.model,
        }
    }

    pub(super) fn ilp32(&self) -> bool {
        self.program.model == DataModel::Ilp32
    }

    /// A variable that stands for something done by the step at hand; the same one in every unwinding.
    pub(super) fn variable(&mut self, what: &str, sort: Sort) -> TermId {
        let key = mix(self.step_key, what.len() as u64 ^ u64::from(what.as_bytes()[0]) << 8);
        let count = self.occurrences.entry(key).or_insert(0);
        *count += 1;
        let name = format!("{what}{:x}.{}.{}", key, *count, sort.width().unwrap_or(0));
        self.terms.variable(&name, sort).expect("the sort is part of the name")
    }

    // Ticks and nodes.

    /// A step before which the machine can switch, unless a section is open.
    pub(super) fn tick(&mut self, state: &State) {
        if state.section.is_none() {
            let tick = Tick { guard: state.guard(), spurious: Terms::FALSE };
            self.out.threads[self.thread].ticks.push(tick);
        }
    }

    pub(super) fn ticks(&self) -> usize {
        self.out.threads[self.thread].ticks.len()
    }

    pub(super) fn new_node(&mut self) -> NodeIx {
        let index = self.add_node();
        self.out.threads[self.thread].chain.push(index);
        index
    }

    pub(super) fn add_node(&mut self) -> NodeIx {
        let index = self.out.nodes.len();
        let (thread, ticks, spine, site) = (self.thread, self.ticks(), self.live == 1, self.site);
        self.out.nodes.push(Node { thread, ticks, spine, site });
        index
    }

    /// The node of what a state does now.
    pub(super) fn node(&mut self, state: &State) -> NodeIx {
        if let Some(section) = &state.section {
            return section.node;
        }
        match self.step_node {
            Some(node) => node,
            None => {
                let node = self.new_node();
                self.step_node = Some(node);
                node
            }
        }
    }

    /// A new node before the one of what a state does now.
    pub(super) fn node_before(&mut self, state: &State) -> NodeIx {
        let (current, ticks) = match &state.section {
            Some(section) => (Some(section.node), section.tick),
            None => (self.step_node, self.step_ticks),
        };
        let index = self.add_node();
        self.out.nodes[index].ticks = ticks;
        let Some(current) = current else {
            self.out.threads[self.thread].chain.push(index);
            return index;
        };
        let chain = &mut self.out.threads[self.thread].chain;
        let at = chain.iter().rposition(|&node| node == current).expect("the node is in the chain");
        chain.insert(at, index);
        index
    }

    /// A section was executed up to here, and what it did counts.
    pub(super) fn executed(&mut self, state: &State, when: TermId) {
        if let Some(section) = &state.section {
            let tick = &mut self.out.threads[self.thread].ticks[section.tick];
            tick.guard = self.terms.or(tick.guard, when);
        }
    }

    /// Stops at another time from now on.
    pub(super) fn set_budget(&mut self, budget: &Budget) {
        self.ticker = Ticker::new(budget.clone(), if self.alone { TICKS_ALONE } else { TICKS });
    }

    /// Something that is wrong if `wrong` holds; the state goes on only if it does not.
    pub(super) fn suspect(&mut self, state: &mut State, wrong: TermId, what: SuspectKind) {
        let guard = self.terms.and_all(&[state.guard(), wrong]);
        let right = self.terms.not(wrong);
        if state.probe {
            self.out.stops.push(guard);
        } else if guard != Terms::FALSE {
            let suspect = Suspect { guard, thread: self.thread, ticks: self.ticks(), what, site: self.user_site };
            let checked = match what {
                SuspectKind::Check(_) | SuspectKind::Uninit => true,
                SuspectKind::Memory => self.config.properties.contains(Property::Memory),
            };
            if checked {
                self.executed(state, guard);
                self.out.violations.push(suspect);
            } else {
                self.out.undefined.push(suspect);
            }
        }
        state.decide(self.terms, right);
    }

    // Steps.

    pub(super) fn step(&mut self, running: &Running<'_>, state: &mut State, at: StepId) -> Outcome<Flow> {
        self.out.steps += 1;
        self.ticker.tick().map_err(Halt::Stop)?;
        if self.out.steps > self.limit {
            self.out.out_of_steps = true;
            self.out.cuts.push(state.guard());
            return Ok(Flow::End);
        }
        state.steps += 1;
        if self.config.thread_steps.is_some_and(|most| state.steps > most) && !state.probe {
            self.out.steps_cut = true;
            self.out.cuts.push(state.guard());
            return Ok(Flow::End);
        }
        self.step_node = None;
        self.step_ticks = self.ticks();
        self.site = Site { thread: self.number, func: running.func, step: at };
        if !running.function.model {
            self.user_site = self.site;
        }
        self.step_key = self.key_of(running, state, at);
        let kind = &running.function.steps[at].kind;
        self.use_marks(running, state, kind);
        let user_load = matches!(kind, StepKind::Load { .. }) && !running.function.model;
        self.checked = user_load && self.config.properties.contains(Property::Uninit);
        self.access = self.out.now.and_then(|_| access_of(running.function, kind));
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
                if state.probe && kind.is_lock() {
                    holder = self.holder(state, *kind, object)?;
                }
                self.wait(state, condition, *spurious, Some((*kind, object, holder)));
            }
            StepKind::Spawn { .. } | StepKind::ThreadExit | StepKind::ProcessExit { .. } if state.probe => {
                self.could_move(state);
                return Ok(Flow::End);
            }
            StepKind::Spawn { callee, arg } => {
                let arg = self.eval(running, state, *arg)?;
                let func = self.started(running, state, *callee)?;
                self.spawn(state, func, arg);
            }
            StepKind::ThreadExit => {
                self.end_all_frames(running, state);
                self.executed(state, state.guard());
                return Ok(Flow::End);
            }
            StepKind::ProcessExit { abort, .. } => {
                self.note_ending(state, *abort);
                self.out.exits.push(state.guard());
                self.executed(state, state.guard());
                return Ok(Flow::End);
            }
            StepKind::Assume { cond } => {
                let condition = self.eval(running, state, *cond)?;
                if state.section.is_some() {
                    self.wait(state, condition, false, None);
                } else {
                    let fails = self.terms.not(condition);
                    let stops = self.terms.and_all(&[state.guard(), fails]);
                    self.out.stops.push(stops);
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
                if self.out.end.is_some() && !state.probe && matches!(op, SyncOp::Hold | SyncOp::Unhold) {
                    let object = self.eval(running, state, *object)?;
                    self.note_lock(state, *op, *kind, object);
                }
            }
            StepKind::Skip => {}
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

    /// A step that changes nothing but values: control goes on behind it, in the same thread.
    pub(super) fn data_step(&mut self, running: &Running<'_>, state: &mut State, kind: &StepKind) -> Outcome<()> {
        match kind {
            StepKind::Assign { dst, value } => {
                let value = self.eval(running, state, *value)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Havoc { dst, input } => {
                let ty = self.program.inputs[*input].ty;
                let value = self.variable("in", operators::sort(ty));
                let guard = state.guard();
                if let Some(domain) = self.config.domains.iter().find(|(of, _)| of == input) {
                    let equal: Vec<TermId> = domain
                        .1
                        .iter()
                        .map(|&bits| {
                            let constant = operators::constant(self.terms, ty, bits);
                            self.terms.eq(value, constant)
                        })
                        .collect();
                    let inside = self.terms.or_all(&equal);
                    self.out.constraints.push(inside);
                }
                if !state.probe {
                    self.out.threads[self.thread].inputs.push(InputRead { guard, input: *input, value });
                }
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Load { dst, addr, ty, .. } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.load(state, pointer, *ty)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Store { addr, value, ty, .. } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.eval(running, state, *value)?;
                self.store(state, pointer, *ty, value)?;
            }
            StepKind::Copy { dst, src, len, layout } => {
                let (to, from) = (self.eval(running, state, *dst)?, self.eval(running, state, *src)?);
                let len = self.eval(running, state, *len)?;
                self.copy(state, to, from, len, *layout)?;
            }
            StepKind::Fill { dst, byte, len, layout } => {
                let to = self.eval(running, state, *dst)?;
                let (byte, len) = (self.eval(running, state, *byte)?, self.eval(running, state, *len)?);
                self.fill(state, to, byte, len, *layout)?;
            }
            StepKind::Live { slot } => {
                state.frame.slots[slot.index()] = None;
                self.slot(running, state, *slot);
            }
            StepKind::Dead { slot } => {
                if let Some(pointer) = state.frame.slots[slot.index()].take() {
                    self.end_slot(running, state, *slot, pointer);
                }
            }
            StepKind::Alloc { dst, size, zeroed, kind } => {
                let size = self.eval(running, state, *size)?;
                let (size, bound) = self.object_bound(state, size)?;
                // Where threads take turns, one step makes objects of several sizes: each is an object of its own.
                let salt = if self.alone { mix(0x0a11, size.index() as u64) } else { 0x0a11 };
                let object = self.make_object(state, salt, bound, Kind::Alloc(*kind), *zeroed);
                let unknown = self.terms.as_const(size).is_none().then_some(size);
                self.knowledge.note_unknown_size(object, unknown);
                if *kind == heddle_ir::AllocKind::Stack {
                    state.frame.allocas.push(object);
                }
                self.note_allocation(state, object, *kind);
                let pointer = self.terms.bv(64, Pointer::to(object).bits());
                state.frame.regs[dst.index()] = Some(pointer);
            }
            StepKind::Free { addr, kind } => {
                let pointer = self.eval(running, state, *addr)?;
                self.free(state, pointer, *kind)?;
            }
            StepKind::ObjectSize { dst, addr } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.object_size(state, pointer)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Assert { cond, check } => {
                let condition = self.eval(running, state, *cond)?;
                self.assert(state, condition, *check);
            }
            StepKind::Output { dst, .. } => {
                if let Some(dst) = dst {
                    let ty = running.function.regs[*dst].ty;
                    let value = self.variable("out", operators::sort(ty));
                    state.frame.regs[dst.index()] = Some(value);
                }
            }
            StepKind::Goto { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::Return { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Assume { .. }
            | StepKind::Sync { .. }
            | StepKind::Skip => unreachable!("decided by who drives the threads"),
        }
        Ok(())
    }

    /// The function that a new thread begins with.
    pub(super) fn started(&mut self, running: &Running<'_>, state: &mut State, callee: Callee) -> Outcome<FuncId> {
        let pointer = match callee {
            Callee::Direct(func) => return Ok(func),
            Callee::Indirect(pointer) => self.eval(running, state, pointer)?,
        };
        let bits = operators::as_bits(self.terms, pointer);
        let func = bits.and_then(|bits| pointed_function(self.program, Pointer::from_bits(bits as u64)));
        func.ok_or_else(|| Unsupported("a thread whose function is not a constant".to_owned()).into())
    }

    /// Identifies this execution of a step: the call, the rounds of the loops around, the step.
    pub(super) fn key_of(&mut self, running: &Running<'_>, state: &State, at: StepId) -> u64 {
        let mut key = mix(running.context, at.index() as u64);
        for round in &state.frame.rounds {
            key = mix(key, u64::from(round.number));
        }
        let count = self.occurrences.entry(key).or_insert(0);
        *count += 1;
        mix(key, u64::from(*count))
    }

    pub(super) fn assert(&mut self, state: &mut State, condition: TermId, check: CheckId) {
        if self.config.properties.contains(self.program.checks[check].property) {
            let wrong = self.terms.not(condition);
            self.suspect(state, wrong, SuspectKind::Check(check));
        }
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
        let key = self.step_key;
        let mut results = Vec::new();
        match callee {
            Callee::Direct(func) => {
                let context = mix(key, func.index() as u64);
                let (state, _) = (state.clone(), at);
                results
                    .extend(self.call(func, &args, state, context).map_err(Halt::Stop)?.into_iter().map(|r| (func, r)));
            }
            Callee::Indirect(pointer) => {
                let pointer = self.eval(running, state, pointer)?;
                for (func, when) in self.callees(state, pointer) {
                    let mut branch = state.clone();
                    branch.decide(self.terms, when);
                    if branch.is_dead() {
                        continue;
                    }
                    self.live += usize::from(!branch.probe);
                    let args = self.fit_args(func, &args, &types);
                    let context = mix(key, func.index() as u64);
                    let returned = self.call(func, &args, branch, context).map_err(Halt::Stop)?;
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
            match states.iter().position(|other: &State| other.agrees_with(&returned)) {
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

    /// The functions that a pointer can point to. A pointer to none of them is wrong.
    pub(super) fn callees(&mut self, state: &mut State, pointer: TermId) -> Vec<(FuncId, TermId)> {
        let objects = self.addressing().objects(pointer);
        let mut found = Vec::new();
        let mut any = Vec::new();
        for &object in objects.iter() {
            let target = Pointer::to(object);
            let Some(func) = pointed_function(self.program, target) else { continue };
            let constant = self.terms.bv(64, target.bits());
            let when = self.terms.eq(pointer, constant);
            if when != Terms::FALSE {
                found.push((func, when));
                any.push(when);
            }
        }
        let valid = self.terms.or_all(&any);
        let wrong = self.terms.not(valid);
        self.suspect(state, wrong, SuspectKind::Memory);
        found
    }

    /// Arguments of an indirect call as its callee takes them.
    pub(super) fn fit_args(&mut self, func: FuncId, args: &[TermId], types: &[Ty]) -> Vec<TermId> {
        let program = self.program;
        let function = &program.functions[func];
        let wanted: Vec<Ty> = function.params.iter().map(|&param| function.regs[param].ty).collect();
        wanted
            .iter()
            .enumerate()
            .map(|(i, &ty)| match args.get(i) {
                Some(&arg) => self.fit(arg, types[i], ty),
                None => self.variable("arg", operators::sort(ty)),
            })
            .collect()
    }

    pub(super) fn fit(&mut self, value: TermId, from: Ty, to: Ty) -> TermId {
        if from == to {
            return value;
        }
        let bits = if from == Ty::Bool { self.terms.bool_to_bv(value) } else { value };
        if to == Ty::Bool {
            let low = self.terms.extract(0, 0, bits);
            let one = self.terms.bv(1, 1);
            return self.terms.eq(low, one);
        }
        self.terms.resize_unsigned(bits, operators::width(to))
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
