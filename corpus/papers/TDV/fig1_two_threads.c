// expect: UNSAFE assert 22
// [TDV Fig. 1] The running example with the test input a = 1, b = 0. Marks are the paper's line numbers; Table 1 lists
// the interleavings of 1 2 5 and 6 7.
#include <assert.h>
#include <pthread.h>

int y;
int other;

void complexA(void)
{
    other = 1; /* L3 */
}

void *foo(void *arg)
{
    int a = *(int *)arg;
    y = a + 1; /* L1 */
    if (y < 2) /* L2 */
        complexA();
    else
        assert(y >= 2); /* L5 */
    return 0;
}

void complexB(void)
{
    other = 2; /* L9 */
}

void *bar(void *arg)
{
    int b;
    if ((b = *(int *)arg) >= 0) /* L6 */
        y = b + 1;              /* L7 */
    else
        complexB();
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int a = 1, b = 0;
    pthread_create(&t, 0, foo, &a);
    pthread_create(&u, 0, bar, &b);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
