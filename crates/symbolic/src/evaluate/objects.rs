//! Objects that calls make, and their ends.

use std::rc::Rc;

use heddle_base::Id;
use heddle_ir::SlotId;
use heddle_solver::{TermId, Terms};

use super::bounds::upper_bound;
use super::contents::Contents;
use super::knowledge::{Kind, Origin, mix};
use super::{Driver, Evaluator, Outcome, Running, State};
use crate::operators::{self, Unsupported};
use heddle_ir::objects::index_in_thread;
use heddle_ir::value::Pointer;

/// Objects whose size is not a constant may have this many bytes; larger ones are left out.
const MAX_UNKNOWN_SIZE: u64 = 1 << 16;

impl<D: Driver> Evaluator<'_, D> {
    pub(crate) fn slot(&mut self, running: &Running<'_>, state: &mut State<D::Own>, slot: SlotId) -> TermId {
        if let Some(pointer) = state.frame.slots[slot.index()] {
            return pointer;
        }
        let layout = running.function.slots[slot].layout;
        let size = self.program.layouts[layout].size.min((1 << 31) - 1) as u32;
        let object = self.make_object(state, 0x5107 + slot.index() as u64, size, Kind::Slot, false);
        self.knowledge.note_origin(object, Origin::Slot(running.func, slot));
        let pointer = self.terms.bv(64, Pointer::to(object).bits());
        state.frame.slots[slot.index()] = Some(pointer);
        pointer
    }

    /// An object's size in 32 bits, and a bound on it. Larger ones are left out.
    pub(crate) fn object_bound(&mut self, state: &mut State<D::Own>, size: TermId) -> Outcome<(TermId, u32)> {
        if let Some(bytes) = operators::as_bits(self.terms, size) {
            let bound = u32::try_from(bytes).ok().filter(|&bytes| bytes < 1 << 31);
            let bound = bound.ok_or_else(|| Unsupported("an allocation of more than 2 GiB".to_owned()))?;
            return Ok((self.terms.bv(32, u64::from(bound)), bound));
        }
        let told = upper_bound(self.terms, state.guard(), size).unwrap_or(MAX_UNKNOWN_SIZE);
        let most = self.terms.known_bits(size).max(64).min(MAX_UNKNOWN_SIZE).min(told);
        let limit = self.terms.bv(64, most);
        let fits = self.terms.ule(size, limit);
        if fits != Terms::TRUE {
            let beyond = self.terms.not(fits);
            let guard = self.terms.and_all(&[state.guard(), beyond]);
            D::note_unsupported(self, guard, "an allocation whose size has no small bound".to_owned());
            state.decide(self.terms, fits);
        }
        Ok((self.terms.extract(31, 0, size), most as u32))
    }

    pub(crate) fn make_object(
        &mut self,
        state: &mut State<D::Own>,
        salt: u64,
        size: u32,
        kind: Kind,
        zeroed: bool,
    ) -> u32 {
        let object = self.knowledge.object(mix(self.step_key, salt), self.number, size, kind);
        self.knowledge.note_origin(object, Origin::Step(self.site, index_in_thread(object)));
        Rc::make_mut(&mut state.store).insert(object, Rc::new(Contents::new(size, zeroed)));
        object
    }

    pub(crate) fn end_slot(&mut self, running: &Running<'_>, state: &mut State<D::Own>, slot: SlotId, pointer: TermId) {
        let objects = self.addressing().objects(pointer);
        if running.info.escaping[slot] {
            for &object in objects.iter() {
                let here = self.addressing().points_to(pointer, object);
                self.end_life(state, object, here);
            }
        } else {
            // Nobody can ask for it any more.
            let store = Rc::make_mut(&mut state.store);
            for object in objects.iter() {
                store.remove(object);
            }
        }
    }

    pub(crate) fn end_frame(&mut self, running: &Running<'_>, state: &mut State<D::Own>) {
        for (index, pointer) in std::mem::take(&mut state.frame.slots).into_iter().enumerate() {
            if let Some(pointer) = pointer {
                self.end_slot(running, state, SlotId::new(index), pointer);
            }
        }
        for object in std::mem::take(&mut state.frame.allocas) {
            self.end_life(state, object, Terms::TRUE);
        }
    }
}
