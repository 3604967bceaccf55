/* pthread_once. State, in the user's pthread_once_t: 0 not called, 1 being called, 2 done. Who comes while the routine is
   being called waits until it has returned; the routine itself, if it comes again, waits for ever. */

int pthread_once(int *once, void (*routine)(void))
{
    __heddle_atomic_begin();
    int state = *once;
    __heddle_await(state != 1, "once", once);
    if (state == 2) {
        __heddle_sync("acquire", "once", once);
        __heddle_atomic_end();
        return 0;
    }
    *once = 1;
    __heddle_sync("acquire", "once", once);
    __heddle_atomic_end();

    routine();

    __heddle_atomic_begin();
    *once = 2;
    __heddle_sync("release", "once", once);
    __heddle_atomic_end();
    return 0;
}
