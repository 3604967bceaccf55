// expect: UNSAFE assert 17
// A ticket lock whose tickets are drawn in two steps: two threads draw the same.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

unsigned next_ticket, serving;
int inside;

void *enter(void *arg)
{
    unsigned mine = next_ticket++;
    unsigned now = __atomic_load_n(&serving, __ATOMIC_SEQ_CST);
    __VERIFIER_assume(now == mine);
    int met = inside++;
    assert(met == 0);
    inside--;
    __atomic_store_n(&serving, mine + 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, enter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
