// Character constants, escapes, ctype.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d %d\n", 'a', '\n', '\0', '\x7f', '\377');
    printf("%d %d %zu\n", '\101', '\\', sizeof 'a');
    const char *s = "tab\there \"quoted\" \x41\102\u00e9 end\0hidden";
    printf("%s %zu\n", s, sizeof "a\0b");
    for (int c = 0; c < 128; c += 9)
        printf("%d%d%d%d%d ", !!isalpha(c), !!isdigit(c), !!isspace(c), !!isupper(c), !!ispunct(c));
    puts("");
    for (const char *p = "Hello, World 42"; *p; p++)
        putchar(islower(*p) ? toupper(*p) : tolower(*p));
    putchar('\n');
    char c = '\xff';
    printf("%d %d\n", c, c == '\xff');
    printf("%d %d\n", 'ab' != 0, L'x');
    return 0;
}
