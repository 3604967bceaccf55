/* Files. In a program that is verified any may be there or not; what is read from one is arbitrary (input.c), what is written to one is
   nowhere to be found. A stream is not an object but a number, as the standard streams are. In one that is executed the machine keeps
   the files (its module `files`): what is written can be read back. */

int getc(void *stream);
void *malloc(unsigned long size);
void *realloc(void *p, unsigned long size);
void free(void *p);
int *__errno_location(void);

/* A result of the machine: a negative one is an error number. */
static int done(int result)
{
    if (result >= 0)
        return result;
    *__errno_location() = -result;
    return -1;
}

static void *opened(int number)
{
    number = done(number);
    return number < 0 ? 0 : (void *)(long)number;
}

static void *stream(void)
{
    return __heddle_choose("file_opens") ? (void *)4 : 0;
}

void *fopen(const char *path, const char *mode)
{
    if (__heddle_executing())
        return opened(__heddle_machine("fopen", path, mode));
    return stream();
}

void *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

void *freopen(const char *path, const char *mode, void *old)
{
    if (__heddle_executing()) {
        __heddle_machine("fclose", old);
        return opened((long)old > 3 ? __heddle_machine("fopen", path, mode) : __heddle_machine("freopen"));
    }
    return stream();
}

void *fdopen(int file, const char *mode)
{
    if (__heddle_executing())
        return file == 0 ? (void *)3 : file < 3 ? (void *)(long)file : (void *)(long)(file + 1);
    return stream();
}

void *tmpfile(void)
{
    if (__heddle_executing())
        return opened(__heddle_machine("tmpfile"));
    return stream();
}

int fclose(void *stream)
{
    if (__heddle_executing() && (long)stream > 3)
        return __heddle_machine("fclose", stream);
    return 0;
}

int feof(void *stream)
{
    return __heddle_executing() ? __heddle_machine("feof", stream) : __heddle_choose("input_ends");
}

int ferror(void *stream)
{
    return __heddle_executing() ? __heddle_machine("ferror", stream) : __heddle_choose("input_fails");
}

void clearerr(void *stream)
{
    if (__heddle_executing())
        __heddle_machine("set_flags", stream, 0, 0);
}

int fileno(void *stream)
{
    if (__heddle_executing())
        return stream == (void *)3 ? 0 : (long)stream < 3 ? (int)(long)stream : (int)(long)stream - 1;
    return stream == (void *)3 ? 0 : (int)(long)stream;
}

int fseek(void *stream, long offset, int whence)
{
    if (__heddle_executing())
        return done(__heddle_machine("fseek", stream, (long long)offset, whence));
    return __heddle_choose("seek_fails") ? -1 : 0;
}

int fseeko(void *stream, long offset, int whence)
{
    return fseek(stream, offset, whence);
}

void rewind(void *stream)
{
    if (__heddle_executing()) {
        __heddle_machine("fseek", stream, 0ll, 0);
        __heddle_machine("set_flags", stream, 0, 0);
    }
}

/* -1, or a place in the file. */
long ftell(void *stream)
{
    if (__heddle_executing())
        return __heddle_machine("ftell", stream);
    int place = __heddle_nondet("file_position");
    __heddle_assume(place >= -1);
    return place;
}

long ftello(void *stream)
{
    return ftell(stream);
}

int ungetc(int c, void *stream)
{
    if (c == -1 || (__heddle_executing() && !__heddle_machine("ungetc", stream, c)))
        return -1;
    return (unsigned char)c;
}

unsigned long fread(void *to, unsigned long size, unsigned long count, void *stream)
{
    unsigned long bytes = size * count, n = 0;
    for (int c; n < bytes && (c = getc(stream)) != -1; n++)
        ((char *)to)[n] = (char)c;
    return size == 0 ? 0 : n / size;
}

int setvbuf(void *stream, char *buffer, int mode, unsigned long size)
{
    return 0;
}

void setbuf(void *stream, char *buffer)
{
}

void setlinebuf(void *stream)
{
}

int remove(const char *path)
{
    if (__heddle_executing())
        return done(__heddle_machine("remove", path));
    return __heddle_choose("remove_fails") ? -1 : 0;
}

int rename(const char *from, const char *to)
{
    if (__heddle_executing())
        return done(__heddle_machine("rename", from, to));
    return __heddle_choose("rename_fails") ? -1 : 0;
}

long getdelim(char **line, unsigned long *size, int end, void *stream)
{
    unsigned long n = 0;
    int c;
    if (!*line)
        *size = 0;
    do {
        if (n + 2 > *size) {
            char *longer = realloc(*line, n + 120);
            if (!longer)
                return -1;
            *line = longer;
            *size = n + 120;
        }
        c = getc(stream);
        if (c != -1)
            (*line)[n++] = (char)c;
    } while (c != -1 && c != end);
    (*line)[n] = 0;
    return n == 0 ? -1 : (long)n;
}

long getline(char **line, unsigned long *size, void *stream)
{
    return getdelim(line, size, '\n', stream);
}
