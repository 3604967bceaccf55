//! Pairs of thread states with decision diagrams: the rules of [`crate::explicit::pairs`] on sets.
//!
//! Slots 0 and 1 are the pair, slot 2 is the third thread. The set of pairs is symmetric.

use heddle_base::{Budget, Stop};

use crate::flat::{Flat, Instr, LocId};

use super::bdd::{Bdd, Renaming};
use super::slots::{Key, Slots};

/// What was reached.
pub struct Reached<'f> {
    /// The diagrams.
    pub slots: Slots<'f>,
    /// States of the first thread while it is alone, in slot 0.
    pub alone: Bdd,
    /// Pairs, in slots 0 and 1.
    pub pairs: Bdd,
    /// Whether a bad location is among them.
    pub bad: bool,
}

impl Reached<'_> {
    /// A bad location that was reached, if any.
    pub fn bad_location(&self) -> Result<Option<LocId>, Stop> {
        for (at, location) in self.slots.flat.locations.iter_enumerated() {
            if self.bad && matches!(location.instr, Instr::Error) {
                let both = self.slots.bdds.or(&self.alone, &self.pairs)?;
                if !self.slots.bdds.is_none(&self.slots.bdds.and(&both, &self.slots.at(0, at)?)?) {
                    return Ok(Some(at));
                }
            }
        }
        Ok(None)
    }

    /// Number of pairs, each in both orders.
    pub fn count_pairs(&self) -> f64 {
        let vars = self.slots.slot_vars(0).len() + self.slots.variables(1).len() + self.slots.slot_vars(1).len()
            - (self.slots.flat.vars.len() - self.slots.flat.globals);
        self.slots.bdds.count(&self.pairs, vars)
    }
}

/// Renamings between slots.
struct Moves {
    /// 0 ↔ 1
    swap: Renaming,
    /// 1 → 2
    one_two: Renaming,
    /// 0 → 1 and 1 → 2
    shift: Renaming,
    /// 2 → 1
    two_one: Renaming,
    /// 1 → 0 and 2 → 1
    unshift: Renaming,
}

/// Computes Reach(2), or stops once a bad location is reached.
pub fn reach<'f>(flat: &'f Flat, budget: &Budget) -> Result<Reached<'f>, Stop> {
    let mut slots = Slots::new(flat, 3, budget)?;
    let concat = |a: Vec<(u32, u32)>, b: Vec<(u32, u32)>| [a, b].concat();
    let moves = Moves {
        swap: slots.bdds.permutation(&concat(slots.slot_pairs(0, 1), slots.slot_pairs(1, 0))),
        one_two: slots.bdds.permutation(&slots.slot_pairs(1, 2)),
        shift: slots.bdds.permutation(&concat(slots.slot_pairs(0, 1), slots.slot_pairs(1, 2))),
        two_one: slots.bdds.permutation(&slots.slot_pairs(2, 1)),
        unshift: slots.bdds.permutation(&concat(slots.slot_pairs(1, 0), slots.slot_pairs(2, 1))),
    };
    let (alone, mut new) = alone(&mut slots)?;
    let mut pairs = slots.bdds.none();
    let bad = slots.bad(&[0])?;
    let is_bad = |slots: &Slots<'_>, set: &Bdd| Ok::<bool, Stop>(!slots.bdds.is_none(&slots.bdds.and(set, &bad)?));
    if is_bad(&slots, &alone)? {
        return Ok(Reached { slots, alone, pairs, bad: true });
    }
    loop {
        // The set is symmetric: what slot 1 can do, slot 0 can.
        new = slots.bdds.or(&new, &slots.bdds.rename(&new, &moves.swap)?)?;
        new = slots.bdds.minus(&new, &pairs)?;
        if slots.bdds.is_none(&new) {
            return Ok(Reached { slots, alone, pairs, bad: false });
        }
        pairs = slots.bdds.or(&pairs, &new)?;
        if is_bad(&slots, &new)? {
            return Ok(Reached { slots, alone, pairs, bad: true });
        }
        let own = own(&mut slots, &moves, &new)?;
        let env = env(&mut slots, &moves, &pairs, &new)?;
        new = slots.bdds.or(&own, &env)?;
    }
}

/// One thread alone, and the pairs that its starts make.
fn alone(slots: &mut Slots<'_>) -> Result<(Bdd, Bdd), Stop> {
    let (mut alone, mut pairs) = (slots.bdds.none(), slots.bdds.none());
    let mut new = slots.initial()?;
    while !slots.bdds.is_none(&new) {
        alone = slots.bdds.or(&alone, &new)?;
        let mut after = slots.bdds.none();
        for at in slots.flat.locations.ids() {
            let starts = matches!(slots.flat.locations[at].instr, Instr::Start(..));
            let key = Key { mover: 0, at, others: Vec::new(), child: starts.then_some(1) };
            let image = slots.step(&new, &key)?;
            if starts {
                pairs = slots.bdds.or(&pairs, &image)?;
            } else {
                after = slots.bdds.or(&after, &image)?;
            }
        }
        new = slots.bdds.minus(&after, &alone)?;
    }
    Ok((alone, pairs))
}

/// Rules own and spawn, for slot 0.
fn own(slots: &mut Slots<'_>, moves: &Moves, new: &Bdd) -> Result<Bdd, Stop> {
    let mut all = slots.bdds.none();
    for at in slots.flat.locations.ids() {
        if !matches!(slots.flat.locations[at].instr, Instr::Start(..)) {
            let key = Key { mover: 0, at, others: vec![1], child: None };
            let image = slots.step(new, &key)?;
            all = slots.bdds.or(&all, &image)?;
            continue;
        }
        // (p′, x, n) in slots 0, 1, 2.
        let key = Key { mover: 0, at, others: vec![1], child: Some(2) };
        let three = slots.step(new, &key)?;
        let gone = |slot: usize| slots.bdds.set_of(&slots.slot_vars(slot));
        let old = slots.bdds.exists(&three, &gone(2)?)?;
        let created = slots.bdds.rename(&slots.bdds.exists(&three, &gone(1)?)?, &moves.two_one)?;
        let beside = slots.bdds.rename(&slots.bdds.exists(&three, &gone(0)?)?, &moves.unshift)?;
        for set in [old, created, beside] {
            all = slots.bdds.or(&all, &set)?;
        }
    }
    Ok(all)
}

/// Rule env: slot 2 moves beside slots 0 and 1. At least one of the three pairs is new.
fn env(slots: &mut Slots<'_>, moves: &Moves, pairs: &Bdd, new: &Bdd) -> Result<Bdd, Stop> {
    let movers: Vec<LocId> = slots
        .flat
        .locations
        .iter_enumerated()
        .filter(|(_, l)| l.instr.passive().is_some() || !l.instr.written_globals(slots.flat).is_empty())
        .map(|(at, _)| at)
        .collect();
    if movers.is_empty() {
        return Ok(slots.bdds.none());
    }
    let gone = slots.bdds.set_of(&slots.slot_vars(2))?;
    let mut all = slots.bdds.none();
    for at in movers {
        let there = slots.at(2, at)?;
        let bdds = &slots.bdds;
        // The mover's location first: it keeps the products small.
        let part = |set: &Bdd, renaming: &Renaming| bdds.and(&bdds.rename(set, renaming)?, &there);
        let (first, second) = (part(pairs, &moves.one_two)?, part(pairs, &moves.shift)?);
        let first_new = part(new, &moves.one_two)?;
        let beside = bdds.and(&first, &second)?;
        // By symmetry of slots 0 and 1 it is enough that the pair or the first of the others is new.
        let three = bdds.or(&bdds.and(new, &beside)?, &bdds.and(pairs, &bdds.and(&first_new, &second)?)?)?;
        let key = Key { mover: 2, at, others: vec![0, 1], child: None };
        let after = slots.step(&three, &key)?;
        let after = slots.bdds.exists(&after, &gone)?;
        all = slots.bdds.or(&all, &after)?;
    }
    Ok(all)
}
