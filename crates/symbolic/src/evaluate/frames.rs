//! What unwinding needs to know of functions: an order of blocks in which every path is merged before it goes on.
//!
//! States wait at blocks. The one that comes first in the order of [`OrderKey`] goes on: blocks in reverse postorder,
//! the rounds of a loop one after the other, and what lies behind a loop after all of its rounds. So two states that
//! can meet do meet.

use heddle_base::{Id, IndexVec};
use heddle_ir::assertions::{AssertionId, Assertions};
use heddle_ir::bits::BitSet;
use heddle_ir::cfg::{BlockId, Cfg};
use heddle_ir::loops::{LoopId, Loops};
use heddle_ir::walk::Walker;
use heddle_ir::{Expr, ExprId, FuncId, Function, Program, Property, PropertySet, RegId, SlotId, StepId, StepKind, Ty};
use smallvec::SmallVec;

use super::state::Round;
use heddle_ir::section_awaits::Awaits;
use heddle_ir::section_awaits::section_awaits;
use heddle_ir::uninitialised::used_uninitialised;
use heddle_ir::visibility::{Escapes, Visibility};

/// See the module.
pub(crate) type OrderKey = SmallVec<[u32; 8]>;

/// What is known of one function.
pub(crate) struct FunctionInfo {
    pub(crate) cfg: Cfg,
    pub(crate) loops: Loops,
    position: IndexVec<BlockId, u32>,
    /// The loops around each block, from the outermost.
    around: IndexVec<BlockId, Vec<LoopId>>,
    /// Sections that may block, by the step that opens them.
    stopping: Vec<StepId>,
    /// The types of expressions.
    pub(crate) types: IndexVec<ExprId, Ty>,
    /// For each loop the branches that tell by the thread's own values, which change in it, whether it goes on.
    counting: IndexVec<LoopId, BitSet>,
    /// Expressions that several others are made of.
    pub(crate) reused: IndexVec<ExprId, bool>,
    /// Locals whose address is used for more than accessing them.
    pub(crate) escaping: IndexVec<SlotId, bool>,
    /// Registers that may be used although they hold what was never initialised, where that is asked for.
    pub(crate) marked: Vec<RegId>,
    /// The steps at which the user's assertions are evaluated, in order.
    pub(crate) assertions: Vec<(StepId, AssertionId)>,
}

/// All functions of a program.
pub(crate) struct Functions {
    infos: IndexVec<FuncId, FunctionInfo>,
}

impl Functions {
    pub(crate) fn new(program: &Program, visibility: &Visibility, properties: PropertySet) -> Self {
        let awaits = section_awaits(program);
        let (escapes, assertions) = (Escapes::of(program), Assertions::new(program));
        let infos = program
            .functions
            .iter_enumerated()
            .map(|(id, function)| {
                let escaping = escapes.slots(id).iter().copied().collect();
                let marked = properties.contains(Property::Uninit) && !function.model;
                let marked = if marked { used_uninitialised(program, function) } else { Vec::new() };
                let assertions = assertions.of(id).to_vec();
                let info = FunctionInfo::new(id, function, visibility, &awaits[id]);
                FunctionInfo { escaping, marked, assertions, ..info }
            })
            .collect();
        Functions { infos }
    }

    pub(crate) fn of(&self, func: FuncId) -> &FunctionInfo {
        &self.infos[func]
    }
}

impl FunctionInfo {
    fn new(id: FuncId, function: &Function, visibility: &Visibility, awaits: &[(StepId, Awaits)]) -> Self {
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
        let counting = counting_branches(visibility, id, function, &cfg, &loops);
        let mut uses = IndexVec::from_elem(0u32, function.exprs.len());
        for expr in function.exprs.iter() {
            expr.operands().for_each(|operand| uses[operand] += 1);
        }
        let reused = uses.iter().map(|&uses| uses > 1).collect();
        FunctionInfo {
            cfg,
            loops,
            position,
            around,
            stopping,
            types: function.expr_types(),
            counting,
            reused,
            escaping: IndexVec::new(),
            marked: Vec::new(),
            assertions: Vec::new(),
        }
    }

    /// Whether a branch tells by the thread's own values, which change in a loop, whether the loop goes on.
    pub(crate) fn counts(&self, of: LoopId, branch: StepId) -> bool {
        self.counting[of].contains(branch.index())
    }

    /// Whether a section that this step opens may block.
    pub(crate) fn may_stop(&self, begin: StepId) -> bool {
        self.stopping.contains(&begin)
    }

    /// The loops around a block, from the outermost.
    pub(crate) fn around(&self, block: BlockId) -> &[LoopId] {
        &self.around[block]
    }

    /// The place of a block in the order, given the rounds of the loops around it.
    pub(crate) fn key(&self, block: BlockId, rounds: &[Round]) -> OrderKey {
        let mut key = OrderKey::new();
        for round in rounds {
            key.push(self.position[self.loops.loops[round.of].header]);
            key.push(round.number);
        }
        key.push(self.position[block]);
        key
    }
}

/// For each loop the branches out of it whose condition comes from the thread's own values and can differ from round to
/// round. Where constants decide such a branch, they do so in every round as they would without other threads. Any other
/// may be decided the same way for ever: that of a loop that waits for a thread which is not known to write yet, say.
/// Loads that others can notice and results of calls are not the thread's own.
fn counting_branches(
    visibility: &Visibility,
    func: FuncId,
    function: &Function,
    cfg: &Cfg,
    loops: &Loops,
) -> IndexVec<LoopId, BitSet> {
    let mut foreign: IndexVec<RegId, bool> = IndexVec::from_elem(false, function.regs.len());
    let mut walker = Walker::new();
    let mut any = |expr: ExprId, of: &dyn Fn(RegId) -> bool| {
        let mut found = false;
        walker.visit(function, &[expr], |_, expr| {
            if let Expr::Reg(reg) = *expr {
                found |= of(reg);
            }
        });
        found
    };
    loop {
        let mut changed = false;
        for (at, step) in function.steps.iter_enumerated() {
            let (dst, now) = match &step.kind {
                StepKind::Load { dst, .. } => (*dst, visibility.is_visible(func, at)),
                StepKind::Call { dst: Some(dst), .. } => (*dst, true),
                StepKind::Assign { dst, value } => (*dst, any(*value, &|reg| foreign[reg])),
                _ => continue,
            };
            changed |= now && !std::mem::replace(&mut foreign[dst], true);
        }
        if !changed {
            break;
        }
    }
    let counting = |body: &BitSet| {
        let inside = |at: StepId| body.contains(cfg.block_of[at].index());
        let mut written = BitSet::new(function.regs.len());
        for (at, step) in function.steps.iter_enumerated() {
            if let Some(reg) = step.kind.written_reg().filter(|_| inside(at)) {
                written.insert(reg.index());
            }
        }
        let mut branches = BitSet::new(function.steps.len());
        for (at, step) in function.steps.iter_enumerated() {
            if let StepKind::Branch { cond, .. } = &step.kind
                && inside(at)
                && !any(*cond, &|reg| foreign[reg])
                && any(*cond, &|reg| written.contains(reg.index()))
            {
                branches.insert(at.index());
            }
        }
        branches
    };
    loops.loops.iter().map(|of| &of.blocks).map(counting).collect()
}
