//! Accesses to memory: which objects a pointer can point into, whether an access is valid, blocks of memory, lives.

use std::rc::Rc;

use heddle_ir::{AllocKind, ConstValue, GlobalId, LayoutId, Ty};
use heddle_solver::{Bits, TermId, Terms};

use super::contents::{Cell, Contents, Known};
use super::knowledge::{Kind, Origin, thread_local_key};
use super::{Driver, Evaluator, Foreign, Halt, Outcome, Reach, State, SuspectKind};
use crate::operators::{self, Unsupported};
use heddle_ir::objects::{func_object, global_object};
use heddle_ir::value::Pointer;

/// Copies and fills of more bytes than this, where they are not of one whole cell each, are not unwound.
const MAX_BYTES: u64 = 1 << 16;

/// An object that a pointer can point into, and whether it does.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) object: u32,
    pub(crate) when: TermId,
}

impl<D: Driver> Evaluator<'_, D> {
    /// `*pointer`.
    pub(crate) fn load(&mut self, state: &mut State<D::Own>, pointer: TermId, ty: Ty) -> Outcome<TermId> {
        let len = ty.size(self.program.model) as u32;
        if let Some((object, at)) = D::certain_cell(self, state, pointer, len)
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
        let as_pointer = ty == Ty::Ptr && self.ilp32();
        let (value, written) = D::read(self, state, &Reach { pointer, places: &places, len }, as_pointer)?;
        if written == Terms::TRUE {
            return Ok(value);
        }
        let missing = self.terms.not(written);
        Ok(D::unwritten(self, state, value, missing))
    }

    /// `*pointer = value`.
    pub(crate) fn store(&mut self, state: &mut State<D::Own>, pointer: TermId, ty: Ty, value: TermId) -> Outcome<()> {
        let len = ty.size(self.program.model) as u32;
        let cell = Cell { len, value, pointer: ty == Ty::Ptr && self.ilp32(), written: Terms::TRUE };
        if let Some((object, at)) = D::certain_cell(self, state, pointer, len) {
            let contents = Rc::make_mut(&mut state.store).get_mut(&object).expect("it has a cell");
            Rc::make_mut(contents).put(at, cell);
            return Ok(());
        }
        let places = self.places(pointer);
        self.check(state, pointer, &places, len, true)?;
        if state.is_dead() {
            return Ok(());
        }
        D::write(self, state, &Reach { pointer, places: &places, len }, cell)
    }

    /// The objects that a pointer can point into.
    pub(crate) fn places(&mut self, pointer: TermId) -> Vec<Place> {
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
    fn check(
        &mut self,
        state: &mut State<D::Own>,
        pointer: TermId,
        places: &[Place],
        len: u32,
        write: bool,
    ) -> Outcome<()> {
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
            let alive = self.is_alive(state, place.object, place.when)?;
            valid.push(self.terms.and_all(&[place.when, inside, alive]));
        }
        let valid = self.terms.or_all(&valid);
        if valid != Terms::TRUE {
            let wrong = self.terms.not(valid);
            D::suspect(self, state, wrong, SuspectKind::Memory);
        }
        D::note_access(self, state, &Reach { pointer, places, len }, write);
        Ok(())
    }

    /// Whether an object is a global that all threads share.
    pub(crate) fn is_global(&self, object: u32) -> bool {
        object as usize <= self.program.globals.len()
    }

    /// An object's contents in a state that did not write there.
    pub(crate) fn default_contents(&mut self, object: u32) -> Option<Rc<Contents>> {
        let notes = self.knowledge.notes(object)?;
        let (kind, foreign) = (notes.kind, notes.owner != self.number && !notes.constant);
        if foreign && let Some(Foreign(contents)) = D::foreign_contents(self, object) {
            return contents;
        }
        if kind != Kind::Global {
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
    pub(crate) fn own_contents(&mut self, state: &State<D::Own>, object: u32) -> Rc<Contents> {
        if let Some(contents) = state.store.get(&object) {
            return Rc::clone(contents);
        }
        let size = self.knowledge.notes(object).map_or(0, |notes| notes.size);
        self.default_contents(object).unwrap_or_else(|| Rc::new(Contents::new(size, false)))
    }

    /// Whether an object is alive now. Asked only if `when` holds: otherwise nobody may have made it yet.
    fn is_alive(&mut self, state: &mut State<D::Own>, object: u32, when: TermId) -> Outcome<TermId> {
        let Some(notes) = self.knowledge.notes(object) else { return Ok(Terms::FALSE) };
        if notes.constant || notes.kind == Kind::Function || self.is_global(object) {
            return Ok(Terms::TRUE);
        }
        D::alive(self, state, object, when)
    }

    /// Ends the life of an object if `when` holds.
    pub(crate) fn end_life(&mut self, state: &mut State<D::Own>, object: u32, when: TermId) {
        let mut contents = self.own_contents(state, object);
        let goes_on = self.terms.not(when);
        let changed = Rc::make_mut(&mut contents);
        changed.alive = self.terms.and_all(&[changed.alive, goes_on]);
        changed.known = Known::default();
        if when == Terms::TRUE && !D::is_noticed(self, state, object) {
            changed.cells.clear();
        }
        Rc::make_mut(&mut state.store).insert(object, contents);
        D::ended(self, state, object, when);
    }

    /// Ends the lives of the thread's own variables.
    pub(crate) fn end_thread_locals(&mut self, state: &mut State<D::Own>) {
        let program = self.program;
        for (global, declared) in program.globals.iter_enumerated() {
            if declared.thread_local {
                let object = self.thread_local(global);
                self.end_life(state, object, Terms::TRUE);
            }
        }
    }

    /// The running thread's instance of a thread-local variable.
    pub(crate) fn thread_local(&mut self, global: GlobalId) -> u32 {
        let key = thread_local_key(self.thread_key, global);
        let size = self.program.globals[global].size.min((1 << 31) - 1) as u32;
        let object = self.knowledge.object(key, self.number, size, Kind::Global);
        self.knowledge.note_origin(object, Origin::Global(global));
        object
    }

    /// `free(pointer)`.
    pub(crate) fn free(&mut self, state: &mut State<D::Own>, pointer: TermId, kind: AllocKind) -> Outcome<()> {
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
            let alive = self.is_alive(state, place.object, here)?;
            right.push(self.terms.and_all(&[here, alive]));
            ended.push((place.object, here));
        }
        let right = self.terms.or_all(&right);
        let wrong = self.terms.not(right);
        D::suspect(self, state, wrong, SuspectKind::Memory);
        for (object, here) in ended {
            D::note_free(self, state, object, here, kind);
            self.end_life(state, object, here);
        }
        Ok(())
    }

    /// The size of the object that a pointer points into; 0 if there is none.
    pub(crate) fn object_size(&mut self, state: &mut State<D::Own>, pointer: TermId) -> Outcome<TermId> {
        let mut size = self.terms.bv(64, 0);
        for place in self.places(pointer) {
            let Some(bytes) = self.knowledge.notes(place.object).map(|notes| notes.size) else { continue };
            let alive = self.is_alive(state, place.object, place.when)?;
            let here = self.terms.and_all(&[place.when, alive]);
            let bytes = match self.knowledge.unknown_size(place.object) {
                Some(size) => self.terms.zero_ext(size, 32),
                None => self.terms.bv(64, u64::from(bytes)),
            };
            size = self.terms.ite(here, bytes, size);
        }
        Ok(size)
    }

    /// Writes a cell into what the state knows of an object.
    pub(crate) fn write_own(
        &mut self,
        state: &mut State<D::Own>,
        place: Place,
        offset: TermId,
        cell: Cell,
    ) -> Outcome<()> {
        if !state.store.contains_key(&place.object) {
            let contents = self.own_contents(state, place.object);
            Rc::make_mut(&mut state.store).insert(place.object, contents);
        }
        // Copied only if another state has it too.
        let contents = Rc::make_mut(&mut state.store).get_mut(&place.object).expect("it was put there");
        Ok(self.addressing().write(Rc::make_mut(contents), offset, cell, place.when)?)
    }

    // Blocks of memory.

    pub(crate) fn copy(
        &mut self,
        state: &mut State<D::Own>,
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
            self.ticker.tick().map_err(Halt::Stop)?;
            let source = self.plus(from, at)?;
            let reach = Reach { pointer: source, places: &sources, len };
            let (value, written) = D::read(self, state, &reach, pointer)?;
            cells.push((at, Cell { len, value, pointer, written }));
        }
        for (at, cell) in cells {
            self.ticker.tick().map_err(Halt::Stop)?;
            let target = self.plus(to, at)?;
            D::write(self, state, &Reach { pointer: target, places: &targets, len: cell.len }, cell)?;
        }
        Ok(())
    }

    pub(crate) fn fill(
        &mut self,
        state: &mut State<D::Own>,
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
            && !D::is_noticed(self, state, place.object)
            && self.knowledge.notes(place.object).is_some_and(|notes| notes.size == len)
        {
            let alive = self.own_contents(state, place.object).alive;
            let contents = Contents { alive, ..Contents::new(len, true) };
            Rc::make_mut(&mut state.store).insert(place.object, Rc::new(contents));
            return Ok(());
        }
        for (at, len, pointer) in self.pieces(state, to, &targets, len, layout)? {
            self.ticker.tick().map_err(Halt::Stop)?;
            let target = self.plus(to, at)?;
            let mut value = byte;
            for _ in 1..len {
                value = self.terms.concat(byte, value);
            }
            let value = self.addressing().convert(value, false, pointer);
            let cell = Cell { len, value, pointer, written: Terms::TRUE };
            D::write(self, state, &Reach { pointer: target, places: &targets, len }, cell)?;
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
        state: &State<D::Own>,
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
            && D::knows(self, state, place.object)
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
