//! Litmus programs: a few threads of a few accesses each, as a tree that is printed as C and flattened for enumeration.
//!
//! Locations are `int` variables, accessed plainly or by the `__atomic` builtins; some are `_Atomic int` and then accessed by
//! operators too. Registers are local variables. `main` creates the threads, has a body of its own, joins the threads and
//! has another body. All locks are released by who took them, so the lock property is never violated.

use std::fmt::Write as _;

/// A memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Relaxed,
    /// Taken as acquire, which is what compilers make of it.
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether a read or fence of this order acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Consume | Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write or fence of this order releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// The number that the builtins take.
    fn number(self) -> u8 {
        match self {
            Order::Relaxed => 0,
            Order::Consume => 1,
            Order::Acquire => 2,
            Order::Release => 3,
            Order::AcqRel => 4,
            Order::SeqCst => 5,
        }
    }
}

/// How a location is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Plain,
    Atomic(Order),
}

/// A shared variable: `v0`, `v1`, …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loc(pub usize);

/// A local variable: `r0`, `r1`, …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reg(pub usize);

/// A mutex: `m0`, `m1`, …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mutex(pub usize);

/// Registers of each thread.
pub const REGISTERS: usize = 3;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Const(i32),
    Reg(Reg),
    /// The register and one.
    Next(Reg),
}

/// What a read-modify-write writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    Add,
    Or,
    Exchange,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
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
    /// The old value goes to the register.
    Update {
        to: Reg,
        at: Loc,
        update: Update,
        value: Operand,
        order: Order,
    },
    /// The register says whether the value was the expected one.
    CompareExchange {
        to: Reg,
        at: Loc,
        expected: i32,
        desired: Operand,
        success: Order,
        failure: Order,
    },
    Fence(Order),
    /// Orders nothing between threads.
    SignalFence(Order),
    Locked {
        mutex: Mutex,
        body: Vec<Stmt>,
    },
    /// The body is executed if the mutex was free.
    TryLocked {
        mutex: Mutex,
        body: Vec<Stmt>,
    },
    If {
        reg: Reg,
        equals: i32,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Fails if both registers have these values.
    AssertNot {
        first: (Reg, i32),
        second: (Reg, i32),
    },
}

impl Stmt {
    fn bodies(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Locked { body, .. } | Stmt::TryLocked { body, .. } => vec![body],
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Read { .. }
            | Stmt::Write { .. }
            | Stmt::Update { .. }
            | Stmt::CompareExchange { .. }
            | Stmt::Fence(_)
            | Stmt::SignalFence(_)
            | Stmt::AssertNot { .. } => Vec::new(),
        }
    }
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Litmus {
    /// For each location whether its type is `_Atomic int`.
    pub atomic: Vec<bool>,
    /// The threads that `main` creates.
    pub threads: Vec<Vec<Stmt>>,
    /// What `main` does before it creates the last thread.
    pub before: Vec<Stmt>,
    /// What `main` does while the threads run.
    pub beside: Vec<Stmt>,
    /// How many threads `main` joins before `after`, in order; the others are joined behind it.
    pub joined: usize,
    /// What `main` does after the first joins.
    pub after: Vec<Stmt>,
}

impl Litmus {
    /// The program as C that needs no header.
    pub fn text(&self) -> String {
        let mut out = String::from(PRELUDE);
        for (index, atomic) in self.atomic.iter().enumerate() {
            let _ = writeln!(out, "{}int v{index};", if *atomic { "_Atomic " } else { "" });
        }
        for (index, body) in self.threads.iter().enumerate() {
            let _ = writeln!(out, "\nstatic void *thread{index}(void *arg) {{\n{LOCALS}");
            self.render(body, 1, &mut out);
            out.push_str("    return 0;\n}\n");
        }
        let _ = writeln!(out, "\nint main(void) {{\n{LOCALS}");
        let _ = writeln!(out, "    pthread_t id[{}];", self.threads.len().max(1));
        let count = self.threads.len();
        for index in 0..count {
            if index + 1 == count {
                self.render(&self.before, 1, &mut out);
            }
            let _ = writeln!(out, "    pthread_create(&id[{index}], 0, thread{index}, 0);");
        }
        self.render(&self.beside, 1, &mut out);
        for index in 0..self.joined {
            let _ = writeln!(out, "    pthread_join(id[{index}], 0);");
        }
        self.render(&self.after, 1, &mut out);
        for index in self.joined..count {
            let _ = writeln!(out, "    pthread_join(id[{index}], 0);");
        }
        out.push_str("    return 0;\n}\n");
        out
    }

    fn render(&self, body: &[Stmt], depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        for stmt in body {
            let line = match stmt {
                Stmt::Read { to, at, mode } => format!("{} = {};", reg(*to), self.read(*at, *mode)),
                Stmt::Write { at, value, mode } => self.write(*at, &operand(*value), *mode),
                Stmt::Update { to, at, update, value, order } => {
                    let name = match update {
                        Update::Add => "fetch_add",
                        Update::Or => "fetch_or",
                        Update::Exchange => "exchange_n",
                    };
                    let (to, value) = (reg(*to), operand(*value));
                    format!("{to} = __atomic_{name}(&v{}, {value}, {});", at.0, order.number())
                }
                Stmt::CompareExchange { to, at, expected, desired, success, failure } => format!(
                    "{{ int expected = {expected}; {} = __atomic_compare_exchange_n(&v{}, &expected, {}, 0, {}, {}); }}",
                    reg(*to),
                    at.0,
                    operand(*desired),
                    success.number(),
                    failure.number()
                ),
                Stmt::Fence(Order::SeqCst) if self.threads.len() == 3 => "__sync_synchronize();".to_owned(),
                Stmt::Fence(order) => format!("__atomic_thread_fence({});", order.number()),
                Stmt::SignalFence(order) => format!("__atomic_signal_fence({});", order.number()),
                Stmt::AssertNot { first, second } => format!(
                    "__VERIFIER_assert(!({} == {} && {} == {}));",
                    reg(first.0),
                    first.1,
                    reg(second.0),
                    second.1
                ),
                Stmt::Locked { mutex, body } => {
                    let _ = writeln!(out, "{indent}pthread_mutex_lock(&m{});", mutex.0);
                    self.render(body, depth + 1, out);
                    format!("pthread_mutex_unlock(&m{});", mutex.0)
                }
                Stmt::TryLocked { mutex, body } => {
                    let _ = writeln!(out, "{indent}if (pthread_mutex_trylock(&m{}) == 0) {{", mutex.0);
                    self.render(body, depth + 1, out);
                    let _ = writeln!(out, "{indent}    pthread_mutex_unlock(&m{});", mutex.0);
                    "}".to_owned()
                }
                Stmt::If { reg: of, equals, then, otherwise } => {
                    let _ = writeln!(out, "{indent}if ({} == {equals}) {{", reg(*of));
                    self.render(then, depth + 1, out);
                    if !otherwise.is_empty() {
                        let _ = writeln!(out, "{indent}}} else {{");
                        self.render(otherwise, depth + 1, out);
                    }
                    "}".to_owned()
                }
            };
            let _ = writeln!(out, "{indent}{line}");
        }
    }

    fn read(&self, at: Loc, mode: Mode) -> String {
        match mode {
            Mode::Plain if self.atomic[at.0] => format!("*(int *)&v{}", at.0),
            Mode::Plain => format!("v{}", at.0),
            Mode::Atomic(Order::SeqCst) if self.atomic[at.0] => format!("v{}", at.0),
            Mode::Atomic(order) => format!("__atomic_load_n(&v{}, {})", at.0, order.number()),
        }
    }

    fn write(&self, at: Loc, value: &str, mode: Mode) -> String {
        match mode {
            Mode::Plain if self.atomic[at.0] => format!("*(int *)&v{} = {value};", at.0),
            Mode::Plain => format!("v{} = {value};", at.0),
            Mode::Atomic(Order::SeqCst) if self.atomic[at.0] => format!("v{} = {value};", at.0),
            Mode::Atomic(order) => format!("__atomic_store_n(&v{}, {value}, {});", at.0, order.number()),
        }
    }

    /// Programs that are smaller by one step: a statement less, or a block dissolved.
    pub fn smaller(&self) -> Vec<Litmus> {
        let mut all = Vec::new();
        for place in 0.. {
            let (mut without, mut hoisted) = (self.clone(), self.clone());
            let removed = without.change(place, &mut |body, at| {
                body.remove(at);
            });
            if !removed {
                break;
            }
            all.push(without);
            hoisted.change(place, &mut |body, at| {
                let mut stmt = body.remove(at);
                let inner: Vec<Stmt> = stmt.bodies().into_iter().flat_map(std::mem::take).collect();
                body.splice(at..at, inner);
            });
            all.push(hoisted);
        }
        all
    }

    /// The number of statements.
    pub fn size(&self) -> usize {
        let mut copy = self.clone();
        (0..).take_while(|place| copy.change(*place, &mut |_, _| ())).count()
    }

    /// Changes the list that a statement is in; false if there is no statement of this number.
    fn change(&mut self, place: usize, change: &mut dyn FnMut(&mut Vec<Stmt>, usize)) -> bool {
        let mut left = place;
        let bodies = self.threads.iter_mut().chain([&mut self.before, &mut self.beside, &mut self.after]);
        bodies.into_iter().any(|body| change_in(body, &mut left, change))
    }
}

fn change_in(body: &mut Vec<Stmt>, left: &mut usize, change: &mut dyn FnMut(&mut Vec<Stmt>, usize)) -> bool {
    for at in 0..body.len() {
        if *left == 0 {
            change(body, at);
            return true;
        }
        *left -= 1;
        if body[at].bodies().into_iter().any(|inner| change_in(inner, left, change)) {
            return true;
        }
    }
    false
}

fn reg(reg: Reg) -> String {
    format!("r{}", reg.0)
}

fn operand(value: Operand) -> String {
    match value {
        Operand::Const(value) => value.to_string(),
        Operand::Reg(of) => reg(of),
        Operand::Next(of) => format!("{} + 1", reg(of)),
    }
}

const LOCALS: &str = "    int r0 = 0, r1 = 0, r2 = 0;";

/// The mutexes have glibc's size.
const PRELUDE: &str = "typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);
pthread_mutex_t m0, m1;
";
