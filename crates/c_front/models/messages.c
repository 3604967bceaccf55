/* Messages about errors, and the end of the process behind some of them. */

void exit(int status);

void warn(const char *format, ...)
{
}

void warnx(const char *format, ...)
{
}

void err(int status, const char *format, ...)
{
    exit(status);
}

void errx(int status, const char *format, ...)
{
    exit(status);
}

void error(int status, int number, const char *format, ...)
{
    if (status)
        exit(status);
}

/* The names that glibc's headers give it. */

void __error_alias(int status, int number, const char *format, ...)
{
    error(status, number, format);
}

void __error_noreturn(int status, int number, const char *format, ...)
{
    exit(status);
}
