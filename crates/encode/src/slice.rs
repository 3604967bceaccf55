//! Slicing: reads whose values nothing depends on are left out of the formula.
//!
//! What is asked about, and where control goes (a schedule must tell how many turns each thread makes), depends on guards,
//! addresses and conditions. A read matters if its value occurs in one of those, or in what may be written where a read
//! that matters takes its value from. Any other read can be given the value of the last write before it in every
//! execution, so leaving it out neither adds nor takes away one.

use heddle_solver::{TermId, Terms, VarId};
use heddle_symbolic::unwind::Unwinding;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::candidates::Candidates;
use crate::leaks::Leaks;
use crate::pieces::Event;
use crate::races::Races;

/// For each read whether it matters.
pub(crate) fn needed(
    unwinding: &Unwinding,
    (reads, writes): (&[Event], &[Event]),
    candidates: &Candidates,
    (races, leaks): (&Races, &Leaks),
    terms: &Terms,
) -> Vec<bool> {
    let mut by_variable: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for (index, read) in reads.iter().enumerate() {
        for variable in terms.variables_of(&[read.value]) {
            by_variable.entry(variable).or_default().push(index);
        }
    }
    let mut roots = roots(unwinding);
    roots.extend(&races.constraints);
    roots.extend(&leaks.constraints);
    roots.extend(races.orders.iter().chain(&leaks.orders).map(|&(.., lit)| lit));
    roots.extend(reads.iter().chain(writes).flat_map(|event| [event.guard, event.address]));
    let mut needed = vec![false; reads.len()];
    let mut todo = Vec::new();
    for (index, read) in reads.iter().enumerate() {
        // Whether something was ever written is asked too.
        let unwritten = candidates.of[index].iter().any(|candidate| candidate.written != Terms::TRUE);
        if read.checked || unwritten {
            needed[index] = true;
            todo.push(index);
        }
    }
    let mut seen: FxHashSet<VarId> = FxHashSet::default();
    loop {
        for variable in terms.variables_of(&roots) {
            if seen.insert(variable) {
                for &read in by_variable.get(&variable).into_iter().flatten() {
                    if !std::mem::replace(&mut needed[read], true) {
                        todo.push(read);
                    }
                }
            }
        }
        let Some(read) = todo.pop() else { return needed };
        let of_read = candidates.of[read].iter();
        roots = of_read.flat_map(|candidate| [candidate.equal, candidate.rival, candidate.written]).collect();
    }
}

/// What an unwinding says beside the values that are written.
fn roots(unwinding: &Unwinding) -> Vec<TermId> {
    let mut roots: Vec<TermId> = Vec::new();
    roots.extend(&unwinding.constraints);
    roots.extend(unwinding.requirements.iter().flat_map(|&(guard, condition)| [guard, condition]));
    roots.extend(unwinding.violations.iter().chain(&unwinding.undefined).map(|suspect| suspect.guard));
    for blocked in &unwinding.blocked {
        roots.extend([blocked.guard, blocked.object]);
        roots.extend(blocked.holder);
        roots.extend(blocked.held.iter().flat_map(|&(address, when)| [address, when]));
    }
    for ended in &unwinding.ended {
        roots.push(ended.guard);
        roots.extend(ended.held.iter().flat_map(|&(address, when)| [address, when]));
    }
    for edge in &unwinding.lock_edges {
        roots.push(edge.guard);
        roots.extend([&edge.held, &edge.taken].into_iter().flat_map(|lock| [lock.address, lock.when]));
        roots.extend(&edge.gates);
    }
    for list in [
        &unwinding.given_back,
        &unwinding.exits,
        &unwinding.stops,
        &unwinding.unordered,
        &unwinding.endless,
        &unwinding.waits,
        &unwinding.uninitialised,
        &unwinding.main_ends,
    ] {
        roots.extend(list);
    }
    roots.extend(unwinding.cut_guards());
    roots.extend(unwinding.asserted.iter().map(|(guard, _)| *guard));
    roots.extend(unwinding.unsupported.iter().map(|(guard, _)| *guard));
    roots.extend(unwinding.races.iter().flat_map(|access| [access.guard, access.address]));
    roots.extend(unwinding.allocations.iter().map(|allocation| allocation.guard));
    roots.extend(unwinding.frees.iter().map(|(_, guard, _)| *guard));
    roots.extend(unwinding.endings.iter().map(|ending| ending.guard));
    roots.extend(unwinding.publications.iter().map(|publication| publication.guard));
    for thread in unwinding.threads.iter() {
        roots.extend(thread.ticks.iter().flat_map(|tick| [tick.guard, tick.spurious]));
        roots.extend(thread.inputs.iter().map(|input| input.guard));
        roots.extend(thread.children.iter().map(|(guard, ..)| *guard));
    }
    roots
}
