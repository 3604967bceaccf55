//! Turns: one thread moves from one step that others can notice to the next.

use std::rc::Rc;

use heddle_base::{Id, Stop};
use heddle_ir::assertions::evaluated_at;
use heddle_ir::cfg::BlockId;
use heddle_ir::{Callee, ExprId, FuncId, MemOrder, Property, RegId, Section, StepId, StepKind, SyncKind, SyncOp, Ty};
use heddle_solver::{TermId, Terms};

use super::one_state::{OneState, State};
use super::world::{Caller, InputNode, Thread};
use super::{CutCause, Halted, Hold, Interleaver, Milestone, Next, Place, Suspicion, Touch, Turn, Waiting, World};
use crate::evaluate::knowledge::mix;
use crate::evaluate::state::{Frame, Round};
use crate::evaluate::{CallKey, Halt, Running};
use crate::operators::{self, Unsupported};
use heddle_ir::objects::Site;
use heddle_ir::value::Pointer;

/// Calls nested deeper than this are not followed.
const MAX_CALLS: u32 = 2_000;

/// Rounds of loops in one turn after which a thread is cut off: constants decide that it goes on, and it may do so for ever.
const MAX_ROUNDS: u32 = 500_000;

/// A thread that is moving.
#[derive(Clone)]
struct Live {
    /// The world before; its memory and decisions are in `state` meanwhile.
    world: World,
    index: usize,
    thread: Thread,
    state: State,
    /// Open sections.
    depth: u32,
    /// Whether the one step that others can notice has begun.
    begun: bool,
    /// Whether the thread goes on with further such steps while none of them may have to wait.
    runs_on: bool,
    /// How many such steps there were.
    turns: u32,
    /// Rounds of loops in this turn.
    rounds: u32,
    spurious: bool,
    /// Whether the turn is a section of the user's.
    user_section: bool,
    /// Whether a library model accesses in it what others may, or an atomic operation reads it without acquiring; and whether
    /// it has told how it is ordered with them.
    asked: bool,
    told: bool,
    /// Accesses that may race, made in this turn. They count once the turn is over: a section that has to wait in its
    /// middle has made none.
    touches: Vec<Touch>,
    /// Threads that were started and have yet to come to their first step that others can notice.
    newborn: Vec<usize>,
}

/// Whether a thread goes on after a step.
enum Then {
    GoesOn,
    /// Its turn is over.
    Pauses,
    /// This is no execution, or the last step of one.
    Ends,
}

impl Interleaver<'_> {
    /// Lets a thread make one step.
    pub fn turn(&mut self, world: &World, thread: usize) -> Result<Turn, Stop> {
        let mut turn = Turn::default();
        let live = Live::of(world.clone(), thread, false);
        self.run(live, &mut turn)?;
        Ok(turn)
    }

    /// Lets a thread make steps up to one that may have to wait, or that starts a thread or ends its own. It stands before a
    /// step that does not have to wait.
    pub fn run_on(&mut self, world: World, thread: usize) -> Result<Turn, Stop> {
        // Nobody asks what a turn of many steps accessed.
        let mut turn = Turn { visible: true, ..Turn::default() };
        let mut live = Live::of(world, thread, false);
        live.runs_on = true;
        self.run(live, &mut turn)?;
        Ok(turn)
    }

    /// Lets a thread that was just started come to its first step that others can notice.
    pub(super) fn prefix(&mut self, world: World, thread: usize) -> Result<Turn, Stop> {
        let mut turn = Turn::default();
        self.run(Live::of(world, thread, true), &mut turn)?;
        Ok(turn)
    }

    fn run(&mut self, live: Live, turn: &mut Turn) -> Result<(), Stop> {
        let mut todo = vec![live];
        while let Some(mut live) = todo.pop() {
            while !live.state.is_dead() {
                match self.step(&mut live, &mut todo, turn) {
                    Ok(Then::GoesOn) => {}
                    Ok(Then::Ends) => break,
                    Ok(Then::Pauses) => {
                        self.pause(live, &mut todo, turn);
                        break;
                    }
                    Err(Halt::Stop(stop)) => return Err(stop),
                    Err(Halt::Unsupported(Unsupported(what))) => {
                        self.unsupported(live.state.guard(), what)?;
                        break;
                    }
                }
            }
        }
        turn.next.reverse();
        Ok(())
    }

    fn step(&mut self, live: &mut Live, todo: &mut Vec<Live>, turn: &mut Turn) -> Result<Then, Halt> {
        let evaluator = &mut self.evaluator;
        let (func, at) = (live.thread.func, live.thread.at);
        let program = evaluator.program;
        let function = &program.functions[func];
        let visible = evaluator.visibility.is_visible(func, at);
        if live.depth == 0 && visible {
            let runs_on = live.runs_on && live.newborn.is_empty() && !evaluator.infos.of(func).may_stop(at);
            if live.begun && !runs_on {
                return Ok(Then::Pauses);
            }
            live.begin();
        }
        let evaluator = &mut self.evaluator;
        self.steps += 1;
        evaluator.ticker.tick().map_err(Halt::Stop)?;
        live.thread.steps += 1;
        if evaluator.config.thread_steps.is_some_and(|most| live.thread.steps > most) {
            self.obstacles.steps_cut = true;
            let (func, _) = self.user_place(&live.thread);
            self.note_cut(live, CutCause::Steps(func));
            return Ok(live.stop(Halted::Cut));
        }
        evaluator.number = live.thread.number;
        evaluator.thread_key = live.thread.key;
        evaluator.site = Site { thread: live.thread.number, func, step: at };
        evaluator.step_key = mix(mix(live.thread.key, live.thread.steps), (func.index() << 24 ^ at.index()) as u64);
        evaluator.occurrences.clear();
        let running = Running { func, function, info: evaluator.infos.of(func), key: CallKey::NONE };
        let kind = &function.steps[at].kind;
        for &(_, assertion) in evaluated_at(&running.info.assertions, at) {
            self.note_reached(Milestone::Assertion(assertion), live.state.guard()).map_err(Halt::Stop)?;
        }
        if visible {
            self.note_touched(live, &running, kind, turn)?;
        }
        let evaluator = &mut self.evaluator;
        if !running.info.marked.is_empty() {
            evaluator.use_marks(&running, &mut live.state, kind);
            self.collect(live, turn)?;
        }
        let evaluator = &mut self.evaluator;
        let user_load = matches!(kind, StepKind::Load { .. }) && !function.model;
        evaluator.checked = user_load && evaluator.config.properties.contains(Property::Uninit);
        match kind {
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
            | StepKind::Output { .. } => {
                if visible && evaluator.config.properties.contains(Property::Race) {
                    self.note_access(live, &running, kind)?;
                }
                let done = self.evaluator.data_step(&running, &mut live.state, kind);
                self.collect(live, turn)?;
                done?;
            }
            // Fences order relaxed accesses, and those are obstacles to `SAFE` whatever fences are there.
            StepKind::Fence { .. } | StepKind::Skip => {}
            StepKind::Sync { op, kind, object } => {
                let object = evaluator.eval(&running, &mut live.state, *object)?;
                live.told = true;
                self.sync(live, *op, *kind, object);
            }
            StepKind::Goto { target } => {
                let target = running.info.cfg.block_of[*target];
                return Ok(self.enter(live, target));
            }
            StepKind::Branch { cond, target } => {
                let condition = evaluator.eval(&running, &mut live.state, *cond)?;
                let target = running.info.cfg.block_of[*target];
                return self.branch(live, condition, target, todo, turn);
            }
            StepKind::Call { dst, callee, args } => {
                return self.call(live, &running, *dst, *callee, args, todo, turn);
            }
            StepKind::Return { value } => {
                let value = value.map(|value| evaluator.eval(&running, &mut live.state, value)).transpose()?;
                evaluator.end_frame(&running, &mut live.state);
                if live.thread.callers.is_none() {
                    self.note_main_end(live)?;
                }
                return Ok(self.leave(live, value));
            }
            StepKind::AtomicBegin { section } => {
                live.depth += 1;
                live.user_section |= *section == Section::User;
            }
            StepKind::AtomicEnd => {
                live.depth -= 1;
                // A thread that observes another one without synchronising with it can race with accesses that are adjacent to it in no
                // interleaving.
                self.obstacles.unordered |= live.depth == 0 && live.asked && !live.told;
            }
            StepKind::Await { cond, spurious, kind, object } => {
                let condition = evaluator.eval(&running, &mut live.state, *cond)?;
                let object = match kind.is_lock() {
                    true => Some(evaluator.eval(&running, &mut live.state, *object)?),
                    false => None,
                };
                let (kind, spurious) = (Some(*kind), *spurious);
                live.told |= spurious;
                self.wait(live, condition, Waiting { guard: Terms::FALSE, kind, object, spurious }, todo, turn)?;
            }
            StepKind::Assume { cond } => {
                let condition = evaluator.eval(&running, &mut live.state, *cond)?;
                if live.depth > 0 {
                    let waiting = Waiting { guard: Terms::FALSE, kind: None, object: None, spurious: false };
                    self.wait(live, condition, waiting, todo, turn)?;
                } else {
                    self.assume(live, condition, todo, turn)?;
                }
            }
            StepKind::Spawn { callee, arg } => {
                let arg = evaluator.eval(&running, &mut live.state, *arg)?;
                let func = evaluator.started(&running, &mut live.state, *callee)?;
                live.told = true;
                self.spawn(live, func, arg);
            }
            StepKind::ThreadExit => {
                self.note_main_end(live)?;
                self.end_thread(live);
                return Ok(Then::Pauses);
            }
            StepKind::Unsupported { what } => return Err(evaluator.unsupported_step(&running, at, what)),
            StepKind::ProcessExit { abort, .. } => {
                let (abort, turns, spurious) = (*abort, live.turns, live.spurious);
                if !abort {
                    self.note_reached(Milestone::EndOfMain, live.state.guard()).map_err(Halt::Stop)?;
                }
                commit(live, turn);
                let world = live.clone().put_back();
                if !abort {
                    let leaks = self.leaks(&world).into_iter();
                    turn.suspects.extend(leaks.map(|leak| Suspicion { turns, spurious, ..leak }));
                }
                turn.next.push(Next { world, turns, spurious, exit: true });
                return Ok(Then::Ends);
            }
        }
        if live.state.is_dead() {
            return Ok(Then::Ends);
        }
        let next = StepId::new(at.index() + 1);
        Ok(self.go(live, at, next))
    }

    /// Takes what a step said besides: what may be wrong, what was read, what holds.
    fn collect(&mut self, live: &mut Live, turn: &mut Turn) -> Result<(), Halt> {
        if self.evaluator.driver.is_silent() {
            return Ok(());
        }
        let OneState { violations, undefined, uninitialised, constraints, inputs, unsupported } =
            std::mem::take(&mut self.evaluator.driver);
        for (input, value) in inputs {
            let before = live.world.inputs.take();
            let thread = Rc::clone(&live.thread.name);
            live.world.inputs = Some(Rc::new(InputNode { before, thread, input, value }));
        }
        for (guard, what) in violations {
            let (inputs, turns, spurious) = (live.world.inputs.clone(), live.turns, live.spurious);
            let place = Place::Step(what.property(self.evaluator.program), self.user_place(&live.thread).1);
            turn.suspects.push(Suspicion { guard, inputs, turns, spurious, place });
        }
        for constraint in constraints {
            live.state.decide(self.evaluator.terms, constraint);
        }
        for guard in undefined {
            if !self.obstacles.undefined && self.is_feasible(guard).map_err(Halt::Stop)? {
                self.obstacles.undefined = true;
            }
        }
        for guard in uninitialised {
            if !self.obstacles.uninitialised && self.is_feasible(guard).map_err(Halt::Stop)? {
                self.obstacles.uninitialised = true;
            }
        }
        for (guard, what) in unsupported {
            self.unsupported(guard, what).map_err(Halt::Stop)?;
        }
        Ok(())
    }

    /// Notes what a step does that others could notice.
    fn note_touched(
        &mut self,
        live: &mut Live,
        running: &Running<'_>,
        kind: &StepKind,
        turn: &mut Turn,
    ) -> Result<(), Halt> {
        let addresses = match *kind {
            StepKind::Load { addr, .. } | StepKind::Store { addr, .. } => [Some(addr), None],
            StepKind::Copy { dst, src, .. } => [Some(dst), Some(src)],
            StepKind::Fill { dst, .. } => [Some(dst), None],
            // Sections are what is in them; a new thread, or the end of one, is nothing that others see.
            StepKind::AtomicBegin { .. } | StepKind::Await { .. } | StepKind::Spawn { .. } | StepKind::ThreadExit => {
                return Ok(());
            }
            _ => {
                turn.visible = true;
                return Ok(());
            }
        };
        if turn.visible {
            return Ok(());
        }
        for addr in addresses.into_iter().flatten() {
            let address = self.evaluator.eval(running, &mut live.state, addr)?;
            match operators::as_bits(self.evaluator.terms, address) {
                Some(bits) => turn.touched.push(Pointer::from_bits(bits as u64).object),
                None => turn.visible = true,
            }
        }
        Ok(())
    }

    /// Notes an access that may race with one of another thread.
    fn note_access(&mut self, live: &mut Live, running: &Running<'_>, kind: &StepKind) -> Result<(), Halt> {
        let model = self.evaluator.program.model;
        let size = |ty: Ty| ty.size(model);
        let plain = MemOrder::Plain;
        let internal = running.function.model;
        live.asked |= match *kind {
            StepKind::Load { access, .. } | StepKind::Store { access, .. } => access.internal,
            _ => internal,
        };
        let mut found: Vec<(ExprId, Option<u64>, bool, MemOrder)> = Vec::new();
        match *kind {
            StepKind::Load { addr, ty, access, .. } if !access.internal => {
                found.push((addr, Some(size(ty)), false, access.order));
            }
            StepKind::Store { addr, ty, access, .. } if !access.internal => {
                found.push((addr, Some(size(ty)), true, access.order));
            }
            StepKind::Copy { dst, src, len, .. } if !internal => {
                let len = self.evaluator.eval(running, &mut live.state, len)?;
                let len = operators::as_bits(self.evaluator.terms, len).map(|len| len as u64);
                found.extend([(src, len, false, plain), (dst, len, true, plain)]);
            }
            StepKind::Fill { dst, len, .. } if !internal => {
                let len = self.evaluator.eval(running, &mut live.state, len)?;
                let len = operators::as_bits(self.evaluator.terms, len).map(|len| len as u64);
                found.push((dst, len, true, plain));
            }
            StepKind::Free { addr, .. } => found.push((addr, None, true, plain)),
            _ => {}
        }
        for (addr, len, write, order) in found {
            let address = self.evaluator.eval(running, &mut live.state, addr)?;
            let unordered = match order {
                MemOrder::Plain | MemOrder::SeqCst | MemOrder::AcqRel => false,
                MemOrder::Relaxed => true,
                MemOrder::Acquire => write,
                MemOrder::Release => !write,
            };
            if live.depth > 0 && !live.user_section && !write {
                // A compare-and-exchange that succeeds may acquire what it found by a second load.
                live.asked |= unordered;
                live.told |= !unordered && order != plain;
            } else {
                self.obstacles.unordered |= unordered;
            }
            live.touches.push(Touch {
                guard: live.state.guard(),
                address,
                len,
                write,
                atomic: order != plain,
                user_section: live.user_section,
                section: live.depth > 0,
                spurious: live.spurious,
                inputs: live.world.inputs.clone(),
                loc: self.user_place(&live.thread).1,
            });
        }
        Ok(())
    }

    fn unsupported(&mut self, guard: TermId, what: String) -> Result<(), Stop> {
        if self.obstacles.unsupported.is_none() && self.is_feasible(guard)? {
            self.obstacles.unsupported = Some(what);
        }
        Ok(())
    }

    /// The turn is over: the next step is one that others can notice, or there is none.
    fn pause(&mut self, mut live: Live, todo: &mut Vec<Live>, turn: &mut Turn) {
        let func = live.thread.func;
        if live.thread.halted == Halted::No {
            let used = self.used_from(func);
            forget_dead(&mut live.state.frame, &used[live.thread.at]);
        }
        let (turns, spurious, mut newborn) = (live.turns, live.spurious, std::mem::take(&mut live.newborn));
        commit(&mut live, turn);
        let world = live.put_back();
        if newborn.is_empty() {
            turn.next.push(Next { world, turns, spurious, exit: false });
            return;
        }
        let index = newborn.remove(0);
        let mut next = Live::of(world, index, true);
        (next.newborn, next.turns, next.spurious) = (newborn, turns, spurious);
        todo.push(next);
    }

    /// Control goes to a step of the running call.
    fn go(&mut self, live: &mut Live, from: StepId, to: StepId) -> Then {
        let cfg = &self.evaluator.infos.of(live.thread.func).cfg;
        let block = cfg.block_of[to];
        if block != cfg.block_of[from] {
            live.thread.at = from;
            return self.enter(live, block);
        }
        live.thread.at = to;
        Then::GoesOn
    }

    /// Control enters a block; loops are counted there.
    fn enter(&mut self, live: &mut Live, to: BlockId) -> Then {
        let info = self.evaluator.infos.of(live.thread.func);
        let from = live.thread.at;
        live.thread.at = info.cfg.blocks[to].first;
        let around = info.around(to);
        let rounds = &mut live.state.frame.rounds;
        if around.is_empty() {
            rounds.clear();
            return Then::GoesOn;
        }
        let kept = rounds.iter().zip(around).take_while(|(round, of)| round.of == **of).count();
        rounds.truncate(kept);
        let guard = live.state.path.guard;
        if let Some(of) = info.loops.back_edge(from, to)
            && let Some(at) = rounds.iter().position(|round| round.of == of)
        {
            rounds.truncate(at + 1);
            let bound = self.evaluator.bound_of(&info.loops.loops[of].name);
            let round = &mut rounds[at];
            round.number += 1;
            round.counted += u64::from(round.guard != guard || !round.tested);
            (round.guard, round.tested) = (guard, false);
            live.rounds += 1;
            if round.counted > bound || live.rounds > MAX_ROUNDS {
                return self.cut(live, CutCause::Loop(live.thread.func, of));
            }
            if live.state.goes_round(at, u64::from(live.turns)) {
                self.obstacles.endless = true;
                return live.stop(Halted::Endless);
            }
        }
        for &of in &around[live.state.frame.rounds.len()..] {
            live.state.frame.rounds.push(Round::first(of, guard));
        }
        Then::GoesOn
    }

    /// The thread is cut off here; the others go on.
    fn cut(&mut self, live: &mut Live, cause: CutCause) -> Then {
        self.obstacles.cut = true;
        self.note_cut(live, cause);
        live.stop(Halted::Cut)
    }

    fn note_cut(&mut self, live: &Live, cause: CutCause) {
        let (_, loc) = self.user_place(&live.thread);
        self.obstacles.cuts.insert((cause, loc));
    }

    /// The first thread ends.
    fn note_main_end(&mut self, live: &Live) -> Result<(), Halt> {
        if live.index == 0 {
            self.note_reached(Milestone::EndOfMain, live.state.guard()).map_err(Halt::Stop)?;
        }
        Ok(())
    }

    fn branch(
        &mut self,
        live: &mut Live,
        condition: TermId,
        target: BlockId,
        todo: &mut Vec<Live>,
        turn: &mut Turn,
    ) -> Result<Then, Halt> {
        let (func, at) = (live.thread.func, live.thread.at);
        let info = self.evaluator.infos.of(func);
        let next = info.cfg.block_of[StepId::new(at.index() + 1)];
        if let Some(taken) = self.evaluator.terms.as_bool(condition) {
            let (to, other) = if taken { (target, next) } else { (next, target) };
            for round in &mut live.state.frame.rounds {
                let inside = &info.loops.loops[round.of].blocks;
                round.tested |= info.counts(round.of, at) && !inside.contains(other.index());
            }
            return Ok(self.enter(live, to));
        }
        if target == next {
            return Ok(self.enter(live, target));
        }
        let mut other = live.clone();
        let negated = self.evaluator.terms.not(condition);
        let goes = self.decide(live, condition)?;
        if self.decide(&mut other, negated)? {
            let then = self.enter(&mut other, next);
            self.later(other, then, todo, turn);
        }
        Ok(if goes { self.enter(live, target) } else { Then::Ends })
    }

    /// What parted from the thread at hand waits until that is done.
    fn later(&mut self, live: Live, then: Then, todo: &mut Vec<Live>, turn: &mut Turn) {
        match then {
            Then::GoesOn => todo.push(live),
            Then::Pauses => self.pause(live, todo, turn),
            Then::Ends => {}
        }
    }

    /// Goes on only if a condition holds; false if it cannot.
    fn decide(&mut self, live: &mut Live, condition: TermId) -> Result<bool, Halt> {
        live.state.decide(self.evaluator.terms, condition);
        Ok(!live.state.is_dead() && self.is_feasible(live.state.guard()).map_err(Halt::Stop)?)
    }

    /// A section goes on only if a condition holds.
    fn wait(
        &mut self,
        live: &mut Live,
        condition: TermId,
        waiting: Waiting,
        todo: &mut Vec<Live>,
        turn: &mut Turn,
    ) -> Result<(), Halt> {
        if condition == Terms::TRUE {
            return Ok(());
        }
        let fails = self.evaluator.terms.not(condition);
        let guard = self.evaluator.terms.and_all(&[live.state.guard(), fails]);
        if guard != Terms::FALSE {
            let spurious = waiting.spurious;
            turn.waits.push(Waiting { guard, ..waiting });
            turn.unfinished |= !live.touches.is_empty();
            if spurious {
                let mut woken = live.clone();
                woken.spurious = true;
                woken.thread.spurious += 1;
                if self.decide(&mut woken, fails)? {
                    let at = woken.thread.at;
                    let then = self.go(&mut woken, at, StepId::new(at.index() + 1));
                    self.later(woken, then, todo, turn);
                }
            }
        }
        if !self.decide(live, condition)? {
            live.state.decide(self.evaluator.terms, Terms::FALSE);
        }
        Ok(())
    }

    /// An assumption outside sections: the thread stops for good where it does not hold.
    fn assume(
        &mut self,
        live: &mut Live,
        condition: TermId,
        todo: &mut Vec<Live>,
        turn: &mut Turn,
    ) -> Result<(), Halt> {
        if condition == Terms::TRUE {
            return Ok(());
        }
        let mut stopped = live.clone();
        let fails = self.evaluator.terms.not(condition);
        if self.decide(&mut stopped, fails)? {
            stopped.thread.halted = Halted::Assume;
            self.pause(stopped, todo, turn);
        }
        if !self.decide(live, condition)? {
            live.state.decide(self.evaluator.terms, Terms::FALSE);
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        live: &mut Live,
        running: &Running<'_>,
        dst: Option<RegId>,
        callee: Callee,
        args: &[ExprId],
        todo: &mut Vec<Live>,
        turn: &mut Turn,
    ) -> Result<Then, Halt> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.evaluator.eval(running, &mut live.state, arg)?);
        }
        match callee {
            Callee::Direct(func) => Ok(self.enter_call(live, func, &values, dst)),
            Callee::Indirect(pointer) => {
                let pointer = self.evaluator.eval(running, &mut live.state, pointer)?;
                let callees = self.evaluator.callees(&mut live.state, pointer);
                self.collect(live, turn)?;
                let types: Vec<Ty> = args.iter().map(|&arg| running.info.types[arg]).collect();
                for (func, when) in callees {
                    let mut branch = live.clone();
                    if !self.decide(&mut branch, when)? {
                        continue;
                    }
                    let fitted = self.evaluator.fit_args(func, &values, &types);
                    let then = self.enter_call(&mut branch, func, &fitted, dst);
                    self.later(branch, then, todo, turn);
                }
                Ok(Then::Ends)
            }
        }
    }

    fn enter_call(&mut self, live: &mut Live, func: FuncId, args: &[TermId], dst: Option<RegId>) -> Then {
        let depth = live.thread.callers.as_ref().map_or(0, |caller| caller.depth) + 1;
        if depth > MAX_CALLS {
            self.obstacles.too_deep = true;
            return Then::Ends;
        }
        let guard = live.state.guard();
        let counted = live.calls_of(func).map_or(0, |(entered, counted)| counted + u64::from(entered != guard));
        if counted > self.evaluator.config.unwind {
            return self.cut(live, CutCause::Recursion(func));
        }
        let used = self.used_from(live.thread.func);
        let function = &self.evaluator.program.functions[func];
        let mut frame = self.frame_of(func);
        for (&param, &arg) in function.params.iter().zip(args) {
            frame.regs[param.index()] = Some(arg);
        }
        let mut waiting = std::mem::replace(&mut live.state.frame, frame);
        let at = live.thread.at;
        // What the call writes is not read before; everything else that is not read behind it is dead.
        let next = StepId::new(at.index() + 1);
        if let Some(live_behind) = used.get(next) {
            forget_dead(&mut waiting, live_behind);
        }
        if let Some(dst) = dst {
            waiting.regs[dst.index()] = None;
        }
        let caller = Caller {
            func: live.thread.func,
            at,
            frame: waiting,
            dst,
            callers: live.thread.callers.take(),
            entered: live.thread.entered,
            counted: live.thread.counted,
            depth,
            fingerprint: Default::default(),
        };
        live.thread.callers = Some(Rc::new(caller));
        (live.thread.func, live.thread.at) = (func, StepId::new(0));
        (live.thread.entered, live.thread.counted) = (guard, counted);
        let entry = self.evaluator.infos.of(func).cfg.entry();
        // A function may begin with a loop.
        self.enter(live, entry)
    }

    /// Returns to the caller.
    fn leave(&mut self, live: &mut Live, value: Option<TermId>) -> Then {
        let Some(caller) = live.thread.callers.take() else {
            (live.state.frame, live.thread.halted) = (Frame::default(), Halted::Finished);
            return Then::Pauses;
        };
        let caller = Rc::unwrap_or_clone(caller);
        let program = self.evaluator.program;
        live.state.frame = caller.frame;
        if let Some(dst) = caller.dst {
            let ty = program.functions[caller.func].regs[dst].ty;
            let from = program.functions[live.thread.func].ret;
            let value = match (value, from) {
                (Some(value), Some(from)) => self.evaluator.fit(value, from, ty),
                (_, _) => self.evaluator.variable("res", operators::sort(ty)),
            };
            live.state.frame.regs[dst.index()] = Some(value);
        }
        live.thread.callers = caller.callers;
        (live.thread.func, live.thread.at) = (caller.func, caller.at);
        (live.thread.entered, live.thread.counted) = (caller.entered, caller.counted);
        self.go(live, caller.at, StepId::new(caller.at.index() + 1))
    }

    fn spawn(&mut self, live: &mut Live, func: FuncId, arg: TermId) {
        live.thread.children += 1;
        let key = mix(mix(live.thread.key, 0x59a3), u64::from(live.thread.children));
        let number = self.evaluator.knowledge.thread(key);
        let name = format!("{}.{}", live.thread.name, live.thread.children);
        let function = &self.evaluator.program.functions[func];
        let mut frame = self.frame_of(func);
        if let Some(&param) = function.params.first() {
            frame.regs[param.index()] = Some(arg);
        }
        let thread = Thread::new(number, key, Rc::from(name), func, frame);
        live.newborn.push(live.world.threads.len());
        live.world.threads.push(Rc::new(thread));
    }

    fn end_thread(&mut self, live: &mut Live) {
        loop {
            let func = live.thread.func;
            let function = &self.evaluator.program.functions[func];
            let running = Running { func, function, info: self.evaluator.infos.of(func), key: CallKey::NONE };
            self.evaluator.end_frame(&running, &mut live.state);
            let Some(caller) = live.thread.callers.take() else { break };
            let caller = Rc::unwrap_or_clone(caller);
            (live.state.frame, live.thread.callers) = (caller.frame, caller.callers);
            live.thread.func = caller.func;
        }
        live.state.frame = Frame::default();
        live.thread.halted = Halted::Finished;
        live.depth = 0;
    }

    fn sync(&mut self, live: &mut Live, op: SyncOp, kind: SyncKind, object: TermId) {
        match op {
            SyncOp::Hold => Rc::make_mut(&mut live.world.holds).push(Hold { thread: live.index, object }),
            SyncOp::Unhold => {
                let holds = Rc::make_mut(&mut live.world.holds);
                let own = holds.iter().rposition(|hold| hold.object == object && hold.thread == live.index);
                let held = own.or_else(|| holds.iter().rposition(|hold| hold.object == object));
                if let Some(held) = held {
                    holds.remove(held);
                }
                if kind == SyncKind::Join {
                    self.evaluator.end_thread_locals(&mut live.state);
                }
            }
            SyncOp::Acquire | SyncOp::Release | SyncOp::Refuse | SyncOp::Detach | SyncOp::Destroy => {}
        }
    }
}

impl Live {
    fn of(mut world: World, index: usize, begun: bool) -> Self {
        let mut thread = (*world.threads[index]).clone();
        thread.fingerprint = Default::default();
        thread.frame.rounds.iter_mut().for_each(Round::forget);
        let state = State {
            path: Rc::clone(&world.path),
            frame: std::mem::take(&mut thread.frame),
            store: std::mem::take(&mut world.store),
            own: (),
        };
        Live {
            world,
            index,
            thread,
            state,
            depth: 0,
            begun,
            runs_on: false,
            turns: 0,
            rounds: 0,
            spurious: false,
            user_section: false,
            asked: false,
            told: false,
            touches: Vec::new(),
            newborn: Vec::new(),
        }
    }

    /// The next step that others can notice begins.
    fn begin(&mut self) {
        self.begun = true;
        self.turns += 1;
        (self.user_section, self.asked, self.told) = (false, false, false);
    }

    /// The thread goes no further; the others do. In a section it is as if it had never begun.
    fn stop(&mut self, why: Halted) -> Then {
        if self.depth > 0 {
            return Then::Ends;
        }
        self.thread.halted = why;
        Then::Pauses
    }

    /// Puts the thread and what it did back into the world.
    fn put_back(self) -> World {
        let Live { mut world, index, mut thread, state, .. } = self;
        (world.store, world.path) = (state.store, state.path);
        thread.frame = state.frame;
        world.threads[index] = Rc::new(thread);
        world
    }

    /// The innermost call of a function that has not returned: the guard when it began, and how much it counts.
    fn calls_of(&self, func: FuncId) -> Option<(TermId, u64)> {
        if self.thread.func == func {
            return Some((self.thread.entered, self.thread.counted));
        }
        let mut at = self.thread.callers.as_ref();
        while let Some(caller) = at {
            if caller.func == func {
                return Some((caller.entered, caller.counted));
            }
            at = caller.callers.as_ref();
        }
        None
    }
}

/// What was accessed in a turn that is over may race.
fn commit(live: &mut Live, turn: &mut Turn) {
    let guard = live.state.guard();
    turn.accesses.extend(live.touches.drain(..).map(|touch| Touch { guard, ..touch }));
}

/// Registers that nobody reads any more must not tell worlds apart.
fn forget_dead(frame: &mut Frame, live: &heddle_ir::bits::BitSet) {
    for (index, value) in frame.regs.iter_mut().enumerate() {
        if !live.contains(index) {
            *value = None;
        }
    }
}
