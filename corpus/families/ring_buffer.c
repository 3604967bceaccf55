// A ring of three slots between one producer and one consumer, without a lock; N arbitrary values pass through it. Waiting
// is an assumption. The wrong one says that a slot is full before it fills it.
// expect: SAFE for N in 2,4,6,8,10,15,20,30
// expect: UNSAFE for N in 2,4,6,8,10,15,20,30 with -DWRONG
#include <assert.h>
#include <pthread.h>

#define SLOTS 3

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

int slots[SLOTS], sent[N];
int taken, filled;

void *producer(void *unused)
{
    for (int k = 0; k < N; k++) {
        int value = __VERIFIER_nondet_int();
        sent[k] = value;
        int t = taken;
        __VERIFIER_assume(filled - t < SLOTS);
#ifdef WRONG
        filled = filled + 1;
        slots[k % SLOTS] = value;
#else
        slots[k % SLOTS] = value;
        filled = filled + 1;
#endif
    }
    return 0;
}

void *consumer(void *unused)
{
    for (int k = 0; k < N; k++) {
        int f = filled;
        __VERIFIER_assume(taken < f);
        int value = slots[taken % SLOTS];
        assert(value == sent[k]);
        taken = taken + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, consumer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
