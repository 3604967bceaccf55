//! Publication: an object becomes known to other threads, with what is in it.

use std::rc::Rc;

use heddle_ir::objects::global_object;

use super::state::State;
use super::steps::Unwinder;
use super::{Initial, Publication};
use crate::evaluate::knowledge::Kind;

impl Unwinder<'_, '_> {
    /// Publishes globals, because a thread is about to start.
    pub(super) fn publish_globals(&mut self, state: &mut State) {
        if state.own.concurrent {
            return;
        }
        state.own.concurrent = true;
        for global in self.program.globals.ids() {
            let declared = &self.program.globals[global];
            if !declared.thread_local && !declared.constant {
                self.publish_object(state, global_object(global));
            }
        }
    }

    /// Publishes objects of this thread whose addresses others get to know, and what can be reached from them.
    pub(super) fn publish(&mut self, state: &mut State, objects: &[u32]) {
        for &object in objects {
            let Some(notes) = self.knowledge.notes(object) else { continue };
            let own = notes.owner == self.number && notes.shared && !notes.constant;
            if !own || self.is_global(object) || notes.kind == Kind::Function || state.own.published.contains(&object) {
                continue;
            }
            Rc::make_mut(&mut state.own.published).insert(object);
            self.publish_object(state, object);
        }
    }

    /// Publishes in one state what is published in another.
    pub(super) fn publish_like(&mut self, state: &mut State, other: &State) {
        if other.own.concurrent {
            self.publish_globals(state);
        }
        if !Rc::ptr_eq(&state.own.published, &other.own.published) {
            // An object that this path never made has nothing to publish.
            let missing: Vec<u32> = other.own.published.difference(&state.own.published).copied().collect();
            let made: Vec<u32> = missing.into_iter().filter(|object| state.store.contains_key(object)).collect();
            self.publish(state, &made);
        }
    }

    fn publish_object(&mut self, state: &mut State, object: u32) {
        if !self.knowledge.notes(object).is_some_and(|notes| notes.shared) {
            return;
        }
        let contents = self.own_contents(state, object);
        self.knowledge.publish(object, &contents);
        let node = self.node_before(state);
        let initial = Initial::new(Rc::clone(&contents));
        self.driver.out.publications.push(Publication { node, guard: state.guard(), object, initial });
        for (&at, cell) in &contents.cells {
            let targets = self.addressing().objects(cell.value);
            if !targets.is_empty() {
                self.knowledge.note_targets(object, Some((at, cell.len)), &targets);
                self.publish(state, &targets);
            }
        }
    }
}
