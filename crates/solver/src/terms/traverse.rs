//! Walks over terms: parts before wholes, substitution.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Op, TermId, Terms, VarId};

impl Terms {
    /// All terms that the roots consist of, arguments before what they are arguments of.
    pub fn post_order(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut done: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        while let Some(&top) = stack.last() {
            if done.contains(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.args(top).iter().rev().copied().filter(|t| !done.contains(t)));
            if stack.len() == before {
                done.insert(top);
                order.push(top);
                stack.pop();
            }
        }
        order
    }

    /// The variables that occur in the roots, in the order of their creation.
    pub fn variables_of(&self, roots: &[TermId]) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self
            .post_order(roots)
            .into_iter()
            .filter_map(|t| match self.op(t) {
                Op::Var(var) => Some(var),
                _ => None,
            })
            .collect();
        vars.sort_unstable();
        vars
    }

    /// The term with every occurrence of a key replaced, rewritten on the way. Keys may be any terms; a replacement
    /// must have its key's sort, and is itself not searched for keys.
    ///
    /// # Panics
    ///
    /// If the sorts of a key and its replacement differ.
    pub fn substitute(&mut self, term: TermId, replacements: &FxHashMap<TermId, TermId>) -> TermId {
        for (&from, &to) in replacements {
            assert_eq!(self.sort(from), self.sort(to), "replacement of {from} has another sort");
        }
        let mut done = replacements.clone();
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.args(top).iter().copied().filter(|t| !done.contains_key(t)));
            if stack.len() == before {
                let args: Vec<TermId> = self.args(top).iter().map(|t| done[t]).collect();
                let rebuilt = if args == self.args(top) { top } else { self.make(self.op(top), &args) };
                done.insert(top, rebuilt);
                stack.pop();
            }
        }
        done[&term]
    }
}
