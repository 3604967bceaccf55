//! The formula of all interleavings: what may go wrong, under the schedule guards of its path.

use heddle_solver::{Model, TermId, Terms, Value};

use super::tree::selections;
use super::{Found, Suspect};

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

    pub(crate) fn len(&self) -> usize {
        self.suspects.len()
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
