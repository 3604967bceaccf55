//! What makes recursion by thread creation sound ([BOOLPROG §4.3]).
//!
//! A call becomes a thread of its own, and locks belong to threads. So the thread that stands for a call must release
//! exactly the locks that it takes itself: a lock that the caller holds cannot be released by it, and a lock that it
//! would hand to the caller would be lost. Both would hide behaviour, so such programs are refused. The paper does not
//! mention locks here.

use rustc_hash::FxHashSet;

use crate::diagnostic::Diagnostic;
use crate::flat::{Instr, LocId, VarId};

use super::Flattener;

/// More combinations of location and locks are not looked at.
const MAX_COMBINATIONS: usize = 1 << 18;

impl Flattener<'_> {
    /// Refuses recursive procedures that release locks of others or keep their own; and threads that begin inside
    /// a section.
    pub(super) fn check_locks_of_sites(&mut self) {
        for (entry, span) in std::mem::take(&mut self.open_labels) {
            if self.locations[self.forward(entry)].closed {
                self.error(Diagnostic::new(span, "a thread cannot begin inside an atomic section"));
            }
        }
        let passive = self.locations.iter().find(|l| l.instr.passive().is_some()).map(|l| l.span);
        if let (Some(span), false) = (passive, self.sites.is_empty()) {
            // The caller waits as a thread of its own, and would take part as a passive thread.
            self.error(Diagnostic::new(span, "`$` together with recursion is not supported"));
        }
        if !self.locations.iter().any(|l| matches!(l.instr, Instr::Lock(..) | Instr::Unlock(..))) {
            return;
        }
        let returns: FxHashSet<LocId> = self.returns.iter().copied().collect();
        let mut entries: Vec<(usize, LocId)> = self.sites.iter().map(|(n, at)| (*n, *at)).collect();
        entries.sort_unstable();
        for (_, entry) in entries {
            self.check_site(entry, &returns);
        }
    }

    fn check_site(&mut self, entry: LocId, returns: &FxHashSet<LocId>) {
        let mut seen: FxHashSet<(LocId, Vec<VarId>)> = FxHashSet::default();
        let mut todo = vec![(entry, Vec::new())];
        while let Some((at, held)) = todo.pop() {
            if !seen.insert((at, held.clone())) {
                continue;
            }
            let span = self.locations[at].span;
            if seen.len() > MAX_COMBINATIONS {
                self.error(Diagnostic::new(span, "too many combinations of locks in a recursive procedure"));
                return;
            }
            if returns.contains(&at) && !held.is_empty() {
                let message = "a recursive procedure returns with a lock that it has taken: not supported";
                self.error(Diagnostic::new(span, message));
            }
            let mut after = held;
            match &self.locations[at].instr {
                // Taking a lock twice blocks for ever.
                Instr::Lock(lock, _) if after.contains(lock) => continue,
                Instr::Lock(lock, _) => {
                    after.push(*lock);
                    after.sort_unstable();
                }
                Instr::Unlock(lock, _) if !after.contains(lock) => {
                    let message = "a recursive procedure releases a lock that it has not taken: not supported";
                    self.error(Diagnostic::new(span, message));
                    continue;
                }
                Instr::Unlock(lock, _) => after.retain(|l| l != lock),
                Instr::Skip(_)
                | Instr::Goto(_)
                | Instr::Branch { .. }
                | Instr::Assign(..)
                | Instr::Start(..)
                | Instr::End
                | Instr::Error => {}
            }
            todo.extend(self.locations[at].instr.successors().into_iter().map(|to| (to, after.clone())));
        }
    }
}
