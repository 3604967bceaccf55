/* Functions whose calls lowering computes itself, for programs that use them by their address. */

void *malloc(unsigned long size)
{
    return malloc(size);
}

void *calloc(unsigned long count, unsigned long size)
{
    return calloc(count, size);
}

void free(void *p)
{
    free(p);
}

void *memcpy(void *to, const void *from, unsigned long size)
{
    return memcpy(to, from, size);
}

void *memmove(void *to, const void *from, unsigned long size)
{
    return memmove(to, from, size);
}

void *memset(void *to, int byte, unsigned long size)
{
    return memset(to, byte, size);
}

void abort(void)
{
    abort();
}

int rand(void)
{
    return rand();
}

int puts(const char *s)
{
    return puts(s);
}

int putchar(int c)
{
    return putchar(c);
}

double fabs(double x)
{
    return fabs(x);
}

double sqrt(double x)
{
    return sqrt(x);
}
