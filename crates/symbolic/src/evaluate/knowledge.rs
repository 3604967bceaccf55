//! What is known about objects and threads from one unwinding to the next.
//!
//! Notes only ever grow: an object that a second thread accessed is shared from then on, a cell that a thread wrote
//! has that writer. An unwinding that adds a note must be repeated.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_base::Id;
use heddle_ir::{FuncId, GlobalId, Program, SlotId};
use heddle_solver::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::LIFE;
use super::contents::Contents;
use heddle_ir::objects::{Site, first_address, func_object, global_object, thread_object};

/// Who writes some cell after it was published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Writers {
    Nobody,
    Only(u32),
    Many,
}

#[derive(Clone, Debug, Default)]
struct CellNotes {
    writers: SmallVec<[u32; 2]>,
    /// Objects whose addresses may be in the cell, sorted.
    targets: Vec<u32>,
    /// Published more than once, with different contents.
    conflicted: bool,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Global,
    Function,
    Slot,
    /// Made by an `Alloc` step of this kind.
    Alloc(heddle_ir::AllocKind),
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A global, or a thread's instance of a thread-local.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// A local of a call.
    Slot(FuncId, SlotId),
    /// Allocated by this step; its number among all objects of the thread.
    Step(Site, u32),
}

/// An object that some unwinding met.
#[derive(Clone, Debug)]
pub(crate) struct ObjectNotes {
    pub(crate) owner: u32,
    pub(crate) size: u32,
    pub(crate) kind: Kind,
    pub(crate) constant: bool,
    /// Its address in a flat memory (ILP32).
    pub(crate) address: u32,
    /// Whether a thread other than the owner accesses it.
    pub(crate) shared: bool,
    cells: BTreeMap<(u32, u32), CellNotes>,
    /// Of accesses whose offset is not a constant.
    anywhere: CellNotes,
    pub(crate) published: Option<Rc<Contents>>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    objects: FxHashMap<u32, ObjectNotes>,
    numbers: FxHashMap<u64, u32>,
    threads: FxHashMap<u64, u32>,
    counts: Vec<u32>,
    /// Next flat address of the globals and of each thread.
    next_address: Vec<u64>,
    by_address: BTreeMap<u32, u32>,
    changed: bool,
    /// Objects that values of shared reads can point to, sorted.
    pointees: FxHashMap<TermId, Rc<[u32]>>,
    /// Sizes of objects, in 32 bits, where they are not constants.
    sizes: FxHashMap<u32, TermId>,
    /// Where objects come from that are neither globals nor functions.
    origins: FxHashMap<u32, Origin>,
    /// Objects whose published contents were used before this unwinding published them.
    consulted: FxHashSet<u32>,
    pub(crate) published_now: FxHashMap<u32, Rc<Contents>>,
}

impl Knowledge {
    /// Nothing, of a program.
    pub fn new(program: &Program) -> Self {
        let mut knowledge = Knowledge::default();
        knowledge.threads.insert(0, 1);
        for (id, global) in program.globals.iter_enumerated() {
            let size = if global.thread_local { 0 } else { global.size.min((1 << 31) - 1) as u32 };
            knowledge.add(global_object(id), 1, size, Kind::Global, global.constant, 0);
        }
        for id in program.functions.ids() {
            knowledge.add(func_object(program, id), 1, 1, Kind::Function, true, 0);
        }
        knowledge
    }

    /// Notes that several threads are expected to access a global: one unwinding less.
    pub fn expect_shared(&mut self, global: GlobalId) {
        self.expect(global_object(global));
    }

    /// Notes that others are expected to access an object that nobody else knows yet.
    pub(crate) fn expect(&mut self, object: u32) {
        if let Some(notes) = self.objects.get_mut(&object) {
            notes.shared = true;
        }
    }

    pub(crate) fn begin(&mut self) {
        self.changed = false;
        self.consulted.clear();
        self.published_now.clear();
    }

    /// Forgets what was said in terms: the next unwindings have others.
    pub(crate) fn forget_terms(&mut self) {
        self.pointees.clear();
        self.sizes.clear();
        self.objects.values_mut().for_each(|notes| notes.published = None);
    }

    pub(crate) fn has_changed(&self) -> bool {
        self.changed
    }

    /// The number of the thread with this key.
    pub(crate) fn thread(&mut self, key: u64) -> u32 {
        let next = self.threads.len() as u32 + 1;
        *self.threads.entry(key).or_insert(next)
    }

    /// The number of the object with this key, which a thread makes.
    pub(crate) fn object(&mut self, key: u64, owner: u32, size: u32, kind: Kind) -> u32 {
        if let Some(&number) = self.numbers.get(&key) {
            if let Some(notes) = self.objects.get_mut(&number)
                && notes.size < size
            {
                notes.size = size;
                self.changed = true;
            }
            return number;
        }
        if self.counts.len() <= owner as usize {
            self.counts.resize(owner as usize + 1, 0);
        }
        let number = thread_object(owner, self.counts[owner as usize]);
        self.counts[owner as usize] += 1;
        self.numbers.insert(key, number);
        self.add(number, owner, size, kind, false, owner as usize);
        number
    }

    fn add(&mut self, number: u32, owner: u32, size: u32, kind: Kind, constant: bool, region: usize) {
        while self.next_address.len() <= region {
            self.next_address.push(first_address(self.next_address.len() as u64));
        }
        let address = self.next_address[region] as u32;
        // A gap, so that the end of one object is never the start of the next.
        self.next_address[region] += (u64::from(size) + 16).next_multiple_of(16) + 16;
        self.by_address.insert(address, number);
        let notes = ObjectNotes {
            owner,
            size,
            kind,
            constant,
            address,
            shared: false,
            cells: BTreeMap::new(),
            anywhere: CellNotes::default(),
            published: None,
        };
        self.objects.insert(number, notes);
    }

    /// What is known of an object; none if the number is nobody's.
    pub(crate) fn notes(&self, object: u32) -> Option<&ObjectNotes> {
        self.objects.get(&object)
    }

    pub(crate) fn note_origin(&mut self, object: u32, origin: Origin) {
        self.origins.insert(object, origin);
    }

    /// Where an object comes from; none if the number is nobody's.
    pub fn origin(&self, program: &Program, object: u32) -> Option<Origin> {
        let number = (object as usize).checked_sub(1)?;
        match number.checked_sub(program.globals.len()) {
            None => Some(Origin::Global(GlobalId::new(number))),
            Some(number) if number < program.functions.len() => Some(Origin::Function(FuncId::new(number))),
            Some(_) => self.origins.get(&object).copied(),
        }
    }

    /// The object that a flat address lies in (or just behind).
    pub(crate) fn at_address(&self, address: u32) -> Option<u32> {
        let (&start, &number) = self.by_address.range(..=address).next_back()?;
        let size = self.objects.get(&number)?.size;
        (address - start <= size).then_some(number)
    }

    pub(crate) fn share(&mut self, object: u32) {
        if let Some(notes) = self.objects.get_mut(&object)
            && !notes.shared
        {
            notes.shared = true;
            self.changed = true;
        }
    }

    /// Who writes what lies at a place, or anywhere in the object.
    pub(crate) fn writers(&self, object: u32, place: Option<(u32, u32)>) -> Writers {
        let Some(notes) = self.objects.get(&object) else { return Writers::Many };
        let mut found = Writers::Nobody;
        let add = |cell: &CellNotes, found: &mut Writers| {
            for &writer in &cell.writers {
                *found = match *found {
                    Writers::Nobody => Writers::Only(writer),
                    Writers::Only(other) if other == writer => *found,
                    Writers::Only(_) | Writers::Many => Writers::Many,
                };
            }
            if cell.conflicted {
                *found = Writers::Many;
            }
        };
        if place.is_none_or(|(at, _)| at != LIFE) {
            add(&notes.anywhere, &mut found);
        }
        for (&(at, len), cell) in &notes.cells {
            let meets = match place {
                Some((start, size)) => at < start.saturating_add(size) && start < at.saturating_add(len),
                None => at != LIFE,
            };
            if meets {
                add(cell, &mut found);
            }
        }
        found
    }

    /// Whether every byte of a place certainly has several writers, so that nobody need remember what it wrote there.
    /// A place may have them as a whole while one thread alone writes some part of it.
    pub(crate) fn is_contended(&self, object: u32, place: Option<(u32, u32)>) -> bool {
        let Some(notes) = self.objects.get(&object) else { return true };
        if notes.anywhere.writers.len() > 1 || notes.anywhere.conflicted {
            return true;
        }
        let Some((start, size)) = place else { return false };
        let mut meeting = notes.cells.keys().filter(|&&(at, len)| at < start + size && start < at.saturating_add(len));
        meeting.all(|&cell| cell == (start, size)) && self.writers(object, place) == Writers::Many
    }

    /// What the value of a shared read can point to.
    pub(crate) fn pointees(&self, var: TermId) -> &[u32] {
        self.pointees.get(&var).map_or(&[], |objects| objects)
    }

    /// Notes what the value of a shared read can point to; `used` says that somebody has relied on the last note. Threads
    /// that are unwound earlier see the values of later ones.
    pub(crate) fn note_pointees(&mut self, var: TermId, objects: Rc<[u32]>, used: bool) {
        if self.pointees(var) != &*objects {
            self.pointees.insert(var, objects);
            self.changed |= used;
        }
    }

    /// The size of an object if it is not a constant.
    pub(crate) fn unknown_size(&self, object: u32) -> Option<TermId> {
        self.sizes.get(&object).copied()
    }

    /// Notes the size of an object that is made; none if it is a constant, whatever it was in the last unwinding, which may have
    /// known less.
    pub(crate) fn note_unknown_size(&mut self, object: u32, size: Option<TermId>) {
        let last = match size {
            Some(size) => self.sizes.insert(object, size),
            None => self.sizes.remove(&object),
        };
        self.changed |= last != size;
    }

    /// Whether somebody ends the life of the object.
    pub(crate) fn ends(&self, object: u32) -> bool {
        self.objects.get(&object).is_some_and(|notes| notes.cells.contains_key(&(LIFE, 1)))
    }

    /// Objects whose addresses may lie at a place.
    pub(crate) fn targets(&self, object: u32, place: Option<(u32, u32)>, into: &mut Vec<u32>) {
        let Some(notes) = self.objects.get(&object) else { return };
        into.extend(&notes.anywhere.targets);
        for (&(at, len), cell) in &notes.cells {
            let meets =
                place.is_none_or(|(start, size)| at < start.saturating_add(size) && start < at.saturating_add(len));
            if meets {
                into.extend(&cell.targets);
            }
        }
    }

    fn cell(&mut self, object: u32, place: Option<(u32, u32)>) -> Option<&mut CellNotes> {
        let notes = self.objects.get_mut(&object)?;
        Some(match place {
            Some(place) => notes.cells.entry(place).or_default(),
            None => &mut notes.anywhere,
        })
    }

    pub(crate) fn note_writer(&mut self, object: u32, place: Option<(u32, u32)>, thread: u32) {
        let Some(cell) = self.cell(object, place) else { return };
        if !cell.writers.contains(&thread) {
            cell.writers.push(thread);
            self.changed = true;
        }
    }

    pub(crate) fn note_conflict(&mut self, object: u32, place: (u32, u32)) {
        let Some(cell) = self.cell(object, Some(place)) else { return };
        if !std::mem::replace(&mut cell.conflicted, true) {
            self.changed = true;
        }
    }

    pub(crate) fn note_targets(&mut self, object: u32, place: Option<(u32, u32)>, targets: &[u32]) {
        if targets.is_empty() {
            return;
        }
        let Some(cell) = self.cell(object, place) else { return };
        let mut changed = false;
        for &target in targets {
            if let Err(at) = cell.targets.binary_search(&target) {
                cell.targets.insert(at, target);
                changed = true;
            }
        }
        self.changed |= changed;
    }

    /// What was in an object when it was published, now or in the last unwinding.
    pub(crate) fn published(&mut self, object: u32) -> Option<Rc<Contents>> {
        if let Some(contents) = self.published_now.get(&object) {
            return Some(Rc::clone(contents));
        }
        self.consulted.insert(object);
        self.objects.get(&object)?.published.clone()
    }

    /// Notes what is in an object that is published.
    pub(crate) fn publish(&mut self, object: u32, contents: &Rc<Contents>) {
        if let Some(first) = self.published_now.get(&object).map(Rc::clone) {
            if first != *contents {
                self.compare(object, &first, contents);
            }
            return;
        }
        self.published_now.insert(object, Rc::clone(contents));
        let consulted = self.consulted.contains(&object);
        let Some(notes) = self.objects.get_mut(&object) else { return };
        if notes.published.as_ref() != Some(contents) {
            notes.published = Some(Rc::clone(contents));
            self.changed |= consulted;
        }
    }

    /// Cells that differ between two publications are known to nobody.
    fn compare(&mut self, object: u32, a: &Contents, b: &Contents) {
        let mut differing = Vec::new();
        for (x, y) in [(a, b), (b, a)] {
            for (&at, cell) in &x.cells {
                if y.cells.get(&at) != Some(cell) {
                    differing.push((at, cell.len));
                }
            }
        }
        if a.alive != b.alive {
            differing.push((LIFE, 1));
        }
        for place in differing {
            self.note_conflict(object, place);
        }
    }
}

/// The key of a thread's instance of a thread-local.
pub(crate) fn thread_local_key(thread: u64, global: GlobalId) -> u64 {
    mix(mix(thread, 0x7157), global.index() as u64)
}

/// One number from two, hard to get by accident.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x632b_e59b_d9b4_e019);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
