// expect: SAFE
// args: --property default,race
// A ring buffer for one producer and one consumer: each index has one writer, the slots are handed over by the indices.
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
    put(2);
    return 0;
}

void *consumer(void *arg)
{
    int v, last = 0;
    for (int i = 0; i < 2; i++)
        if (get(&v)) {
            assert(v == last + 1);
            last = v;
        }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, consumer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
