// expect: UNSAFE assert 37
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A list on the heap that two threads push to, without the lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->value = (int)(long)arg;
    n->next = head;
    head = n;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int count = 0, sum = 0;
    pthread_create(&t, 0, push, (void *)1L);
    pthread_create(&u, 0, push, (void *)2L);
    pthread_join(t, 0);
    pthread_join(u, 0);
    for (struct node *n = head; n; n = n->next) {
        count++;
        sum += n->value;
    }
    assert(count == 2 && sum == 3);
    return 0;
}
