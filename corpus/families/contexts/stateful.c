// [ESBMC Table 2] Two threads change two counters N times, each counter under a lock of its own, so that the order of the
// threads does not matter. The wrong one changes the second counter without its lock.
// expect: SAFE assert,deadlock for N in 1,2,3
// expect: UNSAFE assert for N in 1,2,3,5,20 with -DWRONG
#include <assert.h>
#include <pthread.h>

pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
int first = 10, second = 10;

void change_first(int by)
{
    pthread_mutex_lock(&first_lock);
    first += by;
    pthread_mutex_unlock(&first_lock);
}

void change_second(int by)
{
#ifndef WRONG
    pthread_mutex_lock(&second_lock);
#endif
    second += by;
#ifndef WRONG
    pthread_mutex_unlock(&second_lock);
#endif
}

void *one(void *unused)
{
    for (int k = 0; k < N; k++) {
        change_first(1);
        change_second(1);
    }
    return 0;
}

void *another(void *unused)
{
    for (int k = 0; k < N; k++) {
        change_first(5);
        change_second(-6);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, another, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(first == 10 + 6 * N && second == 10 - 5 * N);
    return 0;
}
