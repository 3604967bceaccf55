//! Accesses: what a state knows it reads from its own store, the rest becomes events.

use std::rc::Rc;

use heddle_ir::{AllocKind, ConstValue, GlobalId, LayoutId, SyncKind, Ty};
use heddle_solver::{Bits, Sort, TermId, Terms};

use super::contents::{Cell, Contents, Known};
use super::knowledge::{Kind, Origin, Writers, thread_local_key};
use super::memory::Initial;
use super::state::{SectionWrite, State};
use super::steps::{Halt, Incoming, Outcome, Unwinder};
use super::{AccessEvent, LIFE, NodeIx, Publication, SuspectKind, arbitrary};
use crate::operators::{self, Unsupported};
use heddle_ir::objects::{func_object, global_object};
use heddle_ir::value::Pointer;

/// Copies and fills of more bytes than this, where they are not of one whole cell each, are not unwound.
const MAX_BYTES: u64 = 1 << 16;

/// What a thread knows of a place.
pub(super) enum View {
    /// It is the only one who writes there: its own store is right.
    Own,
    /// Nobody writes there since it was published.
    Stable(Rc<Contents>),
    /// Others write there.
    Event,
}

/// An object that a pointer can point into, and whether it does.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) object: u32,
    pub(super) when: TermId,
}

impl Unwinder<'_> {
    /// `*pointer`.
    pub(super) fn load(&mut self, state: &mut State, pointer: TermId, ty: Ty) -> Outcome<TermId> {
        let len = ty.size(self.program.model) as u32;
        if let Some((object, at)) = self.cell_of(state, pointer, len)
            && let Some(cell) = state.store[&object].exact(at, len)
            && (cell.pointer, cell.written) == (ty == Ty::Ptr && self.ilp32(), Terms::TRUE)
        {
            return Ok(cell.value);
        }
        let places = self.places(pointer);
        self.check(state, pointer, &places, len, false)?;
        if state.is_dead() {
            return Ok(operators::constant(self.terms, ty, 0));
        }
        let (value, written) = self.read(state, pointer, &places, len, ty == Ty::Ptr && self.ilp32())?;
        if written != Terms::TRUE {
            let missing = self.terms.not(written);
            if self.checked && !state.probe {
                self.suspect(state, missing, SuspectKind::Uninit);
            } else {
                let guard = self.terms.and_all(&[state.guard(), missing]);
                self.out.uninitialised.push(guard);
                // One state of all threads is what the machine has: zeros.
                if !self.alone {
                    let sort = self.terms.sort(value);
                    let any = self.variable("un", sort);
                    let arbitrary = arbitrary(self.terms);
                    let instead = self.terms.and_all(&[missing, arbitrary]);
                    return Ok(self.terms.ite(instead, any, value));
                }
            }
        }
        Ok(value)
    }

    /// `*pointer = value`.
    pub(super) fn store(&mut self, state: &mut State, pointer: TermId, ty: Ty, value: TermId) -> Outcome<()> {
        let len = ty.size(self.program.model) as u32;
        let cell = Cell { len, value, pointer: ty == Ty::Ptr && self.ilp32(), written: Terms::TRUE };
        if let Some((object, at)) = self.cell_of(state, pointer, len) {
            let contents = Rc::make_mut(&mut state.store).get_mut(&object).expect("it has a cell");
            Rc::make_mut(contents).put(at, cell);
            return Ok(());
        }
        let places = self.places(pointer);
        self.check(state, pointer, &places, len, true)?;
        if state.is_dead() {
            return Ok(());
        }
        self.write(state, pointer, &places, cell)
    }

    /// Where an access is to exactly one cell that is certain to be there and that nothing else is asked of: by far the most
    /// are, where one state holds everything. They need nothing of what follows.
    fn cell_of(&self, state: &State, pointer: TermId, len: u32) -> Option<(u32, u32)> {
        if !self.alone || self.access.is_some() || state.probe {
            return None;
        }
        let pointer = Pointer::from_bits(self.terms.as_const(pointer)?.to_u64()?);
        let (object, at) = (pointer.object, u32::try_from(pointer.offset).ok()?);
        let contents = state.store.get(&object)?;
        let certain = contents.alive == Terms::TRUE && self.knowledge.unknown_size(object).is_none();
        (certain && contents.exact(at, len).is_some()).then_some((object, at))
    }

    /// The objects that a pointer can point into.
    fn places(&mut self, pointer: TermId) -> Vec<Place> {
        if let Some(bits) = operators::as_bits(self.terms, pointer) {
            let object = Pointer::from_bits(bits as u64).object;
            let known = object != 0 && self.knowledge.notes(object).is_some();
            return known.then_some(Place { object, when: Terms::TRUE }).into_iter().collect();
        }
        let objects = self.addressing().objects(pointer);
        let mut places = Vec::with_capacity(objects.len());
        for &object in objects.iter() {
            let when = self.addressing().points_to(pointer, object);
            if when != Terms::FALSE {
                places.push(Place { object, when });
            }
        }
        places
    }

    /// An access of `len` bytes is wrong unless it lies in a live object.
    fn check(&mut self, state: &mut State, pointer: TermId, places: &[Place], len: u32, write: bool) -> Outcome<()> {
        let offset = operators::offset_of(self.terms, pointer);
        let mut valid = Vec::new();
        for place in places {
            let Some(notes) = self.knowledge.notes(place.object) else { continue };
            let (size, kind, constant) = (notes.size, notes.kind, notes.constant);
            if kind == Kind::Function || (constant && write) {
                continue;
            }
            let inside = match self.knowledge.unknown_size(place.object) {
                Some(size) => {
                    let len = self.terms.bv(32, u64::from(len));
                    let room = self.terms.ule(len, size);
                    let last = self.terms.sub(size, len);
                    let before = self.terms.ule(offset, last);
                    self.terms.and_all(&[room, before])
                }
                None => {
                    let Some(last) = size.checked_sub(len) else { continue };
                    match operators::as_bits(self.terms, offset) {
                        Some(offset) => self.terms.bool(offset <= u128::from(last)),
                        None => {
                            let last = self.terms.bv(32, u64::from(last));
                            self.terms.ule(offset, last)
                        }
                    }
                }
            };
            let alive = self.alive(state, place.object, place.when)?;
            valid.push(self.terms.and_all(&[place.when, inside, alive]));
        }
        let valid = self.terms.or_all(&valid);
        if valid != Terms::TRUE {
            let wrong = self.terms.not(valid);
            self.suspect(state, wrong, SuspectKind::Memory);
        }
        if let Some(access) = self.access {
            self.note_access(state, pointer, places, (len, write), access);
        }
        Ok(())
    }

    /// What a state knows of a place in an object; of all places if none is given.
    pub(super) fn view(&mut self, state: &State, object: u32, place: Option<(u32, u32)>) -> View {
        let Some(notes) = self.knowledge.notes(object) else { return View::Event };
        let (owner, shared) = (notes.owner, notes.shared);
        if notes.constant {
            return self.default_contents(object).map_or(View::Event, View::Stable);
        }
        if self.alone {
            return View::Own;
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

    /// Whether other threads can know an object of this thread.
    fn is_known(&self, state: &State, object: u32) -> bool {
        if self.is_global(object) { state.concurrent } else { state.published.contains(&object) }
    }

    /// Whether an object is a global that all threads share.
    pub(super) fn is_global(&self, object: u32) -> bool {
        object as usize <= self.program.globals.len()
    }

    /// Whether others can notice a write of this thread.
    pub(super) fn is_noticed(&mut self, state: &State, object: u32) -> bool {
        if self.alone {
            return false;
        }
        let Some(notes) = self.knowledge.notes(object) else { return true };
        let (owner, shared) = (notes.owner, notes.shared);
        if owner != self.number {
            self.knowledge.share(object);
            return true;
        }
        shared && self.is_known(state, object)
    }

    /// An object's contents in a state that did not write there.
    pub(super) fn default_contents(&mut self, object: u32) -> Option<Rc<Contents>> {
        let notes = self.knowledge.notes(object)?;
        // Others begin with what it published, not with what the program began with.
        if notes.owner != self.number && !notes.constant && !self.alone {
            return self.knowledge.published(object);
        }
        if notes.kind != Kind::Global {
            return None;
        }
        if let Some(contents) = self.initial.get(&object) {
            return Some(Rc::clone(contents));
        }
        let Some(Origin::Global(global)) = self.knowledge.origin(self.program, object) else { return None };
        let contents = self.initial_of(global);
        self.initial.insert(object, Rc::clone(&contents));
        Some(contents)
    }

    /// What is in a global before the program starts.
    fn initial_of(&mut self, global: GlobalId) -> Rc<Contents> {
        let program = self.program;
        let declared = &program.globals[global];
        let mut contents = Contents::new(declared.size.min((1 << 31) - 1) as u32, !declared.external);
        let pointer_size = program.model.pointer_size() as u32;
        let ilp32 = self.ilp32();
        for item in &declared.init {
            let at = item.offset as u32;
            let address = |pointer: Pointer| (pointer_size, u128::from(pointer.bits()), ilp32);
            let (len, bits, pointer) = match &item.value {
                ConstValue::Scalar { ty, bits } => (ty.size(program.model) as u32, *bits, *ty == Ty::Ptr && ilp32),
                ConstValue::Global { global, offset } => address(Pointer::to(global_object(*global)).plus(*offset)),
                ConstValue::Func(func) => address(Pointer::to(func_object(program, *func))),
                ConstValue::Bytes(bytes) => {
                    for (i, &byte) in bytes.iter().enumerate() {
                        let value = self.terms.bv(8, u64::from(byte));
                        let cell = Cell { len: 1, value, pointer: false, written: Terms::TRUE };
                        if at + i as u32 >= contents.size {
                            break;
                        }
                        self.addressing().write_at(&mut contents, at + i as u32, cell);
                    }
                    continue;
                }
            };
            if at + len > contents.size {
                continue;
            }
            let value = self.terms.constant(Bits::from_u128(if pointer { 64 } else { 8 * len }, bits));
            self.addressing().write_at(&mut contents, at, Cell { len, value, pointer, written: Terms::TRUE });
        }
        Rc::new(contents)
    }

    /// An object's contents as this thread knows them.
    fn own_contents(&mut self, state: &State, object: u32) -> Rc<Contents> {
        if let Some(contents) = state.store.get(&object) {
            return Rc::clone(contents);
        }
        let size = self.knowledge.notes(object).map_or(0, |notes| notes.size);
        self.default_contents(object).unwrap_or_else(|| Rc::new(Contents::new(size, false)))
    }

    /// Reads a cell, and whether it was ever written.
    fn read(
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
    fn read_event(
        &mut self,
        state: &State,
        pointer: TermId,
        places: &[Place],
        len: u32,
        as_pointer: bool,
        when: TermId,
    ) -> Outcome<TermId> {
        let Some(section) = state.section.clone() else {
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
        let section = state.section.as_ref().expect("asked in sections");
        let (node, begin) = (section.node, Rc::clone(&section.begin));
        let known = self.incoming.entry(node).or_default();
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
        self.incoming.entry(node).or_default().push(read);
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
        let checked = self.checked && !state.probe;
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
        self.out.accesses.push(event);
        value
    }

    /// Writes a cell.
    fn write(&mut self, state: &mut State, pointer: TermId, places: &[Place], cell: Cell) -> Outcome<()> {
        let offset = operators::offset_of(self.terms, pointer);
        let at = operators::as_bits(self.terms, offset).map(|at| (at as u32, cell.len));
        let mut noticed: Vec<Place> = Vec::new();
        for &place in places {
            if state.probe {
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
            if !state.store.contains_key(&place.object) {
                let contents = self.own_contents(state, place.object);
                Rc::make_mut(&mut state.store).insert(place.object, contents);
            }
            // Copied only if another state has it too.
            let contents = Rc::make_mut(&mut state.store).get_mut(&place.object).expect("it was put there");
            self.addressing().write(Rc::make_mut(contents), offset, cell, place.when)?;
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

    fn write_event(&mut self, state: &mut State, pointer: TermId, objects: Rc<[u32]>, cell: Cell, when: TermId) {
        if state.probe && state.section.is_none() {
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
        let Some(section) = &mut state.section else {
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
            self.out.accesses.push(event);
        }
    }

    // Publication.

    /// Publishes globals, because a thread is about to start.
    pub(super) fn publish_globals(&mut self, state: &mut State) {
        if state.concurrent {
            return;
        }
        state.concurrent = true;
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
            if !own || self.is_global(object) || notes.kind == Kind::Function || state.published.contains(&object) {
                continue;
            }
            Rc::make_mut(&mut state.published).insert(object);
            self.publish_object(state, object);
        }
    }

    /// Publishes in one state what is published in another.
    pub(super) fn publish_like(&mut self, state: &mut State, other: &State) {
        if other.concurrent {
            self.publish_globals(state);
        }
        if !Rc::ptr_eq(&state.published, &other.published) {
            // An object that this path never made has nothing to publish.
            let missing: Vec<u32> = other.published.difference(&state.published).copied().collect();
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
        self.out.publications.push(Publication { node, guard: state.guard(), object, initial });
        for (&at, cell) in &contents.cells {
            let targets = self.addressing().objects(cell.value);
            if !targets.is_empty() {
                self.knowledge.note_targets(object, Some((at, cell.len)), &targets);
                self.publish(state, &targets);
            }
        }
    }

    // Lives.

    /// Whether an object is alive now. Asked only if `when` holds: otherwise nobody may have made it yet.
    fn alive(&mut self, state: &mut State, object: u32, when: TermId) -> Outcome<TermId> {
        let Some(notes) = self.knowledge.notes(object) else { return Ok(Terms::FALSE) };
        let (owner, kind, constant) = (notes.owner, notes.kind, notes.constant);
        if constant || kind == Kind::Function || self.is_global(object) {
            return Ok(Terms::TRUE);
        }
        if !self.alone && owner != self.number && !self.knowledge.ends(object) {
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

    /// Ends the life of an object if `when` holds.
    pub(super) fn end_life(&mut self, state: &mut State, object: u32, when: TermId) {
        let mut contents = self.own_contents(state, object);
        let goes_on = self.terms.not(when);
        let changed = Rc::make_mut(&mut contents);
        changed.alive = self.terms.and_all(&[changed.alive, goes_on]);
        changed.known = Known::default();
        if when == Terms::TRUE && !self.is_noticed(state, object) {
            changed.cells.clear();
        }
        Rc::make_mut(&mut state.store).insert(object, contents);
        if !state.probe && self.is_noticed(state, object) {
            self.knowledge.note_writer(object, Some((LIFE, 1)), self.number);
            let pointer = self.terms.bv(64, u64::from(object) << 32 | u64::from(LIFE));
            let value = self.terms.bv(8, 0);
            let cell = Cell { len: 1, value, pointer: false, written: Terms::TRUE };
            self.write_event(state, pointer, Rc::from([object]), cell, when);
        }
    }

    /// Ends the lives of the thread's own variables.
    pub(super) fn end_thread_locals(&mut self, state: &mut State) {
        let program = self.program;
        for (global, declared) in program.globals.iter_enumerated() {
            if declared.thread_local {
                let object = self.thread_local(global);
                self.end_life(state, object, Terms::TRUE);
            }
        }
    }

    /// The running thread's instance of a thread-local variable.
    pub(super) fn thread_local(&mut self, global: GlobalId) -> u32 {
        let key = thread_local_key(self.thread_key, global);
        let size = self.program.globals[global].size.min((1 << 31) - 1) as u32;
        let object = self.knowledge.object(key, self.number, size, Kind::Global);
        self.knowledge.note_origin(object, Origin::Global(global));
        object
    }

    /// Who holds what a probe waits for. Models keep the holder's number first in a lock; a thread holds its own end.
    pub(super) fn holder(&mut self, state: &mut State, kind: SyncKind, object: TermId) -> Outcome<Option<TermId>> {
        let places = self.places(object);
        match kind {
            SyncKind::Mutex | SyncKind::Spinlock => Ok(Some(self.read(state, object, &places, 4, false)?.0)),
            SyncKind::Join => {
                let mut holder = self.terms.bv(32, 0);
                for place in places {
                    if let Some(&number) = self.starts.get(&place.object) {
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

    /// `free(pointer)`.
    pub(super) fn free(&mut self, state: &mut State, pointer: TermId, kind: AllocKind) -> Outcome<()> {
        let null = self.terms.bv(64, 0);
        let mut right = vec![self.terms.eq(pointer, null)];
        let places = self.places(pointer);
        let mut ended = Vec::new();
        for place in places {
            if !self.knowledge.notes(place.object).is_some_and(|notes| notes.kind == Kind::Alloc(kind)) {
                continue;
            }
            let start = self.terms.bv(64, Pointer::to(place.object).bits());
            let here = self.terms.eq(pointer, start);
            let alive = self.alive(state, place.object, here)?;
            right.push(self.terms.and_all(&[here, alive]));
            ended.push((place.object, here));
        }
        let right = self.terms.or_all(&right);
        let wrong = self.terms.not(right);
        self.suspect(state, wrong, SuspectKind::Memory);
        for (object, here) in ended {
            self.note_free(state, object, here, kind);
            self.end_life(state, object, here);
        }
        Ok(())
    }

    /// The size of the object that a pointer points into; 0 if there is none.
    pub(super) fn object_size(&mut self, state: &mut State, pointer: TermId) -> Outcome<TermId> {
        let mut size = self.terms.bv(64, 0);
        for place in self.places(pointer) {
            let Some(bytes) = self.knowledge.notes(place.object).map(|notes| notes.size) else { continue };
            let alive = self.alive(state, place.object, place.when)?;
            let here = self.terms.and_all(&[place.when, alive]);
            let bytes = match self.knowledge.unknown_size(place.object) {
                Some(size) => self.terms.zero_ext(size, 32),
                None => self.terms.bv(64, u64::from(bytes)),
            };
            size = self.terms.ite(here, bytes, size);
        }
        Ok(size)
    }

    // Blocks of memory.

    pub(super) fn copy(
        &mut self,
        state: &mut State,
        to: TermId,
        from: TermId,
        len: TermId,
        layout: Option<LayoutId>,
    ) -> Outcome<()> {
        let len = self.constant_length(len)?;
        if len == 0 {
            return Ok(());
        }
        let (sources, targets) = (self.places(from), self.places(to));
        self.check(state, from, &sources, len, false)?;
        self.check(state, to, &targets, len, true)?;
        if state.is_dead() {
            return Ok(());
        }
        let pieces = self.pieces(state, from, &sources, len, layout)?;
        // All is read before anything is written: the regions may overlap.
        let mut cells = Vec::new();
        for (at, len, pointer) in pieces {
            let source = self.plus(from, at)?;
            let (value, written) = self.read(state, source, &sources, len, pointer)?;
            cells.push((at, Cell { len, value, pointer, written }));
        }
        for (at, cell) in cells {
            let target = self.plus(to, at)?;
            self.write(state, target, &targets, cell)?;
        }
        Ok(())
    }

    pub(super) fn fill(
        &mut self,
        state: &mut State,
        to: TermId,
        byte: TermId,
        len: TermId,
        layout: Option<LayoutId>,
    ) -> Outcome<()> {
        let len = self.constant_length(len)?;
        if len == 0 {
            return Ok(());
        }
        let targets = self.places(to);
        self.check(state, to, &targets, len, true)?;
        if state.is_dead() {
            return Ok(());
        }
        // A whole object of this thread that becomes zero: no cells at all.
        let zero = self.terms.bv(8, 0);
        if let [place] = targets[..]
            && byte == zero
            && self.terms.as_const(to).is_some()
            && !self.is_noticed(state, place.object)
            && self.knowledge.notes(place.object).is_some_and(|notes| notes.size == len)
        {
            let alive = self.own_contents(state, place.object).alive;
            let contents = Contents { alive, ..Contents::new(len, true) };
            Rc::make_mut(&mut state.store).insert(place.object, Rc::new(contents));
            return Ok(());
        }
        for (at, len, pointer) in self.pieces(state, to, &targets, len, layout)? {
            let target = self.plus(to, at)?;
            let mut value = byte;
            for _ in 1..len {
                value = self.terms.concat(byte, value);
            }
            let value = self.addressing().convert(value, false, pointer);
            self.write(state, target, &targets, Cell { len, value, pointer, written: Terms::TRUE })?;
        }
        Ok(())
    }

    fn constant_length(&mut self, len: TermId) -> Outcome<u32> {
        match operators::as_bits(self.terms, len) {
            Some(len) if len < 1 << 31 => Ok(len as u32),
            Some(_) => Err(Unsupported("a block of more than 2 GiB".to_owned()).into()),
            None => Err(Unsupported("a block of memory whose size is not a constant".to_owned()).into()),
        }
    }

    fn plus(&mut self, pointer: TermId, bytes: u32) -> Outcome<TermId> {
        let bytes = self.terms.bv(64, u64::from(bytes));
        Ok(operators::binary(self.terms, heddle_ir::BinOp::PtrAdd, Ty::Ptr, pointer, bytes)?)
    }

    /// How a block of memory falls into cells: as its layout says, or as what is there, or by bytes.
    fn pieces(
        &mut self,
        state: &State,
        pointer: TermId,
        places: &[Place],
        len: u32,
        layout: Option<LayoutId>,
    ) -> Outcome<Vec<(u32, u32, bool)>> {
        if let Some(layout) = layout {
            let mut pieces = Vec::new();
            if self.leaves(layout, 0, &mut pieces) {
                return Ok(pieces);
            }
        }
        if let [place] = places
            && let Some(bits) = operators::as_bits(self.terms, pointer)
            && !matches!(self.view(state, place.object, None), View::Event)
        {
            let start = Pointer::from_bits(bits as u64).offset as u32;
            let contents = self.own_contents(state, place.object);
            let mut pieces = Vec::new();
            let mut next = start;
            for (at, cell) in contents.overlapping(start, len) {
                let (lo, hi) = (at.max(start), (at + cell.len).min(start + len));
                gap(next, lo, start, &mut pieces);
                let whole = lo == at && hi == at + cell.len;
                pieces.push((lo - start, hi - lo, cell.pointer && whole));
                next = hi;
            }
            gap(next, start + len, start, &mut pieces);
            return Ok(pieces);
        }
        if u64::from(len) > MAX_BYTES {
            return Err(Unsupported(format!("a block of {len} bytes of shared memory")).into());
        }
        Ok((0..len).map(|at| (at, 1, false)).collect())
    }
}

/// Bytes that no cell covers, in words.
fn gap(from: u32, to: u32, start: u32, pieces: &mut Vec<(u32, u32, bool)>) {
    let mut at = from;
    while at < to {
        let len = (to - at).min(8);
        pieces.push((at - start, len, false));
        at += len;
    }
}
