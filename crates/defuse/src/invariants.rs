//! The three invariants of definition-use [DEFUSE §I, after Shi et al. 2010], learnt over the executions of a campaign.
//!
//! - *Local/remote*: a read takes its values from its own thread always, or from others always.
//! - *Follower*: of two consecutive reads of the same bytes by one thread, the second sees what the first saw.
//! - *Definition set*: a read takes its values from the definitions that the first executions show.
//!
//! Where two executions disagree there is a warning with both: not every such place is a bug, but each deserves a look.
//! Initial values are neither local nor remote.

use std::collections::BTreeMap;

use heddle_base::Id;
use heddle_task::CodeSite;

use crate::campaign::{Purpose, Report};
use crate::pairs::{Occurrence, Pair, Point};

/// Which invariant does not hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Invariant {
    /// A read takes values from its own thread and from others.
    LocalRemote,
    /// A second read sees what the first did, and does not.
    Follower,
    /// A read takes a value from a definition that is not in its set.
    DefinitionSet,
}

impl Invariant {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Invariant::LocalRemote => "local/remote",
            Invariant::Follower => "follower",
            Invariant::DefinitionSet => "definition set",
        }
    }
}

/// Two executions that disagree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// About what.
    pub invariant: Invariant,
    /// The variable.
    pub variable: String,
    /// The read.
    pub usage: Point,
    /// What the first execution shows: who wrote, none for the initial value.
    pub first: (usize, Option<CodeSite>),
    /// What the second one shows.
    pub second: (usize, Option<CodeSite>),
}

/// All disagreements between the executions of a campaign, one a read and invariant.
pub fn disagreements(report: &Report) -> Vec<Disagreement> {
    let mut found = local_remote(report);
    found.extend(followers(report));
    found.extend(definition_sets(report));
    found
}

type UseKey = (String, Point);
/// An execution and who wrote in it, for each of two cases.
type Seen = [Option<(usize, Option<CodeSite>)>; 2];

fn key(pair: &Pair) -> UseKey {
    (pair.variable.clone(), pair.usage.clone())
}

fn definition(pair: &Pair) -> Option<CodeSite> {
    pair.definition.as_ref().map(|point| point.site)
}

fn local_remote(report: &Report) -> Vec<Disagreement> {
    // For each read the first execution in which it was local, and the first in which it was remote.
    let mut seen: BTreeMap<UseKey, Seen> = BTreeMap::new();
    for (execution, occurrences) in &report.occurrences {
        for occurrence in occurrences.iter().filter(|occurrence| occurrence.written.is_some()) {
            let slots = seen.entry(key(&occurrence.pair)).or_default();
            slots[usize::from(!occurrence.local)].get_or_insert((*execution, definition(&occurrence.pair)));
        }
    }
    let both = |((variable, usage), slots): (UseKey, Seen)| {
        let (first, second) = (slots[0]?, slots[1]?);
        Some(Disagreement { invariant: Invariant::LocalRemote, variable, usage, first, second })
    };
    seen.into_iter().filter_map(both).collect()
}

fn followers(report: &Report) -> Vec<Disagreement> {
    // For two reads in a row: the first execution in which the second saw the same write, and another one.
    let mut seen: BTreeMap<(UseKey, CodeSite), Seen> = BTreeMap::new();
    for (execution, occurrences) in &report.occurrences {
        let mut last: BTreeMap<(usize, u32, i32, i32), &Occurrence> = BTreeMap::new();
        for occurrence in occurrences {
            let (object, lo, hi) = occurrence.place;
            let at = (occurrence.thread.index(), object, lo, hi);
            if let Some(before) = last.insert(at, occurrence)
                && before.read != occurrence.read
            {
                let slots = seen.entry((key(&occurrence.pair), before.pair.usage.site)).or_default();
                let differs = before.written != occurrence.written;
                slots[usize::from(differs)].get_or_insert((*execution, definition(&occurrence.pair)));
            }
        }
    }
    let both = |(((variable, usage), _), slots): ((UseKey, CodeSite), Seen)| {
        let (first, second) = (slots[0]?, slots[1]?);
        Some(Disagreement { invariant: Invariant::Follower, variable, usage, first, second })
    };
    seen.into_iter().filter_map(both).collect()
}

fn definition_sets(report: &Report) -> Vec<Disagreement> {
    // Guided executions teach the set; replays, which go where programs rarely do, are held against it.
    let mut sets: BTreeMap<UseKey, BTreeMap<Option<CodeSite>, usize>> = BTreeMap::new();
    let is_replay = |execution: usize| report.executions[execution].purpose == Purpose::Replay;
    for (execution, occurrences) in report.occurrences.iter().filter(|(execution, _)| !is_replay(*execution)) {
        for occurrence in occurrences {
            let set = sets.entry(key(&occurrence.pair)).or_default();
            set.entry(definition(&occurrence.pair)).or_insert(*execution);
        }
    }
    let mut found: BTreeMap<UseKey, Disagreement> = BTreeMap::new();
    for (execution, occurrences) in report.occurrences.iter().filter(|(execution, _)| is_replay(*execution)) {
        for occurrence in occurrences {
            let Some(set) = sets.get(&key(&occurrence.pair)) else { continue };
            let written = definition(&occurrence.pair);
            if let (false, Some((&known, &first))) = (set.contains_key(&written), set.iter().next()) {
                let (variable, usage) = key(&occurrence.pair);
                found.entry(key(&occurrence.pair)).or_insert(Disagreement {
                    invariant: Invariant::DefinitionSet,
                    variable,
                    usage,
                    first: (first, known),
                    second: (*execution, written),
                });
            }
        }
    }
    found.into_values().collect()
}
