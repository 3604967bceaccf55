//! `abstract`: unbounded proofs by predicate abstraction over pairs of thread states, [BOOLPROG].
//!
//! ```text
//! Program ─ build ─▶ Template ─ predicates ─▶ Pool ─┐
//!                        └─ post (SAT, cached) ─▶ reach ─▶ closed: SAFE
//!                               ▲                   └─▶ error ─ refine ─▶ more predicates, or UNKNOWN
//!                               └───────────────────────────────────────────┘
//! ```
//!
//! [`template`] has thread classes as graphs whose edges are terms; [`build`] and [`memory`] make it of a program, [`objects`] decide
//! what of its memory is tracked. [`post`] computes exactly what an edge does to predicates, [`reach`] closes the set of pairs of
//! thread states for any number of threads, [`refine`] finds the predicates that rule an error out, [`predicates`] where they come from.
//!
//! **Deviation from the paper:** pairs instead of single thread states, which subsumes the lock condition (2d), and no Boolean program is
//! written out: posts are computed when they are needed, exactly.
//!
//! **Limits.** Recursion, memory whose objects exist many times (their contents are arbitrary), properties that are not a matter of one
//! place (`deadlock`, `race`, `leak`, `uninit`). Bugs are not looked for: an error that no predicate rules out is `UNKNOWN`.

mod build;
mod memory;
mod objects;
mod orders;
mod post;
mod predicates;
mod reach;
mod refine;
mod template;

use heddle_base::Stop;
use heddle_ir::Property;
use heddle_machine::Prepared;
use heddle_solver::{Answer, Solver, TermId, Terms, Value};
use heddle_task::{Assumption, Proof, Reason, Run, Task, Verdict};

use crate::engine::Engine;
use crate::registry::{CorpusRole, EngineRow, Flag, Proves};

use self::build::{BuildConfig, Obstacle};
use self::post::{Active, Context, Failed, Posts, View};
use self::predicates::{MOVER, Pool, Roles};
use self::reach::{Ended, Search, SearchConfig};
use self::refine::{Refined, Refiner};
use self::template::{Failure, Target, Template, Wrong};

/// Tuples beyond which a set of predicates is given up.
const MOST_TUPLES: usize = 2_000_000;

/// The engine in the registry.
pub(crate) const ROW: EngineRow = EngineRow {
    name: "abstract",
    summary: "Proofs for any number of threads and iterations, by predicate abstraction (paper 004)",
    flags: &[Flag::Assume],
    proves: Proves::Invariant,
    corpus: CorpusRole::Proofs,
    make: |_| Box::new(Abstract),
};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abstract;

impl Engine for Abstract {
    fn name(&self) -> &'static str {
        "abstract"
    }

    fn check(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
        match self.prove(task, prepared, run) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Properties that are violated at one place of one thread.
const PLACED: [Property; 5] =
    [Property::Assert, Property::Lock, Property::Memory, Property::Division, Property::Overflow];

impl Abstract {
    fn prove(&self, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Result<Verdict, Reason> {
        let analysis = &prepared.analysis;
        let mut terms = Terms::new();
        let config = BuildConfig { properties: task.properties, assumed: task.assumed };
        let template = match build::build(task.program, analysis, &mut terms, &config, &run.budget) {
            Ok(template) => template,
            Err(Obstacle::Unsupported(what)) => return Err(Reason::Unsupported(what)),
            Err(Obstacle::Stop(stop)) => return Err(stop.into()),
        };
        run.statistics.set("abstract.locations", template.locations.len() as f64);
        run.statistics.set("abstract.edges", template.edges.len() as f64);
        let open: Vec<Property> = task.properties.iter().filter(|p| !PLACED.contains(p)).collect();
        let mut roles = Roles::default();
        let mut pool = Pool::new(&template, &mut terms, &mut roles);
        let mut posts = Posts::default();
        let mut active = Active::new(&template);
        let mut context = Context { template: &template, terms: &mut terms, roles: &mut roles, budget: &run.budget };
        let mut thorough = false;
        let mut rounds = 0u32;
        loop {
            rounds += 1;
            run.statistics.set("abstract.rounds", f64::from(rounds));
            run.statistics.set("abstract.predicates", active.all.len() as f64);
            let first = first_views(&mut context, &active).map_err(Reason::from)?;
            let begin = std::time::Instant::now();
            let mut search =
                Search::new(&mut context, &active, &mut posts, SearchConfig { most: MOST_TUPLES, jointly: thorough });
            let ended = search.run(&first);
            let reached = std::mem::take(&mut search.reached);
            run.statistics.add("seconds.reach", begin.elapsed().as_secs_f64());
            run.statistics.set("abstract.tuples", reached.tuples.len() as f64);
            run.statistics.set("abstract.queries", posts.queries as f64);
            let bad = match ended.map_err(reason)? {
                Ended::Closed if open.is_empty() => {
                    let classes: Vec<&str> = template.classes.iter().map(|c| c.name.as_str()).collect();
                    let description = format!(
                        "{} pairs of thread states of any number of threads ({}), by {} predicates",
                        reached.tuples.len(),
                        classes.join(", "),
                        active.all.len()
                    );
                    return Ok(Verdict::Safe(assuming(task, &template, Proof::Inductive { description })));
                }
                Ended::Closed => {
                    let names: Vec<&str> = open.iter().map(|p| p.name()).collect();
                    return Err(Reason::Unsupported(format!(
                        "all else holds for any number of threads, but there is no unbounded proof rule for {}",
                        names.join(", ")
                    )));
                }
                Ended::Error(bad) => bad,
            };
            let begin = std::time::Instant::now();
            let nodes = if thorough { 300 } else { 120 };
            let refined = Refiner::new(&mut context, &mut pool, &active, &reached, nodes).run(bad).map_err(reason)?;
            run.statistics.add("seconds.refine", begin.elapsed().as_secs_f64());
            let added = match refined {
                Refined::Add(ids) => ids.into_iter().filter(|&id| active.add(id, &pool.all[id])).count(),
                Refined::Nothing => 0,
            };
            if added == 0 && !thorough {
                thorough = true;
                continue;
            }
            if added == 0 {
                let Target::Error(failure) = &template.edges[bad.edge].to else { unreachable!("an error edge") };
                return Err(not_proved(task, failure));
            }
            posts.predicates_changed();
        }
    }
}

/// What a proof assumes, if anything: a property that is assumed at no place is not.
fn assuming(task: &Task<'_>, template: &Template, proof: Proof) -> Proof {
    let mut assumptions: Vec<Assumption> = Vec::new();
    for property in task.assumed.iter() {
        let all = template.assumed.iter().filter(|one| one.0 == property);
        let places: Vec<String> = all.map(|one| heddle_ir::show::place(task.program, one.1)).collect();
        if !places.is_empty() {
            assumptions.push(Assumption { property, places });
        }
    }
    if assumptions.is_empty() { proof } else { Proof::Assuming { assumptions, proof: Box::new(proof) } }
}

fn reason(failed: Failed) -> Reason {
    match failed {
        Failed::Stop(stop) => stop.into(),
        Failed::TooMany => Reason::Limit("too many thread states".to_owned()),
    }
}

fn not_proved(task: &Task<'_>, failure: &Failure) -> Reason {
    let place = heddle_ir::show::place(task.program, failure.place);
    match failure.wrong {
        Wrong::Violation(_) => Reason::Limit(format!("no proof found for: {} at {place}", failure.message)),
        Wrong::Unsupported => Reason::Unsupported(format!("{} at {place}", failure.message)),
        Wrong::Undefined(_) => Reason::Undefined(format!("{} at {place}", failure.message)),
    }
}

/// The values of predicates in the first state.
fn first_views(context: &mut Context<'_>, active: &Active) -> Result<Vec<View>, Stop> {
    let template: &Template = context.template;
    let mut solver = Solver::new();
    for &(var, value) in &template.initial {
        let equal = context.terms.eq(template.vars[var].term, value);
        solver.assert(context.terms, equal).expect("a Boolean term");
    }
    let start = template.classes[heddle_base::Id::new(0)].start;
    let mut asked: Vec<(usize, bool, TermId)> = Vec::new();
    for (bit, predicate) in active.shared.iter().enumerate() {
        asked.push((bit, true, predicate.term));
    }
    for (bit, predicate) in active.local[0].iter().enumerate() {
        if predicates::is_live(template, &predicate.locals[0], start) {
            asked.push((bit, false, predicate.term));
        }
    }
    let mut views = Vec::new();
    loop {
        let model = match solver.solve(context.terms, &[], context.budget).expect("Boolean terms") {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(views),
            Answer::Unknown(stop) => return Err(stop),
        };
        let mut view = View::default();
        let mut differs = Vec::new();
        for &(bit, shared, term) in &asked {
            let value = model.eval(context.terms, term) == Value::Bool(true);
            let word = if shared { &mut view.shared } else { &mut view.local[MOVER] };
            *word |= u64::from(value) << bit;
            differs.push(if value { context.terms.not(term) } else { term });
        }
        views.push(view);
        let differs = context.terms.or_all(&differs);
        solver.assert(context.terms, differs).expect("a Boolean term");
    }
}
