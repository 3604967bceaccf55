// expect: SAFE
// A sequence lock: the reader that saw the same even number twice saw one update as a whole.
#include <assert.h>
#include <pthread.h>

unsigned sequence;
int a, b;

void *writer(void *arg)
{
    sequence++;
    a++;
    b++;
    sequence++;
    return 0;
}

void *reader(void *arg)
{
    unsigned before = sequence;
    int x = a, y = b;
    unsigned after = sequence;
    if (before == after && before % 2 == 0)
        assert(x == y);
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
