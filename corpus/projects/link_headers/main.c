// expect: SAFE
// Two files include the same system headers under different feature macros; each sees its own types.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <stdatomic.h>
#include <stdio.h>
#include <pthread.h>
#include <time.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
#include <string.h>
struct q *make(void);
void put(struct q *q, int v);
int get(struct q *q);
enum { RED, GREEN } colour;
typedef struct { int x, y; } point;
point origin;
point mirror(point p);
static struct q *shared;
static void *producer(void *a) { put(shared, 3); return a; }
int main(void) {
  shared = make();
  pthread_t t; pthread_create(&t, 0, producer, 0);
  int v = get(shared);
  assert(v == 0 || v == 3);
  pthread_join(t, 0);
  origin.x = 1; point m = mirror(origin); assert(m.y == 1);
  return colour;
}
