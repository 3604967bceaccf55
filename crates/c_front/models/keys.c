/* Keys of POSIX threads, with destructors at the end of threads.
 *
 * There are 128 keys, what POSIX guarantees. A deleted key is not given out again, so that no thread finds an old value under a
 * new key.
 */

enum { KEYS = 128 };

static unsigned next;
static struct {
    int used;
    void (*destructor)(void *);
} keys[KEYS];

static _Thread_local void *values[KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    __heddle_atomic_begin();
    unsigned k = next;
    if (k == KEYS) {
        __heddle_atomic_end();
        return 11; /* EAGAIN */
    }
    keys[k].used = 1;
    keys[k].destructor = destructor;
    next = k + 1;
    __heddle_sync("acquire", "other", &next);
    __heddle_sync("release", "other", &next);
    __heddle_atomic_end();
    __heddle_put(key, k);
    return 0;
}

int pthread_key_delete(unsigned key)
{
    if (key >= KEYS)
        return 22; /* EINVAL */
    __heddle_atomic_begin();
    int used = keys[key].used;
    keys[key].used = 0;
    __heddle_atomic_end();
    return used ? 0 : 22 /* EINVAL */;
}

int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= KEYS || !keys[key].used)
        return 22; /* EINVAL */
    values[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    return key < KEYS ? values[key] : 0;
}

/* The destructor to be called for a key's value, or null. */
static void (*destructor_of(unsigned key))(void *)
{
    __heddle_atomic_begin();
    void (*destructor)(void *) = keys[key].used ? keys[key].destructor : 0;
    __heddle_atomic_end();
    return destructor;
}

/* Destructors may set values again; POSIX lets an implementation stop after PTHREAD_DESTRUCTOR_ITERATIONS rounds, of which
   there are at least 4. Values are null before their destructors are called. */
void __heddle_run_destructors(void)
{
    int again = 1;
    for (int round = 0; again && round < 4; round++) {
        again = 0;
        unsigned end = next;
        for (unsigned k = 0; k < end; k++) {
            void *value = values[k];
            if (value) {
                void (*destructor)(void *) = destructor_of(k);
                if (destructor) {
                    values[k] = 0;
                    destructor(value);
                    again = 1;
                }
            }
        }
    }
}
