//! All sequentially consistent executions of a litmus program, one interleaving after the other, and what they show.
//!
//! Threads are flattened into operations with jumps. The search chooses the next thread at every operation that others can
//! notice; branches, fences and assertions belong to the operation before them. There is no reduction.

use std::ops::ControlFlow;

use super::happens_before::{Action, Event, Execution, Thread};
use super::litmus::{Litmus, Loc, Mode, Mutex, Operand, Order, REGISTERS, Reg, Stmt, Update};

/// What the executions of a program show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    pub race: bool,
    pub assert: bool,
    pub deadlock: bool,
    /// Complete interleavings.
    pub executions: u64,
}

/// The truth about a program; none if it has more than `limit` interleavings.
pub fn truth(litmus: &Litmus, limit: u64) -> Option<Truth> {
    let code = flatten(litmus);
    let mut search = Search { code: &code, truth: Truth::default(), limit, events: Vec::new() };
    let mut state = State::new(litmus, code.len());
    state.lives[0] = Life::At(search.local(&state, 0, 0));
    match search.extend(&state) {
        ControlFlow::Continue(()) => Some(search.truth),
        ControlFlow::Break(()) => None,
    }
}

/// An operation of a thread.
enum Op {
    Read {
        to: Reg,
        at: Loc,
        mode: Mode,
    },
    Write {
        at: Loc,
        value: Operand,
        mode: Mode,
    },
    Update {
        to: Reg,
        at: Loc,
        update: Update,
        value: Operand,
        order: Order,
    },
    CompareExchange {
        to: Reg,
        at: Loc,
        expected: i32,
        desired: Operand,
        success: Order,
        failure: Order,
    },
    Lock(Mutex),
    /// Goes to the place if the mutex is taken.
    TryLock {
        mutex: Mutex,
        otherwise: usize,
    },
    Unlock(Mutex),
    Create(Thread),
    Join(Thread),
    Fence(Order),
    /// Goes to the place unless the register has the value.
    Branch {
        reg: Reg,
        equals: i32,
        otherwise: usize,
    },
    Jump(usize),
    AssertNot {
        first: (Reg, i32),
        second: (Reg, i32),
    },
    End,
}

impl Op {
    /// Whether no other thread can notice when it is executed.
    fn is_local(&self) -> bool {
        match self {
            Op::Fence(_) | Op::Branch { .. } | Op::Jump(_) | Op::AssertNot { .. } => true,
            Op::Read { .. }
            | Op::Write { .. }
            | Op::Update { .. }
            | Op::CompareExchange { .. }
            | Op::Lock(_)
            | Op::TryLock { .. }
            | Op::Unlock(_)
            | Op::Create(_)
            | Op::Join(_)
            | Op::End => false,
        }
    }
}

/// The code of each thread; thread 0 is `main`.
fn flatten(litmus: &Litmus) -> Vec<Vec<Op>> {
    let count = litmus.threads.len();
    let mut main = Vec::new();
    for thread in 0..count {
        if thread + 1 == count {
            flatten_body(&litmus.before, &mut main);
        }
        main.push(Op::Create(thread + 1));
    }
    flatten_body(&litmus.beside, &mut main);
    main.extend((0..litmus.joined).map(|thread| Op::Join(thread + 1)));
    flatten_body(&litmus.after, &mut main);
    main.extend((litmus.joined..count).map(|thread| Op::Join(thread + 1)));
    main.push(Op::End);
    let mut all = vec![main];
    for body in &litmus.threads {
        let mut code = Vec::new();
        flatten_body(body, &mut code);
        code.push(Op::End);
        all.push(code);
    }
    all
}

fn flatten_body(body: &[Stmt], code: &mut Vec<Op>) {
    for stmt in body {
        match *stmt {
            Stmt::Read { to, at, mode } => code.push(Op::Read { to, at, mode }),
            Stmt::Write { at, value, mode } => code.push(Op::Write { at, value, mode }),
            Stmt::Update { to, at, update, value, order } => code.push(Op::Update { to, at, update, value, order }),
            Stmt::CompareExchange { to, at, expected, desired, success, failure } => {
                code.push(Op::CompareExchange { to, at, expected, desired, success, failure });
            }
            Stmt::Fence(order) => code.push(Op::Fence(order)),
            Stmt::SignalFence(_) => {}
            Stmt::AssertNot { first, second } => code.push(Op::AssertNot { first, second }),
            Stmt::Locked { mutex, ref body } => {
                code.push(Op::Lock(mutex));
                flatten_body(body, code);
                code.push(Op::Unlock(mutex));
            }
            Stmt::TryLocked { mutex, ref body } => {
                let at = code.len();
                code.push(Op::TryLock { mutex, otherwise: 0 });
                flatten_body(body, code);
                code.push(Op::Unlock(mutex));
                code[at] = Op::TryLock { mutex, otherwise: code.len() };
            }
            Stmt::If { reg, equals, ref then, ref otherwise } => {
                let branch = code.len();
                code.push(Op::Branch { reg, equals, otherwise: 0 });
                flatten_body(then, code);
                let jump = code.len();
                code.push(Op::Jump(0));
                code[branch] = Op::Branch { reg, equals, otherwise: code.len() };
                flatten_body(otherwise, code);
                code[jump] = Op::Jump(code.len());
            }
        }
    }
}

/// Where a thread is.
#[derive(Clone)]
enum Life {
    NotCreated,
    At(usize),
    Ended,
}

#[derive(Clone)]
struct State {
    memory: Vec<i32>,
    owners: [Option<Thread>; 2],
    lives: Vec<Life>,
    registers: Vec<[i32; REGISTERS]>,
}

impl State {
    fn new(litmus: &Litmus, threads: usize) -> Self {
        let mut lives = vec![Life::NotCreated; threads];
        lives[0] = Life::At(0);
        State {
            memory: vec![0; litmus.atomic.len()],
            owners: [None; 2],
            lives,
            registers: vec![[0; REGISTERS]; threads],
        }
    }

    fn value(&self, thread: Thread, operand: Operand) -> i32 {
        match operand {
            Operand::Const(value) => value,
            Operand::Reg(reg) => self.registers[thread][reg.0],
            Operand::Next(reg) => self.registers[thread][reg.0].wrapping_add(1),
        }
    }
}

struct Search<'c> {
    code: &'c [Vec<Op>],
    truth: Truth,
    limit: u64,
    /// The execution so far.
    events: Vec<Event>,
}

impl Search<'_> {
    /// Goes on in all ways; breaks when the limit is reached.
    fn extend(&mut self, state: &State) -> ControlFlow<()> {
        let enabled: Vec<Thread> = (0..self.code.len()).filter(|&thread| self.is_enabled(state, thread)).collect();
        if enabled.is_empty() {
            return self.complete(state);
        }
        for thread in enabled {
            let mark = self.events.len();
            let mut next = state.clone();
            self.step(&mut next, thread);
            self.extend(&next)?;
            self.events.truncate(mark);
        }
        ControlFlow::Continue(())
    }

    fn complete(&mut self, state: &State) -> ControlFlow<()> {
        self.truth.executions += 1;
        if self.truth.executions > self.limit {
            return ControlFlow::Break(());
        }
        self.truth.deadlock |= state.lives.iter().any(|life| matches!(life, Life::At(_)));
        // Happens-before of a part of an execution is that of the whole, so races of incomplete executions show here, too.
        self.truth.race = self.truth.race || Execution { events: &self.events }.race().is_some();
        ControlFlow::Continue(())
    }

    fn is_enabled(&self, state: &State, thread: Thread) -> bool {
        let Life::At(place) = state.lives[thread] else { return false };
        match self.code[thread][place] {
            Op::Lock(mutex) => state.owners[mutex.0].is_none(),
            Op::Join(of) => matches!(state.lives[of], Life::Ended),
            Op::Read { .. }
            | Op::Write { .. }
            | Op::Update { .. }
            | Op::CompareExchange { .. }
            | Op::TryLock { .. }
            | Op::Unlock(_)
            | Op::Create(_)
            | Op::Fence(_)
            | Op::Branch { .. }
            | Op::Jump(_)
            | Op::AssertNot { .. }
            | Op::End => true,
        }
    }

    fn event(&mut self, thread: Thread, action: Action) {
        self.events.push(Event { thread, action });
    }

    /// Executes the operation that a thread stands before, and the local ones behind it.
    fn step(&mut self, state: &mut State, thread: Thread) {
        let Life::At(place) = state.lives[thread] else { unreachable!("only what is enabled is executed") };
        let mut next = place + 1;
        match self.code[thread][place] {
            Op::Read { to, at, mode } => {
                state.registers[thread][to.0] = state.memory[at.0];
                self.event(thread, Action::Read { at, mode });
            }
            Op::Write { at, value, mode } => {
                state.memory[at.0] = state.value(thread, value);
                self.event(thread, Action::Write { at, mode });
            }
            Op::Update { to, at, update, value, order } => {
                let (old, operand) = (state.memory[at.0], state.value(thread, value));
                state.memory[at.0] = match update {
                    Update::Add => old.wrapping_add(operand),
                    Update::Or => old | operand,
                    Update::Exchange => operand,
                };
                state.registers[thread][to.0] = old;
                self.event(thread, Action::ReadWrite { at, order });
            }
            Op::CompareExchange { to, at, expected, desired, success, failure } => {
                let same = state.memory[at.0] == expected;
                // A failed one is a load of the failure order.
                let action = if same {
                    state.memory[at.0] = state.value(thread, desired);
                    Action::ReadWrite { at, order: success }
                } else {
                    Action::Read { at, mode: Mode::Atomic(failure) }
                };
                state.registers[thread][to.0] = i32::from(same);
                self.event(thread, action);
            }
            Op::Lock(mutex) => {
                state.owners[mutex.0] = Some(thread);
                self.event(thread, Action::Lock(mutex));
            }
            Op::TryLock { mutex, otherwise } => {
                if state.owners[mutex.0].is_none() {
                    state.owners[mutex.0] = Some(thread);
                    self.event(thread, Action::Lock(mutex));
                } else {
                    next = otherwise;
                }
            }
            Op::Unlock(mutex) => {
                state.owners[mutex.0] = None;
                self.event(thread, Action::Unlock(mutex));
            }
            Op::Create(of) => {
                self.event(thread, Action::Create(of));
                self.event(of, Action::Start);
                state.lives[of] = Life::At(self.local(state, of, 0));
            }
            Op::Join(of) => self.event(thread, Action::Join(of)),
            Op::End => {
                self.event(thread, Action::End);
                state.lives[thread] = Life::Ended;
                return;
            }
            Op::Fence(_) | Op::Branch { .. } | Op::Jump(_) | Op::AssertNot { .. } => {
                unreachable!("local operations belong to the one before them")
            }
        }
        state.lives[thread] = Life::At(self.local(state, thread, next));
    }

    /// Executes local operations from a place on; the place of the first that is not local.
    fn local(&mut self, state: &State, thread: Thread, mut place: usize) -> usize {
        let registers = &state.registers[thread];
        while self.code[thread][place].is_local() {
            place = match self.code[thread][place] {
                Op::Branch { reg, equals, otherwise } if registers[reg.0] != equals => otherwise,
                Op::Jump(to) => to,
                Op::Fence(order) => {
                    self.event(thread, Action::Fence(order));
                    place + 1
                }
                Op::AssertNot { first, second } => {
                    let fails = registers[first.0.0] == first.1 && registers[second.0.0] == second.1;
                    self.truth.assert |= fails;
                    place + 1
                }
                _ => place + 1,
            };
        }
        place
    }
}
