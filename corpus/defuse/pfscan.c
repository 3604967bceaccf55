// [DEFUSE Table II] A kernel after pfscan: two workers take lines from a list and count matches; the answer is printed too early.
// BUG 0: it is printed when both workers are done.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { LINES = 3, WORKERS = 2 };
static const char lines[LINES][4] = { "abc", "xbx", "bbb" };
static int next, matches, idle;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER, count = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&list);
        int line = next;
        if (line < LINES)
            next = line + 1;
        else
            idle = idle + 1;
        pthread_mutex_unlock(&list);
        if (line >= LINES)
            return 0;
        for (int i = 0; i < 3; i++)
            if (lines[line][i] == 'b') {
                pthread_mutex_lock(&count);
                matches = matches + 1;
                pthread_mutex_unlock(&count);
            }
    }
}

static void *printer(void *arg)
{
    pthread_mutex_lock(&list);
    int all = BUG ? next >= LINES : idle == WORKERS;
    pthread_mutex_unlock(&list);
    // The order violation: that all lines are taken does not mean that all are scanned.
    if (all) {
        pthread_mutex_lock(&count);
        assert(matches == 5);
        pthread_mutex_unlock(&count);
    }
    return 0;
}

int main(void)
{
    pthread_t t[WORKERS + 1];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_create(&t[WORKERS], 0, printer, 0);
    for (int i = 0; i <= WORKERS; i++)
        pthread_join(t[i], 0);
    return 0;
}
