//! Numbers of memory objects, and the sites that make and use them.
//!
//! An object number has 32 bits: the upper 12 name the thread that made the object (0: globals and functions), the lower
//! 20 count that thread's objects. A number depends on what its own thread did and on nothing else, so equivalent
//! interleavings give objects the same numbers. The concrete machine and the symbolic evaluator share this numbering.

use heddle_base::{Id, IndexVec};

use crate::program::{FuncId, GlobalId, Program};
use crate::step::StepId;
use crate::value::Pointer;

/// Bits of an object number that count the objects of one thread.
pub const COUNT_BITS: u32 = 20;
/// Objects one thread can have at a time.
pub const MAX_COUNT: usize = 1 << COUNT_BITS;
/// Threads that an execution can have, the first one included.
pub const MAX_THREADS: usize = (1 << (32 - COUNT_BITS)) - 1;
/// A step of the program and the thread that executed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Site {
    /// The thread, by number.
    pub thread: u32,
    /// The function.
    pub func: FuncId,
    /// The step.
    pub step: StepId,
}

/// The number of a global that is not thread-local.
pub fn global_object(global: GlobalId) -> u32 {
    global.index() as u32 + 1
}

/// The number of a function as an object.
pub fn func_object(program: &Program, func: FuncId) -> u32 {
    (1 + program.globals.len() + func.index()) as u32
}

/// The function that a pointer points to.
pub fn pointed_function(program: &Program, pointer: Pointer) -> Option<FuncId> {
    let index = (pointer.object as usize).checked_sub(1 + program.globals.len())?;
    (index < program.functions.len() && pointer.offset == 0).then(|| FuncId::new(index))
}

/// The numbers of a thread's instances of thread-locals: the first objects of its region, in the order of globals.
pub fn thread_local_indices(program: &Program) -> IndexVec<GlobalId, u32> {
    let mut next = 0;
    program
        .globals
        .iter()
        .map(|global| {
            let index = next;
            next += u32::from(global.thread_local);
            index
        })
        .collect()
}

/// The number of a thread's `index`th object.
pub fn thread_object(thread: u32, index: u32) -> u32 {
    thread << COUNT_BITS | index
}

/// The thread that made an object; 0 for globals.
pub fn owner(object: u32) -> u32 {
    object >> COUNT_BITS
}

/// The number of an object among those of its thread.
pub fn index_in_thread(object: u32) -> u32 {
    object & ((1 << COUNT_BITS) - 1)
}

/// Where the flat addresses of a region start: 256 MiB for globals, 2 GiB for the first thread, 6 MiB for the others.
pub fn first_address(number: u64) -> u64 {
    match number {
        0 => 0x1000,
        1 => 0x1000_0000,
        _ => 0x9000_0000 + (number - 2) * 0x60_0000,
    }
}

/// The region that a flat address lies in.
pub fn region_at(address: u64) -> usize {
    match address {
        0..0x1000_0000 => 0,
        0x1000_0000..0x9000_0000 => 1,
        _ => 2 + ((address - 0x9000_0000) / 0x60_0000) as usize,
    }
}
