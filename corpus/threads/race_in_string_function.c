// expect: UNSAFE race 11
// args: --property race
// What a library function reads and writes can race like any other access.
#include <pthread.h>
#include <string.h>

char name[8];

void *worker(void *arg)
{
    strcpy(name, "new");
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int length = strlen(name);
    pthread_join(t, 0);
    return length;
}
