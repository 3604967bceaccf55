//! Turns that do not end: a thread that loops without ever reaching a step that others can notice.
//!
//! Every million steps or so of one turn it is asked whether to go on. A thread that stands where it stood before in the same
//! turn, with the same words and nothing changed in memory, goes round for ever: outside sections it stops and the others
//! go on, as they do on a real machine. In a section nobody else ever moves again, so the execution ends there; what the others
//! would have done could as well have come before. A turn that changes something each time is stopped by a limit.

use std::hash::{Hash, Hasher};

use crate::machine::{Halt, Limit, Machine};
use crate::thread::{Status, Stuck, Thread};
use heddle_task::ThreadId;

/// What is remembered of a turn: one of its states, the last at a power of two (Brent's algorithm).
#[derive(Default)]
pub(crate) struct LongTurn {
    seen: Option<u64>,
    polls: u64,
}

/// What comes of asking.
pub(crate) enum Polled {
    GoesOn,
    Stops(Stuck),
    Halts(Halt),
}

impl Machine<'_> {
    /// Asked every million steps or so of a turn.
    #[cold]
    pub(crate) fn poll(&mut self, thread: &Thread, turn: &mut LongTurn) -> Polled {
        let limits = &self.config.limits;
        let in_turn = limits.turn_steps.is_some_and(|limit| thread.steps - thread.steps_before >= limit);
        let endless_section = limits.thread_steps.is_some_and(|limit| thread.steps >= limit);
        let in_all = limits.steps.is_some_and(|limit| self.steps + thread.steps >= limit);
        if in_turn || endless_section || in_all {
            self.notes.cut = true;
            self.notes.turn_cut |= in_turn;
            if in_turn && thread.depth == 0 {
                return Polled::Stops(Stuck::LongTurn);
            }
            self.event.everything = true;
            return Polled::Halts(Halt::Limit(Limit::Steps));
        }
        if let Err(stop) = self.budget.check() {
            return Polled::Halts(Halt::Limit(Limit::Budget(stop)));
        }
        let now = self.place_and_words(thread);
        if turn.seen == Some(now) {
            if thread.depth == 0 {
                return Polled::Stops(Stuck::Endless);
            }
            self.event.everything = true;
            return Polled::Halts(Halt::Limit(Limit::Endless));
        }
        turn.polls += 1;
        if turn.polls.is_power_of_two() {
            turn.seen = Some(now);
        }
        Polled::GoesOn
    }

    /// How many steps a thread has made that count; the last turn does not if it did not end.
    pub fn steps_of_turns(&self, id: ThreadId) -> u64 {
        let thread = &self.threads[id];
        let endless = matches!(thread.status, Status::Stuck(Stuck::Endless | Stuck::LongTurn));
        if endless { thread.steps_before } else { thread.steps }
    }

    /// All that decides how a thread goes on while nobody else moves.
    fn place_and_words(&self, thread: &Thread) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        (thread.func, thread.pc, thread.base, thread.depth).hash(&mut hasher);
        (self.memory.changes(), self.inputs.log().len(), thread.children).hash(&mut hasher);
        for frame in &thread.frames {
            (frame.func, frame.pc, frame.base).hash(&mut hasher);
        }
        thread.words.hash(&mut hasher);
        hasher.finish()
    }
}
