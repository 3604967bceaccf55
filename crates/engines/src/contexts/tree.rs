//! The reachability tree, by rules R1–R6 of paper 001.
//!
//! A node is a world, the thread that moved last and the number of context switches. Its children are the worlds after a
//! turn of each thread, that with the smallest index first. A turn is one visible step with what follows it, so the
//! rules for assignments, jumps and starts (R1, R2, R5) are [`Interleaver::turn`]'s, as are those for conditions, which
//! give several worlds where constants do not decide (R3, R4); a `join` is an `await` like any other (R6).
//!
//! **Reduction.** Equivalent interleavings come to the same world. With `reduction` a turn is left out if it was made in
//! the same world before with at least as much left of every bound ([`Visits`]). That leaves out all that sleep sets would,
//! ends loops that wait, and is right with bounds on context switches, which sleep sets alone are not: of two
//! equivalent interleavings one may need more switches than the other.
//!
//! **Order.** Depth first, up to a bound on context switches. What lies beyond the bound is kept, and a search with a larger
//! bound goes on with it. So most worlds are first come to with as few switches as possible, and few turns are made twice in
//! one world. Where that is too much to keep, and without reduction, it is dropped; the next search then begins anew.
//!
//! **Choices.** The paper's tables count a context switch for every visible statement at which threads are chosen between.
//! With that bound a thread that moved last goes on alone once all choices are made, and another one where it has to wait.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_base::Stop;
use heddle_ir::Property;
use heddle_solver::{TermId, Terms};
use heddle_symbolic::interleave::{Bounded, Halted, InputNode, Interleaver, Next, Place, Touch, Turn, Waiting, World};
use heddle_task::{Progress, Run, Task};
use rustc_hash::FxHashSet;

use super::path::{Path, Turns};
use super::visits::{Arrival, Mark, Visits};
use super::{Approach, ContextsConfig, Found, Suspect};

/// More than so many things that lie beyond the bound are not kept.
const MOST_KEPT: usize = 200_000;

/// After so many turns in a row that concern nobody else, others have a turn all the same: a thread that goes on like this
/// for ever must not keep them from theirs.
const MOST_QUIET: usize = 64;

/// A world to be expanded.
struct Node {
    world: World,
    active: Option<usize>,
    switches: u64,
    /// Points so far at which threads were chosen between, if those are bounded.
    choices: u64,
    path: Option<Rc<Path>>,
    exit: bool,
}

impl Node {
    fn arrival(&self, choices: Option<u64>) -> Arrival {
        Arrival {
            active: self.active.map(|active| self.world.key(active)),
            switches: self.switches,
            choices: self.choices,
            forced: choices == Some(self.choices),
        }
    }

    /// Context switches once this thread has had the next turn.
    fn cost(&self, thread: usize) -> u64 {
        self.switches + u64::from(self.active.is_some_and(|active| active != thread))
    }

    /// Threads that have not stopped.
    fn running(&self) -> Vec<usize> {
        (0..self.world.threads()).filter(|&thread| self.world.halted(thread) == Halted::No).collect()
    }
}

/// What is left to be done.
enum Item {
    Expand(Node),
    /// A turn of this thread.
    Turn(Rc<Expanded>, usize),
    /// Something may be wrong.
    Suspect(Suspect),
    /// An interleaving has come to its end.
    Leaf,
}

/// A node whose children are being made.
struct Expanded {
    node: Node,
    arrival: Arrival,
    /// By what its world is known again, with reduction.
    mark: Option<Mark>,
    /// Whether threads are chosen between, where such points are bounded.
    choice: bool,
    /// Threads whose turn is yet to come.
    waiting: Cell<usize>,
    /// Whether the interleaving goes on, here or where the same world was come to otherwise.
    goes_on: Cell<bool>,
}

pub(crate) struct Tree<'t> {
    config: &'t ContextsConfig,
    /// The bound on points at which threads are chosen between.
    choices: Option<u64>,
    /// The bound on spurious wake-ups of each thread.
    spurious: u64,
    /// The bound on nodes.
    most_nodes: Option<u64>,
    contexts: u64,
    deadlocks: bool,
    races: bool,
    /// What of threads is bounded.
    bounded: Bounded,
    /// Whether turns need their schedule guards.
    records: bool,
    run: &'t Run<'t>,
    /// What is left to be done, with the context switches that it takes; what is next comes last.
    todo: Vec<(u64, Item)>,
    /// What takes more context switches than the bound, by their number.
    beyond: BTreeMap<u64, Vec<Item>>,
    /// How much that is.
    kept: usize,
    visits: Visits,
    /// Places that nobody needs to ask about any more.
    settled: FxHashSet<Place>,
    /// Whether something beyond the bound on context switches was not kept.
    dropped: bool,
    pub(crate) spurious_cut: bool,
    /// Whether a thread could not be chosen because no choices were left.
    pub(crate) choices_cut: bool,
    pub(crate) interleavings: u64,
    nodes: u64,
    seen: u64,
}

impl Visits {
    /// Whether a turn that was put off has meanwhile been made in the same world with fewer switches.
    fn outdo(&self, expanded: &Expanded, thread: usize) -> bool {
        let (node, visits) = (&expanded.node, expanded.mark.as_ref().and_then(|mark| self.of(mark)));
        let (Some(visits), Some(fewer)) = (visits, node.cost(thread).checked_sub(1)) else { return false };
        visits.cover(node.world.key(thread), expanded.arrival, fewer)
    }
}

impl<'t> Tree<'t> {
    /// The tree of a task, before its first turn.
    pub(crate) fn new(
        config: &'t ContextsConfig,
        records: bool,
        task: &Task<'_>,
        run: &'t Run<'t>,
        at: &mut Interleaver<'_>,
    ) -> Result<Self, Stop> {
        let properties = task.properties;
        let mut tree = Tree {
            bounded: Bounded { steps: task.bounds.steps.is_some(), spurious: true },
            config,
            choices: task.bounds.choices,
            spurious: task.bounds.spurious_or_default(),
            most_nodes: None,
            contexts: 0,
            deadlocks: properties.contains(Property::Deadlock),
            races: properties.contains(Property::Race),
            records,
            run,
            todo: Vec::new(),
            beyond: BTreeMap::new(),
            kept: 0,
            visits: Visits::default(),
            settled: FxHashSet::default(),
            dropped: false,
            spurious_cut: false,
            choices_cut: false,
            interleavings: 0,
            nodes: 0,
            seen: 0,
        };
        let (nothing, start) = at.start()?;
        for Next { world, exit, .. } in start.next.into_iter().rev() {
            tree.later(0, Item::Expand(Node { world, active: None, switches: 0, choices: 0, path: None, exit }));
        }
        for suspicion in start.suspects.into_iter().rev() {
            tree.later(0, Item::Suspect(Suspect::new(suspicion, None, nothing.clone())));
        }
        Ok(tree)
    }

    /// Bounds the nodes in place of spurious wake-ups.
    pub(crate) fn bound_nodes(&mut self, nodes: u64) {
        self.spurious = u64::MAX;
        self.bounded.spurious = false;
        self.most_nodes = Some(nodes);
    }

    /// Nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the bound on nodes was reached, and the search given up.
    pub(crate) fn is_too_large(&self) -> bool {
        self.most_nodes.is_some_and(|most| self.nodes > most)
    }

    pub(crate) fn report(&self, failing: bool) {
        let statistics = self.run.statistics;
        statistics.set("interleavings", (self.interleavings + self.cut_off()) as f64);
        statistics.set("interleavings.failing", f64::from(failing));
        statistics.add("nodes", self.nodes as f64);
        statistics.add("nodes.seen", self.seen as f64);
    }

    /// Interleavings that end at the bound on context switches.
    fn cut_off(&self) -> u64 {
        let mut ends: Vec<*const Expanded> = Vec::new();
        let mut worlds = 0;
        for item in self.beyond.values().flatten() {
            match item {
                Item::Expand(_) => worlds += 1,
                Item::Turn(expanded, _) if !expanded.goes_on.get() => ends.push(Rc::as_ptr(expanded)),
                Item::Turn(..) | Item::Suspect(_) | Item::Leaf => {}
            }
        }
        ends.sort_unstable();
        ends.dedup();
        worlds + ends.len() as u64
    }

    /// Whether the bound on context switches keeps something from being looked at.
    pub(crate) fn is_cut(&self) -> bool {
        self.dropped || self.kept > 0
    }

    /// Whether a search with a larger bound on context switches can go on where the last one has ended.
    pub(crate) fn can_go_on(&self) -> bool {
        !self.dropped
    }

    /// Does not ask about a place any more.
    pub(crate) fn settle(&mut self, place: Place, approach: &mut dyn Approach) {
        approach.leave_out(&|suspect| suspect.place == place);
        self.settled.insert(place);
    }

    /// Expands the tree up to a bound on context switches, until something is found or nothing is left. The next search
    /// goes on where this one ends.
    pub(crate) fn search(
        &mut self,
        contexts: u64,
        at: &mut Interleaver<'_>,
        approach: &mut dyn Approach,
    ) -> Result<Option<Found>, Stop> {
        self.contexts = contexts;
        self.come_within();
        while let Some((switches, item)) = self.todo.pop() {
            if self.is_too_large() {
                return Ok(None);
            }
            let found = match item {
                Item::Expand(node) => {
                    self.expand(node, at)?;
                    None
                }
                Item::Turn(expanded, thread) => {
                    self.turn(&expanded, thread, at)?;
                    None
                }
                Item::Suspect(suspect) if self.settled.contains(&suspect.place) => None,
                Item::Suspect(suspect) => approach.suspect(at, suspect)?,
                Item::Leaf => {
                    let found = approach.leaf(at)?;
                    match found {
                        // There may be more in it.
                        Some(_) => _ = self.later(switches, Item::Leaf),
                        None => self.interleavings += 1,
                    }
                    found
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        self.forget_outdone();
        Ok(None)
    }

    /// Something is to be done that takes so many context switches. Whether it will be, by this search or one that goes on.
    fn later(&mut self, switches: u64, item: Item) -> bool {
        if switches <= self.contexts {
            self.todo.push((switches, item));
        } else if self.config.reduction && self.kept < MOST_KEPT {
            self.kept += 1;
            self.beyond.entry(switches).or_default().push(item);
        } else {
            self.dropped = true;
            return false;
        }
        true
    }

    /// What lies beyond the bound no longer, once it has grown; what takes fewer switches is done first, and else what came
    /// up first.
    fn come_within(&mut self) {
        let far = self.beyond.split_off(&self.contexts.saturating_add(1));
        let near = std::mem::replace(&mut self.beyond, far);
        for (switches, items) in near.into_iter().rev() {
            self.kept -= items.len();
            self.todo.extend(items.into_iter().rev().map(|item| (switches, item)));
        }
    }

    /// By what a world is known again, with reduction.
    fn mark(&self, world: &World) -> Option<Mark> {
        self.config.reduction.then(|| Mark::of(world, self.bounded))
    }

    /// Which of the threads that can move need a turn at a node; none if the node was expanded with as much left.
    fn open(&self, node: &Node, mark: Option<&Mark>) -> Option<Vec<usize>> {
        let mut open = node.running();
        let Some(visits) = mark.and_then(|mark| self.visits.of(mark)) else { return Some(open) };
        let arrival = node.arrival(self.choices);
        open.retain(|&thread| !visits.cover(node.world.key(thread), arrival, node.cost(thread)));
        (!open.is_empty()).then_some(open)
    }

    /// The next turn of the thread that moved last.
    fn turn_of_active(node: &Node, at: &mut Interleaver<'_>) -> Result<Option<(usize, Turn)>, Stop> {
        let active = node.active.filter(|&active| node.world.halted(active) == Halted::No);
        active.map(|thread| at.turn(&node.world, thread).map(|turn| (thread, turn))).transpose()
    }

    /// Decides which threads have a turn at a node.
    fn expand(&mut self, mut node: Node, at: &mut Interleaver<'_>) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes & 0xff == 0 {
            at.budget().check()?;
            (self.run.progress)(&Progress { phase: "tree", done: self.nodes });
        }
        if node.exit {
            self.later(node.switches, Item::Leaf);
            return Ok(());
        }
        let mut mark = self.mark(&node.world);
        let Some(mut open) = self.open(&node, mark.as_ref()) else {
            self.seen += 1;
            return Ok(());
        };
        if let Some(thread) = self.runs_on(&node, mark.as_ref(), &open, at) {
            let (arrival, world) = (node.arrival(self.choices), node.world.clone());
            let (waiting, goes_on) = (Cell::new(1), Cell::new(false));
            let expanded = Rc::new(Expanded { node, arrival, mark: None, choice: false, waiting, goes_on });
            let turn = at.run_on(world, thread)?;
            self.take(&expanded, thread, turn, at);
            return Ok(());
        }
        // Who moved last goes on first in what follows, whatever the order of turns: it tells how much the others matter.
        let mut first = Self::turn_of_active(&node, at)?;
        // What nobody notices is no visible step to the paper either, and it has no choices there.
        let quietly = (self.config.reduction || self.choices.is_some()) && !self.races;
        if quietly && self.goes_on_quietly(&mut node, &mut first, at)? {
            mark = self.mark(&node.world);
            let Some(left) = self.open(&node, mark.as_ref()) else {
                self.seen += 1;
                return Ok(());
            };
            open = left;
        }
        let arrival = node.arrival(self.choices);
        if let Some(mark) = &mark {
            self.visits.add(mark, arrival);
        }
        let running = node.running();
        let stopped = |halted: Halted| matches!(halted, Halted::Assume | Halted::Cut | Halted::Endless);
        let halts = (0..node.world.threads()).any(|thread| stopped(node.world.halted(thread)));
        if running.is_empty() {
            self.later(node.switches, Item::Leaf);
            let leaks = if halts { Vec::new() } else { at.leaks(&node.world) };
            for leak in leaks.into_iter().rev() {
                let suspect = Suspect::new(leak, node.path.clone(), node.world.clone());
                self.later(node.switches, Item::Suspect(suspect));
            }
            return Ok(());
        }
        // Threads wait for each other from the moment on at which the last of them, who has just moved, does.
        let blocked = first.as_ref().is_none_or(|(_, turn)| !turn.waits.is_empty());
        let mut turns: Vec<(usize, Turn)> = first.into_iter().collect();
        let mut suspects: Vec<(u64, Suspect)> = Vec::new();
        let choices = self.choices;
        if self.deadlocks && blocked || choices.is_some() {
            for &thread in &running {
                if at.may_wait(&node.world, thread) && !turns.iter().any(|(of, _)| *of == thread) {
                    turns.push((thread, at.turn(&node.world, thread)?));
                }
            }
        }
        if self.deadlocks && blocked {
            let all_wait = turns.len() == running.len() && turns.iter().all(|(_, turn)| !turn.waits.is_empty());
            for guard in deadlock(&node.world, &turns, all_wait && !halts, at) {
                let waiting = turns.iter().filter(|(_, turn)| !turn.waits.is_empty()).map(|(thread, _)| *thread);
                let place = at.deadlock_of(&node.world, waiting);
                let (path, inputs, world) = (node.path.clone(), node.world.inputs().cloned(), node.world.clone());
                suspects.push((node.switches, Suspect { guard, path, inputs, world, place }));
            }
        }
        if self.races {
            for &thread in &running {
                if !turns.iter().any(|(of, _)| *of == thread) {
                    turns.push((thread, at.turn(&node.world, thread)?));
                }
            }
            suspects.extend(self.races(&node, &turns, at));
            suspects.extend(self.races_that_unblock(&node, &turns, at)?);
        }
        let goes_on = Cell::new(open.len() < running.len());
        let choice = choices.is_some() && self.chooses(&node, &running, &turns, &mut open);
        let waiting = Cell::new(open.len());
        let expanded = Rc::new(Expanded { node, arrival, mark, choice, waiting, goes_on });
        let node = &expanded.node;
        // The one with the smallest index on top.
        for &thread in open.iter().rev() {
            match turns.iter().position(|(of, _)| *of == thread) {
                Some(known) => {
                    let (_, turn) = turns.swap_remove(known);
                    self.take(&expanded, thread, turn, at);
                }
                // It could move, or nobody knows that it could not.
                None => {
                    if !self.later(node.cost(thread), Item::Turn(Rc::clone(&expanded), thread)) {
                        self.done(&expanded);
                    }
                }
            }
        }
        for (switches, suspect) in suspects.into_iter().rev() {
            self.later(switches, Item::Suspect(suspect));
        }
        Ok(())
    }

    /// Whether threads are chosen between here, given the turns of all that may have to wait. If several could move and no
    /// choices are left, only who then has to stays open.
    fn chooses(&mut self, node: &Node, running: &[usize], turns: &[(usize, Turn)], open: &mut Vec<usize>) -> bool {
        let able = able(running, turns);
        if able.len() < 2 {
            return false;
        }
        if !node.arrival(self.choices).forced {
            return true;
        }
        self.choices_cut = true;
        let forced = forced(node.active, &able, turns);
        open.retain(|thread| forced.contains(thread));
        false
    }

    /// Who goes on for several turns, because there are no choices left and it does not have to wait now.
    fn runs_on(&mut self, node: &Node, mark: Option<&Mark>, open: &[usize], at: &Interleaver<'_>) -> Option<usize> {
        let forced = node.arrival(self.choices).forced;
        let certain = |thread: usize| !at.may_wait(&node.world, thread);
        let active = node.active.filter(|active| forced && mark.is_none() && !self.races && open.contains(active))?;
        // Whether others could go on meanwhile is not looked at; it must not matter any more.
        self.choices_cut |= open.iter().any(|&other| other != active && certain(other));
        (self.choices_cut && certain(active)).then_some(active)
    }

    /// Lets the thread that moved last go on as long as its turns concern nobody else: others could as well have had theirs
    /// after it, with no more switches. Whether it did.
    fn goes_on_quietly(
        &self,
        node: &mut Node,
        first: &mut Option<(usize, Turn)>,
        at: &mut Interleaver<'_>,
    ) -> Result<bool, Stop> {
        for round in 0..MOST_QUIET {
            let quiet = first.take_if(|(thread, turn)| at.is_quiet(&node.world, *thread, turn));
            let Some((thread, turn)) = quiet else { return Ok(round > 0) };
            node.path = Some(Path::after(node.path.as_ref(), thread, false, self.records, at));
            node.world = turn.next.into_iter().next().expect("a quiet turn leads to one world").world;
            *first = Self::turn_of_active(node, at)?;
        }
        Ok(true)
    }

    /// A turn that was put off.
    fn turn(&mut self, expanded: &Rc<Expanded>, thread: usize, at: &mut Interleaver<'_>) -> Result<(), Stop> {
        if self.visits.outdo(expanded, thread) {
            expanded.goes_on.set(true);
            self.done(expanded);
            return Ok(());
        }
        let turn = at.turn(&expanded.node.world, thread)?;
        self.take(expanded, thread, turn, at);
        Ok(())
    }

    /// Forgets what lies beyond the bound, but was meanwhile done within it.
    fn forget_outdone(&mut self) {
        for items in self.beyond.values_mut() {
            items.retain(|item| match item {
                Item::Turn(expanded, thread) if self.visits.outdo(expanded, *thread) => {
                    expanded.goes_on.set(true);
                    false
                }
                Item::Turn(..) | Item::Expand(_) | Item::Suspect(_) | Item::Leaf => true,
            });
        }
        self.beyond.retain(|_, items| !items.is_empty());
        self.kept = self.beyond.values().map(Vec::len).sum();
    }

    /// Puts what a thread's turn leads to on the stack.
    fn take(&mut self, expanded: &Rc<Expanded>, thread: usize, turn: Turn, at: &mut Interleaver<'_>) {
        let node = &expanded.node;
        let (switches, records) = (node.cost(thread), self.records);
        let mut paths: Vec<(Turns, Rc<Path>)> = Vec::new();
        let mut path_of = |turns: Turns, at: &mut Interleaver<'_>| {
            if let Some((_, known)) = paths.iter().find(|(of, _)| *of == turns) {
                return Rc::clone(known);
            }
            let path = Path::after_turns(node.path.as_ref(), thread, turns, records, at);
            paths.push((turns, Rc::clone(&path)));
            path
        };
        for Next { world, turns: count, spurious, exit } in turn.next.into_iter().rev() {
            if spurious && u64::from(world.spurious(thread)) > self.spurious {
                self.spurious_cut = true;
                continue;
            }
            let path = Some(path_of(Turns { count, spurious }, at));
            let choices = node.choices + u64::from(expanded.choice);
            if self.later(switches, Item::Expand(Node { world, active: Some(thread), switches, choices, path, exit })) {
                expanded.goes_on.set(true);
            }
        }
        self.done(expanded);
        for suspicion in turn.suspects.into_iter().rev() {
            let turns = Turns { count: suspicion.turns, spurious: suspicion.spurious };
            let path = Some(path_of(turns, at));
            self.later(switches, Item::Suspect(Suspect::new(suspicion, path, node.world.clone())));
        }
    }

    /// One of a node's turns is done. If none leads anywhere, the interleaving ends there.
    fn done(&mut self, expanded: &Expanded) {
        expanded.waiting.set(expanded.waiting.get() - 1);
        if expanded.waiting.get() == 0 && !expanded.goes_on.get() {
            self.later(expanded.node.switches, Item::Leaf);
        }
    }

    /// Two threads that are about to make accesses that conflict, with the switches that it takes.
    fn races(&self, node: &Node, turns: &[(usize, Turn)], at: &mut Interleaver<'_>) -> Vec<(u64, Suspect)> {
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
                let (first, second) = ((first.0, &first.1), (second.0, &second.1));
                let suspect = self.race(node, guard, first, second, (&node.world, first.1.inputs.clone()), at);
                // In an execution with a race, leave out the earlier access and all that is ordered behind it: the thread of the later
                // one comes to it with no more switches, and the other stands before its own. To show both in a row may take
                // one switch more, so that is not counted.
                found.push((node.cost(a.0).min(node.cost(b.0)), suspect));
            }
        }
        found
    }

    /// Two threads make their accesses one right after the other.
    fn race(
        &self,
        node: &Node,
        guard: TermId,
        first: (usize, &Touch),
        second: (usize, &Touch),
        (world, inputs): (&World, Option<Rc<InputNode>>),
        at: &mut Interleaver<'_>,
    ) -> Suspect {
        let path = Path::after(node.path.as_ref(), first.0, first.1.spurious, self.records, at);
        let path = Some(Path::after(Some(&path), second.0, second.1.spurious, self.records, at));
        let place = Place::Race(first.1.loc.min(second.1.loc), first.1.loc.max(second.1.loc));
        Suspect { guard, path, inputs, world: world.clone(), place }
    }

    /// Accesses of a thread that let another one's section go on, in which there is an access that conflicts.
    fn races_that_unblock(
        &self,
        node: &Node,
        turns: &[(usize, Turn)],
        at: &mut Interleaver<'_>,
    ) -> Result<Vec<(u64, Suspect)>, Stop> {
        let mut found = Vec::new();
        for (second, _) in turns.iter().filter(|(_, turn)| turn.unfinished) {
            for (first, turn) in turns.iter().filter(|(first, turn)| first != second && !turn.accesses.is_empty()) {
                for next in turn.next.iter().filter(|next| next.world.halted(*second) == Halted::No) {
                    let later = at.turn(&next.world, *second)?;
                    for (a, b) in turn.accesses.iter().flat_map(|a| later.accesses.iter().map(move |b| (a, b))) {
                        let guard = at.conflict(a, b);
                        if guard == Terms::FALSE {
                            continue;
                        }
                        let (first, second) = ((*first, a), (*second, b));
                        let suspect = self.race(node, guard, first, second, (&next.world, b.inputs.clone()), at);
                        found.push((node.cost(first.0), suspect));
                    }
                }
            }
        }
        Ok(found)
    }
}

/// Threads that may move, given the turns of all that may have to wait.
fn able(running: &[usize], turns: &[(usize, Turn)]) -> Vec<usize> {
    let turn_of = |thread: usize| turns.iter().find(|(of, _)| *of == thread).map(|(_, turn)| turn);
    let stuck = |turn: &Turn| turn.next.is_empty() && turn.suspects.is_empty();
    running.iter().copied().filter(|&thread| !turn_of(thread).is_some_and(stuck)).collect()
}

/// Who moves where there are no choices left: the thread that moved last or else the first one, and the next where that one
/// may have to wait.
fn forced(active: Option<usize>, able: &[usize], turns: &[(usize, Turn)]) -> Vec<usize> {
    let waits = |thread: usize| turns.iter().any(|(of, turn)| *of == thread && !turn.waits.is_empty());
    let mut order: Vec<usize> = able.to_vec();
    order.sort_by_key(|&thread| active != Some(thread));
    let certain = order.iter().position(|&thread| !waits(thread));
    order.truncate(certain.map_or(order.len(), |at| at + 1));
    order
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
