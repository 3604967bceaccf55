//! Abstract posts: what an edge can do to the values of predicates, exactly, by SAT, [BOOLPROG §5].
//!
//! A [`View`] has the values of all predicates of the threads at hand: the one that moves, up to two others, one that is started.
//! For an edge and the places of the others it is fixed which predicates can matter (they share variables with the edge,
//! directly or through other predicates) and which can change; all others stay as they are. The rest is a query: the values
//! before are assumed, all values after are enumerated, and the answer is kept.

use std::rc::Rc;

use heddle_base::{Budget, Id, Stop};
use heddle_solver::{Answer, Lit, SatAnswer, Solver, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::orders;
use super::predicates::{MOVER, NEW, PredId, PredScope, Predicate, Roles, is_live};
use super::template::{ClassId, EdgeId, Effect, LocId, Scope, Target, Template};

/// Values of predicates: shared ones, those of the threads by role, those of two threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct View {
    pub(super) shared: u64,
    pub(super) local: [u64; 4],
    /// By [`pair_index`].
    pub(super) pair: [u64; 6],
}

/// The place of two roles in [`View::pair`].
pub(super) fn pair_index(a: usize, b: usize) -> usize {
    match (a.min(b), a.max(b)) {
        (0, 1) => 0,
        (0, 2) => 1,
        (0, 3) => 2,
        (1, 2) => 3,
        (1, 3) => 4,
        _ => 5,
    }
}

/// The predicates in use.
pub(super) struct Active {
    pub(super) all: Vec<PredId>,
    pub(super) shared: Vec<Predicate>,
    pub(super) local: Vec<Vec<Predicate>>,
    pub(super) pair: FxHashMap<(ClassId, ClassId), Vec<Predicate>>,
}

impl Active {
    pub(super) fn new(template: &Template) -> Self {
        Active {
            all: Vec::new(),
            shared: Vec::new(),
            local: vec![Vec::new(); template.classes.len()],
            pair: FxHashMap::default(),
        }
    }

    /// Whether there is room for it and it was not there.
    pub(super) fn add(&mut self, id: PredId, predicate: &Predicate) -> bool {
        if self.all.contains(&id) {
            return false;
        }
        let list = match predicate.scope {
            PredScope::Shared => &mut self.shared,
            PredScope::Local(class) => &mut self.local[class.index()],
            PredScope::Pair(a, b) => self.pair.entry((a, b)).or_default(),
        };
        if list.len() >= 60 {
            return false;
        }
        list.push(predicate.clone());
        self.all.push(id);
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Shared(usize),
    Local(usize, usize),
    Pair(usize, usize),
}

impl Slot {
    fn get(self, view: &View) -> bool {
        match self {
            Slot::Shared(bit) => view.shared >> bit & 1 == 1,
            Slot::Local(role, bit) => view.local[role] >> bit & 1 == 1,
            Slot::Pair(pair, bit) => view.pair[pair] >> bit & 1 == 1,
        }
    }

    fn set(self, view: &mut View, value: bool) {
        let (word, bit) = match self {
            Slot::Shared(bit) => (&mut view.shared, bit),
            Slot::Local(role, bit) => (&mut view.local[role], bit),
            Slot::Pair(pair, bit) => (&mut view.pair[pair], bit),
        };
        *word = *word & !(1 << bit) | u64::from(value) << bit;
    }
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// A value before, perhaps negated.
    Same(Slot, bool),
    Constant(bool),
    /// A value that the solver gives, by its position.
    Asked(usize),
}

/// What is asked for an edge and places of others.
struct Shape {
    outputs: Vec<(Slot, Source)>,
    inputs: Vec<Slot>,
    query: usize,
    /// Whether nothing changes for those who do not move.
    idle: bool,
}

/// What the answers depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    edge: EdgeId,
    extra: Vec<TermId>,
    inputs: Vec<TermId>,
    asked: Vec<TermId>,
}

type Answers = Rc<Vec<u128>>;

/// Who is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move {
    pub(super) edge: EdgeId,
    /// Where the others are.
    pub(super) others: [Option<LocId>; 2],
    /// Whether only the others are asked about.
    pub(super) outside: bool,
}

/// Posts of all edges.
#[derive(Default)]
pub(super) struct Posts {
    shapes: FxHashMap<Move, Rc<Shape>>,
    questions: FxHashMap<Question, usize>,
    texts: Vec<Question>,
    answers: FxHashMap<(usize, u128), Answers>,
    /// By question: a solver that knows more would assign more in every answer.
    solvers: FxHashMap<usize, Solver>,
    pub(super) queries: u64,
}

/// All that posts are made of.
pub(super) struct Context<'a> {
    pub(super) template: &'a Template,
    pub(super) terms: &'a mut Terms,
    pub(super) roles: &'a mut Roles,
    pub(super) budget: &'a Budget,
}

/// Why a post cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failed {
    Stop(Stop),
    TooMany,
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        Failed::Stop(stop)
    }
}

impl Posts {
    /// Forgets what depends on the set of predicates; answers stay valid.
    pub(super) fn predicates_changed(&mut self) {
        self.shapes.clear();
    }

    /// The views after a move. The mover's part of a view is that at the edge's target.
    pub(super) fn after(
        &mut self,
        context: &mut Context<'_>,
        active: &Active,
        step: Move,
        before: &View,
    ) -> Result<Vec<View>, Failed> {
        let shape = match self.shapes.get(&step) {
            Some(shape) => Rc::clone(shape),
            None => {
                let shape = Rc::new(self.shape(context, active, step)?);
                self.shapes.insert(step, Rc::clone(&shape));
                shape
            }
        };
        let mut key = 0u128;
        for (i, slot) in shape.inputs.iter().enumerate() {
            key |= u128::from(slot.get(before)) << i;
        }
        let answers = match self.answers.get(&(shape.query, key)) {
            Some(known) => Rc::clone(known),
            None => {
                let answers = Rc::new(self.ask(context, shape.query, key)?);
                self.answers.insert((shape.query, key), Rc::clone(&answers));
                answers
            }
        };
        Ok(answers
            .iter()
            .map(|answer| {
                let mut view = View::default();
                for &(slot, source) in &shape.outputs {
                    let value = match source {
                        Source::Same(from, negated) => from.get(before) != negated,
                        Source::Constant(value) => value,
                        Source::Asked(i) => answer >> i & 1 == 1,
                    };
                    slot.set(&mut view, value);
                }
                view
            })
            .collect())
    }

    /// Whether a move changes nothing for the others.
    pub(super) fn is_idle(&mut self, context: &mut Context<'_>, active: &Active, step: Move) -> Result<bool, Failed> {
        if let Some(shape) = self.shapes.get(&step) {
            return Ok(shape.idle);
        }
        let shape = Rc::new(self.shape(context, active, step)?);
        let idle = shape.idle;
        self.shapes.insert(step, shape);
        Ok(idle)
    }

    /// Which predicates matter for a move.
    fn shape(&mut self, context: &mut Context<'_>, active: &Active, step: Move) -> Result<Shape, Failed> {
        let template = context.template;
        let edge = &template.edges[step.edge];
        let before: Vec<(usize, LocId)> = std::iter::once((MOVER, edge.from))
            .chain(step.others.iter().enumerate().filter_map(|(i, at)| at.map(|at| (i + 1, at))))
            .collect();
        let mut after: Vec<(usize, LocId)> = before.iter().copied().filter(|&(role, _)| role != MOVER).collect();
        match (&edge.to, step.outside) {
            (Target::At(to), false) => after.insert(0, (MOVER, *to)),
            (Target::At(_), true) => {}
            (Target::Error(_) | Target::Exit, _) => after.clear(),
        }
        let mut changes: FxHashMap<TermId, TermId> =
            edge.updates.iter().map(|&(var, value)| (template.vars[var].term, value)).collect();
        if let Effect::Spawn { class, locals } = &edge.effect
            && !step.outside
            && matches!(edge.to, Target::At(_))
        {
            after.push((NEW, template.classes[*class].start));
            for &(var, value) in locals {
                let new = context.roles.var(template, context.terms, var, NEW);
                changes.insert(new, value);
            }
        }
        let mut extra = Vec::new();
        if let Effect::Join { handle } = edge.effect
            && template.tracks_joins
        {
            for &(role, at) in before.iter().filter(|b| b.0 != MOVER && !template.locations[b.1].end) {
                let other = template.classes[template.locations[at].class].handle;
                let other = context.roles.var(template, context.terms, other, role);
                extra.push(context.terms.ne(handle, other));
            }
        }
        let inputs = slots(context, active, &before);
        let outputs = if matches!(edge.to, Target::At(_)) { slots(context, active, &after) } else { Vec::new() };
        let mut sources = Vec::new();
        let mut asked: Vec<TermId> = Vec::new();
        let mut idle = true;
        for &(slot, term) in &outputs {
            let new = context.terms.substitute(term, &changes);
            let negation = context.terms.not(new);
            let known = |wanted: TermId| inputs.iter().find(|i| i.1 == wanted).map(|i| i.0);
            let source = if let Some(value) = context.terms.as_bool(new) {
                Source::Constant(value)
            } else if let Some(from) = known(new) {
                Source::Same(from, false)
            } else if let Some(from) = known(negation) {
                Source::Same(from, true)
            } else {
                let at = asked.iter().position(|&a| a == new).unwrap_or_else(|| {
                    asked.push(new);
                    asked.len() - 1
                });
                Source::Asked(at)
            };
            idle &= matches!(source, Source::Same(from, false) if from == slot);
            sources.push((slot, source));
        }
        let mut seen: Vec<TermId> = asked.clone();
        seen.push(edge.guard);
        seen.extend(&extra);
        // Three threads that are consistent two by two need not be together: what ties all three is always asked about.
        if step.others[1].is_some() {
            seen.extend(spanning(context, &inputs));
        }
        let relevant = relevant(context, &inputs, &seen);
        if relevant.len() > 120 || asked.len() > 120 {
            return Err(Failed::TooMany);
        }
        let question = Question { edge: step.edge, extra, inputs: relevant.iter().map(|r| r.1).collect(), asked };
        let next = self.texts.len();
        let query = *self.questions.entry(question.clone()).or_insert(next);
        if query == next {
            self.texts.push(question);
        }
        Ok(Shape { outputs: sources, inputs: relevant.into_iter().map(|r| r.0).collect(), query, idle })
    }

    /// All values of the terms that are asked about, given those before.
    fn ask(&mut self, context: &mut Context<'_>, query: usize, key: u128) -> Result<Vec<u128>, Failed> {
        let question = self.texts[query].clone();
        let solver = match self.solvers.entry(query) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(prepare(context, &question)?),
        };
        let terms = &mut *context.terms;
        let mut assumed: Vec<Lit> = Vec::new();
        for &term in &question.extra {
            assumed.push(solver.lit_of(terms, term).expect("a Boolean term"));
        }
        for (i, &input) in question.inputs.iter().enumerate() {
            let lit = solver.lit_of(terms, input).expect("a Boolean term");
            assumed.push(if key >> i & 1 == 1 { lit } else { !lit });
        }
        let mut asked: Vec<Lit> = Vec::new();
        for &term in &question.asked {
            asked.push(solver.lit_of(terms, term).expect("a Boolean term"));
        }
        let sat = solver.sat();
        let mut found = Vec::new();
        let mut open: Option<Lit> = None;
        loop {
            self.queries += 1;
            let answer = sat.solve(&assumed, context.budget);
            match answer {
                SatAnswer::Sat => {}
                SatAnswer::Unsat(_) => {
                    // Nobody needs to satisfy these clauses again.
                    if let Some(open) = open {
                        sat.add_clause(&[!open]);
                    }
                    return Ok(found);
                }
                SatAnswer::Unknown(stop) => return Err(Failed::Stop(stop)),
            }
            let mut values = 0u128;
            for (i, &lit) in asked.iter().enumerate() {
                values |= u128::from(sat.value(lit) == Some(true)) << i;
            }
            found.push(values);
            if asked.is_empty() {
                return Ok(found);
            }
            // What was found is left out while this literal is assumed.
            let open = *open.get_or_insert_with(|| {
                let open = sat.new_var();
                sat.freeze(open);
                assumed.push(open);
                open
            });
            let mut clause: Vec<Lit> = vec![!open];
            clause.extend(asked.iter().enumerate().map(|(i, &lit)| if values >> i & 1 == 1 { !lit } else { lit }));
            sat.add_clause(&clause);
        }
    }
}

/// A solver that knows what a question is about.
fn prepare(context: &mut Context<'_>, question: &Question) -> Result<Solver, Failed> {
    let mut solver = Solver::new();
    let guard = context.template.edges[question.edge].guard;
    solver.assert(context.terms, guard).expect("a Boolean term");
    let mut roots = question.inputs.clone();
    roots.extend(&question.asked);
    roots.extend(&question.extra);
    roots.push(guard);
    let mentioned: FxHashSet<_> = context.terms.variables_of(&roots).into_iter().collect();
    for axiom in axioms(context, question.edge) {
        if context.terms.variables_of(&[axiom]).iter().all(|v| mentioned.contains(v)) {
            solver.assert(context.terms, axiom).expect("a Boolean term");
        }
    }
    for lemma in orders::lemmas(context.terms, &roots) {
        solver.assert(context.terms, lemma).expect("a Boolean term");
    }
    // Translates all that is asserted; from here on literals are enough.
    match solver.solve(context.terms, &[], context.budget).expect("Boolean terms") {
        Answer::Sat(_) | Answer::Unsat(_) => Ok(solver),
        Answer::Unknown(stop) => Err(Failed::Stop(stop)),
    }
}

/// Numbers and handles of different threads differ; numbers start at 1, and no handle is null.
pub(super) fn axioms(context: &mut Context<'_>, edge: EdgeId) -> Vec<TermId> {
    let template = context.template;
    let edge = &template.edges[edge];
    let mover = template.locations[edge.from].class;
    let mut all = Vec::new();
    let mut numbers: Vec<(usize, TermId)> = Vec::new();
    let mut handles: Vec<(usize, TermId)> = Vec::new();
    for (id, class) in template.classes.iter_enumerated() {
        for role in [MOVER, 1, 2] {
            if role == MOVER && id != mover {
                continue;
            }
            numbers.push((role, context.roles.var(template, context.terms, class.number, role)));
            handles.push((role, context.roles.var(template, context.terms, class.handle, role)));
        }
        if let Effect::Spawn { class: new, locals } = &edge.effect
            && *new == id
        {
            numbers.push((NEW, context.roles.var(template, context.terms, class.number, NEW)));
            let handle = locals.iter().find(|l| l.0 == class.handle).map(|l| l.1);
            handles.extend(handle.map(|h| (NEW, h)));
        }
    }
    let terms = &mut *context.terms;
    for list in [&numbers, &handles] {
        for (i, &(role, a)) in list.iter().enumerate() {
            let zero = terms.default_of(terms.sort(a));
            all.push(terms.ne(a, zero));
            if std::ptr::eq(list, &numbers) {
                all.push(terms.slt(zero, a));
            }
            for &(other, b) in &list[i + 1..] {
                if role != other {
                    all.push(terms.ne(a, b));
                }
            }
        }
    }
    all
}

/// The predicates of threads at places, with their terms.
fn slots(context: &mut Context<'_>, active: &Active, threads: &[(usize, LocId)]) -> Vec<(Slot, TermId)> {
    let template = context.template;
    let mut all = Vec::new();
    for (bit, predicate) in active.shared.iter().enumerate() {
        all.push((Slot::Shared(bit), predicate.term));
    }
    for &(role, at) in threads {
        let class = template.locations[at].class;
        for (bit, predicate) in active.local[class.index()].iter().enumerate() {
            if is_live(template, &predicate.locals[0], at) {
                let term = context.roles.instance(template, context.terms, predicate, role, role);
                all.push((Slot::Local(role, bit), term));
            }
        }
    }
    for (i, &(role, at)) in threads.iter().enumerate() {
        for &(other, there) in &threads[i + 1..] {
            let (a, b) = (template.locations[at].class, template.locations[there].class);
            let ((first, x), (second, y)) =
                if a <= b { ((role, at), (other, there)) } else { ((other, there), (role, at)) };
            let Some(list) = active.pair.get(&(a.min(b), a.max(b))) else { continue };
            for (bit, predicate) in list.iter().enumerate() {
                if is_live(template, &predicate.locals[0], x) && is_live(template, &predicate.locals[1], y) {
                    let term = context.roles.instance(template, context.terms, predicate, first, second);
                    all.push((Slot::Pair(pair_index(role, other), bit), term));
                }
            }
        }
    }
    all
}

/// The inputs that, tied together by variables or by what tells threads apart, say something of three threads.
fn spanning(context: &mut Context<'_>, inputs: &[(Slot, TermId)]) -> Vec<TermId> {
    let template = context.template;
    let mut group: Vec<usize> = (0..inputs.len()).collect();
    let mut of_var: FxHashMap<usize, usize> = FxHashMap::default();
    let mut identities: FxHashMap<TermId, usize> = FxHashMap::default();
    for class in template.classes.iter() {
        for role in 0..3 {
            for (kind, var) in [class.number, class.handle].into_iter().enumerate() {
                identities.insert(context.roles.var(template, context.terms, var, role), kind);
            }
        }
    }
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for (i, input) in inputs.iter().enumerate() {
        for var in context.terms.variables_of(&[input.1]) {
            // All numbers are tied together, and so are all handles.
            let key = match identities.get(&context.terms.var_term(var)) {
                Some(&kind) => usize::MAX - kind,
                None => var.index(),
            };
            let other = *of_var.entry(key).or_insert(i);
            let (a, b) = (root(&mut group, i), root(&mut group, other));
            group[a] = b;
        }
    }
    let mut roles: FxHashMap<usize, u8> = FxHashMap::default();
    for (i, input) in inputs.iter().enumerate() {
        let bits = match input.0 {
            Slot::Shared(_) => 0,
            Slot::Local(role, _) => 1 << role,
            Slot::Pair(pair, _) => [0b11, 0b101, 0b1001, 0b110, 0b1010, 0b1100][pair],
        };
        *roles.entry(root(&mut group, i)).or_default() |= bits;
    }
    let all = inputs.iter().enumerate().filter(|(i, _)| roles[&root(&mut group.clone(), *i)].count_ones() >= 3);
    all.map(|(_, input)| input.1).collect()
}

/// The inputs that share variables with terms, directly or through one another.
fn relevant(context: &Context<'_>, inputs: &[(Slot, TermId)], terms: &[TermId]) -> Vec<(Slot, TermId)> {
    let vars = |term: TermId| context.terms.variables_of(&[term]);
    let mut seen: FxHashSet<_> = terms.iter().flat_map(|&t| vars(t)).collect();
    let of: Vec<Vec<_>> = inputs.iter().map(|i| vars(i.1)).collect();
    let mut taken = vec![false; inputs.len()];
    loop {
        let mut more = false;
        for (i, vars) in of.iter().enumerate() {
            if !taken[i] && vars.iter().any(|v| seen.contains(v)) {
                taken[i] = true;
                more = true;
                seen.extend(vars.iter().copied());
            }
        }
        if !more {
            return inputs.iter().zip(taken).filter(|(_, t)| *t).map(|(i, _)| *i).collect();
        }
    }
}

/// Whether an edge writes what others can see.
pub(super) fn interferes(template: &Template, edge: EdgeId) -> bool {
    let edge = &template.edges[edge];
    matches!(edge.to, Target::At(_)) && edge.updates.iter().any(|u| template.vars[u.0].scope == Scope::Shared)
}
