/* exit in a program that does not use atexit. All threads end with the process. */

void exit(int status)
{
    __heddle_process_exit(status);
}
