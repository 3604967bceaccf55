// expect: SAFE
// What output functions read: strings up to their end, no more than the precision says, nothing of null.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[4] = "abc", open[2] = { 'x', 'y' };
    char *copy = strdup("on the heap");
    const char *nothing = 0;
    printf("%s %.2s %.*s %d%% %*s\n", text, open, 2, open, 5, 10, copy);
    fprintf(stderr, "%s\n", nothing);
    puts(text + 3);
    fputs(copy, stdout);
    write(1, open, 2);
    fwrite(text, 2, 2, stdout);
    write(1, 0, 0);
    free(copy);
    return 0;
}
