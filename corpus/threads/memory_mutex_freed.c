// expect: UNSAFE memory 8|9
// A mutex is freed that another thread still wants.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    pthread_mutex_lock(arg);
    pthread_mutex_unlock(arg);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, worker, m);
    free(m);
    pthread_join(t, 0);
    return 0;
}
