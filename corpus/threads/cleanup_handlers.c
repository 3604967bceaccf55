// expect: SAFE
// Handlers run when they are popped with a nonzero argument, and when the thread ends in between: the last one first.
#include <assert.h>
#include <pthread.h>

int order[4], count;

void note(void *arg)
{
    order[count++] = *(int *)arg;
}

void inner(int *how)
{
    int three = 3;
    pthread_cleanup_push(note, &three);
    if (*how == 2)
        pthread_exit(0);
    pthread_cleanup_pop(0);
}

void *worker(void *arg)
{
    int one = 1, two = 2;
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    if (*(int *)arg == 1)
        pthread_exit(0);
    inner(arg);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    for (int how = 0; how < 3; how++) {
        count = 0;
        pthread_create(&t, 0, worker, &how);
        pthread_join(t, 0);
        if (how == 0)
            assert(count == 1 && order[0] == 1);
        else if (how == 1)
            assert(count == 2 && order[0] == 2 && order[1] == 1);
        else
            assert(count == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
    }
    return 0;
}
