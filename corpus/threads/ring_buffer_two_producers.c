// expect: UNSAFE assert 52
// The ring buffer with two producers: both fill the same place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int ring[2];
atomic_uint head, tail;

int put(int value)
{
    unsigned t = tail;
    if (t - head == 2)
        return 0;
    ring[t % 2] = value;
    tail = t + 1;
    return 1;
}

int get(int *value)
{
    unsigned h = head;
    if (h == tail)
        return 0;
    *value = ring[h % 2];
    head = h + 1;
    return 1;
}

void *producer(void *arg)
{
    put(1);
    return 0;
}

void *producer2(void *arg)
{
    put(2);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, producer2, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    int v, sum = 0;
    while (get(&v))
        sum += v;
    assert(sum == 3);
    return 0;
}
