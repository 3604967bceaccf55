//! How the abstraction derives a bad thread state, as a trace with finitely many threads ([BOOLPROG §3.1, Def. 9]).
//!
//! Every thread state that was reached has one parent (its thread moved, or was created) or two (it saw a step of another
//! thread). From a bad one the parents lead back to the initial one. Each branch of that tree is a thread; all branches that
//! end in the initial state are the first thread. The moves of all threads, in the order in which their results were found,
//! are the *derivation*.
//!
//! A derivation is no execution yet: the branches know nothing of each other, and a thread that creates two others occurs
//! once. It says how many threads to look at and which instructions take part; the referee decides.

use heddle_base::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

use crate::flat::LocId;

/// Where a thread state comes from. The location is the one that the move was made at.
#[derive(Clone, Debug)]
pub enum Origin<N> {
    /// It is the initial one.
    Initial,
    /// Its thread moved.
    Own(N, LocId),
    /// Its thread was created by that one.
    Created(N, LocId),
    /// Its thread saw a move of another.
    Other {
        /// The same thread before.
        passive: N,
        /// Who moved.
        mover: N,
        /// Where.
        at: LocId,
    },
}

/// One move of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedMove {
    /// Who: 0 is the first thread.
    pub thread: usize,
    /// Where.
    pub at: LocId,
}

/// The moves that lead to a bad thread state in the abstraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// In the order in which the abstraction found what is behind them.
    pub moves: Vec<DerivedMove>,
    /// Number of threads.
    pub threads: usize,
}

/// More threads in a derivation are not told apart.
const MAX_THREADS: usize = 16;

/// Branches that are being followed back.
struct Branches<N> {
    /// Where each branch begins to be followed.
    from: Vec<N>,
    /// The branch that a thread state was met on first.
    met: FxHashMap<N, usize>,
    /// Time, branch and location of each move, with the state that it leads from.
    moves: Vec<(usize, usize, LocId)>,
    made: FxHashSet<(N, usize, LocId)>,
}

impl<N: Clone + Eq + Hash> Branches<N> {
    /// The branch of a thread that moves beside another one: one that was met in this state, or a new one.
    fn branch(&mut self, state: &N, beside: Option<usize>) -> usize {
        if let Some(known) = self.met.get(state).copied().filter(|known| Some(*known) != beside) {
            return known;
        }
        if self.from.len() >= MAX_THREADS {
            return self.from.len() - 1;
        }
        self.from.push(state.clone());
        self.met.entry(state.clone()).or_insert(self.from.len() - 1);
        self.from.len() - 1
    }

    fn add(&mut self, time: usize, branch: usize, from: &N, at: LocId, always: bool) {
        if self.made.insert((from.clone(), branch, at)) || always {
            self.moves.push((time, branch, at));
        }
    }
}

/// Follows the parents of a bad thread state back. `time` grows from parents to children.
pub fn derive<N: Clone + Eq + Hash>(
    bad: N,
    time: impl Fn(&N) -> usize,
    mut origin: impl FnMut(&N) -> Result<Origin<N>, Stop>,
) -> Result<Derivation, Stop> {
    let mut all =
        Branches { from: Vec::new(), met: FxHashMap::default(), moves: Vec::new(), made: FxHashSet::default() };
    all.branch(&bad, None);
    let mut first_thread: FxHashSet<usize> = FxHashSet::default();
    let mut branch = 0;
    while branch < all.from.len() {
        let mut state = all.from[branch].clone();
        loop {
            let behind = time(&state);
            match origin(&state)? {
                Origin::Initial => {
                    first_thread.insert(branch);
                    break;
                }
                Origin::Own(before, at) => {
                    all.add(behind, branch, &before, at, false);
                    state = before;
                }
                Origin::Created(creator, at) => {
                    let parent = all.branch(&creator, Some(branch));
                    // Every thread is created by a move of its own.
                    all.add(behind, parent, &creator, at, true);
                    break;
                }
                Origin::Other { passive, mover, at } => {
                    let other = all.branch(&mover, Some(branch));
                    all.add(behind, other, &mover, at, false);
                    state = passive;
                }
            }
            all.met.entry(state.clone()).or_insert(branch);
        }
        branch += 1;
    }
    all.moves.sort_by_key(|(time, ..)| *time);
    let mut names: FxHashMap<usize, usize> = first_thread.iter().map(|branch| (*branch, 0)).collect();
    let mut threads = 1;
    let mut moves = Vec::new();
    for (_, branch, at) in all.moves {
        let thread = *names.entry(branch).or_insert_with(|| {
            threads += 1;
            threads - 1
        });
        let new = DerivedMove { thread, at };
        if thread != 0 || moves.last() != Some(&new) {
            moves.push(new);
        }
    }
    // The thread at the bad location may have made no move of its own.
    threads = threads.max(all.from.len() - first_thread.len().saturating_sub(1));
    Ok(Derivation { moves, threads })
}
