// The queue is opaque in main.c, and complete here.
#define _POSIX_C_SOURCE 199506L
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>
#include <string.h>
struct q { atomic_int value; };
typedef struct { int x, y; } point;
extern point origin;
extern enum { RED, GREEN } colour;
struct q *make(void) { return calloc(1, sizeof(struct q)); }
void put(struct q *q, int v) { atomic_store(&q->value, v); }
int get(struct q *q) { return make()->value + atomic_load(&q->value); }
point mirror(point p) { colour = RED; return (point){ p.y, origin.x }; }
