// expect: SAFE WITHIN steps=40
// args: --max-steps 40
// A thread that never ends is cut off where the user says, and the verdict tells.
#include <assert.h>
#include <pthread.h>

int rounds;

void *forever(void *arg)
{
    for (;;)
        rounds = 1 - rounds;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, forever, 0);
    return 0;
}
