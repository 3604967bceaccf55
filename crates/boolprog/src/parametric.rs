//! Symbolic thread states as the paper has them: parametric formulas ([BOOLPROG §4.1, §4.2]).
//!
//! A symbolic thread state ⟨PC, ω, γ⟩ maps each variable to a formula over choices (ω) and has a guard (γ). It stands
//! for all thread states that some choices with γ give (eq. (15)). A step substitutes formulas; nothing is quantified.
//!
//! The paper asks a QBF solver whether a symbolic state is contained in those before it. Here two SAT queries alternate:
//! find a thread state of the new one outside of all *blocked* cubes; find an old one that contains it. If there is none,
//! the new one stays. Otherwise the thread state is blocked, together with all that differ from it in variables which the
//! old one leaves free, and the search goes on.
//!
//! No proof object is made from these states, and they grow with every step: the default are decision diagrams.

use heddle_base::{Budget, Id, Stop};
use heddle_solver::{Answer, Model, Solver, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::derivation::{Derivation, Origin, derive};
use crate::explicit::threads::must_see;
use crate::flat::{Assign, Ex, Flat, Instr, LocId, Scope, VarId, VarRef};
use crate::options::Options;

/// What was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// |T̃|: symbolic thread states.
    pub states: usize,
    /// Locations (and flags) that have some.
    pub locations: usize,
    /// A bad location that was reached.
    pub bad: Option<LocId>,
    /// How.
    pub derivation: Option<Derivation>,
}

/// [BOOLPROG Fig. 3] with symbolic thread states. Stops at the first bad location.
pub fn reach(flat: &Flat, options: &Options, budget: &Budget) -> Result<Reached, Stop> {
    let mut search = Search::new(flat, options, budget);
    search.run(true)?;
    let derivation = search.derivation()?;
    Ok(Reached { states: search.states.len(), locations: search.places.len(), bad: search.bad, derivation })
}

/// All thread states, one by one, for comparison with the explicit reference. Does not stop at bad locations.
#[cfg(any(test, feature = "stress"))]
pub fn enumerate(flat: &Flat, options: &Options, budget: &Budget) -> Result<Vec<(LocId, bool, Vec<bool>)>, Stop> {
    let mut search = Search::new(flat, options, budget);
    search.run(false)?;
    let mut all = Vec::new();
    for at in 0..search.states.len() {
        let state = search.states[at].symbolic.clone();
        let mut solver = Solver::new();
        solver.assert(&search.terms, state.gamma).expect("a guard is Boolean");
        while let Answer::Sat(model) = solver.solve(&mut search.terms, &[], budget).expect("Boolean terms") {
            let values = search.values(&model, &state.omega);
            let cube: Vec<(usize, bool)> = values.iter().copied().enumerate().collect();
            search.block(&mut solver, &state, &cube);
            all.push((state.loc, state.started, values));
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// [BOOLPROG Def. 11] A symbolic thread state, with Remark 1's flag.
#[derive(Clone, Debug, PartialEq)]
struct Symbolic {
    loc: LocId,
    started: bool,
    /// ω
    omega: Vec<TermId>,
    /// γ
    gamma: TermId,
    /// Choices `0..choices` occur.
    choices: usize,
}

/// A state that was kept, with a solver that knows its guard.
struct Kept {
    symbolic: Symbolic,
    origin: Origin<usize>,
    /// Made when it is asked for the first time.
    solver: Option<Solver>,
    /// Variables whose formula is a choice that occurs nowhere else.
    free: Vec<bool>,
    /// The guard is true, and every variable is free or constant.
    is_box: bool,
    /// A later state contains it: what follows from this one follows from that one.
    is_covered: bool,
}

impl Kept {
    /// Whether it is seen without a solver that this one contains another.
    fn contains(&self, other: &Symbolic) -> bool {
        let inside = || {
            let all = self.symbolic.omega.iter().zip(&other.omega).zip(&self.free);
            all.into_iter().all(|((here, there), free)| *free || here == there)
        };
        self.symbolic == *other || self.is_box && inside()
    }
}

/// What is known at one location.
#[derive(Default)]
struct Place {
    kept: Vec<usize>,
    /// Cubes that are contained in kept states: variables that matter, and their values.
    blocked: Vec<Vec<(usize, bool)>>,
    /// Some kept state contains all thread states.
    is_full: bool,
}

struct Search<'a> {
    flat: &'a Flat,
    options: &'a Options,
    budget: &'a Budget,
    terms: Terms,
    /// ι_0, ι_1, …
    choices: Vec<TermId>,
    is_choice: FxHashSet<TermId>,
    states: Vec<Kept>,
    places: FxHashMap<(LocId, bool), Place>,
    /// States whose next step others can notice.
    movers: Vec<usize>,
    /// States to look at, with the number of movers that they have seen.
    todo: Vec<(usize, usize)>,
    bad: Option<LocId>,
}

/// Where an expression finds its variables: formulas for the moving thread before and after, and for the passive one.
struct View<'v> {
    before: &'v [TermId],
    after: &'v [TermId],
    passive: &'v [TermId],
    passive_after: &'v [TermId],
    choices: &'v [TermId],
}

impl<'a> Search<'a> {
    fn new(flat: &'a Flat, options: &'a Options, budget: &'a Budget) -> Search<'a> {
        Search {
            flat,
            options,
            budget,
            terms: Terms::new(),
            choices: Vec::new(),
            is_choice: FxHashSet::default(),
            states: Vec::new(),
            places: FxHashMap::default(),
            movers: Vec::new(),
            todo: Vec::new(),
            bad: None,
        }
    }

    fn run(&mut self, stop_at_bad: bool) -> Result<(), Stop> {
        let (zero, gamma) = (self.terms.bool(false), self.terms.bool(true));
        let omega = vec![zero; self.flat.vars.len()];
        let started = !self.options.remark1;
        self.add(Symbolic { loc: self.flat.entry(), started, omega, gamma, choices: 0 }, Origin::Initial)?;
        // Depth first: what a state becomes by one change is looked at before the other changes that it may see. So a chain of
        // changes leads to the state that contains all others early.
        while let Some((at, seen)) = self.todo.pop() {
            if stop_at_bad && self.bad.is_some() {
                return Ok(());
            }
            if self.states[at].is_covered {
                continue;
            }
            if seen == 0 {
                self.case1(at)?;
                if self.moves(&self.states[at].symbolic) {
                    for passive in (0..self.states.len()).rev().filter(|passive| *passive != at) {
                        self.case2(passive, at)?;
                    }
                }
            }
            let mut next = seen;
            while next < self.movers.len() {
                let known = self.states.len();
                self.todo.push((at, next + 1));
                self.case2(at, self.movers[next])?;
                next += 1;
                if self.states.len() > known {
                    break;
                }
                self.todo.pop();
            }
        }
        Ok(())
    }

    fn choice(&mut self, i: usize) -> TermId {
        while self.choices.len() <= i {
            let name = format!("*{}", self.choices.len());
            let choice = self.terms.bool_var(&name);
            self.choices.push(choice);
            self.is_choice.insert(choice);
        }
        self.choices[i]
    }

    fn fresh(&mut self, from: usize, count: u32) -> Vec<TermId> {
        (from..from + count as usize).map(|i| self.choice(i)).collect()
    }

    fn value(&mut self, e: &Ex, view: &View<'_>) -> TermId {
        match e {
            Ex::Const(b) => self.terms.bool(*b),
            Ex::Choice(c) => view.choices[*c as usize],
            Ex::Var(VarRef { var, primed, passive }) => match (primed, passive) {
                (false, false) => view.before[var.index()],
                (true, false) => view.after[var.index()],
                (false, true) => view.passive[var.index()],
                (true, true) => view.passive_after[var.index()],
            },
            Ex::Not(e) => {
                let e = self.value(e, view);
                self.terms.not(e)
            }
            Ex::And(es) => {
                let es: Vec<TermId> = es.iter().map(|e| self.value(e, view)).collect();
                self.terms.and_all(&es)
            }
            Ex::Or(es) => {
                let es: Vec<TermId> = es.iter().map(|e| self.value(e, view)).collect();
                self.terms.or_all(&es)
            }
            Ex::Iff(a, b) => {
                let (a, b) = (self.value(a, view), self.value(b, view));
                self.terms.eq(a, b)
            }
        }
    }

    /// [BOOLPROG Table 3] The thread itself moves.
    fn case1(&mut self, at: usize) -> Result<(), Stop> {
        let from = self.states[at].symbolic.clone();
        let flat = self.flat;
        let go = |loc: LocId| Symbolic { loc, ..from.clone() };
        let own = Origin::Own(at, from.loc);
        match &flat.locations[from.loc].instr {
            Instr::Skip(next) => self.add(go(*next), own),
            Instr::Goto(targets) => targets.iter().try_for_each(|t| self.add(go(*t), own.clone())),
            Instr::Branch { arms, choices } => {
                let chosen = self.fresh(from.choices, *choices);
                for (condition, to) in arms {
                    // A choice that nothing else depends on can be made.
                    let open = match condition {
                        Ex::Choice(_) => true,
                        Ex::Not(e) => matches!(**e, Ex::Choice(_)),
                        Ex::Const(_) | Ex::Var(_) | Ex::And(_) | Ex::Or(_) | Ex::Iff(..) => false,
                    };
                    let condition = self.value(condition, &plain(&from.omega, &chosen));
                    let gamma = if open { from.gamma } else { self.terms.and(from.gamma, condition) };
                    self.add(Symbolic { gamma, choices: from.choices + chosen.len(), ..go(*to) }, own.clone())?;
                }
                Ok(())
            }
            Instr::Lock(lock, next) | Instr::Unlock(lock, next) => {
                let takes = matches!(flat.locations[from.loc].instr, Instr::Lock(..));
                let held = from.omega[lock.index()];
                let possible = if takes { self.terms.not(held) } else { held };
                let mut after = go(*next);
                after.gamma = self.terms.and(from.gamma, possible);
                after.omega[lock.index()] = self.terms.bool(takes);
                self.add(after, own)
            }
            Instr::Assign(assign, next) => {
                let (after, _) = self.assigned(&from, assign, 0);
                self.add(Symbolic { loc: *next, ..after }, own)
            }
            Instr::Start(start, next) => {
                let chosen = self.fresh(from.choices, start.choices);
                let zero = self.terms.bool(false);
                let mut child = Symbolic { started: true, choices: from.choices + chosen.len(), ..go(start.entry) };
                for (var, variable) in flat.vars.iter_enumerated() {
                    let kept = variable.scope == Scope::Global || start.inherits && variable.scope == Scope::Local;
                    if !kept {
                        child.omega[var.index()] = zero;
                    }
                }
                for (var, value) in &start.set {
                    child.omega[var.index()] = self.value(value, &plain(&from.omega, &chosen));
                }
                self.add(Symbolic { started: true, ..go(*next) }, own)?;
                self.add(child, Origin::Created(at, from.loc))
            }
            Instr::End | Instr::Error => Ok(()),
        }
    }

    /// The state behind an assignment, at the same location, and all choices that were made.
    fn assigned(&mut self, from: &Symbolic, assign: &Assign, shift: usize) -> (Symbolic, Vec<TermId>) {
        let chosen = self.fresh(from.choices + shift, assign.choices);
        let mut after = from.clone();
        for (var, value) in &assign.targets {
            after.omega[var.index()] = self.value(value, &plain(&from.omega, &chosen));
        }
        let view = View { after: &after.omega, ..plain(&from.omega, &chosen) };
        let holds = self.value(&assign.constrain, &view);
        after.gamma = self.terms.and(from.gamma, holds);
        after.choices = from.choices + shift + chosen.len();
        (after, chosen)
    }

    /// (2a) Whether others can notice the next step of a state.
    fn moves(&self, state: &Symbolic) -> bool {
        let Instr::Assign(assign, _) = &self.flat.locations[state.loc].instr else { return false };
        let global = |(v, _): &(VarId, Ex)| self.flat.scope(*v) == Scope::Global;
        state.started && (assign.passive.is_some() || assign.targets.iter().any(global))
    }

    /// The parents of a state at a bad location.
    fn derivation(&self) -> Result<Option<Derivation>, Stop> {
        let is_bad = |kept: &Kept| matches!(self.flat.locations[kept.symbolic.loc].instr, Instr::Error);
        let Some(bad) = self.states.iter().position(is_bad) else { return Ok(None) };
        derive(bad, |at| *at, |at| Ok(self.states[*at].origin.clone())).map(Some)
    }

    /// [BOOLPROG Def. 8, case 2] `passive` sees a step of `mover`.
    fn case2(&mut self, passive: usize, mover: usize) -> Result<(), Stop> {
        let flat = self.flat;
        if self.states[passive].is_covered || self.states[mover].is_covered {
            return Ok(());
        }
        let (eta, other) = (&self.states[passive].symbolic, &self.states[mover].symbolic);
        let mover_at = other.loc;
        let Instr::Assign(assign, _) = &flat.locations[other.loc].instr else { return Ok(()) };
        let delayed =
            self.options.partial_order && assign.passive.is_none() && !must_see(flat, &flat.locations[eta.loc].instr);
        let is_full = self.places.get(&(eta.loc, eta.started)).is_some_and(|place| place.is_full);
        if delayed || is_full || !eta.started || flat.locations[eta.loc].closed {
            return Ok(());
        }
        self.budget.check()?;
        let eta = eta.clone();
        // The two threads make their choices independently.
        let other = self.apart(other.clone(), eta.choices);
        let (eta, other) = self.unified(eta, other);
        let (after, chosen) = self.assigned(&other, assign, 0);
        let mut result = eta.clone();
        result.choices = after.choices;
        let mut conditions = vec![eta.gamma, after.gamma];
        for (var, variable) in flat.vars.iter_enumerated() {
            let i = var.index();
            match variable.scope {
                // (2b) and (2c)
                Scope::Global => {
                    conditions.push(self.terms.eq(eta.omega[i], other.omega[i]));
                    if assign.targets.iter().any(|(v, _)| *v == var) {
                        result.omega[i] = after.omega[i];
                    }
                }
                // (2d): assignments change no locks, so before and after are one.
                Scope::Lock if self.options.lock_sets => {
                    let both = self.terms.and(eta.omega[i], other.omega[i]);
                    conditions.push(self.terms.not(both));
                }
                Scope::Lock | Scope::Local => {}
            }
        }
        if let Some(part) = &assign.passive {
            let mut all = chosen;
            all.extend(self.fresh(after.choices, part.choices));
            let view = View { passive: &eta.omega, after: &after.omega, ..plain(&other.omega, &all) };
            let values: Vec<(VarId, TermId)> =
                part.targets.iter().map(|(var, value)| (*var, self.value(value, &view))).collect();
            values.into_iter().for_each(|(var, value)| result.omega[var.index()] = value);
            let view = View { passive_after: &result.omega, ..view };
            conditions.push(self.value(&part.constrain, &view));
            result.choices += part.choices as usize;
        }
        result.gamma = self.terms.and_all(&conditions);
        self.add(result, Origin::Other { passive, mover, at: mover_at })
    }

    /// Two states with equal globals as far as choices can make them equal: a global that is a choice of one thread is what
    /// the other thread has there. So guards stay small, and choices free.
    fn unified(&mut self, eta: Symbolic, other: Symbolic) -> (Symbolic, Symbolic) {
        let globals = self.flat.globals;
        let mut bound: FxHashMap<TermId, TermId> = FxHashMap::default();
        for (mine, theirs) in eta.omega.iter().zip(&other.omega).take(globals) {
            if self.is_choice.contains(theirs) {
                bound.entry(*theirs).or_insert(*mine);
            }
        }
        let other = self.replaced(other, &bound);
        let mut fixed: FxHashMap<TermId, TermId> = FxHashMap::default();
        for (mine, theirs) in eta.omega.iter().zip(&other.omega).take(globals) {
            if self.is_choice.contains(mine) && self.terms.as_bool(*theirs).is_some() {
                fixed.entry(*mine).or_insert(*theirs);
            }
        }
        (self.replaced(eta, &fixed), self.replaced(other, &fixed))
    }

    fn replaced(&mut self, mut state: Symbolic, pairs: &FxHashMap<TermId, TermId>) -> Symbolic {
        if !pairs.is_empty() {
            for term in state.omega.iter_mut().chain([&mut state.gamma]) {
                *term = self.terms.substitute(*term, pairs);
            }
        }
        state
    }

    /// The same state with choices from another number on.
    fn apart(&mut self, mut state: Symbolic, shift: usize) -> Symbolic {
        let pairs: FxHashMap<TermId, TermId> =
            (0..state.choices).map(|i| (self.choice(i), self.choice(i + shift))).collect();
        state = self.replaced(state, &pairs);
        state.choices += shift;
        state
    }

    /// Numbers the choices that occur from 0 on, so that equal states look alike.
    fn canonical(&mut self, mut state: Symbolic) -> Symbolic {
        let mut roots = state.omega.clone();
        roots.push(state.gamma);
        let used = self.terms.variables_of(&roots);
        let mut pairs = FxHashMap::default();
        for (i, var) in used.iter().enumerate() {
            pairs.insert(self.terms.var_term(*var), self.choice(i));
        }
        state = self.replaced(state, &pairs);
        state.choices = used.len();
        state
    }

    /// Keeps a state if it has a thread state that no other has.
    fn add(&mut self, state: Symbolic, origin: Origin<usize>) -> Result<(), Stop> {
        if self.terms.as_bool(state.gamma) == Some(false) {
            return Ok(());
        }
        let state = self.canonical(state);
        let place = self.places.entry((state.loc, state.started)).or_default();
        if place.kept.iter().any(|k| self.states[*k].contains(&state)) || !self.has_new(&state)? {
            return Ok(());
        }
        let free = self.free(&state);
        let is_box = self.terms.as_bool(state.gamma) == Some(true)
            && state.omega.iter().zip(&free).all(|(term, free)| *free || self.terms.as_bool(*term).is_some());
        let at = self.states.len();
        if matches!(self.flat.locations[state.loc].instr, Instr::Error) && self.bad.is_none() {
            self.bad = Some(state.loc);
        }
        let moves = self.moves(&state);
        let place = self.places.entry((state.loc, state.started)).or_default();
        place.is_full |= is_box && free.iter().all(|free| *free);
        let new = Kept { symbolic: state, origin, solver: None, free, is_box, is_covered: false };
        for &older in &place.kept {
            self.states[older].is_covered |= new.contains(&self.states[older].symbolic);
        }
        place.kept.push(at);
        if moves {
            self.movers.push(at);
        }
        self.states.push(new);
        self.todo.push((at, 0));
        Ok(())
    }

    fn free(&mut self, state: &Symbolic) -> Vec<bool> {
        let mut occurrences: FxHashMap<TermId, usize> = FxHashMap::default();
        for root in state.omega.iter().chain([&state.gamma]) {
            for var in self.terms.variables_of(&[*root]) {
                *occurrences.entry(self.terms.var_term(var)).or_default() += 1;
            }
        }
        // Choices are the only variables here.
        let is_choice = |t: &TermId| occurrences.get(t) == Some(&1);
        state.omega.iter().map(is_choice).collect()
    }

    /// The fix-point test: is there a new thread state?
    fn has_new(&mut self, state: &Symbolic) -> Result<bool, Stop> {
        let key = (state.loc, state.started);
        let mut solver = Solver::new();
        solver.assert(&self.terms, state.gamma).expect("a guard is Boolean");
        for cube in self.places[&key].blocked.clone() {
            self.block(&mut solver, state, &cube);
        }
        loop {
            let model = match solver.solve(&mut self.terms, &[], self.budget).expect("Boolean terms") {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return Ok(false),
                Answer::Unknown(stop) => return Err(stop),
            };
            let values = self.values(&model, &state.omega);
            let Some(owner) = self.owner(key, &values)? else { return Ok(true) };
            let free = &self.states[owner].free;
            let cube: Vec<(usize, bool)> =
                values.iter().enumerate().filter(|(i, _)| !free[*i]).map(|(i, v)| (i, *v)).collect();
            self.block(&mut solver, state, &cube);
            self.places.entry(key).or_default().blocked.push(cube);
        }
    }

    fn values(&self, model: &Model, omega: &[TermId]) -> Vec<bool> {
        let mut evaluator = model.evaluator(&self.terms);
        omega.iter().map(|t| evaluator.eval(*t) == Value::Bool(true)).collect()
    }

    fn block(&mut self, solver: &mut Solver, state: &Symbolic, cube: &[(usize, bool)]) {
        let literals: Vec<TermId> = cube
            .iter()
            .map(|(i, value)| if *value { self.terms.not(state.omega[*i]) } else { state.omega[*i] })
            .collect();
        let clause = self.terms.or_all(&literals);
        solver.assert(&self.terms, clause).expect("a clause is Boolean");
    }

    /// A kept state that contains a thread state.
    fn owner(&mut self, key: (LocId, bool), values: &[bool]) -> Result<Option<usize>, Stop> {
        for at in self.places[&key].kept.clone() {
            let omega = self.states[at].symbolic.omega.clone();
            let mut assumptions = Vec::new();
            for ((term, value), free) in omega.iter().zip(values).zip(&self.states[at].free) {
                if !free {
                    assumptions.push(if *value { *term } else { self.terms.not(*term) });
                }
            }
            if assumptions.iter().any(|a| self.terms.as_bool(*a) == Some(false)) {
                continue;
            }
            assumptions.retain(|a| self.terms.as_bool(*a).is_none());
            let kept = &mut self.states[at];
            let solver = kept.solver.get_or_insert_with(|| {
                let mut solver = Solver::new();
                solver.assert(&self.terms, kept.symbolic.gamma).expect("a guard is Boolean");
                solver
            });
            let answer = solver.solve(&mut self.terms, &assumptions, self.budget);
            match answer.expect("Boolean terms") {
                Answer::Sat(_) => return Ok(Some(at)),
                Answer::Unsat(_) => {}
                Answer::Unknown(stop) => return Err(stop),
            }
        }
        Ok(None)
    }
}

fn plain<'v>(omega: &'v [TermId], choices: &'v [TermId]) -> View<'v> {
    View { before: omega, after: omega, passive: omega, passive_after: omega, choices }
}
