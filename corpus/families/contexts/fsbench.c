// [ESBMC Table 2] A file system: N threads, each with a file that needs a block, look for a free one from twice the number
// of their file on, under the lock of each block they try. The wrong one has a thread more than it has files and blocks.
// expect: SAFE assert,deadlock,memory for N in 2,3,4
// expect: UNSAFE memory for N in 2,3,4,27 with -DWRONG
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
#define FILES (N - 1)
#else
#define FILES N
#endif

pthread_mutex_t file_lock[FILES], block_lock[FILES];
int block_of[FILES];
int busy[FILES];

/* Whether the block was free, and is the file's now. */
int taken(int file, int block)
{
    int won = 0;
    pthread_mutex_lock(&block_lock[block]);
    if (!busy[block]) {
        busy[block] = 1;
        block_of[file] = block + 1;
        won = 1;
    }
    pthread_mutex_unlock(&block_lock[block]);
    return won;
}

void *allocate(void *arg)
{
    int file = *(int *)arg;
    pthread_mutex_lock(&file_lock[file]);
    if (block_of[file] == 0) {
        int block = file * 2 % FILES;
        for (int tries = 0; tries < FILES && !taken(file, block); tries++)
            block = (block + 1) % FILES;
        assert(block_of[file] == block + 1);
    }
    pthread_mutex_unlock(&file_lock[file]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int files[N];
    for (int k = 0; k < N; k++) {
        files[k] = k;
        pthread_create(&threads[k], 0, allocate, &files[k]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(threads[k], 0);
    return 0;
}
