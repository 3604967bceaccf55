/* Output functions for programs that use them by their address; calls by name are steps of the machine. In a program that is verified
   their results are arbitrary and nothing else is known of them. */

typedef __builtin_va_list arguments;

int vprintf(const char *format, arguments list);
int vfprintf(void *stream, const char *format, arguments list);
int fputs(const char *s, void *stream);
int fputc(int c, void *stream);
unsigned long fwrite(const void *from, unsigned long size, unsigned long count, void *stream);

int printf(const char *format, ...)
{
    if (!__heddle_executing())
        return __heddle_nondet("printed");
    arguments list;
    __builtin_va_start(list, format);
    int length = vprintf(format, list);
    __builtin_va_end(list);
    return length;
}

int fprintf(void *stream, const char *format, ...)
{
    if (!__heddle_executing())
        return __heddle_nondet("printed");
    arguments list;
    __builtin_va_start(list, format);
    int length = vfprintf(stream, format, list);
    __builtin_va_end(list);
    return length;
}

int fputs(const char *s, void *stream)
{
    return fputs(s, stream);
}

int fputc(int c, void *stream)
{
    return fputc(c, stream);
}

unsigned long fwrite(const void *from, unsigned long size, unsigned long count, void *stream)
{
    return fwrite(from, size, count, stream);
}
