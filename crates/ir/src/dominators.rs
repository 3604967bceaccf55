//! Dominators and post-dominators, by Lengauer and Tarjan's algorithm: a function may have as many blocks as a `switch` has cases.

use heddle_base::{Id, IndexVec};

use crate::cfg::{BlockId, Cfg, reverse_postorder};

/// Which blocks every path to (or from) a block passes.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The nearest block that dominates a block; none for roots and for blocks outside the tree.
    parent: IndexVec<BlockId, Option<BlockId>>,
    /// Entry and exit times in the tree, for constant-time queries; `None` outside the tree.
    span: IndexVec<BlockId, Option<(u32, u32)>>,
}

impl Dominators {
    /// `a` dominates `b` if every path from the entry to `b` passes `a`.
    pub fn new(cfg: &Cfg) -> Self {
        let succs: Vec<Vec<usize>> = cfg.blocks.iter().map(|b| indices(&b.succs)).collect();
        Self::of_graph(cfg.blocks.len(), &succs, 0)
    }

    /// `a` post-dominates `b` if every path from `b` to an end of the function passes `a`. Blocks from which no end can
    /// be reached are outside the tree.
    pub fn post(cfg: &Cfg) -> Self {
        // The reversed graph gets a root of its own that leads to all ends.
        let root = cfg.blocks.len();
        let reached = cfg.reachable();
        let mut succs: Vec<Vec<usize>> = cfg.blocks.iter().map(|b| indices(&b.preds)).collect();
        let is_end = |b: &BlockId| reached[*b] && cfg.blocks[*b].succs.is_empty();
        succs.push(cfg.blocks.ids().filter(is_end).map(Id::index).collect());
        for list in &mut succs {
            list.retain(|&b| b == root || reached[BlockId::new(b)]);
        }
        Self::of_graph(root, &succs, root)
    }

    /// The nearest block other than itself that dominates `block`.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.parent[block]
    }

    /// Whether `a` dominates `b`; every block in the tree dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.span[a], self.span[b]) {
            (Some((a_in, a_out)), Some((b_in, b_out))) => a_in <= b_in && b_out <= a_out,
            _ => false,
        }
    }

    /// The tree of the nodes that `root` reaches; the root itself is dropped if it is not one of the `blocks`.
    fn of_graph(blocks: usize, succs: &[Vec<usize>], root: usize) -> Self {
        let ids: Vec<Vec<BlockId>> = succs.iter().map(|l| l.iter().map(|&i| BlockId::new(i)).collect()).collect();
        let order = reverse_postorder(succs.len(), BlockId::new(root), |b| &ids[b.index()]);
        let mut position = vec![usize::MAX; succs.len()];
        for (i, node) in order.iter().enumerate() {
            position[node.index()] = i;
        }
        let mut preds = vec![Vec::new(); order.len()];
        for (i, node) in order.iter().enumerate() {
            for &succ in &succs[node.index()] {
                preds[position[succ]].push(i);
            }
        }
        let idom = immediate_dominators(&preds);
        let mut parent = IndexVec::from_elem(None, blocks);
        for (i, node) in order.iter().enumerate().skip(1) {
            let up = order[idom[i]];
            parent[*node] = (up.index() < blocks).then_some(up);
        }
        let mut span = IndexVec::from_elem(None, blocks);
        for (i, times) in tree_spans(&idom).into_iter().enumerate() {
            if order[i].index() < blocks {
                span[order[i]] = Some(times);
            }
        }
        Dominators { parent, span }
    }
}

fn indices(blocks: &[BlockId]) -> Vec<usize> {
    blocks.iter().map(|b| b.index()).collect()
}

/// Nodes are positions in reverse postorder; node 0 is the root and reaches all of them.
///
/// The simple version of Lengauer and Tarjan's algorithm: nodes by their numbers in depth-first preorder; semidominators from
/// the last number to the first, over a forest with path compression; then dominators from the first to the last.
fn immediate_dominators(preds: &[Vec<usize>]) -> Vec<usize> {
    let count = preds.len();
    let (numbers, nodes, parent) = preorder(preds);
    let mut forest = Forest { ancestor: vec![NONE; count], label: (0..count).collect(), semi: (0..count).collect() };
    let mut idom = vec![0; count];
    let mut bucket: Vec<Vec<usize>> = vec![Vec::new(); count];
    for at in (1..count).rev() {
        for &pred in &preds[nodes[at]] {
            let best = forest.best(numbers[pred]);
            forest.semi[at] = forest.semi[at].min(forest.semi[best]);
        }
        bucket[forest.semi[at]].push(at);
        forest.ancestor[at] = parent[at];
        for waiting in std::mem::take(&mut bucket[parent[at]]) {
            let best = forest.best(waiting);
            idom[waiting] = if forest.semi[best] < forest.semi[waiting] { best } else { parent[at] };
        }
    }
    for at in 1..count {
        if idom[at] != forest.semi[at] {
            idom[at] = idom[idom[at]];
        }
    }
    let mut result = vec![0; count];
    (0..count).for_each(|at| result[nodes[at]] = nodes[idom[at]]);
    result
}

const NONE: usize = usize::MAX;

/// Numbers of nodes in depth-first preorder, nodes by number, and parents in the search tree by number.
fn preorder(preds: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let mut succs = vec![Vec::new(); preds.len()];
    for (node, preds) in preds.iter().enumerate() {
        preds.iter().for_each(|&pred| succs[pred].push(node));
    }
    let (mut numbers, mut nodes, mut parents) = (vec![NONE; preds.len()], Vec::new(), Vec::new());
    let mut stack = vec![(0, 0)];
    while let Some((node, parent)) = stack.pop() {
        if numbers[node] != NONE {
            continue;
        }
        numbers[node] = nodes.len();
        nodes.push(node);
        parents.push(parent);
        stack.extend(succs[node].iter().filter(|&&succ| numbers[succ] == NONE).map(|&succ| (succ, numbers[node])));
    }
    (numbers, nodes, parents)
}

/// Trees of nodes that were looked at; `label` is the node with the least semidominator between a node and its tree's root.
struct Forest {
    ancestor: Vec<usize>,
    label: Vec<usize>,
    semi: Vec<usize>,
}

impl Forest {
    /// The node with the least semidominator on the way from a node up to, but not including, the root of its tree.
    fn best(&mut self, node: usize) -> usize {
        if self.ancestor[node] == NONE {
            return node;
        }
        let mut path = vec![node];
        while self.ancestor[self.ancestor[path[path.len() - 1]]] != NONE {
            path.push(self.ancestor[path[path.len() - 1]]);
        }
        // From the one below the root's child down: each takes what is above it.
        for &at in path.iter().rev().skip(1) {
            let above = self.ancestor[at];
            if self.semi[self.label[above]] < self.semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
        self.label[node]
    }
}

fn tree_spans(idom: &[usize]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); idom.len()];
    for (node, &up) in idom.iter().enumerate().skip(1) {
        children[up].push(node);
    }
    let mut spans = vec![(0, 0); idom.len()];
    let mut clock = 0;
    let mut stack = vec![(0, false)];
    while let Some((node, leaving)) = stack.pop() {
        clock += 1;
        if leaving {
            spans[node].1 = clock;
        } else {
            spans[node].0 = clock;
            stack.push((node, true));
            stack.extend(children[node].iter().map(|&c| (c, false)));
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::random_program;
    use crate::text::parse;

    fn check(text: &str, expect: Expect) {
        let program = parse(text).unwrap();
        let cfg = Cfg::new(&program.functions[program.entry]);
        let (dom, post) = (Dominators::new(&cfg), Dominators::post(&cfg));
        let mut out = String::new();
        for b in cfg.blocks.ids() {
            out += &format!("{b}: dom {:?} post {:?}\n", dom.immediate(b), post.immediate(b));
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn diamond_and_endless_loop() {
        check(
            r#"fn main() {
              if self == 1 goto right
              x = 1
              goto join
            right:
              x = 2
              if self == 2 goto forever
            join:
              return
            forever:
              goto forever
            }"#,
            expect![[r#"
                b0: dom None post Some(b3)
                b1: dom Some(b0) post Some(b3)
                b2: dom Some(b0) post Some(b3)
                b3: dom Some(b0) post None
                b4: dom Some(b2) post None
            "#]],
        );
    }

    /// By definition: without `a`, the root no longer reaches `b`.
    #[test]
    fn agrees_with_the_definition() {
        for seed in 0..60 {
            for function in random_program(seed).functions.iter() {
                let cfg = Cfg::new(function);
                let dom = Dominators::new(&cfg);
                let reached = cfg.reachable();
                for a in cfg.blocks.ids().filter(|&b| reached[b]) {
                    let without = reachable_without(&cfg, a);
                    for b in cfg.blocks.ids().filter(|&b| reached[b]) {
                        assert_eq!(dom.dominates(a, b), !without[b], "seed {seed} {a} {b}");
                    }
                }
            }
        }
    }

    fn reachable_without(cfg: &Cfg, removed: BlockId) -> IndexVec<BlockId, bool> {
        let mut seen = IndexVec::from_elem(false, cfg.blocks.len());
        let mut todo = vec![cfg.entry()];
        while let Some(b) = todo.pop() {
            if b != removed && !std::mem::replace(&mut seen[b], true) {
                todo.extend(&cfg.blocks[b].succs);
            }
        }
        seen
    }
}
