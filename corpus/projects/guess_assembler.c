// expect: UNKNOWN depends
// stderr: depends on what the assembler does at
// Assembler that is not recognised gives values that nothing is known of.
#include <assert.h>

int main(void)
{
    unsigned flags = 0;
    __asm__ volatile("pushf; pop %0" : "=r"(flags));
    assert(flags != 2);
}
