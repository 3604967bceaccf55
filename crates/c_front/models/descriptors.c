/* File descriptors, as files.c has streams. */

int getchar(void);

static int descriptor(void)
{
    return __heddle_choose("file_opens") ? 3 : -1;
}

int open(const char *path, int flags, ...)
{
    return descriptor();
}

int creat(const char *path, unsigned mode)
{
    return descriptor();
}

int close(int file)
{
    return 0;
}

/* Some bytes, none at the end, or an error. */
long read(int file, void *to, unsigned long size)
{
    unsigned long n = 0;
    for (int c; n < size && (c = getchar()) != -1; n++)
        ((char *)to)[n] = (char)c;
    return n == 0 && __heddle_choose("input_fails") ? -1 : (long)n;
}

int isatty(int file)
{
    return __heddle_choose("is_terminal");
}

int fsync(int file)
{
    return 0;
}

int unlink(const char *path)
{
    return __heddle_choose("remove_fails") ? -1 : 0;
}
