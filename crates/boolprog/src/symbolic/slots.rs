//! Several threads in one diagram: each has a *slot* with a program counter in binary, locals and locks.
//!
//! Used for pairs (two slots and a third that moves) and for exact reachability (a slot for each thread). A step of one
//! slot takes the others into account: nobody else may be in an atomic section, a lock may not be held by another, the
//! passive part of an assignment changes all of them.

use heddle_base::{Budget, Id, Stop};
use rustc_hash::FxHashMap;

use crate::flat::{Assign, Ex, Flat, Instr, LocId, Scope, VarRef};
use crate::trace::Valuation;

use super::bdd::{Bdd, Bdds, Renaming, Var};

/// Variables of one slot.
#[derive(Clone, Debug, Default)]
struct Slot {
    pc: Vec<Var>,
    /// Locals and locks, by their index behind the globals.
    now: Vec<Var>,
    next: Vec<Var>,
    /// Choices that an assignment makes for this slot when it is passive.
    choices: Vec<Var>,
}

/// The diagrams of a program with some number of slots.
pub struct Slots<'f> {
    /// The program.
    pub flat: &'f Flat,
    /// The diagrams.
    pub bdds: Bdds,
    globals: Vec<Var>,
    globals_next: Vec<Var>,
    slots: Vec<Slot>,
    choices: Vec<Var>,
    open: Vec<Bdd>,
    relations: FxHashMap<Key, Vec<Transition>>,
}

/// A step of `mover` at a location beside `others`, with a new thread in `child`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The slot that moves.
    pub mover: usize,
    /// Where it is.
    pub at: LocId,
    /// The slots of the other threads.
    pub others: Vec<usize>,
    /// The slot that a new thread gets. Without one new threads are left out.
    pub child: Option<usize>,
}

/// One way to make a step.
struct Transition {
    relation: Bdd,
    /// Overwritten variables and choices.
    overwritten: Vec<Var>,
    quantified: Bdd,
    /// Primed to unprimed.
    pairs: Vec<(Var, Var)>,
    renaming: Renaming,
    /// What holds behind it of the overwritten variables that have no primed copy.
    after: Bdd,
    after_literals: Vec<(Var, bool)>,
    next: LocId,
}

/// An assignment as a relation: what it overwrites, and where the new values are.
struct Assigned {
    relation: Bdd,
    overwritten: Vec<Var>,
    pairs: Vec<(Var, Var)>,
}

/// Whose variables and choices an expression speaks of.
#[derive(Clone, Copy)]
struct View {
    mover: usize,
    passive: usize,
    /// Choices from this number on belong to the passive slot.
    own_choices: u32,
}

impl View {
    fn own(mover: usize, own_choices: u32) -> View {
        View { mover, passive: mover, own_choices }
    }
}

impl<'f> Slots<'f> {
    /// Diagrams with so many slots. Variables of different slots that mean the same stand side by side.
    pub fn new(flat: &'f Flat, slots: usize, budget: &Budget) -> Result<Slots<'f>, Stop> {
        let bits = usize::BITS - (flat.locations.len().max(2) - 1).leading_zeros();
        let (mut own, mut passive) = (0, 0);
        for location in flat.locations.iter() {
            match &location.instr {
                Instr::Assign(a, _) => {
                    own = own.max(a.choices);
                    passive = passive.max(a.passive.as_ref().map_or(0, |p| p.choices));
                }
                Instr::Branch { choices, .. } => own = own.max(*choices),
                Instr::Start(start, _) => own = own.max(start.choices),
                Instr::Skip(_) | Instr::Goto(_) | Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => {}
            }
        }
        let mut count: Var = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let mut table = vec![Slot::default(); slots];
        for _ in 0..bits {
            table.iter_mut().for_each(|s| s.pc.push(fresh()));
        }
        let (mut globals, mut globals_next) = (Vec::new(), Vec::new());
        for _ in 0..flat.globals {
            globals.push(fresh());
            globals_next.push(fresh());
        }
        for _ in flat.globals..flat.vars.len() {
            for slot in &mut table {
                slot.now.push(fresh());
                slot.next.push(fresh());
            }
        }
        let choices = (0..own).map(|_| fresh()).collect();
        for _ in 0..passive {
            table.iter_mut().for_each(|s| s.choices.push(fresh()));
        }
        let bdds = Bdds::new(count as usize, budget)?;
        let mut result = Slots {
            flat,
            bdds,
            globals,
            globals_next,
            slots: table,
            choices,
            open: Vec::new(),
            relations: FxHashMap::default(),
        };
        for slot in 0..slots {
            let closed = flat.locations.iter_enumerated().filter(|(_, l)| l.closed);
            let inside = closed
                .map(|(at, _)| at)
                .try_fold(result.bdds.none(), |all, at| result.bdds.or(&all, &result.at(slot, at)?))?;
            let open = result.bdds.not(&inside)?;
            result.open.push(open);
        }
        Ok(result)
    }

    fn pc(&self, slot: usize, at: LocId) -> Vec<(Var, bool)> {
        self.slots[slot].pc.iter().enumerate().map(|(i, v)| (*v, at.index() >> i & 1 == 1)).collect()
    }

    /// The states in which a slot is at a location.
    pub fn at(&self, slot: usize, at: LocId) -> Result<Bdd, Stop> {
        self.bdds.cube(&self.pc(slot, at))
    }

    /// The variables of a slot, for quantification.
    pub fn slot_vars(&self, slot: usize) -> Vec<Var> {
        self.slots[slot].pc.iter().chain(&self.slots[slot].now).copied().collect()
    }

    /// Pairs that rename one slot to another.
    pub fn slot_pairs(&self, from: usize, to: usize) -> Vec<(Var, Var)> {
        self.slot_vars(from).into_iter().zip(self.slot_vars(to)).collect()
    }

    /// The diagram variable of each program variable, those of the slot for locals and locks.
    pub fn variables(&self, slot: usize) -> Vec<Var> {
        self.globals.iter().chain(&self.slots[slot].now).copied().collect()
    }

    /// The initial state: slot 0 at the entry, all zero.
    pub fn initial(&self) -> Result<Bdd, Stop> {
        let mut literals: Vec<(Var, bool)> = self.globals.iter().map(|v| (*v, false)).collect();
        literals.extend(self.slots[0].now.iter().map(|v| (*v, false)));
        literals.extend(self.pc(0, self.flat.entry()));
        self.bdds.cube(&literals)
    }

    /// States in which one of these slots is at a bad location.
    pub fn bad(&self, slots: &[usize]) -> Result<Bdd, Stop> {
        let mut bad = self.bdds.none();
        for (at, location) in self.flat.locations.iter_enumerated() {
            if matches!(location.instr, Instr::Error) {
                for slot in slots {
                    bad = self.bdds.or(&bad, &self.at(*slot, at)?)?;
                }
            }
        }
        Ok(bad)
    }

    /// The states with slots at these locations, without their program counters.
    pub fn without_pc(&self, set: &Bdd, at: &[(usize, LocId)]) -> Result<Bdd, Stop> {
        at.iter().try_fold(set.clone(), |set, (slot, at)| {
            self.bdds.and_exists(&set, &self.at(*slot, *at)?, &self.bdds.set_of(&self.slots[*slot].pc)?)
        })
    }

    /// The states behind one step.
    pub fn step(&mut self, set: &Bdd, key: &Key) -> Result<Bdd, Stop> {
        self.bdds.poll()?;
        self.prepare(key)?;
        let bdds = &self.bdds;
        self.relations[key].iter().try_fold(bdds.none(), |all, transition| {
            let after = bdds.and_exists(set, &transition.relation, &transition.quantified)?;
            let after = bdds.rename(&after, &transition.renaming)?;
            bdds.or(&all, &bdds.and(&after, &transition.after)?)
        })
    }

    /// A state of `set` from which the step leads to the given state, and the location behind the mover's step.
    pub fn before(&mut self, set: &Bdd, key: &Key, after: &[bool]) -> Result<Option<(Vec<bool>, LocId)>, Stop> {
        self.prepare(key)?;
        let bdds = &self.bdds;
        let mut live: Vec<Var> = self.globals.clone();
        for slot in key.others.iter().chain([&key.mover]) {
            live.extend(self.slot_vars(*slot));
        }
        live.extend(key.child.iter().flat_map(|child| &self.slots[*child].now));
        for transition in &self.relations[key] {
            if transition.after_literals.iter().any(|(v, value)| after[*v as usize] != *value) {
                continue;
            }
            let mut literals: Vec<(Var, bool)> =
                transition.pairs.iter().map(|(next, now)| (*next, after[*now as usize])).collect();
            let fixed = |v: &Var| transition.after_literals.iter().any(|(w, _)| w == v);
            let kept = live.iter().filter(|v| !transition.overwritten.contains(v) && !fixed(v));
            literals.extend(kept.map(|v| (*v, after[*v as usize])));
            let both = bdds.and(&bdds.and(set, &transition.relation)?, &bdds.cube(&literals)?)?;
            if let Some(found) = bdds.pick(&both) {
                return Ok(Some((found, transition.next)));
            }
        }
        Ok(None)
    }

    /// The program's view of the values of all diagram variables.
    pub fn valuation(&self, values: &[bool], slots: usize) -> Valuation {
        let globals = self.globals.iter().map(|v| values[*v as usize]).collect();
        let thread = |slot: &Slot| {
            let at = slot.pc.iter().enumerate().fold(0, |at, (i, v)| at | usize::from(values[*v as usize]) << i);
            (LocId::new(at), slot.now.iter().map(|v| values[*v as usize]).collect())
        };
        Valuation { globals, threads: self.slots[..slots].iter().map(thread).collect() }
    }

    fn prepare(&mut self, key: &Key) -> Result<(), Stop> {
        if !self.relations.contains_key(key) {
            let transitions = self.transitions(key)?;
            self.relations.insert(key.clone(), transitions);
        }
        Ok(())
    }

    fn transitions(&self, key: &Key) -> Result<Vec<Transition>, Stop> {
        let bdds = &self.bdds;
        let mover = key.mover;
        let mut enabled = self.at(mover, key.at)?;
        for other in &key.others {
            enabled = bdds.and(&enabled, &self.open[*other])?;
        }
        let finish =
            |relation: Bdd, mut overwritten: Vec<Var>, pairs: Vec<(Var, Var)>, after: Vec<(Var, bool)>, next| {
                let mut after = after;
                after.extend(self.pc(mover, next));
                overwritten.extend(&self.slots[mover].pc);
                Ok(Transition {
                    relation: bdds.and(&relation, &enabled)?,
                    quantified: bdds.set_of(&overwritten)?,
                    overwritten,
                    renaming: bdds.renaming(&pairs)?,
                    pairs,
                    after: bdds.cube(&after)?,
                    after_literals: after,
                    next,
                })
            };
        let own = |var: crate::flat::VarId| self.slots[mover].now[var.index() - self.flat.globals];
        match &self.flat.locations[key.at].instr {
            Instr::Skip(next) => Ok(vec![finish(bdds.all(), Vec::new(), Vec::new(), Vec::new(), *next)?]),
            Instr::Goto(targets) => {
                targets.iter().map(|t| finish(bdds.all(), Vec::new(), Vec::new(), Vec::new(), *t)).collect()
            }
            Instr::Branch { arms, choices } => {
                let chosen = self.choices[..*choices as usize].to_vec();
                arms.iter()
                    .map(|(e, to)| {
                        finish(self.build(e, View::own(mover, u32::MAX))?, chosen.clone(), Vec::new(), Vec::new(), *to)
                    })
                    .collect()
            }
            Instr::Lock(lock, next) => {
                let mut free = bdds.literal(own(*lock), false)?;
                for other in &key.others {
                    let theirs = self.slots[*other].now[lock.index() - self.flat.globals];
                    free = bdds.and(&free, &bdds.literal(theirs, false)?)?;
                }
                Ok(vec![finish(free, vec![own(*lock)], Vec::new(), vec![(own(*lock), true)], *next)?])
            }
            Instr::Unlock(lock, next) => {
                let held = bdds.var(own(*lock));
                Ok(vec![finish(held, vec![own(*lock)], Vec::new(), vec![(own(*lock), false)], *next)?])
            }
            Instr::Assign(assign, next) => {
                let Assigned { relation, overwritten, pairs } = self.assign(assign, key)?;
                Ok(vec![finish(relation, overwritten, pairs, Vec::new(), *next)?])
            }
            Instr::Start(start, next) => {
                let Some(child) = key.child else {
                    return Ok(vec![finish(bdds.all(), Vec::new(), Vec::new(), Vec::new(), *next)?]);
                };
                // The new thread's variables are written directly: its slot was unused.
                let mut relation = bdds.all();
                let slot = &self.slots[child];
                let mut after = self.pc(child, start.entry);
                for (i, (to, from)) in slot.now.iter().zip(&self.slots[mover].now).enumerate() {
                    let var: crate::flat::VarId = Id::new(self.flat.globals + i);
                    let value = match start.set.iter().find(|(v, _)| *v == var) {
                        Some((_, e)) => self.build(e, View::own(mover, u32::MAX))?,
                        None if start.inherits && self.flat.scope(var) == Scope::Local => bdds.var(*from),
                        None => {
                            after.push((*to, false));
                            continue;
                        }
                    };
                    relation = bdds.and(&relation, &bdds.iff(&bdds.var(*to), &value)?)?;
                }
                let chosen = self.choices[..start.choices as usize].to_vec();
                Ok(vec![finish(relation, chosen, Vec::new(), after, *next)?])
            }
            Instr::End | Instr::Error => Ok(Vec::new()),
        }
    }

    fn assign(&self, assign: &Assign, key: &Key) -> Result<Assigned, Stop> {
        let bdds = &self.bdds;
        let own = View::own(key.mover, assign.choices);
        let mut relation = self.build(&assign.constrain, own)?;
        let mut overwritten = self.choices[..assign.choices as usize].to_vec();
        let mut pairs = Vec::new();
        let mut set = |relation: Bdd, target: VarRef, value: &Ex, view: View| -> Result<Bdd, Stop> {
            let place = |primed| self.place(VarRef { primed, ..target }, view);
            overwritten.push(place(false));
            pairs.push((place(true), place(false)));
            let value = self.build(value, view)?;
            bdds.and(&relation, &bdds.iff(&bdds.var(place(true)), &value)?)
        };
        for (var, value) in &assign.targets {
            relation = set(relation, VarRef { var: *var, primed: false, passive: false }, value, own)?;
        }
        for other in assign.passive.iter().flat_map(|_| &key.others) {
            let passive = assign.passive.as_ref().expect("there is a passive part");
            for (var, value) in &passive.targets {
                relation = set(
                    relation,
                    VarRef { var: *var, primed: false, passive: true },
                    value,
                    View { passive: *other, ..own },
                )?;
            }
            relation = bdds.and(&relation, &self.build(&passive.constrain, View { passive: *other, ..own })?)?;
        }
        for other in assign.passive.iter().flat_map(|_| &key.others) {
            overwritten.extend(&self.slots[*other].choices);
        }
        Ok(Assigned { relation, overwritten, pairs })
    }

    fn place(&self, v: VarRef, view: View) -> Var {
        if self.flat.scope(v.var) == Scope::Global {
            return if v.primed { self.globals_next[v.var.index()] } else { self.globals[v.var.index()] };
        }
        let slot = &self.slots[if v.passive { view.passive } else { view.mover }];
        let i = v.var.index() - self.flat.globals;
        if v.primed { slot.next[i] } else { slot.now[i] }
    }

    /// An expression of the mover's instruction, for one passive slot. Choices beyond the mover's own are that slot's.
    fn build(&self, e: &Ex, view: View) -> Result<Bdd, Stop> {
        let bdds = &self.bdds;
        let go = |e: &Ex| self.build(e, view);
        match e {
            Ex::Const(b) => Ok(bdds.constant(*b)),
            Ex::Choice(c) => {
                let (c, own) = (*c as usize, view.own_choices as usize);
                Ok(bdds.var(if c < own { self.choices[c] } else { self.slots[view.passive].choices[c - own] }))
            }
            Ex::Var(v) => Ok(bdds.var(self.place(*v, view))),
            Ex::Not(e) => bdds.not(&go(e)?),
            Ex::And(es) => es.iter().try_fold(bdds.all(), |all, e| bdds.and(&all, &go(e)?)),
            Ex::Or(es) => es.iter().try_fold(bdds.none(), |all, e| bdds.or(&all, &go(e)?)),
            Ex::Iff(a, b) => bdds.iff(&go(a)?, &go(b)?),
        }
    }
}
