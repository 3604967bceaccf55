//! From a model to a guide for the machine: inputs, and turns that stay close to the recorded order.
//!
//! The order that the solver found is one of many that show the model. Two events that touch the same bytes, one of them
//! writing, keep the solver's order; everything else is arranged as in the recording, so that a predicted execution
//! differs from the recorded one only where it must.

use heddle_base::IndexVec;
use heddle_encode::{Formula, Written};
use heddle_ir::{InputId, Program};
use heddle_machine::{GuideStep, Reading};
use heddle_solver::{Bits, Evaluator, TermId, Value};
use heddle_symbolic::interleave::input_bits;
use heddle_symbolic::unwind::{NodeIx, ThreadIx, Unwinding};
use heddle_task::{Choice, Schedule, ScheduleError, ThreadId};
use rustc_hash::FxHashMap;

use crate::predict::holds;
use crate::turns::Turns;

/// How far an execution is to be guided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Until a thread of the unwinding has made so many turns.
    Upto { thread: ThreadIx, ticks: usize },
    /// As far as the model goes.
    Whole,
}

/// An input vector and a partial schedule: (α, β) of [DEFUSE §III-B].
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// Values of inputs.
    pub inputs: Vec<(Reading, u128)>,
    /// Turns, as far as they matter.
    pub turns: Vec<GuideStep>,
}

impl Guide {
    /// A whole schedule as a guide.
    pub fn of_schedule(program: &Program, schedule: &Schedule) -> Result<Self, ScheduleError> {
        let names = schedule.names()?;
        let mut guide = Guide::default();
        for value in &schedule.inputs {
            let wrong = || ScheduleError::Input(format!("`{}` = {}", value.name, value.bits));
            let found = program.inputs.iter_enumerated().find(|(_, input)| input.name == value.name);
            let (input, _) = found.ok_or_else(wrong)?;
            let thread = names.known(&value.thread).ok_or_else(wrong)?;
            let bits = u128::from_str_radix(value.bits.trim_start_matches("0x"), 16).map_err(|_| wrong())?;
            guide.inputs.push((Reading { input, thread, occurrence: value.occurrence }, bits));
        }
        for (choice, times) in schedule.runs(&names)? {
            let times = usize::try_from(times).map_err(|_| ScheduleError::TooManySteps)?;
            guide.turns.extend(std::iter::repeat_n(GuideStep { choice, site: None }, times));
        }
        Ok(guide)
    }

    pub(crate) fn new(
        unwinding: &Unwinding,
        formula: &Formula,
        threads: &IndexVec<ThreadIx, Option<ThreadId>>,
        turns: &Turns,
        order: &[NodeIx],
        goal: Goal,
        model: &mut Evaluator<'_>,
    ) -> Self {
        let before = orders(unwinding, formula, order, model);
        let mut arranger = Arranger {
            unwinding,
            threads,
            before,
            at: IndexVec::from_elem(0, threads.len()),
            done: IndexVec::from_elem(false, unwinding.nodes.len()),
        };
        let nodes = nodes_by_tick(unwinding);
        let mut guide = Guide { inputs: inputs(unwinding, threads, model), turns: Vec::new() };
        // Ticks that are not executed are no turns; a thread stops at the first of them.
        let executed: IndexVec<ThreadIx, Vec<bool>> = unwinding
            .threads
            .iter()
            .map(|thread| thread.ticks.iter().map(|tick| holds(model, tick.guard)).collect())
            .collect();
        loop {
            if let Goal::Upto { thread, ticks } = goal
                && arranger.is_started(thread)
                && (arranger.at[thread] >= ticks || !executed[thread][arranger.at[thread]..ticks].iter().all(|&e| e))
            {
                break;
            }
            let mut best: Option<(u64, ThreadIx)> = None;
            for thread in threads.ids() {
                let tick = arranger.at[thread];
                if !executed[thread].get(tick).copied().unwrap_or(false) || !arranger.can_move(thread, &nodes) {
                    continue;
                }
                let Some(id) = threads[thread] else { continue };
                let recorded = turns.turn(id, tick).unwrap_or(u64::MAX);
                if best.is_none_or(|(found, _)| recorded < found) {
                    best = Some((recorded, thread));
                }
            }
            let Some((_, thread)) = best else { break };
            let tick = arranger.at[thread];
            let spurious = holds(model, unwinding.threads[thread].ticks[tick].spurious);
            let choice = Choice { thread: threads[thread].expect("chosen above"), spurious };
            guide.turns.push(GuideStep { choice, site: None });
            arranger.made(thread, &nodes);
        }
        guide
    }
}

struct Arranger<'a> {
    unwinding: &'a Unwinding,
    threads: &'a IndexVec<ThreadIx, Option<ThreadId>>,
    /// What must come before each node.
    before: IndexVec<NodeIx, Vec<NodeIx>>,
    /// Ticks that each thread has made.
    at: IndexVec<ThreadIx, usize>,
    done: IndexVec<NodeIx, bool>,
}

type NodesByTick = IndexVec<ThreadIx, FxHashMap<usize, Vec<NodeIx>>>;

impl Arranger<'_> {
    fn can_move(&self, thread: ThreadIx, nodes: &NodesByTick) -> bool {
        let own = nodes[thread].get(&(self.at[thread] + 1));
        let ready = |node: &NodeIx, own: &[NodeIx]| {
            self.before[*node].iter().all(|before| own.contains(before) || self.is_done(*before))
        };
        self.is_started(thread) && own.is_none_or(|own| own.iter().all(|node| ready(node, own)))
    }

    /// What a thread does before its first turn comes with its start.
    fn is_done(&self, node: NodeIx) -> bool {
        let found = &self.unwinding.nodes[node];
        self.done[node] || found.ticks == 0 && self.is_started(found.thread)
    }

    fn is_started(&self, thread: ThreadIx) -> bool {
        let first = self.threads.ids().next();
        Some(thread) == first
            || self.unwinding.threads.iter_enumerated().any(|(parent, unwound)| {
                self.threads[parent].is_some()
                    && unwound.children.iter().any(|&(_, child, node)| child == thread && self.done[node])
            })
    }

    fn made(&mut self, thread: ThreadIx, nodes: &NodesByTick) {
        self.at[thread] += 1;
        for &node in nodes[thread].get(&self.at[thread]).into_iter().flatten() {
            self.done[node] = true;
        }
    }
}

/// The nodes of each thread by the number of its ticks up to them.
fn nodes_by_tick(unwinding: &Unwinding) -> NodesByTick {
    let mut nodes: NodesByTick = IndexVec::from_elem(FxHashMap::default(), unwinding.threads.len());
    for (thread, unwound) in unwinding.threads.iter_enumerated() {
        for &node in &unwound.chain {
            nodes[thread].entry(unwinding.nodes[node].ticks).or_default().push(node);
        }
    }
    nodes
}

/// For each node those that must come before it: fixed edges, and conflicting events in the solver's order.
fn orders(
    unwinding: &Unwinding,
    formula: &Formula,
    order: &[NodeIx],
    model: &mut Evaluator<'_>,
) -> IndexVec<NodeIx, Vec<NodeIx>> {
    let mut before: IndexVec<NodeIx, Vec<NodeIx>> = IndexVec::from_elem(Vec::new(), unwinding.nodes.len());
    for &(first, second) in &formula.edges {
        before[second].push(first);
    }
    // Accesses of each node that the model executes: address, bytes, whether they write.
    let mut accesses: IndexVec<NodeIx, Vec<(u64, u32, bool)>> = IndexVec::from_elem(Vec::new(), unwinding.nodes.len());
    for read in &formula.reads {
        if holds(model, read.guard)
            && let Some(address) = address(model, read.place.0)
        {
            accesses[read.node].push((address, read.place.1, false));
        }
    }
    for write in &formula.writes {
        if let Written::Cell(at, len, _) = write.what
            && holds(model, write.guard)
            && let Some(address) = address(model, at)
        {
            accesses[write.node].push((address, len, true));
        }
    }
    let mut last: FxHashMap<u64, (Option<NodeIx>, Vec<NodeIx>)> = FxHashMap::default();
    for &node in order {
        for &(address, len, write) in &accesses[node] {
            for byte in 0..u64::from(len) {
                let (writer, readers) = last.entry(address.wrapping_add(byte)).or_default();
                before[node].extend(writer.filter(|&writer| writer != node));
                if write {
                    before[node].extend(readers.drain(..).filter(|&reader| reader != node));
                    *writer = Some(node);
                } else {
                    readers.push(node);
                }
            }
        }
    }
    for list in before.iter_mut() {
        list.sort_unstable();
        list.dedup();
    }
    before
}

fn address(model: &mut Evaluator<'_>, term: TermId) -> Option<u64> {
    match model.eval(term) {
        Value::Bits(bits) => Bits::to_u64(&bits),
        Value::Bool(_) | Value::Array(_) => None,
    }
}

/// Values of all inputs that the model reads.
fn inputs(
    unwinding: &Unwinding,
    threads: &IndexVec<ThreadIx, Option<ThreadId>>,
    model: &mut Evaluator<'_>,
) -> Vec<(Reading, u128)> {
    let mut values = Vec::new();
    for (index, unwound) in unwinding.threads.iter_enumerated() {
        let Some(thread) = threads[index] else { continue };
        let mut counts: FxHashMap<InputId, u32> = FxHashMap::default();
        for read in &unwound.inputs {
            if !holds(model, read.guard) {
                continue;
            }
            let occurrence = counts.entry(read.input).or_default();
            let reading = Reading { input: read.input, thread, occurrence: *occurrence };
            *occurrence += 1;
            values.push((reading, input_bits(model, read.value)));
        }
    }
    values
}
