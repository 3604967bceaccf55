//! From a bad thread state back to the initial one: the parents of each growth of a set.
//!
//! Every time a set grows, the place and the cause are noted. A thread state was added by the first growth that has it; its
//! parents are picked from the sets as they were before.

use heddle_base::{Id, Stop};

use super::{Engine, Image};
use crate::derivation::{Derivation, Origin, derive};
use crate::flat::{Instr, LocId, Scope, VarId};
use crate::symbolic::bdd::{Bdd, Var};

/// Why a set grew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It has the initial state.
    Initial,
    /// Threads of that place (location, flag) moved.
    Own(usize, usize),
    /// Threads of that place created others.
    Created(usize, usize),
    /// Threads saw a step of this relation.
    Other(usize),
}

/// A growth of a set.
pub(super) struct Growth {
    place: (usize, usize),
    /// The set afterwards.
    set: Bdd,
    cause: Cause,
}

/// All growths, and those of each place.
#[derive(Default)]
pub(super) struct History {
    growths: Vec<Growth>,
    at: rustc_hash::FxHashMap<(usize, usize), Vec<usize>>,
}

impl History {
    pub(super) fn add(&mut self, place: (usize, usize), set: Bdd, cause: Cause) {
        self.at.entry(place).or_default().push(self.growths.len());
        self.growths.push(Growth { place, set, cause });
    }

    /// The last growth of a place before a time.
    fn before(&self, place: (usize, usize), time: usize) -> Option<usize> {
        let list = self.at.get(&place)?;
        let count = list.partition_point(|g| *g < time);
        count.checked_sub(1).map(|i| list[i])
    }
}

/// A thread state: the growth that added it, and the values of all variables.
type Node = (usize, Vec<bool>);

/// The values of the passive thread and of the one that moves.
type Parents = (Vec<bool>, Vec<bool>);

/// Derivations of larger searches are not read off: growths times variables.
const MAX_SIZE: usize = 50_000_000;

impl Engine<'_> {
    /// The derivation of a bad thread state; none if it would be too large.
    pub(super) fn derivation(&mut self) -> Result<Option<Derivation>, Stop> {
        let Some(bad) = self.bad else { return Ok(None) };
        if self.history.growths.len().saturating_mul(self.flat.vars.len()) > MAX_SIZE {
            return Ok(None);
        }
        let growth = [0, 1].into_iter().filter_map(|flag| self.history.at.get(&(bad.index(), flag))).flatten().min();
        let Some(&growth) = growth else { return Ok(None) };
        let Some(picked) = self.bdds.pick(&self.history.growths[growth].set) else { return Ok(None) };
        let node = (growth, self.now(&picked));
        derive(node, |node| node.0, |node| self.origin(node)).map(Some)
    }

    fn now(&self, picked: &[bool]) -> Vec<bool> {
        self.layout.now.iter().map(|v| picked[*v as usize]).collect()
    }

    /// Whether the values of all variables are in a set.
    fn has(&self, set: &Bdd, values: &[bool]) -> bool {
        let mut of = vec![false; self.layout.count];
        self.layout.now.iter().zip(values).for_each(|(v, value)| of[*v as usize] = *value);
        let mut at = set.clone();
        while let Some((var, high, low)) = self.bdds.decision(&at) {
            at = if of[var as usize] { high } else { low };
        }
        !self.bdds.is_none(&at)
    }

    /// The growth before a time that added a thread state.
    fn node(&self, place: (usize, usize), values: Vec<bool>, time: usize) -> Node {
        let list = &self.history.at[&place];
        let count = list.partition_point(|g| *g < time);
        let first = list[..count].partition_point(|g| !self.has(&self.history.growths[*g].set, &values));
        (list[first.min(count - 1)], values)
    }

    fn origin(&mut self, (time, values): &Node) -> Result<Origin<Node>, Stop> {
        self.bdds.poll()?;
        let (place, cause) = (self.history.growths[*time].place, self.history.growths[*time].cause);
        match cause {
            Cause::Initial => Ok(Origin::Initial),
            Cause::Own(at, flag) => {
                let before = self.own_before(LocId::new(at), flag, values, *time)?;
                Ok(Origin::Own(self.node((at, flag), before, *time), LocId::new(at)))
            }
            Cause::Created(at, flag) => {
                let before = self.creator(LocId::new(at), flag, values, *time)?;
                Ok(Origin::Created(self.node((at, flag), before, *time), LocId::new(at)))
            }
            Cause::Other(relation) => self.other_before(place, relation, values, *time),
        }
    }

    fn set_before(&self, place: (usize, usize), time: usize) -> Bdd {
        self.history.before(place, time).map_or(self.bdds.none(), |g| self.history.growths[g].set.clone())
    }

    /// A thread state of the place from which an own step leads to these values.
    fn own_before(&self, at: LocId, flag: usize, values: &[bool], time: usize) -> Result<Vec<bool>, Stop> {
        let mut before = values.to_vec();
        match &self.flat.locations[at].instr {
            Instr::Skip(_) | Instr::Goto(_) | Instr::Branch { .. } | Instr::Start(..) => {}
            Instr::Lock(lock, _) | Instr::Unlock(lock, _) => before[lock.index()] = !before[lock.index()],
            Instr::Assign(assign, _) => {
                let Image::Relation { relation, .. } = &self.images[at.index()] else {
                    unreachable!("an assignment is a relation")
                };
                let written: Vec<VarId> = assign.targets.iter().map(|(v, _)| *v).collect();
                let literals = self.behind(values, &written, |_| true);
                let set = self.set_before((at.index(), flag), time);
                before = self.now(&self.pick(&[&set, relation, &self.bdds.cube(&literals)?])?);
            }
            Instr::End | Instr::Error => unreachable!("they have no step"),
        }
        Ok(before)
    }

    /// A thread state of the place that creates a thread with these values.
    fn creator(&self, at: LocId, flag: usize, values: &[bool], time: usize) -> Result<Vec<bool>, Stop> {
        let (Instr::Start(start, _), Image::Start { child, .. }) =
            (&self.flat.locations[at].instr, &self.images[at.index()])
        else {
            unreachable!("only a start creates")
        };
        let Image::Relation { relation, .. } = &**child else { unreachable!("a new thread is made by a relation") };
        let set: Vec<VarId> = start.set.iter().map(|(v, _)| *v).collect();
        let literals = self.behind(values, &set, |var| {
            self.flat.scope(var) == Scope::Global || start.inherits && self.flat.scope(var) == Scope::Local
        });
        let from = self.set_before((at.index(), flag), time);
        Ok(self.now(&self.pick(&[&from, relation, &self.bdds.cube(&literals)?])?))
    }

    /// Values behind a step: written variables in the next state, others (if they are kept) in this one.
    fn behind(&self, values: &[bool], written: &[VarId], kept: impl Fn(VarId) -> bool) -> Vec<(Var, bool)> {
        let mut literals = Vec::new();
        for var in self.flat.vars.ids() {
            let i = var.index();
            if written.contains(&var) {
                literals.push((self.layout.next[i].expect("it is written"), values[i]));
            } else if kept(var) {
                literals.push((self.layout.now[i], values[i]));
            }
        }
        literals
    }

    fn pick(&self, sets: &[&Bdd]) -> Result<Vec<bool>, Stop> {
        let all = sets.iter().try_fold(self.bdds.all(), |all, set| self.bdds.and(&all, set))?;
        Ok(self.bdds.pick(&all).expect("a growth has parents in the sets before it"))
    }

    /// The two parents of a thread state that saw a step of a relation.
    fn other_before(
        &mut self,
        place: (usize, usize),
        relation: usize,
        values: &[bool],
        time: usize,
    ) -> Result<Origin<Node>, Stop> {
        let passive = self.set_before(place, time);
        for at in 0..self.members.len() {
            if self.members[at].as_ref().is_none_or(|m| m.relation != relation) {
                continue;
            }
            let mover = self.set_before((at, 1), time);
            let found = if self.relations[relation].passive {
                self.seen_by_passive(at, &passive, &mover, values)?
            } else {
                self.seen(at, &passive, &mover, values)?
            };
            if let Some((before, moved)) = found {
                return Ok(Origin::Other {
                    passive: self.node(place, before, time),
                    mover: self.node((at, 1), moved, time),
                    at: LocId::new(at),
                });
            }
        }
        unreachable!("a step of the relation was seen")
    }

    /// For a step without passive part: the values of the passive thread before it, and of the mover.
    fn seen(&self, at: usize, passive: &Bdd, mover: &Bdd, values: &[bool]) -> Result<Option<Parents>, Stop> {
        let (bdds, layout, flat) = (&self.bdds, &self.layout, self.flat);
        let member = self.members[at].as_ref().expect("it is a member");
        let written = flat.locations[LocId::new(at)].instr.written_globals(flat);
        // What the passive thread may have seen in the written globals.
        let (mut same, mut others) = (Vec::new(), Vec::new());
        let (mut kept, mut behind) = (Vec::new(), Vec::new());
        for var in flat.vars.ids() {
            let i = var.index();
            if written.contains(&var) {
                behind.push((layout.next[i].expect("it is written"), values[i]));
                continue;
            }
            same.push((layout.now[i], values[i]));
            others.push(layout.now[i]);
            match flat.scope(var) {
                Scope::Global => kept.push((layout.now[i], values[i])),
                Scope::Lock if self.options.lock_sets && values[i] => kept.push((layout.now[i], false)),
                Scope::Lock | Scope::Local => {}
            }
        }
        let saw = bdds.and_exists(passive, &bdds.cube(&same)?, &bdds.set_of(&others)?)?;
        let steps = bdds.and(&bdds.and(mover, &bdds.cube(&kept)?)?, &member.step)?;
        let steps = bdds.and(&steps, &bdds.cube(&behind)?)?;
        let Some(picked) = bdds.pick(&bdds.and(&saw, &steps)?) else { return Ok(None) };
        let moved = self.now(&picked);
        let mut before = values.to_vec();
        written.iter().for_each(|var| before[var.index()] = moved[var.index()]);
        Ok(Some((before, moved)))
    }

    /// The same for a step with a passive part.
    fn seen_by_passive(&self, at: usize, passive: &Bdd, mover: &Bdd, values: &[bool]) -> Result<Option<Parents>, Stop> {
        let (bdds, layout, flat) = (&self.bdds, &self.layout, self.flat);
        let member = self.members[at].as_ref().expect("it is a member");
        let instr = &flat.locations[LocId::new(at)].instr;
        let mut written = instr.written_globals(flat);
        written.extend(instr.passive().iter().flat_map(|p| &p.targets).map(|(v, _)| *v));
        let literals = self.behind(values, &written, |_| true);
        let moving = bdds.and(&bdds.rename(mover, &member.before)?, &member.step)?;
        let both = bdds.and(&bdds.and(passive, &bdds.cube(&literals)?)?, &bdds.and(&moving, &self.disjoint()?)?)?;
        let Some(picked) = bdds.pick(&both) else { return Ok(None) };
        let before = self.now(&picked);
        let copy = |i: usize| layout.mover[i].unwrap_or(layout.now[i]);
        let moved = (0..flat.vars.len()).map(|i| picked[copy(i) as usize]).collect();
        Ok(Some((before, moved)))
    }
}
