//! Lock orders that contradict each other: a thread takes B while it holds A, another one takes A while it holds B.
//!
//! A warning and no violation: what kept the threads apart within the bound may be a value or a flag, and the next
//! change of the program may take it away. Cycles of up to [`MOST`] threads are found, each edge of them in one execution
//! (the solver is asked); what cannot meet is left out: a lock that all of them hold (a *gate*), and a thread that takes its
//! lock always before another one does.
//!
//! Locks whose address is not a constant are not looked at.

use heddle_encode::GraphNodes;
use heddle_encode::describe::{Names, thread_paths};
use heddle_event_graph::EventGraph;
use heddle_ir::Program;
use heddle_ir::Site;
use heddle_solver::{Bits, BoolVar, Lit, TermId};
use heddle_symbolic::unwind::{HeldLock, Knowledge, LockEdge};
use heddle_task::{Detail, Warning};

use crate::questions::{Question, Questions};
use crate::unanswered::Unanswered;

/// Threads of a cycle.
const MOST: usize = 4;

/// Cycles as positions in the unwinding's list of edges.
pub(crate) fn cycles(questions: &mut Questions<'_>) -> Result<Vec<Vec<usize>>, Unanswered> {
    let edges = &questions.unwinding.lock_edges;
    let constant = |address: TermId, questions: &Questions<'_>| questions.terms.as_const(address).is_some();
    let usable: Vec<usize> = (0..edges.len())
        .filter(|&i| constant(edges[i].held.address, questions) && constant(edges[i].taken.address, questions))
        .collect();
    if usable.is_empty() {
        return Ok(Vec::new());
    }
    let any = Lit::new(<BoolVar as heddle_base::Id>::new(0), true);
    let Ok((graph, nodes)) = questions.formula.graph(questions.unwinding, |_| Ok::<_, std::convert::Infallible>(any));
    let mut finder = Finder { edges, usable: &usable, graph, nodes, found: Vec::new() };
    for &first in &usable {
        finder.follow(&mut vec![first]);
    }
    let mut shown: Vec<Vec<usize>> = Vec::new();
    let mut places: Vec<Vec<_>> = Vec::new();
    for cycle in finder.found {
        // Loops and threads of one kind make the same cycle many times.
        let mut place: Vec<_> = cycle.iter().map(|&i| (edges[i].held.site, edges[i].taken.site)).collect();
        place.iter_mut().for_each(|(held, taken)| (held.thread, taken.thread) = (0, 0));
        place.sort_by_key(|(held, taken)| (held.func, held.step, taken.func, taken.step));
        if places.contains(&place) {
            continue;
        }
        let guards: Vec<TermId> = cycle.iter().map(|&i| edges[i].guard).collect();
        let together = questions.terms.and_all(&guards);
        if questions.possible(Question::LockOrder, &[together])?.is_some() {
            places.push(place);
            shown.push(cycle);
        }
    }
    Ok(shown)
}

/// A cycle in words.
pub(crate) fn warning(program: &Program, questions: &Questions<'_>, knowledge: &Knowledge, cycle: &[usize]) -> Warning {
    let names = Names { program, knowledge };
    let paths = thread_paths(questions.unwinding);
    let mut message = String::from("locks are taken in orders that contradict each other: ");
    let mut details = Vec::new();
    for (i, &edge) in cycle.iter().enumerate() {
        let edge = &questions.unwinding.lock_edges[edge];
        let name = |lock: &HeldLock| {
            let bits = questions.terms.as_const(lock.address).and_then(Bits::to_u64).unwrap_or(0);
            let (object, offset) = ((bits >> 32) as u32, bits as u32);
            // A libc's own members of a lock are not what the user calls it.
            let place = if offset == 0 { names.object(object) } else { names.place(object, offset) };
            place.split_once(".__").map_or(place.as_str(), |(lock, _)| lock).to_owned()
        };
        let (held, taken, who) = (name(&edge.held), name(&edge.taken), &paths[edge.thread]);
        message.push_str(if i == 0 { "" } else { ", then " });
        message.push_str(&format!("`{held}`"));
        let loc = |site: Site| program.functions[site.func].steps[site.step].loc;
        details.push(Detail { text: format!("thread {who} takes `{held}`"), loc: loc(edge.held.site) });
        let text = format!("thread {who} takes `{taken}` while it holds `{held}`");
        details.push(Detail { text, loc: loc(edge.taken.site) });
    }
    Warning { name: "lock-order".to_owned(), message: message + ", each while the one before is held", details }
}

struct Finder<'a> {
    edges: &'a [LockEdge],
    usable: &'a [usize],
    graph: EventGraph,
    nodes: GraphNodes,
    found: Vec<Vec<usize>>,
}

impl Finder<'_> {
    /// All cycles that begin with a path. Each is found once: its first edge is its first in the list.
    fn follow(&mut self, path: &mut Vec<usize>) {
        let (first, last) = (path[0], *path.last().expect("a path has an edge"));
        for &next in self.usable {
            let (edge, before) = (&self.edges[next], &self.edges[last]);
            if edge.held.address != before.taken.address || !self.can_wait(before, edge) {
                continue;
            }
            if next == first && path.len() > 1 {
                self.found.push(path.clone());
            } else if next > first && path.len() < MOST && path.iter().all(|&i| self.can_meet(&self.edges[i], edge)) {
                path.push(next);
                self.follow(path);
                path.pop();
            }
        }
    }

    /// Whether one thread can be waiting for a lock that another one has taken.
    fn can_wait(&self, waiting: &LockEdge, holding: &LockEdge) -> bool {
        !self.graph.fixed_before(self.nodes[waiting.taken.node], self.nodes[holding.held.node])
    }

    /// Whether two threads can be in the middle of this at one time.
    fn can_meet(&self, a: &LockEdge, b: &LockEdge) -> bool {
        a.thread != b.thread && !a.gates.iter().any(|gate| b.gates.contains(gate))
    }
}
