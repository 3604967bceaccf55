// expect: SAFE
// A byte that the same section overwrites with a word is never seen.
#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
union { int word; unsigned char byte[4]; } u;
static void *thread(void *arg) {
    __VERIFIER_atomic_begin();
    u.byte[1] ^= 1;
    u.word = u.byte[1];
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    assert(u.word <= 1);
    return 0;
}
