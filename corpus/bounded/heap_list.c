// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A list on the heap that two threads push to.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->value = (int)(long)arg;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
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
