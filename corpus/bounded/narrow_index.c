// expect: SAFE
// engines: order refine clock lazy
// args: --property memory,assert
// The index has so few bits that its term and the array's address become one constant and two bits.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned char ports[4];
unsigned minor;

void *reader(void *unused)
{
    int port = (minor & 0x1f) >> 3;
    assert(ports[port] <= 3);
    return 0;
}

void *writer(void *unused)
{
    ports[(minor & 0x1f) >> 3] = 3;
    return 0;
}

int main(void)
{
    pthread_t r, w;
    minor = __VERIFIER_nondet_uint();
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, 0);
    return 0;
}
