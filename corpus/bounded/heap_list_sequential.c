// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A list that one thread after the other has pushed to, walked by the first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *head;

void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, push, 0);
    pthread_join(t, 0);
    pthread_create(&u, 0, push, 0);
    pthread_join(u, 0);
    assert(head && head->next && !head->next->next);
    return 0;
}
