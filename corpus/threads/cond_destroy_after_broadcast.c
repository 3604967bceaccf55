// expect: SAFE
// POSIX allows to destroy a condition variable, and to free it, as soon as all that waited are woken.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *c;
int ready;

void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    if (c && !ready)
        pthread_cond_wait(c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    c = malloc(sizeof *c);
    pthread_cond_init(c, 0);
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(c);
    pthread_cond_destroy(c);
    free(c);
    c = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
