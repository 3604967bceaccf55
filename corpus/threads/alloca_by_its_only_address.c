// A block on the stack of a call that ends, of which only another thread has the address.
// expect: UNSAFE memory 34
#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);
_Atomic(int *) given;
atomic_int taken;

void lend(void)
{
    int *block = alloca(sizeof *block);
    *block = 0;
    given = block;
    __VERIFIER_assume(taken);
}

void *owner(void *unused)
{
    lend();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, owner, NULL);
    int *its = given;
    __VERIFIER_assume(its != NULL);
    given = NULL;
    taken = 1;
    *its = 1;
    pthread_join(thread, NULL);
    return 0;
}
