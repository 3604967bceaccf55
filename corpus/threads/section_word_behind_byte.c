// expect: SAFE
// A word is written, a byte of it, and the word again: nobody sees the byte.
#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
union { int word; unsigned char byte[4]; } u;
static void *thread(void *arg) {
    __VERIFIER_atomic_begin();
    u.word = 1;
    u.byte[1] = 5;
    u.word = 2;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    int seen = u.word;
    assert(seen == 0 || seen == 2);
    pthread_join(t, 0);
    assert(u.word == 2);
    return 0;
}
