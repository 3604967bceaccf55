// expect: SAFE
// [TDV Table 3] The file system with two threads, which allocate a block for a file under the locks of both: here the two files want different blocks.
#include <assert.h>
#include <pthread.h>

enum { FILES = 4, BLOCKS = 4 };

pthread_mutex_t file_lock[FILES], block_lock[BLOCKS];
int block_of[FILES];
int busy[BLOCKS];

void *allocate(void *arg)
{
    int file = *(int *)arg;
    pthread_mutex_lock(&file_lock[file]);
    if (block_of[file] == 0) {
        int b = (file * 2) % BLOCKS;
        int tried;
        for (tried = 0; tried < BLOCKS; tried++) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                block_of[file] = b + 1;
                assert(block_of[file] == b + 1);
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&file_lock[file]);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int file[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, allocate, &file[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(block_of[0] != block_of[1]);
    return 0;
}
