// expect: UNSAFE memory 8
#include <stdio.h>

int main(void)
{
    char text[3] = { 'a', 'b', 'c' };
    printf("%.3s\n", text);
    printf("%.4s\n", text);
    return 0;
}
