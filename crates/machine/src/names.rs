//! Readable names of places: `q.head[3]`, `block 2 of thread 0.1 + 8`, `mutex m`.

use heddle_ir::{AllocKind, LayoutId, LayoutKind, Program, SyncKind};

use crate::machine::Machine;
use crate::memory::ObjectKind;
use heddle_ir::objects::{owner, pointed_function};
use heddle_ir::value::Pointer;
use heddle_task::ThreadId;

/// The name of `len` bytes at a pointer.
pub(crate) fn place(machine: &Machine<'_>, at: Pointer, len: u32) -> String {
    let Some(found) = machine.memory.object(at.object).filter(|_| at.object != 0) else {
        return format!("address {:#x}", at.offset);
    };
    let name = bare(machine, at.object);
    let layout = match found.kind {
        ObjectKind::Global(id) => Some(machine.program.globals[id].layout),
        ObjectKind::Slot(func, slot) => Some(machine.program.functions[func].slots[slot].layout),
        ObjectKind::Func(_) | ObjectKind::Alloc(_) => None,
    };
    match (layout, u64::try_from(at.offset)) {
        (Some(layout), Ok(offset)) => format!("`{name}{}`", path(machine.program, layout, offset, u64::from(len))),
        (None, Ok(0)) => format!("`*{name}`"),
        (_, _) => format!("`{name}[{:+}]`", at.offset),
    }
}

/// The name of an object.
pub(crate) fn object(machine: &Machine<'_>, id: u32) -> String {
    let Some(found) = machine.memory.object(id).filter(|_| id != 0) else { return "no object".to_owned() };
    let name = bare(machine, id);
    match found.kind {
        ObjectKind::Global(_) | ObjectKind::Slot(..) => format!("`{name}`"),
        ObjectKind::Func(_) => format!("function `{name}`"),
        ObjectKind::Alloc(_) => format!("block `{name}`"),
    }
}

/// A pointer value: `&x`, `&q.head`, `null`, `f`.
pub(crate) fn pointer(machine: &Machine<'_>, bits: u64) -> String {
    let at = Pointer::from_bits(bits);
    if bits == 0 {
        return "null".to_owned();
    }
    if let Some(func) = pointed_function(machine.program, at) {
        return machine.program.functions[func].name.clone();
    }
    let Some(found) = machine.memory.object(at.object).filter(|_| at.object != 0) else {
        return format!("{bits:#x}");
    };
    match (found.kind, at.offset) {
        (ObjectKind::Alloc(_), 0) => bare(machine, at.object),
        (ObjectKind::Alloc(_), offset) => format!("{}{offset:+}", bare(machine, at.object)),
        (ObjectKind::Global(_) | ObjectKind::Slot(..) | ObjectKind::Func(_), 0) => {
            format!("&{}", bare(machine, at.object))
        }
        (ObjectKind::Global(_) | ObjectKind::Slot(..) | ObjectKind::Func(_), _) => {
            format!("&{}", place(machine, at, 1).trim_matches('`'))
        }
    }
}

/// `mutex `m``, `the end of thread 0.1`.
pub(crate) fn sync_object(machine: &Machine<'_>, kind: SyncKind, address: u64) -> String {
    let at = Pointer::from_bits(address);
    let name = place(machine, at, 1);
    match kind {
        SyncKind::Mutex => format!("mutex {}", whole(machine, at, &name)),
        SyncKind::Condition => format!("condition variable {}", whole(machine, at, &name)),
        SyncKind::Join => match machine.holds.iter().find(|hold| hold.kind == kind && hold.object == address) {
            Some(hold) => format!("the end of thread {}", machine.names.path(hold.thread)),
            None => "the end of a thread".to_owned(),
        },
        SyncKind::ReadLock => format!("read lock {}", whole(machine, at, &name)),
        SyncKind::WriteLock => format!("write lock {}", whole(machine, at, &name)),
        SyncKind::Barrier => format!("barrier {}", whole(machine, at, &name)),
        SyncKind::Semaphore => format!("semaphore {}", whole(machine, at, &name)),
        SyncKind::Spinlock => format!("spin lock {}", whole(machine, at, &name)),
        SyncKind::Once => format!("once control {}", whole(machine, at, &name)),
        SyncKind::Other => name,
    }
}

/// A synchronisation object is what the user declared, not what a libc has in it: `m`, not `m.__data.__lock`.
fn whole(machine: &Machine<'_>, at: Pointer, name: &str) -> String {
    if let Some((declared, _)) = name.split_once(".__") {
        return format!("{declared}`");
    }
    let heap = machine.memory.object(at.object).is_none_or(|o| matches!(o.kind, ObjectKind::Alloc(_)));
    if at.offset == 0 && !heap { format!("`{}`", bare(machine, at.object)) } else { name.to_owned() }
}

fn bare(machine: &Machine<'_>, id: u32) -> String {
    let program = machine.program;
    let Some(found) = machine.memory.object(id) else { return "?".to_owned() };
    match found.kind {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Func(func) => program.functions[func].name.clone(),
        ObjectKind::Slot(func, slot) => program.functions[func].slots[slot].name.clone(),
        ObjectKind::Alloc(kind) => {
            let by = match found.born {
                Some(site) => machine.thread_name(site),
                None => machine.names.path(ThreadId::of_number(owner(id).max(1))),
            };
            let what = match kind {
                AllocKind::Heap => "heap",
                AllocKind::Stack => "stack",
                AllocKind::Model => "internal",
            };
            format!("{what}#{}@{by}", found.serial)
        }
    }
}

/// The path from an object of this layout to `len` bytes at `offset`: `.head[3]`.
fn path(program: &Program, layout: LayoutId, offset: u64, len: u64) -> String {
    let shape = &program.layouts[layout];
    let rest = |name: String, inner: LayoutId, offset: u64| name + &path(program, inner, offset, len);
    match &shape.kind {
        LayoutKind::Scalar(_) if offset == 0 => String::new(),
        LayoutKind::Scalar(_) | LayoutKind::Bytes => match offset {
            0 => String::new(),
            _ => format!("[+{offset}]"),
        },
        LayoutKind::Array { elem, .. } => {
            let size = program.layouts[*elem].size;
            if size == 0 || (offset == 0 && len >= shape.size && len > size) {
                return String::new();
            }
            rest(format!("[{}]", offset / size), *elem, offset % size)
        }
        LayoutKind::Record { fields, .. } => {
            if offset == 0 && len >= shape.size && fields.len() > 1 {
                return String::new();
            }
            let inside =
                |f: &&heddle_ir::Field| offset >= f.offset && offset + len <= f.offset + program.layouts[f.layout].size;
            match fields.iter().find(inside) {
                Some(field) => {
                    let dot = if field.name.is_empty() { String::new() } else { format!(".{}", field.name) };
                    rest(dot, field.layout, offset - field.offset)
                }
                None if offset == 0 => String::new(),
                None => format!("[+{offset}]"),
            }
        }
    }
}
