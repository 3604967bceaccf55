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

use std::cell::Cell;
use std::rc::Rc;

use heddle_base::Stop;
use heddle_exec::interleave::{Fingerprint, Halted, Interleaver, Next, Touch, Turn, Waiting, World};
use heddle_exec::{Progress, Run, Task};
use heddle_ir::Property;
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

/// Not turn by turn, each in the call of the next: paths may be long.
impl Drop for Path {
    fn drop(&mut self) {
        let mut rest = self.before.take();
        while let Some(mut path) = rest.and_then(Rc::into_inner) {
            rest = path.before.take();
        }
    }
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
fn selection(terms: &mut Terms, turn: usize) -> TermId {
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

/// What is left to be done.
enum Item {
    Expand(Node),
    /// A turn of this thread.
    Turn(Rc<Expanded>, usize),
}

/// A node whose children are being made.
struct Expanded {
    node: Node,
    /// Threads whose turn is yet to come.
    waiting: Cell<usize>,
    has_children: Cell<bool>,
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
    races: bool,
    /// Whether the steps of threads are bounded.
    steps: bool,
    run: &'t Run<'t>,
    visited: FxHashMap<Fingerprint, Vec<Visit>>,
    pub(crate) contexts_cut: bool,
    pub(crate) spurious_cut: bool,
    pub(crate) interleavings: u64,
    nodes: u64,
    seen: u64,
}

impl<'t> Tree<'t> {
    pub(crate) fn new(config: &'t ContextsConfig, contexts: u64, task: &Task<'_>, run: &'t Run<'t>) -> Self {
        let properties = task.properties;
        Tree {
            steps: task.bounds.steps.is_some(),
            config,
            contexts,
            deadlocks: properties.contains(Property::Deadlock),
            races: properties.contains(Property::Race),
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
        let (nothing, start) = at.start()?;
        for suspicion in start.suspects {
            let (guard, inputs, world) = (suspicion.guard, suspicion.inputs, nothing.clone());
            if let Some(found) = approach.suspect(at, Suspect { guard, path: None, inputs, world })? {
                return Ok(Some(found));
            }
        }
        let mut todo: Vec<Item> = Vec::new();
        for Next { world, exit, .. } in start.next.into_iter().rev() {
            todo.push(Item::Expand(Node { world, active: None, switches: 0, path: None, exit }));
        }
        while let Some(item) = todo.pop() {
            let found = match item {
                Item::Expand(node) => self.expand(node, at, approach, &mut todo)?,
                Item::Turn(expanded, thread) => {
                    let turn = at.turn(&expanded.node.world, thread)?;
                    self.take(&expanded, thread, turn, at, approach, &mut todo)?
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// An interleaving has come to its end.
    fn leaf(&mut self, at: &mut Interleaver<'_>, approach: &mut dyn Approach) -> Result<Option<Found>, Stop> {
        self.interleavings += 1;
        approach.leaf(at)
    }

    /// Whether the world of a node was expanded with as much left, and notes that it is now.
    fn was_seen(&mut self, node: &Node) -> bool {
        let left = self.contexts.saturating_sub(node.switches);
        let counts = node.world.counts(self.steps);
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

    /// Decides which threads have a turn at a node.
    fn expand(
        &mut self,
        node: Node,
        at: &mut Interleaver<'_>,
        approach: &mut dyn Approach,
        todo: &mut Vec<Item>,
    ) -> Result<Option<Found>, Stop> {
        self.nodes += 1;
        if self.nodes & 0xff == 0 {
            self.run.budget.check()?;
            (self.run.progress)(&Progress { phase: "tree", done: self.nodes });
        }
        if node.exit {
            return self.leaf(at, approach);
        }
        if self.config.reduction && self.was_seen(&node) {
            self.seen += 1;
            return Ok(None);
        }
        let running: Vec<usize> =
            (0..node.world.threads()).filter(|&thread| node.world.halted(thread) == Halted::No).collect();
        let stopped = |halted: Halted| matches!(halted, Halted::Assume | Halted::Cut);
        let open = (0..node.world.threads()).any(|thread| stopped(node.world.halted(thread)));
        if running.is_empty() {
            if !open && let Some(leak) = at.leak(&node.world) {
                let (guard, path, world) = (leak.guard, node.path.clone(), node.world.clone());
                if let Some(found) = approach.suspect(at, Suspect { guard, path, inputs: leak.inputs, world })? {
                    return Ok(Some(found));
                }
            }
            return self.leaf(at, approach);
        }
        // Who moved last goes on first in what follows, whatever the order of turns: it tells how much the others matter.
        let active = node.active.filter(|active| running.contains(active));
        let mut first = active.map(|thread| at.turn(&node.world, thread).map(|turn| (thread, turn))).transpose()?;
        if let Some((thread, turn)) = &first
            && self.config.reduction
            && !self.races
            && at.is_quiet(&node.world, *thread, turn)
        {
            let expanded = Rc::new(Expanded { node, waiting: Cell::new(1), has_children: Cell::new(false) });
            let (thread, turn) = first.take().expect("seen above");
            return self.take(&expanded, thread, turn, at, approach, todo);
        }
        let (before, switches, contexts) = (node.active, node.switches, self.contexts);
        let within = |thread: usize| {
            let switch = u64::from(before.is_some_and(|active| active != thread));
            switches + switch <= contexts
        };
        // Threads wait for each other from the moment on at which the last of them, who has just moved, does.
        let blocked = first.as_ref().is_none_or(|(_, turn)| !turn.waits.is_empty());
        let mut turns: Vec<(usize, Turn)> = first.into_iter().collect();
        if self.deadlocks && blocked {
            for &thread in running.iter().filter(|&&thread| Some(thread) != active) {
                if at.may_wait(&node.world, thread) {
                    turns.push((thread, at.turn(&node.world, thread)?));
                }
            }
            let all_wait = turns.len() == running.len() && turns.iter().all(|(_, turn)| !turn.waits.is_empty());
            for guard in deadlock(&node.world, &turns, all_wait && !open, at) {
                let (path, inputs) = (node.path.clone(), node.world.inputs().cloned());
                let suspect = Suspect { guard, path, inputs, world: node.world.clone() };
                if let Some(found) = approach.suspect(at, suspect)? {
                    return Ok(Some(found));
                }
            }
        }
        if self.races {
            for &thread in running.iter().filter(|&&thread| within(thread)) {
                if !turns.iter().any(|(of, _)| *of == thread) {
                    turns.push((thread, at.turn(&node.world, thread)?));
                }
            }
            for suspect in self.races(&node, &turns, approach.records(), at) {
                if let Some(found) = approach.suspect(at, suspect)? {
                    return Ok(Some(found));
                }
            }
        }
        let (mut chosen, mut beyond) = (Vec::new(), false);
        for &thread in &running {
            if within(thread) {
                chosen.push(thread);
            } else {
                // It could move, or nobody knows that it could not.
                let known = turns.iter().find(|(of, _)| *of == thread);
                beyond |= known.is_none_or(|(_, turn)| !turn.next.is_empty() || !turn.suspects.is_empty());
            }
        }
        self.contexts_cut |= beyond;
        if chosen.is_empty() {
            return self.leaf(at, approach);
        }
        let expanded = Rc::new(Expanded { node, waiting: Cell::new(chosen.len()), has_children: Cell::new(false) });
        // The one with the smallest index on top.
        for &thread in chosen.iter().rev() {
            match turns.iter().position(|(of, _)| *of == thread) {
                Some(known) => {
                    let (_, turn) = turns.swap_remove(known);
                    if let Some(found) = self.take(&expanded, thread, turn, at, approach, todo)? {
                        return Ok(Some(found));
                    }
                }
                None => todo.push(Item::Turn(Rc::clone(&expanded), thread)),
            }
        }
        Ok(None)
    }

    /// Puts the children that a thread's turn makes on the stack.
    fn take(
        &mut self,
        expanded: &Rc<Expanded>,
        thread: usize,
        turn: Turn,
        at: &mut Interleaver<'_>,
        approach: &mut dyn Approach,
        todo: &mut Vec<Item>,
    ) -> Result<Option<Found>, Stop> {
        let node = &expanded.node;
        let switch = u64::from(node.active.is_some_and(|active| active != thread));
        let mut paths: [Option<Rc<Path>>; 2] = [None, None];
        let records = approach.records();
        let mut path_of = |spurious: bool, at: &mut Interleaver<'_>| {
            let path = &mut paths[usize::from(spurious)];
            Rc::clone(path.get_or_insert_with(|| Path::after(node.path.as_ref(), thread, spurious, records, at)))
        };
        for suspicion in turn.suspects {
            let path = Some(path_of(suspicion.spurious, at));
            let (guard, inputs) = (suspicion.guard, suspicion.inputs);
            let suspect = Suspect { guard, path, inputs, world: node.world.clone() };
            if let Some(found) = approach.suspect(at, suspect)? {
                return Ok(Some(found));
            }
        }
        for Next { world, spurious, exit } in turn.next.into_iter().rev() {
            if spurious && world.spurious(thread) > self.config.max_spurious {
                self.spurious_cut = true;
                continue;
            }
            let path = Some(path_of(spurious, at));
            expanded.has_children.set(true);
            let switches = node.switches + switch;
            todo.push(Item::Expand(Node { world, active: Some(thread), switches, path, exit }));
        }
        expanded.waiting.set(expanded.waiting.get() - 1);
        if expanded.waiting.get() == 0 && !expanded.has_children.get() {
            return self.leaf(at, approach);
        }
        Ok(None)
    }

    /// Two threads that are about to make accesses that conflict.
    fn races(&mut self, node: &Node, turns: &[(usize, Turn)], records: bool, at: &mut Interleaver<'_>) -> Vec<Suspect> {
        let of = |(thread, turn): &(usize, Turn)| turn.accesses.iter().map(|touch| (*thread, touch.clone())).collect();
        let touches: Vec<(usize, Touch)> = turns.iter().flat_map(|turn| -> Vec<(usize, Touch)> { of(turn) }).collect();
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
}

/// Whether threads wait for ever: for each other, or all of them (`blocked`: each may be).
fn deadlock(world: &World, turns: &[(usize, Turn)], blocked: bool, at: &mut Interleaver<'_>) -> Vec<TermId> {
    let waits: Vec<(usize, Waiting)> =
        turns.iter().flat_map(|(thread, turn)| turn.waits.iter().map(|wait| (*thread, wait.clone()))).collect();
    let mut guards = at.waiting_cycles(world, &waits);
    if blocked && waits.iter().all(|(_, wait)| wait.kind.is_some()) {
        let mut all = Vec::new();
        for (_, turn) in turns {
            let own: Vec<TermId> = turn.waits.iter().map(|wait| wait.guard).collect();
            all.push(at.terms().or_all(&own));
        }
        guards.push(at.terms().and_all(&all));
    }
    guards.retain(|&guard| guard != Terms::FALSE);
    guards
}
