// expect: UNKNOWN unsupported
// stderr: assembler that may write memory
// Assembler that is not recognised and may write memory ends its path.
#include <assert.h>

int main(void)
{
    int x = 0;
    __asm__ volatile("movl $1, (%0)" : : "r"(&x) : "memory");
    assert(x == 1);
}
