// The scheduler that is linked into a program to force an interleaving on its real threads.
//
// The program is compiled with the instrumentation of ThreadSanitizer, but linked with this file: the hooks that the
// compiler puts before every memory access, and wrappers of thread functions, call arrive(). arrive() lets a thread go on
// when the schedule says that its step is next. A thread holds the turn until it comes to its next step, so the access
// behind the hook is done before the next thread moves. Accesses that are no step of the schedule pass.
//
// A test that stands alone (HEDDLE_TEST) has its schedule in itself. It finds the lines behind hooks while it runs, and knows a
// line again by its text: edits elsewhere in the file do not matter. Steps on lines that are gone are given up.
//
// With HEDDLE_NATIVE_WITH_ASAN the hooks ask AddressSanitizer about every access before it is made. Only heap blocks have
// poisoned surroundings then: the compiler puts none around globals and locals, because gcc has one sanitizer at a time.
//
// With HEDDLE_NATIVE_TSAN the real ThreadSanitizer runtime is there too, and every hook calls it. Waiting here uses
// futexes and compiler atomics alone, which it does not see, so that it finds the same races as without a schedule.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// Exit codes of a run that end it here; `run.rs` knows them.
enum { EXIT_ASSERT = 71, EXIT_CRASH = 72, EXIT_DEADLOCK = 73, EXIT_RACE = 74, EXIT_BROKEN = 75, EXIT_DIVISION = 76, EXIT_OVERFLOW = 77, EXIT_LOCK = 78, EXIT_LEAK = 79 };

struct event { int thread; char kind; int line; char name[48]; };
struct site { uintptr_t pc; int line; };
// A line of the schedule. `number` is 0 where a test that stands alone does not find it any more.
struct line { int atomic, number, ordinal; char *file, *text; };
struct child { int parent, number, index; };
struct input { int thread; char name[64]; uint64_t value; int used; };

static struct event *events;
static int event_count;
static struct site *sites;
static int site_count;
static struct line *lines;
static int line_count;
static struct child *children;
static int child_count;
static struct input *inputs;
static int input_count;
static unsigned char *skipped;
static unsigned char *state;  // of each thread of the schedule
enum { UNBORN, RUNNING, WAITING, ENDED };

static int active;            // a schedule was read
static int cursor;            // the step whose turn it is
static int lost;              // steps that were given up
static int released;          // everybody may go on
static int lock_word;
static int expect_race;
static int expect_deadlock;
static int expect_lock;
static int expect_leak;
static int expect_memory;
static int patience = 5000;   // milliseconds for a thread that runs to come to its step
static int chatty;            // arrivals are told, to find out why a schedule is not followed
static int keep_alive;        // a debugger is wanted
static int live;              // threads that have not ended
static int blocked;           // threads in a call that waits

static void *last_address[2]; // what the last steps of the last two threads accessed
static int last_thread[2] = {-1, -1};
static char last_kind[2];

struct self {
    int index;                // the number in the schedule, or -1
    int next;                 // where to look for this thread's next step
    int holding;              // the step whose turn it has, or -1
    int children;
    int busy;                 // inside the runtime
    int last;                 // it made the last step of the schedule
    int section;              // in an atomic section: 1 before its first access, 2 behind it
};
static __thread struct self self = {-1, 0, -1, 0, 0, 0, 0};

static void say(const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0 && write(2, text, n < (int)sizeof text ? n : (int)sizeof text - 1) < 0) { }
}

static void futex_wait(int *word, int value)
{
    struct timespec wait = {0, 20 * 1000 * 1000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &wait, 0, 0);
}

static void futex_wake(int *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1 << 30, 0, 0, 0); }

static void take(void)
{
    while (__atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE))
        syscall(SYS_sched_yield);
}

static void give(void) { __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE); }

// The next functions run with the lock taken.

static void move_cursor(int to)
{
    while (to < event_count && skipped[to])
        to++;
    __atomic_store_n(&cursor, to, __ATOMIC_RELEASE);
    futex_wake(&cursor);
}

static int next_own(void)
{
    int i = self.next;
    while (i < event_count && (events[i].thread != self.index || skipped[i]))
        i++;
    self.next = i;
    return i < event_count ? i : -1;
}

static void finish_turn(void)
{
    if (self.holding >= 0) {
        int done = self.holding;
        self.holding = -1;
        if (done >= cursor)
            move_cursor(done + 1);
    }
}

#ifdef HEDDLE_TEST
static FILE *asked, *answered; // pipes to and from addr2line

static void start_looking_up(void)
{
    char self_path[4096];
    ssize_t n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    int to[2], from[2];
    if (n < 0 || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        return;
    self_path[n] = 0;
    if (fork() == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execlp("addr2line", "addr2line", "-e", self_path, (char *)0);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    signal(SIGPIPE, SIG_IGN);
    asked = fdopen(to[1], "w");
    answered = fdopen(from[0], "r");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *trimmed(char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \t\r\n", text[n - 1]))
        text[--n] = 0;
    return text + strspn(text, " \t");
}

// Finds the lines of the schedule in a source file as it is now: the same text, the same number among lines of that text.
static void find_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    char *text = 0;
    size_t room = 0;
    int number = 0;
    int *seen = calloc(line_count + 1, sizeof *seen);
    for (int i = 0; i < line_count; i++)
        if (strcmp(base_name(lines[i].file), base_name(path)) == 0)
            lines[i].number = 0;
    while (getline(&text, &room, file) >= 0) {
        char *now = trimmed(text);
        number++;
        for (int i = 0; i < line_count; i++)
            if (strcmp(lines[i].text, now) == 0 && strcmp(base_name(lines[i].file), base_name(path)) == 0
                && ++seen[i] == lines[i].ordinal)
                lines[i].number = number;
    }
    for (int i = 0; i < event_count; i++)
        if (lines[events[i].line].number == 0 && !skipped[i])
            skipped[i] = 1, lost++;
    free(seen);
    free(text);
    fclose(file);
    move_cursor(cursor);
}

// The line of the schedule that the code before an address belongs to.
static int look_up(uintptr_t at)
{
    static char known[16][512];
    static int known_count;
    char place[1024];
    if (!asked || !answered)
        return -1;
    fprintf(asked, "%" PRIxPTR "\n", at - 1);
    fflush(asked);
    char *colon = fgets(place, sizeof place, answered) ? strrchr(place, ':') : 0;
    if (!colon)
        return -1;
    *colon = 0;
    int number = atoi(colon + 1), fresh = known_count < 16;
    for (int i = 0; i < known_count; i++)
        fresh = fresh && strcmp(known[i], place) != 0;
    if (fresh) {
        snprintf(known[known_count++], sizeof known[0], "%s", place);
        find_lines(place);
    }
    for (int i = 0; i < line_count; i++)
        if (lines[i].number == number && strcmp(base_name(lines[i].file), base_name(place)) == 0)
            return i;
    return -1;
}
#endif

static int line_of(void *pc)
{
    uintptr_t at = (uintptr_t)pc;
    int low = 0, high = site_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (sites[middle].pc == at)
            return sites[middle].line;
        if (sites[middle].pc < at)
            low = middle + 1;
        else
            high = middle - 1;
    }
#ifdef HEDDLE_TEST
    int line = look_up(at);
    sites = realloc(sites, (site_count + 1) * sizeof *sites);
    memmove(sites + low + 1, sites + low, (site_count++ - low) * sizeof *sites);
    sites[low] = (struct site){at, line};
    return line;
#else
    return -1;
#endif
}

static int matches(const struct event *event, char kind, int line, const char *name)
{
    if (event->kind == 'C')
        return kind == 'C' && strcmp(event->name, name) == 0 && event->line == line;
    // Where the compiler calls atomic operations, plain accesses of that line are those of its own temporaries.
    if (event->kind == 'A' && lines[event->line].atomic)
        return kind == 'A' && event->line == line;
    // A section is known by its first access; atomic operations by their own hooks or as sections of reads.
    int same_kind = event->kind == kind || (event->kind == 'A' && kind != 'C') || (kind == 'A' && event->kind != 'C');
    return same_kind && event->line == line;
}

// Waits for the turn of step `index`, which is this thread's.
static void wait_for(int index)
{
    self.next = index + 1;
    while (__atomic_load_n(&cursor, __ATOMIC_ACQUIRE) < index && !released) {
        int seen = cursor;
        give();
        futex_wait(&cursor, seen);
        take();
    }
    self.holding = index;
}

// Whether the call that is being made has another step: `K` in the schedule.
static int more_of_call(void)
{
    int index = next_own();
    return index >= 0 && events[index].kind == 'K' ? index : -1;
}

// A thread is about to make a step. Returns whether it is one of the schedule.
static int arrive(char kind, void *pc, const char *name, void *address)
{
    // An atomic section is one step of the schedule.
    if (!active || self.index < 0 || self.busy || (self.section == 2 && kind != 'C'))
        return 0;
    self.busy = 1;
    take();
    int index = next_own(), found = 0;
    if (chatty)
        say("heddle-native: thread %d at %c%s line %d, next is %d (%c%s line %d), turn %d\n", self.index, kind, name,
            line_of(pc), index, index < 0 ? '-' : events[index].kind, index < 0 ? "" : events[index].name,
            index < 0 ? -1 : events[index].line, cursor);
    if (index < 0) {
        // Nothing of this thread is left in the schedule. Whoever made the last step goes on to the violation; the
        // others stay where they are.
        self.last |= self.holding == event_count - 1 && event_count > 0;
        finish_turn();
        if (!self.last) {
            while (cursor < event_count && !released) {
                int seen = cursor;
                give();
                futex_wait(&cursor, seen);
                take();
            }
            if (kind != 'C')
                while (!released) {
                    int seen = released;
                    give();
                    futex_wait(&released, seen);
                    take();
                }
        }
    } else if (matches(&events[index], kind, line_of(pc), name)) {
        finish_turn();
        wait_for(index);
        found = 1;
        if (self.section)
            self.section = 2;
        // The one before is that of another thread: an access may be made of several steps.
        if (last_thread[1] != self.index)
            last_address[0] = last_address[1], last_thread[0] = last_thread[1], last_kind[0] = last_kind[1];
        last_address[1] = address, last_thread[1] = self.index, last_kind[1] = kind;
    }
    give();
    self.busy = 0;
    return found;
}

// The steps of a call behind its first one, each in its turn.
static void rest_of_call(void)
{
    if (!active || self.index < 0)
        return;
    self.busy = 1;
    take();
    for (int index; (index = more_of_call()) >= 0;) {
        finish_turn();
        wait_for(index);
    }
    give();
    self.busy = 0;
}

static void leave_turn(void)
{
    take();
    finish_turn();
    give();
}

static void end_of_thread(void)
{
    if (self.index < 0)
        return;
    take();
    finish_turn();
    for (int i = 0; i < event_count; i++)
        if (events[i].thread == self.index && i >= cursor && !skipped[i])
            skipped[i] = 1;
    move_cursor(cursor);
    live--;
    state[self.index] = ENDED;
    give();
    self.index = -1;
}

static int race_is_there(void)
{
    // Of two accesses that race one is plain, so an atomic one beside a plain read writes.
    int write = last_kind[0] != 'R' || last_kind[1] != 'R';
    return last_address[0] && last_address[0] == last_address[1] && last_thread[0] != last_thread[1] && write;
}

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void report_end(const char *what) { say("heddle-native: %s (%d of %d steps forced)\n", what, event_count - lost, event_count); }

#ifdef HEDDLE_TEST
// A test must pass when the fault is gone, however slow the rest of the program is.
enum { END_PATIENCE = 20000, STRICT = 1 };
#else
enum { END_PATIENCE = 3000, STRICT = 0 };
#endif

// Looks after a schedule that does not get on, and says what happened at its end.
static void *watch(void *unused)
{
    int seen = -1;
    long since = now_ms();
    for (;;) {
        usleep(10 * 1000);
        take();
        if (cursor != seen)
            seen = cursor, since = now_ms();
        long waited = now_ms() - since;
        if (cursor < event_count) {
            // The step cannot be made if its thread has ended or waits for another; a thread that runs may still come to it.
            int owner = state[events[cursor].thread];
            if (waited > (owner == ENDED || owner == WAITING ? 200 : patience)) {
                skipped[cursor] = 1;
                lost++;
                move_cursor(cursor + 1);
            }
        } else if (!released) {
            if (expect_race && waited > 100) {
                if (race_is_there()) {
                    report_end("data race: two threads access the same place at the same time");
                    if (!keep_alive)
                        _exit(EXIT_RACE);
                }
                expect_race = 0;
            }
            if (expect_deadlock && blocked > 0 && blocked >= live - expect_deadlock + 1 && waited > 300) {
                report_end("deadlock: threads wait for each other");
                if (!keep_alive)
                    _exit(EXIT_DEADLOCK);
            }
            if (waited > 700 && !keep_alive) {
                released = 1;
                futex_wake(&released);
                futex_wake(&cursor);
            }
        } else if (waited > END_PATIENCE) {
            if (blocked > 0 && (!STRICT || blocked >= live) && expect_deadlock) {
                report_end("deadlock: threads wait for each other");
                _exit(EXIT_DEADLOCK);
            }
            report_end("the program goes on; nothing happened");
            _exit(EXIT_BROKEN);
        }
        give();
    }
    return unused;
}

static int unfreed(void);

// The program came to its end. Unless memory was to be left over, nothing happened that the schedule promised.
__attribute__((destructor)) static void ended_normally(void)
{
    if (active && self.index >= 0) {
        // The process must not end before the others came to what the schedule promises.
        int last = self.last || self.holding == event_count - 1;
        end_of_thread();
        take();
        while (!released && (!last || expect_deadlock)) {
            int seen = released;
            give();
            futex_wait(&released, seen);
            take();
        }
        give();
    }
    if (active && expect_leak && unfreed() > 0) {
        report_end("memory is not freed at the end");
        _exit(EXIT_LEAK);
    }
    if (active)
        report_end("the program ended");
}

static void on_signal(int signal)
{
    if (signal == SIGABRT) {
        report_end("assertion");
        _exit(EXIT_ASSERT);
    }
    if (signal == SIGFPE) {
        report_end("arithmetic exception");
        _exit(EXIT_DIVISION);
    }
    if (signal == SIGILL) {
        report_end("overflow");
        _exit(EXIT_OVERFLOW);
    }
    report_end("invalid memory access");
    _exit(EXIT_CRASH);
}

static void broken(const char *why)
{
    say("heddle-native: %s\n", why);
    _exit(EXIT_BROKEN);
}

static void *array(FILE *file, const char *word, int *count, size_t size)
{
    char found[32];
    if (fscanf(file, "%31s %d", found, count) != 2 || strcmp(found, word) != 0 || *count < 0)
        broken("the schedule is unreadable");
    return calloc(*count + 1, size);
}

// The rest of a line, in memory of its own.
static char *rest_of_line(FILE *file)
{
    char *text = 0;
    size_t room = 0;
    if (fgetc(file) == EOF || getline(&text, &room, file) < 0)
        broken("the schedule is unreadable");
    text[strcspn(text, "\n")] = 0;
    return text;
}

static void read_schedule(FILE *file)
{
    char property[32];
    if (!file || fscanf(file, "property %31s ", property) != 1)
        broken("the schedule cannot be read");
    expect_race = strcmp(property, "race") == 0;
    expect_deadlock = strcmp(property, "deadlock") == 0;
    expect_lock = strcmp(property, "lock") == 0;
    expect_leak = strcmp(property, "leak") == 0;
    expect_memory = strcmp(property, "memory") == 0;
    children = array(file, "threads", &child_count, sizeof *children);
    for (int i = 0; i < child_count; i++)
        if (fscanf(file, "%d %d %d", &children[i].index, &children[i].parent, &children[i].number) != 3)
            broken("the schedule is unreadable");
    events = array(file, "events", &event_count, sizeof *events);
    for (int i = 0; i < event_count; i++)
        if (fscanf(file, "%d %c %d %47s", &events[i].thread, &events[i].kind, &events[i].line, events[i].name) != 4)
            broken("the schedule is unreadable");
    inputs = array(file, "inputs", &input_count, sizeof *inputs);
    for (int i = 0; i < input_count; i++)
        if (fscanf(file, "%d %63s %" SCNx64, &inputs[i].thread, inputs[i].name, &inputs[i].value) != 3)
            broken("the schedule is unreadable");
    lines = array(file, "lines", &line_count, sizeof *lines);
    for (int i = 0; i < line_count; i++) {
        if (fscanf(file, "%d %d %d", &lines[i].atomic, &lines[i].number, &lines[i].ordinal) != 3)
            broken("the schedule is unreadable");
        lines[i].file = rest_of_line(file);
        fscanf(file, "|");
        lines[i].text = rest_of_line(file);
    }
    sites = array(file, "sites", &site_count, sizeof *sites);
    for (int i = 0; i < site_count; i++)
        if (fscanf(file, "%" SCNxPTR " %d", &sites[i].pc, &sites[i].line) != 2)
            broken("the schedule is unreadable");
    fclose(file);
    skipped = calloc(event_count + 1, 1);
    state = calloc(child_count + 1, 1);
    for (int i = 0; i < event_count; i++)
        if (events[i].thread < 0 || events[i].thread >= child_count || events[i].line < 0 || events[i].line >= line_count)
            broken("the schedule is unreadable");
}

extern int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

__attribute__((constructor(101))) static void start(void)
{
#ifdef HEDDLE_TEST
    read_schedule(fmemopen((void *)test_schedule, strlen(test_schedule), "r"));
    start_looking_up();
    patience = 500;
#else
    const char *path = getenv("HEDDLE_NATIVE_SCHEDULE");
    if (!path)
        return;
    read_schedule(fopen(path, "r"));
#endif
    chatty = getenv("HEDDLE_NATIVE_TELL") != 0;
    keep_alive = getenv("HEDDLE_NATIVE_KEEP") != 0;
    if (!keep_alive) {
        int signals[] = {SIGABRT, SIGFPE, SIGILL, SIGSEGV, SIGBUS};
#ifdef HEDDLE_NATIVE_WITH_ASAN
        int handled = 3; // AddressSanitizer reports the others
#else
        int handled = 5;
#endif
        for (int i = 0; i < handled; i++)
            signal(signals[i], on_signal);
    }
    self.index = 0;
    state[0] = RUNNING;
    live = 1;
    move_cursor(0);
    active = 1;
    pthread_t watcher;
    self.busy = 1;
    __real_pthread_create(&watcher, 0, watch, 0);
    pthread_detach(watcher);
    self.busy = 0;
}

// Memory accesses. The hook's own return address names the place in the program.

#define HERE __builtin_return_address(0)
static void *real_hook(const char *name) { return getenv("HEDDLE_NATIVE_TSAN") ? dlsym(RTLD_NEXT, name) : 0; }

#ifdef HEDDLE_NATIVE_WITH_ASAN
extern void __asan_loadN(void *, unsigned long);
extern void __asan_storeN(void *, unsigned long);
#define CHECK(KIND, AT, SIZE) (KIND == 'R' ? __asan_loadN(AT, SIZE) : __asan_storeN(AT, SIZE))
#else
#define CHECK(KIND, AT, SIZE) ((void)(SIZE))
#endif

#define HOOK(NAME, KIND, SIZE)                                                                                         \
    void NAME(void *at);                                                                                               \
    void NAME(void *at)                                                                                                \
    {                                                                                                                  \
        static void (*real)(void *);                                                                                   \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = real_hook(#NAME), looked = 1;                                                                       \
        arrive(KIND, HERE, "", at);                                                                                    \
        CHECK(KIND, at, SIZE);                                                                                         \
        if (real)                                                                                                      \
            real(at);                                                                                                  \
    }
#define HOOKS(SIZE)                                                                                                    \
    HOOK(__tsan_read##SIZE, 'R', SIZE)                                                                                 \
    HOOK(__tsan_write##SIZE, 'W', SIZE)                                                                                \
    HOOK(__tsan_unaligned_read##SIZE, 'R', SIZE)                                                                       \
    HOOK(__tsan_unaligned_write##SIZE, 'W', SIZE)                                                                      \
    HOOK(__tsan_volatile_read##SIZE, 'R', SIZE)                                                                        \
    HOOK(__tsan_volatile_write##SIZE, 'W', SIZE)
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)

#define RANGE(NAME, KIND)                                                                                              \
    void NAME(void *at, unsigned long size);                                                                           \
    void NAME(void *at, unsigned long size)                                                                            \
    {                                                                                                                  \
        static void (*real)(void *, unsigned long);                                                                    \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = real_hook(#NAME), looked = 1;                                                                       \
        arrive(KIND, HERE, "", at);                                                                                    \
        CHECK(KIND, at, size);                                                                                         \
        if (real)                                                                                                      \
            real(at, size);                                                                                            \
    }
RANGE(__tsan_read_range, 'R') RANGE(__tsan_write_range, 'W')

#ifndef HEDDLE_NATIVE_WITH_TSAN
void __tsan_init(void);
void __tsan_init(void) { }
void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) { }
void __tsan_vptr_update(void **slot, void *value);
void __tsan_vptr_update(void **slot, void *value) { (void)slot, (void)value; }
#endif

// Atomic operations: gated, then made. ThreadSanitizer's own are called where it is there, so that it knows the order.

#define ATOMICS(BITS, T)                                                                                               \
    T __tsan_atomic##BITS##_load(const volatile T *p, int o)                                                           \
    {                                                                                                                  \
        typedef T call(const volatile T *, int);                                                                       \
        static call *real;                                                                                             \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = (call *)real_hook("__tsan_atomic" #BITS "_load"), looked = 1;                                       \
        arrive('A', HERE, "", (void *)p);                                                                              \
        return real ? real(p, o) : __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                                                  \
    void __tsan_atomic##BITS##_store(volatile T *p, T v, int o)                                                        \
    {                                                                                                                  \
        typedef void call(volatile T *, T, int);                                                                       \
        static call *real;                                                                                             \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = (call *)real_hook("__tsan_atomic" #BITS "_store"), looked = 1;                                      \
        arrive('A', HERE, "", (void *)p);                                                                              \
        if (real)                                                                                                      \
            real(p, v, o);                                                                                             \
        else                                                                                                           \
            __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                  \
    }                                                                                                                  \
    MODIFY(BITS, T, exchange, __atomic_exchange_n)                                                                     \
    MODIFY(BITS, T, fetch_add, __atomic_fetch_add)                                                                     \
    MODIFY(BITS, T, fetch_sub, __atomic_fetch_sub)                                                                     \
    MODIFY(BITS, T, fetch_and, __atomic_fetch_and)                                                                     \
    MODIFY(BITS, T, fetch_or, __atomic_fetch_or)                                                                       \
    MODIFY(BITS, T, fetch_xor, __atomic_fetch_xor)                                                                     \
    MODIFY(BITS, T, fetch_nand, __atomic_fetch_nand)                                                                   \
    COMPARE(BITS, T, strong)                                                                                           \
    COMPARE(BITS, T, weak)                                                                                             \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *p, T old, T v, int o, int f)                              \
    {                                                                                                                  \
        (void)o, (void)f;                                                                                              \
        arrive('A', HERE, "", (void *)p);                                                                              \
        __atomic_compare_exchange_n(p, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                \
        return old;                                                                                                    \
    }
#define MODIFY(BITS, T, NAME, DO)                                                                                      \
    T __tsan_atomic##BITS##_##NAME(volatile T *p, T v, int o)                                                          \
    {                                                                                                                  \
        typedef T call(volatile T *, T, int);                                                                          \
        static call *real;                                                                                             \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = (call *)real_hook("__tsan_atomic" #BITS "_" #NAME), looked = 1;                                     \
        arrive('A', HERE, "", (void *)p);                                                                              \
        return real ? real(p, v, o) : DO(p, v, __ATOMIC_SEQ_CST);                                                      \
    }
#define COMPARE(BITS, T, NAME)                                                                                         \
    int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile T *p, T *old, T v, int o, int f)                        \
    {                                                                                                                  \
        typedef int call(volatile T *, T *, T, int, int);                                                              \
        static call *real;                                                                                             \
        static int looked;                                                                                             \
        if (!looked)                                                                                                   \
            real = (call *)real_hook("__tsan_atomic" #BITS "_compare_exchange_" #NAME), looked = 1;                    \
        arrive('A', HERE, "", (void *)p);                                                                              \
        return real ? real(p, old, v, o, f)                                                                            \
                    : __atomic_compare_exchange_n(p, old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
    }
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

// Threads.

struct begin { void *(*body)(void *); thrd_start_t c11_body; void *arg; int index; };
extern void *__real_malloc(size_t);
extern void __real_free(void *);
extern void *__real_calloc(size_t, size_t);
extern void *__real_realloc(void *, size_t);

// A thread that is about to start, with its number in the schedule.
static struct begin *new_child(void)
{
    struct begin *begin = __real_malloc(sizeof *begin);
    begin->index = -1;
    take();
    self.children++;
    for (int i = 0; i < child_count; i++)
        if (children[i].parent == self.index && children[i].number == self.children)
            begin->index = children[i].index;
    live++;
    if (begin->index >= 0)
        state[begin->index] = RUNNING;
    give();
    return begin;
}

static void ended(void *unused)
{
    (void)unused;
    end_of_thread();
}

static void *run_thread(void *raw)
{
    struct begin begin = *(struct begin *)raw;
    __real_free(raw);
    self.index = begin.index;
    void *result;
    pthread_cleanup_push(ended, 0);
    result = begin.body(begin.arg);
    pthread_cleanup_pop(1);
    return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg)
{
    if (!active || self.index < 0)
        return __real_pthread_create(thread, attr, body, arg);
    arrive('C', HERE, "pthread_create", 0);
    struct begin *begin = new_child();
    begin->body = body, begin->arg = arg;
    self.busy = 1;
    int error = __real_pthread_create(thread, attr, run_thread, begin);
    self.busy = 0;
    rest_of_call();
    return error;
}

static int run_c11_thread(void *raw)
{
    struct begin begin = *(struct begin *)raw;
    __real_free(raw);
    self.index = begin.index;
    int result;
    pthread_cleanup_push(ended, 0);
    result = begin.c11_body(begin.arg);
    pthread_cleanup_pop(1);
    return result;
}

extern int __real_thrd_create(thrd_t *, thrd_start_t, void *);
int __wrap_thrd_create(thrd_t *thread, thrd_start_t body, void *arg)
{
    if (!active || self.index < 0)
        return __real_thrd_create(thread, body, arg);
    arrive('C', HERE, "thrd_create", 0);
    struct begin *begin = new_child();
    begin->c11_body = body, begin->arg = arg;
    self.busy = 1;
    int error = __real_thrd_create(thread, run_c11_thread, begin);
    self.busy = 0;
    rest_of_call();
    return error;
}

static void block(int by)
{
    take();
    blocked += by;
    if (self.index >= 0)
        state[self.index] = by > 0 ? WAITING : RUNNING;
    give();
}

// Who holds which lock, where misuse of locks is to be shown. A lock without an entry is free.
struct held { void *lock; int owner, count, readers; };
static struct held held[1024];

static struct held *entry_of(void *lock)
{
    struct held *empty = 0;
    for (int i = 0; i < 1024; i++) {
        if (held[i].lock == lock)
            return &held[i];
        if (!held[i].lock && !empty)
            empty = &held[i];
    }
    if (empty)
        *empty = (struct held){lock, -1, 0, 0};
    return empty;
}

static void misused(const char *what)
{
    report_end(what);
    if (!keep_alive)
        _exit(EXIT_LOCK);
}

// Called before (`error` is -1) and after each call on a lock, with the letter of what the call does.
static void watch_lock(char what, void *lock, int error)
{
    if (!active || !expect_lock || self.index < 0 || error > 0)
        return;
    take();
    struct held *entry = entry_of(lock);
    give();
    if (!entry)
        return;
    if (error < 0) {
        if (what == 'u' && (entry->owner != self.index && !entry->readers))
            misused("lock: a thread releases what it does not hold");
        if (what == 'd' && (entry->owner >= 0 || entry->readers))
            misused("lock: a lock is destroyed while it is held");
        return;
    }
    switch (what) {
    case 'l': entry->owner = self.index, entry->count++; break;
    case 'r': entry->readers++; break;
    case 'u':
        if (entry->owner == self.index && --entry->count == 0)
            entry->owner = -1;
        else if (entry->readers)
            entry->readers--;
        break;
    }
}

// A call that does not wait when its turn has come. It may wait behind the end of the schedule: that is the deadlock.
#define CALL(RESULT, NAME, PARAMETERS, ARGUMENTS) LOCK(RESULT, NAME, PARAMETERS, ARGUMENTS, ' ', 0)
#define LOCK(RESULT, NAME, PARAMETERS, ARGUMENTS, WHAT, OBJECT)                                                        \
    extern RESULT __real_##NAME PARAMETERS;                                                                            \
    RESULT __wrap_##NAME PARAMETERS                                                                                    \
    {                                                                                                                  \
        int scheduled = arrive('C', HERE, #NAME, 0);                                                                   \
        int busy = self.busy;                                                                                          \
        self.busy = 1;                                                                                                 \
        if (WHAT != ' ')                                                                                               \
            watch_lock(WHAT, (void *)OBJECT, -1);                                                                      \
        if (!scheduled && active)                                                                                      \
            leave_turn(), block(1);                                                                                    \
        RESULT result = __real_##NAME ARGUMENTS;                                                                       \
        if (WHAT != ' ')                                                                                               \
            watch_lock(WHAT, (void *)OBJECT, (int)result);                                                             \
        if (!scheduled && active)                                                                                      \
            block(-1);                                                                                                 \
        self.busy = busy;                                                                                              \
        rest_of_call();                                                                                                \
        return result;                                                                                                 \
    }

CALL(int, pthread_join, (pthread_t t, void **r), (t, r))
LOCK(int, pthread_mutex_lock, (pthread_mutex_t * m), (m), 'l', m)
LOCK(int, pthread_mutex_trylock, (pthread_mutex_t * m), (m), 'l', m)
LOCK(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *t), (m, t), 'l', m)
LOCK(int, pthread_mutex_unlock, (pthread_mutex_t * m), (m), 'u', m)
LOCK(int, pthread_mutex_destroy, (pthread_mutex_t * m), (m), 'd', m)
CALL(int, pthread_cond_signal, (pthread_cond_t * c), (c))
CALL(int, pthread_cond_broadcast, (pthread_cond_t * c), (c))
LOCK(int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l), 'r', l)
LOCK(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), 'r', l)
LOCK(int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l), 'l', l)
LOCK(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), 'l', l)
LOCK(int, pthread_rwlock_unlock, (pthread_rwlock_t * l), (l), 'u', l)
LOCK(int, pthread_rwlock_destroy, (pthread_rwlock_t * l), (l), 'd', l)
LOCK(int, pthread_spin_lock, (pthread_spinlock_t * l), (l), 'l', l)
LOCK(int, pthread_spin_trylock, (pthread_spinlock_t * l), (l), 'l', l)
LOCK(int, pthread_spin_unlock, (pthread_spinlock_t * l), (l), 'u', l)
LOCK(int, pthread_spin_destroy, (pthread_spinlock_t * l), (l), 'd', l)
CALL(int, sem_wait, (sem_t * s), (s))
CALL(int, sem_trywait, (sem_t * s), (s))
CALL(int, sem_post, (sem_t * s), (s))
CALL(int, thrd_join, (thrd_t t, int *r), (t, r))
LOCK(int, mtx_lock, (mtx_t * m), (m), 'l', m)
LOCK(int, mtx_trylock, (mtx_t * m), (m), 'l', m)
LOCK(int, mtx_timedlock, (mtx_t * m, const struct timespec *t), (m, t), 'l', m)
LOCK(int, mtx_unlock, (mtx_t * m), (m), 'u', m)
CALL(int, cnd_signal, (cnd_t * c), (c))
CALL(int, cnd_broadcast, (cnd_t * c), (c))

// Waits for others to arrive, so the turn is given up before it is called.
extern int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier)
{
    arrive('C', HERE, "pthread_barrier_wait", 0);
    int busy = self.busy;
    self.busy = 1;
    if (active)
        leave_turn(), block(1);
    int result = __real_pthread_barrier_wait(barrier);
    if (active)
        block(-1);
    self.busy = busy;
    rest_of_call();
    return result;
}

// Who wakes up when is the schedule's business, so the real condition variable is not used while it lasts.
#define WAIT(NAME, CONDITION, MUTEX, UNLOCK, LOCK_AGAIN)                                                               \
    extern int __real_##NAME(CONDITION *, MUTEX *);                                                                    \
    int __wrap_##NAME(CONDITION *condition, MUTEX *mutex)                                                              \
    {                                                                                                                  \
        int scheduled = arrive('C', HERE, #NAME, 0);                                                                   \
        int busy = self.busy;                                                                                          \
        self.busy = 1;                                                                                                 \
        watch_lock('u', mutex, -1), watch_lock('u', mutex, 0);                                                         \
        int result = 0, more = -1;                                                                                     \
        if (scheduled) {                                                                                               \
            take();                                                                                                    \
            more = more_of_call();                                                                                     \
            give();                                                                                                    \
        }                                                                                                              \
        if (more >= 0) {                                                                                               \
            UNLOCK(mutex);                                                                                             \
            self.busy = busy;                                                                                          \
            rest_of_call();                                                                                            \
            self.busy = 1;                                                                                             \
            LOCK_AGAIN(mutex);                                                                                         \
        } else {                                                                                                       \
            if (active)                                                                                                \
                leave_turn(), block(1);                                                                                \
            result = __real_##NAME(condition, mutex);                                                                  \
            if (active)                                                                                                \
                block(-1);                                                                                             \
        }                                                                                                              \
        watch_lock('l', mutex, 0);                                                                                     \
        self.busy = busy;                                                                                              \
        return result;                                                                                                 \
    }
WAIT(pthread_cond_wait, pthread_cond_t, pthread_mutex_t, __real_pthread_mutex_unlock, __real_pthread_mutex_lock)
WAIT(cnd_wait, cnd_t, mtx_t, __real_mtx_unlock, __real_mtx_lock)

// What verification tools leave undefined.

static uint64_t input(const char *name)
{
    uint64_t value = 0;
    take();
    for (int i = 0; i < input_count; i++)
        if (!inputs[i].used && inputs[i].thread == self.index && strcmp(inputs[i].name, name) == 0) {
            inputs[i].used = 1;
            value = inputs[i].value;
            break;
        }
    give();
    return value;
}

#define NONDET(TYPE, NAME)                                                                                             \
    __attribute__((weak)) TYPE __VERIFIER_nondet_##NAME(void) { return (TYPE)input("nondet_" #NAME); }
NONDET(_Bool, bool) NONDET(char, char) NONDET(signed char, schar) NONDET(unsigned char, uchar) NONDET(short, short)
NONDET(unsigned short, ushort) NONDET(int, int) NONDET(unsigned, uint) NONDET(unsigned, unsigned) NONDET(long, long)
NONDET(unsigned long, ulong) NONDET(long long, longlong) NONDET(unsigned long long, ulonglong) NONDET(size_t, size_t)
__attribute__((weak)) float __VERIFIER_nondet_float(void)
{
    union { uint32_t bits; float value; } u = {(uint32_t)input("nondet_float")};
    return u.value;
}
__attribute__((weak)) double __VERIFIER_nondet_double(void)
{
    union { uint64_t bits; double value; } u = {input("nondet_double")};
    return u.value;
}
__attribute__((weak)) void *__VERIFIER_nondet_pointer(void) { return (void *)input("nondet_pointer"); }

__attribute__((weak)) void __VERIFIER_atomic_begin(void) { self.section = 1; }
__attribute__((weak)) void __VERIFIER_atomic_end(void) { self.section = 0; }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_assert(int holds)
{
    if (!holds)
        abort();
}
__attribute__((weak)) void __VERIFIER_assume(int holds)
{
    if (!holds)
        for (;;)
            pause();
}

// Heap blocks with a page of their own that is taken away at `free`, so that a use of freed memory or one behind the end
// is a fault of the hardware. Only where such a violation is to be shown.

struct block { void *user; char *map; size_t mapped, size; };
static struct block blocks[4096];
static int block_count;
static int guarded(void)
{
#ifdef HEDDLE_NATIVE_WITH_ASAN
    return 0;
#else
    return active && expect_memory;
#endif
}

// Blocks of the program that are not freed yet, where a leak is to be shown.
static void *owned[4096];

static void *owns(void *block)
{
    if (!active || !expect_leak || !block)
        return block;
    take();
    for (int i = 0; i < 4096; i++)
        if (!owned[i]) {
            owned[i] = block;
            break;
        }
    give();
    return block;
}

static void disowns(void *block)
{
    if (!active || !expect_leak || !block)
        return;
    take();
    for (int i = 0; i < 4096; i++)
        if (owned[i] == block) {
            owned[i] = 0;
            break;
        }
    give();
}

static int unfreed(void)
{
    int count = 0;
    for (int i = 0; i < 4096; i++)
        count += owned[i] != 0;
    return count;
}

static void *guarded_alloc(size_t size)
{
    size_t page = 4096, room = ((size ? size : 1) + page - 1) / page * page;
    take();
    int n = block_count < 4096 ? block_count++ : -1;
    give();
    char *map = n < 0 ? MAP_FAILED : mmap(0, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return __real_malloc(size);
    mprotect(map + room, page, PROT_NONE);
    // Blocks end at the page. What needs alignment has a size that is a multiple of it.
    blocks[n] = (struct block){map + (room - size), map, room + page, size};
    return blocks[n].user;
}

static struct block *block_of(void *p)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].user == p)
            return &blocks[i];
    return 0;
}

void *__wrap_malloc(size_t size) { return guarded() ? guarded_alloc(size) : owns(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size)
{
    return guarded() && (!size || count <= SIZE_MAX / size) ? guarded_alloc(count * size)
                                                             : owns(__real_calloc(count, size));
}
void __wrap_free(void *p)
{
    arrive('C', HERE, "free", p);
    struct block *block = guarded() && p ? block_of(p) : 0;
    if (!block) {
        disowns(p);
        __real_free(p);
        return;
    }
    if (!block->size && !block->mapped) {
        report_end("double free");
        _exit(EXIT_CRASH);
    }
    mprotect(block->map, block->mapped, PROT_NONE);
    block->size = block->mapped = 0;
}
void *__wrap_realloc(void *p, size_t size)
{
    struct block *old = guarded() && p ? block_of(p) : 0;
    if (!guarded() || (p && !old)) {
        disowns(p);
        return owns(__real_realloc(p, size));
    }
    void *fresh = guarded_alloc(size);
    if (old) {
        memcpy(fresh, p, old->size < size ? old->size : size);
        __wrap_free(p);
    }
    return fresh;
}
