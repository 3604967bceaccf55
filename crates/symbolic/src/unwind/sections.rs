//! Atomic sections, waiting in them, and starting threads.

use std::rc::Rc;

use heddle_ir::{FuncId, Property, Section, StepId, SyncKind};
use heddle_solver::{Sort, TermId, Terms};

use super::locks::held_rwlocks;
use super::scope::CodeKey;
use super::state::{OpenSection, State};
use super::steps::{Spawned, Unwinder};
use super::{Blocked, Tick, UnwoundThread};
use crate::evaluate::Running;
use crate::evaluate::knowledge::mix;

impl Unwinder<'_, '_> {
    pub(super) fn begin_section(&mut self, running: &Running<'_>, state: &mut State, at: StepId, kind: Section) {
        if let Some(section) = &mut state.own.section {
            section.depth += 1;
            return;
        }
        let may_stop = running.info.may_stop(at);
        let open = |node, tick, begin| {
            let (writes, told) = (Rc::default(), Terms::FALSE);
            Some(OpenSection { depth: 1, node, tick, begin, writes, kind, asked: false, told, may_stop })
        };
        // A section that may block has a literal of its own: whether it is executed at all.
        if may_stop {
            let go = self.variable("go", Sort::Bool);
            if let Some(end) = self.driver.out.end {
                let mut probe = state.clone();
                let stays = self.terms.not(go);
                probe.decide(self.terms, stays);
                let begin = Rc::clone(&probe.path);
                probe.own.section = open(end, 0, begin);
                probe.own.probe = true;
                self.driver.probe = Some(probe);
            }
            if self.config.properties.contains(Property::Leak) && !state.own.probe {
                let stays = self.terms.not(go);
                let waits = self.terms.and_all(&[state.guard(), stays]);
                self.driver.out.waits.push(waits);
            }
            state.decide(self.terms, go);
        }
        self.driver.out.threads[self.driver.thread].ticks.push(Tick { guard: Terms::FALSE, spurious: Terms::FALSE });
        let node = self.new_node();
        let tick = self.ticks() - 1;
        state.own.section = open(node, tick, Rc::clone(&state.path));
    }

    pub(super) fn end_section(&mut self, state: &mut State) {
        let Some(section) = &mut state.own.section else { return };
        section.depth -= 1;
        if section.depth > 0 {
            return;
        }
        if state.own.probe {
            self.could_move(state);
            return;
        }
        self.executed(state, state.guard());
        let section = state.own.section.take().expect("seen above");
        self.note_unordered(state, &section);
        self.flush(state.guard(), section.node, &section.writes);
    }

    /// A probe found that its thread is not blocked for ever, or not certainly: this is no deadlock.
    pub(super) fn could_move(&mut self, state: &mut State) {
        self.driver.out.stops.push(state.guard());
        state.decide(self.terms, Terms::FALSE);
    }

    /// A section goes on only if a condition holds. `kind` is what is waited for; none at an assumption.
    pub(super) fn wait(
        &mut self,
        state: &mut State,
        condition: TermId,
        spurious: bool,
        kind: Option<(SyncKind, TermId, Option<TermId>)>,
    ) {
        let guard = state.guard();
        if state.own.probe {
            let fails = self.terms.not(condition);
            let stays = self.terms.and_all(&[guard, fails]);
            match kind {
                Some((kind, object, holder)) => {
                    let (thread, lock) = (self.number, kind.is_lock());
                    let site = self.driver.user_site;
                    self.driver.out.blocked.push(Blocked {
                        guard: stays,
                        thread,
                        lock,
                        holder,
                        object,
                        held: held_rwlocks(state),
                        site,
                    });
                }
                None => self.driver.out.stops.push(stays),
            }
            state.decide(self.terms, condition);
            return;
        }
        if spurious {
            // It goes on whatever it finds, so what it finds tells it nothing.
            told(state);
            let fails = self.terms.not(condition);
            let woken = self.terms.and_all(&[guard, fails]);
            if let Some(section) = &state.own.section {
                let tick = &mut self.driver.out.threads[self.driver.thread].ticks[section.tick];
                tick.spurious = self.terms.or(tick.spurious, woken);
            }
            return;
        }
        if condition == Terms::TRUE {
            return;
        }
        let holds = self.terms.implies(guard, condition);
        self.driver.out.constraints.push(holds);
        self.driver.out.requirements.push((guard, condition));
        if condition == Terms::FALSE {
            state.decide(self.terms, Terms::FALSE);
        }
    }

    pub(super) fn spawn(&mut self, state: &mut State, func: FuncId, arg: TermId, code: CodeKey) {
        self.publish_globals(state);
        let objects = self.addressing().objects(arg);
        for &object in objects.iter().filter(|object| !state.own.published.contains(object)) {
            if self.knowledge.notes(object).is_some_and(|notes| notes.owner == self.number) {
                self.knowledge.expect(object);
            }
        }
        self.publish(state, &objects);
        let node = self.node(state);
        let child = self.driver.out.threads.push(UnwoundThread::default());
        let guard = state.guard();
        self.driver.out.threads[self.driver.thread].children.push((guard, child, node));
        let key = mix(self.step_key, 0x59a3);
        let number = self.knowledge.thread(key);
        self.driver.starts.extend(objects.iter().map(|&object| (object, number)));
        self.driver.queue.push_back(Spawned { key, func, arg: Some(arg), guard, code });
    }
}

/// The open section has told how it is ordered with others.
pub(super) fn told(state: &mut State) {
    if let Some(section) = &mut state.own.section {
        section.told = Terms::TRUE;
    }
}
