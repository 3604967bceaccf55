//! States as bytes: what decides how an execution can go on.
//!
//! Two states with the same bytes have the same future, up to the names of objects and threads that are still to come. So
//! the bytes leave out registers that are never read again, objects whose life is over, threads that have ended, serial numbers,
//! sites of allocations, and how long the execution was.
//!
//! **Limit:** a number of an object is kept as it is: an object that is made again in each round of a loop makes states differ
//! until its number is used again.

use heddle_base::Id;
use heddle_ir::uninitialised::LiveRegisters;
use heddle_ir::value::is_wide;
use heddle_ir::{FuncId, Property, StepId, StepKind};

use crate::code::Pc;
use crate::machine::Machine;
use crate::thread::{Status, Stuck, Thread};

impl Machine<'_> {
    /// Appends the state at hand. The machine is between two scheduled steps.
    pub fn encode_state(&self, live: &mut LiveRegisters, out: &mut Vec<u8>) {
        self.memory.encode_contents(out);
        for thread in self.threads.iter() {
            match thread.status {
                Status::Unborn | Status::Finished => {}
                Status::Stuck(why) => {
                    put(out, thread.id.index() as u64);
                    out.push(stuck_code(why));
                }
                Status::Running => {
                    put(out, thread.id.index() as u64);
                    out.push(0);
                    self.encode_thread(thread, live, out);
                }
            }
        }
        put(out, u64::MAX);
        match self.exit {
            None => out.push(0),
            Some((status, abort)) => {
                out.push(1 + u8::from(abort));
                put(out, status as u64);
            }
        }
        // Who holds what decides about deadlocks alone.
        if self.config.properties.contains(Property::Deadlock) {
            let mut holds: Vec<(u64, usize, bool)> = Vec::new();
            for hold in &self.holds {
                let ended = self.threads[hold.thread].status == Status::Finished;
                holds.push((hold.object, hold.thread.index(), ended));
            }
            holds.sort_unstable();
            for (object, thread, ended) in holds {
                put(out, object);
                put(out, (thread as u64) << 1 | u64::from(ended));
            }
        }
    }

    fn encode_thread(&self, thread: &Thread, live: &mut LiveRegisters, out: &mut Vec<u8>) {
        put(out, thread.frames.len() as u64);
        self.encode_call(
            thread,
            Call { func: thread.func, pc: thread.pc, base: thread.base, returns: false },
            live,
            out,
        );
        put(out, u64::from(thread.stack_start));
        for frame in &thread.frames {
            self.encode_call(
                thread,
                Call { func: frame.func, pc: frame.pc, base: frame.base, returns: true },
                live,
                out,
            );
            put(out, u64::from(frame.stack_objects));
        }
        put(out, thread.stack_objects.len() as u64);
        thread.stack_objects.iter().for_each(|&object| put(out, u64::from(object)));
    }

    /// Registers that are read later, and the marks of those that hold an arbitrary value; addresses of locals that live.
    fn encode_call(&self, thread: &Thread, call: Call, live: &mut LiveRegisters, out: &mut Vec<u8>) {
        put(out, (call.func.index() as u64) << 32 | u64::from(call.pc));
        let (code, function) = (&self.code.functions[call.func], &self.program.functions[call.func]);
        let step = code.step_of[call.pc as usize];
        // A call's result is not there yet.
        let (at, result) = match function.steps[step].kind {
            StepKind::Call { dst, .. } if call.returns => (StepId::new(step.index() + 1), dst),
            _ => (step, None),
        };
        let live = live.before(self.program, call.func, at);
        let word = |word: u32| thread.words[(call.base + word) as usize];
        for (reg, &first) in code.regs.iter_enumerated() {
            if live.contains(reg.index()) && Some(reg) != result {
                put(out, word(first));
                if is_wide(function.regs[reg].ty) {
                    put(out, word(first + 1));
                }
            }
        }
        for &(reg, mark) in &code.marks {
            if live.contains(reg.index()) && Some(reg) != result {
                out.push(u8::from(word(mark) != 0));
            }
        }
        for &(slot, _) in &code.slots {
            let object = (word(slot) >> 32) as u32;
            let lives = self.memory.object(object).is_some_and(|object| object.is_live());
            put(out, if lives { u64::from(object) } else { 0 });
        }
    }
}

/// A call in progress.
#[derive(Clone, Copy)]
struct Call {
    func: FuncId,
    pc: Pc,
    base: u32,
    /// Whether it waits for a call of its own.
    returns: bool,
}

fn put(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn stuck_code(why: Stuck) -> u8 {
    match why {
        Stuck::Assume => 1,
        Stuck::Steps => 2,
        Stuck::LongTurn => 3,
        Stuck::Endless => 4,
        Stuck::Undefined => 5,
        Stuck::Unsupported => 6,
        Stuck::Exited => 7,
    }
}
