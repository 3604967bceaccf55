//! Taking a scheduled step back.
//!
//! A search over states goes forwards and backwards. [`Machine::step_with_undo`] keeps what one step changes: the thread that
//! moved, the objects that were written, made or ended, the threads that were started. [`Machine::take_back`] puts it back. What
//! is kept is as large as what changed, not as large as the state.
//!
//! **Invariant:** steps are taken back in the reverse order. Names of threads and [`Notes`](crate::Notes) stay.
//!
//! **Limit:** not with the race monitor or the recorder, whose knowledge is not taken back.

use heddle_task::{Choice, ThreadId};

use crate::machine::{Halt, Hold, Machine};
use crate::memory::Journal;
use crate::thread::Thread;

/// What a scheduled step changed.
pub struct Undo {
    thread: Box<Thread>,
    memory: Journal,
    spawned: Vec<ThreadId>,
    holds: Vec<Hold>,
    exit: Option<(i32, bool)>,
    steps: u64,
    turns: u64,
    /// Readings of inputs before the step.
    read: usize,
}

impl Undo {
    /// How many readings of inputs were logged before the step.
    pub fn inputs_read(&self) -> usize {
        self.read
    }
}

impl Machine<'_> {
    /// As [`Machine::step`], with what is needed to take it back.
    pub fn step_with_undo(&mut self, choice: Choice) -> (Result<(), Halt>, Undo) {
        debug_assert!(self.race.is_none() && self.recorder.is_none(), "their knowledge is not taken back");
        let thread = self.threads[choice.thread].clone();
        let (holds, exit) = (self.holds.clone(), self.exit);
        let (steps, turns, read) = (self.steps, self.turns, self.inputs.log().len());
        self.memory.begin_turn();
        let result = self.step(choice);
        let memory = self.memory.end_turn();
        let spawned = self.event.spawned.iter().chain(&self.newborn).copied().collect();
        self.newborn.clear();
        (result, Undo { thread, memory, spawned, holds, exit, steps, turns, read })
    }

    /// The state before a step.
    pub fn take_back(&mut self, undo: Undo) {
        self.memory.restore(undo.memory);
        for id in undo.spawned {
            *self.threads[id] = Thread::unborn(id);
        }
        let id = undo.thread.id;
        self.threads[id] = undo.thread;
        (self.holds, self.exit) = (undo.holds, undo.exit);
        (self.steps, self.turns) = (undo.steps, undo.turns);
        self.inputs.forget_since(undo.read);
        // Whether others can move is found out again where it depends on memory.
        for thread in self.threads.iter_mut().filter(|thread| thread.probed.is_some()) {
            (thread.readiness, thread.probed) = (None, None);
        }
        self.newly_blocked = true;
    }
}
