/* Mapped memory: new, and zero where no file is mapped. Mapping at a place that the program chooses is refused as the system may refuse it. */

enum { ANONYMOUS = 0x20 };

static void *failed(void)
{
    return (void *)-1;
}

void *mmap(void *at, unsigned long size, int protection, int flags, int file, long offset)
{
    if (at || size == 0 || __heddle_choose("mmap_fails"))
        return failed();
    char *memory = __heddle_new(size);
    if (!(flags & ANONYMOUS))
        for (unsigned long i = 0; i < size; i++)
            memory[i] = __VERIFIER_nondet_char();
    return memory;
}

int munmap(void *at, unsigned long size)
{
    return 0;
}

int mprotect(void *at, unsigned long size, int protection)
{
    return 0;
}

int madvise(void *at, unsigned long size, int advice)
{
    return 0;
}
