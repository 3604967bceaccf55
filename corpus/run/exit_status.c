// status: 42
// exit flushes, runs atexit functions in reverse, and sets the status.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }
static void leave(int n) {
    puts("leaving");
    exit(n);
}

int main(void) {
    atexit(first);
    atexit(second);
    leave(42);
    puts("not here");
    return 0;
}
