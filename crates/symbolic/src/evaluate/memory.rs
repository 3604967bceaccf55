//! Pointers and cells as terms: which objects a pointer can point to, and what lies at an offset.

use std::rc::Rc;

use heddle_ir::DataModel;
use heddle_solver::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Cell, Contents};
use super::knowledge::Knowledge;
use crate::operators::{self, Unsupported};

/// More places than this that one access can touch are not tried one by one.
const MAX_PLACES: usize = 1 << 12;

/// Nor are more than this where cells of other sizes lie: each has to be put together.
const MAX_MIXED_PLACES: usize = 1 << 7;

/// What was in an object when it was published.
#[derive(Clone, Debug)]
pub struct Initial {
    contents: Rc<Contents>,
}

/// Which objects the values of terms can point to.
///
/// A set is what can be read off a term: the objects of address constants in it, and for the value of a shared read
/// all objects whose addresses were ever written to where it reads ([`Knowledge`] has those).
#[derive(Debug, Default)]
pub struct Targets {
    memo: FxHashMap<TermId, Rc<[u32]>>,
    /// Variables that were asked about.
    used: FxHashSet<TermId>,
    /// Integers as pointers.
    pointers: FxHashMap<TermId, TermId>,
    /// Whether a part of a pointer was ever read: it may be put together again where nobody can tell.
    pub(crate) split: bool,
}

/// Terms, and what is needed to make sense of pointers in them.
pub struct Addressing<'a> {
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// What is known of objects.
    pub knowledge: &'a Knowledge,
    /// What terms can point to.
    pub targets: &'a mut Targets,
    /// The data model: whether pointers in memory are flat addresses.
    pub model: DataModel,
}

impl Initial {
    pub(crate) fn new(contents: Rc<Contents>) -> Self {
        Initial { contents }
    }

    /// Bytes of the object.
    pub fn size(&self) -> u32 {
        self.contents.size
    }

    /// What is at an offset (a term of 32 bits), and whether it was ever written. None if there is no end of places.
    pub fn read(&self, at: &mut Addressing<'_>, offset: TermId, len: u32, pointer: bool) -> Option<(TermId, TermId)> {
        at.read(&self.contents, offset, len, pointer).ok()
    }

    /// Whether the object is alive, as a byte.
    pub fn alive(&self, terms: &mut Terms) -> TermId {
        let (one, zero) = (terms.bv(8, 1), terms.bv(8, 0));
        terms.ite(self.contents.alive, one, zero)
    }
}

impl Targets {
    /// Whether sets were made with what was known of a variable.
    pub(crate) fn was_used(&self, var: TermId) -> bool {
        self.used.contains(&var)
    }
}

impl Addressing<'_> {
    /// The objects that a value can point to, sorted.
    pub fn objects(&mut self, value: TermId) -> Rc<[u32]> {
        if let Some(known) = self.targets.memo.get(&value) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        // Terms, and whether a constant among them is the number of an object.
        let mut todo = vec![(value, false)];
        while let Some((term, number)) = todo.pop() {
            if !seen.insert((term, number)) {
                continue;
            }
            if !number && let Some(known) = self.targets.memo.get(&term) {
                found.extend(known.iter());
                continue;
            }
            if let Some(bits) = operators::as_bits(self.terms, term) {
                self.constant_objects(term, bits, number, &mut found);
                continue;
            }
            // Whatever a term looks like after rewriting, its upper half says which object it is in.
            if self.terms.sort(term) == Sort::BitVec(64) {
                let known = self.terms.known_bits(term);
                if (known.zeros | known.ones) >> 32 == u64::from(u32::MAX) {
                    let object = (known.ones >> 32) as u32;
                    found.extend(Some(object).filter(|&object| object != 0 && self.knowledge.notes(object).is_some()));
                    continue;
                }
            }
            if let Op::Var(_) = self.terms.op(term) {
                self.targets.used.insert(term);
                found.extend(self.knowledge.pointees(term));
                continue;
            }
            let args = self.terms.args(term);
            match self.terms.op(term) {
                Op::Ite => todo.extend(args[1..].iter().map(|&arg| (arg, number))),
                Op::Concat if self.terms.sort(term) == Sort::BitVec(64) && self.is_half(args[0]) => {
                    todo.push((args[0], true));
                }
                Op::Extract { .. } => todo.push((args[0], number && self.is_half(args[0]))),
                _ if self.terms.sort(term) == Sort::Bool => {}
                _ => todo.extend(args.iter().map(|&arg| (arg, number && self.is_half(arg)))),
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[u32]> = found.into();
        self.targets.memo.insert(value, Rc::clone(&found));
        found
    }

    fn is_half(&self, term: TermId) -> bool {
        self.terms.sort(term) == Sort::BitVec(32)
    }

    fn constant_objects(&self, term: TermId, bits: u128, number: bool, found: &mut Vec<u32>) {
        let width = self.terms.sort(term).width().unwrap_or(1);
        let known = |object: u32| object != 0 && self.knowledge.notes(object).is_some();
        if width == 64 {
            found.extend(Some((bits >> 32) as u32).filter(|&object| known(object)));
        }
        if width == 32 && number {
            found.extend(Some(bits as u32).filter(|&object| known(object)));
        }
        if width == 32 && !number && self.model == DataModel::Ilp32 {
            found.extend(self.knowledge.at_address(bits as u32).filter(|&object| known(object)));
        }
    }

    /// Whether a pointer points into an object.
    pub fn points_to(&mut self, pointer: TermId, object: u32) -> TermId {
        let part = operators::object_of(self.terms, pointer);
        let number = self.terms.bv(32, u64::from(object));
        self.terms.eq(part, number)
    }

    /// A pointer as the integer that it is in memory.
    pub fn to_flat(&mut self, pointer: TermId) -> TermId {
        if self.model == DataModel::Lp64 {
            return pointer;
        }
        let offset = operators::offset_of(self.terms, pointer);
        let mut flat = offset;
        for &object in self.objects(pointer).iter() {
            let Some(base) = self.knowledge.notes(object).map(|notes| notes.address) else { continue };
            let base = self.terms.bv(32, u64::from(base));
            let address = self.terms.add(base, offset);
            let here = self.points_to(pointer, object);
            flat = self.terms.ite(here, address, flat);
        }
        flat
    }

    /// The pointer that an integer is.
    pub fn from_flat(&mut self, flat: TermId) -> TermId {
        if self.model == DataModel::Lp64 {
            return flat;
        }
        if let Some(&known) = self.targets.pointers.get(&flat) {
            return known;
        }
        // Through choices, so that what is a choice between constants stays one.
        if self.terms.op(flat) == Op::Ite {
            let [condition, then, otherwise] = *self.terms.args(flat) else { unreachable!("ite has three arguments") };
            let (then, otherwise) = (self.from_flat(then), self.from_flat(otherwise));
            let pointer = self.terms.ite(condition, then, otherwise);
            self.targets.pointers.insert(flat, pointer);
            return pointer;
        }
        let none = self.terms.bv(32, 0);
        let mut pointer = self.terms.concat(none, flat);
        for &object in self.objects(flat).iter() {
            let Some((base, size)) = self.knowledge.notes(object).map(|notes| (notes.address, notes.size)) else {
                continue;
            };
            let (base, size) = (self.terms.bv(32, u64::from(base)), self.terms.bv(32, u64::from(size)));
            let offset = self.terms.sub(flat, base);
            let inside = self.terms.ule(offset, size);
            let number = self.terms.bv(32, u64::from(object));
            let inner = self.terms.concat(number, offset);
            pointer = self.terms.ite(inside, inner, pointer);
        }
        pointer
    }

    /// The same value in the other representation if the one wanted is not the one it has.
    pub fn convert(&mut self, value: TermId, pointer: bool, wanted: bool) -> TermId {
        match (pointer, wanted) {
            (true, false) => self.to_flat(value),
            (false, true) => self.from_flat(value),
            (true, true) | (false, false) => value,
        }
    }

    /// All constant offsets at which an access of `len` bytes with this offset can lie in an object.
    pub(crate) fn places(&self, size: u32, offset: TermId, len: u32) -> Result<Vec<u32>, Unsupported> {
        let Some(last) = size.checked_sub(len) else { return Ok(Vec::new()) };
        if let Some(at) = operators::as_bits(self.terms, offset) {
            return Ok(Some(at as u32).filter(|&at| at <= last).into_iter().collect());
        }
        let known = self.terms.known_bits(offset);
        let low = (known.zeros | known.ones).trailing_ones().min(16);
        let first = known.ones as u32 & ((1 << low) - 1);
        let count = if first > last { 0 } else { (last - first) as usize / (1 << low) + 1 };
        if count > MAX_PLACES {
            return Err(Unsupported(format!("an arbitrary place in an object of {size} bytes")));
        }
        let fits = |&at: &u32| u64::from(at) & known.zeros == 0 && known.ones & !u64::from(at) == 0;
        Ok((0..count as u32).map(|k| first + (k << low)).filter(fits).collect())
    }

    /// All constant offsets at which an access of `len` bytes with this offset meets a cell; none if they are too many.
    fn covered_places(&self, contents: &Contents, offset: TermId, len: u32) -> Option<Vec<u32>> {
        let known = self.terms.known_bits(offset);
        let last = contents.size.checked_sub(len)?;
        let mut places = Vec::new();
        for (&start, cell) in &contents.cells {
            let from = places.last().map_or(0, |&at| at + 1).max((start + 1).saturating_sub(len));
            let fits = |&at: &u32| u64::from(at) & known.zeros == 0 && known.ones & !u64::from(at) == 0;
            places.extend((from..(start + cell.len).min(last.saturating_add(1))).filter(fits));
            if places.len() > MAX_PLACES {
                return None;
            }
        }
        Some(places)
    }

    /// Refuses an access that can be at many places where cells have other sizes.
    fn few_mixed(&self, contents: &Contents, places: &[u32], len: u32) -> Result<(), Unsupported> {
        if places.len() <= MAX_MIXED_PLACES {
            return Ok(());
        }
        let mixed = |&&at: &&u32| contents.exact(at, len).is_none() && !contents.overlapping(at, len).is_empty();
        match places.iter().filter(mixed).count() {
            0..=MAX_MIXED_PLACES => Ok(()),
            _ => Err(Unsupported(format!("an arbitrary place in {} bytes with parts of many sizes", contents.size))),
        }
    }

    /// What lies at an offset, and whether it was ever written. Outside the object the answer does not matter.
    pub(crate) fn read(
        &mut self,
        contents: &Contents,
        offset: TermId,
        len: u32,
        pointer: bool,
    ) -> Result<(TermId, TermId), Unsupported> {
        if let Some(at) = operators::as_bits(self.terms, offset) {
            let at = at as u32;
            let inside = contents.size.checked_sub(len).is_some_and(|last| at <= last);
            return Ok(if inside {
                self.read_at(contents, at, len, pointer)
            } else {
                (self.zero(len, pointer), Terms::TRUE)
            });
        }
        let (places, mut result) = match self.places(contents.size, offset, len) {
            Ok(places) => (places, None),
            // In a large object of which little was written: where nothing was is zero.
            Err(unsupported) => {
                let places = self.covered_places(contents, offset, len).ok_or(unsupported)?;
                (places, Some((self.zero(len, pointer), self.terms.bool(contents.zeroed))))
            }
        };
        self.few_mixed(contents, &places, len)?;
        for &at in places.iter().rev() {
            let (value, written) = self.read_at(contents, at, len, pointer);
            result = Some(match result {
                None => (value, written),
                Some(other) if other == (value, written) => other,
                Some((other, other_written)) => {
                    let constant = self.terms.bv(32, u64::from(at));
                    let here = self.terms.eq(offset, constant);
                    (self.terms.ite(here, value, other), self.terms.ite(here, written, other_written))
                }
            });
        }
        Ok(result.unwrap_or_else(|| (self.zero(len, pointer), Terms::TRUE)))
    }

    fn zero(&mut self, len: u32, pointer: bool) -> TermId {
        self.terms.constant(heddle_solver::Bits::zero(if pointer { 64 } else { 8 * len }))
    }

    /// What lies at a constant offset.
    pub(crate) fn read_at(&mut self, contents: &Contents, at: u32, len: u32, pointer: bool) -> (TermId, TermId) {
        if let Some(cell) = contents.exact(at, len) {
            return (self.convert(cell.value, cell.pointer, pointer), cell.written);
        }
        let cells = contents.overlapping(at, len);
        let rest = self.terms.bool(contents.zeroed);
        if cells.is_empty() {
            return (self.zero(len, pointer), rest);
        }
        // From the lowest byte: pieces of cells, and zeros between them.
        let mut value: Option<TermId> = None;
        let mut written = Vec::new();
        let mut next = at;
        let append = |terms: &mut Terms, piece: TermId, value: &mut Option<TermId>| {
            *value = Some(match *value {
                None => piece,
                Some(low) => terms.concat(piece, low),
            });
        };
        for (start, cell) in cells {
            if start > next {
                let gap = self.zero(start - next, false);
                append(self.terms, gap, &mut value);
                written.push(rest);
            }
            let (lo, hi) = (start.max(at), (start + cell.len).min(at + len));
            let flat = self.convert(cell.value, cell.pointer, false);
            let piece = self.terms.extract(8 * (hi - start) - 1, 8 * (lo - start), flat);
            self.targets.split |= hi - lo < cell.len && !self.objects(cell.value).is_empty();
            append(self.terms, piece, &mut value);
            written.push(cell.written);
            next = hi;
        }
        if next < at + len {
            let gap = self.zero(at + len - next, false);
            append(self.terms, gap, &mut value);
            written.push(rest);
        }
        let value = value.expect("some cell overlaps");
        (self.convert(value, false, pointer), self.terms.and_all(&written))
    }

    /// Writes at a constant offset.
    pub(crate) fn write_at(&mut self, contents: &mut Contents, at: u32, cell: Cell) {
        if contents.exact(at, cell.len).is_none() {
            // What reaches beyond the new cell stays, in pieces.
            for (start, old) in contents.overlapping(at, cell.len) {
                let end = start + old.len;
                contents.cells.remove(&start);
                let parts = [(start, at.min(end)), ((at + cell.len).max(start), end)];
                let flat = self.convert(old.value, old.pointer, false);
                for (lo, hi) in parts.into_iter().filter(|(lo, hi)| lo < hi) {
                    let value = self.terms.extract(8 * (hi - start) - 1, 8 * (lo - start), flat);
                    contents.cells.insert(lo, Cell { len: hi - lo, value, pointer: false, written: old.written });
                }
            }
        }
        contents.put(at, cell);
    }

    /// Writes at an offset if `when` holds.
    pub(crate) fn write(
        &mut self,
        contents: &mut Contents,
        offset: TermId,
        cell: Cell,
        when: TermId,
    ) -> Result<(), Unsupported> {
        if let Some(at) = operators::as_bits(self.terms, offset)
            && when == Terms::TRUE
        {
            let at = at as u32;
            if contents.size.checked_sub(cell.len).is_some_and(|last| at <= last) {
                self.write_at(contents, at, cell);
            }
            return Ok(());
        }
        let places = self.places(contents.size, offset, cell.len)?;
        self.few_mixed(contents, &places, cell.len)?;
        for at in places {
            let constant = self.terms.bv(32, u64::from(at));
            let here = self.terms.eq(offset, constant);
            let made = self.terms.and_all(&[when, here]);
            if made == Terms::FALSE {
                continue;
            }
            let (mut value, mut written) = (cell.value, cell.written);
            if made != Terms::TRUE {
                let (old, old_written) = self.read_at(contents, at, cell.len, cell.pointer);
                value = self.terms.ite(made, value, old);
                written = self.terms.ite(made, written, old_written);
            }
            self.write_at(contents, at, Cell { value, written, ..cell });
        }
        Ok(())
    }

    /// Two versions of an object's contents as one: the first if `first` holds.
    pub(crate) fn merge(&mut self, first: TermId, a: &Rc<Contents>, b: &Rc<Contents>) -> Rc<Contents> {
        if Rc::ptr_eq(a, b) || a == b {
            return Rc::clone(a);
        }
        let mut merged = Contents { alive: self.terms.ite(first, a.alive, b.alive), ..(**a).clone() };
        // Cells may be cut at different places; each is put down whole, with what lies there on both sides.
        let mut places: Vec<(u32, u32, bool)> = a.cells.iter().map(|(&at, c)| (at, c.len, c.pointer)).collect();
        places.extend(b.cells.iter().map(|(&at, c)| (at, c.len, c.pointer)));
        places.sort_unstable();
        places.dedup();
        if a.zeroed != b.zeroed {
            // Rare (a local's next life): what no cell covers counts as not written.
            merged.zeroed = false;
        }
        for (at, len, pointer) in places {
            let same = a.exact(at, len).is_some_and(|cell| b.exact(at, len) == Some(cell));
            if same {
                continue;
            }
            let (x, x_written) = self.read_at(a, at, len, pointer);
            let (y, y_written) = self.read_at(b, at, len, pointer);
            let (value, written) = (self.terms.ite(first, x, y), self.terms.ite(first, x_written, y_written));
            self.write_at(&mut merged, at, Cell { len, value, pointer, written });
        }
        Rc::new(merged)
    }
}
