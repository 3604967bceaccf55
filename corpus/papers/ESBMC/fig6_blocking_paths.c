// expect: SAFE
// [ESBMC Fig. 6] Two threads lock and unlock one mutex: of the four orders of locks and unlocks, two block for a while and none for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *section(void *arg)
{
    pthread_mutex_lock(&m);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, section, 0);
    pthread_create(&b, 0, section, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
