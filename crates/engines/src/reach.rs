//! How far an answer within bounds goes: what was cut off at which place, and what executions reach all the same.
//!
//! An answer `SAFE WITHIN` that no execution reaches the end of says next to nothing. So engines note where threads were cut off,
//! whether `main` comes to its end, and which of the user's assertions are evaluated. Nothing of that changes a verdict.

use std::collections::BTreeSet;
use std::time::Duration;

use heddle_base::{Budget, Id, Loc};
use heddle_ir::assertions::{AssertionId, Assertions};
use heddle_ir::cfg::Cfg;
use heddle_ir::loops::Loops;
use heddle_ir::{Callee, FuncId, Program, StepId, StepKind};
use heddle_solver::{TermId, Value};
use heddle_symbolic::unwind::{CutCause, CutOff};
use heddle_task::{CutKind, CutPlace, Reached, ReachedAssertion, Task};

use crate::bounded::Found;
use crate::questions::{Question, Questions};

/// Explains what was cut off in a task.
pub(crate) struct Places<'a> {
    pub(crate) task: &'a Task<'a>,
    /// Iterations of loops without a bound of their own, and nested calls.
    pub(crate) unwind: u64,
    /// Steps of each thread.
    pub(crate) steps: u64,
}

impl Places<'_> {
    /// The places of what the bound on loops and recursion cut off, each once, in order.
    pub(crate) fn by_unwind(&self, cuts: impl IntoIterator<Item = (CutCause, Loc)>) -> Vec<CutPlace> {
        let places: BTreeSet<CutPlace> = cuts
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter_map(|(cause, loc)| match cause {
                CutCause::Loop(..) | CutCause::Recursion(_) => Some(self.place(cause, loc)),
                CutCause::Steps(_) | CutCause::Scope => None,
            })
            .collect();
        places.into_iter().collect()
    }

    /// The places of what the bound on steps cut off, each once, in order.
    pub(crate) fn by_steps(&self, cuts: impl IntoIterator<Item = (CutCause, Loc)>) -> Vec<CutPlace> {
        let cuts: BTreeSet<(CutCause, Loc)> =
            cuts.into_iter().filter(|(cause, _)| matches!(cause, CutCause::Steps(_))).collect();
        let places: BTreeSet<CutPlace> = cuts.into_iter().map(|(cause, loc)| self.place(cause, loc)).collect();
        places.into_iter().collect()
    }

    /// `loc` is a place in the user's own code.
    fn place(&self, cause: CutCause, loc: Loc) -> CutPlace {
        let program = self.task.program;
        let display = |loc: Loc| program.sources.display(loc).to_string();
        match cause {
            CutCause::Loop(func, id) => {
                let function = &program.functions[func];
                let cfg = Cfg::new(function);
                let found = &Loops::new(function, &cfg).loops[id];
                let own = self.task.unwindset.iter().find(|(name, _)| *name == found.name);
                let inside = |at: StepId| found.blocks.contains(cfg.block_of[at].index());
                let mut steps = function.steps.iter_enumerated().filter(|(at, _)| inside(*at));
                let creates = steps.any(|(_, step)| creates_threads(program, &step.kind, &mut BTreeSet::new()));
                CutPlace {
                    place: display(if function.model { loc } else { found.loc }),
                    kind: if creates { CutKind::ThreadCreation } else { CutKind::Loop },
                    name: found.name.clone(),
                    limit: own.map_or(self.unwind, |(_, limit)| *limit),
                }
            }
            CutCause::Recursion(func) => CutPlace {
                place: display(loc),
                kind: CutKind::Recursion,
                name: program.functions[func].name.clone(),
                limit: self.unwind,
            },
            CutCause::Steps(func) => CutPlace {
                place: display(loc),
                kind: CutKind::Thread,
                name: program.functions[func].name.clone(),
                limit: self.steps,
            },
            CutCause::Scope => {
                CutPlace { place: display(loc), kind: CutKind::Thread, name: String::new(), limit: self.steps }
            }
        }
    }
}

/// Whether a step starts a thread, itself or in what it calls by name.
fn creates_threads(program: &Program, step: &StepKind, seen: &mut BTreeSet<FuncId>) -> bool {
    if matches!(step, StepKind::Spawn { .. }) {
        return true;
    }
    let StepKind::Call { callee: Callee::Direct(func), .. } = *step else { return false };
    seen.insert(func) && program.functions[func].steps.iter().any(|step| creates_threads(program, &step.kind, seen))
}

/// What is reached, from what is known of the end of `main` and of each assertion.
pub(crate) fn reached(
    program: &Program,
    assertions: &Assertions,
    end_of_main: Option<bool>,
    known: impl Fn(AssertionId) -> Option<bool>,
) -> Reached {
    let mut places: Vec<(Loc, Option<bool>)> =
        assertions.places.iter_enumerated().map(|(id, &loc)| (loc, known(id))).collect();
    places.sort_by_key(|(loc, _)| *loc);
    let place = |(loc, reached)| ReachedAssertion { place: program.sources.display(loc).to_string(), reached };
    Reached { end_of_main, assertions: places.into_iter().map(place).collect() }
}

/// The share of the time of a search that goes into finding out what is reached, and the least.
const SHARE: u32 = 4;
const LEAST: Duration = Duration::from_millis(100);

/// What is asked about one place: whether some of these guards can hold. None where that is not known yet.
struct Goal {
    guards: Vec<TermId>,
    known: Option<bool>,
}

/// What an unwinding reaches, and where it is cut off: those of its cuts that executions can come to, or may.
pub(crate) struct Survey {
    pub(crate) reached: Reached,
    pub(crate) cuts: Vec<(CutCause, Loc)>,
}

/// Asks the solver for executions that reach what is not known to be reached, until there is none. `found` is an execution that is
/// already known; `spent` is the time that the search took so far.
pub(crate) fn survey(questions: &mut Questions<'_>, found: &Found, spent: Duration) -> Survey {
    let (program, unwinding) = (questions.task.program, questions.unwinding);
    let assertions = Assertions::new(program);
    let loc = |cut: &CutOff| program.functions[cut.site.func].steps[cut.site.step].loc;
    let causes: BTreeSet<(CutCause, Loc)> = unwinding.cuts.iter().map(|cut| (cut.cause, loc(cut))).collect();
    // The end of `main`, then assertions, then cuts.
    let mut goals = vec![Goal { guards: unwinding.main_ends.clone(), known: None }];
    goals.extend(assertions.places.ids().map(|id| {
        let evaluated = unwinding.asserted.iter().filter(|(_, assertion)| *assertion == id);
        Goal { guards: evaluated.map(|(guard, _)| *guard).collect(), known: None }
    }));
    goals.extend(causes.iter().map(|&(cause, place)| {
        let same = unwinding.cuts.iter().filter(|cut| cut.cause == cause && loc(cut) == place);
        Goal { guards: same.map(|cut| cut.guard).collect(), known: None }
    }));
    let budget = &questions.run.budget;
    let time = (spent / SHARE).max(LEAST);
    let budget = budget.clone().with_time(budget.time_left().map_or(time, |left| left.min(time)));
    settle(questions, &mut goals, found, &budget);
    let (ends, rest) = goals.split_first().expect("the first is the end of `main`");
    let (of_assertions, of_cuts) = rest.split_at(assertions.places.len());
    let known = |id: heddle_ir::assertions::AssertionId| of_assertions[id.index()].known;
    let open = causes.into_iter().zip(of_cuts).filter(|(_, goal)| goal.known != Some(false));
    Survey { reached: reached(program, &assertions, ends.known, known), cuts: open.map(|(cut, _)| cut).collect() }
}

/// Settles goals until none is open, or the time is over.
fn settle(questions: &mut Questions<'_>, goals: &mut [Goal], found: &Found, budget: &Budget) {
    mark(questions, goals, found);
    loop {
        let open: Vec<TermId> =
            goals.iter().filter(|goal| goal.known.is_none()).flat_map(|goal| goal.guards.clone()).collect();
        match questions.possible_within(Question::Reached, &open, budget) {
            Ok(Some(found)) => {
                if !mark(questions, goals, &found) {
                    return;
                }
            }
            Ok(None) => {
                goals.iter_mut().filter(|goal| goal.known.is_none()).for_each(|goal| goal.known = Some(false));
                return;
            }
            // What is not known is told so.
            Err(_) => return,
        }
    }
}

/// Marks the goals that an execution reaches. False if it reaches none that was open.
fn mark(questions: &mut Questions<'_>, goals: &mut [Goal], found: &Found) -> bool {
    let mut model = found.model.evaluator(questions.terms);
    let mut any = false;
    for goal in goals.iter_mut().filter(|goal| goal.known.is_none()) {
        if goal.guards.iter().any(|&guard| model.eval(guard) == Value::Bool(true)) {
            goal.known = Some(true);
            any = true;
        }
    }
    any
}
