//! From a model back to an execution: who moves when, and what the inputs are.

use heddle_base::IndexVec;
use heddle_ir::Program;
use heddle_solver::{Evaluator, TermId, Value};
use heddle_symbolic::interleave::input_bits;
use heddle_symbolic::unwind::{Frontier, NodeIx, Suspect, ThreadIx, Unwinding};
use heddle_task::{InputValue, Schedule, TurnRun};

use crate::{Formula, Leak, RacePair};

/// A model of a formula: `order` has the nodes of the unwinding in an order that shows it consistent.
pub struct Retracing<'a> {
    /// The program.
    pub program: &'a Program,
    /// The fingerprint of its bytecode.
    pub fingerprint: u64,
    /// What was asked about.
    pub unwinding: &'a Unwinding,
    /// The formula.
    pub formula: &'a Formula,
    /// All nodes.
    pub order: &'a [NodeIx],
}

impl Retracing<'_> {
    /// The execution up to the first of some suspects that the model shows, and which one that is; none if it shows none.
    pub fn first(&self, suspects: &[Suspect], model: &mut Evaluator<'_>) -> Option<(Schedule, usize)> {
        let wrong: Vec<usize> = (0..suspects.len()).filter(|&i| holds(model, suspects[i].guard)).collect();
        // The violation that comes first: the one whose last node comes first.
        let position = self.positions();
        let moment = |suspect: &Suspect| {
            let last = self.reached(suspect.thread, suspect.ticks).into_iter().map(|node| position[node]);
            last.filter(|&p| p != usize::MAX).max().map_or(0, |p| p + 1)
        };
        let first = wrong.into_iter().min_by_key(|&i| (moment(&suspects[i]), i))?;
        let mut follower = Follower::new(self.unwinding, model);
        follower.follow(&self.order[..moment(&suspects[first])], model);
        follower.advance(suspects[first].thread, suspects[first].ticks, model);
        Some((follower.finish(self.program, self.fingerprint, model), first))
    }

    /// Only what leads to a suspect: nothing that it does not depend on is executed, so nothing else goes wrong before.
    pub fn alone(&self, suspect: &Suspect, model: &mut Evaluator<'_>) -> Schedule {
        let past = self.past(self.reached(suspect.thread, suspect.ticks), model);
        let mut follower = Follower::new(self.unwinding, model);
        let line: Vec<NodeIx> = self.order.iter().copied().filter(|&node| past[node]).collect();
        follower.follow(&line, model);
        follower.advance(suspect.thread, suspect.ticks, model);
        follower.finish(self.program, self.fingerprint, model)
    }

    /// Only what leads to a frontier, with the values of all inputs: an execution may go on behind it.
    pub fn towards(&self, frontier: &Frontier, model: &mut Evaluator<'_>) -> Schedule {
        let past = self.past(self.reached(frontier.thread, frontier.ticks), model);
        let mut follower = Follower::new(self.unwinding, model);
        let line: Vec<NodeIx> = self.order.iter().copied().filter(|&node| past[node]).collect();
        follower.follow(&line, model);
        follower.advance(frontier.thread, frontier.ticks, model);
        let inputs = follower.inputs(self.program, Zeros::Given, model);
        Schedule { inputs, thread_steps: None, ..follower.finish(self.program, self.fingerprint, model) }
    }

    /// What leads to a race, and its two accesses.
    pub fn race(&self, pair: RacePair, model: &mut Evaluator<'_>) -> Schedule {
        let nodes = [self.unwinding.races[pair.first].node, self.unwinding.races[pair.second].node];
        let position = self.positions();
        let mut follower = Follower::new(self.unwinding, model);
        if pair.now {
            // Threads stand before both accesses, so what comes before those is executed, and they themselves are not.
            let now = position[self.unwinding.now.expect("races were asked about")];
            let before = nodes.iter().flat_map(|&node| self.before(node));
            let past = self.past(before.collect(), model);
            let line = self.order[..now].iter().copied().filter(|&node| past[node]);
            follower.follow(&line.collect::<Vec<_>>(), model);
        } else if self.unwinding.races[pair.second].fixed {
            let before = self.before(nodes[1]).into_iter().chain([nodes[0]]);
            let past = self.past(before.collect(), model);
            let line = self.order[..=position[nodes[0]]].iter().copied().filter(|&node| past[node]);
            follower.follow(&line.collect::<Vec<_>>(), model);
        } else {
            let past = self.past(nodes.to_vec(), model);
            let line = self.order[..position[nodes[1]]].iter().copied().filter(|&node| past[node]);
            follower.follow(&line.collect::<Vec<_>>(), model);
        }
        for node in nodes {
            let node = self.unwinding.nodes[node];
            follower.advance(node.thread, node.ticks, model);
        }
        // What the section of the second access does after it need not be defined.
        let last = self.unwinding.nodes[nodes[1]];
        follower.begin(last.thread, last.ticks, model);
        follower.finish(self.program, self.fingerprint, model)
    }

    /// The execution up to the end of the process that leaves a block behind.
    pub fn leak(&self, leak: Leak, model: &mut Evaluator<'_>) -> Schedule {
        let Some(ending) = leak.ending else { return self.whole(model) };
        let end = self.unwinding.endings[ending].node;
        let position = self.positions();
        let mut follower = Follower::new(self.unwinding, model);
        follower.follow(&self.order[..position[end]], model);
        for node in [self.unwinding.allocations[leak.allocation].node, end] {
            let node = self.unwinding.nodes[node];
            follower.advance(node.thread, node.ticks, model);
        }
        follower.begin(self.unwinding.nodes[end].thread, self.unwinding.nodes[end].ticks, model);
        follower.finish(self.program, self.fingerprint, model)
    }

    /// The execution as far as all threads go.
    pub fn whole(&self, model: &mut Evaluator<'_>) -> Schedule {
        let mut follower = Follower::new(self.unwinding, model);
        follower.follow(self.order, model);
        for thread in self.unwinding.threads.ids() {
            follower.advance(thread, self.unwinding.threads[thread].ticks.len(), model);
        }
        follower.finish(self.program, self.fingerprint, model)
    }

    fn positions(&self) -> IndexVec<NodeIx, usize> {
        let mut position = IndexVec::from_elem(usize::MAX, self.unwinding.nodes.len());
        self.order.iter().enumerate().for_each(|(i, &node)| position[node] = i);
        position
    }

    /// Nodes that a thread has executed after some of its ticks: its own up to there, and those that started it.
    fn reached(&self, mut thread: ThreadIx, mut ticks: usize) -> Vec<NodeIx> {
        let starts = starts(self.unwinding);
        let mut reached = Vec::new();
        loop {
            let chain = self.unwinding.threads[thread].chain.iter();
            reached.extend(chain.copied().filter(|&node| self.unwinding.nodes[node].ticks <= ticks));
            let Some((parent, start)) = starts[thread] else { return reached };
            (thread, ticks) = (parent, self.unwinding.nodes[start].ticks);
        }
    }

    /// What stands directly before a node: the node before it in its thread, or the one that started the thread.
    fn before(&self, node: NodeIx) -> Option<NodeIx> {
        let thread = self.unwinding.nodes[node].thread;
        let chain = &self.unwinding.threads[thread].chain;
        let at = chain.iter().position(|&other| other == node).expect("the node is in its thread's chain");
        match at.checked_sub(1) {
            Some(before) => Some(chain[before]),
            None => starts(self.unwinding)[thread].map(|(_, start)| start),
        }
    }

    /// All nodes that some nodes depend on: what their threads did before, and what they read from.
    fn past(&self, mut todo: Vec<NodeIx>, model: &mut Evaluator<'_>) -> IndexVec<NodeIx, bool> {
        let starts = starts(self.unwinding);
        let mut before: IndexVec<NodeIx, Vec<NodeIx>> = IndexVec::from_elem(Vec::new(), self.unwinding.nodes.len());
        for (index, thread) in self.unwinding.threads.iter_enumerated() {
            if let (Some(&first), Some((_, start))) = (thread.chain.first(), starts[index]) {
                before[first].push(start);
            }
            for pair in thread.chain.windows(2) {
                before[pair[1]].push(pair[0]);
            }
        }
        for read in &self.formula.reads {
            for &(write, taken) in &read.sources {
                if holds(model, taken) {
                    before[read.node].push(self.formula.writes[write].node);
                }
            }
        }
        let mut past = IndexVec::from_elem(false, self.unwinding.nodes.len());
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut past[node], true) {
                todo.extend(&before[node]);
            }
        }
        past
    }
}

fn holds(model: &mut Evaluator<'_>, term: TermId) -> bool {
    model.eval(term) == Value::Bool(true)
}

/// The paths of threads: a thread's number among its parent's children is how many were started before it.
fn paths(unwinding: &Unwinding, model: &mut Evaluator<'_>) -> IndexVec<ThreadIx, Option<String>> {
    let mut paths: IndexVec<ThreadIx, Option<String>> = IndexVec::from_elem(None, unwinding.threads.len());
    paths[ThreadIx::FIRST] = Some("0".to_owned());
    for (index, thread) in unwinding.threads.iter_enumerated() {
        let Some(own) = paths[index].clone() else { continue };
        let mut started = 0;
        for &(guard, child, _) in &thread.children {
            if holds(model, guard) {
                started += 1;
                paths[child] = Some(format!("{own}.{started}"));
            }
        }
    }
    paths
}

/// For each thread who starts it, and in which node.
fn starts(unwinding: &Unwinding) -> IndexVec<ThreadIx, Option<(ThreadIx, NodeIx)>> {
    let mut starts = IndexVec::from_elem(None, unwinding.threads.len());
    for (parent, thread) in unwinding.threads.iter_enumerated() {
        for &(_, child, node) in &thread.children {
            starts[child] = Some((parent, node));
        }
    }
    starts
}

/// Whether inputs that are zero are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    LeftOut,
    Given,
}

/// Lets threads move up to given ticks.
struct Follower<'a> {
    unwinding: &'a Unwinding,
    paths: IndexVec<ThreadIx, Option<String>>,
    /// Ticks of each thread that are done with.
    done: IndexVec<ThreadIx, usize>,
    turns: Vec<TurnRun>,
}

impl<'a> Follower<'a> {
    fn new(unwinding: &'a Unwinding, model: &mut Evaluator<'_>) -> Self {
        let done = IndexVec::from_elem(0, unwinding.threads.len());
        Follower { unwinding, paths: paths(unwinding, model), done, turns: Vec::new() }
    }

    /// Lets threads move in the order of nodes; the end and the moment of a race are nobody's. Nobody exits: what others do
    /// after an exit they could as well have done before.
    fn follow(&mut self, order: &[NodeIx], model: &mut Evaluator<'_>) {
        let exits = |node| self.unwinding.endings.iter().any(|ending| ending.node == node);
        let nobody = [self.unwinding.end, self.unwinding.now];
        for &node in order.iter().filter(|&&node| !nobody.contains(&Some(node)) && !exits(node)) {
            let node = self.unwinding.nodes[node];
            self.advance(node.thread, node.ticks, model);
        }
    }

    fn advance(&mut self, thread: ThreadIx, ticks: usize, model: &mut Evaluator<'_>) {
        let Some(path) = self.paths[thread].clone() else { return };
        let all = &self.unwinding.threads[thread].ticks;
        for tick in &all[self.done[thread].min(ticks)..ticks] {
            if !holds(model, tick.guard) {
                continue;
            }
            let spurious = holds(model, tick.spurious);
            match self.turns.last_mut() {
                Some(last) if last.thread == path && last.spurious == spurious => last.steps += 1,
                Some(_) | None => self.turns.push(TurnRun { thread: path.clone(), steps: 1, spurious }),
            }
        }
        self.done[thread] = self.done[thread].max(ticks);
    }

    /// Lets a thread take the last of its first `ticks`, also if it does not come to the end of that.
    fn begin(&mut self, thread: ThreadIx, ticks: usize, model: &mut Evaluator<'_>) {
        let Some(path) = self.paths[thread].clone() else { return };
        let last = ticks.checked_sub(1).map(|last| self.unwinding.threads[thread].ticks[last]);
        if last.is_some_and(|last| !holds(model, last.guard)) {
            self.turns.push(TurnRun { thread: path, steps: 1, spurious: false });
        }
    }

    fn finish(mut self, program: &Program, fingerprint: u64, model: &mut Evaluator<'_>) -> Schedule {
        let inputs = self.inputs(program, Zeros::LeftOut, model);
        let mut threads: Vec<String> = self.paths.iter().flatten().cloned().collect();
        threads.sort_by_key(|path| path.matches('.').count());
        let turns = std::mem::take(&mut self.turns);
        let mut schedule = Schedule::of_parts(fingerprint, threads, turns, inputs);
        // A thread that was cut off may loop on without ever reaching a step at which the machine can switch.
        if self.unwinding.cut_guards().chain(self.unwinding.endless.iter().copied()).any(|guard| holds(model, guard)) {
            schedule.thread_steps = Some(self.unwinding.steps + 1000);
        }
        schedule
    }

    /// Values of all inputs that the model reads.
    fn inputs(&self, program: &Program, zeros: Zeros, model: &mut Evaluator<'_>) -> Vec<InputValue> {
        let mut values = Vec::new();
        for (thread, unwound) in self.unwinding.threads.iter_enumerated() {
            let Some(path) = &self.paths[thread] else { continue };
            let mut counts = vec![0; program.inputs.len()];
            for read in &unwound.inputs {
                if !holds(model, read.guard) {
                    continue;
                }
                let index = heddle_base::Id::index(read.input);
                let occurrence = counts[index];
                counts[index] += 1;
                let bits = input_bits(model, read.value);
                if bits != 0 || zeros == Zeros::Given {
                    let name = program.inputs[read.input].name.clone();
                    values.push(InputValue { name, thread: path.clone(), occurrence, bits: format!("{bits:#x}") });
                }
            }
        }
        values
    }
}
