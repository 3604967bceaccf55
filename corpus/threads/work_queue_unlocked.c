// expect: UNSAFE assert 32
// args: --property assert
// A work queue without its mutex: two workers do the same job.
#include <assert.h>
#include <pthread.h>

enum { JOBS = 3 };

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next_job;
int done[JOBS];

void *worker(void *arg)
{
    for (;;) {
        int job = next_job;
        next_job = job + 1;
        if (job >= JOBS)
            return 0;
        done[job]++;
    }
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    for (int i = 0; i < JOBS; i++)
        assert(done[i] == 1);
    return 0;
}
