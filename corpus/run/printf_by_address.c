// Output functions through pointers.
#include <stdio.h>
#include <string.h>

static int logged(int (*print)(const char *, ...), int level)
{
    return print("[%d] %s %5.1f|%-4x|%c\n", level, "text", 3.14159, 255, 'z');
}

int main(void)
{
    int (*print)(const char *, ...) = printf;
    int (*to_stream)(FILE *, const char *, ...) = fprintf;
    int (*put)(const char *, FILE *) = fputs;
    char text[64];
    printf("%d\n", logged(print, 3));
    printf("%d\n", logged(printf, 4));
    to_stream(stdout, "%.17g %s\n", 0.1, "again");
    put("done\n", stdout);
    sprintf(text, "%.25f|%.3e|%g", 0.1, 1e300, 1e-5);
    puts(text);
    return 0;
}
