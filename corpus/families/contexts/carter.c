// Two parties share a room, N times each: the first member in locks it for its party, the last one out unlocks it, and
// members are counted under a lock. With one lock for the counters of both parties, a party that waits for the room keeps
// the other one from leaving; with one each, all is well.
// expect: SAFE assert,deadlock for N in 1,2
// expect: UNSAFE deadlock for N in 1,2,3,5 with -DONE_LOCK
#include <assert.h>
#include <pthread.h>

pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t one_lock = PTHREAD_MUTEX_INITIALIZER, another_lock = PTHREAD_MUTEX_INITIALIZER;
int members[2];
int in_the_room = -1;

pthread_mutex_t *counter_lock(int party)
{
#ifdef ONE_LOCK
    return &one_lock;
#else
    return party == 0 ? &one_lock : &another_lock;
#endif
}

void enter(int party)
{
    pthread_mutex_lock(counter_lock(party));
    members[party] = members[party] + 1;
    if (members[party] == 1)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(counter_lock(party));
}

void leave(int party)
{
    pthread_mutex_lock(counter_lock(party));
    members[party] = members[party] - 1;
    if (members[party] == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(counter_lock(party));
}

void *member(void *arg)
{
    int party = *(int *)arg;
    for (int k = 0; k < N; k++) {
        enter(party);
        in_the_room = party;
        assert(in_the_room == party);
        leave(party);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int parties[2] = {0, 1};
    pthread_create(&t, 0, member, &parties[0]);
    pthread_create(&u, 0, member, &parties[1]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
