// expect: SAFE
// A queue lock in the manner of Mellor-Crummey and Scott: each thread waits at its own node.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

struct node {
    struct node *next;
    int waits;
};

struct node *tail;
int inside;

void *enter(void *arg)
{
    struct node me = {0, 1};
    struct node *before = __atomic_exchange_n(&tail, &me, __ATOMIC_SEQ_CST);
    if (before) {
        __atomic_store_n(&before->next, &me, __ATOMIC_SEQ_CST);
        int waits = __atomic_load_n(&me.waits, __ATOMIC_SEQ_CST);
        __VERIFIER_assume(!waits);
    }
    int met = inside++;
    assert(met == 0);
    inside--;
    if (!__sync_bool_compare_and_swap(&tail, &me, 0)) {
        struct node *next = __atomic_load_n(&me.next, __ATOMIC_SEQ_CST);
        __VERIFIER_assume(next != 0);
        __atomic_store_n(&next->waits, 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, enter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
