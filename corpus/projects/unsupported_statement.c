// expect: UNSAFE assert 14
// A statement with something unsupported ends the path there, not at the start of its function.
#include <assert.h>
#include <complex.h>
#include <setjmp.h>

jmp_buf where;

int main(void)
{
    int n = 1;
    switch (n) {
    case 1:
        assert(n != 1);
    default:;
        double complex z = n * I;
        n = creal(z);
    }
    do {
        if (setjmp(where))
            return 1;
    } while (n);
}
