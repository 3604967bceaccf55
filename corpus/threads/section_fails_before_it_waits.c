// expect: UNSAFE assert 14
// What comes after a violation does not undo it: the section could never be made to its end.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x, y;

static void *thread(void *arg) {
    __VERIFIER_atomic_begin();
    y = x;
    assert(y != 0);
    __VERIFIER_assume(x);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    return 0;
}
