//! The reachability tree, depth first, by rules R1–R6 of paper 001.
//!
//! A node is a world, the thread that moved last and the number of context switches. Its children are the worlds after a
//! turn of each thread, that with the smallest index first. A turn is one visible step with what follows it, so the
//! rules for assignments, jumps and starts (R1, R2, R5) are [`Interleaver::turn`]'s, as are those for conditions, which
//! give several worlds where constants do not decide (R3, R4); a `join` is an `await` like any other (R6).
//!
//! **Reduction.** Equivalent interleavings come to the same world. With `reduction` a node is left where it is if the
//! same world was expanded before with at least as much left of every bound. That leaves out all that sleep sets would,
//! ends loops that wait, and is right with bounds on context switches, which sleep sets alone are not: of two
//! equivalent interleavings one may need more switches than the other.

use std::rc::Rc;

use heddle_base::Stop;
use heddle_exec::interleave::{Fingerprint, Halted, Interleaver, Next, Touch, Turn, Waiting, World};
use heddle_exec::{Progress, Run};
use heddle_solver::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::{Approach, ContextsConfig, Found, Suspect};

/// Bits of a thread selection variable.
const SELECTION_BITS: u32 = 16;

/// A turn and those before it.
pub(crate) struct Path {
    before: Option<Rc<Path>>,
    thread: usize,
    spurious: bool,
    /// How many'th turn, from 0.
    number: usize,
    /// The schedule guards of all turns up to here (ts_i = j); true if they are not recorded.
    pub(crate) selected: TermId,
}

impl Path {
    /// A path with one more turn.
    fn after(
        before: Option<&Rc<Path>>,
        thread: usize,
        spurious: bool,
        records: bool,
        at: &mut Interleaver<'_>,
    ) -> Rc<Path> {
        let number = before.map_or(0, |path| path.number + 1);
        let mut selected = Terms::TRUE;
        if records {
            let here = selects(at.terms(), number, thread);
            let others = before.map_or(Terms::TRUE, |path| path.selected);
            selected = at.terms().and_all(&[others, here]);
        }
        Rc::new(Path { before: before.cloned(), thread, spurious, number, selected })
    }
}

/// The turns of a path, from the first.
pub(super) fn turns(path: Option<&Rc<Path>>) -> Vec<(usize, bool)> {
    let mut turns = Vec::new();
    let mut at = path;
    while let Some(path) = at {
        turns.push((path.thread, path.spurious));
        at = path.before.as_ref();
    }
    turns.reverse();
    turns
}

/// The thread selection variable of a turn.
pub(crate) fn selection(terms: &mut Terms, turn: usize) -> TermId {
    terms.variable(&format!("ts{turn}"), Sort::BitVec(SELECTION_BITS)).expect("always of one sort")
}

/// Whether a thread is selected in a turn: ts_i = j.
pub(crate) fn selects(terms: &mut Terms, turn: usize, thread: usize) -> TermId {
    let selection = selection(terms, turn);
    let number = terms.bv(SELECTION_BITS, thread as u64);
    terms.eq(selection, number)
}

/// A path's selections, from the first: turn and thread.
pub(crate) fn selections(path: Option<&Rc<Path>>) -> impl Iterator<Item = (usize, usize)> {
    turns(path).into_iter().map(|(thread, _)| thread).enumerate()
}

/// A world to be expanded.
struct Node {
    world: World,
    active: Option<usize>,
    switches: u64,
    path: Option<Rc<Path>>,
    exit: bool,
}

/// How a world was expanded before.
struct Visit {
    active: Option<usize>,
    left: u64,
    counts: Vec<u64>,
}

pub(crate) struct Tree<'t> {
    config: &'t ContextsConfig,
    contexts: u64,
    deadlocks: bool,
    run: &'t Run<'t>,
    visited: FxHashMap<Fingerprint, Vec<Visit>>,
    pub(crate) contexts_cut: bool,
    pub(crate) spurious_cut: bool,
    pub(crate) interleavings: u64,
    nodes: u64,
    seen: u64,
}

impl<'t> Tree<'t> {
    pub(crate) fn new(config: &'t ContextsConfig, contexts: u64, deadlocks: bool, run: &'t Run<'t>) -> Self {
        Tree {
            config,
            contexts,
            deadlocks,
            run,
            visited: FxHashMap::default(),
            contexts_cut: false,
            spurious_cut: false,
            interleavings: 0,
            nodes: 0,
            seen: 0,
        }
    }

    pub(crate) fn report(&self, failing: bool) {
        let statistics = self.run.statistics;
        statistics.set("interleavings", self.interleavings as f64);
        statistics.set("interleavings.failing", f64::from(failing));
        statistics.add("nodes", self.nodes as f64);
        statistics.add("nodes.seen", self.seen as f64);
    }

    /// Expands the tree until something is found or nothing is left.
    pub(crate) fn search(
        &mut self,
        at: &mut Interleaver<'_>,
        approach: &mut dyn Approach,
    ) -> Result<Option<Found>, Stop> {
        let start = at.start()?;
        for suspicion in start.suspects {
            let Some(world) = start.next.first().map(|next| next.world.clone()) else { continue };
            let (guard, inputs) = (suspicion.guard, suspicion.inputs);
            if let Some(found) = approach.suspect(at, Suspect { guard, path: None, inputs, world })? {
                return Ok(Some(found));
            }
        }
        let mut todo: Vec<Node> = Vec::new();
        for Next { world, exit, .. } in start.next.into_iter().rev() {
            todo.push(Node { world, active: None, switches: 0, path: None, exit });
        }
        while let Some(node) = todo.pop() {
            self.nodes += 1;
            if self.nodes & 0xff == 0 {
                self.run.budget.check()?;
                (self.run.progress)(&Progress { phase: "tree", done: self.nodes });
            }
            if !node.exit && self.config.reduction && self.was_seen(&node) {
                self.seen += 1;
                continue;
            }
            let before = todo.len();
            if !node.exit
                && let Some(found) = self.expand(&node, at, approach, &mut todo)?
            {
                return Ok(Some(found));
            }
            if todo.len() == before {
                self.interleavings += 1;
                if let Some(found) = approach.leaf(at)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Whether the world of a node was expanded with as much left, and notes that it is now.
    fn was_seen(&mut self, node: &Node) -> bool {
        let left = self.contexts.saturating_sub(node.switches);
        let counts = node.world.counts();
        let visits = self.visited.entry(node.world.fingerprint()).or_default();
        let as_good = |a: (Option<usize>, u64, &[u64]), b: (Option<usize>, u64, &[u64])| {
            // Who moved last can go on without a switch.
            let enough = if a.0 == b.0 { a.1 >= b.1 } else { a.1 > b.1 };
            enough && a.2.iter().zip(b.2).all(|(x, y)| x <= y)
        };
        let this = (node.active, left, counts.as_slice());
        if visits.iter().any(|visit| as_good((visit.active, visit.left, &visit.counts), this)) {
            return true;
        }
        visits.retain(|visit| !as_good(this, (visit.active, visit.left, &visit.counts)));
        visits.push(Visit { active: node.active, left, counts });
        false
    }

    /// Puts the children of a node on the stack, the first one on top.
    fn expand(
        &mut self,
        node: &Node,
        at: &mut Interleaver<'_>,
        approach: &mut dyn Approach,
        todo: &mut Vec<Node>,
    ) -> Result<Option<Found>, Stop> {
        let world = &node.world;
        let mut children: Vec<Node> = Vec::new();
        let mut waits: Vec<(usize, Waiting)> = Vec::new();
        let mut touches: Vec<(usize, Touch)> = Vec::new();
        // Whether all threads that have not ended may be blocked.
        let (mut all_wait, mut running, mut open) = (true, 0, false);
        for thread in 0..world.threads() {
            match world.halted(thread) {
                Halted::No => running += 1,
                Halted::Finished => continue,
                Halted::Assume | Halted::Cut => {
                    open = true;
                    continue;
                }
            }
            let switch = u64::from(node.active.is_some_and(|active| active != thread));
            let within = node.switches + switch <= self.contexts;
            let may_wait = at.may_wait(world, thread);
            if !within && !(may_wait && self.deadlocks) {
                // It could move, or nobody asks whether it could.
                self.contexts_cut = true;
                all_wait = false;
                continue;
            }
            let Turn { next, waits: waiting, suspects, accesses } = at.turn(world, thread)?;
            all_wait &= !waiting.is_empty();
            waits.extend(waiting.into_iter().map(|wait| (thread, wait)));
            if !within {
                self.contexts_cut |= !next.is_empty() || !suspects.is_empty();
                continue;
            }
            let mut paths: [Option<Rc<Path>>; 2] = [None, None];
            let records = approach.records();
            let mut path_of = |spurious: bool, at: &mut Interleaver<'_>| {
                let path = &mut paths[usize::from(spurious)];
                Rc::clone(path.get_or_insert_with(|| Path::after(node.path.as_ref(), thread, spurious, records, at)))
            };
            touches.extend(accesses.into_iter().map(|touch| (thread, touch)));
            let mut suspected = Vec::new();
            for suspicion in suspects {
                let path = Some(path_of(suspicion.spurious, at));
                let (guard, inputs) = (suspicion.guard, suspicion.inputs);
                suspected.push(Suspect { guard, path, inputs, world: world.clone() });
            }
            for Next { world, spurious, exit } in next {
                if spurious && world.spurious(thread) > self.config.max_spurious {
                    self.spurious_cut = true;
                    continue;
                }
                let path = Some(path_of(spurious, at));
                children.push(Node { world, active: Some(thread), switches: node.switches + switch, path, exit });
            }
            for suspect in suspected {
                if let Some(found) = approach.suspect(at, suspect)? {
                    return Ok(Some(found));
                }
            }
        }
        for suspect in self.races(node, &touches, approach.records(), at) {
            if let Some(found) = approach.suspect(at, suspect)? {
                return Ok(Some(found));
            }
        }
        if self.deadlocks && !waits.is_empty() {
            let blocked = all_wait && !open && running > 0;
            for guard in self.deadlock(world, &waits, blocked, at) {
                let (path, inputs) = (node.path.clone(), world.inputs().cloned());
                let suspect = Suspect { guard, path, inputs, world: world.clone() };
                if let Some(found) = approach.suspect(at, suspect)? {
                    return Ok(Some(found));
                }
            }
        }
        if running == 0 && !open {
            for leak in at.leaks(world) {
                let suspect =
                    Suspect { guard: leak.guard, path: node.path.clone(), inputs: leak.inputs, world: world.clone() };
                if let Some(found) = approach.suspect(at, suspect)? {
                    return Ok(Some(found));
                }
            }
        }
        todo.extend(children.into_iter().rev());
        Ok(None)
    }

    /// Two threads that are about to make accesses that conflict.
    fn races(
        &mut self,
        node: &Node,
        touches: &[(usize, Touch)],
        records: bool,
        at: &mut Interleaver<'_>,
    ) -> Vec<Suspect> {
        let mut found = Vec::new();
        for (i, a) in touches.iter().enumerate() {
            for b in touches[i + 1..].iter().filter(|b| b.0 != a.0) {
                let guard = at.conflict(&a.1, &b.1);
                if guard == Terms::FALSE {
                    continue;
                }
                // What is made in a section goes first: the section may be blocked later.
                let (first, second) = if b.1.section { (b, a) } else { (a, b) };
                let switch = u64::from(node.active.is_some_and(|active| active != first.0));
                if node.switches + switch + 1 > self.contexts {
                    self.contexts_cut = true;
                    continue;
                }
                let path = Path::after(node.path.as_ref(), first.0, first.1.spurious, records, at);
                let path = Path::after(Some(&path), second.0, second.1.spurious, records, at);
                let inputs = first.1.inputs.clone();
                found.push(Suspect { guard, path: Some(path), inputs, world: node.world.clone() });
            }
        }
        found
    }

    /// Whether threads wait for ever: for each other, or all of them (`blocked`: each may be).
    fn deadlock(
        &mut self,
        world: &World,
        waits: &[(usize, Waiting)],
        blocked: bool,
        at: &mut Interleaver<'_>,
    ) -> Vec<TermId> {
        let mut guards = at.waiting_cycles(world, waits);
        if blocked && waits.iter().all(|(_, wait)| wait.kind.is_some()) {
            let mut all = Vec::new();
            for thread in 0..world.threads() {
                let own: Vec<TermId> =
                    waits.iter().filter(|(of, _)| *of == thread).map(|(_, wait)| wait.guard).collect();
                if !own.is_empty() {
                    let any = at.terms().or_all(&own);
                    all.push(any);
                }
            }
            guards.push(at.terms().and_all(&all));
        }
        guards.retain(|&guard| guard != Terms::FALSE);
        guards
    }
}
