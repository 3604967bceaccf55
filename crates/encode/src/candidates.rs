//! Who may read from whom, before any formula exists (docs/order-theory.md, "Candidates").

use std::rc::Rc;

use heddle_base::{Budget, Stop};
use heddle_event_graph::{EventGraph, NodeId};
use heddle_solver::{Op, TermId, Terms};
use heddle_symbolic::unwind::{Addressing, LIFE, NodeIx, Unwinding, arbitrary};
use rustc_hash::FxHashMap;

use crate::formula::GraphNodes;
use crate::pieces::Event;

/// A write that a read may see or that may come in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Which write: those of the unwinding first, publications behind them.
    pub(crate) write: usize,
    /// Whether it is executed, and at the place of the read.
    pub(crate) rival: TermId,
    /// What the read gets from here; nothing if that can be anything.
    pub(crate) value: Option<TermId>,
    /// Whether the values agree; `false` if the read cannot take its value from here.
    pub(crate) equal: TermId,
    /// Whether what is there was ever written.
    pub(crate) written: TermId,
}

/// A write of the unwinding, or an object that is published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) node: NodeIx,
    pub(crate) guard: TermId,
}

pub(crate) struct Candidates {
    pub(crate) sources: Vec<Source>,
    /// For each read its candidates.
    pub(crate) of: Vec<Vec<Candidate>>,
}

/// Conditions that a read value must satisfy wherever the read is executed.
type Requirements = FxHashMap<TermId, Vec<(TermId, TermId)>>;

/// Conjuncts of guards, sorted.
#[derive(Default)]
pub(crate) struct Conjuncts {
    memo: FxHashMap<TermId, Rc<[TermId]>>,
}

impl Conjuncts {
    fn of(&mut self, terms: &Terms, guard: TermId) -> Rc<[TermId]> {
        if let Some(known) = self.memo.get(&guard) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut todo = vec![guard];
        while let Some(term) = todo.pop() {
            if terms.op(term) == Op::And {
                todo.extend(terms.args(term));
            } else if term != Terms::TRUE {
                found.push(term);
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[TermId]> = found.into();
        self.memo.insert(guard, Rc::clone(&found));
        found
    }

    /// Whether one guard implies another, as far as their conjuncts tell.
    pub(crate) fn implies(&mut self, terms: &Terms, strong: TermId, weak: TermId) -> bool {
        if weak == Terms::TRUE || strong == weak {
            return true;
        }
        let (strong, weak) = (self.of(terms, strong), self.of(terms, weak));
        weak.iter().all(|term| strong.binary_search(term).is_ok())
    }
}

impl Candidates {
    pub(crate) fn new(
        unwinding: &Unwinding,
        reads: &[Event],
        writes: &[Event],
        graph: &EventGraph,
        nodes: &GraphNodes,
        at: &mut Addressing<'_>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut sources: Vec<Source> =
            writes.iter().map(|write| Source { node: write.node, guard: write.guard }).collect();
        sources.extend(unwinding.publications.iter().map(|p| Source { node: p.node, guard: p.guard }));
        let requirements = requirements(unwinding, at.terms);
        let mut conjuncts = Conjuncts::default();
        let places = Places::new(unwinding, writes, at.terms);
        let mut of = Vec::with_capacity(reads.len());
        for read in reads {
            budget.check()?;
            let possible = places.of(read, at.terms);
            let life = is_life(at.terms, read.address);
            let mut found = Vec::new();
            // Writes before the read that are certainly executed and certainly at its place: older ones are overwritten.
            let mut certain: Vec<NodeId> = Vec::new();
            for write in possible {
                let source = sources[write];
                if source.node == read.node || graph.fixed_before(nodes[read.node], nodes[source.node]) {
                    continue;
                }
                // No access reaches the cell that says whether an object is alive, also not one whose address is not known.
                if writes.get(write).is_some_and(|event| is_life(at.terms, event.address) != life) {
                    continue;
                }
                let place = match writes.get(write) {
                    Some(event) => at.terms.eq(read.address, event.address),
                    None => at.points_to(read.address, unwinding.publications[write - writes.len()].object),
                };
                if place == Terms::FALSE {
                    continue;
                }
                // Branches of one thread exclude each other; between threads that is rare.
                let one_thread = unwinding.nodes[source.node].thread == unwinding.nodes[read.node].thread;
                if one_thread && at.terms.and_all(&[source.guard, read.guard]) == Terms::FALSE {
                    continue;
                }
                let before = graph.fixed_before(nodes[source.node], nodes[read.node]);
                if before && place == Terms::TRUE && conjuncts.implies(at.terms, read.guard, source.guard) {
                    certain.push(nodes[source.node]);
                }
                let (value, equal, written) = match writes.get(write) {
                    Some(event) => {
                        let value = at.convert(event.value, event.pointer, read.pointer);
                        (Some(value), at.terms.eq(value, read.value), Terms::TRUE)
                    }
                    None => initial(unwinding, write - writes.len(), read, at),
                };
                let equal =
                    if excluded(&requirements, &mut conjuncts, read, equal, at.terms) { Terms::FALSE } else { equal };
                let rival = at.terms.and_all(&[source.guard, place]);
                found.push(Candidate { write, rival, value, equal, written });
            }
            found.retain(|candidate| {
                let node = nodes[sources[candidate.write].node];
                !certain.iter().any(|&later| graph.fixed_before(node, later))
            });
            of.push(found);
        }
        Ok(Candidates { sources, of })
    }
}

/// Whether an address is that of a cell that says whether an object is alive.
fn is_life(terms: &Terms, address: TermId) -> bool {
    terms.as_const(address).and_then(heddle_solver::Bits::to_u64).is_some_and(|bits| bits as u32 == LIFE)
}

/// Writes by where they can be.
struct Places {
    /// Those at constant addresses.
    exact: FxHashMap<TermId, Vec<usize>>,
    /// Those at other addresses, and publications, by object.
    somewhere: FxHashMap<u32, Vec<usize>>,
    /// All of them, by object.
    all: FxHashMap<u32, Vec<usize>>,
}

impl Places {
    fn new(unwinding: &Unwinding, writes: &[Event], terms: &Terms) -> Self {
        let mut places =
            Places { exact: FxHashMap::default(), somewhere: FxHashMap::default(), all: FxHashMap::default() };
        for (i, write) in writes.iter().enumerate() {
            let constant = terms.as_const(write.address).is_some();
            if constant {
                places.exact.entry(write.address).or_default().push(i);
            }
            for &object in write.objects.iter() {
                places.all.entry(object).or_default().push(i);
                if !constant {
                    places.somewhere.entry(object).or_default().push(i);
                }
            }
        }
        for (i, publication) in unwinding.publications.iter().enumerate() {
            places.all.entry(publication.object).or_default().push(writes.len() + i);
            places.somewhere.entry(publication.object).or_default().push(writes.len() + i);
        }
        places
    }

    /// Writes that can be where a read is, in order.
    fn of(&self, read: &Event, terms: &Terms) -> Vec<usize> {
        let constant = terms.as_const(read.address).is_some();
        let by_object = if constant { &self.somewhere } else { &self.all };
        let mut found: Vec<usize> =
            read.objects.iter().filter_map(|object| by_object.get(object)).flatten().copied().collect();
        if constant {
            found.extend(self.exact.get(&read.address).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What a read gets from an object as it was published, whether that is its value, and whether it was ever written.
fn initial(
    unwinding: &Unwinding,
    publication: usize,
    read: &Event,
    at: &mut Addressing<'_>,
) -> (Option<TermId>, TermId, TermId) {
    let initial = &unwinding.publications[publication].initial;
    let offset = at.terms.extract(31, 0, read.address);
    let life = at.terms.bv(32, u64::from(LIFE));
    if offset == life {
        let alive = initial.alive(at.terms);
        return (Some(alive), at.terms.eq(alive, read.value), Terms::TRUE);
    }
    match initial.read(at, offset, read.len, read.pointer) {
        Some((value, written)) => {
            let equal = at.terms.eq(value, read.value);
            let missing = at.terms.not(written);
            let arbitrary = arbitrary(at.terms);
            let any = at.terms.and_all(&[missing, arbitrary]);
            ((any == Terms::FALSE).then_some(value), at.terms.or(equal, any), written)
        }
        // Too many places to name: any value will do, but nothing is proved by it.
        None => (None, Terms::TRUE, Terms::FALSE),
    }
}

/// Requirements with one variable, by that variable: (guard, condition).
fn requirements(unwinding: &Unwinding, terms: &Terms) -> Requirements {
    let mut found: Requirements = FxHashMap::default();
    for &(guard, condition) in &unwinding.requirements {
        if let [var] = terms.variables_of(&[condition])[..] {
            found.entry(terms.var_term(var)).or_default().push((guard, condition));
        }
    }
    found
}

/// Whether the value that the equation gives the read contradicts what it is needed for: a lock needs a 0.
fn excluded(
    requirements: &Requirements,
    conjuncts: &mut Conjuncts,
    read: &Event,
    equal: TermId,
    terms: &mut Terms,
) -> bool {
    let Some(needed) = requirements.get(&read.value) else { return false };
    // The equation is between the variable and a constant, or it says nothing here.
    if terms.op(equal) != Op::Eq {
        return false;
    }
    let args = terms.args(equal);
    let other = if args[0] == read.value { args[1] } else { args[0] };
    if terms.as_const(other).is_none() {
        return false;
    }
    let replacement: FxHashMap<TermId, TermId> = [(read.value, other)].into_iter().collect();
    needed.iter().any(|&(guard, condition)| {
        conjuncts.implies(terms, read.guard, guard) && terms.substitute(condition, &replacement) == Terms::FALSE
    })
}
