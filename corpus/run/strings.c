// The string functions.
#include <stdio.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    char a[32] = "alpha", b[32];
    strcpy(b, a);
    strcat(b, "-beta");
    strncat(b, "gamma", 2);
    printf("%s %zu %d %d %d\n", b, strlen(b), sign(strcmp(a, b)), sign(strncmp(a, b, 5)), sign(strcmp("b", "a")));
    strncpy(a, "xy", 5);
    printf("%s %d %d\n", a, a[3], a[4]);
    printf("%s %s %d\n", strchr(b, '-'), strrchr(b, 'a'), strchr(b, 'z') == NULL);
    printf("%s %d\n", strstr(b, "bet"), strstr(b, "tab") == 0);
    printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("hello", "lo"));
    printf("%s %d\n", (char *)memchr(b, 'p', 10), memcmp("\xff", "\x01", 1) > 0);
    char line[] = "one,two;;three";
    for (char *t = strtok(line, ",;"); t; t = strtok(NULL, ",;"))
        printf("[%s]", t);
    puts("");
    return 0;
}
