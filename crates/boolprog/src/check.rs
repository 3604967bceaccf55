//! The checker: thread states first, then pairs, then whether a counterexample is real.
//!
//! 1. Thread states ([BOOLPROG Fig. 3], one set for each location). No bad location: safe.
//! 2. Otherwise the recorded parents of the bad thread state are a [derivation](crate::derivation) with finitely many threads.
//!    The *referee* decides whether it is one of the program: exact search with that many threads and the instructions that
//!    occur in it. What it finds is an execution of the program itself.
//! 3. Exact search with few threads: most counterexamples need no more.
//! 4. Pairs, which prove more. No bad location: safe.
//! 5. The referee again: for small programs without `$` backward coverability, which decides; exact search with more and more
//!    threads.
//!
//! If nothing of this answers, the abstraction has lost something, and the answer is unknown: a bad location that only the
//! abstraction reaches is never reported as a violation.

use std::time::Duration;

use heddle_base::{Budget, Id, Stop};

use crate::ast::Program;
use crate::derivation::Derivation;
use crate::diagnostic::Diagnostic;
use crate::explicit::cover::{Covered, Limits, cover};
use crate::explicit::{self, Semantics};
use crate::flat::{Flat, Instr, LocId};
use crate::flatten::{Recursion, flatten};
use crate::ghosts;
use crate::options::Options;
use crate::parametric;
use crate::proof::Proof;
use crate::symbolic::bdd::on_large_stack;
use crate::symbolic::{self, exact};
use crate::trace::Run;

/// How sets of thread states are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// Binary decision diagrams.
    #[default]
    Bdd,
    /// Parametric formulas and a SAT solver, [BOOLPROG §4.1].
    Sat,
}

/// How many threads are looked at together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tuples {
    /// One, then two.
    #[default]
    Auto,
    /// Thread states alone: the paper.
    One,
    /// Pairs at once.
    Two,
}

/// What the checker is to do.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Switches of the thread-state abstraction.
    pub options: Options,
    /// What recursive calls become.
    pub recursion: Recursion,
    /// Locks and sections are visible to all threads ([`ghosts`]). Without them thread states are those of the paper.
    pub ghosts: bool,
    /// How sets are kept.
    pub sets: Sets,
    /// How many threads are looked at together.
    pub tuples: Tuples,
    /// Nothing but exact search.
    pub exact: bool,
    /// A proof object is wanted.
    pub proof: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            options: Options::default(),
            recursion: Recursion::Threads,
            ghosts: true,
            sets: Sets::Bdd,
            tuples: Tuples::Auto,
            exact: false,
            proof: false,
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No bad location can be reached with any number of threads.
    Safe(Basis),
    /// This execution of the program reaches one.
    Unsafe(Run),
    /// Not decided.
    Unknown(Reason),
}

/// What `Safe` rests on.
#[derive(Clone, Debug)]
pub enum Basis {
    /// A set of thread states that is closed under ⇝, as a proof object if one was wanted.
    ThreadStates(Option<Proof>),
    /// A set of pairs that is closed.
    Pairs(Option<Proof>),
    /// All states with all threads.
    Exact,
    /// Backward coverability.
    Coverability,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Stopped(Stop),
    /// The abstraction reaches a bad location, and no execution with so many threads does.
    Lost {
        /// The bad location.
        bad: LocId,
        /// Threads that were tried exactly.
        threads: usize,
    },
    /// The abstraction of recursive calls reaches a bad location, and no execution with calls so deep does.
    Recursion {
        /// The bad location.
        bad: LocId,
        /// Depth that was tried.
        depth: u32,
    },
    /// More threads are needed than exact search was allowed.
    ExactThreads(usize),
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Locations and flags with at least one thread state.
    pub sets: usize,
    /// Symbolic thread states that were added.
    pub added: usize,
    /// Threads of the last exact search.
    pub exact_threads: usize,
    /// Threads in the derivation of a bad thread state.
    pub derived_threads: usize,
    /// Moves in it.
    pub derived_moves: usize,
    /// The referee found the derivation to be an execution.
    pub derivation_confirmed: bool,
}

/// The referee looks at a derivation for so long before pairs are tried.
const REFEREE_TIME: Duration = Duration::from_secs(5);

/// The last search, with more and more threads, takes no longer.
const LAST_SEARCH_TIME: Duration = Duration::from_secs(60);

/// Exact search stops at so many threads.
const MAX_EXACT_THREADS: usize = 12;

/// Recursive calls are inlined so deep in search of a counterexample.
pub const INLINED_DEPTH: u32 = 4;

/// Explicit states that coverability may use.
const MAX_EXPLICIT: usize = 200_000;

/// Checks a program. `Err` if it is not well formed.
pub fn check(program: &Program, settings: &Settings, budget: &Budget) -> Result<Report, Vec<Diagnostic>> {
    let flat = flatten(program, settings.recursion)?;
    let statistics = Statistics::default();
    let mut checker = Checker { program, settings, budget, statistics, tried: 0, shown: None, derivation: None };
    let outcome = on_large_stack(4 * flat.vars.len(), || checker.run(&flat));
    let verdict = outcome.unwrap_or_else(|stop| Verdict::Unknown(Reason::Stopped(stop)));
    let Checker { statistics, shown, derivation, .. } = checker;
    Ok(Report { verdict, statistics, derivation, flat: shown.unwrap_or(flat) })
}

/// The program as it can be executed: itself, or with recursive calls inlined up to [`INLINED_DEPTH`]; a thread that calls
/// deeper waits for ever.
pub fn executable(program: &Program) -> Result<Flat, Vec<Diagnostic>> {
    let flat = flatten(program, Recursion::Threads)?;
    if flat.over_approximates { flatten(program, Recursion::Unroll(INLINED_DEPTH)) } else { Ok(flat) }
}

/// The answer and what belongs to it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// What was measured.
    pub statistics: Statistics,
    /// How thread states reach a bad location, if they do. Locations are those of the program; ghosts have none.
    pub derivation: Option<Derivation>,
    /// The program that a counterexample is an execution of: the given one, with recursive calls inlined as deep as it needs.
    pub flat: Flat,
}

struct Checker<'a> {
    program: &'a Program,
    settings: &'a Settings,
    budget: &'a Budget,
    statistics: Statistics,
    /// Exact search was made up to so many threads.
    tried: usize,
    /// What a counterexample is shown in, if not the given program.
    shown: Option<Flat>,
    derivation: Option<Derivation>,
}

impl Checker<'_> {
    fn run(&mut self, flat: &Flat) -> Result<Verdict, Stop> {
        if self.settings.exact {
            return Ok(match self.exact(flat, MAX_EXACT_THREADS, None)? {
                Some(verdict) => verdict,
                None => Verdict::Unknown(Reason::ExactThreads(self.tried)),
            });
        }
        let seen = if self.settings.ghosts { ghosts::add(flat) } else { flat.clone() };
        let mut bad = None;
        if self.settings.tuples != Tuples::Two {
            match self.threads(&seen)? {
                Ok(verdict) => return Ok(verdict),
                Err(at) => bad = Some(at),
            }
            if let Some(verdict) = self.referee(flat)? {
                return Ok(verdict);
            }
        }
        if let Some(verdict) = self.exact(flat, 3, Some(Duration::from_secs(2)))? {
            return Ok(verdict);
        }
        if self.settings.tuples != Tuples::One {
            match self.pairs(&seen)? {
                Ok(verdict) => return Ok(verdict),
                Err(at) => bad = Some(at),
            }
        }
        if let Some(verdict) = self.coverable(flat)? {
            return Ok(verdict);
        }
        // What is left of the time is not all spent on more and more threads: that the abstraction lost something is an answer.
        let limit = self.budget.time_left().map_or(LAST_SEARCH_TIME, |left| LAST_SEARCH_TIME.min(left / 2));
        if let Some(verdict) = self.exact(flat, MAX_EXACT_THREADS, Some(limit))? {
            return Ok(verdict);
        }
        let bad = bad.expect("the abstraction has reached one");
        Ok(Verdict::Unknown(if flat.over_approximates {
            Reason::Recursion { bad, depth: INLINED_DEPTH }
        } else {
            Reason::Lost { bad, threads: self.tried }
        }))
    }

    /// Whether the derivation of a bad thread state is one of the program: exact search with as many threads as it has, and moves
    /// where it has moves. Creators may move anywhere: a thread that creates two others occurs once in a derivation.
    fn referee(&mut self, flat: &Flat) -> Result<Option<Verdict>, Stop> {
        let Some(derivation) = &mut self.derivation else { return Ok(None) };
        // Locations that ghosts have added stand for no instruction.
        derivation.moves.retain(|m| m.at.index() < flat.locations.len());
        self.statistics.derived_threads = derivation.threads;
        self.statistics.derived_moves = derivation.moves.len();
        if flat.over_approximates || derivation.threads > MAX_EXACT_THREADS {
            return Ok(None);
        }
        let mut occurs = vec![false; flat.locations.len()];
        let mut creates = vec![false; flat.procedures.len()];
        for made in &derivation.moves {
            occurs[made.at.index()] = true;
            if matches!(flat.locations[made.at].instr, Instr::Start(..)) {
                creates[flat.locations[made.at].procedure] = true;
            }
        }
        let moves = |at: LocId| occurs[at.index()] || creates[flat.locations[at].procedure];
        let limit = self.budget.time_left().map_or(REFEREE_TIME, |left| REFEREE_TIME.min(left));
        let budget = self.budget.part().with_time(limit);
        match exact::reach_at(flat, derivation.threads, moves, &budget) {
            Ok(exact::Answer::Bad(run)) => {
                cov_mark::hit!(referee_confirms);
                self.statistics.derivation_confirmed = true;
                Ok(Some(Verdict::Unsafe(run)))
            }
            Ok(exact::Answer::None) => Ok(Some(Verdict::Safe(Basis::Exact))),
            Ok(exact::Answer::NoneWithin(_)) => Ok(None),
            Err(Stop::Time) => self.budget.check().map(|()| None),
            Err(stop) => Err(stop),
        }
    }

    /// Thread states: a verdict, or a bad location.
    fn threads(&mut self, flat: &Flat) -> Result<Result<Verdict, LocId>, Stop> {
        let options = &self.settings.options;
        if self.settings.sets == Sets::Sat {
            let reached = parametric::reach(flat, options, self.budget)?;
            self.statistics.added = reached.states;
            self.statistics.sets = reached.locations;
            if let Some(bad) = reached.bad {
                self.derivation = reached.derivation;
                return Ok(Err(bad));
            }
            // The proof object is made of diagrams.
            let proof = if self.settings.proof { Some(self.closed(flat)?) } else { None };
            return Ok(Ok(Verdict::Safe(Basis::ThreadStates(proof))));
        }
        let reached = symbolic::threads::reach(flat, options, true, self.budget)?;
        self.statistics.added = reached.added;
        self.statistics.sets = reached.nonempty();
        if let Some(bad) = reached.bad {
            self.derivation = reached.derivation;
            return Ok(Err(bad));
        }
        let proof = match self.settings.proof {
            false => None,
            true if options.partial_order => Some(self.closed(flat)?),
            true => Some(Proof::by_threads(flat, options, &reached).with_ghosts(self.settings.ghosts)),
        };
        Ok(Ok(Verdict::Safe(Basis::ThreadStates(proof))))
    }

    /// A proof needs all thread states, those that partial-order reduction leaves out included.
    fn closed(&self, flat: &Flat) -> Result<Proof, Stop> {
        let options = Options { partial_order: false, ..self.settings.options };
        let reached = symbolic::threads::reach(flat, &options, false, self.budget)?;
        Ok(Proof::by_threads(flat, &options, &reached).with_ghosts(self.settings.ghosts))
    }

    fn pairs(&mut self, flat: &Flat) -> Result<Result<Verdict, LocId>, Stop> {
        let reached = symbolic::pairs::reach(flat, self.budget)?;
        if let Some(bad) = reached.bad_location()? {
            return Ok(Err(bad));
        }
        let proof = match self.settings.proof {
            true => Some(Proof::by_pairs(flat, &reached)?.with_ghosts(self.settings.ghosts)),
            false => None,
        };
        Ok(Ok(Verdict::Safe(Basis::Pairs(proof))))
    }

    /// Exact search with more and more threads, all together within a time.
    fn exact(&mut self, flat: &Flat, most: usize, limit: Option<Duration>) -> Result<Option<Verdict>, Stop> {
        let budget = match (limit, self.budget.time_left()) {
            (Some(limit), Some(left)) => self.budget.part().with_time(limit.min(left)),
            (Some(limit), None) => self.budget.part().with_time(limit),
            (None, _) => self.budget.part(),
        };
        while self.tried < most {
            let answer = if flat.over_approximates {
                self.inlined(self.tried + 1, &budget)
            } else {
                exact::reach(flat, self.tried + 1, &budget)
            };
            match answer {
                Ok(exact::Answer::Bad(run)) => return Ok(Some(Verdict::Unsafe(run))),
                Ok(exact::Answer::None) => return Ok(Some(Verdict::Safe(Basis::Exact))),
                Ok(exact::Answer::NoneWithin(threads)) => self.tried = threads,
                // Too slow for now, but not for ever.
                Err(Stop::Time) if limit.is_some() && self.budget.check().is_ok() => return Ok(None),
                Err(stop) => return Err(stop),
            }
            self.statistics.exact_threads = self.tried;
        }
        Ok(None)
    }

    /// Exact search of a recursive program: calls are inlined, and cut off where they are too deep.
    fn inlined(&mut self, threads: usize, budget: &Budget) -> Result<exact::Answer, Stop> {
        // Inlining may become too large; then nothing is known of executions.
        let Ok(flat) = flatten(self.program, Recursion::Unroll(INLINED_DEPTH)) else {
            return Ok(exact::Answer::NoneWithin(MAX_EXACT_THREADS));
        };
        match exact::reach(&flat, threads, budget)? {
            exact::Answer::Bad(run) => {
                self.shown = Some(flat);
                Ok(exact::Answer::Bad(run))
            }
            // More threads make no difference, only deeper calls would.
            exact::Answer::None if flat.under_approximates => Ok(exact::Answer::NoneWithin(MAX_EXACT_THREADS)),
            answer @ (exact::Answer::None | exact::Answer::NoneWithin(_)) => Ok(answer),
        }
    }

    /// Backward coverability, where explicit states are few enough.
    fn coverable(&mut self, flat: &Flat) -> Result<Option<Verdict>, Stop> {
        if flat.has_passive() {
            return Ok(None);
        }
        let Ok(semantics) = Semantics::new(flat) else { return Ok(None) };
        let limit = self.budget.time_left().map_or(Duration::from_secs(20), |left| left / 3);
        let budget = self.budget.part().with_time(limit);
        let options = Options { max_states: MAX_EXPLICIT, ..self.settings.options };
        let Ok(pairs) = explicit::pairs::reach(&semantics, &options, &budget) else {
            return self.budget.check().map(|()| None);
        };
        let states = pairs.thread_states();
        let limits = Limits { elements: MAX_EXPLICIT, pairs: Some(&pairs) };
        match cover(&semantics, &states, &limits, &budget) {
            // With recursion as threads it may be an execution of these threads alone.
            Ok(Covered::Yes(_)) if flat.over_approximates => Ok(None),
            Ok(Covered::Yes(execution)) => Ok(Some(Verdict::Unsafe(execution.run(flat)))),
            Ok(Covered::No) => Ok(Some(Verdict::Safe(Basis::Coverability))),
            Err(_) => self.budget.check().map(|()| None),
        }
    }
}

#[cfg(test)]
mod tests;
