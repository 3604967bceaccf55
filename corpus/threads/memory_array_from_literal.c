// expect: SAFE
// An array that is initialised from a literal can be written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    char s[] = "abc";
    s[0] = 'x';
    assert(s[1] == 'b');
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
