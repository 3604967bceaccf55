//! The table of all engines.
//!
//! An engine is one file and one row here. `--engine` and its help, the checks of flags, the tests over `corpus/`,
//! `cargo xtask stress` and `cargo xtask tidy` read this table and name no engine themselves.

use heddle_machine::Limits;
use heddle_solver::smtlib::ExternalSolver;

use crate::engine::Engine;
use crate::queries::Queries;
use crate::{abstraction, auto, clock, explore, hunt, lazy, order, record, refine, states, trace, widen};

/// All engines, in the order in which the help lists them. The first one is the default.
pub const ENGINES: &[EngineRow] = &[
    auto::ROW,
    order::ROW,
    refine::ROW,
    clock::ROW,
    lazy::ROW,
    record::ROW,
    widen::ROW,
    trace::ROW,
    abstraction::ROW,
    states::ROW,
    explore::ROW,
    hunt::ROW,
];

/// The engine of a name.
pub fn find(name: &str) -> Option<&'static EngineRow> {
    ENGINES.iter().find(|row| row.name == name)
}

/// What the command line, the tests and the chores know of an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineRow {
    /// The name on the command line, which [`Engine::name`] repeats.
    pub name: &'static str,
    /// What it does, in one sentence for the help.
    pub summary: &'static str,
    /// The flags that not every engine takes, and this one does.
    pub flags: &'static [Flag],
    /// When it answers `SAFE`.
    pub proves: Proves,
    /// How its answers are compared with the expectations of `corpus/`.
    pub corpus: CorpusRole,
    /// Makes it.
    pub make: fn(&EngineOptions) -> Box<dyn Engine>,
}

impl EngineRow {
    /// Whether the engine takes a flag.
    pub fn takes(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}

/// Flags of `heddle check` that go with some engines only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// `--unwind` and `--unwindset`
    Unwind,
    /// `--contexts`
    Contexts,
    /// `--choices`
    Choices,
    /// `--no-reduction`
    NoReduction,
    /// `--dump-smt2`
    DumpSmt2,
    /// `--solver`
    Solver,
    /// `--hunt`
    Hunt,
    /// `--assume`
    Assume,
}

impl Flag {
    /// All of them.
    pub const ALL: [Flag; 8] = [
        Flag::Unwind,
        Flag::Contexts,
        Flag::Choices,
        Flag::NoReduction,
        Flag::DumpSmt2,
        Flag::Solver,
        Flag::Hunt,
        Flag::Assume,
    ];

    /// As a user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Unwind => "--unwind",
            Flag::Contexts => "--contexts",
            Flag::Choices => "--choices",
            Flag::NoReduction => "--no-reduction",
            Flag::DumpSmt2 => "--dump-smt2",
            Flag::Solver => "--solver",
            Flag::Hunt => "--hunt",
            Flag::Assume => "--assume",
        }
    }

    /// The names of the engines that take it, in the order of the table.
    pub fn engines(self) -> impl Iterator<Item = &'static str> {
        ENGINES.iter().filter(move |row| row.takes(self)).map(|row| row.name)
    }
}

/// When an engine answers `SAFE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proves {
    /// If all executions were executed, for all values in the domains of the inputs.
    AllExecutions,
    /// If all loops were unrolled completely, for all inputs and interleavings.
    CompleteUnrolling,
    /// If all interleavings were followed to their end or to a known state, for all inputs.
    AllInterleavings,
    /// If it finds an invariant that covers all executions, however long and with however many threads.
    Invariant,
    /// Whatever the engines prove that it asks.
    AsOthers,
    /// Never: it only finds violations.
    Nothing,
}

/// How the answers of an engine are compared with the expectations of `corpus/`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CorpusRole {
    /// The expectation is its answer, in all folders.
    Reference,
    /// Exact in `corpus/bounded/`, consistent elsewhere, with few iterations of loops.
    Bounded,
    /// As [`CorpusRole::Bounded`] in `corpus/bounded/`, and left out elsewhere: another engine has the same encoding.
    BoundedOnly,
    /// No answer may contradict an expectation; with few iterations of loops and at most so many context switches.
    Consistent {
        /// Context switches.
        contexts: u64,
    },
    /// It only proves. It must claim no proof of a program that violates one property, asked for that alone; in
    /// `corpus/unbounded/` its answers are compared like those of [`CorpusRole::Bounded`].
    Proofs,
    /// No answer within half a second may contradict an expectation. It knows no bounds.
    Brief,
    /// Left out unless a program names it: it asks other engines of the table, or goes on until its time is over.
    OnlyNamed,
}

/// How engines go about any task: what is no part of the question.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Whether to look for more than one violation.
    pub all: bool,
    /// Whether equivalent interleavings are left out.
    pub reduction: bool,
    /// Whether reads are left out whose values nothing depends on.
    pub slice: bool,
    /// Where queries are written to.
    pub queries: Queries,
    /// Whether `auto` executes random schedules from the beginning on.
    pub hunt: bool,
    /// Who answers the queries, if not the embedded solver.
    pub solver: Option<ExternalSolver>,
    /// Limits of each concrete execution.
    pub limits: Limits,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            all: false,
            reduction: true,
            slice: true,
            queries: Queries::default(),
            hunt: false,
            solver: None,
            limits: Limits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_make_the_engines_that_they_name() {
        for row in ENGINES {
            assert_eq!((row.make)(&EngineOptions::default()).name(), row.name);
            assert_eq!(find(row.name).map(|found| found.summary), Some(row.summary), "a name occurs twice");
        }
    }

    #[test]
    fn every_flag_has_an_engine() {
        for flag in Flag::ALL {
            assert!(flag.engines().next().is_some(), "{}", flag.name());
        }
    }
}
