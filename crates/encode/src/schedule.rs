//! From a model back to an execution: who moves when, and what the inputs are.

use heddle_exec::unwind::{Suspect, ThreadIx, Unwinding};
use heddle_exec::{Code, InputValue, Schedule, TurnRun};
use heddle_ir::Program;
use heddle_solver::{Evaluator, TermId, Value};

/// The execution that a model describes, up to its first violation. `order` has the nodes of the unwinding in an order
/// that shows the model consistent. None if the model violates nothing.
pub fn schedule(
    program: &Program,
    code: &Code,
    unwinding: &Unwinding,
    order: &[usize],
    model: &mut Evaluator<'_>,
) -> Option<Schedule> {
    let mut follower = Follower::new(unwinding, model);
    // The violation that comes first: the one whose last node comes first.
    let wrong: Vec<usize> =
        (0..unwinding.violations.len()).filter(|&i| holds(model, unwinding.violations[i].guard)).collect();
    let mut position = vec![usize::MAX; unwinding.nodes.len()];
    order.iter().enumerate().for_each(|(i, &node)| position[node] = i);
    let starts = starts(unwinding);
    // After all nodes of its thread up to there, and after its thread was started.
    let moment = |suspect: &Suspect| {
        let (mut thread, mut ticks, mut last) = (suspect.thread, suspect.ticks, 0);
        loop {
            let chain = unwinding.threads[thread].chain.iter();
            let before = chain.filter(|&&node| unwinding.nodes[node].ticks <= ticks).map(|&node| position[node]);
            last = last.max(before.filter(|&p| p != usize::MAX).max().map_or(0, |p| p + 1));
            let Some((parent, start)) = starts[thread] else { return last };
            (thread, ticks) = (parent, unwinding.nodes[start].ticks);
        }
    };
    let first = wrong.into_iter().min_by_key(|&i| (moment(&unwinding.violations[i]), i))?;
    let suspect = &unwinding.violations[first];
    follower.follow(&order[..moment(suspect)], model);
    follower.advance(suspect.thread, suspect.ticks, model);
    Some(follower.finish(program, code, model))
}

/// The execution that a model describes, as far as all threads go.
pub fn whole_schedule(
    program: &Program,
    code: &Code,
    unwinding: &Unwinding,
    order: &[usize],
    model: &mut Evaluator<'_>,
) -> Schedule {
    let mut follower = Follower::new(unwinding, model);
    follower.follow(order, model);
    for thread in 0..unwinding.threads.len() {
        follower.advance(thread, unwinding.threads[thread].ticks.len(), model);
    }
    follower.finish(program, code, model)
}

fn holds(model: &mut Evaluator<'_>, term: TermId) -> bool {
    model.eval(term) == Value::Bool(true)
}

/// The paths of threads: a thread's number among its parent's children is how many were started before it.
fn paths(unwinding: &Unwinding, model: &mut Evaluator<'_>) -> Vec<Option<String>> {
    let mut paths: Vec<Option<String>> = vec![None; unwinding.threads.len()];
    paths[0] = Some("0".to_owned());
    for (index, thread) in unwinding.threads.iter().enumerate() {
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
fn starts(unwinding: &Unwinding) -> Vec<Option<(ThreadIx, usize)>> {
    let mut starts = vec![None; unwinding.threads.len()];
    for (parent, thread) in unwinding.threads.iter().enumerate() {
        for &(_, child, node) in &thread.children {
            starts[child] = Some((parent, node));
        }
    }
    starts
}

/// Lets threads move up to given ticks.
struct Follower<'a> {
    unwinding: &'a Unwinding,
    paths: Vec<Option<String>>,
    /// Ticks of each thread that are done with.
    done: Vec<usize>,
    turns: Vec<TurnRun>,
}

impl<'a> Follower<'a> {
    fn new(unwinding: &'a Unwinding, model: &mut Evaluator<'_>) -> Self {
        let done = vec![0; unwinding.threads.len()];
        Follower { unwinding, paths: paths(unwinding, model), done, turns: Vec::new() }
    }

    /// Lets threads move in the order of nodes; the end is nobody's.
    fn follow(&mut self, order: &[usize], model: &mut Evaluator<'_>) {
        for &node in order.iter().filter(|&&node| Some(node) != self.unwinding.end) {
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

    fn finish(mut self, program: &Program, code: &Code, model: &mut Evaluator<'_>) -> Schedule {
        let inputs = self.inputs(program, model);
        let mut threads: Vec<String> = self.paths.iter().flatten().cloned().collect();
        threads.sort_by_key(|path| path.matches('.').count());
        let turns = std::mem::take(&mut self.turns);
        let mut schedule = Schedule::of_parts(code, threads, turns, inputs);
        // A thread that was cut off may loop on without ever reaching a step at which the machine can switch.
        if self.unwinding.cuts.iter().any(|&guard| holds(model, guard)) {
            schedule.thread_steps = Some(self.unwinding.steps + 1000);
        }
        schedule
    }

    /// Values of all inputs that the model reads, zeros left out.
    fn inputs(&self, program: &Program, model: &mut Evaluator<'_>) -> Vec<InputValue> {
        let mut values = Vec::new();
        for (thread, unwound) in self.unwinding.threads.iter().enumerate() {
            let Some(path) = &self.paths[thread] else { continue };
            let mut counts = vec![0; program.inputs.len()];
            for read in &unwound.inputs {
                if !holds(model, read.guard) {
                    continue;
                }
                let index = heddle_base::Id::index(read.input);
                let occurrence = counts[index];
                counts[index] += 1;
                let bits = match model.eval(read.value) {
                    Value::Bool(value) => u128::from(value),
                    Value::Bits(bits) => bits.to_u128().unwrap_or(0),
                    Value::Array(_) => 0,
                };
                if bits != 0 {
                    let name = program.inputs[read.input].name.clone();
                    values.push(InputValue { name, thread: path.clone(), occurrence, bits: format!("{bits:#x}") });
                }
            }
        }
        values
    }
}
