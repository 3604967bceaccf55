/* Sorting and searching. The order of elements that compare equal is not specified by C; an insertion sort keeps it. */

void *memcpy(void *to, const void *from, unsigned long size);

static void swap(char *a, char *b, unsigned long size)
{
    /* Elements of the usual sizes move as a whole, so that their arrays stay arrays of words. */
    if (size == sizeof(int)) {
        int x, y;
        memcpy(&x, a, sizeof(int));
        memcpy(&y, b, sizeof(int));
        memcpy(a, &y, sizeof(int));
        memcpy(b, &x, sizeof(int));
    } else if (size == sizeof(long long)) {
        long long x, y;
        memcpy(&x, a, sizeof(long long));
        memcpy(&y, b, sizeof(long long));
        memcpy(a, &y, sizeof(long long));
        memcpy(b, &x, sizeof(long long));
    } else {
        for (unsigned long i = 0; i < size; i++) {
            char c = a[i];
            a[i] = b[i];
            b[i] = c;
        }
    }
}

void qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    char *array = base;
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long k = i; k > 0; k--) {
            char *here = array + k * size;
            if (compare(here - size, here) <= 0)
                break;
            swap(here - size, here, size);
        }
}

void qsort_r(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *, void *),
             void *arg)
{
    char *array = base;
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long k = i; k > 0; k--) {
            char *here = array + k * size;
            if (compare(here - size, here, arg) <= 0)
                break;
            swap(here - size, here, size);
        }
}

void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *))
{
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const char *here = (const char *)base + middle * size;
        int order = compare(key, here);
        if (order == 0)
            return (void *)here;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
