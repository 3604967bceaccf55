// Two threads add each other's sum to their own, N times each. Strictly taking turns gives the largest sum, the Fibonacci
// number F(2N+2); no other schedule reaches it.
// expect: SAFE for N in 2..12
// expect: UNSAFE for N in 2..12 with -DWRONG
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
#define WITHIN(sum, largest) ((sum) < (largest))
#else
#define WITHIN(sum, largest) ((sum) <= (largest))
#endif

int left = 1, right = 1;

void *add_right(void *unused)
{
    for (int k = 0; k < N; k++)
        left += right;
    return 0;
}

void *add_left(void *unused)
{
    for (int k = 0; k < N; k++)
        right += left;
    return 0;
}

int main(void)
{
    int largest = 1, before = 1;
    for (int k = 0; k < 2 * N; k++) {
        int sum = largest + before;
        before = largest;
        largest = sum;
    }
    pthread_t t, u;
    pthread_create(&t, 0, add_right, 0);
    pthread_create(&u, 0, add_left, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(WITHIN(left, largest) && WITHIN(right, largest));
    return 0;
}
