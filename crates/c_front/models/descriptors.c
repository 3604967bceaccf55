/* File descriptors, as files.c has streams. In a program that is executed a descriptor from 3 on is one less than the stream's number. */

int getc(void *stream);
int *__errno_location(void);

static int done(int result)
{
    if (result >= 0)
        return result;
    *__errno_location() = -result;
    return -1;
}

static void *stream_of(int file)
{
    return (void *)(long)(file == 0 ? 3 : file < 3 ? file : file + 1);
}

static int descriptor(void)
{
    return __heddle_choose("file_opens") ? 3 : -1;
}

int open(const char *path, int flags, ...)
{
    if (__heddle_executing()) {
        int number = done(__heddle_machine("open", path, flags));
        return number < 0 ? -1 : number - 1;
    }
    return descriptor();
}

int creat(const char *path, unsigned mode)
{
    /* To write, made if it is not there, empty. */
    return open(path, 01101);
}

int close(int file)
{
    if (__heddle_executing() && file > 2)
        return __heddle_machine("fclose", stream_of(file));
    return 0;
}

long lseek(int file, long offset, int whence)
{
    if (__heddle_executing()) {
        if (done(__heddle_machine("fseek", stream_of(file), (long long)offset, whence)) < 0)
            return -1;
        return __heddle_machine("ftell", stream_of(file));
    }
    int place = __heddle_nondet("file_position");
    __heddle_assume(place >= -1);
    return place;
}

/* Some bytes, none at the end, or an error. */
long read(int file, void *to, unsigned long size)
{
    unsigned long n = 0;
    for (int c; n < size && (c = getc(stream_of(file))) != -1; n++)
        ((char *)to)[n] = (char)c;
    if (__heddle_executing())
        return n == 0 && __heddle_machine("ferror", stream_of(file)) ? -1 : (long)n;
    return n == 0 && __heddle_choose("input_fails") ? -1 : (long)n;
}

int isatty(int file)
{
    return __heddle_executing() ? 0 : __heddle_choose("is_terminal");
}

int fsync(int file)
{
    return 0;
}

int unlink(const char *path)
{
    if (__heddle_executing())
        return done(__heddle_machine("remove", path));
    return __heddle_choose("remove_fails") ? -1 : 0;
}
