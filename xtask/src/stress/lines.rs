//! Statements that are one of a few lines, by kind.

use super::generate::Kind;

/// The lines of a kind; none if its statements are made otherwise.
pub fn lines(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Builtin => &[
            "r0 = __sync_fetch_and_add(&x, 1);",
            "r0 = __sync_bool_compare_and_swap(&x, r1, 2);",
            "r1 = __atomic_exchange_n(&y, r0 + 1, 5);",
            "__atomic_store_n(&x, 1, 5);",
            "r1 = __atomic_load_n(&y, 5);",
            "r0 = __atomic_or_fetch(&x, 4, 5);",
            "if (!__atomic_compare_exchange_n(&x, &r0, 3, 0, 5, 5)) r1 = r0;",
        ],
        Kind::Atomic => {
            &["ax = 1;", "ax++;", "r0 = ax;", "ax += r0 + 1;", "ax = ax + 1;", "r1 = ax--;", "if (ax == 1) r1 = 1;"]
        }
        Kind::Pointer => &[
            "g = &x;",
            "g = &y;",
            "*g = 2;",
            "r0 = *g;",
            "(*g)++;",
            "g = g == &x ? &y : &x;",
            "p = g; *p += 1; r1 = *p;",
            "a[x & 1] = 1;",
        ],
        Kind::Heap => &[
            "p = malloc(4); *p = 1; h = p;",
            "h = malloc(4); *h = 0;",
            "if (h) r0 = *h;",
            "if (h) *h = 2;",
            "p = h; if (p) *p += 1;",
        ],
        Kind::Free => &["free(h); h = 0;", "p = h; h = 0; free(p);", "if (h) free(h);"],
        Kind::Resize => &[
            "h = calloc(1, 4);",
            "p = realloc(h, 8); h = p;",
            "p = h; h = 0; h = realloc(p, 4);",
            "if (h) h[0] = 3;",
            "if (h) r0 = h[0];",
        ],
        // What belongs to a thread or to a call, and others get to know.
        Kind::Lend => &[
            "lent = &own;",
            "lent = &own; r0 = own;",
            "lent = &r1;",
            "lent = __builtin_alloca(4); *lent = 0;",
            "{ int inner = 1; lent = &inner; r0 = inner; }",
            "p = __builtin_alloca(4); *p = 1; lent = p; r1 = *p;",
            "own++; r1 = own;",
        ],
        Kind::Borrow => &[
            "if (lent) *lent = 2;",
            "if (lent) r0 = *lent;",
            "p = lent; if (p) *p += 1;",
            "p = lent; lent = 0; if (p) *p = 3;",
            "p = lent; lent = 0; x = 1; if (p) *p = 3;",
            "lent = 0;",
        ],
        Kind::Link => &[
            "{ struct node *n = malloc(sizeof *n); n->value = 1; n->next = head; head = n; }",
            "{ struct node *n = head; if (n) { head = n->next; r0 = n->value; free(n); } }",
            "if (head) head->value++;",
            "for (struct node *n = head; n; n = n->next) r1 += n->value;",
            "head = &first;",
            "if (head && head->next) r0 = head->next->value;",
        ],
        Kind::Struct => {
            &["t = s;", "s = t;", "s.one = 1;", "s.two = s.one + 1;", "s = (struct pair){1, 2};", "r0 = t.two;"]
        }
        Kind::Memory => &[
            "memcpy(&y, &x, 4);",
            "memcpy(&t, &s, sizeof s);",
            "memset(&s, 0, sizeof s);",
            "memset(&u, 1, 2);",
            "memmove(&a[0], &a[1], 4);",
            "r0 = memcmp(&s, &t, 4);",
            "s.two = 2;",
            "a[1] = x + 1;",
        ],
        Kind::Call => &[
            "bump(&x);",
            "bump(&y);",
            "r0 = twice(x);",
            "step = down;",
            "step = up;",
            "step();",
            "if (step == down) r1 = 1;",
            "r1 = sum(2);",
        ],
        Kind::Wide => &[
            "w = x; w <<= 33; r0 = w >> 32;",
            "w++;",
            "r1 = w;",
            "f = x; f = f / 2;",
            "r0 = f * 2;",
            "c = x + 255;",
            "x = c;",
            "w = (long long)c << 40 | 1;",
        ],
        Kind::Order => &[
            "__atomic_store_n(&x, 1, 3);",
            "r0 = __atomic_load_n(&x, 2);",
            "r1 = __atomic_fetch_add(&x, 1, 4);",
            "y = 1; __atomic_store_n(&x, 1, 3);",
            "if (__atomic_load_n(&x, 2)) r0 = y;",
            "__atomic_thread_fence(5);",
        ],
        Kind::Switch => &[
            "switch (x) { case 0: y = 1; case 1: x++; break; default: x = 0; }",
            "switch (r0) { case 1: x = 2; break; case 2: y = 2; }",
            "do { r0++; } while (x && r0 < 2);",
            "while (y > r1) { r1++; if (x) break; y--; }",
            "r0 = x ? y : x++;",
        ],
        // Loops that wait: only who knows states again comes to their end.
        Kind::Await => &[
            "while (!x) {}",
            "while (y == 1) {}",
            "while (x != y) { r0 = y; }",
            "do { r0 = ax; } while (r0 == 1);",
            "while (__sync_lock_test_and_set(&held, 1)) {} x++; __sync_lock_release(&held);",
            "while (!__sync_bool_compare_and_swap(&held, 0, 1)) {} r1 = x; held = 0;",
            "while (held && y) {}",
            "ax = 1;",
            "x = 1;",
            "y = 0;",
            "held = 1;",
            "while (x == 2) { if (y) { y = 0; break; } }",
        ],
        Kind::Key => &[
            "pthread_setspecific(key, &x);",
            "pthread_setspecific(key, &r0);",
            "p = pthread_getspecific(key); if (p) *p += 1;",
            "r1 = pthread_getspecific(key) != 0;",
            "lent = pthread_getspecific(key);",
            "if (lent) *lent = 2;",
        ],
        Kind::Divide => &["r0 = 6 / z;", "z--;", "z = x;", "if (z) r0 = 4 % z;"],
        Kind::Leave => &["return 0;", "pthread_exit(0);", "if (x) return 0;", "if (y) exit(0);"],
        Kind::Assign
        | Kind::Update
        | Kind::Observe
        | Kind::If
        | Kind::For
        | Kind::Mutex
        | Kind::TryLock
        | Kind::RawLock
        | Kind::RawUnlock
        | Kind::Again
        | Kind::Wait
        | Kind::Notify
        | Kind::Semaphore
        | Kind::Post
        | Kind::Rwlock
        | Kind::Spin
        | Kind::Barrier
        | Kind::Once
        | Kind::Section
        | Kind::Input
        | Kind::Assume
        | Kind::Assert => &[],
    }
}
