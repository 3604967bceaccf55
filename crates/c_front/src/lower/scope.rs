//! Scopes: what names stand for, and which locals in memory are alive where.

use heddle_ir::SlotId;
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
    variable: usize,
}

#[derive(Debug)]
struct Block {
    /// Where in its parent it stands; none for the function's body.
    parent: Option<ScopePoint>,
    slots: Vec<SlotId>,
    /// Where it declares names whose type has a size computed there.
    variable: Vec<Span>,
}

/// The blocks of a function and the locals in memory that each declares.
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
        self.blocks.push(Block { parent, slots: Vec::new(), variable: Vec::new() });
        self.current = self.blocks.len() - 1;
    }

    /// Leaves the innermost block and returns its locals, last declared first.
    pub(super) fn leave(&mut self) -> Vec<SlotId> {
        let block = &self.blocks[self.current];
        let slots = block.slots.iter().rev().copied().collect();
        self.current = block.parent.map_or(0, |p| p.block);
        slots
    }

    pub(super) fn declare(&mut self, slot: SlotId) {
        if let Some(block) = self.blocks.get_mut(self.current) {
            block.slots.push(slot);
        }
    }

    /// Notes the declaration of a name whose type has a size computed here. No jump may skip it.
    pub(super) fn declare_variable(&mut self, span: Span) {
        if let Some(block) = self.blocks.get_mut(self.current) {
            block.variable.push(span);
        }
    }

    pub(super) fn here(&self) -> ScopePoint {
        let (declared, variable) = self.blocks.get(self.current).map_or((0, 0), |b| (b.slots.len(), b.variable.len()));
        ScopePoint { block: self.current, declared, variable }
    }

    /// The first declaration of variable size that a jump skips and whose scope it enters.
    pub(super) fn skipped_variable(&self, from: ScopePoint, to: ScopePoint) -> Option<Span> {
        let mut skipped = None;
        let mut next = Some(to);
        while let Some(to) = next {
            let block = self.blocks.get(to.block)?;
            let known = self.point_in(from, to.block).map_or(0, |point| point.variable);
            skipped = block.variable[..to.variable].get(known).copied().or(skipped);
            next = block.parent;
        }
        skipped
    }

    /// Where in a block around it a point lies.
    fn point_in(&self, point: ScopePoint, block: usize) -> Option<ScopePoint> {
        let mut next = Some(point);
        while let Some(point) = next.filter(|point| point.block != block) {
            next = self.blocks.get(point.block)?.parent;
        }
        next
    }

    /// Locals alive at a point, last declared first.
    pub(super) fn alive(&self, point: ScopePoint) -> Vec<SlotId> {
        let mut slots = Vec::new();
        let mut next = Some(point);
        while let Some(ScopePoint { block, declared, .. }) = next {
            let Some(block) = self.blocks.get(block) else { break };
            slots.extend(block.slots[..declared].iter().rev());
            next = block.parent;
        }
        slots
    }

    /// What a jump from one point to another does: the locals it kills and those it brings to life.
    pub(super) fn jump(&self, from: ScopePoint, to: ScopePoint) -> (Vec<SlotId>, Vec<SlotId>) {
        let (before, after) = (self.alive(from), self.alive(to));
        let dead = before.iter().copied().filter(|s| !after.contains(s)).collect();
        let live = after.iter().copied().filter(|s| !before.contains(s)).rev().collect();
        (dead, live)
    }
}
