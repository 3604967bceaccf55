// A block on the stack of a thread that others read before the call returns: the thread can be interrupted there.
// args: --property assert
// expect: UNSAFE assert 22
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int *lent;

void *owner(void *unused)
{
    int *block = alloca(sizeof *block);
    *block = 1;
    lent = block;
    return NULL;
}

void *reader(void *unused)
{
    int *its = lent;
    assert(its == NULL || *its != 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, owner, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
