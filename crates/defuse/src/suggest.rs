//! Which pairs a choice of the solver would show, before it is asked.
//!
//! Events of a prediction are turns; which steps of the two turns would form a pair is read off the recording. Where
//! addresses depend on what is read this is a guess: it decides what is asked, never what is reported.

use heddle_base::Id;
use heddle_ir::Program;
use heddle_task::{RecordedAccess, RecordedStep, Recording, ThreadId};
use rustc_hash::FxHashMap;

use crate::pairs::{Instance, Namer, Objects, Pair, Point, classes};
use crate::predict::{Source, SourceWrite};
use crate::statics::Statics;
use crate::turns::Turns;

/// Suggests pairs of one recording.
pub struct Suggestions<'a> {
    recording: &'a Recording,
    statics: &'a Statics,
    namer: Namer<'a>,
    objects: Objects<'a>,
    classes: Vec<String>,
    /// Steps with accesses by thread and how many turns it has begun.
    by_turn: FxHashMap<(ThreadId, usize), Vec<usize>>,
}

impl<'a> Suggestions<'a> {
    /// For a recording.
    pub fn new(program: &'a Program, statics: &'a Statics, recording: &'a Recording) -> Self {
        let mut by_turn: FxHashMap<(ThreadId, usize), Vec<usize>> = FxHashMap::default();
        let turns = Turns::of(recording);
        for (index, step) in recording.steps.iter().enumerate() {
            if !step.accesses.is_empty() {
                let begun = turns.begun(step);
                by_turn.entry((step.thread, begun)).or_default().push(index);
                // What the first thread does before its first turn is recorded as part of it.
                if step.turn == 0 && begun == 1 {
                    by_turn.entry((step.thread, 0)).or_default().push(index);
                }
            }
        }
        Suggestions {
            recording,
            statics,
            namer: Namer::new(program),
            objects: Objects::new(recording),
            classes: classes(program, recording),
            by_turn,
        }
    }

    /// The pairs that a source would show, with their threads and places.
    pub fn candidates(&self, source: &Source) -> Vec<(Pair, Instance)> {
        let mut pairs = Vec::new();
        for &index in self.by_turn.get(&source.read).into_iter().flatten() {
            let step = &self.recording.steps[index];
            if !self.statics.counts(step.site.func) {
                continue;
            }
            for access in step.accesses.iter().filter(|access| !access.write) {
                let Some(bytes) = bytes_read(source, access) else { continue };
                let Some(variable) = self.objects.shared(self.statics, access.object, index) else { continue };
                let name = self.namer.name(variable, access.lo, access.hi);
                for definition in self.writers(source.write, access.object, bytes) {
                    let pair = Pair {
                        variable: name.clone(),
                        definition: definition.map(|step| self.point(step)),
                        usage: self.point(step),
                    };
                    let instance = Instance {
                        written: definition.map(|step| (step.thread, step.caller.unwrap_or(step.site))),
                        read: (step.thread, step.caller.unwrap_or(step.site)),
                        place: (access.object, access.lo),
                    };
                    if !pairs.contains(&(pair.clone(), instance)) {
                        pairs.push((pair, instance));
                    }
                }
            }
        }
        pairs
    }

    fn point(&self, step: &RecordedStep) -> Point {
        let class = self.classes[step.thread.index()].clone();
        Point { site: step.caller.unwrap_or(step.site), class }
    }

    /// The steps that may have written what is read; none stands for the initial value.
    fn writers(&self, write: SourceWrite, object: u32, (lo, hi): (i32, i32)) -> Vec<Option<&RecordedStep>> {
        let writes = |step: &RecordedStep| {
            let hit = |a: &RecordedAccess| a.write && a.object == object && a.lo < hi && lo < a.hi;
            step.accesses.iter().any(hit)
        };
        match write {
            SourceWrite::Turn(thread, turn) => {
                let steps = || {
                    self.by_turn.get(&(thread, turn)).into_iter().flatten().map(|&index| &self.recording.steps[index])
                };
                let last = steps().rfind(|step| writes(step));
                match last {
                    Some(step) => vec![Some(step)],
                    // At another place than recorded: whatever is written there.
                    None => steps().filter(|step| step.accesses.iter().any(|a| a.write)).map(Some).collect(),
                }
            }
            SourceWrite::Before(thread, turn) => {
                let own = |step: &&RecordedStep| step.thread == thread && step.turn <= turn && writes(step);
                vec![self.recording.steps.iter().rfind(own)]
            }
        }
    }
}

/// The bytes of an access that a source is about; none if it is about another access.
fn bytes_read(source: &Source, access: &RecordedAccess) -> Option<(i32, i32)> {
    match source.place {
        Some((object, at)) => {
            let inside = object == access.object && access.lo <= at && at < access.hi;
            inside.then(|| (at, at.saturating_add(source.len as i32)))
        }
        None => (access.hi - access.lo >= source.len as i32).then_some((access.lo, access.hi)),
    }
}
