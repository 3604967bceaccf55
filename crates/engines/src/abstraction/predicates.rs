//! Predicates: what is observed of a state, and where candidates come from.
//!
//! A predicate is over shared cells alone, over cells and the locals of one thread (a *mixed* one changes when others move), or
//! over two threads. Its term has the template's variables; the locals of the second thread have the role [`OTHER`].
//!
//! **Candidates** come in tiers, cheap and telling ones first: atoms of guards and checks; what loads and stores relate;
//! constants; orders of variables that occur together; equality of what two threads took from one counter; weakest preconditions.

use heddle_base::{Budget, Id, IndexVec, Stop, define_id};
use heddle_ir::Ty;
use heddle_solver::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::template::{ClassId, Effect, LocId, Scope, Template, VarIx};

define_id!(
    /// A predicate.
    pub(super) PredId, "p"
);

/// Roles of threads in a term: the one that moves, up to two that do not, a new one, and the second one of a predicate over two.
pub(super) const MOVER: usize = 0;
pub(super) const NEW: usize = 3;
pub(super) const OTHER: usize = 4;

/// Candidates of one tier beyond this are dropped.
const MOST_CANDIDATES: usize = 400;

/// Whose variables a predicate mentions beside cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum PredScope {
    Shared,
    Local(ClassId),
    /// The classes in order; of one class it is symmetric.
    Pair(ClassId, ClassId),
}

/// A predicate.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub(super) term: TermId,
    pub(super) scope: PredScope,
    /// Locals of the first and the second thread.
    pub(super) locals: [Vec<VarIx>; 2],
    pub(super) tier: u8,
}

/// The variables of locals in other roles.
#[derive(Default)]
pub(super) struct Roles {
    vars: FxHashMap<(VarIx, usize), TermId>,
    /// The variable behind a term of the role [`OTHER`].
    pub(super) others: FxHashMap<TermId, VarIx>,
    done: FxHashMap<(TermId, usize, usize), TermId>,
}

impl Roles {
    /// The term of a local in a role.
    pub(super) fn var(&mut self, template: &Template, terms: &mut Terms, var: VarIx, role: usize) -> TermId {
        if role == MOVER || template.vars[var].scope == Scope::Shared {
            return template.vars[var].term;
        }
        let sort = terms.sort(template.vars[var].term);
        let term = *self.vars.entry((var, role)).or_insert_with(|| {
            terms.variable(&format!("{}~{}@{role}", template.vars[var].name, var.index()), sort).expect("a new name")
        });
        if role == OTHER {
            self.others.insert(term, var);
        }
        term
    }

    /// A predicate's term with its threads in given roles.
    pub(super) fn instance(
        &mut self,
        template: &Template,
        terms: &mut Terms,
        predicate: &Predicate,
        first: usize,
        second: usize,
    ) -> TermId {
        let key = (predicate.term, first, second);
        if let Some(&known) = self.done.get(&key) {
            return known;
        }
        let mut map = FxHashMap::default();
        for &var in &predicate.locals[0] {
            let to = self.var(template, terms, var, first);
            map.insert(template.vars[var].term, to);
        }
        for &var in &predicate.locals[1] {
            let (from, to) = (self.var(template, terms, var, OTHER), self.var(template, terms, var, second));
            map.insert(from, to);
        }
        let term = terms.substitute(predicate.term, &map);
        self.done.insert(key, term);
        term
    }
}

/// All candidates.
pub(super) struct Pool {
    pub(super) all: IndexVec<PredId, Predicate>,
    known: FxHashSet<TermId>,
}

impl Pool {
    pub(super) fn new(template: &Template, terms: &mut Terms, roles: &mut Roles) -> Self {
        let mut pool = Pool { all: IndexVec::new(), known: FxHashSet::default() };
        pool.atoms_of_edges(template, terms);
        pool.assignments(template, terms);
        pool.counters(template, terms, roles);
        pool.constants(template, terms);
        pool
    }

    /// Adds a candidate over one thread at most, unless it is trivial or known.
    pub(super) fn add(&mut self, template: &Template, terms: &mut Terms, term: TermId, tier: u8) -> Option<PredId> {
        let term = positive(terms, term);
        if terms.as_bool(term).is_some() || self.known.contains(&term) || !template.is_closed(terms, term) {
            return None;
        }
        let vars = template.vars_of(terms, &[term]);
        let mut class = None;
        let mut locals = Vec::new();
        for var in vars {
            match template.vars[var].scope {
                Scope::Shared => {}
                Scope::Local(c) if class.is_none() || class == Some(c) => {
                    class = Some(c);
                    locals.push(var);
                }
                Scope::Local(_) => return None,
            }
        }
        let scope = class.map_or(PredScope::Shared, PredScope::Local);
        self.known.insert(term);
        Some(self.all.push(Predicate { term, scope, locals: [locals, Vec::new()], tier }))
    }

    fn full(&self, tier: u8) -> bool {
        self.all.iter().filter(|p| p.tier == tier).count() >= MOST_CANDIDATES
    }

    fn atoms_of_edges(&mut self, template: &Template, terms: &mut Terms) {
        for edge in template.edges.iter() {
            let mut found = Vec::new();
            for term in template.edge_terms(edge) {
                atoms(terms, term, &mut found);
            }
            for atom in found {
                if !self.full(0) {
                    self.add(template, terms, atom, 0);
                }
            }
        }
    }

    /// What an edge makes equal.
    fn assignments(&mut self, template: &Template, terms: &mut Terms) {
        for edge in template.edges.iter() {
            let spawned = match &edge.effect {
                Effect::Spawn { locals, .. } => locals.as_slice(),
                Effect::None | Effect::Join { .. } => &[],
            };
            for &(var, value) in edge.updates.iter().chain(spawned) {
                let mine = template.vars[var].term;
                if terms.sort(mine) == Sort::Bool {
                    self.add(template, terms, mine, 1);
                    continue;
                }
                if !template.is_closed(terms, value) || terms.post_order(&[value]).len() > 6 {
                    continue;
                }
                let mixes = terms.variables_of(&[value]).iter().any(|v| terms.var_term(*v) == mine);
                let equal = terms.eq(mine, value);
                if !mixes && !self.full(1) {
                    self.add(template, terms, equal, 1);
                }
            }
            // Two variables whose values differ by a constant.
            for (i, a) in edge.updates.iter().enumerate() {
                for b in &edge.updates[i + 1..] {
                    let comparable = matches!(terms.sort(a.1), Sort::BitVec(_)) && terms.sort(a.1) == terms.sort(b.1);
                    if !comparable || terms.as_const(a.1).is_some() || terms.as_const(b.1).is_some() {
                        continue;
                    }
                    let apart = terms.sub(a.1, b.1);
                    if terms.as_const(apart).is_some() {
                        let shifted = terms.add(template.vars[b.0].term, apart);
                        let equal = terms.eq(template.vars[a.0].term, shifted);
                        self.add(template, terms, equal, 0);
                    }
                }
            }
        }
        for &(var, value) in &template.initial {
            let mine = template.vars[var].term;
            let equal = terms.eq(mine, value);
            self.add(template, terms, equal, 1);
        }
    }

    /// What two threads took from the same counter differs.
    fn counters(&mut self, template: &Template, terms: &mut Terms, roles: &mut Roles) {
        for edge in template.edges.iter() {
            let class = template.locations[edge.from].class;
            for &(var, value) in &edge.updates {
                if template.vars[var].scope != Scope::Local(class) || terms.sort(value) == Sort::Bool {
                    continue;
                }
                let from_written = template
                    .vars_of(terms, &[value])
                    .iter()
                    .any(|v| edge.updates.iter().any(|u| u.0 == *v && template.vars[*v].scope == Scope::Shared));
                if from_written {
                    self.add_equality(template, terms, roles, var, var, 1);
                }
            }
        }
        // Whom a join waits for.
        for edge in template.edges.iter() {
            let Effect::Join { handle } = edge.effect else { continue };
            for var in template.vars_of(terms, &[handle]) {
                for class in template.classes.iter() {
                    self.add_equality(template, terms, roles, var, class.handle, 1);
                }
            }
        }
        // The owner of a lock is a thread's number; a handle that is kept names a thread.
        for class in template.classes.iter() {
            for (var, state) in template.vars.iter_enumerated() {
                for own in [class.number, class.handle] {
                    let width = operand_width(template.vars[own].ty) == operand_width(state.ty);
                    let kept = var != own && state.ty == template.vars[own].ty && width;
                    let relevant = kept && state.scope == Scope::Shared && mentions_together(template, terms, var, own);
                    if relevant {
                        let equal = terms.eq(state.term, template.vars[own].term);
                        self.add(template, terms, equal, 1);
                    }
                }
            }
        }
    }

    fn add_equality(
        &mut self,
        template: &Template,
        terms: &mut Terms,
        roles: &mut Roles,
        first: VarIx,
        second: VarIx,
        tier: u8,
    ) {
        let (Scope::Local(a), Scope::Local(b)) = (template.vars[first].scope, template.vars[second].scope) else {
            return;
        };
        if a > b {
            return self.add_equality(template, terms, roles, second, first, tier);
        }
        let fits = terms.sort(template.vars[first].term) == terms.sort(template.vars[second].term);
        if !fits || a == b && first != second {
            return;
        }
        let other = roles.var(template, terms, second, OTHER);
        let term = terms.eq(template.vars[first].term, other);
        if self.known.insert(term) {
            let scope = PredScope::Pair(a, b);
            self.all.push(Predicate { term, scope, locals: [vec![first], vec![second]], tier });
        }
    }

    /// Comparisons with the constants that a variable meets.
    fn constants(&mut self, template: &Template, terms: &mut Terms) {
        let mut of_var: FxHashMap<VarIx, Vec<u64>> = FxHashMap::default();
        for predicate in self.all.iter() {
            let vars = template.vars_of(terms, &[predicate.term]);
            for term in terms.post_order(&[predicate.term]) {
                if let Some(value) = terms.as_const(term).and_then(heddle_solver::Bits::to_u64) {
                    for var in &vars {
                        let same = terms.sort(template.vars[*var].term) == terms.sort(term);
                        let list = of_var.entry(*var).or_default();
                        if same && !list.contains(&value) && list.len() < 6 {
                            list.push(value);
                        }
                    }
                }
            }
        }
        let mut vars: Vec<(VarIx, Vec<u64>)> = of_var.into_iter().collect();
        vars.sort();
        for (var, values) in vars {
            let mine = template.vars[var].term;
            let Sort::BitVec(width @ 1..=64) = terms.sort(mine) else { continue };
            if template.vars[var].ty == Ty::Ptr {
                continue;
            }
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            for value in values {
                for near in [value, value.wrapping_add(1) & mask, value.wrapping_sub(1) & mask] {
                    let constant = terms.bv(width, near);
                    let equal = terms.eq(mine, constant);
                    let (less, more) = (terms.slt(mine, constant), terms.slt(constant, mine));
                    for term in [equal, less, more] {
                        if !self.full(2) {
                            self.add(template, terms, term, 2);
                        }
                    }
                }
            }
        }
    }

    /// Orders between all of some variables.
    pub(super) fn relate(&mut self, template: &Template, terms: &mut Terms, vars: &[VarIx]) {
        for (i, &a) in vars.iter().enumerate() {
            for &b in &vars[i + 1..] {
                let (x, y) = (template.vars[a].term, template.vars[b].term);
                let ordered = matches!(terms.sort(x), Sort::BitVec(_)) && terms.sort(x) == terms.sort(y);
                if !ordered || template.vars[a].ty.is_float() {
                    continue;
                }
                let equal = terms.eq(x, y);
                self.add(template, terms, equal, 3);
                if template.vars[a].ty != Ty::Ptr {
                    let all = [terms.slt(x, y), terms.slt(y, x), terms.ult(x, y), terms.ult(y, x)];
                    for term in all {
                        self.add(template, terms, term, 3);
                    }
                }
            }
        }
    }

    /// Weakest preconditions of candidates through the edges of a failing derivation.
    pub(super) fn weakest_preconditions(
        &mut self,
        template: &Template,
        terms: &mut Terms,
        edges: &[super::template::EdgeId],
        tier: u8,
        budget: &Budget,
    ) -> Result<usize, Stop> {
        let before = self.all.len();
        let candidates: Vec<Predicate> = self.all.iter().filter(|p| p.locals[1].is_empty()).cloned().collect();
        for &edge in edges {
            budget.check()?;
            let edge = &template.edges[edge];
            let map: FxHashMap<TermId, TermId> =
                edge.updates.iter().map(|&(var, value)| (template.vars[var].term, value)).collect();
            for predicate in &candidates {
                let term = terms.substitute(predicate.term, &map);
                if term == predicate.term || terms.post_order(&[term]).len() > 12 {
                    continue;
                }
                let mut found = Vec::new();
                atoms(terms, term, &mut found);
                for atom in found {
                    if !self.full(tier) {
                        self.add(template, terms, atom, tier);
                    }
                }
            }
        }
        Ok(self.all.len() - before)
    }
}

fn operand_width(ty: Ty) -> Option<u32> {
    ty.int_bits()
}

/// Whether some edge relates a cell with a local.
fn mentions_together(template: &Template, terms: &Terms, cell: VarIx, local: VarIx) -> bool {
    template.edges.iter().any(|edge| {
        let mut all = template.vars_of(terms, &template.edge_terms(edge));
        all.extend(edge.updates.iter().map(|u| u.0));
        let handle = matches!(edge.effect, Effect::Spawn { .. } | Effect::Join { .. });
        all.contains(&cell) && (all.contains(&local) || handle)
    })
}

/// A term or its negation, whichever is no negation.
fn positive(terms: &Terms, term: TermId) -> TermId {
    match terms.op(term) {
        Op::Not => terms.args(term)[0],
        _ => term,
    }
}

/// The comparisons that a term is made of.
pub(super) fn atoms(terms: &Terms, term: TermId, found: &mut Vec<TermId>) {
    let mut seen = FxHashSet::default();
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        let is_bool = terms.sort(term) == Sort::Bool;
        let connects = match terms.op(term) {
            Op::Not | Op::And => true,
            Op::Ite => true,
            Op::Eq => terms.sort(args[0]) == Sort::Bool,
            _ => false,
        };
        if is_bool && !connects && terms.as_bool(term).is_none() {
            found.push(term);
        }
        todo.extend(args);
    }
}

/// Whether a predicate can be told of a thread at a location.
pub(super) fn is_live(template: &Template, locals: &[VarIx], at: LocId) -> bool {
    let live = &template.locations[at].live;
    locals.iter().all(|var| live.binary_search(var).is_ok())
}
