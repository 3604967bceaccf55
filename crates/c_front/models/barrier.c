/* Barriers of POSIX threads.
 *
 * State, in the user's pthread_barrier_t: how many threads it takes (DESTROYED after pthread_barrier_destroy), how many have arrived, and
 * how many may leave. The last one to arrive lets the others leave; who comes for the next round waits until they have.
 * The last one is the one that gets PTHREAD_BARRIER_SERIAL_THREAD, as good a choice as any other.
 */

enum { NEEDED = 0, ARRIVED = 1, LEAVING = 2 };
enum { DESTROYED = -1 };

int pthread_barrier_init(int *b, const void *attr, unsigned count)
{
    if (count == 0 || count > 0x7fffffff)
        return 22; /* EINVAL */
    __heddle_atomic_begin();
    b[NEEDED] = count;
    b[ARRIVED] = 0;
    b[LEAVING] = 0;
    __heddle_atomic_end();
    return 0;
}

int pthread_barrier_destroy(int *b)
{
    __heddle_atomic_begin();
    int leaving = b[LEAVING];
    /* Threads that may leave no longer wait, so this is allowed, and the memory may be freed afterwards: let them go first,
       as a libc does. */
    __heddle_await(leaving == 0, "barrier", b);
    __heddle_check(b[NEEDED] != DESTROYED, "lock", "a barrier is destroyed twice");
    __heddle_check(b[ARRIVED] == 0, "lock", "a barrier is destroyed while a thread waits at it");
    b[NEEDED] = DESTROYED;
    __heddle_sync("acquire", "barrier", b);
    __heddle_sync("destroy", "barrier", b);
    __heddle_atomic_end();
    return 0;
}

int pthread_barrier_wait(int *b)
{
    __heddle_atomic_begin();
    int needed = b[NEEDED];
    __heddle_await(b[LEAVING] == 0 || needed <= 0, "barrier", b);
    __heddle_check(needed > 0, "lock", "a thread waits at a barrier that is destroyed or was never initialised");
    int arrived = b[ARRIVED] + 1;
    __heddle_sync("release", "barrier", b);
    if (arrived == needed) {
        b[ARRIVED] = 0;
        b[LEAVING] = needed - 1;
        __heddle_sync("acquire", "barrier", b);
        __heddle_atomic_end();
        return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
    }
    b[ARRIVED] = arrived;
    __heddle_atomic_end();

    __heddle_atomic_begin();
    int leaving = b[LEAVING];
    __heddle_await(leaving > 0, "barrier", b);
    b[LEAVING] = leaving - 1;
    __heddle_sync("acquire", "barrier", b);
    __heddle_atomic_end();
    return 0;
}
