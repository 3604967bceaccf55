// expect: SAFE
// args: --property assert
// Without the property, waiting for ever is nothing wrong.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
    return 0;
}
