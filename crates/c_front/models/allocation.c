/* Allocation beyond malloc, calloc and free, which lowering does itself (and which fail only if the user asks for that). */

int *__errno_location(void);
void *malloc(unsigned long size);
void free(void *p);
void *memcpy(void *to, const void *from, unsigned long size);

void *realloc(void *p, unsigned long size)
{
    if (!p)
        return malloc(size);
    if (size == 0) {
        /* C leaves this to the implementation; glibc frees. */
        free(p);
        return 0;
    }
    unsigned long old = __heddle_object_size(p);
    void *q = malloc(size);
    if (!q)
        return 0;
    memcpy(q, p, old < size ? old : size);
    /* Also finds out whether `p` was a block of the heap at all. */
    free(p);
    return q;
}

void *reallocarray(void *p, unsigned long count, unsigned long size)
{
    if (size != 0 && count > ~0ul / size) {
        *__errno_location() = 12; /* ENOMEM */
        return 0;
    }
    return realloc(p, count * size);
}

int posix_memalign(void **result, unsigned long alignment, unsigned long size)
{
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    void *p = malloc(size);
    if (!p)
        return 12; /* ENOMEM */
    *result = p;
    return 0;
}
