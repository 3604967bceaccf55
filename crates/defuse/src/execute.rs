//! Guided execution [DEFUSE Algorithm 1, line 2]: inputs and a partial schedule, then lowest thread first.

use heddle_base::{Budget, Id, Random};
use heddle_ir::Program;
use heddle_machine::{
    Code, Config, Departure, ExitMode, Fallback, Guided, Inputs, Limits, Machine, Outcome, Scheduler, View, run,
    schedule_of,
};
use heddle_task::{Choice, RecordedAction, Recording, Schedule, ScheduleError, ThreadId, ThreadNames};

use crate::campaign::DefuseConfig;
use crate::guide::Guide;

/// Steps of one execution where the user gives no bound.
const MOST_STEPS: u64 = 50_000_000;

/// An execution.
pub struct Executed {
    /// How it ended.
    pub outcome: Outcome,
    /// What it did. `exit` lets other threads go on there, so that their paths are as long as they can be.
    pub recording: Recording,
    /// The same execution for `heddle replay`: the process ends last.
    pub schedule: Schedule,
    /// Where the guide was left.
    pub departure: Option<Departure>,
}

/// Executes the program under a guide.
pub fn execute(
    (program, code): (&Program, &Code),
    config: &DefuseConfig,
    guide: &Guide,
    names: Option<&ThreadNames>,
    budget: &Budget,
) -> Result<Executed, ScheduleError> {
    let limits = Limits { steps: Some(config.max_steps.unwrap_or(MOST_STEPS)), ..Limits::default() };
    let machine_config = Config {
        properties: config.properties,
        limits,
        exit: ExitMode::Last,
        events: false,
        output: true,
        standard_input: None,
    };
    let mut machine = Machine::new(program, code, machine_config);
    machine.set_budget(budget.clone());
    if let Some(names) = names {
        machine.set_names(names.clone());
    }
    if let Some(seed) = config.seed {
        machine.inputs.set_fallback(Fallback::Random(Random::new(seed)));
    }
    for (name, values) in &config.domains {
        let (input, values) =
            Inputs::domain_of(program, name, values).map_err(|error| ScheduleError::Input(error.to_string()))?;
        machine.inputs.set_domain(input, values);
    }
    for (name, values) in &config.inputs {
        machine.inputs.give_list(program, name, values).map_err(|error| ScheduleError::Input(error.to_string()))?;
    }
    for &(reading, bits) in &guide.inputs {
        machine.inputs.give(reading, bits);
    }
    machine.start_recording();
    let mut lowest = Lowest::default();
    let mut guided = Guided::new(guide.turns.clone(), &mut lowest);
    let mut made = Vec::new();
    let outcome = run(&mut machine, &mut guided, &mut made)?;
    let departure = guided.departure().cloned();
    let schedule = schedule_of(program, code, machine.names(), &made, &machine.inputs);
    let recording = machine.finish_recording(&outcome, schedule);
    let schedule = exit_last(program, code, &machine, &made, &recording);
    Ok(Executed { outcome, recording, schedule, departure })
}

/// The choices with the turn in which the process exits moved to the end.
fn exit_last(
    program: &Program,
    code: &Code,
    machine: &Machine<'_>,
    made: &[Choice],
    recording: &Recording,
) -> Schedule {
    let exits: Vec<u64> = recording
        .steps
        .iter()
        .filter(|step| matches!(step.action, RecordedAction::Exit { .. }))
        .map(|step| step.turn)
        .collect();
    let mut choices: Vec<Choice> = made
        .iter()
        .enumerate()
        .filter(|(turn, _)| !exits.contains(&(*turn as u64)))
        .map(|(_, choice)| *choice)
        .collect();
    choices.extend(exits.first().and_then(|&turn| made.get(turn as usize)));
    schedule_of(program, code, machine.names(), &choices, &machine.inputs)
}

/// The thread with the lowest id moves, unless it seems to spin.
#[derive(Debug, Default)]
struct Lowest {
    penalties: Vec<u64>,
    row: (Option<ThreadId>, u64),
}

/// Turns in a row after which a thread is taken to be spinning.
const SPINNING: u64 = 2000;

impl Scheduler for Lowest {
    fn begin(&mut self) {
        *self = Lowest::default();
    }

    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        if let (Some(thread), SPINNING..) = self.row
            && view.choices().len() > 1
        {
            if self.penalties.len() <= thread.index() {
                self.penalties.resize(thread.index() + 1, 0);
            }
            self.penalties[thread.index()] += 1;
            self.row.1 = 0;
        }
        let penalty = |choice: &Choice| self.penalties.get(choice.thread.index()).copied().unwrap_or(0);
        Ok(view.choices().iter().copied().min_by_key(|choice| (penalty(choice), choice.thread)))
    }

    fn moved(&mut self, choice: Choice, _event: &heddle_machine::Event) {
        let again = self.row.0 == Some(choice.thread);
        self.row = (Some(choice.thread), if again { self.row.1 + 1 } else { 1 });
    }
}
