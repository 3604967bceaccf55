//! Random concurrent programs, small enough that every schedule can be executed.
//!
//! A program has two or three threads of a few statements over shared variables. What it is made of is drawn first (a
//! *flavour*: which primitives, whether they are used with care), so that programs differ from one another more than
//! parts of one program do.

use heddle_base::Random;

use super::lines::lines;
use super::tree::{Source, Stmt};

/// The program of a seed.
pub fn generate(seed: u64) -> Source {
    let mut generator =
        Generator { random: Random::new(seed), flavour: Flavour::default(), threads: 2, setup: Vec::new() };
    // Seeds that follow each other differ in few bits; the first numbers would show it.
    generator.random.next();
    generator.program()
}

/// What a program is made of.
#[derive(Default)]
struct Flavour {
    /// Kinds of statements, the same one several times if it is to be frequent.
    kinds: Vec<Kind>,
    /// Variables in use.
    places: Vec<&'static str>,
}

/// Kinds of statements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Assign,
    Update,
    Observe,
    If,
    For,
    Mutex,
    TryLock,
    RawLock,
    RawUnlock,
    Again,
    Wait,
    Notify,
    Semaphore,
    Post,
    Rwlock,
    Spin,
    Barrier,
    Once,
    Section,
    Builtin,
    Atomic,
    Pointer,
    Heap,
    Free,
    Resize,
    Lend,
    Borrow,
    Link,
    Struct,
    Memory,
    Call,
    Wide,
    Order,
    Switch,
    Await,
    Key,
    Divide,
    Input,
    Assume,
    Assert,
    Leave,
}

/// What flavours are drawn from: groups of kinds that belong together.
const GROUPS: &[&[Kind]] = &[
    &[Kind::Mutex, Kind::Mutex],
    &[Kind::Mutex, Kind::TryLock],
    &[Kind::RawLock, Kind::RawUnlock],
    &[Kind::Mutex, Kind::RawLock],
    &[Kind::Again, Kind::Again],
    &[Kind::Wait, Kind::Notify],
    &[Kind::Wait, Kind::Notify, Kind::Mutex],
    &[Kind::Semaphore, Kind::Post],
    &[Kind::Rwlock],
    &[Kind::Spin],
    &[Kind::Barrier],
    &[Kind::Once],
    &[Kind::Section],
    &[Kind::Section, Kind::Assume],
    &[Kind::Builtin],
    &[Kind::Atomic, Kind::Atomic],
    &[Kind::Pointer],
    &[Kind::Heap, Kind::Free],
    &[Kind::Heap],
    &[Kind::Heap, Kind::Resize, Kind::Free],
    &[Kind::Lend, Kind::Borrow],
    &[Kind::Link],
    &[Kind::Memory],
    &[Kind::Call],
    &[Kind::Wide],
    &[Kind::Order],
    &[Kind::Switch],
    &[Kind::Await],
    &[Kind::Key],
    &[Kind::Struct],
    &[Kind::Divide],
    &[Kind::Input],
    &[Kind::Assume],
    &[Kind::Leave],
];

const PLACES: &[&[&str]] = &[
    &["x", "y"],
    &["x", "z"],
    &["x", "a[0]", "a[1]"],
    &["x", "a[x & 1]"],
    &["s.one", "s.two"],
    &["u.word", "u.byte[1]", "u.byte[0]"],
    &["bits.lo", "bits.hi"],
    &["x", "*g"],
    &["x", "own"],
    &["ax", "x"],
];

struct Generator {
    random: Random,
    flavour: Flavour,
    threads: usize,
    /// What `main` does first.
    setup: Vec<Stmt>,
}

impl Generator {
    fn program(&mut self) -> Source {
        self.threads = if self.chance(4) { 3 } else { 2 };
        self.flavour.places = self.pick(PLACES).to_vec();
        if self.chance(3) {
            let more = self.pick(PLACES);
            self.flavour.places.extend(more);
        }
        let mut kinds = vec![Kind::Assign, Kind::Update, Kind::Observe, Kind::If];
        if self.chance(3) {
            kinds.push(Kind::For);
        }
        for _ in 0..=self.below(2) {
            let group = self.pick(GROUPS);
            kinds.extend(group.iter().chain(group));
        }
        if self.chance(2) {
            kinds.push(Kind::Assert);
        }
        self.flavour.kinds = kinds;
        let mut threads: Vec<Vec<Stmt>> = (0..self.threads).map(|_| self.thread()).collect();
        // The last one may be started by the first.
        let started = self.threads - usize::from(self.threads == 3 && self.chance(2));
        if started < self.threads {
            let at = self.below(threads[0].len() as u64 + 1);
            threads[0].insert(at, line("pthread_create(&id2, 0, thread2, 0);"));
            if self.chance(2) {
                threads[0].push(line("pthread_join(id2, 0);"));
            }
        }
        let main = self.main(started);
        Source { threads, main }
    }

    fn thread(&mut self) -> Vec<Stmt> {
        let most = if self.threads == 3 { 1 } else { 2 };
        let count = 1 + self.below(most);
        self.body(count, 1)
    }

    /// Starts the threads, does something, waits for some of them, checks what came of it.
    fn main(&mut self, started: usize) -> Vec<Stmt> {
        let mut main = std::mem::take(&mut self.setup);
        let joins = !self.chance(6);
        for thread in 0..started {
            main.push(line(format!("pthread_create(&id{thread}, 0, thread{thread}, 0);")));
        }
        if self.chance(4) {
            main.extend(self.body(1, 1));
        }
        for thread in 0..started {
            if joins && !self.chance(8) {
                main.push(line(format!("pthread_join(id{thread}, 0);")));
            } else if self.chance(4) {
                main.push(line(format!("pthread_detach(id{thread});")));
            }
        }
        for _ in 0..=self.below(2) {
            main.push(self.assertion());
        }
        if self.chance(12) {
            main.push(line("pthread_exit(0);"));
        }
        main
    }

    fn body(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        (0..count).flat_map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: usize) -> Vec<Stmt> {
        let kinds = self.flavour.kinds.clone();
        let kind = self.pick(&kinds);
        let inner = |this: &mut Self| {
            let count = if this.chance(3) { 2 } else { 1 };
            if depth == 0 { vec![this.assignment()] } else { this.body(count, depth - 1) }
        };
        let lines = lines(kind);
        if !lines.is_empty() {
            if kind == Kind::Key {
                self.set_up("pthread_key_create", "pthread_key_create(&key, 0);".to_owned());
            }
            return vec![line(self.pick(lines))];
        }
        let place = self.place();
        vec![match kind {
            Kind::Assign => self.assignment(),
            Kind::Update => {
                let by = self.pick(&["++", " += 2", "--", " ^= 1", " *= 2"]);
                line(format!("{place}{by};"))
            }
            Kind::Observe => {
                let (first, second) = (self.place(), self.place());
                let (a, b) = (self.below(3), self.below(3));
                let mut stmts = vec![line(format!("r0 = {first};")), line(format!("r1 = {second};"))];
                if self.chance(2) {
                    stmts.push(assert(format!("!(r0 == {a} && r1 == {b})")));
                }
                return stmts;
            }
            Kind::If => {
                let condition = self.condition();
                let mut parts = vec![(format!("if ({condition}) {{"), inner(self))];
                if self.chance(2) {
                    parts.push(("} else {".to_owned(), inner(self)));
                }
                Stmt::Block { parts, close: "}".to_owned() }
            }
            Kind::For => {
                let body = inner(self);
                Stmt::block(format!("for (int i = 0; i < {}; i++) {{", 1 + self.below(2)), body, "}")
            }
            Kind::Mutex => {
                let mutex = self.mutex();
                let mut body = inner(self);
                if self.chance(12) {
                    body.push(line("return 0;"));
                }
                Stmt::block(format!("pthread_mutex_lock(&{mutex});"), body, format!("pthread_mutex_unlock(&{mutex});"))
            }
            Kind::TryLock => {
                let mutex = self.mutex();
                let mut body = inner(self);
                body.push(line(format!("pthread_mutex_unlock(&{mutex});")));
                Stmt::block(format!("if (pthread_mutex_trylock(&{mutex}) == 0) {{"), body, "}")
            }
            Kind::Again => {
                let init = "pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, 1); pthread_mutex_init(&m2, &kind);";
                self.set_up("pthread_mutexattr_t", init.to_owned());
                Stmt::block("pthread_mutex_lock(&m2);", inner(self), "pthread_mutex_unlock(&m2);")
            }
            Kind::RawLock => line(format!("pthread_mutex_lock(&{});", self.mutex())),
            Kind::RawUnlock => line(format!("pthread_mutex_unlock(&{});", self.mutex())),
            Kind::Wait => {
                let condition = self.condition();
                // With `if`, a wake-up without reason shows.
                let word = self.pick(&["while", "while", "if"]);
                let mut body = vec![line(format!("{word} ({condition}) pthread_cond_wait(&c0, &m0);"))];
                if self.chance(2) {
                    body.push(self.assignment());
                }
                Stmt::block("pthread_mutex_lock(&m0);", body, "pthread_mutex_unlock(&m0);")
            }
            Kind::Notify => {
                let how = self.pick(&["signal", "broadcast"]);
                let body = vec![self.assignment(), line(format!("pthread_cond_{how}(&c0);"))];
                if self.chance(4) {
                    return body;
                }
                Stmt::block("pthread_mutex_lock(&m0);", body, "pthread_mutex_unlock(&m0);")
            }
            Kind::Semaphore => {
                let value = self.below(3);
                self.set_up("sem_init", format!("sem_init(&s0, 0, {value});"));
                match self.below(4) {
                    0 => {
                        let body = inner(self);
                        Stmt::block("if (sem_trywait(&s0) == 0) {", body, "}")
                    }
                    1 | 2 => Stmt::block("sem_wait(&s0);", inner(self), "sem_post(&s0);"),
                    _ => line("sem_wait(&s0);"),
                }
            }
            Kind::Post => line("sem_post(&s0);"),
            Kind::Rwlock => {
                let how = self.pick(&["rd", "rd", "wr"]);
                let body = inner(self);
                Stmt::block(format!("pthread_rwlock_{how}lock(&rw);"), body, "pthread_rwlock_unlock(&rw);")
            }
            Kind::Spin => Stmt::block("pthread_spin_lock(&spin);", inner(self), "pthread_spin_unlock(&spin);"),
            Kind::Barrier => {
                self.set_up("pthread_barrier_init", "pthread_barrier_init(&barrier, 0, 2);".to_owned());
                line("pthread_barrier_wait(&barrier);")
            }
            Kind::Once => line("pthread_once(&once, initialise);"),
            Kind::Section => {
                let plain = [Kind::Assign, Kind::Update, Kind::Observe, Kind::If, Kind::Assume];
                let kinds = std::mem::take(&mut self.flavour.kinds);
                self.flavour.kinds = plain.into_iter().filter(|kind| kinds.contains(kind)).collect();
                let body = inner(self);
                self.flavour.kinds = kinds;
                Stmt::block("__VERIFIER_atomic_begin();", body, "__VERIFIER_atomic_end();")
            }
            Kind::Input => line(match self.below(3) {
                0 => format!("{place} = __VERIFIER_nondet_bool();"),
                1 => format!("if (__VERIFIER_nondet_bool()) {place}++;"),
                _ => "r0 = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();".to_owned(),
            }),
            Kind::Assume => line(format!("__VERIFIER_assume({});", self.condition())),
            Kind::Assert => self.assertion(),
            _ => unreachable!("these kinds are lines"),
        }]
    }

    fn assignment(&mut self) -> Stmt {
        let (place, value) = (self.place(), self.value());
        line(format!("{place} = {value};"))
    }

    /// Something that is false of few states.
    fn assertion(&mut self) -> Stmt {
        let (first, second) = (self.place(), self.place());
        let (a, b) = (self.below(4), self.below(3));
        assert(match self.below(4) {
            0 => format!("{first} != {}", a + 1),
            1 => format!("{first} <= {}", a + 1),
            _ if first == second => format!("{first} + 1 != {a}"),
            _ => format!("!({first} == {a} && {second} == {b})"),
        })
    }

    fn condition(&mut self) -> String {
        let place = self.place();
        match self.below(5) {
            0 => place.to_owned(),
            1 => format!("{place} == {}", self.below(3)),
            2 => format!("!{place}"),
            3 => format!("{place} > r0"),
            _ => format!("{place} != {}", self.place()),
        }
    }

    fn value(&mut self) -> String {
        let place = self.place();
        match self.below(7) {
            0 | 1 => self.below(4).to_string(),
            2 => "r0".to_owned(),
            3 => format!("{place} + 1"),
            4 => format!("r1 + {place}"),
            5 => format!("{place} ? 2 : 1"),
            _ => place.to_owned(),
        }
    }

    fn place(&mut self) -> &'static str {
        let places = self.flavour.places.clone();
        self.pick(&places)
    }

    fn mutex(&mut self) -> &'static str {
        self.pick(&["m0", "m0", "m1"])
    }

    /// Has `main` begin with a call, unless it already calls this function.
    fn set_up(&mut self, function: &str, text: String) {
        let known = |stmt: &Stmt| matches!(stmt, Stmt::Line(line) if line.starts_with(function));
        if !self.setup.iter().any(known) {
            self.setup.push(line(text));
        }
    }

    fn below(&mut self, bound: u64) -> usize {
        self.random.below(bound) as usize
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.random.below(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64)]
    }
}

fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

fn assert(condition: String) -> Stmt {
    line(format!("__VERIFIER_assert({condition});"))
}
