// A sieve, a matrix product, a checksum, a queue: loops over arrays.
#include <stdint.h>
#include <stdio.h>

static uint32_t crc(const unsigned char *p, int n) {
    uint32_t c = 0xffffffffu;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

int main(void) {
    static _Bool composite[1000];
    int primes = 0;
    for (int i = 2; i < 1000; i++) {
        if (!composite[i])
            primes++;
        for (int j = 2 * i; j < 1000; j += i)
            composite[j] = 1;
    }
    int a[4][4], b[4][4], c[4][4] = {{0}};
    for (int i = 0; i < 16; i++)
        a[i / 4][i % 4] = i, b[i % 4][i / 4] = i * i - 3;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
    uint64_t lcg = 1;
    for (int i = 0; i < 100; i++)
        lcg = lcg * 6364136223846793005u + 1442695040888963407u;
    printf("%d %d %d %08x %016llx\n", primes, c[1][2], c[3][3], crc((const unsigned char *)"123456789", 9), (unsigned long long)lcg);
    return 0;
}
