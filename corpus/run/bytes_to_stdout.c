#include <stdio.h>
#include <unistd.h>

int main(void)
{
    const char text[] = "one two three\n";
    fflush(stdout);
    long n = write(1, text, 4);
    printf("[%ld]\n", n);
    fflush(stdout);
    fwrite(text + 4, 2, 5, stdout);
    fputs("fputs\n", stdout);
    printf("%d\n", (int)fwrite(text, 7, 2, stdout));
    return 0;
}
