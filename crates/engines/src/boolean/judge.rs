//! The machine judges executions of Boolean programs.
//!
//! The scheduler knows the execution as a list of moves, thread by location. A thread of the machine stands before a step that others
//! can notice; if that is where the next move of the list is, it gets the turn. Otherwise the move was made already, as part
//! of a step before it.

use heddle_base::{Budget, Id};
use heddle_boolprog::flat::{Assign, Ex, Flat, Instr, Passive, Scope, VarRef};
use heddle_boolprog::trace::Valuation;
use heddle_boolprog::{LocId, VarId};
use heddle_ir::{Property, PropertySet};
use heddle_machine::{Code, Config, Machine, Reading, Scheduler, View, run, schedule_of};
use heddle_task::{Choice, Counterexample, Schedule, ScheduleError, Task, ThreadId};
use rustc_hash::FxHashMap;

use super::lower::{Lowered, input_name, passive_input_name};
use crate::judge::Judge;

/// More choices in one instruction are not searched.
const MAX_CHOICES: usize = 16;

/// Lets the machine execute what exact search has found.
pub fn judge(
    flat: &Flat,
    found: &heddle_boolprog::Run,
    lowered: &Lowered,
    code: &Code,
    budget: &Budget,
) -> Result<Counterexample, String> {
    let properties: PropertySet = [Property::Assert].into_iter().collect();
    let config = Config { properties, ..Config::default() };
    let mut machine = Machine::new(&lowered.program, code, config.clone());
    machine.set_budget(budget.clone());
    give_choices(flat, found, lowered, &mut machine)?;
    let moves = found.states.iter().zip(&found.movers).map(|(s, mover)| (*mover, s.threads[*mover].0)).collect();
    let mut follow = Follow { lowered, moves, at: 0 };
    let mut made = Vec::new();
    run(&mut machine, &mut follow, &mut made).map_err(|e| e.to_string())?;
    let schedule: Schedule = schedule_of(&lowered.program, code, machine.names(), &made, &machine.inputs);
    let task = Task::new(&lowered.program, properties);
    Judge { task: &task, code, config, behind_races: false }.confirm(schedule, properties, budget)
}

struct Follow<'a> {
    lowered: &'a Lowered,
    moves: Vec<(usize, LocId)>,
    at: usize,
}

impl Scheduler for Follow<'_> {
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        while let Some((thread, at)) = self.moves.get(self.at) {
            self.at += 1;
            let id = ThreadId::new(*thread);
            let here = view.next(id).and_then(|next| self.lowered.location(next.site.func, next.site.step));
            if here == Some(*at) {
                let blocked = || ScheduleError::NotEnabled { step: self.at, thread: thread.to_string() };
                return view.choice(id).map(Some).ok_or_else(blocked);
            }
        }
        Ok(None)
    }
}

/// Gives every choice of the execution its value.
fn give_choices(
    flat: &Flat,
    found: &heddle_boolprog::Run,
    lowered: &Lowered,
    machine: &mut Machine<'_>,
) -> Result<(), String> {
    let inputs: FxHashMap<&str, heddle_ir::InputId> =
        lowered.program.inputs.iter_enumerated().map(|(id, input)| (input.name.as_str(), id)).collect();
    let mut occurrences: FxHashMap<(usize, LocId), u32> = FxHashMap::default();
    for (pair, mover) in found.states.windows(2).zip(&found.movers) {
        let at = pair[0].threads[*mover].0;
        let occurrence = occurrences.entry((*mover, at)).or_default();
        let own = made_choices(flat, &pair[0], &pair[1], *mover)?;
        let mut named: Vec<(String, bool)> =
            own.iter().enumerate().map(|(i, value)| (input_name(at, i), *value)).collect();
        if let Instr::Assign(Assign { passive: Some(passive), .. }, _) = &flat.locations[at].instr {
            for other in (0..pair[0].threads.len()).filter(|other| other != mover) {
                let states = Beside { flat, before: &pair[0], after: &pair[1], mover: *mover, other };
                for (i, value) in states.choices(passive, &own)?.into_iter().enumerate() {
                    named.push((passive_input_name(at, own.len() + i, other), value));
                }
            }
        }
        for (name, value) in named {
            let Some(input) = inputs.get(name.as_str()) else { continue };
            let reading = Reading { input: *input, thread: ThreadId::new(*mover), occurrence: *occurrence };
            machine.inputs.give(reading, u128::from(value));
        }
        *occurrence += 1;
    }
    Ok(())
}

/// The values of an instruction's choices that lead from one state to the next.
fn made_choices(flat: &Flat, before: &Valuation, after: &Valuation, mover: usize) -> Result<Vec<bool>, String> {
    let (at, to) = (before.threads[mover].0, after.threads[mover].0);
    let value = |state: &Valuation, var: VarId| {
        if flat.scope(var) == Scope::Global {
            state.globals[var.index()]
        } else {
            state.threads[mover].1[var.index() - flat.globals]
        }
    };
    let eval = |e: &Ex, choices: &[bool]| {
        let var = |v: VarRef| value(if v.primed { after } else { before }, v.var);
        e.eval(&var, &|c| choices[c as usize])
    };
    match &flat.locations[at].instr {
        Instr::Goto(targets) => {
            let taken = targets.iter().position(|t| *t == to).unwrap_or(0);
            Ok((0..targets.len() - 1).map(|i| i == taken).collect())
        }
        Instr::Branch { arms, choices } => {
            let arms: Vec<&(Ex, LocId)> = arms.iter().filter(|(_, target)| *target == to).collect();
            search(*choices as usize, &[], &|choices| arms.iter().any(|(e, _)| eval(e, choices)))
        }
        Instr::Assign(assign, _) => {
            // A choice that is a value by itself is that value.
            let known: Vec<(usize, bool)> = assign
                .targets
                .iter()
                .filter_map(|(var, e)| match e {
                    Ex::Choice(c) => Some((*c as usize, value(after, *var))),
                    _ => None,
                })
                .collect();
            let others: Vec<usize> = (0..before.threads.len()).filter(|other| *other != mover).collect();
            let passive_fits = |choices: &[bool]| {
                assign.passive.as_ref().is_none_or(|passive| {
                    let beside = |other: &usize| Beside { flat, before, after, mover, other: *other };
                    others.iter().all(|other| beside(other).choices(passive, choices).is_ok())
                })
            };
            search(assign.choices as usize, &known, &|choices| {
                eval(&assign.constrain, choices)
                    && assign.targets.iter().all(|(var, e)| eval(e, choices) == value(after, *var))
                    && passive_fits(choices)
            })
        }
        Instr::Start(start, _) => {
            let child = after.threads.last().ok_or("no thread was started")?;
            search(start.choices as usize, &[], &|choices| {
                start.set.iter().all(|(var, e)| eval(e, choices) == child.1[var.index() - flat.globals])
            })
        }
        Instr::Skip(_) | Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => Ok(Vec::new()),
    }
}

/// One thread that sees a step of another, before and after it.
struct Beside<'a> {
    flat: &'a Flat,
    before: &'a Valuation,
    after: &'a Valuation,
    mover: usize,
    other: usize,
}

impl Beside<'_> {
    fn value(&self, v: VarRef) -> bool {
        let state = if v.primed { self.after } else { self.before };
        match self.flat.scope(v.var) {
            Scope::Global => state.globals[v.var.index()],
            Scope::Local | Scope::Lock => {
                let thread = if v.passive { self.other } else { self.mover };
                state.threads[thread].1[v.var.index() - self.flat.globals]
            }
        }
    }

    /// The choices of a passive part that were made for this thread, given those of the thread that moved.
    fn choices(&self, passive: &Passive, made: &[bool]) -> Result<Vec<bool>, String> {
        search(passive.choices as usize, &[], &|choices| {
            let choice = |c: u32| made.get(c as usize).or_else(|| choices.get(c as usize - made.len())) == Some(&true);
            let eval = |e: &Ex| e.eval(&|v: VarRef| self.value(v), &choice);
            let after = |var: VarId| self.value(VarRef { var, primed: true, passive: true });
            eval(&passive.constrain) && passive.targets.iter().all(|(var, e)| eval(e) == after(*var))
        })
    }
}

fn search(count: usize, known: &[(usize, bool)], fits: &dyn Fn(&[bool]) -> bool) -> Result<Vec<bool>, String> {
    let mut choices = vec![false; count];
    known.iter().for_each(|(i, value)| choices[*i] = *value);
    let free: Vec<usize> = (0..count).filter(|i| !known.iter().any(|(k, _)| k == i)).collect();
    if free.len() > MAX_CHOICES {
        return Err(format!("an instruction has {} choices", free.len()));
    }
    for bits in 0..1_u32 << free.len() {
        free.iter().enumerate().for_each(|(i, at)| choices[*at] = bits >> i & 1 == 1);
        if fits(&choices) {
            return Ok(choices);
        }
    }
    Err("no choices lead from a state to the next one".to_owned())
}
