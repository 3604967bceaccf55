// Objects as bytes: memcpy, memmove, memset, casts to character pointers.
#include <stdio.h>
#include <string.h>

struct mixed {
    char c;
    int i;
    short s;
    double d;
    void *p;
};

int main(void) {
    int x = 0x11223344;
    unsigned char *b = (unsigned char *)&x;
    printf("%x %x %x %x\n", b[0], b[1], b[2], b[3]);
    b[1] = 0xff;
    printf("%x\n", x);
    double d = -1.5;
    unsigned long long u;
    memcpy(&u, &d, sizeof u);
    printf("%llx\n", u);
    float f;
    unsigned w = 0x40490fdb;
    memcpy(&f, &w, 4);
    printf("%f\n", f);
    struct mixed m = {'a', 1, 2, 3.5, &x}, n;
    memcpy(&n, &m, sizeof m);
    printf("%c %d %d %g %d\n", n.c, n.i, n.s, n.d, n.p == &x);
    *(int *)n.p = 7;
    printf("%d\n", x);
    char buffer[20] = "0123456789";
    memmove(buffer + 3, buffer, 7);
    printf("%s\n", buffer);
    memmove(buffer, buffer + 2, 6);
    printf("%s\n", buffer);
    memset(buffer + 1, 'z', 3);
    printf("%s %d\n", buffer, memcmp(buffer, "5zzz", 4) < 0);
    int *ptrs[3] = {&x, 0, &x}, *copy[3];
    memcpy(copy, ptrs, sizeof ptrs);
    printf("%d %d\n", *copy[2], copy[1] == 0);
    short s[2] = {1, 2};
    *(int *)(void *)s += 0x10001;
    printf("%d %d\n", s[0], s[1]);
    return 0;
}
