// expect: UNSAFE deadlock 22|30
// A wake-up without reason may come before the other thread ends, but nobody can rely on it.
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long long align; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int z = 1;
pthread_mutex_t m0;
pthread_cond_t c0;
pthread_t id0, id1;

static void *thread1(void *arg) {
    return 0;
}

static void *thread0(void *arg) {
    pthread_mutex_lock(&m0);
    if (z > 0) pthread_cond_wait(&c0, &m0);
    pthread_mutex_unlock(&m0);
    return 0;
}

int main(void) {
    pthread_create(&id0, 0, thread0, 0);
    pthread_create(&id1, 0, thread1, 0);
    pthread_join(id0, 0);
    return 0;
}
