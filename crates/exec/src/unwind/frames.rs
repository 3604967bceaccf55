//! What unwinding needs to know of functions: an order of blocks in which every path is merged before it goes on.
//!
//! States wait at blocks. The one that comes first in the order of [`OrderKey`] goes on: blocks in reverse postorder,
//! the rounds of a loop one after the other, and what lies behind a loop after all of its rounds. So two states that
//! can meet do meet.

use heddle_base::IndexVec;
use heddle_ir::cfg::{BlockId, Cfg};
use heddle_ir::loops::{LoopId, Loops};
use heddle_ir::{ExprId, FuncId, Function, Program, Property, PropertySet, RegId, SlotId, StepId, Ty};
use smallvec::SmallVec;

use super::state::Round;
use crate::code::Awaits;
use crate::liveness::used_uninitialised;
use crate::sections::section_awaits;
use crate::visibility::Escapes;

/// See the module.
pub(super) type OrderKey = SmallVec<[u32; 8]>;

/// What is known of one function.
pub(super) struct FunctionInfo {
    pub(super) cfg: Cfg,
    pub(super) loops: Loops,
    position: IndexVec<BlockId, u32>,
    /// The loops around each block, from the outermost.
    around: IndexVec<BlockId, Vec<LoopId>>,
    /// Sections that may block, by the step that opens them.
    stopping: Vec<StepId>,
    /// The types of expressions.
    pub(super) types: IndexVec<ExprId, Ty>,
    /// Locals whose address is used for more than accessing them.
    pub(super) escaping: IndexVec<SlotId, bool>,
    /// Registers that may be used although they hold what was never initialised, where that is asked for.
    pub(super) marked: Vec<RegId>,
}

/// All functions of a program.
pub(super) struct Functions {
    infos: IndexVec<FuncId, FunctionInfo>,
}

impl Functions {
    pub(super) fn new(program: &Program, properties: PropertySet) -> Self {
        let awaits = section_awaits(program);
        let escapes = Escapes::of(program);
        let infos = program
            .functions
            .iter_enumerated()
            .map(|(id, function)| {
                let marked = properties.contains(Property::Uninit) && !function.model;
                let marked = if marked { used_uninitialised(program, function) } else { Vec::new() };
                FunctionInfo::new(function, &awaits[id], escapes.slots(id).iter().copied().collect(), marked)
            })
            .collect();
        Functions { infos }
    }

    pub(super) fn of(&self, func: FuncId) -> &FunctionInfo {
        &self.infos[func]
    }
}

impl FunctionInfo {
    fn new(
        function: &Function,
        awaits: &[(StepId, Awaits)],
        escaping: IndexVec<SlotId, bool>,
        marked: Vec<RegId>,
    ) -> Self {
        let cfg = Cfg::new(function);
        let loops = Loops::new(function, &cfg);
        let mut position = IndexVec::from_elem(u32::MAX, cfg.blocks.len());
        cfg.order.iter().enumerate().for_each(|(i, &block)| position[block] = i as u32);
        let around = cfg
            .blocks
            .ids()
            .map(|block| {
                let mut chain = Vec::new();
                let mut at = loops.innermost[block];
                while let Some(id) = at {
                    chain.push(id);
                    at = loops.loops[id].parent;
                }
                chain.reverse();
                chain
            })
            .collect();
        let stopping = awaits.iter().filter(|(_, awaits)| *awaits != Awaits::None).map(|&(begin, _)| begin).collect();
        FunctionInfo { cfg, loops, position, around, stopping, types: function.expr_types(), escaping, marked }
    }

    /// Whether a section that this step opens may block.
    pub(super) fn may_stop(&self, begin: StepId) -> bool {
        self.stopping.contains(&begin)
    }

    /// The loops around a block, from the outermost.
    pub(super) fn around(&self, block: BlockId) -> &[LoopId] {
        &self.around[block]
    }

    /// The place of a block in the order, given the rounds of the loops around it.
    pub(super) fn key(&self, block: BlockId, rounds: &[Round]) -> OrderKey {
        let mut key = OrderKey::new();
        for round in rounds {
            key.push(self.position[self.loops.loops[round.of].header]);
            key.push(round.number);
        }
        key.push(self.position[block]);
        key
    }
}
