// expect: UNSAFE memory 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(6);
    strcpy(text, "hello");
    printf("%s\n", text);
    free(text);
    printf("%d %s\n", 3, text);
    return 0;
}
