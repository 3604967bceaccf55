// Destructors run at a call of exit too, where nobody registered a handler.
#include <stdio.h>
#include <stdlib.h>

static int left;
__attribute__((destructor)) static void last(void) { printf("last %d\n", left); }

static void leave(int status)
{
    left = status;
    exit(status);
}

int main(void)
{
    leave(0);
    return 1;
}
