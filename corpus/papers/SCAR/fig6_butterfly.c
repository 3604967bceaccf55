// expect: SAFE
// [SCAR Fig. 6] A butterfly: every thread of the left wing overlaps every thread of the right wing, while within a wing each must be
// over before the other one begins. No order of the wings' threads fits, yet Rules 1 to 3 derive nothing from the reads alone.
#include <assert.h>
#include <pthread.h>

int m, n, x, y;
int seen_a, seen_b, seen_c, seen_d;
int fits_a, fits_b, fits_c, fits_d;

void *a(void *arg)
{
    m = 1;
    n = 2;
    seen_a = 1;
    if (seen_c && seen_d && m == 1)
        fits_a = 1;
    return 0;
}

void *b(void *arg)
{
    n = 1;
    m = 2;
    seen_b = 1;
    if (seen_c && seen_d && n == 1)
        fits_b = 1;
    return 0;
}

void *c(void *arg)
{
    x = 1;
    y = 2;
    seen_c = 1;
    if (seen_a && seen_b && x == 1)
        fits_c = 1;
    return 0;
}

void *d(void *arg)
{
    y = 1;
    x = 2;
    seen_d = 1;
    if (seen_a && seen_b && y == 1)
        fits_d = 1;
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_create(&t[2], 0, c, 0);
    pthread_create(&t[3], 0, d, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(fits_a && fits_b && fits_c && fits_d));
    return 0;
}
