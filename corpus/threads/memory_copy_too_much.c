// expect: UNSAFE memory 10
// memcpy beyond the end of its target.
#include <assert.h>
#include <pthread.h>
#include <string.h>

void *worker(void *arg)
{
    char to[2], from[4] = {1, 2, 3, 4};
    memcpy(to, from, sizeof from);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
