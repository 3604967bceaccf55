//! The loop of [TDV Fig. 2] on event graphs.

use std::time::{Duration, Instant};

use heddle_base::Stop;
use heddle_encode::Formula;
use heddle_ir::Property;
use heddle_ir::consequences::Consequences;
use heddle_ir::points_to::ObjectKind;
use heddle_ir::show::place;
use heddle_machine::{Config, Halt, Limit, Limits, Outcome, Prepared};
use heddle_solver::{TermId, Terms, Value};
use heddle_symbolic::follow::{Executed, follow};
use heddle_symbolic::unwind::{Addressing, Frontier, Knowledge, Parts, UnwindConfig, Unwinding};
use heddle_task::{Bound, CodeSite, Coverage, Progress, Proof, Reason, Run, Schedule, Task, Verdict, Violations};
use rustc_hash::FxHashMap;

use super::TraceConfig;
use super::execution::Execution;
use super::story;
use crate::bounded::{MAX_STEPS, Scheduling, find_obstacle};
use crate::judge::{self, Answered, Judge, Judged};
use crate::questions::{Question, Questions};
use crate::reach::{self, Places};
use crate::theory::ByTheory;
use crate::unanswered::Unanswered;

/// Steps of each thread in an execution, where no bound is given: programs that wait in loops must come to an end.
const OWN_STEPS: u64 = 100_000;

/// Threads of an execution: a program that starts threads without end must come to one.
const OWN_THREADS: usize = 200;

/// Rounds of each loop that constants do not decide, once a program turns out to wait in loops or to run for ever.
const OWN_ROUNDS: u64 = 4;

/// Checks a task.
pub(super) fn check(config: &TraceConfig, task: &Task<'_>, prepared: &Prepared, run: &Run<'_>) -> Verdict {
    let search = Search::new(config, task, prepared, run);
    search.run().unwrap_or_else(|ended| match ended {
        Ended::Verdict(verdict) => *verdict,
        Ended::Unanswered(why) => Verdict::Unknown(why.into()),
    })
}

/// Why the loop ends before nothing is left to do.
enum Ended {
    Verdict(Box<Verdict>),
    Unanswered(Unanswered),
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Self {
        Ended::Unanswered(stop.into())
    }
}

impl From<Unanswered> for Ended {
    fn from(why: Unanswered) -> Self {
        Ended::Unanswered(why)
    }
}

impl From<Reason> for Ended {
    fn from(reason: Reason) -> Self {
        Ended::Verdict(Box::new(Verdict::Unknown(reason)))
    }
}

struct Search<'s, 'p> {
    config: &'s TraceConfig,
    task: &'s Task<'p>,
    prepared: &'s Prepared,
    run: &'s Run<'s>,
    limits: Limits,
    consequences: Consequences,
    executed: Executed,
    knowledge: Knowledge,
    begin: Instant,
    executions: u64,
    analyses: u64,
    /// A limit of the machine that stopped the last execution. It matters if the execution was to come to a frontier: what
    /// is covered, the analysis decides.
    limit: Option<String>,
    /// The bound on rounds of loops: the one that was asked for, or [`OWN_ROUNDS`] where there is no end otherwise.
    unwind: Option<u64>,
    /// How many executions were guided to each branch.
    guided: FxHashMap<CodeSite, u64>,
}

/// What one analysis concluded.
enum Concluded {
    Decided(Verdict),
    /// Executions took directions that were not known.
    Learnt,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(config: &'s TraceConfig, task: &'s Task<'p>, prepared: &'s Prepared, run: &'s Run<'s>) -> Self {
        let mut knowledge = Knowledge::new(task.program);
        for shared in &prepared.analysis.sharing.objects {
            if let ObjectKind::Global(global) = prepared.analysis.points_to.objects[shared.object].kind {
                knowledge.expect_shared(global);
            }
        }
        let limits = Limits {
            thread_steps: task.bounds.steps.or(config.limits.thread_steps).or(Some(OWN_STEPS)),
            threads: config.limits.threads.min(OWN_THREADS),
            ..config.limits.clone()
        };
        Search {
            config,
            task,
            prepared,
            run,
            limits,
            consequences: Consequences::new(task.program, &prepared.visibility, task.properties),
            executed: Executed::new(task.program, &prepared.visibility, task.properties),
            knowledge,
            begin: Instant::now(),
            executions: 0,
            analyses: 0,
            limit: None,
            unwind: task.bounds.unwind,
            guided: FxHashMap::default(),
        }
    }

    fn run(mut self) -> Result<Verdict, Ended> {
        story::tell_inputs(self.task, self.run);
        self.execute(None)?;
        loop {
            self.analyses += 1;
            (self.run.progress)(&Progress { phase: "analysing traces", done: self.analyses });
            let concluded = self.analyse()?;
            self.report();
            if let Concluded::Decided(verdict) = concluded {
                story::tell_unreached(self.task, &self.executed, self.run);
                return Ok(verdict);
            }
        }
    }

    fn report(&self) {
        let statistics = self.run.statistics;
        statistics.set("executions", self.executions as f64);
        statistics.set("analyses", self.analyses as f64);
        statistics.set("directions", self.executed.directions() as f64);
    }

    /// Executes the program, along a guide if there is one. A violation ends the loop.
    fn execute(&mut self, guide: Option<&Schedule>) -> Result<(), Ended> {
        self.executions += 1;
        self.report();
        let begin = Instant::now();
        let execution = Execution::new(self.task, self.prepared, &self.limits, guide, self.run)?;
        self.run.statistics.add("seconds.execute", begin.elapsed().as_secs_f64());
        story::tell_execution(self.run, self.executions, guide, &execution);
        if execution.recording.truncated {
            return Err(Reason::Limit("an execution has too many steps to be recorded".to_owned()).into());
        }
        if execution.endless {
            self.bound_rounds();
        }
        self.limit = match &execution.outcome {
            Outcome::Halted(Halt::Limit(Limit::Steps)) if self.task.bounds.steps.is_none() => {
                self.bound_rounds();
                Some("executions do not end: --max-steps bounds them".to_owned())
            }
            // What is undefined the analysis meets too.
            Outcome::Halted(Halt::Limit(limit)) if *limit != Limit::Undefined => {
                self.bound_rounds();
                Some(limit.to_string())
            }
            _ => None,
        };
        let paths = execution.paths(self.task.program);
        self.executed.add(self.task.program, &paths, &self.run.budget)?;
        if execution.outcome.violation().is_some() {
            let mut violations = Violations::new(false, self.begin);
            let (task, code) = (self.task, &self.prepared.code);
            let judge = Judge { task, code, config: Config::default(), behind_races: true };
            let judged = judge.judge(execution.schedule, &mut violations, &self.run.budget);
            return Err(match judged {
                Judged::Unconfirmed(reason) => reason.into(),
                Judged::New(_) | Judged::Known(_) => Ended::Verdict(Box::new(violations.into_verdict())),
            });
        }
        Ok(())
    }

    /// A program that waits in loops can do so in ever more rounds. From here on rounds are bounded, and the answer says so.
    fn bound_rounds(&mut self) {
        if self.unwind.is_none() && self.task.bounds.steps.is_none() {
            self.unwind = Some(OWN_ROUNDS);
            self.run.statistics.tell(format!("loops are followed for {OWN_ROUNDS} rounds from here on"));
        }
    }

    /// Unwinds what was executed, and asks φ and ψ.
    fn analyse(&mut self) -> Result<Concluded, Ended> {
        let (task, run, prepared) = (self.task, self.run, self.prepared);
        let config = UnwindConfig {
            unwind: self.unwind.unwrap_or(u64::MAX),
            unwindset: task.unwindset.clone(),
            domains: prepared.domains.clone(),
            properties: task.properties,
            deadlocks: task.properties.contains(Property::Deadlock),
            max_steps: MAX_STEPS,
            thread_steps: task.bounds.steps,
        };
        let mut terms = Terms::new();
        let begin = Instant::now();
        let parts = Parts {
            program: task.program,
            visibility: &prepared.visibility,
            config: &config,
            knowledge: &mut self.knowledge,
            terms: &mut terms,
            budget: &run.budget,
        };
        let mut unwinding = follow(&self.executed, &self.consequences, parts)?;
        run.statistics.add("seconds.unwind", begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let mut targets = std::mem::take(&mut unwinding.targets);
        let model = task.program.model;
        let mut at = Addressing { terms: &mut terms, knowledge: &self.knowledge, targets: &mut targets, model };
        let formula = Formula::new(&mut unwinding, &mut at, self.config.slice, &run.budget)?;
        run.statistics.add("seconds.encode", begin.elapsed().as_secs_f64());
        for (name, value) in [
            ("threads", unwinding.threads.len()),
            ("nodes", formula.statistics.nodes),
            ("reads", formula.statistics.reads),
            ("writes", formula.statistics.writes),
            ("sources", formula.statistics.sources),
            ("frontiers", unwinding.frontiers.len()),
            ("terms", terms.len()),
        ] {
            run.statistics.set(name, value as f64);
        }
        let begin = Instant::now();
        let mut instance = ByTheory.start(&unwinding, &formula, &mut terms, &run.budget)?;
        let questions = Questions {
            task,
            run,
            judge: Judge { task, code: &prepared.code, config: Config::default(), behind_races: true },
            unwinding: &unwinding,
            formula: &formula,
            terms: &mut terms,
            instance: instance.as_mut(),
            violations: Violations::new(self.config.all, self.begin),
            arbitrary: false,
        };
        let concluded = self.ask(questions);
        run.statistics.add("seconds.solve", begin.elapsed().as_secs_f64());
        instance.report(run);
        concluded
    }

    /// φ: a violation in some interleaving of what was executed. ψ: an execution that leaves it where something matters.
    fn ask(&mut self, mut questions: Questions<'_>) -> Result<Concluded, Ended> {
        let answered = questions.violations()?;
        if !questions.violations.is_empty() {
            self.tell("a violation is possible in an interleaving of what was executed");
            return Ok(Concluded::Decided(questions.violations.into_verdict()));
        }
        if let Answered::Unconfirmed(reason) = answered {
            return Ok(Concluded::Decided(Verdict::Unknown(reason)));
        }
        let reached = self.reach_frontiers(&mut questions)?;
        if reached > 0 {
            self.tell(&format!("no violation among interleavings; {reached} unexecuted directions were reachable"));
            return Ok(Concluded::Learnt);
        }
        self.tell("no violation among interleavings, and nothing else that matters is reachable");
        let mut coverage = Coverage::of(self.task);
        if questions.unwinding.out_of_steps {
            coverage.limit = Some(format!("unwinding a thread takes more than {MAX_STEPS} steps"));
        }
        if coverage.limit.is_none() {
            find_obstacle(&mut questions, &mut coverage)?;
        }
        // Memory that was never written is read: nothing must go wrong, and nothing else be reached, whatever it holds.
        let uninitialised = &questions.formula.uninitialised;
        if coverage.obstacle().is_none() && questions.possible(Question::Uninitialised, uninitialised)?.is_some() {
            questions.arbitrary = true;
            let answered = questions.violations()?;
            if !questions.violations.is_empty() {
                return Ok(Concluded::Decided(questions.violations.into_verdict()));
            }
            let open: Vec<TermId> = open_frontiers(questions.unwinding, &self.executed).map(|f| f.guard).collect();
            let unconfirmed = matches!(answered, Answered::Unconfirmed(_));
            if unconfirmed || questions.possible(Question::Frontier, &open)?.is_some() {
                coverage.uninitialised = Some(judge::unwritten());
            } else {
                find_obstacle(&mut questions, &mut coverage)?;
            }
        }
        self.note_cuts(&mut questions, &mut coverage)?;
        Ok(Concluded::Decided(coverage.verdict(Proof::CompleteUnwinding)))
    }

    /// Notes what bounds have cut off: wake-ups without reason, and those that were asked for.
    fn note_cuts(&self, questions: &mut Questions<'_>, coverage: &mut Coverage) -> Result<(), Unanswered> {
        let (unwinding, bounds) = (questions.unwinding, &self.task.bounds);
        let open: Vec<TermId> = open_frontiers(unwinding, &self.executed).map(|frontier| frontier.guard).collect();
        if questions.possible(Question::Frontier, &open)?.is_some() {
            coverage.cut(Bound::Spurious, bounds.spurious_or_default());
        }
        let others: Vec<TermId> = unwinding.cut_guards().filter(|cut| !open.contains(cut)).collect();
        if let Some(found) = questions.possible(Question::CutOff, &others)? {
            let survey = reach::survey(questions, &found, Duration::ZERO);
            coverage.reached = survey.reached;
            let places = Places {
                task: self.task,
                unwind: self.unwind.unwrap_or_default(),
                steps: bounds.steps.unwrap_or_default(),
            };
            match (bounds.steps.filter(|_| unwinding.steps_cut), self.unwind) {
                (Some(steps), _) => coverage.cut_at(Bound::Steps, steps, places.by_steps(survey.cuts)),
                (None, Some(unwind)) => coverage.cut_at(Bound::Unwind, unwind, places.by_unwind(survey.cuts)),
                (None, None) => coverage.limit = Some(judge::too_deep()),
            }
        }
        Ok(())
    }

    /// Executes the program once for each frontier that can be reached and was not reached on the way to another. Returns
    /// how many executions that took.
    fn reach_frontiers(&mut self, questions: &mut Questions<'_>) -> Result<u64, Ended> {
        let mut executions = 0;
        let rarely = rarely_woken(questions.unwinding, self.task.bounds.spurious_or_default(), questions.terms);
        loop {
            let open: Vec<Frontier> = open_frontiers(questions.unwinding, &self.executed).copied().collect();
            let guards: Vec<TermId> = open.iter().map(|frontier| frontier.guard).collect();
            let goal = questions.terms.or_all(&guards);
            let goal = questions.terms.and_all(&[goal, rarely]);
            let Some(found) = questions.possible(Question::Frontier, &[goal])? else { return Ok(executions) };
            let shown = questions.retrace(&found, |retracing, model| {
                let frontier = open.iter().find(|frontier| model.eval(frontier.guard) == Value::Bool(true))?;
                Some((*frontier, retracing.towards(frontier, model)))
            });
            let Some((frontier, guide)) = shown else {
                return Err(Reason::Unconfirmed("the model reaches no frontier".to_owned()).into());
            };
            self.execute(Some(&guide))?;
            executions += 1;
            let site = CodeSite { func: frontier.site.func, step: frontier.site.step };
            let times = self.guided.entry(site).or_default();
            *times += 1;
            if *times > 2 * OWN_ROUNDS {
                self.bound_rounds();
            }
            if !self.executed.took(frontier.key, frontier.taken) {
                if let Some(limit) = self.limit.take() {
                    return Err(Reason::Limit(limit).into());
                }
                self.run.statistics.add("frontiers.missed", 1.0);
                let function = &self.task.program.functions[frontier.site.func];
                let at = place(self.task.program, function.steps[frontier.site.step].loc);
                let why = format!("a guided execution did not take the branch at {at} that it was to take");
                return Err(Reason::Unconfirmed(why).into());
            }
        }
    }

    fn tell(&self, what: &str) {
        self.run.statistics.tell(format!("analysis {}: {what}", self.analyses));
    }
}

/// Frontiers that matter and that no execution has passed.
fn open_frontiers<'a>(unwinding: &'a Unwinding, executed: &'a Executed) -> impl Iterator<Item = &'a Frontier> {
    let open = |frontier: &&Frontier| frontier.matters && !executed.took(frontier.key, frontier.taken);
    unwinding.frontiers.iter().filter(open)
}

/// No thread is woken without reason more than so many times. Otherwise one that waits in a loop could go round for ever.
fn rarely_woken(unwinding: &Unwinding, most: u64, terms: &mut Terms) -> TermId {
    let mut rarely = Vec::new();
    for thread in unwinding.threads.iter() {
        // `times[k]`: more than k times so far.
        let mut times = vec![Terms::FALSE; most as usize + 1];
        for tick in thread.ticks.iter().filter(|tick| tick.spurious != Terms::FALSE) {
            for k in (0..times.len()).rev() {
                let before = if k == 0 { Terms::TRUE } else { times[k - 1] };
                let again = terms.and_all(&[before, tick.spurious]);
                times[k] = terms.or(times[k], again);
            }
        }
        rarely.extend(times.last().map(|&often| terms.not(often)));
    }
    terms.and_all(&rarely)
}
