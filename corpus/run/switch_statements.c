// switch: fall-through, default in the middle, ranges, Duff's device, nested.
#include <stdio.h>

static const char *name(int n) {
    switch (n) {
    default: return "other";
    case 0: return "zero";
    case 1:
    case 2: return "few";
    case 3 ... 9: return "some";
    case -1: return "minus";
    }
}

static int duff(const char *from, char *to, int count) {
    int n = (count + 3) / 4, rounds = 0;
    switch (count % 4) {
    case 0:
        do {
            rounds++;
            *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--n > 0);
    }
    return rounds;
}

int main(void) {
    for (int i = -2; i < 12; i++)
        printf("%s ", name(i));
    char buffer[16] = {0};
    int rounds = duff("hello, world", buffer, 11);
    printf("\n%s %d\n", buffer, rounds);
    int n = 0;
    for (int i = 0; i < 10; i++) {
        switch (i) {
        case 1: continue;
        case 5: n += 100;
        case 6:
            switch (n % 2) {
            case 0: n += 1; break;
            case 1: n += 2;
            }
            break;
        case 8: goto out;
        default: n += 10;
        }
        n++;
    }
out:
    printf("%d\n", n);
    unsigned char c = 255;
    switch (c) {
    case (unsigned char)-1: puts("byte"); break;
    case -1 + 256 + 256: puts("no");
    }
    switch (0x100000000LL) {
    case 0: puts("truncated"); break;
    case 0x100000000LL: puts("whole");
    }
    switch (1)
        ;
    return 0;
}
