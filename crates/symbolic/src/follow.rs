//! `follow`: threads executed alone along recorded paths, \[TDV\].
//!
//! [`Executed`] is the union of the paths that executions took: for each branch, identified by the calls and rounds of
//! loops that lead to it, the directions in which control went. [`follow`] unwinds exactly that union, with no other
//! bound: where a thread would take a direction that no execution took there is a [`Frontier`](crate::unwind::Frontier).
//! Paths that part and join again are merged as in [`unwind`](crate::unwind), so a combination of directions that were
//! taken in different executions is followed too.
//!
//! Branches of library models are not enforced, only the rounds of their loops: what `pthread_cond_signal` or
//! `pthread_mutex_trylock` does is a matter of the other threads. Nor are those of sections that may have to wait, which
//! are executed as a whole or not at all.

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Id, Stop};
use heddle_ir::consequences::Consequences;
use heddle_ir::loops::LoopId;
use heddle_ir::visibility::Visibility;
use heddle_ir::{Callee, FuncId, Program, PropertySet, StepId, StepKind};
use rustc_hash::FxHashSet;

use crate::evaluate::Functions;
use crate::unwind::scope::{CodeKey, Scope};
use crate::unwind::{Parts, Unwinding, unwind_within};

/// What one thread decided in an execution, in order.
#[derive(Clone, Debug, Default)]
pub struct ThreadPath {
    /// Whether each branch's condition held.
    pub branches: Vec<bool>,
    /// The function of each call through a pointer.
    pub callees: Vec<FuncId>,
    /// The threads that it started, by position, with the function that each began with.
    pub started: Vec<(usize, FuncId)>,
    /// The last step that is known of, and how often the thread came to it.
    pub last: Option<(FuncId, StepId, u64)>,
}

/// The union of paths that executions took.
pub struct Executed {
    functions: Functions,
    directions: FxHashSet<(CodeKey, bool)>,
    rounds: FxHashSet<CodeKey>,
    steps: FxHashSet<(FuncId, StepId)>,
}

/// Where a call of a thread stands: a step, in these rounds of the loops around it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The function.
    pub func: FuncId,
    /// The step.
    pub at: StepId,
    /// The call.
    pub call: CodeKey,
    rounds: Vec<(LoopId, u32)>,
}

impl Position {
    /// The step's key.
    pub fn key(&self) -> CodeKey {
        self.call.step(self.at, self.rounds.iter().map(|&(_, number)| number))
    }
}

impl Executed {
    /// Nothing yet, of a program.
    pub fn new(program: &Program, visibility: &Visibility, properties: PropertySet) -> Self {
        Executed {
            functions: Functions::new(program, visibility, properties),
            directions: FxHashSet::default(),
            rounds: FxHashSet::default(),
            steps: FxHashSet::default(),
        }
    }

    /// Whether a branch was taken in a direction.
    pub fn took(&self, branch: CodeKey, taken: bool) -> bool {
        self.directions.contains(&(branch, taken)) || self.rounds.contains(&branch)
    }

    /// Branches in their directions, over all executions.
    pub fn directions(&self) -> usize {
        self.directions.len()
    }

    /// Whether some execution came to a step.
    pub fn came_to(&self, func: FuncId, at: StepId) -> bool {
        self.steps.contains(&(func, at))
    }

    /// Adds an execution; the first thread is the program's first. Returns whether it took a direction that no other took.
    pub fn add(&mut self, program: &Program, threads: &[ThreadPath], budget: &Budget) -> Result<bool, Stop> {
        let before = self.directions.len() + self.rounds.len();
        let mut ticker = Ticker::new(budget.clone(), 1024);
        let mut todo = vec![(0, program.entry, CodeKey::FIRST)];
        while let Some((thread, func, key)) = todo.pop() {
            if let Some(path) = threads.get(thread) {
                self.walk(program, path, func, key, &mut todo, &mut ticker)?;
            }
        }
        Ok(self.directions.len() + self.rounds.len() > before)
    }

    /// Walks a thread's path through the program, up to its last step that is known of.
    fn walk(
        &mut self,
        program: &Program,
        path: &ThreadPath,
        func: FuncId,
        key: CodeKey,
        todo: &mut Vec<(usize, FuncId, CodeKey)>,
        ticker: &mut Ticker,
    ) -> Result<(), Stop> {
        let mut branches = path.branches.iter();
        let mut callees = path.callees.iter();
        let mut started = path.started.iter();
        let mut left = path.last.map_or(0, |(.., times)| times);
        let mut calls = Vec::new();
        calls.push(self.enter(func, key));
        while let Some(call) = calls.last_mut()
            && left > 0
        {
            ticker.tick()?;
            let (func, at) = (call.func, call.at);
            left -= u64::from(path.last.is_some_and(|(last, step, _)| (last, step) == (func, at)));
            self.steps.insert((func, at));
            let here = call.key();
            let next = StepId::new(at.index() + 1);
            match program.functions[func].steps[at].kind {
                StepKind::Goto { target } => self.go(call, target),
                StepKind::Branch { target, .. } => {
                    let Some(&taken) = branches.next() else { return Ok(()) };
                    self.directions.insert((here, taken));
                    self.go(call, if taken { target } else { next });
                }
                StepKind::Call { callee, .. } => {
                    let callee = match callee {
                        Callee::Direct(func) => Some(func),
                        Callee::Indirect(_) => callees.next().copied(),
                    };
                    let Some(callee) = callee else { return Ok(()) };
                    let entered = self.enter(callee, here.call(callee));
                    calls.push(entered);
                }
                StepKind::Return { .. } => {
                    calls.pop();
                    if let Some(caller) = calls.last_mut() {
                        let behind = StepId::new(caller.at.index() + 1);
                        self.go(caller, behind);
                    }
                }
                StepKind::Spawn { callee, .. } => {
                    let Some(&(thread, began)) = started.next() else { return Ok(()) };
                    let func = if let Callee::Direct(func) = callee { func } else { began };
                    todo.push((thread, func, here.thread()));
                    self.go(call, next);
                }
                StepKind::ThreadExit | StepKind::ProcessExit { .. } | StepKind::Unsupported { .. } => return Ok(()),
                StepKind::Assign { .. }
                | StepKind::Havoc { .. }
                | StepKind::Load { .. }
                | StepKind::Store { .. }
                | StepKind::Copy { .. }
                | StepKind::Fill { .. }
                | StepKind::Live { .. }
                | StepKind::Dead { .. }
                | StepKind::Alloc { .. }
                | StepKind::Free { .. }
                | StepKind::ObjectSize { .. }
                | StepKind::AtomicBegin { .. }
                | StepKind::AtomicEnd
                | StepKind::Await { .. }
                | StepKind::Assume { .. }
                | StepKind::Assert { .. }
                | StepKind::Sync { .. }
                | StepKind::Fence { .. }
                | StepKind::Output { .. }
                | StepKind::Skip => self.go(call, next),
            }
        }
        Ok(())
    }

    /// The beginning of a call.
    pub fn enter(&self, func: FuncId, call: CodeKey) -> Position {
        let info = self.functions.of(func);
        let entry = info.cfg.entry();
        let rounds = info.around(entry).iter().map(|&of| (of, 0)).collect();
        Position { func, at: info.cfg.blocks[entry].first, call, rounds }
    }

    fn go(&mut self, call: &mut Position, to: StepId) {
        if let Some(back) = self.advance(call, to) {
            self.rounds.insert(back);
        }
    }

    /// Control goes to a step of a call; where it enters a block the rounds of loops are counted as the unwinding counts
    /// them. Returns the round that begins, if one does.
    pub fn advance(&self, call: &mut Position, to: StepId) -> Option<CodeKey> {
        let info = self.functions.of(call.func);
        let (from, block) = (call.at, info.cfg.block_of[to]);
        call.at = to;
        if info.cfg.blocks[info.cfg.block_of[from]].last != from {
            return None;
        }
        let around = info.around(block);
        let kept = call.rounds.iter().zip(around).take_while(|((of, _), around)| of == *around).count();
        call.rounds.truncate(kept);
        let mut begun = None;
        if let Some(of) = info.loops.back_edge(from, block)
            && let Some(at) = call.rounds.iter().position(|&(round, _)| round == of)
        {
            call.rounds.truncate(at + 1);
            call.rounds[at].1 += 1;
            begun = Some(call.call.step(from, call.rounds.iter().map(|&(_, number)| number)).round());
        }
        let known = call.rounds.len();
        call.rounds.extend(around[known..].iter().map(|&of| (of, 0)));
        begun
    }

    /// Whether an execution began a round of a loop.
    pub fn began(&self, round: CodeKey) -> bool {
        self.rounds.contains(&round)
    }
}

/// The union of executed paths as a scope.
struct Recorded<'a> {
    executed: &'a Executed,
    consequences: &'a Consequences,
}

impl Scope for Recorded<'_> {
    fn follows(&self, branch: CodeKey, taken: bool, free: bool) -> bool {
        free || self.executed.directions.contains(&(branch, taken))
    }

    fn goes_round(&self, back: CodeKey) -> bool {
        self.executed.rounds.contains(&back)
    }

    fn matters(&self, func: FuncId, to: StepId) -> bool {
        self.consequences.from(func, to)
    }
}

/// Unwinds the union of executed paths. Bounds on loops in the configuration count as well.
pub fn follow(executed: &Executed, consequences: &Consequences, parts: Parts<'_>) -> Result<Unwinding, Stop> {
    unwind_within(&Recorded { executed, consequences }, parts)
}
