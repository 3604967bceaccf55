// N writers set a flag and then a second one; a reader looks. Whoever sees the second flag also sees the first, if it
// looks in the opposite order. The wrong reader looks in the order of the writers.
// expect: SAFE for N in 2,3,4,5,10,20,30,40,50
// expect: UNSAFE for N in 2,3,4,5,10,20,30,40,50 with -DWRONG
#include <assert.h>
#include <pthread.h>

int first, second;

void *writer(void *unused)
{
    first = 1;
    second = 1;
    return 0;
}

void *reader(void *unused)
{
#ifdef WRONG
    int f = first, s = second;
#else
    int s = second, f = first;
#endif
    assert(f >= s);
    return 0;
}

int main(void)
{
    pthread_t writers[N], r;
    for (int k = 0; k < N; k++)
        pthread_create(&writers[k], 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    for (int k = 0; k < N; k++)
        pthread_join(writers[k], 0);
    pthread_join(r, 0);
    return 0;
}
