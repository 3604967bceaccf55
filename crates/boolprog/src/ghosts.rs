//! Ghost globals: who holds a lock, and whether somebody is in an atomic section, as variables that all threads see.
//!
//! A thread state alone does not tell that *another* thread holds a lock or is in a section. By Definition 8 as it stands a
//! thread at `lock l` sees the half-done work of the holder and then takes the lock all the same; in [BOOLPROG Fig. 4] that
//! is (L1, 1, 0) → (L2, 1, 1), and the assertion seems to fail. (The paper's table of that figure leaves out (L1, 1, 0), which is
//! a reachable thread state.) With a ghost `l.held` in the globals the thread knows that it must wait.
//!
//! The program with ghosts has the same executions: a lock has one holder anyway, and nobody moves beside a section.
//! Instructions that neither read nor write globals are not guarded against sections: they commute with what is done there.

use heddle_base::{Id, IndexVec};

use crate::explicit::threads::must_see;
use crate::flat::{Assign, Ex, Flat, Instr, LocId, Location, Scope, VarId, VarRef, Variable};

/// The program with a ghost for each lock, and one for sections if it has any.
pub fn add(flat: &Flat) -> Flat {
    let locks: Vec<VarId> = flat.vars.ids().filter(|v| flat.scope(*v) == Scope::Lock).collect();
    let sections = flat.locations.iter().any(|l| l.closed);
    let new = locks.len() + usize::from(sections);
    if new == 0 {
        return flat.clone();
    }
    // Globals come first, so everything behind them moves.
    let moved = |v: VarId| if v.index() < flat.globals { v } else { VarId::new(v.index() + new) };
    let mut vars: IndexVec<VarId, Variable> = flat.vars.iter().take(flat.globals).cloned().collect();
    for lock in &locks {
        vars.push(Variable { name: format!("{}.held", flat.vars[*lock].name), scope: Scope::Global });
    }
    if sections {
        vars.push(Variable { name: "section".to_owned(), scope: Scope::Global });
    }
    for variable in flat.vars.iter().skip(flat.globals) {
        vars.push(variable.clone());
    }
    let mut result = Flat { vars, globals: flat.globals + new, ..flat.clone() };
    for location in result.locations.iter_mut() {
        rename(&mut location.instr, &moved);
    }
    let ghosts: Vec<(VarId, VarId)> =
        locks.iter().enumerate().map(|(i, l)| (moved(*l), VarId::new(flat.globals + i))).collect();
    for location in result.locations.iter_mut() {
        hold(&mut location.instr, &ghosts);
    }
    if sections {
        enclose(&mut result, VarId::new(flat.globals + locks.len()));
    }
    result
}

fn rename(instr: &mut Instr, moved: &impl Fn(VarId) -> VarId) {
    let mut see = |v: &mut VarRef| v.var = moved(v.var);
    match instr {
        Instr::Skip(_) | Instr::Goto(_) | Instr::End | Instr::Error => {}
        Instr::Branch { arms, .. } => arms.iter_mut().for_each(|(e, _)| e.visit_mut(&mut see)),
        Instr::Lock(lock, _) | Instr::Unlock(lock, _) => *lock = moved(*lock),
        Instr::Start(start, _) => {
            for (var, value) in &mut start.set {
                *var = moved(*var);
                value.visit_mut(&mut see);
            }
        }
        Instr::Assign(assign, _) => {
            assign.constrain.visit_mut(&mut see);
            let passive = assign.passive.iter_mut().flat_map(|p| {
                p.constrain.visit_mut(&mut see);
                &mut p.targets
            });
            let mut targets: Vec<&mut (VarId, Ex)> = assign.targets.iter_mut().collect();
            targets.extend(passive);
            for (var, value) in targets {
                *var = moved(*var);
                value.visit_mut(&mut |v: &mut VarRef| v.var = moved(v.var));
            }
        }
    }
}

fn now(var: VarId) -> Ex {
    Ex::Var(VarRef { var, primed: false, passive: false })
}

fn not(e: Ex) -> Ex {
    Ex::Not(Box::new(e))
}

/// `lock` and `unlock` set the ghost, too.
fn hold(instr: &mut Instr, ghosts: &[(VarId, VarId)]) {
    let (lock, next, takes) = match instr {
        Instr::Lock(lock, next) => (*lock, *next, true),
        Instr::Unlock(lock, next) => (*lock, *next, false),
        Instr::Skip(_)
        | Instr::Goto(_)
        | Instr::Branch { .. }
        | Instr::Assign(..)
        | Instr::Start(..)
        | Instr::End
        | Instr::Error => return,
    };
    let (_, ghost) = ghosts.iter().find(|(l, _)| *l == lock).expect("every lock has a ghost");
    let constrain = if takes { Ex::And(vec![not(now(lock)), not(now(*ghost))]) } else { now(lock) };
    let targets = vec![(lock, Ex::Const(takes)), (*ghost, Ex::Const(takes))];
    *instr = Instr::Assign(Assign { targets, constrain, passive: None, choices: 0 }, next);
}

/// Entering and leaving a section sets the ghost; outside, what others can notice waits while it is set.
fn enclose(flat: &mut Flat, ghost: VarId) {
    let ids: Vec<LocId> = flat.locations.ids().collect();
    for at in ids {
        let closed = flat.locations[at].closed;
        if !closed && must_see(flat, &flat.locations[at].instr) {
            guard(&mut flat.locations[at].instr, ghost);
        }
        let mut instr = flat.locations[at].instr.clone();
        let crossing = |to: &LocId| flat.locations[*to].closed != closed;
        let targets: Vec<LocId> = instr.successors().into_iter().filter(crossing).collect();
        if targets.is_empty() {
            continue;
        }
        if let Instr::Skip(next) = instr {
            flat.locations[at].instr = cross(ghost, closed, next);
            continue;
        }
        // A jump into or out of a section takes one more step.
        for target in targets {
            let crossing = Location { instr: cross(ghost, closed, target), ..flat.locations[at].clone() };
            let via = flat.locations.push(crossing);
            instr.own_targets_mut(&mut |to: &mut LocId| {
                if *to == target {
                    *to = via;
                }
            });
        }
        flat.locations[at].instr = instr;
    }
}

fn cross(ghost: VarId, leaves: bool, next: LocId) -> Instr {
    let constrain = if leaves { Ex::Const(true) } else { not(now(ghost)) };
    Instr::Assign(Assign { targets: vec![(ghost, Ex::Const(!leaves))], constrain, passive: None, choices: 0 }, next)
}

fn guard(instr: &mut Instr, ghost: VarId) {
    let outside = || not(now(ghost));
    match instr {
        Instr::Branch { arms, .. } => {
            for (condition, _) in arms {
                *condition = Ex::And(vec![outside(), condition.clone()]);
            }
        }
        Instr::Assign(assign, _) => assign.constrain = Ex::And(vec![outside(), assign.constrain.clone()]),
        // Entering sets the ghost and is guarded by that; a start is not noticed by others.
        Instr::Skip(_)
        | Instr::Goto(_)
        | Instr::Lock(..)
        | Instr::Unlock(..)
        | Instr::Start(..)
        | Instr::End
        | Instr::Error => {}
    }
}
