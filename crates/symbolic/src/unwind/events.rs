//! Reads and writes of a thread that is executed alone: what it knows is in its store, the rest becomes events.

use std::rc::Rc;

use heddle_ir::value::Pointer;
use heddle_solver::{Bits, Sort, TermId, Terms};

use super::state::{SectionWrite, State};
use super::steps::{Incoming, Unwinder};
use super::{AccessEvent, NodeIx, SuspectKind, arbitrary};
use crate::evaluate::contents::{Cell, Contents};
use crate::evaluate::knowledge::Writers;
use crate::evaluate::{Halt, Outcome, Place};
use crate::operators::{self, Unsupported};

/// What a thread knows of a place.
pub(super) enum View {
    /// It is the only one who writes there: its own store is right.
    Own,
    /// Nobody writes there since it was published.
    Stable(Rc<Contents>),
    /// Others write there.
    Event,
}

impl Unwinder<'_, '_> {
    /// What a state knows of a place in an object; of all places if none is given.
    pub(super) fn view(&mut self, state: &State, object: u32, place: Option<(u32, u32)>) -> View {
        let Some(notes) = self.knowledge.notes(object) else { return View::Event };
        let (owner, shared) = (notes.owner, notes.shared);
        if notes.constant {
            return self.default_contents(object).map_or(View::Event, View::Stable);
        }
        if owner == self.number && (!shared || !self.is_known(state, object)) {
            return View::Own;
        }
        if owner != self.number && !shared {
            self.knowledge.share(object);
        }
        match self.knowledge.writers(object, place) {
            Writers::Nobody => self.knowledge.published(object).map_or(View::Event, View::Stable),
            Writers::Only(writer) if writer == self.number => View::Own,
            Writers::Only(_) | Writers::Many => View::Event,
        }
    }

    /// Whether the state knows all contents of an object.
    pub(super) fn knows(&mut self, state: &State, object: u32) -> bool {
        !matches!(self.view(state, object, None), View::Event)
    }

    /// What a load gives if its place was never written where `missing` holds: anything, where proofs are looked for.
    pub(super) fn unwritten(&mut self, state: &mut State, value: TermId, missing: TermId) -> TermId {
        if self.checked && !state.own.probe {
            self.suspect(state, missing, SuspectKind::Uninit);
            return value;
        }
        let guard = self.terms.and_all(&[state.guard(), missing]);
        self.driver.out.uninitialised.push(guard);
        let sort = self.terms.sort(value);
        let any = self.variable("un", sort);
        let arbitrary = arbitrary(self.terms);
        let instead = self.terms.and_all(&[missing, arbitrary]);
        self.terms.ite(instead, any, value)
    }

    /// Whether other threads can know an object of this thread.
    fn is_known(&self, state: &State, object: u32) -> bool {
        if self.is_global(object) { state.own.concurrent } else { state.own.published.contains(&object) }
    }

    /// Whether others can notice a write of this thread.
    pub(super) fn is_noticed(&mut self, state: &State, object: u32) -> bool {
        let Some(notes) = self.knowledge.notes(object) else { return true };
        let (owner, shared) = (notes.owner, notes.shared);
        if owner != self.number {
            self.knowledge.share(object);
            return true;
        }
        shared && self.is_known(state, object)
    }

    /// Reads a cell, and whether it was ever written.
    pub(super) fn read(
        &mut self,
        state: &mut State,
        pointer: TermId,
        places: &[Place],
        len: u32,
        as_pointer: bool,
    ) -> Outcome<(TermId, TermId)> {
        let offset = operators::offset_of(self.terms, pointer);
        let at = operators::as_bits(self.terms, offset).map(|at| (at as u32, len));
        let mut known: Vec<(TermId, TermId, TermId)> = Vec::new();
        let mut events: Vec<Place> = Vec::new();
        for &place in places {
            let contents = match self.view(state, place.object, at) {
                View::Own => self.own_contents(state, place.object),
                View::Stable(contents) => contents,
                View::Event => {
                    events.push(place);
                    continue;
                }
            };
            let (value, written) = self.addressing().read(&contents, offset, len, as_pointer)?;
            known.push((place.when, value, written));
        }
        let mut result = None;
        if !events.is_empty() {
            self.note_question(state);
            let all = events.len() == places.len();
            let when = if all { Terms::TRUE } else { self.any(&events) };
            result = Some((self.read_event(state, pointer, &events, len, as_pointer, when)?, Terms::TRUE));
        }
        for (when, value, written) in known.into_iter().rev() {
            result = Some(match result {
                None => (value, written),
                Some((other, other_written)) => {
                    (self.terms.ite(when, value, other), self.terms.ite(when, written, other_written))
                }
            });
        }
        result.ok_or_else(|| Halt::Unsupported(Unsupported("an access through a pointer to nothing".to_owned())))
    }

    pub(super) fn any(&mut self, places: &[Place]) -> TermId {
        let conditions: Vec<TermId> = places.iter().map(|place| place.when).collect();
        self.terms.or_all(&conditions)
    }

    /// A read whose value others decide.
    pub(super) fn read_event(
        &mut self,
        state: &State,
        pointer: TermId,
        places: &[Place],
        len: u32,
        as_pointer: bool,
        when: TermId,
    ) -> Outcome<TermId> {
        let Some(section) = state.own.section.clone() else {
            return Ok(self.new_read(state, state.guard(), pointer, places, len, as_pointer, when));
        };
        // What the section wrote itself comes first, from the last write back.
        let mut overlaid: Vec<(TermId, TermId)> = Vec::new();
        let mut covered = false;
        for write in section.writes.iter().rev() {
            let same = self.same_place(pointer, len, write)?;
            let taken = self.terms.and_all(&[same, write.made]);
            if taken == Terms::FALSE {
                continue;
            }
            let value = self.addressing().convert(write.value, write.pointer, as_pointer);
            overlaid.push((taken, value));
            if taken == Terms::TRUE {
                covered = true;
                break;
            }
        }
        let mut value = if covered {
            overlaid.pop().expect("something covers").1
        } else {
            self.incoming(state, pointer, places, len, as_pointer, when)
        };
        for (taken, written) in overlaid.into_iter().rev() {
            value = self.terms.ite(taken, written, value);
        }
        Ok(value)
    }

    /// Whether a write in the section is at the place that is read.
    fn same_place(&mut self, pointer: TermId, len: u32, write: &SectionWrite) -> Outcome<TermId> {
        let same = self.terms.eq(pointer, write.address);
        if write.len == len {
            // Cells of one size either are one or do not touch, where they are aligned.
            return Ok(same);
        }
        let constants = operators::as_bits(self.terms, pointer).zip(operators::as_bits(self.terms, write.address));
        let apart = match constants {
            Some((a, b)) => {
                let (a, b) = (Pointer::from_bits(a as u64), Pointer::from_bits(b as u64));
                let (lo, hi) = (i64::from(a.offset), i64::from(a.offset) + i64::from(len));
                let (start, end) = (i64::from(b.offset), i64::from(b.offset) + i64::from(write.len));
                a.object != b.object || hi <= start || end <= lo
            }
            None => {
                let objects = self.addressing().objects(pointer);
                !objects.iter().any(|object| write.objects.contains(object))
            }
        };
        if apart {
            return Ok(Terms::FALSE);
        }
        Err(Unsupported("accesses of different sizes to one place in one atomic section".to_owned()).into())
    }

    /// What a place held before the section began.
    fn incoming(
        &mut self,
        state: &State,
        pointer: TermId,
        places: &[Place],
        len: u32,
        as_pointer: bool,
        when: TermId,
    ) -> TermId {
        let section = state.own.section.as_ref().expect("asked in sections");
        let (node, begin) = (section.node, Rc::clone(&section.begin));
        let known = self.driver.incoming.entry(node).or_default();
        let found = known.iter().find(|read| {
            read.address == pointer
                && read.len == len
                && read.pointer == as_pointer
                && read.when == when
                && read.path.is_prefix_of(&state.path)
        });
        if let Some(found) = found {
            return found.value;
        }
        // A global can be read on every path through the section, so that all paths share the read.
        let early = places.iter().all(|place| self.is_global(place.object)) && self.terms.as_const(pointer).is_some();
        let path = if early { begin } else { Rc::clone(&state.path) };
        let value = self.new_read(state, path.guard, pointer, places, len, as_pointer, when);
        let read = Incoming { address: pointer, len, pointer: as_pointer, value, when, path };
        self.driver.incoming.entry(node).or_default().push(read);
        value
    }

    #[allow(clippy::too_many_arguments)]
    fn new_read(
        &mut self,
        state: &State,
        guard: TermId,
        pointer: TermId,
        places: &[Place],
        len: u32,
        as_pointer: bool,
        when: TermId,
    ) -> TermId {
        let width = if as_pointer { 64 } else { 8 * len };
        let value = self.variable("rd", Sort::BitVec(width));
        let offset = operators::offset_of(self.terms, pointer);
        let at = operators::as_bits(self.terms, offset).map(|at| (at as u32, len));
        let mut targets = Vec::new();
        for place in places {
            self.knowledge.targets(place.object, at, &mut targets);
        }
        targets.sort_unstable();
        targets.dedup();
        let used = self.targets.was_used(value);
        self.knowledge.note_pointees(value, targets.into(), used);
        let node = self.node(state);
        let guard = self.terms.and_all(&[guard, when]);
        let objects = places.iter().map(|place| place.object).collect();
        let checked = self.checked && !state.own.probe;
        let event = AccessEvent {
            node,
            guard,
            write: false,
            address: pointer,
            objects,
            len,
            pointer: as_pointer,
            value,
            checked,
        };
        self.driver.out.accesses.push(event);
        value
    }

    /// Writes a cell.
    pub(super) fn write(&mut self, state: &mut State, pointer: TermId, places: &[Place], cell: Cell) -> Outcome<()> {
        let offset = operators::offset_of(self.terms, pointer);
        let at = operators::as_bits(self.terms, offset).map(|at| (at as u32, cell.len));
        let mut noticed: Vec<Place> = Vec::new();
        for &place in places {
            if state.own.probe {
                // Seen by the probe alone, as everything it does.
                noticed.push(place);
            } else if self.is_noticed(state, place.object) {
                let targets = self.addressing().objects(cell.value);
                self.publish(state, &targets);
                self.knowledge.note_writer(place.object, at, self.number);
                self.knowledge.note_targets(place.object, at, &targets);
                noticed.push(place);
                if self.knowledge.is_contended(place.object, at) {
                    continue;
                }
            }
            self.write_own(state, place, offset, cell)?;
        }
        if !noticed.is_empty() {
            self.note_question(state);
            let all = noticed.len() == places.len();
            let when = if all { Terms::TRUE } else { self.any(&noticed) };
            let objects = noticed.iter().map(|place| place.object).collect();
            self.write_event(state, pointer, objects, cell, when);
        }
        Ok(())
    }

    pub(super) fn write_event(
        &mut self,
        state: &mut State,
        pointer: TermId,
        objects: Rc<[u32]>,
        cell: Cell,
        when: TermId,
    ) {
        if state.own.probe && state.own.section.is_none() {
            return;
        }
        let write = SectionWrite {
            address: pointer,
            objects,
            len: cell.len,
            pointer: cell.pointer,
            value: cell.value,
            made: when,
        };
        let Some(section) = &mut state.own.section else {
            let node = self.node(state);
            self.flush(state.guard(), node, &[write]);
            return;
        };
        let at = self.terms.as_const(pointer).and_then(Bits::to_u64);
        let writes = Rc::make_mut(&mut section.writes);
        // A later write of the same cell replaces an earlier one, unless something that may touch it lies between.
        let touches = |old: &SectionWrite| match (at, self.terms.as_const(old.address).and_then(Bits::to_u64)) {
            (Some(at), Some(before)) => at < before + u64::from(old.len) && before < at + u64::from(write.len),
            _ => true,
        };
        let known = writes.iter().rposition(touches);
        if let Some(old) = known.filter(|_| at.is_some()).map(|index| &mut writes[index])
            && old.address == pointer
            && old.len == write.len
            && old.pointer == write.pointer
        {
            old.value = self.terms.ite(when, write.value, old.value);
            old.made = self.terms.or(when, old.made);
            return;
        }
        writes.push(write);
    }

    /// What a section wrote becomes visible.
    pub(super) fn flush(&mut self, guard: TermId, node: NodeIx, writes: &[SectionWrite]) {
        for (i, write) in writes.iter().enumerate() {
            let mut made = vec![guard, write.made];
            // Only the last write of a place is seen. Bytes of it that a shorter one covers are left to those who cut it.
            for later in writes[i + 1..].iter().filter(|later| later.len >= write.len) {
                let same = self.terms.eq(write.address, later.address);
                let again = self.terms.and_all(&[same, later.made]);
                made.push(self.terms.not(again));
            }
            let guard = self.terms.and_all(&made);
            if guard == Terms::FALSE {
                continue;
            }
            let (address, objects) = (write.address, Rc::clone(&write.objects));
            let (len, pointer, value) = (write.len, write.pointer, write.value);
            let event = AccessEvent { node, guard, write: true, address, objects, len, pointer, value, checked: false };
            self.driver.out.accesses.push(event);
        }
    }
}
