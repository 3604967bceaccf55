// A loop that waits, but counts its rounds: they are not idle, and the third one finds what is wrong.
// args: --max-steps 200
// engines: explore lazy record widen
// expect: UNSAFE assert 19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int go;

void *waiting(void *unused)
{
    int rounds = 0;
    while (!go) {
        rounds++;
        if (rounds > 5)
            return NULL;
        assert(rounds < 3);
    }
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
