// expect: UNSAFE assert 35
// What one thread alone writes it knows, but not before it was published. Found by `stress`.
typedef unsigned long pthread_t;
typedef union { char bytes[32]; long align; } sem_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
void __VERIFIER_assert(int);
int y;
sem_t s0;
pthread_t id0, id1, id2;

static void *thread1(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    sem_wait(&s0);
    return 0;
}

static void *thread0(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    y = 3;
    return 0;
}

int main(void) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    sem_init(&s0, 0, 2);
    pthread_create(&id0, 0, thread0, 0);
    pthread_create(&id1, 0, thread1, 0);
    pthread_join(id1, 0);
    __VERIFIER_assert(y != 3);
    return 0;
}
