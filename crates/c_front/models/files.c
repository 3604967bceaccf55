/* Files. Any may be there or not; what is read from one is arbitrary (input.c), what is written to one is nowhere to be found. A stream
   is not an object but a name, as the standard streams are. */

int getchar(void);
void *malloc(unsigned long size);
void *realloc(void *p, unsigned long size);
void free(void *p);

static void *stream(void)
{
    return __heddle_choose("file_opens") ? (void *)4 : 0;
}

void *fopen(const char *path, const char *mode)
{
    return stream();
}

void *fopen64(const char *path, const char *mode)
{
    return stream();
}

void *freopen(const char *path, const char *mode, void *old)
{
    return stream();
}

void *fdopen(int file, const char *mode)
{
    return stream();
}

void *tmpfile(void)
{
    return stream();
}

int fclose(void *stream)
{
    return 0;
}

int feof(void *stream)
{
    return __heddle_choose("input_ends");
}

int ferror(void *stream)
{
    return __heddle_choose("input_fails");
}

void clearerr(void *stream)
{
}

int fileno(void *stream)
{
    return stream == (void *)3 ? 0 : (int)(long)stream;
}

int fseek(void *stream, long offset, int whence)
{
    return __heddle_choose("seek_fails") ? -1 : 0;
}

void rewind(void *stream)
{
}

/* -1, or a place in the file. */
long ftell(void *stream)
{
    int place = __heddle_nondet("file_position");
    __heddle_assume(place >= -1);
    return place;
}

int ungetc(int c, void *stream)
{
    return c == -1 ? -1 : (unsigned char)c;
}

unsigned long fread(void *to, unsigned long size, unsigned long count, void *stream)
{
    unsigned long bytes = size * count, n = 0;
    for (int c; n < bytes && (c = getchar()) != -1; n++)
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
    return __heddle_choose("remove_fails") ? -1 : 0;
}

int rename(const char *from, const char *to)
{
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
        c = getchar();
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
