//! Random litmus programs.
//!
//! Purely random accesses race nearly always, so most programs are built around a *message*: one thread writes plainly and
//! then tells by an atomic location, a fence or a mutex; another one asks and, if told, reads plainly. How it tells and asks
//! is random, and so is whether that is enough; noise is added before, between and after.

use super::litmus::{Litmus, Loc, Mode, Mutex, Operand, Order, REGISTERS, Reg, Stmt, Update};
use crate::random::Rng;

/// The data of messages; also accessed atomically now and then.
const DATA: Loc = Loc(0);
/// Locations that messages are told by.
const FLAGS: [Loc; 2] = [Loc(1), Loc(2)];

/// The program of a seed.
pub fn generate(seed: u64) -> Litmus {
    let mut generator = Generator { rng: Rng::new(seed), noise: 3 };
    generator.program()
}

struct Generator {
    rng: Rng,
    /// Noise is added once in so many places: three threads have more interleavings.
    noise: usize,
}

impl Generator {
    fn program(&mut self) -> Litmus {
        let count = if self.rng.chance(3) { 3 } else { 2 };
        self.noise = if count == 3 { 12 } else { 3 };
        let mut threads = vec![Vec::new(); count];
        if self.rng.chance(8) {
            for thread in &mut threads {
                let length = 1 + self.rng.below(3);
                *thread = (0..length).flat_map(|_| self.noise(true)).collect();
            }
        } else {
            threads[0] = self.sender();
            threads[1] = self.receiver();
            if count == 3 {
                threads[2] = self.third();
            }
        }
        if self.rng.chance(3) {
            let thread = self.rng.below(count);
            threads[thread].extend(self.check());
        }
        let extra = |this: &mut Self, one_in: usize| {
            if this.rng.chance(one_in) { this.noise(true) } else { Vec::new() }
        };
        Litmus {
            atomic: vec![false, self.rng.chance(3), self.rng.chance(3)],
            before: extra(self, 2 * self.noise),
            beside: extra(self, 3 * self.noise),
            joined: if self.rng.chance(4) { self.rng.below(count + 1) } else { count },
            after: extra(self, 4),
            threads,
        }
    }

    /// Writes data and tells.
    fn sender(&mut self) -> Vec<Stmt> {
        let mut body = self.some_noise();
        body.push(self.data_write());
        match self.rng.below(8) {
            0 => {
                let inner = vec![self.flag_write()];
                body.push(self.locked(inner));
            }
            1..=3 => {
                body.push(Stmt::Fence(self.fence_order()));
                body.extend(self.some_noise());
                body.push(self.flag_write());
            }
            _ => body.push(self.flag_write()),
        }
        body.extend(self.some_noise());
        body
    }

    /// Asks and, if told, accesses the data.
    fn receiver(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let reg = Reg(self.rng.below(REGISTERS));
        let access = if self.rng.chance(3) { self.data_write() } else { self.data_read() };
        let mut then = Vec::new();
        if self.rng.chance(3) {
            then.push(Stmt::Fence(self.fence_order()));
        }
        then.push(access);
        let otherwise = if self.rng.chance(8) { self.noise(false) } else { Vec::new() };
        let equals = self.rng.pick(&[0, 1, 1, 1, 2]);
        let ask = self.ask(reg);
        let test = Stmt::If { reg, equals, then, otherwise };
        match self.rng.below(6) {
            0 => {
                let body_of_lock = vec![ask, test];
                body.push(self.locked(body_of_lock));
            }
            1 => {
                let asked = self.locked(vec![ask]);
                body.extend([asked, test]);
            }
            2 => {
                body.push(ask);
                body.push(Stmt::Fence(self.fence_order()));
                body.push(test);
            }
            _ => body.extend([ask, test]),
        }
        body.extend(self.some_noise());
        body
    }

    /// Continues or breaks release sequences, passes messages on, or is a second receiver.
    fn third(&mut self) -> Vec<Stmt> {
        match self.rng.below(5) {
            0 => self.receiver(),
            1 => {
                // Passes the message on by another flag.
                let reg = Reg(self.rng.below(REGISTERS));
                let ask = self.ask(reg);
                let then = vec![self.flag_write()];
                vec![ask, Stmt::If { reg, equals: 1, then, otherwise: Vec::new() }]
            }
            2 => vec![self.flag_write()],
            _ => {
                let update = self.update();
                let mut body = vec![update];
                body.extend(self.some_noise());
                body
            }
        }
    }

    fn some_noise(&mut self) -> Vec<Stmt> {
        if self.rng.chance(self.noise) { self.noise(false) } else { Vec::new() }
    }

    fn noise(&mut self, deep: bool) -> Vec<Stmt> {
        let flag = self.flag();
        let reg = Reg(self.rng.below(REGISTERS));
        vec![match self.rng.below(if deep { 11 } else { 9 }) {
            0 => self.data_read(),
            1 => self.data_write(),
            2 => self.flag_write(),
            3 => self.ask(reg),
            4 | 5 => self.update(),
            6 => Stmt::Fence(self.fence_order()),
            7 => Stmt::SignalFence(self.fence_order()),
            8 => {
                // A plain access to what others access atomically.
                let mode = Mode::Plain;
                if self.rng.chance(2) {
                    Stmt::Read { to: reg, at: flag, mode }
                } else {
                    Stmt::Write { at: flag, value: self.operand(), mode }
                }
            }
            9 => {
                let mut inner = self.noise(false);
                if self.rng.chance(2) {
                    inner.extend(self.noise(false));
                }
                if self.rng.chance(5) {
                    inner = vec![self.locked(inner)];
                }
                self.locked(inner)
            }
            _ => {
                let then = self.noise(false);
                Stmt::If { reg, equals: self.rng.below(2) as i32, then, otherwise: Vec::new() }
            }
        }]
    }

    fn locked(&mut self, body: Vec<Stmt>) -> Stmt {
        let mutex = Mutex(self.rng.pick(&[0, 0, 0, 1]));
        if self.rng.chance(4) { Stmt::TryLocked { mutex, body } } else { Stmt::Locked { mutex, body } }
    }

    fn data_read(&mut self) -> Stmt {
        Stmt::Read { to: Reg(self.rng.below(REGISTERS)), at: DATA, mode: self.data_mode() }
    }

    fn data_write(&mut self) -> Stmt {
        Stmt::Write { at: DATA, value: self.operand(), mode: self.data_mode() }
    }

    fn data_mode(&mut self) -> Mode {
        if self.rng.chance(16) { Mode::Atomic(Order::Relaxed) } else { Mode::Plain }
    }

    fn flag_write(&mut self) -> Stmt {
        let at = self.flag();
        if self.rng.chance(3) {
            return self.update_of(at);
        }
        let order = self.rng.pick(&[Order::Relaxed, Order::Release, Order::Release, Order::SeqCst]);
        Stmt::Write { at, value: Operand::Const(self.rng.pick(&[1, 1, 1, 2])), mode: Mode::Atomic(order) }
    }

    /// A statement whose register tells what a flag is.
    fn ask(&mut self, to: Reg) -> Stmt {
        let at = self.flag();
        match self.rng.below(6) {
            0 => Stmt::Update {
                to,
                at,
                update: self.rng.pick(&[Update::Add, Update::Or, Update::Exchange]),
                value: Operand::Const(self.rng.below(2) as i32),
                order: self.update_order(),
            },
            1 => self.compare_exchange(to, at),
            _ => {
                let orders = [Order::Relaxed, Order::Consume, Order::Acquire, Order::Acquire, Order::SeqCst];
                Stmt::Read { to, at, mode: Mode::Atomic(self.rng.pick(&orders)) }
            }
        }
    }

    fn update(&mut self) -> Stmt {
        let at = self.flag();
        self.update_of(at)
    }

    fn update_of(&mut self, at: Loc) -> Stmt {
        let to = Reg(self.rng.below(REGISTERS));
        if self.rng.chance(3) {
            return self.compare_exchange(to, at);
        }
        let update = self.rng.pick(&[Update::Add, Update::Add, Update::Or, Update::Exchange]);
        let value = Operand::Const(self.rng.pick(&[0, 1, 1, 1, 2]));
        Stmt::Update { to, at, update, value, order: self.update_order() }
    }

    fn compare_exchange(&mut self, to: Reg, at: Loc) -> Stmt {
        let failures = [Order::Relaxed, Order::Relaxed, Order::Consume, Order::Acquire, Order::SeqCst];
        Stmt::CompareExchange {
            to,
            at,
            expected: self.rng.pick(&[0, 0, 1, 1, 2]),
            desired: Operand::Const(1 + self.rng.below(2) as i32),
            success: self.update_order(),
            failure: self.rng.pick(&failures),
        }
    }

    fn update_order(&mut self) -> Order {
        let orders = [
            Order::Relaxed,
            Order::Relaxed,
            Order::Consume,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ];
        self.rng.pick(&orders)
    }

    fn fence_order(&mut self) -> Order {
        let orders = [
            Order::Relaxed,
            Order::Acquire,
            Order::Acquire,
            Order::Release,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ];
        self.rng.pick(&orders)
    }

    fn operand(&mut self) -> Operand {
        let reg = Reg(self.rng.below(REGISTERS));
        match self.rng.below(6) {
            0 => Operand::Reg(reg),
            1 => Operand::Next(reg),
            _ => Operand::Const(1 + self.rng.below(2) as i32),
        }
    }

    fn flag(&mut self) -> Loc {
        self.rng.pick(&[FLAGS[0], FLAGS[0], FLAGS[0], FLAGS[0], FLAGS[1]])
    }

    /// An assertion about two registers.
    fn check(&mut self) -> Vec<Stmt> {
        let mut one = || (Reg(self.rng.below(REGISTERS)), self.rng.below(3) as i32);
        vec![Stmt::AssertNot { first: one(), second: one() }]
    }
}
