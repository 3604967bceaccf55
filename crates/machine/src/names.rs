//! Readable names of places: `q.head[3]`, `block 2 of thread 0.1 + 8`, `mutex m`.

use heddle_ir::{AllocKind, LayoutId, LayoutKind, Program, SyncKind};

use crate::machine::Machine;
use crate::memory::ObjectKind;
use heddle_ir::objects::{owner, pointed_function};
use heddle_ir::value::Pointer;
use heddle_task::ThreadId;

/// What a name is made of.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) kind: ObjectKind,
    /// Which allocation of its thread it was.
    pub(crate) serial: u32,
    /// The thread that made it.
    pub(crate) by: ThreadId,
}

/// Who knows what objects are: a machine now, a recording at one of its steps.
pub(crate) trait Naming {
    fn program(&self) -> &Program;
    fn named(&self, object: u32) -> Option<Named>;
    fn thread_path(&self, thread: ThreadId) -> String;
    /// The thread whose end an object stands for.
    fn ended(&self, kind: SyncKind, object: u64) -> Option<ThreadId>;
}

impl Naming for Machine<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn named(&self, object: u32) -> Option<Named> {
        let found = self.memory.object(object).filter(|_| object != 0)?;
        let number = found.born.map_or_else(|| owner(object).max(1), |site| site.thread);
        Some(Named { kind: found.kind, serial: found.serial, by: ThreadId::of_number(number) })
    }

    fn thread_path(&self, thread: ThreadId) -> String {
        self.names.path(thread)
    }

    fn ended(&self, kind: SyncKind, object: u64) -> Option<ThreadId> {
        self.holds.iter().find(|hold| hold.kind == kind && hold.object == object).map(|hold| hold.thread)
    }
}

/// The name of `len` bytes at a pointer.
pub(crate) fn place(names: &impl Naming, at: Pointer, len: u32) -> String {
    let Some(found) = names.named(at.object) else {
        return format!("address {:#x}", at.offset);
    };
    let name = bare(names, at.object);
    let layout = match found.kind {
        ObjectKind::Global(id) => Some(names.program().globals[id].layout),
        ObjectKind::Slot(func, slot) => Some(names.program().functions[func].slots[slot].layout),
        ObjectKind::Func(_) | ObjectKind::Alloc(_) => None,
    };
    match (layout, u64::try_from(at.offset)) {
        (Some(layout), Ok(offset)) => format!("`{name}{}`", path(names.program(), layout, offset, u64::from(len))),
        (None, Ok(0)) => format!("`*{name}`"),
        (_, _) => format!("`{name}[{:+}]`", at.offset),
    }
}

/// The name of an object.
pub(crate) fn object(names: &impl Naming, id: u32) -> String {
    let Some(found) = names.named(id) else { return "no object".to_owned() };
    let name = bare(names, id);
    match found.kind {
        ObjectKind::Global(_) | ObjectKind::Slot(..) => format!("`{name}`"),
        ObjectKind::Func(_) => format!("function `{name}`"),
        ObjectKind::Alloc(_) => format!("block `{name}`"),
    }
}

/// A pointer value: `&x`, `&q.head`, `null`, `f`.
pub(crate) fn pointer(names: &impl Naming, bits: u64) -> String {
    let at = Pointer::from_bits(bits);
    if bits == 0 {
        return "null".to_owned();
    }
    if let Some(func) = pointed_function(names.program(), at) {
        return names.program().functions[func].name.clone();
    }
    let Some(found) = names.named(at.object) else {
        return format!("{bits:#x}");
    };
    match (found.kind, at.offset) {
        (ObjectKind::Alloc(_), 0) => bare(names, at.object),
        (ObjectKind::Alloc(_), offset) => format!("{}{offset:+}", bare(names, at.object)),
        (ObjectKind::Global(_) | ObjectKind::Slot(..) | ObjectKind::Func(_), 0) => {
            format!("&{}", bare(names, at.object))
        }
        (ObjectKind::Global(_) | ObjectKind::Slot(..) | ObjectKind::Func(_), _) => {
            format!("&{}", place(names, at, 1).trim_matches('`'))
        }
    }
}

/// `mutex `m``, `the end of thread 0.1`.
pub(crate) fn sync_object(names: &impl Naming, kind: SyncKind, address: u64) -> String {
    let at = Pointer::from_bits(address);
    let name = place(names, at, 1);
    match kind {
        SyncKind::Mutex => format!("mutex {}", whole(names, at, &name)),
        SyncKind::Condition => format!("condition variable {}", whole(names, at, &name)),
        SyncKind::Join => match names.ended(kind, address) {
            Some(thread) => format!("the end of thread {}", names.thread_path(thread)),
            None => "the end of a thread".to_owned(),
        },
        SyncKind::ReadLock => format!("read lock {}", whole(names, at, &name)),
        SyncKind::WriteLock => format!("write lock {}", whole(names, at, &name)),
        SyncKind::Barrier => format!("barrier {}", whole(names, at, &name)),
        SyncKind::Semaphore => format!("semaphore {}", whole(names, at, &name)),
        SyncKind::Spinlock => format!("spin lock {}", whole(names, at, &name)),
        SyncKind::Once => format!("once control {}", whole(names, at, &name)),
        SyncKind::Other => name,
    }
}

/// A synchronisation object is what the user declared, not what a libc has in it: `m`, not `m.__data.__lock`.
fn whole(names: &impl Naming, at: Pointer, name: &str) -> String {
    if let Some((declared, _)) = name.split_once(".__") {
        return format!("{declared}`");
    }
    let heap = names.named(at.object).is_none_or(|o| matches!(o.kind, ObjectKind::Alloc(_)));
    if at.offset == 0 && !heap { format!("`{}`", bare(names, at.object)) } else { name.to_owned() }
}

fn bare(names: &impl Naming, id: u32) -> String {
    let program = names.program();
    let Some(found) = names.named(id) else { return "?".to_owned() };
    match found.kind {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Func(func) => program.functions[func].name.clone(),
        ObjectKind::Slot(func, slot) => program.functions[func].slots[slot].name.clone(),
        ObjectKind::Alloc(kind) => {
            let by = names.thread_path(found.by);
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
pub(crate) fn path(program: &Program, layout: LayoutId, offset: u64, len: u64) -> String {
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
