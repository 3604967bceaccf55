//! Executions of trace-driven verification: the machine, guided by a schedule as far as it can be followed, [TDV §4.1].

use heddle_base::{Id, IndexVec, Stop};
use heddle_ir::{Callee, Program, StepKind};
use heddle_machine::{
    Config, ExitMode, GuideStep, Guided, Limits, Machine, Outcome, Prepared, Scheduler, View, give_inputs, run,
    schedule_of,
};
use heddle_symbolic::follow::ThreadPath;
use heddle_task::{
    Choice, CodeSite, Reason, RecordedAction, Recording, Run, Schedule, ScheduleError, Task, ThreadId, ThreadNames,
};
use rustc_hash::FxHashMap;

/// How often a thread may make a step before others move, where nobody guides it.
const PATIENCE: u32 = 3;

/// How often a thread may make a step that others could notice while nobody else can move.
const ROUNDS_ALONE: u32 = 5_000;

/// One execution.
pub(crate) struct Execution {
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// What it did.
    pub(crate) recording: Recording,
    /// How to see it again.
    pub(crate) schedule: Schedule,
    /// Turns that followed the guide, and how many it had.
    pub(crate) followed: usize,
    pub(crate) guided: usize,
    /// Whether it was stopped because a thread loops while nobody else can move.
    pub(crate) endless: bool,
}

impl Execution {
    /// Executes the program: along a guide as far as it can be followed, then with threads in turns.
    pub(crate) fn new(
        task: &Task<'_>,
        prepared: &Prepared,
        limits: &Limits,
        guide: Option<&Schedule>,
        run_config: &Run<'_>,
    ) -> Result<Self, Reason> {
        let config = Config {
            properties: task.properties,
            exit: ExitMode::Immediate,
            limits: limits.clone(),
            ..Config::default()
        };
        let unfit = |error: ScheduleError| Reason::Unconfirmed(error.to_string());
        let mut machine = Machine::new(task.program, &prepared.code, config);
        for (input, values) in &prepared.domains {
            machine.inputs.set_domain(*input, values.clone());
        }
        let mut turns = Vec::new();
        if let Some(guide) = guide {
            let names: ThreadNames = guide.names().map_err(unfit)?;
            for (choice, times) in guide.runs(&names).map_err(unfit)? {
                turns.extend((0..times).map(|_| GuideStep { choice, site: None }));
            }
            give_inputs(guide, task.program, &names, &mut machine.inputs).map_err(unfit)?;
            machine.set_names(names);
        }
        machine.set_budget(run_config.budget.clone());
        machine.start_recording();
        let guided = turns.len();
        let mut alone = InTurns::default();
        let mut scheduler = Guided::new(turns, &mut alone);
        let mut made = Vec::new();
        let outcome = run(&mut machine, &mut scheduler, &mut made).map_err(unfit)?;
        run_config.budget.check().map_err(|stop: Stop| Reason::from(stop))?;
        let mut schedule = schedule_of(task.program, &prepared.code, machine.names(), &made, &machine.inputs);
        // A thread that loops unseen goes as far as it went here, whenever the schedule is executed again.
        schedule.thread_steps = machine.notes().cut.then_some(limits.thread_steps).flatten();
        let recording = machine.finish_recording(&outcome, schedule.clone());
        let followed = scheduler.departure().map_or(guided, |departure| departure.step);
        drop(scheduler);
        Ok(Execution { outcome, recording, schedule, followed, guided, endless: alone.endless })
    }

    /// What each thread did.
    pub(crate) fn paths(&self, program: &Program) -> Vec<ThreadPath> {
        let mut paths: IndexVec<ThreadId, ThreadPath> =
            IndexVec::from_elem(ThreadPath::default(), self.recording.threads.len());
        for recorded in &self.recording.steps {
            let path = &mut paths[recorded.thread];
            let CodeSite { func, step } = recorded.site;
            match recorded.action {
                RecordedAction::Branch { taken } => path.branches.push(taken),
                RecordedAction::Call { callee: Some(callee), .. } => {
                    let kind = &program.functions[func].steps[step].kind;
                    if matches!(kind, StepKind::Call { callee: Callee::Indirect(_), .. }) {
                        path.callees.push(callee);
                    }
                }
                // One too many is named and never begins.
                RecordedAction::Spawn { thread } if thread.index() < self.recording.threads.len() => {
                    path.started.push((thread.index(), self.recording.threads[thread.index()].function));
                }
                _ => {}
            }
            path.last = Some((func, step, 0));
        }
        for recorded in &self.recording.steps {
            if let Some((func, step, times)) = &mut paths[recorded.thread].last {
                *times += u64::from((*func, *step) == (recorded.site.func, recorded.site.step));
            }
        }
        paths.as_slice().to_vec()
    }
}

/// Every thread moves until it is blocked, or comes to the same step again and again: a thread that waits in a loop lets
/// others move, so that it is recorded with few rounds.
#[derive(Default)]
struct InTurns {
    /// The steps that the running thread made since it got the turn, with how often.
    made: FxHashMap<CodeSite, u32>,
    /// Whether it was stopped because it loops while nobody else can move.
    endless: bool,
}

impl Scheduler for InTurns {
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        let (choices, last) = (view.choices(), view.last());
        let same = choices.iter().find(|choice| Some(choice.thread) == last);
        if let Some((&same, next)) = same.and_then(|same| Some((same, view.next(same.thread)?))) {
            let times = self.made.entry(CodeSite { func: next.site.func, step: next.site.step }).or_default();
            *times += 1;
            if *times <= PATIENCE {
                return Ok(Some(same));
            }
            // Nobody else can end the wait.
            if let [_] = choices {
                self.endless = *times > ROUNDS_ALONE;
                return Ok((!self.endless).then_some(same));
            }
        }
        self.made.clear();
        let later = choices.iter().find(|choice| last.is_some_and(|last| choice.thread > last));
        Ok(later.or(choices.first()).copied())
    }
}
