//! The formula of all interleavings: what may go wrong, under the schedule guards of its path.

use heddle_base::Stop;
use heddle_solver::{Model, TermId, Terms, Value};
use heddle_symbolic::interleave::Interleaver;
use heddle_task::Run;

use super::path::selections;
use super::{Approach, Found, Suspect};

/// How the formula is asked.
pub(crate) trait Asking {
    /// A suspect that some schedule shows.
    fn ask(&mut self, recorded: &Recorded, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop>;

    /// Adds what it did to the statistics.
    fn report(&self, run: &Run<'_>);
}

/// Records the whole tree and asks once.
pub(crate) struct Recording<A> {
    pub(crate) recorded: Recorded,
    pub(crate) asking: A,
}

impl<A> Recording<A> {
    pub(crate) fn new(asking: A) -> Self {
        Recording { recorded: Recorded::default(), asking }
    }
}

impl<A: Asking> Approach for Recording<A> {
    fn records(&self) -> bool {
        true
    }

    fn suspect(&mut self, at: &mut Interleaver<'_>, suspect: Suspect) -> Result<Option<Found>, Stop> {
        // Whatever the rest of the tree adds, a suspect that only the schedule decides gives the formula a model.
        let certain = suspect.guard == Terms::TRUE;
        self.recorded.add(at.terms(), suspect);
        if certain { self.end(at) } else { Ok(None) }
    }

    fn leaf(&mut self, _: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        Ok(None)
    }

    fn end(&mut self, at: &mut Interleaver<'_>) -> Result<Option<Found>, Stop> {
        self.asking.ask(&self.recorded, at)
    }

    fn leave_out(&mut self, which: &dyn Fn(&Suspect) -> bool) {
        self.recorded.suspects.retain(|(_, suspect)| !which(suspect));
    }

    fn report(&self, run: &Run<'_>) {
        run.statistics.add("suspects", self.recorded.suspects.len() as f64);
        self.asking.report(run);
    }
}

/// All suspects of a tree.
#[derive(Default)]
pub(crate) struct Recorded {
    /// Each with its guard and its schedule guards.
    suspects: Vec<(TermId, Suspect)>,
}

impl Recorded {
    pub(crate) fn add(&mut self, terms: &mut Terms, suspect: Suspect) {
        let selected = suspect.path.as_ref().map_or(Terms::TRUE, |path| path.selected);
        let guard = terms.and_all(&[selected, suspect.guard]);
        if guard != Terms::FALSE {
            self.suspects.push((guard, suspect));
        }
    }

    pub(crate) fn guards(&self) -> Vec<TermId> {
        self.suspects.iter().map(|(guard, _)| *guard).collect()
    }

    /// The suspect that a model shows.
    pub(crate) fn found(&self, terms: &Terms, model: Model) -> Option<Found> {
        let mut evaluator = model.evaluator(terms);
        let first = self.suspects.iter().find(|(guard, _)| evaluator.eval(*guard) == Value::Bool(true));
        let suspect = first.map(|(_, suspect)| suspect.clone());
        suspect.map(|suspect| Found { suspect, model: Some(model) })
    }

    /// Which thread is selected in which turn, over all suspects.
    pub(crate) fn selections(&self) -> Vec<(usize, usize)> {
        let mut all: Vec<(usize, usize)> =
            self.suspects.iter().flat_map(|(_, suspect)| selections(suspect.path.as_ref())).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same of the first interleaving.
    pub(crate) fn first(&self) -> impl Iterator<Item = (usize, usize)> {
        self.suspects.first().into_iter().flat_map(|(_, suspect)| selections(suspect.path.as_ref()))
    }
}
