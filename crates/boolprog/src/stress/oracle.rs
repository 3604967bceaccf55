//! What must hold of every program, checked on small ones.
//!
//! - T^i contains the thread states of S^i (exact, up to four threads) at every i: [BOOLPROG Theorem 2];
//! - all this holds of the program with ghosts, which can reach the same;
//! - pairs contain all pairs of exact states and no thread state outside T^∞;
//! - decision diagrams (and parametric formulas) have the same sets as the explicit reference, for all switches;
//! - partial-order reduction changes no verdict;
//! - proofs are accepted by the checker, and refused if anything is taken out of them;
//! - backward coverability agrees with exact exploration, and its executions are executions.

use heddle_base::Budget;
use rustc_hash::FxHashSet;

use crate::explicit::cover::{Covered, Limits, cover};
use crate::explicit::exact::{self, Bounds, State, successors};
use crate::explicit::threads::Flagged;
use crate::explicit::{Local, Obstacle, Semantics, ThreadState, pairs, threads};
use crate::flat::Flat;
use crate::ghosts;
use crate::options::Options;
use crate::proof::{self, Proof};
use crate::symbolic;
use crate::trace::Execution;

/// What was seen in one program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// A bad location is reachable with up to four threads.
    pub violated: bool,
    /// Thread states prove that none is reachable.
    pub proved_by_threads: bool,
    /// Thread states with ghosts prove it.
    pub proved_with_ghosts: bool,
    /// Pairs prove it.
    pub proved_by_pairs: bool,
    /// Only coverability proves it.
    pub proved_by_cover: bool,
    /// Coverability found more threads to be needed than were explored.
    pub needs_more: bool,
}

/// More states make a program too large for an oracle.
const MAX_STATES: usize = 30_000;

/// Checks one program; `Err` says what disagrees. `Ok(None)` if it is too large. Parametric formulas, which are slow, take part
/// if they are to.
pub fn check(flat: &Flat, parametric: bool) -> Result<Option<Seen>, String> {
    let with_ghosts = ghosts::add(flat);
    let (Some(seen), Some(ghostly)) =
        (agree(flat, parametric)?, agree(&with_ghosts, false).map_err(|e| format!("with ghosts: {e}"))?)
    else {
        return Ok(None);
    };
    if seen.violated != ghostly.violated {
        return Err("ghosts change what can be reached".to_owned());
    }
    if seen.proved_by_threads && !ghostly.proved_by_threads || seen.proved_by_pairs && !ghostly.proved_by_pairs {
        return Err("ghosts lose a proof".to_owned());
    }
    Ok(Some(Seen { proved_with_ghosts: ghostly.proved_by_threads, ..seen }))
}

fn agree(flat: &Flat, parametric: bool) -> Result<Option<Seen>, String> {
    let budget = Budget::unlimited();
    let semantics = Semantics::new(flat).map_err(|o| format!("{o:?}"))?;
    let plain = Options { partial_order: false, max_states: MAX_STATES, ..Options::default() };
    let reached = match threads::reach(&semantics, &plain, &budget) {
        Ok(reached) => reached,
        Err(Obstacle::States) => return Ok(None),
        Err(other) => return Err(format!("{other:?}")),
    };
    let Ok(two) = pairs::reach(&semantics, &plain, &budget) else { return Ok(None) };
    let mut seen = Seen::default();
    for count in 1..=4 {
        let exact = exact::reach(&semantics, Bounds { threads: count, states: MAX_STATES / 3 }, &budget)
            .map_err(|o| format!("{o:?}"))?;
        theorem2(&exact, &reached)?;
        exact_pairs(&exact, &two)?;
        if let Some(bad) = exact.bad {
            is_execution(&semantics, &exact.execution(&semantics, bad))?;
            seen.violated = true;
        }
    }
    for state in two.thread_states() {
        if !reached.contains(state) {
            return Err(format!("{state:?} is in a pair but not in T"));
        }
    }
    seen.proved_by_threads = !reached.states.iter().any(|f| semantics.bad(f.state.local));
    seen.proved_by_pairs = !two.thread_states().iter().any(|s| semantics.bad(s.local));
    if seen.violated && (seen.proved_by_threads || seen.proved_by_pairs) {
        return Err("proved, but violated".to_owned());
    }
    switches(flat, &semantics, &plain, seen.proved_by_threads, parametric)?;
    symbolic_pairs(flat, &semantics, &two)?;
    if !flat.has_passive() {
        coverability(&semantics, &two, &mut seen)?;
    }
    symbolic_exact(flat, &semantics, &seen)?;
    proofs(flat, &plain, &seen)?;
    Ok(Some(seen))
}

/// T^i ⊇ μ_*(S^i).
fn theorem2(exact: &exact::Reached, reached: &threads::Reached) -> Result<(), String> {
    let mut known: FxHashSet<ThreadState> = FxHashSet::default();
    let mut taken = 0;
    for (i, end) in exact.ends.iter().enumerate() {
        let here = reached.ends[i.min(reached.ends.len() - 1)];
        known.extend(reached.states[taken.min(here)..here].iter().map(|f| f.state));
        taken = here;
        let begin = if i == 0 { 0 } else { exact.ends[i - 1] };
        for state in &exact.states[begin..*end] {
            for local in &state.threads {
                let mu = ThreadState { local: *local, globals: state.globals };
                if !known.contains(&mu) {
                    return Err(format!("{mu:?} is in S^{i} but not in T^{i}"));
                }
            }
        }
    }
    Ok(())
}

fn exact_pairs(exact: &exact::Reached, two: &pairs::Reached) -> Result<(), String> {
    for State { globals, threads } in &exact.states {
        if let [only] = threads[..]
            && !two.alone.contains(&ThreadState { local: only, globals: *globals })
        {
            return Err(format!("{only:?} alone is missing"));
        }
        for (i, a) in threads.iter().enumerate() {
            for b in &threads[i + 1..] {
                if !two.pairs.contains(&pairs::Pair::new(*globals, *a, *b)) {
                    return Err(format!("{a:?} and {b:?} at {globals:b} are missing"));
                }
            }
        }
    }
    Ok(())
}

/// Whether each move is one that the program can make, and the last one leads to a bad location.
fn is_execution(semantics: &Semantics<'_>, execution: &Execution) -> Result<(), String> {
    let initial = semantics.initial();
    let mut state = State { globals: initial.globals, threads: vec![initial.local] };
    for step in &execution.moves {
        let mut threads = step.data.clone();
        threads.sort_unstable();
        let wanted = State { globals: step.globals, threads };
        if !successors(semantics, &state).iter().any(|(_, _, after)| *after == wanted) {
            return Err(format!("{step:?} is no step from {state:?}"));
        }
        state = wanted;
    }
    if state.threads.iter().any(|t| semantics.bad(*t)) { Ok(()) } else { Err("no bad location at the end".to_owned()) }
}

fn values(flat: &Flat, state: ThreadState) -> Vec<bool> {
    let word = |i: usize| {
        if i < flat.globals { state.globals >> i & 1 } else { state.local.data >> (i - flat.globals) & 1 }
    };
    (0..flat.vars.len()).map(|i| word(i) == 1).collect()
}

/// Explicit sets and diagrams agree for all switches; partial-order reduction changes no verdict.
fn switches(
    flat: &Flat,
    semantics: &Semantics<'_>,
    plain: &Options,
    proved: bool,
    parametric: bool,
) -> Result<(), String> {
    let budget = Budget::unlimited();
    for number in 0..8 {
        let options =
            Options { lock_sets: number & 1 == 0, remark1: number & 2 == 0, partial_order: number & 4 != 0, ..*plain };
        let Ok(explicit) = threads::reach(semantics, &options, &budget) else { continue };
        let bdd = symbolic::threads::reach(flat, &options, false, &budget).map_err(|s| format!("{s:?}"))?;
        let mut count = 0.0;
        for sets in &bdd.sets {
            for set in sets {
                count += bdd.count(set);
            }
        }
        for Flagged { state, started } in &explicit.states {
            let inside =
                bdd.contains(state.local.loc, *started, &values(flat, *state)).map_err(|s| format!("{s:?}"))?;
            if !inside {
                return Err(format!("{options:?}: {state:?} is not in the diagrams"));
            }
        }
        if (count - explicit.states.len() as f64).abs() > 0.5 {
            return Err(format!("{options:?}: {count} thread states in diagrams, {} explicit", explicit.states.len()));
        }
        if parametric && (number == 0 || number == 4) {
            same_parametric(flat, &options, &explicit)?;
        }
        let safe = !explicit.states.iter().any(|f| semantics.bad(f.state.local));
        if safe != bdd.bad.is_none() {
            return Err(format!("{options:?}: verdicts differ"));
        }
        if options.lock_sets && options.remark1 && safe != proved {
            return Err(format!("{options:?}: partial-order reduction changes the verdict"));
        }
    }
    Ok(())
}

/// Parametric formulas have the same thread states.
fn same_parametric(flat: &Flat, options: &Options, explicit: &threads::Reached) -> Result<(), String> {
    // They grow with every step; where they become too large they are no use.
    let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(5));
    let Ok(all) = crate::parametric::enumerate(flat, options, &budget) else { return Ok(()) };
    for (loc, started, values) in &all {
        let word = |values: &[bool]| values.iter().enumerate().fold(0, |w, (i, b)| w | u64::from(*b) << i);
        let local = Local { loc: *loc, data: word(&values[flat.globals..]) };
        let state = ThreadState { local, globals: word(&values[..flat.globals]) };
        if !explicit.parents.contains_key(&Flagged { state, started: *started }) {
            return Err(format!("{options:?}: {state:?} is in a formula but not in T"));
        }
    }
    if all.len() != explicit.states.len() {
        return Err(format!(
            "{options:?}: {} thread states in formulas, {} explicit",
            all.len(),
            explicit.states.len()
        ));
    }
    Ok(())
}

fn symbolic_pairs(flat: &Flat, semantics: &Semantics<'_>, two: &pairs::Reached) -> Result<(), String> {
    let reached = symbolic::pairs::reach(flat, &Budget::unlimited()).map_err(|s| format!("{s:?}"))?;
    let bad = two.thread_states().iter().any(|s| semantics.bad(s.local));
    if reached.bad != bad {
        return Err(format!("pairs: diagrams say {}, explicit {bad}", reached.bad));
    }
    if bad {
        return Ok(());
    }
    // A symmetric pair is there twice, one of two equal threads once.
    let expected: f64 = two.pairs.iter().map(|p| if p.locals[0] == p.locals[1] { 1.0 } else { 2.0 }).sum();
    let found = reached.count_pairs();
    if (expected - found).abs() > 0.5 {
        return Err(format!("{found} pairs in diagrams, {expected} explicit"));
    }
    Ok(())
}

fn coverability(semantics: &Semantics<'_>, two: &pairs::Reached, seen: &mut Seen) -> Result<(), String> {
    let states = two.thread_states();
    let limits = Limits { elements: MAX_STATES, pairs: Some(two) };
    match cover(semantics, &states, &limits, &Budget::unlimited()) {
        Ok(Covered::Yes(execution)) => {
            is_execution(semantics, &execution)?;
            seen.needs_more = !seen.violated;
        }
        Ok(Covered::No) if seen.violated => return Err("violated, but not coverable".to_owned()),
        Ok(Covered::No) => seen.proved_by_cover = !seen.proved_by_pairs,
        Err(_) => {}
    }
    Ok(())
}

fn symbolic_exact(flat: &Flat, semantics: &Semantics<'_>, seen: &Seen) -> Result<(), String> {
    use symbolic::exact::Answer;
    let answer = symbolic::exact::reach(flat, 3, &Budget::unlimited()).map_err(|s| format!("{s:?}"))?;
    match answer {
        Answer::Bad(run) => {
            if !seen.violated {
                return Err("exact diagrams find a violation that is none".to_owned());
            }
            let local = |(loc, data): &(crate::LocId, Vec<bool>)| Local {
                loc: *loc,
                data: data.iter().enumerate().fold(0, |w, (i, b)| w | u64::from(*b) << i),
            };
            let globals = |values: &[bool]| values.iter().enumerate().fold(0, |w, (i, b)| w | u64::from(*b) << i);
            for (pair, mover) in run.states.windows(2).zip(&run.movers) {
                let mut threads: Vec<Local> = pair[0].threads.iter().map(local).collect();
                let from = threads[*mover];
                threads.sort_unstable();
                let before = State { globals: globals(&pair[0].globals), threads };
                let mut threads: Vec<Local> = pair[1].threads.iter().map(local).collect();
                threads.sort_unstable();
                let after = State { globals: globals(&pair[1].globals), threads };
                if !successors(semantics, &before).iter().any(|(who, _, state)| *who == from && *state == after) {
                    return Err(format!("no step from {before:?} to {after:?}"));
                }
            }
            let last = run.states.last().ok_or("an empty run")?;
            if !last.threads.iter().any(|(loc, _)| semantics.bad(Local { loc: *loc, data: 0 })) {
                return Err("the run of exact diagrams ends in no bad location".to_owned());
            }
            Ok(())
        }
        Answer::None if seen.violated || seen.needs_more => Err("exact diagrams miss a violation".to_owned()),
        Answer::None | Answer::NoneWithin(_) => Ok(()),
    }
}

fn proofs(flat: &Flat, plain: &Options, seen: &Seen) -> Result<(), String> {
    let budget = Budget::unlimited();
    if seen.proved_by_threads {
        let reached = symbolic::threads::reach(flat, plain, false, &budget).map_err(|s| format!("{s:?}"))?;
        accepted(flat, &Proof::by_threads(flat, plain, &reached))?;
    }
    if seen.proved_by_pairs {
        let reached = symbolic::pairs::reach(flat, &budget).map_err(|s| format!("{s:?}"))?;
        accepted(flat, &Proof::by_pairs(flat, &reached).map_err(|s| format!("{s:?}"))?)?;
    }
    Ok(())
}

/// Sets that the engines find are least, so whatever is taken out of them breaks them.
fn accepted(flat: &Flat, proof: &Proof) -> Result<(), String> {
    let budget = Budget::unlimited();
    let read = Proof::parse(&proof.to_string())?;
    if read != *proof {
        return Err("a proof is read back differently".to_owned());
    }
    proof::check(proof, flat, &budget).map_err(|r| format!("a proof by {} is refused: {r}", proof.tuples))?;
    for i in [0, proof.states.len() / 2] {
        let mut less = proof.clone();
        less.states.remove(i);
        refused(flat, &less)?;
    }
    for i in [0, proof.pairs.len() / 2].into_iter().filter(|i| *i < proof.pairs.len()) {
        let mut less = proof.clone();
        less.pairs.remove(i);
        refused(flat, &less)?;
    }
    // A node with everything behind one of its values: make it nothing.
    let nodes = proof.needed_nodes();
    for i in [nodes.len() / 3, nodes.len() / 2] {
        let Some(&node) = nodes.get(i) else { continue };
        let mut less = proof.clone();
        let node = &mut less.nodes[node];
        if node.high == 1 {
            node.high = 0;
        } else if node.low == 1 {
            node.low = 0;
        } else {
            continue;
        }
        refused(flat, &less)?;
    }
    let mut other = proof.clone();
    other.program ^= 1;
    refused(flat, &other)
}

fn refused(flat: &Flat, proof: &Proof) -> Result<(), String> {
    match proof::check(proof, flat, &Budget::unlimited()) {
        Ok(()) => Err(format!("a corrupted proof by {} is accepted", proof.tuples)),
        Err(_) => Ok(()),
    }
}
