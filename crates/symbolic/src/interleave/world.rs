//! Worlds: states of all threads between two turns, and their fingerprints.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_base::Id;
use heddle_ir::{FuncId, InputId, RegId, StepId};
use heddle_solver::TermId;

use super::Hold;
use crate::evaluate::contents::{Contents, Path};
use crate::evaluate::fingerprint::Fingerprint;
use crate::evaluate::state::Frame;

/// Where a thread stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halted {
    /// It can go on, if it is not blocked.
    No,
    /// At its end.
    Finished,
    /// Behind an assumption that does not hold.
    Assume,
    /// Cut off.
    Cut,
    /// It loops for ever without a step that others can notice.
    Endless,
}

/// An input that was read, and those before it.
#[derive(Debug)]
pub struct InputNode {
    /// Those before it.
    pub before: Option<Rc<InputNode>>,
    /// Who read it, by path.
    pub thread: Rc<str>,
    /// Which.
    pub input: InputId,
    /// Its value.
    pub value: TermId,
}

/// Not input by input, each in the call of the next: there may be many.
impl Drop for InputNode {
    fn drop(&mut self) {
        let mut rest = self.before.take();
        while let Some(mut node) = rest.and_then(Rc::into_inner) {
            rest = node.before.take();
        }
    }
}

/// A call that waits for another to return.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) func: FuncId,
    /// The call step.
    pub(super) at: StepId,
    pub(super) frame: Frame,
    pub(super) dst: Option<RegId>,
    pub(super) callers: Option<Rc<Caller>>,
    /// Of the call itself, as in [`Thread`].
    pub(super) entered: TermId,
    pub(super) counted: u64,
    pub(super) depth: u32,
    pub(super) fingerprint: OnceCell<Fingerprint>,
}

/// A thread of a world.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// The number that the program knows it by.
    pub(super) number: u32,
    /// Identifies it in all worlds.
    pub(super) key: u64,
    /// Its path, as schedules name it.
    pub(super) name: Rc<str>,
    pub(super) halted: Halted,
    pub(super) func: FuncId,
    /// The step it stands before.
    pub(super) at: StepId,
    pub(super) frame: Frame,
    pub(super) callers: Option<Rc<Caller>>,
    /// The guard when the running call began, and how many calls of its function around it count towards the bound.
    pub(super) entered: TermId,
    pub(super) counted: u64,
    /// Steps made.
    pub(super) steps: u64,
    pub(super) children: u32,
    pub(super) spurious: u32,
    pub(super) fingerprint: OnceCell<Fingerprint>,
}

impl Thread {
    pub(super) fn new(number: u32, key: u64, name: Rc<str>, func: FuncId, frame: Frame) -> Self {
        Thread {
            number,
            key,
            name,
            halted: Halted::No,
            func,
            at: StepId::new(0),
            frame,
            callers: None,
            entered: heddle_solver::Terms::TRUE,
            counted: 0,
            steps: 0,
            children: 0,
            spurious: 0,
            fingerprint: OnceCell::new(),
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        *self.fingerprint.get_or_init(|| {
            let mut fp = Fingerprint::new();
            fp.add(self.key);
            fp.add(self.halted as u64);
            fp.add(u64::from(self.children));
            if self.halted == Halted::No {
                fp.add(self.func.index() as u64);
                fp.add(self.at.index() as u64);
                add_frame(&mut fp, &self.frame);
                if let Some(callers) = &self.callers {
                    fp.add_all(callers.fingerprint());
                }
            }
            fp
        })
    }

    /// All values that the thread holds outside of memory, and all objects that end with its calls.
    pub(super) fn roots(&self, values: &mut Vec<TermId>, objects: &mut Vec<u32>) {
        let mut add = |frame: &Frame| {
            values.extend(frame.regs.iter().chain(&frame.slots).flatten());
            objects.extend(&frame.allocas);
        };
        add(&self.frame);
        let mut at = self.callers.as_ref();
        while let Some(caller) = at {
            add(&caller.frame);
            at = caller.callers.as_ref();
        }
    }

    /// Rounds of loops and depths of recursion that count towards the bound, from the innermost call.
    fn counts(&self, bounded: Bounded, mut count: impl FnMut(u64)) {
        if bounded.steps {
            count(self.steps);
        }
        if bounded.spurious {
            count(u64::from(self.spurious));
        }
        count(self.counted);
        self.frame.rounds.iter().for_each(|round| count(round.counted));
        let mut at = self.callers.as_ref();
        while let Some(caller) = at {
            count(caller.counted);
            caller.frame.rounds.iter().for_each(|round| count(round.counted));
            at = caller.callers.as_ref();
        }
    }
}

impl Caller {
    fn fingerprint(&self) -> Fingerprint {
        *self.fingerprint.get_or_init(|| {
            let mut fp = Fingerprint::new();
            fp.add(self.func.index() as u64);
            fp.add(self.at.index() as u64);
            add_frame(&mut fp, &self.frame);
            if let Some(callers) = &self.callers {
                fp.add_all(callers.fingerprint());
            }
            fp
        })
    }
}

fn add_frame(fp: &mut Fingerprint, frame: &Frame) {
    let number = |value: &Option<TermId>| value.map_or(0, |term| term.index() as u64 + 1);
    frame.regs.iter().for_each(|value| fp.add(number(value)));
    frame.slots.iter().for_each(|value| fp.add(number(value)));
    frame.marks.iter().for_each(|mark| fp.add(mark.index() as u64));
    frame.allocas.iter().for_each(|&object| fp.add(u64::from(object)));
}

/// See the module.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) threads: Vec<Rc<Thread>>,
    pub(super) store: Rc<BTreeMap<u32, Rc<Contents>>>,
    pub(super) path: Rc<Path>,
    pub(super) holds: Rc<Vec<Hold>>,
    pub(super) inputs: Option<Rc<InputNode>>,
}

/// Which bounds of threads there are, beside those on loops and recursion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// On their steps.
    pub steps: bool,
    /// On their spurious wake-ups.
    pub spurious: bool,
}

impl World {
    /// Threads started so far.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Where a thread stands.
    pub fn halted(&self, thread: usize) -> Halted {
        self.threads[thread].halted
    }

    /// What identifies a thread in all worlds.
    pub fn key(&self, thread: usize) -> u64 {
        self.threads[thread].key
    }

    /// A thread's path, as schedules name it.
    pub fn name(&self, thread: usize) -> &str {
        &self.threads[thread].name
    }

    /// The paths of all threads, by the numbers that the program knows them by.
    pub fn names(&self) -> Vec<String> {
        let mut threads: Vec<&Rc<Thread>> = self.threads.iter().collect();
        threads.sort_by_key(|thread| thread.number);
        threads.iter().map(|thread| thread.name.to_string()).collect()
    }

    /// What was decided on the way here.
    pub fn guard(&self) -> TermId {
        self.path.guard
    }

    /// The inputs read on the way here.
    pub fn inputs(&self) -> Option<&Rc<InputNode>> {
        self.inputs.as_ref()
    }

    /// Spurious wake-ups of a thread so far.
    pub fn spurious(&self, thread: usize) -> u32 {
        self.threads[thread].spurious
    }

    /// Identifies everything that decides what can come next, but not what counts towards bounds.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut fp = Fingerprint::new();
        // Which thread was started first, or took something first, does not matter any more.
        let mut sum = Fingerprint(0, 0);
        self.threads.iter().for_each(|thread| sum.plus(thread.fingerprint()));
        for hold in self.holds.iter() {
            let mut one = Fingerprint::new();
            one.add(self.threads[hold.thread].key);
            one.add(hold.object.index() as u64);
            sum.plus(one);
        }
        fp.add_all(sum);
        for (&object, contents) in self.store.iter() {
            fp.add(u64::from(object));
            fp.add_all(contents.fingerprint());
        }
        fp.add_all(self.path.fingerprint());
        fp
    }

    /// What counts towards bounds: two worlds with one fingerprint have as many of them. None if nothing was used up of any.
    pub fn counts(&self, bounded: Bounded) -> Vec<u64> {
        let mut used = false;
        self.threads.iter().for_each(|thread| thread.counts(bounded, |count| used |= count > 0));
        if !used {
            return Vec::new();
        }
        let mut threads: Vec<&Rc<Thread>> = self.threads.iter().collect();
        threads.sort_unstable_by_key(|thread| thread.key);
        let mut counts = Vec::new();
        threads.iter().for_each(|thread| thread.counts(bounded, |count| counts.push(count)));
        counts
    }
}
