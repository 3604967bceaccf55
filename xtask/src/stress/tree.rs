//! Generated programs as trees of C text, so that parts can be taken out and the rest is still C.

use std::fmt::Write as _;

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// One line.
    Line(String),
    /// Headers, each with the statements behind it, and what ends the last: `if (x) {` … `} else {` … `}`.
    Block {
        /// The parts.
        parts: Vec<(String, Vec<Stmt>)>,
        /// The last line.
        close: String,
    },
}

impl Stmt {
    /// A block of one part.
    pub fn block(open: impl Into<String>, body: Vec<Stmt>, close: impl Into<String>) -> Self {
        Stmt::Block { parts: vec![(open.into(), body)], close: close.into() }
    }

    /// What it consists of.
    fn bodies(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Line(_) => Vec::new(),
            Stmt::Block { parts, .. } => parts.iter_mut().map(|(_, body)| body).collect(),
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Source {
    /// Bodies of the threads.
    pub threads: Vec<Vec<Stmt>>,
    /// The body of `main`.
    pub main: Vec<Stmt>,
}

impl Source {
    /// The program as C. What is declared is what it uses.
    pub fn text(&self) -> String {
        let mut functions = String::new();
        for (index, body) in self.threads.iter().enumerate().rev().filter(|(index, _)| self.starts(*index)) {
            let _ = write!(functions, "\nstatic void *thread{index}(void *arg) {{\n{}", LOCALS);
            render(body, 1, &mut functions);
            functions.push_str("    return 0;\n}\n");
        }
        let _ = write!(functions, "\nint main(void) {{\n{}", LOCALS);
        render(&self.main, 1, &mut functions);
        functions.push_str("    return 0;\n}\n");
        let used = |name: &str| functions.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
        let mut out = String::new();
        for (names, declaration) in DECLARATIONS {
            if names.split(' ').any(used) {
                let _ = writeln!(out, "{declaration}");
            }
        }
        out + &functions
    }

    /// Whether some thread starts this one.
    fn starts(&self, thread: usize) -> bool {
        let mut text = String::new();
        self.threads.iter().chain([&self.main]).for_each(|body| render(body, 0, &mut text));
        text.contains(&format!(", thread{thread},"))
    }

    /// The number of places where something can be left out.
    pub fn places(&mut self) -> usize {
        let mut count = 0;
        self.each(&mut |_, _| {
            count += 1;
            false
        });
        count
    }

    /// Without the statement at a place, counted from 0.
    pub fn without(&self, place: usize) -> Self {
        self.changed(place, |body, index| {
            body.remove(index);
        })
    }

    /// With what the block at a place consists of in its stead.
    pub fn hoisted(&self, place: usize) -> Self {
        self.changed(place, |body, index| {
            let mut block = body.remove(index);
            let parts: Vec<Stmt> = block.bodies().into_iter().flat_map(std::mem::take).collect();
            body.splice(index..index, parts);
        })
    }

    fn changed(&self, place: usize, change: impl Fn(&mut Vec<Stmt>, usize)) -> Self {
        let mut copy = self.clone();
        let mut at = 0;
        copy.each(&mut |body, index| {
            let here = at == place;
            at += 1;
            if here {
                change(body, index);
            }
            here
        });
        copy
    }

    /// Visits every statement with the list it is in, until the visitor says that it is done.
    fn each(&mut self, visit: &mut dyn FnMut(&mut Vec<Stmt>, usize) -> bool) {
        let bodies = self.threads.iter_mut().chain([&mut self.main]);
        for body in bodies {
            if each_in(body, visit) {
                return;
            }
        }
    }
}

fn each_in(body: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>, usize) -> bool) -> bool {
    let mut index = 0;
    while index < body.len() {
        if visit(body, index) {
            return true;
        }
        for inner in body[index].bodies() {
            if each_in(inner, visit) {
                return true;
            }
        }
        index += 1;
    }
    false
}

fn render(body: &[Stmt], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for stmt in body {
        match stmt {
            Stmt::Line(line) => {
                let _ = writeln!(out, "{indent}{line}");
            }
            Stmt::Block { parts, close } => {
                for (open, inner) in parts {
                    let _ = writeln!(out, "{indent}{open}");
                    render(inner, depth + 1, out);
                }
                let _ = writeln!(out, "{indent}{close}");
            }
        }
    }
}

/// Every function has these; `p` is set before it is used.
const LOCALS: &str = "    int r0 = 0, r1 = 0;\n    int *p = 0;\n";

/// The words that need a declaration, and the declaration. The synchronisation types have glibc's sizes, so that
/// programs need no headers.
const DECLARATIONS: &[(&str, &str)] = &[
    ("pthread_create pthread_join", "typedef unsigned long pthread_t;"),
    ("m0 m1 m2", "typedef union { char bytes[40]; long align; } pthread_mutex_t;"),
    ("c0", "typedef union { char bytes[48]; long long align; } pthread_cond_t;"),
    ("rw", "typedef union { char bytes[56]; long align; } pthread_rwlock_t;"),
    ("spin", "typedef volatile int pthread_spinlock_t;"),
    ("barrier", "typedef union { char bytes[32]; long align; } pthread_barrier_t;"),
    ("once", "typedef int pthread_once_t;"),
    ("s0", "typedef union { char bytes[32]; long align; } sem_t;"),
    ("pthread_create", "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);"),
    ("pthread_join", "int pthread_join(pthread_t, void **);"),
    ("pthread_detach", "int pthread_detach(pthread_t);"),
    ("pthread_exit", "void pthread_exit(void *) __attribute__((noreturn));"),
    ("m2", "typedef union { char bytes[4]; int align; } pthread_mutexattr_t;"),
    ("m2", "int pthread_mutexattr_init(pthread_mutexattr_t *);"),
    ("m2", "int pthread_mutexattr_settype(pthread_mutexattr_t *, int);"),
    ("m2", "int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);"),
    ("pthread_mutex_lock", "int pthread_mutex_lock(pthread_mutex_t *);"),
    ("pthread_mutex_trylock", "int pthread_mutex_trylock(pthread_mutex_t *);"),
    ("pthread_mutex_unlock", "int pthread_mutex_unlock(pthread_mutex_t *);"),
    ("pthread_cond_wait", "int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);"),
    ("pthread_cond_signal", "int pthread_cond_signal(pthread_cond_t *);"),
    ("pthread_cond_broadcast", "int pthread_cond_broadcast(pthread_cond_t *);"),
    ("pthread_rwlock_rdlock", "int pthread_rwlock_rdlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_wrlock", "int pthread_rwlock_wrlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_unlock", "int pthread_rwlock_unlock(pthread_rwlock_t *);"),
    ("pthread_spin_lock", "int pthread_spin_lock(pthread_spinlock_t *);"),
    ("pthread_spin_unlock", "int pthread_spin_unlock(pthread_spinlock_t *);"),
    ("pthread_barrier_init", "int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);"),
    ("pthread_barrier_wait", "int pthread_barrier_wait(pthread_barrier_t *);"),
    ("pthread_once", "int pthread_once(pthread_once_t *, void (*)(void));"),
    ("sem_init", "int sem_init(sem_t *, int, unsigned);"),
    ("sem_wait", "int sem_wait(sem_t *);"),
    ("sem_trywait", "int sem_trywait(sem_t *);"),
    ("sem_post", "int sem_post(sem_t *);"),
    ("key", "typedef unsigned pthread_key_t;"),
    ("pthread_key_create", "int pthread_key_create(pthread_key_t *, void (*)(void *));"),
    ("pthread_setspecific", "int pthread_setspecific(pthread_key_t, const void *);"),
    ("pthread_getspecific", "void *pthread_getspecific(pthread_key_t);"),
    ("memcpy", "void *memcpy(void *, const void *, unsigned long);"),
    ("memmove", "void *memmove(void *, const void *, unsigned long);"),
    ("memset", "void *memset(void *, int, unsigned long);"),
    ("memcmp", "int memcmp(const void *, const void *, unsigned long);"),
    ("calloc", "void *calloc(unsigned long, unsigned long);"),
    ("realloc", "void *realloc(void *, unsigned long);"),
    ("malloc", "void *malloc(unsigned long);"),
    ("free", "void free(void *);"),
    ("exit", "void exit(int) __attribute__((noreturn));"),
    ("__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int);"),
    ("__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void);"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int);"),
    ("x step up down", "int x;"),
    ("y sum", "int y;"),
    ("z g once", "int z = 1;"),
    ("ax", "_Atomic int ax;"),
    ("a", "int a[2];"),
    ("s t pair", "struct pair { int one, two; } s, t;"),
    ("u", "union { int word; unsigned char byte[4]; } u;"),
    ("bits", "struct { unsigned lo : 3, hi : 5; } bits;"),
    ("lent", "static int *lent;"),
    ("g", "int *g = &z;"),
    ("own", "static __thread int own;"),
    ("h", "int *h;"),
    ("w", "long long w;"),
    ("held", "int held;"),
    ("f", "float f;"),
    ("c", "signed char c;"),
    ("key", "pthread_key_t key;"),
    ("head", "struct node { int value; struct node *next; } first, *head;"),
    ("m0", "pthread_mutex_t m0;"),
    ("m1", "pthread_mutex_t m1;"),
    ("m2", "pthread_mutex_t m2;"),
    ("c0", "pthread_cond_t c0;"),
    ("rw", "pthread_rwlock_t rw;"),
    ("spin", "pthread_spinlock_t spin;"),
    ("barrier", "pthread_barrier_t barrier;"),
    ("once", "pthread_once_t once;\nstatic void initialise(void);"),
    ("s0", "sem_t s0;"),
    ("id0 id1 id2", "pthread_t id0, id1, id2;"),
    ("once", "static void initialise(void) { z++; }"),
    ("bump", "static void bump(int *q) { *q += 1; }"),
    ("twice", "static int twice(int n) { return n + n; }"),
    ("sum", "static int sum(int n) { return n ? y + sum(n - 1) : 0; }"),
    ("step up down", "static void up(void) { x++; }\nstatic void down(void) { x--; }\nstatic void (*step)(void) = up;"),
];
