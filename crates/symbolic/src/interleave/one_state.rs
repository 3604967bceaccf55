//! The driver of the evaluator that keeps one state of all threads: the contents of all objects are known, whoever made
//! them. Memory that was never written holds zeros, as the machine has them.

use heddle_base::Id;
use heddle_ir::value::Pointer;
use heddle_ir::{AllocKind, InputId, Property};
use heddle_solver::{TermId, Terms};

use crate::evaluate::contents::Cell;
use crate::evaluate::knowledge::mix;
use crate::evaluate::{self, Driver, Evaluator, Foreign, Halt, Outcome, Reach, SuspectKind};
use crate::operators::{self, Unsupported};

/// A state of all threads, with the frame of the one that moves.
pub(super) type State = evaluate::State<()>;

/// What a step says besides what it does to its state.
#[derive(Debug, Default)]
pub(super) struct OneState {
    /// What may be wrong: guards.
    pub(super) violations: Vec<(TermId, SuspectKind)>,
    /// What is undefined and not checked: guards.
    pub(super) undefined: Vec<TermId>,
    /// Reads of what was never written, where that is not checked: guards.
    pub(super) uninitialised: Vec<TermId>,
    /// Terms that hold in every execution.
    pub(super) constraints: Vec<TermId>,
    /// Inputs that were read.
    pub(super) inputs: Vec<(InputId, TermId)>,
    /// What has no terms: guards, and what it is.
    pub(super) unsupported: Vec<(TermId, String)>,
}

impl OneState {
    /// Whether nothing was said.
    pub(super) fn is_silent(&self) -> bool {
        let certain = self.violations.is_empty() && self.undefined.is_empty() && self.uninitialised.is_empty();
        certain && self.inputs.is_empty() && self.constraints.is_empty() && self.unsupported.is_empty()
    }
}

impl Driver for OneState {
    type Own = ();

    /// By far the most accesses are to exactly one cell that is certain to be there.
    fn certain_cell(evaluator: &Evaluator<'_, Self>, state: &State, pointer: TermId, len: u32) -> Option<(u32, u32)> {
        let pointer = Pointer::from_bits(evaluator.terms.as_const(pointer)?.to_u64()?);
        let (object, at) = (pointer.object, u32::try_from(pointer.offset).ok()?);
        let contents = state.store.get(&object)?;
        let certain = contents.alive == Terms::TRUE && evaluator.knowledge.unknown_size(object).is_none();
        (certain && contents.exact(at, len).is_some()).then_some((object, at))
    }

    fn read(
        evaluator: &mut Evaluator<'_, Self>,
        state: &mut State,
        reach: &Reach<'_>,
        as_pointer: bool,
    ) -> Outcome<(TermId, TermId)> {
        let offset = operators::offset_of(evaluator.terms, reach.pointer);
        let mut result: Option<(TermId, TermId)> = None;
        let mut known = Vec::with_capacity(reach.places.len());
        for place in reach.places {
            let contents = evaluator.own_contents(state, place.object);
            let (value, written) = evaluator.addressing().read(&contents, offset, reach.len, as_pointer)?;
            known.push((place.when, value, written));
        }
        for (when, value, written) in known.into_iter().rev() {
            result = Some(match result {
                None => (value, written),
                Some((other, other_written)) => {
                    let terms = &mut *evaluator.terms;
                    (terms.ite(when, value, other), terms.ite(when, written, other_written))
                }
            });
        }
        result.ok_or_else(|| Halt::Unsupported(Unsupported("an access through a pointer to nothing".to_owned())))
    }

    fn write(evaluator: &mut Evaluator<'_, Self>, state: &mut State, reach: &Reach<'_>, cell: Cell) -> Outcome<()> {
        let offset = operators::offset_of(evaluator.terms, reach.pointer);
        for &place in reach.places {
            evaluator.write_own(state, place, offset, cell)?;
        }
        Ok(())
    }

    fn unwritten(evaluator: &mut Evaluator<'_, Self>, state: &mut State, value: TermId, missing: TermId) -> TermId {
        if evaluator.checked {
            Self::suspect(evaluator, state, missing, SuspectKind::Uninit);
        } else {
            let guard = evaluator.terms.and_all(&[state.guard(), missing]);
            evaluator.driver.uninitialised.push(guard);
        }
        value
    }

    fn alive(evaluator: &mut Evaluator<'_, Self>, state: &mut State, object: u32, _: TermId) -> Outcome<TermId> {
        Ok(evaluator.own_contents(state, object).alive)
    }

    fn ended(_: &mut Evaluator<'_, Self>, _: &mut State, _: u32, _: TermId) {}

    fn is_noticed(_: &mut Evaluator<'_, Self>, _: &State, _: u32) -> bool {
        false
    }

    fn knows(_: &mut Evaluator<'_, Self>, _: &State, _: u32) -> bool {
        true
    }

    fn foreign_contents(_: &mut Evaluator<'_, Self>, _: u32) -> Option<Foreign> {
        None
    }

    /// Where threads take turns, one step makes objects of several sizes: each is an object of its own.
    fn allocation_salt(size: TermId) -> u64 {
        mix(0x0a11, size.index() as u64)
    }

    fn note_access(_: &mut Evaluator<'_, Self>, _: &mut State, _: &Reach<'_>, _: bool) {}

    fn note_allocation(_: &mut Evaluator<'_, Self>, _: &State, _: u32, _: AllocKind) {}

    fn note_free(_: &mut Evaluator<'_, Self>, _: &State, _: u32, _: TermId, _: AllocKind) {}

    fn suspect(evaluator: &mut Evaluator<'_, Self>, state: &mut State, wrong: TermId, what: SuspectKind) {
        let guard = evaluator.terms.and_all(&[state.guard(), wrong]);
        let right = evaluator.terms.not(wrong);
        if guard != Terms::FALSE {
            let checked = match what {
                SuspectKind::Check(_) | SuspectKind::Uninit => true,
                SuspectKind::Memory => evaluator.config.properties.contains(Property::Memory),
            };
            if checked {
                evaluator.driver.violations.push((guard, what));
            } else {
                evaluator.driver.undefined.push(guard);
            }
        }
        state.decide(evaluator.terms, right);
    }

    fn note_input(evaluator: &mut Evaluator<'_, Self>, _: &State, input: InputId, value: TermId) {
        evaluator.driver.inputs.push((input, value));
    }

    fn constrain(evaluator: &mut Evaluator<'_, Self>, holds: TermId) {
        evaluator.driver.constraints.push(holds);
    }

    fn note_unsupported(evaluator: &mut Evaluator<'_, Self>, guard: TermId, what: String) {
        evaluator.driver.unsupported.push((guard, what));
    }
}
