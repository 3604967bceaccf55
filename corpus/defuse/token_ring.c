// [DEFUSE Table II] token ring: each of three threads passes the token on if it has it. BUG 0: they run one after the other.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

static int token = 1, passed[4], missed;

static void *node(void *arg)
{
    int self = (int)(long)arg;
    if (token == self) {
        passed[self] = passed[self - 1] + 1;
        token = self + 1;
    } else {
        missed = missed + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 1; i <= 3; i++) {
        pthread_create(&t[i - 1], 0, node, (void *)i);
        if (!BUG)
            pthread_join(t[i - 1], 0);
    }
    for (int i = 0; BUG && i < 3; i++)
        pthread_join(t[i], 0);
    // The order violation: nodes are meant to move in the order of the ring.
    assert(token == 4);
    return 0;
}
