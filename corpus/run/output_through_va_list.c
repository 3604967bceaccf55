// Formatted output with arguments that a function was given.
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vprintf(format, list);
    va_end(list);
    return length;
}

static int tell(FILE *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(to, format, list);
    va_end(list);
    return length;
}

int main(void)
{
    int length = say("%s %d %5.2f|%c\n", "hi", 42, 3.14159, 'z');
    printf("%d\n", length);
    length = tell(stdout, "%-5s|%05d|%e\n", "ab", -7, 12345.678);
    printf("%d\n", length);
    return 0;
}
