//! Control flow graphs: basic blocks of a function's steps.

use heddle_base::{Id, IndexVec, define_id};

use crate::program::Function;
use crate::step::{StepId, StepKind};

define_id!(
    /// A basic block of a function.
    pub BlockId, "b"
);

/// A maximal run of steps that is entered at the first and left at the last only.
#[derive(Clone, Debug)]
pub struct Block {
    /// The first step.
    pub first: StepId,
    /// The last step.
    pub last: StepId,
    /// Where control can go: the fall-through before the jump target.
    pub succs: Vec<BlockId>,
    /// Where it can come from.
    pub preds: Vec<BlockId>,
}

impl Block {
    /// The steps of the block in order.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = StepId> + use<> {
        (self.first.index()..=self.last.index()).map(StepId::new)
    }
}

/// The control flow graph of a function.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The blocks in the order of their steps; the first is the entry.
    pub blocks: IndexVec<BlockId, Block>,
    /// The block of each step.
    pub block_of: IndexVec<StepId, BlockId>,
    /// The blocks that the entry reaches, in reverse postorder.
    pub order: Vec<BlockId>,
}

impl Cfg {
    /// The graph of a function, which must have a step.
    pub fn new(function: &Function) -> Self {
        let mut cfg = Cfg { blocks: IndexVec::new(), block_of: IndexVec::new(), order: Vec::new() };
        cfg.make_blocks(function);
        cfg.connect(function);
        cfg.order = reverse_postorder(cfg.blocks.len(), BlockId::new(0), |b| &cfg.blocks[b].succs);
        cfg
    }

    /// The entry block.
    pub fn entry(&self) -> BlockId {
        BlockId::new(0)
    }

    /// Whether the entry reaches each block.
    pub fn reachable(&self) -> IndexVec<BlockId, bool> {
        let mut reached = IndexVec::from_elem(false, self.blocks.len());
        for &block in &self.order {
            reached[block] = true;
        }
        reached
    }

    fn make_blocks(&mut self, function: &Function) {
        let mut starts = vec![false; function.steps.len() + 1];
        starts[0] = true;
        for (id, step) in function.steps.iter_enumerated() {
            if let Some(target) = step.kind.target() {
                starts[target.index()] = true;
            }
            if step.kind.target().is_some() || !step.kind.falls_through() {
                starts[id.index() + 1] = true;
            }
        }
        for id in function.steps.ids() {
            if starts[id.index()] {
                self.blocks.push(Block { first: id, last: id, succs: Vec::new(), preds: Vec::new() });
            }
            let block = BlockId::new(self.blocks.len() - 1);
            self.blocks[block].last = id;
            self.block_of.push(block);
        }
    }

    fn connect(&mut self, function: &Function) {
        for id in self.blocks.ids() {
            let last = self.blocks[id].last;
            for next in successors(&function.steps[last].kind, last) {
                let Some(&to) = self.block_of.get(next) else { continue };
                if !self.blocks[id].succs.contains(&to) {
                    self.blocks[id].succs.push(to);
                    self.blocks[to].preds.push(id);
                }
            }
        }
    }
}

/// The steps that can follow a step: the next, then the jump target.
pub fn successors(step: &StepKind, at: StepId) -> impl Iterator<Item = StepId> + use<> {
    let next = step.falls_through().then(|| StepId::new(at.index() + 1));
    next.into_iter().chain(step.target())
}

/// Nodes reachable from `root`, each before its successors except along back edges.
pub(crate) fn reverse_postorder<'a, I: Id + 'a>(len: usize, root: I, succs: impl Fn(I) -> &'a [I]) -> Vec<I>
where
{
    let mut seen = vec![false; len];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root.index()] = true;
    while let Some((node, next)) = stack.last_mut() {
        // Later successors first, so that the fall-through comes first in the reversed order.
        let all = succs(*node);
        match all.len().checked_sub(*next + 1).map(|i| all[i]) {
            Some(succ) => {
                *next += 1;
                if !std::mem::replace(&mut seen[succ.index()], true) {
                    stack.push((succ, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::parse;

    fn check(text: &str, expect: Expect) {
        let program = parse(text).unwrap();
        let cfg = Cfg::new(&program.functions[program.entry]);
        let mut out = String::new();
        for (id, block) in cfg.blocks.iter_enumerated() {
            out += &format!("{id} {}..{} -> {:?}\n", block.first, block.last, block.succs);
        }
        expect.assert_eq(&(out + &format!("{:?}", cfg.order)));
    }

    #[test]
    fn blocks_of_a_loop() {
        check(
            r#"fn main() {
              x = 0
            head:
              if x == 10 goto end
              x = x + 1
              goto head
              skip
            end:
              return
            }"#,
            expect![[r#"
                b0 s0..s0 -> [b1]
                b1 s1..s1 -> [b2, b4]
                b2 s2..s3 -> [b1]
                b3 s4..s4 -> [b4]
                b4 s5..s5 -> []
                [b0, b1, b2, b4]"#]],
        );
    }
}
