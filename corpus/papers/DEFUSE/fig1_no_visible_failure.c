// expect: SAFE
// args: --allow-missing --domain a=1..2 --domain b=1..2 --domain c=1..2 --domain left_out=0..2
// [DEFUSE Fig. 1] Three threads of two branches each on one variable. No interleaving fails visibly, but reads get their
// values from many definitions. As in the paper's count, each pair of threads runs by itself.
#include <pthread.h>

int x = 1;

int a(void);
int b(void);
int c(void);
int left_out(void);

void *t1(void *arg)
{
    if (a() > 1)
        x = x + 2;
    else
        x = x + 3;
    if (x > 8)
        x = x * 2;
    else
        x = x * 3;
    return 0;
}

void *t2(void *arg)
{
    if (b() > 1)
        x = x * 2;
    else
        x = x * 3;
    if (x > 8)
        x = x ^ 2;
    else
        x = x ^ 3;
    return 0;
}

void *t3(void *arg)
{
    if (c() > 1)
        x = x ^ 2;
    else
        x = x ^ 3;
    if (x > 8)
        x = x + 2;
    else
        x = x + 3;
    return 0;
}

int main(void)
{
    void *(*threads[3])(void *) = {t1, t2, t3};
    pthread_t p[3];
    int skip = left_out();
    for (int i = 0; i < 3; i++)
        if (i != skip)
            pthread_create(&p[i], 0, threads[i], 0);
    for (int i = 0; i < 3; i++)
        if (i != skip)
            pthread_join(p[i], 0);
    return 0;
}
