//! Lives of objects that other threads may end, and who holds what a thread waits for.

use std::rc::Rc;

use heddle_ir::SyncKind;
use heddle_solver::{TermId, Terms};

use super::LIFE;
use super::events::View;
use super::state::State;
use super::steps::Unwinder;
use crate::evaluate::contents::Cell;
use crate::evaluate::{Outcome, Place};

impl Unwinder<'_, '_> {
    /// Whether an object is alive now. Asked only if `when` holds: otherwise nobody may have made it yet.
    pub(super) fn alive(&mut self, state: &mut State, object: u32, when: TermId) -> Outcome<TermId> {
        let Some(notes) = self.knowledge.notes(object) else { return Ok(Terms::FALSE) };
        if notes.owner != self.number && !self.knowledge.ends(object) {
            // Nobody ends its life, but it may have been over when others got to know it.
            self.knowledge.share(object);
            return Ok(self.knowledge.published(object).map_or(Terms::TRUE, |contents| contents.alive));
        }
        match self.view(state, object, Some((LIFE, 1))) {
            View::Own => Ok(self.own_contents(state, object).alive),
            View::Stable(contents) => Ok(contents.alive),
            View::Event => {
                let pointer = self.terms.bv(64, u64::from(object) << 32 | u64::from(LIFE));
                let place = Place { object, when: Terms::TRUE };
                let life = self.read_event(state, pointer, &[place], 1, false, when)?;
                let dead = self.terms.bv(8, 0);
                Ok(self.terms.ne(life, dead))
            }
        }
    }

    /// The life of an object has ended in this state if `when` holds: others may notice.
    pub(super) fn ended(&mut self, state: &mut State, object: u32, when: TermId) {
        if !state.own.probe && self.is_noticed(state, object) {
            self.knowledge.note_writer(object, Some((LIFE, 1)), self.number);
            let pointer = self.terms.bv(64, u64::from(object) << 32 | u64::from(LIFE));
            let value = self.terms.bv(8, 0);
            let cell = Cell { len: 1, value, pointer: false, written: Terms::TRUE };
            self.write_event(state, pointer, Rc::from([object]), cell, when);
        }
    }

    /// Who holds what a probe waits for. Models keep the holder's number first in a lock; a thread holds its own end.
    pub(super) fn holder(&mut self, state: &mut State, kind: SyncKind, object: TermId) -> Outcome<Option<TermId>> {
        let places = self.places(object);
        match kind {
            SyncKind::Mutex | SyncKind::Spinlock => Ok(Some(self.read(state, object, &places, 4, false)?.0)),
            SyncKind::Join => {
                let mut holder = self.terms.bv(32, 0);
                for place in places {
                    if let Some(&number) = self.driver.starts.get(&place.object) {
                        let number = self.terms.bv(32, u64::from(number));
                        holder = self.terms.ite(place.when, number, holder);
                    }
                }
                Ok(Some(holder))
            }
            SyncKind::Condition
            | SyncKind::ReadLock
            | SyncKind::WriteLock
            | SyncKind::Barrier
            | SyncKind::Semaphore
            | SyncKind::Once
            | SyncKind::Other => Ok(None),
        }
    }
}
