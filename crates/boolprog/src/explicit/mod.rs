//! The reference: explicit states, as the paper defines them ([BOOLPROG §2.3, §3.1]).
//!
//! Small and slow on purpose. Everything symbolic is tested against this: thread states ([`threads`]), pairs of them
//! ([`pairs`]), all threads ([`exact`]), and whether a state can be covered at all ([`cover`]).
//!
//! A program must have at most 64 globals, at most 64 locals and locks, and few choices in one instruction.

pub mod cover;
pub mod exact;
pub mod pairs;
pub mod threads;

use heddle_base::{Id, Stop};

use crate::flat::{Assign, Ex, Flat, Instr, LocId, Scope, VarId, VarRef};

/// More choices in one instruction are not enumerated.
const MAX_CHOICES: u32 = 12;

/// Why an explicit computation has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Too many variables or choices for explicit states.
    TooLarge,
    /// A limit was reached.
    Stopped(Stop),
    /// More states than were allowed.
    States,
}

impl From<Stop> for Obstacle {
    fn from(stop: Stop) -> Obstacle {
        Obstacle::Stopped(stop)
    }
}

/// The values of all globals, one bit each.
pub type Globals = u64;

/// What one thread has for itself: its location, its locals and its locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local {
    /// The program counter.
    pub loc: LocId,
    /// Locals and locks, one bit each.
    pub data: u64,
}

/// [BOOLPROG Def. 4] A thread state: what one thread sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadState {
    /// The thread's own part.
    pub local: Local,
    /// The shared part.
    pub globals: Globals,
}

/// One transition of a thread, [BOOLPROG Table 1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread state behind it.
    pub to: ThreadState,
    /// The thread that it creates.
    pub child: Option<Local>,
    /// The choices ι that were made.
    pub choices: u64,
}

/// The explicit semantics of a program.
#[derive(Clone, Copy)]
pub struct Semantics<'f> {
    /// The program.
    pub flat: &'f Flat,
    locks: u64,
}

impl<'f> Semantics<'f> {
    /// The semantics of a program that is small enough.
    pub fn new(flat: &'f Flat) -> Result<Semantics<'f>, Obstacle> {
        let own = flat.vars.len() - flat.globals;
        let choices = flat.locations.iter().map(|l| match &l.instr {
            Instr::Assign(a, _) => a.choices + a.passive.as_ref().map_or(0, |p| p.choices),
            Instr::Branch { choices, .. } => *choices,
            Instr::Start(start, _) => start.choices,
            Instr::Skip(_) | Instr::Goto(_) | Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => 0,
        });
        if flat.globals > 64 || own > 64 || choices.max().unwrap_or(0) > MAX_CHOICES {
            return Err(Obstacle::TooLarge);
        }
        let locks = (flat.locals..own).fold(0, |set, i| set | 1 << i);
        Ok(Semantics { flat, locks })
    }

    /// [BOOLPROG eq. (10)] One thread at `main`, all variables zero.
    pub fn initial(&self) -> ThreadState {
        ThreadState { local: Local { loc: self.flat.entry(), data: 0 }, globals: 0 }
    }

    /// ℓ(η): the locks that a thread holds.
    pub fn held(&self, local: Local) -> u64 {
        local.data & self.locks
    }

    /// The instruction that a thread executes next.
    pub fn instr(&self, local: Local) -> &'f Instr {
        &self.flat.locations[local.loc].instr
    }

    /// Whether a thread is inside an atomic section.
    pub fn closed(&self, local: Local) -> bool {
        self.flat.locations[local.loc].closed
    }

    /// Whether a thread is at a bad location.
    pub fn bad(&self, local: Local) -> bool {
        matches!(self.instr(local), Instr::Error)
    }

    fn bit(&self, var: VarId) -> u32 {
        (var.index() - if self.flat.scope(var) == Scope::Global { 0 } else { self.flat.globals }) as u32
    }

    fn value(&self, state: ThreadState, var: VarId) -> bool {
        let word = if self.flat.scope(var) == Scope::Global { state.globals } else { state.local.data };
        word >> self.bit(var) & 1 == 1
    }

    fn set(&self, state: &mut ThreadState, var: VarId, value: bool) {
        let bit = self.bit(var);
        let word = if self.flat.scope(var) == Scope::Global { &mut state.globals } else { &mut state.local.data };
        *word = *word & !(1 << bit) | u64::from(value) << bit;
    }

    fn eval(&self, e: &Ex, before: ThreadState, after: ThreadState, choices: u64) -> bool {
        let var = |v: VarRef| self.value(if v.primed { after } else { before }, v.var);
        e.eval(&var, &|c| choices >> c & 1 == 1)
    }

    /// [BOOLPROG Table 1] All transitions of a thread, seen by itself: whether another thread holds a lock is not asked.
    pub fn steps(&self, from: ThreadState) -> Vec<Step> {
        let to = |loc: LocId, state: ThreadState| ThreadState { local: Local { loc, ..state.local }, ..state };
        let plain = |to: ThreadState, choices: u64| Step { to, child: None, choices };
        match self.instr(from.local) {
            Instr::Skip(next) => vec![plain(to(*next, from), 0)],
            Instr::Goto(targets) => targets.iter().map(|t| plain(to(*t, from), 0)).collect(),
            Instr::Branch { arms, choices } => {
                let mut steps = Vec::new();
                for iota in 0..1 << choices {
                    for (condition, target) in arms {
                        let step = plain(to(*target, from), 0);
                        if self.eval(condition, from, from, iota) && !steps.contains(&step) {
                            steps.push(step);
                        }
                    }
                }
                steps
            }
            Instr::Assign(assign, next) => self.assign(from, assign, *next),
            Instr::Lock(lock, next) if !self.value(from, *lock) => {
                let mut after = to(*next, from);
                self.set(&mut after, *lock, true);
                vec![plain(after, 0)]
            }
            Instr::Unlock(lock, next) if self.value(from, *lock) => {
                let mut after = to(*next, from);
                self.set(&mut after, *lock, false);
                vec![plain(after, 0)]
            }
            Instr::Start(start, next) => (0..1 << start.choices)
                .map(|iota| {
                    let data = if start.inherits { from.local.data & !self.locks } else { 0 };
                    let mut child = ThreadState { local: Local { loc: start.entry, data }, ..from };
                    for (var, value) in &start.set {
                        self.set(&mut child, *var, self.eval(value, from, from, iota));
                    }
                    Step { to: to(*next, from), child: Some(child.local), choices: iota }
                })
                .collect(),
            Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => Vec::new(),
        }
    }

    /// [BOOLPROG eq. (6)]
    fn assign(&self, from: ThreadState, assign: &Assign, next: LocId) -> Vec<Step> {
        let mut steps = Vec::new();
        for iota in 0..1 << assign.choices {
            let mut after = ThreadState { local: Local { loc: next, ..from.local }, ..from };
            for (var, value) in &assign.targets {
                self.set(&mut after, *var, self.eval(value, from, from, iota));
            }
            if self.eval(&assign.constrain, from, after, iota) {
                let step = Step { to: after, child: None, choices: iota };
                // Choices matter to the passive part alone.
                if assign.passive.is_some() || !steps.iter().any(|s: &Step| s.to == after) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    /// What a step of another thread makes of a passive thread: itself if the step has no passive part, nothing if the
    /// step is impossible beside it.
    pub fn passive(&self, mover: ThreadState, step: &Step, passive: Local) -> Vec<Local> {
        let Some(part) = self.instr(mover.local).passive() else { return vec![passive] };
        let Instr::Assign(assign, _) = self.instr(mover.local) else { unreachable!("only assignments have one") };
        let mut results = Vec::new();
        for kappa in 0..1_u64 << part.choices {
            let choices = step.choices | kappa << assign.choices;
            let before = ThreadState { local: passive, globals: mover.globals };
            let mut after = ThreadState { local: passive, globals: step.to.globals };
            let eval = |e: &Ex, after: ThreadState| {
                let var = |v: VarRef| {
                    let (old, new) = if v.passive { (before, after) } else { (mover, step.to) };
                    self.value(if v.primed { new } else { old }, v.var)
                };
                e.eval(&var, &|c| choices >> c & 1 == 1)
            };
            for (var, value) in &part.targets {
                let value = eval(value, before);
                self.set(&mut after, *var, value);
            }
            if eval(&part.constrain, after) && !results.contains(&after.local) {
                results.push(after.local);
            }
        }
        results
    }

    /// Whether other threads can notice a step: it changes a global or has a passive part ((2a) of [BOOLPROG Def. 8],
    /// with the extension by `$`).
    pub fn noticed(&self, mover: ThreadState, step: &Step) -> bool {
        mover.globals != step.to.globals || self.instr(mover.local).passive().is_some()
    }
}

#[cfg(test)]
mod tests;
