// N threads add to a sum under a lock, each another number, and one more thread finds fault with the sum of all: it fails
// only if all others come first. The right one finds fault with nothing less than one more.
// expect: SAFE for N in 2,3
// expect: UNSAFE for N in 2,3,4,5,6 with -DWRONG
#include <assert.h>
#include <pthread.h>

#define SUM (N * (N + 1) / 2)

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    sum = sum + *(int *)arg;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *find_fault(void *unused)
{
    pthread_mutex_lock(&lock);
#ifdef WRONG
    assert(sum < SUM);
#else
    assert(sum < SUM + 1);
#endif
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t threads[N], last;
    int numbers[N];
    for (int k = 0; k < N; k++) {
        numbers[k] = k + 1;
        pthread_create(&threads[k], 0, add, &numbers[k]);
    }
    pthread_create(&last, 0, find_fault, 0);
    for (int k = 0; k < N; k++)
        pthread_join(threads[k], 0);
    pthread_join(last, 0);
    return 0;
}
