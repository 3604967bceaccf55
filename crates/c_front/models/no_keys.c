/* The end of a thread in a program without keys. */

void __heddle_run_destructors(void)
{
}
