// expect: UNSAFE assert 21
// A byte of what a section wrote is written again: the rest of the word is there all the same.
#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
union { int word; unsigned char byte[4]; } u;
static void *thread(void *arg) {
    __VERIFIER_atomic_begin();
    u.word = 0x01020304;
    u.byte[0] = 9;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    int seen = u.word;
    assert(seen == 0 || seen == 0x01020309);
    pthread_join(t, 0);
    assert(u.word != 0x01020309);
    return 0;
}
