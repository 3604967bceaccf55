// expect: UNSAFE assert 22
// An object that is published before it is filled.
#include <assert.h>
#include <pthread.h>

struct message {
    int a, b;
} storage, *_Atomic published;

void *writer(void *arg)
{
    published = &storage;
    storage.a = 1;
    storage.b = 2;
    return 0;
}

void *reader(void *arg)
{
    struct message *m = published;
    if (m)
        assert(m->a + m->b == 3);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
