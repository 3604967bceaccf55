//! Scopes: what names stand for, and which locals in memory are alive where.

use heddle_ir::{RegId, SlotId};
use rustc_hash::FxHashMap;

use super::Binding;
use crate::ast::TagKind;
use crate::intern::Symbol;
use crate::types::{EnumId, RecordId};
use heddle_base::Span;

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Record(RecordId, TagKind),
    Enum(EnumId),
}

/// The scopes of one file, innermost last.
#[derive(Debug)]
pub(super) struct Scopes {
    ordinary: Vec<FxHashMap<Symbol, (Binding, Span)>>,
    tags: Vec<FxHashMap<Symbol, Tag>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { ordinary: vec![FxHashMap::default()], tags: vec![FxHashMap::default()] }
    }

    pub(super) fn push(&mut self) {
        self.ordinary.push(FxHashMap::default());
        self.tags.push(FxHashMap::default());
    }

    pub(super) fn pop(&mut self) {
        self.ordinary.pop();
        self.tags.pop();
    }

    /// Whether this is file scope.
    pub(super) fn at_file_scope(&self) -> bool {
        self.ordinary.len() == 1
    }

    pub(super) fn lookup(&self, name: Symbol) -> Option<Binding> {
        self.ordinary.iter().rev().find_map(|scope| scope.get(&name)).map(|entry| entry.0)
    }

    /// What the name stands for in the innermost scope itself.
    pub(super) fn lookup_here(&self, name: Symbol) -> Option<(Binding, Span)> {
        self.ordinary.last().and_then(|scope| scope.get(&name)).copied()
    }

    pub(super) fn bind(&mut self, name: Symbol, binding: Binding, span: Span) {
        self.ordinary.last_mut().expect("file scope stays").insert(name, (binding, span));
    }

    pub(super) fn bind_at_file_scope(&mut self, name: Symbol, binding: Binding, span: Span) {
        self.ordinary[0].insert(name, (binding, span));
    }

    pub(super) fn lookup_tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.iter().rev().find_map(|scope| scope.get(&name)).copied()
    }

    pub(super) fn lookup_tag_here(&self, name: Symbol) -> Option<Tag> {
        self.tags.last().and_then(|scope| scope.get(&name)).copied()
    }

    pub(super) fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        self.tags.last_mut().expect("file scope stays").insert(name, tag);
    }
}

/// A point in the nesting of blocks: a block, and how many of its locals were declared so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopePoint {
    block: usize,
    declared: usize,
}

/// What a declaration in a block gives a life, and a jump past it must think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// A variable in memory.
    Slot(SlotId),
    /// A variable that has no address.
    Reg(RegId),
    /// A name whose type has a size computed at its declaration, which no jump may skip.
    Variable(Span),
}

#[derive(Debug)]
struct Block {
    /// Where in its parent it stands; none for the function's body.
    parent: Option<ScopePoint>,
    locals: Vec<Local>,
}

/// The blocks of a function and the locals that each declares.
///
/// A jump ends the lives of the locals it leaves and begins those of the locals whose declarations it skips.
#[derive(Debug, Default)]
pub(super) struct SlotScopes {
    blocks: Vec<Block>,
    current: usize,
}

impl SlotScopes {
    pub(super) fn enter(&mut self) {
        let parent = (!self.blocks.is_empty()).then(|| self.here());
        self.blocks.push(Block { parent, locals: Vec::new() });
        self.current = self.blocks.len() - 1;
    }

    /// Leaves the innermost block and returns its locals in memory, last declared first.
    pub(super) fn leave(&mut self) -> Vec<SlotId> {
        let block = &self.blocks[self.current];
        let slots = slots(block.locals.iter().rev());
        self.current = block.parent.map_or(0, |p| p.block);
        slots
    }

    pub(super) fn declare(&mut self, local: Local) {
        if let Some(block) = self.blocks.get_mut(self.current) {
            block.locals.push(local);
        }
    }

    pub(super) fn here(&self) -> ScopePoint {
        ScopePoint { block: self.current, declared: self.blocks.get(self.current).map_or(0, |b| b.locals.len()) }
    }

    /// Locals in memory that are alive at a point, last declared first.
    pub(super) fn alive(&self, point: ScopePoint) -> Vec<SlotId> {
        let nowhere = ScopePoint { block: usize::MAX, declared: 0 };
        slots(self.only_at(point, nowhere).iter())
    }

    /// What a jump from one point to another does: the locals in memory that it kills, last declared first, and what it
    /// brings to life, first declared first.
    pub(super) fn jump(&self, from: ScopePoint, to: ScopePoint) -> (Vec<SlotId>, Vec<Local>) {
        let mut live = self.only_at(to, from);
        live.reverse();
        (slots(self.only_at(from, to).iter()), live)
    }

    /// What is alive at one point and not at another, last declared first.
    fn only_at(&self, point: ScopePoint, other: ScopePoint) -> Vec<Local> {
        let mut locals = Vec::new();
        let mut next = Some(point);
        while let Some(ScopePoint { block: index, declared }) = next {
            let Some(block) = self.blocks.get(index) else { break };
            let shared = self.point_in(other, index).map_or(0, |point| point.declared.min(declared));
            locals.extend(block.locals[shared..declared].iter().rev());
            next = block.parent;
        }
        locals
    }

    /// Where in a block around it a point lies.
    fn point_in(&self, point: ScopePoint, block: usize) -> Option<ScopePoint> {
        let mut next = Some(point);
        while let Some(point) = next.filter(|point| point.block != block) {
            next = self.blocks.get(point.block)?.parent;
        }
        next
    }
}

fn slots<'a>(locals: impl Iterator<Item = &'a Local>) -> Vec<SlotId> {
    locals
        .filter_map(|local| match local {
            Local::Slot(slot) => Some(*slot),
            Local::Reg(_) | Local::Variable(_) => None,
        })
        .collect()
}
