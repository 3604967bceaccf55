// expect: SAFE
// args: --allow-missing --domain a=1,2 --domain b=2,6 --domain c=1,3
// [DEFUSE Fig. 2] The running example; marks are the paper's line numbers. Lines 7 and 8 are not legible in every copy
// of the figure: b > 5 takes a branch that touches no shared variable. The inputs take values on both sides of each test.
#include <pthread.h>

int x, y, z;

int a(void);
int b(void);
int c(void);

void *t0(void *arg)
{
    if (a() > 1)   /* L1 */
        z = x + 2; /* L2 */
    else {
        z = x - 2; /* L4 */
        x = 3;     /* L5 */
    }
    return 0;
}

void *t1(void *arg)
{
    int v = b();
    if (v > 5)     /* L6 */
        v = 0;     /* L7 */
    else
        v = y - 1; /* L9 */
    if (x > 2)     /* L10 */
        y = z + 1; /* L11 */
    else
        x = z - 1; /* L13 */
    return (void *)(long)v;
}

void *t2(void *arg)
{
    int d;
    if (c() < 2) /* L14 */
        d = 1;   /* L15 */
    else
        d = 0;   /* L17 */
    return (void *)(long)d;
}

int main(void)
{
    pthread_t p[3];
    pthread_create(&p[0], 0, t0, 0);
    pthread_create(&p[1], 0, t1, 0);
    pthread_create(&p[2], 0, t2, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(p[i], 0);
    return 0;
}
