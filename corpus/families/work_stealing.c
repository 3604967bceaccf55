// A queue of work with an owner and a thief (Chase and Lev's, without growing): the owner pushes N items and pops at the
// bottom, the thief steals at the top. Nothing is done twice or never. The wrong owner takes the last item without asking.
// expect: SAFE for N in 1..8
// expect: UNSAFE for N in 1..8 with -DWRONG
#include <assert.h>
#include <pthread.h>

int items[N + 1];
int top, bottom;
int by_owner[N + 1], by_thief[N + 1];

void push(int item)
{
    int b = bottom;
    items[b] = item;
    bottom = b + 1;
}

// 0 if there is none.
int pop(void)
{
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = b + 1;
        return 0;
    }
    int item = items[b];
    if (t < b)
        return item;
#ifdef WRONG
    top = t + 1;
#else
    if (!__sync_bool_compare_and_swap(&top, t, t + 1))
        item = 0;
#endif
    bottom = b + 1;
    return item;
}

// 0 if there is none, or somebody else was faster.
int steal(void)
{
    int t = top;
    int b = bottom;
    if (t >= b)
        return 0;
    int item = items[t];
    return __sync_bool_compare_and_swap(&top, t, t + 1) ? item : 0;
}

void *thief(void *unused)
{
    for (int k = 0; k < N; k++)
        by_thief[steal()]++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thief, 0);
    for (int item = 1; item <= N; item++)
        push(item);
    for (int k = 0; k < N; k++)
        by_owner[pop()]++;
    pthread_join(t, 0);
    for (int item = 1; item <= N; item++)
        assert(by_owner[item] + by_thief[item] == 1);
    return 0;
}
