//! Refinement: which predicates rule out a derivation of an error, [BOOLPROG §5, eq. 13–14].
//!
//! All tuples of the derivation get variables of their own. A tuple and what it was derived from are tied together by
//! candidate predicates alone: each has the same value on both sides if its selector holds. If no model is left, the selectors of an
//! unsatisfiable core are the predicates to add. If the current predicates do not rule it out and all candidates together do
//! not either, weakest preconditions give more candidates.

use std::rc::Rc;

use heddle_base::Budget;
use heddle_solver::{Answer, Solver, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::post::{Active, Context, Failed};
use super::predicates::{MOVER, NEW, OTHER, Pool, PredId, PredScope, Predicate, is_live};
use super::reach::{Bad, Derivation, Reached, ThreadState, Tuple};
use super::template::{EdgeId, Effect, Scope, VarIx};

/// What refinement found.
pub(super) enum Refined {
    /// Predicates to add.
    Add(Vec<PredId>),
    /// No candidate helps.
    Nothing,
}

/// The variables of one tuple of a derivation.
#[derive(Clone, Default)]
struct Copy {
    shared: FxHashMap<VarIx, TermId>,
    locals: [FxHashMap<VarIx, TermId>; 2],
}

/// Values of the variables of threads by role.
#[derive(Clone, Default)]
struct Scene {
    shared: FxHashMap<VarIx, TermId>,
    locals: [FxHashMap<VarIx, TermId>; 4],
    at: [Option<super::template::LocId>; 4],
}

pub(super) struct Refiner<'a, 'c> {
    pub(super) context: &'a mut Context<'c>,
    pub(super) pool: &'a mut Pool,
    pub(super) active: &'a Active,
    pub(super) reached: &'a Reached,
    copies: Vec<Copy>,
    /// Nodes of a derivation's tree that are told apart.
    most_nodes: usize,
    formula: Vec<TermId>,
    /// Scenes in which the predicates over these roles agree.
    tied: Vec<(Rc<Scene>, Rc<Scene>, [usize; 2])>,
    edges: Vec<EdgeId>,
    /// The variables that matter.
    core: Vec<VarIx>,
    serial: usize,
}

/// The predicates of the pool, up to a tier, in the solver of one refinement.
const TIERS: u8 = 6;
/// Variables that are few enough to look at all predicates over them.
const ENOUGH: usize = 10;

impl<'a, 'c> Refiner<'a, 'c> {
    pub(super) fn new(
        context: &'a mut Context<'c>,
        pool: &'a mut Pool,
        active: &'a Active,
        reached: &'a Reached,
        most_nodes: usize,
    ) -> Self {
        Refiner {
            context,
            pool,
            active,
            reached,
            copies: Vec::new(),
            most_nodes,
            formula: Vec::new(),
            tied: Vec::new(),
            edges: Vec::new(),
            core: Vec::new(),
            serial: 0,
        }
    }

    /// The predicates that rule out the derivation of an error.
    pub(super) fn run(&mut self, bad: Bad) -> Result<Refined, Failed> {
        for round in 0..3 {
            self.copies.clear();
            self.formula.clear();
            self.tied.clear();
            self.edges.clear();
            self.build(bad)?;
            if round == 0 {
                let Some(core) = self.core_variables()? else { return Ok(Refined::Nothing) };
                self.pool.relate(self.context.template, self.context.terms, &core);
                self.core = core;
            }
            if let Some(found) = self.solve()? {
                return Ok(Refined::Add(found));
            }
            let edges = std::mem::take(&mut self.edges);
            let template = self.context.template;
            let budget: &Budget = self.context.budget;
            let tier = 4 + round;
            let more = self
                .pool
                .weakest_preconditions(template, self.context.terms, &edges, tier, budget)
                .map_err(Failed::Stop)?;
            if more == 0 {
                break;
            }
        }
        Ok(Refined::Nothing)
    }

    /// A derivation is a tree: each use of a tuple may have another history. Beyond a number of nodes uses share one.
    fn build(&mut self, bad: Bad) -> Result<(), Failed> {
        let mut left = self.most_nodes;
        let mut shared = FxHashMap::default();
        let root = self.expand(bad.tuple, &mut left, &mut shared)?;
        let tuple = self.reached.tuples[bad.tuple];
        let scene = self.scene_own(root, tuple, bad.swapped);
        self.take(&scene, bad.edge);
        Ok(())
    }

    /// A node for a tuple, parents first.
    fn expand(
        &mut self,
        tuple: usize,
        left: &mut usize,
        shared: &mut FxHashMap<usize, usize>,
    ) -> Result<usize, Failed> {
        // Parents before children, without recursion: chains can be long.
        struct Open {
            tuple: usize,
            parents: Vec<usize>,
        }
        let parents_of = |tuple: usize| match self.reached.derivations[tuple] {
            Derivation::Start => Vec::new(),
            Derivation::Own { parent, .. } => vec![parent],
            Derivation::Third { parent, with_first, with_second, .. } => vec![parent, with_first, with_second],
        };
        let mut stack = vec![Open { tuple, parents: Vec::new() }];
        let mut result = None;
        while let Some(top) = stack.last_mut() {
            if let Some(node) = result.take() {
                top.parents.push(node);
            }
            let wanted = parents_of(top.tuple);
            if let Some(&next) = wanted.get(top.parents.len()) {
                match shared.get(&next) {
                    Some(&node) if *left == 0 => result = Some(node),
                    _ => stack.push(Open { tuple: next, parents: Vec::new() }),
                }
                continue;
            }
            let Some(done) = stack.pop() else { break };
            self.context.budget.check().map_err(Failed::Stop)?;
            let node = self.copies.len();
            let copy = self.copy(self.reached.tuples[done.tuple]);
            self.copies.push(copy);
            *left = left.saturating_sub(1);
            shared.insert(done.tuple, node);
            self.derive(done.tuple, node, &done.parents);
            result = Some(node);
        }
        Ok(result.expect("the last node is the root"))
    }

    fn fresh(&mut self, of: TermId) -> TermId {
        self.serial += 1;
        let sort = self.context.terms.sort(of);
        self.context.terms.fresh("state", sort).expect("a sort")
    }

    fn copy(&mut self, tuple: Tuple) -> Copy {
        let template = self.context.template;
        let mut copy = Copy::default();
        for (var, state) in template.vars.iter_enumerated() {
            if state.scope == Scope::Shared {
                let term = self.fresh(state.term);
                copy.shared.insert(var, term);
            }
        }
        for (i, state) in [Some(tuple.first), tuple.second].into_iter().flatten().enumerate() {
            for &var in &template.locations[state.at].live {
                let term = self.fresh(template.vars[var].term);
                copy.locals[i].insert(var, term);
            }
        }
        copy
    }

    fn scene_own(&self, at: usize, tuple: Tuple, swapped: bool) -> Scene {
        let copy = &self.copies[at];
        let mut scene = Scene { shared: copy.shared.clone(), ..Scene::default() };
        let (mover, other) = if swapped { (1, 0) } else { (0, 1) };
        let states = [Some(tuple.first), tuple.second];
        scene.locals[MOVER] = copy.locals[mover].clone();
        scene.locals[1] = copy.locals[other].clone();
        scene.at[MOVER] = states[mover].map(|s| s.at);
        scene.at[1] = states[other].map(|s| s.at);
        scene
    }

    /// The variables of a tuple are those after its last step, as far as predicates tell.
    fn derive(&mut self, tuple: usize, node: usize, parents: &[usize]) {
        let at = node;
        let derivation = self.reached.derivations[tuple].clone();
        let tuple = self.reached.tuples[tuple];
        match derivation {
            Derivation::Start => {
                let copy = self.copies[at].clone();
                for &(var, value) in &self.context.template.initial {
                    let mine = copy.shared.get(&var).or_else(|| copy.locals[0].get(&var));
                    if let Some(&mine) = mine {
                        let equal = self.context.terms.eq(mine, value);
                        self.formula.push(equal);
                    }
                }
            }
            Derivation::Own { parent, swapped, edge, roles } => {
                let scene = self.scene_own(parents[0], self.reached.tuples[parent], swapped);
                let after = self.take(&scene, edge);
                self.tie_result(&after, at, tuple, roles);
            }
            Derivation::Third { parent, with_first, with_second, edge, who: [mover, x, y], roles } => {
                let copy = self.copies[parents[0]].clone();
                let order = slots_of(self.reached.tuples[parent], x, y);
                // Roles 1 and 2 are the threads that `with_first` and `with_second` pair the mover with.
                let first = slots_of(self.reached.tuples[with_first], x, mover);
                let second = slots_of(self.reached.tuples[with_second], y, mover);
                let mut scene = Scene { shared: copy.shared.clone(), ..Scene::default() };
                scene.locals[1] = copy.locals[order[0]].clone();
                scene.locals[2] = copy.locals[order[1]].clone();
                scene.locals[MOVER] = self.copies[parents[1]].locals[first[1]].clone();
                scene.at = [Some(mover.at), Some(x.at), Some(y.at), None];
                self.tie_parent(&scene, parents[1], 1, first[0]);
                self.tie_parent(&scene, parents[2], 2, second[0]);
                let after = self.take(&scene, edge);
                self.tie_result(&after, at, tuple, roles);
            }
        }
    }

    /// A known pair of the mover and another one agrees with the scene.
    fn tie_parent(&mut self, scene: &Scene, pair: usize, role: usize, slot: usize) {
        let copy = self.copies[pair].clone();
        let mut seen = Scene { shared: copy.shared.clone(), ..Scene::default() };
        seen.at = scene.at;
        seen.locals[role] = copy.locals[slot].clone();
        seen.locals[MOVER] = copy.locals[1 - slot].clone();
        self.tie(scene, &seen, [MOVER, role]);
    }

    fn tie_result(&mut self, after: &Scene, at: usize, tuple: Tuple, roles: [usize; 2]) {
        let copy = self.copies[at].clone();
        let mut seen = Scene { shared: copy.shared.clone(), ..Scene::default() };
        seen.locals[roles[0]] = copy.locals[0].clone();
        seen.at[roles[0]] = Some(tuple.first.at);
        if let Some(second) = tuple.second {
            seen.locals[roles[1]] = copy.locals[1].clone();
            seen.at[roles[1]] = Some(second.at);
        }
        let mut after = after.clone();
        after.at = seen.at;
        self.tie(&after, &seen, roles);
    }

    /// Predicates of two roles have one value in both scenes.
    fn tie(&mut self, a: &Scene, b: &Scene, roles: [usize; 2]) {
        self.tied.push((Rc::new(a.clone()), Rc::new(b.clone()), roles));
    }

    /// Holds if a predicate has one value wherever scenes are tied.
    fn agrees(&mut self, predicate: &Predicate) -> TermId {
        let template = self.context.template;
        let mut all = Vec::new();
        for (a, b, roles) in self.tied.clone() {
            let mut ways: Vec<(usize, usize)> = Vec::new();
            match predicate.scope {
                PredScope::Shared => ways.push((0, 0)),
                PredScope::Local(class) => {
                    for role in unique(roles) {
                        let Some(at) = a.at[role] else { continue };
                        if template.locations[at].class == class && is_live(template, &predicate.locals[0], at) {
                            ways.push((role, role));
                        }
                    }
                }
                PredScope::Pair(c, d) => {
                    let (Some(x), Some(y)) = (a.at[roles[0]], a.at[roles[1]]) else { continue };
                    if roles[0] == roles[1] {
                        continue;
                    }
                    let classes = (template.locations[x].class, template.locations[y].class);
                    let order = if classes == (c, d) {
                        [0, 1]
                    } else if classes == (d, c) {
                        [1, 0]
                    } else {
                        continue;
                    };
                    let ats = [x, y];
                    let live = is_live(template, &predicate.locals[0], ats[order[0]])
                        && is_live(template, &predicate.locals[1], ats[order[1]]);
                    if live {
                        ways.push((roles[order[0]], roles[order[1]]));
                    }
                }
            }
            for (first, second) in ways {
                let (Some(x), Some(y)) =
                    (self.value(predicate, &a, first, second), self.value(predicate, &b, first, second))
                else {
                    continue;
                };
                let same = self.context.terms.eq(x, y);
                if same != Terms::TRUE {
                    all.push(same);
                }
            }
        }
        self.context.terms.and_all(&all)
    }

    /// A predicate's term in a scene.
    fn value(&mut self, predicate: &Predicate, scene: &Scene, first: usize, second: usize) -> Option<TermId> {
        let template = self.context.template;
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for var in template.vars_of(self.context.terms, &[predicate.term]) {
            if template.vars[var].scope == Scope::Shared {
                map.insert(template.vars[var].term, scene.shared[&var]);
            }
        }
        for &var in &predicate.locals[0] {
            map.insert(template.vars[var].term, *scene.locals[first].get(&var)?);
        }
        for &var in &predicate.locals[1] {
            let other = self.context.roles.var(template, self.context.terms, var, OTHER);
            map.insert(other, *scene.locals[second].get(&var)?);
        }
        Some(self.context.terms.substitute(predicate.term, &map))
    }

    /// The scene after an edge; what the edge needs is added to the formula.
    fn take(&mut self, scene: &Scene, edge: EdgeId) -> Scene {
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
        let template = self.context.template;
        let edge = &template.edges[edge];
        let roots = template.edge_terms(edge);
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for var in template.vars_of(self.context.terms, &roots) {
            let known = match template.vars[var].scope {
                Scope::Shared => scene.shared.get(&var),
                Scope::Local(_) => scene.locals[MOVER].get(&var),
            };
            if let Some(&known) = known {
                map.insert(template.vars[var].term, known);
            }
        }
        for any in template.arbitrary_of(self.context.terms, &roots) {
            let fresh = self.fresh(any);
            map.insert(any, fresh);
        }
        let guard = self.context.terms.substitute(edge.guard, &map);
        self.formula.push(guard);
        let mut after = scene.clone();
        for &(var, value) in &edge.updates {
            let value = self.context.terms.substitute(value, &map);
            match template.vars[var].scope {
                Scope::Shared => after.shared.insert(var, value),
                Scope::Local(_) => after.locals[MOVER].insert(var, value),
            };
        }
        match &edge.effect {
            Effect::None => {}
            Effect::Spawn { class, locals } => {
                for &(var, value) in locals {
                    let value = self.context.terms.substitute(value, &map);
                    after.locals[NEW].insert(var, value);
                }
                for &var in &template.locations[template.classes[*class].start].live {
                    let any = self.fresh(template.vars[var].term);
                    after.locals[NEW].entry(var).or_insert(any);
                }
                after.at[NEW] = Some(template.classes[*class].start);
            }
            Effect::Join { handle } => {
                let handle = self.context.terms.substitute(*handle, &map);
                for role in [1, 2] {
                    let Some(at) = scene.at[role] else { continue };
                    let of = template.classes[template.locations[at].class].handle;
                    if let Some(&theirs) = scene.locals[role].get(&of)
                        && template.tracks_joins
                        && !template.locations[at].end
                    {
                        let differs = self.context.terms.ne(handle, theirs);
                        self.formula.push(differs);
                    }
                }
            }
        }
        self.identities(&after);
        // Locals that come to life with an arbitrary value.
        if let super::template::Target::At(to) = edge.to {
            for &var in &template.locations[to].live {
                let any = self.fresh(template.vars[var].term);
                after.locals[MOVER].entry(var).or_insert(any);
            }
            after.at[MOVER] = Some(to);
        }
        after
    }

    /// Threads differ in their numbers and handles.
    fn identities(&mut self, scene: &Scene) {
        let template = self.context.template;
        let mut numbers = Vec::new();
        let mut handles = Vec::new();
        for role in 0..4 {
            let Some(at) = scene.at[role] else { continue };
            let class = &template.classes[template.locations[at].class];
            numbers.extend(scene.locals[role].get(&class.number).copied());
            handles.extend(scene.locals[role].get(&class.handle).copied());
        }
        for (list, positive) in [(numbers, true), (handles, false)] {
            for (i, &a) in list.iter().enumerate() {
                if positive {
                    let zero = self.context.terms.default_of(self.context.terms.sort(a));
                    let positive = self.context.terms.slt(zero, a);
                    self.formula.push(positive);
                }
                let zero = self.context.terms.default_of(self.context.terms.sort(a));
                let given = self.context.terms.ne(a, zero);
                self.formula.push(given);
                for &b in &list[i + 1..] {
                    let differ = self.context.terms.ne(a, b);
                    self.formula.push(differ);
                }
            }
        }
    }

    /// The variables that must be known for the derivation to be ruled out; none if all together do not suffice.
    fn core_variables(&mut self) -> Result<Option<Vec<VarIx>>, Failed> {
        let mut ties: FxHashMap<VarIx, Vec<TermId>> = FxHashMap::default();
        for (a, b, roles) in self.tied.clone() {
            for (&var, &x) in &a.shared {
                let same = self.context.terms.eq(x, b.shared[&var]);
                ties.entry(var).or_default().push(same);
            }
            for role in unique(roles) {
                for (&var, &x) in &a.locals[role] {
                    if let Some(&y) = b.locals[role].get(&var) {
                        let same = self.context.terms.eq(x, y);
                        ties.entry(var).or_default().push(same);
                    }
                }
            }
        }
        let mut vars: Vec<(VarIx, TermId)> = Vec::new();
        for (var, all) in ties {
            let all = self.context.terms.and_all(&all);
            if all != Terms::TRUE {
                vars.push((var, all));
            }
        }
        vars.sort_unstable_by_key(|v| v.0);
        let mut solver = self.solver();
        let mut kept: Vec<(VarIx, TermId)> = Vec::new();
        for (var, all) in vars {
            let selector = self.context.terms.fresh("exact", Sort::Bool).expect("a sort");
            let clause = self.context.terms.implies(selector, all);
            solver.assert(self.context.terms, clause).expect("a Boolean term");
            kept.push((var, selector));
        }
        let all: Vec<TermId> = kept.iter().map(|k| k.1).collect();
        match solver.solve(self.context.terms, &all, self.context.budget).expect("Boolean terms") {
            Answer::Sat(_) => return Ok(None),
            Answer::Unknown(stop) => return Err(Failed::Stop(stop)),
            Answer::Unsat(core) => kept.retain(|k| core.assumptions.contains(&k.1)),
        }
        let mut at = 0;
        // A few more leave a choice of predicates.
        while at < kept.len() && kept.len() > ENOUGH {
            let without: Vec<TermId> = kept.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, k)| k.1).collect();
            match solver.solve(self.context.terms, &without, self.context.budget).expect("Boolean terms") {
                Answer::Sat(_) => at += 1,
                Answer::Unknown(stop) => return Err(Failed::Stop(stop)),
                Answer::Unsat(_) => drop(kept.remove(at)),
            }
        }
        Ok(Some(kept.into_iter().map(|k| k.0).collect()))
    }

    /// Whether a predicate is about variables that matter.
    fn matters(&self, predicate: &Predicate) -> bool {
        let template = self.context.template;
        let all = predicate.locals.iter().flatten().copied();
        let vars = template.vars_of(self.context.terms, &[predicate.term]);
        all.chain(vars).all(|var| self.core.contains(&var))
    }

    /// The predicates of a core, if the candidates rule the derivation out.
    fn solve(&mut self) -> Result<Option<Vec<PredId>>, Failed> {
        for id in self.active.all.clone() {
            let predicate = self.pool.all[id].clone();
            let agrees = self.agrees(&predicate);
            self.formula.push(agrees);
        }
        let mut solver = self.solver();
        let mut selectors: Vec<(PredId, TermId)> = Vec::new();
        let mut ties: FxHashMap<PredId, TermId> = FxHashMap::default();
        for tier in 0..=TIERS {
            let ids: Vec<PredId> = self.pool.all.ids().filter(|&id| self.pool.all[id].tier == tier).collect();
            let before = selectors.len();
            for id in ids {
                if self.active.all.contains(&id) {
                    continue;
                }
                self.context.budget.check().map_err(Failed::Stop)?;
                let predicate = self.pool.all[id].clone();
                if !self.matters(&predicate) {
                    continue;
                }
                let agrees = self.agrees(&predicate);
                if agrees == Terms::TRUE {
                    continue;
                }
                let selector = self.context.terms.fresh("use", Sort::Bool).expect("a sort");
                let clause = self.context.terms.implies(selector, agrees);
                solver.assert(self.context.terms, clause).expect("a Boolean term");
                selectors.push((id, selector));
                ties.insert(id, agrees);
            }
            if tier > 0 && selectors.len() == before {
                continue;
            }
            let assumed: Vec<TermId> = selectors.iter().map(|s| s.1).collect();
            match solver.solve(self.context.terms, &assumed, self.context.budget).expect("Boolean terms") {
                Answer::Sat(_) => {}
                Answer::Unknown(stop) => return Err(Failed::Stop(stop)),
                Answer::Unsat(core) => {
                    let in_core = |s: &&(PredId, TermId)| core.assumptions.contains(&s.1);
                    let core: Vec<PredId> = selectors.iter().filter(in_core).map(|s| s.0).collect();
                    return self.minimise(core, &ties).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn solver(&self) -> Solver {
        let mut solver = Solver::new();
        for &term in &self.formula {
            solver.assert(self.context.terms, term).expect("a Boolean term");
        }
        solver
    }

    /// Leaves out what is not needed, in a solver that knows nothing but the core.
    fn minimise(&mut self, core: Vec<PredId>, ties: &FxHashMap<PredId, TermId>) -> Result<Vec<PredId>, Failed> {
        let mut solver = self.solver();
        let mut kept: Vec<(PredId, TermId)> = Vec::new();
        for id in core {
            let selector = self.context.terms.fresh("use", Sort::Bool).expect("a sort");
            let clause = self.context.terms.implies(selector, ties[&id]);
            solver.assert(self.context.terms, clause).expect("a Boolean term");
            kept.push((id, selector));
        }
        // Those that cost most are tried first.
        let cost = |p: &Predicate| (p.tier, matches!(p.scope, PredScope::Pair(..)), p.locals[0].len());
        kept.sort_by_key(|k| std::cmp::Reverse(cost(&self.pool.all[k.0])));
        let mut at = 0;
        while at < kept.len() {
            let without: Vec<TermId> = kept.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, k)| k.1).collect();
            match solver.solve(self.context.terms, &without, self.context.budget).expect("Boolean terms") {
                Answer::Sat(_) => at += 1,
                Answer::Unknown(stop) => return Err(Failed::Stop(stop)),
                Answer::Unsat(core) => {
                    let done: Vec<PredId> = kept[..at].iter().map(|k| k.0).collect();
                    kept.retain(|k| core.assumptions.contains(&k.1));
                    at = kept.iter().take_while(|k| done.contains(&k.0)).count();
                }
            }
        }
        Ok(kept.into_iter().map(|k| k.0).collect())
    }
}

/// Where two thread states stand in a pair.
fn slots_of(tuple: Tuple, a: ThreadState, b: ThreadState) -> [usize; 2] {
    if tuple.first == a && tuple.second == Some(b) { [0, 1] } else { [1, 0] }
}

fn unique(roles: [usize; 2]) -> Vec<usize> {
    if roles[0] == roles[1] { vec![roles[0]] } else { roles.to_vec() }
}
