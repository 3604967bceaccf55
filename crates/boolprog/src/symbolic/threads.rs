//! Symbolic thread states with decision diagrams, [BOOLPROG §4.1, §4.2]: the program counter explicit, the data symbolic.
//!
//! T is one set of valuations for each location (and for each value of Remark 1's flag). Case 1 of Definition 8 is an image
//! under the instruction. For case 2 the steps that write the same globals W are joined into one relation F_W(g, W′, m)
//! over the globals before, the written ones after, and the locks m of the thread that moves; a passive set T(g, y) becomes
//! ∃ W, m. T ∧ F_W ∧ "y and m hold no common lock", with W′ for W. No relation mentions what does not change.
//!
//! Order of work: own steps to their fixpoint first, then case 2 at one location, relation after relation (so that chains of
//! changes are followed in one round), then own steps again. Sets that were found closed under all relations are remembered: in
//! programs whose threads share few kinds of sets, most locations need no work at all.

mod derive;

use std::collections::BTreeSet;

use heddle_base::{Budget, Id, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::derivation::Derivation;
use crate::explicit::threads::must_see;
use crate::flat::{Assign, Ex, Flat, Instr, LocId, Passive, Scope, VarId, VarRef};
use crate::options::Options;

use super::bdd::{Bdd, Bdds, Renaming, Var};
use derive::{Cause, History};

/// Which diagram variable stands for what.
struct Layout {
    now: Vec<Var>,
    next: Vec<Option<Var>>,
    /// The moving thread's locals and locks, where a passive thread looks at them.
    mover: Vec<Option<Var>>,
    mover_next: Vec<Option<Var>>,
    choices: Vec<Var>,
    count: usize,
}

impl Layout {
    fn new(flat: &Flat) -> Layout {
        let mut written = vec![false; flat.vars.len()];
        let mut most_choices = 0;
        let passive = flat.has_passive();
        for location in flat.locations.iter() {
            match &location.instr {
                Instr::Assign(assign, _) => {
                    assign.targets.iter().for_each(|(v, _)| written[v.index()] = true);
                    let part = assign.passive.iter();
                    part.clone().flat_map(|p| &p.targets).for_each(|(v, _)| written[v.index()] = true);
                    most_choices = most_choices.max(assign.choices + part.map(|p| p.choices).sum::<u32>());
                }
                Instr::Start(start, _) => {
                    start.set.iter().for_each(|(v, _)| written[v.index()] = true);
                    most_choices = most_choices.max(start.choices);
                }
                Instr::Branch { choices, .. } => most_choices = most_choices.max(*choices),
                Instr::Skip(_) | Instr::Goto(_) | Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => {}
            }
        }
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let (mut now, mut next, mut mover, mut mover_next) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (var, written) in flat.vars.iter().zip(written) {
            now.push(fresh());
            next.push(written.then(&mut fresh));
            let looked_at = var.scope == Scope::Lock || passive && var.scope == Scope::Local;
            mover.push(looked_at.then(&mut fresh));
            mover_next.push((passive && written && var.scope == Scope::Local).then(&mut fresh));
        }
        let choices = (0..most_choices).map(|_| fresh()).collect();
        Layout { now, next, mover, mover_next, choices, count: count as usize }
    }
}

/// What was reached.
pub struct Reached {
    /// The diagrams' variables and operations.
    pub bdds: Bdds,
    layout_now: Vec<Var>,
    /// For each location, the thread states before and after the first start.
    pub sets: Vec<[Bdd; 2]>,
    /// A bad location that was reached, if any.
    pub bad: Option<LocId>,
    /// How often a set has grown: the number of symbolic thread states that were added.
    pub added: usize,
    /// How the bad location was reached, if the search was to stop there.
    pub derivation: Option<Derivation>,
}

impl Reached {
    /// Locations with at least one thread state, counted for each value of the flag.
    pub fn nonempty(&self) -> usize {
        self.sets.iter().flatten().filter(|s| !self.bdds.is_none(s)).count()
    }

    /// Whether a thread state is in T: the values of all variables, at a location, with the flag.
    pub fn contains(&self, loc: LocId, started: bool, values: &[bool]) -> Result<bool, Stop> {
        let literals: Vec<(Var, bool)> = self.layout_now.iter().copied().zip(values.iter().copied()).collect();
        let cube = self.bdds.cube(&literals)?;
        let both = self.bdds.and(&cube, &self.sets[loc.index()][usize::from(started)])?;
        Ok(!self.bdds.is_none(&both))
    }

    /// Number of thread states in a set.
    pub fn count(&self, set: &Bdd) -> f64 {
        self.bdds.count(set, self.layout_now.len())
    }

    /// The diagram variable of each program variable.
    pub fn variables(&self) -> &[Var] {
        &self.layout_now
    }
}

/// [BOOLPROG Fig. 3] Computes T^∞, or stops at the first bad location if told so.
pub fn reach(flat: &Flat, options: &Options, stop_at_bad: bool, budget: &Budget) -> Result<Reached, Stop> {
    let layout = Layout::new(flat);
    let bdds = Bdds::new(layout.count, budget)?;
    let none = bdds.none();
    let images = flat.locations.iter().map(|l| Image::of(&bdds, &layout, flat, &l.instr)).collect::<Result<_, _>>()?;
    let count = flat.locations.len();
    let mut engine = Engine {
        flat,
        options,
        sets: vec![[none.clone(), none.clone()]; count],
        pending: vec![[none.clone(), none.clone()]; count],
        images,
        relations: Vec::new(),
        members: (0..count).map(|_| None).collect(),
        joined: vec![none; count],
        dirty: [BTreeSet::new(), BTreeSet::new()],
        stale: BTreeSet::new(),
        epoch: 0,
        closed_at: vec![None; count],
        closed: FxHashSet::default(),
        sees_all: flat.locations.iter().map(|l| must_see(flat, &l.instr)).collect(),
        added: 0,
        bad: None,
        stop_at_bad,
        history: History::default(),
        layout,
        bdds,
    };
    engine.make_relations()?;
    engine.run()?;
    let derivation = if stop_at_bad { engine.derivation()? } else { None };
    let Engine { bdds, layout, sets, bad, added, .. } = engine;
    Ok(Reached { bdds, layout_now: layout.now, sets, bad, added, derivation })
}

/// An instruction as diagrams.
enum Image {
    /// The same set at other locations.
    Copy(Vec<LocId>),
    /// Parts of the set at other locations.
    Guards(Vec<(Bdd, LocId)>),
    /// ∃ quantified. set ∧ relation, renamed, then restricted.
    Relation { relation: Bdd, quantified: Bdd, renaming: Renaming, next: LocId },
    /// The lock goes from one value to the other.
    Flip { before: Bdd, var: Bdd, after: Bdd, next: LocId },
    /// The thread itself goes on, and the new thread begins.
    Start { child: Box<Image>, zero: Bdd, next: LocId },
    /// No successor.
    Stuck,
}

/// Where the variables of an expression are found.
#[derive(Clone, Copy)]
enum View {
    /// The thread itself.
    Own,
    /// A step of another thread: its locals are in the copies.
    AsMover,
}

fn build(bdds: &Bdds, layout: &Layout, flat: &Flat, e: &Ex, view: View) -> Result<Bdd, Stop> {
    let go = |e: &Ex| build(bdds, layout, flat, e, view);
    match e {
        Ex::Const(b) => Ok(bdds.constant(*b)),
        Ex::Choice(c) => Ok(bdds.var(layout.choices[*c as usize])),
        Ex::Var(v) => Ok(bdds.var(place(layout, flat, *v, view))),
        Ex::Not(e) => bdds.not(&go(e)?),
        Ex::And(es) => es.iter().try_fold(bdds.all(), |all, e| bdds.and(&all, &go(e)?)),
        Ex::Or(es) => es.iter().try_fold(bdds.none(), |all, e| bdds.or(&all, &go(e)?)),
        Ex::Iff(a, b) => bdds.iff(&go(a)?, &go(b)?),
    }
}

/// The diagram variable of an occurrence.
fn place(layout: &Layout, flat: &Flat, v: VarRef, view: View) -> Var {
    let i = v.var.index();
    let own = matches!(view, View::Own) || v.passive || flat.scope(v.var) == Scope::Global;
    match (own, v.primed) {
        (true, false) => layout.now[i],
        (true, true) => layout.next[i].expect("what is primed is written"),
        (false, false) => layout.mover[i].expect("a mover's local has a copy"),
        (false, true) => layout.mover_next[i].expect("a mover's local has a copy"),
    }
}

/// The constraint and the equations v′ = e.
fn equations(
    bdds: &Bdds,
    layout: &Layout,
    flat: &Flat,
    (targets, constrain, passive): (&[(VarId, Ex)], &Ex, bool),
    view: View,
) -> Result<Bdd, Stop> {
    let mut relation = build(bdds, layout, flat, constrain, view)?;
    for (var, value) in targets {
        let value = build(bdds, layout, flat, value, view)?;
        let next = bdds.var(place(layout, flat, VarRef { var: *var, primed: true, passive }, view));
        relation = bdds.and(&relation, &bdds.iff(&next, &value)?)?;
    }
    Ok(relation)
}

impl Image {
    fn of(bdds: &Bdds, layout: &Layout, flat: &Flat, instr: &Instr) -> Result<Image, Stop> {
        let choices = |count: u32| layout.choices[..count as usize].to_vec();
        Ok(match instr {
            Instr::Skip(next) => Image::Copy(vec![*next]),
            Instr::Goto(targets) => Image::Copy(targets.clone()),
            Instr::Branch { arms, choices: count } => {
                let chosen = bdds.set_of(&choices(*count))?;
                let guard =
                    |(e, to): &(Ex, LocId)| Ok((bdds.exists(&build(bdds, layout, flat, e, View::Own)?, &chosen)?, *to));
                Image::Guards(arms.iter().map(guard).collect::<Result<_, Stop>>()?)
            }
            Instr::Assign(assign, next) => {
                let parts = (&assign.targets[..], &assign.constrain, false);
                let relation = equations(bdds, layout, flat, parts, View::Own)?;
                let mut quantified = choices(assign.choices);
                quantified.extend(assign.targets.iter().map(|(v, _)| layout.now[v.index()]));
                let renaming = bdds.renaming(&renamed(layout, &assign.targets))?;
                Image::Relation { relation, quantified: bdds.set_of(&quantified)?, renaming, next: *next }
            }
            Instr::Lock(lock, next) | Instr::Unlock(lock, next) => {
                let takes = matches!(instr, Instr::Lock(..));
                let var = layout.now[lock.index()];
                let (before, after) = (bdds.literal(var, !takes)?, bdds.literal(var, takes)?);
                Image::Flip { before, var: bdds.set_of(&[var])?, after, next: *next }
            }
            Instr::Start(start, next) => {
                let constrain = Ex::Const(true);
                let relation = equations(bdds, layout, flat, (&start.set, &constrain, false), View::Own)?;
                let mut quantified = choices(start.choices);
                let mut zero = Vec::new();
                for (var, variable) in flat.vars.iter_enumerated() {
                    let set = start.set.iter().any(|(v, _)| *v == var);
                    let kept =
                        variable.scope == Scope::Global || start.inherits && variable.scope == Scope::Local && !set;
                    if !kept {
                        quantified.push(layout.now[var.index()]);
                    }
                    if !kept && !set {
                        zero.push((layout.now[var.index()], false));
                    }
                }
                let renaming = bdds.renaming(&renamed(layout, &start.set))?;
                let quantified = bdds.set_of(&quantified)?;
                let child = Image::Relation { relation, quantified, renaming, next: start.entry };
                Image::Start { child: Box::new(child), zero: bdds.cube(&zero)?, next: *next }
            }
            Instr::End | Instr::Error => Image::Stuck,
        })
    }
}

fn renamed(layout: &Layout, targets: &[(VarId, Ex)]) -> Vec<(Var, Var)> {
    targets.iter().map(|(v, _)| (layout.next[v.index()].expect("it is written"), layout.now[v.index()])).collect()
}

/// The steps that write the same globals, as one relation: case 2 of Definition 8.
struct Relation {
    /// W, as diagram variables.
    written: Vec<Var>,
    /// It has a passive part, and one member.
    passive: bool,
    /// F_W.
    steps: Bdd,
    quantified: Bdd,
    renaming: Renaming,
}

/// How a set of thread states at one location joins its relation.
struct Member {
    relation: usize,
    step: Bdd,
    /// Renaming to the mover's copies, before the step.
    before: Renaming,
    quantified: Bdd,
    /// Renaming to the mover's copies, after quantification.
    after: Renaming,
}

struct Engine<'f> {
    flat: &'f Flat,
    options: &'f Options,
    layout: Layout,
    bdds: Bdds,
    sets: Vec<[Bdd; 2]>,
    /// What each set has that own steps have not been made from.
    pending: Vec<[Bdd; 2]>,
    images: Vec<Image>,
    relations: Vec<Relation>,
    members: Vec<Option<Member>>,
    /// What of each set has joined its relation.
    joined: Vec<Bdd>,
    dirty: [BTreeSet<usize>; 2],
    /// Locations with something that has not joined its relation.
    stale: BTreeSet<usize>,
    /// Counts changes of relations.
    epoch: usize,
    /// Set and epoch at which a location was closed under all relations.
    closed_at: Vec<Option<(Bdd, usize)>>,
    /// Sets that are closed under all relations of this epoch.
    closed: FxHashSet<Bdd>,
    sees_all: Vec<bool>,
    added: usize,
    bad: Option<LocId>,
    stop_at_bad: bool,
    /// Growths of sets, if the search stops at a bad location.
    history: History,
}

impl Engine<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let zeros: Vec<(Var, bool)> = self.layout.now.iter().map(|v| (*v, false)).collect();
        let initial = self.bdds.cube(&zeros)?;
        self.add(self.flat.entry().index(), usize::from(!self.options.remark1), &initial, Cause::Initial)?;
        loop {
            self.own_steps()?;
            self.join_relations()?;
            if self.bad.is_some() && self.stop_at_bad || !self.other_threads()? {
                return Ok(());
            }
        }
    }

    fn add(&mut self, at: usize, flag: usize, set: &Bdd, cause: Cause) -> Result<bool, Stop> {
        self.bdds.poll()?;
        let new = self.bdds.minus(set, &self.sets[at][flag])?;
        if self.bdds.is_none(&new) {
            return Ok(false);
        }
        self.sets[at][flag] = self.bdds.or(&self.sets[at][flag], &new)?;
        self.pending[at][flag] = self.bdds.or(&self.pending[at][flag], &new)?;
        self.added += 1;
        if self.stop_at_bad {
            self.history.add((at, flag), self.sets[at][flag].clone(), cause);
        }
        self.dirty[flag].insert(at);
        if flag == 1 && self.members[at].is_some() {
            self.stale.insert(at);
        }
        if self.bad.is_none() && matches!(self.flat.locations[LocId::new(at)].instr, Instr::Error) {
            self.bad = Some(LocId::new(at));
        }
        Ok(true)
    }

    /// [BOOLPROG Def. 8, case 1; Table 3] To the fixpoint.
    fn own_steps(&mut self) -> Result<(), Stop> {
        loop {
            let Some(flag) = [0, 1].into_iter().find(|flag| !self.dirty[*flag].is_empty()) else { return Ok(()) };
            let at = self.dirty[flag].pop_first().expect("it is not empty");
            let from = std::mem::replace(&mut self.pending[at][flag], self.bdds.none());
            self.step(at, flag, &from)?;
        }
    }

    fn step(&mut self, at: usize, flag: usize, from: &Bdd) -> Result<(), Stop> {
        let bdds = &self.bdds;
        let own = Cause::Own(at, flag);
        let results: Vec<(LocId, usize, Bdd, Cause)> = match &self.images[at] {
            Image::Copy(targets) => targets.iter().map(|t| (*t, flag, from.clone(), own)).collect(),
            Image::Guards(arms) => {
                let arm = |(guard, to): &(Bdd, LocId)| Ok((*to, flag, bdds.and(from, guard)?, own));
                arms.iter().map(arm).collect::<Result<_, Stop>>()?
            }
            Image::Relation { relation, quantified, renaming, next } => {
                let after = bdds.and_exists(from, relation, quantified)?;
                vec![(*next, flag, bdds.rename(&after, renaming)?, own)]
            }
            Image::Flip { before, var, after, next } => {
                let rest = bdds.and_exists(from, before, var)?;
                vec![(*next, flag, bdds.and(&rest, after)?, own)]
            }
            Image::Start { child, zero, next } => {
                let Image::Relation { relation, quantified, renaming, next: entry } = &**child else {
                    unreachable!("a new thread is made by a relation")
                };
                let born = bdds.rename(&bdds.and_exists(from, relation, quantified)?, renaming)?;
                let created = Cause::Created(at, flag);
                vec![(*next, 1, from.clone(), own), (*entry, 1, bdds.and(&born, zero)?, created)]
            }
            Image::Stuck => Vec::new(),
        };
        for (to, flag, set, cause) in results {
            self.add(to.index(), flag, &set, cause)?;
        }
        Ok(())
    }

    /// Finds the steps that others can notice, and groups them.
    fn make_relations(&mut self) -> Result<(), Stop> {
        let mut groups: FxHashMap<Vec<VarId>, usize> = FxHashMap::default();
        for (at, location) in self.flat.locations.iter_enumerated() {
            let Instr::Assign(assign, _) = &location.instr else { continue };
            let mut written = location.instr.written_globals(self.flat);
            written.sort_unstable();
            let member = match &assign.passive {
                None if written.is_empty() => continue,
                None => {
                    let relation = match groups.get(&written) {
                        Some(relation) => *relation,
                        None => {
                            groups.insert(written.clone(), self.relations.len());
                            self.new_relation(written, None)?
                        }
                    };
                    self.plain_member(relation, assign)?
                }
                Some(passive) => {
                    let relation = self.new_relation(written, Some((assign, passive)))?;
                    self.passive_member(relation, assign, passive)?
                }
            };
            self.members[at.index()] = Some(member);
        }
        Ok(())
    }

    /// Quantified on application: what is overwritten, and all of the mover that is left.
    fn new_relation(&mut self, written: Vec<VarId>, passive: Option<(&Assign, &Passive)>) -> Result<usize, Stop> {
        let (layout, bdds) = (&self.layout, &self.bdds);
        let mut changed = written.clone();
        changed.extend(passive.iter().flat_map(|(_, p)| &p.targets).map(|(v, _)| *v));
        let mut quantified: Vec<Var> = changed.iter().map(|v| layout.now[v.index()]).collect();
        quantified.extend(layout.mover.iter().chain(&layout.mover_next).flatten());
        if passive.is_some() {
            quantified.extend(&layout.choices);
        }
        let next = |v: &VarId| layout.next[v.index()].expect("it is written");
        let pairs: Vec<(Var, Var)> = changed.iter().map(|v| (next(v), layout.now[v.index()])).collect();
        let relation = Relation {
            written: written.iter().map(|v| layout.now[v.index()]).collect(),
            passive: passive.is_some(),
            steps: bdds.none(),
            quantified: bdds.set_of(&quantified)?,
            renaming: bdds.renaming(&pairs)?,
        };
        self.relations.push(relation);
        Ok(self.relations.len() - 1)
    }

    /// Locals and locks of the thread that moves, with the copies of those that have one.
    fn mover_pairs(&self, scope: Scope) -> Vec<(Var, Var)> {
        let vars = self.flat.vars.iter_enumerated().filter(|(_, v)| v.scope == scope);
        vars.map(|(v, _)| (self.layout.now[v.index()], self.layout.mover[v.index()].expect("it has a copy"))).collect()
    }

    fn plain_member(&self, relation: usize, assign: &Assign) -> Result<Member, Stop> {
        let (layout, bdds, flat) = (&self.layout, &self.bdds, self.flat);
        let step = equations(bdds, layout, flat, (&assign.targets, &assign.constrain, false), View::Own)?;
        let mut quantified = layout.choices[..assign.choices as usize].to_vec();
        for (var, variable) in flat.vars.iter_enumerated() {
            let gone = match variable.scope {
                Scope::Global => false,
                Scope::Local => true,
                Scope::Lock => !self.options.lock_sets,
            };
            quantified.extend(gone.then_some(layout.now[var.index()]));
        }
        for (var, _) in assign.targets.iter().filter(|(v, _)| flat.scope(*v) != Scope::Global) {
            quantified.push(layout.next[var.index()].expect("it is written"));
        }
        let after = bdds.renaming(&self.mover_pairs(Scope::Lock))?;
        let quantified = bdds.set_of(&quantified)?;
        Ok(Member { relation, step, before: bdds.renaming(&[])?, quantified, after })
    }

    fn passive_member(&self, relation: usize, assign: &Assign, passive: &Passive) -> Result<Member, Stop> {
        let (layout, bdds, flat) = (&self.layout, &self.bdds, self.flat);
        let own = equations(bdds, layout, flat, (&assign.targets, &assign.constrain, false), View::AsMover)?;
        let part = equations(bdds, layout, flat, (&passive.targets, &passive.constrain, true), View::AsMover)?;
        let mut pairs = self.mover_pairs(Scope::Local);
        pairs.extend(self.mover_pairs(Scope::Lock));
        let step = bdds.and(&own, &part)?;
        let quantified = bdds.set_of(&[])?;
        Ok(Member { relation, step, before: bdds.renaming(&pairs)?, quantified, after: bdds.renaming(&[])? })
    }

    /// (2d): no lock is held by both.
    fn disjoint(&self) -> Result<Bdd, Stop> {
        let bdds = &self.bdds;
        if !self.options.lock_sets {
            return Ok(bdds.all());
        }
        self.mover_pairs(Scope::Lock).iter().try_fold(bdds.all(), |all, (now, mover)| {
            let both = bdds.and(&bdds.var(*now), &bdds.var(*mover))?;
            bdds.minus(&all, &both)
        })
    }

    /// What is new in the sets joins the relations.
    fn join_relations(&mut self) -> Result<(), Stop> {
        if self.stale.is_empty() {
            return Ok(());
        }
        let disjoint = self.disjoint()?;
        while let Some(at) = self.stale.pop_first() {
            self.bdds.poll()?;
            let bdds = &self.bdds;
            let member = self.members[at].as_ref().expect("only members are stale");
            let new = bdds.minus(&self.sets[at][1], &self.joined[at])?;
            self.joined[at] = self.sets[at][1].clone();
            let steps = bdds.and_exists(&bdds.rename(&new, &member.before)?, &member.step, &member.quantified)?;
            let steps = bdds.and(&bdds.rename(&steps, &member.after)?, &disjoint)?;
            let relation = &mut self.relations[member.relation];
            let joined = bdds.or(&relation.steps, &steps)?;
            if joined != relation.steps {
                relation.steps = joined;
                self.epoch += 1;
                self.closed.clear();
            }
        }
        Ok(())
    }

    /// [BOOLPROG Def. 8, case 2] At the first location that is not closed under all relations; false if all are.
    fn other_threads(&mut self) -> Result<bool, Stop> {
        for at in 0..self.sets.len() {
            if self.flat.locations[LocId::new(at)].closed || self.bdds.is_none(&self.sets[at][1]) {
                continue;
            }
            let set = self.sets[at][1].clone();
            if self.closed_at[at].as_ref().is_some_and(|(s, epoch)| *epoch == self.epoch && *s == set) {
                continue;
            }
            let sees_all = self.sees_all[at] || !self.options.partial_order;
            if sees_all && self.closed.contains(&set) {
                self.closed_at[at] = Some((set, self.epoch));
                continue;
            }
            let changed = self.close(at, sees_all)?;
            let set = self.sets[at][1].clone();
            if sees_all {
                self.closed.insert(set.clone());
            }
            self.closed_at[at] = Some((set, self.epoch));
            if changed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Closes one location under all relations; whether it grew.
    ///
    /// A relation that only writes variables which the set does not depend on leads from the set into the set.
    fn close(&mut self, at: usize, sees_all: bool) -> Result<bool, Stop> {
        let mut changed = false;
        let mut support = self.bdds.support(&self.sets[at][1]);
        loop {
            let mut again = false;
            for r in 0..self.relations.len() {
                let relation = &self.relations[r];
                let depends = relation.written.iter().any(|v| support[*v as usize]);
                if !(relation.passive || sees_all && depends) {
                    continue;
                }
                let bdds = &self.bdds;
                let after = bdds.and_exists(&self.sets[at][1], &relation.steps, &relation.quantified)?;
                let after = bdds.rename(&after, &relation.renaming)?;
                if self.add(at, 1, &after, Cause::Other(r))? {
                    again = true;
                    support = self.bdds.support(&self.sets[at][1]);
                }
            }
            changed |= again;
            if !again {
                return Ok(changed);
            }
        }
    }
}
