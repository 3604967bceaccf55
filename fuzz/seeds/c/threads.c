typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);
_Atomic int a;
static _Thread_local int own = 3;
static void *work(void *arg) { a += *(int *)arg; own++; return 0; }
int main(void) {
    pthread_t id; int one = 1;
    pthread_create(&id, 0, work, &one);
    a = __atomic_load_n(&a, 2) + 1;
    pthread_join(id, 0);
    __VERIFIER_assert(a == 2);
}
