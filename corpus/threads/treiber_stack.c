// expect: SAFE
// A lock-free stack: one thread pushes, one pops what is there; no element is lost or seen twice.
#include <assert.h>
#include <pthread.h>

struct node {
    int value;
    struct node *next;
};

struct node nodes[2] = {{1, 0}, {2, 0}};
struct node *top;
int popped;

void push(struct node *n)
{
    struct node *old;
    do {
        old = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        n->next = old;
    } while (!__sync_bool_compare_and_swap(&top, old, n));
}

struct node *pop(void)
{
    for (;;) {
        struct node *old = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        if (!old)
            return 0;
        if (__sync_bool_compare_and_swap(&top, old, old->next))
            return old;
    }
}

void *pusher(void *arg)
{
    push(&nodes[0]);
    push(&nodes[1]);
    return 0;
}

void *popper(void *arg)
{
    struct node *n = pop();
    if (n)
        popped += n->value;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, pusher, 0);
    pthread_create(&u, 0, popper, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    int left = 0;
    for (struct node *n = top; n; n = n->next)
        left += n->value;
    assert(left + popped == 3);
    return 0;
}
