// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A struct with pointers, copied by memcpy between threads.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct inner {
    char c;
    int *p;
};

struct outer {
    int n;
    struct inner in[2];
    char tail[3];
};

struct outer shared;
int target;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    struct outer mine = {0};
    mine.n = __VERIFIER_nondet_int();
    mine.in[1].c = (char)mine.n;
    mine.in[1].p = &target;
    mine.tail[2] = (char)(mine.n >> 8);
    pthread_mutex_lock(&m);
    memcpy(&shared, &mine, sizeof mine);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct outer copy;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    memcpy(&copy, &shared, sizeof copy);
    pthread_mutex_unlock(&m);
    assert(copy.in[1].c == (char)copy.n && copy.tail[2] == (char)(copy.n >> 8));
    if (copy.n)
        *copy.in[1].p = 3;
    pthread_join(t, 0);
    assert(copy.n == 0 || target == 3);
    assert(shared.n == copy.n || copy.n == 0);
    return 0;
}
