//! ρ ∧ ζ of paper 003, section 2.2: values and who reads from whom, as terms; and the graph that ξ ranges over.

use heddle_base::{Budget, IndexVec, Stop};
use heddle_event_graph::{EventGraph, NodeId};
use heddle_solver::{Lit, Sort, TermId, Terms};
use heddle_symbolic::unwind::{Addressing, Node, NodeIx, Suspect, SuspectKind, Unwinding};

use crate::candidates::{Candidates, Conjuncts};
use crate::leaks::Leaks;
use crate::locks;
use crate::pieces::{Event, pieces};
use crate::races::Races;
use crate::ranges::{self, Range};
use crate::slice;

/// The nodes of an unwinding in its event graph.
pub type GraphNodes = IndexVec<NodeIx, NodeId>;

/// A read with those it may take its value from, and those that must not come in between.
#[derive(Clone, Debug)]
pub struct FormulaRead {
    /// Its node.
    pub node: NodeIx,
    /// Whether it is executed.
    pub guard: TermId,
    /// Where it reads: address and bytes.
    pub place: (TermId, u32),
    /// What it reads.
    pub value: TermId,
    /// (write, whether its value is taken from there).
    pub sources: Vec<(usize, TermId)>,
    /// (write, whether it is executed and at the read's place).
    pub rivals: Vec<(usize, TermId)>,
}

/// Something that reads can take their values from.
#[derive(Clone, Copy, Debug)]
pub struct FormulaWrite {
    /// Its node.
    pub node: NodeIx,
    /// Whether it is executed.
    pub guard: TermId,
    /// What is written.
    pub what: Written,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub enum Written {
    /// A value at an address, in so many bytes.
    Cell(TermId, u32, TermId),
    /// All that was in an object when others got to know it.
    Object(u32),
}

/// From a write to a node nobody else writes.
#[derive(Clone, Debug)]
pub struct FormulaSection {
    /// The write that begins it.
    pub enter: usize,
    /// The node that ends it.
    pub leave: NodeIx,
    /// Whether that node ends it.
    pub guard: TermId,
    /// All other writes of the lock, and whether they are executed.
    pub others: Vec<(usize, TermId)>,
}

/// Sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormulaStatistics {
    /// Nodes with an event.
    pub nodes: usize,
    /// Reads.
    pub reads: usize,
    /// Writes, publications included.
    pub writes: usize,
    /// Pairs of a read and a write that it may take its value from.
    pub sources: usize,
    /// Pairs of a read and a write that may come in between.
    pub rivals: usize,
    /// Sections of locks.
    pub sections: usize,
    /// Reads that were left out.
    pub sliced: usize,
}

/// See the module. Nodes and writes are those of the unwinding, by position.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    /// Terms that hold in every execution.
    pub constraints: Vec<TermId>,
    /// What is known of the values of reads before anything is solved, by value.
    pub ranges: Vec<(TermId, Range)>,
    /// Reads that have a choice, or whose source has rivals.
    pub reads: Vec<FormulaRead>,
    /// Writes, and behind them publications.
    pub writes: Vec<FormulaWrite>,
    /// Order that always holds, beside the threads' own: starts and ends of threads.
    pub edges: Vec<(NodeIx, NodeIx)>,
    /// What locks protect.
    pub sections: Vec<FormulaSection>,
    /// Whether something was read that was never written, where that is not checked.
    pub uninitialised: Vec<TermId>,
    /// Reads of what was never written, where that is checked.
    pub unwritten: Vec<Suspect>,
    /// What is asked about races.
    pub races: Races,
    /// What is asked about leaks.
    pub leaks: Leaks,
    /// Sizes.
    pub statistics: FormulaStatistics,
}

impl Formula {
    /// The formula of an unwinding. With `sliced` it leaves out reads whose values nothing depends on.
    ///
    /// Phases: accesses in pieces; order and candidates, each from the other; what is asked about races, leaks and lock
    /// sections; ranges; then a read after the other, as far as something depends on it.
    pub fn new(
        unwinding: &mut Unwinding,
        at: &mut Addressing<'_>,
        sliced: bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let (reads, writes) = pieces(unwinding, at);
        budget.check()?;
        let Ordered { edges, graph, nodes, mut found } = ordered(unwinding, (&reads, &writes), at, budget)?;
        let races = Races::new(unwinding, &graph, &nodes, at.terms);
        let leaks = Leaks::new(unwinding, &graph, &nodes, at.terms);
        let sections = locks::sections(unwinding, (&reads, &writes), &found, (&graph, &nodes), at.terms);
        leave_with_own(&sections, (&reads, &writes), &mut found, at.terms);
        let constraints = [&unwinding.constraints, &races.constraints, &leaks.constraints];
        let mut formula = Formula {
            constraints: constraints.into_iter().flatten().copied().collect(),
            writes: all_writes(unwinding, &writes, &found),
            edges,
            uninitialised: unwinding.uninitialised.clone(),
            races,
            leaks,
            sections: sections.iter().map(|section| FormulaSection::new(section, &writes)).collect(),
            ..Formula::default()
        };
        let ranges = ranges::of_reads(&reads, &found, at.terms, budget)?;
        formula.add_ranges(ranges, at.terms);
        let needed = match sliced {
            true => {
                let asked = (&formula.races, &formula.leaks);
                slice::needed(unwinding, (&reads, &writes), &found, asked, at.terms)
            }
            false => vec![true; reads.len()],
        };
        for ((read, candidates), _) in reads.iter().zip(&found.of).zip(&needed).filter(|(_, needed)| **needed) {
            formula.add_read(unwinding, at.terms, read, candidates);
        }
        formula.measure(reads.len(), needed.iter().filter(|needed| !**needed).count());
        Ok(formula)
    }

    fn measure(&mut self, reads: usize, sliced: usize) {
        let mut nodes: Vec<NodeIx> = self.reads.iter().map(|read| read.node).collect();
        nodes.extend(self.writes.iter().map(|write| write.node));
        nodes.sort_unstable();
        nodes.dedup();
        self.statistics = FormulaStatistics {
            nodes: nodes.len(),
            reads,
            writes: self.writes.len(),
            sources: self.reads.iter().map(|read| read.sources.len()).sum(),
            sections: self.sections.len(),
            sliced,
            rivals: self.reads.iter().map(|read| read.rivals.len()).sum(),
        };
    }

    /// Bits that are known are for the solver; what else is known is a constraint.
    fn add_ranges(&mut self, ranges: Vec<(TermId, Range)>, terms: &mut Terms) {
        for &(value, range) in &ranges {
            if let Sort::BitVec(width) = terms.sort(value)
                && range.max < range.known.max(width)
            {
                let max = terms.bv(width, range.max);
                let bounded = terms.ule(value, max);
                self.constraints.push(bounded);
            }
        }
        self.ranges = ranges;
    }

    /// What is known of the value of a read.
    pub fn range(&self, read: &FormulaRead) -> Option<Range> {
        let found = self.ranges.binary_search_by_key(&read.value, |&(value, _)| value);
        found.ok().map(|index| self.ranges[index].1)
    }

    fn add_read(
        &mut self,
        unwinding: &Unwinding,
        terms: &mut Terms,
        read: &Event,
        candidates: &[crate::candidates::Candidate],
    ) {
        let guard = read.guard;
        let possible: Vec<_> = candidates.iter().filter(|candidate| candidate.equal != Terms::FALSE).collect();
        let mut sources = Vec::new();
        for candidate in &possible {
            // With one source there is nothing to choose.
            let taken = if possible.len() == 1 {
                guard
            } else {
                let taken = terms.fresh("rf", Sort::Bool).expect("a sort");
                let executed = terms.implies(taken, guard);
                self.constraints.push(executed);
                taken
            };
            let agree = terms.and_all(&[candidate.rival, candidate.equal]);
            let consistent = terms.implies(taken, agree);
            self.constraints.push(consistent);
            if candidate.written != Terms::TRUE {
                let missing = terms.not(candidate.written);
                let unwritten = terms.and_all(&[taken, missing]);
                if read.checked {
                    let Node { thread, ticks, site, .. } = unwinding.nodes[read.node];
                    let what = SuspectKind::Uninit;
                    self.unwritten.push(Suspect { guard: unwritten, thread, ticks, what, site });
                } else {
                    self.uninitialised.push(unwritten);
                }
            }
            sources.push((candidate.write, taken));
        }
        let taken: Vec<TermId> = sources.iter().map(|&(_, taken)| taken).collect();
        let some = terms.or_all(&taken);
        let served = terms.implies(guard, some);
        self.constraints.push(served);
        let rivals = candidates.iter().map(|candidate| (candidate.write, candidate.rival)).collect();
        let place = (read.address, read.len);
        self.reads.push(FormulaRead { node: read.node, guard, place, value: read.value, sources, rivals });
    }

    /// The event graph over literals, and the unwinding's nodes in it.
    ///
    /// Literals of large formulas take long to make, so making one may fail.
    pub fn graph<E>(
        &self,
        unwinding: &Unwinding,
        mut literal: impl FnMut(TermId) -> Result<Lit, E>,
    ) -> Result<(EventGraph, GraphNodes), E> {
        let (mut graph, nodes) = skeleton(unwinding, &self.edges);
        let writes: Vec<_> = self.writes.iter().map(|write| graph.add_write(nodes[write.node])).collect();
        for read in &self.reads {
            if read.sources.is_empty() {
                continue;
            }
            let id = graph.add_read(nodes[read.node]);
            for &(write, taken) in &read.sources {
                graph.add_source(id, writes[write], literal(taken)?);
            }
            for &(write, rival) in &read.rivals {
                graph.add_rival(id, writes[write], literal(rival)?);
            }
        }
        for section in &self.sections {
            let mut others = Vec::with_capacity(section.others.len());
            for &(write, executed) in &section.others {
                others.push((writes[write], literal(executed)?));
            }
            graph.add_section(writes[section.enter], nodes[section.leave], literal(section.guard)?, &others);
        }
        for &(before, after, lit) in self.races.orders.iter().chain(&self.leaks.orders) {
            graph.add_order(nodes[before], nodes[after], literal(lit)?);
        }
        Ok((graph, nodes))
    }
}

impl FormulaSection {
    fn new(section: &locks::Section, writes: &[Event]) -> Self {
        let others = section.all.iter().filter(|&&write| write != section.enter);
        let others = others.map(|&write| (write, writes[write].guard)).collect();
        let (enter, leave) = (section.enter, &writes[section.leave]);
        FormulaSection { enter, leave: leave.node, guard: leave.guard, others }
    }
}

/// What the order of nodes and the candidates of reads say of each other.
struct Ordered {
    edges: Vec<(NodeIx, NodeIx)>,
    graph: EventGraph,
    nodes: GraphNodes,
    found: Candidates,
}

/// Order and candidates, until neither changes: ends of threads show up as reads that have one source, and knowing them
/// leaves less to other reads.
fn ordered(
    unwinding: &Unwinding,
    (reads, writes): (&[Event], &[Event]),
    at: &mut Addressing<'_>,
    budget: &Budget,
) -> Result<Ordered, Stop> {
    let mut edges: Vec<(NodeIx, NodeIx)> = Vec::new();
    for thread in unwinding.threads.iter() {
        for &(_, child, node) in &thread.children {
            edges.extend(unwinding.threads[child].chain.first().map(|&first| (node, first)));
        }
    }
    loop {
        let (graph, nodes) = skeleton(unwinding, &edges);
        let found = Candidates::new(unwinding, reads, writes, &graph, &nodes, at, budget)?;
        let known = edges.len();
        for (read, candidates) in reads.iter().zip(&found.of) {
            let mut sources = candidates.iter().filter(|candidate| candidate.equal != Terms::FALSE);
            if let (Some(only), None) = (sources.next(), sources.next())
                && unwinding.nodes[read.node].spine
            {
                let edge = (found.sources[only.write].node, read.node);
                if !edges.contains(&edge) && !graph.fixed_before(nodes[edge.0], nodes[edge.1]) {
                    edges.push(edge);
                }
            }
        }
        if edges.len() == known {
            return Ok(Ordered { edges, graph, nodes, found });
        }
    }
}

/// Where a section is left, the lock holds what its own enter wrote.
fn leave_with_own(
    sections: &[locks::Section],
    (reads, writes): (&[Event], &[Event]),
    found: &mut Candidates,
    terms: &Terms,
) {
    let mut conjuncts = Conjuncts::default();
    for (read, candidates) in reads.iter().zip(&mut found.of) {
        let own = sections.iter().find(|section| {
            let (enter, leave) = (&writes[section.enter], &writes[section.leave]);
            leave.node == read.node
                && leave.address == read.address
                && conjuncts.implies(terms, read.guard, enter.guard)
        });
        if let Some(section) = own {
            for candidate in candidates.iter_mut().filter(|candidate| candidate.write != section.enter) {
                candidate.equal = Terms::FALSE;
            }
        }
    }
}

fn all_writes(unwinding: &Unwinding, writes: &[Event], candidates: &Candidates) -> Vec<FormulaWrite> {
    let what = |index: usize| match writes.get(index) {
        Some(write) => Written::Cell(write.address, write.len, write.value),
        None => Written::Object(unwinding.publications[index - writes.len()].object),
    };
    let sources = candidates.sources.iter().enumerate();
    sources.map(|(i, source)| FormulaWrite { node: source.node, guard: source.guard, what: what(i) }).collect()
}

/// Threads as chains, and fixed edges.
fn skeleton(unwinding: &Unwinding, edges: &[(NodeIx, NodeIx)]) -> (EventGraph, GraphNodes) {
    let mut graph = EventGraph::new();
    let mut nodes: IndexVec<NodeIx, Option<NodeId>> = IndexVec::from_elem(None, unwinding.nodes.len());
    for thread in unwinding.threads.iter() {
        let chain = graph.add_chain();
        for &node in &thread.chain {
            nodes[node] = Some(graph.add_node(chain));
        }
    }
    if let Some(end) = unwinding.end {
        let chain = graph.add_chain();
        let last = graph.add_node(chain);
        nodes[end] = Some(last);
        for thread in unwinding.threads.iter() {
            if let Some(before) = thread.chain.last().and_then(|&node| nodes[node]) {
                graph.add_edge(before, last);
            }
        }
    }
    if let Some(now) = unwinding.now {
        let chain = graph.add_chain();
        nodes[now] = Some(graph.add_node(chain));
    }
    let nodes: GraphNodes = nodes.iter().map(|node| node.expect("every node is in a chain")).collect();
    for &(before, after) in edges {
        graph.add_edge(nodes[before], nodes[after]);
    }
    (graph, nodes)
}
