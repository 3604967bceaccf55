//! Byte-accurate memory: objects, their bytes, and which of them were ever written.
//!
//! **Names of objects do not depend on the schedule.** Object numbers are 32 bits: the upper 12 name the thread that
//! made the object (0: globals and functions), the lower 20 count that thread's objects. Numbers are used again, first
//! in first out and only after a quarantine, by the thread that *ended* the object's life; that, too, depends on
//! nothing but what this thread did. So equivalent executions see the same addresses.
//!
//! **Flat addresses.** Under ILP32 a pointer in memory is a 32-bit address. Every object has one from birth: objects
//! of a thread lie in that thread's range, sizes rounded up to powers of two with a gap behind, so that the end of one
//! object is never the start of the next.
//!
//! **Undo.** A section that blocks at an `await` has not happened. [`Memory::begin_journal`] keeps what sections
//! change until they are known to pass.

use std::collections::VecDeque;

use heddle_base::Id;
use heddle_ir::objects::{COUNT_BITS, MAX_COUNT, Site, first_address, func_object, global_object, region_at};
use heddle_ir::{AllocKind, ConstValue, DataModel, FuncId, GlobalId, Program, SlotId};

use crate::event::Range;
use heddle_ir::value::Pointer;

/// Numbers of dead objects that wait before one is used again, by size class.
const QUARANTINE: usize = 64;
/// Bytes between neighbours, so that one-past-the-end is no other object.
const GAP: u64 = 16;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global, shared or a thread's own instance.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A local of a call.
    Slot(FuncId, SlotId),
    /// Made by an `Alloc` step.
    Alloc(AllocKind),
}

/// A memory object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Bytes that may be read: the size, or 0 once dead. One comparison then checks life and bounds.
    readable: u32,
    /// Bytes that may be written: as `readable`, or 0 of a constant.
    writable: u32,
    bytes: Vec<u8>,
    /// One bit a byte that was written; empty if all were.
    written: Vec<u64>,
    /// What it is.
    pub kind: ObjectKind,
    /// Its flat address (ILP32).
    address: u32,
    constant: bool,
    /// Which allocation of its thread it was, from 1; for names in reports.
    pub serial: u32,
    /// Who made it; none for globals.
    pub born: Option<Site>,
    /// Who ended its life.
    pub died: Option<Site>,
}

impl Object {
    /// Bytes.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Whether it can be accessed.
    pub fn is_live(&self) -> bool {
        self.died.is_none()
    }
}

/// Why an access or a free is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Through null or close to it.
    Null,
    /// Through an integer that is no object's address.
    NoObject,
    /// Before the start or behind the end of the object.
    OutOfBounds,
    /// Of an object whose life has ended.
    Dead,
    /// A write to a constant.
    Constant,
    /// Of a function's code.
    Function,
    /// A free of what no allocation returned.
    BadFree,
    /// A free of what was freed already.
    DoubleFree,
}

/// A limit of the machine that an allocation would exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutOfMemory {
    /// The bytes allowed in all, or the size one object can have.
    Bytes,
    /// The number of objects of one thread.
    Objects,
}

/// The objects of one thread (or the globals).
#[derive(Clone, Debug, Default)]
struct Region {
    objects: Vec<Object>,
    /// Dead object numbers by size class, oldest first.
    free: Vec<VecDeque<u32>>,
    /// Next flat address of this region.
    next_address: u64,
    /// Allocations so far.
    serial: u32,
}

/// All memory of an execution.
#[derive(Clone, Debug)]
pub struct Memory {
    model: DataModel,
    regions: Vec<Region>,
    /// Bytes of live objects that threads made.
    used: u64,
    limit: u64,
    journal: Option<Journal>,
    /// What a whole turn changes, kept beside the journal of a trial.
    turn: Option<Journal>,
    /// Objects that were changed lately, a bit for several: see [`Memory::is_touched`].
    touched: u64,
    /// How often something was changed, or may have been.
    changes: u64,
}

/// What memory was before some changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    objects: Vec<(u32, Object)>,
    /// A region's bookkeeping before its first allocation or free.
    regions: Vec<SavedRegion>,
    /// How many regions there were.
    region_count: usize,
    used: u64,
}

impl Journal {
    fn has_object(&self, id: u32) -> bool {
        self.objects.iter().any(|(saved, _)| *saved == id)
    }

    fn has_region(&self, number: usize) -> bool {
        self.regions.iter().any(|saved| saved.number == number)
    }
}

#[derive(Clone, Debug)]
struct SavedRegion {
    number: usize,
    objects: usize,
    free: Vec<VecDeque<u32>>,
    next_address: u64,
    serial: u32,
}

impl Memory {
    /// The memory at the start of an execution: globals and functions.
    pub fn new(program: &Program, limit: u64) -> Self {
        let mut memory = Memory {
            model: program.model,
            regions: vec![Region::default()],
            used: 0,
            limit,
            journal: None,
            turn: None,
            touched: 0,
            changes: 0,
        };
        memory.regions[0].next_address = 0x1000;
        // Object 0 is nothing: no bytes, so every access faults.
        memory.push_global(ObjectKind::Func(FuncId::new(0)), 0, false);
        for (id, global) in program.globals.iter_enumerated() {
            // A thread-local has its instances in the threads' regions; here it only keeps the numbers aligned.
            let size = if global.thread_local { 0 } else { object_size(global.size) };
            memory.push_global(ObjectKind::Global(id), size, global.constant);
        }
        for id in program.functions.ids() {
            memory.push_global(ObjectKind::Func(id), 1, true);
        }
        for (id, global) in program.globals.iter_enumerated() {
            if !global.thread_local {
                let object = global_object(id);
                memory.initialise(program, object, id);
            }
        }
        memory
    }

    /// Back to `pristine`, which [`Memory::new`] made for the same program.
    pub fn reset(&mut self, pristine: &Memory) {
        self.regions.truncate(1);
        for (object, fresh) in self.regions[0].objects.iter_mut().zip(&pristine.regions[0].objects) {
            if !object.constant {
                object.bytes.copy_from_slice(&fresh.bytes);
                object.written.clone_from(&fresh.written);
            }
        }
        self.used = 0;
        (self.journal, self.turn) = (None, None);
    }

    /// Opens the region of thread number `thread` (from 1) and makes its instances of thread-locals there.
    pub fn add_thread(&mut self, program: &Program, thread: u32) -> Result<(), OutOfMemory> {
        while self.regions.len() <= thread as usize {
            let number = self.regions.len() as u64;
            self.regions.push(Region { next_address: first_address(number), ..Region::default() });
        }
        let locals = program.globals.iter_enumerated().filter(|(_, g)| g.thread_local);
        for (id, global) in locals {
            let object = self.allocate(thread, object_size(global.size), ObjectKind::Global(id), true, None)?;
            self.initialise(program, object, id);
        }
        Ok(())
    }

    /// Makes an object in the region of `thread`.
    pub fn allocate(
        &mut self,
        thread: u32,
        size: u64,
        kind: ObjectKind,
        zeroed: bool,
        born: Option<Site>,
    ) -> Result<u32, OutOfMemory> {
        if size > self.limit.saturating_sub(self.used) || size >= 1 << 31 {
            return Err(OutOfMemory::Bytes);
        }
        self.save_region(thread);
        self.changes += 1;
        let class = size_class(size);
        let region = &mut self.regions[thread as usize];
        region.serial += 1;
        let serial = region.serial;
        if region.free.len() <= class {
            region.free.resize_with(class + 1, VecDeque::new);
        }
        let id = if region.free[class].len() > QUARANTINE {
            region.free[class].pop_front().expect("longer than the quarantine")
        } else {
            self.new_number(thread, class)?
        };
        self.save_object(id);
        let object = self.object_mut(id);
        if object.bytes.capacity() < size as usize {
            // Zeroed pages from the system, without touching them.
            object.bytes = vec![0; size as usize];
        } else {
            object.bytes.clear();
            object.bytes.resize(size as usize, 0);
        }
        object.written.clear();
        if !zeroed {
            object.written.resize((size as usize).div_ceil(64), 0);
        }
        (object.readable, object.writable) = (size as u32, size as u32);
        (object.kind, object.serial, object.born, object.died) = (kind, serial, born, None);
        self.used += size;
        Ok(id)
    }

    /// Forgets which objects were touched.
    pub fn untouch(&mut self) {
        self.touched = 0;
    }

    /// Whether an object may have been changed since [`untouch`](Self::untouch).
    pub fn is_touched(&self, id: u32) -> bool {
        self.touched & touch_bit(id) != 0
    }

    /// Grows with every change of an object, also with one that leaves its bytes as they were.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Ends the life of an object.
    pub fn kill(&mut self, id: u32, by: Site) {
        self.save_region(by.thread);
        self.save_object(id);
        let object = self.object_mut(id);
        debug_assert!(object.is_live());
        (object.readable, object.writable) = (0, 0);
        object.died = Some(by);
        let size = object.bytes.len() as u64;
        self.used -= size;
        let free = &mut self.regions[by.thread as usize].free;
        let class = size_class(size);
        if free.len() <= class {
            free.resize_with(class + 1, VecDeque::new);
        }
        free[class].push_back(id);
    }

    /// Makes the contents of a live object arbitrary again.
    pub fn scramble(&mut self, id: u32) {
        self.save_object(id);
        let object = self.object_mut(id);
        object.bytes.fill(0);
        object.written.clear();
        object.written.resize(object.bytes.len().div_ceil(64), 0);
    }

    /// The object with this number, if there ever was one.
    #[inline]
    pub fn object(&self, id: u32) -> Option<&Object> {
        self.regions.get((id >> COUNT_BITS) as usize)?.objects.get(id as usize & (MAX_COUNT - 1))
    }

    /// All objects that `Alloc` steps made with `kind` and that are still live, by number.
    pub fn live_allocations(&self, kind: AllocKind) -> Vec<u32> {
        let mut found = Vec::new();
        for (number, region) in self.regions.iter().enumerate().skip(1) {
            for (k, object) in region.objects.iter().enumerate() {
                if object.is_live() && object.kind == ObjectKind::Alloc(kind) {
                    found.push((number as u32) << COUNT_BITS | k as u32);
                }
            }
        }
        found
    }

    /// Whether a heap free of `pointer` is right; the object to kill if so, none for null.
    pub fn check_free(&self, pointer: Pointer, kind: AllocKind) -> Result<Option<u32>, Fault> {
        if pointer.bits() == 0 {
            return Ok(None);
        }
        let object = self.object(pointer.object).filter(|_| pointer.object != 0).ok_or(Fault::BadFree)?;
        if object.kind != ObjectKind::Alloc(kind) {
            return Err(Fault::BadFree);
        }
        if !object.is_live() {
            return Err(Fault::DoubleFree);
        }
        if pointer.offset != 0 {
            return Err(Fault::BadFree);
        }
        Ok(Some(pointer.object))
    }

    /// Whether `len` bytes at `pointer` can be accessed.
    pub fn check(&self, pointer: Pointer, len: u64, write: bool) -> Result<(), Fault> {
        let Some(object) = self.object(pointer.object) else { return Err(Fault::NoObject) };
        let end = i64::from(pointer.offset) + len as i64;
        let room = if write { object.writable } else { object.readable };
        if pointer.offset >= 0 && end <= i64::from(room) && pointer.object != 0 {
            return Ok(());
        }
        Err(self.fault(pointer, len, write))
    }

    /// What is wrong with an access that failed.
    #[cold]
    fn fault(&self, pointer: Pointer, len: u64, write: bool) -> Fault {
        if pointer.object == 0 {
            return if (0..4096).contains(&pointer.offset) { Fault::Null } else { Fault::NoObject };
        }
        let Some(object) = self.object(pointer.object) else { return Fault::NoObject };
        if matches!(object.kind, ObjectKind::Func(_)) {
            Fault::Function
        } else if !object.is_live() {
            Fault::Dead
        } else if pointer.offset < 0 || i64::from(pointer.offset) + len as i64 > i64::from(object.size()) {
            Fault::OutOfBounds
        } else {
            debug_assert!(write && object.constant);
            Fault::Constant
        }
    }

    /// Reads up to 8 bytes as a number.
    #[inline]
    pub fn load(&self, pointer: u64, len: u32) -> Result<u64, Fault> {
        let pointer = Pointer::from_bits(pointer);
        let Some(object) = self.object(pointer.object) else { return Err(Fault::NoObject) };
        let at = pointer.offset as u32 as usize;
        if at + len as usize > object.readable as usize {
            return Err(self.fault(pointer, u64::from(len), false));
        }
        let bytes = &object.bytes[at..];
        Ok(match len {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            4 => u64::from(u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"))),
            8 => u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")),
            _ => unreachable!("no access has this size"),
        })
    }

    /// Writes up to 8 bytes of a number.
    #[inline]
    pub fn store(&mut self, pointer: u64, len: u32, value: u64) -> Result<(), Fault> {
        let pointer = Pointer::from_bits(pointer);
        if self.journal.is_some() || self.turn.is_some() {
            self.save_object(pointer.object);
        }
        let number = (pointer.object >> COUNT_BITS) as usize;
        let k = pointer.object as usize & (MAX_COUNT - 1);
        let Some(object) = self.regions.get_mut(number).and_then(|r| r.objects.get_mut(k)) else {
            return Err(Fault::NoObject);
        };
        let at = pointer.offset as u32 as usize;
        if at + len as usize > object.writable as usize {
            return Err(self.fault(pointer, u64::from(len), true));
        }
        self.touched |= touch_bit(pointer.object);
        self.changes += 1;
        let target = &mut object.bytes[at..at + len as usize];
        match len {
            1 => target[0] = value as u8,
            2 => target.copy_from_slice(&(value as u16).to_le_bytes()),
            4 => target.copy_from_slice(&(value as u32).to_le_bytes()),
            8 => target.copy_from_slice(&value.to_le_bytes()),
            _ => unreachable!("no access has this size"),
        }
        if !object.written.is_empty() {
            mark_written(object, at, len as usize);
        }
        Ok(())
    }

    /// Reads up to 16 bytes as a number.
    pub fn load_wide(&self, pointer: Pointer, len: u32) -> Result<u128, Fault> {
        self.check(pointer, u64::from(len), false)?;
        let object = self.object(pointer.object).expect("checked");
        let at = pointer.offset as usize;
        let mut bytes = [0; 16];
        bytes[..len as usize].copy_from_slice(&object.bytes[at..at + len as usize]);
        Ok(u128::from_le_bytes(bytes))
    }

    /// Writes up to 16 bytes of a number.
    pub fn store_wide(&mut self, pointer: Pointer, len: u32, value: u128) -> Result<(), Fault> {
        self.check(pointer, u64::from(len), true)?;
        self.write_bytes(pointer, &value.to_le_bytes()[..len as usize]);
        Ok(())
    }

    /// `memset`.
    pub fn fill(&mut self, pointer: Pointer, byte: u8, len: u64) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        self.check(pointer, len, true)?;
        self.save_object(pointer.object);
        let object = self.object_mut(pointer.object);
        let at = pointer.offset as usize;
        object.bytes[at..at + len as usize].fill(byte);
        if !object.written.is_empty() {
            mark_written(object, at, len as usize);
        }
        Ok(())
    }

    /// `memmove`. What was never written stays so in the copy: copying padding is no use of it.
    pub fn copy(&mut self, to: Pointer, from: Pointer, len: u64) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        self.check(from, len, false)?;
        self.check(to, len, true)?;
        let source = self.object(from.object).expect("checked");
        let (at, len) = (from.offset as usize, len as usize);
        let bytes = source.bytes[at..at + len].to_vec();
        let written: Option<Vec<bool>> =
            (!source.written.is_empty()).then(|| (at..at + len).map(|i| bit(&source.written, i)).collect());
        self.write_bytes(to, &bytes);
        if let Some(written) = written {
            let object = self.object_mut(to.object);
            unmark(object, to.offset as usize, &written);
        }
        Ok(())
    }

    /// Whether some of these bytes (which can be read) were never written.
    #[inline]
    pub fn has_unwritten(&self, pointer: Pointer, len: u32) -> bool {
        let Some(object) = self.object(pointer.object) else { return false };
        if object.written.is_empty() {
            return false;
        }
        let at = pointer.offset as usize;
        !(at..at + len as usize).all(|i| bit(&object.written, i))
    }

    /// The bytes of an object.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.object(id).map_or(&[], |o| &o.bytes)
    }

    /// The text up to a zero byte or the end of the object, at most `limit` bytes; none if nothing can be read.
    pub fn text(&self, pointer: Pointer, limit: usize) -> Option<Vec<u8>> {
        self.check(pointer, 1, false).ok()?;
        let bytes = &self.bytes(pointer.object)[pointer.offset as usize..];
        let bytes = &bytes[..bytes.len().min(limit)];
        Some(bytes[..bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len())].to_vec())
    }

    /// Up to 16 bytes as they are, whatever they are for.
    pub(crate) fn peek(&self, range: Range) -> Option<u128> {
        let at = usize::try_from(range.lo).ok()?;
        let len = usize::try_from(range.hi - range.lo).ok().filter(|&len| len <= 16)?;
        let bytes = self.object(range.object)?.bytes.get(at..at + len)?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte)))
    }

    /// Whether all of a range was written before, as far as that is tracked.
    pub(crate) fn is_written(&self, range: Range) -> bool {
        let Some(object) = self.object(range.object) else { return false };
        object.written.is_empty() || (range.lo..range.hi).all(|at| bit(&object.written, at as usize))
    }

    /// Sets one byte of a live object and returns the old one.
    pub(crate) fn poke(&mut self, object: u32, at: i32, byte: u8) -> Option<u8> {
        self.object(object).filter(|o| o.is_live())?;
        let place = self.object_mut(object).bytes.get_mut(usize::try_from(at).ok()?)?;
        Some(std::mem::replace(place, byte))
    }

    /// Hashes the bytes of all live objects that can change.
    pub(crate) fn hash_contents(&self, hasher: &mut impl std::hash::Hasher) {
        for object in self.regions.iter().flat_map(|region| &region.objects) {
            if object.writable > 0 {
                hasher.write(&object.bytes);
            }
        }
    }

    // Flat addresses (ILP32).

    /// A pointer as the integer that it is in memory or after a cast.
    pub fn to_address(&self, pointer: u64) -> u64 {
        match self.model {
            DataModel::Lp64 => pointer,
            DataModel::Ilp32 => {
                let pointer = Pointer::from_bits(pointer);
                let base = if pointer.object == 0 { 0 } else { self.object(pointer.object).map_or(0, |o| o.address) };
                u64::from(base.wrapping_add(pointer.offset as u32))
            }
        }
    }

    /// The pointer that an integer stands for.
    pub fn at_flat_address(&self, address: u64) -> u64 {
        match self.model {
            DataModel::Lp64 => address,
            DataModel::Ilp32 => self.at_address(address as u32).unwrap_or(address & 0xffff_ffff),
        }
    }

    fn at_address(&self, address: u32) -> Option<u64> {
        let number = region_at(u64::from(address));
        let objects = &self.regions.get(number)?.objects;
        // Addresses rise with the count, and the rounded sizes leave room for one-past-the-end.
        let k = objects.partition_point(|o| o.address <= address).checked_sub(1)?;
        let object = &objects[k];
        let offset = address - object.address;
        let id = (number as u32) << COUNT_BITS | k as u32;
        let inside = u64::from(offset) <= u64::from(object.size()) && id != 0;
        inside.then(|| Pointer { object: id, offset: offset as i32 }.bits())
    }

    // Undo.

    /// From here on changes can be undone.
    pub fn begin_journal(&mut self) {
        debug_assert!(self.journal.is_none());
        self.journal = Some(self.empty_journal());
    }

    /// Undoes the changes since [`begin_journal`](Self::begin_journal).
    pub fn roll_back(&mut self) {
        if let Some(journal) = self.journal.take() {
            self.restore(journal);
        }
    }

    /// From here on the changes of a turn are kept, whatever is tried meanwhile.
    pub(crate) fn begin_turn(&mut self) {
        self.turn = Some(self.empty_journal());
    }

    /// What memory was at [`begin_turn`](Self::begin_turn), for [`restore`](Self::restore).
    pub(crate) fn end_turn(&mut self) -> Journal {
        self.turn.take().unwrap_or_else(|| self.empty_journal())
    }

    fn empty_journal(&self) -> Journal {
        Journal { used: self.used, region_count: self.regions.len(), ..Journal::default() }
    }

    /// Memory is what it was when the journal began.
    pub(crate) fn restore(&mut self, journal: Journal) {
        for (id, object) in journal.objects {
            *self.object_mut(id) = object;
        }
        for saved in journal.regions {
            let region = &mut self.regions[saved.number];
            region.objects.truncate(saved.objects);
            (region.free, region.next_address, region.serial) = (saved.free, saved.next_address, saved.serial);
        }
        self.regions.truncate(journal.region_count);
        self.used = journal.used;
    }

    fn save_object(&mut self, id: u32) {
        let in_trial = self.journal.as_ref().is_none_or(|journal| journal.has_object(id));
        let in_turn = self.turn.as_ref().is_none_or(|journal| journal.has_object(id));
        if in_trial && in_turn {
            return;
        }
        let Some(object) = self.object(id).cloned() else { return };
        if !in_turn && let Some(turn) = &mut self.turn {
            turn.objects.push((id, object.clone()));
        }
        if !in_trial && let Some(journal) = &mut self.journal {
            journal.objects.push((id, object));
        }
    }

    fn save_region(&mut self, thread: u32) {
        let number = thread as usize;
        let region = &self.regions[number];
        for journal in [&mut self.journal, &mut self.turn].into_iter().flatten() {
            if !journal.has_region(number) {
                journal.regions.push(SavedRegion {
                    number,
                    objects: region.objects.len(),
                    free: region.free.clone(),
                    next_address: region.next_address,
                    serial: region.serial,
                });
            }
        }
    }

    /// The numbers and contents of all live objects that can change, with which bytes were written.
    pub(crate) fn encode_contents(&self, out: &mut Vec<u8>) {
        for (number, region) in self.regions.iter().enumerate() {
            for (k, object) in region.objects.iter().enumerate() {
                if object.writable == 0 {
                    continue;
                }
                let id = (number as u32) << COUNT_BITS | k as u32;
                out.extend_from_slice(&id.to_le_bytes());
                out.extend_from_slice(&object.writable.to_le_bytes());
                out.extend_from_slice(&object.bytes);
                // All written, in either form, is the same.
                let all = (0..object.bytes.len()).all(|i| object.written.is_empty() || bit(&object.written, i));
                out.push(u8::from(all));
                if !all {
                    object.written.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
                }
            }
        }
        // No object has this number.
        out.extend_from_slice(&u32::MAX.to_le_bytes());
    }

    // Bookkeeping.

    fn object_mut(&mut self, id: u32) -> &mut Object {
        self.touched |= touch_bit(id);
        self.changes += 1;
        &mut self.regions[(id >> COUNT_BITS) as usize].objects[id as usize & (MAX_COUNT - 1)]
    }

    fn write_bytes(&mut self, pointer: Pointer, bytes: &[u8]) {
        self.save_object(pointer.object);
        let object = self.object_mut(pointer.object);
        let at = pointer.offset as usize;
        object.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        if !object.written.is_empty() {
            mark_written(object, at, bytes.len());
        }
    }

    fn new_number(&mut self, thread: u32, class: usize) -> Result<u32, OutOfMemory> {
        let region = &mut self.regions[thread as usize];
        let k = region.objects.len();
        if k >= MAX_COUNT {
            return Err(OutOfMemory::Objects);
        }
        let address = region.next_address;
        let room = (1u64 << class) + GAP;
        let end = address + room;
        if self.model == DataModel::Ilp32 && (region_at(end) != thread as usize || end > u64::from(u32::MAX)) {
            return Err(OutOfMemory::Bytes);
        }
        region.next_address += room;
        region.objects.push(Object {
            readable: 0,
            writable: 0,
            bytes: Vec::new(),
            written: Vec::new(),
            kind: ObjectKind::Alloc(AllocKind::Model),
            address: address as u32,
            constant: false,
            serial: 0,
            born: None,
            died: None,
        });
        Ok(thread << COUNT_BITS | k as u32)
    }

    fn push_global(&mut self, kind: ObjectKind, size: u64, constant: bool) {
        let region = &mut self.regions[0];
        let address = region.next_address;
        region.next_address += (size + GAP).next_multiple_of(GAP) + GAP;
        region.objects.push(Object {
            readable: if matches!(kind, ObjectKind::Func(_)) { 0 } else { size as u32 },
            writable: if constant { 0 } else { size as u32 },
            bytes: vec![0; size as usize],
            written: Vec::new(),
            kind,
            address: address as u32,
            constant,
            serial: 0,
            born: None,
            died: None,
        });
    }

    fn initialise(&mut self, program: &Program, object: u32, global: GlobalId) {
        for item in &program.globals[global].init {
            let bytes = self.constant_bytes(program, &item.value);
            let target = self.object_mut(object);
            let at = item.offset as usize;
            if let Some(place) = target.bytes.get_mut(at..at + bytes.len()) {
                place.copy_from_slice(&bytes);
            }
        }
        if program.globals[global].external {
            let target = self.object_mut(object);
            target.written = vec![0; target.bytes.len().div_ceil(64)];
        }
    }

    fn constant_bytes(&self, program: &Program, value: &ConstValue) -> Vec<u8> {
        let pointer = |pointer: Pointer| {
            let size = self.model.pointer_size() as usize;
            self.to_address(pointer.bits()).to_le_bytes()[..size].to_vec()
        };
        match value {
            ConstValue::Scalar { ty, bits } => bits.to_le_bytes()[..ty.size(self.model) as usize].to_vec(),
            ConstValue::Global { global, offset } => pointer(Pointer::to(global_object(*global)).plus(*offset)),
            ConstValue::Func(func) => pointer(Pointer::to(func_object(program, *func))),
            ConstValue::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// Objects that share a bit are not told apart.
fn touch_bit(id: u32) -> u64 {
    1 << ((id ^ id >> COUNT_BITS) & 63)
}

fn object_size(size: u64) -> u64 {
    size.min((1 << 31) - 1)
}

fn size_class(size: u64) -> usize {
    size.max(16).next_power_of_two().trailing_zeros() as usize
}

fn bit(bits: &[u64], i: usize) -> bool {
    bits[i / 64] & 1 << (i % 64) != 0
}

fn mark_written(object: &mut Object, at: usize, len: usize) {
    for i in at..at + len {
        object.written[i / 64] |= 1 << (i % 64);
    }
}

fn unmark(object: &mut Object, at: usize, written: &[bool]) {
    if object.written.is_empty() {
        object.written = vec![u64::MAX; object.bytes.len().div_ceil(64)];
    }
    for (i, &written) in written.iter().enumerate() {
        let i = at + i;
        if !written {
            object.written[i / 64] &= !(1 << (i % 64));
        }
    }
}
