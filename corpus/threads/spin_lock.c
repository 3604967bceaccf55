// A lock made of an atomic flag: rounds that find it taken change nothing.
// engines: explore lazy record widen
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int count;

void *counting(void *unused)
{
    while (atomic_flag_test_and_set(&taken)) {}
    count++;
    atomic_flag_clear(&taken);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, counting, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3);
    return 0;
}
