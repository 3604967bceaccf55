// expect: UNSAFE deadlock 24
// A thread that waits for itself is a deadlock although another one is stopped by an assumption. Found by `stress`.
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assume(int);
int a[2];
pthread_mutex_t m0;
pthread_t id0, id1, id2;

static void *thread1(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    __VERIFIER_assume(a[0] != a[0]);
    return 0;
}

static void *thread0(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    pthread_mutex_lock(&m0);
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    return 0;
}

int main(void) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    pthread_create(&id0, 0, thread0, 0);
    pthread_create(&id1, 0, thread1, 0);
    return 0;
}
