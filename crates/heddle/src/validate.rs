//! Validation of violation witnesses: an execution that passes the points of a witness is looked for.
//!
//! The machine executes the program with every step of the user's code as a turn of its own, and a `Follower` chooses
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
/// Numbers of threads that are taken as they are.
const MOST_THREADS: usize = 1000;
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
    let threads = thread_names(points);
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for point in points {
        let WaypointEvent::Result(value) = point.event else { continue };
        let thread = point.thread.as_ref().and_then(|name| threads.get(name.as_str())).copied().unwrap_or(0);
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

/// The threads of a witness in the order in which they are made, as the machine numbers them. Witnesses that do not say which
/// thread is made where have numbers, or name threads in the order of their first points.
fn thread_names(points: &[Waypoint]) -> BTreeMap<&str, usize> {
    let mut order: Vec<&str> = points.iter().find_map(|point| point.thread.as_deref()).into_iter().collect();
    let made = points.iter().filter_map(|point| match &point.event {
        WaypointEvent::Create(name) => name.as_deref(),
        _ => None,
    });
    for name in made {
        if !order.contains(&name) {
            order.push(name);
        }
    }
    let mut names: BTreeMap<&str, usize> = order.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let says_where = names.len() > 1;
    for name in points.iter().filter_map(|point| point.thread.as_deref()) {
        let next = names.len();
        let number = name.parse().ok().filter(|number| !says_where && *number < MOST_THREADS);
        names.entry(name).or_insert(number.unwrap_or(next));
    }
    names
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
    threads: BTreeMap<&'w str, usize>,
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
            threads: thread_names(points),
            entered: false,
            accesses: 0,
            random: (attempt > 0).then(|| Random::new(attempt)),
            turns: 0,
        }
    }

    /// The machine's thread of a point; none if it has not been started.
    fn thread(&self, point: &Waypoint, view: &View<'_, '_>) -> Option<ThreadId> {
        let Some(name) = &point.thread else { return view.last() };
        let id = ThreadId::new(*self.threads.get(name.as_str())?);
        view.started().find(|started| *started == id)
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

    /// Whether a thread stands at the next of its points behind this one.
    fn is_later(&self, site: Option<Site>) -> bool {
        let own = &self.points[self.at];
        let rest = self.points[self.at + 1..].iter();
        let mut later =
            rest.filter(|point| point.thread == own.thread && !matches!(point.event, WaypointEvent::Result(_)));
        later.next().is_some_and(|point| self.is_there(site, point))
    }

    fn advance(&mut self) {
        self.at += 1;
        (self.entered, self.accesses) = (false, 0);
    }

    /// Anybody but the one that cannot move: threads of later points first.
    fn other(&mut self, view: &View<'_, '_>) -> Choice {
        let later = self.points[self.at.min(self.points.len())..].iter();
        let threads = later.filter_map(|point| self.threads.get(point.thread.as_deref()?));
        let wanted = threads.map(|&index| ThreadId::new(index)).find_map(|thread| view.choice(thread));
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
            // A point without a line only names a thread, and results are given before. What a thread does before its first
            // access comes with its start: then it stands at a later point already.
            let passed = !there && !self.entered && self.is_later(view.user_site(thread));
            if !target && (point.line.is_none() || matches!(point.event, WaypointEvent::Result(_)) || passed) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sources, on_large_stack};

    /// Two threads with inputs, and one line that both run.
    const PROGRAM: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
unsigned sum;
void *worker(void *arg) {
    unsigned mine = __VERIFIER_nondet_uint();
    sum = sum * 3 + mine;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    if (sum == 12345) reach_error();
    return 0;
}
";

    fn point(thread: &str, line: u32, event: WaypointEvent) -> Waypoint {
        Waypoint { thread: Some(thread.to_owned()), file: Some("a.i".to_owned()), line: Some(line), event }
    }

    #[track_caller]
    fn followed(points: &[Waypoint]) -> bool {
        on_large_stack(|| {
            let options = Options::default();
            let program = Sources::text("a.i", PROGRAM).compile_here(&options).program.expect("it compiles");
            follow(&program, &options, points).expect("inputs fit").is_some()
        })
    }

    #[test]
    fn the_order_of_threads_and_their_inputs_are_the_witness_s() {
        use WaypointEvent::{Pass, Result, Target};
        let points = [
            point("0", 14, Pass),
            point("1", 8, Result(2100)),
            point("0", 15, Pass),
            point("2", 8, Result(3415)),
            point("2", 9, Pass),
            point("1", 9, Pass),
            point("0", 18, Target),
        ];
        assert!(followed(&points));
        // The other order gives another sum.
        let mut other = points.clone();
        other.swap(4, 5);
        assert!(!followed(&other));
    }
}
