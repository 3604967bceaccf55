// A stack of N elements behind a mutex. One thread pushes N values, another tries to pop N times. The wrong one takes
// "something was pushed once" for "something is there"; the small one has no room for all N, which shows only if nothing is
// popped before the last push.
// expect: SAFE for N in 2,3,4,5,10,15,20,30,40,50
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DWRONG
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DSMALL
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#ifdef SMALL
#define ROOM (N - 1)
#else
#define ROOM N
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int elements[ROOM];
int count, pushed_once;

void push(int value)
{
    assert(count < ROOM);
    elements[count] = value;
    count = count + 1;
    pushed_once = 1;
}

int pop(void)
{
    assert(count > 0);
    count = count - 1;
    return elements[count];
}

int something_there(void)
{
#ifdef WRONG
    return pushed_once;
#else
    return count > 0;
#endif
}

void *pusher(void *unused)
{
    for (int k = 0; k < N; k++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        push(value);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *popper(void *unused)
{
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
        if (something_there())
            pop();
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, pusher, 0);
    pthread_create(&u, 0, popper, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
