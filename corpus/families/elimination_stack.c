// A stack without locks whose threads, where they meet at its top, hand values over aside (an elimination back-off stack).
// One thread pushes N values, another tries to pop N times; every value is popped once or still there. The wrong one takes
// its offer back without looking whether somebody accepts it in between.
// expect: SAFE for N in 1..6
// expect: UNSAFE for N in 2..6 with -DWRONG
#include <assert.h>
#include <pthread.h>

#define ACCEPTED (-1)

void __VERIFIER_assume(int);

// Values are 1 to N, and a value's node is below[value]. An offer is a value, or 0.
int below[N + 1];
int top, offer;
int popped[N + 1];

int try_push(int value)
{
    int t = top;
    below[value] = t;
    return __sync_bool_compare_and_swap(&top, t, value);
}

void push(int value)
{
    if (try_push(value))
        return;
    offer = value;
#ifdef WRONG
    int accepted = offer == ACCEPTED;
    offer = 0;
#else
    int accepted = !__sync_bool_compare_and_swap(&offer, value, 0);
    if (accepted)
        offer = 0;
#endif
    if (!accepted) {
        int pushed = try_push(value);
        __VERIFIER_assume(pushed);
    }
}

// 0 if there is none, or others were faster.
int pop(void)
{
    int t = top;
    if (t != 0 && __sync_bool_compare_and_swap(&top, t, below[t]))
        return t;
    int value = offer;
    if (value > 0 && __sync_bool_compare_and_swap(&offer, value, ACCEPTED))
        return value;
    return 0;
}

void *pusher(void *unused)
{
    for (int value = 1; value <= N; value++)
        push(value);
    return 0;
}

void *popper(void *unused)
{
    for (int k = 0; k < N; k++)
        popped[pop()]++;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, pusher, 0);
    pthread_create(&u, 0, popper, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    // What is left on the stack counts as popped.
    int rest = top;
    for (int k = 0; k < N && rest != 0; k++) {
        popped[rest]++;
        rest = below[rest];
    }
    assert(rest == 0);
    for (int value = 1; value <= N; value++)
        assert(popped[value] == 1);
    return 0;
}
