//! Liveness of registers: whose value can still be read.

use heddle_base::{Id, IndexVec};

use crate::bits::BitSet;
use crate::cfg::{BlockId, Cfg};
use crate::program::{Function, RegId};
use crate::step::{StepId, StepKind};
use crate::walk::Walker;

/// The registers that are live at the end of each block.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_out: IndexVec<BlockId, BitSet>,
}

impl Liveness {
    /// Computes liveness backwards to a fixpoint.
    pub fn new(function: &Function, cfg: &Cfg) -> Self {
        let empty = BitSet::new(function.regs.len());
        let mut live_out: IndexVec<BlockId, BitSet> = IndexVec::from_elem(empty, cfg.blocks.len());
        let reads = reads(function);
        let mut todo: Vec<BlockId> = cfg.blocks.ids().collect();
        let mut queued: IndexVec<BlockId, bool> = IndexVec::from_elem(true, cfg.blocks.len());
        while let Some(block) = todo.pop() {
            queued[block] = false;
            let mut live = live_out[block].clone();
            for step in cfg.blocks[block].steps().rev() {
                transfer(&function.steps[step].kind, &reads[step], &mut live);
            }
            for &pred in &cfg.blocks[block].preds {
                if live_out[pred].union_with(&live) && !std::mem::replace(&mut queued[pred], true) {
                    todo.push(pred);
                }
            }
        }
        Liveness { live_out }
    }

    /// The registers whose value can be read after the last step of a block.
    pub fn at_end(&self, block: BlockId) -> &BitSet {
        &self.live_out[block]
    }

    /// For every step the registers whose value can be read by it or later.
    pub fn before(&self, function: &Function, cfg: &Cfg) -> IndexVec<StepId, BitSet> {
        let reads = reads(function);
        let mut before = IndexVec::from_elem(BitSet::new(function.regs.len()), function.steps.len());
        for (id, block) in cfg.blocks.iter_enumerated() {
            let mut live = self.live_out[id].clone();
            for step in block.steps().rev() {
                transfer(&function.steps[step].kind, &reads[step], &mut live);
                before[step] = live.clone();
            }
        }
        before
    }

    /// Calls `visit` for every step with the registers live right after it, blocks in order, steps backwards.
    pub fn for_each_step(&self, function: &Function, cfg: &Cfg, mut visit: impl FnMut(StepId, &BitSet)) {
        let reads = reads(function);
        for (id, block) in cfg.blocks.iter_enumerated() {
            let mut live = self.live_out[id].clone();
            for step in block.steps().rev() {
                visit(step, &live);
                transfer(&function.steps[step].kind, &reads[step], &mut live);
            }
        }
    }
}

fn reads(function: &Function) -> IndexVec<StepId, Vec<RegId>> {
    let mut walker = Walker::new();
    let of_step = |step: &crate::step::Step| {
        let mut regs = Vec::new();
        walker.registers(function, &step.kind, |reg| regs.push(reg));
        regs
    };
    function.steps.iter().map(of_step).collect()
}

/// From what is live after a step to what is live before it.
fn transfer(step: &StepKind, reads: &[RegId], live: &mut BitSet) {
    if let Some(reg) = step.written_reg() {
        live.remove(reg.index());
    }
    for reg in reads {
        live.insert(reg.index());
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::parse;

    fn check(text: &str, expect: Expect) {
        let program = parse(text).unwrap();
        let function = &program.functions[program.entry];
        let cfg = Cfg::new(function);
        let mut lines = vec![String::new(); function.steps.len()];
        Liveness::new(function, &cfg).for_each_step(function, &cfg, |step, live| {
            let names = live.iter().filter_map(|r| function.regs[RegId::new(r)].name.clone());
            lines[step.index()] = format!("{step}: {}\n", names.collect::<Vec<_>>().join(" "));
        });
        expect.assert_eq(&lines.concat());
    }

    #[test]
    fn through_a_loop() {
        check(
            r#"global g: i32
            fn main() -> i32 {
              x = load.i32 &g
              y = 5
              sum = 0
            head:
              if x == 0 goto end
              sum = sum + y
              x = x - 1
              goto head
            end:
              x = 3
              return sum
            }"#,
            expect![[r#"
                s0: x
                s1: x y
                s2: x y sum
                s3: x y sum
                s4: x y sum
                s5: x y sum
                s6: x y sum
                s7: sum
                s8: 
            "#]],
        );
    }
}
