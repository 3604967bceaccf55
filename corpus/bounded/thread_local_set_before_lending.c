// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A thread-local that was changed before another thread got its address.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

__thread struct pair mine = {1, 2};

void *borrower(void *arg)
{
    struct pair *p = arg;
    assert(p->a == 7 && p->b == 2 && mine.a == 1);
    p->b = p->b + p->a;
    assert(p->b == 9);
    return 0;
}

int main(void)
{
    pthread_t t;
    mine.a = 7;
    pthread_create(&t, 0, borrower, &mine);
    assert(mine.a == 7);
    pthread_join(t, 0);
    assert(mine.b == 9);
    return 0;
}
