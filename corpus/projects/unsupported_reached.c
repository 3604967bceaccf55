// expect: UNKNOWN unsupported
// stderr: `fork`
// stderr: unsupported_reached.c:14
// A path ends where something that is not supported is reached; the answer names it and its place.
#include <assert.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 7) {
        n++;
        if (fork() == 0)
            _exit(0);
    }
    assert(n == n);
}
