//! What is noted for properties that are not always checked: races, leaks, uses of what was never initialised.
//!
//! An access of a model's, of a cell that one thread alone uses, or of a step that nobody else can notice does not
//! race. What is listed here is what the machine's monitor looks at (`heddle_machine`), as far as it can matter.
//!
//! **Learning without order.** Who reads a lock's word without taking the lock, or a flag without acquiring it, knows what
//! another thread did and is not ordered behind it. Such reads are listed too: where there are none, two accesses race
//! in some execution exactly if in some execution two threads stand before them at one time.

use heddle_base::Id;
use heddle_ir::value::Pointer;
use heddle_ir::{Access, AllocKind, MemOrder, Property, Section};
use heddle_solver::{TermId, Terms};

use super::events::View;
use super::state::{OpenSection, State};
use super::steps::Unwinder;
use super::{Allocation, Ending, LIFE, NodeIx, RaceAccess};
use crate::evaluate::Reach;
use crate::operators;

impl Unwinder<'_, '_> {
    /// Takes note of an access if it can race.
    pub(super) fn note_access(&mut self, state: &mut State, reach: &Reach<'_>, write: bool, access: Access) {
        let &Reach { pointer, places, len } = reach;
        let visible = self.visibility.is_visible(self.site.func, self.site.step);
        if access.internal || !visible || state.own.probe || state.is_dead() {
            return;
        }
        let offset = operators::offset_of(self.terms, pointer);
        let at = operators::as_bits(self.terms, offset).map(|at| (at as u32, len));
        let mut met = Vec::new();
        for &place in places {
            if self.may_meet(state, place.object, at, write) {
                met.push(place);
            }
        }
        if met.is_empty() {
            return;
        }
        let when = if met.len() == places.len() { Terms::TRUE } else { self.any(&met) };
        let guard = self.terms.and_all(&[state.guard(), when]);
        let orders = match access.order {
            MemOrder::Plain | MemOrder::SeqCst | MemOrder::AcqRel => true,
            MemOrder::Relaxed => false,
            MemOrder::Acquire => !write,
            MemOrder::Release => write,
        };
        match &mut state.own.section {
            // A compare-and-exchange that succeeds may acquire what it found by a second load.
            Some(section) if section.kind == Section::Rmw && !write => {
                section.asked |= !orders;
                if orders && access.order != MemOrder::Plain {
                    section.told = Terms::TRUE;
                }
            }
            _ if !orders => self.driver.out.unordered.push(guard),
            _ => {}
        }
        let objects = met.iter().map(|place| place.object).collect();
        let plain = access.order == MemOrder::Plain;
        self.push_access(state, RaceAccess { guard, write, plain, address: pointer, objects, len, ..self.blank() });
    }

    /// Takes note of a free, which is a plain write of the whole object whoever calls it.
    pub(super) fn note_free(&mut self, state: &State, object: u32, here: TermId, kind: AllocKind) {
        if self.asks_for_leaks(state, kind) {
            let guard = self.terms.and_all(&[state.guard(), here]);
            let node = self.node(state);
            self.driver.out.frees.push((node, guard, object));
        }
        if self.driver.out.now.is_none() || state.own.probe || !self.is_noticed(state, object) {
            return;
        }
        let guard = self.terms.and_all(&[state.guard(), here]);
        let address = self.terms.bv(64, Pointer::to(object).bits());
        let len = self.knowledge.notes(object).map_or(0, |notes| notes.size);
        if guard != Terms::FALSE {
            let free = RaceAccess { guard, address, objects: [object].into(), len, ..self.blank() };
            self.push_access(state, RaceAccess { write: true, plain: true, free: true, ..free });
        }
    }

    /// Takes note of a heap block that is made.
    pub(super) fn note_allocation(&mut self, state: &State, object: u32, kind: AllocKind) {
        if self.asks_for_leaks(state, kind) {
            let (node, guard, site) = (self.node(state), state.guard(), self.site);
            self.driver.out.allocations.push(Allocation { node, guard, object, site });
        }
    }

    /// Takes note of an exit. What is left when a process is aborted is not leaked.
    pub(super) fn note_ending(&mut self, state: &State, abort: bool) {
        if !abort && self.asks_for_leaks(state, AllocKind::Heap) {
            let (node, guard) = (self.node(state), state.guard());
            self.driver.out.endings.push(Ending { node, guard });
        }
    }

    fn asks_for_leaks(&self, state: &State, kind: AllocKind) -> bool {
        kind == AllocKind::Heap && !state.own.probe && self.config.properties.contains(Property::Leak)
    }

    /// A library model reads what others write, or writes what others may read.
    pub(super) fn note_question(&mut self, state: &mut State) {
        if state.own.probe || !self.driver.access.is_some_and(|access| access.internal) {
            return;
        }
        match &mut state.own.section {
            Some(section) => section.asked = true,
            None => self.driver.out.unordered.push(state.guard()),
        }
    }

    /// A section ends. If a model read in it what others write, or the other way round, it should have told how it is
    /// ordered with them; so should an atomic operation that read without acquiring.
    pub(super) fn note_unordered(&mut self, state: &State, section: &OpenSection) {
        if section.asked && section.told != Terms::TRUE {
            let silent = self.terms.not(section.told);
            let guard = self.terms.and_all(&[state.guard(), silent]);
            self.driver.out.unordered.push(guard);
        }
    }

    /// Whether another thread may access the same place, and one of the two writes.
    fn may_meet(&mut self, state: &State, object: u32, at: Option<(u32, u32)>, write: bool) -> bool {
        let met =
            if write { self.is_noticed(state, object) } else { matches!(self.view(state, object, at), View::Event) };
        met || (!self.is_global(object)
            && self.knowledge.ends(object)
            && matches!(self.view(state, object, Some((LIFE, 1))), View::Event))
    }

    fn push_access(&mut self, state: &State, access: RaceAccess) {
        let (user, fixed) = match &state.own.section {
            None => (false, true),
            Some(section) => {
                let alone = section.kind == Section::Rmw && section.begin.guard == state.guard();
                (section.kind == Section::User, alone)
            }
        };
        let node = self.node(state);
        self.driver.out.races.push(RaceAccess { node, user, fixed, site: self.driver.user_site, ..access });
    }

    fn blank(&self) -> RaceAccess {
        RaceAccess {
            // Whoever adds the access to the list knows its node.
            node: NodeIx::new(0),
            guard: Terms::FALSE,
            write: false,
            plain: false,
            user: false,
            fixed: false,
            free: false,
            address: Terms::FALSE,
            objects: [].into(),
            len: 0,
            site: self.driver.user_site,
        }
    }
}
