//! What is asked about a formula, and what becomes of the answers: candidates that the machine confirms.
//!
//! Violations come first, one question for all of them; then races, leaks, deadlocks. A model is a candidate, and the machine
//! replays it. After the first one that it confirms the same formula is asked for others: what was reported, by property
//! and place, is left out, until nothing else is possible or the time for this is over (ADR 8).

use heddle_base::{Budget, Loc};
use heddle_encode::{Formula, Retracing};
use heddle_ir::Site;
use heddle_ir::{Program, Property};
use heddle_solver::{Evaluator, Sort, TermId, Terms};
use heddle_symbolic::unwind::{Blocked, Suspect, Unwinding, arbitrary};
use heddle_task::{Reason, Run, Schedule, Task, Violations};

use crate::bounded::{Found, Instance};
use crate::judge::{Answered, Judge, Judged};
use crate::unanswered::Unanswered;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    Violation,
    Race,
    Leak,
    Deadlock,
    LockOrder,
    CutOff,
    Reached,
    Frontier,
    Unsupported,
    Undefined,
    GivenBack,
    Unordered,
    Uninitialised,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Question::Violation => "is a violation possible?",
            Question::Race => "is a race possible?",
            Question::Leak => "is a leak possible?",
            Question::Deadlock => "is a deadlock possible?",
            Question::LockOrder => "are these locks taken in one execution?",
            Question::Frontier => "is a direction reachable that no execution took?",
            Question::CutOff => "is something cut off by the bound?",
            Question::Reached => "is the end of main, an assertion or a bound reached?",
            Question::Unsupported => "is something unsupported executed?",
            Question::Undefined => "is something undefined executed?",
            Question::GivenBack => "is a read lock given back by a thread that did not take it?",
            Question::Unordered => "does a thread observe another one without synchronising with it?",
            Question::Uninitialised => "is something read that was never written?",
        })
    }
}

/// A formula, ready to be asked, and what it was made of.
pub(crate) struct Questions<'a> {
    pub(crate) task: &'a Task<'a>,
    pub(crate) run: &'a Run<'a>,
    pub(crate) judge: Judge<'a>,
    pub(crate) unwinding: &'a Unwinding,
    pub(crate) formula: &'a Formula,
    pub(crate) terms: &'a mut Terms,
    pub(crate) instance: &'a mut dyn Instance,
    pub(crate) violations: Violations,
    /// Whether memory that was never written holds arbitrary values, which the machine cannot confirm.
    pub(crate) arbitrary: bool,
}

impl Questions<'_> {
    /// An execution in which one of the terms holds, and in which nobody asks about races or leaks.
    pub(crate) fn possible(&mut self, question: Question, any: &[TermId]) -> Result<Option<Found>, Unanswered> {
        let goal = self.unasked(any);
        self.solve(question, goal)
    }

    /// The same, with a limit of its own.
    pub(crate) fn possible_within(
        &mut self,
        question: Question,
        any: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Found>, Unanswered> {
        let goal = self.unasked(any);
        self.solve_within(question, goal, budget)
    }

    /// One of the terms holds, and nobody asks about races or leaks.
    fn unasked(&mut self, any: &[TermId]) -> TermId {
        let goal = self.terms.or_all(any);
        let unasked = races_and_leaks_unasked(self.formula, self.terms);
        self.terms.and_all(&[goal, unasked])
    }

    fn solve(&mut self, question: Question, goal: TermId) -> Result<Option<Found>, Unanswered> {
        let budget = self.violations.more().unwrap_or(&self.run.budget).clone();
        self.solve_within(question, goal, &budget)
    }

    fn solve_within(&mut self, question: Question, goal: TermId, budget: &Budget) -> Result<Option<Found>, Unanswered> {
        let mut goal = goal;
        let unwritten = !self.formula.uninitialised.is_empty() || !self.formula.unwritten.is_empty();
        if unwritten && !self.arbitrary {
            let arbitrary = arbitrary(self.terms);
            let zeros = self.terms.not(arbitrary);
            goal = self.terms.and_all(&[goal, zeros]);
        }
        if goal == Terms::FALSE {
            return Ok(None);
        }
        self.instance.about(question);
        self.instance.solve(self.terms, goal, budget)
    }

    /// Asks all questions about violations.
    pub(crate) fn violations(&mut self) -> Result<Answered, Unanswered> {
        let asked = [Self::suspects, Self::races, Self::leaks, Self::deadlocks];
        for question in asked {
            let answered = match question(self) {
                // The time for others is over; what was found counts.
                Err(_) if !self.violations.is_empty() => return Ok(Answered::Enough),
                answered => answered?,
            };
            match answered {
                Answered::Exhausted => {}
                Answered::Enough | Answered::Unconfirmed(_) => return Ok(answered),
            }
        }
        Ok(Answered::Exhausted)
    }

    /// What can go wrong at some place of one thread.
    fn suspects(&mut self) -> Result<Answered, Unanswered> {
        let suspects: Vec<Suspect> = self.unwinding.violations.iter().chain(&self.formula.unwritten).cloned().collect();
        let mut open: Vec<bool> = vec![true; suspects.len()];
        loop {
            let left: Vec<usize> = (0..suspects.len()).filter(|&i| open[i]).collect();
            let guards: Vec<TermId> = left.iter().map(|&i| suspects[i].guard).collect();
            let Some(found) = self.possible(Question::Violation, &guards)? else { return Ok(Answered::Exhausted) };
            let among: Vec<Suspect> = left.iter().map(|&i| suspects[i].clone()).collect();
            let first = self.violations.is_empty();
            let shown = self.retrace(&found, |retracing, model| {
                let (schedule, which) = retracing.first(&among, model)?;
                // Others that were reported must not come before it.
                Some((if first { schedule } else { retracing.alone(&among[which], model) }, which))
            });
            let Some((schedule, which)) = shown else {
                return Ok(self.unconfirmed("the model violates nothing".to_owned()));
            };
            match self.judge(schedule) {
                Judged::New(violation) => {
                    for &i in &left {
                        let same = suspects[i].what.property(self.task.program) == violation.property;
                        open[i] &= !(same && self.loc(suspects[i].site) == violation.loc);
                    }
                    // Whatever else came first, this one will not come again.
                    if self.loc(among[which].site) == violation.loc {
                        open[left[which]] = false;
                    }
                }
                Judged::Known(_) => open[left[which]] = false,
                Judged::Unconfirmed(reason) => match self.doubtful(reason) {
                    Answered::Exhausted => open[left[which]] = false,
                    answered => return Ok(answered),
                },
            }
            if self.violations.is_enough() {
                return Ok(Answered::Enough);
            }
        }
    }

    /// Whether two threads can be about to race.
    fn races(&mut self) -> Result<Answered, Unanswered> {
        let Some(goal) = self.formula.races.goal else { return Ok(Answered::Exhausted) };
        let (formula, unwinding) = (self.formula, self.unwinding);
        let mut goal = goal;
        loop {
            let Some(found) = self.solve(Question::Race, goal)? else { return Ok(Answered::Exhausted) };
            let shown = self.retrace(&found, |retracing, model| {
                let pair = formula.races.pair(unwinding, model)?;
                Some((retracing.race(pair, model), pair))
            });
            let Some((schedule, pair)) = shown else {
                return Ok(self.unconfirmed("the model shows no race".to_owned()));
            };
            if let Judged::Unconfirmed(reason) = self.judge(schedule)
                && let answered @ (Answered::Enough | Answered::Unconfirmed(_)) = self.doubtful(reason)
            {
                return Ok(answered);
            }
            if self.violations.is_enough() {
                return Ok(Answered::Enough);
            }
            let places = [pair.first, pair.second].map(|i| self.loc(unwinding.races[i].site));
            let program = self.task.program;
            let at = |place: Loc| move |site: Site| loc(program, site) == place;
            let other = formula.races.other_than(unwinding, self.terms, (at(places[0]), at(places[1])));
            goal = self.terms.and_all(&[goal, other]);
        }
    }

    /// Whether the process can end with a heap block left.
    fn leaks(&mut self) -> Result<Answered, Unanswered> {
        let (formula, unwinding) = (self.formula, self.unwinding);
        let mut open: Vec<bool> = vec![true; unwinding.allocations.len()];
        loop {
            let Some(goal) = formula.leaks.goal(self.terms, |allocation| open[allocation]) else {
                return Ok(Answered::Exhausted);
            };
            let Some(found) = self.solve(Question::Leak, goal)? else { return Ok(Answered::Exhausted) };
            let shown = self.retrace(&found, |retracing, model| {
                let leak = formula.leaks.shown(|allocation| open[allocation], model)?;
                Some((retracing.leak(leak, model), leak))
            });
            let Some((schedule, leak)) = shown else {
                return Ok(self.unconfirmed("the model shows no leak".to_owned()));
            };
            if let Judged::Unconfirmed(reason) = self.judge(schedule)
                && let answered @ (Answered::Enough | Answered::Unconfirmed(_)) = self.doubtful(reason)
            {
                return Ok(answered);
            }
            if self.violations.is_enough() {
                return Ok(Answered::Enough);
            }
            let place = self.loc(unwinding.allocations[leak.allocation].site);
            for (i, allocation) in unwinding.allocations.iter().enumerate() {
                open[i] &= self.loc(allocation.site) != place;
            }
        }
    }

    /// Deadlocks: all threads have finished or are blocked, and one is; or some wait for each other.
    fn deadlocks(&mut self) -> Result<Answered, Unanswered> {
        if !self.task.properties.contains(Property::Deadlock) {
            return Ok(Answered::Exhausted);
        }
        for goal in [self.nobody_moves(), self.waiting_cycle()] {
            let mut goal = goal;
            while let Some(found) = self.possible(Question::Deadlock, &[goal])? {
                let shown = self.retrace(&found, |retracing, model| Some((retracing.whole(model), ())));
                let (schedule, ()) = shown.expect("always there");
                let place = match self.judge(schedule) {
                    Judged::New(violation) if !self.violations.is_enough() => violation.loc,
                    Judged::New(_) => return Ok(Answered::Enough),
                    // Its first thread waits where that of a known one does, or something else comes before it.
                    Judged::Known(_) => break,
                    Judged::Unconfirmed(reason) => return Ok(self.doubtful(reason)),
                };
                let blocked = self.unwinding.blocked.iter().filter(|b| loc(self.task.program, b.site) == place);
                let there: Vec<TermId> = blocked.map(|blocked| blocked.guard).collect();
                let there = self.terms.or_all(&there);
                let elsewhere = self.terms.not(there);
                goal = self.terms.and_all(&[goal, elsewhere]);
            }
        }
        Ok(Answered::Exhausted)
    }

    fn nobody_moves(&mut self) -> TermId {
        let (unwinding, terms) = (self.unwinding, &mut *self.terms);
        // Whatever else may have stopped a thread.
        let mut open: Vec<TermId> = unwinding.stops.clone();
        open.extend(unwinding.cut_guards());
        open.extend(unwinding.unsupported.iter().map(|(guard, _)| *guard));
        open.extend(unwinding.violations.iter().chain(&unwinding.undefined).map(|suspect| suspect.guard));
        let open = terms.or_all(&open);
        let closed = terms.not(open);
        let exits = terms.or_all(&unwinding.exits);
        let runs = terms.not(exits);
        let blocked: Vec<TermId> = unwinding.blocked.iter().map(|blocked| blocked.guard).collect();
        let blocked = terms.or_all(&blocked);
        terms.and_all(&[blocked, closed, runs])
    }

    /// Threads that wait for each other are a deadlock whatever the others do: a set of threads, each blocked and waiting
    /// for what one of the set holds, or one that has ended.
    fn waiting_cycle(&mut self) -> TermId {
        let (unwinding, terms) = (self.unwinding, &mut *self.terms);
        let members: Vec<TermId> =
            unwinding.blocked.iter().map(|_| terms.fresh("waits", Sort::Bool).expect("a sort")).collect();
        let mut cycle = vec![terms.or_all(&members)];
        for (blocked, &member) in unwinding.blocked.iter().zip(&members) {
            let mut next = Vec::new();
            for (other, &there) in unwinding.blocked.iter().zip(&members).filter(|_| blocked.lock) {
                let held = holds(terms, (other.thread, &other.held), blocked);
                next.push(terms.and_all(&[there, held]));
            }
            // Or for what a thread holds that has ended [ESBMC §4.1].
            for ended in unwinding.ended.iter().filter(|_| blocked.lock) {
                let held = holds(terms, (ended.thread, &ended.held), blocked);
                next.push(terms.and_all(&[ended.guard, held]));
            }
            let next = terms.or_all(&next);
            let waits = terms.and_all(&[blocked.guard, next]);
            cycle.push(terms.implies(member, waits));
        }
        terms.and_all(&cycle)
    }

    /// Looks at a model with what it takes to make a schedule of it.
    pub(crate) fn retrace<T>(
        &mut self,
        found: &Found,
        with: impl FnOnce(&Retracing<'_>, &mut Evaluator<'_>) -> T,
    ) -> T {
        let mut model = found.model.evaluator(self.terms);
        let retracing = Retracing {
            program: self.task.program,
            fingerprint: self.judge.code.fingerprint(),
            unwinding: self.unwinding,
            formula: self.formula,
            order: &found.order,
        };
        with(&retracing, &mut model)
    }

    fn loc(&self, site: Site) -> Loc {
        loc(self.task.program, site)
    }

    fn unconfirmed(&self, why: String) -> Answered {
        if !self.arbitrary {
            self.run.statistics.add("unconfirmed", 1.0);
        }
        self.doubtful(Reason::Unconfirmed(why))
    }

    /// What is not confirmed decides nothing, unless there is nothing else.
    fn doubtful(&self, reason: Reason) -> Answered {
        if self.violations.is_empty() { Answered::Unconfirmed(reason) } else { Answered::Exhausted }
    }

    /// Lets the machine execute what a model says.
    fn judge(&mut self, schedule: Schedule) -> Judged {
        let judged = self.judge.judge(schedule, &mut self.violations, &self.run.budget);
        if matches!(judged, Judged::Unconfirmed(_)) && !self.arbitrary {
            self.run.statistics.add("unconfirmed", 1.0);
        }
        judged
    }
}

/// Whether a thread, given by its number and the read-write locks that it holds, holds what another one waits for.
fn holds(terms: &mut Terms, (thread, held): (u32, &[(TermId, TermId)]), waiting: &Blocked) -> TermId {
    match waiting.holder {
        Some(holder) => {
            let number = terms.bv(32, u64::from(thread));
            terms.eq(holder, number)
        }
        None => {
            let mut any = Vec::new();
            for &(address, when) in held {
                let same = terms.eq(address, waiting.object);
                any.push(terms.and_all(&[same, when]));
            }
            terms.or_all(&any)
        }
    }
}

/// Holds if nobody asks about races or leaks: then there are no orders to be decided for them.
fn races_and_leaks_unasked(formula: &Formula, terms: &mut Terms) -> TermId {
    let asked: Vec<TermId> = formula.races.asked.into_iter().chain(formula.leaks.asked).collect();
    let asked = terms.or_all(&asked);
    terms.not(asked)
}

fn loc(program: &Program, site: Site) -> Loc {
    program.functions[site.func].steps[site.step].loc
}
