// expect: UNSAFE memory 9
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    short numbers[3] = { 1, 2, 3 };
    write(1, numbers, 6);
    fwrite(numbers, sizeof *numbers, 4, stdout);
    return 0;
}
