// Recursion: simple, mutual, with addresses of locals of outer frames.
#include <stdio.h>

static unsigned long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); }

struct frame {
    struct frame *up;
    int value;
};
static int walk(struct frame *up, int depth) {
    struct frame here = {up, depth * depth};
    if (depth == 0) {
        int sum = 0;
        for (struct frame *f = &here; f; f = f->up)
            sum = sum * 3 + f->value;
        return sum;
    }
    return walk(&here, depth - 1);
}
static void hanoi(int n, int from, int to, int via, int *moves) {
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to, moves);
    ++*moves;
    hanoi(n - 1, via, to, from, moves);
}

int main(void) {
    int moves = 0;
    hanoi(8, 1, 2, 3, &moves);
    printf("%llu %d %d %d %d %d\n", factorial(20), ackermann(2, 3), even(101), odd(101), walk(0, 8), moves);
    return 0;
}
