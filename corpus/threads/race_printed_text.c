// expect: UNSAFE race 11|19
// args: --property race
#include <pthread.h>
#include <stdio.h>

char text[] = "hello";

void *worker(void *arg)
{
    (void)arg;
    text[4] = 'a';
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    printf("%s\n", text);
    pthread_join(t, 0);
    return 0;
}
