// expect: SAFE
// quiet
// What is not supported is no error where it is not reached: in functions that are not called, and behind branches that
// are not taken.
#include <assert.h>
#include <complex.h>
#include <immintrin.h>
#include <unistd.h>

static double norm(double complex z)
{
    return creal(z * conj(z));
}

__m128i add(__m128i a, __m128i b)
{
    return _mm_add_epi32(a, b);
}

int unused(int n)
{
    __m128i v = _mm_set1_epi32(n);
    if (_mm_cvtsi128_si32(v) > 3)
        return fork();
    return (int)norm(n);
}

int main(void)
{
    int n = 3;
    if (n > 3) {
        double complex z = n * I;
        n = creal(z);
    }
    _mm_pause();
    _mm_lfence();
    _mm_sfence();
    _mm_mfence();
    __builtin_ia32_pause();
    assert(n == 3);
}
