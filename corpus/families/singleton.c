// N threads ask for an object that the first one of them makes. The wrong one looks outside the lock only, so that two make it.
// expect: SAFE for N in 2..10
// expect: UNSAFE for N in 2..10 with -DWRONG
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct object {
    int uses;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct object *_Atomic instance;
int made;

struct object *get(void)
{
    struct object *found = instance;
    if (found)
        return found;
    pthread_mutex_lock(&lock);
#ifdef WRONG
    found = 0;
#else
    found = instance;
#endif
    if (!found) {
        found = malloc(sizeof *found);
        found->uses = 0;
        made++;
        instance = found;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void *user(void *unused)
{
    struct object *mine = get();
    pthread_mutex_lock(&lock);
    mine->uses++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t users[N];
    for (int k = 0; k < N; k++)
        pthread_create(&users[k], 0, user, 0);
    for (int k = 0; k < N; k++)
        pthread_join(users[k], 0);
    assert(made == 1 && instance->uses == N);
    return 0;
}
