/* Messages about errors, and the end of the process behind some of them. They are printed in programs that are executed only. */

typedef __builtin_va_list arguments;

void exit(int status);
int fprintf(void *stream, const char *format, ...);
int vfprintf(void *stream, const char *format, arguments list);
char *strerror(int error);
int *__errno_location(void);

enum { STANDARD_ERROR = 2 };

void perror(const char *s)
{
    if (s && *s)
        fprintf((void *)STANDARD_ERROR, "%s: ", s);
    fprintf((void *)STANDARD_ERROR, "%s\n", strerror(*__errno_location()));
}

/* The message behind the program's name, and the text of an error number, if there is one. */
static void tell(const char *format, arguments list, int error)
{
    if (!__heddle_executing())
        return;
    fprintf((void *)STANDARD_ERROR, "program: ");
    if (format)
        vfprintf((void *)STANDARD_ERROR, format, list);
    if (error >= 0)
        fprintf((void *)STANDARD_ERROR, format ? ": %s" : "%s", strerror(error));
    fprintf((void *)STANDARD_ERROR, "\n");
}

void warn(const char *format, ...)
{
    arguments list;
    int error = *__errno_location();
    __builtin_va_start(list, format);
    tell(format, list, error);
    __builtin_va_end(list);
}

void warnx(const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    tell(format, list, -1);
    __builtin_va_end(list);
}

void err(int status, const char *format, ...)
{
    arguments list;
    int error = *__errno_location();
    __builtin_va_start(list, format);
    tell(format, list, error);
    __builtin_va_end(list);
    exit(status);
}

void errx(int status, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    tell(format, list, -1);
    __builtin_va_end(list);
    exit(status);
}

void error(int status, int number, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    tell(format, list, number ? number : -1);
    __builtin_va_end(list);
    if (status)
        exit(status);
}

/* The names that glibc's headers give it. */

void __error_alias(int status, int number, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    tell(format, list, number ? number : -1);
    __builtin_va_end(list);
    if (status)
        exit(status);
}

void __error_noreturn(int status, int number, const char *format, ...)
{
    arguments list;
    __builtin_va_start(list, format);
    tell(format, list, number ? number : -1);
    __builtin_va_end(list);
    exit(status);
}
