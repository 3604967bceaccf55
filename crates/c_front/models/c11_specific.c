/* Thread-specific storage of C11, in terms of POSIX keys. */

int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
void *pthread_getspecific(unsigned key);

enum { SUCCESS = 0, ERROR = 2 };

int tss_create(unsigned *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor) == 0 ? SUCCESS : ERROR;
}

void tss_delete(unsigned key)
{
    pthread_key_delete(key);
}

int tss_set(unsigned key, void *value)
{
    return pthread_setspecific(key, value) == 0 ? SUCCESS : ERROR;
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}
