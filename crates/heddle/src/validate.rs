//! Validation of violation witnesses: an execution that passes the points of a witness is looked for.
//!
//! The machine executes the program with every step of the user's code as a turn of its own, and [`Follower`] chooses
//! who moves: the thread of the next point, up to the point's line. What a witness leaves open is how many of a line's
//! accesses are made before the next thread moves. The first attempt lets a thread finish a line, unless its next point
//! is on the same line again; later ones decide at random.
//!
//! **Limit.** Points that cannot be followed are no proof that the witness is wrong: the answer is then that of an engine.

use std::collections::BTreeMap;

use heddle_base::{Id, IndexVec, Random};
use heddle_ir::objects::Site;
use heddle_ir::{Analysis, Program, StepKind, Visibility};
use heddle_machine::{Code, Fallback, Inputs, Machine, Reading, Scheduler, View, schedule_of};
use heddle_task::witness::{Waypoint, WaypointEvent};
use heddle_task::{Choice, ScheduleError, ThreadId};

use crate::program::{Execution, machine_config, replay};
use crate::{Error, Options};

/// Attempts to follow a witness.
const ATTEMPTS: u64 = 200;
/// Turns of one attempt.
const MOST_TURNS: u64 = 200_000;
/// Accesses on one line before the next point is gone for: the line may be a loop.
const MOST_ACCESSES: u32 = 64;

/// An execution that passes the points of a witness and ends with a violation; none if no attempt found one.
pub fn follow(program: &Program, options: &Options, points: &[Waypoint]) -> Result<Option<Execution>, Error> {
    let code = step_by_step(program);
    for attempt in 0..ATTEMPTS {
        if options.budget.check().is_err() {
            break;
        }
        let mut machine = Machine::new(program, &code, machine_config(options));
        machine.set_budget(options.budget.clone());
        give_results(program, points, &mut machine.inputs);
        if attempt > 0 {
            machine.inputs.set_fallback(Fallback::Random(Random::new(attempt)));
        }
        let mut follower = Follower::new(program, points, attempt);
        let mut made = Vec::new();
        let outcome = heddle_machine::run(&mut machine, &mut follower, &mut made)
            .map_err(|error| Error::Schedule(error.to_string()))?;
        if outcome.violation().is_some() {
            let schedule = schedule_of(program, &code, machine.names(), &made, &machine.inputs);
            return replay(program, &code, options, &schedule).map(Some);
        }
    }
    Ok(None)
}

/// The program compiled so that each step of the user's functions is a turn.
fn step_by_step(program: &Program) -> Code {
    let usual = Visibility::analysed(program, &Analysis::new(program).sharing);
    let table: IndexVec<_, IndexVec<_, bool>> = program
        .functions
        .iter_enumerated()
        .map(|(func, function)| {
            function.steps.ids().map(|step| !function.model || usual.is_visible(func, step)).collect()
        })
        .collect();
    heddle_machine::compile(program, &Visibility::of_steps(table))
}

/// Gives inputs the values that the witness has for results of functions: by the line of the call, in order.
fn give_results(program: &Program, points: &[Waypoint], inputs: &mut Inputs) {
    let mut threads: Vec<&str> = vec!["0"];
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for point in points {
        if let WaypointEvent::Create(Some(name)) = &point.event
            && !threads.contains(&name.as_str())
        {
            threads.push(name);
        }
        let name = point.thread.as_deref().unwrap_or("0");
        let thread = threads.iter().position(|known| *known == name).unwrap_or_else(|| {
            threads.push(name);
            threads.len() - 1
        });
        let WaypointEvent::Result(value) = point.event else { continue };
        let steps = program.functions.iter().flat_map(|function| function.steps.iter());
        let input = steps.filter_map(|step| match step.kind {
            StepKind::Havoc { input, .. } if point.line == Some(step.loc.line) => Some(input),
            _ => None,
        });
        // A call of a function without a body may be lowered to a read inside of a stub; then the order alone decides.
        let Some(input) = input.into_iter().next().or_else(|| only_input(program)) else { continue };
        let occurrence = counts.entry((thread, input.index())).or_default();
        let bits = heddle_ir::value::bits_of(program.inputs[input].ty);
        let value = heddle_ir::value::truncate(value as u128, bits);
        inputs.give(Reading { input, thread: ThreadId::new(thread), occurrence: *occurrence }, value);
        *occurrence += 1;
    }
}

fn only_input(program: &Program) -> Option<heddle_ir::InputId> {
    let mut ids = program.inputs.ids();
    let first = ids.next()?;
    ids.next().is_none().then_some(first)
}

/// The scheduler that goes from point to point.
struct Follower<'w> {
    program: &'w Program,
    points: &'w [Waypoint],
    at: usize,
    /// The machine's threads by the witness's names.
    threads: BTreeMap<String, ThreadId>,
    /// Whether the line of the point was entered, and how many accesses were made there.
    entered: bool,
    accesses: u32,
    /// None in the first attempt.
    random: Option<Random>,
    turns: u64,
}

impl<'w> Follower<'w> {
    fn new(program: &'w Program, points: &'w [Waypoint], attempt: u64) -> Self {
        Follower {
            program,
            points,
            at: 0,
            threads: BTreeMap::new(),
            entered: false,
            accesses: 0,
            random: (attempt > 0).then(|| Random::new(attempt)),
            turns: 0,
        }
    }

    /// The machine's thread of a point. A name that is new stands for the oldest thread that has none.
    fn thread(&mut self, point: &Waypoint, view: &View<'_, '_>) -> Option<ThreadId> {
        let Some(name) = &point.thread else { return view.last() };
        if let Some(&known) = self.threads.get(name) {
            return Some(known);
        }
        let fresh = view.started().find(|id| !self.threads.values().any(|known| known == id))?;
        self.threads.insert(name.clone(), fresh);
        Some(fresh)
    }

    fn is_there(&self, site: Option<Site>, point: &Waypoint) -> bool {
        let Some(site) = site else { return false };
        let loc = self.program.functions[site.func].steps[site.step].loc;
        let base = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let in_file = |file: &String| base(file) == base(self.program.sources.file_name(loc.file));
        point.line == Some(loc.line) && point.file.as_ref().is_none_or(in_file)
    }

    /// Whether the thread leaves the line unfinished: its next point is there again, after one of another thread.
    fn leaves_unfinished(&mut self) -> bool {
        if let Some(random) = &mut self.random
            && random.below(4) == 0
        {
            return random.below(2) == 0;
        }
        let own = &self.points[self.at];
        let rest = &self.points[self.at + 1..];
        match rest.iter().position(|point| point.thread == own.thread) {
            Some(0) | None => false,
            Some(next) => rest[next].line == own.line,
        }
    }

    fn advance(&mut self) {
        self.at += 1;
        (self.entered, self.accesses) = (false, 0);
    }

    /// Anybody but the one that cannot move: threads of later points first.
    fn other(&mut self, view: &View<'_, '_>) -> Choice {
        let later = self.points[self.at.min(self.points.len())..].iter();
        let wanted = later.filter_map(|point| self.threads.get(point.thread.as_ref()?)).find_map(|&t| view.choice(t));
        let choices = view.choices();
        let Some(random) = &mut self.random else {
            let same = || view.last().and_then(|last| view.choice(last));
            return wanted.or_else(same).unwrap_or(choices[0]);
        };
        match wanted {
            Some(choice) if random.below(4) != 0 => choice,
            Some(_) | None => choices[random.below(choices.len() as u64) as usize],
        }
    }
}

impl Scheduler for Follower<'_> {
    fn choose(&mut self, view: &View<'_, '_>) -> Result<Option<Choice>, ScheduleError> {
        self.turns += 1;
        if self.turns > MOST_TURNS {
            return Ok(None);
        }
        while let Some(point) = self.points.get(self.at) {
            let Some(thread) = self.thread(point, view) else { break };
            let Some(next) = view.next(thread) else {
                self.advance();
                continue;
            };
            let there = self.is_there(view.user_site(thread), point);
            let is_access = next.access.is_some() || next.section;
            let target = point.event == WaypointEvent::Target;
            // A point without a line only names a thread.
            if point.line.is_none() && !target {
                self.advance();
                continue;
            }
            if self.entered && !target {
                let unfinished = self.accesses > 0 && is_access && self.leaves_unfinished();
                if !there || unfinished || self.accesses > MOST_ACCESSES {
                    self.advance();
                    continue;
                }
            }
            let Some(choice) = view.choice(thread) else { break };
            self.entered |= there;
            self.accesses += u32::from(there && is_access);
            return Ok(Some(choice));
        }
        Ok(Some(self.other(view)))
    }
}
