// N philosophers eat once each. They take the fork on their left first, and may all wait for the one on their right; in the
// ordered variant, the last one takes the fork on the right first.
// expect: UNSAFE deadlock for N in 2..7
// expect: SAFE assert,deadlock for N in 2..7 with -DORDERED
#include <assert.h>
#include <pthread.h>

pthread_mutex_t fork_lock[N];
int in_use[N];

void eat(int left, int right)
{
    assert(!in_use[left] && !in_use[right]);
    in_use[left] = in_use[right] = 1;
    in_use[left] = in_use[right] = 0;
}

void *philosopher(void *arg)
{
    int left = *(int *)arg, right = (left + 1) % N;
#ifdef ORDERED
    int first = left < right ? left : right, second = left + right - first;
#else
    int first = left, second = right;
#endif
    pthread_mutex_lock(&fork_lock[first]);
    pthread_mutex_lock(&fork_lock[second]);
    eat(left, right);
    pthread_mutex_unlock(&fork_lock[second]);
    pthread_mutex_unlock(&fork_lock[first]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int seats[N];
    for (int k = 0; k < N; k++) {
        seats[k] = k;
        pthread_create(&threads[k], 0, philosopher, &seats[k]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(threads[k], 0);
    return 0;
}
