//! Names of registers and locals in the text form, shared by printer and parser.

use heddle_base::{Id, IndexVec};
use rustc_hash::FxHashMap;

use crate::program::{Function, RegId, SlotId};

/// Words that begin a right-hand side or are values of their own, so no register can be called by them alone.
const RESERVED: [&str; 13] =
    ["null", "true", "false", "self", "load", "call", "havoc", "alloc", "objsize", "output", "goto", "store", "assert"];

/// How a function's registers and locals are called in the text.
pub(super) struct Handles {
    pub regs: IndexVec<RegId, String>,
    pub slots: IndexVec<SlotId, String>,
}

impl Handles {
    pub fn new(function: &Function) -> Self {
        let names = function.regs.iter().map(|r| r.name.as_deref());
        let regs = handles(names, 'r');
        let slots = handles(function.slots.iter().map(|s| Some(s.name.as_str())), 'm');
        Handles { regs: IndexVec::from_raw(regs), slots: IndexVec::from_raw(slots) }
    }

    pub fn reg(&self, id: RegId) -> String {
        self.regs.get(id).cloned().unwrap_or_else(|| id.to_string())
    }

    pub fn slot(&self, id: SlotId) -> String {
        self.slots.get(id).cloned().unwrap_or_else(|| id.to_string())
    }
}

fn handles<'a>(names: impl Iterator<Item = Option<&'a str>> + Clone, prefix: char) -> Vec<String> {
    let mut count: FxHashMap<&str, u32> = FxHashMap::default();
    for name in names.clone().flatten() {
        *count.entry(name).or_default() += 1;
    }
    let handle = |(i, name): (usize, Option<&str>)| match name {
        Some(n) if is_ident(n) && count[n] == 1 && !is_reserved(n, prefix) => n.to_owned(),
        Some(n) if is_ident(n) => format!("{n}#{i}"),
        _ => format!("{prefix}{i}"),
    };
    names.enumerate().map(handle).collect()
}

/// The C name behind a handle, `None` for a temporary (`r7`).
pub(super) fn name_of_handle(handle: &str, prefix: char) -> Option<&str> {
    match handle.split_once('#') {
        Some((name, _)) => Some(name),
        None if numbered(handle, prefix).is_some() => None,
        None => Some(handle),
    }
}

/// The number in `r7`, `m7`, `t7`, `c7`.
pub(super) fn numbered(text: &str, prefix: char) -> Option<usize> {
    let digits = text.strip_prefix(prefix)?;
    (!digits.is_empty() && digits.len() < 9 && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}

fn is_reserved(name: &str, prefix: char) -> bool {
    let word = name.split('.').next().unwrap_or(name);
    RESERVED.contains(&word) || numbered(name, prefix).is_some()
}

/// Whether the lexer reads `text` as one word (without a `#` in it).
pub(super) fn is_ident(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_ident_start) && chars.all(is_ident_char)
}

pub(super) fn is_ident_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

pub(super) fn is_ident_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '.'
}

/// The id with this number, if it is one of `len`.
pub(super) fn id_below<I: Id>(number: usize, len: usize) -> Option<I> {
    (number < len).then(|| I::new(number))
}
