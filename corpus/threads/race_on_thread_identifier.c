// expect: UNSAFE race 15
// args: --property race
// pthread_create writes the identifier, perhaps while main reads it.
#include <pthread.h>

pthread_t t;

void *worker(void *arg)
{
    return 0;
}

void *starter(void *arg)
{
    pthread_create(&t, 0, worker, 0);
    return 0;
}

int main(void)
{
    pthread_t s;
    pthread_create(&s, 0, starter, 0);
    pthread_t seen = t;
    pthread_join(s, 0);
    return seen != 0;
}
