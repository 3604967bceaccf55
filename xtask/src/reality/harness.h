/* Put before a program that is run natively: `main` becomes `program`, each run is a process of its own, and `J` delays the
   thread at random. Whatever lasts longer than PATIENCE seconds is stuck. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define NATIVE
#define PATIENCE 3
#ifdef RACES
#define SHARED
#else
/* Sequentially consistent, as the machine is. What is one access here is one or two there. */
#define SHARED _Atomic
#endif
#define J jitter()

static unsigned run_seed, threads_seen;
static __thread unsigned state;

static void jitter(void)
{
    if (!state)
        state = (run_seed + 0x9e3779b9u * (1 + __atomic_fetch_add(&threads_seen, 1, __ATOMIC_RELAXED))) | 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    switch (state >> 8 & 7) {
    case 0: case 1:
        sched_yield();
        break;
    case 2: case 3:
        for (volatile unsigned i = 0; i < (state >> 12 & 1023); i++)
            ;
        break;
    case 4:
        usleep(state >> 12 & 63);
        break;
    }
}

static void stuck(int signal)
{
    static const char text[] = "stuck\n";
    (void)signal;
    _exit(write(1, text, sizeof text - 1) < 0 ? 2 : 1);
}

int program(void);

/* Arguments: the number of runs, a seed. Stops after the first run that is stuck. */
int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    for (int run = 0; run < atoi(argv[1]); run++) {
        pid_t child = fork();
        if (child == 0) {
            run_seed = (unsigned)atoi(argv[2]) + 7919u * (unsigned)run;
            signal(SIGALRM, stuck);
            alarm(PATIENCE);
            program();
            fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
            break;
    }
    return 0;
}

#define main program
