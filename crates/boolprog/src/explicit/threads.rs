//! Reachable thread states, over-approximated: ⇝ and the algorithm of Fig. 3 ([BOOLPROG §3.1]).
//!
//! T^0 holds the initial thread state; T^i adds all ζ with T^(i−1) ⇝ ζ. Each thread state remembers the one or two that it
//! was made of.

use heddle_base::Budget;
use rustc_hash::FxHashMap;

use crate::flat::{Flat, Instr, Scope};
use crate::options::Options;

use super::{Globals, Obstacle, Semantics, Step, ThreadState};

/// A thread state with the flag of [BOOLPROG Remark 1]: whether some thread was started before it. Without
/// Remark 1 the flag is always set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Flagged {
    /// The thread state.
    pub state: ThreadState,
    /// There may be other threads.
    pub started: bool,
}

/// What a thread state was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parents {
    /// Nothing: it is the initial one.
    None,
    /// [BOOLPROG Def. 8, case 1] A step of the thread itself.
    Own(Flagged),
    /// [BOOLPROG Def. 8, case 1] It is a new thread, created by that one.
    Created(Flagged),
    /// [BOOLPROG Def. 8, case 2] A step of another thread.
    Other {
        /// η: the thread state before.
        passive: Flagged,
        /// η′: who moved.
        mover: Flagged,
    },
}

/// The thread states that were reached.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// In the order in which they were found: T^0, what T^1 adds, what T^2 adds, ….
    pub states: Vec<Flagged>,
    /// What each was made of.
    pub parents: FxHashMap<Flagged, Parents>,
    /// `ends[i]` thread states are in T^i.
    pub ends: Vec<usize>,
}

impl Reached {
    /// Whether a thread state was reached, whatever its flag.
    pub fn contains(&self, state: ThreadState) -> bool {
        [false, true].iter().any(|started| self.parents.contains_key(&Flagged { state, started: *started }))
    }

    fn add(&mut self, state: Flagged, parents: Parents) {
        self.parents.entry(state).or_insert_with(|| {
            self.states.push(state);
            parents
        });
    }
}

/// [BOOLPROG Fig. 3] Computes T^∞. It does not stop at bad locations: the caller looks for them.
pub fn reach(semantics: &Semantics<'_>, options: &Options, budget: &Budget) -> Result<Reached, Obstacle> {
    let mut reached = Reached::default();
    let initial = Flagged { state: semantics.initial(), started: !options.remark1 };
    reached.add(initial, Parents::None);
    loop {
        budget.check()?;
        let count = reached.states.len();
        reached.ends.push(count);
        next_round(semantics, options, &mut reached, budget)?;
        if reached.states.len() == count {
            return Ok(reached);
        }
        if count > options.max_states {
            return Err(Obstacle::States);
        }
    }
}

/// Adds F = {ζ | T ⇝ ζ} to T.
fn next_round(
    semantics: &Semantics<'_>,
    options: &Options,
    reached: &mut Reached,
    budget: &Budget,
) -> Result<(), Obstacle> {
    let known = reached.states.clone();
    let mut by_globals: FxHashMap<(Globals, bool), Vec<Flagged>> = FxHashMap::default();
    for &eta in &known {
        by_globals.entry((eta.state.globals, eta.started)).or_default().push(eta);
    }
    for &mover in &known {
        budget.check()?;
        for step in semantics.steps(mover.state) {
            case1(reached, mover, &step);
            // Remark 1: before the first start there is nobody else.
            if !mover.started || !semantics.noticed(mover.state, &step) {
                continue;
            }
            for &passive in &by_globals[&(mover.state.globals, mover.started)] {
                case2(semantics, options, reached, (passive, mover), &step);
            }
        }
    }
    Ok(())
}

/// [BOOLPROG Def. 8, case 1] η → ζ.
fn case1(reached: &mut Reached, mover: Flagged, step: &Step) {
    cov_mark::hit!(def8_case1);
    let started = mover.started || step.child.is_some();
    reached.add(Flagged { state: step.to, started }, Parents::Own(mover));
    if let Some(child) = step.child {
        let state = ThreadState { local: child, globals: step.to.globals };
        reached.add(Flagged { state, started: true }, Parents::Created(mover));
    }
}

/// [BOOLPROG Def. 8, case 2] η sees the step η′ → ζ′ of another thread. (2a) and (2b) hold for what comes here.
fn case2(
    semantics: &Semantics<'_>,
    options: &Options,
    reached: &mut Reached,
    (passive, mover): (Flagged, Flagged),
    step: &Step,
) {
    let eta = passive.state;
    // Nobody else moves while a thread is in a section.
    if semantics.closed(eta.local) {
        return;
    }
    // (2d)
    let held = semantics.held(eta.local);
    let disjoint = held & semantics.held(mover.state.local) == 0 && held & semantics.held(step.to.local) == 0;
    if options.lock_sets && !disjoint {
        cov_mark::hit!(def8_2d);
        return;
    }
    let has_passive_part = semantics.instr(mover.state.local).passive().is_some();
    if options.partial_order && !has_passive_part && !must_see(semantics.flat, semantics.instr(eta.local)) {
        cov_mark::hit!(partial_order_reduction);
        return;
    }
    for local in semantics.passive(mover.state, step, eta.local) {
        // (2c)
        let state = ThreadState { local, globals: step.to.globals };
        if state != eta {
            cov_mark::hit!(def8_case2);
            reached.add(Flagged { state, started: true }, Parents::Other { passive, mover });
        }
    }
}

/// [BOOLPROG §4.2] Whether a thread must see changes before its next instruction, or may see them after it.
///
/// The paper lets a thread miss a change unless its instruction reads a modified global or writes a global. Together with
/// the rest of Definition 8 that is unsound, in two ways. After `lock l` a thread no longer sees what was changed under
/// `l` before, because of (2d). And a thread that waits for `h` and misses a change of `g` no longer sees the change of
/// `h` that comes next, because of (2b). So a change is delayed only behind instructions that neither read nor write
/// globals, take no lock and enter no section: these are enabled whatever the globals are, and the change can be seen
/// behind them.
pub fn must_see(flat: &Flat, instr: &Instr) -> bool {
    !instr.written_globals(flat).is_empty()
        || instr.reads().iter().any(|v| flat.scope(*v) == Scope::Global)
        || instr.passive().is_some()
        || matches!(instr, Instr::Lock(..))
        || instr.successors().iter().any(|to| flat.locations[*to].closed)
}
