//! Checks a proof: initiation, consecution under ⇝ (or under the rules for pairs), no bad location.
//!
//! Independent of what makes proofs: instructions are turned into terms here, and a SAT solver answers each question.
//! Nothing of the decision diagrams, the explicit states or the partial-order reduction is used.

use heddle_base::{Budget, Id, Stop};
use heddle_solver::{Answer, Solver, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flat::{Assign, Ex, Flat, Instr, LocId, Scope, VarId};

use crate::ghosts;

use super::{NodeId, Proof, fingerprint};

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is about another program, or refers to what the program does not have.
    Mismatch(&'static str),
    /// The initial state is not in it.
    Initial,
    /// A bad location has states.
    Bad(LocId),
    /// A step of a thread at this location leads out of it.
    Step(LocId),
    /// A thread at the first location sees a step at the second one, and that leads out of it.
    Interference(LocId, LocId),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stopped(stop)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Mismatch(what) => f.write_str(what),
            Refusal::Initial => f.write_str("the initial state is not in the proof"),
            Refusal::Bad(at) => write!(f, "the bad location {at} has states"),
            Refusal::Step(at) => write!(f, "a step at {at} leads out of the proof"),
            Refusal::Interference(at, mover) => write!(f, "a step at {mover} seen at {at} leads out of the proof"),
            Refusal::Stopped(stop) => write!(f, "stopped: {stop:?}"),
        }
    }
}

/// Accepts a proof, or says what is wrong with it.
///
/// `flat` is the program as it is laid out; ghosts are added here if the proof is about them.
pub fn check(proof: &Proof, flat: &Flat, budget: &Budget) -> Result<(), Refusal> {
    let with_ghosts = if proof.ghosts { ghosts::add(flat) } else { flat.clone() };
    let flat = &with_ghosts;
    if proof.program != fingerprint(flat) {
        return Err(Refusal::Mismatch("the proof is about another program, or about another version of it"));
    }
    let variables = 2 * flat.vars.len() - flat.globals;
    let in_range = |at: LocId| at.index() < flat.locations.len();
    let known = proof.nodes.iter().all(|n| (n.var as usize) < variables)
        && proof.states.iter().all(|s| in_range(s.loc))
        && proof.pairs.iter().all(|p| p.locs.iter().all(|l| in_range(*l)));
    if !known {
        return Err(Refusal::Mismatch("the proof refers to what the program does not have"));
    }
    let mut checker = Checker::new(proof, flat, budget);
    checker.no_bad_location()?;
    match proof.tuples {
        1 => {
            checker.initial(!proof.remark1)?;
            checker.own_steps()?;
            checker.interference()
        }
        2 => {
            checker.initial(false)?;
            checker.alone()?;
            checker.pairs()
        }
        _ => Err(Refusal::Mismatch("tuples of this size are not known")),
    }
}

/// The state of one thread as terms: values of locals and locks.
type Own = Vec<TermId>;

/// A step as terms: when it is possible, and what is behind it.
struct Step {
    to: LocId,
    possible: TermId,
    globals: Vec<TermId>,
    own: Own,
    child: Option<(LocId, Own)>,
    /// Values of the choices that were made.
    choices: Vec<TermId>,
}

struct Checker<'a> {
    proof: &'a Proof,
    flat: &'a Flat,
    budget: &'a Budget,
    terms: Terms,
    single: FxHashMap<(LocId, bool), Vec<NodeId>>,
    double: FxHashMap<[LocId; 2], Vec<NodeId>>,
}

impl<'a> Checker<'a> {
    fn new(proof: &'a Proof, flat: &'a Flat, budget: &'a Budget) -> Checker<'a> {
        let mut single: FxHashMap<(LocId, bool), Vec<NodeId>> = FxHashMap::default();
        for state in &proof.states {
            single.entry((state.loc, state.started)).or_default().push(state.set);
        }
        let mut double: FxHashMap<[LocId; 2], Vec<NodeId>> = FxHashMap::default();
        for pair in &proof.pairs {
            double.entry(pair.locs).or_default().push(pair.set);
        }
        Checker { proof, flat, budget, terms: Terms::new(), single, double }
    }

    fn variables(&mut self, prefix: &str, count: usize) -> Vec<TermId> {
        (0..count).map(|i| self.terms.bool_var(&format!("{prefix}{i}"))).collect()
    }

    fn globals(&mut self) -> Vec<TermId> {
        self.variables("g", self.flat.globals)
    }

    fn own(&mut self, thread: &str) -> Own {
        self.variables(thread, self.flat.vars.len() - self.flat.globals)
    }

    /// The decision graph over the given values: globals, first thread, second thread.
    fn set(&mut self, nodes: Option<&Vec<NodeId>>, values: &[&[TermId]]) -> TermId {
        let values: Vec<TermId> = values.concat();
        let mut all = self.terms.bool(false);
        for &root in nodes.into_iter().flatten() {
            let term = self.node(root, &values);
            all = self.terms.or(all, term);
        }
        all
    }

    fn node(&mut self, root: NodeId, values: &[TermId]) -> TermId {
        let mut known: FxHashMap<NodeId, TermId> = FxHashMap::default();
        known.insert(0, self.terms.bool(false));
        known.insert(1, self.terms.bool(true));
        let mut todo = vec![root];
        while let Some(&top) = todo.last() {
            if known.contains_key(&top) {
                todo.pop();
                continue;
            }
            let decision = self.proof.nodes[top as usize - 2];
            match (known.get(&decision.high), known.get(&decision.low)) {
                (Some(&high), Some(&low)) => {
                    // A variable of a second thread where there is none: the set says nothing of it.
                    let term = match values.get(decision.var as usize) {
                        Some(condition) => self.terms.ite(*condition, high, low),
                        None => self.terms.and(high, low),
                    };
                    known.insert(top, term);
                    todo.pop();
                }
                _ => todo.extend([decision.high, decision.low]),
            }
        }
        known[&root]
    }

    fn at_one(&mut self, at: LocId, started: bool, globals: &[TermId], own: &Own) -> TermId {
        let nodes = self.single.get(&(at, started)).cloned();
        self.set(nodes.as_ref(), &[globals, own])
    }

    /// Pairs are symmetric: a pair counts if it is listed in one of both orders.
    fn at_two(&mut self, (a, b): (LocId, LocId), globals: &[TermId], (own_a, own_b): (&Own, &Own)) -> TermId {
        let (one, other) = (self.double.get(&[a, b]).cloned(), self.double.get(&[b, a]).cloned());
        let one = self.set(one.as_ref(), &[globals, own_a, own_b]);
        let other = self.set(other.as_ref(), &[globals, own_b, own_a]);
        self.terms.or(one, other)
    }

    /// Whether some of these situations is possible.
    fn possible(&mut self, conditions: &[TermId]) -> Result<bool, Stop> {
        let condition = self.terms.and_all(conditions);
        if let Some(value) = self.terms.as_bool(condition) {
            return Ok(value);
        }
        let mut solver = Solver::new();
        solver.assert(&self.terms, condition).expect("a Boolean term");
        match solver.solve(&mut self.terms, &[], self.budget).expect("Boolean terms") {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    fn no_bad_location(&mut self) -> Result<(), Refusal> {
        let (globals, a, b) = (self.globals(), self.own("a"), self.own("b"));
        for (at, location) in self.flat.locations.iter_enumerated() {
            if !matches!(location.instr, Instr::Error) {
                continue;
            }
            let mut any = vec![self.at_one(at, false, &globals, &a), self.at_one(at, true, &globals, &a)];
            let others: FxHashSet<LocId> = self.proof.pairs.iter().flat_map(|p| p.locs).collect();
            for other in others {
                any.push(self.at_two((at, other), &globals, (&a, &b)));
            }
            let any = self.terms.or_all(&any);
            if self.possible(&[any])? {
                return Err(Refusal::Bad(at));
            }
        }
        Ok(())
    }

    /// [BOOLPROG eq. (10)]
    fn initial(&mut self, started: bool) -> Result<(), Refusal> {
        let zero = self.terms.bool(false);
        let (globals, own) = (vec![zero; self.flat.globals], vec![zero; self.flat.vars.len() - self.flat.globals]);
        let inside = self.at_one(self.flat.entry(), started, &globals, &own);
        if self.terms.as_bool(inside) == Some(true) { Ok(()) } else { Err(Refusal::Initial) }
    }

    /// [BOOLPROG Def. 8, case 1]
    fn own_steps(&mut self) -> Result<(), Refusal> {
        let (globals, own) = (self.globals(), self.own("a"));
        for started in [false, true] {
            for at in self.flat.locations.ids() {
                let here = self.at_one(at, started, &globals, &own);
                if self.terms.as_bool(here) == Some(false) {
                    continue;
                }
                for step in self.steps(at, &globals, &own) {
                    let started = started || step.child.is_some();
                    let mut inside = self.at_one(step.to, started, &step.globals, &step.own);
                    if let Some((entry, child)) = &step.child {
                        let born = self.at_one(*entry, true, &step.globals, child);
                        inside = self.terms.and(inside, born);
                    }
                    let outside = self.terms.not(inside);
                    if self.possible(&[here, step.possible, outside])? {
                        return Err(Refusal::Step(at));
                    }
                }
            }
        }
        Ok(())
    }

    /// [BOOLPROG Def. 8, case 2] For sets that are equal and steps without passive part the question is asked once.
    fn interference(&mut self) -> Result<(), Refusal> {
        let (globals, passive, mover) = (self.globals(), self.own("a"), self.own("m"));
        let environment = self.environment(&globals, &mover, &passive)?;
        let mut asked: FxHashSet<Vec<NodeId>> = FxHashSet::default();
        for at in self.flat.locations.ids() {
            if self.flat.locations[at].closed {
                continue;
            }
            let Some(nodes) = self.single.get(&(at, true)).cloned() else { continue };
            if !asked.insert(nodes) {
                continue;
            }
            let here = self.at_one(at, true, &globals, &passive);
            for (movers, step) in &environment {
                let inside = self.at_one(at, true, &step.globals, &step.own);
                let outside = self.terms.not(inside);
                if self.possible(&[here, step.possible, outside])? {
                    return Err(Refusal::Interference(at, *movers));
                }
            }
        }
        Ok(())
    }

    /// Steps that others can notice. All steps without a passive part are one: globals afterwards are new variables.
    fn environment(&mut self, globals: &[TermId], mover: &Own, passive: &Own) -> Result<Vec<(LocId, Step)>, Refusal> {
        let after = self.variables("h", self.flat.globals);
        let mut plain = Vec::new();
        let mut all = Vec::new();
        let disjoint = self.disjoint(mover, passive);
        for (at, location) in self.flat.locations.iter_enumerated() {
            let Instr::Assign(assign, _) = &location.instr else { continue };
            let here = self.at_one(at, true, globals, mover);
            if self.terms.as_bool(here) == Some(false) {
                continue;
            }
            for step in self.steps(at, globals, mover) {
                let possible = self.terms.and_all(&[here, step.possible, disjoint]);
                if assign.passive.is_some() {
                    let (allowed, own) = self.passive(assign, globals, mover, &step, passive, "p");
                    let possible = self.terms.and(possible, allowed);
                    all.push((at, Step { possible, own, ..step }));
                } else if !location.instr.written_globals(self.flat).is_empty() {
                    let mut equal = vec![possible];
                    for (new, value) in after.iter().zip(&step.globals) {
                        equal.push(self.terms.eq(*new, *value));
                    }
                    plain.push((at, self.terms.and_all(&equal)));
                }
            }
        }
        if let Some((first, _)) = plain.first().copied() {
            let possible = plain.iter().map(|(_, p)| *p).collect::<Vec<_>>();
            let possible = self.terms.or_all(&possible);
            let (own, choices) = (passive.clone(), Vec::new());
            all.push((first, Step { to: first, possible, globals: after, own, child: None, choices }));
        }
        Ok(all)
    }

    /// (2d): no lock is held by both.
    fn disjoint(&mut self, a: &Own, b: &Own) -> TermId {
        let mut all = self.terms.bool(true);
        if self.proof.lock_sets {
            for lock in self.flat.locals..a.len() {
                let both = self.terms.and(a[lock], b[lock]);
                let not_both = self.terms.not(both);
                all = self.terms.and(all, not_both);
            }
        }
        all
    }

    /// The first thread, up to its first start.
    fn alone(&mut self) -> Result<(), Refusal> {
        let (globals, own) = (self.globals(), self.own("a"));
        for at in self.flat.locations.ids() {
            let here = self.at_one(at, false, &globals, &own);
            if self.terms.as_bool(here) == Some(false) {
                continue;
            }
            for step in self.steps(at, &globals, &own) {
                let inside = match &step.child {
                    None => self.at_one(step.to, false, &step.globals, &step.own),
                    Some((entry, child)) => self.at_two((step.to, *entry), &step.globals, (&step.own, child)),
                };
                let outside = self.terms.not(inside);
                if self.possible(&[here, step.possible, outside])? {
                    return Err(Refusal::Step(at));
                }
            }
        }
        Ok(())
    }

    /// Rules own, spawn and env for every pair of locations.
    fn pairs(&mut self) -> Result<(), Refusal> {
        let mut locations: Vec<[LocId; 2]> = self.double.keys().copied().collect();
        locations.sort_unstable();
        let (globals, a, b) = (self.globals(), self.own("a"), self.own("b"));
        for [at, other] in locations {
            let here = self.at_two((at, other), &globals, (&a, &b));
            // The pair is symmetric, so both of its threads are movers.
            for (mover, beside, own, theirs) in [(at, other, &a, &b), (other, at, &b, &a)] {
                self.pair_steps(here, (mover, beside), &globals, (own, theirs))?;
            }
            self.third(here, (at, other), &globals, (&a, &b))?;
        }
        Ok(())
    }

    fn pair_steps(
        &mut self,
        here: TermId,
        (at, other): (LocId, LocId),
        globals: &[TermId],
        (own, theirs): (&Own, &Own),
    ) -> Result<(), Refusal> {
        if self.flat.locations[other].closed {
            return Ok(());
        }
        for step in self.steps(at, globals, own) {
            let (changed, allowed) = self.beside(at, globals, own, &step, theirs, "p");
            let mut inside = self.at_two((step.to, other), &step.globals, (&step.own, &changed));
            if let Some((entry, child)) = &step.child {
                let born = self.at_two((step.to, *entry), &step.globals, (&step.own, child));
                let met = self.at_two((other, *entry), &step.globals, (&changed, child));
                inside = self.terms.and_all(&[inside, born, met]);
            }
            let outside = self.terms.not(inside);
            if self.possible(&[here, step.possible, allowed, outside])? {
                return Err(Refusal::Step(at));
            }
        }
        Ok(())
    }

    /// A third thread moves.
    fn third(
        &mut self,
        here: TermId,
        (at, other): (LocId, LocId),
        globals: &[TermId],
        (a, b): (&Own, &Own),
    ) -> Result<(), Refusal> {
        if self.flat.locations[at].closed || self.flat.locations[other].closed {
            return Ok(());
        }
        let mover = self.own("m");
        for (e, location) in self.flat.locations.iter_enumerated() {
            let noticed = location.instr.passive().is_some() || !location.instr.written_globals(self.flat).is_empty();
            if !noticed {
                continue;
            }
            let first = self.at_two((at, e), globals, (a, &mover));
            let second = self.at_two((other, e), globals, (b, &mover));
            let three = self.terms.and_all(&[here, first, second]);
            if self.terms.as_bool(three) == Some(false) {
                continue;
            }
            for step in self.steps(e, globals, &mover) {
                let (changed_a, allowed_a) = self.beside(e, globals, &mover, &step, a, "p");
                let (changed_b, allowed_b) = self.beside(e, globals, &mover, &step, b, "q");
                let inside = self.at_two((at, other), &step.globals, (&changed_a, &changed_b));
                let outside = self.terms.not(inside);
                if self.possible(&[three, step.possible, allowed_a, allowed_b, outside])? {
                    return Err(Refusal::Interference(at, e));
                }
            }
        }
        Ok(())
    }

    /// What a step makes of a thread beside it, and whether it is possible beside it.
    fn beside(
        &mut self,
        at: LocId,
        globals: &[TermId],
        own: &Own,
        step: &Step,
        theirs: &Own,
        choices: &str,
    ) -> (Own, TermId) {
        let mut allowed = self.terms.bool(true);
        for (mine, their) in step.own.iter().zip(theirs).skip(self.flat.locals) {
            let both = self.terms.and(*mine, *their);
            let not_both = self.terms.not(both);
            allowed = self.terms.and(allowed, not_both);
        }
        let flat = self.flat;
        match &flat.locations[at].instr {
            Instr::Assign(assign, _) if assign.passive.is_some() => {
                let (possible, changed) = self.passive(assign, globals, own, step, theirs, choices);
                (changed, self.terms.and(allowed, possible))
            }
            _ => (theirs.clone(), allowed),
        }
    }

    /// The passive part of a step: when it is possible, and what it makes of the other thread.
    fn passive(
        &mut self,
        assign: &Assign,
        globals: &[TermId],
        own: &Own,
        step: &Step,
        theirs: &Own,
        choices: &str,
    ) -> (TermId, Own) {
        let part = assign.passive.as_ref().expect("there is one");
        let mut all_choices = step.choices.clone();
        all_choices.extend(self.variables(choices, part.choices as usize));
        let mut changed = theirs.clone();
        let before =
            View { globals, own, globals_next: &step.globals, own_next: &step.own, theirs, theirs_next: theirs };
        for (var, value) in &part.targets {
            changed[var.index() - self.flat.globals] = self.value(value, &before, &all_choices);
        }
        let after = View { theirs_next: &changed, ..before };
        (self.value(&part.constrain, &after, &all_choices), changed)
    }

    /// [BOOLPROG Table 1] The steps of a thread, as terms over its state.
    fn steps(&mut self, at: LocId, globals: &[TermId], own: &Own) -> Vec<Step> {
        let flat = self.flat;
        let view = View { globals, own, globals_next: globals, own_next: own, theirs: own, theirs_next: own };
        let yes = self.terms.bool(true);
        let plain = |to: LocId, possible: TermId, own: Own| Step {
            to,
            possible,
            globals: globals.to_vec(),
            own,
            child: None,
            choices: Vec::new(),
        };
        match &flat.locations[at].instr {
            Instr::Skip(next) => vec![plain(*next, yes, own.clone())],
            Instr::Goto(targets) => targets.iter().map(|t| plain(*t, yes, own.clone())).collect(),
            Instr::Branch { arms, choices } => {
                let choices = self.variables("c", *choices as usize);
                arms.iter().map(|(e, to)| plain(*to, self.value(e, &view, &choices), own.clone())).collect()
            }
            Instr::Lock(lock, next) | Instr::Unlock(lock, next) => {
                let takes = matches!(flat.locations[at].instr, Instr::Lock(..));
                let i = lock.index() - flat.globals;
                let possible = if takes { self.terms.not(own[i]) } else { own[i] };
                let mut after = own.clone();
                after[i] = self.terms.bool(takes);
                vec![plain(*next, possible, after)]
            }
            Instr::Assign(assign, next) => {
                let choices = self.variables("c", assign.choices as usize);
                let (mut after, mut globals_after) = (own.clone(), globals.to_vec());
                for (var, value) in &assign.targets {
                    let value = self.value(value, &view, &choices);
                    match flat.scope(*var) {
                        Scope::Global => globals_after[var.index()] = value,
                        Scope::Local | Scope::Lock => after[var.index() - flat.globals] = value,
                    }
                }
                let view = View { globals_next: &globals_after, own_next: &after, ..view };
                let possible = self.value(&assign.constrain, &view, &choices);
                vec![Step { to: *next, possible, globals: globals_after, own: after, child: None, choices }]
            }
            Instr::Start(start, next) => {
                let choices = self.variables("c", start.choices as usize);
                let zero = self.terms.bool(false);
                let mut child: Own =
                    (0..own.len()).map(|i| if start.inherits && i < flat.locals { own[i] } else { zero }).collect();
                for (var, value) in &start.set {
                    child[var.index() - flat.globals] = self.value(value, &view, &choices);
                }
                vec![Step { child: Some((start.entry, child)), ..plain(*next, yes, own.clone()) }]
            }
            Instr::End | Instr::Error => Vec::new(),
        }
    }

    fn value(&mut self, e: &Ex, view: &View<'_>, choices: &[TermId]) -> TermId {
        match e {
            Ex::Const(b) => self.terms.bool(*b),
            Ex::Choice(c) => choices[*c as usize],
            Ex::Var(v) => view.get(self.flat, v.var, v.primed, v.passive),
            Ex::Not(e) => {
                let e = self.value(e, view, choices);
                self.terms.not(e)
            }
            Ex::And(es) => {
                let es: Vec<TermId> = es.iter().map(|e| self.value(e, view, choices)).collect();
                self.terms.and_all(&es)
            }
            Ex::Or(es) => {
                let es: Vec<TermId> = es.iter().map(|e| self.value(e, view, choices)).collect();
                self.terms.or_all(&es)
            }
            Ex::Iff(a, b) => {
                let (a, b) = (self.value(a, view, choices), self.value(b, view, choices));
                self.terms.eq(a, b)
            }
        }
    }
}

/// Where an expression finds its variables.
#[derive(Clone, Copy)]
struct View<'a> {
    globals: &'a [TermId],
    own: &'a Own,
    globals_next: &'a [TermId],
    own_next: &'a Own,
    theirs: &'a Own,
    theirs_next: &'a Own,
}

impl View<'_> {
    fn get(&self, flat: &Flat, var: VarId, primed: bool, passive: bool) -> TermId {
        match (flat.scope(var), primed, passive) {
            (Scope::Global, false, _) => self.globals[var.index()],
            (Scope::Global, true, _) => self.globals_next[var.index()],
            (Scope::Local | Scope::Lock, false, false) => self.own[var.index() - flat.globals],
            (Scope::Local | Scope::Lock, true, false) => self.own_next[var.index() - flat.globals],
            (Scope::Local | Scope::Lock, false, true) => self.theirs[var.index() - flat.globals],
            (Scope::Local | Scope::Lock, true, true) => self.theirs_next[var.index() - flat.globals],
        }
    }
}
