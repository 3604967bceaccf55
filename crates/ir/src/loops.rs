//! Loops of a function: natural loops, their nesting, and names for `--unwindset`.
//!
//! A retreating edge whose target dominates its source makes a natural loop; several with one target are one loop. A
//! retreating edge whose target does not (a `goto` into a loop) makes an *irreducible* loop: its body is what lies on
//! cycles through the target, and it can be entered elsewhere. Either way every cycle of the graph passes a back edge
//! of some loop, so cutting back edges cuts all cycles.

use heddle_base::{Id, IndexVec, Loc, define_id};

use crate::bits::BitSet;
use crate::cfg::{BlockId, Cfg};
use crate::dominators::Dominators;
use crate::program::Function;
use crate::step::StepId;

define_id!(
    /// A loop of a function.
    pub LoopId, "l"
);

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// `function.N`, numbered in the order of the headers.
    pub name: String,
    /// The block that every iteration starts with.
    pub header: BlockId,
    /// The header's first step.
    pub head: StepId,
    /// The steps from which control goes back to the header.
    pub back_edges: Vec<StepId>,
    /// The blocks inside, header included.
    pub blocks: BitSet,
    /// The innermost loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Whether it can be entered past its header.
    pub irreducible: bool,
    /// Where the header comes from.
    pub loc: Loc,
}

/// All loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The loops in the order of their headers.
    pub loops: IndexVec<LoopId, Loop>,
    /// The innermost loop around each block.
    pub innermost: IndexVec<BlockId, Option<LoopId>>,
}

impl Loops {
    /// The loops of a function.
    pub fn new(function: &Function, cfg: &Cfg) -> Self {
        let dominators = Dominators::new(cfg);
        let mut position = IndexVec::from_elem(None, cfg.blocks.len());
        cfg.order.iter().enumerate().for_each(|(i, &b)| position[b] = Some(i));
        let mut loops: IndexVec<LoopId, Loop> = IndexVec::new();
        for header in cfg.blocks.ids() {
            let edges = back_edges(cfg, &position, header);
            if edges.is_empty() {
                continue;
            }
            let irreducible = edges.iter().any(|&from| !dominators.dominates(header, from));
            let head = cfg.blocks[header].first;
            loops.push(Loop {
                name: format!("{}.{}", function.name, loops.len()),
                header,
                head,
                back_edges: edges.iter().map(|&from| cfg.blocks[from].last).collect(),
                blocks: body(cfg, header, &edges, irreducible),
                parent: None,
                depth: 1,
                irreducible,
                loc: function.steps[head].loc,
            });
        }
        nest(&mut loops);
        let innermost = cfg.blocks.ids().map(|b| innermost(&loops, b)).collect();
        Loops { loops, innermost }
    }

    /// The loop that a jump from the last step of one block to another goes round, if it does.
    pub fn back_edge(&self, from: StepId, to: BlockId) -> Option<LoopId> {
        self.loops.iter_enumerated().find(|(_, l)| l.header == to && l.back_edges.contains(&from)).map(|(id, _)| id)
    }
}

/// The sources of retreating edges to a block: those that come no earlier in reverse postorder.
fn back_edges(cfg: &Cfg, position: &IndexVec<BlockId, Option<usize>>, header: BlockId) -> Vec<BlockId> {
    let later = |p: &BlockId| position[*p].is_some_and(|from| position[header].is_some_and(|at| from >= at));
    cfg.blocks[header].preds.iter().copied().filter(later).collect()
}

/// What reaches a back edge without passing the header. For an irreducible loop only as far as the header reaches it.
fn body(cfg: &Cfg, header: BlockId, sources: &[BlockId], irreducible: bool) -> BitSet {
    let mut blocks = BitSet::new(cfg.blocks.len());
    blocks.insert(header.index());
    let mut todo = sources.to_vec();
    while let Some(block) = todo.pop() {
        if blocks.insert(block.index()) {
            todo.extend(&cfg.blocks[block].preds);
        }
    }
    let reached = reachable_from(cfg, header);
    if irreducible {
        blocks.intersect_with(&reached);
    }
    // Blocks that the entry does not reach are in no loop.
    let mut live = BitSet::new(cfg.blocks.len());
    for block in &cfg.order {
        live.insert(block.index());
    }
    blocks.intersect_with(&live);
    blocks
}

fn reachable_from(cfg: &Cfg, from: BlockId) -> BitSet {
    let mut seen = BitSet::new(cfg.blocks.len());
    let mut todo = vec![from];
    while let Some(block) = todo.pop() {
        if seen.insert(block.index()) {
            todo.extend(&cfg.blocks[block].succs);
        }
    }
    seen
}

/// A loop's parent is the smallest other loop that has its header inside.
fn nest(loops: &mut IndexVec<LoopId, Loop>) {
    let sizes: IndexVec<LoopId, usize> = loops.iter().map(|l| l.blocks.iter().count()).collect();
    let parent = |id: LoopId| {
        let around = |other: &LoopId| {
            let larger = (sizes[*other], *other) > (sizes[id], id);
            *other != id && larger && loops[*other].blocks.contains(loops[id].header.index())
        };
        loops.ids().filter(around).min_by_key(|&o| (sizes[o], o))
    };
    let parents: Vec<Option<LoopId>> = loops.ids().map(parent).collect();
    for (l, parent) in loops.iter_mut().zip(&parents) {
        l.parent = *parent;
    }
    for id in loops.ids() {
        let up = |l: &LoopId| parents[l.index()];
        loops[id].depth = std::iter::successors(Some(id), up).count() as u32;
    }
}

fn innermost(loops: &IndexVec<LoopId, Loop>, block: BlockId) -> Option<LoopId> {
    let around = loops.iter_enumerated().filter(|(_, l)| l.blocks.contains(block.index()));
    around.max_by_key(|(id, l)| (l.depth, std::cmp::Reverse(*id))).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::random_program;
    use crate::text::parse;

    fn check(text: &str, expect: Expect) {
        let program = parse(text).unwrap();
        let function = &program.functions[program.entry];
        let loops = Loops::new(function, &Cfg::new(function));
        let mut out = String::new();
        for l in loops.loops.iter() {
            let blocks: Vec<usize> = l.blocks.iter().collect();
            let kind = if l.irreducible { " irreducible" } else { "" };
            out +=
                &format!("{} depth {} {} blocks {blocks:?} back {:?}{kind}\n", l.name, l.depth, l.head, l.back_edges);
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn nested_loops() {
        check(
            r#"fn main() {
              i = 0
            outer:
              if i == 3 goto end
              j = 0
            inner:
              j = j + 1
              if j < 3 goto inner
              i = i + 1
              if i == 2 goto outer
              goto outer
            end:
              return
            }"#,
            expect![[r#"
                main.0 depth 1 s1 blocks [1, 2, 3, 4, 5] back [s6, s7]
                main.1 depth 2 s3 blocks [3] back [s4]
            "#]],
        );
    }

    #[test]
    fn a_jump_into_a_loop_is_irreducible() {
        check(
            r#"fn main() {
              if self == 1 goto middle
            head:
              skip
            middle:
              if self == 2 goto head
              return
            }"#,
            expect![[r#"
                main.0 depth 1 s2 blocks [1, 2] back [s1] irreducible
            "#]],
        );
    }

    #[test]
    fn without_back_edges_no_cycle_is_left() {
        for seed in 0..60 {
            for function in random_program(seed).functions.iter() {
                let cfg = Cfg::new(function);
                let loops = Loops::new(function, &cfg);
                let reached = cfg.reachable();
                let position = |b: BlockId| cfg.order.iter().position(|&o| o == b);
                for (id, block) in cfg.blocks.iter_enumerated().filter(|&(id, _)| reached[id]) {
                    for &succ in &block.succs {
                        let forward = position(id) < position(succ);
                        assert!(forward || loops.back_edge(block.last, succ).is_some(), "seed {seed}: {id} -> {succ}");
                    }
                }
            }
        }
    }
}
