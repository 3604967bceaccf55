//! Layouts, globals, and names.

use heddle_base::IndexVec;
use rustc_hash::FxHashSet;

use super::{Errors, Place, VerifyErrorKind};
use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::program::{ConstValue, Global, Program};
use crate::ty::Ty;

pub(super) fn verify_data(program: &Program, errors: &mut Errors) {
    errors.in_range("entry function", program.entry, program.functions.len());
    unique("functions", program.functions.iter().map(|f| f.name.as_str()), errors);
    unique("globals", program.globals.iter().map(|g| g.name.as_str()), errors);
    unique("inputs", program.inputs.iter().map(|i| i.name.as_str()), errors);
    let before = errors.list.len();
    for (id, layout) in program.layouts.iter_enumerated() {
        errors.place = Place::Layout(id);
        verify_layout(program, layout, errors);
    }
    if errors.list.len() == before {
        find_cycles(&program.layouts, errors);
    }
    for (id, global) in program.globals.iter_enumerated() {
        errors.place = Place::Global(id, global.name.clone());
        verify_global(program, global, errors);
    }
}

fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>, errors: &mut Errors) {
    let mut seen = FxHashSet::default();
    for name in names {
        if !seen.insert(name) {
            errors.push(VerifyErrorKind::DuplicateName { what, name: name.to_owned() });
        }
    }
}

fn verify_layout(program: &Program, layout: &Layout, errors: &mut Errors) {
    if !layout.align.is_power_of_two() {
        errors.push(VerifyErrorKind::BadLayout("alignment is no power of two"));
    }
    let layouts = &program.layouts;
    match &layout.kind {
        LayoutKind::Scalar(Ty::Bool) => errors.push(VerifyErrorKind::BadLayout("`bool` in memory")),
        LayoutKind::Scalar(ty) if layout.size < ty.size(program.model) => {
            errors.push(VerifyErrorKind::BadLayout("scalar larger than its layout"));
        }
        LayoutKind::Scalar(_) | LayoutKind::Bytes => {}
        LayoutKind::Array { elem, len } => {
            if errors.in_range("layout", *elem, layouts.len())
                && layouts[*elem].size.checked_mul(*len) != Some(layout.size)
            {
                errors.push(VerifyErrorKind::BadLayout("array of another size than its elements"));
            }
        }
        LayoutKind::Record { fields, .. } => {
            for field in fields {
                if !errors.in_range("layout", field.layout, layouts.len()) {
                    continue;
                }
                let size = layouts[field.layout].size;
                if field.offset.checked_add(size).is_none_or(|end| end > layout.size) {
                    errors.push(VerifyErrorKind::BadLayout("field outside its record"));
                }
                if field.bits.is_some_and(|(first, width)| u64::from(first) + u64::from(width) > size.saturating_mul(8))
                {
                    errors.push(VerifyErrorKind::BadLayout("bit-field outside its unit"));
                }
            }
        }
    }
}

/// Depth-first search without recursion: layouts may nest deeply.
fn find_cycles(layouts: &IndexVec<LayoutId, Layout>, errors: &mut Errors) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state: IndexVec<LayoutId, State> = IndexVec::from_elem(State::New, layouts.len());
    for root in layouts.ids() {
        let mut stack = vec![(root, false)];
        while let Some((id, leaving)) = stack.pop() {
            if leaving {
                state[id] = State::Done;
                continue;
            }
            match state[id] {
                State::Done => continue,
                State::Open => {
                    errors.place = Place::Layout(id);
                    errors.push(VerifyErrorKind::CyclicLayout);
                    continue;
                }
                State::New => {}
            }
            state[id] = State::Open;
            stack.push((id, true));
            match &layouts[id].kind {
                LayoutKind::Array { elem, .. } => stack.push((*elem, false)),
                // A part that is already open is seen when it is popped, while it is still open: it is an ancestor.
                LayoutKind::Record { fields, .. } => stack.extend(fields.iter().map(|f| (f.layout, false))),
                LayoutKind::Scalar(_) | LayoutKind::Bytes => {}
            }
        }
    }
}

fn verify_global(program: &Program, global: &Global, errors: &mut Errors) {
    if !global.align.is_power_of_two() {
        errors.push(VerifyErrorKind::BadGlobal("alignment is no power of two"));
    }
    if errors.in_range("layout", global.layout, program.layouts.len())
        && global.size < program.layouts[global.layout].size
    {
        errors.push(VerifyErrorKind::BadGlobal("smaller than its layout"));
    }
    for item in &global.init {
        let size = match &item.value {
            ConstValue::Scalar { ty: Ty::Bool, .. } => {
                errors.push(VerifyErrorKind::BadGlobal("`bool` in memory"));
                continue;
            }
            ConstValue::Scalar { ty, bits } => {
                if !fits(*ty, *bits, program) {
                    errors.push(VerifyErrorKind::BadGlobal("constant too wide for its type"));
                }
                ty.size(program.model)
            }
            ConstValue::Global { global, .. } => {
                errors.in_range("global", *global, program.globals.len());
                program.model.pointer_size()
            }
            ConstValue::Func(func) => {
                errors.in_range("function", *func, program.functions.len());
                program.model.pointer_size()
            }
            ConstValue::Bytes(bytes) => bytes.len() as u64,
        };
        if item.offset.checked_add(size).is_none_or(|end| end > global.size) {
            errors.push(VerifyErrorKind::BadGlobal("initial contents outside the object"));
        }
    }
}

/// Whether the bits of a constant fit its type.
pub(super) fn fits(ty: Ty, bits: u128, program: &Program) -> bool {
    let width = if ty == Ty::Bool { 1 } else { 8 * ty.size(program.model) };
    width >= 128 || bits >> width == 0
}
