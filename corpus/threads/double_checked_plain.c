// expect: UNSAFE race 14|22
// args: --property race
// Double-checked locking with a plain pointer: the first look races with the assignment.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *instance;
int made;

void *use(void *arg)
{
    int *p = instance;
    if (!p) {
        pthread_mutex_lock(&m);
        p = instance;
        if (!p) {
            p = malloc(sizeof *p);
            *p = 42;
            made++;
            instance = p;
        }
        pthread_mutex_unlock(&m);
    }
    assert(*p == 42);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, use, 0);
    pthread_create(&u, 0, use, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(made == 1);
    return 0;
}
