// expect: SAFE
// [SCAR Fig. 4(b), 5(b)] Orders through a second thread: a thread that sees the flag also sees what was written before it, or a
// later write, never the older one (Rules 1 and 2).
#include <assert.h>
#include <pthread.h>

int x, flag;

void *writer(void *arg)
{
    x = 1;    /* x0 */
    flag = 1;
    return 0;
}

void *reader(void *arg)
{
    if (flag) {
        x = 2;      /* x3 */
        int v = x;  /* x2 */
        assert(v == 2);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
