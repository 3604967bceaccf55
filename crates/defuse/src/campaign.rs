//! Definition-use testing [DEFUSE Algorithm 4]: execute, predict, negate branches, until nothing is left to aim at.
//!
//! Every predicted pair is executed before it counts (the replays in which most of the paper's bugs show up), so Γ holds
//! only what the machine has done. `exhaustive` explores all vectors of branches instead of the escort branch pairs: the
//! paper's loop drops a branch pair once one of its pairs is covered, and may miss others.
//!
//! **Complete** in exhaustive mode if no execution violates a property, waits for ever or reaches a limit: every
//! execution then has the branches of some explored recording, and prediction over that recording knows its pairs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Instant;

use heddle_base::{Budget, Id, Stop};
use heddle_ir::{Analysis, CheckId, InputId, Program, PropertySet, Visibility};
use heddle_machine::{Code, Halt, Inputs, Outcome, compile, render};
use heddle_task::{CodeSite, Counterexample, RecordedAction, Recording, Schedule, ThreadId, ThreadNames};

use crate::database::Restored;
use crate::execute::{Executed, execute};
use crate::guide::Guide;
use crate::pairs::{Extractor, Instance, Occurrence, Pair};
use crate::path::{PathBranch, paths};
use crate::predict::{PredictionStatistics, Predictor, Source};
use crate::statics::{Escort, EscortPair, Statics};
use crate::suggest::Suggestions;

/// What to do, and how far.
#[derive(Clone, Debug)]
pub struct DefuseConfig {
    /// What is checked on the way.
    pub properties: PropertySet,
    /// Whether all vectors of branches are explored.
    pub exhaustive: bool,
    /// Whether pairs are predicted for each thread and place, not only for each pair of steps: many more replays, which is
    /// where order violations show.
    pub instances: bool,
    /// Values of inputs, by name, where no guide says otherwise.
    pub inputs: Vec<(String, Vec<i128>)>,
    /// All values that inputs can have, by name.
    pub domains: Vec<(String, Vec<i128>)>,
    /// Seed of other inputs; they are zero without.
    pub seed: Option<u64>,
    /// Executions, replays included.
    pub max_executions: u64,
    /// Steps of one execution.
    pub max_steps: Option<u64>,
}

impl Default for DefuseConfig {
    fn default() -> Self {
        DefuseConfig {
            properties: PropertySet::default(),
            exhaustive: false,
            instances: true,
            inputs: Vec::new(),
            domains: Vec::new(),
            seed: None,
            max_executions: 10_000,
            max_steps: None,
        }
    }
}

/// How a pair was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Seen in a guided execution, or beside what a replay was made for.
    Explicit,
    /// Predicted, and seen in the replay.
    Implicit,
}

/// A pair that was executed.
#[derive(Clone, Debug)]
pub struct Covered {
    /// How it was found.
    pub status: Status,
    /// The execution that shows it, an index into [`Report::executions`].
    pub execution: usize,
    /// The read of that execution's recording that shows it.
    pub read: usize,
}

/// Why something was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The first execution.
    Start,
    /// A branch was to go the other way: this one, in the direction wanted.
    Branch(CodeSite, bool),
    /// A predicted pair was to be shown.
    Replay,
}

/// An execution that was made.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Why.
    pub purpose: Purpose,
    /// How to see it again.
    pub schedule: Schedule,
    /// How it ended, in a few words.
    pub outcome: String,
    /// Whether its branches had been seen before, so that it was not analysed.
    pub tested: bool,
    /// Recorded steps.
    pub steps: usize,
}

/// One round of the main loop: a row of the paper's Table I.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The execution.
    pub execution: usize,
    /// Whether its branches had been seen before.
    pub tested: bool,
    /// Γ_ex.
    pub explicit: BTreeSet<Pair>,
    /// Γ_im without what was known.
    pub implicit: BTreeSet<Pair>,
    /// Σ after it, without pairs of thread entries.
    pub escorts: BTreeSet<EscortPair>,
    /// WS, likewise.
    pub working: BTreeSet<EscortPair>,
    /// Branches that could be negated, with the guide that does it: what was added to Ω.
    pub negated: Vec<(Escort, Guide)>,
    /// Branches that could not.
    pub fixed: Vec<Escort>,
    /// |Γ| after it.
    pub pairs: usize,
}

/// Sizes and times.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefuseStatistics {
    /// Recorded steps of analysed executions.
    pub instructions: u64,
    /// What the solver did.
    pub prediction: PredictionStatistics,
    /// Seconds in all.
    pub seconds: f64,
    /// Candidates that the solver refuted.
    pub infeasible: u64,
    /// Predicted pairs that the replay did not show.
    pub unconfirmed: u64,
}

/// Why a campaign ended before everything was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    /// A limit of time, memory, or the user.
    Stop(Stop),
    /// The budget of executions.
    Executions,
    /// The machine could not do what a guide or the user asked.
    Machine(String),
}

/// What a campaign found.
#[derive(Debug, Default)]
pub struct Report {
    /// Γ.
    pub pairs: BTreeMap<Pair, Covered>,
    /// Σ at the start.
    pub escorts: BTreeSet<EscortPair>,
    /// Escort branch pairs that were covered.
    pub covered_escorts: BTreeSet<EscortPair>,
    /// All executions.
    pub executions: Vec<Execution>,
    /// The rounds of the main loop.
    pub rounds: Vec<Round>,
    /// Violations that showed up, one a property and place, with the execution.
    pub violations: Vec<(Counterexample, usize)>,
    /// Branches, in one direction, that some execution took.
    pub taken: BTreeSet<Escort>,
    /// Pairs that the solver refuted in every execution in which they were candidates, and that were never covered.
    pub refuted: BTreeSet<Pair>,
    /// Why it ended early.
    pub cut: Option<Cut>,
    /// Sizes and times.
    pub statistics: DefuseStatistics,
    /// Pairs of each analysed or replayed execution, for invariants.
    pub occurrences: Vec<(usize, Vec<Occurrence>)>,
}

/// Pairs that a source would show, with their threads and places.
type Candidates = Vec<(Pair, Instance)>;

/// Obvious orders that are tried before the solver is asked about sources that would show the same.
const DIRECT_TRIES: usize = 3;

/// Sources of one recording that are tried for violations although their pairs are covered.
const MOST_ROUNDS: usize = 500;

/// The branches of each thread in an execution.
type Vector = BTreeMap<String, Vec<(CodeSite, bool)>>;

/// Something to be done.
enum Work {
    /// To be executed.
    Guide(Purpose, Guide, Option<ThreadNames>),
    /// Executed by an earlier campaign.
    Again(usize),
    /// Executed with branches that nobody had seen, to be analysed: the recording and its execution.
    Recorded(Box<Recording>, usize),
}

/// A campaign in progress.
pub struct Campaign<'a> {
    program: &'a Program,
    config: &'a DefuseConfig,
    budget: &'a Budget,
    /// The static analysis.
    pub statics: Rc<Statics>,
    visibility: Visibility,
    code: Code,
    domains: Vec<(InputId, Vec<u128>)>,
    escorts: BTreeSet<EscortPair>,
    tested: BTreeSet<Vector>,
    /// Pairs by thread and place that were executed with the branches of the recording that is analysed.
    instances: BTreeSet<Instance>,
    /// Ω.
    queue: VecDeque<Work>,
    report: Report,
}

impl<'a> Campaign<'a> {
    /// Analyses the program.
    pub fn new(program: &'a Program, config: &'a DefuseConfig, budget: &'a Budget) -> Result<Self, Cut> {
        let analysis = Analysis::within(program, budget).map_err(Cut::Stop)?;
        let visibility = Visibility::analysed(program, &analysis.sharing);
        let code = compile(program, &visibility);
        let mut domains = Vec::new();
        for (name, values) in &config.domains {
            let domain = Inputs::domain_of(program, name, values);
            domains.push(domain.map_err(|error| Cut::Machine(error.to_string()))?);
        }
        let statics = Rc::new(Statics::new(program, &analysis));
        let report = Report { escorts: statics.escorts.clone(), ..Report::default() };
        Ok(Campaign {
            program,
            config,
            budget,
            escorts: statics.escorts.clone(),
            statics,
            visibility,
            code,
            domains,
            tested: BTreeSet::new(),
            instances: BTreeSet::new(),
            queue: VecDeque::from([Work::Guide(Purpose::Start, Guide::default(), None)]),
            report,
        })
    }

    /// Goes on where another campaign on the same program stopped: its pairs are known, its executions are made again and
    /// analysed for what is missing.
    pub fn resume(&mut self, restored: Restored) {
        self.queue.clear();
        for (index, execution) in restored.executions.iter().enumerate() {
            if execution.purpose != Purpose::Replay && !execution.tested {
                self.queue.push_back(Work::Again(index));
            }
        }
        if self.queue.is_empty() {
            self.queue.push_back(Work::Guide(Purpose::Start, Guide::default(), None));
        }
        self.report.executions = restored.executions;
        for (pair, covered) in restored.pairs {
            self.cover(&pair, covered.status, covered.execution, covered.read);
        }
    }

    /// Executes a stored execution again and analyses it.
    fn again(&mut self, index: usize) -> Result<(), Cut> {
        let schedule = self.report.executions[index].schedule.clone();
        let failed = |error: heddle_task::ScheduleError| Cut::Machine(error.to_string());
        let names = schedule.names().map_err(failed)?;
        let guide = Guide::of_schedule(self.program, &schedule).map_err(failed)?;
        let executed = execute((self.program, &self.code), self.config, &guide, Some(&names), self.budget);
        let executed = executed.map_err(failed)?;
        if self.tested.insert(vector(&executed.recording)) {
            return self.analyse(&executed.recording, index);
        }
        Ok(())
    }

    /// The fingerprint of what is executed.
    pub fn fingerprint(&self) -> u64 {
        self.code.fingerprint()
    }

    /// The main loop [DEFUSE Algorithm 4]. Runs at least once, also if Σ is empty.
    pub fn run(mut self, progress: &dyn Fn(&Report)) -> (Report, Rc<Statics>) {
        let begin = Instant::now();
        while let Some(work) = self.queue.pop_front() {
            if self.escorts.is_empty() && !self.config.exhaustive && !self.report.rounds.is_empty() {
                break;
            }
            let round = match work {
                Work::Guide(purpose, guide, names) => self.round(purpose, &guide, names.as_ref()),
                Work::Again(index) => self.again(index),
                Work::Recorded(recording, execution) => self.analyse(&recording, execution),
            };
            self.report.statistics.seconds = begin.elapsed().as_secs_f64();
            if let Err(cut) = round {
                self.report.cut = Some(cut);
                break;
            }
            progress(&self.report);
        }
        let Report { refuted, pairs, .. } = &mut self.report;
        refuted.retain(|pair| !pairs.contains_key(pair));
        (self.report, self.statics)
    }

    /// One execution and all that follows from it.
    fn round(&mut self, purpose: Purpose, guide: &Guide, names: Option<&ThreadNames>) -> Result<(), Cut> {
        let executed = self.execute(purpose, guide, names)?;
        let execution = self.report.executions.len() - 1;
        if self.tested.insert(vector(&executed.recording)) {
            return self.analyse(&executed.recording, execution);
        }
        self.report.executions[execution].tested = true;
        self.finish_round(Round { execution, tested: true, ..Round::default() });
        Ok(())
    }

    fn analyse(&mut self, recording: &Recording, execution: usize) -> Result<(), Cut> {
        let mut round = Round { execution, ..Round::default() };
        // A pair by thread and place that other branches show may be another one here.
        self.instances.clear();
        self.guided_execution(recording, execution, &mut round);
        self.report.statistics.instructions += recording.steps.len() as u64;
        let path = paths(self.program, &self.visibility, recording)
            .map_err(|misfit| Cut::Machine(format!("a recording does not fit its program: {misfit:?}")))?;
        let properties = self.config.properties;
        let mut predictor =
            Predictor::new(&path, recording, properties, &self.domains, self.budget).map_err(Cut::Stop)?;
        let result = self.predictive_analysis(&mut predictor, recording, &mut round).and_then(|()| {
            if self.config.exhaustive {
                self.deviations(&mut predictor, &path.branches, recording)
            } else {
                self.alternate_branches(&mut predictor, &path.branches, recording, &mut round)
            }
        });
        let done = predictor.statistics;
        let total = &mut self.report.statistics.prediction;
        total.queries += done.queries;
        total.formulas += done.formulas;
        total.solver_seconds += done.solver_seconds;
        total.direct += done.direct;
        self.finish_round(round);
        result
    }

    fn finish_round(&mut self, mut round: Round) {
        round.escorts = branches_only(&self.escorts);
        round.pairs = self.report.pairs.len();
        self.report.rounds.push(round);
    }

    /// [DEFUSE Algorithm 1] What an execution shows.
    fn guided_execution(&mut self, recording: &Recording, execution: usize, round: &mut Round) {
        cov_mark::hit!(defuse_algorithm_1);
        let occurrences = Extractor::new(self.program, &self.statics).pairs(recording);
        for occurrence in &occurrences {
            round.explicit.insert(occurrence.pair.clone());
            self.cover(&occurrence.pair, Status::Explicit, execution, occurrence.read);
        }
        self.instances.extend(occurrences.iter().map(Occurrence::instance));
        self.report.occurrences.push((execution, occurrences));
    }

    /// [DEFUSE Algorithm 2] What the same instructions could show in another order and with other inputs.
    fn predictive_analysis(
        &mut self,
        predictor: &mut Predictor,
        recording: &Recording,
        round: &mut Round,
    ) -> Result<(), Cut> {
        cov_mark::hit!(defuse_algorithm_2);
        let names = recording.schedule.names().map_err(|error| Cut::Machine(error.to_string()))?;
        let statics = Rc::clone(&self.statics);
        let suggestions = Suggestions::new(self.program, &statics, recording);
        let mut recorded =
            Guide::of_schedule(self.program, &recording.schedule).map_err(|error| Cut::Machine(error.to_string()))?;
        let sources = predictor.sources();
        let suggested = sources.iter().flat_map(|source| suggestions.candidates(source));
        let potential: BTreeSet<Pair> = suggested.map(|(pair, _)| pair).collect();
        // Sources that would show the same are asked about together.
        let mut groups: Vec<(Candidates, Vec<Source>)> = Vec::new();
        let mut index: BTreeMap<Candidates, usize> = BTreeMap::new();
        for source in sources {
            let candidates = suggestions.candidates(&source);
            let at = *index.entry(candidates.clone()).or_insert_with(|| {
                groups.push((candidates, Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(source);
        }
        // Sources that show nothing new.
        let mut known = Vec::new();
        for (candidates, mut sources) in groups {
            let mut tries = DIRECT_TRIES;
            while !sources.is_empty() && self.is_wanted(&candidates) {
                self.budget.check().map_err(Cut::Stop)?;
                let shown =
                    match self.direct(predictor, &mut sources, &mut tries, &mut recorded, (&candidates, &names))? {
                        Some(shown) => shown,
                        None => match predictor.ask_sources(&sources, self.budget).map_err(Cut::Stop)? {
                            None => {
                                self.report.statistics.infeasible += sources.len() as u64;
                                let pairs = candidates.iter().map(|(pair, _)| pair);
                                let unknown = pairs.filter(|pair| !self.report.pairs.contains_key(pair));
                                self.report.refuted.extend(unknown.cloned());
                                sources.clear();
                                break;
                            }
                            Some((asked, guide)) => {
                                sources.remove(asked);
                                let (shown, confirmed) = self.replay(&guide, &candidates, &names)?;
                                self.report.statistics.unconfirmed += u64::from(!confirmed);
                                shown
                            }
                        },
                    };
                let execution = self.report.executions.len() - 1;
                for occurrence in &shown {
                    // One replay may show several of the pairs that this trace could have.
                    let predicted = potential.contains(&occurrence.pair);
                    let status = if predicted { Status::Implicit } else { Status::Explicit };
                    if self.cover(&occurrence.pair, status, execution, occurrence.read) && predicted {
                        round.implicit.insert(occurrence.pair.clone());
                    }
                }
                // By thread and place they are asked for once, whatever the replay showed.
                self.instances.extend(candidates.iter().map(|(_, instance)| *instance));
                self.instances.extend(shown.iter().map(Occurrence::instance));
                self.report.occurrences.push((execution, shown));
            }
            known.extend(sources);
        }
        if self.config.instances {
            self.other_rounds(predictor, &known, &mut recorded, &names)?;
        }
        Ok(())
    }

    /// Sources that differ from covered ones in the round of a loop alone: their obvious orders are tried for violations, and
    /// nothing else is made of them.
    fn other_rounds(
        &mut self,
        predictor: &Predictor,
        sources: &[Source],
        guide: &mut Guide,
        names: &ThreadNames,
    ) -> Result<(), Cut> {
        for source in sources.iter().take(MOST_ROUNDS) {
            self.budget.check().map_err(Cut::Stop)?;
            let Some(turns) = predictor.direct(source) else { continue };
            guide.turns = turns;
            let violations = self.report.violations.len();
            self.execute(Purpose::Replay, guide, Some(names))?;
            if self.report.violations.len() == violations {
                self.report.executions.pop();
            }
        }
        Ok(())
    }

    /// Whether some pair of these is not covered, or not by this thread and at this place.
    fn is_wanted(&self, candidates: &[(Pair, Instance)]) -> bool {
        let unknown = |(pair, _): &(Pair, Instance)| !self.report.pairs.contains_key(pair);
        let new = |(_, instance): &(Pair, Instance)| !self.instances.contains(instance);
        candidates.iter().any(unknown) || self.config.instances && candidates.iter().any(new)
    }

    /// Tries the obvious orders of some sources, with inputs as recorded: what the first execution shows that shows one of the
    /// candidates. An execution that shows none of them, and no violation, is forgotten.
    fn direct(
        &mut self,
        predictor: &mut Predictor,
        sources: &mut Vec<Source>,
        tries: &mut usize,
        guide: &mut Guide,
        (candidates, names): (&[(Pair, Instance)], &ThreadNames),
    ) -> Result<Option<Vec<Occurrence>>, Cut> {
        let mut at = 0;
        while *tries > 0 && at < sources.len() {
            *tries -= 1;
            let Some(turns) = predictor.direct(&sources[at]) else {
                at += 1;
                continue;
            };
            guide.turns = turns;
            let violations = self.report.violations.len();
            let (shown, confirmed) = self.replay(guide, candidates, names)?;
            if confirmed {
                predictor.statistics.direct += 1;
                sources.remove(at);
                return Ok(Some(shown));
            }
            if self.report.violations.len() == violations {
                self.report.executions.pop();
            }
            at += 1;
        }
        Ok(None)
    }

    /// Executes under a guide: what it shows, and whether that is one of the candidates.
    fn replay(
        &mut self,
        guide: &Guide,
        candidates: &[(Pair, Instance)],
        names: &ThreadNames,
    ) -> Result<(Vec<Occurrence>, bool), Cut> {
        let executed = self.execute(Purpose::Replay, guide, Some(names))?;
        let shown = Extractor::new(self.program, &self.statics).pairs(&executed.recording);
        let confirmed = shown.iter().any(|occurrence| {
            candidates.iter().any(|(pair, instance)| *pair == occurrence.pair && *instance == occurrence.instance())
        });
        Ok((shown, confirmed))
    }

    /// [DEFUSE Algorithm 3] Branches that lead to escort branch pairs of Σ if they go the other way.
    fn alternate_branches(
        &mut self,
        predictor: &mut Predictor,
        branches: &[PathBranch],
        recording: &Recording,
        round: &mut Round,
    ) -> Result<(), Cut> {
        cov_mark::hit!(defuse_algorithm_3);
        let mut present: BTreeSet<Escort> = recording.steps.iter().map(|step| Escort::Entry(step.site.func)).collect();
        // The last position of each branch, in one direction.
        let mut last: BTreeMap<Escort, usize> = BTreeMap::new();
        for branch in branches {
            if let Some(taken) = branch.taken {
                last.insert(Escort::Branch { site: branch.site, taken }, branch.step);
            }
        }
        present.extend(last.keys());
        let mut wanted: Vec<(usize, Escort)> = Vec::new();
        for (&escort, &position) in &last {
            let Escort::Branch { site, taken } = escort else { continue };
            let other = Escort::Branch { site, taken: !taken };
            if present.contains(&other) {
                continue;
            }
            // Branches inside the other direction may be taken as well: without them a campaign whose first execution takes
            // no branch that matters would end there.
            let new = self.statics.leads_to(other);
            let with: Vec<Escort> =
                present.iter().copied().filter(|&q| q != escort).chain(new.iter().copied()).collect();
            let both = new.iter().flat_map(|&e| with.iter().flat_map(move |&q| [(e, q), (q, e)]));
            let aimed: BTreeSet<EscortPair> = both.filter(|pair| self.escorts.contains(pair)).collect();
            if !aimed.is_empty() {
                round.working.extend(aimed);
                wanted.push((position, escort));
            }
        }
        round.working = branches_only(&round.working);
        // Late branches first: they need the least change.
        wanted.sort_by_key(|&(position, _)| std::cmp::Reverse(position));
        let names = recording.schedule.names().map_err(|error| Cut::Machine(error.to_string()))?;
        for (_, escort) in wanted {
            self.budget.check().map_err(Cut::Stop)?;
            let Escort::Branch { site, taken } = escort else { continue };
            let instances = branches.iter().filter(|b| b.site == site && b.taken == Some(taken));
            let checks: Vec<CheckId> = instances.map(|branch| branch.check).collect();
            match predictor.ask_branches(&checks, self.budget).map_err(Cut::Stop)? {
                Some((_, guide)) => {
                    round.negated.push((Escort::Branch { site, taken: !taken }, guide.clone()));
                    let purpose = Purpose::Branch(site, !taken);
                    self.queue.push_back(Work::Guide(purpose, guide, Some(names.clone())));
                }
                None => round.fixed.push(escort),
            }
        }
        Ok(())
    }

    /// Executions that leave the recorded branches at a place, in surroundings that no explored execution has.
    fn deviations(
        &mut self,
        predictor: &mut Predictor,
        branches: &[PathBranch],
        recording: &Recording,
    ) -> Result<(), Cut> {
        let names = recording.schedule.names().map_err(|error| Cut::Machine(error.to_string()))?;
        let path_of = |thread: ThreadId| recording.threads[thread.index()].path.clone();
        let mut of: BTreeMap<String, Vec<PathBranch>> = BTreeMap::new();
        for branch in branches.iter().filter(|branch| branch.taken.is_some()) {
            of.entry(path_of(branch.thread)).or_default().push(*branch);
        }
        for (path, own) in &of {
            for (index, branch) in own.iter().enumerate() {
                loop {
                    self.budget.check().map_err(Cut::Stop)?;
                    let Some(passed) = self.unseen(&of, path, index) else { break };
                    let asked = predictor.ask_deviation(branch.check, &passed, self.budget).map_err(Cut::Stop)?;
                    let Some(guide) = asked else { break };
                    let purpose = Purpose::Branch(branch.site, branch.taken == Some(false));
                    let before = self.tested.len();
                    self.explore(purpose, &guide, &names)?;
                    if self.tested.len() == before {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Executes and notes the branches; what a new vector of them shows is analysed later.
    fn explore(&mut self, purpose: Purpose, guide: &Guide, names: &ThreadNames) -> Result<(), Cut> {
        let executed = self.execute(purpose, guide, Some(names))?;
        if self.tested.insert(vector(&executed.recording)) {
            let execution = self.report.executions.len() - 1;
            self.queue.push_back(Work::Recorded(Box::new(executed.recording), execution));
        }
        Ok(())
    }

    /// For every explored execution that has the same deviation: the branches of this one that it does not have. None if
    /// one has them all.
    fn unseen(&self, of: &BTreeMap<String, Vec<PathBranch>>, path: &str, index: usize) -> Option<Vec<Vec<CheckId>>> {
        let own = &of[path];
        let same = |a: &PathBranch, b: &(CodeSite, bool)| a.site == b.0 && a.taken == Some(b.1);
        let mut lists = Vec::new();
        for explored in &self.tested {
            let Some(there) = explored.get(path).filter(|there| there.len() > index) else { continue };
            let deviates = own[..index].iter().zip(there).all(|(a, b)| same(a, b))
                && there[index].0 == own[index].site
                && !same(&own[index], &there[index]);
            if !deviates {
                continue;
            }
            let mut missing = Vec::new();
            for (other, list) in of.iter().filter(|(other, _)| *other != path) {
                let there: &[(CodeSite, bool)] = explored.get(other).map_or(&[], Vec::as_slice);
                let differs = list.iter().enumerate().find(|(k, a)| there.get(*k).is_none_or(|b| !same(a, b)));
                missing.extend(differs.map(|(_, branch)| branch.check));
            }
            if missing.is_empty() {
                return None;
            }
            lists.push(missing);
        }
        Some(lists)
    }

    /// Executes under a guide; keeps the execution and what it violates.
    fn execute(&mut self, purpose: Purpose, guide: &Guide, names: Option<&ThreadNames>) -> Result<Executed, Cut> {
        if self.report.executions.len() as u64 >= self.config.max_executions {
            return Err(Cut::Executions);
        }
        let executed = execute((self.program, &self.code), self.config, guide, names, self.budget)
            .map_err(|error| Cut::Machine(error.to_string()))?;
        if let Outcome::Halted(Halt::Limit(heddle_machine::Limit::Budget(stop))) = executed.outcome {
            return Err(Cut::Stop(stop));
        }
        let index = self.report.executions.len();
        self.report.executions.push(Execution {
            purpose,
            schedule: executed.schedule.clone(),
            outcome: executed.outcome.to_string(),
            tested: false,
            steps: executed.recording.steps.len(),
        });
        for step in &executed.recording.steps {
            if let RecordedAction::Branch { taken } = step.action {
                self.report.taken.insert(Escort::Branch { site: step.site, taken });
            }
        }
        if let Some(violation) = executed.outcome.violation() {
            let known = self.report.violations.iter().any(|(found, _)| {
                (found.violation.property, found.violation.loc) == (violation.property, violation.loc)
            });
            if !known {
                let trace = render(self.program, &executed.recording);
                let (violation, schedule) = (violation.clone(), executed.schedule.clone());
                let found = Counterexample { violation, schedule, trace, others: Vec::new() };
                self.report.violations.push((found, index));
            }
        }
        Ok(executed)
    }

    /// Adds a pair to Γ and takes its branch pairs from Σ; false if it was known.
    fn cover(&mut self, pair: &Pair, status: Status, execution: usize, read: usize) -> bool {
        if self.report.pairs.contains_key(pair) {
            return false;
        }
        self.report.pairs.insert(pair.clone(), Covered { status, execution, read });
        if let Some(definition) = &pair.definition {
            for escorts in self.statics.project(definition.site, pair.usage.site) {
                self.escorts.remove(&escorts);
                self.report.covered_escorts.insert(escorts);
            }
        }
        true
    }
}

/// Without pairs of thread entries.
pub fn branches_only(pairs: &BTreeSet<EscortPair>) -> BTreeSet<EscortPair> {
    let real = |escort: &Escort| matches!(escort, Escort::Branch { .. });
    pairs.iter().copied().filter(|(first, second)| real(first) && real(second)).collect()
}

fn vector(recording: &Recording) -> Vector {
    let mut vector = Vector::new();
    for (index, thread) in recording.threads.iter().enumerate() {
        vector.insert(thread.path.clone(), recording.branches(ThreadId::new(index)).collect());
    }
    vector
}
