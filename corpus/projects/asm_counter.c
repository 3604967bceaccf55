// expect: SAFE
// quiet
// The usual idioms of atomics in x86 assembler mean what they do: exchange, add, compare and exchange, fences.
#include <assert.h>
#include <pthread.h>

static int lock, locked_count, added, swapped, left = 2, last;

static inline int exchange(volatile int *p, int v)
{
    __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static inline int fetch_add(int *p, int v)
{
    __asm__ __volatile__("lock; xaddl %0,%1" : "=r"(v), "=m"(*p) : "0"(v), "m"(*p) : "memory");
    return v;
}

static inline int compare_exchange(int *p, int old, int new)
{
    int previous;
    __asm__ volatile("lock cmpxchgl %2,%1" : "=a"(previous), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return previous;
}

static inline int decrement_and_test(int *p)
{
    unsigned char zero;
    __asm__ volatile("lock decl %0\n\tsete %1" : "+m"(*p), "=q"(zero) : : "memory");
    return zero;
}

static void *worker(void *arg)
{
    while (exchange(&lock, 1))
        __asm__ volatile("pause" ::: "memory");
    locked_count++;
    __asm__ volatile("" ::: "memory");
    exchange(&lock, 0);
    fetch_add(&added, 2);
    int seen;
    do
        seen = swapped;
    while (compare_exchange(&swapped, seen, seen + 1) != seen);
    __asm__ volatile("mfence" ::: "memory");
    if (decrement_and_test(&left))
        last++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(locked_count == 2 && added == 4 && swapped == 2 && last == 1);
}
