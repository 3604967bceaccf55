//! Random concurrent programs that end by themselves and print what came of them.
//!
//! Two or three threads of a few statements work on shared variables with all primitives of POSIX threads and C11 atomics.
//! Each thread records what it saw in variables of its own, and `main` prints everything at its end, in the form of a C
//! condition. `J` stands where a thread may be delayed; `SHARED` in front of what threads share.

use crate::random::Rng;

/// The program of a seed, line by line.
pub fn generate(seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let groups = [rng.pick(GROUPS), rng.pick(GROUPS)];
    let mut generator = Generator { rng, groups, lines: Vec::new(), used: 0 };
    generator.program();
    generator.lines
}

/// Shared variables.
const SHARED: [&str; 3] = ["x", "y", "z"];
/// Variables that each thread records in.
const RECORDS: usize = 2;

/// Kinds of statements beside plain accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mutex,
    Nested,
    TryLock,
    Wait,
    Notify,
    Semaphore,
    Post,
    ReadLock,
    WriteLock,
    Spin,
    Barrier,
    Once,
    Checked,
    Recursive,
    Atomic,
    Exchange,
    Flag,
    Own,
    Leave,
    Heap,
    Key,
}

/// Kinds that belong together; a program has two groups.
const GROUPS: &[&[Kind]] = &[
    &[Kind::Mutex],
    &[Kind::Mutex, Kind::Nested],
    &[Kind::Mutex, Kind::TryLock],
    &[Kind::Wait, Kind::Notify],
    &[Kind::Wait, Kind::Notify, Kind::Mutex],
    &[Kind::Semaphore, Kind::Post],
    &[Kind::ReadLock, Kind::WriteLock],
    &[Kind::Spin],
    &[Kind::Barrier],
    &[Kind::Once],
    &[Kind::Checked, Kind::Recursive],
    &[Kind::Atomic, Kind::Exchange],
    &[Kind::Atomic, Kind::Flag],
    &[Kind::Own, Kind::Key],
    &[Kind::Leave],
    &[Kind::Heap],
];

struct Generator {
    rng: Rng,
    groups: [&'static [Kind]; 2],
    lines: Vec<String>,
    /// Records that the present thread has used.
    used: usize,
}

impl Generator {
    fn program(&mut self) {
        let threads = 2 + usize::from(self.rng.chance(4));
        self.lines.extend(PRELUDE.lines().map(str::to_owned));
        let records: Vec<String> =
            (0..=threads).flat_map(|thread| (0..RECORDS).map(move |index| format!("o{thread}{index}"))).collect();
        self.line(0, &format!("int {};", records.join(", ")));
        for thread in 1..=threads {
            self.line(0, &format!("static void *thread{thread}(void *arg) {{"));
            self.line(1, "int r0 = 0, r1 = 0;");
            let count = if threads == 2 { 2 + self.rng.below(2) } else { 1 + self.rng.below(2) };
            self.used = 0;
            for _ in 0..count {
                self.statement(thread, 1, 1);
            }
            self.line(1, "return (void *)(long)(r0 + 10 * r1);");
            self.line(0, "}");
        }
        self.main(threads, &records);
    }

    fn main(&mut self, threads: usize, records: &[String]) {
        self.line(0, "int main(void) {");
        self.line(1, "int r0 = 0, r1 = 0;");
        self.line(1, "void *result = 0;");
        let permits = self.rng.below(2);
        for line in SETUP.lines() {
            self.line(1, &line.replace("PERMITS", &permits.to_string()));
        }
        for thread in 1..=threads {
            self.line(1, &format!("pthread_create(&id[{thread}], 0, thread{thread}, 0);"));
        }
        self.used = 0;
        if self.rng.chance(4) {
            self.statement(0, 1, 0);
        }
        for thread in 1..=threads {
            self.line(1, &format!("pthread_join(id[{thread}], &result);"));
            if self.rng.chance(2) {
                self.line(1, &format!("x = x + (int)(long)result * {};", 100 * thread));
            }
        }
        let all: Vec<&str> = SHARED.into_iter().chain(records.iter().map(String::as_str)).collect();
        let format: Vec<String> = all.iter().map(|name| format!("{name} == %d")).collect();
        self.line(0, "#ifdef NATIVE");
        self.line(1, &format!("printf(\"{}\\n\", {});", format.join(" && "), all.join(", ")));
        self.line(0, "#elif defined OUTCOME");
        self.line(1, "__VERIFIER_assert(!(OUTCOME));");
        self.line(0, "#endif");
        self.line(1, "return 0;");
        self.line(0, "}");
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(depth)));
    }

    /// A statement of a thread; blocks in it are at most `nesting` deep.
    fn statement(&mut self, thread: usize, depth: usize, nesting: usize) {
        self.line(depth, "J;");
        let own = self.rng.chance(2);
        if !own || nesting == 0 {
            return self.access(thread, depth);
        }
        let group = self.groups[self.rng.below(2)];
        let kind = group[self.rng.below(group.len())];
        self.primitive(kind, thread, depth, nesting);
    }

    /// Accesses to shared variables alone.
    fn access(&mut self, thread: usize, depth: usize) {
        let (a, b) = (self.rng.pick(&SHARED), self.rng.pick(&SHARED));
        let n = 1 + self.rng.below(2);
        match self.rng.below(7) {
            0 => self.line(depth, &format!("{a} = {n};")),
            1 => self.line(depth, &format!("r0 = {a}; J; {a} = r0 + {n};")),
            2 => {
                self.line(depth, &format!("r0 = {a}; J; r1 = {b};"));
                self.record(thread, depth, "r0 * 3 + r1");
            }
            3 => self.line(depth, &format!("{a} = {b} + r0;")),
            4 => self.line(depth, &format!("if ({a} == {n}) {b} = {};", 3 + n)),
            5 => self.line(depth, &format!("if ({a}) {{ r1 = 1; J; {b}++; }} else r0 = 2;")),
            _ => {
                self.line(depth, &format!("for (int i = 0; i < 2; i++) {{ {a} += i + 1; J; }}"));
            }
        }
    }

    /// Lets the thread note something that is printed in the end.
    fn record(&mut self, thread: usize, depth: usize, value: &str) {
        let index = self.used % RECORDS;
        self.used += 1;
        self.line(depth, &format!("o{thread}{index} = {value};"));
    }

    fn block(&mut self, thread: usize, depth: usize, nesting: usize, open: &str, close: &str) {
        self.line(depth, &format!("{{ {open}"));
        self.statement(thread, depth + 1, nesting.saturating_sub(1));
        self.line(depth, &format!("{close} }}"));
    }

    fn primitive(&mut self, kind: Kind, thread: usize, depth: usize, nesting: usize) {
        let mutex = self.rng.pick(&["m0", "m0", "m1"]);
        match kind {
            Kind::Mutex => {
                let (open, close) =
                    (format!("pthread_mutex_lock(&{mutex});"), format!("pthread_mutex_unlock(&{mutex});"));
                self.block(thread, depth, nesting, &open, &close);
            }
            Kind::Nested => {
                let other = if mutex == "m0" { "m1" } else { "m0" };
                let open = format!("pthread_mutex_lock(&{mutex}); J; pthread_mutex_lock(&{other});");
                let close = format!("pthread_mutex_unlock(&{mutex}); pthread_mutex_unlock(&{other});");
                self.block(thread, depth, nesting, &open, &close);
            }
            Kind::TryLock => {
                self.line(depth, &format!("r0 = pthread_mutex_trylock(&{mutex});"));
                self.record(thread, depth, "r0 == EBUSY");
                let close = format!("pthread_mutex_unlock(&{mutex});");
                self.block(thread, depth, nesting, "if (r0 == 0) {", &format!("{close} }}"));
            }
            Kind::Wait => {
                let condition = self.rng.pick(&["x == 0", "y == 0", "ready == 0"]);
                let open = format!("pthread_mutex_lock(&m0); while ({condition}) pthread_cond_wait(&c0, &m0);");
                self.block(thread, depth, nesting, &open, "pthread_mutex_unlock(&m0);");
            }
            Kind::Notify => {
                let how = self.rng.pick(&["signal", "broadcast"]);
                let what = self.rng.pick(&["x = 1", "y = 2", "ready = 1"]);
                let text =
                    format!("pthread_mutex_lock(&m0); {what}; pthread_cond_{how}(&c0); pthread_mutex_unlock(&m0);");
                self.line(depth, &text);
            }
            Kind::Semaphore => match self.rng.below(3) {
                0 => {
                    self.line(depth, "r1 = sem_trywait(&s0);");
                    self.record(thread, depth, "r1 + 5");
                }
                1 => self.block(thread, depth, nesting, "sem_wait(&s0);", "sem_post(&s0);"),
                _ => self.line(depth, "sem_wait(&s0);"),
            },
            Kind::Post => {
                self.line(depth, "sem_post(&s0);");
                if self.rng.chance(2) {
                    self.line(depth, "{ int value = 0; sem_getvalue(&s0, &value); r1 = value; }");
                    self.record(thread, depth, "r1");
                }
            }
            Kind::ReadLock => {
                if self.rng.chance(3) {
                    self.line(depth, "r0 = pthread_rwlock_tryrdlock(&rw); if (r0 == 0) pthread_rwlock_unlock(&rw);");
                    self.record(thread, depth, "r0 == 0");
                } else {
                    self.block(thread, depth, nesting, "pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);");
                }
            }
            Kind::WriteLock => {
                self.block(thread, depth, nesting, "pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);");
            }
            Kind::Spin => {
                if self.rng.chance(3) {
                    self.line(depth, "r0 = pthread_spin_trylock(&spin); if (r0 == 0) pthread_spin_unlock(&spin);");
                    self.record(thread, depth, "r0 == EBUSY");
                } else {
                    self.block(thread, depth, nesting, "pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);");
                }
            }
            Kind::Barrier => {
                self.line(depth, "r0 = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;");
                self.record(thread, depth, "r0");
            }
            Kind::Once => self.line(depth, "pthread_once(&once, initialise);"),
            Kind::Checked => {
                self.line(depth, "r0 = pthread_mutex_lock(&checked); r1 = pthread_mutex_lock(&checked);");
                self.record(thread, depth, "r0 * 100 + (r1 == EDEADLK)");
                self.line(depth, "r0 = pthread_mutex_unlock(&checked); J; r1 = pthread_mutex_unlock(&checked);");
                self.record(thread, depth, "r0 * 100 + (r1 == EPERM)");
            }
            Kind::Recursive => {
                let open = "pthread_mutex_lock(&again); pthread_mutex_lock(&again);";
                self.block(
                    thread,
                    depth,
                    nesting,
                    open,
                    "pthread_mutex_unlock(&again); J; pthread_mutex_unlock(&again);",
                );
            }
            Kind::Atomic => {
                let operation = self.rng.pick(&[
                    "r0 = atomic_fetch_add(&ax, 2);",
                    "r0 = ax++;",
                    "ax += 3; r0 = ax;",
                    "r0 = atomic_exchange(&ax, 5);",
                    "r0 = __sync_add_and_fetch(&plain, 1);",
                    "r0 = atomic_fetch_or(&ax, 4);",
                ]);
                self.line(depth, operation);
                self.record(thread, depth, "r0");
            }
            Kind::Exchange => {
                let n = self.rng.below(3);
                self.line(depth, &format!("{{ int expected = {n}; r0 = atomic_compare_exchange_strong(&ax, &expected, {}); r1 = expected; }}", n + 1));
                self.record(thread, depth, "r0 * 10 + r1");
            }
            Kind::Flag => {
                self.line(depth, "r0 = atomic_flag_test_and_set(&flag);");
                self.record(thread, depth, "r0");
                if self.rng.chance(2) {
                    self.line(depth, "J; if (!r0) atomic_flag_clear(&flag);");
                }
            }
            Kind::Own => {
                self.line(depth, "own += x + 1; J; own *= 2;");
                self.record(thread, depth, "own");
            }
            Kind::Leave => {
                let place = self.rng.pick(&SHARED);
                self.line(depth, &format!("if ({place} == 1) pthread_exit((void *)7L);"));
            }
            Kind::Heap => {
                self.line(depth, "{ int *p = malloc(sizeof *p); *p = x + 1; J; pthread_mutex_lock(&m0); if (box) { y += *box; free(box); } box = p; pthread_mutex_unlock(&m0); }");
            }
            Kind::Key => {
                self.line(depth, "pthread_setspecific(key, (char *)pthread_getspecific(key) + 1 + x); J;");
                self.record(thread, depth, "(int)(long)pthread_getspecific(key)");
            }
        }
    }
}

/// Declarations of every program.
const PRELUDE: &str = "#ifndef NATIVE
#define J
#define SHARED
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
SHARED int x, y, z;
static int ready, plain;
static atomic_int ax;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static __thread int own;
static int *box;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, checked, again;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t s0;
static pthread_t id[4];
static void initialise(void) { z = z + 10; }";

/// What `main` does first.
const SETUP: &str = "pthread_mutexattr_t kind;
pthread_mutexattr_init(&kind);
pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
pthread_mutex_init(&checked, &kind);
pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
pthread_mutex_init(&again, &kind);
pthread_spin_init(&spin, 0);
pthread_barrier_init(&barrier, 0, 2);
pthread_key_create(&key, 0);
sem_init(&s0, 0, PERMITS);";
