// A loop that waits and changes only memory of its own, which tells how often it went round.
// engines: explore lazy record widen
// expect: UNSAFE assert 23
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int go;

void *waiting(void *unused)
{
    int rounds[2] = {0, 0};
    for (int which = 0; !go; which ^= 1) {
        int *one = &rounds[which];
        if (*one == 2)
            return NULL;
        *one += 1;
    }
    if (rounds[0] == 0)
        return NULL;
    // Two rounds and then the end.
    assert(rounds[1] == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiting, NULL);
    go = 1;
    pthread_join(thread, NULL);
    return 0;
}
