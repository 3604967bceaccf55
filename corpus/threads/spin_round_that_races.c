// Only a round that has to go on reads `data`, and what comes after the wait lets the other thread write it, unordered.
// args: --property race
// engines: explore
// expect: UNSAFE race 31
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);
atomic_int begun, go, gone;
int data;

void *waiting(void *unused)
{
    int seen = 0;
    atomic_store_explicit(&begun, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&go, memory_order_relaxed))
        // Nothing that the loop remembers.
        seen = data & 0;
    atomic_store_explicit(&gone, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiting, NULL);
    __VERIFIER_assume(atomic_load_explicit(&begun, memory_order_relaxed));
    atomic_store_explicit(&go, 1, memory_order_relaxed);
    __VERIFIER_assume(atomic_load_explicit(&gone, memory_order_relaxed));
    data = 1;
    pthread_join(thread, NULL);
    return 0;
}
