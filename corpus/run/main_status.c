// status: 7
// The value of main is the status.
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == 0);
    return 7;
}
