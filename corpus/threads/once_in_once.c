// expect: UNSAFE deadlock 8
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;

void init(void)
{
    pthread_once(&once, init);
}

int main(void)
{
    pthread_once(&once, init);
    return 0;
}
