// expect: SAFE
// [SCAR Fig. 4(c), 5(c)] A read of the first write comes before every later write (Rule 3): having seen the old value, the
// thread cannot have come after a thread that wrote the new one and then set the flag it saw first.
#include <assert.h>
#include <pthread.h>

int x, flag;

void *writer(void *arg)
{
    x = 1;
    flag = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int f = flag;
    int v = x;
    assert(!(f == 1 && v == 0));
    pthread_join(t, 0);
    return 0;
}
