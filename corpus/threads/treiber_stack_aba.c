// expect: UNSAFE assert 44
// The ABA problem: between a thread's look at the top and its exchange, the top goes and comes back, with another
// successor. The exchange succeeds and brings a node back that was taken.
#include <assert.h>
#include <pthread.h>

struct node {
    int taken;
    struct node *next;
};

struct node a, b;
struct node *top = &a;

void *slow(void *arg)
{
    struct node *old = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
    struct node *next = old ? old->next : 0;
    if (old && __sync_bool_compare_and_swap(&top, old, next))
        old->taken = 1;
    return 0;
}

void *fast(void *arg)
{
    // Takes both nodes and puts the first one back.
    if (__sync_bool_compare_and_swap(&top, &a, &b) && __sync_bool_compare_and_swap(&top, &b, 0)) {
        b.taken = 1;
        a.next = 0;
        __sync_bool_compare_and_swap(&top, 0, &a);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    a.next = &b;
    pthread_create(&t, 0, slow, 0);
    pthread_create(&u, 0, fast, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    // What is on the stack was not taken.
    assert(!top || !top->taken);
    return 0;
}
