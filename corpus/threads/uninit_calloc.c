// expect: SAFE
// args: --property default,uninit
// calloc does.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p;

void *look(void *arg)
{
    assert(*p == 0);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    p = calloc(1, sizeof *p);
    pthread_create(&t, 0, look, 0);
    pthread_create(&u, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
