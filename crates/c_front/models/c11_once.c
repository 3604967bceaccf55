/* call_once of C11, in terms of pthread_once: a once_flag is a pthread_once_t. */

int pthread_once(int *once, void (*routine)(void));

void call_once(int *flag, void (*routine)(void))
{
    pthread_once(flag, routine);
}
