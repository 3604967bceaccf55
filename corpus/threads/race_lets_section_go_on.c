// expect: UNSAFE race 13|19
// args: --property race
// The section cannot go on before the write that it races with, so nobody ever sees both about to happen.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x;

static void *reader(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x > 0);
    __VERIFIER_atomic_end();
    return 0;
}

static void *writer(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
