// Bit-fields under #pragma pack span units freely, so that the bytes they are reached by overlap.
#include <stdio.h>
#include <string.h>

#pragma pack(push)
#pragma pack(1)
struct mixed {
    unsigned f0 : 26;
    int f1 : 22;
    int f2 : 17;
    unsigned f3 : 15;
    unsigned f4 : 24;
    int f5 : 15;
    unsigned f6 : 26;
};
struct wide {
    unsigned char c : 3;
    unsigned long long l : 63;
    signed long long m : 61;
    unsigned : 5;
    short s : 13;
};
#pragma pack(2)
struct two {
    unsigned a : 13;
    unsigned b : 31;
    unsigned : 0;
    int c : 29 __attribute__((packed));
    char d;
    int e : 30 __attribute__((aligned(8)));
    unsigned f : 17;
};
#pragma pack(pop)

static struct mixed fixed = {6361, -1402, -335, 108, 3918, 131, 4551};
static struct mixed some = {.f6 = 0x2abcdef, .f2 = -1, .f4 = 0x123456, .f0 = 77};
static struct mixed many[2] = {{1, -1, 1, 1, 1, -1, 1}, {.f5 = -16384, .f3 = 32767}};
static struct wide far = {5, 0x123456789abcdefull, -3, -2};
static struct two half = {0x1fff, 0x5a5a5a5a, -7, 'x', 1 << 28, 99};

static void bytes(const char *name, const void *object, unsigned size) {
    const unsigned char *byte = object;
    printf("%s:", name);
    for (unsigned i = 0; i < size; i++)
        printf(" %02x", byte[i]);
    printf("\n");
}

static void mixed(const char *name, const struct mixed *m) {
    printf("%s: %u %d %d %u %u %d %u\n", name, m->f0, m->f1, m->f2, m->f3, m->f4, m->f5, m->f6);
    bytes(name, m, sizeof *m);
}

static void wide(const char *name, const struct wide *w) {
    printf("%s: %d %llu %lld %d\n", name, w->c, (unsigned long long)w->l, (long long)w->m, w->s);
    bytes(name, w, sizeof *w);
}

static void two(const char *name, const struct two *t) {
    printf("%s: %u %u %d %c %d %u\n", name, t->a, t->b, t->c, t->d, t->e, t->f);
    bytes(name, t, sizeof *t);
}

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct mixed), sizeof(struct wide), sizeof(struct two));
    mixed("static", &fixed);
    mixed("designated", &some);
    mixed("many[0]", &many[0]);
    mixed("many[1]", &many[1]);
    wide("static wide", &far);
    two("static two", &half);

    struct mixed local = {6361, -1402, -335, 108, 3918, 131, 4551};
    struct wide local_wide = {5, 0x123456789abcdefull, -3, -2};
    struct two local_two = {.a = 0x1fff, .b = 0x5a5a5a5a, .c = -7, .d = 'x', .e = 1 << 28, .f = 99};
    mixed("local", &local);
    wide("local wide", &local_wide);
    two("local two", &local_two);

    memset(&local, 0xff, sizeof local);
    printf("%u\n", local.f3 = 12345);
    printf("%d\n", local.f5 = 123456);
    printf("%u\n", local.f6 = 0x1234567);
    local.f1 = local.f2 = 4321;
    mixed("assigned", &local);
    local.f0 += 100, local.f1 *= 5, local.f2 -= 12345, local.f3 <<= 2, local.f4 ^= 0xabcdef, local.f5 /= 3, local.f6 |= 8;
    mixed("compound", &local);
    for (int i = 0; i < 40000; i++)
        local.f3++, --local.f5;
    mixed("counted", &local);

    local_wide.l += 1ull << 62;
    local_wide.m *= 1ll << 40;
    local_wide.s--;
    wide("compound", &local_wide);
    local_two.b = ~local_two.b;
    local_two.e >>= 3;
    local_two.f *= 100000;
    two("compound", &local_two);
    return 0;
}
