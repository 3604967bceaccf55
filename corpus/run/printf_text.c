// printf: strings and characters; puts, putchar, fputs.
#include <stdio.h>

int main(void) {
    const char *s = "hello";
    char raw[3] = {'a', 'b', 'c'};
    printf("[%s][%10s][%-10s][%.2s][%8.3s][%-8.3s][%.*s]\n", s, s, s, s, s, s, 4, s);
    printf("[%.3s][%s][%.0s]\n", raw, "", s);
    printf("%%[%5c][%-5c]\n", 'x', 'y');
    puts("puts");
    putchar('p');
    putchar('\n');
    fputs("fputs\n", stdout);
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    printf("a" "b\tc\\d\"e\n");
    printf("no newline at the end");
    return 0;
}
