// expect: SAFE
// What a program defines itself takes precedence over the library, as with a linker.
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int strcasestr = 3;

size_t strlen(const char *s)
{
    return 42;
}

int main(void)
{
    char buffer[8];
    pthread_mutex_lock(&m);
    strcpy(buffer, "abc");
    assert(strlen(buffer) == 42 && buffer[3] == 0 && strcasestr == 3);
    pthread_mutex_unlock(&m);
    return 0;
}
