/* The process and the machine it runs on. Numbers of processes and threads are some that differ; how many processors there are, and on
   which one a thread runs, is arbitrary. */

enum { PROCESS = 1000 };

int getpid(void)
{
    return PROCESS;
}

int getppid(void)
{
    return PROCESS - 1;
}

/* The first thread has the number of the process. */
int gettid(void)
{
    return PROCESS - 1 + __heddle_self();
}

unsigned getuid(void)
{
    return PROCESS;
}

unsigned geteuid(void)
{
    return PROCESS;
}

unsigned getgid(void)
{
    return PROCESS;
}

unsigned getegid(void)
{
    return PROCESS;
}

long sysconf(int name)
{
    long value = __heddle_nondet("sysconf");
    __heddle_assume(value >= -1);
    return value;
}

int getpagesize(void)
{
    return 4096;
}

static int processors(void)
{
    int count = __heddle_nondet("processors");
    __heddle_assume(count > 0);
    return count;
}

int get_nprocs(void)
{
    return processors();
}

int get_nprocs_conf(void)
{
    return processors();
}

int sched_getcpu(void)
{
    int number = __heddle_nondet("processor");
    __heddle_assume(number >= 0);
    return number;
}
