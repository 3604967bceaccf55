// expect: SAFE WITHIN unwind=1
// engines: order refine clock lazy
// args: --data-model ilp32 --unwind 1 --property assert
// Pointers that are read byte by byte, because one of them is reached through a pointer of unknown offset, are pointers
// again: two with the same bytes are the same.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void);

struct block {
    int *from;
    int places[2];
    int *to;
    struct block *behind;
};

struct chain {
    struct block *first, *last;
};

struct block *fresh(struct block *b)
{
    b->from = b->to = b->places;
    b->behind = 0;
    return b;
}

int is_empty(struct chain *c)
{
    return c->first == c->last && c->first->from >= c->first->to;
}

void *producer(void *argument)
{
    struct chain *c = argument;
    struct block *b = c->last;
    if (b->to == b->places + 2)
        b = fresh(malloc(sizeof *b));
    ++b->to;
    if (c->last != b) {
        c->last->behind = b;
        c->last = b;
    }
    return 0;
}

int main(void)
{
    struct chain c;
    c.first = c.last = fresh(malloc(sizeof(struct block)));
    pthread_t p;
    pthread_create(&p, 0, producer, &c);
    while (is_empty(&c))
        ;
    if (is_empty(&c))
        reach_error();
    pthread_join(p, 0);
    while (c.first != c.last)
        c.first = c.first->behind;
    return 0;
}
