// expect: UNSAFE assert 36
// args: --allow-missing --domain a=1,2 --domain b=2,6
// [DEFUSE Fig. 4, Table I] One pair of the running example as an assertion: the definition of x at L13 reaches the use at L4
// if T1 finds x at most 2 and T0 takes its other branch afterwards.
#include <assert.h>
#include <pthread.h>

int x, y, z;

int a(void);
int b(void);

void *t1(void *arg)
{
    int v = b();
    if (v <= 5)
        v = y - 1;
    if (x > 2) /* L10 */
        y = z + 1;
    else
        x = z - 1; /* L13 */
    return (void *)(long)v;
}

int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, t1, 0);
    if (a() > 1)
        z = x + 2;
    else {
        int used = x; /* L4 */
        z = used - 2;
        x = 3;
        // Only L13 writes -1.
        assert(used != -1);
    }
    pthread_join(p, 0);
    return 0;
}
