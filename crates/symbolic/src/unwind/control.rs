//! Control flow of one thread: calls inlined, blocks in order, states merged where they meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_base::{Id, Stop};
use heddle_ir::cfg::BlockId;
use heddle_ir::objects::Site;
use heddle_ir::{FuncId, StepId};
use heddle_solver::{TermId, Terms};

use super::locks::merge_held;
use super::scope::{CodeKey, Frontier};
use super::state::{OpenSection, Own, State, merge_writes};
use super::steps::{Call, Flow, Unwinder};
use super::{CutCause, CutOff};
use crate::evaluate::contents::{Contents, Path};
use crate::evaluate::frames::OrderKey;
use crate::evaluate::state::{Frame, Round};
use crate::evaluate::{CallKey, Halt, Running};
use crate::operators::Unsupported;

/// Calls nested deeper than this are cut off: each takes stack.
const MAX_CALLS: usize = 2_000;

/// Among how many of the states with the longest paths a partner for merging is looked for.
const NEAR: usize = 8;

impl Unwinder<'_, '_> {
    /// Executes a call to its end: the states in which it returns.
    pub(super) fn call(
        &mut self,
        func: FuncId,
        args: &[TermId],
        mut state: State,
        key: CallKey,
    ) -> Result<Vec<(State, Option<TermId>)>, Stop> {
        let program = self.program;
        let function = &program.functions[func];
        if !self.enter_call(func, &mut state) {
            self.cut(&state, CutCause::Recursion(func));
            return Ok(Vec::new());
        }
        let running = Running { func, function, info: self.infos.of(func), key };
        state.frame.regs = vec![None; function.regs.len()];
        state.frame.slots = vec![None; function.slots.len()];
        state.frame.marks = vec![Terms::FALSE; running.info.marked.len()];
        for (&param, &arg) in function.params.iter().zip(args) {
            state.frame.regs[param.index()] = Some(arg);
        }
        let mut waiting: BTreeMap<OrderKey, Vec<(BlockId, State)>> = BTreeMap::new();
        let mut returned: Vec<(State, Option<TermId>)> = Vec::new();
        self.arrive(&running, &mut waiting, None, running.info.cfg.entry(), state);
        while let Some((_, arrived)) = waiting.pop_first() {
            for (block, state) in self.merge_arrived(&running, arrived) {
                self.run_block(&running, block, state, &mut waiting, &mut returned)?;
            }
        }
        let caller = self.driver.calls.pop().expect("entered above").caller;
        let mut merged = self.merge_returned(returned);
        for (state, _) in &mut merged {
            state.frame = caller.clone();
        }
        Ok(merged)
    }

    /// The caller's frame waits among the calls in progress. False if the call is nested too deep.
    fn enter_call(&mut self, func: FuncId, state: &mut State) -> bool {
        if self.driver.calls.len() >= MAX_CALLS {
            self.driver.out.too_deep = true;
            return false;
        }
        let last = self.driver.calls.iter().rev().find(|call| call.func == func);
        let counted = match last {
            Some(call) if call.guard == state.guard() => call.counted,
            Some(call) => call.counted + 1,
            None => 0,
        };
        if counted > self.config.unwind {
            return false;
        }
        let caller = std::mem::take(&mut state.frame);
        self.driver.calls.push(Call { func, guard: state.guard(), counted, caller });
        true
    }

    pub(super) fn merge_returned(&mut self, returned: Vec<(State, Option<TermId>)>) -> Vec<(State, Option<TermId>)> {
        let mut merged: Vec<(State, Option<TermId>)> = Vec::new();
        for (mut state, value) in returned {
            // The callee's frame is gone; its result must be merged like a register.
            state.frame = Frame { regs: vec![value], ..Frame::default() };
            match merged.iter().position(|(other, _)| other.own.agrees_with(&state.own)) {
                Some(at) => {
                    let (other, _) = merged.swap_remove(at);
                    let both = self.merge(other, state);
                    merged.push((both, None));
                }
                None => merged.push((state, None)),
            }
        }
        merged.into_iter().map(|(state, _)| (state.frame.regs[0], state)).map(|(value, state)| (state, value)).collect()
    }

    /// Lets a state wait at a block.
    pub(super) fn arrive(
        &mut self,
        running: &Running<'_>,
        waiting: &mut BTreeMap<OrderKey, Vec<(BlockId, State)>>,
        from: Option<StepId>,
        to: BlockId,
        mut state: State,
    ) {
        let info = running.info;
        let around = info.around(to);
        let kept = state.frame.rounds.iter().zip(around).take_while(|(round, of)| round.of == **of).count();
        state.frame.rounds.truncate(kept);
        let guard = state.guard();
        let back = from.and_then(|from| info.loops.back_edge(from, to));
        if let Some(of) = back
            && let Some(at) = state.frame.rounds.iter().position(|round| round.of == of)
        {
            state.frame.rounds.truncate(at + 1);
            let bound = self.bound_of(&info.loops.loops[of].name);
            let round = &mut state.frame.rounds[at];
            round.number += 1;
            round.counted += u64::from(round.guard != guard || !round.tested);
            (round.guard, round.tested) = (guard, false);
            if round.counted > bound {
                self.cut(&state, CutCause::Loop(running.func, of));
                return;
            }
            let moment = (self.driver.out.nodes.len() + self.ticks()) as u64;
            if state.goes_round(at, moment) {
                self.endless(&state);
                return;
            }
            let from = from.expect("a back edge has a start");
            let back = self.code_of(running, &state, from).round();
            if !self.driver.scope.goes_round(back) {
                self.leave(running, state, (from, back), true, to);
                return;
            }
        }
        for &of in &around[state.frame.rounds.len()..] {
            state.frame.rounds.push(Round::first(of, guard));
        }
        let key = info.key(to, &state.frame.rounds);
        waiting.entry(key).or_default().push((to, state));
    }

    /// The states that wait at one place, merged as far as they agree.
    pub(super) fn merge_arrived(
        &mut self,
        running: &Running<'_>,
        arrived: Vec<(BlockId, State)>,
    ) -> Vec<(BlockId, State)> {
        let mut merged: Vec<(BlockId, State)> = Vec::new();
        let mut groups: Vec<(BlockId, Vec<State>)> = Vec::new();
        for (block, state) in arrived {
            match groups.iter_mut().find(|(b, group)| *b == block && group[0].own.agrees_with(&state.own)) {
                Some((_, group)) => group.push(state),
                None => groups.push((block, vec![state])),
            }
        }
        for (block, mut group) in groups {
            // Those that parted last first: their choices cancel out. They are among the longest.
            while group.len() > 1 {
                group.sort_by_key(|state| state.path.depth());
                let first = group.pop().expect("two or more");
                let near = group.len().saturating_sub(NEAR)..group.len();
                let common = |&at: &usize| Path::common(&first.path, &group[at].path).depth();
                let partner = near.max_by_key(common).expect("one or more");
                let second = group.remove(partner);
                let both = self.merge(second, first);
                group.push(both);
            }
            let mut state = group.pop().expect("groups are not empty");
            let guard = state.guard();
            if let Some(round) = state.frame.rounds.last_mut()
                && running.info.loops.loops[round.of].header == block
            {
                round.guard = guard;
            }
            merged.push((block, state));
        }
        merged
    }

    /// Two states at one place as one.
    pub(super) fn merge(&mut self, mut a: State, mut b: State) -> State {
        self.ends(&b);
        (self.driver.step_node, self.driver.step_ticks) = (None, self.ticks());
        // What others may know on one side must be published on the other.
        self.publish_like(&mut a, &b);
        self.publish_like(&mut b, &a);
        let (path, first) = Path::merge(self.terms, &a.path, &b.path);
        let regs = a.frame.regs.iter().zip(&b.frame.regs).map(|(&x, &y)| self.choose(first, x, y)).collect();
        let slots = a.frame.slots.iter().zip(&b.frame.slots).map(|(&x, &y)| self.choose(first, x, y)).collect();
        let marks = a.frame.marks.iter().zip(&b.frame.marks).map(|(&x, &y)| self.terms.ite(first, x, y)).collect();
        let mut allocas = a.frame.allocas;
        for object in b.frame.allocas {
            if !allocas.contains(&object) {
                allocas.push(object);
            }
        }
        let rounds = a
            .frame
            .rounds
            .iter()
            .zip(&b.frame.rounds)
            .map(|(x, y)| Round { counted: x.counted.max(y.counted), tested: x.tested && y.tested, ..x.clone() })
            .collect();
        let store = self.merge_stores(first, &a.store, &b.store);
        let published = if Rc::ptr_eq(&a.own.published, &b.own.published) {
            a.own.published
        } else {
            Rc::new(a.own.published.union(&b.own.published).copied().collect())
        };
        let section = match (a.own.section, b.own.section) {
            (Some(x), Some(y)) => {
                let writes = merge_writes(self.terms, first, &x.writes, &y.writes);
                let (asked, told) = (x.asked || y.asked, self.terms.ite(first, x.told, y.told));
                Some(OpenSection { writes, asked, told, ..x })
            }
            (x, _) => x,
        };
        let frame = Frame { regs, marks, slots, allocas, rounds };
        let held = merge_held(self.terms, first, &a.own.held, &b.own.held);
        let (concurrent, probe) = (a.own.concurrent || b.own.concurrent, a.own.probe);
        let steps = a.own.steps.min(b.own.steps);
        State { path, frame, store, own: Own { published, concurrent, section, steps, held, probe } }
    }

    pub(super) fn choose(&mut self, first: TermId, a: Option<TermId>, b: Option<TermId>) -> Option<TermId> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.terms.ite(first, a, b)),
            (a, b) => a.or(b),
        }
    }

    pub(super) fn merge_stores(
        &mut self,
        first: TermId,
        a: &Rc<BTreeMap<u32, Rc<Contents>>>,
        b: &Rc<BTreeMap<u32, Rc<Contents>>>,
    ) -> Rc<BTreeMap<u32, Rc<Contents>>> {
        if Rc::ptr_eq(a, b) {
            return Rc::clone(a);
        }
        let mut merged = (**a).clone();
        for (&object, contents) in b.iter() {
            let here = a.get(&object).map(Rc::clone).or_else(|| self.default_contents(object));
            let both = match here {
                Some(here) => self.addressing().merge(first, &here, contents),
                None => Rc::clone(contents),
            };
            merged.insert(object, both);
        }
        for (&object, contents) in a.iter().filter(|(object, _)| !b.contains_key(object)) {
            if let Some(there) = self.default_contents(object) {
                let both = self.addressing().merge(first, contents, &there);
                merged.insert(object, both);
            }
        }
        Rc::new(merged)
    }

    /// Executes a block in a state, and lets what comes of it wait at the next ones.
    pub(super) fn run_block(
        &mut self,
        running: &Running<'_>,
        block: BlockId,
        state: State,
        waiting: &mut BTreeMap<OrderKey, Vec<(BlockId, State)>>,
        returned: &mut Vec<(State, Option<TermId>)>,
    ) -> Result<(), Stop> {
        let cfg = &running.info.cfg;
        let last = cfg.blocks[block].last;
        let mut todo = vec![(cfg.blocks[block].first, state)];
        'states: while let Some((mut at, mut state)) = todo.pop() {
            loop {
                if state.is_dead() {
                    self.ends(&state);
                    continue 'states;
                }
                let stepped = self.step(running, &mut state, at);
                if let Some(probe) = self.driver.probe.take() {
                    let next = StepId::new(at.index() + 1);
                    if at == last {
                        self.arrive(running, waiting, Some(at), cfg.block_of[next], probe);
                    } else {
                        todo.push((next, probe));
                    }
                }
                let flow = match stepped {
                    Ok(flow) => flow,
                    Err(Halt::Unsupported(Unsupported(what))) => {
                        self.driver.out.unsupported.push((state.guard(), what));
                        self.ends(&state);
                        continue 'states;
                    }
                    Err(Halt::Stop(stop)) => return Err(stop),
                };
                match flow {
                    Flow::Next if at == last => {
                        let next = cfg.block_of[StepId::new(at.index() + 1)];
                        self.arrive(running, waiting, Some(at), next, state);
                        continue 'states;
                    }
                    Flow::Next => at = StepId::new(at.index() + 1),
                    Flow::End => {
                        self.ends(&state);
                        continue 'states;
                    }
                    Flow::To(target) => {
                        self.arrive(running, waiting, Some(at), target, state);
                        continue 'states;
                    }
                    Flow::Fork { condition, target } => {
                        self.fork(running, waiting, at, state, condition, target);
                        continue 'states;
                    }
                    Flow::Return(value) => {
                        returned.push((state, value));
                        continue 'states;
                    }
                    Flow::Returned(states) => {
                        let next = StepId::new(at.index() + 1);
                        for state in states.into_iter().rev() {
                            if at == last {
                                self.arrive(running, waiting, Some(at), cfg.block_of[next], state);
                            } else {
                                todo.push((next, state));
                            }
                        }
                        continue 'states;
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn fork(
        &mut self,
        running: &Running<'_>,
        waiting: &mut BTreeMap<OrderKey, Vec<(BlockId, State)>>,
        at: StepId,
        mut state: State,
        condition: TermId,
        target: BlockId,
    ) {
        let next = running.info.cfg.block_of[StepId::new(at.index() + 1)];
        match self.terms.as_bool(condition) {
            Some(taken) => {
                let (to, other) = if taken { (target, next) } else { (next, target) };
                for round in &mut state.frame.rounds {
                    let inside = &running.info.loops.loops[round.of].blocks;
                    round.tested |= running.info.counts(round.of, at) && !inside.contains(other.index());
                }
                self.enter(running, waiting, (at, taken), to, state);
            }
            None if target == next => self.arrive(running, waiting, Some(at), target, state),
            None => {
                let mut taken = state.clone();
                taken.decide(self.terms, condition);
                let negated = self.terms.not(condition);
                state.decide(self.terms, negated);
                self.driver.live += usize::from(!state.own.probe);
                for (to, state, holds) in [(target, taken, true), (next, state, false)] {
                    if state.is_dead() {
                        self.ends(&state);
                    } else {
                        self.enter(running, waiting, (at, holds), to, state);
                    }
                }
            }
        }
    }

    /// A branch is followed in one direction, if that is in scope.
    fn enter(
        &mut self,
        running: &Running<'_>,
        waiting: &mut BTreeMap<OrderKey, Vec<(BlockId, State)>>,
        (at, taken): (StepId, bool),
        to: BlockId,
        state: State,
    ) {
        let key = self.code_of(running, &state, at);
        // What a library model does is not a matter of the program's own paths, and a section that may have to wait is
        // executed as a whole or not at all.
        let free = running.function.model || state.own.section.as_ref().is_some_and(|section| section.may_stop);
        if state.own.probe || self.driver.scope.follows(key, taken, free) {
            self.arrive(running, waiting, Some(at), to, state);
        } else {
            self.leave(running, state, (at, key), taken, to);
        }
    }

    /// The thread leaves the scope: it stops before a block.
    fn leave(&mut self, running: &Running<'_>, state: State, (at, key): (StepId, CodeKey), taken: bool, to: BlockId) {
        let matters = self.driver.scope.matters(running.func, running.info.cfg.blocks[to].first);
        let (thread, ticks, guard) = (self.driver.thread, self.ticks(), state.guard());
        let site = Site { thread: self.number, func: running.func, step: at };
        self.executed(&state, guard);
        self.driver.out.frontiers.push(Frontier { guard, thread, ticks, key, taken, site, matters });
        if matters {
            self.driver.out.cuts.push(CutOff { guard, cause: CutCause::Scope, site });
        } else {
            self.driver.out.stops.push(guard);
        }
        self.ends(&state);
    }

    pub(super) fn cut(&mut self, state: &State, cause: CutCause) {
        let guard = state.guard();
        if state.own.probe {
            self.driver.out.stops.push(guard);
        } else {
            self.driver.out.cuts.push(CutOff { guard, cause, site: self.driver.user_site });
        }
        self.ends(state);
    }

    /// A thread loops for ever and does nothing that others can notice. They go on.
    fn endless(&mut self, state: &State) {
        self.driver.out.stops.push(state.guard());
        self.driver.out.endless.push(state.guard());
        self.ends(state);
    }

    /// A state goes no further. Probes do not count: they are nothing that the thread does.
    pub(super) fn ends(&mut self, state: &State) {
        self.driver.live -= usize::from(!state.own.probe);
    }
}
