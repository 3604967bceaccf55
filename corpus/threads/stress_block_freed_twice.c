// expect: UNSAFE memory 20|29
// A block that two threads free; it exists only on some paths. Found by `stress`.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void *malloc(unsigned long);
void free(void *);
int *h;
pthread_t id0, id1, id2;

static void *thread1(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    p = malloc(4); *p = 1; h = p;
    return 0;
}

static void *thread0(void *arg) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    free(h); h = 0;
    return 0;
}

int main(void) {
    int r0 = 0, r1 = 0;
    int *p = 0;
    pthread_create(&id0, 0, thread0, 0);
    pthread_create(&id1, 0, thread1, 0);
    free(h); h = 0;
    return 0;
}
