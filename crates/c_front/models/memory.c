/* Functions on memory beyond memcpy, memmove and memset, which lowering does itself. */

void *memmove(void *to, const void *from, unsigned long size);

int memcmp(const void *a, const void *b, unsigned long size)
{
    const unsigned char *p = a, *q = b;
    for (unsigned long i = 0; i < size; i++) {
        int x = p[i], y = q[i];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int bcmp(const void *a, const void *b, unsigned long size)
{
    return memcmp(a, b, size);
}

void *memchr(const void *s, int c, unsigned long size)
{
    const unsigned char *p = s;
    for (unsigned long i = 0; i < size; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *memrchr(const void *s, int c, unsigned long size)
{
    const unsigned char *p = s;
    while (size > 0) {
        size--;
        if (p[size] == (unsigned char)c)
            return (void *)(p + size);
    }
    return 0;
}

void *memmem(const void *s, unsigned long size, const void *part, unsigned long length)
{
    const unsigned char *p = s;
    for (unsigned long i = 0; length <= size && i <= size - length; i++)
        if (memcmp(p + i, part, length) == 0)
            return (void *)(p + i);
    return 0;
}

void *memccpy(void *to, const void *from, int c, unsigned long size)
{
    unsigned char *p = to;
    const unsigned char *q = from;
    for (unsigned long i = 0; i < size; i++) {
        p[i] = q[i];
        if (q[i] == (unsigned char)c)
            return p + i + 1;
    }
    return 0;
}

void bcopy(const void *from, void *to, unsigned long size)
{
    memmove(to, from, size);
}
