// A thread's own object that another thread has the only address of: accesses to it concern the owner all the same.
// expect: UNSAFE assert 17
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);
_Thread_local int own;
_Atomic(int *) given;
atomic_int taken;

void *owner(void *unused)
{
    given = &own;
    __VERIFIER_assume(taken);
    assert(own == 1);
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
