// expect: UNKNOWN limit
// engines: explore
// A stack that overflows is neither a proof nor a violation.
#include <assert.h>
#include <pthread.h>

int descend(int n)
{
    return descend(n + 1) + 1;
}

int main(void)
{
    return descend(0);
}
